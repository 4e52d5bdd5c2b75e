//! Folding: the one way in which texts and forms are made alike before they are compared.
//!
//! Case, width, composition, typographic apostrophes and hyphens are folded in every language; a lexicon names what else (`fold:`). The folded
//! text remembers for each of its bytes where it stands in the text it was made of.

use std::ops::Range;
use unicode_normalization::char::{compose, decompose_canonical};

/// What is folded besides case, width and composition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Folding {
    /// Diacritics of Latin letters are dropped.
    pub accents: bool,
    /// Variants of alif, ta marbuta and ya are unified; tatweel and vowel signs are dropped.
    pub arabic: bool,
    /// Persian and Arabic kaf and ya are unified; a zero-width non-joiner is a space.
    pub persian: bool,
    /// İ, I and ı become i.
    pub turkish: bool,
    /// ё becomes е.
    pub yo: bool,
}

impl Folding {
    /// Strips all that can be stripped: for headings in capitals and queries typed without diacritics.
    pub const LOOSE: Folding = Folding { accents: true, arabic: true, persian: true, turkish: false, yo: true };

    /// From the names a lexicon uses.
    pub fn from_names(names: &[String]) -> Folding {
        let has = |n: &str| names.iter().any(|x| x == n);
        Folding { accents: has("accents"), arabic: has("arabic"), persian: has("persian"), turkish: has("turkish"), yo: has("yo") }
    }
}

/// A folded text and its way back.
#[derive(Clone, Debug, Default)]
pub struct Folded {
    /// The folded text.
    pub text: String,
    /// For each byte where it stands in the original text, and the length of that; empty where each byte stands where it stood.
    back: Vec<u32>,
}

impl Folded {
    /// The range of the original text that a range of the folded text was made of.
    pub fn original(&self, range: Range<usize>) -> Range<usize> {
        if self.back.is_empty() {
            let (start, end) = (range.start.min(self.text.len()), range.end.min(self.text.len()));
            return start..end.max(start);
        }
        let start = self.back.get(range.start).or(self.back.last()).map_or(0, |&b| b as usize);
        let end = self.back.get(range.end).or(self.back.last()).map_or(0, |&b| b as usize);
        start..end.max(start)
    }
}

/// Folds a text.
pub fn fold(text: &str, how: Folding) -> Folded {
    if text.is_ascii() {
        return Folded { text: text.to_ascii_lowercase(), back: Vec::new() };
    }
    let mut out = Folded { text: String::with_capacity(text.len()), back: Vec::with_capacity(text.len() + 1) };
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < text.len() {
        // an ASCII character changes nothing but its case, unless a mark may follow it
        let mut run = bytes[at..].iter().position(|b| !b.is_ascii()).unwrap_or(bytes.len() - at);
        if run > 0 && text[at + run..].chars().next().is_some_and(is_mark) {
            run -= 1;
        }
        if run > 0 {
            let before = out.text.len();
            out.text.push_str(&text[at..at + run]);
            out.text[before..].make_ascii_lowercase();
            out.back.extend(at as u32..(at + run) as u32);
            at += run;
            continue;
        }
        let mut rest = text[at..].chars();
        let Some(mut c) = rest.next() else { break };
        let (start, before) = (at, out.text.len());
        at += c.len_utf8();
        while let Some(mark) = rest.next().filter(|m| is_mark(*m)) {
            let Some(whole) = compose(c, mark) else { break };
            c = whole;
            at += mark.len_utf8();
        }
        fold_char(c, how, &mut out.text);
        out.back.resize(out.back.len() + out.text.len() - before, start as u32);
    }
    out.back.push(text.len() as u32);
    out
}

/// True for a character that may melt into the one before it; true for some others too.
fn is_mark(c: char) -> bool {
    !matches!(c, '\u{0}'..='\u{2FF}' | '\u{370}'..='\u{64F}' | '\u{2000}'..='\u{3098}' | '\u{309B}'..='\u{FFFF}')
}

/// Folds a text without keeping the way back.
pub fn fold_str(text: &str, how: Folding) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { fold(text, how).text }
}

