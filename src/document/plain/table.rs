//! Tables in plain text: lines parted alike by bars or tabs.

use super::super::ink::{Flow, Ink};
use super::super::{Kind, table};
use super::Reader;
use super::lines::Line;
use std::ops::Range;

/// More cells than this make no table.
const MOST_CELLS: usize = 64;

impl Reader<'_> {
    /// Reads the table that begins at line `i`, if one does; gives the line after it.
    pub(super) fn table(&mut self, i: usize) -> Option<usize> {
        let sign = [b'|', b'\t'].into_iter().find(|s| self.columns(&self.lines[i], *s).is_some())?;
        let width = self.columns(&self.lines[i], sign)?;
        let mut end = i + 1;
        let mut rows = usize::from(!self.is_ruler(i));
        let mut ruler = self.is_ruler(i).then_some(i);
        while let Some(line) = self.lines.get(end).filter(|l| !l.is_blank() && l.quote == self.lines[i].quote) {
            if self.is_ruler(end) {
                ruler.get_or_insert(end);
            } else if self.columns(line, sign) == Some(width) {
                rows += 1;
            } else {
                break;
            }
            end += 1;
        }
        if rows < 2 && !(rows == 1 && ruler.is_some()) {
            return None;
        }
        let number = self.tables;
        self.tables += 1;
        let digits = |r: &Range<usize>| self.text[r.clone()].contains(|c: char| c.is_numeric());
        let body: Vec<usize> = (i..end).filter(|&n| !self.is_ruler(n)).collect();
        // without a ruler, a first row without figures above rows that all have some is the head
        let bare_head = body.len() > 1 && !digits(&self.lines[body[0]].text) && body[1..].iter().all(|&n| digits(&self.lines[n].text));
        let head = match ruler {
            Some(r) if r > i && body.len() > 1 => body[0] < r && (body[1..].first().is_none_or(|&n| n > r)),
            Some(_) => body.get(1).is_some_and(|&n| n > body[0] + 1),
            None => bare_head,
        };
        for (n, &row) in body.iter().enumerate() {
            let line = self.lines[row].clone();
            let cells: Vec<Flow> = self
                .cells(&line, sign)
                .map(|r| {
                    let mut ink = Ink::new(self.of);
                    ink.exact(super::super::paragraph::trimmed(self.text, r));
                    ink.take()
                })
                .collect();
            let (flow, cells) = table::row(cells, self.of);
            if flow.text.as_str().trim_matches([' ', '|']).is_empty() {
                continue;
            }
            let kind = Kind::Row { table: number, header: head && n == 0, cells };
            self.push(kind, flow, line.text.clone(), line.quote, n == 0 || row > body[n - 1] + 1);
        }
        Some(end)
    }

    /// The cells of a line; bars at its ends part nothing.
    fn cells<'a>(&'a self, line: &Line, sign: u8) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let mut range = line.text.clone();
        let bytes = self.text.as_bytes();
        if sign == b'|' && range.len() > 1 {
            range.start += usize::from(bytes[range.start] == sign);
            range.end -= usize::from(bytes[range.end - 1] == sign && range.end > range.start);
        }
        let mut at = range.start;
        self.text[range].split(char::from(sign)).map(move |piece| {
            let start = at;
            at += piece.len() + 1;
            start..start + piece.len()
        })
    }

    /// How many cells a line has; `None` where it is no row.
    fn columns(&self, line: &Line, sign: u8) -> Option<usize> {
        let text = &self.text[line.text.clone()];
        if sign == b'|' && (text.contains("||") || line.text.len() > 20_000) {
            return None;
        }
        let n = self.cells(line, sign).take(MOST_CELLS + 1).count();
        (2..=MOST_CELLS).contains(&n).then_some(n)
    }

    /// True for a line that only rules off: `---|---`, `+-----+`, `├──┤`.
    fn is_ruler(&self, i: usize) -> bool {
        let text = &self.text[self.lines[i].text.clone()];
        text.len() < 1000
            && text.contains(['-', '=', '─', '═'])
            && text.contains(['|', '+', '┼', '├', '┌', '└', '╪'])
            && text.chars().all(|c| matches!(c, '|' | '+' | '-' | '=' | ':' | ' ' | '\u{2500}'..='\u{257f}'))
    }
}
