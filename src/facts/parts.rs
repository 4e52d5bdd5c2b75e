//! What an action stands on: the half of a sentence that tells of it, the cells of a row, the first sentences of a long item.

use super::units::{Reading, Shape, Unit};
use crate::lang::{Column, Cue, Tag};
use crate::text::{Mapped, Span};

/// A sentence that tells of two actions (`we fixed the code, but will also …`) in two: cut at a comma, where both sides have a verb of their own.
pub fn halves(reading: &Reading, unit: &Unit) -> Vec<Unit> {
    let text = unit.text(reading.document);
    let told = |u: &Unit| u.hits().iter().any(|h| h.own && matches!(h.tag, Tag::Cue(Cue::Done | Cue::Future)));
    if unit.shape != Shape::Sentence || text.chars().count() < 60 || super::status::marked(reading, unit).is_some() {
        return Vec::new();
    }
    let part = |range: std::ops::Range<usize>| {
        let hits = unit.hits().iter().filter(|h| h.range.start >= range.start && h.range.end <= range.end).cloned().collect();
        unit.cut(range, hits)
    };
    let full = |u: &Unit| {
        u.text(reading.document).chars().filter(|c| c.is_alphanumeric()).count()
            >= if text.chars().any(|c| c as u32 >= 0x2E80) { 8 } else { 24 }
    };
    for (i, c) in text.char_indices().filter(|(_, c)| matches!(c, ';' | ',' | '；' | '，')) {
        let at = unit.range.start + i;
        let (left, right) = (part(unit.range.start..at), part(at + c.len_utf8()..unit.range.end));
        let trimmed = right.text(reading.document);
        let start = right.range.start + (trimmed.len() - trimmed.trim_start().len());
        let right = right.cut(start..right.range.end, right.hits().to_vec());
        // a strong verb on both sides; a clause that only says why or so that stays with its sentence
        let purpose = right.has(Cue::Prevent).max(right.has(Cue::CauseRight)) >= 1.0 && right.has(Cue::Done) < 1.0;
        // two halves of one tense belong together unless the sentence is long
        let tense = |u: &Unit| u.has(Cue::Future) > u.has(Cue::Done);
        if (tense(&left) != tense(&right) || text.chars().count() >= 180)
            && told(&left)
            && told(&right)
            && full(&left)
            && full(&right)
            && !purpose
            && left.has(Cue::Fault) + left.has(Cue::CauseRight) < 1.5
        {
            return vec![left, right];
        }
    }
    Vec::new()
}

/// Where a unit's words begin: emoji, boxes, bullets and numbers at its head are passed over.
pub fn opening(reading: &Reading, unit: &Unit) -> usize {
    let text = unit.text(reading.document);
    let skipped = text.char_indices().find(|(_, c)| c.is_alphabetic()).map_or(0, |(i, _)| i);
    unit.range.start + if text[..skipped].chars().count() <= 6 { skipped } else { 0 }
}

/// True where a unit begins with a cue, or nearly so.
pub fn opens_with(reading: &Reading, unit: &Unit, cue: Cue) -> bool {
    let from = opening(reading, unit);
    unit.hits().iter().any(|h| h.tag == Tag::Cue(cue) && h.range.start <= from + 3)
}

/// A row stands on its action cell and on the cell that tells it at length, anything else on its text; a long item on its first sentences.
pub fn passage(reading: &Reading, unit: &Unit) -> (String, Vec<Span>) {
    if let Some((columns, cells)) = reading.row(unit.block)
        && let Some(at) = columns.columns.iter().position(|c| *c == Some(Column::Action))
        && let Some(cell) = cells.get(at).filter(|c| !c.is_empty())
    {
        let mut text = cell.as_str().to_string();
        let mut spans = cell.spans(0..cell.len());
        let told = |(n, c): &(usize, &Mapped)| {
            *n > at && matches!(columns.columns.get(*n), None | Some(None | Some(Column::Criterion))) && c.len() >= 40
        };
        if let Some((_, detail)) = cells.iter().enumerate().filter(told).max_by_key(|(n, c)| (c.len(), usize::MAX - n)) {
            text.push_str(" — ");
            text.push_str(detail.as_str());
            spans.extend(detail.spans(0..detail.len()));
        }
        return (text, spans);
    }
    let (block, range) = (reading.block(unit), unit.point(reading.document));
    (block.text.as_str()[range.clone()].to_string(), block.text.spans(range))
}
