//! The lines of a plain text, and whether they are paragraphs or wrapped pieces of them.

use super::super::shapes;
use std::ops::Range;

/// Lines wider than this (in columns) are no wrapped prose.
const WIDEST: usize = 110;
/// Wrapped prose has lines at least this wide.
const NARROWEST: usize = 50;

/// One line, quote marks and white space at its ends taken off. Offsets are those of the decoded text.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Where the line begins, quote marks and indent included.
    pub start: usize,
    /// What it says; empty for a blank line.
    pub text: Range<usize>,
    /// Column of its first character, after quote marks.
    pub indent: usize,
    pub quote: u8,
    /// Columns of what it says (an estimate where it is very long).
    pub width: usize,
}

impl Line {
    pub fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// All lines of `text` from `from` on.
pub(super) fn lines(text: &str, from: usize) -> Vec<Line> {
    let mut out = Vec::new();
    let mut at = from;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        let len = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        out.push(line(text, at..at + len));
        let breaks = match rest.get(len..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([_, ..]) => 1,
            _ => 0,
        };
        at += len + breaks;
    }
    out
}

fn line(text: &str, range: Range<usize>) -> Line {
    let mut at = range.start;
    let mut quote = 0u8;
    // `> > text`; a lone `>` without a blank behind it is more likely a sign (`>5%`)
    loop {
        let rest = text[at..range.end].trim_start_matches([' ', '\t']);
        let Some(after) = rest.strip_prefix('>').filter(|a| a.is_empty() || a.starts_with([' ', '\t', '>'])) else { break };
        quote = quote.saturating_add(1);
        at = range.end - after.len();
    }
    let (indent, skip) = shapes::indent(&text[at..range.end]);
    let begin = at + skip;
    let end = begin + text[begin..range.end].trim_end().len();
    Line { start: range.start, text: begin..end, indent, quote, width: shapes::width(&text[begin..end], 400) }
}

/// How a text was wrapped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrap {
    /// The column at which lines end, `None` where each line is a paragraph.
    at: Option<usize>,
}

impl Wrap {
    /// Judges by all lines of a text.
    pub fn of(lines: &[Line]) -> Wrap {
        let (mut long, mut mid) = (0usize, 0usize);
        let mut widths = vec![0usize; WIDEST + 1];
        for l in lines.iter().filter(|l| !l.is_blank()) {
            let full = l.indent.min(WIDEST) + l.width;
            if full > WIDEST {
                long += 1;
            } else if full >= NARROWEST {
                mid += 1;
                widths[full] += 1;
            }
        }
        if mid == 0 || long * 3 > mid {
            return Wrap { at: None };
        }
        // the widest that is not alone in being so wide
        let mut above = 0;
        let at = (NARROWEST..=WIDEST).rev().find(|&w| {
            above += widths[w];
            above * 20 >= mid
        });
        Wrap { at }
    }

    /// True where the second line goes on with what the first one says.
    pub fn joins(&self, text: &str, a: &Line, b: &Line) -> bool {
        let Some(limit) = self.at else { return false };
        if a.quote != b.quote {
            return false;
        }
        let (first, second) = (&text[a.text.clone()], &text[b.text.clone()]);
        let full = a.indent + a.width;
        if full + 1 < limit / 2 {
            return false;
        }
        if shapes::mostly_cjk(first) {
            // no words to fit: full lines that do not end a sentence
            return full * 20 >= limit * 17
                && !(shapes::ends_sentence(first) || shapes::ends_in_colon(first))
                && !shapes::opens_with_stamp(second);
        }
        let word: usize = second.split_whitespace().next().map_or(0, |w| shapes::width(w, 400));
        let no_room = full + 1 + word + 2 > limit;
        if shapes::opens_with_stamp(second) && (shapes::ends_sentence(first) || shapes::opens_with_stamp(first) || !no_room) {
            return false;
        }
        let goes_on = second.chars().next().is_some_and(char::is_lowercase);
        let open = !shapes::ends_sentence(first) || first.ends_with([',', ';', '،']);
        no_room || (open && goes_on) || (open && full * 10 >= limit * 8 && !shapes::ends_in_colon(first))
    }

    /// True where a line is as wide as lines get before they are wrapped.
    pub fn is_full(&self, line: &Line) -> bool {
        self.at.is_some_and(|limit| (line.indent + line.width) * 10 >= limit * 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_indents() {
        let text = "> > a\r\n\t- b\r>5 %\n\n";
        let l = lines(text, 0);
        let said: Vec<(&str, u8, usize)> = l.iter().map(|l| (&text[l.text.clone()], l.quote, l.indent)).collect();
        assert_eq!(said, [("a", 2, 1), ("- b", 0, 4), (">5 %", 0, 0), ("", 0, 0)]);
    }

    #[test]
    fn wrapped_and_not() {
        let wrapped = "The primary database ran out of connections because every pod opened\nits own pool and none of them was closed when the deploy rolled back, so\nthat clients had to wait.\nNobody was paged.\n";
        let l = lines(wrapped, 0);
        let w = Wrap::of(&l);
        assert!(w.joins(wrapped, &l[0], &l[1]) && w.joins(wrapped, &l[1], &l[2]) && !w.joins(wrapped, &l[2], &l[3]));
        let short = "Db down\nFixed it\nAll good\n";
        let l = lines(short, 0);
        assert!(!Wrap::of(&l).joins(short, &l[0], &l[1]));
    }
}
