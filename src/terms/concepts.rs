//! The term → concept table: every form of every lexicon in one sorted file, so that a search reads no lexicon.
//!
//! Layout (little endian): magic, checksum of the rest, then languages, language sets, and classes. A class holds the forms of the languages
//! that fold and match alike, sorted by their first word; each form knows whose own it is and in which languages it counts besides (English
//! words and jargon inside texts of others). Forms without a concept (function words, cues) only tell the language.

mod build;

use super::bytes::{Reader, checksum};
use super::near::{Near, Rows};
use crate::error::{Error, Result};
use crate::lang::{Concept, Folding, Form, Join, Matching, Piece};
use std::collections::BTreeSet;
use std::ops::{Deref, Range};

const MAGIC: &[u8; 8] = b"2shyct\x03\n";
/// Length of magic and checksum.
const HEAD: usize = 16;
/// Stands for no concept.
const NONE: u16 = u16::MAX;
/// Stands for a function word.
const STOP: u16 = u16::MAX - 1;

/// A set of languages, by their number in the table.
pub(super) type Set = u128;

/// Forms that are matched alike.
pub(super) struct Class {
    pub matching: Matching,
    /// True for forms stripped of all marks, which are asked last.
    pub loose: bool,
    /// All forms.
    all: List,
    /// Those that may begin inside a word.
    inside: List,
}

/// Forms sorted by their first word.
struct List {
    /// Where their places stand in the data, and how many there are.
    places: usize,
    count: usize,
    /// Where the beginnings of the first words of every [`STEP`]th of them stand: what lies side by side is looked through without touching the forms.
    heads: usize,
}

/// See [`List`].
const STEP: usize = 16;

/// The first eight bytes of a word, so that their order is the order of the words.
fn head(word: &str) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(word.bytes()).for_each(|(b, w)| *b = w);
    u64::from_be_bytes(bytes)
}

/// One form of the table.
pub(super) struct Entry {
    pub form: Form,
    pub inner: bool,
    pub concept: Option<Concept>,
    pub stop: bool,
    pub own: Set,
    pub also: Set,
}

/// Where the bytes of a table lie: in memory, or in a file that is mapped into it.
pub type Bytes = Box<dyn Deref<Target = [u8]> + Send + Sync>;

/// The table. What is asked of it is read where it lies; opening it costs no more than its checksum.
pub struct ConceptTable {
    data: Bytes,
    pub(super) languages: Vec<String>,
    sets: Vec<Set>,
    pub(super) classes: Vec<Class>,
}

impl ConceptTable {
    /// The table as bytes, to be written beside an index.
    pub fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// Reads a table; an error where the bytes are not one.
    pub fn read(data: Bytes) -> Result<ConceptTable> {
        if data.len() < HEAD || data[8..HEAD] != checksum(&data[HEAD..]).to_le_bytes() {
            return Err(Error::new("the concept table is damaged"));
        }
        ConceptTable::sealed(data)
    }

    /// Reads a table whose bytes are known to be as they were written; no more of them is touched than is needed.
    pub fn sealed(data: Bytes) -> Result<ConceptTable> {
        let bad = || Error::new("the concept table is damaged");
        if data.len() < HEAD || &data[..8] != MAGIC {
            return Err(bad());
        }
        let mut r = Reader { data: &data, at: HEAD };
        let languages = (0..r.u16().ok_or_else(bad)?).map(|_| r.string()).collect::<Option<Vec<String>>>().ok_or_else(bad)?;
        let sets = (0..r.u16().ok_or_else(bad)?).map(|_| r.take(16)?.try_into().ok().map(u128::from_le_bytes));
        let sets = sets.collect::<Option<Vec<Set>>>().ok_or_else(bad)?;
        let mut classes = Vec::new();
        for _ in 0..r.u16().ok_or_else(bad)? {
            classes.push(class(&mut r).ok_or_else(bad)?);
        }
        Ok(ConceptTable { data, languages, sets, classes })
    }

    /// The place of a form of a list.
    fn place(&self, list: &List, i: usize) -> u32 {
        Reader { data: &self.data, at: list.places + 4 * i }.u32().unwrap_or(u32::MAX)
    }

    /// Places of the forms of a class, in order.
    pub(super) fn places(&self, class: &Class) -> impl Iterator<Item = u32> {
        (0..class.all.count).map(|i| self.place(&class.all, i))
    }

    /// The first word of a form of a list.
    fn literal(&self, list: &List, i: usize) -> &str {
        Reader { data: &self.data, at: self.place(list, i) as usize }.str().unwrap_or_default()
    }

    /// How many forms of a list have first words before or at a word.
    fn up_to(&self, list: &List, word: &str) -> usize {
        let wanted = head(word);
        let before = |b: usize| {
            let own = Reader { data: &self.data, at: list.heads + 8 * b }.u64().unwrap_or(0);
            own < wanted || (own == wanted && self.literal(list, b * STEP) <= word)
        };
        let blocks = partition(0..list.count.div_ceil(STEP), before);
        let from = blocks.saturating_sub(1) * STEP;
        partition(from..(blocks * STEP).min(list.count), |i| self.literal(list, i) <= word)
    }

