//! Causes: which units tell why it happened, and whether each is the fault itself, what set it off, or what made it worse.

use super::Fact;
use super::score::Score;
use super::units::{Reading, Shape, Unit};
use crate::lang::{Cue, Role, Tag};

/// What a cause was for the incident.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CauseKind {
    /// The fault itself.
    Root,
    /// What set it off.
    Trigger,
    /// What made it worse, longer or unseen.
    Contributing,
}

impl CauseKind {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            CauseKind::Root => "root",
            CauseKind::Trigger => "trigger",
            CauseKind::Contributing => "contributing",
        }
    }
}

/// One cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// What it was for the incident.
    pub kind: CauseKind,
    /// Said with reservation.
    pub hedged: bool,
    /// What the text says.
    pub text: String,
    /// The unit's index among the document's units.
    pub unit: usize,
}

/// Sections in which every unit is a cause unless something speaks against it.
const CAUSAL: [Role; 3] = [Role::RootCause, Role::Trigger, Role::Contributing];

/// Points a unit needs in a section about causes, elsewhere, and elsewhere where the document has such a section.
const NEEDED: [f32; 3] = [1.2, 1.1, 1.5];
/// How many causes are taken outside of cause sections where there are such sections.
const STRAY: usize = 6;

/// The score of a unit as a cause.
pub fn score(reading: &Reading, n: usize) -> Score {
    let unit = &reading.units[n];
    let text = unit.text(reading.document);
    let mut s = Score::default();
    let causal = unit.role.is_some_and(|r| CAUSAL.contains(&r));
    match unit.role {
        Some(Role::RootCause | Role::Trigger | Role::Contributing) => s.add("role", 3.0, 1.0),
        Some(Role::Summary) => s.add("role", 1.4, 1.0),
        Some(Role::LessonsWrong) => s.add("role", -0.6, 1.0),
        Some(Role::Detection | Role::Impact) => s.add("role", -0.8, 1.0),
        Some(Role::Timeline) => s.add("role", -0.2, 1.0),
        Some(Role::Background | Role::LessonsLucky) => s.add("role", -1.2, 1.0),
        Some(Role::Resolution | Role::Verification) => s.add("role", -1.4, 1.0),
        Some(Role::Lessons) => s.add("role", -2.0, 1.0),
        Some(Role::Remediation | Role::Prevention | Role::LessonsWell) => s.add("role", -4.0, 1.0),
        Some(Role::Appendix) => s.add("role", -6.0, 1.0),
        None => {}
    }
    let weight = if causal { 0.5 } else { 1.0 };
    s.add("cause to the right", 1.3 * weight, unit.has(Cue::CauseRight));
    s.add("cause to the left", 1.0 * weight, unit.has(Cue::CauseLeft));
    s.add("a fault", 0.7 * weight, unit.has(Cue::Fault));
    s.add("set off", 0.5 * weight, unit.has(Cue::Trigger));
    s.add("made worse", 0.4 * weight, unit.has(Cue::Contributing));
    s.add("a change", if causal { 0.15 } else { 0.5 }, unit.has(Cue::Change));
    s.add("a mechanism", 1.2 * weight, reading.mechanism.get(n).copied().unwrap_or(0.0));
    s.add("ruled out", -4.2, unit.has(Cue::RuledOut));
    s.add("hedged", if causal { -0.3 } else { -0.8 }, unit.has(Cue::Hedge));
    s.add("hypothesis", if causal { -0.6 } else { -0.9 }, unit.has(Cue::Hypothesis));
    s.add("in general", -0.8, unit.has(Cue::Generic));
    s.add("how it was fixed", -1.6, unit.has(Cue::FixedBy));
    s.add("prevention", -1.3, unit.has(Cue::Prevent));
    s.add("future", -1.5, unit.has(Cue::Future));
    s.add("planned", -0.6, unit.has(Cue::Planned));
    s.add("advice", -0.8, unit.has(Cue::Advice));
    s.add("what followed", -0.4, unit.has(Cue::Outcome));
    s.add("an apology or thanks", -1.5, unit.has(Cue::Courtesy));
    s.when("a question", -2.5, text.ends_with(['?', '？', '؟']));
    s.when("leads to a list", -1.6, text.ends_with([':', '：']));
    s.when("very short", -2.2, text.chars().filter(|c| c.is_alphanumeric()).take(14).count() < short(text));
    s.when("code", -2.4, unit.shape == Shape::Code);
    s.when("a heading", -6.0, unit.shape == Shape::Heading);
    s.when("a table row", -0.6, unit.shape == Shape::Row && !causal);
    s.when("quoted", -0.7, unit.quoted && !causal);
    s.when("struck through", -4.0, unit.struck);
    s.when("opens with a stamp", -0.9, opens_with_digits(text) && !causal);
    s.when("late in the document", -0.5, unit.position > 0.85 && !causal);
    s
}

