//! The AsciiDoc reader: titles by equals signs, lists by signs, blocks between lines of signs, tables between bars.
//!
//! Entries above the text state what it is about; lines in brackets say what the next block is.

mod inline;
mod lists;
mod table;
#[cfg(test)]
mod tests;

use super::markup::{self, Line, Writer};
use super::{Document, Format, FrontMatter, front_matter, shapes};
use crate::text::Source;
use inline::Adoc;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Blocks within blocks are not read deeper than this.
const DEEPEST: usize = 12;

pub(super) fn read(source: &Source) -> Document {
    let head = front_matter::read(source);
    let of = markup::without(source.text(), head.body, &[]);
    let lines = markup::lines(of.as_str(), 0..of.len());
    let mut r = Reader { w: Writer::new(&of), lines, fields: head.front_matter, lists: Vec::new(), style: Style::default(), depth: 0 };
    r.attributes();
    r.body(0..r.lines.len());
    let fields = std::mem::take(&mut r.fields);
    let mut document = r.w.document(Format::AsciiDoc, fields);
    document.diagnostics = head.diagnostics;
    document
}

/// What a line in brackets says of the next block.
#[derive(Default)]
struct Style {
    /// Its first word: `source`, `quote`, `NOTE` …
    name: String,
    header: bool,
    /// What `cols` says.
    columns: Option<usize>,
    separator: Option<char>,
    struck: bool,
}

struct Reader<'s> {
    w: Writer<'s>,
    lines: Vec<Line>,
    fields: FrontMatter,
    /// Marks of the lists that are open, outermost first.
    lists: Vec<String>,
    style: Style,
    depth: usize,
}

