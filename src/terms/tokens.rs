//! Cuts a text into what it is searched by.

use super::fold::{fold, gram, in_word};
use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A word.
    Word,
    /// Two neighbouring characters of a script without spaces; one, where a run of them ends.
    Gram,
    /// A code-like token as a whole; its text begins with `=`.
    Whole,
    /// A piece of a word in mixed case (`Free` of `MemFree`).
    Part,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its folded text.
    pub text: String,
    /// Where it stands.
    pub range: Range<usize>,
    /// Its number among words and grams of the text; a whole and a part have that of the word they begin at.
    pub position: usize,
}

/// Characters that hold code-like tokens together.
fn connects(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '#' | '\\' | '~' | '$' | '+' | '=')
}

/// Cuts a text into tokens, by position.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut position = 0;
    // the words of the code-like run that is being read, as indexes of `out`
    let mut run: Vec<usize> = Vec::new();
    let mut run_start = 0;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if !in_word(c) {
            let next = at + c.len_utf8();
            let goes_on = connects(c)
                && text[next..].chars().next().is_some_and(|n| n.is_ascii_alphanumeric() || (connects(n) && matches!(c, ':' | '/' | '-')));
            if run.is_empty() && run_start < at && text[run_start..at].chars().all(connects) && goes_on {
                // another sign of those that the run begins with
            } else if run.is_empty() {
                run_start =
                    if goes_on && matches!(c, '/' | '-' | '.' | '$' | '~' | '@') && out.last().is_none_or(|t: &Token| t.range.end != at) {
                        at
                    } else {
                        next
                    };
            } else if !goes_on {
                whole(text, run_start, &mut run, &mut out);
                run_start = next;
            }
            at = next;
            continue;
        }
        let end = text[at..].char_indices().find(|&(_, n)| !in_word(n) || gram(n) != gram(c)).map_or(text.len(), |(i, _)| at + i);
        if gram(c) {
            whole(text, run_start, &mut run, &mut out);
            grams(text, at..end, &mut position, &mut out);
            run_start = end;
        } else {
            let word = fold(&text[at..end]);
            if !word.is_empty() {
                if text[at..end].is_ascii() {
                    if run.is_empty() && run_start != at && !text[run_start..at].chars().all(connects) {
                        run_start = at;
                    }
                    run.push(out.len());
                } else {
                    whole(text, run_start, &mut run, &mut out);
                    run_start = end;
                }
                out.push(Token { kind: Kind::Word, text: word, range: at..end, position });
                parts(text, at..end, position, &mut out);
                position += 1;
            }
        }
        at = end;
    }
    whole(text, run_start, &mut run, &mut out);
    numbered(text, &mut out);
    out.sort_by(|a, b| {
        a.position.cmp(&b.position).then(a.kind.cmp(&b.kind)).then(a.range.start.cmp(&b.range.start)).then(a.text.cmp(&b.text))
    });
    out
}

/// Pairs of neighbouring characters, and the last one alone.
fn grams(text: &str, run: Range<usize>, position: &mut usize, out: &mut Vec<Token>) {
    let mut chars: Vec<(String, Range<usize>)> = Vec::new();
    for (i, c) in text[run.clone()].char_indices() {
        let range = run.start + i..run.start + i + c.len_utf8();
        // marks, vowel signs and half-width voicing belong to the character before
        let joins = unicode_normalization::char::is_combining_mark(c) || matches!(c, '\u{FF9E}' | '\u{FF9F}');
        match chars.last_mut() {
            Some((_, r)) if joins => r.end = range.end,
            _ => chars.push((String::new(), range)),
        }
    }
    for (folded, range) in &mut chars {
        *folded = fold(&text[range.clone()]);
    }
    chars.retain(|(folded, _)| !folded.is_empty());
    for (i, (folded, range)) in chars.iter().enumerate() {
        let (text, range) = match chars.get(i + 1) {
            Some((next, r)) => (format!("{folded}{next}"), range.start..r.end),
            None => (folded.clone(), range.clone()),
        };
        out.push(Token { kind: Kind::Gram, text, range, position: *position });
        *position += 1;
    }
}

