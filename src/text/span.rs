//! Byte ranges of a file, and their line and column.

use serde::{Serialize, Serializer};

/// `[start, end)` in bytes of the file as it lies on disk, in the file's own encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span; `end` before `start` gives an empty one at `start`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end: end.max(start) }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// True where the span holds no byte.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// How many bytes two spans have in common.
    pub fn overlap(&self, other: &Span) -> usize {
        self.end.min(other.end).saturating_sub(self.start.max(other.start))
    }

    /// The smallest span that holds both.
    pub fn cover(&self, other: &Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// True where `other` lies inside.
    pub fn contains(&self, other: &Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.start, self.end].serialize(serializer)
    }
}

/// Sorts spans and joins those that touch or overlap.
pub fn join(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|s| !s.is_empty());
    spans.sort_unstable();
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match out.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => out.push(span),
        }
    }
    out
}

/// Where the lines of a source begin; made once, asked often.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    pub(super) fn new(starts: Vec<usize>) -> LineIndex {
        LineIndex { starts }
    }

    /// Line number of a byte offset, counted from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&s| s <= offset).max(1)
    }

    /// Byte offset at which a line (from 1) begins.
    pub fn start(&self, line: usize) -> usize {
        self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0)
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_sorts_and_melts() {
        let spans = vec![Span::new(5, 9), Span::new(0, 2), Span::new(2, 4), Span::new(7, 7)];
        assert_eq!(join(spans), [Span::new(0, 4), Span::new(5, 9)]);
    }

    #[test]
    fn overlap_and_cover() {
        assert_eq!(Span::new(0, 5).overlap(&Span::new(3, 9)), 2);
        assert_eq!(Span::new(0, 2).overlap(&Span::new(3, 9)), 0);
        assert_eq!(Span::new(0, 2).cover(&Span::new(3, 9)), Span::new(0, 9));
    }
}
