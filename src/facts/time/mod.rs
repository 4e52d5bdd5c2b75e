//! Dates and clocks: found as written (`scan` and what it stands on), then completed from what the document says elsewhere (`resolve`).
//!
//! The way of a mention: `token` cuts a block's text into numbers, calendar words (`words`) and marks; `date`, `wordy`, `clock` and `stamp` are
//! the grammar of notations; `scan` adds ranges, double readings and offsets; `place` tells where each mention stands; `order`, `dates` and
//! `spread` fill in what is said elsewhere, `kin` what the entries of a list say of each other's notation: which number is the day, the year, the day of a clock, its zone; `checks` tells contradictions.
//! Shapes are here, words are in the lexicons' `calendar`.

mod checks;
mod clock;
mod date;
mod dates;
mod duration;
mod elapsed;
pub mod front;
mod kin;
mod known;
mod labels;
mod letters;
mod mask;
mod named;
#[cfg(test)]
mod notations;
mod order;
mod place;
mod range;
mod resolve;
#[cfg(test)]
pub(crate) mod samples;
mod scan;
mod solar;
mod spoken;
mod spread;
mod stamp;
#[cfg(test)]
mod tests;
mod token;
mod value;
mod words;
mod wordy;
mod zone;

use crate::diag::Diagnostic;
use crate::document::Document;
use crate::lang::{Column, Lexicon, Role};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

pub use duration::Length;
pub use labels::{label_column, last_label};
pub use place::{cells, is_aside, line_head};
pub use value::{Clock, Date, Instant, Part, Year};
pub use zone::Zone;

/// One way in which a moment is written, where it is written in several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its value.
    pub at: Instant,
    /// As written.
    pub written: String,
    /// Bytes of the block's text.
    pub range: Range<usize>,
    /// The kind of notation.
    pub rule: &'static str,
}

/// One mention of a date or clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The block it stands in.
    pub block: usize,
    /// Bytes of the block's text.
    pub range: Range<usize>,
    /// As written.
    pub written: String,
    /// Its value, or the beginning of a range.
    pub at: Instant,
    /// The end of a range.
    pub until: Option<Instant>,
    /// All readings, where the moment is written more than once.
    pub readings: Vec<Reading>,
    /// What was taken from elsewhere: `date`, `year`, `zone`.
    pub implied: Vec<&'static str>,
    /// The kind of notation.
    pub rule: &'static str,
    /// It dates an event of the timeline (set by [`super::timeline`]).
    pub event: bool,
    /// It opens its block, line or cell.
    pub lead: bool,
    /// Nothing else stands in its block or cell.
    pub whole: bool,
    /// A word for `until` or `by` stands before it.
    pub limit: bool,
    /// The column of its table.
    pub cell: Option<usize>,
    /// Mentions of one group are the entries of one list, table or run of updates.
    pub group: usize,
    /// The section, counted by headings.
    pub section: usize,
}

/// All mentions of a document, in its order, and what is to be said about them.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// The mentions.
    pub mentions: Vec<Mention>,
    /// Contradictions and doubts.
    pub diagnostics: Vec<Diagnostic>,
    /// What each column of each table holds, by its head.
    pub columns: BTreeMap<(usize, usize), Column>,
}

/// What reads the times of one language: its calendar words (and English ones beside them), compiled once.
pub struct Reader<'a> {
    words: Arc<words::Words>,
    lexicon: &'a Lexicon,
}

impl<'a> Reader<'a> {
    /// A reader for documents of `lexicon`'s language.
    pub fn new(lexicon: &'a Lexicon, english: &Lexicon) -> Reader<'a> {
        Reader { words: lexicon.once(|| words::Words::new(lexicon, english)), lexicon }
    }

    /// The language's lexicon.
    pub fn lexicon(&self) -> &'a Lexicon {
        self.lexicon
    }

    /// Reads the dates and clocks of a document. `sections` holds the role of the section each block stands in; `file` is the path, whose date is
    /// the last resort for clocks of a document that has no other.
    pub fn read(&self, document: &Document, sections: &[Option<Role>], file: Option<&str>) -> Times {
        let places = place::Places::new(document, sections, self.lexicon, &self.words);
        resolve::resolve(document, places, &self.words, self.lexicon, file)
    }

    /// The first instant a short text (a front matter field) states, with the end of a range.
    pub fn instant(&self, text: &str) -> Option<(Instant, Option<Instant>)> {
        resolve::single(text, &self.words, &self.lexicon.file.dates)
    }

    /// True where a short text names a day that no month has.
    pub fn has_impossible_day(&self, text: &str) -> bool {
        let found = scan::scan(text, &[], &self.words).mentions;
        found.iter().any(|m| order::days(m).any(date::Day::impossible))
    }

    /// The first stretch of time that a short text (the value of a label or field) states.
    pub fn length(&self, text: &str) -> Option<Length> {
        duration::first(text, &self.words, true)
    }

    /// The first stretch of time that a short text states beside the span of clocks it may give (`from 7:21am to 12:11pm, almost five hours`).
    pub fn length_beside(&self, text: &str) -> Option<Length> {
        let clock = |m: &scan::Raw| {
            let told = m.first.time.as_ref().is_some_and(|t| t.part.is_some()) || !m.first.zones.is_empty() || m.first.day.is_some();
            m.offset.is_none() && m.first.time.is_some() && (m.until.is_some() || told)
        };
        let found = scan::scan(text, &[], &self.words).mentions;
        let clocks: Vec<&Range<usize>> = found.iter().filter(|m| clock(m)).map(|m| &m.range).collect();
        duration::outside(text, &clocks, &self.words)
    }
}
