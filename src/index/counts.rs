//! Exact counts of the documents that are there, out of the postings.

use super::record::{Body, Card};
use super::schema::{CONCEPTS, DAY_FROM, DAY_TO, PAIRS, WORDS};
use super::store::Open;
use crate::book::Case;
use crate::error::{Error, Result};
use crate::terms::score::{Corpus, Doc, Places};
use crate::terms::{Near, Rows};
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::OnceLock;
use tantivy::columnar::Cardinality;
use tantivy::postings::Postings;
use tantivy::schema::document::{DeserializeError, DocumentDeserialize, DocumentDeserializer, ValueDeserialize, ValueDeserializer};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocSet, SegmentReader, TERMINATED, Term};

/// Stands for a deleted document.
const DEAD: u32 = u32::MAX;

/// The live documents, numbered: what all searches of an open index share.
#[derive(Default)]
pub(super) struct Basis {
    parts: Vec<Numbered>,
    pub corpus: Corpus,
    /// First and last day that each document may be of; most searches do not ask.
    days: OnceLock<Vec<(u32, u32)>>,
}

/// The documents of a segment.
struct Numbered {
    /// Number of its first.
    first: u32,
    /// Where some are deleted: document to number, and number (less the first) to document.
    some: Option<(Vec<u32>, Vec<u32>)>,
}

impl Numbered {
    fn new(segment: &SegmentReader, first: u32) -> Numbered {
        let some = segment.has_deletes().then(|| {
            let back: Vec<u32> = segment.doc_ids_alive().collect();
            let mut numbers = vec![DEAD; segment.max_doc() as usize];
            (first..).zip(&back).for_each(|(number, &doc)| numbers[doc as usize] = number);
            (numbers, back)
        });
        Numbered { first, some }
    }

    fn number(&self, doc: u32) -> u32 {
        match &self.some {
            None => self.first + doc,
            Some((numbers, _)) => numbers.get(doc as usize).copied().unwrap_or(DEAD),
        }
    }

    fn document(&self, number: u32) -> u32 {
        let at = number - self.first;
        self.some.as_ref().map_or(at, |(_, back)| back.get(at as usize).copied().unwrap_or(at))
    }
}

/// The live documents, and the way to their postings.
pub(super) struct Counts<'o> {
    pub open: &'o Open,
    basis: &'o Basis,
}

impl Deref for Counts<'_> {
    type Target = Basis;
    fn deref(&self) -> &Basis {
        self.basis
    }
}

/// The text of the Nth stored field (see [`super::schema::STORED`]) of an incident; what comes after it is not read.
struct Part<const N: usize>(String);

impl<const N: usize> DocumentDeserialize for Part<N> {
    fn deserialize<'de, D: DocumentDeserializer<'de>>(mut fields: D) -> std::result::Result<Part<N>, DeserializeError> {
        for n in 0.. {
            match fields.next_field::<Text>()? {
                Some((_, Text(text))) if n == N => return Ok(Part(text)),
                Some(_) => {}
                None => break,
            }
        }
        Err(DeserializeError::custom("a stored field is missing"))
    }
}

struct Text(String);

impl ValueDeserialize for Text {
    fn deserialize<'de, D: ValueDeserializer<'de>>(value: D) -> std::result::Result<Text, DeserializeError> {
        value.deserialize_string().map(Text)
    }
}

fn failed(e: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::because("the index cannot be read", e)
}

/// Tells all values of a fast field of a segment, some at a time.
fn values(segment: &SegmentReader, name: &str, mut take: impl FnMut(u32, u32)) -> Result<()> {
    let column = segment.fast_fields().u64(name).map_err(failed)?;
    let number = |v: u64| u32::try_from(v).unwrap_or(u32::MAX);
    let max = segment.max_doc();
    if column.get_cardinality() != Cardinality::Full {
        let column = column.first_or_default_col(0);
        (0..max).for_each(|doc| take(doc, number(column.get_val(doc))));
        return Ok(());
    }
    let mut some = [0u64; 512];
    let mut from = 0;
    while from < max {
        let some = &mut some[..(max - from).min(512) as usize];
        column.values.get_range(u64::from(from), some);
        (from..).zip(some.iter()).for_each(|(doc, &v)| take(doc, number(v)));
        from += some.len() as u32;
    }
    Ok(())
}

