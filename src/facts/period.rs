//! When the incident began and ended, as far as the text gives it.

use super::time::{Instant, Times, is_aside, parse};
use super::timeline::{Event, label};
use crate::document::Document;
use crate::lang::{Column, Lexicon, Phase, Role};
use crate::text::{Span, join};

/// Start and end of an incident; at least one is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Period {
    /// When it began.
    pub start: Option<Instant>,
    /// When it was over.
    pub end: Option<Instant>,
    /// The bytes that say so.
    pub spans: Vec<Span>,
    /// The rule that made it.
    pub rule: &'static str,
}

/// One end of the period, with its bytes and rule.
#[derive(Clone)]
struct End {
    at: Instant,
    span: Span,
    rule: &'static str,
}

/// Finds the period: stated in front matter, by labels, by a range in the summary, else by the first entry that tells of harm or of its
/// discovery and the last that tells of its end.
pub fn read(
    document: &Document,
    sections: &[Option<Role>],
    lexicon: &Lexicon,
    english: &Lexicon,
    times: &Times,
    events: &[Event],
) -> Option<Period> {
    let mut start: Option<End> = None;
    let mut end: Option<End> = None;
    for (keys, slot) in [(["start", "started"], &mut start), (["end", "resolved"], &mut end)] {
        let field = keys.iter().find_map(|k| document.front_matter.field(k));
        if let Some(field) = field
            && let Some((at, _)) = field.values.first().and_then(|v| parse(v, lexicon, english))
        {
            *slot = Some(End { at, span: field.span, rule: "front-matter" });
        }
    }
    labels(document, lexicon, times, &mut start, &mut end);
    summary(document, sections, times, &mut start, &mut end);
    told(events, &mut start, &mut end);
    // an end before the start belongs to something else
    if let (Some(a), Some(b)) = (&start, &end)
        && let (Some(x), Some(y)) = (a.at.seconds(), b.at.seconds())
        && y < x
        && a.at.offset().is_some() == b.at.offset().is_some()
    {
        end = None;
    }
    let rule = match (&start, &end) {
        (Some(a), Some(b)) if a.rule == b.rule => a.rule,
        (Some(_), Some(_)) => "several",
        (Some(a), None) => a.rule,
        (None, Some(b)) => b.rule,
        (None, None) => return None,
    };
    let spans = join(start.iter().chain(end.iter()).map(|e| e.span).collect());
    Some(Period { start: start.map(|e| e.at), end: end.map(|e| e.at), spans, rule })
}

fn set(slot: &mut Option<End>, at: &Instant, span: Span, rule: &'static str) {
    if slot.is_none() {
        *slot = Some(End { at: at.clone(), span, rule });
    }
}

/// `Start: …`, `End: …`, `Duration: 14:05–15:20`.
fn labels(document: &Document, lexicon: &Lexicon, times: &Times, start: &mut Option<End>, end: &mut Option<End>) {
    for m in times.mentions.iter().filter(|m| m.at.clock.is_some() || m.at.date.day.is_some()) {
        let block = &document.blocks[m.block];
        let Some(column) = label(block, m, lexicon).and_then(|l| l.column) else { continue };
        let span = block.text.span(m.range.clone());
        let clocked = m.at.clock.is_some();
        match column {
            Column::Start if clocked => set(start, &m.at, span, "label"),
            Column::End if clocked => set(end, m.until.as_ref().unwrap_or(&m.at), span, "label"),
            Column::Start | Column::Duration | Column::Time | Column::Date => {
                if let Some(until) = &m.until {
                    set(start, &m.at, span, "label");
                    set(end, until, span, "label");
                }
            }
            _ => {}
        }
        if column == Column::Start
            && let Some(until) = &m.until
        {
            set(end, until, span, "label");
        }
    }
}

/// The first range of clocks that the summary gives (or what stands before any section).
fn summary(document: &Document, sections: &[Option<Role>], times: &Times, start: &mut Option<End>, end: &mut Option<End>) {
    if start.is_some() && end.is_some() {
        return;
    }
    let role = |b: usize| sections.get(b).copied().flatten();
    let place = |b: usize| matches!(role(b), None | Some(Role::Summary | Role::Impact));
    let rank = |b: usize| usize::from(role(b) != Some(Role::Summary));
    let ranges = times
        .mentions
        .iter()
        .filter(|m| place(m.block) && m.until.is_some() && m.at.clock.is_some() && !(m.lead && role(m.block).is_none()));
    let best = ranges.min_by_key(|m| (rank(m.block), usize::from(m.at.date.civil().is_none()), m.block, m.range.start));
    if let Some(m) = best
        && let Some(until) = &m.until
    {
        let span = document.blocks[m.block].text.span(m.range.clone());
        set(start, &m.at, span, "summary-range");
        set(end, until, span, "summary-range");
    }
    if end.is_none() || start.is_none() {
        // one entry in all that is a range
        let only: Vec<_> =
            times.mentions.iter().filter(|m| m.until.is_some() && m.at.clock.is_some() && !role(m.block).is_some_and(is_aside)).collect();
        if let [m] = only.as_slice()
            && m.event
            && times.mentions.iter().filter(|o| o.event).count() == 1
            && let Some(until) = &m.until
        {
            let span = document.blocks[m.block].text.span(m.range.clone());
            set(start, &m.at, span, "range");
            set(end, until, span, "range");
        }
    }
}

/// What the entries tell.
fn told(events: &[Event], start: &mut Option<End>, end: &mut Option<End>) {
    let span = |e: &Event| e.spans.first().copied().unwrap_or(Span::new(0, 0));
    let clocked = || events.iter().filter(|e| e.at.clock.is_some() && e.at.seconds().is_some());
    let first = |phase: Phase| clocked().filter(move |e| e.phase == Some(phase)).min_by_key(|e| e.at.seconds());
    if start.is_none()
        && let Some(e) = first(Phase::Impact).or_else(|| first(Phase::Detected))
    {
        // what was noticed before the first words of harm began earlier still
        let e = first(Phase::Detected).filter(|d| d.at.seconds() < e.at.seconds()).unwrap_or(e);
        set(start, &e.at, span(e), "first-impact");
    }
    let last = |phase: Phase| clocked().filter(move |e| e.phase == Some(phase)).max_by_key(|e| e.until.as_ref().unwrap_or(&e.at).seconds());
    // what was mitigated is over where nothing tells of harm or search after it
    let goes_on = |e: &&Event| {
        let still = |o: &Event| matches!(o.phase, Some(Phase::Impact | Phase::Detected | Phase::Response | Phase::Identified));
        clocked().any(|o| still(o) && o.at.seconds() > e.at.seconds())
    };
    if end.is_none()
        && let Some(e) = last(Phase::Resolved).or_else(|| last(Phase::Mitigated).filter(|e| !goes_on(e)))
    {
        set(end, e.until.as_ref().unwrap_or(&e.at), span(e), "last-resolved");
    }
}
