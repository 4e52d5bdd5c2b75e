//! The report in Markdown.

use super::Words;
use crate::book::Case;
use std::fmt::Write;

/// Characters that would be read as markup are escaped; line breaks cannot occur.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The report of a case, in Markdown. `words` gives the labels of the reader's language.
pub fn markdown(case: &Case, words: &Words) -> String {
    let i = &case.incident;
    let mut o = String::new();
    // writing to a string cannot fail
    let _ = writeln!(o, "# {}\n", plain(i.name()));
    let mut head = vec![i.date().unwrap_or_else(|| words("no_date"))];
    head.extend(i.services.iter().map(|s| plain(&s.name)));
    head.push(i.severity.as_ref().map_or_else(|| words("severity_not_stated"), |s| plain(&s.written)));
    head.push(i.language.tag.clone());
    head.push(format!("`{}`", i.source.path.replace('`', "'")));
    let _ = writeln!(o, "{}\n", head.join(" · "));
    for s in &i.summary {
        let _ = writeln!(o, "> {} (L{})", plain(&s.text), s.line);
    }
    if !i.timeline.is_empty() {
        let _ = writeln!(o, "\n## {}\n\n| {} | | |\n| --- | --- | --- |", words("timeline"), words("date"));
        for e in &i.timeline {
            let until = e.until.as_ref().map(|u| format!(" – {u}")).unwrap_or_default();
            let phase = e.phase.as_ref().map(|p| words(&format!("phase_{p}"))).unwrap_or_default();
            let _ = writeln!(o, "| {}{until} | {phase} | {} (L{}) |", e.at, plain(&e.text), e.line);
        }
    }
    if !i.causes.is_empty() {
        let _ = writeln!(o, "\n## {}\n", words("causes"));
        for c in &i.causes {
            let hedged = if c.hedged { format!(" ({})", words("hedged")) } else { String::new() };
            let _ = writeln!(o, "* **{}**{hedged}: {} (L{})", words(&c.kind), plain(&c.text), c.line);
        }
    }
    if !i.remediation.is_empty() {
        let _ = writeln!(o, "\n## {}\n", words("remediation"));
        for a in &i.remediation {
            let done = match a.status.as_str() {
                "done" => "[x]",
                "planned" => "[ ]",
                _ => "[-]",
            };
            let mut tail = String::new();
            for (key, value) in [("owner", &a.owner), ("due", &a.due), ("ticket", &a.ticket)] {
                if let Some(v) = value {
                    let _ = write!(tail, "; {}: {}", words(key), plain(v));
                }
            }
            let _ = writeln!(o, "- {done} {}{tail} (L{})", plain(&a.text), a.line);
        }
    }
    if !i.patterns.is_empty() {
        let _ = writeln!(o, "\n## {}\n", words("patterns"));
        for p in &i.patterns {
            let _ = writeln!(o, "* `{}`", p.id);
            for e in p.evidence.iter().take(2) {
                let _ = writeln!(o, "  > {} (L{})", plain(&e.text), e.line);
            }
        }
    }
    o
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::view;

    #[test]
    fn markup_in_a_document_stays_text() {
        let mut incident = view::Incident { id: "x".into(), ..Default::default() };
        incident.title = Some(view::Text { text: "<script>alert(1)</script> *a* | b".into(), ..Default::default() });
        incident.remediation.push(view::Action {
            status: "planned".into(),
            text: "add `x`".into(),
            owner: Some("@ops".into()),
            line: 4,
            ..Default::default()
        });
        let made = markdown(&Case { incident, body: vec![] }, &|k| k.to_string());
        assert!(made.starts_with("# \\<script\\>alert(1)\\</script\\> \\*a\\* \\| b\n"), "{made}");
        assert!(made.contains("- [ ] add \\`x\\`; owner: @ops (L4)"), "{made}");
    }
}
