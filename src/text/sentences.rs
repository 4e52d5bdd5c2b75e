//! Sentences of a block, in any script: by their closing marks, not by words.

use std::ops::Range;

/// True for marks that end a sentence wherever they stand.
fn ends_always(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '।' | '؟' | '۔' | '\n')
}

/// True for closing quotes and brackets that belong to the sentence before them.
fn closes(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '»' | '”' | '’' | '」' | '』' | '）' | '】' | '》')
}

/// The longest a sentence gets, in bytes. What goes on without an end (a dump, a log on one line) is cut, so that all work done sentence by
/// sentence stays in proportion to the text.
const LONGEST: usize = 2000;

/// The ranges of the sentences of `text`, without white space around them. A line break ends a sentence. A full stop does where white space
/// and no small letter follow, and where it does not close an initial, an abbreviation of one or two letters, or a number in an enumeration.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::with_capacity(text.len() / 100 + 1);
    let mut start = 0;
    let mut depth = 0usize;
    let mut it = text.char_indices().peekable();
    while let Some((i, c)) = it.next() {
        if c.is_ascii() && !matches!(c, '(' | ')' | '\n' | '.' | '!' | '?') {
            continue;
        }
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth = depth.saturating_sub(1),
            '\n' => depth = 0,
            _ => {}
        }
        let mut end = i + c.len_utf8();
        let is_end = if c == '\n' {
            true
        } else if ends_always(c) {
            depth == 0
        } else if matches!(c, '.' | '!' | '?' | '…' | '．') {
            depth == 0 && full_stop(text, start, i, end, c)
        } else {
            false
        };
        if !is_end {
            continue;
        }
        while let Some(&(j, d)) = it.peek() {
            if closes(d) || (matches!(d, '.' | '!' | '?' | '…' | '。' | '！' | '？') && c != '\n') {
                end = j + d.len_utf8();
                it.next();
            } else {
                break;
            }
        }
        push(text, start..end, &mut out);
        start = end;
    }
    push(text, start..text.len(), &mut out);
    out
}

/// Adds a stretch of text without the white space around it; an endless one in pieces that end between words where there are any.
pub(crate) fn push(text: &str, range: Range<usize>, out: &mut Vec<Range<usize>>) {
    let mut start = range.start;
    while start < range.end {
        let mut end = range.end;
        if end - start > LONGEST {
            end = (0..4).map(|back| start + LONGEST - back).find(|&at| text.is_char_boundary(at)).unwrap_or(end);
            end = text[start..end].rfind(char::is_whitespace).filter(|at| *at > LONGEST / 2).map_or(end, |at| start + at);
        }
        let piece = &text[start..end];
        let trimmed = piece.trim();
        if !trimmed.is_empty() {
            let from = start + (piece.len() - piece.trim_start().len());
            out.push(from..from + trimmed.len());
        }
        start = end;
    }
}

/// Does the mark at `i` close a sentence that began at `start`?
fn full_stop(text: &str, start: usize, i: usize, end: usize, mark: char) -> bool {
    let rest = text[end..].trim_start_matches(|c| closes(c) || matches!(c, '.' | '!' | '?' | '…'));
    let Some(next) = rest.chars().next() else { return true };
    if !next.is_whitespace() {
        // `3.5`, `host.name`, `...and`; but Thai, Chinese or Japanese text may follow a Latin full stop at once
        return next as u32 >= 0x3000 && mark != '…';
    }
    let after = rest.trim_start().chars().next();
    if after.is_none_or(|c| c.is_lowercase()) {
        return after.is_none();
    }
    if mark != '.' {
        return true;
    }
    let before = text[start..i].trim_end();
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '/' | '-')).next().unwrap_or("");
    if word.is_empty() {
        return false;
    }
    // an enumeration (`1. The disk`), or a day of the month (`5. Mai`, `28. sep`)
    if word.chars().all(|c| c.is_ascii_digit()) && word.len() <= 2 {
        return false;
    }
    let letters = word.chars().count();
    // what has no vowel is no word: `kl. 09.15`, `nr. 4`, `č. 2`
    if letters <= 4 && after.is_some_and(char::is_numeric) && word.chars().all(|c| c.is_lowercase() && !is_vowel(c)) {
        return false;
    }
    // initials and abbreviations: `J.`, `z.B.`, `e.g.`, `Nr.`, `vs.`
    if word.contains('.') && letters <= 6 && word.chars().all(|c| c.is_alphabetic() || c == '.') {
        return false;
    }
    !(letters == 1 && word.chars().all(char::is_alphabetic) && word != "I")
}

/// A vowel of the Latin, Greek or Cyrillic script, marks left aside.
fn is_vowel(c: char) -> bool {
    let base = unicode_normalization::UnicodeNormalization::nfd(std::iter::once(c)).next().unwrap_or(c);
    matches!(base, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'æ' | 'ø' | 'œ' | 'ı' | 'α' | 'ε' | 'η' | 'ι' | 'ο' | 'υ' | 'ω')
        || matches!(base, 'а' | 'е' | 'ё' | 'и' | 'о' | 'у' | 'ы' | 'э' | 'ю' | 'я' | 'і' | 'ї' | 'є' | 'ө' | 'ү')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|r| &text[r]).collect()
    }

    #[test]
    fn latin_text() {
        assert_eq!(
            split("It fell. Then v1.2.3 came, e.g. the fix. \"Why?\" We know."),
            ["It fell.", "Then v1.2.3 came, e.g. the fix.", "\"Why?\"", "We know."]
        );
        assert_eq!(split("Am 5. Mai um 9 Uhr fiel es aus. Danach nicht."), ["Am 5. Mai um 9 Uhr fiel es aus.", "Danach nicht."]);
        assert_eq!(
            split("Alarmen kom kl. 09.15 og nr. 2 sov. Den gik. 10 minutter gik."),
            ["Alarmen kom kl. 09.15 og nr. 2 sov.", "Den gik.", "10 minutter gik."]
        );
    }

    #[test]
    fn scripts_without_spaces() {
        assert_eq!(split("障害が発生した。原因は（設定の誤り。）です。復旧"), ["障害が発生した。", "原因は（設定の誤り。）です。", "復旧"]);
        assert_eq!(split("“坏了。”他说"), ["“坏了。”", "他说"]);
    }

    #[test]
    fn what_never_ends_is_cut_between_words() {
        let text = "障害 word (".repeat(2000);
        let all = sentences(&text);
        assert!(
            all.len() > 10 && all.iter().all(|r| r.len() <= LONGEST) && all[..all.len() - 1].iter().all(|r| r.len() > LONGEST / 2),
            "{all:?}"
        );
        let whole: String = split(&text).concat();
        assert_eq!(whole.replace(' ', ""), text.replace(' ', ""));
        assert_eq!(sentences(&"界".repeat(LONGEST)).iter().map(|r| r.len()).sum::<usize>(), 3 * LONGEST);
    }

    #[test]
    fn line_breaks_end_sentences() {
        assert_eq!(split("one\n two \n\n"), ["one", "two"]);
    }
}
