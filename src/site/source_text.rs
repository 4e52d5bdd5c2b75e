//! The source text beside the facts: an anchor for every passage and sentence, the extracted sentences marked, and links back to the facts.

use super::words::{LangLabel, Words};
use crate::book::view::Bytes;
use crate::book::{Case, Passage, PassageKind};
use crate::lang::Languages;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A piece of text, marked or not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Marked as evidence.
    pub marked: bool,
}

/// A link from a sentence to a fact that stands on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Back {
    /// `#c-7d20`.
    pub href: String,
    /// `cause 3`, `07:00`.
    pub label: String,
}

/// A sentence, or what stands between two.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sentence {
    /// Its anchor.
    pub id: Option<String>,
    /// Lines that begin in it and are cited.
    pub lines: Vec<String>,
    /// True where a table cell begins that the text does not part from the one before.
    pub cell: bool,
    /// Its text.
    pub pieces: Vec<Piece>,
    /// The facts that stand on it.
    pub backs: Vec<Back>,
}

/// A passage as shown.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Its anchor, where no passage before it has the same line.
    pub id: Option<String>,
    /// Line of the file, from 1.
    pub number: usize,
    /// `heading`, `paragraph`, `item`, `row`, `code`, `note`, `rule`.
    pub kind: &'static str,
    /// Level or depth, at most 6.
    pub level: u8,
    /// Its language, where it differs from the document's.
    pub lang: Option<LangLabel>,
    /// Its sentences.
    pub sentences: Vec<Sentence>,
}

/// A fact that stands on bytes: where it leads back to, and what that link says.
pub struct Mark<'m> {
    /// The bytes.
    pub spans: &'m [Bytes],
    /// Line of the fact, from 1.
    pub line: usize,
    /// The link back.
    pub back: Option<Back>,
}

/// A sentence's place in its passage, and its anchor.
type Anchored = (Range<usize>, Option<String>);

/// Which anchors a document's text has.
#[derive(Clone, Debug, Default)]
pub struct Anchors {
    /// Per passage: its anchor, and the sentences (range and anchor).
    passages: Vec<(Option<String>, Vec<Anchored>)>,
}

impl Anchors {
    /// Gives out the anchors: `L23` for the passage that begins on line 23, `L23-2` for its second sentence.
    pub fn new(body: &[Passage]) -> Anchors {
        let mut next: BTreeMap<usize, usize> = BTreeMap::new();
        let mut passages = Vec::with_capacity(body.len());
        for p in body {
            let whole = std::iter::once(0..p.text.len());
            let ranges: Vec<Range<usize>> = match p.sentences.len() {
                0 | 1 => whole.collect(),
                _ => p.sentences.iter().map(|(a, b)| floor(&p.text, *a)..floor(&p.text, (*b).max(*a))).collect(),
            };
            let first = !next.contains_key(&p.line);
            let count = next.entry(p.line).or_insert(0);
            let alone = first && ranges.len() == 1;
            let id = first.then(|| format!("L{}", p.line));
            let mut sentences = Vec::new();
            for r in ranges {
                *count += 1;
                sentences.push((r, (!alone).then(|| format!("L{}-{count}", p.line))));
            }
            passages.push((id, sentences));
        }
        Anchors { passages }
    }

    /// The anchor of the sentence that bytes stand in, and the line it begins on.
    pub fn find(&self, body: &[Passage], spans: &[Bytes]) -> Option<(String, usize)> {
        let span = spans.first()?;
        let (k, range) = body.iter().enumerate().find_map(|(k, p)| p.locate(*span).map(|r| (k, r)))?;
        let (id, sentences) = self.passages.get(k)?;
        let hit = sentences.iter().find(|(r, _)| range.start < r.end).or(sentences.last());
        let anchor = hit.and_then(|(_, a)| a.clone()).or_else(|| id.clone())?;
        Some((anchor, body[k].line))
    }

    /// The anchor of the passage a line belongs to.
    pub fn line(&self, body: &[Passage], line: usize) -> Option<String> {
        let at = body.iter().zip(&self.passages).filter(|(p, _)| p.line <= line && line > 0);
        at.rev().find_map(|(_, (id, _))| id.clone())
    }
}

/// The nearest character boundary at or before a place.
pub fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Where a passage's words stand: without what parts it from other cells of its row.
pub fn within(text: &str) -> Range<usize> {
    let parts = |c: char| c == '|' || c.is_whitespace();
    let from = text.len() - text.trim_start_matches(parts).len();
    from..text.trim_end_matches(parts).len().max(from)
}

