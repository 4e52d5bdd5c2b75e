//! Whether an action is done, planned or declined: by box, by cell, by label, by heading, by role, by the verb.

use super::units::{Reading, Shape, Unit};
use crate::document::{Kind, Mark};
use crate::lang::{Column, Cue, Role, Tag};

pub use crate::lang::Status;

/// Boxes and signs that people type instead of words.
const DONE_SIGNS: [&str; 7] = ["[x]", "[X]", "☑", "☒", "✅", "✔", "✓"];
const OPEN_SIGNS: [&str; 7] = ["[ ]", "☐", "⬜", "🔲", "⏳", "🚧", "🟡"];
const DECLINED_SIGNS: [&str; 4] = ["[-]", "[~]", "🚫", "⛔"];

/// The state of a check box in front of the unit, or typed at its head.
pub fn check(reading: &Reading, unit: &Unit) -> Option<Status> {
    if let Kind::Item { check: Some(done), .. } = reading.block(unit).kind {
        return Some(if done { Status::Done } else { Status::Planned });
    }
    let text = unit.text(reading.document).trim_start();
    sign(text)
}

fn sign(text: &str) -> Option<Status> {
    if text.bytes().next().is_none_or(|b| b.is_ascii() && b != b'[') {
        return None;
    }
    if DONE_SIGNS.iter().any(|s| text.starts_with(s)) {
        Some(Status::Done)
    } else if OPEN_SIGNS.iter().any(|s| text.starts_with(s)) {
        Some(Status::Planned)
    } else if DECLINED_SIGNS.iter().any(|s| text.starts_with(s)) {
        Some(Status::Declined)
    } else {
        None
    }
}

/// The status of a unit that was taken for a remediation item.
pub fn of(reading: &Reading, unit: &Unit) -> Status {
    // what its author struck out will not be done
    if unit.struck {
        return Status::Declined;
    }
    let written = cell(reading, unit).or_else(|| marked(reading, unit));
    if written == Some(Status::Declined) {
        return Status::Declined;
    }
    if let Some(s) = check(reading, unit).or(written) {
        return s;
    }
    if refused(reading, unit) {
        return Status::Declined;
    }
    if let Some(s) = lead(reading, unit).or_else(|| heading(reading, unit)) {
        return s;
    }
    let tense = tense(reading, unit);
    let list = matches!(unit.shape, Shape::Item | Shape::Row);
    match unit.role {
        Some(Role::Remediation | Role::Prevention) => match tense {
            Some((Status::Done, strength)) if strength >= if list { 1.0 } else { 0.5 } => Status::Done,
            _ => Status::Planned,
        },
        Some(Role::Resolution | Role::Timeline) => match tense {
            Some((Status::Planned, strength)) if strength >= 1.0 => Status::Planned,
            _ => Status::Done,
        },
        _ => tense.map_or(Status::Done, |t| t.0),
    }
}

/// A status column, or a cell that holds a sign or nothing but a status word.
fn cell(reading: &Reading, unit: &Unit) -> Option<Status> {
    let (columns, cells) = reading.row(unit.block)?;
    let by_head = columns.columns.iter().position(|c| *c == Some(Column::Status)).and_then(|at| cells.get(at));
    let says = |text: &str| {
        sign(text.trim()).or((text.trim() == "100%").then_some(Status::Done)).or_else(|| reading.lexicon.status(text).map(|f| f.value))
    };
    by_head.and_then(|c| says(c.as_str())).or_else(|| {
        cells.iter().find_map(|c| {
            let text = c.as_str().trim();
            sign(text).or_else(|| reading.lexicon.exact_status(text))
        })
    })
}

/// True for an action of which a sentence says that it was decided against (`A move was discussed and rejected`, `We will not rewrite it`): by a phrase
/// that says so, or by one word as what is told last. An item that opens with what is to be done speaks of other things that are refused.
fn refused(reading: &Reading, unit: &Unit) -> bool {
    if !matches!(unit.role, Some(Role::Remediation | Role::Prevention)) || unit.shape == Shape::Row {
        return false;
    }
    let text = reading.block(unit).text.as_str();
    let cued = |cue: Cue, upto: usize| unit.hits().iter().any(|h| h.own && h.tag == Tag::Cue(cue) && h.range.end <= upto + 1);
    unit.hits().iter().filter(|h| h.own && h.tag == Tag::Status(Status::Declined)).any(|h| {
        let word = &text[h.range.clone()];
        let at = h.range.start;
        if subordinate(unit, text, at)
            || super::parts::opens_with(reading, unit, Cue::Repair) && at > super::parts::opening(reading, unit) + 3
        {
            return false;
        }
        let wide = word.chars().any(|c| c as u32 >= 0x2E80);
        if word.split_whitespace().count() > 1 || wide && word.chars().count() >= 3 {
            return true;
        }
        let rest = &text[h.range.end..unit.range.end];
        let clause = rest.find(['.', ';', ',', ':', '(', '—', '–']).map_or(rest, |n| &rest[..n]);
        let last = clause.chars().filter(|c| c.is_alphanumeric()).count() <= 4;
        let planned = cued(Cue::Planned, at) || cued(Cue::Future, at);
        !wide && last && !planned && text[unit.range.start..at].split_whitespace().count() >= 2
    })
}

