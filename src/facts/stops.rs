//! What stopped it: the deed that ended or eased the harm, wherever it is told — in the section about the resolution, in the timeline, among the actions
//! that are done, in prose.
//!
//! A deed is something that people do (roll back, restart, switch off), told as done and not in vain. The state of affairs (`back to normal`), news of it
//! (`status page updated`), what set it off and what is to come are none. Among several the last one before the recovery counts most, and where nothing
//! qualifies there is no answer.

mod deeds;

use super::parts::opens_with;
use super::period::Period;
use super::score::Score;
use super::status::{self, Status};
use super::time::Instant;
use super::timeline::Event;
use super::units::{Reading, Shape, Unit};
use super::{Action, ActionKind, Fact};
use crate::lang::{ConceptSet, Cue, Hit, Phase, Role, Tag};
use deeds::{CHANGES, FAULTS, STRONG, Told, concepts, denied, first_deed, is_vain, leads_in_vain, opens_in_vain, phase_hit};

use std::cell::OnceCell;

pub use deeds::DEEDS;

/// Points a unit needs to be an answer.
const NEEDED: f32 = 2.6;
/// How many answers there are at most.
const MOST: usize = 2;
/// Points a second answer may lie behind the first.
const BEHIND: f32 = 1.2;
/// Points an action that is ticked off needs where nothing else is an answer.
const TICKED: f32 = 1.3;

/// That nobody did it.
static NOBODY: ConceptSet = ConceptSet::new(&["nobody"]);
/// News of the incident.
static NEWS: ConceptSet = ConceptSet::new(&["communication"]);
/// What is done around an incident, not to its harm.
static AROUND: ConceptSet = ConceptSet::new(&["communication", "documentation", "test", "review", "monitor", "alert"]);

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
    /// When it began, by the report's period.
    start: Option<i64>,
    /// When it was over.
    over: Option<i64>,
    /// The events that units tell.
    of_unit: Vec<Option<usize>>,
    /// The actions that units tell.
    action_of: Vec<Option<usize>>,
    /// The order of events in time.
    order: Vec<usize>,
    /// For each event whether it opens by saying that what was told before it was in vain, once it was asked for.
    in_vain: Vec<OnceCell<bool>>,
}

impl Course {
    fn new(reading: &Reading, events: &[Event], actions: &[Fact<Action>], period: Option<&Period>) -> Course {
        let clocked = |e: &&Event| e.at.clock.is_some() && e.at.date.day.is_some();
        let time = |e: &Event| e.at.seconds();
        let of = |wanted: &'static [Phase]| events.iter().filter(clocked).filter(move |e| e.phase.is_some_and(|p| wanted.contains(&p)));
        let begun = of(&[Phase::Detected, Phase::Impact, Phase::Response]).filter_map(time).min();
        // the end of a span that a label, the title or a sentence gives is one as well
        let ends =
            events.iter().filter(clocked).filter(|e| matches!(e.rule, "label" | "title" | "sentence")).filter_map(|e| e.until.as_ref());
        let ends = ends.filter_map(Instant::seconds).max();
        let over = of(&[Phase::Resolved]).filter_map(time).max().max(ends).or_else(|| of(&[Phase::Mitigated]).filter_map(time).max());
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
        let clock = |at: Option<&Instant>| at.filter(|at| at.clock.is_some()).and_then(Instant::seconds);
        let start = clock(period.and_then(|p| p.start.as_ref()));
        let over = over.max(clock(period.and_then(|p| p.end.as_ref())));
        Course { begun, start, over, of_unit, action_of, order, in_vain: vec![OnceCell::new(); events.len()] }
    }

    /// The next event in time.
    fn next(&self, event: usize, events: &[Event]) -> Option<usize> {
        let at = self.order.iter().position(|n| *n == event)?;
        let now = events[event].at.seconds()?;
        let later = |n: &usize| events[*n].at.seconds().is_some_and(|s| s > now) && events[*n].rule != "label";
        self.order[at + 1..].iter().copied().find(later)
    }
}

/// The event that a unit tells: of those that share bytes with it an entry before a sentence.
fn event_of(reading: &Reading, unit: &Unit, by_start: &[(usize, usize, usize)], events: &[Event]) -> Option<usize> {
    let span = reading.block(unit).text.span(unit.range.clone());
    let (from, to) = (span.start, span.end);
    if span.is_empty() {
        return None;
    }
    let upto = by_start.partition_point(|(start, ..)| *start < to);
    let near = by_start[..upto].iter().rev().take(12).filter(|(_, end, _)| *end > from).map(|(.., n)| *n);
    near.filter(|n| events[*n].rule != "label").min_by_key(|n| (usize::from(events[*n].rule == "sentence"), usize::MAX - n))
}

