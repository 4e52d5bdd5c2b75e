//! Reads what changed in a corpus and writes it into the index: part by part, so that a first index of many documents needs no more memory than a
//! few of them do.

use super::cache::{LEFT_OUT, LeftOut, nanoseconds_now, read_left_out, write_left_out};
use super::entry::{DOUBTFUL, Outcome, read_entry};
use super::{Problem, Progress, Workspace};
use crate::book::Case;
use crate::corpus::{Entry, Fingerprint, Skip};
use crate::error::{Error, Result};
use crate::index::{Change, Index, Known};
use crate::pipeline::Knowledge;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Reasons a document can be left out for, so that what is remembered can be told again.
pub(super) const REASONS: [&str; 4] = ["no postmortem", "a template", "empty", "a draft"];
/// How many documents are read at a time.
const PART: usize = 128;
/// How many documents are compared with what is known of them at a time.
const COMPARED: usize = 2048;
/// So many doubtful documents are kept in memory until their neighbours are known; others are read once more.
const KEPT: usize = 256;

/// A document that tells little of itself.
struct Doubtful {
    /// Its place among the changed ones.
    entry: usize,
    /// What speaks for it.
    score: f32,
    /// What was read of it, while there is room.
    cases: Option<Vec<Case>>,
}

/// Postmortems and other documents of each folder.
type Company<'e> = BTreeMap<&'e str, (usize, usize)>;

impl Workspace {
    /// Reads what changed and writes the index anew where something did.
    pub(super) fn refresh(&mut self, folder: Option<&Path>, hash: &str, problems: &mut Vec<Problem>, progress: &Progress) -> Result<()> {
        let memory = folder.map(|f| f.join(LEFT_OUT));
        let mut left_out: LeftOut = match &memory {
            Some(path) if !self.index.known().is_empty() => read_left_out(path, hash),
            _ => LeftOut::new(),
        };
        let before = left_out.clone();
        let (changed, gone) = self.changes(self.index.known(), &left_out);
        if !left_out.is_empty() {
            let present: HashSet<&str> = self.files.documents.iter().map(|e| e.path.as_str()).collect();
            left_out.retain(|p, _| present.contains(p.as_str()));
        }
        if !changed.is_empty() || !gone.is_empty() {
            self.knowledge()?;
            // the index is taken out for the while, because what is read is borrowed from the same workspace
            let mut index = std::mem::replace(&mut self.index, Index::open(None, "")?);
            let newer = changed.len() + gone.len();
            match self.write(&mut index, &changed, gone, &mut left_out, problems, progress) {
                Ok(updated) => (self.index, self.updated) = (index, updated),
                Err(e) if !index.in_memory() => {
                    drop(index);
                    left_out = before.clone();
                    self.without_writing(folder, hash, (&e, newer), &mut left_out, problems, progress)?;
                }
                Err(e) => return Err(e),
            }
        }
        self.left_out = left_out
            .iter()
            .map(|(path, (_, reason))| Skip {
                path: path.clone(),
                reason: REASONS.iter().copied().find(|r| r == reason).unwrap_or(REASONS[0]),
            })
            .collect();
        if let Some(path) = memory.filter(|_| left_out != before && !self.index.in_memory()) {
            write_left_out(&path, hash, &left_out);
        }
        Ok(())
    }

    /// Answers though nothing can be written (a full disk, say): from the last good index where there is one, and says how much is newer; else from one
    /// that is made in memory.
    fn without_writing(
        &mut self,
        folder: Option<&Path>,
        hash: &str,
        (e, newer): (&Error, usize),
        left_out: &mut LeftOut,
        problems: &mut Vec<Problem>,
        progress: &Progress,
    ) -> Result<()> {
        let last = Index::open(folder, hash)?;
        let place = folder.map(|f| format!("{}: ", f.display())).unwrap_or_default();
        if !last.is_new() {
            self.index = last;
            self.hindered = Some(format!("{place}{e}; answered from the last good index, which lacks {newer} newer changes"));
            return Ok(());
        }
        self.hindered = Some(format!("{place}{e}; the index is made in memory, for this answer alone"));
        let mut index = Index::open(None, hash)?;
        left_out.clear();
        let all: Vec<usize> = (0..self.files.documents.len()).collect();
        let updated = self.write(&mut index, &all, Vec::new(), left_out, problems, progress)?;
        (self.index, self.updated) = (index, updated);
        Ok(())
    }

