//! How far a pattern is to be believed, from its evidence: a few features with weights that all patterns share.
//!
//! A formula says which sentences speak for a pattern; whether the pattern took part in the incident depends on more: whether the evidence stands in
//! a cause, whether there is more of it, told in how many ways, how many other patterns have stronger evidence. The weights are fitted on the
//! sample corpus and on the short documents of `tests/patterns` (`cargo test --test suite fit -- --ignored --nocapture` prints them), never on other
//! documents, so that a score is a probability: of the tags scored 0.8, about four in five are right.

use super::units::Reading;
use crate::lang::Role;
use crate::pattern::{Finding, Pattern};
use std::collections::BTreeSet;

/// Names of the features, in the order of [`features`].
pub const NAMES: [&str; 13] = [
    "bias",
    "best evidence",
    "second",
    "further",
    "best in a cause",
    "other in a cause",
    "clause",
    "better patterns",
    "points as a cause",
    "clauses",
    "in the title",
    "in a cause section",
    "parted by commas",
];

/// The fitted weights.
const WEIGHTS: [f32; NAMES.len()] = [-0.28, 0.39, 0.72, 0.06, 0.09, 0.28, 0.93, -0.84, 0.12, 1.07, 0.19, 0.32, -0.18];

/// What the features of all patterns need to know of a document.
pub struct Ground<'r, 'd> {
    reading: &'r Reading<'d>,
    /// The units that were taken for causes.
    causes: BTreeSet<usize>,
    /// The unit that is the title.
    title: Option<usize>,
}

impl<'r, 'd> Ground<'r, 'd> {
    /// Looks a document over.
    pub fn new(reading: &'r Reading<'d>) -> Ground<'r, 'd> {
        let title = super::sections::title_block(reading.document);
        Ground {
            reading,
            causes: super::causes(reading).iter().map(|c| c.value().unit).collect(),
            title: title.and_then(|b| reading.units.iter().position(|u| u.block == b)),
        }
    }
}

/// The features of a pattern's evidence in a document; `rank` counts the patterns with stronger evidence.
pub fn features(ground: &Ground, pattern: &Pattern, finding: &Finding, rank: usize) -> [f32; NAMES.len()] {
    let weight = |n: usize| finding.evidence.get(n).map_or(0.0, |e| e.weight);
    let reading = ground.reading;
    let Some(best) = finding.evidence.first() else { return [0.0; NAMES.len()] };
    let unit = &reading.units[best.sentence];
    let clause = pattern.file.rule.any.get(best.clause);
    let flag = |b: bool| if b { 1.0 } else { 0.0 };
    [
        1.0,
        weight(0),
        weight(1),
        weight(2) + weight(3),
        flag(ground.causes.contains(&best.sentence)),
        flag(finding.evidence.iter().skip(1).any(|e| ground.causes.contains(&e.sentence))),
        clause.map_or(0.0, |c| c.weight),
        (1.0 + rank as f32).ln(),
        (super::cause_score(reading, best.sentence).sum() / 3.0).clamp(-1.0, 2.0),
        (finding.clauses as f32).ln(),
        flag(finding.evidence.iter().any(|e| Some(e.sentence) == ground.title)),
        flag(unit.role.is_some_and(|r| matches!(r, Role::RootCause | Role::Trigger | Role::Contributing))),
        best.limits.min(4) as f32,
    ]
}

/// The probability that a tag with these features is right.
pub fn belief(features: &[f32; NAMES.len()]) -> f32 {
    let sum: f32 = features.iter().zip(WEIGHTS).map(|(f, w)| f * w).sum();
    // evidence that is hardly told as a fact proves nothing, whatever its words
    let told = (features[1] / 0.25).clamp(0.0, 1.0);
    told / (1.0 + (-sum).exp())
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