/// The status that the line above a list is labelled with (`Done: released a version that …`), for the list's items.
fn lead(reading: &Reading, unit: &Unit) -> Option<Status> {
    if unit.shape != Shape::Item {
        return None;
    }
    let blocks = &reading.document.blocks[..unit.block];
    let above = blocks.iter().rposition(|b| !matches!(b.kind, Kind::Item { .. }))?;
    let text = blocks[above].text.as_str();
    let same = reading.places[above].section == reading.places[unit.block].section;
    let (label, _) = text.split_once([':', '：']).filter(|_| same && text.trim_end().ends_with([':', '：']))?;
    reading.lexicon.exact_status(label)
}

/// Exactly one status word that is set apart: bold, in brackets, as a leading label.
pub(super) fn marked(reading: &Reading, unit: &Unit) -> Option<Status> {
    let block = reading.block(unit);
    let text = block.text.as_str();
    let mut found: Vec<Status> = Vec::new();
    let mut look = |piece: &str| {
        found.extend(reading.lexicon.exact_status(piece));
    };
    for (range, mark) in &block.marks {
        if matches!(mark, Mark::Strong | Mark::Emphasis | Mark::Code) && range.start >= unit.range.start && range.end <= unit.range.end {
            look(&text[range.clone()]);
        }
    }
    let own = &text[unit.range.clone()];
    let ascii = own.is_ascii();
    for (open, close) in [('(', ')'), ('[', ']'), ('（', '）'), ('【', '】')] {
        if ascii && !open.is_ascii() {
            continue;
        }
        for part in own.split(open).skip(1) {
            if let Some((inside, rest)) = part.split_once(close) {
                look(inside);
                // `（済、小林、6/1）` at the end
                if !rest.chars().any(char::is_alphanumeric) && inside.contains(['、', '，', ',']) {
                    inside.split(['、', '，', ',']).for_each(&mut look);
                }
            }
        }
    }
    if let Some((label, _)) = own.split_once([':', '：']) {
        look(label);
    }
    if let Some((_, tail)) = own.rsplit_once([':', '：', '—', '–', '|']) {
        look(tail);
    }
    // `… - DONE (6 June)`, `… Completed 03/05/2024`
    let sign = [" - ", " – ", " — ", ". ", "。"]
        .iter()
        .filter(|s| s.is_ascii() || !ascii)
        .filter_map(|s| own.trim_end_matches(['.', '。', ' ']).rfind(s).map(|at| at + s.len()))
        .max();
    if let Some(at) = sign {
        let end = own[at..].find(|c: char| c.is_ascii_digit() || matches!(c, '(' | '（' | ',')).map_or(own.len(), |n| at + n);
        look(own[at..end].trim_end_matches(['.', '。', ' ']));
    }
    found.sort_unstable();
    found.dedup();
    if found.len() == 1 { found.pop() } else { None }
}

/// A status word in the heading of the section (or the label above a list).
fn heading(reading: &Reading, unit: &Unit) -> Option<Status> {
    let heading = reading.places[unit.block].heading?;
    let text = reading.document.blocks[heading].text.as_str();
    let found = reading.lexicon.status(text)?;
    let mut words = [0u8; 3];
    for h in &reading.hits[heading] {
        match h.tag {
            Tag::Status(s) => words[s as usize] += 1,
            Tag::Cue(Cue::Future | Cue::Planned) => words[Status::Planned as usize] += 1,
            _ => {}
        }
    }
    // a heading that speaks of both decides nothing
    (words.iter().filter(|w| **w > 0).count() <= 1).then_some(found.value)
}