    /// All forms of a class whose first word is a beginning of `text`; where that is the rest of a word, those that may begin inside one.
    pub(super) fn beginning(&self, class: &Class, inside: bool, text: &str, into: &mut BTreeSet<u32>) {
        let list = if inside { &class.inside } else { &class.all };
        let mut rest = text;
        while !rest.is_empty() {
            let Some(mut i) = self.up_to(list, rest).checked_sub(1) else { return };
            let literal = self.literal(list, i);
            if !rest.starts_with(literal) {
                // the longest that they share; whatever is a beginning of the text is no longer than that
                let shared = literal.char_indices().zip(rest.chars()).find(|((_, a), b)| a != b).map_or(literal.len(), |((at, _), _)| at);
                rest = &rest[..shared];
                continue;
            }
            let length = literal.len();
            loop {
                into.insert(self.place(list, i));
                match i.checked_sub(1) {
                    Some(before) if self.literal(list, before).len() == length && rest.starts_with(self.literal(list, before)) => {
                        i = before
                    }
                    _ => break,
                }
            }
            rest = &rest[..rest[..length].char_indices().next_back().map_or(0, |(at, _)| at)];
        }
    }

    /// First words of forms that begin with a character and are near another, with how near: single words that a mistyped one may have been meant as.
    pub(super) fn near(&self, first: char, rows: &mut Rows, mut take: impl FnMut(usize, &str)) {
        let start = first.to_string();
        for class in self.classes.iter().filter(|c| !c.matching.substring) {
            let list = &class.all;
            // a stem is no word that anybody meant to type
            let whole = |i: usize| self.entry(self.place(list, i)).is_some_and(|e| e.concept.is_some() && !e.form.pieces[0].open_end);
            let mut i = self.up_to(list, &start);
            while i > 0 && self.literal(list, i - 1) == start {
                i -= 1;
            }
            while i < list.count && self.literal(list, i).starts_with(first) {
                let literal = self.literal(list, i);
                match rows.read(literal) {
                    Near::By(d) if whole(i) => take(d, literal),
                    Near::By(_) | Near::Far => {}
                    Near::Dead(len) => {
                        // on to the first that begins otherwise: by steps that double, then between the last two
                        let dead = |i: usize| self.literal(list, i).as_bytes().starts_with(&literal.as_bytes()[..len]);
                        let mut step = 1;
                        while i + step < list.count && dead(i + step) {
                            step *= 2;
                        }
                        i = partition(i + step / 2..(i + step).min(list.count), dead);
                        continue;
                    }
                }
                i += 1;
            }
        }
    }

    /// Reads a form.
    pub(super) fn entry(&self, at: u32) -> Option<Entry> {
        let mut r = Reader { data: &self.data, at: at as usize };
        let literal = r.string()?;
        let (concept, own, also) = (r.u16()?, r.u16()?, r.u16()?);
        let flags = r.u8()?;
        let mut pieces = vec![Piece { literal, open_end: flags & 1 > 0, open_start: flags & 2 > 0, join: Join::Space }];
        for _ in 0..r.u8()? {
            let f = r.u8()?;
            let join = if f & 8 > 0 { Join::Gap } else { Join::Space };
            pieces.push(Piece { literal: r.string()?, open_end: f & 1 > 0, open_start: f & 2 > 0, join });
        }
        let set = |n: u16| self.sets.get(n as usize).copied();
        let stop = concept == STOP;
        let concept = Some(Concept(concept)).filter(|c| c.0 != NONE && !stop);
        Some(Entry { form: Form { pieces }, inner: flags & 4 > 0, concept, stop, own: set(own)?, also: set(also)? })
    }
}

fn list(r: &mut Reader) -> Option<List> {
    let count = r.u32()? as usize;
    let places = r.at;
    r.take(count.checked_mul(4)?)?;
    let heads = r.at;
    r.take(count.div_ceil(STEP).checked_mul(8)?)?;
    Some(List { places, count, heads })
}

fn class(r: &mut Reader) -> Option<Class> {
    let flags = r.u8()?;
    let f: Vec<bool> = r.take(5)?.iter().map(|&b| b > 0).collect();
    let folding = Folding { accents: f[0], arabic: f[1], persian: f[2], turkish: f[3], yo: f[4] };
    let prefixes = (0..r.u16()?).map(|_| r.string()).collect::<Option<Vec<String>>>()?;
    let records = r.u32()? as usize;
    r.take(records)?;
    let (all, inside) = (list(r)?, list(r)?);
    Some(Class { matching: Matching { folding, substring: flags & 2 > 0, prefixes }, loose: flags & 1 > 0, all, inside })
}

fn partition(range: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let (mut lo, mut hi) = (range.start, range.end);
    while lo < hi {
        let mid = lo.midpoint(hi);
        if holds(mid) { lo = mid + 1 } else { hi = mid }
    }
    lo
}