impl Reader<'_> {
    fn said(&self, i: usize) -> &str {
        self.lines.get(i).map_or("", |l| &self.w.text[l.text.clone()])
    }

    /// Reads the entries `:name: value`.
    fn attributes(&mut self) {
        for i in 0..self.lines.len() {
            let Some((name, value)) = attribute(self.said(i)) else { continue };
            let line = self.lines[i].text.clone();
            let key = self.said(i)[name.clone()].to_lowercase();
            let at = |r: Range<usize>| line.start + r.start..line.start + r.end;
            let known = match key.as_str() {
                "revdate" | "docdate" => "date",
                "description" => "summary",
                k => k,
            };
            if markup::states(known)
                && let Some(field) = markup::field(self.w.of, at(name), at(value))
            {
                markup::add_field(&mut self.fields, super::Field { key: known.to_owned(), ..field });
            }
        }
    }

    fn body(&mut self, range: Range<usize>) {
        self.depth += 1;
        let lists = std::mem::take(&mut self.lists);
        let mut i = range.start;
        while i < range.end {
            i = if self.lines[i].is_blank() { i + 1 } else { self.block(i, range.end).max(i + 1) };
        }
        self.lists = lists;
        self.depth -= 1;
    }

    fn block(&mut self, i: usize, end: usize) -> usize {
        let line = self.lines[i].clone();
        let text = self.w.text;
        let said = &text[line.text.clone()];
        if said.starts_with("//") && !said.starts_with("///") || attribute(said).is_some() {
            // a comment alone parts lists
            if i > 0 && self.lines[i - 1].is_blank() {
                self.lists.clear();
            }
            return i + 1;
        }
        if let Some(next) = self.delimited(i, end) {
            self.style = Style::default();
            return next;
        }
        if said.starts_with('[') && said.ends_with(']') && !said.starts_with("[[http") && self.sets_style(said) {
            return i + 1;
        }
        if let Some(next) = self.title(i, end) {
            self.lists.clear();
            self.style = Style::default();
            return next;
        }
        if let Some(rest) = said.strip_prefix('.')
            && !rest.starts_with(['.', ' ', '\t'])
            && !rest.is_empty()
            && line.indent == 0
        {
            let inner = line.text.start + 1..line.text.end;
            let tabled = (i + 1..end.min(i + 4)).any(|n| is_table(self.said(n)).is_some());
            if tabled {
                self.w.note(inner, line.text, &Adoc)
            } else {
                self.w.label(inner, line.text, &Adoc)
            }
            return i + 1;
        }
        if ["'''", "---", "***", "- - -", "* * *", "<<<"].contains(&said) {
            if said != "<<<" {
                self.w.rule(line.text);
            }
            return i + 1;
        }
        if said == "+" {
            return i + 1;
        }
        if is_macro(said) {
            if let Some(alt) = said.strip_prefix("image::").and_then(|r| r.find('[')) {
                let from = line.text.start + 7 + alt + 1;
                let close = said.rfind(']').map_or(line.text.end, |n| line.text.start + n);
                let first = text[from..close.max(from)].split(',').next().unwrap_or("");
                if first.len() > 8 && !first.contains('=') {
                    self.w.note(from..from + first.len(), line.text, &Adoc);
                }
            }
            return i + 1;
        }
        if let Some(next) = self.list(i, end) {
            return next;
        }
        self.paragraph(i, end)
    }

    /// Takes a line in brackets; false where it is text.
    fn sets_style(&mut self, said: &str) -> bool {
        let inner = &said[1..said.len() - 1];
        if inner.starts_with('[') && inner.ends_with(']') {
            return !inner.contains(' ');
        }
        // a stamp in brackets, a note of an author: no attribute
        let first = inner.split([',', '%', '#', '.']).next().unwrap_or("").trim().trim_matches('"');
        if first.contains(' ') && !first.contains('=')
            || first.starts_with(|c: char| c.is_ascii_digit())
            || inner.contains("](")
            || first.contains(':')
        {
            return false;
        }
        if !first.is_ascii() {
            return false;
        }
        let s = &mut self.style;
        if !first.contains('=') && !first.is_empty() {
            s.name = first.to_owned();
        }
        s.header |= inner.contains("%header") || inner.contains("header");
        s.struck |= inner.contains(".line-through");
        if let Some(columns) = value_of(inner, "cols") {
            // columns without a width stand between commas
            s.columns = Some(
                columns
                    .split([',', ';'])
                    .map(|p| p.split_once('*').and_then(|(n, _)| n.trim().parse().ok()).unwrap_or(1usize).min(64))
                    .sum(),
            );
        }
        s.separator = value_of(inner, "separator").and_then(|v| v.chars().next()).or(s.separator);
        if value_of(inner, "format").is_some_and(|f| f == "csv") {
            s.separator = Some(',');
        }
        true
    }

    /// A title: `== Impact`, or an underlined one.
    fn title(&mut self, i: usize, end: usize) -> Option<usize> {
        let line = self.lines[i].clone();
        let said = self.said(i);
        let sign = said.chars().next().filter(|c| matches!(c, '=' | '#')).map(|c| said.chars().take_while(|d| *d == c).count());
        if let Some(level) = sign.filter(|n| (1..=6).contains(n) && said[*n..].starts_with([' ', '\t']) && !said[*n..].trim().is_empty()) {
            let from = line.text.end - said[level..].trim_start().len();
            // signs may be repeated behind it
            let close = format!(" {}", &said[..level]);
            let to = line.text.end - if said.ends_with(&close) { close.len() } else { 0 };
            self.w.heading(level, from..to.max(from), line.text.clone(), &Adoc);
            return Some(if level == 1 && self.w.out.len() == 1 { self.header(i + 1, end) } else { i + 1 });
        }
        let under = self.said(i + 1);
        let c = under.chars().next().filter(|c| i + 1 < end && matches!(c, '=' | '-' | '~' | '^' | '+'))?;
        let width = said.width();
        let fits = under.len() >= 3
            && under.chars().all(|d| d == c)
            && width.abs_diff(under.len()) <= 2
            && said.chars().any(char::is_alphanumeric);
        if !fits || shapes::opens_with_stamp(said) && c == '-' && self.lines.get(i + 2).is_some_and(|l| !l.is_blank()) {
            return None;
        }
        let level = "=-~^+".find(c).map_or(1, |n| n + 1);
        let block = line.text.start..self.lines[i + 1].text.end;
        self.w.heading(level, line.text, block, &Adoc);
        Some(if level == 1 && self.w.out.len() == 1 { self.header(i + 2, end) } else { i + 2 })
    }

    /// The author and the revision below the document's title; the revision's date is the document's.
    fn header(&mut self, i: usize, end: usize) -> usize {
        let mut n = i;
        let is_author = |s: &str| s.contains('<') && s.contains('@') && s.ends_with('>');
        if n < end && is_author(self.said(n)) {
            n += 1;
            let said = self.said(n);
            let revision = said.trim_start_matches('v');
            if n < end && (said.len() > revision.len() || said.contains(',')) && revision.starts_with(|c: char| c.is_ascii_digit()) {
                let line = self.lines[n].text.clone();
                if let Some(comma) = said.find(',') {
                    let stop = said[comma..].find(": ").map_or(line.end, |c| line.start + comma + c);
                    let span = super::paragraph::trimmed(self.w.text, line.start + comma + 1..stop);
                    let field =
                        super::Field { key: "date".into(), values: vec![self.w.text[span.clone()].to_owned()], span: self.w.of.span(span) };
                    markup::add_field(&mut self.fields, field);
                }
                n += 1;
            }
        }
        n
    }

    /// A block between two equal lines of signs.
    fn delimited(&mut self, i: usize, end: usize) -> Option<usize> {
        let line = self.lines[i].clone();
        let said = self.said(i).to_owned();
        if let Some(sign) = is_table(&said) {
            let close = (i + 1..end).find(|&n| self.said(n) == said)?;
            self.table(i, close, self.style.separator.unwrap_or(sign));
            return Some(close + 1);
        }
        let fence = said.starts_with("```");
        let first = said.chars().next()?;
        let is_fence = fence
            || said == "--"
            || (said.len() >= 4 && matches!(first, '-' | '.' | '=' | '*' | '_' | '+' | '/') && said.chars().all(|c| c == first));
        if !is_fence {
            return None;
        }
        let wanted = if fence { "```" } else { said.as_str() };
        let close = (i + 1..end).find(|&n| self.said(n) == wanted)?;
        let block = line.text.start..self.lines[close].text.end;
        let inner = i + 1..close;
        let name = std::mem::take(&mut self.style.name);
        match first {
            '/' => {}
            '`' | '.' => self.verbatim(inner, block),
            '-' if said != "--" => self.verbatim(inner, block),
            '-' if matches!(name.as_str(), "source" | "listing" | "literal") => self.verbatim(inner, block),
            '+' => {
                if i + 1 < close {
                    self.w.html(self.lines[i + 1].start..self.lines[close].start);
                }
            }
            _ if self.depth >= DEEPEST => {}
            '_' if name != "verse" || !inner.is_empty() => {
                self.w.quote = self.w.quote.saturating_add(1);
                self.body(inner);
                self.w.quote = self.w.quote.saturating_sub(1);
            }
            _ if name == "comment" => {}
            _ => self.body(inner),
        }
        Some(close + 1)
    }

    fn verbatim(&mut self, inner: Range<usize>, block: Range<usize>) {
        let body = self.lines[inner].to_vec();
        self.w.code(&body, block);
    }

    fn paragraph(&mut self, i: usize, end: usize) -> usize {
        let line = self.lines[i].clone();
        let next = self.text_end(i, end);
        let mut range = line.text.start..self.lines[next - 1].text.end;
        let block = range.clone();
        let style = std::mem::take(&mut self.style);
        // what is indented is preformatted, unless it goes on with a list
        let literal = line.indent > 0 && self.lists.is_empty() && self.depth == 1 && (i..next).all(|n| self.lines[n].indent > 0);
        if matches!(style.name.as_str(), "source" | "listing" | "literal") || literal && i > 0 && self.lines[i - 1].is_blank() {
            self.verbatim(i..next, block);
            return next;
        }
        if i > 0 && self.said(i - 1) != "+" && self.lines[i - 1].is_blank() && line.indent == 0 {
            self.lists.clear();
        }
        let said = &self.w.text[range.clone()];
        for name in ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"] {
            if let Some(rest) = said.strip_prefix(name).and_then(|r| r.strip_prefix(": ")) {
                range.start = range.end - rest.len();
            }
        }
        let quote = u8::from(style.name == "quote");
        self.w.quote = self.w.quote.saturating_add(quote);
        let from = self.w.out.len();
        self.w.paragraph(range, block, u8::try_from(self.lists.len()).unwrap_or(u8::MAX), &Adoc);
        self.w.quote -= quote.min(self.w.quote);
        if style.struck {
            for b in &mut self.w.out[from..] {
                b.marks.push((0..b.text.len(), super::Mark::Struck));
            }
        }
        next
    }
}

