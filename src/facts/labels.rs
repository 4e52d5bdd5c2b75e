//! Severity and services: values behind labels, in table rows, and in the front matter.

use super::Fact;
use super::units::Reading;
use crate::document::Kind;
use crate::lang::{Column, Fit, Tag};
use crate::text::Mapped;
use std::ops::Range;

/// How bad it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Severity {
    /// The author's word.
    pub written: String,
    /// 1 is the worst.
    pub rank: Option<u8>,
    /// Which ladder: `sev1-4`, `p0-4`, `words`.
    pub scale: &'static str,
}

/// A value that stands behind a label: what the label says it is, the block, and where in it.
pub(super) struct Labelled {
    column: Column,
    block: usize,
    place: Place,
}

enum Place {
    /// The second cell of a row of two.
    Second,
    /// A cell below the head that is the label.
    Cell(usize),
    /// Bytes of a line.
    Line(Range<usize>),
}

/// Values that stand behind a label of some kind, with the rule: `Label: value` in a block, a row of two cells, a column of a table.
pub fn labelled(reading: &Reading, wanted: Column) -> Vec<(Mapped, &'static str)> {
    let all = reading.labelled.get_or_init(|| all_labelled(reading));
    let value = |l: &Labelled| {
        let block = &reading.document.blocks[l.block];
        match (&l.place, &block.kind) {
            (Place::Second, Kind::Row { cells, .. }) => Some((cells.get(1)?.trim(), "label-row")),
            (Place::Cell(at), Kind::Row { cells, .. }) => Some((cells.get(*at)?.trim(), "column")),
            (Place::Line(range), _) => Some((block.text.slice(range.clone()).trim(), "label")),
            _ => None,
        }
    };
    let mut out: Vec<_> = all.iter().filter(|l| l.column == wanted).filter_map(value).collect();
    out.retain(|(m, _)| !m.is_empty() && m.as_str().chars().any(char::is_alphanumeric));
    out
}

fn all_labelled(reading: &Reading) -> Vec<Labelled> {
    let mut out = Vec::new();
    for (n, block) in reading.document.blocks.iter().enumerate() {
        let named = |text: &str| reading.lexicon.exact_column(text);
        if let Kind::Row { cells, header, .. } = &block.kind {
            let own = cells.first().filter(|_| cells.len() == 2).and_then(|c| named(c.as_str()));
            out.extend(own.map(|column| Labelled { column, block: n, place: Place::Second }));
            let heads = reading.row(n).filter(|_| !header).map_or(&[][..], |(columns, _)| columns.columns.as_slice());
            for (at, column) in heads.iter().enumerate() {
                // of columns that are called alike the first
                if let Some(column) = column.filter(|c| Some(*c) != own && !heads[..at].contains(&Some(*c))) {
                    out.push(Labelled { column, block: n, place: Place::Cell(at) });
                }
            }
            continue;
        }
        // one label a line of the block
        let text = block.text.as_str();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if let Some((label, value)) = line.split_once([':', '：'])
                && label.chars().count() <= 40
                && let Some(column) = named(label)
            {
                let from = at + line.len() - value.len();
                let place = Place::Line(from..from + fields_end(reading, value));
                out.push(Labelled { column, block: n, place });
            }
            at += line.len();
        }
    }
    out
}

/// Where a value ends on a line that holds several labels side by side (`S2      Status: closed`, `P0　状态：已归档`): before a
/// word that is a known label, or at white space wider than one blank with a label behind it.
fn fields_end(reading: &Reading, value: &str) -> usize {
    let head = value.find([':', '：']).map_or("", |at| &value[..at]);
    if let Some(at) = head.trim_end().rfind(char::is_whitespace)
        && !head[..at].trim().is_empty()
        && reading.lexicon.exact_column(&head[at..]).is_some()
    {
        return at;
    }
    let lead = value.len() - value.trim_start().len();
    let gap = value[lead..].find("  ").into_iter().chain(value[lead..].find(['\u{3000}', '\t'])).min();
    gap.map(|at| lead + at).filter(|at| value[*at..].contains([':', '：'])).unwrap_or(value.len())
}

