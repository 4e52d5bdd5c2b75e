//! What an entry tells of, by what stands around it: a change before anything was noticed may have set the incident off, one after it is an answer to it.

use super::{Event, phase};
use crate::lang::{Cue, Lexicon, Phase, Tag};

/// Settles the phases of events by their order in time.
pub(super) fn settle(events: &mut [Event], lexicon: &Lexicon) {
    let clocked = |e: &&Event| e.at.clock.is_some();
    let known = |e: &&Event| matches!(e.phase, Some(Phase::Detected | Phase::Identified | Phase::Response));
    let seen = events.iter().filter(clocked).filter(known).filter_map(|e| e.at.seconds()).min();
    let last = events.iter().filter(clocked).filter_map(|e| e.until.as_ref().unwrap_or(&e.at).date.day_number()).max();
    for e in events.iter_mut() {
        let after = e.at.clock.is_some() && e.at.seconds().zip(seen).is_some_and(|(at, seen)| at > seen);
        if after && e.rule != "label" && e.phase == Some(Phase::Trigger) {
            e.phase = Some(Phase::Response);
        } else if after && e.phase.is_none() && acts(&e.text, lexicon) {
            e.phase = Some(Phase::Response);
        }
        // a sentence about a day after all clocks tells of what followed, the report's own making included
        let later = e.at.clock.is_none() && e.at.date.day_number().zip(last).is_some_and(|(day, last)| day > last);
        if later && e.rule == "sentence" && matches!(e.phase, Some(Phase::Trigger | Phase::Response | Phase::Detected | Phase::Impact)) {
            e.phase = Some(Phase::Followup);
        }
    }
}

/// True where a text tells that something was done about it, and not in vain.
fn acts(text: &str, lexicon: &Lexicon) -> bool {
    let hits = lexicon.scan(text);
    let cue = |wanted: Cue| hits.iter().any(|h| h.own && h.tag == Tag::Cue(wanted));
    let deed = hits.iter().any(|h| matches!(h.tag, Tag::Concept(c) if crate::facts::stops::DEEDS.contains(&c.name())));
    deed && (cue(Cue::Done) || cue(Cue::Past)) && !cue(Cue::Future) && !cue(Cue::Planned) && phase::of(text, lexicon).is_none()
}
