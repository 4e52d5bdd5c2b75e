//! The answer to a search, as it is serialised.

use crate::book::view::Bytes;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the shape.
pub(super) const SCHEMA: &str = "twiceshy-hits/1";

/// An answer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Hits {
    /// `twiceshy-hits/1`.
    pub schema: &'static str,
    /// What was asked.
    pub query: String,
    /// How it was understood.
    pub understood: Understood,
    /// Incidents, the best first.
    pub hits: Vec<Hit>,
    /// Patterns that the query names or satisfies; where nothing was found, the nearest ones.
    pub suggested_patterns: Vec<Suggested>,
    /// Where nothing was found: what was tried, in the order of trying.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<&'static str>,
    /// Filters that no document passes, each with the values there are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<Unmatched>,
    /// What was searched.
    pub index: About,
}

/// How a query was understood.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Understood {
    /// Its words, folded.
    pub words: Vec<String>,
    /// Concepts, by name.
    pub concepts: Vec<String>,
    /// Patterns, by id.
    pub patterns: Vec<String>,
    /// Filters by name; those that must not hold begin with `-`.
    pub filters: BTreeMap<String, Vec<String>>,
    /// Its language, where its words tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Words that nothing has, and what they were taken for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub corrected: BTreeMap<String, String>,
    /// Words that no document has and no lexicon knows, and the words of documents that stand in for them: forms that begin alike. None stand in for a word
    /// that nothing is like.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub stand_in: BTreeMap<String, Vec<String>>,
}

/// An incident that was found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Hit {
    /// Its id.
    pub id: String,
    /// Its file, below the corpus.
    pub path: String,
    /// Its title.
    pub title: String,
    /// The first day the text gives, EDTF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Its language.
    pub language: String,
    /// How long it lasted, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<String>,
    /// The author's word for how bad it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
    /// What was affected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<String>,
    /// Its score; comparable within one answer only.
    pub score: f64,
    /// Why it was found.
    pub why: Vec<Why>,
    /// Its cause: the one that its own page tells first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Piece>,
    /// What was done about it, at most two items, what ended it first.
    pub fix: Vec<Fix>,
    /// The line to read on at.
    pub read_on: usize,
    /// Other documents about the same incident that would have been hits by themselves, by id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub same_incident: Vec<String>,
}

/// A reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Why {
    /// `pattern`, `concept`, `word`, `service` or `phrase`.
    pub kind: &'static str,
    /// Which pattern or concept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The query's own words for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// What the document says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Bytes>,
    /// On which line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// A passage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// What it says.
    pub text: String,
    /// Where.
    pub spans: Vec<Bytes>,
    /// On which line.
    pub line: usize,
    /// The concepts in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub concepts: Vec<String>,
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// What it says.
    pub text: String,
    /// Where.
    pub spans: Vec<Bytes>,
    /// On which line.
    pub line: usize,
    /// `done`, `planned` or `declined`.
    pub status: String,
    /// A command or switch named in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The concepts in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub concepts: Vec<String>,
}

/// A pattern offered.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Suggested {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How surely it is meant, 0 to 1.
    pub score: f64,
    /// What has stopped it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
}

/// A filter that no document passes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Unmatched {
    /// As it was typed, `lang:xx`.
    pub filter: String,
    /// Values that some document has: the nearest ones, or the first.
    pub known: Vec<String>,
}

/// What has stopped a pattern in an incident.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stopped {
    /// The incident.
    pub id: String,
    /// When it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What stopped it.
    pub fix: Fix,
}

/// What was searched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct About {
    /// How many incidents.
    pub documents: usize,
    /// How many of them were read anew for this answer.
    pub refreshed: usize,
    /// In how many languages.
    pub languages: usize,
}
