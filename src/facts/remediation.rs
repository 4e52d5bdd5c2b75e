//! Remediation: which units tell what was or will be done about it, with status, owner, due date and ticket.

use super::Fact;
use super::score::Score;
use super::status::{self, Status};
use super::units::{Reading, Shape, Unit};
use crate::document::Mark;
use crate::lang::{Column, Cue, Role, Tag};
use crate::text::Span;

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
const NEEDED: [f32; 4] = [2.0, 1.4, 2.0, 0.9];

fn planned_role(role: Option<Role>) -> bool {
    matches!(role, Some(Role::Remediation | Role::Prevention))
}

/// The score of a unit as a remediation item.
pub fn score(reading: &Reading, unit: &Unit) -> Score {
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
        Some(Role::Appendix) => s.add("role", -6.0, 1.0),
        None => {}
    }
    s.add("how it was fixed", 1.3, unit.has(Cue::FixedBy));
    let (done, past) = (unit.has(Cue::Done), unit.has(Cue::Past));
    let (planned, future) = (unit.has(Cue::Planned), unit.has(Cue::Future));
    let repair = unit.has(Cue::Repair);
    s.add("done", if home || cured { 0.9 } else { 0.6 }, done);
    s.add("past", 0.2, past);
    s.add("future", 1.0, future);
    s.add("planned", if home { 0.6 } else { 0.4 }, planned);
    s.add("a repair verb", 0.5, repair);
    s.add("done, with a repair verb", 0.4, done.min(repair));
    s.add("future, with a repair verb", 0.6, future.max(planned).min(repair));
    s.add("prevention", 0.7, unit.has(Cue::Prevent));
    s.when("opens with a repair verb", 0.8, list && opens_with(unit, Cue::Repair));
    s.when("a box", 1.2, status::check(reading, unit).is_some());
    s.add("a fault", -0.5, unit.has(Cue::Fault));
    s.add("a cause", -0.5, unit.has(Cue::CauseRight).max(unit.has(Cue::CauseLeft)));
    s.add("hypothesis", -0.7, unit.has(Cue::Hypothesis));
    s.add("in general", -0.5, unit.has(Cue::Generic));
    s.add("hedged", -0.4, unit.has(Cue::Hedge));
    s.when("nothing done or planned is told", -0.9, !list && done + past + planned + future + repair < 0.5);
    s.when("early in the document", -0.8, unit.position < 0.2 && !home && !cured);
    s.when("a question", -1.8, text.ends_with(['?', '？', '؟']));
    s.when("leads to a list", -2.0, text.ends_with([':', '：']));
    s.when("introduces the list below it", -1.6, unit.shape == Shape::Sentence && home && leads_to_list(reading, unit));
    s.when(
        "very short",
        -1.5,
        text.chars().filter(|c| c.is_alphanumeric()).count() < if text.chars().any(|c| c as u32 >= 0x2E80) { 5 } else { 10 },
    );
    s.when("code", -3.0, unit.shape == Shape::Code);
    s.when("a heading", -6.0, unit.shape == Shape::Heading);
    s.when("quoted", -0.8, unit.quoted && !home);
    s.when("struck through", -2.0, unit.struck && !home);
    s
}

/// True for the last sentence of a paragraph that a list follows.
fn leads_to_list(reading: &Reading, unit: &Unit) -> bool {
    let block = reading.block(unit);
    let last = block.text.as_str()[unit.range.end..].trim().is_empty();
    last && reading.document.blocks.get(unit.block + 1).is_some_and(|b| matches!(b.kind, crate::document::Kind::Item { .. }))
}

fn opens_with(unit: &Unit, cue: Cue) -> bool {
    unit.hits.iter().any(|h| h.tag == Tag::Cue(cue) && h.range.start <= unit.range.start + 3)
}

/// The remediation items of a document, in its order.
pub fn remediation(reading: &Reading) -> Vec<Fact<Action>> {
    let mut out = Vec::new();
    let sections = reading.has_role(&[Role::Remediation, Role::Prevention, Role::Resolution]);
    for (n, unit) in reading.units.iter().enumerate() {
        let needed = match unit.role {
            Some(Role::Remediation | Role::Prevention) => NEEDED[0],
            Some(Role::Resolution) => NEEDED[1],
            _ if sections => NEEDED[2],
            _ => NEEDED[3],
        };
        if score(reading, unit).sum() < needed {
            continue;
        }
        let rule = match unit.role {
            Some(Role::Remediation | Role::Prevention) => "action-section",
            Some(Role::Resolution) => "resolution-section",
            _ => "action-cue",
        };
        let parts = halves(reading, unit);
        if parts.len() > 1 {
            for part in parts {
                let block = reading.block(unit);
                let text = block.text.as_str()[part.range.clone()].to_string();
                let action = Action {
                    status: status::of(reading, &part),
                    kind: kind(&part),
                    text,
                    command: command(reading, &part),
                    owner: None,
                    due: None,
                    ticket: None,
                    unit: n,
                };
                out.extend(Fact::new(action, block.text.spans(part.range.clone()), rule));
            }
            continue;
        }
        let (owner, due, ticket) = fields(reading, unit);
        let kind = kind(unit);
        let (text, spans) = passage(reading, unit);
        let action = Action { status: status::of(reading, unit), kind, text, command: command(reading, unit), owner, due, ticket, unit: n };
        out.extend(Fact::new(action, spans, rule));
    }
    out
}

