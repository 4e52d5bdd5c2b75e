//! `twiceshy explain times FILE…`: every date and clock of a document.

use super::explain::Subject;
use super::layout::{hang, pad};
use super::output::{Output, Style};
use crate::pipeline::Moments;
use serde_json::{Value, json};

/// One row a mention, in document order.
pub(super) fn times(s: &Subject) -> Vec<Value> {
    let moments = Moments::new(s.reading, &s.knowledge.languages.lexicon("en"), Some(s.source.path()));
    let row = |m: &crate::facts::time::Mention| {
        let text = &s.reading.document.blocks[m.block].text;
        let spans = text.spans(m.range.clone());
        let readings: Vec<Value> = m.readings.iter().map(|r| json!({"at": r.at.to_string(), "written": r.written})).collect();
        let (line, column) = spans.first().map_or((0, 0), |x| s.source.position(x.start));
        json!({"path": s.source.path(), "written": m.written, "at": m.at.to_string(), "until": m.until.as_ref().map(ToString::to_string),
            "readings": readings, "spans": spans, "line": line, "column": column, "implied": m.implied, "rule": m.rule, "event": m.event})
    };
    moments.times.mentions.iter().map(row).collect()
}

/// A row for people.
pub(super) fn print(row: &Value, out: &Output) -> String {
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
    let implied: Vec<&str> = row["implied"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut value = text("at");
    if let Some(until) = row["until"].as_str() {
        value = format!("{value} – {until}");
    }
    let mut tail = vec![text("rule")];
    if !implied.is_empty() {
        tail.push(format!("implied: {}", implied.join(", ")));
    }
    if row["event"] == true {
        tail.push("event".into());
    }
    let label = out.paint(Style::Quiet, &pad(&format!("L{}", row["line"]), 6));
    let body = format!(
        "{}  {}  {}",
        out.paint(Style::Evidence, &text("written")),
        out.paint(Style::Strong, &value),
        out.paint(Style::Quiet, &tail.join("; "))
    );
    hang(&label, 6, 0, &body, out.width)
}
