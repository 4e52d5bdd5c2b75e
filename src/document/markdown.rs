//! The Markdown reader: a walk over the parser's events, each of which tells its bytes.

mod boxes;
mod detect;
mod inline;
mod shadow;
#[cfg(test)]
mod tests;

use super::ink::{Flow, Ink};
use super::paragraph::{self, Place};
use super::{Block, Certainty, Document, Format, Kind, Mark, front_matter, html};
use crate::diag::Diagnostic;
use crate::text::{Mapped, MappedBuilder, Source};
use inline::{code_span, code_text};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use shadow::Shadow;
use std::collections::BTreeSet;
use std::ops::Range;

pub(super) use detect::looks_like;

/// Texts longer than this, and texts with a line as long as this, are read as plain text.
const LONGEST: usize = 48 << 20;
const LONGEST_LINE: usize = 2 << 20;

pub(super) fn read(source: &Source) -> Document {
    let drawn = boxes::drawn(source.text().as_str(), front_matter::read(source).body);
    if drawn.is_empty() { read_text(source) } else { read_text(&source.without(&drawn)) }
}

fn read_text(source: &Source) -> Document {
    let head = front_matter::read(source);
    let body = &source.text().as_str()[head.body..];
    if body.len() > LONGEST || body.split('\n').any(|l| l.len() > LONGEST_LINE) {
        let mut document = super::plain::read_from(source, head.body);
        document.format = Format::Markdown;
        document.front_matter = head.front_matter;
        document.diagnostics = head.diagnostics;
        document.diagnostics.push(
            Diagnostic::note("too-long", "The text or one of its lines is too long for Markdown; it was read as plain text.", vec![])
                .hint("Split the file, or keep data out of it."),
        );
        return document;
    }
    let name = source.path().to_ascii_lowercase();
    let shadow = shadow::shadow(body, name.contains(".mdx"));
    let mut walk = Walk::new(source.text(), head.body, &shadow);
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(&shadow.text, options).into_offset_iter() {
        walk.event(event, range);
    }
    walk.flush(walk.base + shadow.text.len());
    Document {
        format: Format::Markdown,
        front_matter: head.front_matter,
        blocks: walk.out,
        lang: None,
        title: None,
        diagnostics: head.diagnostics,
    }
}

/// A list item that is open.
struct Item {
    ordered: bool,
    check: Option<bool>,
    start: usize,
    /// Its own text was told; what follows is paragraphs.
    told: bool,
}

struct Row {
    header: bool,
    start: usize,
    cells: Vec<Flow>,
}

struct Walk<'s> {
    of: &'s Mapped,
    /// Where the Markdown begins in the decoded text; events count from there.
    base: usize,
    shadow: &'s Shadow,
    closed_tags: BTreeSet<String>,
    ink: Ink<'s>,
    /// Where the block that is being written begins.
    begin: Option<usize>,
    heading: Option<u8>,
    quote: u8,
    lists: Vec<bool>,
    items: Vec<Item>,
    notes: usize,
    tables: usize,
    row: Option<Row>,
    code: Option<MappedBuilder>,
    html: Option<Vec<Range<usize>>>,
    /// An element whose content is no text, until it closes.
    mute: Option<String>,
    /// For each open link or tilde: what its end has to do.
    struck: Vec<bool>,
    out: Vec<Block>,
}

