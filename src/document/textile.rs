//! The reader of Textile and of its kin, the markup of Jira and older Confluence pages: blocks named before a dot (`h2. Impact`), lists by signs, tables
//! between bars. Jira's has boxes in braces (`{panel}`) besides.

mod inline;
mod macros;
mod table;
#[cfg(test)]
mod tests;

use super::markup::{self, Line, Writer};
use super::{Document, Format, front_matter, shapes};
use crate::text::Source;
use inline::Signs;
use std::ops::Range;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Textile,
    Jira,
}

/// A line of text that is at least this wide is taken to be wrapped, so the next one goes on with it.
const WRAPPED: usize = 60;

pub(super) fn read(source: &Source, dialect: Dialect) -> Document {
    let head = front_matter::read(source);
    let text = source.text().as_str();
    let of = markup::without(source.text(), head.body, &markup::comments(text, head.body));
    let lines = markup::lines(of.as_str(), 0..of.len());
    let mut r = Reader { w: Writer::new(&of), lines, how: Signs { dialect }, depth: 0 };
    r.read();
    let format = if dialect == Dialect::Jira { Format::Jira } else { Format::Textile };
    let mut document = r.w.document(format, head.front_matter);
    document.diagnostics = head.diagnostics;
    document
}

struct Reader<'s> {
    w: Writer<'s>,
    lines: Vec<Line>,
    how: Signs,
    depth: usize,
}

impl Reader<'_> {
    fn read(&mut self) {
        let mut i = 0;
        while i < self.lines.len() {
            i = if self.lines[i].is_blank() { i + 1 } else { self.block(i).max(i + 1) };
        }
    }

    fn is_jira(&self) -> bool {
        self.how.dialect == Dialect::Jira
    }

    fn said(&self, i: usize) -> &str {
        markup::said(self.w.text, &self.lines, i)
    }

    fn block(&mut self, i: usize) -> usize {
        let line = self.lines[i].clone();
        let text = self.w.text;
        let said = &text[line.text.clone()];
        if self.is_jira()
            && said.starts_with('{')
            && let Some(next) = self.braces(i)
        {
            return next;
        }
        if let Some((name, long, len)) = named(said) {
            return self.named(i, name, long, len);
        }
        if said.len() >= 3 && (said.bytes().all(|b| b == b'-') || said.bytes().all(|b| b == b'*')) {
            self.w.rule(line.text);
            return i + 1;
        }
        if said.starts_with('|') && said.len() > 2 || said.starts_with("table") && said.ends_with('.') && self.said(i + 1).starts_with('|')
        {
            return self.table(i);
        }
        if !self.is_jira()
            && let Some((term, after)) = definition(said)
        {
            let how = inline::Defined { how: self.how, at: line.text.start + term, end: line.text.start + after };
            self.w.paragraph(line.text.clone(), line.text, 0, &how);
            return i + 1;
        }
        if let Some((depth, len, ordered)) = self.marker(i) {
            return self.item(i, depth, len, ordered);
        }
        if !self.is_jira()
            && let Some(next) = self.html(i)
        {
            return next;
        }
        let end = (i + 1..self.lines.len()).find(|&n| self.begins(n)).unwrap_or(self.lines.len());
        self.prose(line.text.start, line.text.start, i, end);
        end
    }

    /// True where a line ends the paragraph above it.
    fn begins(&self, n: usize) -> bool {
        let said = self.said(n);
        said.is_empty()
            || named(said).is_some()
            || said.starts_with('|')
            || self.marker(n).is_some()
            || (self.is_jira() && macros::begins(said))
            || (said.len() >= 4 && said.bytes().all(|b| b == b'-'))
    }

    /// A paragraph of the lines `i..end`, its text from `from` on. Each line ends where it ends, unless it was wrapped.
    fn prose(&mut self, block: usize, from: usize, i: usize, end: usize) {
        let stop = self.lines[end - 1].text.end.max(from);
        let wraps = |n: usize| {
            let said = self.said(n);
            let width = shapes::width(said, 400);
            // a word in small letters goes on with what the line above says
            let goes_on = self.said(n + 1).starts_with(char::is_lowercase) && !shapes::ends_in_colon(said);
            ((WRAPPED..=130).contains(&width) || goes_on) && !shapes::ends_sentence(said) || goes_on && said.ends_with(',')
        };
        let breaks: Vec<usize> = (i..end - 1).filter(|&n| !wraps(n)).map(|n| self.lines[n].text.end).collect();
        let mut ink = super::ink::Ink::new(self.w.of);
        ink.begin(from);
        let how = inline::Broken { how: self.how, breaks };
        markup::inline::write(&mut ink, self.w.text, from..stop, &how);
        ink.close_all();
        self.w.prose(ink.take(), block..stop, 0);
    }

    /// A block named before a dot: `h2. Impact`, `bq. They said`, `bc. code`.
    fn named(&mut self, i: usize, name: &'static str, long: bool, len: usize) -> usize {
        let line = self.lines[i].text.clone();
        let from = line.start + len;
        let mut end = (i + 1..self.lines.len()).find(|&n| self.lines[n].is_blank()).unwrap_or(self.lines.len());
        if long {
            // goes on until the next named block
            let next = (i + 1..self.lines.len()).find(|&n| self.lines[n - 1].is_blank() && named(self.said(n)).is_some());
            end = next.unwrap_or(self.lines.len());
        }
        let stop = self.lines[i..end].iter().rev().find(|l| !l.is_blank()).map_or(line.end, |l| l.text.end).max(from);
        match name {
            "h" => {
                let level = self.w.text.as_bytes()[line.start + 1] - b'0';
                self.w.heading(usize::from(level), from..line.end.max(from), line, &self.how);
                return i + 1;
            }
            "bc" | "pre" => self.w.code_at(from..stop, line.start..stop),
            "fn" => self.w.note(from..stop, line.start..stop, &self.how),
            "bq" => {
                self.w.quote = self.w.quote.saturating_add(1);
                if self.is_jira() {
                    end = i + 1;
                }
                self.prose(line.start, from, i, end);
                self.w.quote -= 1;
            }
            "###" => {}
            "notextile" => self.w.html(from..stop),
            _ => {
                end = (i + 1..end).find(|&n| self.begins(n)).unwrap_or(end);
                self.prose(line.start, from, i, end);
            }
        }
        end
    }

    /// The mark of a list item: depth, bytes with the blanks after it, whether it counts.
    fn marker(&self, i: usize) -> Option<(u8, usize, bool)> {
        let (line, said) = (self.lines.get(i)?, self.said(i));
        let signs = said.bytes().take_while(|b| matches!(b, b'*' | b'#') || (*b == b'-' && self.is_jira())).count();
        if signs > 0 && signs <= 12 && said[signs..].starts_with([' ', '\t']) {
            let gap = said[signs..].len() - said[signs..].trim_start().len();
            // signs deepen a list; so does an indent, where people came from other markups
            let by_indent = if signs == 1 { (line.indent / 2).min(6) } else { 0 };
            let ordered = said.as_bytes()[signs - 1] == b'#';
            return Some((u8::try_from(signs - 1 + by_indent).unwrap_or(u8::MAX), signs + gap, ordered));
        }
        let b = shapes::bullet(said).filter(|b| !b.adorns && (!b.ordered || b.number.is_some()))?;
        let sibling = |n: usize| shapes::bullet(self.said(n)).is_some_and(|c| c.ordered == b.ordered);
        let listed = !b.ordered || sibling(i + 1) || i > 0 && sibling(i - 1);
        listed.then(|| (u8::try_from((line.indent / 2).min(6)).unwrap_or(0), b.len, b.ordered))
    }

    fn item(&mut self, i: usize, depth: u8, len: usize, ordered: bool) -> usize {
        let line = self.lines[i].text.clone();
        let end = (i + 1..self.lines.len()).find(|&n| self.begins(n)).unwrap_or(self.lines.len());
        let mut from = (line.start + len).min(line.end);
        let said = &self.w.text[from..line.end];
        // Jira draws a tick as (/)
        let (check, boxed) = match said.strip_prefix("(/) ") {
            Some(rest) if self.is_jira() => (Some(true), said.len() - rest.trim_start().len()),
            _ => shapes::check_box(said).map_or((None, 0), |(ticked, n)| (Some(ticked), n)),
        };
        from += boxed;
        let range = from..self.lines[end - 1].text.end.max(from);
        self.w.item(depth, ordered, check, range.clone(), line.start..range.end, &self.how);
        end
    }

    /// HTML that begins a line of Textile.
    fn html(&mut self, i: usize) -> Option<usize> {
        let start = self.lines[i].text.start;
        let rest = self.said(i).strip_prefix('<')?;
        let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        if !["pre", "table", "ul", "ol", "div", "notextile", "blockquote", "details"].contains(&name.as_str()) {
            return None;
        }
        let close = format!("</{name}>");
        let end = self.w.text[start..].find(&close).filter(|n| *n < 1 << 18).map(|n| start + n + close.len())?;
        self.w.html(start..end);
        Some(self.lines.partition_point(|l| l.start < end))
    }

    /// Reads lines that stand within another block.
    fn within(&mut self, range: Range<usize>) {
        if self.depth >= 8 {
            return;
        }
        self.depth += 1;
        let lines = markup::lines(self.w.text, range);
        let outer = std::mem::replace(&mut self.lines, lines);
        self.read();
        self.lines = outer;
        self.depth -= 1;
    }
}

