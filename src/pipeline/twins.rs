//! A report whose sections are told again in another language: what is told twice is read once.

use crate::document::{Certainty, Document, Kind};
use crate::lang::Languages;
use crate::text::Span;

/// Letters a section needs for its language to be told.
const LETTERS: usize = 60;

/// What a section consists of, whatever its language.
#[derive(PartialEq, Eq)]
struct Shape {
    /// Levels of the headings below its own.
    headings: Vec<u8>,
    /// How many list items and rows it has.
    items: usize,
    /// Its clocks and days, as figures.
    figures: Vec<String>,
}

/// The bytes of sections that tell in another language what a section in the language `own` tells; none where a document has no such.
pub(super) fn told_again(document: &Document, languages: &Languages, own: &str) -> Vec<Span> {
    (1..=4u8).map(|level| at_level(document, languages, own, level)).find(|found| !found.is_empty()).unwrap_or_default()
}

fn at_level(document: &Document, languages: &Languages, own: &str, level: u8) -> Vec<Span> {
    let blocks = &document.blocks;
    let heading = |n: usize| match blocks[n].kind {
        Kind::Heading { level, certainty: Certainty::Certain } => Some(level),
        _ => None,
    };
    let heads: Vec<usize> = (0..blocks.len()).filter(|&n| heading(n) == Some(level)).take(40).collect();
    if heads.len() < 2 {
        return Vec::new();
    }
    let sections: Vec<(usize, usize)> = heads
        .iter()
        .map(|&from| (from, (from + 1..blocks.len()).find(|&n| heading(n).is_some_and(|l| l <= level)).unwrap_or(blocks.len())))
        .collect();
    let shape = |&(from, to): &(usize, usize)| {
        let inner = &blocks[from + 1..to];
        let mut figures: Vec<String> = inner.iter().flat_map(|b| clocks(b.text.as_str())).collect();
        figures.sort_unstable();
        Shape {
            headings: (from + 1..to).filter_map(heading).collect(),
            items: inner.iter().filter(|b| matches!(b.kind, Kind::Item { .. } | Kind::Row { .. })).count(),
            figures,
        }
    };
    let shapes: Vec<Shape> = sections.iter().map(shape).collect();
    // only what has the same bones is worth asking for its language
    let told = |s: &Shape| s.headings.len() >= 2 && s.items >= 2 || s.figures.len() >= 2 && s.items >= 2;
    let mut spans = Vec::new();
    let mut tags: Vec<Option<String>> = vec![None; sections.len()];
    for a in 0..sections.len() {
        for b in a + 1..sections.len() {
            if shapes[a] != shapes[b] || !told(&shapes[a]) {
                continue;
            }
            for n in [a, b] {
                if tags[n].is_none() {
                    tags[n] = Some(language(document, languages, sections[n]).unwrap_or_default());
                }
            }
            let (Some(x), Some(y)) = (&tags[a], &tags[b]) else { continue };
            if x.is_empty() || y.is_empty() || x == y {
                continue;
            }
            // the one in the document's language stays, else the first
            let (from, to) = sections[if y == own { a } else { b }];
            spans.push(Span::new(blocks[from].span.start, blocks[to - 1].span.end));
        }
    }
    spans.sort_unstable_by_key(|s| (s.start, s.end));
    crate::text::join(spans)
}

/// The language of a section's text, where it is plain.
fn language(document: &Document, languages: &Languages, (from, to): (usize, usize)) -> Option<String> {
    let text: Vec<&str> = document.blocks[from..to].iter().filter(|b| b.kind != Kind::Code).map(|b| b.text.as_str()).collect();
    let text = text.join("\n");
    if text.chars().filter(|c| c.is_alphabetic()).take(LETTERS).count() < LETTERS {
        return None;
    }
    Some(languages.detect(&text)).filter(|l| l.confidence >= 0.8).map(|l| l.tag)
}

/// Clocks in figures.
fn clocks(text: &str) -> Vec<String> {
    let pieces = text.split(|c: char| !(c.is_ascii_digit() || c == ':'));
    pieces.filter(|p| p.split_once(':').is_some_and(|(h, m)| (1..=2).contains(&h.len()) && m.len() >= 2)).map(str::to_owned).collect()
}
