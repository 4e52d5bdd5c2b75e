//! The term → concept table: every form of every lexicon in one sorted file, so that a search reads no lexicon.
//!
//! Layout (little endian): magic, checksum of the rest, then languages, language sets, and classes. A class holds the forms of the languages
//! that fold and match alike, sorted by their first word; each form knows whose own it is and in which languages it counts besides (English
//! words and jargon inside texts of others). Forms without a concept (function words, cues) only tell the language.

use super::bytes::{Reader, checksum, put};
use crate::error::{Error, Result};
use crate::lang::schema::File;
use crate::lang::{Concept, Folding, Form, Join, Languages, Matching, Piece, fold_str, jargon};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

const MAGIC: &[u8; 8] = b"2shyct\x02\n";
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
    /// Where the places of the forms stand in the data, sorted by their first word, and how many there are.
    places: usize,
    count: usize,
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

type ClassKey = (bool, [bool; 5], bool, Vec<String>);

/// First word, the rest as it is written, and the concept, to the languages whose own it is and those in which it counts besides.
type Forms = BTreeMap<(String, Vec<u8>, u16), (Set, Set)>;

#[derive(Default)]
struct Builder {
    sets: BTreeMap<Set, u16>,
    order: Vec<Set>,
    classes: BTreeMap<ClassKey, Forms>,
}

fn key(loose: bool, m: &Matching) -> ClassKey {
    let f = m.folding;
    (loose, [f.accents, f.arabic, f.persian, f.turkish, f.yo], m.substring, m.prefixes.clone())
}

impl Builder {
    fn set(&mut self, set: Set) -> u16 {
        let next = self.order.len() as u16;
        *self.sets.entry(set).or_insert_with(|| {
            self.order.push(set);
            next
        })
    }

    /// The forms that are matched so.
    fn class(&mut self, key: &ClassKey) -> &mut Forms {
        self.classes.entry(key.clone()).or_default()
    }
}

fn add(class: &mut Forms, form: &Form, inner: bool, concept: u16, own: Set, also: Set) {
    let first = &form.pieces[0];
    let mut tail = vec![u8::from(first.open_end) | u8::from(first.open_start) << 1 | u8::from(inner) << 2, form.pieces.len() as u8 - 1];
    for p in &form.pieces[1..] {
        tail.push(u8::from(p.open_end) | u8::from(p.open_start) << 1 | u8::from(p.join == Join::Gap) << 3);
        tail.extend((p.literal.len() as u16).to_le_bytes());
        tail.extend(p.literal.as_bytes());
    }
    let sets = class.entry((first.literal.clone(), tail, concept)).or_default();
    sets.0 |= own;
    sets.1 |= also;
}

/// What one language does to forms of others.
struct Own {
    matching: Matching,
    stop: BTreeSet<String>,
    taken: BTreeSet<String>,
    not_jargon: BTreeSet<String>,
}

fn own(file: &File) -> Own {
    let folding = Folding::from_names(&file.fold);
    let matching = Matching {
        folding,
        substring: file.matching == "substring",
        prefixes: file.prefixes.iter().map(|p| fold_str(p, folding)).collect(),
    };
    let stop: BTreeSet<String> = file.stop.iter().map(|s| fold_str(s, folding)).collect();
    let mut taken = stop.clone();
    let forms = file.concepts.values().chain(file.cues.values()).chain(file.phase.values()).chain(file.status.values()).flatten();
    taken.extend(forms.filter_map(|f| Form::parse(f, folding)).filter(|f| f.pieces.len() == 1).map(|f| f.pieces[0].literal.clone()));
    Own { matching, stop, taken, not_jargon: file.not_jargon.iter().map(|s| fold_str(s, folding)).collect() }
}

