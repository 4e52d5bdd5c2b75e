//! Tables of reStructuredText: drawn as a grid, ruled simply, as lists, as comma-separated values.

use super::super::ink::Flow;
use super::super::ink::Ink;
use super::super::markup::{delimited, inline};
use super::super::paragraph::trimmed;
use super::Reader;
use super::inline::Rst;
use super::lists;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// More columns than this make no table.
const MOST: usize = 64;

impl Reader<'_> {
    /// Reads the table drawn at line `i`, if one is.
    pub(super) fn table(&mut self, i: usize, end: usize) -> Option<usize> {
        let said = self.said(i);
        if said.starts_with("+-") || said.starts_with("+=") {
            return self.grid(i, end);
        }
        if said.starts_with("==") && said.contains(' ') && said.bytes().all(|b| matches!(b, b'=' | b' ')) {
            return self.simple(i, end);
        }
        None
    }

    fn grid(&mut self, i: usize, end: usize) -> Option<usize> {
        let next = (i..end).find(|&n| !self.said(n).starts_with(['+', '|'])).unwrap_or(end);
        if next < i + 3 {
            return None;
        }
        let columns: Vec<usize> = self.said(i).match_indices('+').map(|(n, _)| n).collect();
        if columns.len() < 2 || columns.len() > MOST || !is_border(self.said(i)) {
            return None;
        }
        let number = self.w.table();
        let head_rule = (i + 1..next).find(|&n| self.said(n).starts_with("+=") && is_border(self.said(n)));
        let mut row: Vec<Vec<Range<usize>>> = vec![Vec::new(); columns.len() - 1];
        let mut from = i;
        for n in i + 1..next {
            let line = self.lines[n].text.clone();
            if is_border(self.said(n)) {
                let header = head_rule.is_some_and(|h| n <= h);
                self.grid_row(number, header, &mut row, from + 1..n);
                from = n;
                continue;
            }
            let bounds: Vec<usize> = columns.iter().map(|c| self.column(&line, *c)).collect();
            let mut start = 0;
            for k in 1..bounds.len() {
                // a cell that reaches over columns has no bar between them
                let bar = self.w.text.as_bytes().get(bounds[k]).is_some_and(|b| matches!(b, b'|' | b'+'));
                if bar || k + 1 == bounds.len() {
                    let range = (bounds[start] + 1).min(bounds[k])..bounds[k];
                    let cell = trimmed(self.w.text, self.whole(range));
                    if !cell.is_empty() && !self.w.text[cell.clone()].bytes().all(|b| matches!(b, b'-' | b'+' | b'=')) {
                        row[start].push(cell);
                    }
                    start = k;
                }
            }
        }
        self.grid_row(number, false, &mut row, from + 1..next);
        Some(next)
    }

    fn grid_row(&mut self, number: usize, header: bool, row: &mut [Vec<Range<usize>>], lines: Range<usize>) {
        if row.iter().all(Vec::is_empty) || lines.is_empty() {
            return;
        }
        let cells = row.iter_mut().map(|c| self.cell(&std::mem::take(c))).collect();
        let block = self.bytes(lines.start, lines.end);
        self.w.row(number, header, cells, block);
    }

    fn simple(&mut self, i: usize, end: usize) -> Option<usize> {
        let columns = runs(self.said(i));
        if columns.len() < 2 || columns.len() > MOST {
            return None;
        }
        let rule = |n: usize| self.said(n).starts_with("==") && self.said(n).bytes().all(|b| matches!(b, b'=' | b' '));
        // the last rule is the one that a blank line, or nothing, follows
        let limit = end.min(i + 5000);
        let last = (i + 1..limit).find(|&n| rule(n) && (n + 1 >= end || self.lines[n + 1].is_blank()))?;
        let head = (i + 1..last).find(|&n| rule(n));
        let number = self.w.table();
        let mut row: Vec<Vec<Range<usize>>> = vec![Vec::new(); columns.len()];
        let mut from = i + 1;
        for n in i + 1..=last {
            let ends = n == last || head == Some(n) || self.said(n).bytes().all(|b| matches!(b, b'-' | b' ')) && !self.lines[n].is_blank();
            let lead = (self.lines[i].text.start - self.lines[i].start).min(self.lines[n].text.start - self.lines[n].start);
            let line = self.lines[n].start + lead..self.lines[n].text.end.max(self.lines[n].start + lead);
            let first = self.column(&line, columns[0].end).min(line.end);
            // a row begins where its first column says something
            let begins = !ends && !self.lines[n].is_blank() && !self.w.text[self.whole(line.start..first)].trim().is_empty();
            if (ends || begins) && row.iter().any(|c| !c.is_empty()) {
                let header = head.is_some_and(|h| n <= h);
                let cells = row.iter_mut().map(|c| self.cell(&std::mem::take(c))).collect();
                let block = self.bytes(from, n.max(from + 1));
                self.w.row(number, header, cells, block);
                from = n;
            }
            if ends {
                from = n + 1;
                continue;
            }
            for (k, column) in columns.iter().enumerate() {
                let start = self.column(&line, column.start).min(line.end);
                let stop = columns.get(k + 1).map_or(line.end, |c| self.column(&line, c.start).min(line.end));
                let cell = trimmed(self.w.text, self.whole(start..stop.max(start)));
                if !cell.is_empty() {
                    row[k].push(cell);
                }
            }
        }
        Some(last + 1)
    }

    /// Where a column of a line stands; wide characters take two.
    fn column(&self, line: &Range<usize>, column: usize) -> usize {
        let mut seen = 0;
        for (n, c) in self.w.text[line.clone()].char_indices() {
            if seen >= column {
                return line.start + n;
            }
            seen += c.width().unwrap_or(0);
        }
        line.end
    }

    /// A range on character boundaries.
    fn whole(&self, range: Range<usize>) -> Range<usize> {
        let ceil = |mut at: usize| {
            while !self.w.text.is_char_boundary(at) {
                at += 1;
            }
            at
        };
        let start = ceil(range.start);
        start..ceil(range.end).max(start)
    }

    /// A cell of several lines; items in it part them.
    fn cell(&self, pieces: &[Range<usize>]) -> Flow {
        let mut ink = Ink::new(self.w.of);
        let mut before: Option<usize> = None;
        for piece in pieces {
            let said = &self.w.text[piece.clone()];
            let mark = lists::marker(said).filter(|(_, ordered)| !ordered).map_or(0, |(len, _)| len);
            let line_block = usize::from(said.starts_with("| ")) * 2;
            if let Some(end) = before {
                // other cells stand between
                let gap = end..end + self.w.text[end..].chars().next().map_or(0, char::len_utf8);
                if mark + line_block > 0 { ink.hard(gap) } else { ink.soft(gap) }
            }
            inline::write(&mut ink, self.w.text, (piece.start + mark + line_block).min(piece.end)..piece.end, &Rst);
            before = Some(piece.end);
        }
        ink.close_all();
        ink.take()
    }

    /// A table written as a list of lists.
    pub(super) fn list_table(&mut self, lines: Range<usize>, heads: usize) {
        let number = self.w.table();
        let Some(base) = self.lines[lines.clone()].iter().filter(|l| !l.is_blank()).map(|l| l.indent).min() else { return };
        let starts: Vec<usize> = lines
            .clone()
            .filter(|&n| self.lines[n].indent == base && lists::marker(self.said(n)).is_some_and(|(_, ordered)| !ordered))
            .collect();
        for (k, &start) in starts.iter().enumerate() {
            let end = starts.get(k + 1).copied().unwrap_or(lines.end);
            let mut cells: Vec<Vec<Range<usize>>> = Vec::new();
            let mut column = None;
            for n in (start..end).filter(|&n| !self.lines[n].is_blank()) {
                let line = self.lines[n].text.clone();
                let outer = if n == start { lists::marker(self.said(n)).map_or(0, |(len, _)| len) } else { 0 };
                let said = &self.w.text[(line.start + outer).min(line.end)..line.end];
                let at = self.lines[n].indent + outer;
                match lists::marker(said).filter(|(_, ordered)| !ordered && column.is_none_or(|c| c == at)) {
                    Some((len, _)) => {
                        column = Some(at);
                        let from = (line.start + outer + len).min(line.end);
                        cells.push((from < line.end).then_some(from..line.end).into_iter().collect());
                    }
                    None => {
                        if let Some(cell) = cells.last_mut() {
                            cell.push(line);
                        }
                    }
                }
            }
            let cells = cells.iter().take(MOST).map(|c| self.cell(c)).collect();
            let block = self.bytes(start, end);
            self.w.row(number, k < heads, cells, block);
        }
    }

    /// A table of comma-separated values; `head` is the row of its option.
    pub(super) fn csv(&mut self, head: Option<Range<usize>>, lines: Range<usize>) {
        let number = self.w.table();
        if let Some(head) = head {
            for record in delimited::records(self.w.text, head, ',') {
                self.record(number, true, &record);
            }
        }
        if lines.is_empty() {
            return;
        }
        let range = self.bytes(lines.start, lines.end);
        for record in delimited::records(self.w.text, range, ',') {
            self.record(number, false, &record);
        }
    }

    fn record(&mut self, number: usize, header: bool, record: &delimited::Record) {
        let cells = record.cells.iter().take(MOST).map(|c| self.w.flow(c.clone(), &Rst)).collect();
        self.w.row(number, header, cells, record.range.clone());
    }
}

fn is_border(said: &str) -> bool {
    said.len() > 2 && said.bytes().all(|b| matches!(b, b'+' | b'-' | b'='))
}

/// Columns of the runs of equals signs.
fn runs(said: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    for piece in said.split(' ') {
        if !piece.is_empty() {
            out.push(at..at + piece.len());
        }
        at += piece.len() + 1;
    }
    out
}
