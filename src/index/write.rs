//! Bringing the index up to date: one commit, all or nothing.

use super::patterns::Patterns;
use super::record::{self, Body, Card};
use super::schema::{FORM, Fields, schema};
use super::store::{self, Held, Open, State};
use super::{Index, Knowledge};
use crate::book::Case;
use crate::error::{Error, Result};
use crate::terms::{Analysis, ConceptTable, fold, query, tokens};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use tantivy::directory::{MmapDirectory, RamDirectory};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{IndexWriter, TantivyDocument, Term};

/// A file that was read anew, or that is gone.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Its path; all incidents of the path are replaced.
    pub path: String,
    /// What tells this state of it from another; empty where the file is gone.
    pub fingerprint: String,
    /// The incidents in it; none is remembered too, so that it is not read again.
    pub cases: Vec<Case>,
}

/// How many files were brought up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Updated {
    /// That were not there.
    pub added: usize,
    /// That were there in another state.
    pub changed: usize,
    /// That are gone.
    pub removed: usize,
}

/// Memory of a writing thread.
const ARENA: usize = 64 << 20;

fn failed(e: tantivy::TantivyError) -> Error {
    Error::because("the index cannot be written", e)
}

impl Index {
    /// Brings the index up to date in one commit. A change to the state that is known already is skipped.
    pub fn update(&mut self, knowledge: &Knowledge, changes: Vec<Change>) -> Result<Updated> {
        if self.read_only {
            return Err(Error::new("a prepared index is not written to"));
        }
        if knowledge.hash != self.hash {
            return Err(Error::new("the index was opened for other knowledge"));
        }
        match self.folder.clone() {
            Some(folder) => {
                let _held = Held::take(&folder)?;
                self.open = None;
                // another process may have been here since
                let open = match store::open(&folder, false) {
                    Ok(open) if open.state.knowledge == self.hash => open,
                    _ => fresh(&folder, knowledge)?,
                };
                let (open, updated) = apply(open, Some(&folder), knowledge, changes)?;
                store::tidy(&folder);
                self.settle(open);
                Ok(updated)
            }
            None => {
                let open = match self.open.take() {
                    Some(open) => open,
                    None => in_memory(knowledge)?,
                };
                let (open, updated) = apply(open, None, knowledge, changes)?;
                self.settle(open);
                Ok(updated)
            }
        }
    }

    fn settle(&mut self, open: Open) {
        self.known = std::sync::OnceLock::new();
        self.open = Some(open);
    }
}

fn state(knowledge: &Knowledge) -> State {
    State { form: FORM, knowledge: knowledge.hash.to_string(), files: String::new() }
}

fn fresh(folder: &Path, knowledge: &Knowledge) -> Result<Open> {
    let (table, patterns) = (ConceptTable::build(knowledge.languages), Patterns::of(knowledge.catalogue));
    store::begin(folder, &table, &patterns)?;
    let directory = MmapDirectory::open(folder).map_err(|e| Error::because("the index cannot be written", e))?;
    let index = tantivy::Index::create(directory, schema(), tantivy::IndexSettings::default()).map_err(failed)?;
    store::ready(index, table, patterns, state(knowledge))
}

fn in_memory(knowledge: &Knowledge) -> Result<Open> {
    let (table, patterns) = (ConceptTable::build(knowledge.languages), Patterns::of(knowledge.catalogue));
    let index = tantivy::Index::create(RamDirectory::create(), schema(), tantivy::IndexSettings::default()).map_err(failed)?;
    store::ready(index, table, patterns, state(knowledge))
}

