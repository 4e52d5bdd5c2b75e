//! An incident on the terminal: facts first, each with the line it stands on; labels in the reader's language, evidence in its own.

use super::layout::{hang, pad, width};
use super::output::{Output, Style};
use crate::book::view::{Event, Incident};
use crate::book::{Book, Case, answers, relations};
use crate::lang::Languages;
use crate::pattern::Catalogue;
use std::collections::BTreeMap;

/// The words of the interface in one language, English where it lacks one.
pub(super) struct Words {
    own: BTreeMap<String, String>,
    english: BTreeMap<String, String>,
}

impl Words {
    /// The words of a language.
    pub fn new(languages: &Languages, tag: &str) -> Words {
        let own = if tag == "en" { BTreeMap::new() } else { languages.ui(&languages.normal(tag)) };
        Words { own, english: languages.ui("en") }
    }

    /// The built-in words of a language, without opening any other lexicon.
    pub fn for_ui(tag: &str) -> Words {
        Words::new(&Languages::builtin(), tag)
    }

    /// A word; the key itself where no lexicon has it.
    pub fn get<'w>(&'w self, key: &'w str) -> &'w str {
        self.own.get(key).or_else(|| self.english.get(key)).map_or(key, String::as_str)
    }

    /// A word, or another text where no lexicon has it.
    pub fn get_or<'w>(&'w self, key: &str, other: &'w str) -> &'w str {
        self.own.get(key).or_else(|| self.english.get(key)).map_or(other, String::as_str)
    }
}

/// A duration (`PT1H48M`) for people.
pub(super) fn duration(iso: &str, words: &Words) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut number = String::new();
    let mut in_time = false;
    for c in iso.chars() {
        match c {
            'T' => in_time = true,
            '0'..='9' => number.push(c),
            'D' => out.push(format!("{} {}", std::mem::take(&mut number), words.get("days"))),
            'H' => out.push(format!("{} {}", std::mem::take(&mut number), words.get("hours"))),
            'M' if in_time => out.push(format!("{} {}", std::mem::take(&mut number), words.get("minutes"))),
            'S' => out.push(format!("{} s", std::mem::take(&mut number))),
            _ => number.clear(),
        }
    }
    out.join(" ")
}

/// The day an incident is filed under, or the words for there being none.
pub(super) fn date(incident: &Incident, words: &Words) -> String {
    incident.date().unwrap_or_else(|| words.get("no_date").to_string())
}

/// What the corpus knows beside an incident: other documents about it, and incidents like it with what they share and what stopped them.
pub(super) fn relations(case: &Case, book: &Book, catalogue: &Catalogue, words: &Words, out: &Output, ui: &str) -> String {
    let i = &case.incident;
    let mut text = String::new();
    let named =
        |id: &str| book.get(id).map(|c| format!("{id}  {}", out.paint(Style::Quiet, c.incident.name()))).unwrap_or_else(|| id.to_string());
    if !i.same_incident_as.is_empty() {
        text.push_str(&format!("\n{}\n", out.paint(Style::Strong, words.get("all_same"))));
        i.same_incident_as.iter().for_each(|id| text.push_str(&hang("", 3, 3, &named(id), out.width)));
    }
    let similar = relations::similar_to(book, &i.id);
    if similar.is_empty() {
        return text;
    }
    text.push_str(&format!("\n{}\n", out.paint(Style::Strong, words.get("similar"))));
    for s in &similar {
        let Some(other) = book.get(&s.id) else { continue };
        let day = date(&other.incident, words);
        let mut told = vec![named(&s.id)];
        let title = |id: &String| catalogue.title(id, ui).to_string();
        let shared = [
            ("same_mechanism", s.reason.patterns.iter().map(title).collect::<Vec<_>>().join(words.get("comma"))),
            ("same_service", s.reason.services.join(words.get("comma"))),
            ("same_words", s.reason.concepts.join(" · ")),
        ];
        told.extend(shared.iter().filter(|(_, v)| !v.is_empty()).map(|(k, v)| format!("{}: {v}", words.get(k))));
        if let Some(stop) = answers::stopped(&other.incident).first() {
            told.push(format!("{} {}", words.get("stopped_before_by"), clip(answers::in_words(stop.text))));
        }
        let head = out.date(&day, &pad(&day, 10));
        for (n, line) in told.iter().enumerate() {
            text.push_str(&hang(if n == 0 { &head } else { "" }, 12, 3, line, out.width));
        }
    }
    text
}

