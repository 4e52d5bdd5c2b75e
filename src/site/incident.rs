//! The page of an incident: the facts first, then the text they stand on, and links both ways.

use super::figure::{Drawing, draw, lane_name, lane_of};
use super::incident_shapes::*;
use super::links::{allowed, segment};
use super::listing::{order, told};
use super::shapes::{Cite, Edition};
use super::source_text;
use super::stamp::Stamp;
use super::svg::mark;
use super::{Output, Press, Target};
use crate::book::answers;
use crate::book::view::{Event, Incident};
use crate::error::Result;
use serde::Serialize;

/// The page of a case, and the redirects from its former ids.
pub(crate) fn pages(press: &Press<'_>, k: usize) -> Result<Vec<Output>> {
    let e = press.edition;
    let card = &e.cards[k];
    let title = if card.date.show.is_empty() { card.title.clone() } else { format!("{} · {}", card.title, card.date.show) };
    let incident = &e.case(k).incident;
    let mut out = vec![press.page_of(&depends(e, k), ("incident.html", &card.href, "incidents", &title), || page(e, k))?];
    let mut aliases: Vec<&String> = incident.aliases.iter().collect();
    aliases.sort();
    aliases.dedup();
    for alias in aliases {
        // an alias that has become another document's id, or is another's alias too, would stand in its way
        let first = e.input.book.cases().iter().find(|c| c.incident.aliases.contains(alias)).is_none_or(|c| c.incident.id == incident.id);
        if super::links::check_id(alias).is_err() || e.index(alias).is_some() || !first {
            continue;
        }
        #[derive(Serialize)]
        struct Moved<'m> {
            to: String,
            name: &'m str,
        }
        let moved = Moved { to: format!("../{}/index.html", segment(&incident.id)), name: &card.title };
        out.push(press.page("redirect.html", &e.incident_href(alias), "incidents", e.words.get("moved"), &moved)?);
    }
    Ok(out)
}

/// All that the page of a case is made from beside what every page is: change nothing in [`page`] that is not told here.
fn depends<'e>(e: &'e Edition<'_>, k: usize) -> impl Serialize + 'e {
    let i = &e.case(k).incident;
    let same: Vec<&str> = i.same_incident_as.iter().filter_map(|id| e.index(id)).map(|x| e.card_keys[x].as_str()).collect();
    let likes = e.similar.get(k).map(Vec::as_slice).unwrap_or_default();
    let similar: Vec<_> = likes
        .iter()
        .filter_map(|s| Some((e.card_keys[e.index(&s.id)?].as_str(), &s.reason.patterns, &s.reason.services, &s.reason.concepts)))
        .collect();
    let counts: Vec<usize> = i.patterns.iter().map(|p| e.carrying(&p.id).len()).collect();
    let linked: Vec<_> = e
        .linked
        .get(&Target::Incident(i.id.clone()))
        .into_iter()
        .flatten()
        .map(|(path, title, line)| (e.runbook_href(path), path, title, line))
        .collect();
    (&e.keys[k], &e.card_keys[k], same, similar, counts, linked)
}

fn page<'e>(e: &'e Edition<'e>, k: usize) -> IncidentPage<'e> {
    let case = e.case(k);
    let i = &case.incident;
    let said = |list: Vec<answers::Said<'_>>| list.iter().map(|s| e.said(k, s)).collect::<Vec<_>>();
    let clashes = clashes(e, k);
    let lines = source_text::lines(case, &e.anchors[k], &source_text::marks(case, &e.words), e.input.languages);
    let same = i.same_incident_as.iter().filter_map(|id| e.index(id)).filter(|x| *x != k).map(|x| &e.cards[x]).collect();
    IncidentPage {
        card: &e.cards[k],
        json: format!("{}.json", segment(&i.id)),
        state: state(e, i),
        severity_cite: i.severity.as_ref().and_then(|s| e.cite(k, &s.spans, 0)),
        happened: said(answers::happened(i)),
        why: said(answers::why(i)),
        why_lead: e.cards[k].patterns.iter().take(2).cloned().collect(),
        stopped: said(answers::stopped(i)),
        lasted: lasted(e, k),
        figure: figure(e, k).map(FigureShown::from),
        timeline: timeline(e, k, &clashes),
        clashes,
        causes: causes(e, k),
        cause_count: i.causes.len(),
        action_note: action_note(e, i),
        actions: (0..i.remediation.len()).map(|n| action(e, k, n)).collect(),
        said: passages(e, k),
        patterns: patterns(e, k),
        perhaps: i
            .patterns_perhaps
            .iter()
            .map(|p| Perhaps { pattern: e.pattern(&p.id), cite: p.evidence.first().and_then(|v| e.cite(k, &v.spans, v.line)) })
            .collect(),
        same,
        similar: similar(e, k),
        runbooks: runbooks(e, &Target::Incident(i.id.clone())),
        diagnostics: diagnostics(e, k),
        tags: i.tags.clone(),
        other_fields: &i.other_fields,
        original: i.source_url.clone().filter(|u| allowed(u)),
        path: &i.source.path,
        line_count: lines.last().map_or(0, |l| l.number),
        lines,
    }
}

