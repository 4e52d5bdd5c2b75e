//! Dates and clocks at the head of a line, by their figures alone: enough to part lines, not to read times.

use super::shapes::{digit, is_digit};

/// A number group at the head of a line, and what follows it.
#[derive(Clone, Copy)]
struct Group {
    digits: usize,
    value: u32,
    after: Option<char>,
}

/// Up to three number groups parted by one sign each (a blank may follow the sign).
fn groups(text: &str) -> ([Option<Group>; 3], usize) {
    let mut out = [None; 3];
    let mut n = 0;
    let mut rest = text;
    while n < 3 {
        let digits: Vec<u32> = rest.chars().take(9).map_while(digit).collect();
        if digits.is_empty() {
            break;
        }
        let value = digits.iter().fold(0, |a, d| a * 10 + d);
        let bytes: usize = rest.chars().take(digits.len()).map(char::len_utf8).sum();
        rest = &rest[bytes..];
        let after = rest.chars().next();
        out[n] = Some(Group { digits: digits.len(), value, after });
        n += 1;
        let Some(sign) = after.filter(|c| !c.is_whitespace() && !is_digit(*c)) else { break };
        rest = &rest[sign.len_utf8()..];
        if !matches!(sign, ':' | '：' | '/' | '-') {
            rest = rest.strip_prefix(' ').unwrap_or(rest);
        }
    }
    (out, n)
}

/// True where a text begins with a calendar date in figures.
pub(super) fn starts_with_date(text: &str) -> bool {
    let ([a, b, c], _) = groups(text);
    let (Some(a), Some(b)) = (a, b) else { return matches!(a, Some(Group { after: Some('月' | '월'), digits: ..=2, .. })) };
    let Some(sign) = a.after else { return false };
    let small = |g: Group| g.digits <= 2 && (1..=31).contains(&g.value);
    match sign {
        '年' | '년' => a.digits == 4 || a.digits == 2,
        '月' | '월' => small(a) && small(b),
        '-' | '/' | '.' | '–' | '．' if a.digits == 4 => small(b) && (1000..=2999).contains(&a.value),
        '/' if small(a) && small(b) => true,
        '-' | '.' | '．' if small(a) && small(b) => {
            b.after == Some(sign) && (c.is_some_and(|c| c.digits == 4 || c.digits == 2) || (sign == '.' && text.contains(". ")))
        }
        _ => false,
    }
}

/// True where a text begins with a time of day in figures.
pub(super) fn starts_with_clock(text: &str) -> bool {
    let ([a, b, c], _) = groups(text);
    let Some(a) = a.filter(|a| a.digits <= 2 && a.value <= 29) else { return false };
    match a.after {
        Some('時' | '时' | '시' | '点') => true,
        Some(':' | '：') => b.is_some_and(|b| b.digits == 2 && b.value < 60),
        Some('h' | 'H') => {
            // `14h` and `14h05` are times, `4hosts` is none
            b.is_none_or(|b| b.digits == 2 && b.value < 60)
                && !text.chars().skip_while(|c| is_digit(*c)).nth(1).is_some_and(char::is_alphabetic)
        }
        Some('.') => b.is_some_and(|b| b.digits == 2 && b.value < 60 && b.after != Some('.')) && a.value <= 24 && c.is_none(),
        _ => false,
    }
}

/// The line without what may stand before a stamp: brackets, emphasis, signs of about and offset.
fn past_openers(line: &str) -> &str {
    let line =
        line.trim_start_matches(['[', '(', '<', '【', '［', '（', '「', '〔', '~', '≈', '*', '_', '`', '@', '#', ' ', '\t', '\u{feff}']);
    line.strip_prefix("T+").or_else(|| line.strip_prefix("T-")).or_else(|| line.strip_prefix('+')).unwrap_or(line)
}

/// True where a line opens with a digit, a bracketed or an emphasised one included.
pub(super) fn opens_with_digit(line: &str) -> bool {
    past_openers(line).starts_with(is_digit)
}

/// True where a line opens with a date or a clock, or holds a clock among its first words (`Mon 3 May, 14:03`).
pub(super) fn opens_with_stamp(line: &str) -> bool {
    let line = past_openers(line);
    if starts_with_date(line) || starts_with_clock(line) {
        return true;
    }
    let mut before = ' ';
    for (i, c) in line.char_indices().take(26) {
        if matches!(c, '(' | '[' | '（' | ':' | '：' | '|') {
            return false;
        }
        if is_digit(c) && !is_digit(before) {
            let ([a, b, _], _) = groups(&line[i..]);
            if let (Some(a), Some(b)) = (a, b)
                && matches!(a.after, Some(':' | '：'))
                && a.digits <= 2
                && a.value <= 24
                && b.digits == 2
                && b.value < 60
            {
                return true;
            }
        }
        before = c;
    }
    false
}

/// True where what looks like a numbered line is a date: `3. 5. 2024`, `2024. 5. 3.`, `3. May 2024`.
pub(super) fn is_dated(line: &str) -> bool {
    if starts_with_date(line) || starts_with_clock(line) {
        return true;
    }
    let ([a, ..], _) = groups(line);
    let Some(a) = a.filter(|a| a.digits <= 2 && a.value <= 31 && a.after == Some('.')) else { return false };
    let rest = line.get(a.digits + 1..).unwrap_or("");
    let mut words = rest.split_whitespace().take(2).map(|w| w.trim_end_matches([',', ':', '.', ')', ';']));
    let (Some(month), Some(year)) = (words.next(), words.next()) else { return false };
    month.chars().all(|c| c.is_alphabetic() || c == '.')
        && ((year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit()) && (year.starts_with("19") || year.starts_with("20")))
            || starts_with_clock(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps() {
        for line in [
            "14:03 alert",
            "[14:03] ana: down",
            "<14:03> ana",
            "**14:03** – text",
            "2024-05-03 14:03",
            "3. 5. 2024 text",
            "2024. 5. 3. text",
            "14時05分 検知",
            "2024年5月3日",
            "Mon 3 May, 14:03 UTC: x",
            "5月3日 障害",
            "14h05 : alerte",
            "14.05 hälytys",
            "۱۴:۰۳ قطعی",
            "T+00:05 page",
            "3/5 start",
            "03.05.24 start",
        ] {
            assert!(opens_with_stamp(line), "{line}");
        }
        for line in ["1. Restart", "3 hosts were down", "Timeline (14:03 to 15:00)", "Note: at 14:03", "1.5 GB", "4 hours later", "v1.2.3"]
        {
            assert!(!opens_with_stamp(line), "{line}");
        }
    }
}
