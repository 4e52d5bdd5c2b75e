//! The one folding of searched text: what is typed without accents, in capitals or in another width finds all the same.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folds a word: NFKC, lower case, NFD without the marks U+0300 to U+036F (and without the vowel signs of Semitic scripts), a few letters
/// that do not decompose, NFC.
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let lower: String = word.nfkc().collect::<String>().to_lowercase();
    let mut plain = String::with_capacity(lower.len());
    for c in lower.nfd() {
        match c {
            '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5C7}' | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{640}' => {}
            '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' => {}
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'þ' => plain.push_str("th"),
            'ø' => plain.push('o'),
            'đ' | 'ð' => plain.push('d'),
            'ł' => plain.push('l'),
            'ı' => plain.push('i'),
            'ς' => plain.push('σ'),
            'ٱ' => plain.push('ا'),
            'ة' => plain.push('ه'),
            'ى' | 'ی' => plain.push('ي'),
            'ک' => plain.push('ك'),
            c => plain.push(c),
        }
    }
    plain.nfc().collect()
}

/// True for a character that words are made of. In JavaScript: `/[\p{Alphabetic}\p{N}\p{M}\u00AD\u200B-\u200D\u2060\uFEFF]/u`.
pub(super) fn in_word(c: char) -> bool {
    c.is_alphanumeric()
        || (!c.is_ascii() && (is_combining_mark(c) || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')))
}

/// True for a character of a script that is written without spaces, or whose words are best found by pairs of characters.
pub(super) fn gram(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1100}'..='\u{11FF}' | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_is_what_stands_there() {
        for (a, b) in [
            ("Újraindítás", "ujrainditas"),
            ("ＳＥＲＶＥＲ", "server"),
            ("e\u{301}te\u{301}", "été"),
            ("Straße", "STRASSE"),
            ("Łódź", "lodz"),
            ("İSTANBUL", "istanbul"),
            ("ещё", "еще"),
            ("ﾃﾞｰﾀ", "データ"),
            ("إعادة", "اعاده"),
            ("سرویس‌ها", "سرويسها"),
            ("ΛΌΓΟΣ", "λογοσ"),
            ("co\u{AD}op", "coop"),
        ] {
            assert_eq!(fold(a), fold(b), "{a} {b}");
        }
        assert_eq!(fold("が"), "が");
    }
}
