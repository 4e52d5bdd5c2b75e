//! Where words begin and end: which characters form words with each other.

/// Kinds of characters that do not form words with each other.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub(super) enum Class {
    Letter,
    Digit,
    /// Scripts written without spaces: any place may begin or end a word.
    Free,
    Other,
}

pub(super) fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Digit,
        c if c.is_ascii() => Class::Other,
        // by far the most of what is asked
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2C1}' | '\u{400}'..='\u{481}' => Class::Letter,
        '\u{0E00}'..='\u{0EFF}'
        | '\u{1000}'..='\u{109F}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{1100}'..='\u{11FF}'
        | '\u{3040}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9F}'
        | '\u{20000}'..='\u{3FFFF}'
        | '々'
        | '〇' => Class::Free,
        // the full stops of Devanagari and its kin are no letters of the word before them
        '\u{964}' | '\u{965}' | '\u{970}' => Class::Other,
        c if c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{DFF}' | '\u{64B}'..='\u{652}') => Class::Letter,
        c if c.is_numeric() => Class::Digit,
        _ => Class::Other,
    }
}

/// [`char::is_alphabetic`], decided early for most of what is asked.
pub(super) fn is_alphabetic(c: char) -> bool {
    match c {
        c if c.is_ascii() => c.is_ascii_alphabetic(),
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2C1}' | '\u{400}'..='\u{481}' => true,
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FE}' | '\u{4E00}'..='\u{9FA5}' | '\u{AC00}'..='\u{D7A3}' => {
            true
        }
        '\u{5D0}'..='\u{5EA}' | '\u{620}'..='\u{64A}' | '\u{E01}'..='\u{E3A}' | '\u{1E00}'..='\u{1EFF}' => true,
        '\u{2000}'..='\u{206F}' | '\u{2190}'..='\u{24B5}' | '\u{2500}'..='\u{2BFF}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' => {
            false
        }
        '\u{FF00}'..='\u{FF20}' | '\u{1F300}'..='\u{1FAFF}' => false,
        c => c.is_alphabetic(),
    }
}

/// [`char::is_alphanumeric`], decided early for most of what is asked.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    is_alphabetic(c) || c.is_numeric()
}

/// True where two neighbouring characters belong to one word.
pub(crate) fn joins(a: char, b: char) -> bool {
    let (x, y) = (class(a), class(b));
    x == y && matches!(x, Class::Letter | Class::Digit)
}

/// Where the letters before a place begin.
pub(super) fn word_start(text: &str, at: usize) -> usize {
    let mut start = at;
    for (i, c) in text[..at].char_indices().rev() {
        if class(c) != Class::Letter {
            break;
        }
        start = i;
    }
    start
}

/// Where the letters from a place on end.
pub(super) fn word_end(text: &str, at: usize) -> usize {
    text[at..].char_indices().find(|(_, c)| class(*c) != Class::Letter).map_or(text.len(), |(i, _)| at + i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_ends() {
        let text = "Az élő_Серверы42 障害です";
        assert_eq!((word_start(text, text.find("lő").unwrap()), word_end(text, 3)), (3, text.find('_').unwrap()));
        assert!(joins('é', 'С') && joins('4', '2') && !joins('ы', '4') && !joins('障', '害') && !joins('_', 'a'));
        assert!(('\0'..=char::MAX).all(|c| is_alphabetic(c) == c.is_alphabetic() && is_alphanumeric(c) == c.is_alphanumeric()));
        assert!(joins('थ', 'े') && !joins('े', '।'));
        // what is decided early is decided as it would be late
        for c in ('\u{C0}'..='\u{481}').filter(|c| class(*c) == Class::Letter) {
            assert!(c.is_alphabetic() || ('\u{300}'..='\u{36F}').contains(&c), "{c:?}");
        }
    }
}
