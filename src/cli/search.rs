//! `twiceshy search` and `twiceshy similar`: hits on the terminal.

use super::args::{Format, Global, Search, Similar};
use super::human::{Words, duration};
use super::layout::{hang, wrap};
use super::output::{Output, Style, json, json_line};
use crate::book::answers::in_words;
use crate::error::{Error, Result};
use crate::index::{Hit, Hits, Options, Why};
use crate::text::Source;
use crate::workspace::Workspace;

pub(super) fn search(args: &Search, global: &Global, out: &Output) -> Result<bool> {
    let w = super::open(global, out, !args.no_refresh)?;
    let query = args.query.join(" ");
    if !query.chars().any(char::is_alphanumeric) {
        return Err(Error::new("the query is empty").hint("name a symptom, an error text, a service; or `pattern:ID`, `lang:TAG` alone"));
    }
    let asked = crate::terms::query::parse(&query)?;
    for name in &asked.strange {
        out.warn(
            &format!("there is no filter `{name}:`; it is searched as a word"),
            Some("filters are cause: fix: service: pattern: lang: severity: since: until:"),
        );
    }
    if asked.no_day() {
        out.warn("since: lies after until:, so that no day is left", None);
    }
    let ui = super::ui(global, &w)?;
    let options = Options { limit: args.limit, language: Some(ui.clone()), refreshed: refreshed(&w) };
    let hits = w.index().search(&query, &options)?;
    print(&hits, &w, &ui, args.format, out, false)?;
    if args.open
        && let Some(first) = hits.hits.first()
    {
        page(&first.id, &w, &ui)?;
    }
    let found = !hits.hits.is_empty();
    // the process ends here; taking a large corpus apart piece by piece takes longer than the answer
    std::mem::forget(w);
    Ok(found)
}

pub(super) fn similar(args: &Similar, global: &Global, out: &Output) -> Result<bool> {
    let path = args.file.clone().unwrap_or_else(|| "-".into());
    let source = super::extract::source(&path)?;
    let w = super::open(global, out, !args.no_refresh)?;
    let payload = crate::terms::payload::read(source.text().as_str());
    if !payload.text.chars().any(char::is_alphanumeric) {
        return Err(Error::new("there is nothing to compare: the text is empty")
            .hint("`twiceshy similar` reads a file, or standard input: an alert, log lines, a draft"));
    }
    let knowledge = w.knowledge()?;
    let case = crate::pipeline::read(&Source::new(source.path(), payload.text.clone().into_bytes()), knowledge);
    let ui = super::ui(global, &w)?;
    let options = Options { limit: 5, language: Some(ui.clone()), refreshed: refreshed(&w) };
    let hits = w.index().similar(&payload, &case, &knowledge.languages, &options)?;
    if args.format == Format::Human {
        let mut head = format!("read as {}", payload.kind);
        if !payload.alerts.is_empty() {
            head.push_str(&format!(", firing: {}", payload.alerts.join(", ")));
        }
        if !payload.set_aside.is_empty() {
            let noise: Vec<String> = payload.set_aside.iter().map(|(what, n)| format!("{n} {what}")).collect();
            head.push_str(&format!(". Set aside {}", noise.join(", ")));
        }
        for line in wrap(&head, out.width) {
            out.say(&line);
        }
    }
    print(&hits, &w, &ui, args.format, out, true)?;
    Ok(!hits.hits.is_empty())
}

/// Writes an incident's report beside other temporary files and opens it.
fn page(id: &str, w: &Workspace, ui: &str) -> Result<()> {
    let book = w.book()?;
    let Some(case) = book.get(id) else { return Ok(()) };
    let words = Words::for_ui(ui);
    let html = crate::report::html(case, ui, &|k| words.get(k).to_string());
    let mut file = tempfile::Builder::new().prefix("twiceshy-").suffix(".html").tempfile()?;
    std::io::Write::write_all(&mut file, html.as_bytes())?;
    // it must outlive this program, which does not wait for the browser
    let (_, path) = file.keep().map_err(|e| e.error)?;
    super::opener::open(&path)
}

fn refreshed(w: &Workspace) -> usize {
    w.updated().added + w.updated().changed + w.updated().removed
}

