//! One event: when it was, what is told of it, and the bytes and words of that.

use super::super::time::{Instant, Reading};
use crate::lang::{Hit, Lexicon, Phase};
use crate::text::Span;
use std::sync::OnceLock;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, or since when.
    pub at: Instant,
    /// Until when.
    pub until: Option<Instant>,
    /// The stamp as written.
    pub written: String,
    /// All readings, where the moment is written more than once; their ranges are of the text of block `block`.
    pub readings: Vec<Reading>,
    /// What a reader sees: the sentence, list item, table row, or stamp with what follows it.
    pub text: String,
    /// The bytes of that.
    pub spans: Vec<Span>,
    /// The rule that made it.
    pub rule: &'static str,
    /// What it tells of.
    pub phase: Option<Phase>,
    /// The block of the stamp.
    pub block: usize,
    /// The mention, by its place in [`Times`].
    pub mention: usize,
    /// The words found in its text, once they were asked for.
    pub(super) words: OnceLock<Vec<Hit>>,
}

impl Event {
    /// The words found in its text; ranges are those of the text.
    pub fn words(&self, lexicon: &Lexicon) -> &[Hit] {
        self.words.get_or_init(|| lexicon.scan(&self.text))
    }

    /// Gives it another text.
    pub(super) fn set_text(&mut self, text: String) {
        self.text = text;
        self.words.take();
    }
}
