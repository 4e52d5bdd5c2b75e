//! The stages in order: bytes to document, document to facts, facts to the one serialised shape. Nothing here knows files, clock or network.

pub mod additions;
mod assemble;
mod ids;
mod metrics;
mod parts;
mod rows;
pub mod sift;
mod stated;
mod twins;

use crate::book::Case;
use crate::document::Document;
use crate::error::Result;
use crate::facts;
use crate::facts::Reading;
use crate::facts::period::Period;
use crate::facts::time::Times;
use crate::facts::timeline::Event;
use crate::lang::{Language, Languages};
use crate::pattern::Catalogue;
use crate::text::Source;
use sha2::{Digest, Sha256};
pub use stated::audience;

/// Everything the program knows before it reads a document: lexicons and patterns, a user's additions included.
pub struct Knowledge {
    /// The lexicons.
    pub languages: Languages,
    /// The patterns.
    pub catalogue: Catalogue,
    /// Hash of both, by which outputs tell what they were made with.
    pub hash: String,
}

impl Knowledge {
    /// The built-in knowledge.
    pub fn builtin() -> Knowledge {
        Knowledge { languages: Languages::builtin(), catalogue: Catalogue::builtin(), hash: knowledge_hash(&[], &[]) }
    }

    /// The built-in knowledge and a user's lexicons and patterns: file name and YAML of each.
    pub fn with(lexicons: &[(String, String)], patterns: &[(String, String)]) -> Result<Knowledge> {
        Ok(Knowledge {
            languages: Languages::with(lexicons)?,
            catalogue: Catalogue::with(patterns)?,
            hash: knowledge_hash(lexicons, patterns),
        })
    }
}

/// Hash of the built-in knowledge and a user's additions, without parsing any of it.
pub fn knowledge_hash(lexicons: &[(String, String)], patterns: &[(String, String)]) -> String {
    let mut h = Sha256::new();
    h.update(crate::data::KNOWLEDGE);
    for (name, text) in lexicons.iter().chain(patterns) {
        for part in [name, text] {
            h.update((part.len() as u64).to_le_bytes());
            h.update(part.as_bytes());
        }
    }
    hex(&h.finalize()[..8])
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |n: u8| char::from_digit(u32::from(n), 16).unwrap_or('0');
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect()
}

/// Everything a document says about time.
pub struct Moments {
    /// All mentions of dates and clocks.
    pub times: Times,
    /// Those that are events.
    pub events: Vec<Event>,
    /// When the incident began and ended.
    pub period: Option<Period>,
    /// How long the report says it was.
    pub stated: Option<crate::facts::Fact<crate::facts::time::Length>>,
    /// What was or will be done about it.
    pub actions: Vec<crate::facts::Fact<crate::facts::Action>>,
    /// How many clocked events name their phase by their own words.
    pub phases: usize,
    /// What stopped it, best first.
    pub stops: Vec<crate::facts::stops::Stop>,
}

impl Moments {
    /// Reads the times of a document; `path` is the file's, whose date is the last resort.
    pub fn new(reading: &Reading, english: &crate::lang::Lexicon, path: Option<&str>) -> Moments {
        let (document, lexicon) = (reading.document, reading.lexicon);
        let roles: Vec<_> = reading.places.iter().map(|p| p.role).collect();
        let reader = crate::facts::time::Reader::new(lexicon, english);
        let mut times = reader.read(document, &roles, path);
        let mut events = crate::facts::timeline::read(document, &roles, lexicon, &mut times);
        events.retain(|e| !reading.is_passed(document.blocks[e.block].span));
        crate::facts::timeline::sort(&mut events);
        let actions = crate::facts::remediation(reading);
        let period = crate::facts::period::read(document, &roles, &reader, &times, &events);
        let stops = crate::facts::stops::stops(reading, &events, &actions, period.as_ref());
        let phases = events.iter().filter(|e| e.phase.is_some() && e.at.clock.is_some()).count();
        crate::facts::stops::mark(&stops, &mut events);
        let stated = crate::facts::period::stated_duration(reading, &reader);
        let found = crate::facts::period::check(reading, &reader, &times, period.as_ref(), stated.as_ref());
        times.diagnostics.extend(found);
        Moments { times, events, period, stated, actions, phases, stops }
    }
}

/// Whether a document is a postmortem at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// How much speaks for it; from [`sift::NEEDED`] on it is taken for one.
    pub score: f32,
    /// Why it is none, where it is none.
    pub reason: Option<&'static str>,
}

/// Reads one source as one incident. Never fails; what is wrong with the document stands in the diagnostics.
pub fn read(source: &Source, knowledge: &Knowledge) -> Case {
    examine(source, knowledge).0
}

