//! Additive scores: each unit gets points for what speaks for it and against it, and the sum stays explainable.

/// One line of a score: what it is for, and the points.
pub type Line = (&'static str, f32);

/// A score and how it came about.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// The lines, in the order they were added; lines of nothing are left out.
    pub lines: Vec<Line>,
}

impl Score {
    /// Adds `points` times `amount`.
    pub fn add(&mut self, what: &'static str, points: f32, amount: f32) {
        if amount != 0.0 && points != 0.0 {
            if self.lines.capacity() == 0 {
                self.lines.reserve(16);
            }
            self.lines.push((what, points * amount));
        }
    }

    /// Adds points where `is`.
    pub fn when(&mut self, what: &'static str, points: f32, is: bool) {
        if is {
            self.add(what, points, 1.0);
        }
    }

    /// The sum.
    pub fn sum(&self) -> f32 {
        self.lines.iter().map(|(_, p)| p).sum()
    }
}