/// A sentence that tells of two actions (`we fixed the code, but will also …`) in two: cut at a comma, where both sides have a verb of their own.
fn halves(reading: &Reading, unit: &Unit) -> Vec<Unit> {
    let text = unit.text(reading.document);
    let told = |u: &Unit| u.hits.iter().any(|h| h.own && matches!(h.tag, Tag::Cue(Cue::Done | Cue::Future)));
    if unit.shape != Shape::Sentence || text.chars().count() < 60 {
        return Vec::new();
    }
    let part = |range: std::ops::Range<usize>| {
        let hits = unit.hits.iter().filter(|h| h.range.start >= range.start && h.range.end <= range.end).cloned().collect();
        Unit { range, hits, ..unit.clone() }
    };
    let full = |u: &Unit| {
        u.text(reading.document).chars().filter(|c| c.is_alphanumeric()).count()
            >= if text.chars().any(|c| c as u32 >= 0x2E80) { 8 } else { 24 }
    };
    for (i, c) in text.char_indices().filter(|(_, c)| matches!(c, ';' | ',' | '；' | '，')) {
        let at = unit.range.start + i;
        let (left, right) = (part(unit.range.start..at), part(at + c.len_utf8()..unit.range.end));
        let trimmed = right.text(reading.document);
        let start = right.range.start + (trimmed.len() - trimmed.trim_start().len());
        let right = Unit { range: start..right.range.end, ..right };
        // a strong verb on both sides; a clause that only says why or so that stays with its sentence
        let purpose = right.has(Cue::Prevent).max(right.has(Cue::CauseRight)) >= 1.0 && right.has(Cue::Done) < 1.0;
        // two halves of one tense belong together unless the sentence is long
        let tense = |u: &Unit| u.has(Cue::Future) > u.has(Cue::Done);
        if (tense(&left) != tense(&right) || text.chars().count() >= 180)
            && told(&left)
            && told(&right)
            && full(&left)
            && full(&right)
            && !purpose
            && left.has(Cue::Fault) + left.has(Cue::CauseRight) < 1.5
        {
            return vec![left, right];
        }
    }
    Vec::new()
}

/// A row stands on its action cell, anything else on its text; a long item on its first sentences.
fn passage(reading: &Reading, unit: &Unit) -> (String, Vec<Span>) {
    if let Some((columns, cells)) = reading.row(unit.block)
        && let Some(at) = columns.columns.iter().position(|c| *c == Some(Column::Action))
        && let Some(cell) = cells.get(at).filter(|c| !c.is_empty())
    {
        return (cell.as_str().to_string(), cell.spans(0..cell.len()));
    }
    let (block, range) = (reading.block(unit), unit.point(reading.document));
    (block.text.as_str()[range.clone()].to_string(), block.text.spans(range))
}

/// Code in the unit that can be run or set: more than one word, or a flag, a path, an assignment.
fn command(reading: &Reading, unit: &Unit) -> Option<String> {
    let block = reading.block(unit);
    let inside = block.marks.iter().filter(|(r, m)| *m == Mark::Code && r.start >= unit.range.start && r.end <= unit.range.end);
    inside.map(|(r, _)| block.text.as_str()[r.clone()].trim()).find(|c| c.len() > 3 && c.contains([' ', '=', '/'])).map(str::to_string)
}

type Fields = (Option<String>, Option<String>, Option<String>);