/// The name and the value of an entry `:name: value`.
fn attribute(said: &str) -> Option<(Range<usize>, Range<usize>)> {
    let rest = said.strip_prefix(':')?;
    let n = rest.find(':').filter(|n| (1..=60).contains(n))?;
    let name = rest[..n].trim_matches('!');
    let fits = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    let after = &rest[n + 1..];
    (fits && (after.is_empty() || after.starts_with([' ', '\t']))).then(|| (1..n + 1, n + 2..said.len()))
}

/// The sign that parts the cells of the table that a line opens: `|===`, `,===`.
fn is_table(said: &str) -> Option<char> {
    let sign = said.chars().next().filter(|c| matches!(c, '|' | ',' | ':' | '!'))?;
    (said.len() >= 4 && said[1..].bytes().all(|b| b == b'=')).then_some(sign)
}

/// Macros that stand by themselves: `include::x[]`, `toc::[]`, `ifdef::x[]`.
fn is_macro(said: &str) -> bool {
    let Some(n) = said.find("::").filter(|n| (1..20).contains(n)) else { return false };
    said.ends_with(']') && said[..n].bytes().all(|b| b.is_ascii_lowercase()) && said[n..].contains('[') && !said[n + 2..].starts_with(' ')
}

/// The value of a named attribute in a line in brackets.
fn value_of<'a>(inner: &'a str, name: &str) -> Option<&'a str> {
    let n = inner.find(name)?;
    let rest = inner[n + name.len()..].strip_prefix('=')?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split([',', ']']).next(),
    }
}