    /// The documents (by place) that are not what was indexed or left out, and the paths that were indexed and are gone.
    fn changes(&self, known: &Known, left_out: &LeftOut) -> (Vec<usize>, Vec<String>) {
        // many at a time: each is compared letter by letter
        let part = |(n, entries): (usize, &[Entry])| {
            let (mut changed, mut places) = (Vec::new(), Vec::with_capacity(entries.len()));
            let (mut near, mut print) = (n * COMPARED, String::new());
            for (n, entry) in (n * COMPARED..).zip(entries) {
                let place = known.find(&entry.path, near);
                if let Some(place) = place {
                    places.push(place);
                    near = place + 1;
                }
                self.written(entry, &mut print);
                let same = place.is_some_and(|p| known.print(p) == print) || left_out.get(&entry.path).is_some_and(|(p, _)| *p == print);
                if !same {
                    changed.push(n);
                }
            }
            (changed, places)
        };
        let parts: Vec<(Vec<usize>, Vec<usize>)> = self.files.documents.par_chunks(COMPARED).enumerate().map(part).collect();
        let mut there = vec![false; known.len()];
        parts.iter().flat_map(|(_, places)| places).for_each(|&p| there[p] = true);
        let changed = parts.into_iter().flat_map(|(changed, _)| changed).collect();
        let gone = known.iter().zip(there).filter(|(_, there)| !there).map(|((path, _), _)| path.to_string()).collect();
        (changed, gone)
    }

    /// Reads documents and brings the index up to date.
    fn write(
        &self,
        index: &mut Index,
        changed: &[usize],
        gone: Vec<String>,
        left_out: &mut LeftOut,
        problems: &mut Vec<Problem>,
        progress: &Progress,
    ) -> Result<crate::index::Updated> {
        let now = nanoseconds_now();
        let Some(k) = self.knowledge.get() else { return Err(Error::new("the lexicons could not be read")) };
        let with = crate::index::Knowledge { languages: &k.languages, catalogue: &k.catalogue, hash: &k.hash };
        let (done, total) = (AtomicUsize::new(0), changed.len());
        index.update_in_parts(&with, total + gone.len(), |known, take| {
            take(gone.into_iter().map(removal).collect())?;
            let mut company = self.company(changed, known, left_out);
            let mut doubtful: Vec<Doubtful> = Vec::new();
            let (mut kept, mut print) = (0, String::new());
            let is_known = |entry: &Entry, print: &mut String| {
                self.written(entry, print);
                known.get(&entry.path) == Some(print.as_str())
            };
            for part in changed.chunks(PART) {
                // what another process has read in the meantime need not be read again
                let part: Vec<usize> = part.iter().copied().filter(|&n| !is_known(&self.files.documents[n], &mut print)).collect();
                let read = |&n: &usize| {
                    let outcome = self.outcome(n, k);
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, total, &self.files.documents[n].path);
                    outcome
                };
                let outcomes: Vec<_> = part.par_iter().map(read).collect();
                let mut changes: Vec<Change> = Vec::new();
                for (n, outcome) in part.into_iter().zip(outcomes) {
                    let entry = &self.files.documents[n];
                    let count = company.entry(folder_of(&entry.path)).or_default();
                    *(if matches!(outcome, Ok(Outcome::Cases(_))) { &mut count.0 } else { &mut count.1 }) += 1;
                    left_out.remove(&entry.path);
                    match outcome {
                        Ok(Outcome::Cases(cases)) => changes.push(self.change(entry, cases, now)),
                        Ok(Outcome::Doubtful(cases, score)) => {
                            kept += 1;
                            doubtful.push(Doubtful { entry: n, score, cases: Some(cases).filter(|_| kept <= KEPT) });
                        }
                        Ok(Outcome::LeftOut(reason)) => self.leave(entry, reason, now, known, left_out, &mut changes),
                        Err(message) => {
                            // what cannot be read any more is not answered from memory: it may have been taken back
                            changes.extend(known.get(&entry.path).map(|_| removal(entry.path.clone())));
                            problems.push(Problem { path: entry.path.clone(), message });
                        }
                    }
                }
                take(changes)?;
            }
            let (good, bad) = vouched(doubtful, &mut company, |d| folder_of(&self.files.documents[d.entry].path));
            let mut changes: Vec<Change> = Vec::new();
            for d in bad {
                self.leave(&self.files.documents[d.entry], REASONS[0], now, known, left_out, &mut changes);
            }
            take(changes)?;
            let mut rest = good;
            while !rest.is_empty() {
                let part: Vec<Doubtful> = rest.drain(..rest.len().min(PART)).collect();
                let again = |d: Doubtful| {
                    let cases = d.cases.or_else(|| match self.outcome(d.entry, k) {
                        Ok(Outcome::Cases(cases) | Outcome::Doubtful(cases, _)) => Some(cases),
                        _ => None,
                    });
                    (d.entry, cases)
                };
                let read: Vec<(usize, Option<Vec<Case>>)> = part.into_par_iter().map(again).collect();
                // what has changed since is read with the next refresh
                let found = read.into_iter().filter_map(|(n, cases)| Some(self.change(&self.files.documents[n], cases?, now)));
                take(found.collect())?;
            }
            Ok(())
        })
    }

    fn outcome(&self, n: usize, knowledge: &Knowledge) -> std::result::Result<Outcome, String> {
        let entry = &self.files.documents[n];
        read_entry(entry, self.files.sidecar(&entry.path), knowledge, &self.settings)
    }

    fn change(&self, entry: &Entry, cases: Vec<Case>, now: i128) -> Change {
        Change { path: entry.path.clone(), fingerprint: self.fingerprint(entry, now), cases }
    }

    /// Remembers a document that is none, and takes it out where it was one.
    fn leave(&self, entry: &Entry, reason: &str, now: i128, known: &Known, left_out: &mut LeftOut, changes: &mut Vec<Change>) {
        left_out.insert(entry.path.clone(), (self.fingerprint(entry, now), reason.to_string()));
        changes.extend(known.get(&entry.path).map(|_| removal(entry.path.clone())));
    }

    /// What a file is remembered by; one that was written just now is read again the next time.
    fn fingerprint(&self, entry: &Entry, now: i128) -> String {
        let mut print = String::new();
        self.written(entry, &mut print);
        if entry.print.is_fresh(now) {
            print.push_str("-fresh");
        }
        print
    }

    /// What identifies a file's reading: its content, and what the settings say of it.
    fn written(&self, entry: &Entry, out: &mut String) {
        out.clear();
        let Fingerprint { size, modified, changed, inode } = entry.print;
        push(size.into(), out);
        for n in [modified, changed, inode.into()] {
            out.push('-');
            push(n, out);
        }
        out.push('-');
        out.push_str(&self.settings.audience);
        out.push_str(if entry.included { "-1" } else { "-0" });
        if let Some(s) = self.files.sidecar(&entry.path) {
            let _ = write!(out, "-{}-{}-{}", s.print.size, s.print.modified, s.print.changed);
        }
    }

    /// The documents of each folder as they were known, but for those that are to be read: in a folder in which nearly all are postmortems a document that
    /// tells little of itself is taken for one too.
    fn company<'e>(&'e self, changed: &[usize], known: &'e Known, left_out: &LeftOut) -> Company<'e> {
        let mut counts = Company::new();
        let paths = || changed.iter().map(|&n| self.files.documents[n].path.as_str());
        let again: HashSet<&str> = paths().collect();
        let wanted: BTreeSet<&str> = paths().map(folder_of).collect();
        let folder = |path: &str| wanted.get(folder_of(path)).copied().filter(|_| !again.contains(path));
        for folder in known.iter().filter_map(|(path, _)| folder(path)) {
            counts.entry(folder).or_default().0 += 1;
        }
        for folder in left_out.keys().filter_map(|path| folder(path)) {
            counts.entry(folder).or_default().1 += 1;
        }
        counts
    }
}

