//! TOML front matter, read as far as it is `key = value`: strings, dates, numbers, lists, sections.

use super::{Field, Read};
use crate::diag::Diagnostic;
use crate::text::Source;
use std::ops::Range;

/// True for a line that can be a field or a section.
pub(super) fn is_field(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with('[') && line.trim_end().ends_with(']') {
        return true;
    }
    line.split_once('=').is_some_and(|(key, _)| {
        !key.trim().is_empty() && key.trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\''))
    })
}

/// Reads the fields that stand in `inner` of the decoded text.
pub(super) fn fields(source: &Source, inner: Range<usize>, out: &mut Read) {
    let text = source.text().as_str();
    let mut section = String::new();
    let mut at = inner.start;
    while at < inner.end {
        let line = text[at..inner.end].split_inclusive('\n').next().unwrap_or("");
        let start = at;
        at += line.len();
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        if bare.starts_with('[') && !bare.contains('=') {
            section = bare.trim_matches(['[', ']', ' ']).to_lowercase();
            continue;
        }
        let Some((key, value)) = line.split_once('=').filter(|_| is_field(bare)) else {
            if out.diagnostics.is_empty() {
                let from = start + line.len() - line.trim_start().len();
                let d = Diagnostic::warning(
                    "front-matter",
                    "This line of the front matter is no field.",
                    vec![source.text().span(from..from + bare.len())],
                );
                out.diagnostics.push(d.hint("Write `key = value`; the other fields were read."));
            }
            continue;
        };
        let key = key.trim().trim_matches(['"', '\'']).to_lowercase();
        let key = if section.is_empty() { key } else { format!("{section}.{key}") };
        let from = start + line.len() - value.len();
        let (range, values, end) = value_at(text, from, inner.end, at);
        at = end;
        out.front_matter.fields.push(Field { key, values, span: source.text().span(range) });
    }
}

/// The value that begins at `from`: its range, its values, and where the next line begins.
fn value_at(text: &str, from: usize, limit: usize, line_end: usize) -> (Range<usize>, Vec<String>, usize) {
    let start = from + text[from..limit].len() - text[from..limit].trim_start_matches([' ', '\t']).len();
    let rest = &text[start..limit];
    for quotes in ["\"\"\"", "'''"] {
        if let Some(body) = rest.strip_prefix(quotes)
            && let Some(end) = body.find(quotes)
        {
            let range = start + 3..start + 3 + end;
            let after = range.end + 3;
            let next = text[after..limit].find('\n').map_or(limit, |n| after + n + 1);
            return (range.clone(), vec![text[range].trim().to_owned()], next.max(line_end));
        }
    }
    if rest.starts_with('[') {
        let (values, len) = list(rest);
        let after = start + len;
        let next = text[after..limit].find('\n').map_or(limit, |n| after + n + 1);
        return (start..after, values, next.max(line_end));
    }
    let line = &text[start..line_end.max(start)];
    if let Some((value, len)) = quoted(line) {
        return (start + 1..start + len - 1, vec![value], line_end);
    }
    let value = line.split(" #").next().unwrap_or("").trim_end();
    (start..start + value.len(), if value.is_empty() { vec![] } else { vec![value.to_owned()] }, line_end)
}

/// A quoted string at the head of a text: its value, and its length with both quotes.
fn quoted(text: &str) -> Option<(String, usize)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut value = String::new();
    let mut it = text.char_indices().skip(1);
    while let Some((i, c)) = it.next() {
        match c {
            '\n' => return None,
            '\\' if quote == '"' => match it.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                c => value.push(c),
            },
            c if c == quote => return Some((value, i + 1)),
            c => value.push(c),
        }
    }
    None
}

/// A list at the head of a text: its values, and its length.
fn list(text: &str) -> (Vec<String>, usize) {
    let mut values = Vec::new();
    let mut at = 1;
    let mut word = String::new();
    while let Some(c) = text[at..].chars().next() {
        if let Some((value, len)) = quoted(&text[at..]) {
            values.push(value);
            at += len;
            continue;
        }
        at += c.len_utf8();
        match c {
            ',' | ']' | '\n' | '#' => {
                if !word.trim().is_empty() {
                    values.push(word.trim().to_owned());
                }
                word.clear();
                if c == ']' {
                    break;
                }
                if c == '#' {
                    at += text[at..].find('\n').unwrap_or(text.len() - at);
                }
            }
            c => word.push(c),
        }
    }
    (values, at)
}
