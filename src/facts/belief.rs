//! How far a pattern is to be believed, from its evidence: a few features with weights that all patterns share.
//!
//! A formula says which sentences speak for a pattern; whether the pattern took part in the incident depends on more: whether the evidence stands in
//! a cause, whether there is more of it, how many other patterns the same document supports better. The weights are fitted on the sample corpus
//! (`cargo test --test suite fit -- --ignored --nocapture` prints them), never on other documents, so that a score is a probability: of the tags
//! scored 0.8, about four in five are right.

use super::units::{Reading, Shape};
use crate::lang::{Role, Tag};
use crate::pattern::{Finding, Pattern};
use std::collections::BTreeSet;

/// Names of the features, in the order of [`features`].
pub const NAMES: [&str; 14] = [
    "bias",
    "best evidence",
    "second",
    "further",
    "best in a cause",
    "other in a cause",
    "clause",
    "groups",
    "better patterns",
    "length of the text",
    "told",
    "prior",
    "own words",
    "in a summary",
];

/// The fitted weights.
const WEIGHTS: [f32; 14] = [-1.35, 0.96, 0.75, 0.35, 0.37, 0.76, 2.03, -0.1, -0.54, -0.06, -0.57, 1.46, 0.07, -0.35];

/// The features of a pattern's evidence in a document. `causes` are the units that were taken for causes, `rank` counts the patterns with stronger evidence.
pub fn features(reading: &Reading, pattern: &Pattern, finding: &Finding, told: f32, causes: &BTreeSet<usize>, rank: usize) -> [f32; 14] {
    let weight = |n: usize| finding.evidence.get(n).map_or(0.0, |e| e.weight);
    let Some(best) = finding.evidence.first() else { return [0.0; 14] };
    let unit = &reading.units[best.sentence];
    let clause = pattern.file.rule.any.get(best.clause);
    let own =
        best.words.iter().filter(|(c, w)| unit.hits.iter().any(|h| h.own && h.range.start == w.start && h.tag == Tag::Concept(*c))).count();
    let flag = |b: bool| if b { 1.0 } else { 0.0 };
    let count = reading.units.iter().filter(|u| u.shape != Shape::Heading).count();
    [
        1.0,
        weight(0),
        weight(1),
        weight(2) + weight(3),
        flag(causes.contains(&best.sentence)),
        flag(finding.evidence.iter().skip(1).any(|e| causes.contains(&e.sentence))),
        clause.map_or(0.0, |c| c.weight),
        clause.map_or(1.0, |c| c.all.len().min(3) as f32),
        (1.0 + rank as f32).ln(),
        (count.max(5) as f32 / 30.0).ln(),
        told,
        pattern.file.rule.prior,
        own as f32 / best.words.len().max(1) as f32,
        flag(unit.role == Some(Role::Summary)),
    ]
}

/// The probability that a tag with these features is right.
pub fn belief(features: &[f32; 14]) -> f32 {
    let sum: f32 = features.iter().zip(WEIGHTS).map(|(f, w)| f * w).sum();
    // evidence that is hardly told as a fact proves nothing, whatever its words
    let told = (features[1] / 0.25).clamp(0.0, 1.0);
    told / (1.0 + (-sum).exp())
}
