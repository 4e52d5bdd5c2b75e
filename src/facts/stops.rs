//! What stopped it: the deed that ended or eased the harm, wherever it is told — in the section about the resolution, in the timeline, among the actions
//! that are done, in prose.
//!
//! A deed is something that people do (roll back, restart, switch off), told as done and not in vain. The state of affairs (`back to normal`), news of it
//! (`status page updated`), what set it off and what is to come are none. Among several the last one before the recovery counts most, and where nothing
//! qualifies there is no answer.

use super::score::Score;
use super::status::{self, Status};
use super::timeline::Event;
use super::units::{Reading, Shape, Unit};
use super::{Action, ActionKind, Fact};
use crate::lang::{Cue, Phase, Role, Tag};
use std::ops::Range;

/// Concepts of deeds that end or ease harm.
pub const DEEDS: [&str; 23] = [
    "restart",
    "rollback",
    "failover",
    "throttle",
    "circuit-breaker",
    "disable",
    "isolate",
    "replace",
    "renew",
    "rotate",
    "reset",
    "workaround",
    "autoscale",
    "provision",
    "allowlist",
    "fallback",
    "kill",
    "stop",
    "delete",
    "block",
    "redundancy",
    "backup",
    "increase",
];
/// Concepts of deeds that as often set harm off; they count where the place or the words say that they were the answer.
const CHANGES: [&str; 18] = [
    "deploy",
    "release",
    "config",
    "change",
    "migration",
    "enable",
    "start",
    "upgrade",
    "import",
    "sync",
    "copy",
    "rename",
    "filter",
    "limit",
    "capacity",
    "restore",
    "send",
    "code",
];
/// Concepts of what went wrong; beside a deed they are what it was done about.
const FAULTS: [&str; 16] = [
    "fail",
    "error",
    "5xx",
    "4xx",
    "outage",
    "wrong",
    "hang",
    "crash",
    "crash-loop",
    "missing",
    "reject",
    "degraded",
    "rollback-failed",
    "failover-failed",
    "could-not",
    "disk-full",
];

/// Points a unit needs to be an answer.
const NEEDED: f32 = 2.6;
/// How many answers there are at most.
const MOST: usize = 2;
/// Points a second answer may lie behind the first.
const BEHIND: f32 = 1.6;

/// One deed that stopped it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The unit's index among the document's units.
    pub unit: usize,
    /// The event that tells it, by its place among the events.
    pub event: Option<usize>,
    /// The action that it is, by its place among the actions.
    pub action: Option<usize>,
    /// Its points.
    pub points: f32,
}

/// What is known of the incident's course.
struct Course {
    /// When it was first noticed or felt.
    begun: Option<i64>,
    /// When it was over.
    over: Option<i64>,
    /// The events that units tell.
    of_unit: Vec<Option<usize>>,
    /// The actions that units tell.
    action_of: Vec<Option<usize>>,
    /// The order of events in time.
    order: Vec<usize>,
}

impl Course {
    fn new(reading: &Reading, events: &[Event], actions: &[Fact<Action>]) -> Course {
        let clocked = |e: &&Event| e.at.clock.is_some() && e.at.date.day.is_some();
        let time = |e: &Event| e.at.seconds();
        let of = |wanted: &'static [Phase]| events.iter().filter(clocked).filter(move |e| e.phase.is_some_and(|p| wanted.contains(&p)));
        let begun = of(&[Phase::Detected, Phase::Impact, Phase::Response]).filter_map(time).min();
        let over = of(&[Phase::Resolved]).filter_map(time).max().or_else(|| of(&[Phase::Mitigated]).filter_map(time).max());
        let mut by_start: Vec<(usize, usize, usize)> =
            events.iter().enumerate().flat_map(|(n, e)| e.spans.iter().map(move |s| (s.start, s.end, n))).collect();
        by_start.sort_unstable();
        let of_unit = reading.units.iter().map(|u| event_of(reading, u, &by_start, events)).collect();
        let mut action_of = vec![None; reading.units.len()];
        for (n, a) in actions.iter().enumerate() {
            if let Some(slot) = action_of.get_mut(a.value().unit) {
                *slot = Some(n);
            }
        }
        let mut order: Vec<usize> = (0..events.len()).filter(|n| time(&events[*n]).is_some()).collect();
        order.sort_by_key(|n| time(&events[*n]));
        Course { begun, over, of_unit, action_of, order }
    }

