//! Lists of reStructuredText: bullets, numbers, fields.

use super::super::markup;
use super::super::shapes;
use super::Reader;
use super::inline::Rst;
use std::ops::Range;

/// The mark of a list item: bytes up to its text, and whether it counts.
pub(super) fn marker(said: &str) -> Option<(usize, bool)> {
    let first = said.chars().next()?;
    let rest = &said[first.len_utf8()..];
    if matches!(first, '-' | '*' | '+' | '•' | '‣' | '⁃') {
        let gap = rest.len() - rest.trim_start().len();
        return (gap > 0 || rest.is_empty()).then_some((first.len_utf8() + gap, false));
    }
    if let Some(after) = said.strip_prefix("#.") {
        let gap = after.len() - after.trim_start().len();
        return (gap > 0).then_some((2 + gap, true));
    }
    shapes::bullet(said).filter(|b| b.ordered && b.number.is_some()).map(|b| (b.len, true))
}

impl Reader<'_> {
    /// Reads the list item or field at line `i`.
    pub(super) fn list(&mut self, i: usize, end: usize) -> Option<usize> {
        if let Some(next) = self.field(i, end) {
            return Some(next);
        }
        let line = self.lines[i].clone();
        let (len, ordered) = marker(self.said(i))?;
        // a number needs a sibling or an indent to be one: `2024. A bad year.` goes on as prose
        if ordered && !self.is_numbered(i, end, line.indent) {
            return None;
        }
        let next = self.trim(i, self.outdent(i + 1, end, line.indent));
        let next = next.max(i + 1);
        // its own text ends at a blank line, or where a list of its own begins
        let own = (i + 1..next).find(|&n| self.lines[n].is_blank() || marker(self.said(n)).is_some()).unwrap_or(next);
        let block = self.bytes(i, own);
        let mut range = (line.text.start + len).min(line.text.end)..block.end;
        let said = &self.w.text[range.clone()];
        if said.ends_with("::") {
            self.literal = true;
            range.end -= 1;
        }
        let depth = self.items;
        self.w.item(depth, ordered, None, range, block, &Rst);
        self.items = self.items.saturating_add(1);
        if own < next {
            let literal = std::mem::take(&mut self.literal);
            let from = (own..next).find(|&n| !self.lines[n].is_blank()).unwrap_or(own);
            let deeper = self.lines[from].indent > line.indent + len;
            if literal && deeper {
                let until = self.outdent(from, next, line.indent + len).max(from + 1);
                let body = self.lines[from..until].to_vec();
                self.w.code(&body, self.bytes(from, until));
                self.body(until..next);
            } else {
                self.body(own..next);
            }
        }
        self.items -= 1;
        self.literal = false;
        Some(next)
    }

    fn is_numbered(&self, i: usize, end: usize, indent: usize) -> bool {
        let Some(next) = self.lines.get(i + 1).filter(|_| i + 1 < end) else { return true };
        next.is_blank() || next.indent > indent || marker(self.said(i + 1)).is_some()
    }

    /// `:name: value`, the value going on where it is indented.
    fn field(&mut self, i: usize, end: usize) -> Option<usize> {
        let (name, value) = field_parts(self.said(i))?;
        let line = self.lines[i].clone();
        let next = self.trim(i, self.outdent(i + 1, end, line.indent)).max(i + 1);
        let own = (i + 1..next).find(|&n| self.lines[n].is_blank() || marker(self.said(n)).is_some()).unwrap_or(next);
        let at = |r: Range<usize>| line.text.start + r.start..line.text.start + r.end;
        let block = self.bytes(i, own);
        // fields above the first section state what the document is about
        if self.depth == 1
            && self.styles.len() <= 1
            && markup::states(&self.said(i)[name.clone()].trim().to_lowercase())
            && let Some(field) = markup::field(self.w.of, at(name.clone()), line.text.start + value..block.end)
        {
            markup::add_field(&mut self.fields, field);
        }
        // the colon before the name is a sign, the one behind it is read
        self.w.paragraph(at(name).start..block.end, block, self.items, &Rst);
        if own < next {
            self.body(own..next);
        }
        Some(next)
    }
}

/// The name of a field, and where its value begins.
pub(super) fn field_parts(said: &str) -> Option<(Range<usize>, usize)> {
    let rest = said.strip_prefix(':')?;
    let n = rest.find(':').filter(|n| (1..=80).contains(n))?;
    let after = &rest[n + 1..];
    let fits = (after.is_empty() || after.starts_with([' ', '\t'])) && !rest.starts_with(' ') && rest[..n].contains(char::is_alphabetic);
    fits.then(|| (1..n + 1, n + 2 + after.len() - after.trim_start().len()))
}
