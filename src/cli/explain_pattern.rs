//! `twiceshy explain pattern`: what a pattern says of itself, which sentences prove it, and how near others come.

use super::args::{Format, Global};
use super::explain::{Subject, text_of, with_reading};
use super::extract::source;
use super::layout::hang;
use super::output::{Output, Style, json, json_line};
use crate::error::{Error, Result};
use crate::facts;
use crate::lang::Concept;
use crate::pattern::Why;
use crate::pipeline::Knowledge;
use serde_json::{Value, json as value};
use std::path::PathBuf;

pub(super) fn pattern(id: &str, files: &[PathBuf], format: Format, knowledge: &Knowledge, global: &Global, out: &Output) -> Result<bool> {
    let Some(pattern) = knowledge.catalogue.get(id) else {
        let near = crate::runbook::nearest(id, knowledge.catalogue.all().iter().map(|p| p.file.id.as_str()));
        let e = Error::new(format!("no pattern `{id}`"));
        return Err(match near {
            Some(n) => e.hint(format!("nearest: {n}")),
            None => e,
        });
    };
    let mut fired = files.is_empty();
    let mut all = Vec::new();
    let mut read = 0;
    for path in files {
        let source = match source(path) {
            Ok(s) => s,
            Err(e) => {
                out.error(&e);
                continue;
            }
        };
        read += 1;
        let rows = with_reading(&source, knowledge, |s| evidence(s, pattern));
        fired |= rows.iter().any(|r| r["fires"] == true);
        all.extend(rows);
    }
    let f = &pattern.file;
    let used = words(pattern, knowledge);
    // a corpus's own pattern: whether its sentences are judged as it says
    if !pattern.text.is_empty() {
        let wrong = crate::pipeline::additions::samples(knowledge);
        wrong.iter().filter(|(of, _)| of == id).for_each(|(_, message)| out.warn(message, None));
    }
    match format {
        Format::Jsonl => {
            for row in &all {
                out.data(&json_line(row)?)?;
            }
        }
        Format::Json => {
            out.data(&json(&value!({"id": id, "family": f.family, "what": f.what, "rule": pattern.path, "words": used, "evidence": all}))?)?
        }
        Format::Human => {
            let title = pattern.title(global.ui.as_deref().unwrap_or("en"));
            out.data(&format!("{}  {title}  {}\n", out.paint(Style::Strong, id), out.paint(Style::Quiet, &f.family)))?;
            out.data(&hang("", 0, 0, &f.what, out.width))?;
            for (label, fires) in [("Fires on", true), ("Nearly", false)] {
                let rows: Vec<&Value> = all.iter().filter(|r| r["fires"] == fires).collect();
                if !rows.is_empty() {
                    out.data(&format!("\n{label}\n"))?;
                }
                for r in rows {
                    if let Some(reasons) = r["reasons"].as_array() {
                        out.data(&hang("", 0, 3, &out.paint(Style::Quiet, &scored(r, reasons)), out.width))?;
                    }
                    out.data(&hang(&out.paint(Style::Quiet, &format!("L{}", r["line"])), 6, 3, &text_of(r, "text"), out.width))?;
                    let found: Vec<String> = r["words"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .map(|w| format!("{}: {}", w[0].as_str().unwrap_or_default(), w[1].as_str().unwrap_or_default()))
                        .collect();
                    out.data(&hang(
                        "",
                        6,
                        3,
                        &format!(
                            "{}  ({:.2}, {})",
                            out.paint(Style::Evidence, &found.join("; ")),
                            r["weight"].as_f64().unwrap_or_default(),
                            text_of(r, "why")
                        ),
                        out.width,
                    ))?;
                }
            }
            if files.is_empty() {
                out.data(&about(pattern, &used, knowledge, global, out))?;
            } else if all.is_empty() && read > 0 {
                out.data("\nNothing in the text comes near.\n")?;
            }
            out.data(&format!("\nrule: {}\n", pattern.path))?;
        }
    }
    Ok(fired)
}

/// A score and what it is made of, in words.
fn scored(row: &Value, reasons: &[Value]) -> String {
    let parts: Vec<String> = reasons
        .iter()
        .take(6)
        .map(|r| format!("{} {:+.1}", r[0].as_str().unwrap_or_default(), r[1].as_f64().unwrap_or_default()))
        .collect();
    let path = row["path"].as_str().unwrap_or_default();
    let carries = row["carries"].as_f64().unwrap_or(1.0);
    let parts = if carries < 0.995 { [parts, vec![format!("times {carries:.2}, being told with reserve")]].concat() } else { parts };
    format!("{path}: {:.2}, a tag from {:.2} ({})", row["score"].as_f64().unwrap_or_default(), facts::TAG, parts.join(", "))
}

/// What a pattern says of itself, its formula, and its words: of the interface's language, or with `-v` of all.
fn about(pattern: &crate::pattern::Pattern, words: &[Value], knowledge: &Knowledge, global: &Global, out: &Output) -> String {
    let f = &pattern.file;
    let ui = global.ui.as_deref().unwrap_or("en");
    let mut made = String::new();
    for (label, lines) in [("How it looks", &f.recognise), ("What has stopped it", &f.stopped), ("What prevents it", &f.prevents)] {
        if !lines.is_empty() {
            made.push_str(&format!("\n{label}\n"));
            lines.iter().for_each(|l| made.push_str(&hang("", 0, 3, l, out.width)));
        }
    }
    if !f.neighbours.is_empty() {
        made.push_str("\nNot to be mistaken for\n");
        f.neighbours.iter().for_each(|(n, why)| made.push_str(&hang(n, 24, 3, why, out.width)));
    }
    for (label, ids) in [("Sets off", &f.sets_off), ("Follows from", &f.follows_from)] {
        if !ids.is_empty() {
            let named: Vec<String> = ids.iter().map(|i| format!("{} ({i})", knowledge.catalogue.title(i, ui))).collect();
            made.push_str(&format!("\n{label}\n{}", hang("", 0, 3, &named.join(", "), out.width)));
        }
    }
    if !f.references.is_empty() {
        made.push_str("\nFurther reading\n");
        f.references.iter().for_each(|r| made.push_str(&hang("", 0, 3, &format!("{} {}", r.title, r.url), out.width)));
    }
    made.push_str("\nRule (each line is evidence; every group needs a word)\n");
    for c in &f.rule.any {
        let mut line = format!("{:.1}  {}", c.weight, c.all.join("  and  ").replace('|', " or "));
        if c.within != crate::pattern::schema::Within::Sentence {
            line.push_str(if c.within == crate::pattern::schema::Within::Section {
                "  (in one section)"
            } else {
                "  (in neighbouring sentences)"
            });
        }
        if !c.not.is_empty() {
            line.push_str(&format!("  without {}", c.not.join(", ").replace('|', ", ")));
        }
        made.push_str(&hang("", 5, 3, &line, out.width));
    }
    made.push_str(&format!("\nWords ({})\n", if global.verbose > 0 { "all languages" } else { ui }));
    for row in words.iter().filter(|r| global.verbose > 0 || r["language"] == ui) {
        let all: Vec<&str> = row["forms"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let shown = if global.verbose > 0 { all.len() } else { 10 };
        let mut forms = all.iter().take(shown).copied().collect::<Vec<_>>().join(", ");
        if all.len() > shown {
            forms.push_str(&format!(" … {} more", all.len() - shown));
        }
        made.push_str(&hang(
            &out.paint(Style::Quiet, &format!("{} {}", text_of(row, "concept"), text_of(row, "language"))),
            26,
            3,
            &forms,
            out.width,
        ));
    }
    made
}

/// The words of every language that a pattern's concepts stand for.
fn words(pattern: &crate::pattern::Pattern, knowledge: &Knowledge) -> Vec<Value> {
    let mut rows = Vec::new();
    for concept in pattern.concepts() {
        let c: Concept = concept;
        for tag in knowledge.languages.tags() {
            if let Some(forms) = knowledge.languages.file(tag).concepts.get(c.name()) {
                rows.push(value!({"concept": c.name(), "language": tag, "file": format!("lang/{tag}.yaml"), "forms": forms}));
            }
        }
    }
    rows
}

/// How many near misses are shown for a file.
const NEAR: usize = 3;

/// The sentences that speak for a pattern, strongest first, and where it is no tag those that came nearest.
fn evidence(s: &Subject, pattern: &crate::pattern::Pattern) -> Vec<Value> {
    let sentences = facts::sentences_of(s.reading);
    let found = facts::weighed(s.reading).into_iter().find(|(t, _)| t.id == pattern.file.id);
    let tagged = found.as_ref().is_some_and(|(t, _)| t.holds());
    let (finding, reasons) = found.map_or_else(Default::default, |(t, f)| (t.finding, facts::reasons(&f)));
    let row = |sentence: usize, words: &[(Concept, std::ops::Range<usize>)]| {
        let unit = &s.reading.units[sentence];
        let block = &s.reading.document.blocks[unit.block];
        let spans = unit.spans(s.reading.document);
        // a stem's hit is shown as the whole word
        let whole = |r: &std::ops::Range<usize>| {
            unit.hits().iter().find(|h| h.range.start == r.start && h.stem == r.end).map_or(r.clone(), |h| h.range.clone())
        };
        let words: Vec<Value> = words.iter().map(|(c, r)| value!([c.name(), &block.text.as_str()[whole(r)]])).collect();
        let line = spans.first().map_or(0, |x| s.source.position(x.start).0);
        value!({"path": s.source.path(), "line": line, "text": unit.text(s.reading.document), "words": words, "spans": spans})
    };
    let with = |mut row: Value, more: Value| {
        if let (Some(r), Value::Object(m)) = (row.as_object_mut(), more) {
            r.extend(m);
        }
        row
    };
    let mut rows: Vec<Value> = Vec::new();
    for (n, e) in finding.evidence.iter().enumerate() {
        let trust = &sentences[e.sentence].trust;
        let why = match (s.reading.units[e.sentence].role, trust.told < 0.8) {
            (Some(r), true) => format!("{}; told with reserve", r.name()),
            (Some(r), false) => r.name().to_string(),
            (None, true) => "told with reserve".into(),
            (None, false) => "no section".into(),
        };
        let mut more = value!({"fires": tagged, "score": finding.score, "weight": e.weight, "why": why});
        if n == 0 {
            more["carries"] = value!((finding.carries() * 100.0).round() / 100.0);
            more["reasons"] = reasons.iter().map(|(name, x)| value!([name, (x * 100.0).round() / 100.0])).collect();
        }
        rows.push(with(row(e.sentence, &e.words), more));
    }
    if !tagged {
        let known: Vec<usize> = finding.evidence.iter().map(|e| e.sentence).collect();
        // a heading of a few words names things and tells nothing
        let tells = |n: usize| !matches!(s.reading.units[n].shape, facts::Shape::Heading);
        let misses = pattern.nearly(&sentences, sentences.len());
        for m in misses.into_iter().filter(|m| !known.contains(&m.sentence) && tells(m.sentence)).take(NEAR) {
            let more = value!({"fires": false, "score": finding.score, "weight": 0.0, "why": reason(pattern, m.clause, m.why)});
            rows.push(with(row(m.sentence, &m.words), more));
        }
    }
    rows
}

/// Why a clause does not hold, in words.
fn reason(pattern: &crate::pattern::Pattern, clause: usize, why: Why) -> String {
    let clause = pattern.file.rule.any.get(clause);
    match why {
        Why::Negated => "negated".into(),
        Why::Apart => "its words are too far apart".into(),
        Why::Holds(c) => format!("left out for its {}", c.name()),
        Why::Elsewhere => "not in a section of the right kind".into(),
        Why::Untold => "not told as something that happened".into(),
        Why::Lacks(n) => match clause.and_then(|c| c.all.get(n)) {
            Some(group) => {
                let others: Vec<String> =
                    clause.iter().flat_map(|c| &c.all).enumerate().filter(|(k, _)| *k != n).map(|(_, g)| short(g)).collect();
                let beside = if others.is_empty() { String::new() } else { format!(" beside {}", others.join(" and ")) };
                format!("lacks {}{beside}", group.replace('|', " or "))
            }
            None => "lacks a word".into(),
        },
    }
}

/// A group of a clause by its first concepts.
fn short(group: &str) -> String {
    let all: Vec<&str> = group.split('|').map(str::trim).collect();
    match all.len() {
        0..=3 => all.join(" or "),
        _ => format!("{} …", all[..3].join(" or ")),
    }
}
