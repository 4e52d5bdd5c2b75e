//! What a formula finds in a document, and how far it can carry a tag.

use crate::lang::Concept;
use std::ops::Range;

/// A clause that found its groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The sentence's index.
    pub sentence: usize,
    /// Which clause of the formula.
    pub clause: usize,
    /// Its weight after trust.
    pub weight: f32,
    /// How far its sentence is told as a fact, as in [`Trust::told`].
    pub told: f32,
    /// The words it was found by, as ranges of the sentence's block (of that sentence only).
    pub words: Vec<(Concept, Range<usize>)>,
    /// How far its words lie apart, in letters.
    pub spread: f32,
    /// How many commas and the like stand between them.
    pub limits: usize,
    /// True where a part of it stands in another sentence.
    pub elsewhere: bool,
}

impl Evidence {
    /// How far it can carry a tag, 0 to 1: what is told as a hypothesis, a definition or another's incident carries none, however plain its words.
    pub fn carries(&self) -> f32 {
        ((self.told - 0.25) / 0.35).clamp(0.0, 1.0)
    }

    /// What it is ordered by: a fact stands before a stronger hypothesis.
    pub(super) fn rank(&self) -> f32 {
        self.weight * (0.02 + self.carries())
    }
}

/// What a formula says about a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// 0 to 1.
    pub score: f32,
    /// The evidence, strongest first; at most one piece a sentence.
    pub evidence: Vec<Evidence>,
    /// How many clauses of the formula found something.
    pub clauses: usize,
    /// How many sentences hold evidence.
    pub sentences: usize,
}

impl Finding {
    /// How far the evidence can carry a tag, 0 to 1: as far as the best of it, or what is at least half as strong.
    pub fn carries(&self) -> f32 {
        let best = self.evidence.first().map_or(0.0, |e| e.weight).max(0.01);
        self.evidence.iter().map(|e| e.carries() * (2.0 * e.weight / best).min(1.0)).fold(0.0, f32::max)
    }
}
