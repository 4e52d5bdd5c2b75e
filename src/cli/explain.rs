//! `twiceshy explain …`: how a document was read, and why.

use super::args::{Explain, Files, Format, Global, What};
use super::extract::source;
use super::layout::hang;
use super::output::{Output, Style, json, json_line};
use crate::error::{Error, Result};
use crate::facts::{self, Reading};
use crate::lang::{Concept, Tag};
use crate::pipeline::{Knowledge, language};
use crate::text::Source;
use serde_json::{Value, json as value};
use std::path::PathBuf;

pub(super) fn run(args: &Explain, global: &Global, out: &Output) -> Result<bool> {
    let knowledge = super::knowledge(global, out)?;
    match &args.what {
        What::Pattern { id, files, format } => pattern(id, files, *format, &knowledge, global, out),
        What::Concepts(f) => each(f, &knowledge, out, &concepts, &print_concepts),
        What::Sections(f) => each(f, &knowledge, out, &sections, &print_sections),
        What::Times(f) => each(f, &knowledge, out, &super::times::times, &super::times::print),
    }
}

/// A source being explained.
pub(super) struct Subject<'a> {
    pub source: &'a Source,
    pub reading: &'a Reading<'a>,
    pub knowledge: &'a Knowledge,
}

fn with_reading<T>(source: &Source, knowledge: &Knowledge, work: impl FnOnce(&Subject) -> T) -> T {
    let document = crate::document::parse(source);
    let lexicon = knowledge.languages.lexicon(&language(&document, &knowledge.languages).tag);
    let reading = Reading::new(&document, &lexicon, &knowledge.catalogue);
    work(&Subject { source, reading: &reading, knowledge })
}

type Rows = dyn Fn(&Subject) -> Vec<Value>;
type Print = dyn Fn(&Value, &Output) -> String;

fn each(files: &Files, knowledge: &Knowledge, out: &Output, rows: &Rows, print: &Print) -> Result<bool> {
    let mut all = Vec::new();
    for path in &files.files {
        let source = match source(path) {
            Ok(s) => s,
            Err(e) => {
                out.error(&e);
                continue;
            }
        };
        let found = with_reading(&source, knowledge, rows);
        match files.format {
            Format::Jsonl => {
                for row in &found {
                    out.data(&json_line(row)?)?;
                }
            }
            Format::Json => all.extend(found),
            Format::Human => {
                if files.files.len() > 1 {
                    out.data(&format!("{}\n", out.paint(Style::Strong, source.path())))?;
                }
                for row in &found {
                    out.data(&print(row, out))?;
                }
            }
        }
    }
    if files.format == Format::Json {
        out.data(&json(&all)?)?;
    }
    Ok(true)
}

fn text_of(row: &Value, key: &str) -> String {
    row[key].as_str().unwrap_or_default().to_string()
}

fn concepts(s: &Subject) -> Vec<Value> {
    let mut rows = Vec::new();
    for (n, hits) in s.reading.hits.iter().enumerate() {
        let block = &s.reading.document.blocks[n];
        for h in hits {
            let Tag::Concept(c) = h.tag else { continue };
            let spans = block.text.spans(h.range.clone());
            let at = spans.first().map_or((0, 0), |x| s.source.position(x.start));
            rows.push(value!({"path": s.source.path(), "concept": c.name(), "text": &block.text.as_str()[h.range.clone()], "spans": spans,
                "line": at.0, "column": at.1, "own": h.own}));
        }
    }
    rows
}

fn print_concepts(row: &Value, out: &Output) -> String {
    let place = format!("L{}:{}", row["line"], row["column"]);
    hang(
        &out.paint(Style::Quiet, &place),
        10,
        0,
        &format!("{}  {}", out.paint(Style::Evidence, &text_of(row, "text")), text_of(row, "concept")),
        out.width,
    )
}

fn sections(s: &Subject) -> Vec<Value> {
    let r = s.reading;
    let mut rows = Vec::new();
    let mut last = usize::MAX;
    for (n, unit) in r.units.iter().enumerate() {
        let place = &r.places[unit.block];
        let spans = unit.spans(r.document);
        let line = spans.first().map_or(0, |x| s.source.position(x.start).0);
        if unit.section != last || place.is_heading {
            last = unit.section;
            let heading = place.heading.map(|h| r.document.blocks[h].text.as_str()).unwrap_or_default();
            rows.push(value!({"path": s.source.path(), "section": unit.section, "heading": heading, "role": place.role.map(|x| x.name()),
                "because": place.because.name(), "line": line}));
            if place.is_heading {
                continue;
            }
        }
        let score = |sc: &facts::Score| sc.lines.iter().map(|(what, points)| value!([what, points])).collect::<Vec<_>>();
        let text = r.block(unit).text.as_str();
        let cue = |h: &crate::lang::Hit| if let Tag::Cue(c) = h.tag { Some(value!([c.name(), &text[h.range.clone()]])) } else { None };
        let cues: Vec<Value> = unit.hits.iter().filter_map(cue).collect();
        let concept =
            |h: &crate::lang::Hit| if let Tag::Concept(c) = h.tag { Some(value!([c.name(), &text[h.range.clone()]])) } else { None };
        let concepts: Vec<Value> = unit.hits.iter().filter_map(concept).collect();
        let (cause, action) = (facts::cause_score(r, n), facts::action_score(r, unit));
        rows.push(value!({"path": s.source.path(), "section": unit.section, "line": line, "text": unit.text(r.document), "role": unit.role.map(|x| x.name()),
            "because": place.because.name(), "spans": spans, "cues": cues, "concepts": concepts,
            "cause": {"sum": cause.sum(), "points": score(&cause)}, "action": {"sum": action.sum(), "points": score(&action)}}));
    }
    rows
}

