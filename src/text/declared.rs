//! What a file says of its own encoding: in a tag of HTML, a declaration of XML, a mail's header, or a line for an editor.

use encoding_rs::Encoding as Charset;

/// Declarations stand in the first and the last so many bytes.
const HEAD: usize = 4096;
const TAIL: usize = 1024;

/// The names a declaration may have.
const NAMES: [&str; 5] = ["charset", "encoding", "fileencoding", "coding", "fenc"];

/// The encoding that bytes declare, where it is one that is known.
pub(super) fn declared(bytes: &[u8]) -> Option<&'static Charset> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    find(head).or_else(|| lines(tail).filter(|l| is_modeline(l)).find_map(find))
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|b| matches!(b, b'\n' | b'\r'))
}

/// A line that tells an editor how to treat the file.
fn is_modeline(line: &[u8]) -> bool {
    let has = |s: &[u8]| line.windows(s.len()).any(|w| w.eq_ignore_ascii_case(s));
    has(b"vim:") || has(b"vi:") || has(b"-*-") || has(b"ex:") || has(b"coding:")
}

fn find(bytes: &[u8]) -> Option<&'static Charset> {
    for line in lines(bytes) {
        for name in NAMES {
            let mut from = 0;
            while let Some(at) = position(&line[from..], name.as_bytes()).map(|n| from + n) {
                from = at + name.len();
                let whole = at == 0 || !line[at - 1].is_ascii_alphanumeric();
                if let Some(label) = value(&line[from..]).filter(|_| whole)
                    && let Some(charset) = Charset::for_label(label)
                {
                    return Some(charset);
                }
            }
        }
    }
    None
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|w| w.eq_ignore_ascii_case(wanted))
}

/// The label behind a name: `="utf-8"`, `: koi8-r`.
fn value(rest: &[u8]) -> Option<&[u8]> {
    let blank = |b: &[u8]| b.iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
    let rest = &rest[blank(rest)..];
    let rest = rest.strip_prefix(b"=").or_else(|| rest.strip_prefix(b":"))?;
    let rest = &rest[blank(rest)..];
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let len = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.' | b':')).count();
    let label = &rest[..len];
    // editors add how lines end
    let label = label.strip_suffix(b"-unix").or_else(|| label.strip_suffix(b"-dos")).unwrap_or(label);
    let label = label.strip_suffix(b":").unwrap_or(label);
    (!label.is_empty()).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations() {
        let name = |t: &str| declared(t.as_bytes()).map(Charset::name);
        assert_eq!(name("<meta http-equiv='Content-Type' content='text/html; charset=EUC-JP'>"), Some("EUC-JP"));
        assert_eq!(name("<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?>"), Some("ISO-8859-2"));
        assert_eq!(name("; -*- mode: org; coding: koi8-r-unix -*-"), Some("KOI8-R"));
        assert_eq!(name("text\n# vim: set fenc=cp1251:\n"), Some("windows-1251"));
        assert_eq!(name("the charset: none of them\nencoding failed"), None);
    }
}
