//! Shapes of characters and lines that the readers go by: scripts, digits, stamps, bullets, boxes. No words.

pub(super) use super::stamps::{is_dated, opens_with_digit, opens_with_stamp, starts_with_date};
use unicode_width::UnicodeWidthStr;

/// True for scripts written without spaces between words (Han, kana, their punctuation and full-width forms).
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c as u32,
        0x2E80..=0x303F | 0x3040..=0x312F | 0x31A0..=0x31FF | 0x3200..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF
        | 0xFE30..=0xFE4F | 0xFF01..=0xFF60 | 0xFFE0..=0xFFE6 | 0x20000..=0x3FFFF)
}

/// True for decimal digits of the scripts in use.
pub(super) fn is_digit(c: char) -> bool {
    digit(c).is_some()
}

pub(super) fn digit(c: char) -> Option<u32> {
    const ZEROS: [u32; 15] = [0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xE50, 0xED0, 0x17E0, 0x1810, 0xFF10];
    ZEROS.iter().find_map(|z| (c as u32).checked_sub(*z).filter(|d| *d < 10))
}

/// Columns a text takes in a terminal, or more than `limit` where it takes more.
pub(super) fn width(text: &str, limit: usize) -> usize {
    if text.len() > limit * 8 { text.len() / 4 } else { text.width() }
}

/// True where at least half of what is written is CJK (looked at for the first 200 characters).
pub(super) fn mostly_cjk(text: &str) -> bool {
    let (mut cjk, mut all) = (0usize, 0usize);
    for c in text.chars().filter(|c| !c.is_whitespace()).take(200) {
        all += 1;
        cjk += usize::from(is_cjk(c));
    }
    cjk * 2 >= all && cjk > 0
}

/// True for a line that is short enough to be a heading.
pub(super) fn is_short(line: &str) -> bool {
    if line.len() > 400 {
        return false;
    }
    let chars = line.chars().count();
    if mostly_cjk(line) { chars <= 25 } else { chars <= 80 && line.split_whitespace().count() <= 10 }
}

/// True for marks that end a sentence, or leave one open (a comma, a semicolon).
pub(super) fn ends_sentence(line: &str) -> bool {
    let line = line.trim_end().trim_end_matches(['"', '\'', ')', '”', '’', '»', '」', '）']);
    line.ends_with(['.', '!', '?', '。', '！', '？', '…', ';', '；', '؛', '،', '۔', '؟', '।', ',', '，', '、', '．', '｡', '၊', '။'])
}

/// True where a line ends in a colon.
pub(super) fn ends_in_colon(line: &str) -> bool {
    line.trim_end().trim_end_matches(['*', '_']).ends_with([':', '：', '﹕', '︰'])
}

/// True for a line of the form `label: value`, the label of up to 40 characters.
pub(super) fn is_label(line: &str) -> bool {
    let mut it = line.char_indices().take(41);
    let Some((at, colon)) = it.find(|(_, c)| matches!(c, ':' | '：')) else { return false };
    let rest = &line[at + colon.len_utf8()..];
    let label = &line[..at];
    let spaced = colon == '：' || rest.starts_with([' ', '\t', '*', '_']);
    spaced
        && !rest.trim_matches(['*', '_', ' ', '\t']).is_empty()
        && label.chars().any(char::is_alphabetic)
        && !label.contains(['.', '。', ',', '，'])
}

/// True where every cased letter is a capital, and there are at least three letters.
pub(super) fn is_capitals(line: &str) -> bool {
    let mut upper = 0;
    for c in line.chars().filter(|c| c.is_alphabetic()) {
        if c.is_lowercase() || !c.is_uppercase() {
            return false;
        }
        upper += 1;
    }
    upper >= 3
}

/// A bullet or number at the head of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bullet {
    /// Bytes of the mark and the white space after it.
    pub len: usize,
    /// True for numbers and letters.
    pub ordered: bool,
    /// The number, where it is one.
    pub number: Option<u32>,
    /// True for marks that Markdown knows itself.
    pub markdown: bool,
    /// True for marks that also adorn headings (`■`, `◆`).
    pub adorns: bool,
}

