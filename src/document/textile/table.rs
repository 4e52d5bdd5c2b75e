//! Tables between bars: heads are marked by `|_.` in Textile and by doubled bars in Jira's markup.

use super::super::html::rows::{Row, Table};
use super::super::ink::{Flow, Ink};
use super::super::markup::inline::write;
use super::super::paragraph::trimmed;
use super::Reader;
use std::ops::Range;

/// More cells than this make no row.
const MOST: usize = 64;

impl Reader<'_> {
    /// Reads the table that begins at line `i`; gives the line after it.
    pub(super) fn table(&mut self, i: usize) -> usize {
        let number = self.w.table();
        let mut table = Table::new(number);
        let mut n = if self.said(i).starts_with('|') { i } else { i + 1 };
        while n < self.lines.len() {
            if !self.said(n).starts_with('|') && !is_attributed(self.said(n)) {
                break;
            }
            // a row goes on over lines until its last bar
            let mut last = n;
            while !self.said(last).ends_with('|') && last + 1 < self.lines.len() && last < n + 40 {
                let next = self.said(last + 1);
                if next.is_empty() || next.starts_with('|') {
                    break;
                }
                last += 1;
            }
            let range = self.lines[n].text.start..self.lines[last].text.end;
            self.table_row(&mut table, range);
            n = last + 1;
        }
        n.max(i + 1)
    }

    fn table_row(&mut self, table: &mut Table, range: Range<usize>) {
        let text = self.w.text;
        let first = text[range.clone()].find('|').map_or(range.start, |n| range.start + n);
        // rulers of other markups part nothing
        if text[range.clone()].bytes().all(|b| matches!(b, b'|' | b'-' | b':' | b' ' | b'=' | b'+')) {
            return;
        }
        let mut row = Row::new(range.start, false);
        for (cell, doubled) in self.cells(first..range.end).into_iter().take(MOST) {
            let (inner, head, reach) = if self.is_jira() { (cell, doubled, (1, 1)) } else { attributes(text, cell) };
            let flow = self.cell(trimmed(text, inner));
            table.add(&mut row, flow, reach, head);
        }
        table.fill(&mut row);
        let header = row.is_header();
        self.w.row(table.number, header, row.cells, range);
    }

    /// The cells of a row, and whether doubled bars stand before them. Bars within links and macros part nothing.
    fn cells(&self, range: Range<usize>) -> Vec<(Range<usize>, bool)> {
        let text = self.w.text;
        let bytes = text.as_bytes();
        let mut out = Vec::new();
        let (mut at, mut from, mut doubled) = (range.start, None, false);
        let jira = self.is_jira();
        let (mut square, mut brace) = (0usize, 0usize);
        while at < range.end {
            match bytes[at] {
                b'[' if jira => square += usize::from(text[at..range.end].contains(']')),
                b']' if jira => square = square.saturating_sub(1),
                b'{' if jira => brace += usize::from(text[at..range.end].contains('}')),
                b'}' if jira => brace = brace.saturating_sub(1),
                b'|' if square == 0 && brace == 0 => {
                    if let Some(start) = from {
                        out.push((start..at, doubled));
                    }
                    doubled = jira && bytes.get(at + 1) == Some(&b'|');
                    at += usize::from(doubled);
                    from = Some(at + 1);
                }
                _ => {}
            }
            at += 1;
        }
        // what stands behind the last bar is a cell where the bar is missing
        if let Some(start) = from.filter(|s| *s < range.end && !text[*s..range.end].trim().is_empty()) {
            out.push((start..range.end, doubled));
        }
        out
    }

    /// A cell's text; lines and list items in it are parted.
    fn cell(&self, range: Range<usize>) -> Flow {
        let text = self.w.text;
        let mut ink = Ink::new(self.w.of);
        for line in super::markup::lines(text, range).into_iter().filter(|l| !l.is_blank()) {
            let said = &text[line.text.clone()];
            let signs = said.bytes().take_while(|b| matches!(b, b'*' | b'#' | b'-')).count();
            let mark = if signs > 0 && said[signs..].starts_with(' ') && said.len() > signs + 1 { signs } else { 0 };
            if !ink.is_empty() {
                ink.hard(line.start..line.text.start + mark);
            }
            write(&mut ink, text, line.text.start + mark..line.text.end, &self.how);
        }
        ink.close_all();
        ink.take()
    }
}

/// True for a row of Textile that states its class before its first bar: `(grey). |a|b|`.
fn is_attributed(said: &str) -> bool {
    said.starts_with(['(', '{']) && said.find(". |").is_some_and(|n| n < 60) && said.ends_with('|')
}

/// A Textile cell without what says how it is set: `_.` a head, `\2.` two columns, `/2.` two rows.
fn attributes(text: &str, cell: Range<usize>) -> (Range<usize>, bool, (usize, usize)) {
    let said = &text[cell.clone()];
    let Some(dot) = said.find(". ").or_else(|| said.strip_suffix('.').map(str::len)).filter(|n| (1..40).contains(n)) else {
        return (cell, false, (1, 1));
    };
    let mut rest = &said[..dot];
    let (mut head, mut columns, mut rows) = (false, 1, 1);
    while let Some(c) = rest.chars().next() {
        let number = |r: &str| r[1..].bytes().take_while(u8::is_ascii_digit).count();
        match c {
            '_' => head = true,
            '<' | '>' | '=' | '^' | '~' | '-' => {}
            '\\' | '/' if number(rest) > 0 => {
                let digits = number(rest);
                let value = rest[1..1 + digits].parse().unwrap_or(1);
                if c == '/' {
                    rows = value
                } else {
                    columns = value
                }
                rest = &rest[1 + digits..];
                continue;
            }
            '(' | '{' | '[' => {
                let close = if c == '(' {
                    ')'
                } else if c == '{' {
                    '}'
                } else {
                    ']'
                };
                let Some(n) = rest.find(close) else { return (cell, false, (1, 1)) };
                rest = &rest[n + 1..];
                continue;
            }
            _ => return (cell, false, (1, 1)),
        }
        rest = &rest[c.len_utf8()..];
    }
    ((cell.start + dot + 1).min(cell.end)..cell.end, head, (columns, rows))
}