/// Reads one source that may hold several incidents (see [`examine_all`]).
pub fn read_all(source: &Source, knowledge: &Knowledge) -> Vec<Case> {
    examine_all(source, knowledge).into_iter().map(|(case, _)| case).collect()
}

/// Reads one source as one incident and judges whether it is a postmortem.
pub fn examine(source: &Source, knowledge: &Knowledge) -> (Case, Verdict) {
    let document = crate::document::parse(source);
    let language = language(&document, &knowledge.languages);
    let lexicon = knowledge.languages.lexicon(&language.tag);
    let mut reading = Reading::new(&document, &lexicon, &knowledge.catalogue);
    reading.pass_over(twins::told_again(&document, &knowledge.languages, &language.tag));
    let moments = Moments::new(&reading, &knowledge.languages.lexicon("en"), Some(source.path()));
    judged(source, &reading, &moments, &language, knowledge)
}

/// Reads one source and judges each of its incidents: one, unless it plainly is a log of several.
pub fn examine_all(source: &Source, knowledge: &Knowledge) -> Vec<(Case, Verdict)> {
    let document = crate::document::parse(source);
    let whole = language(&document, &knowledge.languages);
    let lexicon = knowledge.languages.lexicon(&whole.tag);
    let english = knowledge.languages.lexicon("en");
    let mut reading = Reading::new(&document, &lexicon, &knowledge.catalogue);
    reading.pass_over(twins::told_again(&document, &knowledge.languages, &whole.tag));
    let moments = Moments::new(&reading, &english, Some(source.path()));
    let parts = parts::of(&reading, &moments);
    if parts.len() < 2 {
        return vec![judged(source, &reading, &moments, &whole, knowledge)];
    }
    let base = document.front_matter.get("id").map(ids::slug).filter(|s| !s.is_empty()).unwrap_or_else(|| ids::id_of_path(source.path()));
    let of = parts.len();
    let one = |(index, part): (usize, parts::Part)| {
        let own = language(&part.document, &knowledge.languages);
        // a short entry tells its language less surely than the whole
        let language = if own.confidence >= 0.95 { own } else { whole.clone() };
        let lexicon = knowledge.languages.lexicon(&language.tag);
        let reading = Reading::new(&part.document, &lexicon, &knowledge.catalogue);
        let moments = Moments::new(&reading, &english, None);
        let (mut case, verdict) = judged(source, &reading, &moments, &language, knowledge);
        case.incident.id = format!("{base}-{}", part.suffix);
        case.incident.source.part = crate::book::view::Part { index, of };
        (case, verdict)
    };
    parts.into_iter().enumerate().map(one).collect()
}

fn judged(source: &Source, reading: &Reading, moments: &Moments, language: &Language, knowledge: &Knowledge) -> (Case, Verdict) {
    let case = assemble::case(source, reading, moments, language, knowledge);
    let i = &case.incident;
    let found = sift::Found {
        events: i.timeline.len(),
        clocks: i.timeline.iter().filter(|e| e.at.contains('T')).count(),
        phases: moments.phases,
        // a page of any kind has a best sentence; here only those count that would be causes anywhere
        causes: facts::causes(reading).iter().filter(|c| facts::cause_sums(reading)[c.value().unit] >= sift::CAUSE).count(),
        done: i.remediation.iter().filter(|a| a.status == "done").count(),
    };
    let (score, reason) = sift::judge(reading, &found);
    let score = score.sum();
    let reason = reason.or((score < sift::NEEDED).then_some("no postmortem"));
    (case, Verdict { score, reason })
}

/// The language of a document: what its front matter or markup names, else what its prose looks like.
pub fn language(document: &Document, languages: &Languages) -> Language {
    let named = document.front_matter.get("language").or(document.front_matter.get("lang")).map(str::to_string);
    if let Some(tag) = named.filter(|t| plausible(t)) {
        return Language { tag: languages.normal(&tag), confidence: 1.0 };
    }
    let prose = assemble::prose(document);
    let seen = languages.detect(&prose);
    match &document.lang {
        // generators stamp pages with a default; a page that is plainly in another language says so itself
        Some(tag) if plausible(tag) && (seen.confidence < 0.9 || languages.normal(tag) == seen.tag || prose.chars().count() < 400) => {
            Language { tag: languages.normal(tag), confidence: 1.0 }
        }
        _ => seen,
    }
}

fn plausible(tag: &str) -> bool {
    let primary = tag.split(['-', '_']).next().unwrap_or("");
    (2..=3).contains(&primary.len()) && primary.chars().all(|c| c.is_ascii_alphabetic())
}
