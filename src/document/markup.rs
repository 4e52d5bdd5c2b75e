//! What the readers of lightweight markups (wikis, manuals, outlines) share: lines with their places, a walk over inline markup, and a writer of
//! blocks that keeps every byte known.
//!
//! A reader goes over the lines, tells what each block is, and hands ranges of the decoded text to the [`Writer`]; what signs inside a block mean
//! is told by its [`Inline`](inline::Inline).

pub(super) mod delimited;
pub(super) mod detect;
pub(super) mod inline;

use super::front_matter::{Field, FrontMatter, STATING};
use super::ink::{Flow, Ink};
use super::paragraph::{self, Place};
use super::{Block, Certainty, Document, Format, Kind, shapes, table};
use crate::text::{Mapped, MappedBuilder};
use inline::Inline;
use std::ops::Range;

/// One line. Offsets are those of the text that is read.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Where it begins.
    pub start: usize,
    /// What it says, without white space at its ends; empty for a blank line.
    pub text: Range<usize>,
    /// Column of its first character.
    pub indent: usize,
}

impl Line {
    pub fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// The text of line `i`; nothing after the last.
pub(in crate::document) fn said<'t>(text: &'t str, lines: &[Line], i: usize) -> &'t str {
    lines.get(i).map_or("", |l| &text[l.text.clone()])
}

/// The lines of a range of `text`.
pub(super) fn lines(text: &str, range: Range<usize>) -> Vec<Line> {
    let mut out = Vec::new();
    let mut at = range.start;
    let bytes = text.as_bytes();
    while at < range.end {
        let len = bytes[at..range.end].iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(range.end - at);
        let (indent, skip) = shapes::indent(&text[at..at + len]);
        let begin = at + skip;
        out.push(Line { start: at, text: begin..begin + text[begin..at + len].trim_end().len(), indent });
        at += len;
        at += match bytes[at..range.end] {
            [b'\r', b'\n', ..] => 2,
            [_, ..] => 1,
            _ => 0,
        };
    }
    out
}

/// Text without the ranges (ascending) that are none of it: comments of the markup. What stays knows its bytes.
pub(super) fn without(of: &Mapped, from: usize, dropped: &[Range<usize>]) -> Mapped {
    let mut out = MappedBuilder::default();
    let mut at = from;
    for range in dropped {
        out.piece(of, at..range.start.max(at));
        at = at.max(range.end);
    }
    out.piece(of, at..of.len().max(at));
    out.finish()
}

/// The comments `<!-- … -->` of a text from `from` on; one that fills lines of its own takes its last line break along.
pub(super) fn comments(text: &str, from: usize) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = from;
    while let Some(start) = text[at..].find("<!--").map(|n| at + n) {
        let Some(end) = text[start..].find("-->").map(|n| start + n + 3) else { break };
        at = end;
        let alone = text[..start].trim_end_matches([' ', '\t']).ends_with('\n') || start == from;
        let tail = text[end..].trim_start_matches([' ', '\t']);
        let broken = tail.strip_prefix("\r\n").or_else(|| tail.strip_prefix('\n'));
        let end = if alone { broken.map_or(end, |t| text.len() - t.len()) } else { end };
        out.push(start..end);
        at = at.max(end);
    }
    out
}

/// Writes blocks. Offsets are those of `of`.
pub(super) struct Writer<'s> {
    pub of: &'s Mapped,
    pub text: &'s str,
    pub out: Vec<Block>,
    /// Tables so far.
    pub tables: usize,
    /// How many quotes what comes stands in.
    pub quote: u8,
}

