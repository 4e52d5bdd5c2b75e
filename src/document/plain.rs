//! The reader for text without markup: paragraphs, items, tables and headings are told from the shapes of lines.

mod headings;
mod lines;
mod table;
#[cfg(test)]
mod tests;

use super::ink::{Flow, Ink};
use super::paragraph::Place;
use super::shapes::{self, Depths};
use super::{Block, Document, Format, FrontMatter, Kind};
use crate::text::{Mapped, Source};
use lines::{Line, Wrap};
use std::ops::Range;

/// A paragraph longer than this (in bytes) is told in pieces.
const LONGEST: usize = 100_000;

pub(super) fn read(source: &Source) -> Document {
    read_from(source, 0)
}

/// Reads the text of a source from `start` (of the decoded text) on.
pub(super) fn read_from(source: &Source, start: usize) -> Document {
    let text = source.text().as_str();
    let lines = lines::lines(text, start);
    let wrap = Wrap::of(&lines);
    let mut reader = Reader { of: source.text(), text, lines, wrap, tables: 0, depths: Depths::default(), item: None, out: Vec::new() };
    reader.read();
    Document {
        format: Format::Plain,
        front_matter: FrontMatter::default(),
        blocks: reader.out,
        lang: None,
        title: None,
        diagnostics: vec![],
    }
}