/// Numbers the live documents.
fn basis(open: &Open) -> Result<Basis> {
    let mut b = Basis::default();
    b.corpus.docs.reserve_exact(open.searcher.num_docs() as usize);
    for segment in open.searcher.segment_readers() {
        let first = b.corpus.docs.len();
        let part = Numbered::new(segment, first as u32);
        b.corpus.docs.resize(first + segment.num_docs() as usize, Doc::default());
        let docs = &mut b.corpus.docs;
        let mut column = |name: &str, set: fn(&mut Doc, u32)| {
            values(segment, name, |doc, v| {
                if let Some(d) = docs.get_mut(part.number(doc) as usize) {
                    set(d, v);
                }
            })
        };
        column(WORDS, |d, v| d.words = v)?;
        column(CONCEPTS, |d, v| d.concepts = v)?;
        column(PAIRS, |d, v| d.pairs = v)?;
        b.parts.push(part);
    }
    let counts = Counts { open, basis: &b };
    let mut told: Vec<(String, Vec<u32>)> = Vec::new();
    for tag in counts.keys(open.fields.language, "")? {
        let documents: Vec<u32> = counts.documents(open.fields.language, &tag)?;
        if !documents.is_empty() {
            told.push((tag, documents));
        }
    }
    for (tag, documents) in told {
        for doc in documents {
            b.corpus.docs[doc as usize].language = b.corpus.languages.len() as u32;
        }
        b.corpus.languages.push(tag);
    }
    if b.corpus.languages.is_empty() {
        b.corpus.languages.push(String::new());
    }
    Ok(b)
}

impl<'o> Counts<'o> {
    /// Numbers the live documents, unless that was done for an earlier search.
    pub fn new(open: &'o Open) -> Result<Counts<'o>> {
        let basis = match open.basis.get() {
            Some(known) => known,
            None => {
                let made = basis(open)?;
                open.basis.get_or_init(|| made)
            }
        };
        Ok(Counts { open, basis })
    }

    /// First and last day that each document may be of.
    pub fn days(&self) -> Result<&[(u32, u32)]> {
        if let Some(known) = self.basis.days.get() {
            return Ok(known);
        }
        let mut days = vec![(0, 0); self.corpus.docs.len()];
        for (segment, part) in self.open.searcher.segment_readers().iter().zip(&self.parts) {
            let mut column = |name: &str, set: fn(&mut (u32, u32), u32)| {
                values(segment, name, |doc, v| {
                    if let Some(d) = days.get_mut(part.number(doc) as usize) {
                        set(d, v);
                    }
                })
            };
            column(DAY_FROM, |d, v| d.0 = v)?;
            column(DAY_TO, |d, v| d.1 = v)?;
        }
        Ok(self.basis.days.get_or_init(|| days))
    }

    /// Where a document lies.
    fn address(&self, number: u32) -> DocAddress {
        let segment = self.parts.partition_point(|p| p.first <= number).saturating_sub(1);
        DocAddress::new(segment as u32, self.parts.get(segment).map_or(0, |p| p.document(number)))
    }

    /// Tells the documents that have a term, by number.
    pub fn each_doc(&self, field: Field, key: &str, mut take: impl FnMut(u32)) -> Result<()> {
        self.each(field, key, IndexRecordOption::Basic, |doc, _| take(doc))
    }

    /// The documents that have a term, by number.
    pub fn documents(&self, field: Field, key: &str) -> Result<Vec<u32>> {
        let mut out = Vec::new();
        self.each_doc(field, key, |doc| out.push(doc))?;
        Ok(out)
    }

    /// The documents that have a term that stands once in each, with the number that is kept as its position, by number.
    pub fn numbers(&self, field: Field, key: &str) -> Result<Vec<(u32, u32)>> {
        let mut out = Vec::new();
        self.each_number(field, key, |doc, number| out.push((doc, number)))?;
        Ok(out)
    }

    /// Tells the same one by one.
    pub fn each_number(&self, field: Field, key: &str, mut take: impl FnMut(u32, u32)) -> Result<()> {
        let mut at = Vec::new();
        self.each(field, key, IndexRecordOption::WithFreqsAndPositions, |doc, postings| {
            postings.positions(&mut at);
            take(doc, at.first().copied().unwrap_or(0));
        })
    }

    /// The documents that have a concept, with its sentences where they are wanted, by number.
    pub fn places(&self, field: Field, key: &str, wanted: impl Fn(u32) -> bool) -> Result<Places> {
        let mut out = Places::default();
        let mut at = Vec::new();
        self.each(field, key, IndexRecordOption::WithFreqsAndPositions, |doc, postings| {
            at.clear();
            if wanted(doc) {
                postings.positions(&mut at);
            }
            out.push(doc, postings.term_freq(), &at);
        })?;
        Ok(out)
    }

    /// Tells each place of a term in the documents that are wanted, by number and place.
    pub fn each_position(&self, field: Field, key: &str, wanted: impl Fn(u32) -> bool, mut take: impl FnMut(u32, u32)) -> Result<()> {
        let mut at = Vec::new();
        self.each(field, key, IndexRecordOption::WithFreqsAndPositions, |doc, postings| {
            if wanted(doc) {
                postings.positions(&mut at);
                at.iter().for_each(|&p| take(doc, p));
            }
        })
    }

    fn each(
        &self,
        field: Field,
        key: &str,
        how: IndexRecordOption,
        mut take: impl FnMut(u32, &mut tantivy::postings::SegmentPostings),
    ) -> Result<()> {
        let term = Term::from_field_text(field, key);
        for (n, segment) in self.open.searcher.segment_readers().iter().enumerate() {
            let inverted = segment.inverted_index(field).map_err(failed)?;
            let Some(mut postings) = inverted.read_postings(&term, how)? else { continue };
            while postings.doc() != TERMINATED {
                let doc = self.parts[n].number(postings.doc());
                if doc != DEAD {
                    take(doc, &mut postings);
                }
                postings.advance();
            }
        }
        Ok(())
    }

    /// The terms of a field that begin so, sorted. Some may stand in deleted documents only.
    pub fn keys(&self, field: Field, prefix: &str) -> Result<BTreeSet<String>> {
        let mut out = BTreeSet::new();
        for segment in self.open.searcher.segment_readers() {
            let inverted = segment.inverted_index(field).map_err(failed)?;
            let mut stream = inverted.terms().range().ge(prefix.as_bytes()).into_stream()?;
            while stream.advance() {
                if !stream.key().starts_with(prefix.as_bytes()) {
                    break;
                }
                if let Ok(key) = std::str::from_utf8(stream.key()) {
                    out.insert(key.to_string());
                }
            }
        }
        Ok(out)
    }

    /// Tells the terms of a field that begin with a character and with a word that is near another, with how near it is. The word ends at the first NUL
    /// of the term. What begins in a way that nothing near does is passed over.
    pub fn each_near(&self, field: Field, first: char, mut rows: Rows, mut take: impl FnMut(usize, &str) -> Result<()>) -> Result<()> {
        let mut start = [0; 4];
        let start = first.encode_utf8(&mut start).as_bytes();
        for segment in self.open.searcher.segment_readers() {
            let inverted = segment.inverted_index(field).map_err(failed)?;
            let terms = inverted.terms();
            let mut from = start.to_vec();
            'again: loop {
                let mut stream = terms.range().ge(&from).into_stream()?;
                // how many terms were passed over one by one
                let mut passed = 0;
                while stream.advance() {
                    let bytes = stream.key();
                    if !bytes.starts_with(start) {
                        break 'again;
                    }
                    let Ok(key) = std::str::from_utf8(bytes) else { continue };
                    let word = key.split('\0').next().unwrap_or(key);
                    match rows.read(word) {
                        Near::By(d) => take(d, key)?,
                        Near::Far => {}
                        Near::Dead(len) => {
                            passed += 1;
                            if passed > 4 {
                                from.clear();
                                from.extend_from_slice(&bytes[..len]);
                                from.push(u8::MAX);
                                continue 'again;
                            }
                            continue;
                        }
                    }
                    passed = 0;
                }
                break;
            }
        }
        Ok(())
    }

