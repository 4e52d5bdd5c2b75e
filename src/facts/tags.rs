//! Failure patterns: the catalogue's formulas read against the sentences of a document.

use super::belief::{NAMES, belief, features, weight};
use super::units::{Reading, Shape, Unit};
use crate::lang::{Concept, Cue, Hit, Role, Tag};
use crate::pattern::{Catalogue, Finding, Look, Pattern, Sentence, Trust};
use std::ops::Range;

/// A score from which on a pattern is a tag.
pub const TAG: f32 = 0.45;
/// A score from which on it is at least shown as a near miss.
pub const PERHAPS: f32 = 0.3;

/// A pattern found in a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Tagged {
    /// The pattern's id.
    pub id: String,
    /// Score, in hundredths, and evidence; sentences are indexes of the document's units.
    pub finding: Finding,
}

impl Tagged {
    /// True where the score makes it a tag.
    pub fn holds(&self) -> bool {
        self.finding.score >= TAG
    }
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
    lower(&mut told, 0.95, if unit.refuted { 1.0 } else { unit.has(Cue::RuledOut) });
    lower(&mut told, 0.6, unit.has(Cue::Hypothesis));
    lower(&mut told, 0.3, unit.has(Cue::Hedge));
    lower(&mut told, 0.45, unit.has(Cue::Generic));
    lower(&mut told, 0.75, unit.has(Cue::Defined));
    lower(&mut told, 0.7, unit.has(Cue::Earlier));
    lower(&mut told, 0.75, unit.has(Cue::Others));
    lower(&mut told, 0.6, unit.has(Cue::Since).min(unit.has(Cue::Repair).max(unit.has(Cue::Done))));
    lower(&mut told, 0.6, unit.has(Cue::Future));
    lower(&mut told, 0.3, unit.has(Cue::Planned));
    lower(&mut told, 0.5, unit.has(Cue::Prevent));
    lower(&mut told, 0.5, unit.has(Cue::Advice));
    lower(&mut told, 0.5, unit.has(Cue::FixedBy));
    lower(&mut told, 0.4, unit.has(Cue::Courtesy));
    lower(&mut told, 0.25, unit.has(Cue::Outcome));
    // in a log what was done about it stands beside what went wrong
    if matches!(unit.role, None | Some(Role::Timeline | Role::Resolution)) && unit.has(Cue::Fault) < 0.5 && unit.has(Cue::CauseRight) < 0.5
    {
        lower(&mut told, 0.25, unit.has(Cue::Done));
    }
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

/// Where the last part of a phrase with a gap begins, where a negation stands in the gap (`messages .. lost` in "messages were not lost") and is no part
/// of the phrase: only then does it negate.
fn parted(reading: &Reading, unit: &Unit, hit: &Hit, concept: Concept, negation: &Range<usize>) -> Option<usize> {
    let block = reading.block(unit).text.as_str();
    let (text, negated) = (block.get(hit.range.start..hit.stem)?.to_lowercase(), block.get(negation.clone())?.to_lowercase());
    let forms = reading.lexicon.file.concepts.get(concept.name())?;
    let gapped = forms.iter().filter_map(|f| f.split_once(" .. ").map(|(a, b)| (a.trim_end_matches('*'), b.trim_end_matches('*'))));
    let mut fits = gapped.filter(|(a, b)| text.starts_with(a) && text.ends_with(b) && !a.contains(&negated) && !b.contains(&negated));
    let (_, last) = fits.next()?;
    let start = hit.stem.checked_sub(last.len())?;
    (start >= negation.end && block.is_char_boundary(start)).then_some(start)
}

/// How many Latin letters a byte of a text is worth: a sign of Chinese, Japanese or Korean says as much as two or three letters.
fn letters(text: &str) -> f32 {
    if text.is_ascii() {
        return 1.0;
    }
    let sum: f32 = text.chars().map(|c| if (c as u32) < 0x1100 { 1.0 } else { 2.4 }).sum();
    sum / text.len() as f32
}

/// Where a text that begins with a blank stands in another, as [`str::match_indices`] tells it; a sentence is too short for what that prepares.
fn places(text: &str, blank: &str) -> Vec<usize> {
    let mut from = 0;
    let mut out = Vec::new();
    for (at, _) in text.bytes().enumerate().filter(|(_, b)| *b == b' ') {
        if at >= from && text.as_bytes()[at..].starts_with(blank.as_bytes()) {
            out.push(at);
            from = at + blank.len();
        }
    }
    out
}

/// The document's units as sentences of concepts. A unit's index is its sentence's index.
pub fn sentences_of(reading: &Reading) -> Vec<Sentence> {
    let has_causes = reading.has_role(&[Role::RootCause]);
    let side = reading.lexicon.file.negation_side.as_str();
    let sides = (side != "after", matches!(side, "after" | "both"));
    let unharmed = Concept::named("unharmed");
    let well = Concept::named("all-well");
    // words for "and" part clauses as commas do
    let joints: Vec<String> =
        reading.lexicon.calendar().range.and.iter().filter(|w| w.is_ascii() || w.chars().count() > 1).map(|w| format!(" {w} ")).collect();
    reading
        .units
        .iter()
        .map(|unit| {
            let text = unit.text(reading.document);
            let negations: Vec<_> =
                unit.hits().iter().filter(|h| h.own && h.tag == Tag::Cue(Cue::Negation)).map(|h| h.range.clone()).collect();
            // what meets words that all is well proves nothing, in whatever formula ("no single point of failure")
            let is_well = |h: &&Hit| well.is_some_and(|c| h.tag == Tag::Concept(c));
            let sound: Vec<&Range<usize>> = unit.hits().iter().filter(is_well).map(|h| &h.range).collect();
            let concepts = unit
                .hits()
                .iter()
                .filter(|h| !sound.iter().any(|s| s.start < h.range.end && h.range.start < s.end))
                .filter_map(|h| {
                    let Tag::Concept(c) = h.tag else { return None };
                    let inside = negations.iter().find(|n| !h.whole && h.own && n.start > h.range.start && n.end < h.stem);
                    let part = inside.and_then(|n| parted(reading, unit, h, c, n));
                    Some((c, part.unwrap_or(h.range.start)..h.stem))
                })
                .collect();
            let spared =
                unit.hits().iter().filter(|h| unharmed.is_some_and(|c| h.tag == Tag::Concept(c))).map(|h| h.range.clone()).collect();
            let marks = text
                .char_indices()
                .filter(|(_, c)| matches!(c, ',' | ';' | ':' | '、' | '，' | '；' | '：' | '—' | '–' | '(' | ')' | '،'))
                .map(|(i, _)| i);
            let joints = joints.iter().flat_map(|j| places(text, j).into_iter().map(|i| i + 1));
            let limits = marks.chain(joints).map(|i| unit.range.start + i);
            Sentence {
                concepts,
                negations,
                unharmed: spared,
                role: unit.role,
                trust: Trust { role: role_trust(unit.role, has_causes), told: told(unit, text) },
                section: unit.section,
                block: unit.block,
                limits: limits.collect(),
                negation: sides,
                letters: letters(text),
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
    let causes: Vec<usize> = super::causes(reading).iter().map(|c| c.value().unit).collect();
    let most = reading.found.iter().map(|(_, f)| weight(f)).fold(0.0, f32::max);
    let mut out: Vec<(Tagged, [f32; NAMES.len()])> = reading
        .found
        .iter()
        .enumerate()
        .map(|(rank, (p, finding))| {
            let f = features(reading, p, finding, rank, most, &causes);
            (Tagged { id: p.file.id.clone(), finding: Finding { score: belief(&f, finding.carries()), ..finding.clone() } }, f)
        })
        .collect();
    out.sort_by(|a, b| b.0.finding.score.total_cmp(&a.0.finding.score).then(a.0.id.cmp(&b.0.id)));
    // scores are told in hundredths, and what is told decides
    out.iter_mut().for_each(|(t, _)| t.finding.score = (t.finding.score * 100.0).round() / 100.0);
    out
}
