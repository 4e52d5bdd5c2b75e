//! The Org reader: headlines by stars, with their keywords; lists with boxes, tables, drawers, stamps in brackets.
//!
//! A headline with a keyword (`DONE Rotate the key`) that has no text of its own to head is a task, and told as an item with its box.

mod inline;
#[cfg(test)]
mod tests;

use super::ink::Ink;
use super::markup::inline::write;
use super::markup::{self, Line, Writer};
use super::{Document, Format, FrontMatter, Mark, front_matter, shapes};
use crate::text::Source;
use inline::{Described, Org};
use std::ops::Range;

/// A task's own text is at most this long, in bytes; what heads more is a section.
const TASK: usize = 400;

pub(super) fn read(source: &Source) -> Document {
    let head = front_matter::read(source);
    let of = markup::without(source.text(), head.body, &[]);
    let lines = markup::lines(of.as_str(), 0..of.len());
    let keywords = Keywords::of(of.as_str());
    let mut r = Reader { w: Writer::new(&of), lines, keywords, fields: head.front_matter, lists: Vec::new() };
    let mut i = 0;
    while i < r.lines.len() {
        i = r.block(i).max(i + 1);
    }
    let fields = std::mem::take(&mut r.fields);
    let mut document = r.w.document(Format::Org, fields);
    document.diagnostics = head.diagnostics;
    document
}

/// The words that make a headline a task: those for what is open, for what is done, and for what was given up.
struct Keywords {
    open: Vec<String>,
    done: Vec<String>,
    dropped: Vec<String>,
}

impl Keywords {
    /// The format's own words, and those a file declares (`#+TODO: OPEN | SHIPPED`).
    fn of(text: &str) -> Keywords {
        let own = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<String>>();
        let mut k = Keywords {
            open: own(&["TODO", "NEXT", "WAITING", "WAIT", "HOLD", "STARTED", "DOING", "INPROGRESS", "IN-PROGRESS", "STRT", "PROJ"]),
            done: own(&["DONE"]),
            dropped: own(&["CANCELLED", "CANCELED", "KILL"]),
        };
        for line in text.lines().filter(|l| l.starts_with("#+")) {
            let Some((key, words)) = line.split_once(':') else { continue };
            if !["#+todo", "#+seq_todo", "#+typ_todo"].contains(&key.to_ascii_lowercase().as_str()) {
                continue;
            }
            let name = |w: &str| w.split('(').next().unwrap_or(w).to_owned();
            let words: Vec<String> = words.split_whitespace().map(name).collect();
            let bar = words.iter().position(|w| w == "|").unwrap_or(words.len().saturating_sub(1));
            k.open.extend(words[..bar].iter().cloned());
            k.done.extend(words[bar..].iter().filter(|w| *w != "|" && !k.dropped.contains(w)).cloned());
        }
        k
    }

    /// Whether a word says that a task is done: `Some(None)` where it was given up.
    fn state(&self, word: &str) -> Option<Option<bool>> {
        let has = |l: &[String]| l.iter().any(|w| w == word);
        if has(&self.dropped) {
            Some(None)
        } else if has(&self.done) {
            Some(Some(true))
        } else if has(&self.open) {
            Some(Some(false))
        } else {
            None
        }
    }
}

/// A headline's parts.
struct Headline {
    level: usize,
    state: Option<Option<bool>>,
    text: Range<usize>,
}

struct Reader<'s> {
    w: Writer<'s>,
    lines: Vec<Line>,
    keywords: Keywords,
    fields: FrontMatter,
    /// Columns of the lists that are open.
    lists: Vec<usize>,
}

