//! Table rows while they are read: cells, and those that reach over several rows or columns.

use super::super::ink::Flow;

/// A cell may reach over this many rows or columns at most.
const REACH: usize = 100;

/// The row that is being read.
pub(in crate::document) struct Row {
    pub start: usize,
    pub in_head: bool,
    pub cells: Vec<Flow>,
    /// Cells that are no `th`.
    pub plain: usize,
    pub told_cells: usize,
}

impl Row {
    pub fn new(start: usize, in_head: bool) -> Row {
        Row { start, in_head, cells: Vec::new(), plain: 0, told_cells: 0 }
    }

    /// True where every cell is a head.
    pub fn is_header(&self) -> bool {
        self.in_head || (self.plain == 0 && self.told_cells > 0)
    }
}

/// A table that is open.
#[derive(Default)]
pub(in crate::document) struct Table {
    pub number: usize,
    /// Cells that reach into rows to come: column, rows left, the cell.
    reaching: Vec<(usize, usize, Flow)>,
}

impl Table {
    pub fn new(number: usize) -> Table {
        Table { number, reaching: Vec::new() }
    }

    /// Puts the cells of earlier rows that reach into this row where the next cell of `row` is due.
    pub fn fill(&mut self, row: &mut Row) {
        while let Some((_, left, cell)) = self.reaching.iter_mut().find(|(column, left, _)| *column == row.cells.len() && *left > 0) {
            *left -= 1;
            row.cells.push(cell.clone());
        }
    }

    /// Adds a cell with its `colspan` and `rowspan`.
    pub fn add(&mut self, row: &mut Row, cell: Flow, (columns, rows): (usize, usize), head: bool) {
        self.fill(row);
        row.told_cells += 1;
        row.plain += usize::from(!head);
        if rows > 1 && self.reaching.len() < REACH {
            self.reaching.retain(|(_, left, _)| *left > 0);
            self.reaching.push((row.cells.len(), rows.min(REACH) - 1, cell.clone()));
        }
        row.cells.push(cell);
        for _ in 1..columns.min(REACH) {
            row.cells.push(Flow::default());
        }
    }
}
