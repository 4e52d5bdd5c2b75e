//! The period that the entries of the timeline tell: from the first one that tells of harm (or of what set it off, or of its discovery) to the last
//! one that tells of its end.

use super::super::time::Instant;
use super::super::timeline::Event;
use super::Reader;
use crate::lang::{Column, Cue, Lexicon, Phase, Role, Status, Tag};
use crate::text::Span;

/// Days that an entry may lie before the others and still belong to them.
const NEAR: i64 = 2;

/// Seconds by which the first notice may come before the harm that is told and still be its beginning.
const WARNED: i64 = 3600;

/// What tells events apart in order: the day, then the clock.
fn key(at: &Instant) -> Option<i64> {
    at.seconds().or_else(|| {
        // days of one unknown year
        let year = super::super::time::Year::Known(2000);
        Instant { date: super::super::time::Date { year: Some(year), ..at.date }, ..at.clone() }.seconds()
    })
}

fn span(e: &Event) -> Span {
    e.spans.first().copied().unwrap_or(Span::new(0, 0))
}

fn is_entry(e: &Event) -> bool {
    matches!(e.rule, "entry" | "row" | "stamp-line" | "stamp-below")
}

impl Reader<'_> {
    /// Reads the period off the events.
    pub(super) fn told(&mut self) {
        let events = self.events;
        let clocked = events.iter().any(|e| e.at.clock.is_some());
        let aside = |e: &Event| self.role(e.block).is_some_and(super::is_aside);
        // a sentence that tells of a day counts where nothing tells of clocks
        let days: std::collections::BTreeSet<i64> =
            events.iter().filter(|e| e.at.clock.is_some()).filter_map(|e| e.at.date.day_number()).collect();
        let day_alone = |e: &Event| is_entry(e) && e.at.date.day_number().is_none_or(|d| !days.contains(&d));
        let counts = |e: &&Event| {
            let known = e.at.date.day.is_some() && key(&e.at).is_some();
            known && (is_entry(e) || !aside(e)) && (e.at.clock.is_some() || !clocked || day_alone(e))
        };
        let counted: Vec<&Event> = events.iter().filter(counts).collect();
        if counted.is_empty() {
            return;
        }
        if self.ends.start.is_none()
            && let Some((e, rule)) = self.beginning(&counted)
        {
            self.ends.start(&e.at, span(e), rule);
        }
        if self.ends.end.is_none()
            && let Some((e, rule)) = ending(&counted, self.lexicon)
        {
            self.ends.end(e.until.as_ref().unwrap_or(&e.at), span(e), rule);
        }
    }

    /// Entries that say of themselves that they are the beginning or the end (`… Outage ends.`, `Ende der Störung`): what is told after it is its sequel.
    pub(super) fn named(&mut self) {
        if self.ends.whole() {
            return;
        }
        let clause =
            |c: char| matches!(c, '.' | ',' | ';' | ':' | '(' | ')' | '—' | '–' | '|' | '*' | '。' | '，' | '、' | '：' | '（' | '）');
        // one word (`resolved`, `closed`) may be said of anything
        let several = |c: &&str| c.contains(' ') || c.chars().count() >= 4 && c.chars().all(|c| c as u32 >= 0x2E80);
        let mut said: [Vec<&Event>; 2] = Default::default();
        for e in self.events.iter().filter(|e| is_entry(e) && e.at.clock.is_some() && e.text.len() <= 400) {
            for c in e.text.split(clause).map(str::trim).filter(several).filter(|c| c.chars().count() <= 40) {
                match self.lexicon.exact_column(c) {
                    Some(Column::Start) => said[0].push(e),
                    Some(Column::End) => said[1].push(e),
                    _ => {}
                }
            }
        }
        if let Some(e) = said[0].iter().min_by_key(|e| key(&e.at)) {
            self.ends.start(&e.at, span(e), "named-entry");
        }
        if let Some(e) = said[1].iter().max_by_key(|e| key(&e.at)) {
            self.ends.end(&e.at, span(e), "named-entry");
        }
    }

    /// A log of outages, each with its beginning and end: from the first to the last.
    pub(super) fn log(&mut self) {
        let events = self.events;
        let ranges: Vec<&Event> = events.iter().filter(|e| is_entry(e) && e.until.is_some() && e.at.clock.is_some()).collect();
        let entries = events.iter().filter(|e| is_entry(e)).count();
        if ranges.len() < 3 || ranges.len() < entries {
            return;
        }
        let first = ranges.iter().min_by_key(|e| key(&e.at));
        let last = ranges.iter().max_by_key(|e| e.until.as_ref().and_then(key));
        if let (Some(first), Some(last)) = (first, last)
            && let Some(until) = &last.until
        {
            self.ends.start(&first.at, span(first), "log");
            self.ends.end(until, span(last), "log");
        }
    }

    fn beginning<'e>(&self, events: &[&'e Event]) -> Option<(&'e Event, &'static str)> {
        let first = |phase: Phase| events.iter().filter(move |e| e.phase == Some(phase)).min_by_key(|e| key(&e.at)).copied();
        let harm = first(Phase::Impact);
        let seen = first(Phase::Detected);
        let opening = self.opening(events);
        // a warning long before is none of the harm
        let close = |s: &Event, h: &Event| {
            let answered = |o: &&&Event| matches!(o.phase, Some(Phase::Response | Phase::Identified | Phase::Mitigated));
            let worked = || events.iter().filter(answered).any(|o| key(&s.at) <= key(&o.at) && key(&o.at) < key(&h.at));
            key(&s.at).zip(key(&h.at)).is_some_and(|(a, b)| a < b && (b - a <= WARNED || worked()))
        };
        let best = match (harm, seen) {
            (Some(h), Some(s)) if close(s, h) => Some(s),
            (Some(h), _) => Some(h),
            (None, s) => s,
        };
        if let Some(e) = best {
            // nothing tells of harm before it was seen: it began with what set it off
            let entry = |o: &&&Event| is_entry(o) && o.phase == Some(Phase::Trigger) && key(&o.at) < key(&e.at);
            let near = |o: &&&Event| o.at.date.day_number().zip(e.at.date.day_number()).is_some_and(|(a, b)| b - a <= NEAR);
            let trigger = events.iter().filter(entry).filter(near).max_by_key(|o| key(&o.at)).copied();
            // or with what nobody named, shortly before
            let hour = |o: &&&Event| {
                is_entry(o)
                    && o.phase.is_none()
                    && o.at.clock.is_some()
                    && key(&o.at).zip(key(&e.at)).is_some_and(|(a, b)| a < b && b - a <= 3600)
            };
            let unnamed = events.iter().filter(hour).min_by_key(|o| key(&o.at)).copied();
            let e = if e.phase == Some(Phase::Detected) { trigger.or(unnamed).unwrap_or(e) } else { e };
            let e = opening.filter(|o| key(&o.at) < key(&e.at)).unwrap_or(e);
            return Some((e, "first-impact"));
        }
        if let Some(o) = opening {
            return Some((o, "summary"));
        }
        if events.iter().all(|e| matches!(e.rule, "stamp-line" | "stamp-below")) {
            // updates of a post, which was written when it began
            return None;
        }
        // entries that tell of nothing known: the first of those that lie together
        let mut entries: Vec<&'e Event> = events.iter().copied().filter(|e| is_entry(e) && e.phase != Some(Phase::Followup)).collect();
        entries.sort_by_key(|e| key(&e.at));
        let apart = |w: &[&Event]| w[0].at.date.day_number().zip(w[1].at.date.day_number()).is_some_and(|(a, b)| b - a > NEAR);
        let from = entries.windows(2).take(entries.len() / 2).rposition(apart).map_or(0, |n| n + 1);
        if entries.len() - from >= 3 {
            return Some((entries[from], "first-entry"));
        }
        None
    }

    /// The first moment of which the summary tells.
    fn opening<'e>(&self, events: &[&'e Event]) -> Option<&'e Event> {
        let lead = self.lead();
        let place = |e: &Event| match self.role(e.block) {
            Some(Role::Summary | Role::Impact) => true,
            None => e.block <= lead,
            _ => false,
        };
        let told = |e: &&&Event| e.rule == "sentence" && e.at.clock.is_some() && place(e);
        let e = events.iter().filter(told).min_by_key(|e| key(&e.at)).copied()?;
        (!matches!(e.phase, Some(Phase::Resolved | Phase::Mitigated | Phase::Followup | Phase::Identified))).then_some(e)
    }
}