/// The bullet or number a line begins with. A date (`3. 5. 2024`, `3. May 2024`) is none.
pub(super) fn bullet(line: &str) -> Option<Bullet> {
    let first = line.chars().next()?;
    let rest = &line[first.len_utf8()..];
    let blanks = |s: &str| s.len() - s.trim_start_matches([' ', '\t', '\u{a0}', '\u{3000}']).len();
    let plain = |markdown, adorns| {
        let gap = blanks(rest);
        (!rest[gap..].is_empty()).then_some(Bullet { len: first.len_utf8() + gap, ordered: false, number: None, markdown, adorns })
    };
    match first {
        '-' | '*' | '+' if blanks(rest) > 0 => plain(true, false),
        '–' | '—' | '→' | '⇒' | '»' | '―' if blanks(rest) > 0 => plain(false, false),
        '•' | '・' | '●' | '▪' | '▫' | '◦' | '‣' | '※' | '⁃' | '∙' | '·' | '▸' | '▹' | '►' | '▶' | '➤' | '○' | '◯' | '\u{f0b7}' => {
            plain(false, false)
        }
        '■' | '□' | '◆' | '◇' | '▼' | '▲' | '★' | '☆' | '◎' => plain(false, true),
        '①'..='⑳' => plain(false, false).map(|b| Bullet { ordered: true, number: Some(first as u32 - '①' as u32 + 1), ..b }),
        _ => numbered(line),
    }
}

/// `1.`, `1)`, `(1)`, `1、`, `a)`, `一、`, `（一）` with the white space after it.
fn numbered(line: &str) -> Option<Bullet> {
    let opened = line.strip_prefix(['(', '（']);
    let body = opened.unwrap_or(line);
    let (number, used, letter) = ordinal(body)?;
    let after = &body[used..];
    let close = after.chars().next()?;
    let tail = &after[close.len_utf8()..];
    let gap = tail.len() - tail.trim_start_matches([' ', '\t', '\u{a0}', '\u{3000}']).len();
    let fits = match close {
        ')' | '）' => gap > 0 || opened.is_some() || close == '）',
        '.' => opened.is_none() && !letter && gap > 0,
        '、' | '．' => opened.is_none() && !letter,
        _ => false,
    };
    if !fits
        || tail[gap..].is_empty()
        || (close == '.' && is_dated(line))
        || (opened.is_none() && close == ')' && line.len() > 400 && number.is_none())
    {
        return None;
    }
    let head = line.len() - tail.len();
    Some(Bullet {
        len: head + gap,
        ordered: true,
        number,
        markdown: opened.is_none()
            && !letter
            && matches!(close, '.' | ')')
            && body.is_char_boundary(1)
            && body.as_bytes()[0].is_ascii_digit(),
        adorns: false,
    })
}

/// A number of up to three figures, one Latin letter, or a Han number: value, bytes, whether it is a letter.
fn ordinal(text: &str) -> Option<(Option<u32>, usize, bool)> {
    const HAN: &str = "一二三四五六七八九十";
    let digits: Vec<u32> = text.chars().take(4).map_while(digit).collect();
    if (1..=3).contains(&digits.len()) {
        let bytes = text.chars().take(digits.len()).map(char::len_utf8).sum();
        return Some((Some(digits.iter().fold(0, |a, d| a * 10 + d)), bytes, false));
    }
    let han: Vec<char> = text.chars().take(3).take_while(|c| HAN.contains(*c)).collect();
    if !han.is_empty() {
        let at = |c: char| HAN.chars().position(|h| h == c).map_or(0, |p| p as u32 + 1);
        let value = match han[..] {
            [one] => at(one),
            ['十', unit] => 10 + at(unit),
            [tens, '十'] => at(tens) * 10,
            [tens, '十', unit] => at(tens) * 10 + at(unit),
            _ => return None,
        };
        return Some((Some(value), han.len() * 3, false));
    }
    text.chars().next().filter(char::is_ascii_alphabetic).map(|_| (None, 1, true))
}

