//! Scripts without spaces: which hits stand inside a longer word only by chance.

use super::scanner::Hit;
use super::tag::Tag;

/// True where a concept's hit stands inside a longer word only by chance (in texts without spaces a form may match anywhere). What a phrase of five
/// characters or more begins or ends with, what stands between changes of script, and the parts of a word that consists of two are words themselves.
/// Hits are sorted by start.
pub(super) fn is_hidden(text: &str, hits: &[Hit], i: usize) -> bool {
    let concept = |h: &Hit| matches!(h.tag, Tag::Concept(_));
    let h = &hits[i];
    if !concept(h) {
        return false;
    }
    let (at, end) = (h.range.start, h.range.end);
    let near = || {
        let before = hits[..i].iter().rev().take_while(|k| k.range.start + 80 >= at);
        before.chain(hits[i + 1..].iter().take_while(|k| k.range.start < end + 80)).filter(|k| concept(k) && k.whole)
    };
    let composed = |long: &Hit| {
        near().any(|k| {
            (at == long.range.start && k.range.start == end && k.range.end == long.range.end)
                || (end == long.range.end && k.range.end == at && k.range.start == long.range.start)
        })
    };
    near().any(|long| {
        if long.range.start > at || end > long.range.end || long.range.len() <= h.range.len() {
            return false;
        }
        let phrase = text[long.range.clone()].chars().count() >= 5;
        let left = at == long.range.start || changes(text, at);
        let right = end == long.range.end || changes(text, end);
        !((left && right) || (phrase && (at == long.range.start || end == long.range.end)) || composed(long))
    })
}

/// True where the script changes at a place: kana to ideographs and the like.
fn changes(text: &str, at: usize) -> bool {
    let kind = |c: char| match c as u32 {
        0x3040..=0x309F => 1,
        0x30A0..=0x30FF => 2,
        0x3400..=0x9FFF => 3,
        0xAC00..=0xD7AF => 4,
        _ => 0,
    };
    match (text[..at].chars().next_back(), text[at..].chars().next()) {
        (Some(a), Some(b)) => kind(a) != kind(b),
        _ => true,
    }
}
