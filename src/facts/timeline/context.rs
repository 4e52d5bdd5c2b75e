//! What an entry tells of, by what stands around it: a change before anything was noticed may have set the incident off, one after it is an answer to it.

use super::Event;
use crate::lang::Phase;

/// Settles the phases of events by their order in time.
pub(super) fn settle(events: &mut [Event]) {
    let clocked = |e: &&Event| e.at.clock.is_some();
    let known = |e: &&Event| matches!(e.phase, Some(Phase::Detected | Phase::Identified | Phase::Response));
    let seen = events.iter().filter(clocked).filter(known).filter_map(|e| e.at.seconds()).min();
    let last = events.iter().filter(clocked).filter_map(|e| e.until.as_ref().unwrap_or(&e.at).date.day_number()).max();
    for e in events.iter_mut() {
        let after = e.at.clock.is_some() && e.at.seconds().zip(seen).is_some_and(|(at, seen)| at > seen);
        if after && e.rule != "label" && e.phase == Some(Phase::Trigger) {
            e.phase = Some(Phase::Response);
        }
        // a sentence about a day after all clocks tells of what followed, the report's own making included
        let later = e.at.clock.is_none() && e.at.date.day_number().zip(last).is_some_and(|(day, last)| day > last);
        if later && e.rule == "sentence" && matches!(e.phase, Some(Phase::Trigger | Phase::Response | Phase::Detected | Phase::Impact)) {
            e.phase = Some(Phase::Followup);
        }
    }
}