struct Reader<'s> {
    of: &'s Mapped,
    text: &'s str,
    lines: Vec<Line>,
    wrap: Wrap,
    tables: usize,
    depths: Depths,
    /// The indent of the item that a list just had.
    item: Option<usize>,
    out: Vec<Block>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let first = self.lines.iter().position(|l| !l.is_blank()).unwrap_or(0);
        // a line of dashes above a title frames it
        let title = first + usize::from(self.rule_char(first).is_some());
        let mut i = first;
        let mut gap = true;
        while i < self.lines.len() {
            if self.lines[i].is_blank() {
                gap = true;
                i += 1;
                continue;
            }
            i = self.block(i, i == title, gap);
            gap = false;
        }
    }

    /// Reads the block at line `i`, gives the line after it.
    fn block(&mut self, i: usize, first: bool, gap: bool) -> usize {
        if let Some(next) = self.fence(i, gap) {
            return next;
        }
        if self.rule_char(i).is_some() {
            // above an underlined line it is a frame
            let frames = self.lines.get(i + 1).is_some_and(|l| !l.is_blank())
                && self.lines.get(i + 2).is_some()
                && self.rule_char(i + 2) == self.rule_char(i);
            if !frames {
                let line = &self.lines[i];
                let (range, quote) = (line.text.clone(), line.quote);
                self.push(Kind::Rule, Flow::default(), range, quote, true);
            }
            return i + 1;
        }
        if let Some(next) = self.table(i) {
            self.item = None;
            return next;
        }
        if let Some(h) = self.heading(i, first) {
            let (line, next) = (self.lines[i].clone(), h.next);
            let flow = self.flow(h.text);
            let end = self.lines[next - 1].text.end;
            self.item = None;
            self.depths = Depths::default();
            self.push(Kind::Heading { level: h.level, certainty: h.certainty }, flow, line.text.start..end, line.quote, gap);
            return next;
        }
        if let Some(next) = self.item(i, gap) {
            return next;
        }
        self.paragraph(i, gap)
    }

    /// The sign that a line consists of, where it is a rule (`-----`, `=====`).
    fn rule_char(&self, i: usize) -> Option<char> {
        let text = &self.text[self.lines.get(i)?.text.clone()];
        let c = text.chars().next().filter(|c| {
            matches!(
                c,
                '-' | '='
                    | '*'
                    | '_'
                    | '~'
                    | '#'
                    | '^'
                    | '+'
                    | '─'
                    | '═'
                    | '━'
                    | '—'
                    | '–'
                    | '‾'
                    | '＝'
                    | '－'
                    | '―'
                    | 'ー'
                    | '＊'
                    | '∗'
                    | '…'
            )
        })?;
        let mut n = 0;
        let same = text.chars().all(|d| {
            n += usize::from(d == c);
            d == c || d == ' '
        });
        (same && n >= 3).then_some(c)
    }

    fn fence(&mut self, i: usize, gap: bool) -> Option<usize> {
        let line = self.lines[i].clone();
        let text = &self.text[line.text.clone()];
        if !text.starts_with("```") || text[3..].contains('`') {
            return None;
        }
        let close = (i + 1..self.lines.len()).take(20_000).find(|&n| self.text[self.lines[n].text.clone()].starts_with("```"))?;
        if close > i + 1 {
            let from = self.lines[i + 1].start;
            let body = from..self.lines[close - 1].text.end.max(from);
            let flow = Flow { text: self.of.slice(body), ..Flow::default() };
            if !flow.text.as_str().trim().is_empty() {
                self.push(Kind::Code, flow, line.text.start..self.lines[close].text.end, line.quote, gap);
            }
        }
        Some(close + 1)
    }

    fn item(&mut self, i: usize, gap: bool) -> Option<usize> {
        let line = self.lines[i].clone();
        let text = &self.text[line.text.clone()];
        let bullet = shapes::bullet(text)?;
        if bullet.ordered && bullet.number.is_none_or(|n| n > 1) && !self.in_sequence(i, bullet.number) {
            return None;
        }
        if self.item.is_none() {
            self.depths = Depths::default();
        }
        let depth = self.depths.at(line.indent);
        self.item = Some(line.indent);
        let body = &text[bullet.len..];
        let (check, boxed) = shapes::check_box(body).map_or((None, 0), |(ticked, len)| (Some(ticked), len));
        let own = line.text.start + bullet.len + boxed..line.text.end;
        let mut pieces = Vec::from([own]);
        let mut next = i + 1;
        while next < self.lines.len() {
            let (prev, more) = (&self.lines[next - 1], &self.lines[next]);
            let said = &self.text[more.text.clone()];
            if more.is_blank() || more.quote != line.quote || shapes::bullet(said).is_some() || self.rule_char(next).is_some() {
                break;
            }
            let hangs = more.indent > line.indent;
            if !(self.wrap.joins(self.text, prev, more) || (hangs && !shapes::opens_with_stamp(said))) {
                break;
            }
            pieces.push(more.text.clone());
            next += 1;
        }
        let flow = self.joined(&pieces);
        let end = self.lines[next - 1].text.end;
        self.push(Kind::Item { depth, ordered: bullet.ordered, check }, flow, line.text.start..end, line.quote, gap);
        Some(next)
    }

    /// True where a number goes on with a list, or a list goes on with it.
    fn in_sequence(&self, i: usize, number: Option<u32>) -> bool {
        let near = |n: usize| {
            let line = &self.lines[n];
            shapes::bullet(&self.text[line.text.clone()]).filter(|b| b.ordered)
        };
        let before = (i.saturating_sub(30)..i).rev().find_map(near);
        let after = self.next_said(i + 1).and_then(near);
        let fits = |a: Option<u32>, b: Option<u32>| match (a, b) {
            (Some(a), Some(b)) => b >= a && b <= a + 3,
            (None, None) => true,
            _ => false,
        };
        before.is_some_and(|b| fits(b.number, number)) || after.is_some_and(|b| fits(number, b.number))
    }

    fn paragraph(&mut self, i: usize, gap: bool) -> usize {
        let line = self.lines[i].clone();
        // what is indented below an item leaves the list open
        if gap && self.item.is_some_and(|indent| line.indent <= indent) {
            self.item = None;
        }
        let mut next = i + 1;
        let mut pieces = vec![line.text.clone()];
        while next < self.lines.len() {
            let (prev, more) = (&self.lines[next - 1], &self.lines[next]);
            if more.is_blank()
                || !self.wrap.joins(self.text, prev, more)
                || self.rule_char(next).is_some()
                || shapes::bullet(&self.text[more.text.clone()]).is_some_and(|b| !b.ordered)
            {
                break;
            }
            pieces.push(more.text.clone());
            next += 1;
        }
        let end = self.lines[next - 1].text.end;
        if end - line.text.start <= LONGEST {
            let flow = self.joined(&pieces);
            self.push(Kind::Paragraph, flow, line.text.start..end, line.quote, gap);
            return next;
        }
        let mut gap = gap;
        for piece in pieces {
            let mut from = piece.start;
            while from < piece.end {
                let to = self.cut(from, piece.end);
                let range = super::paragraph::trimmed(self.text, from..to);
                let flow = self.flow(range.clone());
                if !flow.text.is_empty() {
                    self.push(Kind::Paragraph, flow, range, line.quote, gap);
                    gap = false;
                }
                from = to;
            }
        }
        next
    }

    /// Where to cut a text that is too long: at white space if there is some, on a character boundary in any case.
    fn cut(&self, from: usize, end: usize) -> usize {
        if end - from <= LONGEST {
            return end;
        }
        let mut at = from + LONGEST;
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        self.text[from..at].rfind(char::is_whitespace).filter(|n| *n > 0).map_or(at, |n| from + n)
    }

    fn flow(&self, range: Range<usize>) -> Flow {
        self.joined(&[range])
    }

    /// Pieces of lines as one text.
    fn joined(&self, pieces: &[Range<usize>]) -> Flow {
        let mut ink = Ink::new(self.of);
        let mut before: Option<usize> = None;
        for piece in pieces.iter().filter(|p| !p.is_empty()) {
            if let Some(end) = before {
                ink.soft(end..piece.start);
            }
            ink.exact(piece.clone());
            before = Some(piece.end);
        }
        ink.take()
    }

    fn push(&mut self, kind: Kind, flow: Flow, range: Range<usize>, quote: u8, gap: bool) {
        if flow.text.is_empty() && kind != Kind::Rule {
            return;
        }
        let place = Place { of: self.of, quote, lang: None, depth: 0, gap, note: false, knows_bullets: false };
        self.out.push(place.block(kind, flow, range, gap));
    }
}