/// How many letters a text of its script needs to say anything.
fn short(text: &str) -> usize {
    if text.chars().any(|c| c as u32 >= 0x2E80) { 7 } else { 14 }
}

fn opens_with_digits(text: &str) -> bool {
    text.trim_start_matches(['[', '(', '*', '~', ' ']).chars().take(3).filter(char::is_ascii_digit).count() >= 2
}

/// The causes of a document, in its order.
pub fn causes(reading: &Reading) -> Vec<Fact<Cause>> {
    reading.causes.get_or_init(|| choose(reading)).clone()
}

fn choose(reading: &Reading) -> Vec<Fact<Cause>> {
    let has_section = reading.units.iter().any(|u| u.role.is_some_and(|r| CAUSAL.contains(&r)) && u.shape != Shape::Heading);
    let mut taken: Vec<(usize, f32)> = Vec::new();
    let mut stray: Vec<(usize, f32)> = Vec::new();
    for (n, unit) in reading.units.iter().enumerate() {
        let sum = score(reading, n).sum();
        let causal = unit.role.is_some_and(|r| CAUSAL.contains(&r));
        if causal {
            if sum >= NEEDED[0] {
                taken.push((n, sum));
            }
        } else if sum >= NEEDED[if has_section { 2 } else { 1 }] {
            stray.push((n, sum));
        }
    }
    let limit = if taken.is_empty() { 12 } else { STRAY };
    stray.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    stray.truncate(limit);
    taken.extend(stray);
    taken.sort_by_key(|t| t.0);
    taken.into_iter().filter_map(|(n, _)| fact(reading, n)).collect()
}

fn fact(reading: &Reading, n: usize) -> Option<Fact<Cause>> {
    let unit = &reading.units[n];
    let hedged = unit.has(Cue::Hedge) > 0.4 || unit.has(Cue::Hypothesis) > 0.4;
    let block = reading.block(unit);
    let range = unit.point(reading.document);
    let text = block.text.as_str()[range.clone()].to_string();
    Fact::new(Cause { kind: kind(reading, n), hedged, text, unit: n }, block.text.spans(range), rule(unit))
}

fn rule(unit: &Unit) -> &'static str {
    match (unit.role, unit.labelled) {
        (Some(Role::RootCause | Role::Trigger | Role::Contributing), true) => "cause-label",
        (Some(Role::RootCause | Role::Trigger | Role::Contributing), false) => "cause-section",
        _ => "cause-cue",
    }
}

/// What prolongs an incident or hides it, and what lets a fault through: words about seeing, checking, handing on and undoing.
const AROUND: [&str; 24] = [
    "alert",
    "no-alert",
    "monitor",
    "detect",
    "review",
    "test",
    "documentation",
    "late",
    "manual",
    "users-told-us",
    "communication",
    "slow",
    "train-staff",
    "drill",
    "nobody",
    "dashboard",
    "rollback",
    "failover-failed",
    "backup-bad",
    "single-point",
    "redundancy",
    "in-turn",
    "cascade",
    "person",
];

