//! Remediation: which units tell what was or will be done about it, with status, owner, due date and ticket.

use super::Fact;
use super::assignment::fields;
use super::causes;
use super::parts::{halves, opens_with, passage};
use super::score::Score;
use super::status::{self, Status};
use super::units::{Reading, Shape, Unit};
use crate::document::{Kind, Mark};
use crate::lang::{Cue, Fit, Phase, Role, Tag, is_alphanumeric};

/// What an action is meant to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ActionKind {
    /// Stop or lessen the effect.
    Mitigate,
    /// Keep it from happening again.
    Prevent,
    /// See it sooner.
    Detect,
    /// Repair what was broken.
    Repair,
    /// Find out more.
    Investigate,
    /// Change how people work.
    Process,
}

impl ActionKind {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            ActionKind::Mitigate => "mitigate",
            ActionKind::Prevent => "prevent",
            ActionKind::Detect => "detect",
            ActionKind::Repair => "repair",
            ActionKind::Investigate => "investigate",
            ActionKind::Process => "process",
        }
    }
}

/// One remediation item.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Done, planned or declined.
    pub status: Status,
    /// What it is meant to do, where the words tell.
    pub kind: Option<ActionKind>,
    /// What the text says.
    pub text: String,
    /// A command or switch named in it.
    pub command: Option<String>,
    /// Who does it, as written.
    pub owner: Option<String>,
    /// Until when, as written.
    pub due: Option<String>,
    /// Where it is tracked, as written.
    pub ticket: Option<String>,
    /// The unit's index among the document's units.
    pub unit: usize,
}

/// Points a unit needs: in a section about actions, in one about the resolution, elsewhere, and elsewhere in a document without such sections.
const NEEDED: [f32; 4] = [1.8, 1.2, 1.8, 0.7];

fn planned_role(role: Option<Role>) -> bool {
    matches!(role, Some(Role::Remediation | Role::Prevention))
}

/// The score of a unit as a remediation item, with what stands beside it: actions are told together.
pub fn score(reading: &Reading, n: usize) -> Score {
    let mut s = own(reading, &reading.units[n]);
    s.lines.extend(beside(reading, n).lines);
    s
}

/// What stands beside a unit adds to its score.
fn beside(reading: &Reading, n: usize) -> Score {
    let mut s = Score::default();
    let sums = sums(reading);
    let beside = [n.checked_sub(1), Some(n + 1)].into_iter().flatten().filter_map(|m| sums.get(m));
    s.add("company", 0.12, beside.map(|x| x.clamp(-2.0, 3.0)).sum());
    s.add("tells why it happened", -0.15, causes::sums(reading)[n].clamp(0.0, 4.0));
    s
}

/// What the units of a document score by themselves.
pub(super) fn sums<'r>(reading: &'r Reading) -> &'r [f32] {
    reading.actions.get_or_init(|| reading.units.iter().map(|u| own(reading, u).sum()).collect())
}

