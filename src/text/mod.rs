//! Text with a way home: bytes as they lie on disk, and everything read from them with a map back.
//!
//! [`Source`] holds a file's bytes and knows their encoding. [`Mapped`] is text that was derived from a source (decoded, unescaped,
//! stripped of markup) and still tells, for every range of it, which bytes of the file it stands on. Nothing else in the program
//! computes offsets: "start + length" drifts wherever a step changes lengths, a map does not.

mod declared;
mod encoding;
mod mapped;
mod sentences;
mod source;
mod span;

pub use encoding::Encoding;
pub use mapped::{Mapped, MappedBuilder};
pub(crate) use sentences::push;
pub use sentences::sentences;
pub use source::Source;
pub use span::{LineIndex, Span, join};

/// White space folded, ends trimmed.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
