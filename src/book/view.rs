//! The one serialised shape of an incident: what `extract` prints, what the site shows and stores as `incidents/<id>.json`.
//!
//! Field by field as the manual describes it. Absent means not stated; fields are only ever added.

pub use super::metrics::{Metric, Metrics, Stated};
use serde::{Deserialize, Serialize};

/// A byte range `[start, end)` of the file on disk.
pub type Bytes = [usize; 2];

/// Version of the shape.
pub const SCHEMA: &str = "twiceshy/1";

/// One incident.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
pub struct Incident {
    /// [`SCHEMA`].
    pub schema: String,
    /// What made it.
    pub generator: Generator,
    /// Permanent identifier, one path segment.
    pub id: String,
    /// The file it was read from.
    pub source: SourceInfo,
    /// The language most of its prose is in.
    pub language: LanguageInfo,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// What happened, in the document's own words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub summary: Vec<Text>,
    /// When it began and ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<Period>,
    /// How bad it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<SeverityInfo>,
    /// What was affected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<Service>,
    /// What happened when.
    pub timeline: Vec<Event>,
    /// Who and what was hit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub impact: Vec<Text>,
    /// How it was noticed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub detection: Vec<Text>,
    /// What was learned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<Text>,
    /// Why it happened.
    pub causes: Vec<Cause>,
    /// What was or will be done about it.
    pub remediation: Vec<Action>,
    /// What stopped it, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Stop>,
    /// Failure patterns.
    pub patterns: Vec<Pattern>,
    /// Patterns that fall short of being tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns_perhaps: Vec<Pattern>,
    /// Durations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Metrics>,
    /// Other documents about the same incident, by id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub same_incident_as: Vec<String>,
    /// Free tags of the front matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Former ids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Where the original stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    /// `public`, `internal` or `restricted`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub audience: String,
    /// Fields of the front matter that mean nothing to the program, as written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_fields: Vec<(String, String)>,
    /// What is to be said about the document.
    pub diagnostics: Vec<Diagnostic>,
}

/// What made the facts.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Generator {
    /// Version of the program.
    pub version: String,
    /// Hash of lexicons and patterns.
    pub knowledge: String,
}

/// The file an incident was read from.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct SourceInfo {
    /// Path below the corpus, or as named on the command line.
    pub path: String,
    /// SHA-256 of the bytes, hexadecimal.
    pub sha256: String,
    /// How many bytes.
    pub bytes: usize,
    /// `markdown`, `plain`, `html` …
    pub format: String,
    /// Encoding, by its WHATWG name in lower case.
    pub encoding: String,
    /// Which of several incidents in the file it is.
    pub part: Part,
}

/// Which of several incidents in one file.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Part {
    /// From 0.
    pub index: usize,
    /// How many there are.
    pub of: usize,
}

impl Default for Part {
    fn default() -> Part {
        Part { index: 0, of: 1 }
    }
}

/// A language and how sure it is.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct LanguageInfo {
    /// BCP 47 tag, `und` where unknown.
    pub tag: String,
    /// 0 to 1.
    pub confidence: f64,
}

/// A passage.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Text {
    /// What a reader sees.
    pub text: String,
    /// The bytes it stands on; empty only where a front matter value without place made it.
    pub spans: Vec<Bytes>,
    /// Line, from 1.
    #[serde(default)]
    pub line: usize,
    /// Concepts found in it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concepts: Vec<String>,
    /// The rule that made it.
    pub rule: String,
}

/// When the incident began and ended.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Period {
    /// EDTF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// EDTF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// The bytes both stand on.
    pub spans: Vec<Bytes>,
    /// The rule that made it.
    pub rule: String,
}

/// How bad it was.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct SeverityInfo {
    /// The author's word.
    pub written: String,
    /// 1 is the worst.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u8>,
    /// Which ladder it belongs to (`sev1-4`, `p0-4`, `words`).
    pub scale: String,
    /// The bytes.
    pub spans: Vec<Bytes>,
    /// The rule that made it.
    pub rule: String,
}

/// What was affected.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Service {
    /// Its name as written.
    pub name: String,
    /// The bytes.
    pub spans: Vec<Bytes>,
    /// The rule that made it.
    pub rule: String,
}

