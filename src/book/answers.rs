//! The questions an engineer asks first, answered from the facts: what happened, what stopped it, why, and how long it took.
//!
//! Each answer is a choice among the facts, never a new sentence; where the text does not tell, the answer is empty.

use super::view::{Action, Bytes, Cause, Event, Incident, Text};

/// A passage chosen as an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Said<'i> {
    /// What the text says.
    pub text: &'i str,
    /// The bytes it stands on.
    pub spans: &'i [Bytes],
    /// Line, from 1.
    pub line: usize,
    /// Concepts found in it.
    pub concepts: &'i [String],
    /// The anchor of the fact it is, where it has one.
    pub anchor: Option<&'i str>,
    /// A command named in it.
    pub command: Option<&'i str>,
}

impl<'i> Said<'i> {
    fn text(t: &'i Text) -> Said<'i> {
        Said { text: &t.text, spans: &t.spans, line: t.line, concepts: &t.concepts, anchor: None, command: None }
    }

    fn event(e: &'i Event) -> Said<'i> {
        Said { text: without_stamp(e), spans: &e.spans, line: e.line, concepts: &e.concepts, anchor: Some(&e.anchor), command: None }
    }

    fn cause(c: &'i Cause) -> Said<'i> {
        Said { text: &c.text, spans: &c.spans, line: c.line, concepts: &c.concepts, anchor: Some(&c.anchor), command: None }
    }

    fn action(a: &'i Action) -> Said<'i> {
        Said { text: &a.text, spans: &a.spans, line: a.line, concepts: &a.concepts, anchor: Some(&a.anchor), command: a.command.as_deref() }
    }
}

/// An entry's text without the stamp it opens with, where the stamp is set off from a sentence of its own.
fn without_stamp(e: &Event) -> &str {
    let Some(rest) = e.text.trim().strip_prefix(e.written.trim()).filter(|_| !e.written.trim().is_empty()) else { return &e.text };
    let said = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '|' | '-' | '–' | '—' | ':' | '：' | ']' | ')'));
    if said.chars().next().is_some_and(|c| !c.is_lowercase() && !c.is_numeric()) { said } else { &e.text }
}

/// How many passages one answer has at most.
const MOST: usize = 2;

fn first<'i, T: 'i>(from: impl Iterator<Item = &'i T>, said: fn(&'i T) -> Said<'i>) -> Option<Vec<Said<'i>>> {
    let found: Vec<_> = from.take(MOST).map(said).collect();
    if found.is_empty() { None } else { Some(found) }
}

fn phase<'i>(i: &'i Incident, name: &'static str) -> impl Iterator<Item = &'i Event> {
    i.timeline.iter().filter(move |e| e.phase.as_deref() == Some(name))
}

/// What happened: the summary, else the impact, else what the timeline tells of the impact.
pub fn happened(i: &Incident) -> Vec<Said<'_>> {
    let summary = first(i.summary.iter(), Said::text);
    summary.or_else(|| first(i.impact.iter(), Said::text)).or_else(|| first(phase(i, "impact"), Said::event)).unwrap_or_default()
}

/// Why it happened: the root causes, those said without reservation first; else what set it off, else what contributed.
pub fn why(i: &Incident) -> Vec<Said<'_>> {
    let of = |kind: &'static str, hedged: bool| i.causes.iter().filter(move |c| c.kind == kind && c.hedged == hedged);
    let all = ["root", "trigger", "contributing"].into_iter().flat_map(|k| [(k, false), (k, true)]);
    all.into_iter().find_map(|(kind, hedged)| first(of(kind, hedged), Said::cause)).unwrap_or_default()
}

/// What stopped it: what was done to mitigate or is told of as the resolution, a command first; else what the timeline says ended it; else anything done.
pub fn stopped(i: &Incident) -> Vec<Said<'_>> {
    let done = || i.remediation.iter().filter(|a| a.status == "done");
    let ended = |a: &&Action| a.rule == "resolution-section" || a.kind.as_deref() == Some("mitigate");
    let commands = done().filter(ended).filter(|a| a.command.is_some());
    first(commands.chain(done().filter(ended).filter(|a| a.command.is_none())), Said::action)
        .or_else(|| first(phase(i, "mitigated"), Said::event))
        .or_else(|| first(done().filter(|a| a.kind.as_deref() == Some("repair")), Said::action))
        .or_else(|| first(phase(i, "resolved"), Said::event))
        .or_else(|| first(done(), Said::action))
        .unwrap_or_default()
}

/// What a hit tells of the cure: the passage, `done` or `planned`, and what it was meant to do (`stopped` for what ended the incident).
pub type Fixed<'i> = (Said<'i>, &'i str, Option<&'i str>);

/// What was done about it and what is planned: what stopped it first, each thing once.
pub fn fixes(i: &Incident) -> Vec<Fixed<'_>> {
    let mut out: Vec<Fixed> = stopped(i).into_iter().map(|s| (s, "done", Some("stopped"))).collect();
    for r in i.remediation.iter().filter(|r| r.status != "declined") {
        if !out.iter().any(|(s, ..)| s.text.contains(r.text.as_str()) || r.text.contains(s.text)) {
            out.push((Said::action(r), &r.status, r.kind.as_deref()));
        }
    }
    out
}

/// How long it lasted: ISO 8601 and the anchors of the events it was computed from (none where the text states it).
pub fn lasted(i: &Incident) -> Option<(&str, &[String])> {
    let m = i.metrics.as_ref()?;
    let best = m.duration.as_ref().or(m.time_to_resolve.as_ref()).or(m.time_to_mitigate.as_ref())?;
    Some((best.value.as_str(), best.from.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_source_is_taken_and_nothing_is_made_up() {
        let mut i = Incident::default();
        assert!(happened(&i).is_empty() && why(&i).is_empty() && stopped(&i).is_empty() && lasted(&i).is_none());
        i.timeline.push(Event { phase: Some("resolved".into()), text: "normal again".into(), ..Event::default() });
        assert_eq!(stopped(&i)[0].text, "normal again");
        i.remediation.push(Action { status: "done".into(), kind: Some("repair".into()), text: "patched".into(), ..Action::default() });
        assert_eq!(stopped(&i)[0].text, "patched");
        i.remediation.push(Action { status: "planned".into(), kind: Some("mitigate".into()), text: "later".into(), ..Action::default() });
        i.remediation.push(Action {
            status: "done".into(),
            kind: Some("mitigate".into()),
            text: "switched over".into(),
            ..Action::default()
        });
        assert_eq!(stopped(&i)[0].text, "switched over");
        i.causes.push(Cause { kind: "contributing".into(), text: "no alert".into(), ..Cause::default() });
        assert_eq!(why(&i)[0].text, "no alert");
        i.causes.push(Cause { kind: "root".into(), text: "a bug".into(), ..Cause::default() });
        assert_eq!(why(&i)[0].text, "a bug");
        i.impact.push(Text { text: "logins failed".into(), ..Text::default() });
        assert_eq!(happened(&i)[0].text, "logins failed");
    }
}
