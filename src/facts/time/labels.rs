//! Labels before dates and clocks: `Start: 14:05`, `Detected (UTC): …`.

use super::place::line_head;
use super::zone::Zone;
use crate::document::Block;
use crate::lang::{Column, Fit, Lexicon, Phase, Tag};
use std::ops::Range;

/// What stands before a mention on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// No label.
    None,
    /// One that says it is the incident's day or time.
    Incident,
    /// One that says how long it was.
    Length,
    /// Another one.
    Other,
}

/// A label without what stands in brackets behind it.
pub fn bare_label(label: &str) -> &str {
    let label = label.trim();
    for (open, close) in [('(', ')'), ('（', '）'), ('[', ']')] {
        if let Some(inner) = label.strip_suffix(close)
            && let Some(at) = inner.rfind(open).filter(|at| *at > 0)
        {
            return label.get(..at).unwrap_or(label).trim_end().trim_end_matches(['*', '_']);
        }
    }
    label
}

/// Of several labels and values on one line the last label; what stands in brackets behind it is left out.
pub fn last_label(head: &str) -> &str {
    let head = bare_label(head.trim().trim_matches(['*', '_']));
    let last = head.rsplit(['。', '；', '|', '·', '•', '，', '、', '→', '–', '—', '\n']).next().unwrap_or(head);
    // marks that also stand inside names part labels where a space follows
    [". ", "; ", ", ", "/ ", " - "].into_iter().fold(last, |rest, mark| rest.rsplit(mark).next().unwrap_or(rest)).trim()
}

/// What a label says its value is. The words that name it may stand first (`Start of the outage`) or last (`First detected`, `首次发现时间`).
pub fn label_column(lexicon: &Lexicon, label: &str) -> Option<Column> {
    // `When:` asks for a time; what is due says so
    if lexicon.asks_when(label) {
        return Some(Column::Time);
    }
    let found = lexicon.column(label);
    if let Some(found) = found.filter(|f| f.fit >= Fit::Opens) {
        return Some(found.value);
    }
    let exact = |tail: &str| lexicon.exact_column(tail);
    let free = label.chars().all(|c| super::letters::is_free(c) || c.is_whitespace());
    let starts = label.char_indices().skip(1).map(|(i, _)| i);
    starts
        .filter(|&i| if free { label.len() - i >= 6 } else { label.get(..i).is_some_and(|h| h.ends_with([' ', '-', '/'])) })
        .take(24)
        .find_map(|i| exact(label.get(i..)?))
}

/// The label before a mention: words up to a colon, or the first cell of a row of two.
pub fn label_before(block: &Block, cells: &[Range<usize>], cell: Option<usize>, at: usize, lexicon: &Lexicon) -> Label {
    let text = block.text.as_str();
    let head = match cell {
        Some(1) if cells.len() == 2 => text.get(cells[0].clone()).unwrap_or(""),
        Some(_) => return Label::None,
        None => {
            let head = line_head(text, 0, at).trim_end();
            let Some(head) = head.trim_end_matches(['*', '_', '(']).trim_end().strip_suffix([':', '：']) else { return Label::None };
            head
        }
    };
    let head = last_label(head);
    if !head.chars().any(char::is_alphabetic) || head.split_whitespace().count() > 6 {
        return Label::None;
    }
    // what says that it was written or published later is no day of the incident
    if lexicon.scan(head).iter().any(|h| h.tag == Tag::Phase(Phase::Followup)) {
        return Label::Other;
    }
    match label_column(lexicon, head) {
        Some(Column::Duration) => Label::Length,
        Some(Column::Date | Column::Time | Column::Start | Column::Detected | Column::End) => Label::Incident,
        _ => Label::Other,
    }
}

/// The zone that the label before a clock names: `Detected (UTC): 14:05`.
pub fn label_zone(text: &str, at: usize, zones: &[super::scan::LooseZone]) -> Option<Vec<Zone>> {
    let (range, zones) = zones.get(zones.partition_point(|(r, _)| r.end <= at).checked_sub(1)?)?;
    if at - range.end > 16 {
        return None;
    }
    let between = text.get(range.end..at)?;
    let label = between.contains([':', '：']) && !between.contains('\n') && !between.chars().any(char::is_alphanumeric);
    label.then(|| zones.clone())
}
