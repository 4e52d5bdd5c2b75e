//! What the columns of a table hold: by the words of their heads, and where a word says two things by what stands below it.

use crate::document::{Document, Kind};
use crate::lang::{Column, Fit, Lexicon};

/// A column's head as read: what it names, and how surely.
pub type Head = Option<(Column, Fit)>;

/// How many rows of a table are looked at.
const MOST: usize = 200;

/// The columns of each table, by its number; empty where a table has no head. A column under `When` (or a first one under
/// a word that is not known) whose cells are clocks holds the times of what happened, since what is to be done is due on days.
pub fn read(document: &Document, lexicon: &Lexicon) -> Vec<Vec<Head>> {
    let mut heads: Vec<Vec<Head>> = Vec::new();
    // per table and column: cells that hold something, and those that open with a clock
    let mut cells: Vec<Vec<(usize, usize)>> = Vec::new();
    // those whose head asks when
    let mut asking: Vec<Vec<bool>> = Vec::new();
    for block in &document.blocks {
        let Kind::Row { table, header, cells: row } = &block.kind else { continue };
        while heads.len() <= *table {
            heads.push(Vec::new());
            cells.push(Vec::new());
            asking.push(Vec::new());
        }
        if *header {
            if heads[*table].is_empty() {
                asking[*table] = row.iter().map(|c| lexicon.asks_when(c.as_str())).collect();
                heads[*table] = row.iter().map(|c| lexicon.column(c.as_str()).map(|f| (f.value, f.fit))).collect();
            }
            continue;
        }
        let counts = &mut cells[*table];
        counts.resize(counts.len().max(row.len()), (0, 0));
        for (count, cell) in counts.iter_mut().zip(row).filter(|(count, _)| count.0 < MOST) {
            let text = cell.as_str().trim();
            if text.chars().any(char::is_alphanumeric) {
                count.0 += 1;
                count.1 += usize::from(holds_clock(text));
            }
        }
    }
    for ((heads, cells), asks) in heads.iter_mut().zip(&cells).zip(&asking) {
        let told = heads.iter().flatten().any(|(c, f)| *c == Column::Time && *f >= Fit::Opens);
        let clocked = |c: usize| cells.get(c).is_some_and(|(all, clocks)| *all > 0 && clocks * 5 >= all * 3);
        if told || heads.is_empty() {
            continue;
        }
        let asked = (0..heads.len()).find(|c| asks.get(*c).is_some_and(|a| *a) && clocked(*c));
        // a first column of clocks under a word that is not known: `At`
        let first = (matches!(heads[0], None | Some((_, Fit::Within))) && clocked(0)).then_some(0);
        if let Some(c) = asked.or(first) {
            heads[c] = Some((Column::Time, Fit::Exact));
        }
    }
    heads
}

/// True where a short text holds a clock in figures among its first characters.
fn holds_clock(text: &str) -> bool {
    let figures: Vec<char> = text.chars().take(32).collect();
    let digit = |n: usize| figures.get(n).is_some_and(|c| c.is_numeric());
    (1..figures.len()).any(|n| {
        let before = digit(n - 1) && !(n > 2 && digit(n - 2) && digit(n - 3));
        match figures[n] {
            ':' | '：' | 'h' => before && digit(n + 1) && digit(n + 2) && !digit(n + 3),
            '時' | '时' | '點' | '点' | '시' => before && !matches!(figures.get(n + 1), Some('間' | '间')),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_in_cells() {
        for yes in ["13:20", "2024-03-05 10:02 UTC", "~9:05", "14h05", "8時10分", "오후 2시"] {
            assert!(holds_clock(yes), "{yes}");
        }
        for no in ["30 April", "2024-03-05", "Q3", "3時間", "in 10 days", "1.5"] {
            assert!(!holds_clock(no), "{no}");
        }
    }
}