/// Parts doubtful documents into those that the others of their folder vouch for, and the rest. Three in four vouch for what tells little; that counts as one
/// of them where nineteen in twenty vouch for what hardly tells of an incident.
fn vouched<'e>(
    doubtful: Vec<Doubtful>,
    company: &mut Company<'e>,
    folder: impl Fn(&Doubtful) -> &'e str,
) -> (Vec<Doubtful>, Vec<Doubtful>) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    let (little, hardly): (Vec<Doubtful>, Vec<Doubtful>) = doubtful.into_iter().partition(|d| d.score >= DOUBTFUL);
    for (some, least, part, of) in [(little, 5, 3, 4), (hardly, 20, 19, 20)] {
        let enough = |d: &Doubtful| {
            let (yes, no) = company.get(folder(d)).copied().unwrap_or_default();
            yes >= least && yes * of >= (yes + no) * part
        };
        let (taken, left): (Vec<Doubtful>, Vec<Doubtful>) = some.into_iter().partition(enough);
        for d in &taken {
            let (yes, no) = company.entry(folder(d)).or_default();
            (*yes, *no) = (*yes + 1, no.saturating_sub(1));
        }
        good.extend(taken);
        bad.extend(left);
    }
    (good, bad)
}

/// A number; those of files fit into 64 bits, and are written many thousand times.
fn push(n: i128, out: &mut String) {
    let Ok(mut rest) = u64::try_from(n) else {
        let _ = write!(out, "{n}");
        return;
    };
    let (mut digits, mut at) = ([b'0'; 20], 20);
    while rest > 0 || at == 20 {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.extend(digits[at..].iter().map(|&d| char::from(d)));
}

fn removal(path: String) -> Change {
    Change { path, fingerprint: String::new(), cases: Vec::new() }
}

/// The folder a path stands in.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_taken_on_the_word_of_a_folder_counts_for_it() {
        let doubtful = |scores: &[f32]| scores.iter().zip(0..).map(|(&score, entry)| Doubtful { entry, score, cases: None }).collect();
        let taken = |yes: usize, scores: &[f32]| {
            let mut company = Company::from([("f", (yes, scores.len()))]);
            vouched(doubtful(scores), &mut company, |_| "f").0.len()
        };
        // six that tell little would be too many against the one that hardly tells anything
        assert_eq!(taken(80, &[0.0, 1.0, 0.5, 0.1, 2.0, -0.2, -0.7]), 7);
        assert_eq!(taken(80, &[-0.7; 7]), 0);
        assert_eq!(taken(80, &[-0.7; 2]), 2);
        assert_eq!(taken(15, &[0.0, -0.7]), 1);
        assert_eq!(taken(3, &[0.0]), 0);
        let mut numbers = String::new();
        [0, 7, 10, 1_700_000_000_123_456_789, -5, i128::from(u64::MAX) + 1].into_iter().for_each(|n| {
            numbers.clear();
            push(n, &mut numbers);
            assert_eq!(numbers, n.to_string());
        });
    }
}
