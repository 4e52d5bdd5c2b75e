//! What belongs to an entry: its line, item or row, or the text that follows a stamp; and labels before a stamp.

use super::super::time::{Mention, cells, label_column, last_label, line_head};
use crate::document::{Block, Certainty, Document, Kind};
use crate::lang::{Column, Lexicon, Phase, Tag};
use crate::text::sentences;
use std::ops::Range;

/// The longest text of an entry that is kept whole, in characters; of a longer one the first sentences are.
const LONG: usize = 360;

/// A label before a mention (`Start: 14:05`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The label.
    pub text: String,
    /// What it stands for, if it is known.
    pub column: Option<Column>,
}

impl Label {
    /// The phase that a label dates: start, detection, end, or what its words say.
    pub fn phase(&self, lexicon: &Lexicon) -> Option<Phase> {
        match self.column {
            Some(Column::Start) => Some(Phase::Impact),
            Some(Column::Detected) => Some(Phase::Detected),
            Some(Column::End) => Some(Phase::Resolved),
            Some(_) => None,
            None => {
                let hit = lexicon.scan(&self.text).into_iter().find_map(|h| if let Tag::Phase(p) = h.tag { Some(p) } else { None });
                hit.filter(|p| *p != Phase::Followup)
            }
        }
    }
}

/// The label of a mention: before it on its line, or the heading above a line that is nothing else (`### Detected` over `14:05`).
pub fn label_in(document: &Document, m: &Mention, lexicon: &Lexicon) -> Option<Label> {
    let block = &document.blocks[m.block];
    label(block, m, lexicon).or_else(|| {
        let above = document.blocks.get(m.block.checked_sub(1)?)?;
        if !m.whole
            || m.at.clock.is_none() && m.implied.contains(&"year")
            || m.cell.is_some()
            || !matches!(above.kind, Kind::Heading { .. })
            || !matches!(block.kind, Kind::Paragraph | Kind::Item { .. })
        {
            return None;
        }
        let head = last_label(above.text.as_str());
        let column = label_column(lexicon, head)
            .filter(|c| matches!(c, Column::Start | Column::End | Column::Detected | Column::Date | Column::Time))?;
        Some(Label { text: head.to_string(), column: Some(column) })
    })
}

/// The label before a mention: the words of its line up to a colon, or the first cell of a row of two.
pub fn label(block: &Block, m: &Mention, lexicon: &Lexicon) -> Option<Label> {
    let text = block.text.as_str();
    let head = if let Kind::Row { cells: list, .. } = &block.kind {
        let ranges = cells(block);
        if m.cell == Some(0) || list.len() > 3 {
            return None;
        }
        text.get(ranges.first()?.clone())?
    } else {
        let line = line_head(text, 0, m.range.start);
        // a word that opens a range may stand between: `Duration: from 7:21 to 8:05`
        let colon = line.rfind([':', '：'])?;
        let (line, between) = line.split_at(colon);
        let between = between.trim_start_matches([':', '：']);
        if between.chars().filter(|c| c.is_alphanumeric()).count() > 10 || between.split_whitespace().count() > 2 {
            return None;
        }
        last_label(line)
    };
    let head = head.trim().trim_matches(|c: char| matches!(c, '*' | ':' | '：' | '-' | '•'));
    let head = last_label(head).trim_end_matches(['*', ':', '：']).trim();
    if head.is_empty() || head.chars().count() > 48 || head.split_whitespace().count() > 6 || head.chars().any(|c| c.is_ascii_digit()) {
        return None;
    }
    let column = label_column(lexicon, head);
    Some(Label { text: head.to_string(), column })
}

pub use crate::text::folded;

/// How many letters and digits an entry has besides its stamp.
pub fn without(text: &str, stamp: &str) -> usize {
    let count = |t: &str| t.chars().filter(|c| c.is_alphanumeric()).count();
    count(text).saturating_sub(count(stamp))
}

/// Where an entry's own words begin behind the stamp it opens with; the beginning of `range` where the stamp is part of what is told.
pub fn behind_stamp(text: &str, stamp: &Range<usize>, range: &Range<usize>) -> usize {
    let bare = |t: Option<&str>| t.is_some_and(|t| !t.chars().any(char::is_alphanumeric));
    if stamp.start < range.start || stamp.end > range.end || !bare(text.get(range.start..stamp.start)) {
        return range.start;
    }
    let rest = text.get(stamp.end..range.end).unwrap_or("");
    let mark = |c: char| {
        c.is_whitespace()
            || matches!(c, '|' | '-' | '–' | '—' | ':' | '：' | ']' | ')' | '）' | '】' | ',' | '、' | '，' | '*' | '·' | '.' | '→' | '>')
    };
    let words = rest.trim_start_matches(mark);
    // a quote's or bracket's beginning stays with what it opens
    if words.chars().filter(|c| c.is_alphanumeric()).count() >= 2 { range.end - words.len() } else { range.start }
}

