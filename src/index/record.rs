//! What the index keeps of an incident to show it as a hit, and the analysis of an incident.

use crate::book::same::Sign;
use crate::book::view::Bytes;
use crate::book::{Case, Passage, answers, stress};
use crate::lang::Languages;
use crate::terms::{Analysis, Region, Text, analyse};
use serde::{Deserialize, Serialize};

/// What a hit shows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Card {
    pub id: String,
    pub path: String,
    pub title: String,
    pub date: Option<String>,
    pub language: String,
    pub duration: Option<String>,
    pub severity: Option<String>,
    pub services: Vec<String>,
    /// What its reader is told as the cause.
    pub cause: Option<Told>,
    pub fixes: Vec<Told>,
    pub patterns: Vec<Tagged>,
    /// What other documents about the same incident are recognised by.
    pub sign: Sign,
}

/// A cause or a remediation item.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Told {
    /// Status of a remediation item.
    pub kind: String,
    /// `mitigate`, `prevent` …
    pub purpose: Option<String>,
    pub text: String,
    pub spans: Vec<Bytes>,
    pub line: usize,
    pub concepts: Vec<String>,
    pub command: Option<String>,
}

/// A pattern tag with its strongest proof.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Tagged {
    pub id: String,
    pub score: f64,
    pub text: Option<String>,
    pub spans: Vec<Bytes>,
    pub line: Option<usize>,
}

/// The body, and where its concepts stand.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Body {
    pub passages: Vec<Passage>,
    /// Sentence, passage, from, to, concept's number; in order.
    pub marks: Vec<(u32, u32, u32, u32, u16)>,
}

/// The card of an incident.
pub(super) fn card(case: &Case) -> Card {
    let incident = &case.incident;
    let cause = answers::why(incident).into_iter().next().map(|c| Told {
        kind: String::new(),
        purpose: None,
        text: c.text.to_string(),
        spans: c.spans.to_vec(),
        line: c.line,
        concepts: c.concepts.to_vec(),
        command: None,
    });
    let fixes = answers::fixes(incident).into_iter().map(|(s, status, purpose)| Told {
        kind: status.to_string(),
        purpose: purpose.map(str::to_string),
        text: s.text.to_string(),
        spans: s.spans.to_vec(),
        line: s.line,
        concepts: s.concepts.to_vec(),
        command: s.command.map(str::to_string),
    });
    let patterns = incident.patterns.iter().map(|p| {
        let proof = p.evidence.first();
        Tagged {
            id: p.id.clone(),
            score: p.score,
            text: proof.map(|e| e.text.clone()),
            spans: proof.map(|e| e.spans.clone()).unwrap_or_default(),
            line: proof.map(|e| e.line).filter(|&l| l > 0),
        }
    });
    Card {
        id: incident.id.clone(),
        path: incident.source.path.clone(),
        title: incident.name().to_string(),
        date: incident.date(),
        language: incident.language.tag.clone(),
        duration: answers::lasted(incident).map(|(value, _)| value.to_string()),
        severity: incident.severity.as_ref().map(|s| s.written.clone()),
        services: incident.services.iter().map(|s| s.name.clone()).collect(),
        cause,
        fixes: fixes.collect(),
        patterns: patterns.collect(),
        sign: Sign::of(case),
    }
}

/// Analyses an incident as it is searched.
pub(super) fn analysis(case: &Case, languages: &Languages) -> Analysis {
    let incident = &case.incident;
    let tag = incident.language.tag.as_str();
    let stress = stress(case);
    let passages: Vec<Text> = case
        .body
        .iter()
        .zip(&stress)
        .map(|(p, stress)| Text { text: &p.text, sentences: &p.sentences, stress, lang: p.lang.as_deref().unwrap_or(tag) })
        .collect();
    let mut regions: Vec<(Region, &str)> = Vec::new();
    regions.extend(incident.title.iter().map(|t| (Region::Title, t.text.as_str())));
    regions.extend(incident.services.iter().map(|s| (Region::Name, s.name.as_str())));
    regions.extend(std::iter::once(&incident.id).chain(&incident.aliases).map(|id| (Region::Id, id.as_str())));
    regions.extend(incident.tags.iter().map(|t| (Region::Name, t.as_str())));
    regions.extend(incident.causes.iter().map(|c| (Region::Cause, c.text.as_str())));
    regions.extend(incident.remediation.iter().map(|r| (Region::Fix, r.text.as_str())));
    regions.extend(incident.timeline.iter().map(|e| (Region::Timeline, e.text.as_str())));
    analyse(&passages, &regions, languages, tag)
}

impl Body {
    /// The body of a case with the marks of its analysis.
    pub fn of(case: &Case, analysis: &Analysis) -> Body {
        let mark = |m: &crate::terms::Mark| (m.sentence, m.passage, m.range.start as u32, m.range.end as u32, m.concept.0);
        Body { passages: case.body.clone(), marks: analysis.marks.iter().map(mark).collect() }
    }
}

/// The bytes that a range of a passage's text stands on.
pub(super) fn spans(passage: &Passage, from: usize, to: usize) -> Vec<Bytes> {
    let mut out: Vec<Bytes> = Vec::new();
    for &(at, len, [a, b]) in &passage.map {
        if at + len <= from || at >= to {
            continue;
        }
        // pieces whose text is as long as their bytes map byte by byte
        let span = if b - a == len { [a + from.saturating_sub(at), a + (to.min(at + len) - at)] } else { [a, b] };
        match out.last_mut() {
            Some(last) if last[1] == span[0] => last[1] = span[1],
            _ => out.push(span),
        }
    }
    out
}

/// The line of a place in a passage.
pub(super) fn line(passage: &Passage, at: usize) -> usize {
    passage.line + passage.text.get(..at).map_or(0, |t| t.bytes().filter(|&b| b == b'\n').count())
}
