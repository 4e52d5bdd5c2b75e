//! Text on a terminal: display widths, wrapping, hanging indents.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How many columns a text takes (colour codes take none).
pub(super) fn width(text: &str) -> usize {
    if !text.contains('\x1b') {
        return UnicodeWidthStr::width(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut in_code = false;
    for c in text.chars() {
        match (in_code, c) {
            (false, '\x1b') => in_code = true,
            (true, 'm') => in_code = false,
            (true, _) => {}
            (false, c) => plain.push(c),
        }
    }
    UnicodeWidthStr::width(plain.as_str())
}

/// Pads a text to a number of columns.
pub(super) fn pad(text: &str, columns: usize) -> String {
    let w = width(text);
    format!("{text}{}", " ".repeat(columns.saturating_sub(w)))
}

/// Cuts a text into lines of at most `columns`; where a word is longer it is cut. Text of scripts without spaces may break anywhere but before
/// closing marks. A piece in colour (`\x1b[..m … \x1b[0m`) counts as its letters.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(10);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    let mut color = String::new();
    for word in pieces(text) {
        let w = width(&word);
        let space = word == " ";
        if used + w > columns && !(space && used > 0) && used > 0 {
            finish(&mut line, &color, &mut lines);
            used = 0;
        }
        if space && (used == 0 || used + 1 > columns) {
            continue;
        }
        if w > columns {
            for g in word.graphemes(true) {
                let gw = width(g);
                if used + gw > columns {
                    finish(&mut line, &color, &mut lines);
                    used = 0;
                }
                line.push_str(g);
                used += gw;
            }
            continue;
        }
        if word.starts_with('\x1b') && w == 0 {
            color = if word == "\x1b[0m" { String::new() } else { word.clone() };
        }
        line.push_str(&word);
        used += w;
    }
    if !line.trim().is_empty() || lines.is_empty() {
        lines.push(line.trim_end().to_string());
    }
    lines
}

fn finish(line: &mut String, color: &str, lines: &mut Vec<String>) {
    let mut done = line.trim_end().to_string();
    if !color.is_empty() {
        done.push_str("\x1b[0m");
    }
    lines.push(done);
    line.clear();
    line.push_str(color);
}

/// Words, single spaces, colour codes, and single characters of scripts that may break anywhere.
fn pieces(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut chars = text.chars().peekable();
    let flush = |word: &mut String, out: &mut Vec<String>| {
        if !word.is_empty() {
            out.push(std::mem::take(word));
        }
    };
    while let Some(c) = chars.next() {
        if c == '\x1b' {
            flush(&mut word, &mut out);
            let mut code = String::from(c);
            for d in chars.by_ref() {
                code.push(d);
                if d == 'm' {
                    break;
                }
            }
            out.push(code);
        } else if c.is_whitespace() {
            flush(&mut word, &mut out);
            if out.last().is_none_or(|l| l != " ") {
                out.push(" ".into());
            }
        } else if c as u32 >= 0x2E80 {
            let closing = matches!(
                c,
                '。' | '、'
                    | '，'
                    | '．'
                    | '！'
                    | '？'
                    | '）'
                    | '」'
                    | '』'
                    | '】'
                    | '：'
                    | '；'
                    | '》'
                    | '”'
                    | 'ー'
                    | 'っ'
                    | 'ゃ'
                    | 'ゅ'
                    | 'ょ'
            );
            if closing && !word.is_empty() {
                word.push(c);
                continue;
            }
            if closing && out.last().is_some_and(|l| l != " " && !l.starts_with('\x1b')) {
                if let Some(last) = out.last_mut() {
                    last.push(c);
                }
                continue;
            }
            flush(&mut word, &mut out);
            word.push(c);
            if chars.peek().is_none_or(|n| !matches!(n, '。' | '、' | '，')) {
                flush(&mut word, &mut out);
            }
        } else {
            word.push(c);
        }
    }
    flush(&mut word, &mut out);
    out
}

/// A label in a column of its own, and a text that hangs beside it.
pub(super) fn hang(label: &str, label_columns: usize, indent: usize, text: &str, columns: usize) -> String {
    let left = indent + label_columns;
    let lines = wrap(text, columns.saturating_sub(left));
    let mut out = String::new();
    for (n, line) in lines.iter().enumerate() {
        if n == 0 {
            out.push_str(&" ".repeat(indent));
            out.push_str(&pad(label, label_columns));
        } else {
            out.push_str(&" ".repeat(left));
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_by_columns_not_bytes() {
        assert_eq!(wrap("aaa bbb ccc ddd", 11), ["aaa bbb ccc", "ddd"]);
        assert_eq!(wrap("障害が発生しました。原因", 12), ["障害が発生し", "ました。原因"]);
        assert_eq!(wrap("\x1b[33maaa bbb\x1b[0m ccc ddd eee", 10), ["\x1b[33maaa bbb\x1b[0m", "ccc ddd", "eee"]);
        assert_eq!(width("\x1b[1m日本\x1b[0m x"), 6);
        assert_eq!(hang("cause", 9, 3, "one two three four", 22), "   cause    one two\n            three four\n");
    }
}
