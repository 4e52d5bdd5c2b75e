//! Bringing the index up to date: one commit, all or nothing.

use super::directory::Folder;
use super::patterns::Patterns;
use super::record::{self, Body, Card};
use super::schema::{FORM, Fields, schema};
use super::store::{self, Held, Open, State};
use super::{Index, Knowledge, Known};
use crate::book::Case;
use crate::error::{Error, Result};
use crate::terms::{Analysis, ConceptTable, fold, query, rounded, tokens};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use tantivy::directory::{MmapDirectory, RamDirectory};
use tantivy::index::SegmentId;
use tantivy::indexer::IndexWriterOptions;
use tantivy::merge_policy::{LogMergePolicy, NoMergePolicy};
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

/// Memory of all writing threads.
const ARENA: usize = 64 << 20;
/// The least memory that a writer takes.
const LEAST: usize = 16 << 20;
/// So many segments of a first index are merged at a time; where there are still many, some once more at its end.
const BULK: usize = 24;
/// So many segments cost a search less than to merge them costs.
const FEW: usize = 8;
/// At most so many documents make one segment of several at the end of a first index.
const LARGE: u32 = 5200;
/// How many changes are analysed at a time.
const SLICE: usize = 128;

fn failed(e: tantivy::TantivyError) -> Error {
    Error::because("the index cannot be written", e)
}

/// Takes a part of the changes.
pub type Take<'t> = dyn FnMut(Vec<Change>) -> Result<()> + 't;

impl Index {
    /// Brings the index up to date in one commit. A change to the state that is known already is skipped.
    pub fn update(&mut self, knowledge: &Knowledge, changes: Vec<Change>) -> Result<Updated> {
        // of several changes of one path the last holds
        let last: BTreeMap<String, Change> = changes.into_iter().map(|c| (c.path.clone(), c)).collect();
        let expected = last.len();
        self.update_in_parts(knowledge, expected, |_, take| take(last.into_values().collect()))
    }

    /// Brings the index up to date in one commit with changes that are handed over part by part, so that never more than a part stands in memory. `feed` is
    /// told what is indexed at that time, which may be more than this process knew: another may have written. No path may come twice. `expected` is about
    /// how many changes there will be.
    pub fn update_in_parts(
        &mut self,
        knowledge: &Knowledge,
        expected: usize,
        feed: impl FnOnce(&Known, &mut Take) -> Result<()>,
    ) -> Result<Updated> {
        if self.read_only {
            return Err(Error::new("a prepared index is not written to"));
        }
        if knowledge.hash != self.hash {
            return Err(Error::new("the index was opened for other knowledge"));
        }
        let (open, updated) = match self.folder.clone() {
            Some(folder) => {
                let held = Held::take(&folder)?;
                self.open = None;
                // another process may have been here since
                let open = match store::open(&folder, false) {
                    Ok(open) if open.state.knowledge == self.hash => open,
                    _ => fresh(&folder, knowledge)?,
                };
                let done = apply(open, Some((&folder, &held)), knowledge, expected, feed)?;
                store::tidy(&folder);
                done
            }
            None => {
                let open = match self.open.take() {
                    Some(open) => open,
                    None => in_memory(knowledge)?,
                };
                apply(open, None, knowledge, expected, feed)?
            }
        };
        self.open = Some(open);
        Ok(updated)
    }
}

fn state(knowledge: &Knowledge) -> State {
    State { form: FORM, knowledge: knowledge.hash.to_string(), ..State::default() }
}

fn fresh(folder: &Path, knowledge: &Knowledge) -> Result<Open> {
    let patterns = Patterns::of(knowledge.catalogue);
    store::begin(folder, &ConceptTable::build(knowledge.languages), &patterns)?;
    let directory = MmapDirectory::open(folder).map_err(|e| Error::because("the index cannot be written", e))?;
    // what was made is in the file, and need not stand in memory besides
    let table = store::table(&directory).ok_or_else(|| Error::new("the index cannot be written: the table of concepts"))?;
    let index =
        tantivy::Index::create(Folder { inner: directory, path: folder.to_path_buf() }, schema(), tantivy::IndexSettings::default())
            .map_err(failed)?;
    store::ready(index, table, patterns, state(knowledge), OnceLock::from(Known::default()))
}

