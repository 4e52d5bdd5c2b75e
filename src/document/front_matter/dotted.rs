//! Fields as Nikola writes them: lines of `.. key: value` at the head of a text, in Markdown within a comment.

use super::{Field, Read};
use crate::text::Source;
use std::ops::Range;

/// The fields' lines, and where the text goes on.
pub(super) struct Found {
    pub start: usize,
    pub lines: Vec<Range<usize>>,
    pub end: usize,
}

/// The key and the value of a line; both are ranges of it.
fn field(line: &str) -> Option<(&str, Range<usize>)> {
    let rest = line.strip_prefix(".. ")?;
    let (key, value) = rest.split_once(':')?;
    let named = !key.is_empty() && key.len() <= 40 && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    // two colons make a directive
    if !named || value.starts_with(':') {
        return None;
    }
    let trimmed = value.trim();
    let at = line.len() - value.len() + (value.len() - value.trim_start().len());
    Some((key, at..at + trimmed.len()))
}

/// Looks for the fields at the head of a text: at least two, and a comment around them is closed.
pub(super) fn find(text: &str) -> Option<Found> {
    let start = super::blank_head(text);
    let mut at = start;
    let mut lines = Vec::new();
    let mut comment = false;
    for line in text.get(start..)?.split_inclusive('\n').take(200) {
        let bare = line.trim_end();
        if at == start && bare.trim() == "<!--" {
            comment = true;
        } else if field(bare).is_some() {
            lines.push(at..at + bare.len());
        } else if comment && bare.trim() == "-->" {
            at += line.len();
            comment = false;
            break;
        } else if !bare.is_empty() || !comment {
            break;
        }
        at += line.len();
    }
    (lines.len() >= 2 && !comment).then_some(Found { start, lines, end: at })
}

/// Reads the fields.
pub(super) fn fields(source: &Source, found: &Found, out: &mut Read) {
    let text = source.text().as_str();
    for line in &found.lines {
        let Some((key, value)) = field(&text[line.clone()]) else { continue };
        let value = line.start + value.start..line.start + value.end;
        if value.is_empty() {
            continue;
        }
        let key = key.to_lowercase();
        let said = &text[value.clone()];
        let values = match key.as_str() {
            "tags" | "services" | "owners" | "aliases" | "patterns" => {
                said.split(',').map(|v| v.trim().to_string()).filter(|v| !v.is_empty()).collect()
            }
            _ => vec![said.to_string()],
        };
        out.front_matter.fields.push(Field { key, values, span: source.text().span(value) });
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use crate::text::Source;

    #[test]
    fn dotted_fields_bare_and_in_a_comment() {
        for text in [
            "<!--\n.. title: Search was down\n.. date: 2024-05-03 14:03:00\n.. link:\n.. tags: search, outage\n-->\nText\n",
            ".. title: Search was down\n.. date: 2024-05-03 14:03:00\n.. tags: search, outage\n\nText\n",
        ] {
            let source = Source::new("a.md", text.as_bytes().to_vec());
            let r = read(&source);
            let f = &r.front_matter;
            assert_eq!((f.get("title"), f.get("date"), f.get("link")), (Some("Search was down"), Some("2024-05-03 14:03:00"), None));
            assert_eq!(f.all("tags"), ["search", "outage"]);
            assert_eq!(source.slice(f.field("date").unwrap().span), "2024-05-03 14:03:00");
            assert_eq!(source.text().as_str()[r.body..].trim(), "Text");
        }
        for none in ["<!--\n.. title: a\n.. date: b\nText\n", ".. note:: UTC\n.. title: x\n", ".. title: x\n\nText\n", "<!-- a -->\n"] {
            assert!(read(&Source::new("a.rst", none.as_bytes().to_vec())).front_matter.fields.is_empty(), "{none}");
        }
    }
}