/// The run of words held together by connectors as one token, where it looks like code: a digit, an underscore, a slash, a doubled colon or
/// mixed case in it.
fn whole(text: &str, start: usize, run: &mut Vec<usize>, out: &mut Vec<Token>) {
    let words = std::mem::take(run);
    let (Some(&first), Some(&last)) = (words.first(), words.last()) else { return };
    let (start, end, position) = (start.min(out[first].range.start), out[last].range.end, out[first].position);
    let piece = &text[start..end];
    let code = piece.contains(['_', '/', '\\', '@', '$', '='])
        || piece.contains("::")
        || piece.starts_with("--")
        || piece.bytes().any(|b| b.is_ascii_digit())
        || (piece.contains(['-', '.', ':'])
            && piece.bytes().any(|b| b.is_ascii_uppercase())
            && !piece.bytes().any(|b| b.is_ascii_lowercase()))
        || (piece.contains('.') && words.len() > 2);
    if (words.len() > 1 || start < out[first].range.start) && code && piece.len() <= 120 {
        out.push(Token { kind: Kind::Whole, text: format!("={}", fold(piece)), range: start..end, position });
    }
}

/// `HTTP 502` is also `=http-502`: an abbreviation in capitals and the number that follows it.
fn numbered(text: &str, out: &mut Vec<Token>) {
    let words: Vec<(Range<usize>, usize)> = out.iter().filter(|t| t.kind == Kind::Word).map(|t| (t.range.clone(), t.position)).collect();
    for pair in words.windows(2) {
        let (a, b) = (&text[pair[0].0.clone()], &text[pair[1].0.clone()]);
        let capitals = a.len() >= 2 && a.bytes().all(|c| c.is_ascii_uppercase());
        if capitals && b.len() >= 2 && b.bytes().all(|c| c.is_ascii_digit()) && &text[pair[0].0.end..pair[1].0.start] == " " {
            let range = pair[0].0.start..pair[1].0.end;
            out.push(Token { kind: Kind::Whole, text: format!("={}-{b}", a.to_ascii_lowercase()), range, position: pair[0].1 });
        }
    }
}

/// The pieces of `MemFree`, `parseHTTPReply`.
fn parts(text: &str, range: Range<usize>, position: usize, out: &mut Vec<Token>) {
    let word = &text[range.clone()];
    if !word.is_ascii() {
        return;
    }
    let bytes = word.as_bytes();
    let mut cuts = vec![0];
    for i in 1..bytes.len() {
        let (a, b) = (bytes[i - 1], bytes[i]);
        let rises = a.is_ascii_lowercase() && b.is_ascii_uppercase();
        let falls = a.is_ascii_uppercase() && b.is_ascii_uppercase() && bytes.get(i + 1).is_some_and(u8::is_ascii_lowercase);
        if rises || falls {
            cuts.push(i);
        }
    }
    if let Some(number) = numeral(bytes) {
        let text = word[number.clone()].to_ascii_lowercase();
        out.push(Token { kind: Kind::Part, text, range: range.start + number.start..range.start + number.end, position });
        return;
    }
    if cuts.len() == 1 {
        return;
    }
    cuts.push(bytes.len());
    for pair in cuts.windows(2).filter(|p| p[1] - p[0] >= 2) {
        out.push(Token {
            kind: Kind::Part,
            text: word[pair[0]..pair[1]].to_ascii_lowercase(),
            range: range.start + pair[0]..range.start + pair[1],
            position,
        });
    }
}

/// The number within a word: hexadecimal digits behind `0x`, decimal ones before a unit (`30000ms`).
fn numeral(bytes: &[u8]) -> Option<Range<usize>> {
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    if bytes.len() >= 6 && bytes[0] == b'0' && matches!(bytes[1], b'x' | b'X') && bytes[2..].iter().all(u8::is_ascii_hexdigit) {
        return Some(2..bytes.len());
    }
    let unit = &bytes[digits..];
    (digits >= 3 && (1..=3).contains(&unit.len()) && unit.iter().all(u8::is_ascii_alphabetic)).then_some(0..digits)
}

