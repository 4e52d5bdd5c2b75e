//! Rows of tables, of whichever format: cells joined for reading, with their way home.

use super::ink::Flow;
use crate::text::{Mapped, MappedBuilder};

/// What stands between the cells of a row's text.
const BAR: &str = " | ";

/// The text of a row with its marks, and its cells.
pub(super) fn row(cells: Vec<Flow>, of: &Mapped) -> (Flow, Vec<Mapped>) {
    let mut text = MappedBuilder::default();
    let mut marks = Vec::new();
    let mut at = 0;
    let mut out = Vec::with_capacity(cells.len());
    // bars stand on no bytes, at the end of the cell before them
    let mut before = of.span(0..0).start;
    if let Some(cell) = cells.iter().find(|c| !c.text.is_empty()) {
        before = cell.text.whole().start;
    }
    for (i, cell) in cells.into_iter().enumerate() {
        if i > 0 {
            text.atom(BAR, crate::text::Span::new(before, before));
            at += BAR.len();
        }
        text.piece(&cell.text, 0..cell.text.len());
        marks.extend(cell.marks.into_iter().map(|(r, m)| (r.start + at..r.end + at, m)));
        at += cell.text.len();
        if !cell.text.is_empty() {
            before = cell.text.whole().end;
        }
        out.push(cell.text);
    }
    (Flow { text: text.finish(), marks, lines: Vec::new() }, out)
}
