//! Title, summary, impact, detection and lessons: passages that are taken as they stand.

use super::Fact;
use super::units::{Reading, Shape};
use crate::document::{Certainty, Kind};
use crate::lang::{Cue, Role};
use crate::text::{Mapped, sentences};

/// The longest title, in characters.
const TITLE: usize = 160;

/// A passage: its text, and the unit it is, where it is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// What a reader sees.
    pub text: String,
    /// The unit's index, where it is a whole unit.
    pub unit: Option<usize>,
}

fn of_text(text: &Mapped, rule: &'static str) -> Option<Fact<Passage>> {
    let text = text.trim();
    let cut = text.as_str().char_indices().nth(TITLE).map_or(text.len(), |(i, _)| i);
    let end = if cut < text.len() { sentences(text.as_str()).first().map_or(cut, |r| r.end.min(cut)) } else { cut };
    let piece = text.as_str()[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    Fact::new(Passage { text: piece, unit: None }, text.spans(0..end), rule)
}

/// The title: a field of the front matter, the first heading, the page's title, else the first line.
pub fn title(reading: &Reading) -> Option<Fact<Passage>> {
    let d = reading.document;
    if let Some(f) = d.front_matter.field("title")
        && let Some(v) = f.values.first().filter(|v| !v.trim().is_empty())
    {
        return Fact::new(Passage { text: v.trim().to_string(), unit: None }, vec![f.span], "front-matter");
    }
    let heading = |b: &&crate::document::Block| matches!(b.kind, Kind::Heading { .. });
    if let Some(n) = reading.title {
        // a first heading that is nothing but a section's name (`Summary`) is no title
        let bare = reading.lexicon.role(d.blocks[n].text.as_str()).is_some_and(|f| f.fit == crate::lang::Fit::Exact);
        if !bare {
            return of_text(&d.blocks[n].text, "first-heading");
        }
    }
    if let Some(b) = d.blocks.iter().find(|b| matches!(b.kind, Kind::Heading { level: 1, certainty: Certainty::Certain })) {
        return of_text(&b.text, "first-heading");
    }
    if let Some(t) = &d.title {
        return of_text(t, "page-title");
    }
    let named = |b: &&crate::document::Block| heading(b) && reading.lexicon.role(b.text.as_str()).is_none();
    let first = d.blocks.iter().find(|b| !b.text.is_empty() && !matches!(b.kind, Kind::Rule | Kind::Code))?;
    let pick = if heading(&first) && !named(&first) {
        // the first line is a section's name: the first sentence of the text tells more
        d.blocks.iter().find(|b| matches!(b.kind, Kind::Paragraph | Kind::Item { .. })).unwrap_or(first)
    } else {
        first
    };
    let text = pick.text.as_str();
    let end = sentences(text).first().map_or(text.len(), |r| r.end);
    of_text(&pick.text.slice(0..end), "first-line")
}

/// The summary: the units of a summary section, else the first sentences of prose.
pub fn summary(reading: &Reading) -> Vec<Fact<Passage>> {
    let mut told = pick(reading, &[Role::Summary], "summary-section", 5);
    if !told.is_empty() {
        // particulars above the summary's text do not tell what happened
        if told.iter().any(|f| !is_particular(&f.value().text)) {
            told.retain(|f| !is_particular(&f.value().text));
        }
        return told;
    }
    let prose = reading.units.iter().enumerate().filter(|(_, u)| {
        u.shape == Shape::Sentence
            && matches!(u.role, None | Some(Role::Impact))
            && u.text(reading.document).chars().count() > 30
            && !is_particular(u.text(reading.document))
    });
    let first = prose.clone().map(|(_, u)| u.block).next();
    prose.filter(|(_, u)| Some(u.block) == first).take(2).filter_map(|(n, _)| fact(reading, n, "first-sentences")).collect()
}

/// True for a label with a value that is no sentence: `Teams: Fulfilment, Core DB`.
fn is_particular(text: &str) -> bool {
    let text = text.trim();
    let ends = text.trim_end_matches(['"', '”', '»', ')', '）', '*', '_', ' ']).ends_with(['.', '!', '?', '。', '！', '？', '…', '।']);
    text.split_once([':', '：']).is_some_and(|(label, _)| {
        !ends && label.chars().count() <= 40 && label.split_whitespace().count() <= 4 && !label.contains(['.', ',', '，', '。'])
    })
}

/// Who and what was hit.
pub fn impact(reading: &Reading) -> Vec<Fact<Passage>> {
    pick(reading, &[Role::Impact], "impact-section", 12)
}

/// How it was noticed.
pub fn detection(reading: &Reading) -> Vec<Fact<Passage>> {
    pick(reading, &[Role::Detection], "detection-section", 12)
}

/// What was learned.
pub fn lessons(reading: &Reading) -> Vec<Fact<Passage>> {
    pick(reading, &[Role::Lessons, Role::LessonsWell, Role::LessonsWrong, Role::LessonsLucky], "lessons-section", 20)
}

fn pick(reading: &Reading, roles: &[Role], rule: &'static str, limit: usize) -> Vec<Fact<Passage>> {
    let fits = |u: &super::Unit| {
        u.role.is_some_and(|r| roles.contains(&r))
            && !matches!(u.shape, Shape::Heading | Shape::Code)
            && !u.struck
            && u.has(Cue::RuledOut) < 1.0
            && !u.text(reading.document).ends_with([':', '：'])
    };
    reading.units.iter().enumerate().filter(|(_, u)| fits(u)).take(limit).filter_map(|(n, _)| fact(reading, n, rule)).collect()
}

fn fact(reading: &Reading, n: usize, rule: &'static str) -> Option<Fact<Passage>> {
    let unit = &reading.units[n];
    let range = unit.point(reading.document);
    let block = reading.block(unit);
    Fact::new(Passage { text: block.text.as_str()[range.clone()].to_string(), unit: Some(n) }, block.text.spans(range), rule)
}