/// What happens at a moment, rather than having been so for long.
const EVENTS: [&str; 12] = [
    "deploy",
    "upgrade",
    "load",
    "increase",
    "attack",
    "login",
    "by-mistake",
    "start",
    "delete",
    "maintenance",
    "maintenance-work",
    "spike",
];

fn speaks_of(unit: &Unit, names: &[&str]) -> bool {
    unit.hits.iter().any(|h| matches!(h.tag, Tag::Concept(c) if names.contains(&c.name())))
}

/// The question an answer repeats at its head (`Why? …`, `Warum 3? …`), without its digits: a chain of whys has one for each link.
fn question(text: &str) -> Option<String> {
    let end = text.char_indices().take(24).find(|(_, c)| matches!(c, '?' | '？' | '؟'))?.0;
    let head: String = text[..end].chars().filter(|c| c.is_alphabetic()).collect();
    (!head.is_empty() && text[end..].chars().filter(|c| c.is_alphanumeric()).count() >= 4).then_some(head)
}

/// How much a cause is told as something that happened at a moment.
fn momentary(reading: &Reading, unit: &Unit) -> f32 {
    let text = unit.text(reading.document);
    let mut s = 0.9 * unit.has(Cue::Trigger) + 0.9 * unit.has(Cue::Change);
    s -= 0.8 * unit.has(Cue::Negation) + 0.8 * unit.has(Cue::Contributing) + 0.4 * unit.has(Cue::Fault) + 0.4 * unit.has(Cue::CauseRight);
    s += match unit.role {
        Some(Role::Summary | Role::Timeline) | None => 0.5,
        Some(Role::RootCause) => -0.5,
        _ => 0.0,
    };
    s += if dated(text) || names_a_day(reading, text) { 0.8 } else { 0.0 };
    s += if speaks_of(unit, &EVENTS) { 0.6 } else { 0.0 };
    s - if speaks_of(unit, &["missing"]) { 0.6 } else { 0.0 }
}

/// A weekday or a month is named in it.
fn names_a_day(reading: &Reading, text: &str) -> bool {
    let calendar = reading.lexicon.calendar();
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| w.chars().count() > 2).collect();
    calendar.weekdays.iter().chain(&calendar.months).flatten().any(|name| words.contains(&name.as_str()))
}

/// A clock or a year stands in it.
fn dated(text: &str) -> bool {
    let clock = |w: &str| {
        w.split_once([':', '：', '時', '点', 'h']).is_some_and(|(a, b)| ends_in_digits(a) && b.starts_with(|c: char| c.is_ascii_digit()))
    };
    text.split_whitespace()
        .any(|w| clock(w) || w.split(|c: char| !c.is_ascii_digit()).any(|d| d.len() == 4 && matches!(&d[..2], "19" | "20")))
}

fn ends_in_digits(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit())
}

fn kind(reading: &Reading, n: usize) -> CauseKind {
    let unit = &reading.units[n];
    match unit.role {
        Some(Role::Trigger) => return CauseKind::Trigger,
        Some(Role::Contributing) => return CauseKind::Contributing,
        _ => {}
    }
    // of a chain of whys the last that is answered is the root
    let asked = question(unit.text(reading.document));
    if asked.is_some() && reading.units.get(n + 1).is_some_and(|next| question(next.text(reading.document)) == asked) {
        return CauseKind::Contributing;
    }
    if momentary(reading, unit) >= 1.6 {
        return CauseKind::Trigger;
    }
    let aside = matches!(unit.role, Some(Role::LessonsWrong | Role::Lessons | Role::Detection)) && unit.has(Cue::Fault) < 0.5;
    let worse = unit.has(Cue::Contributing) >= 0.5 && unit.has(Cue::Fault) < 0.5 && speaks_of(unit, &AROUND);
    if aside || worse { CauseKind::Contributing } else { CauseKind::Root }
}