/// The score of a unit as what stopped it.
fn score(reading: &Reading, n: usize, events: &[Event], actions: &[Fact<Action>], course: &Course) -> Score {
    let unit = &reading.units[n];
    let event = course.of_unit[n].map(|e| &events[e]);
    let entry = event.filter(|e| e.rule != "sentence" && e.rule != "title");
    let action = course.action_of[n].map(|a| actions[a].value());
    let mut s = Score::default();
    let ticked = action.is_some_and(|a| a.status == Status::Done) && matches!(unit.role, Some(Role::Remediation | Role::Prevention));
    let told = Told::new(reading, unit, entry.is_some(), ticked);
    let (deeds, changes) = (told.deeds.len(), concepts(unit, &CHANGES));
    let home = matches!(unit.role, Some(Role::Remediation | Role::Prevention));
    let done = unit.has(Cue::Done).max(unit.has(Cue::Past) * 0.6);
    let at = event.and_then(|e| e.at.clock.and(e.at.seconds()));
    let since = at.zip(course.begun).is_some_and(|(at, begun)| at >= begun);
    let answer = since && entry.is_some_and(|e| matches!(e.phase, Some(Phase::Mitigated | Phase::Response | Phase::Resolved)));
    let following = course.of_unit[n].and_then(|n| course.next(n, events));
    let next = following.map(|n| &events[n]);
    let cured = next.is_some_and(|o| matches!(o.phase, Some(Phase::Resolved | Phase::Mitigated)));
    s.add("a deed", 1.5, if deeds > 0 { 1.0 } else { 0.0 });
    s.when("a deed that is seldom anything else", 0.3, told.deeds.iter().any(|d| STRONG.names().contains(d)));
    s.add("several deeds", 0.15, deeds.saturating_sub(1).min(2) as f32);
    let change = changes > 0 && (answer || told.eased || unit.role == Some(Role::Resolution));
    s.when("a change that answers", if deeds > 0 { 0.1 } else { 0.9 }, change);
    let verb = told.verb
        && deeds == 0
        && !change
        && since
        && cured
        && entry.is_some_and(|e| matches!(e.phase, Some(Phase::Response | Phase::Identified | Phase::Mitigated)));
    s.when("something done before it got better", 0.8, verb);
    s.when("words of mitigation", 0.6, told.eased);
    s.when("how it was fixed", 0.9, unit.has(Cue::FixedBy) > 0.0 && (deeds > 0 || change));
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
            Some(Phase::Mitigated) => s.add("phase", 0.9, 1.0),
            Some(Phase::Resolved) => s.add("phase", 0.5, 1.0),
            Some(Phase::Response) | None if clear => s.add("phase", 0.3, 1.0),
            Some(Phase::Trigger) => s.add("phase", -2.0, 1.0),
            Some(Phase::Impact | Phase::Detected) if clear => s.add("phase", -0.8, 1.0),
            Some(Phase::Followup) => s.add("phase", -2.0, 1.0),
            _ => {}
        }
        s.when("before anything was noticed", -4.0, at.zip(course.begun).is_some_and(|(at, begun)| at < begun));
        s.when("when it began", -4.0, at.zip(course.start).is_some_and(|(at, start)| at <= start));
        let bare = e.phase == Some(Phase::Resolved) && deeds == 0 && !told.eased && unit.has(Cue::Done) < 1.0;
        s.when("only that it is over", -3.0, bare);
        s.when("after it was over", -2.4, at.zip(course.over).is_some_and(|(at, over)| at > over));
        s.when("recovery follows", 1.0, cured && e.phase != Some(Phase::Resolved));
        s.when("it goes on", -0.8, next.is_some_and(|o| o.at.clock.is_some() && matches!(o.phase, Some(Phase::Impact | Phase::Detected))));
        let vain = following.is_some_and(|n| *course.in_vain[n].get_or_init(|| opens_in_vain(&events[n], reading)));
        s.when("the next entry says it was in vain", -3.0, vain);
    }
    let deed = first_deed(unit);
    let effect = |h: &Hit| matches!(h.tag, Tag::Cue(Cue::Outcome) | Tag::Phase(Phase::Resolved)) && deed.is_some_and(|d| h.range.start > d);
    s.when("recovery in the same breath", 0.8, told.improved || unit.hits().iter().any(effect));
    let early = deed.is_some_and(|d| unit.hits().iter().any(|h| h.tag == Tag::Phase(Phase::Resolved) && h.range.end <= d));
    s.when("recovery before the deed", -0.8, early && entry.is_none() && unit.has(Cue::FixedBy) < 1.0);
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
    s.add(
        "planned",
        if ticked { 0.0 } else { -1.2 },
        unit.has(Cue::Future).max(unit.has(Cue::Planned) * 0.7) * if done > 0.5 { 0.5 } else { 1.0 },
    );
    s.add("for the future", -1.2, unit.has(Cue::Prevent).max(unit.has(Cue::Now)));
    s.add("hypothesis", -1.6, unit.has(Cue::Hypothesis).max(unit.has(Cue::Hedge) * 0.6));
    let story = entry.is_some() && since || ticked;
    let causal = unit.has(Cue::CauseRight).max(unit.has(Cue::CauseLeft)).max(unit.has(Cue::Contributing));
    s.add("a cause", if story { 0.0 } else { -0.9 }, causal);
    s.add("it set something off", if story { 0.0 } else { -1.2 }, unit.has(Cue::Trigger));
    let wrong = concepts(unit, &FAULTS) > 0;
    s.when("what went wrong, and no deed", -1.5, wrong && deeds == 0 && !told.eased);
    s.when("what went wrong", if story { -0.1 } else { -0.6 }, wrong);
    s.when("nobody", -1.6, concepts(unit, &NOBODY) > 0);
    s.add("an apology or thanks", -1.5, unit.has(Cue::Courtesy));
    s.when("news of it", -1.6, concepts(unit, &NEWS) > 0 && deeds < 2);
    s.when("in vain", -6.0, is_vain(unit) || after.is_some_and(|u| leads_in_vain(reading, u)));
    s.when("denied", -1.6, denied(reading, unit));
    let text = unit.text(reading.document);
    s.when("a question", -4.0, text.trim_end_matches(['*', '_', '"', '”', ' ']).ends_with(['?', '？', '؟']));
    s.when("code", -4.0, matches!(unit.shape, Shape::Code | Shape::Heading) && entry.is_none());
    s.when("struck through", -4.0, unit.struck);
    let command = super::remediation::command(reading, unit).is_some();
    s.when("leads to a list", -1.5, text.ends_with([':', '：']) && !command);
    s.when("with its command", 0.8, command && deeds + changes > 0);
    s.when("says only that it is over", -3.0, status::is_state(reading, unit));
    s.when("nothing that is done", -4.0, deeds == 0 && !change && !verb && !(told.eased && done > 0.0));
    s
}