/// Cuts a text into marked and unmarked pieces.
pub fn pieces(text: &str, within: Range<usize>, marks: &[Range<usize>]) -> Vec<Piece> {
    let mut cuts: BTreeSet<usize> = BTreeSet::from([within.start, within.end]);
    cuts.extend(marks.iter().flat_map(|m| [floor(text, m.start), floor(text, m.end)]).filter(|c| within.contains(c)));
    let cuts: Vec<usize> = cuts.into_iter().collect();
    let mut out: Vec<Piece> = Vec::new();
    for w in cuts.windows(2) {
        let marked = marks.iter().any(|m| floor(text, m.start) <= w[0] && w[1] <= floor(text, m.end));
        let text = text.get(w[0]..w[1]).unwrap_or("");
        match out.last_mut() {
            Some(last) if last.marked == marked => last.text.push_str(text),
            _ => out.push(Piece { text: text.to_string(), marked }),
        }
    }
    out
}

fn kind(k: PassageKind) -> &'static str {
    match k {
        PassageKind::Heading => "heading",
        PassageKind::Paragraph => "paragraph",
        PassageKind::Item => "item",
        PassageKind::Row => "row",
        PassageKind::Code => "code",
        PassageKind::Note => "note",
        PassageKind::Rule => "rule",
    }
}

/// Where the cells of a row begin in its text.
fn cells(p: &Passage) -> Vec<usize> {
    let mut at = 0;
    let mut out = Vec::new();
    for c in p.cells.iter().filter(|c| !c.trim().is_empty()) {
        let Some(i) = p.text.get(at..).and_then(|t| t.find(c.trim())) else { return Vec::new() };
        out.push(at + i);
        at += i + c.trim().len();
    }
    out
}