/// The score of a unit, or of a part of one, by itself.
fn own(reading: &Reading, unit: &Unit) -> Score {
    let text = unit.text(reading.document);
    let mut s = Score::default();
    let list = matches!(unit.shape, Shape::Item | Shape::Row);
    let (home, cured) = (planned_role(unit.role), unit.role == Some(Role::Resolution));
    match unit.role {
        Some(Role::Remediation | Role::Prevention) => s.add("role", if list { 3.2 } else { 1.4 }, 1.0),
        Some(Role::Resolution) => s.add("role", if list { 1.6 } else { 1.0 }, 1.0),
        Some(Role::LessonsWrong) => s.add("role", -0.8, 1.0),
        Some(Role::Lessons) => s.add("role", -0.4, 1.0),
        Some(Role::LessonsWell | Role::LessonsLucky) => s.add("role", -1.6, 1.0),
        Some(Role::Timeline) => s.add("role", -0.7, 1.0),
        Some(Role::Summary) => s.add("role", -0.2, 1.0),
        Some(Role::RootCause | Role::Trigger | Role::Contributing) => s.add("role", -1.8, 1.0),
        Some(Role::Impact | Role::Detection | Role::Background) => s.add("role", -1.6, 1.0),
        Some(Role::Verification) => s.add("role", -2.2, 1.0),
        Some(Role::Appendix) => s.add("role", -6.0, 1.0),
        None => {}
    }
    s.when("below a heading about repair", if list { 1.0 } else { 0.5 }, unit.role.is_none() && heading_repairs(reading, unit));
    let fixed = unit.has(Cue::FixedBy);
    s.add("how it was fixed", 1.3, fixed);
    let (done, past) = (unit.has(Cue::Done), unit.has(Cue::Past));
    let (planned, future) = (unit.has(Cue::Planned), unit.has(Cue::Future));
    let repair = unit.has(Cue::Repair);
    s.add("done", if home || cured { 0.9 } else { 0.7 }, done);
    s.add("past", 0.2, past);
    // a bare future is also how some languages tell what a program does
    s.add("future", if home || list || repair + planned > 0.4 { 1.0 } else { 0.6 }, future);
    s.add("planned", if home { 0.6 } else { 0.4 }, planned);
    s.add("a repair verb", 0.5, repair);
    s.add("done, with a repair verb", 0.4, done.min(repair));
    // many languages have no word of its own for what is done: where repairs are told, the past says it
    s.when("a repair in the past", 0.5, cured && past.min(repair) > 0.0 && done == 0.0);
    // outside of lists of work, what is under way belongs to the story
    s.add("future, with a repair verb", 0.6, future.max(if home || list { planned } else { planned * 0.3 }).min(repair));
    s.add("prevention", 0.7, unit.has(Cue::Prevent));
    s.when("opens with a repair verb", 0.8, list && opens_with(reading, unit, Cue::Repair));
    s.when("a row of the template", -4.0, is_template(reading, unit));
    s.when("a box", 1.2, status::check(reading, unit).is_some());
    s.add("a fault", -0.5, unit.has(Cue::Fault));
    s.add("a cause", -0.5, if fixed > 0.0 { 0.0 } else { unit.has(Cue::CauseRight).max(unit.has(Cue::CauseLeft)) });
    s.add("hypothesis", -0.7, unit.has(Cue::Hypothesis));
    s.add("in general", -0.5, unit.has(Cue::Generic));
    s.add("hedged", -0.4, unit.has(Cue::Hedge));
    // told first, what followed is the point; told after an action, it rounds the sentence off
    s.add("what followed", if leads(unit, Cue::Outcome) { -1.6 } else { -0.7 }, unit.has(Cue::Outcome));
    s.when("the cause was found", -0.6, unit.hits().iter().any(|h| h.tag == Tag::Phase(Phase::Identified)));
    s.add("an apology or thanks", -2.0, unit.has(Cue::Courtesy));
    s.add("from now on", 0.7, unit.has(Cue::Now));
    s.when("nothing done or planned is told", -0.9, !list && done + past + planned + future + repair < 0.5);
    s.when("early in the document", -0.8, unit.position < 0.2 && !home && !cured && fixed == 0.0);
    s.add("later in the document", 0.8, if home { 0.0 } else { unit.position - 0.5 });
    s.add("something missing or undone", -0.4, if home { 0.0 } else { unit.has(Cue::Negation) });
    s.add("made worse", -0.4, unit.has(Cue::Contributing));
    s.when("a question", -1.8, text.trim_end_matches(['*', '_', '"', '”', ' ']).ends_with(['?', '？', '؟']));
    s.when("leads to a list", -2.0, text.ends_with([':', '：']) && (done.max(fixed).max(past) == 0.0 || leads_to_list(reading, unit)));
    s.when("introduces the list below it", -1.6, unit.shape == Shape::Sentence && home && leads_to_list(reading, unit));
    s.when(
        "stands alone above the list",
        -1.6,
        unit.shape == Shape::Sentence && home && unit.previous.is_none() && leads_to_list(reading, unit),
    );
    s.when("nothing but names and numbers", -2.0, list && !speaks(text));
    s.when("says there is none", -2.6, is_void(reading, unit));
    s.when("very short", -1.5, !has_letters(text, is_alphanumeric, if is_wide(text) { 5 } else { 10 }));
    s.when("says only that it is over", -2.6, !home && status::is_state(reading, unit));
    s.when("code", -3.0, unit.shape == Shape::Code);
    s.when("a heading", -6.0, unit.shape == Shape::Heading);
    s.when("quoted", -0.8, unit.quoted && !home);
    s.when("told in another language as well", -20.0, unit.passed);
    s.when("struck through", -2.0, unit.struck && !home);
    s
}

