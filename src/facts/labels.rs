//! Severity and services: values behind labels, in table rows, and in the front matter.

use super::Fact;
use super::units::Reading;
use crate::document::Kind;
use crate::lang::{Column, Fit, Tag};
use crate::text::Mapped;

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

/// Values that stand behind a label of some kind, with the rule: `Label: value` in a block, a row of two cells, a column of a table.
pub fn labelled(reading: &Reading, wanted: Column) -> Vec<(Mapped, &'static str)> {
    let mut out = Vec::new();
    for (n, block) in reading.document.blocks.iter().enumerate() {
        let is = |text: &str| reading.lexicon.column(text).is_some_and(|f| f.value == wanted && f.fit == Fit::Exact);
        if let Kind::Row { cells, header, .. } = &block.kind {
            if cells.len() == 2 && is(cells[0].as_str()) {
                out.push((cells[1].trim(), "label-row"));
            } else if !header
                && let Some((columns, cells)) = reading.row(n)
                && let Some(at) = columns.columns.iter().position(|c| *c == Some(wanted))
                && let Some(cell) = cells.get(at)
            {
                out.push((cell.trim(), "column"));
            }
            continue;
        }
        // one label a line of the block
        let text = block.text.as_str();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if let Some((label, value)) = line.split_once([':', '：'])
                && label.chars().count() <= 40
                && is(label)
            {
                let from = at + line.len() - value.len();
                let value = &value[..fields_end(reading, value)];
                out.push((block.text.slice(from..from + value.len()).trim(), "label"));
            }
            at += line.len();
        }
    }
    out.retain(|(m, _)| !m.is_empty() && m.as_str().chars().any(char::is_alphanumeric));
    out
}

/// Where a value ends on a line that holds several labels side by side (`S2      Status: closed`, `P0　状态：已归档`): before a
/// word that is a known label, or at white space wider than one blank with a label behind it.
fn fields_end(reading: &Reading, value: &str) -> usize {
    let head = value.find([':', '：']).map_or("", |at| &value[..at]);
    if let Some(at) = head.trim_end().rfind(char::is_whitespace)
        && !head[..at].trim().is_empty()
        && reading.lexicon.column(&head[at..]).is_some_and(|f| f.fit == Fit::Exact)
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
    let fits = |(m, rule): &(Mapped, &str)| *rule != "column" && m.as_str().chars().count() <= 60;
    let (value, rule) = labelled(reading, Column::Severity).into_iter().find(fits).or_else(|| within(reading).map(|m| (m, "label")))?;
    Fact::new(rank(reading, value.as_str()), value.spans(0..value.len()), rule)
}

/// A severity whose label stands within a line of the opening blocks (`It is over. Severity: high. Components: …`): the label is what stands right before
/// the colon, the value one clause.
fn within(reading: &Reading) -> Option<Mapped> {
    let is = |text: &str| reading.lexicon.column(text).is_some_and(|f| f.value == Column::Severity && f.fit == Fit::Exact);
    let prose = reading.document.blocks.iter().filter(|b| matches!(b.kind, Kind::Paragraph | Kind::Item { .. } | Kind::Note));
    prose.take(40).find_map(|block| {
        let text = block.text.as_str();
        text.match_indices([':', '：']).take(40).find_map(|(at, colon)| {
            let head = &text[..at];
            let clause = head
                .rfind(['.', ';', ',', '(', '|', '\n', '。', '；', '，'])
                .map_or(0, |i| i + head[i..].chars().next().map_or(1, char::len_utf8));
            let words: Vec<&str> = head[clause..].split_whitespace().collect();
            let named = (1..=words.len().min(3)).any(|n| is(&words[words.len() - n..].join(" ")));
            let from = at + colon.len();
            let end = text[from..].find(['.', ';', ',', '\n', '|', '。', '；', '，', '、']).map_or(text.len(), |i| from + i);
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
