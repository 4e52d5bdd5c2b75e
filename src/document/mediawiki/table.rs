//! Tables between `{|` and `|}`: heads, cells of several lines, cells that reach over rows and columns.

use super::super::html::rows::{Row, Table};
use super::super::ink::Flow;
use super::super::markup;
use super::Reader;
use super::inline::Wiki;
use std::ops::Range;

/// A cell as its lines are read.
struct Cell {
    head: bool,
    reach: (usize, usize),
    text: Range<usize>,
}

/// True for a row between double bars: `|| 10:02 || Alert ||`.
pub(super) fn is_bars(said: &str) -> bool {
    said.starts_with("||") && said.ends_with("||") && said.len() > 4
}

impl Reader<'_> {
    /// Reads rows between double bars; gives the line after them. A first row in bold, or without a figure where rows follow that have some, is the head.
    pub(super) fn bars(&mut self, i: usize) -> usize {
        let text = self.w.text;
        let end = (i..self.lines.len()).find(|n| !is_bars(self.said(*n))).unwrap_or(self.lines.len());
        let number = self.w.table();
        let mut table = Table::new(number);
        let figures = |said: &str| said.chars().any(|c| c.is_ascii_digit());
        let plain_head =
            end > i + 1 && !figures(self.said(i)) && (i + 1..end).any(|n| figures(self.said(n))) || end > i + 2 && !figures(self.said(i));
        for n in i..end {
            let line = self.lines[n].text.clone();
            let mut cells = Vec::new();
            let mut from = line.start + 2;
            while from < line.end {
                let to = text[from..line.end].find("||").map_or(line.end, |at| from + at);
                // attributes stand between angle brackets: `<rowspan=2>`
                let said = &text[from..to];
                let skip =
                    said.find('>').filter(|_| said.starts_with('<') && said.contains(['=', '-', '|', '#', ':'])).map_or(0, |at| at + 1);
                cells.push(from + skip..to);
                from = to + 2;
            }
            let bold = |r: &Range<usize>| text[r.clone()].trim().starts_with("'''");
            let head = n == i && (plain_head || (cells.iter().all(|c| bold(c) || text[c.clone()].trim().is_empty())));
            let cells = cells.into_iter().map(|text| Cell { head, reach: (1, 1), text }).collect();
            self.end_row(&mut table, cells, line);
        }
        end
    }

    /// Reads the table that begins at line `i`; gives the line after it.
    pub(super) fn table(&mut self, i: usize) -> usize {
        let number = self.w.table();
        let mut table = Table::new(number);
        let mut row_start = self.lines[i].text.start;
        let mut cells: Vec<Cell> = Vec::new();
        let mut inner = 0usize;
        let mut n = i + 1;
        while n < self.lines.len() {
            let line = self.lines[n].clone();
            let said = self.said(n).to_owned();
            // a table within a cell is read as text of the cell
            if said.starts_with("{|") {
                inner += 1;
            } else if said.starts_with("|}") {
                if inner == 0 {
                    n += 1;
                    break;
                }
                inner -= 1;
            } else if inner > 0 {
                if let Some(cell) = cells.last_mut() {
                    cell.text.end = line.text.end;
                }
            } else if said.starts_with("|-") {
                self.end_row(&mut table, std::mem::take(&mut cells), row_start..line.start);
                row_start = line.text.start;
            } else if said.starts_with("|+") {
                let range = line.text.start + 2..line.text.end;
                self.w.note(self.after_attributes(range), line.text.clone(), &Wiki);
            } else if said.starts_with(['|', '!']) {
                self.cells(line.text.clone(), said.starts_with('!'), &mut cells);
            } else if let Some(cell) = cells.last_mut() {
                cell.text.end = line.text.end.max(cell.text.end);
            }
            n += 1;
        }
        let end = self.lines[n.min(self.lines.len()) - 1].start;
        self.end_row(&mut table, cells, row_start..end.max(row_start));
        n
    }

    /// The cells of a line.
    fn cells(&self, line: Range<usize>, head: bool, out: &mut Vec<Cell>) {
        let text = self.w.text;
        let bytes = text.as_bytes();
        let (mut from, mut at, mut depth) = (line.start + 1, line.start + 1, 0usize);
        let push = |range: Range<usize>, out: &mut Vec<Cell>| {
            let inner = self.after_attributes(range.clone());
            let attributes = &text[range.start..inner.start];
            out.push(Cell { head, reach: (number(attributes, "colspan"), number(attributes, "rowspan")), text: inner });
        };
        while at + 1 < line.end {
            match &bytes[at..at + 2] {
                b"[[" | b"{{" => depth += 1,
                b"]]" | b"}}" => depth = depth.saturating_sub(1),
                b"||" if depth == 0 => {
                    push(from..at, out);
                    from = at + 2;
                }
                b"!!" if depth == 0 && head => {
                    push(from..at, out);
                    from = at + 2;
                }
                _ => {
                    at += 1;
                    continue;
                }
            }
            at += 2;
        }
        push(from.min(line.end)..line.end, out);
    }

    /// A cell's text without the attributes that may stand before it: `style="…" | text`.
    fn after_attributes(&self, range: Range<usize>) -> Range<usize> {
        let said = &self.w.text[range.clone()];
        let Some(bar) = said.find('|') else { return range };
        let before = &said[..bar];
        let is_attributes = before.contains('=') && !before.contains("[[") && !before.contains("{{") && !said[bar..].starts_with("||");
        if is_attributes { range.start + bar + 1..range.end } else { range }
    }

    fn end_row(&mut self, table: &mut Table, cells: Vec<Cell>, block: Range<usize>) {
        if cells.is_empty() {
            return;
        }
        let mut row = Row::new(block.start, false);
        for cell in cells {
            let flow = self.cell(cell.text);
            table.add(&mut row, flow, cell.reach, cell.head);
        }
        table.fill(&mut row);
        let header = row.is_header();
        self.w.row(table.number, header, row.cells, block);
    }

    /// A cell's text; the signs of lists at the head of its lines part them.
    fn cell(&self, range: Range<usize>) -> Flow {
        let text = self.w.text;
        let mut ink = super::super::ink::Ink::new(self.w.of);
        for line in markup::lines(text, range).into_iter().filter(|l| !l.is_blank()) {
            let said = &text[line.text.clone()];
            let signs = said.bytes().take_while(|b| matches!(b, b'*' | b'#' | b':' | b';')).count();
            if !ink.is_empty() {
                ink.hard(line.start..line.text.start + signs);
            }
            super::super::markup::inline::write(&mut ink, text, line.text.start + signs..line.text.end, &Wiki);
        }
        ink.close_all();
        ink.take()
    }
}

/// The value of a numeric attribute; 1 where it is not there.
fn number(attributes: &str, name: &str) -> usize {
    let Some(at) = attributes.to_ascii_lowercase().find(name) else { return 1 };
    let digits: String =
        attributes[at + name.len()..].trim_start_matches(['=', ' ', '"', '\'']).chars().take(4).take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(1).max(1)
}
