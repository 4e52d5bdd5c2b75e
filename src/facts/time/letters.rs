//! Which characters make words and numbers with their neighbours, in any script.

/// The longest word, in bytes, whose edge is looked for.
const LONGEST: usize = 120;

/// The beginning of the word before `at`; `None` where it is longer than any.
pub fn edge_before(text: &str, at: usize) -> Option<usize> {
    let mut start = at;
    for (i, c) in text[..at].char_indices().rev() {
        if !is_letter(c) {
            break;
        }
        start = i;
        if at - start > LONGEST {
            return None;
        }
    }
    Some(start)
}

/// The end of the word after `at`; `None` where it is longer than any.
pub fn edge_after(text: &str, at: usize) -> Option<usize> {
    let mut end = at;
    for c in text[at..].chars() {
        if !is_letter(c) {
            break;
        }
        end += c.len_utf8();
        if end - at > LONGEST {
            return None;
        }
    }
    Some(end)
}

/// True for letters of scripts that are written without spaces, where a word may begin and end anywhere.
pub fn is_free(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1100}'..='\u{11FF}' | '\u{3040}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}'
        | '\u{20000}'..='\u{3FFFF}' | '々' | '〇')
}

/// True for letters that make words with their neighbours.
pub fn is_letter(c: char) -> bool {
    match c {
        c if c.is_ascii() => return c.is_ascii_alphabetic(),
        // by far the most of what is asked
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2C1}' | '\u{400}'..='\u{481}' => return true,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' => return false,
        _ => {}
    }
    !is_free(c)
        && digit(c).is_none()
        && (c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{DFF}' | '\u{64B}'..='\u{652}'))
}

/// What a character makes with neighbours of its kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Joining {
    /// Words.
    Letter,
    /// Numbers.
    Digit,
    /// Nothing.
    Other,
}

/// What a character makes with neighbours of its kind.
pub fn joining(c: char) -> Joining {
    if is_letter(c) {
        Joining::Letter
    } else if digit(c).is_some() {
        Joining::Digit
    } else {
        Joining::Other
    }
}

/// True where two neighbouring characters belong to one word or number.
pub fn joins(a: char, b: char) -> bool {
    let kind = joining(a);
    kind != Joining::Other && kind == joining(b)
}

/// A numeral in ideographs at the head of a text, below 100 or written digit by digit: its value, how many digits it would have, its length in bytes.
pub fn ideographs(text: &str) -> Option<(u32, u8, usize)> {
    if text.as_bytes().first().is_none_or(u8::is_ascii) {
        return None;
    }
    let value = |c: char| {
        Some(match c {
            '〇' | '零' => 0,
            '一' => 1,
            '二' | '两' | '兩' => 2,
            '三' => 3,
            '四' => 4,
            '五' => 5,
            '六' => 6,
            '七' => 7,
            '八' => 8,
            '九' => 9,
            _ => return None,
        })
    };
    let run: Vec<char> = text.chars().take(5).take_while(|&c| c == '十' || value(c).is_some()).collect();
    if run.is_empty() || run.len() > 4 {
        return None;
    }
    let bytes = run.iter().map(|c| c.len_utf8()).sum();
    if let Some(ten) = run.iter().position(|&c| c == '十') {
        if ten > 1 || run.len() > ten + 2 || run[ten + 1..].contains(&'十') {
            return None;
        }
        let tens = if ten == 0 { 1 } else { value(run[0])? };
        let ones = run.get(ten + 1).map_or(Some(0), |&c| value(c))?;
        return Some((tens * 10 + ones, 2, bytes));
    }
    let digits: Vec<u32> = run.iter().filter_map(|&c| value(c)).collect();
    Some((digits.iter().fold(0, |n, d| n * 10 + d), digits.len() as u8, bytes))
}

/// The value of a decimal digit of any script that has a set of its own.
pub fn digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.to_digit(10).map(|d| d as u8);
    }
    if matches!(c, '\u{80}'..='\u{65F}' | '\u{1E00}'..='\u{FF0F}') {
        return None;
    }
    const ZEROS: [u32; 13] = [0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xE50, 0xED0, 0x1040, 0x17E0, 0x1810, 0xFF10];
    let code = c as u32;
    ZEROS.iter().find(|&&z| (z..z + 10).contains(&code)).map(|z| (code - z) as u8)
}

#[cfg(test)]
mod tests {
    #[test]
    fn numerals_in_ideographs() {
        for (text, want) in [
            ("四時", Some((4, 1, 3))),
            ("二十分", Some((20, 2, 6))),
            ("十二月", Some((12, 2, 6))),
            ("二〇二四年", Some((2024, 4, 12))),
            ("三十八度", Some((38, 2, 9))),
            ("時", None),
        ] {
            assert_eq!(super::ideographs(text), want, "{text}");
        }
    }
}
