//! A block's text while it is read: white space settled, marks opened and closed, lines remembered, every byte mapped.

use super::Mark;
use super::shapes::is_cjk;
use crate::text::{Mapped, MappedBuilder};
use std::mem::{discriminant, take};
use std::ops::Range;

/// How many marks may be open at once; deeper ones are not told.
const OPEN_MARKS: usize = 32;

/// Where a line of a block begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Position in the block's text.
    pub at: usize,
    /// Offset in the decoded text, markup included.
    pub start: usize,
}

/// The finished text of a block. Offsets are those of the decoded text.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    pub text: Mapped,
    pub marks: Vec<(Range<usize>, Mark)>,
    pub lines: Vec<Line>,
}

impl Flow {
    /// The parts that begin at the given positions of the text (ascending, on character boundaries), without white space at their ends.
    pub fn split(&self, starts: &[usize]) -> Vec<Flow> {
        let text = self.text.as_str();
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(starts.len());
        for (i, &start) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(text.len());
            let piece = &text[start..end];
            let from = start + piece.len() - piece.trim_start().len();
            ranges.push(from..from.max(start + piece.trim_end().len()));
        }
        let mut parts: Vec<Flow> =
            ranges.iter().map(|r| Flow { text: self.text.slice(r.clone()), marks: Vec::new(), lines: Vec::new() }).collect();
        let first = |at: usize| ranges.partition_point(|r| r.end <= at);
        for (range, mark) in &self.marks {
            for (part, r) in parts.iter_mut().zip(&ranges).skip(first(range.start)).take_while(|(_, r)| r.start < range.end) {
                let (a, b) = (range.start.max(r.start), range.end.min(r.end));
                if a < b {
                    part.marks.push((a - r.start..b - r.start, mark.clone()));
                }
            }
        }
        for line in &self.lines {
            let at = starts.partition_point(|&s| s <= line.at).saturating_sub(1);
            if let (Some(part), Some(r)) = (parts.get_mut(at), ranges.get(at)) {
                part.lines.push(Line { at: line.at.saturating_sub(r.start).min(r.len()), start: line.start });
            }
        }
        parts
    }

    /// The text from `at` on.
    pub fn from(&self, at: usize) -> Flow {
        self.split(&[at]).pop().unwrap_or_default()
    }

    /// The ranges of the lines in the text.
    pub fn line_ranges(&self) -> Vec<Range<usize>> {
        let next = |i: usize| self.lines.get(i + 1).map_or(self.text.len(), |l| l.at);
        self.lines.iter().enumerate().map(|(i, l)| l.at..next(i).max(l.at)).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pause {
    Space,
    Soft,
    Hard,
}

/// Collects a block's text from ranges of the decoded text of a source.
pub(super) struct Ink<'s> {
    of: &'s Mapped,
    out: MappedBuilder,
    marks: Vec<(Range<usize>, Mark)>,
    open: Vec<(Option<usize>, Mark)>,
    /// Marks opened beyond what is told, so that their ends are not taken for others'.
    beyond: usize,
    waiting: bool,
    pause: Option<(Range<usize>, Pause)>,
    lines: Vec<Line>,
    next_line: Option<usize>,
}

impl<'s> Ink<'s> {
    pub fn new(of: &'s Mapped) -> Ink<'s> {
        Ink {
            of,
            out: MappedBuilder::default(),
            marks: Vec::new(),
            open: Vec::new(),
            beyond: 0,
            waiting: false,
            pause: None,
            lines: Vec::new(),
            next_line: None,
        }
    }

    /// True where nothing was written.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.out.as_str().len()
    }

    /// Text as it stands at `range`; runs of ASCII white space become one space.
    pub fn prose(&mut self, range: Range<usize>) {
        let Some(text) = self.of.as_str().get(range.clone()) else { return };
        let bytes = text.as_bytes();
        let mut from = 0;
        let mut i = 0;
        while i < bytes.len() {
            if !bytes[i].is_ascii_whitespace() {
                i += 1;
                continue;
            }
            let mut end = i + 1;
            while end < bytes.len() && bytes[end].is_ascii_whitespace() {
                end += 1;
            }
            // one plain space inside a run of text stays part of it
            if end - i == 1 && bytes[i] == b' ' && i > from && end < bytes.len() {
                i = end;
                continue;
            }
            self.exact(range.start + from..range.start + i);
            let broken = bytes[i..end].iter().any(|b| matches!(b, b'\n' | b'\r'));
            self.pause(range.start + i..range.start + end, if broken { Pause::Soft } else { Pause::Space });
            from = end;
            i = end;
        }
        self.exact(range.start + from..range.end);
    }

    /// Text exactly as it stands at `range`.
    pub fn exact(&mut self, range: Range<usize>) {
        let of = self.of;
        if let Some(text) = of.as_str().get(range.clone())
            && let Some(first) = text.chars().next()
        {
            self.settle(first, range.start);
            self.out.piece(of, range);
        }
    }

    /// Text that was made of the bytes at `range` as one piece.
    pub fn made(&mut self, text: &str, range: Range<usize>) {
        let of = self.of;
        if let Some(first) = text.chars().next() {
            self.settle(first, range.start);
            self.out.made_of(text, of, range);
        }
    }

