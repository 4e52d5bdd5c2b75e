//! The MediaWiki reader: headings between equals signs, lists by signs at the head of a line, tables between braces, templates.
//!
//! What the wiki's software adds or leaves out (categories, tables of contents, comments) is passed over; a template's named parameters are read as
//! labels, because that is how wikis keep the data of an incident. Tables of double bars, as MoinMoin and Trac have them, are read as well; the rest of
//! those markups is nearly the same.

mod inline;
mod table;
mod template;
#[cfg(test)]
mod tests;

use super::markup::{self, Line, Writer};
use super::{Document, Format, front_matter, html};
use crate::text::Source;
use inline::Wiki;
use std::ops::Range;

/// Elements whose content is preformatted.
const PREFORMATTED: [&str; 5] = ["pre", "source", "syntaxhighlight", "code", "nowiki"];
/// How far the end of an element or a template is looked for, in bytes.
const FAR: usize = 1 << 16;
/// Blocks within blocks are not read deeper than this.
const DEEPEST: usize = 8;

pub(super) fn read(source: &Source) -> Document {
    let head = front_matter::read(source);
    let text = source.text().as_str();
    let of = markup::without(source.text(), head.body, &markup::comments(text, head.body));
    let mut reader = Reader { w: Writer::new(&of), lines: markup::lines(of.as_str(), 0..of.len()), depth: 0 };
    reader.read();
    let mut document = reader.w.document(Format::MediaWiki, head.front_matter);
    document.diagnostics = head.diagnostics;
    document
}

struct Reader<'s> {
    w: Writer<'s>,
    lines: Vec<Line>,
    /// How many blocks what is read stands within.
    depth: usize,
}

