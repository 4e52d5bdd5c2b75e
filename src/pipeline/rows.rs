//! A log of incidents as a table: each row an incident of its own, its columns what is told of it.
//!
//! What makes such a table: every row has a day of its own, and at least two columns hold what only an incident as a whole has, one of them its cause or
//! what was done. A timeline has days that repeat and no causes; a list of actions has no days in its rows but those until when.

use super::Moments;
use super::parts::{Part, document};
use crate::document::{Block, Certainty, Kind};
use crate::facts::{Because, Columns, Reading};
use crate::lang::{Column, Role};
use crate::text::{Mapped, MappedBuilder, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Rows a table needs to be a log.
const LEAST: usize = 2;

/// The incidents of a document that is a table of them; none where it is something else.
pub(super) fn of(reading: &Reading, moments: &Moments) -> Vec<Part> {
    let blocks = &reading.document.blocks;
    // a document with sections of its own about the incident tells of one
    if blocks.iter().zip(&reading.places).any(|(b, p)| {
        matches!(b.kind, Kind::Heading { .. }) && p.is_heading && p.because == Because::Heading && p.role.is_some_and(|r| !is_log(r))
    }) {
        return Vec::new();
    }
    let mut rows: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut heads: BTreeMap<usize, &Vec<Mapped>> = BTreeMap::new();
    for (n, block) in blocks.iter().enumerate() {
        match &block.kind {
            Kind::Row { table, header: true, cells } => {
                heads.entry(*table).or_insert(cells);
            }
            Kind::Row { table, header: false, .. } => rows.entry(*table).or_default().push(n),
            _ => {}
        }
    }
    let mut parts = Vec::new();
    for (table, rows) in rows {
        if let (Some(columns), Some(head)) = (reading.tables.get(table), heads.get(&table)) {
            parts.extend(log(reading, moments, columns, head, &rows));
        }
    }
    let mut seen = BTreeSet::new();
    for (n, part) in parts.iter_mut().enumerate() {
        if !seen.insert(part.suffix.clone()) {
            part.suffix = format!("{}-{}", part.suffix, n + 1);
        }
    }
    parts
}

/// Headings under which a table of incidents stands.
fn is_log(role: Role) -> bool {
    matches!(role, Role::Summary | Role::Timeline | Role::Background)
}

fn log(reading: &Reading, moments: &Moments, columns: &Columns, head: &[Mapped], rows: &[usize]) -> Vec<Part> {
    let holds = |c: usize, column: Column, roles: &[Role]| {
        columns.columns.get(c).copied().flatten() == Some(column)
            || columns.roles.get(c).copied().flatten().is_some_and(|r| roles.contains(&r))
    };
    let any = |column: Column, roles: &[Role]| (0..head.len()).any(|c| holds(c, column, roles));
    let cause = any(Column::Cause, &[Role::RootCause, Role::Trigger, Role::Contributing]);
    let cure = any(Column::Action, &[Role::Resolution, Role::Remediation, Role::Prevention]);
    let harm = any(Column::Severity, &[Role::Impact]) || any(Column::Service, &[Role::Detection]);
    // a plan has owners and dates until when
    let plan = (0..head.len()).any(|c| matches!(columns.columns.get(c), Some(Some(Column::Owner | Column::Due)))) && !cause;
    if rows.len() < LEAST || !(cause || cure) || [cause, cure, harm].iter().filter(|h| **h).count() < 2 || plan {
        return Vec::new();
    }
    let days: Vec<Option<String>> = rows.iter().map(|n| day(moments, *n)).collect();
    let distinct = days.iter().flatten().collect::<BTreeSet<_>>().len();
    if days.iter().flatten().count() * 10 < rows.len() * 9 || distinct * 4 < rows.len() * 3 || distinct < LEAST {
        return Vec::new();
    }
    let title = (0..head.len())
        .find(|c| holds(*c, Column::Event, &[Role::Summary]))
        .or_else(|| (0..head.len()).find(|c| holds(*c, Column::Event, &[Role::Impact])));
    let made = rows.iter().zip(days).enumerate().filter_map(|(n, (row, day))| {
        let block = &reading.document.blocks[*row];
        let Kind::Row { cells, .. } = &block.kind else { return None };
        let titled = title.filter(|c| cells.get(*c).is_some_and(|c| !c.is_empty()));
        let title = titled.and_then(|c| cells.get(c)).or_else(|| cells.iter().max_by_key(|c| c.len()))?;
        let mut blocks = vec![made(block, Kind::Heading { level: 1, certainty: Certainty::Certain }, title.clone())];
        for (c, (name, cell)) in head.iter().zip(cells).enumerate() {
            if cell.is_empty() || titled == Some(c) {
                continue;
            }
            blocks.push(made(block, Kind::Paragraph, labelled(name, cell)));
        }
        let suffix = day.unwrap_or_else(|| (n + 1).to_string());
        Some(Part { document: document(reading.document, blocks), suffix })
    });
    made.collect()
}

/// The first day that a row tells.
fn day(moments: &Moments, row: usize) -> Option<String> {
    let stated = moments.times.mentions.iter().filter(|m| m.block == row && !m.implied.contains(&"date"));
    stated.map(|m| m.at.to_string()).find_map(|at| at.get(..10).filter(|d| !d.contains('X')).map(str::to_string))
}

/// A cell behind the head of its column, as a label stands before its text.
fn labelled(head: &Mapped, cell: &Mapped) -> Mapped {
    let name = head.as_str().trim_end_matches([':', '：', ' ']);
    if name.is_empty() {
        return cell.clone();
    }
    let mut text = MappedBuilder::default();
    text.piece(head, 0..name.len());
    // the sign stands on no bytes, at the beginning of the cell
    let at = cell.whole().start;
    text.atom(": ", Span::new(at, at));
    text.piece(cell, 0..cell.len());
    text.finish()
}

fn made(row: &Block, kind: Kind, text: Mapped) -> Block {
    Block { kind, text, span: row.span, marks: Vec::new(), quote: row.quote, lang: row.lang.clone(), gap: true }
}