/// What stopped it, best first; nothing where no deed qualifies.
pub fn stops(reading: &Reading, events: &[Event], actions: &[Fact<Action>], period: Option<&Period>) -> Vec<Stop> {
    let course = Course::new(reading, events, actions, period);
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
    if found.is_empty() {
        found.extend(ticked_off(reading, actions, &course));
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

/// The actions that are ticked off, where nothing else tells what stopped it: the first of those that repair, and look to nothing but the harm.
fn ticked_off(reading: &Reading, actions: &[Fact<Action>], course: &Course) -> Option<Stop> {
    let points = |a: &Action| {
        let unit = &reading.units[a.unit];
        let mut s = Score::default();
        s.when("a box or a word for done", 0.8, matches!(unit.role, Some(Role::Remediation | Role::Resolution)));
        s.when("in vain", -6.0, is_vain(unit));
        s.add("told as done", 0.5, unit.has(Cue::Done).max(unit.has(Cue::Past)));
        s.add("a repair verb", 0.4, unit.has(Cue::Repair));
        s.when("a deed", 0.5, concepts(unit, &DEEDS) + concepts(unit, &CHANGES) > 0);
        s.add("for the future", -1.5, unit.has(Cue::Prevent).max(unit.has(Cue::Now)).max(unit.has(Cue::Future)));
        s.when("news", -1.5, concepts(unit, &AROUND) > 0);
        s.when("in vain", -5.0, is_vain(unit) || denied(reading, unit));
        s.when("only that it is over", -5.0, status::is_state(reading, unit));
        // more than the label must tell that it is a deed
        let label = |h: &Hit| unit.hits().iter().any(|o| matches!(o.tag, Tag::Status(_)) && o.range == h.range);
        let verb = unit.hits().iter().any(|h| h.own && matches!(h.tag, Tag::Cue(Cue::Done | Cue::Past)) && !label(h));
        s.when("no deed", -2.0, !verb && !opens_with(reading, unit, Cue::Repair) && concepts(unit, &CHANGES) + concepts(unit, &DEEDS) == 0);
        s.when("it goes on", -1.5, unit.has(Cue::Planned) > 0.0 && !verb);
        s.sum()
    };
    let kinds = [None, Some(ActionKind::Mitigate), Some(ActionKind::Repair)];
    let fit = |(n, f): (usize, &Fact<Action>)| {
        let a = f.value();
        let fits = a.status == Status::Done && kinds.contains(&a.kind) && points(a) >= TICKED;
        fits.then(|| Stop { unit: a.unit, event: course.of_unit.get(a.unit).copied().flatten(), action: Some(n), points: points(a) })
    };
    actions.iter().enumerate().find_map(fit)
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