fn print_sections(row: &Value, out: &Output) -> String {
    let role = row["role"].as_str().unwrap_or("-");
    if row.get("heading").is_some() {
        let heading = text_of(row, "heading");
        let heading = if heading.is_empty() { "(before the first heading)".to_string() } else { heading };
        return format!(
            "{}\n",
            hang(
                &out.paint(Style::Quiet, &format!("L{}", row["line"])),
                6,
                0,
                &format!("{}  {role} ({})", out.paint(Style::Strong, &heading), text_of(row, "because")),
                out.width
            )
            .trim_end()
        );
    }
    let points = |key: &str| {
        let lines = row[key]["points"].as_array().map(|a| {
            a.iter()
                .map(|p| format!("{} {:+.1}", p[0].as_str().unwrap_or_default(), p[1].as_f64().unwrap_or_default()))
                .collect::<Vec<_>>()
                .join(", ")
        });
        format!("{key} {:.1}: {}", row[key]["sum"].as_f64().unwrap_or_default(), lines.unwrap_or_default())
    };
    let text: String = text_of(row, "text").chars().take(100).collect();
    let mut made = hang(&out.paint(Style::Quiet, &format!("L{}", row["line"])), 6, 3, &text, out.width);
    let cues: Vec<String> =
        row["cues"].as_array().into_iter().flatten().filter_map(|c| Some(format!("{} `{}`", c[0].as_str()?, c[1].as_str()?))).collect();
    if !cues.is_empty() {
        made.push_str(&hang("", 6, 3, &out.paint(Style::Quiet, &format!("cues: {}", cues.join(", "))), out.width));
    }
    made.push_str(&hang("", 6, 3, &out.paint(Style::Quiet, &points("cause")), out.width));
    made.push_str(&hang("", 6, 3, &out.paint(Style::Quiet, &points("action")), out.width));
    made
}

fn pattern(id: &str, files: &[PathBuf], format: Format, knowledge: &Knowledge, global: &Global, out: &Output) -> Result<bool> {
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
    for path in files {
        let source = match source(path) {
            Ok(s) => s,
            Err(e) => {
                out.error(&e);
                continue;
            }
        };
        let rows = with_reading(&source, knowledge, |s| evidence(s, pattern));
        fired |= rows.iter().any(|r| r["fires"] == true);
        all.extend(rows);
    }
    let f = &pattern.file;
    let used = words(pattern, knowledge);
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
            out.data(&format!("{}  {}\n", out.paint(Style::Strong, id), out.paint(Style::Quiet, &f.family)))?;
            out.data(&hang("", 0, 0, &f.what, out.width))?;
            for (label, fires) in [("Fires on", true), ("Nearly", false)] {
                let rows: Vec<&Value> = all.iter().filter(|r| r["fires"] == fires).collect();
                if !rows.is_empty() {
                    out.data(&format!("\n{label}\n"))?;
                }
                for r in rows {
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
                out.data(&about(pattern, &used, global, out))?;
            } else if all.is_empty() {
                out.data("\nNothing in the text comes near.\n")?;
            }
            out.data(&format!("\nrule: {}\n", pattern.path))?;
        }
    }
    Ok(fired)
}

/// What a pattern says of itself, its formula, and its words: of the interface's language, or with `-v` of all.
fn about(pattern: &crate::pattern::Pattern, words: &[Value], global: &Global, out: &Output) -> String {
    let f = &pattern.file;
    let mut made = String::new();
    for (label, lines) in [("How it looks", &f.recognise), ("What has stopped it", &f.stopped), ("What prevents it", &f.prevents)] {
        if !lines.is_empty() {
            made.push_str(&format!("\n{label}\n"));
            lines.iter().for_each(|l| made.push_str(&hang("", 0, 3, l, out.width)));
        }
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
    let ui = global.ui.as_deref().unwrap_or("en");
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

fn evidence(s: &Subject, pattern: &crate::pattern::Pattern) -> Vec<Value> {
    let sentences = facts::sentences_of(s.reading);
    let all = facts::judge_all(s.reading);
    let found = all.into_iter().find(|t| t.id == pattern.file.id).map(|t| t.finding).unwrap_or_default();
    let tagged = found.score >= facts::TAG;
    let rows = found.evidence.iter().map(|e| {
        let unit = &s.reading.units[e.sentence];
        let block = &s.reading.document.blocks[unit.block];
        let spans = unit.spans(s.reading.document);
        // a stem's hit is shown as the whole word
        let whole = |r: &std::ops::Range<usize>| unit.hits.iter().find(|h| h.range.start == r.start && h.stem == r.end).map_or(r.clone(), |h| h.range.clone());
        let words: Vec<Value> = e.words.iter().map(|(c, r)| value!([c.name(), &block.text.as_str()[whole(r)]])).collect();
        let trust = &sentences[e.sentence].trust;
        let why = match (unit.role, trust.told < 0.8) {
            (Some(r), true) => format!("{}; told with reserve", r.name()),
            (Some(r), false) => r.name().to_string(),
            (None, true) => "told with reserve".into(),
            (None, false) => "no section".into(),
        };
        value!({"path": s.source.path(), "fires": tagged, "score": found.score, "weight": e.weight, "why": why,
            "line": spans.first().map_or(0, |x| s.source.position(x.start).0), "text": unit.text(s.reading.document), "words": words, "spans": spans})
    });
    rows.collect()
}