/// A block's name (`h` for all headings), whether it goes on over blank lines, and the bytes up to its text.
fn named(said: &str) -> Option<(&'static str, bool, usize)> {
    let name = ["notextile", "###", "pre", "bq", "bc", "fn", "p", "h"].into_iter().find(|n| said.starts_with(n))?;
    let mut at = name.len();
    match name {
        "h" => {
            let digit = said.as_bytes().get(1).filter(|b| (b'1'..=b'6').contains(b))?;
            at += usize::from(*digit > 0);
        }
        "fn" => {
            let digits = said[2..].bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                return None;
            }
            at += digits;
        }
        _ => {}
    }
    // classes, styles, languages and alignment may stand before the dot
    loop {
        let rest = &said[at..];
        let close = match rest.chars().next()? {
            '(' => ')',
            '{' => '}',
            '[' => ']',
            '<' | '>' | '=' | ')' | '^' | '~' | '-' => {
                at += 1;
                continue;
            }
            _ => break,
        };
        at += rest.find(close).filter(|n| *n < 80)? + 1;
    }
    let rest = said[at..].strip_prefix('.')?;
    let long = rest.starts_with('.') && matches!(name, "bc" | "bq" | "pre" | "notextile" | "###");
    let rest = if long { &rest[1..] } else { rest };
    // `bq.:https://x` names its source
    let rest = if name == "bq" && rest.starts_with(':') { &rest[rest.find(' ')?..] } else { rest };
    let text = rest.trim_start_matches([' ', '\t']);
    (rest.len() > text.len() && (!text.is_empty() || long)).then(|| (name, long, said.len() - text.len()))
}

/// `- term := what it means`: where the sign stands with its blanks.
fn definition(said: &str) -> Option<(usize, usize)> {
    let rest = said.strip_prefix("- ")?;
    let n = rest.find(" := ").filter(|n| *n > 0)?;
    Some((2 + n, 2 + n + 4))
}
