//! Causes: which units tell why it happened, and whether each is the fault itself, what set it off, or what made it worse.

use super::Fact;
use super::kinds::{kinds, speaks_of};
use super::score::Score;
use super::units::{Reading, Shape, Unit};
use crate::document::Kind;
use crate::lang::{Column, Concept, ConceptSet, Cue, Fit, Role, Tag};

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

/// Points a unit needs, beside a share of what the best units of its document have.
const NEEDED: f32 = 0.6;
/// The share: where causes are told plainly, what is told less plainly is rather something else.
const SHARE: f32 = 0.4;
/// The how-manieth of the best units is the one that others are held against.
const BEST: usize = 3;

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
    s.add("ruled out", -4.2, if unit.refuted { 1.0 } else { unit.has(Cue::RuledOut) });
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
    s.when("a particular", -4.0, is_particular(reading, unit));
    s.when("points back", -2.5, points_back(reading, n));
    s.when("not answered yet", -3.0, super::kinds::is_open(reading, n));
    s.when("a table row", -0.6, unit.shape == Shape::Row && !causal);
    s.when("quoted", -0.7, unit.quoted && !causal);
    s.when("told in another language as well", -20.0, unit.passed);
    s.when("struck through", -4.0, unit.struck);
    s.when("opens with a stamp", -0.9, opens_with_digits(text) && !causal);
    // an entry of the story is no cause where causes are told elsewhere, unless it says so
    let entry = !causal && unit.role != Some(Role::Summary) && (unit.role == Some(Role::Timeline) || is_stamped(text));
    let plain = unit.has(Cue::CauseRight) < 1.0;
    s.when("an entry of the story", -1.2, entry && plain && *reading.causal.get_or_init(|| reading.has_role(&CAUSAL)));
    s.when("late in the document", -0.5, unit.position > 0.85 && !causal);
    context(reading, n, causal, &mut s);
    s
}

/// What the rest of the sentence and what stands beside it say. A cause names things, says what was not there or not done, tells of the past, and is
/// followed by what came of it; what says none of that tells how things are meant to work, and what repairs is no cause.
fn context(reading: &Reading, n: usize, causal: bool, s: &mut Score) {
    let unit = &reading.units[n];
    s.add("things named", 0.2, named(unit));
    s.when("short", -0.8, letters(unit.text(reading.document)) < 30.0);
    let mechanism = reading.mechanism.get(n).copied().unwrap_or(0.0);
    let spared = speaks_of(unit, &UNHARMED) || (unit.has(Cue::Negation) > 0.0 && speaks_of(unit, &HARM));
    if spared && mechanism < 0.21 {
        s.add("harm that did not happen", -2.5, 1.0);
    } else {
        s.add("something missing or undone", 0.6, unit.has(Cue::Negation));
    }
    s.add("past", 0.35, unit.has(Cue::Past));
    let next = reading.units.get(n + 1).filter(|next| next.section == unit.section);
    s.add("what came of it follows", 0.5, next.map_or(0.0, |next| next.has(Cue::CauseLeft)));
    let action = super::remediation::sums(reading)[n];
    s.when("an action", -0.5, action >= 1.0);
    s.when("plainly an action", -0.4, action >= 2.0);
    let told = [Cue::CauseRight, Cue::CauseLeft, Cue::Fault, Cue::Trigger, Cue::Contributing, Cue::Change];
    let silent = mechanism < 0.21 && told.iter().all(|c| unit.has(*c) == 0.0);
    s.when("nothing says that it is one", -0.3, silent && !causal);
    let state = silent && unit.has(Cue::Past) == 0.0 && unit.has(Cue::Negation) == 0.0;
    s.when("how things are meant to be", -0.4, state && causal);
    let elsewhere = !causal && *reading.causal.get_or_init(|| reading.has_role(&CAUSAL));
    s.when("there is a section about causes", -0.3, elsewhere);
}

/// What an incident does to those it hits; said with a denial it says that they were spared.
static HARM: ConceptSet = ConceptSet::new(&["data-lost", "lost", "data-wrong", "corrupt", "breach", "exposure", "secret-leaked"]);
/// Said of those who were spared.
static UNHARMED: ConceptSet = ConceptSet::new(&["unharmed"]);

/// How many different things a unit speaks of, at most ten.
fn named(unit: &Unit) -> f32 {
    let mut all: Vec<Concept> = unit.hits().iter().filter_map(|h| if let Tag::Concept(c) = h.tag { Some(c) } else { None }).collect();
    all.sort_unstable();
    all.dedup();
    all.len().min(10) as f32
}

