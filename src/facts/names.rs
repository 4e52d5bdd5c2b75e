//! Names of those who do something: persons by their capitals, groups by the lexicon's words for them, and words that name nobody.

use super::units::Reading;
use crate::lang::{Column, Fit, Tag};

/// True for one to three words with capitals that the lexicon does not know for something else.
pub fn is_person(reading: &Reading, t: &str) -> bool {
    let words: Vec<&str> = t.split_whitespace().collect();
    let capital = |w: &&str| {
        w.chars().next().is_some_and(char::is_uppercase) && w.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '\''))
    };
    (1..=3).contains(&words.len())
        && words.iter().all(capital)
        && words.iter().any(|w| w.chars().any(char::is_lowercase))
        && is_unknown(reading, t)
}

/// True for what the lexicon has no word for.
pub fn is_unknown(reading: &Reading, t: &str) -> bool {
    reading.lexicon.scan(t).iter().all(|h| matches!(h.tag, Tag::Severity(_)))
        && reading.lexicon.status(t).is_none()
        && reading.lexicon.role(t).is_none()
}

/// True for the name of a group: a few words of which one says so (`platform team`, `Netzgruppe`, `開発課`), and nothing that is done or planned.
pub fn is_group(reading: &Reading, t: &str) -> bool {
    let count = t.split_whitespace().count();
    let acts = |tag: Tag| matches!(tag, Tag::Cue(c) if !matches!(c, crate::lang::Cue::Change | crate::lang::Cue::Repair));
    (1..=4).contains(&count)
        && t.chars().count() <= 32
        && !t.contains(['.', ',', '!', '?', ':', '。', '、', '：'])
        && reading.lexicon.names_group(t)
        && !reading.lexicon.scan(t).iter().any(|h| acts(h.tag))
}

/// True for a person or group.
pub fn is_owner(reading: &Reading, t: &str) -> bool {
    is_person(reading, t) || is_group(reading, t)
}

/// True for a cell or value that says that nobody, or nothing, is known yet: a sign, a word for that, or the head of its column over again.
pub fn is_void(reading: &Reading, value: &str, column: Option<Column>) -> bool {
    let bare = value.trim().trim_matches(|c: char| matches!(c, '[' | ']' | '<' | '>' | '*' | '_' | '{' | '}' | '(' | ')')).trim();
    bare.chars().all(|c| matches!(c, '-' | '–' | '—' | '?' | '？' | '/' | 'ー' | '－' | '.' | '…'))
        || reading.lexicon.is_void(bare)
        || column.is_some() && reading.lexicon.column(bare).is_some_and(|f| f.fit == Fit::Exact && Some(f.value) == column)
}

/// The owner that a heading, a lead-in line or an item above names: `### Ciara`, `**Platform team**`, `Owner: Ann`, `@lee`.
pub fn heading_owner(reading: &Reading, text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['*', '_']).trim_end_matches([':', '：', ' ']);
    if text.is_empty() || text.chars().count() > 48 {
        return None;
    }
    if let Some((label, value)) = text.split_once([':', '：']) {
        let named = reading.lexicon.column(label).is_some_and(|f| f.fit == Fit::Exact && f.value == Column::Owner);
        let value = value.trim();
        return (named && !value.is_empty() && !is_void(reading, value, Some(Column::Owner))).then(|| value.to_string());
    }
    is_owner(reading, text).then(|| text.to_string())
}
