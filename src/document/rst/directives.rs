//! Explicit markup: what begins with two dots. Directives, comments, targets, footnotes.

use super::super::markup;
use super::super::shapes;
use super::Reader;
use super::inline::Rst;
use super::lists::field_parts;
use std::ops::Range;

/// A directive's parts, by lines and bytes.
struct Directive {
    /// What stands behind the two colons, on lines of its own too.
    argument: Range<usize>,
    /// The lines of its content.
    content: Range<usize>,
    /// All its bytes.
    block: Range<usize>,
    /// Lines of its options.
    options: Range<usize>,
}

impl Reader<'_> {
    /// Reads the explicit markup at line `i`; gives the line after it.
    pub(super) fn explicit(&mut self, i: usize, end: usize) -> usize {
        let line = self.lines[i].clone();
        let text = self.w.text;
        let next = self.trim(i, self.outdent(i + 1, end, line.indent)).max(i + 1);
        let said = text[line.text.clone()].strip_prefix("..").unwrap_or("").trim_start();
        let at = line.text.end - said.len();
        let block = self.bytes(i, next);
        if said.is_empty() {
            // an empty comment ends lists, and takes nothing along that a blank line parts from it
            return if self.lines.get(i + 1).is_some_and(|l| l.is_blank()) { i + 1 } else { next };
        }
        if said.starts_with('_') {
            return next;
        }
        if let Some(rest) = said.strip_prefix('[') {
            if let Some(n) = rest.find("] ") {
                let from = at + 1 + n + 2;
                self.w.note(from..block.end.max(from), block, &Rst);
                return next;
            }
            return next;
        }
        if said.starts_with('|') {
            return next;
        }
        if let Some((name, after)) = name_of(said) {
            let d = self.parts(i, next, at + after, block);
            self.directive(&name, &d);
            return next;
        }
        // some site generators keep fields of the document in comments: `.. date: 2024-05-03`
        if next == i + 1
            && let Some(n) = said.find(':').filter(|n| *n > 0)
            && markup::states(&said[..n].to_lowercase())
            && self.styles.is_empty()
            && let Some(field) = markup::field(self.w.of, at..at + n, at + n + 1..line.text.end)
        {
            markup::add_field(&mut self.fields, field);
        }
        next
    }

    fn parts(&self, i: usize, next: usize, argument: usize, block: Range<usize>) -> Directive {
        let mut n = i + 1;
        let is_option = |n: usize| field_parts(self.said(n)).is_some();
        let mut argument_end = self.lines[i].text.end;
        while n < next && !self.lines[n].is_blank() && !is_option(n) {
            argument_end = self.lines[n].text.end;
            n += 1;
        }
        // without an argument on its first line, lines right below are content
        if argument >= self.lines[i].text.end {
            n = i + 1;
            argument_end = argument;
        }
        let options = n;
        while n < next && !self.lines[n].is_blank() && is_option(n) {
            n += 1;
        }
        let content = (n..next).find(|&n| !self.lines[n].is_blank()).unwrap_or(next);
        Directive { argument: argument.min(argument_end)..argument_end, content: content..next, block, options: options..n }
    }

    fn directive(&mut self, name: &str, d: &Directive) {
        let text = self.w.text;
        let argument = text[d.argument.clone()].trim().to_owned();
        match name {
            "code" | "code-block" | "sourcecode" | "parsed-literal" | "prompt" | "console" | "highlight" | "math" | "graphviz"
            | "mermaid" | "uml" | "productionlist" | "digraph" | "ascii" => {
                let body = self.lines[d.content.clone()].to_vec();
                self.w.code(&body, d.block.clone());
            }
            "raw" => {
                if argument.contains("html") && !d.content.is_empty() {
                    let range = self.bytes(d.content.start, d.content.end);
                    self.w.html(range);
                }
            }
            "contents"
            | "toctree"
            | "index"
            | "meta"
            | "include"
            | "literalinclude"
            | "role"
            | "default-role"
            | "sectnum"
            | "class"
            | "sectionauthor"
            | "codeauthor"
            | "only"
            | "currentmodule"
            | "module"
            | "target-notes"
            | "title"
            | "restructuredtext-test-directive"
            | "youtube"
            | "header"
            | "footer"
            | "date"
            | "replace"
            | "unicode"
            | "post"
            | "tags"
            | "comments" => {
                if name == "only" {
                    self.body(d.content.clone());
                }
            }
            "image" | "figure" => {
                if let Some(range) = self.option(d, "alt") {
                    self.w.note(range, d.block.clone(), &Rst);
                }
                if name == "figure" && !d.content.is_empty() {
                    let range = self.bytes(d.content.start, d.content.end);
                    self.w.note(range.clone(), range, &Rst);
                }
            }
            "table" => {
                self.caption(d);
                self.body(d.content.clone());
            }
            "csv-table" => {
                self.caption(d);
                let head = self.option(d, "header");
                self.csv(head, d.content.clone());
            }
            "list-table" => {
                self.caption(d);
                let heads = self.option(d, "header-rows").and_then(|r| text[r].trim().parse().ok()).unwrap_or(0);
                self.list_table(d.content.clone(), heads);
            }
            "rubric" | "centered" => self.w.label(d.argument.clone(), d.block.clone(), &Rst),
            "admonition" | "topic" | "sidebar" | "dropdown" | "collapse" | "tab" | "tab-item" | "details" | "card" | "container"
            | "panels" => {
                if name != "container" && !argument.is_empty() {
                    self.w.term(super::super::paragraph::trimmed(text, d.argument.clone()), &Rst);
                }
                self.body(d.content.clone());
            }
            _ => {
                // an admonition's text may begin on its first line
                if !argument.is_empty() {
                    let range = super::super::paragraph::trimmed(text, d.argument.clone());
                    let titled = !d.content.is_empty() && shapes::is_short(&argument) && !shapes::ends_sentence(&argument);
                    if titled {
                        self.w.term(range, &Rst);
                    } else if !d.content.is_empty() || argument.contains(' ') {
                        self.w.paragraph(range, d.block.clone(), self.items, &Rst);
                    }
                }
                self.body(d.content.clone());
            }
        }
    }

    fn caption(&mut self, d: &Directive) {
        if !d.argument.is_empty() {
            self.w.note(d.argument.clone(), d.argument.clone(), &Rst);
        }
    }

    /// The value of an option.
    fn option(&self, d: &Directive, name: &str) -> Option<Range<usize>> {
        self.lines[d.options.clone()].iter().find_map(|l| {
            let said = &self.w.text[l.text.clone()];
            let (key, value) = field_parts(said)?;
            (said[key].eq_ignore_ascii_case(name) && value < said.len()).then(|| l.text.start + value..l.text.end)
        })
    }
}

/// The name of a directive, and where what stands behind its two colons begins.
fn name_of(said: &str) -> Option<(String, usize)> {
    let n = said.find("::").filter(|n| (1..40).contains(n))?;
    let name = said[..n].trim_end();
    if !name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':' | b'.' | b'+')) {
        return None;
    }
    let after = &said[n + 2..];
    (after.is_empty() || after.starts_with([' ', '\t']))
        .then(|| (name.to_ascii_lowercase(), n + 2 + after.len() - after.trim_start().len()))
}
