//! Failure patterns: the catalogue's formulas read against the sentences of a document.

use super::belief::{NAMES, belief, features};
use super::units::{Reading, Shape, Unit};
use crate::lang::{Cue, Role, Tag};
use crate::pattern::{Catalogue, Finding, Look, Pattern, Sentence, Trust};
use std::collections::BTreeSet;

/// A score from which on a pattern is a tag.
pub const TAG: f32 = 0.4;
/// A score from which on it is at least shown as a near miss.
pub const PERHAPS: f32 = 0.22;

/// A pattern found in a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Tagged {
    /// The pattern's id.
    pub id: String,
    /// Score and evidence; sentences are indexes of the document's units.
    pub finding: Finding,
}

/// Trust in a passage by its role: how readily a sentence there is taken as told of the incident itself.
fn role_trust(role: Option<Role>, has_causes: bool) -> f32 {
    match role {
        Some(Role::RootCause | Role::Trigger | Role::Contributing) => 1.0,
        Some(Role::Summary) => 0.85,
        Some(Role::Timeline) => 0.7,
        Some(Role::Impact | Role::Detection) => 0.65,
        Some(Role::LessonsWrong) => 0.75,
        Some(Role::Resolution) => 0.5,
        Some(Role::LessonsLucky) => 0.4,
        Some(Role::Lessons) => 0.4,
        Some(Role::Remediation | Role::Prevention) => 0.15,
        Some(Role::Background) => 0.25,
        Some(Role::Verification) => 0.3,
        Some(Role::LessonsWell | Role::Appendix) => 0.0,
        None => {
            if has_causes {
                0.7
            } else {
                0.85
            }
        }
    }
}

/// How much a unit is told as a fact of this incident.
fn told(unit: &Unit, text: &str) -> f32 {
    let mut told = 1.0f32;
    let lower = |told: &mut f32, by: f32, amount: f32| *told *= 1.0 - by * amount;
    lower(&mut told, 0.95, unit.has(Cue::RuledOut));
    lower(&mut told, 0.6, unit.has(Cue::Hypothesis));
    lower(&mut told, 0.3, unit.has(Cue::Hedge));
    lower(&mut told, 0.45, unit.has(Cue::Generic));
    lower(&mut told, 0.6, unit.has(Cue::Future));
    lower(&mut told, 0.3, unit.has(Cue::Planned));
    lower(&mut told, 0.5, unit.has(Cue::Prevent));
    lower(&mut told, 0.5, unit.has(Cue::Advice));
    if text.ends_with(['?', '？']) {
        told *= 0.3;
    }
    if unit.struck {
        told = 0.0;
    }
    match unit.shape {
        Shape::Code => told * 0.5,
        Shape::Heading => told * 0.7,
        _ => told,
    }
}

/// The document's units as sentences of concepts. A unit's index is its sentence's index.
pub fn sentences_of(reading: &Reading) -> Vec<Sentence> {
    let has_causes = reading.has_role(&[Role::RootCause]);
    let after = reading.lexicon.file.negation_side == "after";
    // words for "and" part clauses as commas do
    let joints: Vec<String> =
        reading.lexicon.calendar().range.and.iter().filter(|w| w.is_ascii() || w.chars().count() > 1).map(|w| format!(" {w} ")).collect();
    reading
        .units
        .iter()
        .map(|unit| {
            let text = unit.text(reading.document);
            let concepts = unit
                .hits
                .iter()
                .filter_map(|h| if let Tag::Concept(c) = h.tag { Some((c, h.range.start..h.stem)) } else { None })
                .collect();
            let negations = unit.hits.iter().filter(|h| h.own && h.tag == Tag::Cue(Cue::Negation)).map(|h| h.range.clone()).collect();
            let marks = text
                .char_indices()
                .filter(|(_, c)| matches!(c, ',' | ';' | ':' | '、' | '，' | '；' | '：' | '—' | '–' | '(' | ')' | '،'))
                .map(|(i, _)| i);
            let joints = joints.iter().flat_map(|j| text.match_indices(j.as_str()).map(|(i, _)| i + 1));
            let limits = marks.chain(joints).map(|i| unit.range.start + i);
            Sentence {
                concepts,
                negations,
                role: unit.role,
                trust: Trust { role: role_trust(unit.role, has_causes), told: told(unit, text) },
                section: unit.section,
                block: unit.block,
                limits: limits.collect(),
                negation_after: after,
            }
        })
        .collect()
}

/// Reads all formulas against a document's units: what each found, strongest first; and for each unit how strongly it tells of some mechanism,
/// the trust in its section left out of it.
pub fn find<'d>(reading: &Reading<'d>, catalogue: &'d Catalogue) -> (Vec<(&'d Pattern, Finding)>, Vec<f32>) {
    let sentences = sentences_of(reading);
    let look = Look::new(&sentences);
    let mut mechanism = vec![0.0f32; sentences.len()];
    let mut found: Vec<(&Pattern, Finding)> =
        catalogue.all().iter().map(|p| (p, p.judge(&look))).filter(|(_, f)| !f.evidence.is_empty()).collect();
    for e in found.iter().flat_map(|(_, f)| &f.evidence) {
        let trust = sentences[e.sentence].trust.role;
        if trust > 0.0 {
            mechanism[e.sentence] = mechanism[e.sentence].max((e.weight / trust).min(1.0));
        }
    }
    found.sort_by(|a, b| b.1.score.total_cmp(&a.1.score).then(a.0.file.id.cmp(&b.0.file.id)));
    (found, mechanism)
}

/// All patterns with any evidence, best first.
pub fn judge_all(reading: &Reading) -> Vec<Tagged> {
    weighed(reading).into_iter().map(|(t, _)| t).collect()
}

/// All patterns with any evidence, best first, each with the features its score was made of.
pub fn weighed(reading: &Reading) -> Vec<(Tagged, [f32; NAMES.len()])> {
    let causes: BTreeSet<usize> = super::causes(reading).iter().map(|c| c.value().unit).collect();
    let mut out: Vec<(Tagged, [f32; NAMES.len()])> = reading
        .found
        .iter()
        .enumerate()
        .map(|(rank, (p, finding))| {
            let told = finding
                .evidence
                .first()
                .map_or(0.0, |e| told(&reading.units[e.sentence], reading.units[e.sentence].text(reading.document)));
            let f = features(reading, p, finding, told, &causes, rank);
            (Tagged { id: p.file.id.clone(), finding: Finding { score: belief(&f), evidence: finding.evidence.clone() } }, f)
        })
        .collect();
    out.sort_by(|a, b| b.0.finding.score.total_cmp(&a.0.finding.score).then(a.0.id.cmp(&b.0.id)));
    out
}