fn fold_char(c: char, how: Folding, out: &mut String) {
    let c = match c {
        // most of some languages' letters have nothing that could be folded
        '\u{430}'..='\u{44F}' | '\u{3041}'..='\u{3096}' | '\u{30A0}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => return out.push(c),
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '\u{3000}' | '\u{A0}' | '\u{2007}' | '\u{2009}' | '\u{200A}' | '\u{202F}' | '\u{2002}' | '\u{2003}' => ' ',
        '\u{2018}' | '\u{2019}' | '\u{02BC}' | '\u{2032}' => '\'',
        '\u{2010}' | '\u{2011}' => '-',
        '\u{AD}' | '\u{200B}' | '\u{FEFF}' | '\u{2060}' => return,
        '\u{200C}' if how.persian => ' ',
        '\u{200C}' | '\u{200D}' => return,
        _ => c,
    };
    if how.turkish && matches!(c, 'I' | 'İ' | 'ı') {
        out.push('i');
        return;
    }
    if how.arabic {
        match c {
            'أ' | 'إ' | 'آ' | 'ٱ' => return out.push('ا'),
            'ة' => return out.push('ه'),
            'ى' if !how.persian => return out.push('ي'),
            '\u{640}' | '\u{64B}'..='\u{652}' | '\u{670}' => return,
            _ => {}
        }
    }
    if how.persian {
        match c {
            'ي' | 'ى' => return out.push('ی'),
            'ك' => return out.push('ک'),
            // the sign of the ezafe after a silent he, joined to it or by itself
            'ۀ' => return out.push('ه'),
            '\u{654}' => return,
            _ => {}
        }
    }
    for l in c.to_lowercase() {
        match l {
            'ё' if how.yo => out.push('е'),
            'ß' if how.accents => out.push_str("ss"),
            '\u{307}' => {}
            l if how.accents && (l as u32) < 0x250 && !l.is_ascii() || how.accents && (0x1E00..0x1F00).contains(&(l as u32)) => {
                decompose_canonical(l, |d| {
                    if !('\u{300}'..='\u{36F}').contains(&d) {
                        out.push(d);
                    }
                });
            }
            '\u{300}'..='\u{36F}' if how.accents => {}
            l => out.push(l),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_and_finds_back() {
        let text = "Ｓｅｒｖｅｒ ÉTÉ e\u{301}t ’x";
        let f = fold(text, Folding { accents: true, ..Folding::default() });
        assert_eq!(f.text, "server ete et 'x");
        let at = f.text.find("ete").unwrap();
        assert_eq!(&text[f.original(at..at + 3)], "ÉTÉ");
        let at = f.text.find("et '").unwrap();
        assert_eq!(&text[f.original(at..at + 2)], "e\u{301}t");
        assert_eq!(f.original(0..f.text.len()), 0..text.len());
    }

    #[test]
    fn persian_words_are_one_with_and_without_the_sign_of_the_ezafe() {
        let how = Folding::LOOSE;
        assert_eq!(fold_str("حلقهٔ", how), fold_str("حلقه", how));
        assert_eq!(fold_str("حلقۀ", how), fold_str("حلقه", how));
    }

    #[test]
    fn whatever_melts_is_a_mark_and_what_is_kept_has_no_case() {
        for c in ('\0'..=char::MAX).filter(|c| !('\u{AC00}'..='\u{D7A3}').contains(c)) {
            let mut parts = Vec::new();
            decompose_canonical(c, |d| parts.push(d));
            if let [.., before, last] = parts[..] {
                assert!(is_mark(last) || compose(before, last).is_none(), "{c:?}");
            }
        }
        // syllables that are written in parts
        assert_eq!(fold_str("\u{1112}\u{1161}\u{11AB}", Folding::default()), "한");
        for c in ('\u{430}'..='\u{44F}').chain('\u{3041}'..='\u{3096}').chain('\u{30A0}'..='\u{9FFF}').chain('\u{AC00}'..='\u{D7A3}') {
            assert!(c.to_lowercase().eq([c]), "{c:?}");
        }
    }

    #[test]
    fn keeps_what_a_language_keeps() {
        assert_eq!(fold_str("Újra e\u{301}", Folding::default()), "újra é");
        assert_eq!(fold_str("DISK DİSK ılık", Folding { turkish: true, ..Folding::default() }), "disk disk ilik");
        assert_eq!(fold_str("Ещё", Folding { yo: true, ..Folding::default() }), "еще");
        assert_eq!(fold_str("إعادة", Folding { arabic: true, ..Folding::default() }), "اعاده");
    }
}