impl<'s> Writer<'s> {
    pub fn new(of: &'s Mapped) -> Writer<'s> {
        Writer { of, text: of.as_str(), out: Vec::new(), tables: 0, quote: 0 }
    }

    /// The document of what was written.
    pub fn document(self, format: Format, front_matter: FrontMatter) -> Document {
        Document { format, front_matter, blocks: self.out, lang: None, title: None, diagnostics: Vec::new() }
    }

    /// A range as a reader sees it.
    pub fn flow(&self, range: Range<usize>, how: &dyn Inline) -> Flow {
        let mut ink = Ink::new(self.of);
        ink.begin(range.start);
        inline::write(&mut ink, self.text, range, how);
        ink.close_all();
        ink.take()
    }

    fn place(&self, depth: u8) -> Place<'s> {
        Place { of: self.of, quote: self.quote, lang: None, depth, gap: true, note: false, knows_bullets: true }
    }

    /// A heading that markup tells; `range` holds its text, `block` its markup too.
    pub fn heading(&mut self, level: usize, range: Range<usize>, block: Range<usize>, how: &dyn Inline) {
        let level = u8::try_from(level.clamp(1, 6)).unwrap_or(6);
        self.titled(level, Certainty::Certain, range, block, how);
    }

    /// What looks like a heading: the title of a box, the term of a definition.
    pub fn label(&mut self, range: Range<usize>, block: Range<usize>, how: &dyn Inline) {
        self.titled(6, Certainty::Likely, range, block, how);
    }

    fn titled(&mut self, level: u8, certainty: Certainty, range: Range<usize>, block: Range<usize>, how: &dyn Inline) {
        let flow = self.flow(range, how);
        if !flow.text.as_str().trim().is_empty() {
            let made = self.place(0).block(Kind::Heading { level, certainty }, flow, block, true);
            self.out.push(made);
        }
    }

    /// The term of a definition: a heading where it is short, a stamp by itself, else a paragraph.
    pub fn term(&mut self, range: Range<usize>, how: &dyn Inline) {
        let said = self.text[range.clone()].trim();
        if shapes::is_short(said) && !shapes::opens_with_stamp(said) {
            self.label(range.clone(), range, how);
        } else {
            self.paragraph(range.clone(), range, 0, how);
        }
    }

    /// A paragraph, which may turn out to be lines of their own.
    pub fn paragraph(&mut self, range: Range<usize>, block: Range<usize>, depth: u8, how: &dyn Inline) {
        let flow = self.flow(range, how);
        self.prose(flow, block, depth);
    }

    /// A paragraph that was made already.
    pub fn prose(&mut self, flow: Flow, block: Range<usize>, depth: u8) {
        let place = self.place(depth);
        paragraph::paragraph(flow, block, &place, &mut self.out);
    }

    /// A list item's own text; `depth` from 0.
    pub fn item(&mut self, depth: u8, ordered: bool, check: Option<bool>, range: Range<usize>, block: Range<usize>, how: &dyn Inline) {
        let flow = self.flow(range, how);
        self.made_item(depth, ordered, check, flow, block);
    }

    /// A list item whose text was made already.
    pub fn made_item(&mut self, depth: u8, ordered: bool, check: Option<bool>, flow: Flow, block: Range<usize>) {
        let place = self.place(depth.saturating_add(1));
        paragraph::item(flow, block, ordered, check, &place, &mut self.out);
    }

    /// A row of the table `number`; nothing where all cells are empty.
    pub fn row(&mut self, number: usize, header: bool, cells: Vec<Flow>, block: Range<usize>) {
        if cells.iter().all(|c| c.text.as_str().trim().is_empty()) {
            return;
        }
        let (flow, cells) = table::row(cells, self.of);
        let made = self.place(0).block(Kind::Row { table: number, header, cells }, flow, block, true);
        self.out.push(made);
    }

    /// The number of the next table.
    pub fn table(&mut self) -> usize {
        self.tables += 1;
        self.tables - 1
    }

    /// A caption, an aside, a footnote's text.
    pub fn note(&mut self, range: Range<usize>, block: Range<usize>, how: &dyn Inline) {
        let flow = self.flow(range, how);
        let place = Place { note: true, ..self.place(0) };
        paragraph::paragraph(flow, block, &place, &mut self.out);
    }