impl Reader<'_> {
    fn read(&mut self) {
        let mut i = 0;
        while i < self.lines.len() {
            i = self.block(i).max(i + 1);
        }
    }

    fn said(&self, i: usize) -> &str {
        markup::said(self.w.text, &self.lines, i)
    }

    /// The line that holds the offset `at`, or the one after the last.
    fn line_at(&self, at: usize) -> usize {
        self.lines.partition_point(|l| l.start < at)
    }

    /// Reads the block at line `i`, gives the line after it.
    fn block(&mut self, i: usize) -> usize {
        let line = self.lines[i].clone();
        let text = self.w.text;
        let said = &text[line.text.clone()];
        if said.is_empty() {
            return i + 1;
        }
        if let Some((level, inner)) = heading(said) {
            let range = line.text.start + inner.start..line.text.start + inner.end;
            self.w.heading(level, range, line.text, &Wiki);
            return i + 1;
        }
        if said.starts_with("----") && said.trim_start_matches('-').trim().is_empty() {
            self.w.rule(line.text);
            return i + 1;
        }
        if said.starts_with("{|") {
            return self.table(i);
        }
        if table::is_bars(said) {
            return self.bars(i);
        }
        if said.starts_with("{{")
            && let Some(end) = template::end(text, line.text.start)
        {
            return self.template(i, end);
        }
        if said.starts_with('<')
            && let Some(next) = self.element(i)
        {
            return next;
        }
        if is_silent(said) {
            return i + 1;
        }
        if said.starts_with(['*', '#', ':', ';']) && line.indent == 0 {
            self.item(&line);
            return i + 1;
        }
        // a line that begins with a blank is preformatted; one alone among prose is a slip
        if text[line.start..].starts_with(' ') && line.indent < 40 {
            let end = (i..self.lines.len()).find(|&n| !text[self.lines[n].start..].starts_with(' ')).unwrap_or(self.lines.len());
            if end - i > 1 || self.lines.get(end).is_none_or(Line::is_blank) && i.checked_sub(1).is_none_or(|n| self.lines[n].is_blank()) {
                let block = line.text.start..self.lines[end - 1].text.end;
                let body = self.lines[i..end].to_vec();
                self.w.code(&body, block);
                return end;
            }
        }
        let end = (i + 1..self.lines.len()).find(|&n| self.begins_block(n)).unwrap_or(self.lines.len());
        let range = line.text.start..self.lines[end - 1].text.end.max(line.text.end);
        self.w.paragraph(range.clone(), range.clone(), 0, &Wiki);
        self.footnotes(range);
        end
    }

    /// True where a line ends the paragraph above it.
    fn begins_block(&self, n: usize) -> bool {
        let said = self.said(n);
        said.is_empty()
            || heading(said).is_some()
            || said.starts_with("{|")
            || table::is_bars(said)
            || said.starts_with("----")
            || (said.starts_with(['*', '#', ':', ';']) && self.lines[n].indent == 0)
            || (said.starts_with('<')
                && tag_name(said).is_some_and(|t| PREFORMATTED[..3].contains(&t) || t == "table" || t == "blockquote"))
            || (said.starts_with("{{") && template::end(self.w.text, self.lines[n].text.start).is_some_and(|e| self.ends_line(e)))
            || is_silent(said)
    }

    fn ends_line(&self, at: usize) -> bool {
        self.w.text[at..].split('\n').next().unwrap_or("").trim().is_empty()
    }

    fn item(&mut self, line: &Line) {
        let text = self.w.text;
        let said = &text[line.text.clone()];
        let signs = said.bytes().take_while(|b| matches!(b, b'*' | b'#' | b':' | b';')).count();
        let prefix = &said[..signs];
        let from = line.text.start + signs;
        let range = from..line.text.end;
        let depth = u8::try_from(signs - 1).unwrap_or(u8::MAX);
        match prefix.as_bytes()[signs - 1] {
            b';' => {
                // `; term : definition` on one line
                let parts = text[range.clone()].find(" : ").map(|n| from + n);
                match parts {
                    Some(at) if !text[from..at].trim().is_empty() => {
                        let how = inline::Term { colon: at };
                        self.w.paragraph(range.clone(), line.text.clone(), depth, &how);
                    }
                    _ => self.w.term(super::paragraph::trimmed(text, range.clone()), &Wiki),
                }
            }
            b':' if !prefix.contains(['*', '#']) => self.w.paragraph(range.clone(), line.text.clone(), depth, &Wiki),
            // a colon below an item goes on with it
            b':' => self.w.paragraph(range.clone(), line.text.clone(), depth, &Wiki),
            sign => self.w.item(depth, sign == b'#', None, range.clone(), line.text.clone(), &Wiki),
        }
        self.footnotes(range);
    }

    /// Reads an element that begins a line: what is preformatted, tables and quotes in HTML, a gallery.
    fn element(&mut self, i: usize) -> Option<usize> {
        let text = self.w.text;
        let start = self.lines[i].text.start;
        let name = tag_name(&text[start..])?;
        let open = start + text[start..].find('>').filter(|n| *n < 2000)? + 1;
        let known = PREFORMATTED[..3].contains(&name) || matches!(name, "table" | "blockquote" | "gallery" | "timeline" | "math" | "graph");
        if !known || text[..open].ends_with("/>") {
            return None;
        }
        let close = format!("</{name}>");
        let (inner_end, end) = find_close(text, open, &close)?;
        match name {
            "table" => self.w.html(start..end),
            "blockquote" => {
                let quote = self.w.quote;
                self.w.quote = quote.saturating_add(1);
                self.within(markup::lines(text, open..inner_end));
                self.w.quote = quote;
            }
            "gallery" | "timeline" | "math" | "graph" => {}
            _ => self.w.code_at(open..inner_end, start..end),
        }
        // what stands behind it on its last line is read too
        let next = self.line_at(end);
        let tail = end..self.lines.get(next.saturating_sub(1)).map_or(end, |l| l.text.end.max(end));
        if !text[tail.clone()].trim().is_empty() {
            self.w.paragraph(tail.clone(), tail, 0, &Wiki);
        }
        Some(next)
    }

    /// Reads a template that begins line `i` and ends at `end`: its named parameters as labels. One that is part of a sentence is left to it.
    fn template(&mut self, i: usize, end: usize) -> usize {
        let text = self.w.text;
        let start = self.lines[i].text.start;
        let next = self.line_at(end);
        if !self.ends_line(end) {
            let last = (next..self.lines.len()).find(|&n| self.begins_block(n)).unwrap_or(self.lines.len());
            let range = start..self.lines[last.max(i + 1) - 1].text.end.max(end);
            self.w.paragraph(range.clone(), range, 0, &Wiki);
            return last.max(i + 1);
        }
        for part in template::parts(text, start..end).into_iter().skip(1) {
            let Some(value) = template::value(text, &part) else { continue };
            if part.name.is_some() {
                let lines = markup::lines(text, value.clone());
                // a value of several lines is a text of its own below its name
                if lines.iter().filter(|l| !l.is_blank()).count() > 1 || text[value.clone()].trim_start().starts_with(['*', '#']) {
                    if let Some(name) = part.name {
                        self.w.label(name.clone(), name, &Wiki);
                    }
                    self.within(lines);
                } else {
                    let how = inline::Named { equals: part.equals };
                    let range = part.name.map_or(value.start, |n| n.start)..value.end;
                    self.w.paragraph(range.clone(), range, 0, &how);
                }
            } else {
                self.within(markup::lines(text, value));
            }
        }
        next
    }

    /// Reads lines that stand within another block.
    fn within(&mut self, lines: Vec<Line>) {
        if self.depth >= DEEPEST {
            return;
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.lines, lines);
        self.read();
        self.lines = outer;
        self.depth -= 1;
    }

    /// What the references of a range say, as notes.
    fn footnotes(&mut self, range: Range<usize>) {
        let text = self.w.text;
        let mut at = range.start;
        while let Some(start) = text[at..range.end].find("<ref").map(|n| at + n) {
            at = start + 4;
            let Some(open) = text[start..range.end].find('>').map(|n| start + n + 1) else { return };
            if text[..open].ends_with("/>") {
                continue;
            }
            let Some((inner, end)) = find_close(text, open, "</ref>").filter(|(_, e)| *e <= range.end) else { return };
            self.w.note(open..inner, start..end, &Wiki);
            at = end;
        }
    }
}