/// The runbooks that link to something.
pub(crate) fn runbooks(e: &Edition<'_>, target: &Target) -> Vec<RunbookRef> {
    let list = e.linked.get(target).map(Vec::as_slice).unwrap_or_default();
    let one = |(path, title, line): &(String, String, usize)| RunbookRef {
        href: e.runbook_href(path),
        title: title.clone(),
        path: path.clone(),
        line: *line,
    };
    list.iter().map(one).collect()
}

fn state(e: &Edition<'_>, i: &Incident) -> Option<State> {
    let last = i.timeline.iter().rev().filter_map(|t| t.phase.as_deref()).find(|p| matches!(*p, "resolved" | "mitigated"))?;
    Some(State { mark: mark(last, false), name: lane_name(&e.words, lane_of(Some(last))) })
}

fn clock(s: &Stamp) -> String {
    let zone = s.zone().filter(|_| s.has_clock()).map(|z| format!(" {z}")).unwrap_or_default();
    format!("{} {}{zone}", s.date, s.clock).trim().to_string()
}

fn lasted(e: &Edition<'_>, k: usize) -> Lasted {
    let i = &e.case(k).incident;
    let found = answers::lasted(i);
    let event = |anchor: &String| i.timeline.iter().find(|t| t.anchor == *anchor);
    let mut from: Vec<Cite> =
        found.iter().flat_map(|(_, from)| from.iter()).filter_map(event).filter_map(|t| e.cite(k, &t.spans, t.line)).collect();
    if from.is_empty() && found.is_some() {
        // computed from start and end, wherever the text gives them
        for span in i.period.iter().flat_map(|p| &p.spans) {
            from.extend(e.cite(k, std::slice::from_ref(span), 0).filter(|c| from.iter().all(|x| x.href != c.href)));
        }
    }
    let (mut range, mut utc, mut home) = (String::new(), String::new(), String::new());
    if let Some(p) = &i.period {
        let (a, b) = (p.start.as_deref().map(Stamp::read), p.end.as_deref().map(Stamp::read));
        range = match (&a, &b) {
            (Some(a), Some(b)) if a.date == b.date && a.offset == b.offset && a.has_clock() && b.has_clock() => {
                format!("{} {} – {} {}", a.date, a.clock, b.clock, a.zone().unwrap_or_default()).trim().to_string()
            }
            (Some(a), Some(b)) => format!("{} – {}", clock(a), clock(b)),
            (Some(a), None) => format!("{} – ?", clock(a)),
            (None, Some(b)) => format!("? – {}", clock(b)),
            (None, None) => String::new(),
        };
        home = a.as_ref().zip(b.as_ref()).and_then(|(a, b)| e.range_at_home(a, b)).unwrap_or_default();
        let both = a.and_then(|a| a.utc()).zip(b.and_then(|b| b.utc()));
        utc = both.map(|(a, b)| format!("{a} – {b} UTC")).unwrap_or_default();
    }
    let value = found.map(|f| e.words.iso_duration(f.0)).unwrap_or_default();
    let mut others = Vec::new();
    if let Some(m) = &i.metrics {
        let all = [("metric_detect", &m.time_to_detect), ("metric_mitigate", &m.time_to_mitigate), ("metric_resolve", &m.time_to_resolve)];
        for (key, metric) in all {
            let words = metric.as_ref().map(|m| e.words.iso_duration(&m.value)).filter(|w| *w != value);
            others.extend(words.map(|w| (e.words.get(key).to_string(), w)));
        }
    }
    Lasted { value, range, utc, home, from, others }
}