/// True for a row that says in its cells what is to be written there: a cell repeats the head of its column.
fn is_template(reading: &Reading, unit: &Unit) -> bool {
    let Some((columns, cells)) = reading.row(unit.block) else { return false };
    let repeats = |(column, cell): (&Option<crate::lang::Column>, &crate::text::Mapped)| {
        let bare = cell.as_str().trim().trim_matches(['[', ']', '<', '>', '*', '_', '{', '}']);
        let owner = *column == Some(crate::lang::Column::Owner);
        owner && reading.lexicon.column(bare).is_some_and(|f| f.fit == Fit::Exact && Some(f.value) == *column)
    };
    columns.columns.iter().zip(cells).any(repeats)
}

/// True for the last sentence of a paragraph that a list follows.
fn leads_to_list(reading: &Reading, unit: &Unit) -> bool {
    let block = reading.block(unit);
    let last = block.text.as_str()[unit.range.end..].trim().is_empty();
    last && reading.document.blocks.get(unit.block + 1).is_some_and(|b| matches!(b.kind, crate::document::Kind::Item { .. }))
}

/// True where the heading above, which names no known section, speaks of repair and of no fault (`Hardening the importer`).
fn heading_repairs(reading: &Reading, unit: &Unit) -> bool {
    let Some(heading) = reading.places[unit.block].heading.filter(|h| Some(*h) != reading.title) else {
        return false;
    };
    let cues = |wanted: &[Cue]| reading.hits[heading].iter().any(|h| h.own && matches!(h.tag, Tag::Cue(c) if wanted.contains(&c)));
    cues(&[Cue::Repair, Cue::Done, Cue::FixedBy])
        && !cues(&[Cue::Fault, Cue::Negation, Cue::Trigger, Cue::Contributing, Cue::CauseLeft, Cue::Generic])
}

/// True where a cue stands before all words of action.
fn leads(unit: &Unit, cue: Cue) -> bool {
    let first = |wanted: &[Cue]| {
        let starts = unit.hits().iter().filter(|h| matches!(h.tag, Tag::Cue(c) if wanted.contains(&c))).map(|h| h.range.start);
        starts.min().unwrap_or(usize::MAX)
    };
    first(&[cue]) <= first(&[Cue::Done, Cue::Future, Cue::FixedBy])
}

/// True where words are left when addresses, paths, numbers and ids are taken out.
fn speaks(text: &str) -> bool {
    let wide = is_wide(text);
    let id = |w: &&str| w.contains("://") || w.chars().any(|c| c.is_ascii_digit() || matches!(c, '/' | '_' | '\\' | '@'));
    let needed = if wide { 2 } else { 6 };
    let letters = text.split_whitespace().filter(|w| !id(w)).flat_map(str::chars).filter(|c| c.is_alphabetic());
    letters.take(needed).count() == needed || (wide && has_letters(text, |c| c as u32 >= 0x2E80, 4))
}

/// True where a text has so many characters of a kind.
fn has_letters(text: &str, kind: impl Fn(char) -> bool, needed: usize) -> bool {
    text.chars().filter(|c| kind(*c)).take(needed).count() == needed
}