/// The element name that `text` begins with a tag of.
fn tag_name(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('<')?;
    let len = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    (len > 0).then(|| &rest[..len])
}

/// Where the text before a closing tag ends, and the tag itself.
fn find_close(text: &str, from: usize, close: &str) -> Option<(usize, usize)> {
    let mut limit = (from + FAR).min(text.len());
    while !text.is_char_boundary(limit) {
        limit -= 1;
    }
    let n = text[from..limit].find(close).or_else(|| text[from..limit].to_ascii_lowercase().find(close))?;
    Some((from + n, from + n + close.len()))
}

/// Level and inner range of a heading: `== Impact ==`.
fn heading(said: &str) -> Option<(usize, Range<usize>)> {
    let open = said.bytes().take_while(|b| *b == b'=').count();
    if open == 0 || said.len() > 1000 {
        return None;
    }
    let close = said.bytes().rev().take_while(|b| *b == b'=').count();
    if close == 0 || said.len() <= open + close {
        return None;
    }
    let level = open.min(close).min(6);
    let inner = level..said.len() - level;
    (!said[inner.clone()].trim().is_empty()).then_some((level, inner))
}

/// True for lines that show nothing: switches, and links that file the page or lead to it in other languages (`[[Category:Outages]]`).
fn is_silent(said: &str) -> bool {
    if said.starts_with("__") && said.ends_with("__") && said.len() > 6 {
        return said[2..said.len() - 2].chars().all(char::is_alphabetic);
    }
    let mut rest = said;
    while let Some(inner) = rest.strip_prefix("[[") {
        let Some((link, after)) = inner.split_once("]]") else { return false };
        let Some((space, name)) = link.split_once(':') else { return false };
        // a leading colon makes it a link to be read; files are pictures with captions
        if space.is_empty() || name.starts_with("//") || link.contains('\n') || (link.contains('|') && link.contains('.')) {
            return false;
        }
        rest = after.trim_start();
    }
    rest.is_empty() && !said.is_empty()
}

/// True for names of elements that only this markup has.
pub(super) fn is_own_element(name: &str) -> bool {
    matches!(name, "nowiki" | "ref" | "references" | "includeonly" | "noinclude" | "onlyinclude" | "translate" | "tvar" | "languages")
        || html::is_element(name)
}
