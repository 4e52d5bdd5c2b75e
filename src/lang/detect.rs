//! Which language a text is in: whatlang for the many, letters for those it does not know or mistakes.

use super::Languages;

/// A language and how sure that is.
#[derive(Clone, Debug, PartialEq)]
pub struct Language {
    /// BCP 47 tag; `und` where the text holds too few letters.
    pub tag: String,
    /// 0 to 1.
    pub confidence: f64,
}

/// What detection needs to know of a lexicon.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    pub tag: String,
    pub whatlang: String,
    pub letters: Vec<(char, char)>,
    pub not_letters: Vec<(char, char)>,
}

/// Expands `a-z` ranges.
pub(super) fn ranges(text: &str) -> Vec<(char, char)> {
    let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut out = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        if i + 2 < chars.len() && chars[i + 1] == '-' {
            out.push((chars[i], chars[i + 2]));
            i += 3;
        } else {
            out.push((chars[i], chars[i]));
            i += 1;
        }
    }
    out
}

fn within(c: char, ranges: &[(char, char)]) -> bool {
    ranges.iter().any(|&(a, b)| (a..=b).contains(&c))
}

/// Coarse script of a letter, enough to compare like with like.
fn script(c: char) -> u8 {
    match c as u32 {
        0x0400..=0x052F => 1,
        0x0600..=0x06FF | 0x0750..=0x077F => 2,
        0x3040..=0x30FF | 0x3400..=0x9FFF => 3,
        0xAC00..=0xD7AF => 4,
        0x0900..=0x097F => 5,
        0x0E00..=0x0E7F => 6,
        0x0590..=0x05FF => 7,
        _ => 0,
    }
}

/// Detects the language of a text. Code, addresses and numbers should have been left out of it.
pub(super) fn detect(text: &str, languages: &Languages) -> Language {
    // 40,000 characters tell as much as a million
    let head = match text.char_indices().nth(40_000) {
        Some((i, _)) => &text[..i],
        None => text,
    };
    let letters: Vec<char> = head.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    if letters.len() < 8 {
        return Language { tag: "und".into(), confidence: 0.0 };
    }
    // letters first: a lexicon whose own letters are frequent among the letters of its script, and whose foreign letters are absent
    let mut best: Option<(f64, &Profile)> = None;
    for p in languages.profiles().iter().filter(|p| !p.letters.is_empty()) {
        let own = script(p.letters[0].0);
        let same: Vec<char> = letters.iter().copied().filter(|&c| script(c) == own).collect();
        if own == 0 || same.len() * 3 < letters.len() {
            continue;
        }
        let share = |r: &[(char, char)]| same.iter().filter(|&&c| within(c, r)).count() as f64 / same.len() as f64;
        let (yes, no) = (share(&p.letters), share(&p.not_letters));
        if yes >= 0.005 && no * 4.0 < yes && best.is_none_or(|(b, _)| yes > b) {
            best = Some((yes, p));
        }
    }
    if let Some((yes, p)) = best {
        return Language { tag: p.tag.clone(), confidence: (0.8 + yes * 4.0).min(0.99) };
    }
    match whatlang::detect(head) {
        Some(info) => {
            let code = info.lang().code();
            let tag = languages.tag_of(code);
            Language { tag, confidence: info.confidence() }
        }
        None => Language { tag: "und".into(), confidence: 0.0 },
    }
}
