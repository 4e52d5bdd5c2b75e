//! The form of a pattern file, as `data/README.md` describes it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One pattern file.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct File {
    /// Stable identifier, lower-case words with hyphens.
    pub id: String,
    /// Which part of the catalogue it belongs to.
    pub family: String,
    /// Its name, by language.
    pub title: BTreeMap<String, String>,
    /// What it is.
    pub what: String,
    /// How it looks while it happens.
    pub recognise: Vec<String>,
    /// How to tell it from its neighbours, by their ids.
    pub neighbours: BTreeMap<String, String>,
    /// What has stopped it.
    pub stopped: Vec<String>,
    /// What prevents it.
    pub prevents: Vec<String>,
    /// Patterns it sets off.
    pub sets_off: Vec<String>,
    /// Patterns it follows from.
    pub follows_from: Vec<String>,
    /// Further reading.
    pub references: Vec<Reference>,
    /// The formula.
    pub rule: Rule,
    /// Sentences it must take.
    pub takes: Vec<Sample>,
    /// Sentences it must leave.
    pub leaves: Vec<Sample>,
}

/// Further reading.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reference {
    /// What it is called.
    pub title: String,
    /// Where it stands.
    pub url: String,
}

/// A formula.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rule {
    /// How readily it is believed, -1 to 1.
    pub prior: f32,
    /// `strict` or `loose`.
    pub negation: String,
    /// Clauses, each evidence on its own.
    pub any: Vec<Clause>,
    /// Concepts that take a sentence out.
    pub not: Vec<String>,
}

/// A clause: groups of concepts that must come together.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Clause {
    /// How strong this evidence is, 0 to 1 and a little more.
    pub weight: f32,
    /// Every group needs a hit; `|` parts alternatives.
    pub all: Vec<String>,
    /// `0`, `1` or `section`.
    pub within: Within,
    /// At most this many characters between the first and the last of them.
    pub near: Option<usize>,
    /// Only in passages of these roles.
    pub roles: Vec<String>,
    /// None of these concepts in the sentence.
    pub not: Vec<String>,
}

/// How far the groups of a clause may lie apart.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(try_from = "WithinValue", into = "WithinValue")]
pub enum Within {
    /// In one sentence.
    #[default]
    Sentence,
    /// In a sentence and its neighbours.
    Neighbours,
    /// In one section.
    Section,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum WithinValue {
    Number(u8),
    Word(String),
}

impl From<Within> for WithinValue {
    fn from(w: Within) -> WithinValue {
        match w {
            Within::Sentence => WithinValue::Number(0),
            Within::Neighbours => WithinValue::Number(1),
            Within::Section => WithinValue::Word("section".into()),
        }
    }
}

impl TryFrom<WithinValue> for Within {
    type Error = String;

    fn try_from(v: WithinValue) -> Result<Within, String> {
        match v {
            WithinValue::Number(0) => Ok(Within::Sentence),
            WithinValue::Number(1) => Ok(Within::Neighbours),
            WithinValue::Word(w) if w == "section" => Ok(Within::Section),
            WithinValue::Number(n) => Err(format!("`within` is 0, 1 or section, not {n}")),
            WithinValue::Word(w) => Err(format!("`within` is 0, 1 or section, not {w}")),
        }
    }
}

/// A sentence that a pattern must take or leave.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sample {
    /// Its language.
    pub lang: String,
    /// The sentence.
    pub text: String,
    /// The role of the passage it stands in; `root_cause` unless told.
    pub role: Option<String>,
}
