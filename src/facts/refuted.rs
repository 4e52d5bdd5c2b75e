//! What a heading, a label or the line above a list says was ruled out ("What it was not", "Verworfene Vermutungen"): nothing below it is a cause or
//! proves a pattern.
//!
//! Such a heading says so in words of its own (`ruled_out`), or in words that take something out (`excluded`) beside a word for what may be taken out
//! (`suspect`), or with no other word at all ("Rejected" alone; "Rejected requests" is something else), or in words that are themselves denied ("did not
//! cause").

use super::sections::{Because, Place, label_range};
use crate::document::{Document, Kind};
use crate::lang::{Cue, Hit, Lexicon, Tag, fold_str};
use crate::text::sentences;
use std::ops::Range;

/// For each block whether what it says was ruled out.
pub(super) fn refuted(document: &Document, lexicon: &Lexicon, places: &[Place], hits: &[Vec<Hit>], title: Option<usize>) -> Vec<bool> {
    let says = |n: usize, range: Range<usize>| says(document.blocks[n].text.as_str(), range, &hits[n], lexicon);
    let mut out = Vec::with_capacity(places.len());
    // the open headings, and the line or item that leads to a list: how deep it stands
    let mut open: Vec<(u8, bool)> = Vec::new();
    let mut list: Option<Option<u8>> = None;
    for (n, (block, place)) in document.blocks.iter().zip(places).enumerate() {
        let text = block.text.as_str();
        if place.is_heading {
            let level = if let Kind::Heading { level, .. } = block.kind { level } else { 6 };
            while open.last().is_some_and(|(l, _)| *l >= level) {
                open.pop();
            }
            // a heading below that names a section of its own speaks for itself
            let above = open.last().is_some_and(|(_, r)| *r) && !(place.because == Because::Heading && place.role.is_some());
            let own = Some(n) != title && says(n, 0..text.len());
            open.push((level, above || own));
            list = None;
            out.push(above || own);
            continue;
        }
        let depth = if let Kind::Item { depth, .. } = block.kind { Some(depth) } else { None };
        let listed = match (list, depth) {
            (Some(None), Some(_)) => true,
            (Some(Some(above)), Some(d)) => d > above,
            _ => false,
        };
        if !listed {
            list = None;
        }
        let label = label_range(block).is_some_and(|l| says(n, l));
        if !listed && text.trim_end().ends_with([':', '：']) {
            let last = sentences(text).pop().unwrap_or(0..text.len());
            list = says(n, last).then_some(depth);
        }
        out.push(open.last().is_some_and(|(_, r)| *r) || listed || label);
    }
    out
}

/// True where a part of a text says that something was ruled out.
fn says(text: &str, range: Range<usize>, hits: &[Hit], lexicon: &Lexicon) -> bool {
    let inside = |cue: Cue| -> Vec<&Range<usize>> {
        hits.iter()
            .filter(|h| h.tag == Tag::Cue(cue) && range.start <= h.range.start && h.range.end <= range.end)
            .map(|h| &h.range)
            .collect()
    };
    if !inside(Cue::RuledOut).is_empty() {
        return true;
    }
    let excluded = inside(Cue::Excluded);
    if excluded.is_empty() {
        return false;
    }
    let meets = |s: &Range<usize>| excluded.iter().any(|e| e.start < s.end && s.start < e.end);
    inside(Cue::Negation).into_iter().any(meets)
        || inside(Cue::Suspect).into_iter().any(|s| !meets(s))
        || alone(text, &range, &excluded, lexicon)
}

/// True where a part of a text holds no word beside some ranges but function words.
fn alone(text: &str, range: &Range<usize>, covered: &[&Range<usize>], lexicon: &Lexicon) -> bool {
    let folding = lexicon.matching.folding;
    let free = |at: usize| !covered.iter().any(|c| c.contains(&at));
    let letters = text[range.clone()].char_indices().map(|(i, c)| (range.start + i, c)).filter(|(_, c)| c.is_alphanumeric());
    if lexicon.matching.substring {
        let all = letters.clone().count();
        return letters.filter(|(i, _)| free(*i)).count() * 5 <= all * 2;
    }
    let part = |c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’'));
    let mut at = range.start;
    text[range.clone()].split(part).all(|word| {
        let start = at;
        // what parts words is one character, however many bytes it has
        at += word.len() + text[start + word.len()..].chars().next().map_or(0, char::len_utf8);
        word.is_empty() || !free(start) || lexicon.is_stop(&fold_str(word, folding))
    })
}