impl<'s> Walk<'s> {
    fn new(of: &'s Mapped, base: usize, shadow: &'s Shadow) -> Walk<'s> {
        Walk {
            of,
            base,
            shadow,
            closed_tags: html::closed_tags(&shadow.text),
            ink: Ink::new(of),
            begin: None,
            heading: None,
            quote: 0,
            lists: Vec::new(),
            items: Vec::new(),
            notes: 0,
            tables: 0,
            row: None,
            code: None,
            html: None,
            mute: None,
            struck: Vec::new(),
            out: Vec::new(),
        }
    }

    fn place(&self) -> Place<'s> {
        let depth = u8::try_from(self.lists.len()).unwrap_or(u8::MAX);
        Place { of: self.of, quote: self.quote, lang: None, depth, gap: true, note: self.notes > 0, knows_bullets: true }
    }

    /// Ends the block that is being written; `end` is an offset of the decoded text.
    fn flush(&mut self, end: usize) {
        let flow = self.ink.take();
        self.ink.close_all();
        self.mute = None;
        self.struck.clear();
        let begin = self.begin.take();
        let Some(begin) = begin.filter(|_| !flow.text.as_str().trim().is_empty()) else { return };
        let range = begin..end.max(begin);
        let place = self.place();
        match self.items.last_mut().filter(|i| !i.told && self.notes == 0) {
            Some(item) => {
                item.told = true;
                paragraph::item(flow, item.start..range.end, item.ordered, item.check, &place, &mut self.out);
            }
            None => paragraph::paragraph(flow, range, &place, &mut self.out),
        }
    }

    /// Text or a mark is about to be written at `start` of the decoded text.
    fn writes(&mut self, start: usize) {
        if self.begin.is_none() {
            self.begin = Some(start);
            self.ink.begin(start);
        }
    }

    fn event(&mut self, event: Event, local: Range<usize>) {
        let range = self.base + local.start..self.base + local.end;
        match event {
            Event::Start(tag) => self.start(tag, local, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => {
                if let Some(code) = &mut self.code {
                    code_text(code, self.of, &text, range);
                } else {
                    self.text(&text, local, false);
                }
            }
            Event::Code(text) => {
                self.writes(range.start);
                self.ink.open(Mark::Code);
                if self.mute.is_none() {
                    code_span(&mut self.ink, self.of, &text, range);
                }
                self.ink.close(&Mark::Code);
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text, local, false),
            Event::Html(_) => {
                if let Some(pieces) = &mut self.html {
                    pieces.push(local);
                }
            }
            Event::InlineHtml(text) => self.inline_html(&text, local),
            Event::SoftBreak => self.ink.soft(range),
            Event::HardBreak => self.ink.hard(range),
            Event::Rule => {
                self.flush(range.start);
                let place = self.place();
                self.out.push(place.block(Kind::Rule, Flow::default(), range, true));
            }
            Event::TaskListMarker(ticked) => {
                if let Some(item) = self.items.last_mut() {
                    item.check = Some(ticked);
                }
            }
            Event::FootnoteReference(_) => {}
        }
    }

    fn start(&mut self, tag: Tag, local: Range<usize>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                self.flush(range.start);
                self.writes(range.start);
            }
            Tag::Heading { level, .. } => {
                self.flush(range.start);
                self.heading = Some(level as u8);
                self.writes(range.start);
            }
            Tag::BlockQuote(_) => {
                self.flush(range.start);
                self.quote = self.quote.saturating_add(1);
            }
            Tag::CodeBlock(_) => {
                self.flush(range.start);
                self.code = Some(MappedBuilder::default());
            }
            Tag::HtmlBlock => {
                self.flush(range.start);
                self.html = Some(Vec::new());
            }
            Tag::List(first) => {
                self.flush(range.start);
                self.lists.push(first.is_some());
            }
            Tag::Item => {
                self.flush(range.start);
                let ordered = self.lists.last().copied().unwrap_or(false);
                self.items.push(Item { ordered, check: None, start: range.start, told: false });
            }
            Tag::FootnoteDefinition(_) => {
                self.flush(range.start);
                self.notes += 1;
            }
            Tag::Table(_) => {
                self.flush(range.start);
                self.tables += 1;
            }
            Tag::TableHead | Tag::TableRow => {
                self.row = Some(Row { header: matches!(tag, Tag::TableHead), start: range.start, cells: Vec::new() });
            }
            Tag::TableCell => self.writes(range.start),
            Tag::Emphasis => self.mark(Mark::Emphasis, range.start),
            Tag::Strong => self.mark(Mark::Strong, range.start),
            Tag::Strikethrough => {
                // one tilde means “about” or a range far more often than it strikes
                let real = self.shadow.text[local.start..].starts_with("~~");
                self.struck.push(real);
                self.writes(range.start);
                if real { self.ink.open(Mark::Struck) } else { self.ink.exact(range.start..range.start + 1) }
            }
            Tag::Link { dest_url, .. } => {
                let url = self.url(&dest_url, local);
                self.mark(Mark::Link(url), range.start);
            }
            Tag::Image { .. } => self.mark(Mark::Image, range.start),
            _ => {}
        }
    }

    fn mark(&mut self, mark: Mark, start: usize) {
        self.writes(start);
        self.ink.open(mark);
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Heading(_) => self.end_heading(range),
            TagEnd::BlockQuote(_) => {
                self.flush(range.end);
                self.quote = self.quote.saturating_sub(1);
            }
            TagEnd::CodeBlock => {
                if let Some(code) = self.code.take().map(MappedBuilder::finish) {
                    let end = code.as_str().trim_end().len();
                    let text = code.slice(0..end);
                    if !text.is_empty() {
                        let flow = Flow { text, ..Flow::default() };
                        let block = self.place().block(Kind::Code, flow, range, true);
                        self.out.push(block);
                    }
                }
            }
            TagEnd::HtmlBlock => self.end_html(),
            TagEnd::List(_) => {
                self.flush(range.end);
                self.lists.pop();
            }
            TagEnd::Item => {
                self.flush(range.end);
                self.items.pop();
            }
            TagEnd::FootnoteDefinition => {
                self.flush(range.end);
                self.notes = self.notes.saturating_sub(1);
            }
            TagEnd::TableCell => {
                let flow = self.ink.take();
                self.ink.close_all();
                self.begin = None;
                if let Some(row) = &mut self.row {
                    row.cells.push(flow);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                if let Some(row) = self.row.take()
                    && row.cells.iter().any(|c| !c.text.is_empty())
                {
                    let (text, cells) = super::table::row(row.cells, self.of);
                    let kind = Kind::Row { table: self.tables.saturating_sub(1), header: row.header, cells };
                    let block = self.place().block(kind, text, row.start..range.end, true);
                    self.out.push(block);
                }
            }
            TagEnd::Paragraph => self.flush(range.end),
            TagEnd::Emphasis => self.ink.close(&Mark::Emphasis),
            TagEnd::Strong => self.ink.close(&Mark::Strong),
            TagEnd::Strikethrough => {
                if self.struck.pop().unwrap_or(true) {
                    self.ink.close(&Mark::Struck);
                } else {
                    self.ink.exact(range.end - 1..range.end);
                }
            }
            TagEnd::Link => self.ink.close(&Mark::Link(String::new())),
            TagEnd::Image => self.ink.close(&Mark::Image),
            _ => {}
        }
    }

    fn end_heading(&mut self, range: Range<usize>) {
        let level = self.heading.take().unwrap_or(1);
        let source = self.of.as_str().get(range.clone()).unwrap_or("").trim();
        let lines = source.lines().count();
        // dashes right below a paragraph of several lines are meant as a break
        if !source.starts_with('#') && source.ends_with('-') && lines > 2 {
            let end = range.start + source.rfind('\n').unwrap_or(source.len());
            self.flush(end);
            let block = self.place().block(Kind::Rule, Flow::default(), end..range.end, true);
            self.out.push(block);
            return;
        }
        let flow = self.ink.take();
        self.ink.close_all();
        self.begin = None;
        if !flow.text.is_empty() {
            if let Some(item) = self.items.last_mut() {
                item.told = true;
            }
            let block = self.place().block(Kind::Heading { level, certainty: Certainty::Certain }, flow, range, true);
            self.out.push(block);
        }
    }

    fn end_html(&mut self) {
        let Some(pieces) = self.html.take() else { return };
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return };
        let (start, end) = (first.start, last.end);
        // what stands between the pieces (quote marks, indents) is covered
        let mut bytes: Vec<u8> = self.shadow.text.as_bytes()[start..end].iter().map(|b| if *b == b'\n' { b'\n' } else { b' ' }).collect();
        for p in &pieces {
            bytes[p.start - start..p.end - start].copy_from_slice(&self.shadow.text.as_bytes()[p.clone()]);
        }
        let dropped = &self.shadow.dropped;
        for d in &dropped[dropped.partition_point(|d| d.end <= start)..] {
            if d.start >= end {
                break;
            }
            bytes[d.start.max(start) - start..d.end.min(end) - start].fill(b' ');
        }
        let Ok(html) = String::from_utf8(bytes) else { return };
        let depth = u8::try_from(self.lists.len()).unwrap_or(u8::MAX);
        let mut blocks = html::fragment(self.of, &html, self.base + start, self.quote, depth, &mut self.tables);
        if let Some(item) = self.items.last_mut().filter(|i| !i.told)
            && let Some(block) = blocks.first_mut().filter(|b| b.kind == Kind::Paragraph)
        {
            item.told = true;
            block.kind = Kind::Item { depth: depth.saturating_sub(1), ordered: item.ordered, check: item.check };
        }
        if self.notes > 0 {
            blocks.iter_mut().filter(|b| b.kind == Kind::Paragraph).for_each(|b| b.kind = Kind::Note);
        }
        self.out.append(&mut blocks);
    }
}