impl Reader<'_> {
    fn said(&self, i: usize) -> &str {
        markup::said(self.w.text, &self.lines, i)
    }

    fn block(&mut self, i: usize) -> usize {
        let line = self.lines[i].clone();
        let text = self.w.text;
        let said = &text[line.text.clone()];
        if said.is_empty() {
            return i + 1;
        }
        if let Some(h) = self.headline(i) {
            self.lists.clear();
            return self.head(i, h);
        }
        if said.starts_with("#+") {
            return self.keyword(i);
        }
        if said == "#" || said.starts_with("# ") {
            return i + 1;
        }
        if said == ":" || said.starts_with(": ") {
            let end = (i..self.lines.len()).find(|&n| !(self.said(n) == ":" || self.said(n).starts_with(": "))).unwrap_or(self.lines.len());
            let body: Vec<Line> = (i..end)
                .map(|n| {
                    let t = self.lines[n].text.clone();
                    let from = (t.start + 2).min(t.end);
                    Line { start: from, text: from..t.end, indent: 0 }
                })
                .collect();
            self.w.code(&body, line.text.start..self.lines[end - 1].text.end);
            return end;
        }
        if let Some(next) = self.drawer(i) {
            return next;
        }
        if is_planning(said) {
            return i + 1;
        }
        if said.len() >= 5 && said.bytes().all(|b| b == b'-') {
            self.w.rule(line.text);
            return i + 1;
        }
        if said.starts_with('|') {
            return self.table(i);
        }
        if let Some((mark, body)) =
            said.strip_prefix("[fn:").and_then(|r| r.split_once(']')).filter(|(m, b)| !m.contains(' ') && b.starts_with(' '))
        {
            let from = line.text.start + 4 + mark.len() + 1;
            let end = self.paragraph_end(i);
            self.w.note(from..self.lines[end - 1].text.end.max(from), line.text.start..line.text.start + 5 + mark.len() + body.len(), &Org);
            return end;
        }
        if let Some(next) = self.item(i) {
            return next;
        }
        // what is not indented below a list ends it
        while self.lists.last().is_some_and(|c| line.indent <= *c) {
            self.lists.pop();
        }
        let end = self.paragraph_end(i);
        let range = line.text.start..self.lines[end - 1].text.end;
        let depth = u8::try_from(self.lists.len()).unwrap_or(u8::MAX);
        self.w.paragraph(range.clone(), range, depth, &Org);
        end
    }

    fn paragraph_end(&self, i: usize) -> usize {
        (i + 1..self.lines.len())
            .find(|&n| {
                let said = self.said(n);
                said.is_empty()
                    || said.starts_with("#+")
                    || said.starts_with('|')
                    || said.starts_with(": ")
                    || (said.len() >= 5 && said.bytes().all(|b| b == b'-'))
                    || self.headline(n).is_some()
                    || self.marker(n).is_some()
                    || is_planning(said)
            })
            .unwrap_or(self.lines.len())
    }

    fn headline(&self, i: usize) -> Option<Headline> {
        let line = self.lines.get(i).filter(|l| l.indent == 0)?;
        let said = self.said(i);
        let level = said.bytes().take_while(|b| *b == b'*').count();
        if level == 0 || !said[level..].starts_with([' ', '\t']) {
            return None;
        }
        let mut at = line.text.start + said.len() - said[level..].trim_start().len();
        let mut end = line.text.end;
        let word = self.w.text[at..end].split_whitespace().next().unwrap_or("");
        let state = self.keywords.state(word);
        if state.is_some() {
            at += word.len();
            at = end - self.w.text[at..end].trim_start().len();
        }
        let rest = &self.w.text[at..end];
        if rest.starts_with("[#") && rest.as_bytes().get(3) == Some(&b']') {
            at = end - rest[4..].trim_start().len();
        }
        // tags between colons at the end
        let rest = &self.w.text[at..end];
        if rest.ends_with(':')
            && let Some(n) = rest.rfind([' ', '\t'])
            && rest[n + 1..].starts_with(':')
            && rest.len() > n + 3
        {
            end = at + rest[..n].trim_end().len();
        }
        Some(Headline { level, state, text: at..end.max(at) })
    }

    /// A headline: a task where it has a keyword and little below it, else a heading.
    fn head(&mut self, i: usize, h: Headline) -> usize {
        let block = self.lines[i].text.clone();
        let next = (i + 1..self.lines.len()).find(|&n| self.headline(n).is_some()).unwrap_or(self.lines.len());
        let leaf = self.headline(next).is_none_or(|n| n.level <= h.level);
        let body: usize =
            (i + 1..next).filter(|&n| !is_planning(self.said(n)) && !self.said(n).starts_with(':')).map(|n| self.said(n).len()).sum();
        let alone = h.level == 1 && !self.w.out.iter().any(|b| matches!(b.kind, super::Kind::Heading { .. } | super::Kind::Item { .. }));
        let Some(state) = h.state.filter(|_| leaf && body <= TASK && !alone) else {
            self.w.heading(h.level, h.text, block, &Org);
            return i + 1;
        };
        // when it is due stands on the line below
        let due = (i + 1..next.min(i + 3)).find_map(|n| {
            let line = self.lines[n].text.clone();
            let at = self.said(n).find("DEADLINE:")?;
            let close = self.said(n)[at..].find('>')?;
            Some(line.start + at..line.start + at + close + 1)
        });
        let mut ink = Ink::new(self.w.of);
        ink.begin(block.start);
        if state.is_none() {
            // given up
            ink.open(Mark::Struck);
        }
        write(&mut ink, self.w.text, h.text.clone(), &Org);
        ink.close(&Mark::Struck);
        if let Some(due) = &due {
            ink.hard(h.text.end..h.text.end + self.w.text[h.text.end..].chars().next().map_or(0, char::len_utf8));
            write(&mut ink, self.w.text, due.clone(), &Org);
        }
        let end = due.map_or(block.end, |d| d.end);
        self.w.made_item(0, false, state, ink.take(), block.start..end);
        i + 1
    }

    /// A line that begins with `#+`: a field of the document, a block, a caption, or a setting.
    fn keyword(&mut self, i: usize) -> usize {
        let line = self.lines[i].text.clone();
        let text = self.w.text;
        let said = &text[line.clone()];
        let lower = said.to_ascii_lowercase();
        if let Some(name) = lower.strip_prefix("#+begin_").map(|r| r.split_whitespace().next().unwrap_or("").to_owned()) {
            let close = format!("#+end_{name}");
            let Some(end) = (i + 1..self.lines.len()).find(|&n| self.said(n).eq_ignore_ascii_case(&close)) else { return i + 1 };
            let block = line.start..self.lines[end].text.end;
            match name.as_str() {
                "comment" => {}
                "src" | "example" | "verbatim" => {
                    let body = self.lines[i + 1..end].to_vec();
                    self.w.code(&body, block);
                }
                "export" => {
                    if lower.contains("html") && i + 1 < end {
                        self.w.html(self.lines[i + 1].start..self.lines[end].start);
                    }
                }
                _ => {
                    let quotes = u8::from(name == "quote");
                    self.w.quote = self.w.quote.saturating_add(quotes);
                    let mut n = i + 1;
                    let rest = self.lines.split_off(end);
                    while n < self.lines.len() {
                        n = if self.said(n).to_ascii_lowercase().starts_with("#+begin_") { n + 1 } else { self.block(n).max(n + 1) };
                    }
                    self.lines.extend(rest);
                    self.w.quote -= quotes.min(self.w.quote);
                }
            }
            return end + 1;
        }
        let Some((key, value)) = said[2..].split_once(':') else { return i + 1 };
        let at = line.start + 2 + key.len() + 1;
        let key = key.to_ascii_lowercase();
        match key.as_str() {
            "caption" => self.w.note(at..line.end, line, &Org),
            // what the document is about: its title is read like one
            "title" if !value.trim().is_empty() => self.w.heading(1, super::paragraph::trimmed(text, at..line.end), line, &Org),
            _ if markup::states(&key) => {
                if let Some(mut field) = markup::field(self.w.of, line.start + 2..line.start + 2 + key.len(), at..line.end) {
                    for v in &mut field.values {
                        *v = v.trim_matches(['<', '>', '[', ']']).to_owned();
                    }
                    markup::add_field(&mut self.fields, field);
                }
            }
            _ => {}
        }
        i + 1
    }

    /// `:NAME:` to `:END:`: properties and logs of the outline are no text, other drawers are read.
    fn drawer(&self, i: usize) -> Option<usize> {
        let name = self.said(i).strip_prefix(':')?.strip_suffix(':')?;
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')) {
            return None;
        }
        let end = (i + 1..self.lines.len()).take(2000).find(|&n| self.said(n).eq_ignore_ascii_case(":end:"))?;
        Some(if ["properties", "logbook", "clock"].contains(&name.to_ascii_lowercase().as_str()) { end + 1 } else { i + 1 })
    }

    fn table(&mut self, i: usize) -> usize {
        let end = (i..self.lines.len()).find(|&n| !self.said(n).starts_with('|')).unwrap_or(self.lines.len());
        let number = self.w.table();
        let ruler = |said: &str| said.starts_with("|-") && said.bytes().all(|b| matches!(b, b'|' | b'-' | b'+' | b':' | b' '));
        let first = (i..end).find(|&n| !ruler(self.said(n)));
        let headed = first.is_some_and(|f| f + 1 < end && ruler(self.said(f + 1)) && (f + 2..end).any(|n| !ruler(self.said(n))));
        for n in i..end {
            if ruler(self.said(n)) {
                continue;
            }
            let line = self.lines[n].text.clone();
            let said = &self.w.text[line.clone()];
            let inner = line.start + 1..line.end - usize::from(said.len() > 1 && said.ends_with('|'));
            let mut at = inner.start;
            let mut cells = Vec::new();
            for piece in self.w.text[inner].split('|').take(64) {
                cells.push(self.w.flow(at..at + piece.len(), &Org));
                at += piece.len() + 1;
            }
            self.w.row(number, headed && Some(n) == first, cells, line);
        }
        end
    }

    /// The mark of a list item at a line: bytes, and whether it counts.
    fn marker(&self, i: usize) -> Option<(usize, bool)> {
        let (line, said) = (self.lines.get(i)?, self.said(i));
        let first = *said.as_bytes().first()?;
        let blank = |s: &str| s.len() - s.trim_start_matches([' ', '\t']).len();
        if matches!(first, b'-' | b'+') || (first == b'*' && line.indent > 0) {
            let gap = blank(&said[1..]);
            return (gap > 0 || said.len() == 1).then_some((1 + gap, false));
        }
        let b = shapes::bullet(said).filter(|b| b.ordered)?;
        let plain = b.number.is_none_or(|n| n == 1) || !self.lists.is_empty() || i == 0 || self.said(i - 1).is_empty();
        plain.then_some((b.len, true))
    }

    fn item(&mut self, i: usize) -> Option<usize> {
        let line = self.lines[i].clone();
        let (len, ordered) = self.marker(i)?;
        while self.lists.last().is_some_and(|c| *c > line.indent) {
            self.lists.pop();
        }
        if self.lists.last() != Some(&line.indent) {
            self.lists.push(line.indent);
        }
        let end = (i + 1..self.lines.len())
            .find(|&n| {
                let l = &self.lines[n];
                l.is_blank()
                    || l.indent <= line.indent
                    || self.marker(n).is_some()
                    || self.said(n).starts_with(['|', '#'])
                    || self.said(n).starts_with(": ")
            })
            .unwrap_or(self.lines.len());
        let mut from = (line.text.start + len).min(line.text.end);
        let mut said = &self.w.text[from..line.text.end];
        // `[@3]` only sets the number
        if let Some(n) = said.strip_prefix("[@").and_then(|r| r.find(']')) {
            from += n + 3;
            said = &self.w.text[from..line.text.end];
        }
        let (check, boxed) = match said.get(..3) {
            Some("[-]") => (Some(false), said.len() - said[3..].trim_start().len()),
            _ => shapes::check_box(said).map_or((None, 0), |(ticked, len)| (Some(ticked), len)),
        };
        from += boxed;
        let range = from..self.lines[end - 1].text.end.max(from);
        // `- term :: what it means`
        let sign = self.w.text[from..line.text.end].find(" :: ").map(|n| from + n).filter(|_| !ordered);
        let depth = u8::try_from(self.lists.len() - 1).unwrap_or(u8::MAX);
        let block = line.text.start..range.end;
        match sign {
            Some(at) => self.w.item(depth, ordered, check, range, block, &Described { at }),
            None => self.w.item(depth, ordered, check, range, block, &Org),
        }
        Some(end)
    }
}

/// True for a line that only plans a task: when it is due, was begun, was closed.
fn is_planning(said: &str) -> bool {
    ["DEADLINE:", "SCHEDULED:", "CLOSED:", "CLOCK:"].iter().any(|k| said.starts_with(k)) && said.contains(['<', '['])
}