impl ConceptTable {
    /// Makes the table of some lexicons. Languages beyond the 128th are left out.
    pub fn build(languages: &Languages) -> ConceptTable {
        let tags: Vec<String> = languages.tags().take(128).map(str::to_string).collect();
        let owns: Vec<Own> = tags.par_iter().map(|t| own(&languages.file(t))).collect();
        let mut b = Builder::default();
        for (n, tag) in tags.iter().enumerate() {
            let file = languages.file(tag);
            add_language(&mut b, &file, &owns, n, tag == "en");
        }
        if let Some(en) = tags.iter().position(|t| t == "en") {
            let class = b.class(&key(false, &owns[en].matching));
            for (name, forms) in jargon() {
                let Some(concept) = Concept::named(&name) else { continue };
                for form in forms.iter().filter_map(|f| Form::parse(f, owns[en].matching.folding)) {
                    let plain = form.plain();
                    let counts = |o: &Own| plain.as_ref().is_none_or(|p| !o.not_jargon.contains(p));
                    let also = owns.iter().enumerate().filter(|(_, o)| counts(o)).fold(0, |s, (n, _)| s | 1 << n);
                    add(class, &form, false, concept.0, 0, also);
                }
            }
        }
        let data = write(&tags, b);
        // what was just written can be read
        ConceptTable::read(Box::new(data)).unwrap_or_else(|_| ConceptTable {
            data: Box::new(Vec::new()),
            languages: Vec::new(),
            sets: Vec::new(),
            classes: Vec::new(),
        })
    }

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

    /// The place of a form of a class.
    fn place(&self, class: &Class, i: usize) -> u32 {
        Reader { data: &self.data, at: class.places + 4 * i }.u32().unwrap_or(u32::MAX)
    }

    /// Places of the forms of a class, in order.
    pub(super) fn places(&self, class: &Class) -> impl Iterator<Item = u32> {
        (0..class.count).map(|i| self.place(class, i))
    }

    /// The first word of a form of a class.
    fn literal(&self, class: &Class, i: usize) -> &str {
        Reader { data: &self.data, at: self.place(class, i) as usize }.str().unwrap_or_default()
    }

    /// All forms of a class whose first word is a beginning of `text`.
    pub(super) fn beginning(&self, class: &Class, text: &str, into: &mut BTreeSet<u32>) {
        let mut rest = text;
        while !rest.is_empty() {
            let after = partition(class.count, |i| self.literal(class, i) <= rest);
            let Some(mut i) = after.checked_sub(1) else { return };
            let literal = self.literal(class, i);
            if !rest.starts_with(literal) {
                // the longest that they share; whatever is a beginning of the text is no longer than that
                let shared = literal.char_indices().zip(rest.chars()).find(|((_, a), b)| a != b).map_or(literal.len(), |((at, _), _)| at);
                rest = &rest[..shared];
                continue;
            }
            let length = literal.len();
            loop {
                into.insert(self.place(class, i));
                match i.checked_sub(1) {
                    Some(before) if self.literal(class, before).len() == length && rest.starts_with(self.literal(class, before)) => {
                        i = before
                    }
                    _ => break,
                }
            }
            rest = &rest[..rest[..length].char_indices().next_back().map_or(0, |(at, _)| at)];
        }
    }