/// A check box at the head of an item: whether it is ticked, and how many bytes are the box as markup (0 where it is a character of the text).
pub(super) fn check_box(text: &str) -> Option<(bool, usize)> {
    let body = text.trim_start();
    if body.starts_with(['☑', '🗹']) {
        return Some((true, 0));
    }
    if body.starts_with('☐') {
        return Some((false, 0));
    }
    let inner = body.strip_prefix('[').or_else(|| body.strip_prefix('［'))?;
    let c = inner.chars().next()?;
    let (ticked, rest) = match c {
        'x' | 'X' | 'х' | 'Х' | '✓' | '✔' | '√' | '*' => (true, &inner[c.len_utf8()..]),
        ' ' | '\u{a0}' | '\u{3000}' | '_' => (false, &inner[c.len_utf8()..]),
        ']' => (false, inner),
        _ => return None,
    };
    let rest = rest.strip_prefix(']').or_else(|| rest.strip_prefix('］'))?;
    let trimmed = rest.trim_start();
    (rest.len() > trimmed.len() && !trimmed.is_empty()).then(|| (ticked, text.len() - trimmed.len()))
}

/// Depth of items by their indents.
#[derive(Default)]
pub(super) struct Depths(Vec<usize>);

impl Depths {
    /// The depth, from 0, of an item that stands at column `indent`.
    pub fn at(&mut self, indent: usize) -> u8 {
        while self.0.last().is_some_and(|&top| top > indent) {
            self.0.pop();
        }
        if self.0.last().is_none_or(|&top| top < indent) {
            self.0.push(indent);
        }
        u8::try_from(self.0.len() - 1).unwrap_or(u8::MAX)
    }
}

/// The column (a tab goes to the next multiple of four) of the first character of a line that is no white space, and its byte offset.
pub(super) fn indent(line: &str) -> (usize, usize) {
    let mut column = 0;
    for (i, c) in line.char_indices() {
        match c {
            '\t' => column = (column / 4 + 1) * 4,
            '\u{3000}' => column += 2,
            c if c.is_whitespace() => column += 1,
            _ => return (column, i),
        }
    }
    (column, line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bullets() {
        let len = |s: &str| bullet(s).map(|b| b.len);
        assert_eq!(len("- a"), Some(2));
        assert_eq!(len("・再起動"), Some(3));
        assert_eq!(len("12) x"), Some(4));
        assert_eq!(bullet("② 確認").and_then(|b| b.number), Some(2));
        assert_eq!(bullet("十二、原因").and_then(|b| b.number), Some(12));
        assert_eq!(len("(3) x"), Some(4));
        for no in [
            "3. 5. 2024 – x",
            "3. Mai 2024: x",
            "10. května 14:05 x",
            "-5 %",
            "—sans",
            "1.5 GB",
            "14:03 x",
            "e.g. this",
            "-",
            "2024. 5. 3. x",
        ] {
            assert_eq!(len(no), None, "{no}");
        }
    }

    #[test]
    fn boxes() {
        assert_eq!(check_box("[x] done"), Some((true, 4)));
        assert_eq!(check_box("[ ]  open"), Some((false, 5)));
        assert_eq!(check_box("☐ open"), Some((false, 0)));
        assert_eq!(check_box("✅ done"), None);
        assert_eq!(check_box("[x](y)"), None);
    }

    #[test]
    fn labels_and_capitals() {
        assert!(is_label("Durée : 35 min") && is_label("**Owner:** Ana") && is_label("影響：一部"));
        assert!(!is_label("Impact:") && !is_label("http://x y") && !is_label("It fell. Then: nothing"));
        assert!(is_capitals("ROOT CAUSE") && is_capitals("ПРИЧИНА") && !is_capitals("原因") && !is_capitals("OK"));
    }
}
