//! The questions an engineer asks first, answered from the facts: what happened, what stopped it, why, and how long it took.
//!
//! Each answer is a choice among the facts, never a new sentence; where the text does not tell, the answer is empty.

use super::view::{Action, Bytes, Cause, Event, Incident, Stop, Text};

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
        Said { text: &e.text, spans: &e.spans, line: e.line, concepts: &e.concepts, anchor: Some(&e.anchor), command: None }
    }

    fn cause(c: &'i Cause) -> Said<'i> {
        Said { text: &c.text, spans: &c.spans, line: c.line, concepts: &c.concepts, anchor: Some(&c.anchor), command: None }
    }

    fn stop(s: &'i Stop) -> Said<'i> {
        let (anchor, command) = (s.anchor.as_deref(), s.command.as_deref());
        Said { text: &s.text, spans: &s.spans, line: s.line, concepts: &s.concepts, anchor, command }
    }

    fn action(a: &'i Action) -> Said<'i> {
        Said { text: &a.text, spans: &a.spans, line: a.line, concepts: &a.concepts, anchor: Some(&a.anchor), command: a.command.as_deref() }
    }
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

/// Why it happened: the root causes, those said without reservation first; else what set it off, else what contributed. What the text itself
/// calls a cause, by a heading or a label, goes before what only sounds like one.
pub fn why(i: &Incident) -> Vec<Said<'_>> {
    let of = |kind: &'static str, hedged: bool| {
        let called = |c: &Cause| c.rule != "cause-cue";
        let all = move || i.causes.iter().filter(move |c| c.kind == kind && c.hedged == hedged);
        all().filter(move |c| called(c)).chain(all().filter(move |c| !called(c)))
    };
    let all = ["root", "trigger", "contributing"].into_iter().flat_map(|k| [(k, false), (k, true)]);
    all.into_iter().find_map(|(kind, hedged)| first(of(kind, hedged), Said::cause)).unwrap_or_default()
}

/// Concepts of what went wrong; alone they tell no cure.
const FAULTS: [&str; 14] = [
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
    "could-not",
];

/// True for a passage that tells a cure: no question, no output of a program, not only what went wrong.
fn is_cure(said: &Said) -> bool {
    let faults = said.concepts.iter().filter(|c| FAULTS.contains(&c.as_str())).count();
    let asks = said.text.trim_end_matches(['*', '_', ' ']).ends_with(['?', '？', '؟']);
    !asks && !printed(said.text) && (said.command.is_some() || faults < said.concepts.len() || faults == 0)
}

/// True for a line that a program wrote: a name with its process (`nginx[812]`), or a long id in brackets.
fn printed(text: &str) -> bool {
    let marks = |(at, _): (usize, &str)| {
        let inner = text[at + 1..].split(']').next().unwrap_or_default();
        let process = inner.len() > 1 && inner.bytes().all(|b| b.is_ascii_digit());
        let named = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
        (process && named) || (inner.len() >= 16 && inner.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-'))
    };
    text.match_indices('[').any(marks)
}

/// What stopped it: the deeds that ended or eased the harm; empty where the text tells of none.
pub fn stopped(i: &Incident) -> Vec<Said<'_>> {
    let mut out: Vec<Said> = Vec::new();
    for said in i.stopped.iter().map(Said::stop) {
        // the same is often told in two places
        if out.len() < MOST && !out.iter().any(|o| same(o.text, said.text)) {
            out.push(said);
        }
    }
    out
}

/// True where one of two texts says nothing beyond the other.
fn same(a: &str, b: &str) -> bool {
    let plain = |t: &str| t.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let (a, b) = (plain(a), plain(b));
    a.contains(&b) || b.contains(&a)
}

/// The part of a passage that is told in words: of a table's row the cell that says most, else all of it.
pub fn in_words(text: &str) -> &str {
    let cells = text.split(" | ").map(|c| c.trim_matches(|c: char| c == '|' || c.is_whitespace()));
    let letters = |c: &&str| c.chars().filter(|c| c.is_alphabetic()).count();
    // a pipe within code parts no cells
    let coded = text.match_indices(" | ").any(|(at, _)| text[..at].matches('`').count() % 2 == 1);
    if text.contains(" | ") && !coded { cells.max_by_key(letters).unwrap_or(text) } else { text }
}

/// What a hit tells of the cure: the passage, `done` or `planned`, and what it was meant to do (`stopped` for what ended the incident).
pub type Fixed<'i> = (Said<'i>, &'i str, Option<&'i str>);

/// What was done about it and what is planned: what stopped it first, each thing once.
pub fn fixes(i: &Incident) -> Vec<Fixed<'_>> {
    let mut out: Vec<Fixed> = stopped(i).into_iter().map(|s| (s, "done", Some("stopped"))).collect();
    for r in i.remediation.iter().filter(|r| r.status != "declined") {
        let said = Said::action(r);
        if is_cure(&said) && !out.iter().any(|(s, ..)| same(s.text, &r.text)) {
            out.push((said, &r.status, r.kind.as_deref()));
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
    fn a_row_is_told_by_the_cell_that_says_most() {
        assert_eq!(in_words("14:02 | Restarted the pods | ops"), "Restarted the pods");
        assert_eq!(in_words("grep a|b | wc"), "grep a|b");
        assert_eq!(in_words("We ran `ps | grep nginx` first"), "We ran `ps | grep nginx` first");
        assert_eq!(in_words("no cells"), "no cells");
        assert!(
            printed("node7 worker[4711]: READONLY")
                && !printed("[Platform] restart")
                && !printed("see [1]")
                && !printed("[2024-05-01] restarted")
        );
    }

    #[test]
    fn the_better_source_is_taken_and_nothing_is_made_up() {
        let mut i = Incident::default();
        assert!(happened(&i).is_empty() && why(&i).is_empty() && stopped(&i).is_empty() && lasted(&i).is_none());
        // a state is no answer; the same is told once, and what is planned comes after what stopped it
        i.timeline.push(Event { phase: Some("resolved".into()), text: "normal again".into(), ..Event::default() });
        assert!(stopped(&i).is_empty());
        let stop = |text: &str| Stop { text: text.into(), ..Stop::default() };
        i.stopped = vec![stop("We rolled it back."), stop("we rolled it back")];
        assert_eq!(stopped(&i).len(), 1);
        let action = |status: &str, text: &str| Action { status: status.into(), text: text.into(), ..Action::default() };
        i.remediation =
            vec![action("planned", "later"), action("done", "We rolled it back"), action("done", "Did it?"), action("declined", "never")];
        let told: Vec<&str> = fixes(&i).iter().map(|(s, ..)| s.text).collect();
        assert_eq!(told, ["We rolled it back.", "later"]);
        i.causes.push(Cause { kind: "contributing".into(), text: "no alert".into(), ..Cause::default() });
        assert_eq!(why(&i)[0].text, "no alert");
        i.causes.push(Cause { kind: "root".into(), text: "a bug".into(), ..Cause::default() });
        assert_eq!(why(&i)[0].text, "a bug");
        i.causes[1].rule = "cause-cue".into();
        i.causes.push(Cause { kind: "root".into(), text: "no limit".into(), rule: "cause-section".into(), ..Cause::default() });
        assert_eq!(why(&i)[0].text, "no limit");
        i.impact.push(Text { text: "logins failed".into(), ..Text::default() });
        assert_eq!(happened(&i)[0].text, "logins failed");
    }
}