    /// True where a live document has a term.
    pub fn live(&self, field: Field, key: &str) -> Result<bool> {
        let deletes = self.open.searcher.segment_readers().iter().any(|s| s.has_deletes());
        if !deletes {
            return Ok(true);
        }
        let mut found = false;
        self.each_doc(field, key, |_| found = true)?;
        Ok(found)
    }

    /// One of the parts of an incident that are stored.
    fn stored<const N: usize, T: DeserializeOwned>(&self, address: DocAddress) -> Result<T> {
        let Part::<N>(text) = self.open.searcher.doc(address).map_err(failed)?;
        serde_json::from_str(&text).map_err(failed)
    }

    /// What a hit shows.
    pub fn card(&self, doc: u32) -> Result<Card> {
        let mut card: Card = self.stored::<0, _>(self.address(doc))?;
        card.sign.stands_in(&card.path);
        Ok(card)
    }

    /// All incidents as they were read, by id.
    pub fn cases(&self) -> Result<Vec<Case>> {
        let case = |n: u32| {
            let a = self.address(n);
            let body: Body = self.stored::<1, _>(a)?;
            Ok(Case { incident: self.stored::<2, _>(a)?, body: body.passages })
        };
        let mut all: Vec<Case> = (0..self.corpus.docs.len() as u32).map(case).collect::<Result<_>>()?;
        all.sort_by(|a, b| a.incident.id.cmp(&b.incident.id).then(a.incident.source.path.cmp(&b.incident.source.path)));
        Ok(all)
    }

    /// The body and where its concepts stand.
    pub fn body(&self, doc: u32) -> Result<Body> {
        self.stored::<1, _>(self.address(doc))
    }
}