/// The last entry that tells of the end; what was mitigated is over where nothing tells of harm or search after it. Where no entry tells of an end
/// in words that are known, a list of entries ends with the incident, unless its last entry tells of something else.
fn ending<'e>(events: &[&'e Event], lexicon: &Lexicon) -> Option<(&'e Event, &'static str)> {
    let end = |e: &Event| key(e.until.as_ref().unwrap_or(&e.at));
    let last = |phase: Phase| events.iter().filter(move |e| e.phase == Some(phase)).max_by_key(|e| end(e)).copied();
    let goes_on = |e: &&Event| {
        let still = |o: &Event| matches!(o.phase, Some(Phase::Impact | Phase::Detected | Phase::Response | Phase::Identified));
        events.iter().any(|o| still(o) && key(&o.at) > key(&e.at))
    };
    let entries: Vec<&'e Event> = events.iter().copied().filter(|e| is_entry(e)).collect();
    let updates = !entries.is_empty() && entries.iter().all(|e| matches!(e.rule, "stamp-line" | "stamp-below"));
    // an update tells of many things: what the first of several tells of an end is a hope
    let overtaken = |e: &Event| {
        let (first, later) =
            (entries.iter().all(|o| key(&o.at) >= key(&e.at)), entries.iter().any(|o| o.phase.is_none() && key(&o.at) > key(&e.at)));
        updates && first && later
    };
    if let Some(e) = last(Phase::Resolved).filter(|e| !overtaken(e)) {
        return Some((e, "last-resolved"));
    }
    if let Some(e) = last(Phase::Mitigated).filter(|e| !overtaken(e)) {
        return Some((e, "last-mitigated")).filter(|_| !goes_on(&e));
    }
    let e = entries.iter().max_by_key(|e| key(&e.at)).copied()?;
    let open = e.words(lexicon).iter().any(|h| matches!(h.tag, Tag::Cue(Cue::Planned | Cue::Future) | Tag::Status(Status::Planned)));
    (e.phase.is_none() && !open && entries.len() >= if updates { 2 } else { 3 }).then_some((e, "last-entry"))
}
