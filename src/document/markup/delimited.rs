//! Values parted by a sign, quoted where they hold it: the tables that some markups take from spreadsheets.

use std::ops::Range;

/// One record: its bytes, and the cells without quotes and white space at their ends.
pub(in super::super) struct Record {
    pub range: Range<usize>,
    pub cells: Vec<Range<usize>>,
}

/// The records of a range of `text`, one a line; a quoted cell may hold line breaks. Doubled quotes stay as they are.
pub(in super::super) fn records(text: &str, range: Range<usize>, sign: char) -> Vec<Record> {
    let mut out = Vec::new();
    let (mut at, mut begin) = (range.start, range.start);
    let mut cells = Vec::new();
    while at < range.end {
        let rest = &text[at..range.end];
        let lead = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let from = at + lead;
        let quoted = text[from..range.end].strip_prefix('"').and_then(|inner| close(inner).map(|n| from + 1..from + 1 + n));
        let search = quoted.as_ref().map_or(from, |q| q.end + 1);
        let stop = text[search..range.end].find([sign, '\n']).map_or(range.end, |n| search + n);
        cells.push(quoted.unwrap_or_else(|| super::super::paragraph::trimmed(text, from..stop)));
        let ends = stop >= range.end || text[stop..].starts_with('\n');
        at = stop + 1;
        if ends {
            let all = super::super::paragraph::trimmed(text, begin..stop.min(range.end));
            if !all.is_empty() {
                out.push(Record { range: all, cells: std::mem::take(&mut cells) });
            }
            cells.clear();
            begin = at.min(range.end);
        }
    }
    out
}

/// Where the quote that was opened before `inner` closes.
fn close(inner: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let n = at + inner[at..].find('"')?;
        if !inner[n + 1..].starts_with('"') {
            return Some(n);
        }
        at = n + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_quotes() {
        let text = "a, \"b, c\" ,d\n\n\"x\ny\",,z";
        let said: Vec<Vec<&str>> =
            records(text, 0..text.len(), ',').iter().map(|r| r.cells.iter().map(|c| &text[c.clone()]).collect()).collect();
        assert_eq!(said, [vec!["a", "b, c", "d"], vec!["x\ny", "", "z"]]);
    }
}