/// The severity, from the front matter, a label or a row.
pub fn severity(reading: &Reading) -> Option<Fact<Severity>> {
    let fields = &reading.document.front_matter;
    if let Some(field) = fields.field("severity")
        && let Some(value) = field.values.first()
    {
        return Fact::new(rank(reading, value), vec![field.span], "front-matter");
    }
    let named = |column: Column| {
        let field =
            fields.fields.iter().find(|f| reading.lexicon.column(&f.key).is_some_and(|c| c.value == column && c.fit == Fit::Exact))?;
        Some((field.values.first()?, field.span))
    };
    if let Some((value, span)) = named(Column::Severity) {
        return Fact::new(rank(reading, value), vec![span], "front-matter");
    }
    let fits = |(m, rule): &(Mapped, &str)| *rule != "column" && m.as_str().chars().count() <= 60;
    // where an incident has no severity but a priority, above what is told and with a value of a ladder, that is it
    let priority = || labelled(reading, Column::Priority).into_iter().filter(fits).find(|(m, _)| rank(reading, m.as_str()).rank.is_some());
    let told = labelled(reading, Column::Severity).into_iter().find(fits).or_else(|| within(reading).map(|m| (m, "label")));
    let (value, rule) = told.or_else(priority)?;
    let value = value.slice(0..value.as_str().trim_end_matches([' ', '·', '•', '|', ',', ';', '/', '-', '–', '—']).len());
    Fact::new(rank(reading, value.as_str()), value.spans(0..value.len()), rule)
}

/// A severity whose label stands within a line of the opening blocks (`It is over. Severity: high. Components: …`): the label is what stands right before
/// the colon, the value one clause.
fn within(reading: &Reading) -> Option<Mapped> {
    let is = |text: &str| reading.lexicon.exact_column(text) == Some(Column::Severity);
    let prose = reading.document.blocks.iter().filter(|b| matches!(b.kind, Kind::Paragraph | Kind::Item { .. } | Kind::Note));
    prose.take(40).find_map(|block| {
        let text = block.text.as_str();
        text.match_indices([':', '：']).take(40).find_map(|(at, colon)| {
            let head = &text[..at];
            let clause = head
                .rfind(['.', ';', ',', '(', '|', '·', '•', '\n', '。', '；', '，'])
                .map_or(0, |i| i + head[i..].chars().next().map_or(1, char::len_utf8));
            let words: Vec<&str> = head[clause..].split_whitespace().collect();
            let named = (1..=words.len().min(3)).any(|n| is(&words[words.len() - n..].join(" ")));
            let from = at + colon.len();
            let end = text[from..].find(['.', ';', ',', '\n', '|', '·', '•', '。', '；', '，', '、']).map_or(text.len(), |i| from + i);
            let value = block.text.slice(from..end).trim();
            let told = value.as_str().chars().any(char::is_alphanumeric) && value.as_str().chars().count() <= 40;
            (named && told && rank(reading, value.as_str()).rank.is_some()).then_some(value)
        })
    })
}

fn rank(reading: &Reading, written: &str) -> Severity {
    let lower = written.to_lowercase();
    let digit_after = |prefix: &str| {
        let at = lower.find(prefix)?;
        let rest = lower[at + prefix.len()..].trim_start_matches(['-', ' ', ':', '_']);
        rest.chars().next().and_then(|c| c.to_digit(10))
    };
    for (prefix, scale, base) in [("sev", "sev1-4", 1), ("severity", "sev1-4", 1), ("s", "sev1-4", 1), ("p", "p0-4", 0)] {
        let starts = prefix.len() > 1 || lower.trim_start().starts_with(prefix);
        if let Some(d) = digit_after(prefix).filter(|_| starts) {
            let rank = if base == 0 { d + 1 } else { d.max(1) };
            return Severity { written: written.to_string(), rank: Some(rank.min(5) as u8), scale };
        }
    }
    // a bare figure: a step of the author's own ladder
    if let Ok(n @ 1..=5) = written.trim().parse::<u8>() {
        return Severity { written: written.to_string(), rank: Some(n), scale: "sev1-4" };
    }
    let word = reading.lexicon.scan(written).into_iter().find_map(|h| if let Tag::Severity(n) = h.tag { Some(n) } else { None });
    Severity { written: written.to_string(), rank: word, scale: "words" }
}

/// Services and owners of the front matter, and services behind labels.
pub fn services(reading: &Reading) -> Vec<Fact<String>> {
    let mut out: Vec<Fact<String>> = Vec::new();
    if let Some(field) = reading.document.front_matter.field("services").or_else(|| reading.document.front_matter.field("service")) {
        out.extend(field.values.iter().filter_map(|v| Fact::new(v.trim().to_string(), vec![field.span], "front-matter")));
    }
    if out.is_empty() {
        for (value, rule) in labelled(reading, Column::Service).into_iter().filter(|(m, _)| m.as_str().chars().count() <= 160) {
            let mut at = 0;
            for part in value.as_str().split_inclusive([',', ';', '、', '，', '،', '؛', '；', '/']) {
                let name = part.trim_end_matches([',', ';', '、', '，', '،', '؛', '；', '/']);
                let piece = value.slice(at..at + name.len()).trim();
                at += part.len();
                if (2..=60).contains(&piece.as_str().chars().count()) {
                    out.extend(Fact::new(piece.as_str().to_string(), piece.spans(0..piece.len()), rule));
                }
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    out.retain(|f| !f.value().is_empty() && seen.insert(f.value().to_lowercase()));
    out
}