/// The text of a document with its marks.
pub fn lines(case: &Case, anchors: &Anchors, marks: &[Mark<'_>], languages: &Languages) -> Vec<Line> {
    let mut taken: BTreeSet<String> = anchors.passages.iter().filter_map(|p| p.0.clone()).collect();
    let mut out = Vec::new();
    for (k, p) in case.body.iter().enumerate() {
        let Some((id, sentences)) = anchors.passages.get(k) else { continue };
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut ends: Vec<(usize, &Back)> = Vec::new();
        let mut starts: Vec<(usize, String)> = Vec::new();
        for m in marks {
            let here: Vec<Range<usize>> = m.spans.iter().filter_map(|s| p.locate(*s)).collect();
            let (Some(from), Some(to)) = (here.iter().map(|r| r.start).min(), here.iter().map(|r| r.end).max()) else { continue };
            ranges.extend(here);
            if let Some(b) = &m.back {
                ends.push((to, b));
            }
            if m.line > p.line {
                starts.push((from, format!("L{}", m.line)));
            }
        }
        let starts = starts.into_iter().filter(|(_, id)| taken.insert(id.clone())).collect::<Vec<_>>();
        let mut cuts: BTreeSet<usize> = BTreeSet::from([0, p.text.len()]);
        cuts.extend(sentences.iter().flat_map(|(r, _)| [r.start, r.end]));
        let cell_starts = cells(p);
        cuts.extend(cell_starts.iter().copied());
        let cuts: Vec<usize> = cuts.into_iter().collect();
        let mut parts: Vec<Sentence> = Vec::new();
        for w in cuts.windows(2) {
            let own = sentences.iter().find(|(r, _)| r.start == w[0] && r.end > w[0]).and_then(|(_, a)| a.clone());
            let within = |at: usize| at >= w[0] && at < w[1];
            let backs = ends.iter().filter(|(at, _)| within(at.saturating_sub(1))).map(|(_, b)| (*b).clone()).collect::<Vec<_>>();
            let lines = starts.iter().filter(|(at, _)| within(*at)).map(|(_, id)| id.clone()).collect();
            // where the text itself parts its cells, the page draws no second rule
            let cell = cell_starts.contains(&w[0]) && !p.text[..w[0]].trim_end().ends_with('|');
            parts.push(Sentence { id: own, lines, cell, pieces: pieces(&p.text, w[0]..w[1], &ranges), backs });
        }
        if parts.is_empty() {
            // an empty passage, a rule: still a place to link to
            let own = sentences.first().and_then(|(_, a)| a.clone());
            parts.push(Sentence { id: own, ..Sentence::default() });
        }
        let lang = p.lang.as_ref().filter(|l| **l != case.incident.language.tag).map(|l| LangLabel::of(l, languages));
        out.push(Line { id: id.clone(), number: p.line, kind: kind(p.kind), level: p.level.min(6), lang, sentences: parts });
    }
    out
}

/// What the link back to a fact says: its clock, its kind and number, or its status.
pub fn marks<'c>(case: &'c Case, words: &Words) -> Vec<Mark<'c>> {
    let i = &case.incident;
    let mut out = Vec::new();
    let mut add = |spans: &'c [Bytes], line: usize, anchor: String, label: String| {
        out.push(Mark { spans, line, back: Some(Back { href: format!("#{anchor}"), label }) });
    };
    for e in &i.timeline {
        let clock = super::stamp::Stamp::read(&e.at).clock;
        let phase = e.phase.as_ref().map(|p| words.get(&format!("phase_{p}")).to_string());
        let label = if clock.is_empty() { phase.unwrap_or_else(|| words.get("timeline").to_string()) } else { clock };
        add(&e.spans, e.line, e.anchor.clone(), label);
    }
    for (n, c) in i.causes.iter().enumerate() {
        add(&c.spans, c.line, c.anchor.clone(), format!("{} {}", words.get("cause"), n + 1));
    }
    for a in &i.remediation {
        add(&a.spans, a.line, a.anchor.clone(), words.find(&a.status).unwrap_or(&a.status).to_string());
    }
    for p in &i.patterns {
        for proof in &p.evidence {
            add(&proof.spans, proof.line, format!("p-{}", p.id), words.get("pattern_word").to_string());
        }
    }
    for (name, list) in [("impact", &i.impact), ("detection", &i.detection), ("lessons", &i.lessons)] {
        for (n, t) in list.iter().enumerate() {
            add(&t.spans, t.line, format!("{name}-{}", n + 1), words.get(name).to_string());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Maker, Sample};
    use super::*;

    #[test]
    fn sentences_have_anchors_and_marks_and_ways_back() {
        let s = Sample::new(&["en"]);
        let case = s.book.get("2024-03-02-ledger-retries").unwrap();
        let anchors = Anchors::new(&case.body);
        let words = Words::new("en", s.languages);
        let lines = lines(case, &anchors, &marks(case, &words), s.languages);
        let cause = lines.iter().find(|l| l.sentences.iter().any(|s| s.pieces.iter().any(|p| p.text.contains("Three layers")))).unwrap();
        assert_eq!(cause.sentences[0].id.as_deref(), Some(format!("L{}-1", cause.number).as_str()));
        assert!(cause.sentences[0].pieces[0].marked);
        let labels: Vec<_> = cause.sentences[0].backs.iter().map(|b| b.label.as_str()).collect();
        assert_eq!(labels, ["cause 1", "pattern"]);
        let row = lines.iter().find(|l| l.kind == "row").unwrap();
        assert_eq!(row.sentences.iter().filter(|s| s.cell).count(), 2);
        let text: String = lines.iter().flat_map(|l| &l.sentences).flat_map(|s| &s.pieces).map(|p| p.text.as_str()).collect();
        let whole: String = case.body.iter().map(|p| p.text.as_str()).collect();
        assert_eq!(text, whole);
    }

    #[test]
    fn two_passages_of_one_line_share_no_anchor() {
        let mut case = Maker::new("x", "en", "T").para("One. Two.").para("Three.").done();
        case.body[2].line = case.body[1].line;
        let a = Anchors::new(&case.body);
        let all: Vec<String> =
            a.passages.iter().flat_map(|(id, s)| id.iter().cloned().chain(s.iter().filter_map(|x| x.1.clone()))).collect();
        assert_eq!(all, ["L1", "L3", "L3-1", "L3-2", "L3-3"]);
        assert_eq!(a.line(&case.body, 9).as_deref(), Some("L3"));
        assert_eq!(a.line(&case.body, 0), None);
    }

    #[test]
    fn pieces_fall_on_character_boundaries() {
        let p = pieces("aöb", 0..4, std::slice::from_ref(&(0..2)));
        assert_eq!(p, [Piece { text: "a".into(), marked: true }, Piece { text: "öb".into(), marked: false }]);
    }
}