fn figure(e: &Edition<'_>, k: usize) -> Option<super::figure::Figure> {
    let i = &e.case(k).incident;
    let period = i.period.as_ref().and_then(|p| Some((p.start.as_deref()?, p.end.as_deref()?, e.cards[k].lasted.clone())));
    let rtl = e.cards[k].lang.dir == "rtl";
    draw(&Drawing { events: &i.timeline, period, words: &e.words, lang: (&i.language.tag, rtl), zone: e.input.settings.zone.as_deref() })
}

fn clashes(e: &Edition<'_>, k: usize) -> Vec<Clash> {
    let mut out = Vec::new();
    for t in e.case(k).incident.timeline.iter().filter(|t| t.readings.len() > 1) {
        let readings: Vec<ReadingShown> = t
            .readings
            .iter()
            .map(|r| {
                let s = Stamp::read(&r.at);
                let utc = s.utc().map(|u| format!("{u} UTC")).unwrap_or_default();
                let home = e.at_home(&s).unwrap_or_default();
                ReadingShown {
                    written: r.written.clone(),
                    value: clock(&s),
                    utc,
                    home,
                    taken: r.at == t.at,
                    cite: e.cite(k, &r.spans, t.line),
                }
            })
            .collect();
        let decided = readings.iter().any(|r| r.taken);
        out.push(Clash { id: format!("k-{}", t.anchor), fact: t.anchor.clone(), cite: e.cite(k, &t.spans, t.line), readings, decided });
    }
    out
}

fn timeline(e: &Edition<'_>, k: usize, clashes: &[Clash]) -> Timeline {
    let i = &e.case(k).incident;
    let stamps: Vec<Stamp> = i.timeline.iter().map(|t| Stamp::read(&t.at)).collect();
    let mut zones: Vec<i64> = stamps.iter().filter_map(|s| s.offset).collect();
    zones.sort_unstable();
    zones.dedup();
    let zone = match zones.as_slice() {
        [] if stamps.iter().any(Stamp::has_clock) => e.words.get("zone_not_stated").to_string(),
        [] => String::new(),
        [one] => super::stamp::zone_name(*one),
        _ => e.words.get("zones_mixed").to_string(),
    };
    let several = zones.len() > 1;
    let mut day = String::new();
    let mut entries = Vec::new();
    for (t, s) in order(&i.timeline).into_iter().map(|n| (&i.timeline[n], &stamps[n])) {
        let shown = if s.date != day || !s.has_clock() { s.date.clone() } else { String::new() };
        if !s.date.is_empty() {
            day.clone_from(&s.date);
        }
        entries.push(entry(e, k, t, s, shown, several, clashes));
    }
    Timeline { zone, entries }
}

fn entry(e: &Edition<'_>, k: usize, t: &Event, s: &Stamp, day: String, several: bool, clashes: &[Clash]) -> Entry {
    let until = t.until.as_deref().map(Stamp::read);
    let end = until.as_ref().map(|u| {
        if u.date == s.date || u.date.is_empty() { u.clock.clone() } else { format!("{} {}", u.date, u.clock).trim().to_string() }
    });
    let utc = match (s.utc(), until.as_ref().and_then(Stamp::utc)) {
        // a date may stand on a line of its own, a clock stays with its zone
        (Some(a), Some(b)) => format!("{a} – {b}\u{a0}UTC"),
        (Some(a), None) => format!("{a}\u{a0}UTC"),
        _ if several => s.zone().unwrap_or_default(),
        _ => String::new(),
    };
    let home = until.as_ref().and_then(|u| e.range_at_home(s, u)).or_else(|| e.at_home(s));
    Entry {
        anchor: t.anchor.clone(),
        day,
        clock: s.clock.clone(),
        until: end.unwrap_or_default(),
        about: s.about,
        utc,
        home: home.unwrap_or_default(),
        machine: s.machine(),
        title: e.point(s),
        written: t.written.clone(),
        mark: mark(t.phase.as_deref().unwrap_or(""), !s.has_clock()),
        phase: t.phase.as_ref().map(|p| e.words.get(&format!("phase_{p}")).to_string()).unwrap_or_default(),
        quote: e.quote(k, told(t), &t.spans, t.line, &t.concepts),
        clash: clashes.iter().find(|c| c.fact == t.anchor).map(|c| format!("#{}", c.id)),
    }
}