/// Letters and digits of a text, a sign of Chinese, Japanese or Korean for two or three.
pub(super) fn letters(text: &str) -> f32 {
    text.chars().filter(|c| c.is_alphanumeric()).map(|c| if (c as u32) < 0x1100 { 1.0 } else { 2.4 }).sum()
}

/// How many letters a text of its script needs to say anything.
fn short(text: &str) -> usize {
    if text.chars().any(|c| c as u32 >= 0x2E80) { 7 } else { 14 }
}

/// True for a row or line of particulars: a known label that is not about causes, and its value (`Start | …`, `Assignee: …`).
fn is_particular(reading: &Reading, unit: &Unit) -> bool {
    let known = |label: &str| {
        reading
            .lexicon
            .column(label)
            .is_some_and(|f| f.fit == Fit::Exact && !matches!(f.value, Column::Cause | Column::Event | Column::Action))
    };
    let block = reading.block(unit);
    match &block.kind {
        Kind::Row { cells, .. } => cells.len() == 2 && known(cells[0].as_str()),
        Kind::Paragraph | Kind::Item { .. } if unit.range.start == 0 => {
            let head = block.text.as_str().char_indices().take(25).find(|(_, c)| matches!(c, ':' | '：'));
            head.is_some_and(|(at, _)| known(&block.text.as_str()[..at]))
        }
        _ => false,
    }
}

/// True for a short sentence that says of the one before it that it was the cause (`That was the real cause.`): it names nothing itself, and the words
/// for a cause end it.
pub(super) fn points_back(reading: &Reading, n: usize) -> bool {
    let unit = &reading.units[n];
    let text = unit.text(reading.document);
    unit.previous.is_some()
        && unit.range.len() <= 240
        && unit.shape == Shape::Sentence
        && letters(text) < 50.0
        && unit.has(Cue::Negation) == 0.0
        && named(unit) < 2.0
        && is_cause_last(reading, text)
}

/// True where the last word or two of a sentence are words for a cause, and others stand before them.
fn is_cause_last(reading: &Reading, text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_cause = |t: &str| reading.lexicon.role(t).is_some_and(|f| f.value == Role::RootCause && f.fit == Fit::Exact);
    words.len() >= 3 && (1..=2).any(|n| is_cause(&words[words.len() - n..].join(" ")))
}

/// True where a clock stands among the first words, as a chat's lines and a log's have it.
fn is_stamped(text: &str) -> bool {
    let head: Vec<char> = text.chars().take(28).collect();
    let digit = |n: usize| head.get(n).is_some_and(char::is_ascii_digit);
    (1..head.len()).any(|n| head[n] == ':' && digit(n - 1) && digit(n + 1) && digit(n + 2) && !digit(n + 3))
}

fn opens_with_digits(text: &str) -> bool {
    text.trim_start_matches(['[', '(', '*', '~', ' ']).chars().take(3).filter(char::is_ascii_digit).count() >= 2
}

/// What the units of a document score as causes.
pub fn sums<'r>(reading: &'r Reading) -> &'r [f32] {
    reading.explained.get_or_init(|| (0..reading.units.len()).map(|n| score(reading, n).sum()).collect())
}

/// The causes of a document, in its order.
pub fn causes(reading: &Reading) -> Vec<Fact<Cause>> {
    reading.causes.get_or_init(|| choose(reading)).clone()
}

fn choose(reading: &Reading) -> Vec<Fact<Cause>> {
    let sums = sums(reading);
    let mut best = sums.to_vec();
    best.sort_by(|a, b| b.total_cmp(a));
    let bar = NEEDED + SHARE * best.get(BEST - 1).or(best.last()).copied().unwrap_or(0.0).max(0.0);
    let chosen: Vec<usize> = (0..sums.len()).filter(|n| sums[*n] >= bar).collect();
    let kinds = kinds(reading, &chosen);
    chosen.into_iter().zip(kinds).filter_map(|(n, kind)| fact(reading, n, kind)).collect()
}

fn fact(reading: &Reading, n: usize, kind: CauseKind) -> Option<Fact<Cause>> {
    let unit = &reading.units[n];
    let hedged = unit.has(Cue::Hedge) > 0.4 || unit.has(Cue::Hypothesis) > 0.4;
    let block = reading.block(unit);
    let range = unit.point(reading.document);
    let text = block.text.as_str()[range.clone()].to_string();
    Fact::new(Cause { kind, hedged, text, unit: n }, block.text.spans(range), rule(unit))
}

fn rule(unit: &Unit) -> &'static str {
    match (unit.role, unit.labelled) {
        (Some(Role::RootCause | Role::Trigger | Role::Contributing), true) => "cause-label",
        (Some(Role::RootCause | Role::Trigger | Role::Contributing), false) => "cause-section",
        _ => "cause-cue",
    }
}