fn print(hits: &Hits, w: &Workspace, ui: &str, format: Format, out: &Output, similar: bool) -> Result<()> {
    match format {
        Format::Json => return out.data(&json(hits)?),
        Format::Jsonl => {
            for hit in &hits.hits {
                out.data(&json_line(hit)?)?;
            }
            return Ok(());
        }
        Format::Human => {}
    }
    let words = Words::for_ui(ui);
    let mut text = read_as(hits, &words, out);
    for (n, hit) in hits.hits.iter().enumerate() {
        if n > 0 {
            text.push('\n');
        }
        text.push_str(&one(n + 1, hit, w, &words, out, similar));
    }
    if hits.index.documents == 0 {
        out.warn(
            &format!("{} holds no incidents", w.root().display()),
            Some("name a folder of postmortems with --corpus DIR (Markdown, text, HTML); -v tells what was left out and why"),
        );
    }
    if hits.hits.is_empty() {
        text.push_str(&format!("{}: {}\n", words.get("nothing_found"), out.paint(Style::Strong, &hits.query)));
        let mut row = |label: &str, value: &str| text.push_str(&hang(&out.paint(Style::Quiet, words.get(label)), 11, 3, value, out.width));
        if !hits.tried.is_empty() {
            let tried: Vec<&str> = hits.tried.iter().map(|id| words.get_or(&format!("tried_{id}"), id)).collect();
            row("tried", &tried.join(", "));
        }
        for u in &hits.unmatched {
            row("no_match", &format!("{}; {}: {}", u.filter, words.get("there_are"), u.known.join(", ")));
        }
        row(
            "in",
            &format!(
                "{} / {}",
                words.get("n_incidents").replace("{n}", &hits.index.documents.to_string()),
                words.get("n_languages").replace("{n}", &hits.index.languages.to_string())
            ),
        );
        if !hits.suggested_patterns.is_empty() {
            row("nearest", &hits.suggested_patterns.iter().map(|p| p.id.as_str()).collect::<Vec<_>>().join(", "));
        }
        return out.data(&text);
    }
    if similar && !hits.suggested_patterns.is_empty() {
        text.push_str(&format!("\n{}\n", out.paint(Style::Strong, words.get("text_suggests"))));
        let column = hits.suggested_patterns.iter().map(|p| p.id.len()).max().unwrap_or(10) + 3;
        for p in &hits.suggested_patterns {
            let stopped = p.stopped.as_ref().map(|s| {
                let date = s.date.as_deref().map(|d| format!(" ({d})")).unwrap_or_default();
                format!("{} {}{date}", words.get("stopped_before_by"), clip(in_words(&s.fix.text), 160))
            });
            text.push_str(&hang(&p.id, column, 3, stopped.as_deref().unwrap_or("–"), out.width));
        }
    }
    let count =
        words.get("of_incidents").replace("{n}", &hits.hits.len().to_string()).replace("{total}", &hits.index.documents.to_string());
    text.push_str(&format!("\n{}\n", out.paint(Style::Quiet, &count)));
    out.data(&text)
}

/// Which words were read as others, and which nothing is like; empty where all were found.
fn read_as(hits: &Hits, words: &Words, out: &Output) -> String {
    let u = &hits.understood;
    let arrow = |from: &String, to: &str| format!("{from} → {}", out.paint(Style::Evidence, to));
    let mut told: Vec<String> = u.corrected.iter().map(|(from, to)| arrow(from, to)).collect();
    told.extend(u.stand_in.iter().map(|(from, to)| if to.is_empty() { format!("{from} → –") } else { arrow(from, &to.join(", ")) }));
    if told.is_empty() {
        return String::new();
    }
    let label = words.get("understood_as");
    let column = super::layout::width(label) + 2;
    hang(&out.paint(Style::Quiet, label), column, 0, &told.join("; "), out.width) + "\n"
}

