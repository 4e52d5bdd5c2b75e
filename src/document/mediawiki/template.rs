//! Templates: `{{name|parameter|name = parameter}}`, where they end and what their parts are.

use super::super::paragraph::trimmed;
use super::FAR;
use std::ops::Range;

/// One part of a template: its name (the first part), or a parameter.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The name of a parameter that has one.
    pub name: Option<Range<usize>>,
    /// The equals sign with the blanks around it.
    pub equals: Range<usize>,
    pub value: Range<usize>,
}

/// Where the template that begins at `start` ends.
pub(super) fn end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let limit = (start + FAR).min(bytes.len());
    let (mut depth, mut at) = (0usize, start);
    while at + 1 < limit {
        match &bytes[at..at + 2] {
            b"{{" => depth += 1,
            b"}}" => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 2);
                }
            }
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
    }
    None
}

/// The parts of the template at `range`; bars within links and other templates part nothing.
pub(super) fn parts(text: &str, range: Range<usize>) -> Vec<Part> {
    let bytes = text.as_bytes();
    let inner = range.start + 2..range.end - 2;
    let (mut out, mut depth, mut from, mut equals) = (Vec::new(), 0usize, inner.start, None);
    let mut at = inner.start;
    let push = |from: usize, to: usize, equals: Option<usize>, out: &mut Vec<Part>| {
        let Some(sign) = equals.filter(|_| !out.is_empty()) else {
            out.push(Part { name: None, equals: from..from, value: from..to });
            return;
        };
        let name = trimmed(text, from..sign);
        let value = trimmed(text, sign + 1..to);
        // `1 = x` is a parameter without a name, written out
        let numbered = text[name.clone()].bytes().all(|b| b.is_ascii_digit());
        let shown = !numbered && !name.is_empty() && name.len() <= 80;
        out.push(Part { equals: name.end..value.start.max(name.end), name: shown.then_some(name), value });
    };
    while at < inner.end {
        match bytes[at] {
            b'{' | b'[' if bytes.get(at + 1) == Some(&bytes[at]) => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' if bytes.get(at + 1) == Some(&bytes[at]) => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b'|' if depth == 0 => {
                push(from, at, equals.take(), &mut out);
                from = at + 1;
            }
            b'=' if depth == 0 && equals.is_none() => equals = Some(at),
            _ => {}
        }
        at += 1;
    }
    push(from, inner.end, equals, &mut out);
    out
}

/// The value of a part without white space at its ends; `None` where it is empty.
pub(super) fn value(text: &str, part: &Part) -> Option<Range<usize>> {
    let range = trimmed(text, part.value.clone());
    (!range.is_empty()).then_some(range)
}