/// True for a text with signs that say as much as a syllable or a word.
fn is_wide(text: &str) -> bool {
    !text.is_ascii() && text.chars().any(|c| c as u32 >= 0x2E80)
}

/// A label with nothing but a word of denial behind it (`Rollback: none`).
fn is_void(reading: &Reading, unit: &Unit) -> bool {
    let text = unit.text(reading.document);
    let Some((label, value)) = text.split_once([':', '：']) else { return false };
    let at = unit.range.start + label.len();
    let word = value.trim_matches(|c: char| !c.is_alphanumeric());
    // a single sign says yes or no, and whoever says yes says what
    let sign = word.chars().count() == 1 && word.chars().all(|c| c as u32 >= 0x2E80);
    let short = !word.is_empty()
        && word.chars().count() <= 12
        && unit.hits().iter().any(|h| h.range.start > at && matches!(h.tag, Tag::Cue(Cue::Negation)) && h.range.len() + 1 >= word.len());
    sign || short
}

/// The points a unit needs to be taken.
fn needed(unit: &Unit, sections: bool) -> f32 {
    match unit.role {
        Some(Role::Remediation | Role::Prevention) => NEEDED[0],
        Some(Role::Resolution) => NEEDED[1],
        _ if sections => NEEDED[2],
        _ => NEEDED[3],
    }
}

/// The remediation items of a document, in its order.
pub fn remediation(reading: &Reading) -> Vec<Fact<Action>> {
    let sections = reading.has_role(&[Role::Remediation, Role::Prevention, Role::Resolution]);
    // what each scores by itself is known
    let total = |n: usize| beside(reading, n).lines.iter().fold(sums(reading)[n], |sum, (_, points)| sum + points);
    let taken: Vec<bool> = (0..reading.units.len()).map(|n| total(n) >= needed(&reading.units[n], sections)).collect();
    let mut out = Vec::new();
    for (n, unit) in reading.units.iter().enumerate() {
        if taken[n] {
            let detail = detail_of(reading, n).filter(|d| taken[*d] || sums(reading)[*d] >= 0.0);
            if let Some(whole) = detail.and_then(|d| both(reading, unit, &reading.units[d])) {
                out.extend(facts(reading, n, &whole));
            } else if !(unit.previous.is_some_and(|p| taken[p] && detail_of(reading, p) == Some(n))) {
                out.extend(facts(reading, n, unit));
            }
        } else if let Some(item) = headline(reading, unit, &taken) {
            out.extend(facts(reading, n, &item));
        }
    }
    out
}

/// The sentence that tells the unit in detail (`We put limits in place. These include …`): the next one, where it says so at its head.
fn detail_of(reading: &Reading, n: usize) -> Option<usize> {
    let next = reading.units.get(n + 1).filter(|u| u.previous == Some(n) && u.shape == Shape::Sentence)?;
    opens_with(reading, next, Cue::Detail).then_some(n + 1)
}

/// Two sentences as one unit.
fn both(reading: &Reading, first: &Unit, second: &Unit) -> Option<Unit> {
    let hits = first.hits().iter().chain(second.hits()).cloned().collect();
    let whole = first.cut(first.range.start..second.range.end, hits);
    (whole.text(reading.document).len() <= 700).then_some(whole)
}

/// A heading that is itself the action (`1. Raise the pool's limit`), where it stands in a section about actions and nothing below it tells of one: what
/// stands there are the steps.
fn headline(reading: &Reading, unit: &Unit, taken: &[bool]) -> Option<Unit> {
    let role = matches!(unit.role, Some(Role::Remediation | Role::Prevention | Role::Resolution));
    let known = || reading.lexicon.role(unit.text(reading.document)).is_some_and(|f| f.fit != Fit::Within);
    if unit.shape != Shape::Heading || !role || unit.has(Cue::Repair).max(unit.has(Cue::Done)) < 0.5 || known() {
        return None;
    }
    let below = |(n, u): (usize, &Unit)| u.section == unit.section && u.shape != Shape::Heading && taken[n];
    if reading.units.iter().enumerate().any(below) {
        return None;
    }
    let item = unit.shaped(Shape::Item);
    (own(reading, &item).sum() >= needed(&item, true) + 1.0).then_some(item)
}

