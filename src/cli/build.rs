//! `twiceshy build --out DIR`: the static site.

use super::args::{Build, Global};
use super::output::Output;
use crate::book::Book;
use crate::error::{Error, Result};
use crate::site;
use std::time::Instant;

pub(super) fn run(args: &Build, global: &Global, out: &Output) -> Result<bool> {
    let began = Instant::now();
    let w = super::open(global, out, true)?;
    let all = w.book()?;
    for (id, paths) in all.clashes() {
        return Err(Error::new(format!("two documents have the id `{id}`: {}", paths.join(" and "))).hint("give one of them another `id:` in its front matter"));
    }
    let mut public = Vec::new();
    let mut hidden = 0usize;
    for case in all.cases() {
        if case.incident.audience == args.audience {
            public.push(case.clone());
        } else {
            hidden += 1;
            out.say(&format!("skipped  {}: audience {}", case.incident.source.path, case.incident.audience));
        }
    }
    let book = Book::new(public);
    // links are judged against all incidents, but only what the site holds is linked from it
    let runbooks = w.runbooks()?;
    let broken: Vec<String> = runbooks
        .iter()
        .flat_map(|r| r.links.iter().filter_map(move |l| l.fault.as_ref().map(|f| format!("{}:{}:{}: {f}", r.path, l.line, l.column))))
        .collect();
    for b in &broken {
        out.warn(b, None);
    }
    let mut warnings = broken.len();
    for case in book.cases() {
        for d in case.incident.diagnostics.iter().filter(|d| d.severity != "note") {
            warnings += 1;
            if global.verbose > 0 {
                out.warn(&format!("{}:{}:{}: {}", case.incident.source.path, d.line, d.column, d.message), d.hint.as_deref());
            }
        }
    }
    if args.strict && (hidden > 0 || !broken.is_empty() || !w.problems().is_empty()) {
        return Err(Error::new(format!("--strict: {hidden} documents of another audience, {} broken links, {} unreadable files", broken.len(), w.problems().len())));
    }
    let knowledge = w.knowledge()?;
    let written = site::build(&site::Corpus { book: &book, knowledge_languages: &knowledge.languages, catalogue: &knowledge.catalogue, settings: w.settings(), runbooks: &runbooks, templates: &w.templates()? }, &args.out)?;
    let counts = format!("{} incidents, {} patterns, {} skipped, {warnings} warnings", book.cases().len(), knowledge.catalogue.all().len(), hidden + w.left_out().len());
    out.say(&format!("Wrote {}: {counts}, {} files ({} unchanged), {:.1} s", args.out.display(), written.files, written.unchanged, began.elapsed().as_secs_f64()));
    Ok(true)
}
