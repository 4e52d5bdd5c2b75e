//! Text with a map back to the bytes it came from.

use super::Span;
use std::ops::Range;

/// A run of text: `out` bytes of output from `src` bytes of source. A *linear* run maps byte by byte; any other is one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    out: usize,
    out_len: usize,
    src: usize,
    src_len: usize,
    linear: bool,
}

impl Run {
    /// The source bytes of the output range `[from, to)` (clipped to this run).
    fn source(&self, from: usize, to: usize) -> Span {
        if self.linear {
            let a = from.saturating_sub(self.out).min(self.out_len);
            let b = to.saturating_sub(self.out).min(self.out_len);
            Span::new(self.src + a, self.src + b)
        } else {
            Span::new(self.src, self.src + self.src_len)
        }
    }
}

/// Derived text and, piecewise, where each of its bytes came from. Identity costs one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapped {
    text: String,
    runs: Vec<Run>,
}

impl Mapped {
    /// Text that stands as it is at `start` of the source.
    pub fn identity(text: &str, start: usize) -> Mapped {
        let mut b = MappedBuilder::default();
        b.linear(text, start);
        b.finish()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Length of the text in bytes.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// True where there is no text.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn runs_in(&self, range: &Range<usize>) -> &[Run] {
        let from = self.runs.partition_point(|r| r.out + r.out_len <= range.start);
        let to = self.runs.partition_point(|r| r.out < range.end);
        &self.runs[from.min(to)..to]
    }

    /// The source bytes a range of the text stands on, in order, joined where they touch. Bytes skipped between (markup) are left out.
    pub fn spans(&self, range: Range<usize>) -> Vec<Span> {
        super::join(self.runs_in(&range).iter().map(|r| r.source(range.start, range.end)).collect())
    }

    /// The smallest source span that holds a range of the text.
    pub fn span(&self, range: Range<usize>) -> Span {
        let runs = self.runs_in(&range);
        let mut spans = runs.iter().map(|r| r.source(range.start, range.end)).filter(|s| !s.is_empty());
        match spans.next() {
            Some(first) => spans.fold(first, |a, b| a.cover(&b)),
            None => {
                let at = self.runs.iter().rev().find(|r| r.out <= range.start).map_or(0, |r| r.source(range.start, range.start).start);
                Span::new(at, at)
            }
        }
    }

    /// The smallest source span that holds the whole text.
    pub fn whole(&self) -> Span {
        self.span(0..self.text.len())
    }

    /// A part of the text, with its map. The range must lie on character boundaries; it is clipped to the text.
    pub fn slice(&self, range: Range<usize>) -> Mapped {
        let (start, end) = (range.start.min(self.text.len()), range.end.min(self.text.len()));
        let mut b = MappedBuilder::default();
        b.piece(self, start..end.max(start));
        b.finish()
    }

    /// The text without white space at its ends, with its map.
    pub fn trim(&self) -> Mapped {
        let t = self.text.trim_start();
        let start = self.text.len() - t.len();
        self.slice(start..start + t.trim_end().len())
    }

    /// Source offset of the first byte of the text position `at`.
    pub fn offset(&self, at: usize) -> usize {
        self.span(at..(at + 1).min(self.text.len().max(at))).start
    }

    /// The pieces the text is made of, in order: start in the text, length in the text, source bytes. Where text and source are of one length, they
    /// map byte by byte.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, usize, Span)> + '_ {
        self.runs.iter().map(|r| (r.out, r.out_len, Span::new(r.src, r.src + r.src_len)))
    }

    /// The text positions that stand on the source bytes `span`; `None` where none does.
    pub fn locate(&self, span: Span) -> Option<Range<usize>> {
        let mut found: Option<Range<usize>> = None;
        for r in &self.runs {
            let s = Span::new(r.src, r.src + r.src_len);
            if s.overlap(&span) == 0 {
                continue;
            }
            let (a, b) = if r.linear {
                (r.out + span.start.saturating_sub(r.src).min(r.out_len), r.out + (span.end - r.src).min(r.out_len))
            } else {
                (r.out, r.out + r.out_len)
            };
            found = Some(found.map_or(a..b, |f| f.start.min(a)..f.end.max(b)));
        }
        found
    }
}

/// Builds a [`Mapped`] piece by piece.
#[derive(Default)]
pub struct MappedBuilder {
    out: Mapped,
}

impl MappedBuilder {
    /// Appends text that stands byte for byte at `src` of the source.
    pub fn linear(&mut self, text: &str, src: usize) {
        self.push(text, src, text.len(), true);
    }

    /// Appends text that was made of the source bytes `src` as one piece (an entity, a decoded character, a folded break).
    pub fn atom(&mut self, text: &str, src: Span) {
        self.push(text, src.start, src.len(), false);
    }

    /// Appends a range of another mapped text, maps composed.
    pub fn piece(&mut self, of: &Mapped, range: Range<usize>) {
        for r in of.runs_in(&range) {
            let (from, to) = (r.out.max(range.start), (r.out + r.out_len).min(range.end));
            if from < to {
                let s = r.source(from, to);
                self.push(&of.text[from..to], s.start, s.len(), r.linear);
            }
        }
    }

    /// Appends `text`, which was made of a range of another mapped text as one piece.
    pub fn made_of(&mut self, text: &str, of: &Mapped, range: Range<usize>) {
        if of.text.get(range.clone()) == Some(text) {
            self.piece(of, range);
        } else {
            self.atom(text, of.span(range));
        }
    }

    fn push(&mut self, text: &str, src: usize, src_len: usize, linear: bool) {
        if text.is_empty() {
            return;
        }
        let out = self.out.text.len();
        self.out.text.push_str(text);
        if linear
            && let Some(last) = self.out.runs.last_mut()
            && last.linear
            && last.src + last.src_len == src
        {
            last.out_len += text.len();
            last.src_len += src_len;
            return;
        }
        self.out.runs.push(Run { out, out_len: text.len(), src, src_len, linear });
    }

    /// The text so far.
    pub fn as_str(&self) -> &str {
        &self.out.text
    }

    /// True where nothing was appended.
    pub fn is_empty(&self) -> bool {
        self.out.text.is_empty()
    }

    /// The finished text.
    pub fn finish(self) -> Mapped {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Mapped {
        // source: `a&amp;b**c**`
        let mut b = MappedBuilder::default();
        b.linear("a", 0);
        b.atom("&", Span::new(1, 6));
        b.linear("b", 6);
        b.linear("c", 9);
        b.finish()
    }

    #[test]
    fn spans_skip_markup_and_cover_entities() {
        let m = sample();
        assert_eq!(m.as_str(), "a&bc");
        assert_eq!(m.spans(0..4), [Span::new(0, 7), Span::new(9, 10)]);
        assert_eq!(m.span(1..2), Span::new(1, 6));
        assert_eq!(m.whole(), Span::new(0, 10));
    }

    #[test]
    fn slices_keep_their_way_home() {
        let m = sample();
        let s = m.slice(2..4);
        assert_eq!((s.as_str(), s.whole()), ("bc", Span::new(6, 10)));
        assert_eq!(m.locate(Span::new(9, 10)), Some(3..4));
        assert_eq!(m.locate(Span::new(7, 9)), None);
    }
}
