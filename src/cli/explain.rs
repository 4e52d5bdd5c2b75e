//! `twiceshy explain …`: how a document was read, and why.

use super::args::{Explain, Files, Format, Global, What};
use super::extract::source;
use super::layout::hang;
use super::output::{Output, Style, json, json_line};
use crate::error::Result;
use crate::facts::{self, Reading};
use crate::lang::Tag;
use crate::pipeline::{Knowledge, language};
use crate::text::Source;
use serde_json::{Value, json as value};

pub(super) fn run(args: &Explain, global: &Global, out: &Output) -> Result<bool> {
    let knowledge = super::knowledge(global, out)?;
    match &args.what {
        What::Pattern { id, files, format } => super::explain_pattern::pattern(id, files, *format, &knowledge, global, out),
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

pub(super) fn with_reading<T>(source: &Source, knowledge: &Knowledge, work: impl FnOnce(&Subject) -> T) -> T {
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

pub(super) fn text_of(row: &Value, key: &str) -> String {
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
        let cues: Vec<Value> = unit.hits().iter().filter_map(cue).collect();
        let concept =
            |h: &crate::lang::Hit| if let Tag::Concept(c) = h.tag { Some(value!([c.name(), &text[h.range.clone()]])) } else { None };
        let concepts: Vec<Value> = unit.hits().iter().filter_map(concept).collect();
        let (cause, action) = (facts::cause_score(r, n), facts::action_score(r, n));
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
