//! The reStructuredText reader: titles by adornment, lists and definitions by indent, directives, tables drawn with signs.
//!
//! Lines below a base column are read together; what is indented further belongs to the item, definition or directive above it.

mod directives;
mod inline;
mod lists;
mod tables;
#[cfg(test)]
mod tests;

use super::markup::{self, Line, Writer};
use super::{Document, Format, FrontMatter, front_matter, shapes};
use crate::text::Source;
use inline::Rst;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Blocks within blocks are not read deeper than this.
const DEEPEST: usize = 24;

pub(super) fn read(source: &Source) -> Document {
    let head = front_matter::read(source);
    let of = markup::without(source.text(), head.body, &[]);
    let lines = markup::lines(of.as_str(), 0..of.len());
    let mut r = Reader { w: Writer::new(&of), lines, styles: Vec::new(), depth: 0, items: 0, fields: head.front_matter, literal: false };
    r.body(0..r.lines.len());
    let fields = std::mem::take(&mut r.fields);
    let mut document = r.w.document(Format::Rst, fields);
    document.diagnostics = head.diagnostics;
    document
}

struct Reader<'s> {
    w: Writer<'s>,
    lines: Vec<Line>,
    /// Adornments of titles, outermost first: the sign, and whether it stands above the title too.
    styles: Vec<(char, bool)>,
    depth: usize,
    /// How many lists what is read stands in.
    items: u8,
    fields: FrontMatter,
    /// The paragraph just read announced a literal block.
    literal: bool,
}