/// The words and grams of a text; a last character alone only where it is the whole word.
pub fn plain(text: &str) -> Vec<String> {
    let all = tokens(text);
    let mut out = Vec::new();
    let mut last_end = usize::MAX;
    for t in all.into_iter().filter(|t| matches!(t.kind, Kind::Word | Kind::Gram)) {
        let tail = t.kind == Kind::Gram && t.range.end == last_end;
        last_end = t.range.end;
        if !tail {
            out.push(t.text);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn words_of_many_languages() {
        for (text, expected) in [
            ("The pods didn't restart.", vec!["the", "pods", "didn", "t", "restart"]),
            ("L’équipe a redémarré", vec!["l", "equipe", "a", "redemarre"]),
            ("Újraindítottuk a szervert", vec!["ujrainditottuk", "a", "szervert"]),
            ("Überlastung der Größe", vec!["uberlastung", "der", "grosse"]),
            ("Сервер перегружен, ещё", vec!["сервер", "перегружен", "еще"]),
            ("хүсэлт унасан", vec!["хүсэлт", "унасан"]),
            ("障害の原因", vec!["障害", "害の", "の原", "原因", "因"]),
            ("podが再起動", vec!["pod", "が再", "再起", "起動", "動"]),
            ("서버 장애", vec!["서버", "버", "장애", "애"]),
            ("ﾃﾞｰﾀ", vec!["デー", "ータ", "タ"]),
            ("เซิร์ฟ", vec!["เซิ", "ซิร์", "ร์ฟ", "ฟ"]),
            ("断", vec!["断"]),
        ] {
            assert_eq!(cut(text), expected, "{text}");
        }
    }

    #[test]
    fn code_stands_whole_and_in_parts() {
        for (text, expected) in [
            ("0x80070005", vec!["0x80070005", "80070005"]),
            ("ORA-00060 seen", vec!["ora", "=ora-00060", "00060", "seen"]),
            ("ECONNRESET", vec!["econnreset"]),
            ("after 30000ms, 5xx", vec!["after", "30000ms", "30000", "5xx"]),
            ("got HTTP 502.", vec!["got", "http", "=http-502", "502"]),
            ("in /var/lib/x, then", vec!["in", "var", "=/var/lib/x", "lib", "x", "then"]),
            ("node_memory_MemFree", vec!["node", "=node_memory_memfree", "memory", "memfree", "mem", "free"]),
            ("us-east-1", vec!["us", "=us-east-1", "east", "1"]),
            ("std::io::Error", vec!["std", "=std::io::error", "io", "error"]),
            ("a well-known fact", vec!["a", "well", "known", "fact"]),
            ("kubectl --force now", vec!["kubectl", "force", "=--force", "now"]),
            ("a 10.0.0.1:8080 b", vec!["a", "10", "=10.0.0.1:8080", "0", "0", "1", "8080", "b"]),
            ("設定はmax_connです", vec!["設定", "定は", "は", "max", "=max_conn", "conn", "です", "す"]),
            ("parseHTTPReply", vec!["parsehttpreply", "parse", "http", "reply"]),
        ] {
            assert_eq!(cut(text), expected, "{text}");
        }
    }

    #[test]
    fn ranges_lead_home() {
        let text = "x ＡＢ–ﾃﾞｰﾀ n_1";
        for t in tokens(text) {
            let slice = &text[t.range.clone()];
            assert_eq!(fold(slice), t.text.trim_start_matches('='), "{t:?}");
        }
    }

    #[test]
    fn odd_input_does_no_harm() {
        for text in ["", "/", "--", "a//b", "::", "\u{301}", "\u{200D}", "_-_", "=x", "a=b c"] {
            tokens(text);
        }
    }
}
