//! How elements end: by their tags, by what begins after them, by what they stand in.

use super::super::super::paragraph::{self, Place};
use super::super::super::{Kind, table};
use super::super::elements::{self, Role};
use super::{FAR, Holds, Tree};
use std::ops::Range;

impl Tree<'_> {
    /// Ends elements that another one's beginning ends.
    pub(super) fn imply_ends(&mut self, role: Role, name: &str, at: usize) {
        // text of a page's head is over when something that belongs to its body begins
        if self.stack.last().is_some_and(|o| o.role == Role::PageHead)
            && !matches!(role, Role::Title | Role::Void | Role::Mute | Role::Inline)
        {
            self.pop(at..at);
        }
        // a paragraph ends where a block begins
        if elements::parts(role)
            && self.count.get("p").is_some_and(|n| *n > 0)
            && let Some(i) = self.stack.iter().rposition(|o| o.role != Role::Inline).filter(|&i| self.stack[i].name == "p")
        {
            self.pop_to(i, at..at);
        }
        // a nested table or heading shows that the table around it only lays the page out
        if matches!(role, Role::Table | Role::Heading(_) | Role::Article | Role::Main) && self.now.holds == Holds::Cell {
            self.unmake_row(at);
        }
        loop {
            let found = self.stack.iter().enumerate().rev().take(FAR).find_map(|(i, o)| {
                if elements::implies_end(o.role, &o.name, role, name) {
                    Some(Some(i))
                } else if elements::bounds(o.role, role) {
                    Some(None)
                } else {
                    None
                }
            });
            match found.flatten() {
                Some(i) => self.pop_to(i, at..at),
                None => break,
            }
        }
    }

    /// Tells the cells of the row that is being read as paragraphs, and reads the open cell as a part of the page.
    fn unmake_row(&mut self, at: usize) {
        let Some(row) = self.row.last_mut() else { return };
        let cells = std::mem::take(&mut row.cells);
        row.told_cells = 0;
        let place =
            Place { of: self.of, quote: self.now.quote, lang: None, depth: self.now.depth, gap: true, note: false, knows_bullets: false };
        let last = self.ink.take();
        for flow in cells.into_iter().chain([last]) {
            let start = flow.lines.first().map_or(at, |l| l.start);
            paragraph::paragraph(flow, start.min(at)..at, &place, &mut self.page.blocks);
        }
        self.now.holds = Holds::Text;
        self.tell_places();
        for open in self.stack.iter_mut().rev() {
            if matches!(open.role, Role::Cell { .. }) {
                open.role = Role::Block;
                break;
            }
            open.before.holds = Holds::Text;
        }
        self.begin = at;
    }

    /// An end tag.
    pub fn close(&mut self, name: &str, range: Range<usize>) {
        match name {
            "br" => return self.line_break(range),
            "p" if self.count.get("p").is_none_or(|n| *n == 0) => {
                if !self.now.mute {
                    self.flush(range.end);
                    self.begin = range.end;
                }
                return;
            }
            "body" | "html" => return,
            _ => {}
        }
        if self.count.get(name).is_none_or(|n| *n == 0) {
            return;
        }
        let role = elements::role(name);
        let inline = role == Role::Inline;
        let found = self.stack.iter().enumerate().rev().take(FAR).find_map(|(i, o)| {
            if o.name == name {
                Some(Some(i))
            } else if (inline && elements::parts(o.role)) || (!matches!(role, Role::Table) && o.role == Role::Table) {
                Some(None)
            } else {
                None
            }
        });
        match found {
            Some(Some(i)) => self.pop_to(i, range),
            _ if inline => {
                if let Some(mark) = elements::mark(name, None) {
                    self.ink.close(&mark);
                }
            }
            _ => {}
        }
    }

    fn pop_to(&mut self, index: usize, range: Range<usize>) {
        while self.stack.len() > index + 1 {
            self.pop(range.start..range.start);
        }
        self.pop(range);
    }

    /// Ends the innermost element; `range` is its end tag, empty where it has none.
    pub(super) fn pop(&mut self, range: Range<usize>) {
        let Some(open) = self.stack.pop() else { return };
        if let Some(n) = self.count.get_mut(&open.name) {
            *n = n.saturating_sub(1);
        }
        if let Some(mark) = &open.mark {
            self.ink.close(mark);
        }
        if elements::parts(open.role) && !self.now.mute {
            if matches!(open.role, Role::Cell { .. }) && self.now.holds == Holds::Cell {
                self.end_cell(open.role == Role::Cell { head: true });
            } else {
                self.flush(range.end);
            }
            self.begin = range.end;
        }
        match open.role {
            Role::Title => {
                self.in_title = false;
                self.page.title.get_or_insert(self.title.take().text);
            }
            Role::Item => {
                self.items.pop();
            }
            Role::Row => self.end_row(range.end),
            Role::Table => {
                self.table.pop();
            }
            Role::Mute if self.ink.is_empty() => self.begin = range.end,
            _ => {}
        }
        self.now = open.before;
    }

    fn end_cell(&mut self, head: bool) {
        let flow = self.ink.take();
        let spans = std::mem::replace(&mut self.spans, (1, 1));
        if let (Some(table), Some(row)) = (self.table.last_mut(), self.row.last_mut()) {
            table.add(row, flow.from(0), spans, head);
        }
    }

    fn end_row(&mut self, end: usize) {
        let Some(mut row) = self.row.pop() else { return };
        let Some(table) = self.table.last_mut() else { return };
        table.fill(&mut row);
        if row.told_cells == 0 || row.cells.iter().all(|c| c.text.is_empty()) {
            return;
        }
        let (header, number) = (row.is_header(), table.number);
        let lang = self.langs.get(self.now.lang).cloned().flatten();
        let place = Place { of: self.of, quote: self.now.quote, lang, depth: 0, gap: true, note: false, knows_bullets: true };
        let (flow, cells) = table::row(row.cells, self.of);
        self.page.blocks.push(place.block(Kind::Row { table: number, header, cells }, flow, row.start..end, true));
        self.tell_places();
    }
}