    /// The next event in time.
    fn next<'e>(&self, event: usize, events: &'e [Event]) -> Option<&'e Event> {
        let at = self.order.iter().position(|n| *n == event)?;
        let now = events[event].at.seconds()?;
        self.order[at + 1..].iter().map(|n| &events[*n]).find(|e| e.at.seconds().is_some_and(|s| s > now) && e.rule != "label")
    }
}

/// The event that a unit tells: of those that share bytes with it an entry before a sentence.
fn event_of(reading: &Reading, unit: &Unit, by_start: &[(usize, usize, usize)], events: &[Event]) -> Option<usize> {
    let spans = unit.spans(reading.document);
    let (from, to) = (spans.first()?.start, spans.last()?.end);
    let upto = by_start.partition_point(|(start, ..)| *start < to);
    let near = by_start[..upto].iter().rev().take(12).filter(|(_, end, _)| *end > from).map(|(.., n)| *n);
    near.filter(|n| events[*n].rule != "label").min_by_key(|n| (usize::from(events[*n].rule == "sentence"), usize::MAX - n))
}

/// True where a unit says that something was or is done that may end harm.
fn concepts(unit: &Unit, names: &[&str]) -> usize {
    let mut found: Vec<&str> = unit
        .hits
        .iter()
        .filter_map(|h| if let Tag::Concept(c) = h.tag { Some(c.name()) } else { None })
        .filter(|n| names.contains(n))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.len()
}

fn phase_hit(unit: &Unit, wanted: Phase) -> bool {
    unit.hits.iter().any(|h| h.tag == Tag::Phase(wanted))
}

/// Where the first word of a deed stands.
fn first_deed(unit: &Unit) -> Option<usize> {
    let deed = |h: &&crate::lang::Hit| match h.tag {
        Tag::Concept(c) => DEEDS.contains(&c.name()) || CHANGES.contains(&c.name()),
        Tag::Cue(Cue::Done | Cue::Repair) | Tag::Phase(Phase::Mitigated) => true,
        _ => false,
    };
    unit.hits.iter().filter(deed).map(|h| h.range.start).min()
}

