//! Character references, each resolved by itself so that its bytes are known.

use super::super::ink::Ink;
use html5gum::{Token, Tokenizer};
use std::ops::Range;

/// The longest reference, in bytes (`&CounterClockwiseContourIntegral;` has 33; numbers may have leading zeros).
const LONGEST: usize = 40;

/// The character reference at the head of `text` (which begins with `&`): what it stands for, and its length.
pub(in super::super) fn reference(text: &str) -> Option<(String, usize)> {
    let body = text.as_bytes().get(1..text.len().min(LONGEST)).unwrap_or(&[]);
    let mut len = 1 + body.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'#').count();
    if text.as_bytes().get(len) == Some(&b';') {
        len += 1;
    }
    let slice = &text[..len];
    let simple = match slice {
        "&" => return None,
        "&amp;" => "&",
        "&lt;" => "<",
        "&gt;" => ">",
        "&quot;" => "\"",
        "&nbsp;" => "\u{a0}",
        "&#39;" | "&apos;" => "'",
        _ => "",
    };
    if !simple.is_empty() {
        return Some((simple.to_owned(), len));
    }
    let mut out = String::new();
    for token in Tokenizer::new(slice).flatten() {
        if let Token::String(s) = token {
            out.push_str(&String::from_utf8_lossy(&s));
        }
    }
    (out != slice && !out.is_empty()).then_some((out, len))
}

/// Writes text that may hold character references; `text` stands at `start` of the decoded text. Exact text keeps its white space.
pub(super) fn write(ink: &mut Ink, text: &str, start: usize, exact: bool) {
    let put = |ink: &mut Ink, r: Range<usize>| if exact { ink.exact(r) } else { ink.prose(r) };
    let mut from = 0;
    for (i, _) in text.match_indices('&') {
        if i < from {
            continue;
        }
        if let Some((made, len)) = reference(&text[i..]) {
            put(ink, start + from..start + i);
            ink.made(&made, start + i..start + i + len);
            from = i + len;
        }
    }
    put(ink, start + from..start + text.len());
}

#[cfg(test)]
mod tests {
    use super::reference;

    #[test]
    fn references() {
        let r = reference;
        assert_eq!(r("&amp;x"), Some(("&".into(), 5)));
        assert_eq!(r("&eacute;t"), Some(("é".into(), 8)));
        assert_eq!(r("&#x539f;"), Some(("原".into(), 8)));
        assert_eq!(r("&copy 2"), Some(("©".into(), 5)));
        assert_eq!(r("& b"), None);
        assert_eq!(r("&nosuchthing;"), None);
    }
}
