//! `twiceshy show ID`: one incident's report.

use super::args::{Global, ReportFormat, Show};
use super::human::{self, Words};
use super::output::{Output, json};
use crate::error::{Error, Result};
use crate::report;

pub(super) fn run(args: &Show, global: &Global, out: &Output) -> Result<bool> {
    let w = super::open(global, out, true)?;
    let book = w.related_book()?;
    // an id, or a document's path: below the corpus, or as it is seen from here; with the line that a search tells to read on at, or without
    let path = args.id.rsplit_once(':').filter(|(_, line)| line.parse::<usize>().is_ok()).map_or(args.id.as_str(), |(path, _)| path);
    let same = |p: &std::path::Path| std::fs::canonicalize(p).ok();
    let here = same(std::path::Path::new(path)).filter(|p| p.is_file());
    let is = |own: &str| own == path || here.as_ref().is_some_and(|h| same(&w.root().join(own)).as_ref() == Some(h));
    let Some(case) = book.get(&args.id).or_else(|| book.cases().iter().find(|c| is(&c.incident.source.path))) else {
        let near = crate::runbook::nearest(&args.id, book.cases().iter().map(|c| c.incident.id.as_str()));
        let part = book.cases().iter().map(|c| c.incident.id.as_str()).find(|id| id.contains(args.id.as_str()));
        let e = Error::new(format!("no incident `{}`", args.id));
        return Err(match near.or(part) {
            Some(n) => e.hint(format!("nearest: {n}")),
            None => e.hint("`twiceshy search` finds ids; `twiceshy search lang:en` lists a language's"),
        });
    };
    let ui = super::ui(global, &w)?;
    let words = Words::for_ui(&ui);
    match args.format {
        ReportFormat::Human => {
            let mut text = human::incident(case, &words, out, global.verbose > 0);
            text.push_str(&human::relations(case, &book, &w.knowledge()?.catalogue, &words, out, &ui));
            out.data(&text)?;
            out.data(&human::diagnostics(case, out))?;
        }
        ReportFormat::Json => out.data(&json(&case.incident)?)?,
        ReportFormat::Markdown => out.data(&report::markdown(case, &|k| words.get(k).to_string()))?,
        ReportFormat::Html => out.data(&report::html(case, &ui, &|k| words.get(k).to_string()))?,
    }
    Ok(true)
}