/// The line that holds the byte `at`.
pub fn line_of(text: &str, at: usize) -> Range<usize> {
    let start = text.get(..at).and_then(|h| h.rfind('\n')).map_or(0, |i| i + 1);
    let end = text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |i| at + i);
    start..end
}

/// The sentence that holds the byte `at`.
pub fn sentence_of(sentences: &[Range<usize>], at: usize) -> Option<&Range<usize>> {
    sentences.get(sentences.partition_point(|s| s.end <= at)).filter(|s| s.start <= at)
}

/// The bytes of an entry that opens with `m`: up to the next entry of the block, and no more than its first sentences where it is long.
pub fn range(text: &str, m: &Mention, lines: &[Range<usize>], later: &[Mention]) -> Range<usize> {
    let line = line_of(text, m.range.start);
    let start = text.get(line.start..).map_or(line.start, |t| line.start + (t.len() - t.trim_start().len())).min(m.range.start);
    let below = |o: &&Mention| o.lead && o.at.clock.is_some() && o.range.start >= line.end;
    let mut limit = later.iter().find(below).map_or(text.len(), |o| line_of(text, o.range.start).start);
    // a later sentence with a clock of its own tells of something else
    if let Some(next) = later.iter().find(|o| o.at.clock.is_some() && !o.lead)
        && let Some(sentence) = sentence_of(lines, next.range.start)
        && sentence.start > m.range.end
    {
        limit = limit.min(sentence.start);
    }
    let mut end = m.range.end;
    let first = lines.partition_point(|s| s.end <= start);
    for s in lines[first..].iter().take_while(|s| s.start < limit) {
        let whole = text.get(start..s.end.min(limit)).map_or(0, |t| t.chars().count());
        if whole > LONG && end > m.range.end {
            break;
        }
        end = end.max(s.end.min(limit));
    }
    start..end.max(m.range.end)
}

/// A range without the white space at its ends.
pub fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = text.get(range.clone()).unwrap_or("");
    let start = range.start + (piece.len() - piece.trim_start().len());
    start..start + piece.trim().len()
}

/// What stands above a block that is only a stamp: the nearest blocks of text, back to a heading, a rule or another stamp, in order.
pub fn above(document: &Document, block: usize, stops: impl Fn(usize) -> bool) -> Vec<(usize, Range<usize>)> {
    let mut out = Vec::new();
    let mut length = 0;
    for n in (0..block).rev().take(6) {
        let b = &document.blocks[n];
        if stops(n) || matches!(b.kind, Kind::Heading { .. } | Kind::Rule | Kind::Code | Kind::Row { .. }) {
            break;
        }
        let count = b.text.as_str().chars().count();
        if length > 0 && length + count > LONG {
            break;
        }
        length += count;
        out.push((n, 0..b.text.len()));
    }
    out.reverse();
    out
}

/// What follows a block that is only a stamp: the first sentences of the blocks up to the next entry or heading.
pub fn following(document: &Document, block: usize, stops: impl Fn(usize) -> bool) -> Vec<(usize, Range<usize>)> {
    let mut out = Vec::new();
    let mut length = 0;
    let opened_by_heading = matches!(document.blocks[block].kind, Kind::Heading { .. });
    for (n, b) in document.blocks.iter().enumerate().skip(block + 1).take(6) {
        let heading = matches!(b.kind, Kind::Heading { certainty, .. } if certainty > Certainty::Maybe);
        if heading || stops(n) || matches!(b.kind, Kind::Rule | Kind::Code | Kind::Row { .. }) {
            break;
        }
        for s in sentences(b.text.as_str()).into_iter().take(2) {
            let count = b.text.as_str().get(s.clone()).map_or(0, |t| t.chars().count());
            if length > 0 && length + count > LONG {
                return out;
            }
            length += count;
            out.push((n, s));
        }
        if length > 80 || (opened_by_heading && !out.is_empty()) {
            break;
        }
    }
    out
}