    /// White space, or what is to be read as such, that shows only between text.
    pub fn space(&mut self, range: Range<usize>) {
        self.pause(range, Pause::Space);
    }

    /// A line of the source ends, the text goes on.
    pub fn soft(&mut self, range: Range<usize>) {
        self.next_line = Some(range.end);
        self.pause(range, Pause::Soft);
    }

    /// A line break that is meant.
    pub fn hard(&mut self, range: Range<usize>) {
        self.next_line = Some(range.end);
        self.pause(range, Pause::Hard);
    }

    /// The block begins at `start` of the decoded text (markup included).
    pub fn begin(&mut self, start: usize) {
        if self.is_empty() {
            self.next_line = Some(start);
        }
    }

    fn pause(&mut self, range: Range<usize>, kind: Pause) {
        match &mut self.pause {
            Some((r, k)) => {
                if kind > *k {
                    *r = range;
                    *k = kind;
                } else if kind == *k && r.end == range.start {
                    r.end = range.end;
                }
            }
            None => self.pause = Some((range, kind)),
        }
    }

    /// Writes what waits before text that begins with `first` and stands at `at`.
    fn settle(&mut self, first: char, at: usize) {
        if let Some((range, kind)) = self.pause.take()
            && let Some(last) = self.out.as_str().chars().next_back()
        {
            let of = self.of;
            match kind {
                Pause::Hard => self.out.made_of("\n", of, range),
                _ if last.is_whitespace() || first.is_whitespace() => {}
                Pause::Soft if is_cjk(last) && is_cjk(first) => {}
                _ => self.out.made_of(" ", of, range),
            }
        }
        let here = self.len();
        if let Some(start) = self.next_line.take() {
            self.lines.push(Line { at: here, start });
        } else if self.lines.is_empty() {
            self.lines.push(Line { at: 0, start: at });
        }
        if self.waiting {
            self.waiting = false;
            for (start, _) in self.open.iter_mut().filter(|(s, _)| s.is_none()) {
                *start = Some(here);
            }
        }
    }

    /// A mark opens.
    pub fn open(&mut self, mark: Mark) {
        if self.open.len() < OPEN_MARKS {
            self.open.push((None, mark));
            self.waiting = true;
        } else {
            self.beyond += 1;
        }
    }

    /// The innermost mark of this kind closes.
    pub fn close(&mut self, mark: &Mark) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        if let Some(i) = self.open.iter().rposition(|(_, m)| discriminant(m) == discriminant(mark)) {
            let (start, mark) = self.open.remove(i);
            let end = self.len();
            if let Some(start) = start.filter(|s| *s < end) {
                self.marks.push((start..end, mark));
            }
        }
    }

    /// Closes all marks for good.
    pub fn close_all(&mut self) {
        self.open.clear();
        self.beyond = 0;
        self.waiting = false;
    }

    /// What was written; marks still open go on in the next block.
    pub fn take(&mut self) -> Flow {
        let end = self.len();
        for (start, mark) in &mut self.open {
            if let Some(start) = start.take().filter(|s| *s < end) {
                self.marks.push((start..end, mark.clone()));
            }
        }
        self.waiting = !self.open.is_empty();
        self.pause = None;
        self.next_line = None;
        let mut marks = take(&mut self.marks);
        marks.sort_by_key(|(r, _)| (r.start, std::cmp::Reverse(r.end)));
        Flow { text: take(&mut self.out).finish(), marks, lines: take(&mut self.lines) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_marks_and_lines() {
        let of = Mapped::identity("a  b\n c", 10);
        let mut ink = Ink::new(&of);
        ink.prose(0..1);
        ink.open(Mark::Strong);
        ink.prose(1..5);
        ink.close(&Mark::Strong);
        ink.soft(4..5);
        ink.prose(5..7);
        let flow = ink.take();
        assert_eq!(flow.text.as_str(), "a b c");
        assert_eq!(flow.marks, [(2..3, Mark::Strong)]);
        assert_eq!(flow.lines.len(), 2);
        assert_eq!(flow.text.span(4..5).start, 16);
        assert_eq!(flow.text.span(1..2), crate::text::Span::new(11, 13));
    }

    #[test]
    fn no_space_between_cjk_lines() {
        let of = Mapped::identity("原因は\n設定 の\nx", 0);
        let mut ink = Ink::new(&of);
        ink.prose(0..of.len());
        assert_eq!(ink.take().text.as_str(), "原因は設定 の x");
    }

    #[test]
    fn parts_keep_their_marks() {
        let of = Mapped::identity("ab\ncd\nef", 0);
        let mut ink = Ink::new(&of);
        ink.open(Mark::Code);
        ink.prose(0..2);
        ink.hard(2..3);
        ink.prose(3..5);
        ink.close(&Mark::Code);
        ink.hard(5..6);
        ink.prose(6..8);
        let flow = ink.take();
        let parts = flow.split(&[0, 3, 6]);
        assert_eq!(parts.iter().map(|p| p.text.as_str()).collect::<Vec<_>>(), ["ab", "cd", "ef"]);
        assert_eq!(parts[1].marks, [(0..2, Mark::Code)]);
        assert!(parts[2].marks.is_empty());
        assert_eq!(parts[2].lines, [Line { at: 0, start: 6 }]);
    }
}
