//! Exact counts of the documents that are there, out of the postings.

use super::record::{Body, Card};
use super::schema::NUMBERS;
use super::store::Open;
use crate::book::Case;
use crate::error::{Error, Result};
use crate::terms::score::{Corpus, Doc};
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::ops::Deref;
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
    /// Segment and document to number.
    live: Vec<Vec<u32>>,
    addresses: Vec<DocAddress>,
    pub corpus: Corpus,
    /// First and last day that each document may be of.
    pub days: Vec<(u64, u64)>,
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

/// All values of a fast field of a segment.
fn values(segment: &SegmentReader, name: &str) -> Result<Vec<u64>> {
    let column = segment.fast_fields().u64(name).map_err(failed)?;
    let mut out = vec![0; segment.max_doc() as usize];
    if column.get_cardinality() == Cardinality::Full {
        column.values.get_range(0, &mut out);
    } else {
        let column = column.first_or_default_col(0);
        (0u32..).zip(&mut out).for_each(|(doc, value)| *value = column.get_val(doc));
    }
    Ok(out)
}

/// Numbers the live documents.
fn basis(open: &Open) -> Result<Basis> {
    let mut b = Basis::default();
    for (n, segment) in open.searcher.segment_readers().iter().enumerate() {
        let mut numbers = vec![DEAD; segment.max_doc() as usize];
        let mut columns = Vec::with_capacity(NUMBERS.len());
        for name in NUMBERS {
            columns.push(values(segment, name)?);
        }
        let [from, to, words, concepts, pairs] = &columns[..] else { return Err(Error::new("the index is damaged: its numbers")) };
        let number = |v: u64| u32::try_from(v).unwrap_or(u32::MAX);
        for (doc, here) in (0u32..).zip(&mut numbers) {
            if segment.is_deleted(doc) {
                continue;
            }
            let at = doc as usize;
            *here = b.addresses.len() as u32;
            b.addresses.push(DocAddress::new(n as u32, doc));
            b.days.push((from[at], to[at]));
            b.corpus.docs.push(Doc { language: 0, words: number(words[at]), concepts: number(concepts[at]), pairs: number(pairs[at]) });
        }
        b.live.push(numbers);
    }
    let counts = Counts { open, basis: &b };
    let mut told: Vec<(String, Vec<u32>)> = Vec::new();
    for tag in counts.keys(open.fields.language, "")? {
        let documents: Vec<u32> = counts.postings(open.fields.language, &tag)?.into_iter().map(|(doc, _)| doc).collect();
        if !documents.is_empty() {
            told.push((tag, documents));
        }
    }
    for (tag, documents) in told {
        for doc in documents {
            b.corpus.docs[doc as usize].language = b.corpus.languages.len();
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

    /// The documents that have a term, with its frequency, by number.
    pub fn postings(&self, field: Field, key: &str) -> Result<Vec<(u32, u32)>> {
        let mut out = Vec::new();
        self.each(field, key, IndexRecordOption::WithFreqs, |doc, postings| out.push((doc, postings.term_freq())))?;
        Ok(out)
    }

    /// The documents that have a term that stands once in each, with the number that is kept as its position, by number.
    pub fn numbers(&self, field: Field, key: &str) -> Result<Vec<(u32, u32)>> {
        let mut out = Vec::new();
        let mut at = Vec::new();
        self.each(field, key, IndexRecordOption::WithFreqsAndPositions, |doc, postings| {
            postings.positions(&mut at);
            out.push((doc, at.first().copied().unwrap_or(0)));
        })?;
        Ok(out)
    }

    /// The documents that have a term, with its positions, by number.
    pub fn positions(&self, field: Field, key: &str) -> Result<Vec<(u32, Vec<u32>)>> {
        let mut out = Vec::new();
        self.each(field, key, IndexRecordOption::WithFreqsAndPositions, |doc, postings| {
            let mut at = Vec::new();
            postings.positions(&mut at);
            out.push((doc, at));
        })?;
        Ok(out)
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
                let doc = self.live[n][postings.doc() as usize];
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

    /// True where a live document has a term.
    pub fn live(&self, field: Field, key: &str) -> Result<bool> {
        let deletes = self.open.searcher.segment_readers().iter().any(|s| s.has_deletes());
        Ok(!deletes || !self.postings(field, key)?.is_empty())
    }

    /// One of the parts of an incident that are stored.
    fn stored<const N: usize, T: DeserializeOwned>(&self, address: DocAddress) -> Result<T> {
        let Part::<N>(text) = self.open.searcher.doc(address).map_err(failed)?;
        serde_json::from_str(&text).map_err(failed)
    }

    /// What a hit shows.
    pub fn card(&self, doc: u32) -> Result<Card> {
        self.stored::<0, _>(self.addresses[doc as usize])
    }

    /// All incidents as they were read, by id.
    pub fn cases(&self) -> Result<Vec<Case>> {
        let case = |&a: &DocAddress| {
            let body: Body = self.stored::<1, _>(a)?;
            Ok(Case { incident: self.stored::<2, _>(a)?, body: body.passages })
        };
        let mut all: Vec<Case> = self.addresses.iter().map(case).collect::<Result<_>>()?;
        all.sort_by(|a, b| a.incident.id.cmp(&b.incident.id).then(a.incident.source.path.cmp(&b.incident.source.path)));
        Ok(all)
    }

    /// The body and where its concepts stand.
    pub fn body(&self, doc: u32) -> Result<Body> {
        self.stored::<1, _>(self.addresses[doc as usize])
    }
}