impl Reader<'_> {
    /// Reads lines that belong together.
    fn body(&mut self, range: Range<usize>) {
        if self.depth >= DEEPEST {
            let (Some(a), Some(b)) = (self.lines.get(range.start), range.end.checked_sub(1).and_then(|n| self.lines.get(n))) else {
                return;
            };
            let all = a.start..b.text.end.max(a.start);
            return self.w.paragraph(all.clone(), all, self.items, &Rst);
        }
        self.depth += 1;
        let base = self.lines[range.clone()].iter().filter(|l| !l.is_blank()).map(|l| l.indent).min().unwrap_or(0);
        let mut i = range.start;
        while i < range.end {
            i = if self.lines[i].is_blank() { i + 1 } else { self.block(i, range.end, base).max(i + 1) };
        }
        self.depth -= 1;
    }

    fn said(&self, i: usize) -> &str {
        self.lines.get(i).map_or("", |l| &self.w.text[l.text.clone()])
    }

    /// The bytes of lines `a..b`, white space at their ends aside.
    fn bytes(&self, a: usize, b: usize) -> Range<usize> {
        let start = self.lines[a].text.start;
        let last = self.lines[a..b].iter().rposition(|l| !l.is_blank()).map_or(a, |n| a + n);
        start..self.lines[last].text.end.max(start)
    }

    /// The first line from `i` on, below `end`, that is neither blank nor indented further than `column`.
    fn outdent(&self, i: usize, end: usize, column: usize) -> usize {
        (i..end).find(|&n| !self.lines[n].is_blank() && self.lines[n].indent <= column).unwrap_or(end)
    }

    /// The lines of `i..end` less blank ones at their end.
    fn trim(&self, i: usize, end: usize) -> usize {
        (i..end).rev().find(|&n| !self.lines[n].is_blank()).map_or(i, |n| n + 1)
    }

    /// Reads the block at line `i`; gives the line after it.
    fn block(&mut self, i: usize, end: usize, base: usize) -> usize {
        let line = self.lines[i].clone();
        let text = self.w.text;
        let said = &text[line.text.clone()];
        if std::mem::take(&mut self.literal) {
            if line.indent > base {
                let next = self.outdent(i, end, base);
                let body = self.lines[i..self.trim(i, next)].to_vec();
                self.w.code(&body, self.bytes(i, next));
                return next;
            }
            // a literal block may be quoted by a sign instead of its indent
            if let Some(sign) = said.chars().next().filter(char::is_ascii_punctuation)
                && !said.starts_with("..")
            {
                let next = (i..end).find(|&n| !self.said(n).starts_with(sign)).unwrap_or(end);
                let body = self.lines[i..next].to_vec();
                self.w.code(&body, self.bytes(i, next));
                return next;
            }
        }
        if line.indent > base {
            // indented text is a quote by the book; in reports it is layout
            let next = self.outdent(i, end, base);
            self.body(i..next);
            return next;
        }
        if let Some(next) = self.title(i, end, base) {
            return next;
        }
        if said == ".." || said.starts_with(".. ") {
            return self.explicit(i, end);
        }
        if said.starts_with("__ ") {
            return i + 1;
        }
        if let Some(next) = self.table(i, end).or_else(|| self.list(i, end)) {
            return next;
        }
        if said.starts_with(">>> ") {
            let next = (i..end).find(|&n| self.lines[n].is_blank()).unwrap_or(end);
            let body = self.lines[i..next].to_vec();
            self.w.code(&body, self.bytes(i, next));
            return next;
        }
        if said.starts_with("| ") {
            return self.line_block(i, end);
        }
        if let Some(next) = self.definition(i, end) {
            return next;
        }
        self.paragraph(i, end)
    }

    /// The sign a line consists of.
    fn adornment(&self, i: usize) -> Option<char> {
        let said = self.said(i);
        let sign = said.chars().next().filter(char::is_ascii_punctuation)?;
        (said.len() >= 2 && said.chars().all(|c| c == sign)).then_some(sign)
    }

    /// A title or a transition.
    fn title(&mut self, i: usize, end: usize, base: usize) -> Option<usize> {
        if let Some(sign) = self.adornment(i) {
            let over =
                i + 2 < end && !self.lines[i + 1].is_blank() && self.adornment(i + 2) == Some(sign) && self.adornment(i + 1).is_none();
            if over && self.covers(i, i + 1) {
                let text = self.lines[i + 1].text.clone();
                let level = self.level((sign, true));
                self.w.heading(level, text, self.bytes(i, i + 3), &Rst);
                return Some(i + 3);
            }
            let alone = self.said(i).len() >= 4 && self.said(i + 1).is_empty();
            if alone && !matches!(sign, '|' | '.' | ':') && (sign != '=' || self.table(i, end).is_none()) {
                let block = self.lines[i].text.clone();
                self.w.rule(block);
                return Some(i + 1);
            }
            return None;
        }
        let sign = (i + 1 < end).then(|| self.adornment(i + 1)).flatten()?;
        if self.lines[i].indent != base || self.lines[i + 1].indent != base || !self.covers(i + 1, i) || self.said(i + 1) == "::" {
            return None;
        }
        let level = self.level((sign, false));
        let text = self.lines[i].text.clone();
        self.w.heading(level, text, self.bytes(i, i + 2), &Rst);
        Some(i + 2)
    }

    /// True where an adornment is about as long as the title.
    fn covers(&self, adornment: usize, title: usize) -> bool {
        let (line, said) = (self.said(adornment).len(), self.said(title));
        line >= 3 && (said.len() > 400 || line * 10 >= said.width() * 6) && said.len() <= 400 || line == said.width()
    }

    fn level(&mut self, style: (char, bool)) -> usize {
        match self.styles.iter().position(|s| *s == style) {
            Some(n) => n + 1,
            None => {
                self.styles.push(style);
                self.styles.len()
            }
        }
    }

    /// Lines behind bars, each by itself.
    fn line_block(&mut self, i: usize, end: usize) -> usize {
        let mut n = i;
        while n < end && (self.said(n).starts_with("| ") || self.said(n) == "|") {
            let line = self.lines[n].text.clone();
            let mut last = n;
            while last + 1 < end && !self.lines[last + 1].is_blank() && self.lines[last + 1].indent > self.lines[n].indent {
                last += 1;
            }
            let range = (line.start + 1).min(line.end)..self.lines[last].text.end;
            self.w.paragraph(range.clone(), line.start..range.end, self.items, &Rst);
            n = last + 1;
        }
        n
    }

    /// A term with what is indented right below it.
    fn definition(&mut self, i: usize, end: usize) -> Option<usize> {
        let below = self.lines.get(i + 1).filter(|l| i + 1 < end && !l.is_blank() && l.indent > self.lines[i].indent)?.indent;
        let said = self.said(i);
        // a paragraph whose second line slipped is none
        if below > self.lines[i].indent + 12 || said.ends_with("::") || said.chars().count() > 100 {
            return None;
        }
        let next = self.trim(i + 1, self.outdent(i + 1, end, self.lines[i].indent));
        if shapes::opens_with_stamp(said) {
            // a stamp and what happened then are one entry
            let first = (i + 1..next).find(|&n| self.lines[n].is_blank()).unwrap_or(next);
            if !(i + 1..first).any(|n| lists::marker(self.said(n)).is_some() || self.said(n).starts_with("..")) {
                let range = self.bytes(i, first);
                self.w.paragraph(range.clone(), range, self.items, &Rst);
                self.body(first..next);
                return Some(next);
            }
        }
        let term = self.lines[i].text.clone();
        self.w.term(term, &Rst);
        self.body(i + 1..next);
        Some(next)
    }

    fn paragraph(&mut self, i: usize, end: usize) -> usize {
        let indent = self.lines[i].indent;
        let mut next = i + 1;
        while next < end && !self.lines[next].is_blank() && self.lines[next].indent >= indent {
            let said = self.said(next);
            if said.starts_with(".. ")
                || (next + 1 < end && self.adornment(next + 1).is_some_and(|_| self.covers(next + 1, next)) && said.len() > 2)
            {
                break;
            }
            next += 1;
        }
        let mut range = self.bytes(i, next);
        let block = range.clone();
        let text = &self.w.text[range.clone()];
        if text.ends_with("::") {
            self.literal = true;
            // `text::` shows one colon, ` ::` none
            range.end -= if text == "::" || text.ends_with(" ::") || text.ends_with("\n::") { 2 } else { 1 };
        }
        self.w.paragraph(range, block, self.items, &Rst);
        next
    }
}