    /// First words of forms that begin with a character and pass: single words that a mistyped one may have been meant as.
    pub(super) fn words_from(&self, first: char, passes: impl Fn(&str) -> bool) -> Vec<&str> {
        let start = first.to_string();
        let mut out = Vec::new();
        for class in self.classes.iter().filter(|c| !c.matching.substring) {
            let from = partition(class.count, |i| self.literal(class, i) < start.as_str());
            let words = (from..class.count).map(|i| (i, self.literal(class, i))).take_while(|(_, l)| l.starts_with(first));
            // a stem is no word that anybody meant to type
            let whole = |i: usize| self.entry(self.place(class, i)).is_some_and(|e| e.concept.is_some() && !e.form.pieces[0].open_end);
            out.extend(words.filter(|(i, l)| passes(l) && whole(*i)).map(|(_, l)| l));
        }
        out
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

fn add_language(b: &mut Builder, file: &File, owns: &[Own], n: usize, english: bool) {
    let me = &owns[n];
    let (folding, bit) = (me.matching.folding, 1u128 << n);
    let (class, loose) = (key(false, &me.matching), key(true, &Matching { folding: Folding::LOOSE, ..Matching::default() }));
    let mut bare_forms: Vec<(Form, u16)> = Vec::new();
    let class = b.class(&class);
    for (name, forms) in &file.concepts {
        let Some(concept) = Concept::named(name) else { continue };
        for written in forms {
            let Some(form) = Form::parse(written, folding) else { continue };
            if form.plain().is_some_and(|p| me.stop.contains(&p)) {
                continue;
            }
            let mut also = 0;
            if english {
                let single = form.pieces.len() == 1;
                let word = &form.pieces[0].literal;
                let counts = |o: &Own| !single || (word.chars().count() > 2 && !o.taken.contains(word) && !o.not_jargon.contains(word));
                also = owns.iter().enumerate().filter(|(m, o)| *m != n && counts(o)).fold(0, |s, (m, _)| s | 1 << m);
            }
            add(class, &form, file.inner, concept.0, bit, also);
            if !folding.accents && !me.matching.substring && !written.is_ascii() {
                let bare = Form::parse(written, Folding::LOOSE);
                if let Some(bare) = bare.filter(|f| f != &form && f.pieces.iter().map(|p| p.literal.chars().count()).sum::<usize>() >= 4) {
                    bare_forms.push((bare, concept.0));
                }
            }
        }
    }
    let cues = file.cues.values().flatten().map(|f| (f, NONE));
    for (written, what) in file.stop.iter().map(|f| (f, STOP)).chain(cues) {
        if let Some(form) = Form::parse(written, folding).filter(|f| !f.pieces[0].open_start) {
            add(class, &form, false, what, bit, 0);
        }
    }
    let loose = b.class(&loose);
    bare_forms.iter().for_each(|(form, concept)| add(loose, form, false, *concept, bit, 0));
}

fn write(tags: &[String], mut b: Builder) -> Vec<u8> {
    let classes = std::mem::take(&mut b.classes);
    let mut body: Vec<(ClassKey, Vec<Vec<u8>>)> = Vec::new();
    for (key, forms) in classes {
        let mut records = Vec::new();
        for ((literal, tail, concept), (own, also)) in forms {
            let mut record = Vec::new();
            put(&mut record, &literal);
            record.extend(concept.to_le_bytes());
            record.extend(b.set(own).to_le_bytes());
            record.extend(b.set(also).to_le_bytes());
            record.extend(tail);
            records.push(record);
        }
        body.push((key, records));
    }
    let mut out = Vec::new();
    out.extend((tags.len() as u16).to_le_bytes());
    tags.iter().for_each(|t| put(&mut out, t));
    out.extend((b.order.len() as u16).to_le_bytes());
    b.order.iter().for_each(|s| out.extend(s.to_le_bytes()));
    out.extend((body.len() as u16).to_le_bytes());
    for ((loose, folding, substring, prefixes), records) in body {
        out.push(u8::from(loose) | u8::from(substring) << 1);
        out.extend(folding.map(u8::from));
        out.extend((prefixes.len() as u16).to_le_bytes());
        prefixes.iter().for_each(|p| put(&mut out, p));
        out.extend((records.len() as u32).to_le_bytes());
        // places are counted from the beginning of the file, head included
        let mut at = (HEAD + out.len() + 4 * records.len()) as u32;
        for r in &records {
            out.extend(at.to_le_bytes());
            at += r.len() as u32;
        }
        records.iter().for_each(|r| out.extend(r));
    }
    let mut data = MAGIC.to_vec();
    data.extend(checksum(&out).to_le_bytes());
    data.extend(out);
    data
}

fn class(r: &mut Reader) -> Option<Class> {
    let flags = r.u8()?;
    let f: Vec<bool> = r.take(5)?.iter().map(|&b| b > 0).collect();
    let folding = Folding { accents: f[0], arabic: f[1], persian: f[2], turkish: f[3], yo: f[4] };
    let prefixes = (0..r.u16()?).map(|_| r.string()).collect::<Option<Vec<String>>>()?;
    let count = r.u32()? as usize;
    let places = r.at;
    let list = r.take(count.checked_mul(4)?)?;
    if let Some(&last) = list.as_chunks::<4>().0.last() {
        // skip the records: behind the last one
        r.at = u32::from_le_bytes(last) as usize;
        r.string()?;
        r.take(7)?;
        for _ in 0..r.u8()? {
            r.u8()?;
            r.string()?;
        }
    }
    Some(Class { matching: Matching { folding, substring: flags & 2 > 0, prefixes }, loose: flags & 1 > 0, places, count })
}

fn partition(len: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut lo, mut hi) = (0, len);
    while lo < hi {
        let mid = lo.midpoint(hi);
        if holds(mid) { lo = mid + 1 } else { hi = mid }
    }
    lo
}