fn causes(e: &Edition<'_>, k: usize) -> Vec<CauseGroup> {
    let i = &e.case(k).incident;
    let mut kinds: Vec<&str> = vec!["root", "trigger", "contributing"];
    for c in &i.causes {
        if !kinds.contains(&c.kind.as_str()) {
            kinds.push(&c.kind);
        }
    }
    let mut out = Vec::new();
    for kind in kinds {
        let of = i.causes.iter().filter(|c| c.kind == kind);
        let items: Vec<CauseItem> = of
            .map(|c| CauseItem { anchor: c.anchor.clone(), hedged: c.hedged, quote: e.quote(k, &c.text, &c.spans, c.line, &c.concepts) })
            .collect();
        if !items.is_empty() {
            out.push(CauseGroup { kind: kind.to_string(), items });
        }
    }
    out
}

/// A remediation item as a row.
pub(crate) fn action(e: &Edition<'_>, k: usize, n: usize) -> ActionRow {
    let a = &e.case(k).incident.remediation[n];
    let due = a.due.as_deref().map(Stamp::read);
    let web = |t: &&String| t.contains("://") && allowed(t);
    ActionRow {
        anchor: a.anchor.clone(),
        status: a.status.clone(),
        kind: a.kind.clone(),
        owner: a.owner.clone(),
        due: a.due.clone(),
        due_date: due.and_then(|d| d.full_date()),
        ticket: a.ticket.clone(),
        ticket_link: a.ticket.as_ref().filter(web).cloned(),
        quote: {
            let mut q = e.quote(k, &a.text, &a.spans, a.line, &a.concepts);
            q.command = a.command.clone();
            q
        },
    }
}

fn action_note(e: &Edition<'_>, i: &Incident) -> String {
    let mut out = Vec::new();
    for status in ["done", "planned", "declined"] {
        let n = i.remediation.iter().filter(|a| a.status == status).count();
        if n > 0 {
            out.push(format!("{n} {}", e.words.get(status).to_lowercase()));
        }
    }
    out.join(", ")
}

fn passages(e: &Edition<'_>, k: usize) -> Vec<SaidGroup> {
    let i = &e.case(k).incident;
    let mut out = Vec::new();
    for (key, list) in [("impact", &i.impact), ("detection", &i.detection), ("lessons", &i.lessons)] {
        let one =
            |(n, t): (usize, &crate::book::view::Text)| (format!("{key}-{}", n + 1), e.quote(k, &t.text, &t.spans, t.line, &t.concepts));
        let items: Vec<_> = list.iter().enumerate().map(one).collect();
        if !items.is_empty() {
            out.push(SaidGroup { key, items });
        }
    }
    out
}

fn patterns(e: &Edition<'_>, k: usize) -> Vec<PatternShown> {
    let one = |p: &crate::book::view::Pattern| PatternShown {
        pattern: e.pattern(&p.id),
        count: e.carrying(&p.id).len(),
        what: e.input.catalogue.get(&p.id).map(|p| p.file.what.clone()).unwrap_or_default(),
        proofs: p.evidence.iter().map(|v| e.proof(k, v)).collect(),
    };
    e.case(k).incident.patterns.iter().map(one).collect()
}

fn similar<'e>(e: &'e Edition<'e>, k: usize) -> Vec<Like<'e>> {
    let mut out = Vec::new();
    for s in e.similar.get(k).map(Vec::as_slice).unwrap_or_default() {
        let Some(at) = e.index(&s.id) else { continue };
        out.push(Like {
            card: &e.cards[at],
            patterns: s.reason.patterns.iter().map(|p| e.pattern(p)).collect(),
            services: s.reason.services.clone(),
            concepts: s.reason.concepts.iter().map(|c| e.words.concept(c)).collect(),
        });
    }
    out
}

fn diagnostics(e: &Edition<'_>, k: usize) -> Vec<DiagnosticShown> {
    let one = |d: &crate::book::view::Diagnostic| DiagnosticShown {
        code: d.code.clone(),
        severity: d.severity.clone(),
        message: d.message.clone(),
        hint: d.hint.clone(),
        cite: e.cite(k, &d.spans, d.line),
    };
    e.case(k).incident.diagnostics.iter().map(one).collect()
}