/// The whole report.
pub(super) fn incident(case: &Case, words: &Words, out: &Output, verbose: bool) -> String {
    let i = &case.incident;
    let mut text = String::new();
    let line = |n: usize| out.paint(Style::Quiet, &format!("L{n}"));
    text.push_str(&format!("{}\n", out.paint(Style::Strong, i.name())));
    let severity = i.severity.as_ref().map_or_else(|| words.get("severity_not_stated").to_string(), |s| s.written.clone());
    let mut head = vec![date(i, words)];
    head.extend(i.services.iter().take(3).map(|s| s.name.clone()));
    head.extend([i.language.tag.clone(), severity, i.source.path.clone()]);
    text.push_str(&format!("{}\n\n", out.paint(Style::Quiet, &head.join(" · "))));

    let labels = ["what_happened", "how_long", "why", "what_stopped_it"];
    let column = labels.iter().map(|l| width(words.get(l))).max().unwrap_or(8) + 2;
    let none = out.paint(Style::Quiet, words.get("not_stated"));
    let answer = |key: &str, value: Option<String>| {
        hang(&out.paint(Style::Quiet, words.get(key)), column, 0, value.as_deref().unwrap_or(&none), out.width)
    };
    let said = |s: Vec<answers::Said>| s.first().map(|s| format!("{} {}", clip(s.text), line(s.line)));
    text.push_str(&answer("what_happened", said(answers::happened(i))));
    let long = answers::lasted(i).map(|(value, _)| format!("{} ({})", duration(value, words), words.get("computed")));
    text.push_str(&answer("how_long", long));
    text.push_str(&answer("why", said(answers::why(i))));
    text.push_str(&answer("what_stopped_it", said(answers::stopped(i))));

    timeline(i, words, out, verbose, &mut text);
    if !i.causes.is_empty() {
        text.push_str(&format!("\n{}\n", out.paint(Style::Strong, words.get("causes"))));
        let column = ["root", "trigger", "contributing"].iter().map(|k| width(words.get(k))).max().unwrap_or(12) + 2;
        for kind in ["root", "trigger", "contributing"] {
            for c in i.causes.iter().filter(|c| c.kind == kind) {
                let hedged = if c.hedged { format!(" ({})", words.get("hedged")) } else { String::new() };
                text.push_str(&hang(
                    &out.paint(Style::Quiet, words.get(kind)),
                    column,
                    3,
                    &format!("{}{hedged} {}", c.text, line(c.line)),
                    out.width,
                ));
            }
        }
    }
    if !i.remediation.is_empty() {
        text.push_str(&format!("\n{}\n", out.paint(Style::Strong, words.get("remediation"))));
        let column = ["done", "planned", "declined"].iter().map(|k| width(words.get(k))).max().unwrap_or(8) + 2;
        for a in &i.remediation {
            let mut tail: Vec<String> = Vec::new();
            for (key, value) in [("owner", &a.owner), ("due", &a.due), ("ticket", &a.ticket)] {
                if let Some(v) = value {
                    tail.push(format!("{} {v}", words.get(key)));
                }
            }
            let tail = if tail.is_empty() { String::new() } else { format!(" {}", out.paint(Style::Quiet, &tail.join(", "))) };
            text.push_str(&hang(
                &out.paint(Style::Quiet, words.get(&a.status)),
                column,
                3,
                &format!("{}{tail} {}", a.text, line(a.line)),
                out.width,
            ));
        }
    }
    if !i.patterns.is_empty() {
        text.push_str(&format!("\n{}\n", out.paint(Style::Strong, words.get("patterns"))));
        let lines =
            |p: &crate::book::view::Pattern| p.evidence.iter().take(3).map(|e| format!("L{}", e.line)).collect::<Vec<_>>().join(" ");
        let column = i.patterns.iter().map(|p| width(&lines(p))).max().unwrap_or(4) + 2;
        for p in &i.patterns {
            text.push_str(&format!("   {}{}\n", pad(&out.paint(Style::Quiet, &lines(p)), column), p.id));
            if verbose && let Some(e) = p.evidence.first() {
                text.push_str(&hang("", column, 3, &out.paint(Style::Evidence, &e.text), out.width));
            }
        }
        if verbose && !i.patterns_perhaps.is_empty() {
            let ids: Vec<&str> = i.patterns_perhaps.iter().map(|p| p.id.as_str()).collect();
            text.push_str(&hang(
                &out.paint(Style::Quiet, words.get("perhaps")),
                column.max(width(words.get("perhaps")) + 2),
                3,
                &ids.join(", "),
                out.width,
            ));
        }
    }
    text
}