    /// Preformatted text: lines as they stand, less the blank columns all of them begin with.
    pub fn code(&mut self, body: &[Line], block: Range<usize>) {
        let said = |l: &&Line| !l.is_blank();
        let (Some(first), Some(last)) = (body.iter().position(|l| !l.is_blank()), body.iter().rposition(|l| !l.is_blank())) else { return };
        let strip = body.iter().filter(said).map(|l| l.text.start - l.start).min().unwrap_or(0);
        let mut out = MappedBuilder::default();
        for (i, line) in body[first..=last].iter().enumerate() {
            let begin = line.text.start.min(line.start + strip);
            let end = body.get(first + i + 1).filter(|_| first + i < last).map_or(line.text.end, |n| n.start);
            out.piece(self.of, self.floor(begin)..end.max(begin));
        }
        self.preformatted(out.finish(), block);
    }

    /// Preformatted text that stands at `range`.
    pub fn code_at(&mut self, range: Range<usize>, block: Range<usize>) {
        let piece = &self.text[range.clone()];
        let lead: usize = piece.split_inclusive('\n').take_while(|l| l.trim().is_empty()).map(str::len).sum();
        let end = range.start + piece.trim_end().len();
        self.preformatted(self.of.slice((range.start + lead).min(end)..end), block);
    }

    fn preformatted(&mut self, text: Mapped, block: Range<usize>) {
        if text.as_str().trim().is_empty() {
            return;
        }
        let made = self.place(0).block(Kind::Code, Flow { text, ..Flow::default() }, block, true);
        self.out.push(made);
    }

    /// A thematic break.
    pub fn rule(&mut self, block: Range<usize>) {
        let made = self.place(0).block(Kind::Rule, Flow::default(), block, true);
        self.out.push(made);
    }

    /// HTML among the markup.
    pub fn html(&mut self, range: Range<usize>) {
        let html = &self.text[range.clone()];
        let mut made = super::html::fragment(self.of, html, range.start, self.quote, 0, &mut self.tables);
        self.out.append(&mut made);
    }

    fn floor(&self, at: usize) -> usize {
        (0..4).map(|n| at.saturating_sub(n)).find(|&n| self.text.is_char_boundary(n)).unwrap_or(0)
    }
}

/// A field of the document itself, where the markup has such: what it states is front matter.
pub(super) fn field(of: &Mapped, key: Range<usize>, value: Range<usize>) -> Option<Field> {
    let text = of.as_str();
    let key = text.get(key)?.trim().to_lowercase();
    let said = text.get(value.clone())?.trim();
    (!key.is_empty() && !said.is_empty()).then(|| Field {
        key,
        values: vec![said.to_owned()],
        span: of.span(paragraph::trimmed(text, value)),
    })
}

/// Keys of fields that state something about the incident, by the names that front matter has for them; `date` among them.
pub(super) fn states(key: &str) -> bool {
    STATING.contains(&key)
}

/// Adds a field unless its key is there already; gives its place to the whole.
pub(super) fn add_field(to: &mut FrontMatter, field: Field) {
    if to.field(&field.key).is_none() {
        to.span = Some(to.span.map_or(field.span, |s| s.cover(&field.span)));
        to.fields.push(field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_take_their_lines_along() {
        let text = "a\n<!-- x\n y -->\nb <!-- z --> c\n<!-- open";
        let of = Mapped::identity(text, 0);
        let kept = without(&of, 0, &comments(text, 0));
        assert_eq!(kept.as_str(), "a\nb  c\n<!-- open");
        assert_eq!(kept.span(2..3).start, text.find("b ").unwrap());
    }

    #[test]
    fn code_loses_its_indent_and_keeps_its_places() {
        let text = "x\n    one\n\n      two\n";
        let of = Mapped::identity(text, 0);
        let mut w = Writer::new(&of);
        w.code(&lines(text, 2..text.len()), 2..text.len());
        assert_eq!(w.out[0].text.as_str(), "one\n\n  two");
        assert_eq!(w.out[0].text.span(7..10), crate::text::Span::new(17, 20));
    }
}