/// A timeline entry.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Event {
    /// Stable anchor, `t-…`.
    pub anchor: String,
    /// EDTF.
    pub at: String,
    /// EDTF, where it is a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The stamp as written.
    pub written: String,
    /// All readings, where the text contradicts itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<ReadingOf>,
    /// `trigger`, `impact`, `detected` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// What happened.
    pub text: String,
    /// The bytes of the entry.
    pub spans: Vec<Bytes>,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Concepts found in it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concepts: Vec<String>,
    /// The rule that made it.
    pub rule: String,
}

/// One of several readings of a stamp.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct ReadingOf {
    /// EDTF.
    pub at: String,
    /// As written.
    pub written: String,
    /// The bytes.
    pub spans: Vec<Bytes>,
    /// The rule that made it.
    pub rule: String,
}

/// A cause.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Cause {
    /// Stable anchor, `c-…`.
    pub anchor: String,
    /// `root`, `trigger` or `contributing`.
    pub kind: String,
    /// Said with reservation.
    pub hedged: bool,
    /// What the text says.
    pub text: String,
    /// The bytes.
    pub spans: Vec<Bytes>,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Concepts found in it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concepts: Vec<String>,
    /// The rule that made it.
    pub rule: String,
}

/// A remediation item.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Action {
    /// Stable anchor, `r-…`.
    pub anchor: String,
    /// `done`, `planned` or `declined`.
    pub status: String,
    /// `mitigate`, `prevent`, `detect`, `repair`, `investigate`, `process`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What the text says.
    pub text: String,
    /// Who does it, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Until when: a date where it could be read, else as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// Where it is tracked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// A command or switch named in it, ready to be copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The bytes.
    pub spans: Vec<Bytes>,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Concepts found in it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concepts: Vec<String>,
    /// The rule that made it.
    pub rule: String,
}

/// What ended or eased the harm.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Stop {
    /// What the text says.
    pub text: String,
    /// The bytes.
    pub spans: Vec<Bytes>,
    /// Line, from 1.
    #[serde(default)]
    pub line: usize,
    /// Concepts found in it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concepts: Vec<String>,
    /// The anchor of the action or the timeline's entry that tells it, where one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// A command or switch named in it, ready to be copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// A failure pattern and its proof.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Pattern {
    /// Its id in the catalogue.
    pub id: String,
    /// 0 to 1.
    pub score: f64,
    /// The sentences that decided, strongest first.
    pub evidence: Vec<Proof>,
    /// The rule that made it.
    pub rule: String,
}

/// A sentence that proves a pattern.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Proof {
    /// The sentence.
    pub text: String,
    /// The bytes.
    pub spans: Vec<Bytes>,
    /// Line, from 1.
    #[serde(default)]
    pub line: usize,
    /// The words that fired the rule: the bytes of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Bytes>,
    /// The concepts they stand for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concepts: Vec<String>,
}

/// A finding about the document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Diagnostic {
    /// Stable name of the kind of finding.
    pub code: String,
    /// `note`, `warning` or `error`.
    pub severity: String,
    /// One sentence.
    pub message: String,
    /// What to do about it, or what was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The bytes it is about.
    pub spans: Vec<Bytes>,
    /// Line, from 1; 0 where it is about the whole file.
    #[serde(default)]
    pub line: usize,
    /// Column in characters, from 1.
    #[serde(default)]
    pub column: usize,
}

impl Incident {
    /// The first day the text gives: of the period, else of the timeline, else absent. `2024-06-25`, or shorter where less is known.
    pub fn date(&self) -> Option<String> {
        let stamps = self.period.iter().flat_map(|p| p.start.iter()).chain(self.timeline.iter().map(|e| &e.at));
        let mut dates = stamps.map(|s| s.split('T').next().unwrap_or(s)).filter(|d| !d.starts_with("XXXX"));
        let first = dates.next()?;
        Some(dates.fold(first, |a, b| if b < a && self.period.is_none() { b } else { a }).to_string())
    }

    /// The title, else the id.
    pub fn name(&self) -> &str {
        self.title.as_ref().map_or(self.id.as_str(), |t| t.text.as_str())
    }
}
