//! Tables of AsciiDoc: cells begin with a bar, wherever lines end; how many make a row is told, or seen from the first line.

use super::super::html::rows::{Row, Table};
use super::super::markup::delimited;
use super::Reader;
use super::inline::Adoc;
use std::ops::Range;

/// More columns than this make no table.
const MOST: usize = 64;

/// A cell, and what stood before its bar.
struct Cell {
    range: Range<usize>,
    line: usize,
    columns: usize,
    rows: usize,
    /// How often it is repeated.
    times: usize,
    head: bool,
}

impl Reader<'_> {
    /// Reads the table between the lines `open` and `close`.
    pub(super) fn table(&mut self, open: usize, close: usize, sign: char) {
        let number = self.w.table();
        if open + 1 >= close {
            return;
        }
        let first = (open + 1..close).find(|&n| !self.lines[n].is_blank()).unwrap_or(close);
        // a blank line behind the first row makes it the head
        let implied = first == open + 1 && self.lines.get(first + 1).is_some_and(|l| l.is_blank()) && first + 1 < close;
        let head = self.style.header || implied;
        let range = self.lines[open + 1].start..self.lines[close].start;
        if sign == ',' || sign == ';' {
            for (n, record) in delimited::records(self.w.text, range, sign).iter().enumerate() {
                let cells = record.cells.iter().take(MOST).map(|c| self.w.flow(c.clone(), &Adoc)).collect();
                self.w.row(number, head && n == 0, cells, record.range.clone());
            }
            return;
        }
        let cells = self.cells(open + 1..close, sign);
        let on_first = cells.iter().filter(|c| c.line == first).map(|c| c.columns * c.times).sum::<usize>();
        let columns = self.style.columns.unwrap_or(on_first).clamp(1, MOST);
        let mut table = Table::new(number);
        let mut row = Row::new(range.start, false);
        let mut begin = cells.first().map_or(range.start, |c| c.range.start);
        let mut told = 0;
        for cell in &cells {
            for _ in 0..cell.times.min(MOST) {
                let flow = self.w.flow(super::super::paragraph::trimmed(self.w.text, cell.range.clone()), &Adoc);
                table.add(&mut row, flow, (cell.columns, cell.rows), cell.head);
                table.fill(&mut row);
                if row.cells.len() >= columns {
                    let header = (head && told == 0) || row.is_header() && told == 0;
                    let done = std::mem::replace(&mut row, Row::new(cell.range.end, false));
                    self.w.row(number, header, done.cells, begin..cell.range.end);
                    told += 1;
                    begin = cell.range.end;
                }
            }
        }
        if !row.cells.is_empty() {
            self.w.row(number, false, row.cells, begin..range.end);
        }
    }

    fn cells(&self, lines: Range<usize>, sign: char) -> Vec<Cell> {
        let text = self.w.text;
        let mut out: Vec<Cell> = Vec::new();
        for n in lines {
            let line = self.lines[n].text.clone();
            let mut at = line.start;
            while let Some(bar) = text[at..line.end].find(sign).map(|k| at + k) {
                if text[..bar].ends_with('\\') {
                    at = bar + sign.len_utf8();
                    continue;
                }
                // what stands right before the bar may say how the cell is set
                let before = &text[at..bar];
                let word = before.rsplit([' ', '\t']).next().unwrap_or("");
                let spec = Spec::of(word).filter(|_| !word.is_empty() && (bar > line.start));
                if let Some(last) = out.last_mut() {
                    last.range.end = if spec.is_some() { bar - word.len() } else { bar };
                }
                let s = spec.unwrap_or_default();
                let from = bar + sign.len_utf8();
                out.push(Cell { range: from..line.end.max(from), line: n, columns: s.columns, rows: s.rows, times: s.times, head: s.head });
                at = from;
            }
            if let Some(last) = out.last_mut() {
                last.range.end = last.range.end.max(line.end);
            }
        }
        out
    }
}

/// How a cell is set: `2+`, `.3+`, `3*`, `^.>h`.
#[derive(Clone, Copy)]
struct Spec {
    columns: usize,
    rows: usize,
    times: usize,
    head: bool,
}

impl Default for Spec {
    fn default() -> Spec {
        Spec { columns: 1, rows: 1, times: 1, head: false }
    }
}

impl Spec {
    fn of(word: &str) -> Option<Spec> {
        let mut s = Spec::default();
        let mut rest = word;
        if let Some((span, after)) = word.split_once(['+', '*']) {
            if !span.bytes().all(|b| b.is_ascii_digit() || b == b'.') || span.len() > 5 {
                return None;
            }
            let (columns, rows) = span.split_once('.').unwrap_or((span, ""));
            let number = |t: &str| t.parse::<usize>().unwrap_or(1).clamp(1, MOST);
            if word[span.len()..].starts_with('*') {
                s.times = number(columns);
            } else {
                (s.columns, s.rows) = (number(columns), number(rows));
            }
            rest = after;
        }
        let style = rest.trim_start_matches(['<', '>', '^', '.']);
        s.head = style == "h";
        (style.is_empty() || matches!(style, "a" | "d" | "e" | "h" | "l" | "m" | "s" | "v")).then_some(s)
    }
}
