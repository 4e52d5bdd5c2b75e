//! What a search for similar incidents is given: an alert, a stack trace, log lines, a chat, a draft. Its form is recognised, what a reader
//! needs is taken out of it, and what only this one occurrence has (ids, addresses, times) is set aside and counted.

use super::noise;
use serde_json::Value;
use std::collections::BTreeMap;

/// A payload, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    /// `alertmanager`, `pagerduty`, `json`, `stack-trace`, `log`, `chat` or `text`.
    pub kind: &'static str,
    /// Its words, noise left out.
    pub text: String,
    /// Names of what fires.
    pub alerts: Vec<String>,
    /// Services that it names as such.
    pub services: Vec<String>,
    /// What was set aside, and how often.
    pub set_aside: BTreeMap<&'static str, usize>,
}

/// Reads a payload.
pub fn read(text: &str) -> Payload {
    let mut out = Payload::default();
    let trimmed = text.trim_start_matches('\u{FEFF}').trim();
    let raw = match serde_json::from_str::<Value>(trimmed) {
        Ok(v @ (Value::Object(_) | Value::Array(_))) => json(&v, &mut out),
        _ => {
            out.kind = kind(trimmed);
            trimmed.to_string()
        }
    };
    let mut clean = String::with_capacity(raw.len());
    for line in raw.lines() {
        clean.push_str(&noise::strip(line, &mut out.set_aside));
        clean.push('\n');
    }
    out.text = clean.trim_end().to_string();
    out
}

/// What kind of plain text it is, by the shapes of its lines.
fn kind(text: &str) -> &'static str {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).take(400).collect();
    let share = |f: &dyn Fn(&str) -> bool| lines.iter().filter(|l| f(l)).count() * 2 >= lines.len().max(1);
    let frame = |l: &str| {
        (l.starts_with("at ") && l.contains(['(', '/', '.']))
            || l.starts_with("File \"")
            || l.starts_with("Caused by:")
            || l.starts_with("Traceback (")
            || l.starts_with("goroutine ")
            || l.starts_with("panic:")
            || l.starts_with("thread '")
    };
    if lines.iter().filter(|l| frame(l)).count() >= 2 {
        return "stack-trace";
    }
    let stamped = |l: &str| l.trim_start_matches('[').split_whitespace().take(2).any(noise::is_time);
    let level = |l: &str| {
        l.split(|c: char| !c.is_ascii_alphabetic())
            .take(12)
            .any(|w| matches!(w, "INFO" | "WARN" | "WARNING" | "ERROR" | "FATAL" | "DEBUG" | "CRITICAL"))
    };
    let says = |l: &str| l.split_once(": ").is_some_and(|(who, _)| who.split_whitespace().count() <= 4 && noise::has_clock(who));
    if share(&says) {
        return "chat";
    }
    if share(&level) || (lines.len() > 1 && share(&stamped)) { "log" } else { "text" }
}

fn string<'v>(v: &'v Value, path: &[&str]) -> Option<&'v str> {
    path.iter().try_fold(v, |v, key| v.get(key)).and_then(Value::as_str).filter(|s| !s.trim().is_empty())
}

fn list(v: &Value) -> &[Value] {
    v.as_array().map_or(&[], Vec::as_slice)
}

fn json(v: &Value, out: &mut Payload) -> String {
    let alerts: Vec<&Value> = match v {
        Value::Array(all) => all.iter().collect(),
        v if v.get("alerts").is_some_and(Value::is_array) => list(&v["alerts"]).iter().collect(),
        v => vec![v],
    };
    if !alerts.is_empty() && alerts.iter().all(|a| a.get("labels").is_some_and(Value::is_object)) {
        out.kind = "alertmanager";
        return alertmanager(&alerts, out);
    }
    if let Some(text) = pagerduty(v, out) {
        out.kind = "pagerduty";
        return text;
    }
    out.kind = "json";
    let mut lines = Vec::new();
    flatten("", v, &mut lines);
    lines.join("\n")
}

fn alertmanager(alerts: &[&Value], out: &mut Payload) -> String {
    let state = |a: &Value| string(a, &["status"]).or(string(a, &["status", "state"])).map(str::to_string);
    let firing: Vec<&&Value> = alerts.iter().filter(|a| state(a).as_deref() != Some("resolved")).collect();
    let chosen: Vec<&&Value> = if firing.is_empty() { alerts.iter().collect() } else { firing };
    let mut lines: Vec<String> = Vec::new();
    for alert in chosen {
        if let Some(name) = string(alert, &["labels", "alertname"]) {
            push(&mut out.alerts, name);
            lines.push(format!("{name}: {}.", spaced(name)));
        }
        for key in ["service", "app", "application", "component", "job"] {
            if let Some(s) = string(alert, &["labels", key]) {
                push(&mut out.services, s);
            }
        }
        for part in ["annotations", "labels"] {
            for (key, value) in alert.get(part).and_then(Value::as_object).into_iter().flatten() {
                if key != "alertname" && !skipped(key) {
                    flatten(key, value, &mut lines);
                }
            }
        }
    }
    let mut seen = Vec::new();
    lines.into_iter().for_each(|l| push(&mut seen, &l));
    seen.join("\n")
}

