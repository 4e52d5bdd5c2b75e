//! How far a pattern is to be believed, from its evidence: a few features with weights that all patterns share.
//!
//! A formula says which sentences speak for a pattern; whether the pattern took part in the incident depends on more: whether the evidence stands in
//! a section about causes or in a sentence that was taken as a cause, in how many sentences and ways it is told, how much stronger the evidence for
//! other patterns is, how long the document is. Few features do better on documents they were not fitted on than many: distances, negations, titles
//! and places were tried and left out. The weights are fitted on the sample corpus and on the documents of `tests/patterns` (`cargo test --test suite fit -- --ignored --nocapture` prints them), never on other
//! documents, so that a score is a probability: of the tags scored 0.8 to 0.9, about four in five are right.

use super::units::Reading;
use crate::lang::Role;
use crate::pattern::{Finding, Pattern};

/// Names of the features, in the order of [`features`].
pub const NAMES: [&str; 10] = [
    "bias",
    "best evidence",
    "clause",
    "better patterns",
    "clauses",
    "sentences",
    "in a cause section",
    "length of the document",
    "beside the best pattern",
    "told as a cause",
];

/// The fitted weights.
const WEIGHTS: [f32; NAMES.len()] = [-1.04, -0.45, 0.90, -0.69, 1.08, 0.11, 0.46, -0.26, 1.80, 0.11];

/// All that a pattern's evidence adds up to, what is weaker counting less.
pub fn weight(finding: &Finding) -> f32 {
    finding.evidence.iter().zip([1.0, 0.45, 0.25]).map(|(e, f)| e.weight * f).sum()
}

/// The features of a pattern's evidence in a document; `rank` counts the patterns with stronger evidence, `most` is the [`weight`] of the best,
/// `causes` are the units that were taken as causes.
pub fn features(reading: &Reading, pattern: &Pattern, finding: &Finding, rank: usize, most: f32, causes: &[usize]) -> [f32; NAMES.len()] {
    let Some(best) = finding.evidence.first() else { return [0.0; NAMES.len()] };
    let causal = reading.units[best.sentence].role.is_some_and(|r| matches!(r, Role::RootCause | Role::Trigger | Role::Contributing));
    [
        1.0,
        best.weight,
        pattern.file.rule.any.get(best.clause).map_or(0.0, |c| c.weight),
        (1.0 + rank as f32).ln(),
        (finding.clauses.max(1) as f32).ln(),
        (finding.sentences.max(1) as f32).ln(),
        if causal { 1.0 } else { 0.0 },
        // more sentences hold more of everything by chance
        (reading.units.len().max(1) as f32 / 40.0).ln().clamp(-1.0, 2.0),
        weight(finding) / most.max(0.01),
        if finding.evidence.iter().any(|e| causes.contains(&e.sentence)) { 1.0 } else { 0.0 },
    ]
}

/// The probability that a tag with these features is right, its evidence carrying as far as [`Finding::carries`] says.
pub fn belief(features: &[f32; NAMES.len()], carries: f32) -> f32 {
    let sum: f32 = features.iter().zip(WEIGHTS).map(|(f, w)| f * w).sum();
    carries * trusted(features[1]) / (1.0 + (-sum).exp())
}

/// How much is left where the best evidence weighs little: it stands where hardly anything is told of the incident, or its clause says little.
pub fn trusted(best: f32) -> f32 {
    (best / 0.25).clamp(0.0, 1.0)
}

/// What each feature adds to the score of a tag or takes from it, in the order of weight; features that change little are left out.
pub fn reasons(features: &[f32; NAMES.len()]) -> Vec<(&'static str, f32)> {
    let mut all: Vec<(&'static str, f32)> = NAMES
        .iter()
        .zip(features.iter().zip(WEIGHTS))
        .skip(1)
        .map(|(name, (f, w))| (*name, f * w))
        .filter(|(_, x)| x.abs() >= 0.15)
        .collect();
    all.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(b.0)));
    all
}