fn one(n: usize, hit: &Hit, w: &Workspace, words: &Words, out: &Output, similar: bool) -> String {
    let mut text = String::new();
    let date = hit.date.clone().unwrap_or_else(|| words.get("no_date").to_string());
    // number and date stand in columns of their own
    let head =
        format!("{} {}", out.paint(Style::Quiet, &super::layout::pad(&n.to_string(), 2)), out.date(&date, &super::layout::pad(&date, 10)));
    text.push_str(&hang(&head, 15, 0, &out.paint(Style::Strong, &hit.title), out.width));
    let mut sub: Vec<String> = hit.services.iter().take(2).cloned().collect();
    sub.push(hit.language.clone());
    sub.push(hit.duration.as_deref().map_or_else(|| words.get("duration_not_stated").to_string(), |d| duration(d, words)));
    sub.extend(hit.severity.clone());
    text.push_str(&hang("", 0, 3, &out.paint(Style::Quiet, &sub.join(" · ")), out.width));
    let labels = ["matched", "reason", "cause", "fix", "read_on"];
    let column = labels.iter().map(|l| super::layout::width(words.get(l))).max().unwrap_or(7) + 2;
    let mut row = |label: &str, value: &str| text.push_str(&hang(&out.paint(Style::Quiet, words.get(label)), column, 3, value, out.width));
    let why = why(&hit.why, out);
    if !why.is_empty() {
        row(if similar { "reason" } else { "matched" }, &why);
    }
    if let Some(c) = &hit.cause {
        row("cause", &mark(&clip(&c.text, 300), &hit.why, out));
    }
    // what is only planned has fixed nothing yet, and says so
    let told = |f: &crate::index::Fix| match f.status.as_str() {
        "done" => clip(in_words(&f.text), 220),
        other => format!("({}) {}", words.get(other), clip(in_words(&f.text), 200)),
    };
    let mut fixes: Vec<String> = hit.fix.iter().filter(|f| f.status == "done").filter_map(|f| f.command.clone()).take(1).collect();
    for text in hit.fix.iter().take(2).map(told) {
        // a sentence that says little beyond the command told already says it again
        let rest = fixes.first().map_or(text.clone(), |c| text.replace(c.as_str(), "…"));
        if fixes.iter().any(|f| bare(f) == bare(&text)) || (rest != text && rest.chars().count() < LITTLE) {
            continue;
        }
        fixes.push(if rest.chars().count() < text.chars().count() { rest } else { text });
    }
    if !fixes.is_empty() {
        let all = fixes.iter().fold(String::new(), |all, f| match all.chars().last() {
            None => f.clone(),
            Some(';') => format!("{all} {f}"),
            Some(_) => format!("{all}; {f}"),
        });
        row("fix", &mark(&all, &hit.why, out));
    }
    if !hit.same_incident.is_empty() {
        row("", &format!("{}: {}", words.get("all_same"), hit.same_incident.join(", ")));
    }
    row("read_on", &format!("{}:{}", shown(w, &hit.path), hit.read_on.max(1)));
    text
}

/// So few letters beside a command are not worth telling it twice.
const LITTLE: usize = 12;

/// The path as an editor opens it from here: below the present folder where it lies there.
fn shown(w: &Workspace, path: &str) -> String {
    let full = w.root().join(path);
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|h| full.strip_prefix(h).ok().map(std::path::Path::to_path_buf));
    below.unwrap_or(full).display().to_string()
}

fn why(list: &[Why], out: &Output) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    for w in list {
        let text = w.text.as_deref().unwrap_or_default();
        match w.kind {
            "pattern" => ids.extend(w.id.clone()),
            "service" | "phrase" => parts.push(format!("{} {}", w.kind, out.paint(Style::Evidence, text))),
            _ => {
                let part = match &w.asked {
                    Some(asked) if !asked.eq_ignore_ascii_case(text) && !text.is_empty() => {
                        format!("{asked} = {}", out.paint(Style::Evidence, text))
                    }
                    _ if text.is_empty() => w.id.clone().unwrap_or_default(),
                    _ => out.paint(Style::Evidence, text),
                };
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
    }
    parts.truncate(8);
    let mut made = parts.join("; ");
    if !ids.is_empty() {
        if !made.is_empty() {
            made.push_str("; ");
        }
        made.push_str(&ids.join(", "));
    }
    made
}

/// A text without what is not a letter or digit.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_string() } else { text.chars().take(most - 1).collect::<String>() + "…" }
}

/// Paints the matched words where they stand in a text.
fn mark(text: &str, list: &[Why], out: &Output) -> String {
    if !out.color {
        return text.to_string();
    }
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for w in list.iter().filter(|w| matches!(w.kind, "word" | "concept" | "phrase")) {
        let Some(word) = w.text.as_deref().filter(|t| !t.is_empty()) else { continue };
        ranges.extend(text.match_indices(word).map(|(i, m)| i..i + m.len()));
    }
    ranges.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
    let mut made = String::new();
    let mut at = 0;
    for r in ranges {
        if r.start >= at {
            made.push_str(&text[at..r.start]);
            made.push_str(&out.paint(Style::Evidence, &text[r.clone()]));
            at = r.end;
        }
    }
    made.push_str(&text[at..]);
    made
}