/// The score of a unit as what stopped it.
fn score(reading: &Reading, n: usize, events: &[Event], actions: &[Fact<Action>], course: &Course) -> Score {
    let unit = &reading.units[n];
    let event = course.of_unit[n].map(|e| &events[e]);
    let entry = event.filter(|e| e.rule != "sentence" && e.rule != "title");
    let action = course.action_of[n].map(|a| actions[a].value());
    let mut s = Score::default();
    let (deeds, changes) = (concepts(unit, &DEEDS), concepts(unit, &CHANGES));
    let home = matches!(unit.role, Some(Role::Remediation | Role::Prevention));
    let eased = phase_hit(unit, Phase::Mitigated);
    let done = unit.has(Cue::Done).max(unit.has(Cue::Past) * 0.6);
    let answer = entry.is_some_and(|e| matches!(e.phase, Some(Phase::Mitigated | Phase::Response | Phase::Resolved)));
    s.add("a deed", 1.5, if deeds > 0 { 1.0 } else { 0.0 });
    s.add("several deeds", 0.3, deeds.saturating_sub(1).min(2) as f32);
    let change = changes > 0 && (answer || eased || unit.has(Cue::Repair) > 0.0 || unit.role == Some(Role::Resolution));
    s.when("a change that answers", if deeds > 0 { 0.4 } else { 0.9 }, change);
    s.when("words of mitigation", 0.9, eased);
    s.add("how it was fixed", 1.4, unit.has(Cue::FixedBy));
    s.add("told as done", 0.6, done);
    match unit.role {
        Some(Role::Resolution) => s.add("role", 1.3, 1.0),
        Some(Role::Timeline) => s.add("role", 0.5, 1.0),
        Some(Role::Summary) => s.add("role", 0.2, 1.0),
        Some(Role::Remediation) => s.add("role", 0.1, 1.0),
        Some(Role::Prevention | Role::Lessons | Role::LessonsWell | Role::LessonsWrong | Role::LessonsLucky) => s.add("role", -1.2, 1.0),
        Some(Role::RootCause | Role::Trigger | Role::Contributing | Role::Background | Role::Impact | Role::Detection) => {
            s.add("role", -2.4, 1.0)
        }
        Some(Role::Verification | Role::Appendix) => s.add("role", -4.0, 1.0),
        None => {}
    }
    if let Some(e) = event {
        let clear = entry.is_some();
        match e.phase {
            Some(Phase::Mitigated) => s.add("phase", 1.2, 1.0),
            Some(Phase::Resolved) => s.add("phase", 0.8, 1.0),
            Some(Phase::Response) | None if clear => s.add("phase", 0.3, 1.0),
            Some(Phase::Trigger) => s.add("phase", -2.0, 1.0),
            Some(Phase::Impact | Phase::Detected) if clear => s.add("phase", -0.8, 1.0),
            Some(Phase::Followup) => s.add("phase", -2.0, 1.0),
            _ => {}
        }
        let at = e.at.clock.and(e.at.seconds());
        s.when("before anything was noticed", -4.0, at.zip(course.begun).is_some_and(|(at, begun)| at < begun));
        s.when("after it was over", -2.4, at.zip(course.over).is_some_and(|(at, over)| at > over));
        let next = course.of_unit[n].and_then(|n| course.next(n, events));
        let cured = next.is_some_and(|o| matches!(o.phase, Some(Phase::Resolved | Phase::Mitigated)));
        s.when("recovery follows", 1.0, cured && e.phase != Some(Phase::Resolved));
        s.when("it goes on", -0.8, next.is_some_and(|o| matches!(o.phase, Some(Phase::Impact | Phase::Detected))));
        let vain = next.is_some_and(|o| opens_in_vain(&o.text, reading));
        s.when("the next entry says it was in vain", -3.0, vain);
    }
    let deed = first_deed(unit);
    let effect = |h: &crate::lang::Hit| {
        matches!(h.tag, Tag::Cue(Cue::Outcome) | Tag::Phase(Phase::Resolved)) && deed.is_some_and(|d| h.range.start > d)
    };
    s.when("recovery in the same breath", 0.8, unit.hits.iter().any(effect));
    let after = reading.units.get(n + 1).filter(|u| u.previous == Some(n));
    let recovers = |u: &Unit| phase_hit(u, Phase::Resolved) || u.has(Cue::Outcome) > 0.0;
    s.when("recovery in the next sentence", 0.6, after.is_some_and(recovers));
    if let Some(a) = action {
        match (a.status, a.kind) {
            (Status::Planned | Status::Declined, _) => s.add("not done", -5.0, 1.0),
            (Status::Done, Some(ActionKind::Mitigate)) => s.add("an action that mitigates", 0.8, 1.0),
            (Status::Done, Some(ActionKind::Repair)) => s.add("an action that repairs", 0.3, 1.0),
            (Status::Done, Some(ActionKind::Detect | ActionKind::Process | ActionKind::Investigate)) => s.add("another aim", -2.5, 1.0),
            (Status::Done, Some(ActionKind::Prevent)) => s.add("for the future", -1.5, 1.0),
            (Status::Done, None) => s.add("an action", 0.2, 1.0),
        }
        s.when("ticked off", 0.7, home && a.status == Status::Done);
    } else if home {
        s.add("no action", -2.0, 1.0);
    }
    s.add("planned", -1.2, unit.has(Cue::Future).max(unit.has(Cue::Planned) * 0.7) * if done > 0.5 { 0.5 } else { 1.0 });
    s.add("for the future", -1.2, unit.has(Cue::Prevent).max(unit.has(Cue::Now)));
    s.add("hypothesis", -1.6, unit.has(Cue::Hypothesis).max(unit.has(Cue::Hedge) * 0.6));
    s.add("a cause", -0.9, unit.has(Cue::CauseRight).max(unit.has(Cue::CauseLeft)).max(unit.has(Cue::Contributing)));
    s.add("it set something off", -1.2, unit.has(Cue::Trigger));
    s.when("what went wrong, and no deed", -1.5, concepts(unit, &FAULTS) > 0 && deeds == 0 && !eased);
    s.when("what went wrong", -0.3, concepts(unit, &FAULTS) > 0);
    s.add("an apology or thanks", -1.5, unit.has(Cue::Courtesy));
    s.when("news of it", -1.6, concepts(unit, &["communication"]) > 0 && deeds < 2);
    s.when("in vain", -6.0, is_vain(unit) || after.is_some_and(|u| leads_in_vain(reading, u)));
    s.when("denied", -1.6, denied(reading, unit));
    let text = unit.text(reading.document);
    s.when("a question", -4.0, text.trim_end_matches(['*', '_', '"', '”', ' ']).ends_with(['?', '？', '؟']));
    s.when("code", -4.0, matches!(unit.shape, Shape::Code | Shape::Heading) && entry.is_none());
    s.when("struck through", -4.0, unit.struck);
    s.when("leads to a list", -1.5, text.ends_with([':', '：']));
    s.when("says only that it is over", -3.0, status::is_state(reading, unit));
    s.when("nothing that is done", -4.0, deeds == 0 && !change && !(eased && done > 0.0) && unit.has(Cue::FixedBy) < 1.0);
    s
}

