//! What a cause was for the incident: the fault itself, what set it off at a moment, or what made it worse, longer or unseen.

use super::causes::{self, CauseKind};
use super::units::{Reading, Unit};
use crate::lang::{ConceptSet, Cue, Role};

/// What prolongs an incident or hides it, and what lets a fault through: words about seeing, checking, handing on and undoing.
static AROUND: ConceptSet = ConceptSet::new(&[
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
]);

/// Something that was not there.
static MISSING: ConceptSet = ConceptSet::new(&["missing"]);

/// What happens at a moment, rather than having been so for long.
static EVENTS: ConceptSet = ConceptSet::new(&[
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
]);

/// Points for being told as a moment that the trigger of a document needs.
const MOMENT: f32 = 1.6;
/// Points for the first cause that is told, and what is taken from the last.
const FIRST: f32 = 0.75;
const LATER: f32 = 0.75;

/// Some of these concepts stand in the unit.
pub(super) fn speaks_of(unit: &Unit, concepts: &ConceptSet) -> bool {
    unit.hits().iter().any(|h| concepts.tagged(h.tag))
}

/// True for an answer behind its question (`Why? …`, `3. Why was the disk full? …`): a chain of whys has one in each link.
fn answers(text: &str) -> bool {
    let end = text.char_indices().take(160).find(|(_, c)| matches!(c, '?' | '？' | '؟'));
    end.is_some_and(|(end, _)| {
        text[..end].chars().any(char::is_alphabetic) && text[end..].chars().filter(|c| c.is_alphanumeric()).count() >= 4
    })
}

/// How much a cause is told as something that happened at a moment.
fn momentary(reading: &Reading, n: usize) -> f32 {
    let unit = &reading.units[n];
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
    s -= if speaks_of(unit, &MISSING) { 0.6 } else { 0.0 };
    // what set it off is told early and briefly; the fault itself is explained, and most of all looks like a cause
    s += 0.8 * (0.5 - unit.position);
    s -= 0.2 * (causes::sums(reading)[n] - 2.5).clamp(0.0, 5.0);
    s - 0.3 * causes::letters(text).min(300.0) / 150.0
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

/// What each of the chosen causes of a document (units, in its order) was for the incident.
///
/// One thing sets an incident off. Unless a heading or a label says so of several, at most one cause is the trigger: the one that is most told as
/// a moment, and rather one that is told before the others, as stories begin with what set them off.
pub(super) fn kinds(reading: &Reading, chosen: &[usize]) -> Vec<CauseKind> {
    let named = |n: usize| matches!(reading.units[n].role, Some(Role::Trigger | Role::Contributing));
    let moment = |(i, n): (usize, &usize)| {
        let (first, later) = (if i == 0 { FIRST } else { 0.0 }, i as f32 / chosen.len() as f32);
        (*n, momentary(reading, *n) + first - LATER * later)
    };
    let best = chosen.iter().enumerate().filter(|(_, n)| !named(**n)).map(moment).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let trigger = best.filter(|(_, points)| *points >= MOMENT).map(|(n, _)| n);
    // the one thing that stands where the root cause is to stand is the root cause, whatever its words
    let under: Vec<usize> = chosen.iter().copied().filter(|n| reading.units[*n].role == Some(Role::RootCause)).collect();
    chosen.iter().map(|n| kind(reading, *n, trigger == Some(*n), under.as_slice() == [*n])).collect()
}

/// What the cause that a unit tells was for the incident; `moment`: of all it is the one told as the moment that set it off; `sole`: it alone stands in a
/// section about the root cause.
fn kind(reading: &Reading, n: usize, moment: bool, sole: bool) -> CauseKind {
    let unit = &reading.units[n];
    match unit.role {
        Some(Role::Trigger) => return CauseKind::Trigger,
        Some(Role::Contributing) => return CauseKind::Contributing,
        _ => {}
    }
    // of a chain of whys the last that is answered is the root
    let link = |u: &Unit| u.section == unit.section && answers(u.text(reading.document));
    if link(unit) && reading.units.get(n + 1).is_some_and(link) {
        return CauseKind::Contributing;
    }
    if sole {
        return CauseKind::Root;
    }
    if moment {
        return CauseKind::Trigger;
    }
    let aside = matches!(unit.role, Some(Role::LessonsWrong | Role::Lessons | Role::Detection)) && unit.has(Cue::Fault) < 0.5;
    let worse = unit.has(Cue::Contributing) >= 0.5 && unit.has(Cue::Fault) < 0.5 && speaks_of(unit, &AROUND);
    if aside || worse { CauseKind::Contributing } else { CauseKind::Root }
}