fn apply(open: Open, folder: Option<&Path>, knowledge: &Knowledge, changes: Vec<Change>) -> Result<(Open, Updated)> {
    let Open { index, fields, table, patterns, mut state, searcher } = open;
    let mut files = state.known();
    let mut updated = Updated::default();
    let mut wanted: BTreeMap<String, Change> = BTreeMap::new();
    for change in changes {
        wanted.insert(change.path.clone(), change);
    }
    wanted.retain(|path, c| match files.get(path) {
        Some(known) => *known != c.fingerprint,
        None => !c.fingerprint.is_empty(),
    });
    if wanted.is_empty() && !(folder.is_some() && searcher.num_docs() == 0 && state.files.is_empty()) {
        return Ok((Open { index, fields, table, patterns, state, searcher }, updated));
    }
    let threads = if wanted.len() > 500 { std::thread::available_parallelism().map_or(1, |n| n.get().min(4)) } else { 1 };
    let mut writer: IndexWriter = index.writer_with_num_threads(threads, ARENA * threads).map_err(failed)?;
    // a slice at a time, so that a large corpus does not stand in memory twice
    let all: Vec<Change> = wanted.into_values().collect();
    for part in all.chunks(256) {
        let documents: Vec<Vec<TantivyDocument>> =
            part.par_iter().map(|c| c.cases.iter().map(|case| document(&fields, &c.path, case, knowledge)).collect()).collect();
        for (change, documents) in part.iter().zip(documents) {
            let known = files.remove(&change.path);
            if known.is_some() {
                writer.delete_term(Term::from_field_text(fields.path, &change.path));
            }
            match (known, change.fingerprint.is_empty()) {
                (Some(_), true) => updated.removed += 1,
                (Some(_), false) => updated.changed += 1,
                (None, _) => updated.added += 1,
            }
            if !change.fingerprint.is_empty() {
                files.insert(change.path.clone(), change.fingerprint.clone());
                for d in documents {
                    writer.add_document(d).map_err(failed)?;
                }
            }
        }
    }
    state.remember(&files);
    let payload = serde_json::to_string(&state).map_err(|e| Error::because("the index cannot be written", e))?;
    let mut commit = writer.prepare_commit().map_err(failed)?;
    commit.set_payload(&payload);
    commit.commit().map_err(failed)?;
    writer.wait_merging_threads().map_err(failed)?;
    match folder {
        Some(folder) => {
            store::seal(folder, &index)?;
            Ok((store::open(folder, false)?, updated))
        }
        None => Ok((store::ready(index, table, patterns, state)?, updated)),
    }
}

/// Tokens with positions, as tantivy takes them.
fn stream(tokens: impl Iterator<Item = (usize, String)>) -> PreTokenizedString {
    let token = |(position, text)| Token { offset_from: 0, offset_to: 0, position, text, position_length: 1 };
    PreTokenizedString { text: String::new(), tokens: tokens.map(token).collect() }
}

/// An incident as the index keeps it.
fn document(f: &Fields, path: &str, case: &Case, knowledge: &Knowledge) -> TantivyDocument {
    let a: Analysis = record::analysis(case, knowledge.languages);
    let mut card: Card = record::card(&case.incident);
    card.path = path.to_string();
    let mut d = TantivyDocument::new();
    d.add_text(f.path, path);
    d.add_text(f.language, &card.language);
    d.add_pre_tokenized_text(f.family, stream(a.families.iter().map(|(t, &n)| (n as usize, t.clone()))));
    d.add_pre_tokenized_text(f.word, stream(a.words.iter().cloned()));
    d.add_pre_tokenized_text(f.entry, stream(a.entries.iter().map(|(w, l, t)| (0, format!("{w}\0{l}\0{t}")))));
    d.add_pre_tokenized_text(f.cause, stream(a.causes.iter().map(|t| (0, t.clone()))));
    d.add_pre_tokenized_text(f.fix, stream(a.fixes.iter().map(|t| (0, t.clone()))));
    d.add_pre_tokenized_text(f.concept, stream(a.marks.iter().map(|m| (m.sentence as usize, m.concept.name().to_string()))));
    d.add_pre_tokenized_text(f.cause_concept, stream(a.cause_concepts.iter().map(|c| (0, c.name().to_string()))));
    d.add_pre_tokenized_text(f.fix_concept, stream(a.fix_concepts.iter().map(|c| (0, c.name().to_string()))));
    let mut tags: BTreeMap<&str, usize> = BTreeMap::new();
    case.incident.patterns.iter().for_each(|p| *tags.entry(&p.id).or_default() += (p.score * 100.0).round().clamp(1.0, 100.0) as usize);
    d.add_pre_tokenized_text(f.pattern, stream(tags.into_iter().map(|(id, n)| (n, id.to_string()))));
    let services = card.services.iter().flat_map(|s| tokens(s)).map(|t| (0, t.text));
    d.add_pre_tokenized_text(f.service, stream(services));
    if let Some(s) = &case.incident.severity {
        let rank = s.rank.map(|r| format!("={r}"));
        d.add_pre_tokenized_text(f.severity, stream(rank.into_iter().chain([fold(&s.written)]).map(|t| (0, t))));
    }
    let (from, to) = card.date.as_deref().and_then(query::days).unwrap_or_default();
    let numbers = [from, to, u64::from(a.length), u64::from(a.concept_length()), u64::from(a.pair_length())];
    let schema_fields = super::schema::NUMBERS.iter().zip(numbers);
    for (name, n) in schema_fields {
        if let Ok(field) = schema().get_field(name) {
            d.add_u64(field, n);
        }
    }
    // what was made here can be written; the order is that of the schema
    d.add_text(f.card, serde_json::to_string(&card).unwrap_or_default());
    d.add_text(f.body, serde_json::to_string(&Body::of(case, &a)).unwrap_or_default());
    d.add_text(f.whole, serde_json::to_string(&case.incident).unwrap_or_default());
    d
}
