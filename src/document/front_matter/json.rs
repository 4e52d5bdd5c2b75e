//! Fields in JSON: an object that stands alone above the text, as some site generators have it.

use super::{Field, LONGEST, Read};
use crate::text::Source;
use serde_json::Value;
use std::ops::Range;

/// Where the object at the head of a text begins and ends; `None` where there is none, or nothing below it.
pub(super) fn find(text: &str) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start().len();
    let rest = text[start..].strip_prefix('{')?;
    // the first thing in it is a key
    if !rest.trim_start().starts_with('"') || start > 64 {
        return None;
    }
    let end = start + closing(text.as_bytes(), start)?;
    let tail = &text[end..];
    let line = tail.split('\n').next().unwrap_or("");
    let fields: serde_json::Map<String, Value> = serde_json::from_str(&text[start..end]).ok()?;
    (line.trim().is_empty() && !tail.trim().is_empty() && !fields.is_empty()).then_some(start..end)
}

/// Length of the object that begins at `start`.
fn closing(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (n, b) in bytes[start..].iter().enumerate().take(LONGEST) {
        match b {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(n + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The fields of the object at `range`.
pub(super) fn fields(source: &Source, range: Range<usize>, out: &mut Read) {
    let text = source.text().as_str();
    let mut at = range.start + 1;
    while let Some(member) = member(text, at, range.end) {
        let (key, value, next) = member;
        at = next;
        let written = text[value.clone()].trim();
        let Ok(read) = serde_json::from_str::<Value>(written) else { continue };
        let plain = |v: &Value| match v {
            Value::String(s) => s.clone(),
            other => other.to_string(),
        };
        let values: Vec<String> = match &read {
            Value::Null => Vec::new(),
            Value::Array(all) => all.iter().map(plain).collect(),
            other => vec![plain(other)],
        };
        let start = value.start + text[value.clone()].len() - text[value.clone()].trim_start().len();
        let inner = if read.is_string() { start + 1..start + written.len() - 1 } else { start..start + written.len() };
        out.front_matter.fields.push(Field { key: key.to_lowercase(), values, span: source.text().span(inner) });
    }
}

/// The member that begins at or after `at`: its key, the range of its value, and where the next one begins.
fn member(text: &str, at: usize, end: usize) -> Option<(String, Range<usize>, usize)> {
    let bytes = text.as_bytes();
    let open = at + text.get(at..end)?.find('"')?;
    let mut close = open + 1;
    while close < end && bytes[close] != b'"' {
        close += if bytes[close] == b'\\' { 2 } else { 1 };
    }
    let key = serde_json::from_str::<String>(text.get(open..close + 1)?).ok()?;
    let colon = close + 1 + text.get(close + 1..end)?.find(':')? + 1;
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (n, b) in bytes.iter().enumerate().take(end).skip(colon) {
        match b {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b',' if !quoted && depth == 0 => return Some((key, colon..n, n + 1)),
            b'}' | b']' if !quoted => {
                if depth == 0 {
                    return Some((key, colon..n, n + 1));
                }
                depth -= 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use crate::text::Source;

    #[test]
    fn an_object_above_the_text() {
        let text = "{\n  \"title\": \"Panne \\\"DB\\\", grave\",\n  \"date\": \"2024-05-03\",\n  \"tags\": [\"db\", \"a, b\"],\n  \"sev\": 2,\n  \"none\": null\n}\n\n# Text\n";
        let source = Source::new("a.md", text.as_bytes().to_vec());
        let r = read(&source);
        let f = &r.front_matter;
        assert_eq!(
            (f.get("title"), f.get("date"), f.get("sev"), f.get("none")),
            (Some("Panne \"DB\", grave"), Some("2024-05-03"), Some("2"), None)
        );
        assert_eq!(f.all("tags"), ["db", "a, b"]);
        assert_eq!(source.slice(f.field("date").unwrap().span), "2024-05-03");
        assert_eq!(text[r.body..].trim(), "# Text");
    }

    #[test]
    fn other_braces_are_text() {
        for text in
            ["{\"a\": 1}\n", "{{ x }}\ntext", "{code}\nx\n{code}\n", "{\"a\": 1, }\ntext", "{ \"a\" }\ntext", "{\"a\": 1} text\nmore"]
        {
            let source = Source::new("a.md", text.as_bytes().to_vec());
            assert!(read(&source).front_matter.span.is_none(), "{text}");
        }
    }
}