fn in_memory(knowledge: &Knowledge) -> Result<Open> {
    let (table, patterns) = (ConceptTable::build(knowledge.languages), Patterns::of(knowledge.catalogue));
    let index = tantivy::Index::create(RamDirectory::create(), schema(), tantivy::IndexSettings::default()).map_err(failed)?;
    store::ready(index, table, patterns, state(knowledge), OnceLock::from(Known::default()))
}

/// An index that is being written to.
struct Writing<'a> {
    open: &'a Open,
    knowledge: &'a Knowledge<'a>,
    /// Begun with the first change.
    writer: Option<IndexWriter>,
    threads: usize,
    files: BTreeMap<String, String>,
    updated: Updated,
    held: Option<&'a Held>,
}

impl Writing<'_> {
    fn take(&mut self, mut changes: Vec<Change>) -> Result<()> {
        changes.retain(|c| match self.files.get(&c.path) {
            Some(known) => *known != c.fingerprint,
            None => !c.fingerprint.is_empty(),
        });
        if changes.is_empty() {
            return Ok(());
        }
        let fields = self.open.fields;
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                // one merge at a time: what is merged stands in memory for the while
                let options = IndexWriterOptions::builder().num_merge_threads(1).num_worker_threads(self.threads);
                let options = options.memory_budget_per_thread(ARENA / self.threads).build();
                let writer: IndexWriter = self.open.index.writer_with_options(options).map_err(failed)?;
                if self.threads > 1 {
                    let mut policy = LogMergePolicy::default();
                    policy.set_min_num_segments(BULK);
                    writer.set_merge_policy(Box::new(policy));
                }
                // what a killed writer left behind bears the names that this one will give
                writer.garbage_collect_files().wait().map_err(failed)?;
                none.insert(writer)
            }
        };
        // a slice at a time, so that a large part does not stand in memory twice
        let mut rest = changes;
        while !rest.is_empty() {
            let part: Vec<Change> = rest.drain(..rest.len().min(SLICE)).collect();
            let documents: Vec<Vec<TantivyDocument>> =
                part.par_iter().map(|c| c.cases.iter().map(|case| document(&fields, &c.path, case, self.knowledge)).collect()).collect();
            for (change, documents) in part.into_iter().zip(documents) {
                let known = self.files.remove(&change.path);
                if known.is_some() {
                    writer.delete_term(Term::from_field_text(fields.path, &change.path));
                }
                match (known, change.fingerprint.is_empty()) {
                    (Some(_), true) => self.updated.removed += 1,
                    (Some(_), false) => self.updated.changed += 1,
                    (None, _) => self.updated.added += 1,
                }
                if !change.fingerprint.is_empty() {
                    self.files.insert(change.path, change.fingerprint);
                    for d in documents {
                        writer.add_document(d).map_err(failed)?;
                    }
                }
            }
            self.held.inspect(|h| h.alive());
        }
        Ok(())
    }
}

fn apply(
    open: Open,
    place: Option<(&Path, &Held)>,
    knowledge: &Knowledge,
    expected: usize,
    feed: impl FnOnce(&Known, &mut Take) -> Result<()>,
) -> Result<(Open, Updated)> {
    let known = open.known.get_or_init(|| place.map(|(folder, _)| store::known(folder, &open.state)).unwrap_or_default());
    let files = known.iter().map(|(path, print)| (path.to_string(), print.to_string())).collect();
    let threads = if expected > 500 { std::thread::available_parallelism().map_or(1, |n| n.get().min(4)) } else { 1 };
    let held = place.map(|(_, held)| held);
    let mut writing = Writing { open: &open, knowledge, writer: None, threads, files, updated: Updated::default(), held };
    feed(known, &mut |changes| writing.take(changes))?;
    let Writing { writer, files, updated, .. } = writing;
    let unsealed = place.is_some() && open.searcher.num_docs() == 0 && open.state.list.is_empty();
    let mut writer = match writer {
        Some(writer) => writer,
        // what was begun is closed, so that it need not be begun again
        None if unsealed => open.index.writer_with_num_threads(1, ARENA).map_err(failed)?,
        None => return Ok((open, updated)),
    };
    let text = Known::write(&files);
    let mut state = State { files: files.len(), ..open.state.clone() };
    if let Some((folder, _)) = place {
        state.list = store::keep(folder, &text)?;
    }
    let payload = serde_json::to_string(&state).map_err(|e| Error::because("the index cannot be written", e))?;
    let mut commit = writer.prepare_commit().map_err(failed)?;
    commit.set_payload(&payload);
    commit.commit().map_err(failed)?;
    writer.wait_merging_threads().map_err(failed)?;
    if threads > 1 {
        unite(&open.index)?;
    }
    match place {
        Some((folder, _)) => {
            store::seal(folder, &open.index, &state)?;
            drop(open);
            Ok((store::open(folder, false)?, updated))
        }
        None => {
            let Open { index, table, patterns, .. } = open;
            Ok((store::ready(index, table, patterns, state, OnceLock::from(Known::read(text)))?, updated))
        }
    }
}

