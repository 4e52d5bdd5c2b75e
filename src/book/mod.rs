//! The corpus as knowledge: every incident's facts, its text, and how incidents relate. Whoever shows facts takes them from here.

pub mod answers;
mod metrics;
mod moments;
pub mod relations;
pub mod same;
mod stress;
pub mod view;

use serde::{Deserialize, Serialize};
pub use stress::stress;
use view::{Bytes, Incident};

/// One incident: its facts and the text they stand on.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Case {
    /// The facts.
    pub incident: Incident,
    /// The document's blocks in reading order, as its reader saw them.
    pub body: Vec<Passage>,
}

/// What a passage is.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PassageKind {
    /// A heading; `level` is its level.
    Heading,
    /// A paragraph.
    #[default]
    Paragraph,
    /// A list item; `level` is its depth from 0.
    Item,
    /// A table row; `level` is 1 for head rows.
    Row,
    /// Code or sample output.
    Code,
    /// A footnote or aside.
    Note,
    /// A thematic break.
    Rule,
}

/// A block of the source text, for display and search.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Passage {
    /// What it is.
    pub kind: PassageKind,
    /// Level or depth.
    pub level: u8,
    /// Line of the file it begins on, from 1.
    pub line: usize,
    /// Its text, markup removed.
    pub text: String,
    /// For a row, the cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<String>,
    /// Where pieces of `text` stand in the file: start in `text`, length in `text`, bytes. In order.
    pub map: Vec<(usize, usize, Bytes)>,
    /// The role of its section, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Its language, where it differs from the document's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// Sentences: ranges of `text`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<(usize, usize)>,
}

impl Passage {
    /// The range of `text` that stands on some bytes, where any of it does.
    pub fn locate(&self, bytes: Bytes) -> Option<std::ops::Range<usize>> {
        let mut found: Option<std::ops::Range<usize>> = None;
        for &(at, len, [a, b]) in &self.map {
            if b <= bytes[0] || a >= bytes[1] {
                continue;
            }
            // pieces whose text is as long as their bytes map byte by byte
            let (from, to) = if b - a == len { (at + bytes[0].saturating_sub(a), at + (bytes[1].min(b) - a)) } else { (at, at + len) };
            found = Some(found.map_or(from..to, |f| f.start.min(from)..f.end.max(to)));
        }
        found
    }
}

/// All incidents of a corpus, sorted by id.
#[derive(Clone, Debug, Default)]
pub struct Book {
    cases: Vec<Case>,
}

impl Book {
    /// A book of some cases.
    pub fn new(mut cases: Vec<Case>) -> Book {
        cases.sort_by(|a, b| a.incident.id.cmp(&b.incident.id).then(a.incident.source.path.cmp(&b.incident.source.path)));
        Book { cases }
    }

    /// A book of some cases, those of one incident told of each other.
    pub fn related(cases: Vec<Case>) -> Book {
        let mut book = Book::new(cases);
        for (k, others) in same::groups(&book.cases).into_iter().enumerate() {
            let ids: Vec<String> = others.into_iter().map(|o| book.cases[o].incident.id.clone()).collect();
            let own = &mut book.cases[k].incident;
            own.same_incident_as = ids.into_iter().filter(|id| *id != own.id).collect();
            own.same_incident_as.dedup();
        }
        book
    }

    /// All cases, by id.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// The cases, by id, for whoever makes another book of them.
    pub fn into_cases(self) -> Vec<Case> {
        self.cases
    }

    /// The case of an id (or of one of its former ids).
    pub fn get(&self, id: &str) -> Option<&Case> {
        let exact = self.cases.binary_search_by(|c| c.incident.id.as_str().cmp(id)).ok().map(|i| &self.cases[i]);
        let alias = || self.cases.iter().find(|c| c.incident.aliases.iter().any(|a| a == id));
        // as people write it: ids are in lower case, names of incidents mostly are not
        let written = || {
            let same = |own: &String| own.to_lowercase() == id.to_lowercase();
            self.cases.iter().find(|c| std::iter::once(&c.incident.id).chain(&c.incident.aliases).any(same))
        };
        exact.or_else(alias).or_else(written)
    }

    /// Ids that more than one file claims, with the paths.
    pub fn clashes(&self) -> Vec<(&str, Vec<&str>)> {
        let groups = self.cases.chunk_by(|a, b| a.incident.id == b.incident.id).filter(|g| g.len() > 1);
        groups.map(|g| (g[0].incident.id.as_str(), g.iter().map(|c| c.incident.source.path.as_str()).collect())).collect()
    }
}