/// What the verbs say, and how strongly: the first cue decides, in verb-final languages the last.
fn tense(reading: &Reading, unit: &Unit) -> Option<(Status, f32)> {
    let last = reading.lexicon.file.verb_final;
    // where verbs stand last, what a program does since it was changed is told like a future
    if last && unit.has(Cue::Now) >= 1.0 && unit.has(Cue::Planned) < 0.5 && unit.role != Some(Role::Remediation) {
        return Some((Status::Done, 0.8));
    }
    let text = reading.block(unit).text.as_str();
    let from = super::parts::opening(reading, unit);
    // a short word for those who did it may stand first: `Мы увеличили …`
    let first = text[from..].chars().take_while(|c| c.is_alphabetic()).count();
    let second = if (1..=4).contains(&first) { from + text[from..].find(char::is_whitespace).map_or(0, |n| n + 1) } else { from };
    let (mut best, mut at): (Option<Status>, usize) = (None, 0);
    let mut strength = 0.0f32;
    for h in unit.hits() {
        let Tag::Cue(cue) = h.tag else { continue };
        let (status, weight) = match cue {
            Cue::Done => (Status::Done, 0.8),
            Cue::Past => (Status::Done, 0.5),
            Cue::Planned => (Status::Planned, 0.7),
            Cue::Future => (Status::Planned, 1.0),
            _ => continue,
        };
        let weight = if h.own { weight } else { weight * 0.5 };
        // the first word of an item decides, unless the same form is also an imperative (`set`, `cut`)
        let imperative = |x: &crate::lang::Hit| x.tag == Tag::Cue(Cue::Repair) && x.range.start == h.range.start;
        let opens = h.range.start <= from + 1 || h.own && h.range.start <= second;
        let leads = matches!(cue, Cue::Done | Cue::Past) && opens && !unit.hits().iter().any(imperative);
        // where verbs stand last, the past that ends an item is its tense
        let ends = last && matches!(cue, Cue::Done | Cue::Past) && h.own && tail(&text[h.range.end..unit.range.end]);
        let weight = match (leads, cue) {
            (true, Cue::Past) => weight + 0.5,
            (true, _) => weight + 0.3,
            _ if ends => weight + 0.3,
            _ => weight,
        };
        if !last && subordinate(unit, text, h.range.start) {
            continue;
        }
        let here = h.range.end;
        let first = best.is_none();
        let wins = if last { first || here > at } else { first || (here <= at + 1 && weight > strength) };
        if wins {
            (best, at) = (Some(status), here);
            strength = weight;
        } else if best == Some(status) {
            strength += weight;
        }
    }
    if best.is_none() && looks_infinitive(reading, unit) {
        return Some((Status::Planned, 0.6));
    }
    best.map(|b| (b, strength))
}

/// True where nothing follows but marks and a part in brackets.
fn tail(rest: &str) -> bool {
    let rest = rest.trim_start();
    let bracketed = rest.starts_with(['(', '（', '[', '【']) && rest.trim_end_matches(['.', '。', ' ']).ends_with([')', '）', ']', '】']);
    bracketed || !rest.chars().any(char::is_alphanumeric)
}

/// True for what stands in a clause of purpose or of supposition (`so that pods are not removed`, `in case it happens again`): its verbs do not tell whether
/// the action was done.
fn subordinate(unit: &Unit, text: &str, at: usize) -> bool {
    let opens = |h: &&crate::lang::Hit| matches!(h.tag, Tag::Cue(Cue::Prevent | Cue::Hypothesis)) && h.range.start <= at;
    let Some(from) = unit.hits().iter().filter(opens).map(|h| h.range.start).max() else { return false };
    !text[from..at].contains([',', ';', '.', ':', '，', '；', '。', '：', '、'])
}

/// True for a sentence that says in few words that all is over, and names nothing that was done (`This incident has been resolved.`).
pub fn is_state(reading: &Reading, unit: &Unit) -> bool {
    let over = |h: &&crate::lang::Hit| h.tag == Tag::Phase(crate::lang::Phase::Resolved);
    if unit.shape != Shape::Sentence || !unit.hits().iter().any(|h| over(&h)) {
        return false;
    }
    let text = unit.text(reading.document);
    let wide = text.chars().any(|c| c as u32 >= 0x2E80);
    let brief = text.chars().filter(|c| c.is_alphanumeric()).count() <= if wide { 18 } else { 44 };
    let names = |h: &crate::lang::Hit| match h.tag {
        Tag::Concept(c) => !matches!(c.name(), "outage" | "restore" | "success" | "fail" | "error" | "degraded" | "everyone"),
        Tag::Cue(Cue::FixedBy | Cue::Planned | Cue::Future) => true,
        // what was done is what was over
        Tag::Cue(Cue::Done | Cue::Repair) => {
            !unit.hits().iter().filter(over).any(|o| o.range.start <= h.range.end + 2 && h.range.start <= o.range.end)
        }
        _ => false,
    };
    brief && !unit.hits().iter().any(names)
}

/// A tenseless item: its first (or last) word has an ending the lexicon names.
fn looks_infinitive(reading: &Reading, unit: &Unit) -> bool {
    let shape = &reading.lexicon.file.infinitive;
    let text = unit.text(reading.document).to_lowercase();
    let letters = |w: &&str| w.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(letters);
    let word = if shape.at == "last" { words.next_back() } else { words.next() };
    word.is_some_and(|w| shape.endings.iter().any(|e| w.ends_with(e.as_str()) && w.len() > e.len()))
}
