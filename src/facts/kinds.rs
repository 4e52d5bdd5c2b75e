//! What a cause was for the incident: the fault itself, what set it off at a moment, or what made it worse, longer or unseen.

use super::causes::{self, CauseKind};
use super::units::{Reading, Unit};
use crate::lang::{ConceptSet, Cue, Fit, Role, Status, Tag};

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

/// A link of a chain of whys: what is answered in a unit behind its question (`Why? …`, `3. Why was the disk full? …`), or behind an arrow
/// (`… → …`), or in the sentence after a question; `None` for anything else.
fn answer<'d>(reading: &Reading<'d>, n: usize) -> Option<&'d str> {
    let unit = &reading.units[n];
    let text = unit.text(reading.document);
    let asked = |t: &str| t.chars().any(char::is_alphabetic);
    if let Some((end, mark)) = text.char_indices().take(160).find(|(_, c)| matches!(c, '?' | '？' | '؟')) {
        let rest = text[end + mark.len_utf8()..].trim_start_matches(['-', '–', '>', '=', '→', '⇒', ':', '：', '|', '"', '”', '*', ' ']);
        return (asked(&text[..end]) && asked(rest)).then_some(rest);
    }
    let causal = matches!(unit.role, Some(Role::RootCause | Role::Trigger | Role::Contributing));
    if causal && let Some((question, rest)) = ["→", "⇒", "->", "=>"].iter().find_map(|arrow| text.split_once(arrow)) {
        return (asked(question) && !rest.contains(['→', '⇒'])).then(|| rest.trim());
    }
    let before = unit.previous.map(|p| reading.units[p].text(reading.document))?;
    (causal && before.trim_end().ends_with(['?', '？', '؟'])).then_some(text)
}

/// True for an answer that is none yet: in brackets, or a word for what is under way or not known.
fn is_unanswered(reading: &Reading, text: &str) -> bool {
    let bare = text.trim().trim_matches(|c: char| !c.is_alphanumeric());
    let bracketed = text.trim().starts_with(['(', '（', '[']) && text.trim().trim_end_matches(['.', '。']).ends_with([')', '）', ']']);
    let few = bare.split_whitespace().count() <= 2 && bare.chars().count() <= 24;
    let pending =
        || reading.lexicon.scan(bare).iter().any(|h| matches!(h.tag, Tag::Status(Status::Planned) | Tag::Cue(Cue::Planned | Cue::Future)));
    bracketed || reading.lexicon.is_void(bare) || reading.lexicon.status(bare).is_some_and(|f| f.fit == Fit::Exact) || few && pending()
}

/// True for a link of a chain of whys that is not answered.
pub(super) fn is_open(reading: &Reading, n: usize) -> bool {
    answer(reading, n).is_some_and(|a| a.len() <= 120 && is_unanswered(reading, a)) && chain(reading, n, 2)
}

/// True where a unit is one of at least `least` links in its section, the ones around it looked at.
fn chain(reading: &Reading, n: usize, least: usize) -> bool {
    let section = reading.units[n].section;
    let near = n.saturating_sub(6)..(n + 7).min(reading.units.len());
    answer(reading, n).is_some() && near.filter(|m| reading.units[*m].section == section && answer(reading, *m).is_some()).count() >= least
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
    let named = |n: usize| {
        let unit = &reading.units[n];
        matches!(unit.role, Some(Role::Trigger | Role::Contributing))
            || unit.role == Some(Role::RootCause) && unit.labelled
            || says_root(reading, n)
    };
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
        Some(Role::RootCause) if unit.labelled && unit.previous.is_none() => return labelled(reading, unit),
        _ => {}
    }
    // of a chain of whys the last that is answered is the root
    let link = |m: usize| reading.units[m].section == unit.section && answer(reading, m).is_some_and(|a| !is_unanswered(reading, a));
    if link(n) {
        if (n + 1..(n + 4).min(reading.units.len())).any(link) {
            return CauseKind::Contributing;
        }
        if (n.saturating_sub(3)..n).any(link) {
            return CauseKind::Root;
        }
    }
    if says_root(reading, n) {
        return CauseKind::Root;
    }
    if let Some(told) = relabelled(reading, unit) {
        return told;
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

/// What a unit behind a label for the root cause is: that, unless the label says that it is the nearest cause and another one names the root.
fn labelled(reading: &Reading, unit: &Unit) -> CauseKind {
    let direct = |u: &Unit| {
        let label = reading.places[u.block].label.as_ref().and_then(|r| reading.document.blocks[u.block].text.as_str().get(r.clone()));
        label.is_some_and(|l| reading.lexicon.is_direct(l))
    };
    let other = |u: &Unit| u.role == Some(Role::RootCause) && u.labelled && u.block != unit.block && !direct(u);
    if direct(unit) && reading.units.iter().any(other) { CauseKind::Trigger } else { CauseKind::Root }
}

/// What a later sentence behind a label says it is at its head (`What set it off was …`, `It was made worse by …`).
fn relabelled(reading: &Reading, unit: &Unit) -> Option<CauseKind> {
    unit.previous.filter(|_| unit.labelled && unit.role == Some(Role::RootCause))?;
    let head = unit.text(reading.document).char_indices().nth(32).map_or(unit.range.end, |(at, _)| unit.range.start + at);
    unit.hits().iter().filter(|h| h.own && h.range.start < head).find_map(|h| match h.tag {
        Tag::Cue(Cue::Trigger) => Some(CauseKind::Trigger),
        Tag::Cue(Cue::Contributing) => Some(CauseKind::Contributing),
        _ => None,
    })
}

/// True for a unit that calls what it tells the root cause: by a word for causes that has another in it (`root cause`, `Grundursache`), or by the
/// sentence after it that points back.
fn says_root(reading: &Reading, n: usize) -> bool {
    let unit = &reading.units[n];
    let block = reading.block(unit).text.as_str();
    let is_cause = |t: &str| reading.lexicon.role(t).is_some_and(|f| f.value == Role::RootCause && f.fit == Fit::Exact);
    let made = |word: &str| {
        // the plain word for a cause is a noun, not a question
        let noun = |t: &str| t.chars().count() >= if t.chars().any(|c| c as u32 >= 0x2E80) { 2 } else { 4 } && is_cause(t);
        let inner = |i: usize| word.is_char_boundary(i) && (noun(word[i..].trim()) || noun(word[..i].trim()));
        is_cause(word) && !reading.lexicon.is_direct(word) && (2..word.len().saturating_sub(1)).any(inner)
    };
    // `root cause` in `the root cause was`
    let said = |phrase: &str| {
        let words: Vec<&str> = phrase.split_whitespace().collect();
        let spans = (0..words.len()).flat_map(|a| (a + 1..=words.len().min(a + 3)).map(move |b| (a, b)));
        spans.into_iter().any(|(a, b)| made(&words[a..b].join(" ")))
    };
    let named = unit.hits().iter().any(|h| h.own && h.tag == Tag::Cue(Cue::CauseRight) && said(&block[h.range.clone()]));
    let pointed = reading.units.get(n + 1).is_some_and(|next| next.previous == Some(n)) && causes::points_back(reading, n + 1);
    named && unit.has(Cue::Negation) < 1.0 || pointed
}