/// True where a unit says that what it tells had no effect.
fn is_vain(unit: &Unit) -> bool {
    unit.has(Cue::NoEffect) > 0.0 || concepts(unit, &["rollback-failed", "failover-failed", "scaling-failed"]) > 0
}

/// True where a sentence begins by saying that what was told before it had no effect.
fn leads_in_vain(reading: &Reading, unit: &Unit) -> bool {
    let from = unit.range.start;
    let text = reading.block(unit).text.as_str();
    let early = |r: &Range<usize>| text.get(from..r.start).is_some_and(|t| t.chars().count() <= 40);
    unit.hits.iter().any(|h| h.tag == Tag::Cue(Cue::NoEffect) && early(&h.range)) && first_deed(unit).is_none_or(|d| d > from + 60)
}

/// True where an entry opens by saying that what was told before it had no effect.
fn opens_in_vain(text: &str, reading: &Reading) -> bool {
    let hits = reading.lexicon.scan(text);
    hits.iter().any(|h| h.tag == Tag::Cue(Cue::NoEffect) && text.get(..h.range.start).is_some_and(|t| t.chars().count() <= 40))
        && !hits.iter().any(|h| matches!(h.tag, Tag::Concept(c) if DEEDS.contains(&c.name())))
}

/// True where the first deed is denied: a word of denial right before it (or, in languages that deny behind the word, right after it).
fn denied(reading: &Reading, unit: &Unit) -> bool {
    let text = reading.block(unit).text.as_str();
    let behind = reading.lexicon.file.negation_side == "after";
    let deed = |h: &&crate::lang::Hit| matches!(h.tag, Tag::Concept(c) if DEEDS.contains(&c.name()));
    let Some(deed) = unit.hits.iter().find(deed) else { return false };
    let close = |a: usize, b: usize, most: usize| {
        a <= b && text.get(a..b).is_some_and(|t| t.chars().count() <= most && !t.contains(['.', ',', ';', '。', '、', '，', '；']))
    };
    unit.hits
        .iter()
        .filter(|h| h.tag == Tag::Cue(Cue::Negation))
        .any(|h| if behind { close(deed.range.end, h.range.start, 6) } else { close(h.range.end, deed.range.start, 14) })
}

/// What stopped it, best first; nothing where no deed qualifies.
pub fn stops(reading: &Reading, events: &[Event], actions: &[Fact<Action>]) -> Vec<Stop> {
    let course = Course::new(reading, events, actions);
    let mut found: Vec<Stop> = Vec::new();
    for n in 0..reading.units.len() {
        let points = score(reading, n, events, actions, &course).sum();
        if points >= NEEDED {
            found.push(Stop { unit: n, event: course.of_unit[n], action: course.action_of[n], points });
        }
    }
    // of deeds that answered, the last one before the recovery
    let at = |s: &Stop| s.event.and_then(|e| events[e].at.clock.and(events[e].at.seconds()));
    let before = |t: i64| course.over.is_none_or(|over| t <= over);
    if let Some(last) = found.iter().filter_map(at).filter(|t| before(*t)).max() {
        for s in &mut found {
            let own = s.event.and_then(|e| events[e].at.clock.and(events[e].at.seconds()));
            s.points += if own == Some(last) { 1.2 } else { 0.0 };
        }
    }
    found.sort_by(|a, b| b.points.total_cmp(&a.points).then(a.unit.cmp(&b.unit)));
    let best = found.first().map_or(0.0, |s| s.points);
    let mut out: Vec<Stop> = Vec::new();
    for s in found.into_iter().filter(|s| best - s.points <= BEHIND) {
        let again = |o: &Stop| s.event.is_some() && s.event == o.event || s.action.is_some() && s.action == o.action;
        if out.len() < MOST && !out.iter().any(again) {
            out.push(s);
        }
    }
    out
}

/// Gives the entries that tell what stopped it that phase, where nothing stronger is known of them.
pub fn mark(stops: &[Stop], events: &mut [Event]) {
    for e in stops.iter().filter_map(|s| s.event) {
        let e = &mut events[e];
        if e.rule != "label" && e.at.clock.is_some() && matches!(e.phase, None | Some(Phase::Response)) {
            e.phase = Some(Phase::Mitigated);
        }
    }
}
