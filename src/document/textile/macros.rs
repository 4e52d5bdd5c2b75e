//! Boxes in braces, as Jira and Confluence have them: `{code}`, `{panel:title=Impact}`, `{status:title=DONE}`.

use super::super::Mark;
use super::super::markup::inline::{Found, Look, Shows, found};
use super::Reader;
use std::ops::Range;

/// How far the end of a box is looked for, in bytes.
const FAR: usize = 1 << 18;

/// Boxes whose content is preformatted.
const PREFORMATTED: [&str; 2] = ["code", "noformat"];
/// Boxes whose content is read.
const BOXES: [&str; 14] = [
    "panel",
    "info",
    "note",
    "warning",
    "tip",
    "quote",
    "expand",
    "section",
    "column",
    "excerpt",
    "details",
    "success",
    "ui-expand",
    "div",
];

/// A macro's head: its name, its parameters, and where it ends.
struct Head<'a> {
    name: &'a str,
    parameters: Range<usize>,
    end: usize,
}

fn head(text: &str, at: usize) -> Option<Head<'_>> {
    let rest = text[at..].strip_prefix('{')?;
    let len = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')).count();
    let after = &rest[len..];
    if len == 0 || !after.starts_with([':', '}']) {
        return None;
    }
    let close = after.find('}').filter(|n| *n < 1000)?;
    let from = at + 1 + len + usize::from(after.starts_with(':'));
    Some(Head { name: &rest[..len], parameters: from..(at + 1 + len + close).max(from), end: at + 1 + len + close + 1 })
}

/// The value of a parameter.
fn parameter(text: &str, range: Range<usize>, name: &str) -> Option<Range<usize>> {
    let mut at = range.start;
    for piece in text[range].split('|') {
        if let Some(value) = piece.strip_prefix(name).and_then(|r| r.strip_prefix('=')).filter(|v| !v.trim().is_empty()) {
            return Some(at + piece.len() - value.len()..at + piece.len());
        }
        at += piece.len() + 1;
    }
    None
}

/// True where a line begins with a box.
pub(super) fn begins(said: &str) -> bool {
    head(said, 0).is_some_and(|h| PREFORMATTED.contains(&h.name) || BOXES.contains(&h.name))
}

impl Reader<'_> {
    /// Reads the box that begins at line `i`; gives the line after it.
    pub(super) fn braces(&mut self, i: usize) -> Option<usize> {
        let text = self.w.text;
        let start = self.lines[i].text.start;
        let h = head(text, start)?;
        if PREFORMATTED.contains(&h.name) || BOXES.contains(&h.name) {
            let close = format!("{{{}}}", h.name);
            let mut limit = (h.end + FAR).min(text.len());
            while !text.is_char_boundary(limit) {
                limit -= 1;
            }
            let last = self.lines.last().map_or(h.end, |l| l.text.end.max(h.end)).min(limit);
            let Some(inner_end) = text[h.end..last].find(&close).map(|n| h.end + n) else {
                // the end of a box that was read already, or one that is never closed
                return (h.end >= self.lines[i].text.end).then_some(i + 1);
            };
            let end = inner_end + close.len();
            if PREFORMATTED.contains(&h.name) {
                self.w.code_at(h.end..inner_end, start..end);
            } else {
                let quote = self.w.quote;
                if h.name == "quote" {
                    self.w.quote = quote.saturating_add(1);
                }
                let title = parameter(text, h.parameters.clone(), "title")
                    .or_else(|| (h.name.ends_with("expand") && !text[h.parameters.clone()].contains('=')).then(|| h.parameters.clone()));
                if let Some(title) = title.filter(|t| !t.is_empty()) {
                    self.w.label(title.clone(), title, &self.how);
                }
                self.within(h.end..inner_end);
                self.w.quote = quote;
            }
            let next = self.lines.partition_point(|l| l.start < end);
            let tail = end..self.lines.get(next.saturating_sub(1)).map_or(end, |l| l.text.end.max(end));
            if !text[tail.clone()].trim().is_empty() && tail.len() < text.len() {
                self.w.paragraph(tail.clone(), tail, 0, &self.how);
            }
            return Some(next);
        }
        // what shows nothing, alone on its line: {toc}, {anchor:x}, {children}
        let silent = !matches!(h.name, "status" | "color" | "jira" | "date" | "user" | "mention") && h.end == self.lines[i].text.end;
        silent.then_some(i + 1)
    }
}

/// A macro in a line.
pub(super) fn inline(look: Look) -> Option<Found> {
    if let Some((inner, end)) = look.between("{{", "}}") {
        return (!look.text[inner.clone()].contains('\n')).then_some(Found { end, shows: Shows::Exact(Mark::Code, inner) });
    }
    let h = head(look.text, look.at).filter(|h| h.end <= look.end)?;
    match h.name {
        "status" => {
            let title = parameter(look.text, h.parameters, "title")?;
            found(h.end, Shows::Plain(title))
        }
        "jira" | "date" | "user" | "mention" => {
            let said = &look.text[h.parameters.clone()];
            let shown = parameter(look.text, h.parameters.clone(), "key").or_else(|| (!said.contains('=')).then(|| h.parameters.clone()));
            found(h.end, shown.map_or(Shows::Nothing, Shows::Plain))
        }
        name if PREFORMATTED.contains(&name) => {
            let close = format!("{{{name}}}");
            let n = look.text[h.end..look.end].find(&close)?;
            found(h.end + n + close.len(), Shows::Exact(Mark::Code, h.end..h.end + n))
        }
        name if BOXES.contains(&name)
            || matches!(name, "color" | "toc" | "anchor" | "font" | "span" | "children" | "excerpt-include" | "attachments" | "adf") =>
        {
            found(h.end, Shows::Nothing)
        }
        _ => None,
    }
}