/// The actions a unit that was taken tells of: nearly always one.
fn facts(reading: &Reading, n: usize, unit: &Unit) -> Vec<Fact<Action>> {
    let rule = match unit.role {
        Some(Role::Remediation | Role::Prevention) => "action-section",
        Some(Role::Resolution) => "resolution-section",
        _ => "action-cue",
    };
    let make = |part: &Unit, text: String, spans, (owner, due, ticket)| {
        let (status, kind, command) = (status::of(reading, part), kind(part), command(reading, part));
        Fact::new(Action { status, kind, text, command, owner, due, ticket, unit: n }, spans, rule)
    };
    let parts = halves(reading, unit);
    if parts.len() > 1 {
        let block = &reading.block(unit).text;
        let half = |p: &Unit| make(p, block.as_str()[p.range.clone()].to_string(), block.spans(p.range.clone()), (None, None, None));
        // a half that would not be taken by itself (an apology, the state of things) is left out
        let sound: Vec<&Unit> = parts.iter().filter(|p| own(reading, p).sum() >= 0.0).collect();
        return sound.into_iter().filter_map(half).collect();
    }
    let (text, spans) = passage(reading, unit);
    make(unit, text, spans, fields(reading, unit)).into_iter().collect()
}

/// The longest block of code that is shown as the command of the sentence above it, in bytes and lines.
const BLOCK: (usize, usize) = (300, 3);

/// Code in the unit that can be run or set: more than one word, or a flag, a path, an assignment; else the short block of code that the unit leads to
/// (`We turned the retries off:`).
pub fn command(reading: &Reading, unit: &Unit) -> Option<String> {
    inline_command(reading, unit).or_else(|| {
        let leads = unit.text(reading.document).trim_end().ends_with([':', '：']);
        let next = reading.document.blocks.get(unit.block + 1).filter(|b| leads && b.kind == Kind::Code)?;
        let code = next.text.as_str().trim();
        let whole = code.len() <= BLOCK.0 && code.lines().count() <= BLOCK.1;
        let code = if whole { code } else { code.lines().next().unwrap_or("").trim() };
        let code = code.trim_start_matches("$ ");
        (code.len() > 3 && code.len() <= BLOCK.0 && code.contains([' ', '=', '/'])).then(|| code.to_string())
    })
}

fn inline_command(reading: &Reading, unit: &Unit) -> Option<String> {
    let block = reading.block(unit);
    let inside = block.marks.iter().filter(|(r, m)| *m == Mark::Code && r.start >= unit.range.start && r.end <= unit.range.end);
    inside.map(|(r, _)| block.text.as_str()[r.clone()].trim()).find(|c| c.len() > 3 && c.contains([' ', '=', '/'])).map(str::to_string)
}

/// Concepts that tell what an action is meant to do.
fn kind(unit: &Unit) -> Option<ActionKind> {
    let has = |names: &[&str]| unit.hits().iter().any(|h| matches!(h.tag, Tag::Concept(c) if names.contains(&c.name())));
    if has(&["alert", "monitor", "dashboard", "detect"]) {
        Some(ActionKind::Detect)
    } else if has(&["documentation", "review", "train-staff", "communication", "drill"]) {
        Some(ActionKind::Process)
    } else if unit.has(Cue::Prevent) > 0.0 || unit.role == Some(Role::Prevention) {
        Some(ActionKind::Prevent)
    } else if unit.role == Some(Role::Resolution) || has(&["workaround", "rollback", "restart", "failover"]) {
        Some(ActionKind::Mitigate)
    } else if has(&["restore", "code"]) {
        Some(ActionKind::Repair)
    } else {
        None
    }
}