fn pagerduty(v: &Value, out: &mut Payload) -> Option<String> {
    let mut incidents: Vec<&Value> = Vec::new();
    if v.get("event").is_some_and(|e| e.get("event_type").is_some()) {
        incidents.push(&v["event"]["data"]);
    } else if v.get("messages").is_some_and(Value::is_array) {
        incidents.extend(list(&v["messages"]).iter().map(|m| m.get("incident").unwrap_or(m)));
    } else if v.get("payload").is_some_and(|p| p.get("summary").is_some()) {
        incidents.push(&v["payload"]);
    } else if let Some(i) = v.get("incident").filter(|i| i.get("title").is_some()) {
        incidents.push(i);
    } else {
        return None;
    }
    let mut lines = Vec::new();
    for i in incidents {
        for key in ["title", "summary", "description"] {
            if let Some(s) = string(i, &[key]) {
                push(&mut out.alerts, s);
                break;
            }
        }
        for path in [&["service", "summary"][..], &["service", "name"], &["component"], &["group"]] {
            if let Some(s) = string(i, path) {
                push(&mut out.services, s);
            }
        }
        flatten("", i, &mut lines);
    }
    Some(lines.join("\n"))
}

fn push(to: &mut Vec<String>, value: &str) {
    if !to.iter().any(|v| v == value) {
        to.push(value.to_string());
    }
}

/// Fields that tell nothing about what is wrong.
fn skipped(key: &str) -> bool {
    let k = key.to_ascii_lowercase();
    let ends = [
        "id",
        "_id",
        "url",
        "uri",
        "_at",
        "time",
        "timestamp",
        "key",
        "href",
        "self",
        "fingerprint",
        "token",
        "version",
        "type",
        "receiver",
        "priority",
        "urgency",
        "status",
    ];
    ends.iter().any(|e| k == *e || (e.len() > 2 && k.ends_with(e))) || key.ends_with("At") || key.ends_with("Id")
}

/// All texts of a value as lines, each after the name of its field.
fn flatten(key: &str, v: &Value, lines: &mut Vec<String>) {
    match v {
        Value::String(s) if s.trim().is_empty() => {}
        Value::String(s) if key.is_empty() || s.contains(char::is_whitespace) => push(lines, s.trim()),
        Value::String(s) => push(lines, &format!("{}: {}", spaced(key), s.trim())),
        Value::Array(all) => all.iter().for_each(|v| flatten(key, v, lines)),
        Value::Object(map) => map.iter().filter(|(k, _)| !skipped(k)).for_each(|(k, v)| flatten(k, v, lines)),
        Value::Number(_) | Value::Bool(_) | Value::Null => {}
    }
}

/// `ApiLatencyHigh`, `api_latency-high` as words.
fn spaced(name: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|b| chars[b]);
        let rises = c.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || (before.is_some_and(char::is_uppercase) && chars.get(i + 1).is_some_and(|n| n.is_lowercase())));
        if matches!(c, '_' | '-') {
            out.push(' ');
            continue;
        }
        if rises {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alertmanager_json() {
        let p = read(
            r#"{"version":"4","status":"firing","alerts":[
            {"status":"firing","labels":{"alertname":"ApiLatencyHigh","service":"checkout","pod":"checkout-7d9f8b6c5d-x2x4z","instance":"10.2.3.4:9090","severity":"page"},
             "annotations":{"summary":"p99 latency above 5s","runbook_url":"https://x/y"},"startsAt":"2024-01-01T00:00:00Z","fingerprint":"c0ffee12"},
            {"status":"resolved","labels":{"alertname":"Other"}}]}"#,
        );
        assert_eq!((p.kind, p.alerts, p.services), ("alertmanager", vec!["ApiLatencyHigh".into()], vec!["checkout".into()]));
        assert!(p.text.contains("Api Latency High") && p.text.contains("p99 latency above 5s"), "{}", p.text);
        assert!(!p.text.contains("x2x4z") && !p.text.contains("10.2.3.4") && !p.text.contains("https"), "{}", p.text);
        assert_eq!(p.set_aside, BTreeMap::from([("address", 1), ("pod id", 1)]));
    }

    #[test]
    fn pagerduty_json() {
        let p = read(
            r#"{"event":{"id":"01","event_type":"incident.triggered","data":{"id":"Q1","title":"Disk full on db-1","service":{"id":"P","summary":"Postgres"},"html_url":"https://x"}}}"#,
        );
        assert_eq!((p.kind, p.services), ("pagerduty", vec!["Postgres".into()]));
        assert!(p.text.contains("Disk full on db-1") && !p.text.contains("Q1"), "{}", p.text);
        assert_eq!(read(r#"{"routing_key":"x","payload":{"summary":"OOM in worker","source":"w-1"}}"#).kind, "pagerduty");
        assert_eq!(read(r#"{"msg":"boom","trace_id":"abc"}"#).text, "msg: boom");
    }

    #[test]
    fn plain_kinds() {
        assert_eq!(read("java.lang.X: boom\n  at a.b.C(C.java:1)\n  at d.e.F(F.java:2)").kind, "stack-trace");
        assert_eq!(read("2024-01-01T10:00:00Z ERROR pool exhausted\n2024-01-01T10:00:01Z WARN again").kind, "log");
        assert_eq!(read("[10:02] ana: is it down?\n[10:03] bo: yes").kind, "chat");
        assert_eq!(read("The disk is full").kind, "text");
        assert_eq!(read(""), Payload { kind: "text", ..Payload::default() });
        assert_eq!(read("{broken").kind, "text");
    }
}