/// Owner, due date and ticket: from a row's columns, from labels inside the item, from an `@name` or a leading bold name.
fn fields(reading: &Reading, unit: &Unit) -> Fields {
    let (mut owner, mut due, mut ticket) = (None, None, None);
    if let Some((columns, cells)) = reading.row(unit.block) {
        for (column, cell) in columns.columns.iter().zip(cells) {
            let value = cell.as_str().trim();
            if value.is_empty() || value.chars().all(|c| matches!(c, '-' | '–' | '—' | '?' | '/')) {
                continue;
            }
            match column {
                Some(Column::Owner) => owner = Some(value.to_string()),
                Some(Column::Due) => due = Some(value.to_string()),
                Some(Column::Ticket) => ticket = Some(value.to_string()),
                _ => {}
            }
        }
        return (owner, due, ticket);
    }
    let text = unit.text(reading.document);
    for part in
        text.split(['(', ')', '[', ']', '（', '）', ';', '；', '|', '\n', '—', '–']).flat_map(|p| p.split(", ")).flat_map(|p| p.split('、'))
    {
        let Some((label, value)) = part.split_once([':', '：']) else {
            // `due 2025-02-01`, without a colon
            if let Some((label, value)) = part.trim().split_once(' ')
                && due.is_none()
                && value.chars().count() <= 24
                && value.chars().any(|c| c.is_ascii_digit())
                && reading.lexicon.column(label).is_some_and(|f| f.fit == crate::lang::Fit::Exact && f.value == Column::Due)
            {
                due = Some(value.trim().trim_end_matches(['.', '。']).to_string());
            }
            continue;
        };
        let label = label.rsplit(['.', '。', '-']).next().unwrap_or(label).trim();
        let value = value.trim().trim_end_matches(['.', '。']);
        if label.is_empty() || value.is_empty() || label.split_whitespace().count() > 4 || value.chars().count() > 60 {
            continue;
        }
        let slot = match reading.lexicon.column(label).filter(|f| f.fit == crate::lang::Fit::Exact).map(|f| f.value) {
            Some(Column::Owner) => &mut owner,
            Some(Column::Due) => &mut due,
            Some(Column::Ticket) => &mut ticket,
            _ => continue,
        };
        slot.get_or_insert_with(|| value.to_string());
    }
    if owner.is_none() {
        owner = named(reading, unit);
    }
    if owner.is_none() {
        let handle = |w: &str| {
            let w = w.trim_start_matches(['(', '[', '（', '*']).trim_end_matches(|c: char| !c.is_alphanumeric());
            (w.starts_with('@') && w.len() > 2 && w[1..].starts_with(char::is_alphabetic)).then(|| w.to_string())
        };
        owner = text.split_whitespace().find_map(handle);
    }
    if ticket.is_none() {
        ticket =
            text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',')).find(|w| is_ticket(w)).map(str::to_string);
    }
    (owner, due, ticket)
}

/// A name that is set apart: bold before a colon at the head of the item (`**Bob**: check …`), or alone in brackets at its end (`… (Ann)`). It must not be
/// a word the lexicon knows for something else.
fn named(reading: &Reading, unit: &Unit) -> Option<String> {
    let block = reading.block(unit);
    let text = unit.text(reading.document);
    let is_name = |t: &str| {
        let words: Vec<&str> = t.split_whitespace().collect();
        let capital = |w: &&str| {
            w.chars().next().is_some_and(char::is_uppercase) && w.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '\''))
        };
        (1..=3).contains(&words.len())
            && words.iter().all(capital)
            && words.iter().any(|w| w.chars().any(char::is_lowercase))
            && reading.lexicon.scan(t).is_empty()
            && reading.lexicon.status(t).is_none()
            && reading.lexicon.role(t).is_none()
    };
    let head = block.marks.iter().find(|(r, m)| *m == Mark::Strong && r.start == unit.range.start && r.end < unit.range.end);
    if let Some((r, _)) = head {
        let bold = block.text.as_str()[r.clone()].trim_end_matches([':', '：', ' ']);
        let after = block.text.as_str()[r.end..unit.range.end].trim_start();
        if is_name(bold) && (after.starts_with([':', '：']) || block.text.as_str()[r.clone()].trim_end().ends_with([':', '：'])) {
            return Some(bold.to_string());
        }
    }
    let tail = text.trim_end_matches(['.', '。', ' ']);
    let open = tail.strip_suffix(')').and_then(|t| t.rfind('(').map(|i| &t[i + 1..]))?;
    is_name(open.trim()).then(|| open.trim().to_string())
}

/// `ABC-123`, `#123`.
fn is_ticket(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ':', ';', '。']);
    if let Some(n) = word.strip_prefix('#') {
        return n.len() >= 2 && n.chars().all(|c| c.is_ascii_digit());
    }
    word.split_once('-').is_some_and(|(key, n)| {
        (2..=10).contains(&key.len())
            && key.chars().all(|c| c.is_ascii_uppercase())
            && !n.is_empty()
            && n.chars().all(|c| c.is_ascii_digit())
            && !matches!(key, "UTF" | "ISO" | "RFC" | "SHA" | "AES" | "TLS" | "CVE" | "HTTP")
    })
}

/// Concepts that tell what an action is meant to do.
fn kind(unit: &Unit) -> Option<ActionKind> {
    let has = |names: &[&str]| unit.hits.iter().any(|h| matches!(h.tag, Tag::Concept(c) if names.contains(&c.name())));
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