/// Makes few segments of many. Each search asks every segment, and a first index is asked much more often than it is made; but what is merged stands in
/// memory for the while, so that no more is merged at a time than fits.
fn unite(index: &tantivy::Index) -> Result<()> {
    let metas = index.searchable_segment_metas().map_err(failed)?;
    if metas.len() <= FEW {
        return Ok(());
    }
    let mut groups: Vec<(u32, Vec<SegmentId>)> = Vec::new();
    for segment in &metas {
        match groups.last_mut() {
            Some((docs, group)) if *docs + segment.num_docs() <= LARGE => {
                *docs += segment.num_docs();
                group.push(segment.id());
            }
            _ => groups.push((segment.num_docs(), vec![segment.id()])),
        }
    }
    let mut writer: IndexWriter = index.writer_with_num_threads(1, LEAST).map_err(failed)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    for (_, group) in groups.iter().filter(|(_, group)| group.len() > 1) {
        writer.merge(group).wait().map_err(failed)?;
    }
    writer.wait_merging_threads().map_err(failed)
}

/// Tokens with positions, as tantivy takes them.
fn stream(tokens: impl Iterator<Item = (usize, String)>) -> PreTokenizedString {
    let token = |(position, text)| Token { offset_from: 0, offset_to: 0, position, text, position_length: 1 };
    PreTokenizedString { text: String::new(), tokens: tokens.map(token).collect() }
}

/// An incident as the index keeps it.
fn document(f: &Fields, path: &str, case: &Case, knowledge: &Knowledge) -> TantivyDocument {
    let a: Analysis = record::analysis(case, knowledge.languages);
    let mut card: Card = record::card(case);
    card.path = path.to_string();
    let mut d = TantivyDocument::new();
    d.add_text(f.path, path);
    d.add_text(f.language, &card.language);
    d.add_pre_tokenized_text(f.family, stream(a.families.iter().map(|(t, &n)| (n as usize, t.clone()))));
    d.add_pre_tokenized_text(f.word, stream(a.words.iter().cloned()));
    d.add_pre_tokenized_text(f.entry, stream(a.entries.iter().map(|(w, l, t)| (0, format!("{w}\0{l}\0{t}")))));
    d.add_pre_tokenized_text(f.cause, stream(a.causes.iter().map(|t| (0, t.clone()))));
    d.add_pre_tokenized_text(f.fix, stream(a.fixes.iter().map(|t| (0, t.clone()))));
    // a concept that counts more stands there more often
    let marks = a.marks.iter().flat_map(|m| (0..m.times).map(|_| (m.sentence as usize, m.concept.name().to_string())));
    d.add_pre_tokenized_text(f.concept, stream(marks));
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
    let lengths = [a.length, a.concept_length(), a.pair_length()].map(|n| u64::from(rounded(n)));
    let numbers = [from, to, lengths[0], lengths[1], lengths[2]];
    for (field, n) in f.numbers.into_iter().zip(numbers) {
        d.add_u64(field, n);
    }
    // what was made here can be written; the order is that of the schema
    d.add_text(f.card, serde_json::to_string(&card).unwrap_or_default());
    d.add_text(f.body, serde_json::to_string(&Body::of(case, &a)).unwrap_or_default());
    d.add_text(f.whole, serde_json::to_string(&case.incident).unwrap_or_default());
    d
}