fn clip(text: &str) -> String {
    if text.chars().count() <= 260 { text.to_string() } else { text.chars().take(259).collect::<String>() + "…" }
}

fn timeline(i: &Incident, words: &Words, out: &Output, verbose: bool, text: &mut String) {
    if i.timeline.is_empty() {
        return;
    }
    text.push_str(&format!("\n{}\n", out.paint(Style::Strong, words.get("timeline"))));
    let stamp = |e: &Event| match &e.until {
        Some(u) => format!(
            "{} – {}",
            short(&e.at),
            if u.get(..10) == e.at.get(..10) { short(u).split(' ').next_back().unwrap_or("").to_string() } else { short(u) }
        ),
        None => short(&e.at),
    };
    let shown = if verbose { usize::MAX } else { 30 };
    let stamps = i.timeline.iter().take(shown).map(|e| width(&stamp(e))).max().unwrap_or(10) + 2;
    let phases = i
        .timeline
        .iter()
        .take(shown)
        .filter_map(|e| e.phase.as_deref())
        .map(|p| width(words.get(&format!("phase_{p}"))))
        .max()
        .map_or(0, |w| w + 2);
    for e in i.timeline.iter().take(shown) {
        let phase = e.phase.as_deref().map(|p| words.get(&format!("phase_{p}")).to_string()).unwrap_or_default();
        let label = format!("{}{}", pad(&stamp(e), stamps), pad(&out.paint(Style::Quiet, &phase), phases));
        let body = format!("{} {}", clip(&e.text), out.paint(Style::Quiet, &format!("L{}", e.line)));
        text.push_str(&hang(&label, stamps + phases, 3, &body, out.width));
        for r in &e.readings {
            text.push_str(&hang(
                "",
                stamps + phases,
                3,
                &out.paint(Style::Evidence, &format!("{}: {} = {}", words.get("readings_differ"), r.written, short(&r.at))),
                out.width,
            ));
        }
    }
    if i.timeline.len() > shown {
        text.push_str(&format!("   {} more: -v\n", i.timeline.len() - shown));
    }
}

/// An EDTF instant for people: `2024-06-25 15:40Z`.
pub(super) fn short(at: &str) -> String {
    let Some((day, clock)) = at.split_once('T') else { return at.to_string() };
    let digits = clock.chars().take(5).collect::<String>();
    let zone_at = clock.find(['Z', '+', '-']);
    let zone = zone_at.map_or("", |i| &clock[i..]);
    let day = if day.starts_with("XXXX-XX-XX") { "" } else { day };
    format!("{day} {digits}{zone}").trim().to_string()
}

/// What is to be said about the document, after the report.
pub(super) fn diagnostics(case: &Case, out: &Output) -> String {
    let mut text = String::new();
    for d in case.incident.diagnostics.iter().filter(|d| d.severity != "note") {
        let place =
            if d.line > 0 { format!("{}:{}:{}", case.incident.source.path, d.line, d.column) } else { case.incident.source.path.clone() };
        text.push_str(&format!("\n{}: {place}: {}\n", out.paint(Style::Evidence, &d.severity), d.message));
        if let Some(h) = &d.hint {
            text.push_str(&format!("   = {h}\n"));
        }
    }
    text
}
