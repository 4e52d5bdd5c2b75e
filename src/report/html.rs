//! The report as one HTML file: no script, no request, its style inside.

use super::Words;
use crate::book::Case;
use std::fmt::Write;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}\
h1{font-size:1.6rem}h2{font-size:1.15rem;border-top:1px solid;padding-top:.6rem}table{border-collapse:collapse}\
td{padding:.15rem .8rem .15rem 0;vertical-align:top}blockquote{border-inline-start:4px solid #b37a00;margin:.3rem 0;padding-inline-start:.8rem}\
small{opacity:.75}";

fn safe(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The report of a case as a self-contained page in an interface language.
pub fn html(case: &Case, ui: &str, words: &Words) -> String {
    let i = &case.incident;
    let lang = safe(&i.language.tag);
    let mut o = String::new();
    let label = |k: &str| safe(&words(k));
    // writing to a string cannot fail
    let _ = write!(
        o,
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>{STYLE}</style>\n<h1 lang=\"{lang}\" dir=\"auto\">{}</h1>\n",
        safe(ui),
        safe(i.name()),
        safe(i.name())
    );
    let mut head = vec![i.date().unwrap_or_else(|| words("no_date"))];
    head.extend(i.services.iter().map(|s| s.name.clone()));
    head.push(i.severity.as_ref().map_or_else(|| words("severity_not_stated"), |s| s.written.clone()));
    head.push(i.source.path.clone());
    let _ = writeln!(o, "<p><small>{}</small></p>", safe(&head.join(" · ")));
    for s in &i.summary {
        let _ = writeln!(o, "<p lang=\"{lang}\" dir=\"auto\">{} <small>L{}</small></p>", safe(&s.text), s.line);
    }
    if !i.timeline.is_empty() {
        let _ = writeln!(o, "<h2>{}</h2>\n<table>", label("timeline"));
        for e in &i.timeline {
            let until = e.until.as_ref().map(|u| format!(" – {}", safe(u))).unwrap_or_default();
            let phase = e.phase.as_ref().map(|p| label(&format!("phase_{p}"))).unwrap_or_default();
            let _ = writeln!(
                o,
                "<tr><td>{}{until}<td>{phase}<td lang=\"{lang}\" dir=\"auto\">{} <small>L{}</small>",
                safe(&e.at),
                safe(&e.text),
                e.line
            );
        }
        o.push_str("</table>\n");
    }
    if !i.causes.is_empty() {
        let _ = writeln!(o, "<h2>{}</h2>\n<ul>", label("causes"));
        for c in &i.causes {
            let _ = writeln!(
                o,
                "<li>{}: <span lang=\"{lang}\" dir=\"auto\">{}</span> <small>L{}</small>",
                label(&c.kind),
                safe(&c.text),
                c.line
            );
        }
        o.push_str("</ul>\n");
    }
    if !i.remediation.is_empty() {
        let _ = writeln!(o, "<h2>{}</h2>\n<ul>", label("remediation"));
        for a in &i.remediation {
            let mut tail = String::new();
            for (key, value) in [("owner", &a.owner), ("due", &a.due), ("ticket", &a.ticket)] {
                if let Some(v) = value {
                    let _ = write!(tail, " · {}: {}", label(key), safe(v));
                }
            }
            let _ = writeln!(
                o,
                "<li>{}: <span lang=\"{lang}\" dir=\"auto\">{}</span><small>{tail} L{}</small>",
                label(&a.status),
                safe(&a.text),
                a.line
            );
        }
        o.push_str("</ul>\n");
    }
    if !i.patterns.is_empty() {
        let _ = writeln!(o, "<h2>{}</h2>", label("patterns"));
        for p in &i.patterns {
            let _ = writeln!(o, "<h3>{}</h3>", safe(&p.id));
            for e in p.evidence.iter().take(3) {
                let _ = writeln!(o, "<blockquote lang=\"{lang}\" dir=\"auto\">{} <small>L{}</small></blockquote>", safe(&e.text), e.line);
            }
        }
    }
    o
}
