//! Ranges of a block in which digits are no times: addresses, mail addresses, code in a line.

use crate::document::{Block, Mark};
use std::ops::Range;

/// The ranges, in order, and those of code in a line (which may hold a stamp and nothing else).
pub fn masked(block: &Block) -> Vec<Range<usize>> {
    let text = block.text.as_str();
    let mut out = addresses(text);
    for (range, mark) in &block.marks {
        let Some(inside) = text.get(range.clone()) else { continue };
        if *mark == Mark::Image || (*mark == Mark::Code && !is_stamp_like(inside)) {
            out.push(range.clone());
        }
    }
    out.sort_by_key(|r| (r.start, r.end));
    out
}

/// Code that may be a stamp: digits and the marks of dates and clocks, and at most a few letters for zones and months.
fn is_stamp_like(code: &str) -> bool {
    let letters = code.chars().filter(|c| c.is_alphabetic()).count();
    let colon = code.contains(':') || code.matches('-').count() == 2;
    colon && code.chars().count() <= 40 && letters <= 9 && code.chars().all(|c| c.is_alphanumeric() || " :-+./,()–~".contains(c))
}

/// Addresses: pieces between white space that hold `://`, an `@` between letters, or a path of several parts.
fn addresses(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    if !text.bytes().any(|b| matches!(b, b'/' | b'@')) && !text.contains("www.") {
        return out;
    }
    let mut start = None;
    let edge =
        |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '(' | ')' | '|' | '（' | '）' | '「' | '」' | '、' | '。' | '，');
    let mut close = |from: usize, to: usize| {
        let piece = &text[from..to];
        if !piece.bytes().any(|b| matches!(b, b'/' | b'@')) && !piece.starts_with("www.") {
            return;
        }
        let mail = piece.find('@').is_some_and(|i| i > 0 && piece[i..].contains('.'));
        let path = piece.matches('/').count() >= 2
            && (piece.starts_with(['/', '.', '~']) || piece.contains("www.") || piece.contains(".com/") || piece.contains(".org/"));
        if piece.contains("://") || mail || path || piece.starts_with("www.") {
            out.push(from..to);
        }
    };
    for (i, c) in text.char_indices() {
        match (edge(c), start) {
            (true, Some(from)) => {
                close(from, i);
                start = None;
            }
            (false, None) => start = Some(i),
            _ => {}
        }
    }
    if let Some(from) = start {
        close(from, text.len());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_masked() {
        let text = "see https://x.example/2022-05-03/a at 14:05 or me@x.example (www.y.example/1:20) /var/log/2022-05-03/x";
        let found: Vec<&str> = addresses(text).into_iter().map(|r| &text[r]).collect();
        assert_eq!(found, ["https://x.example/2022-05-03/a", "me@x.example", "www.y.example/1:20", "/var/log/2022-05-03/x"]);
    }

    #[test]
    fn code_may_be_a_stamp() {
        assert!(is_stamp_like("14:05 UTC") && is_stamp_like("2022-05-03T14:05:00Z"));
        assert!(!is_stamp_like("kubectl get pods -n a:b") && !is_stamp_like("v1.2.3"));
    }
}
