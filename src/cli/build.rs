//! `twiceshy build --out DIR`: the static site.

use super::args::{Build, Global};
use super::output::Output;
use crate::book::{Book, Case};
use crate::error::{Error, Result};
use crate::runbook::{Runbook, Target};
use crate::site;
use crate::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

pub(super) fn run(args: &Build, global: &Global, out: &Output) -> Result<bool> {
    let began = Instant::now();
    let w = super::open(global, out, true)?;
    let made = make(&w, args, global, out)?;
    let counts = format!(
        "{} incidents, {} patterns, {} skipped, {} warnings",
        made.incidents,
        w.knowledge()?.catalogue.all().len(),
        made.hidden + w.left_out().len(),
        made.warnings
    );
    let done = made.done;
    let files = format!("{} files written, {} unchanged, {} deleted", done.written, done.unchanged, done.deleted);
    out.say(&format!("Wrote {}: {counts}; {files}; {:.1} s", args.out.display(), began.elapsed().as_secs_f64()));
    Ok(true)
}

/// What a build made.
pub(super) struct Made {
    pub incidents: usize,
    /// Documents of another audience.
    pub hidden: usize,
    pub warnings: usize,
    /// What its authors can mend at once.
    pub faults: Vec<String>,
    pub done: site::Written,
}

/// Builds the site of a corpus that is open.
pub(super) fn make(w: &Workspace, args: &Build, global: &Global, out: &Output) -> Result<Made> {
    let same = |p: &std::path::Path| std::fs::canonicalize(p).ok();
    if same(&args.out).is_some_and(|o| Some(o) == same(w.root())) {
        return Err(
            Error::new(format!("{} is the corpus itself", args.out.display())).hint("name a folder of its own for the site, such as site")
        );
    }
    // a site among the documents would hide their folder from the next reading
    if let (Some(out), Some(root)) = (same(&args.out), same(w.root()))
        && let Some(inside) = w.files().documents.iter().find(|d| root.join(&d.path).starts_with(&out))
    {
        return Err(Error::new(format!("{} holds documents of the corpus, such as {}", args.out.display(), inside.path))
            .hint("name a folder of its own for the site, such as site"));
    }
    let all = w.related_book()?;
    if let Some((id, paths)) = all.clashes().into_iter().next() {
        return Err(Error::new(format!("two documents have the id `{id}`: {}", paths.join(" and ")))
            .hint("give one of them another `id:` in its front matter"));
    }
    // links are judged against all incidents, but only what the site holds is linked from it
    let (mut runbooks, unreadable) = w.runbooks_of(&all)?;
    let (public, others): (Vec<Case>, Vec<Case>) = all.into_cases().into_iter().partition(|c| c.incident.audience == args.audience);
    let mut hidden = others.len();
    for Case { incident, .. } in &others {
        out.say(&format!("skipped  {}: audience {}", incident.source.path, incident.audience));
    }
    let book = Book::new(public);
    for p in &unreadable {
        out.warn(&format!("skipped  {}: {}", p.path, p.message), None);
    }
    runbooks.retain(|r| {
        let shown = r.audience == args.audience;
        if !shown {
            hidden += 1;
            out.say(&format!("skipped  {}: audience {}", r.path, r.audience));
        }
        shown
    });
    let broken: Vec<String> = runbooks
        .iter()
        .flat_map(|r| r.links.iter().filter_map(move |l| l.fault.as_ref().map(|f| format!("{}:{}:{}: {f}", r.path, l.line, l.column))))
        .collect();
    for b in &broken {
        out.warn(b, None);
    }
    let doubts = w.doubts()?;
    for d in &doubts {
        out.warn(d, None);
    }
    // files that are not used are told when the corpus is opened
    let mut warnings = broken.len() + unreadable.len() + w.problems().len() + doubts.len();
    let mut faults: Vec<String> = unreadable.iter().map(|p| format!("{}: {}", p.path, p.message)).collect();
    for told in clashing_aliases(&book) {
        warnings += 1;
        out.warn(&told, Some("an alias leads to one document: take it out of the other's front matter"));
        faults.push(told);
    }
    let overrides = w.templates()?;
    for (name, _) in overrides
        .iter()
        .filter(|(name, _)| !site::template_names().any(|n| n == name) && !overrides.iter().any(|(_, text)| text.contains(name.as_str())))
    {
        warnings += 1;
        let told = format!("templates/{name} replaces nothing");
        out.warn(&told, Some("the names are those of templates/README.md; extra.css is added to the style sheet"));
        faults.push(told);
    }
    for case in book.cases() {
        for d in case.incident.diagnostics.iter().filter(|d| d.severity != "note") {
            warnings += 1;
            // what its author can mend at once is always told
            let fault = d.code == "front-matter" || d.severity == "error";
            let told = format!("{}:{}:{}: {}", case.incident.source.path, d.line, d.column, d.message);
            if fault || global.verbose > 0 {
                out.warn(&told, d.hint.as_deref());
            }
            if fault {
                faults.push(told);
            }
        }
    }
    let faulty = faults.len() + w.problems().len();
    if args.strict && hidden + broken.len() + faulty > 0 {
        let what = format!("{hidden} of another audience, {} broken links, {faulty} faults of files", broken.len());
        return Err(Error::new(format!("--strict: {what}; nothing was written")));
    }
    let knowledge = w.knowledge()?;
    let pages: Vec<site::RunbookPage> = runbooks.iter().map(page).collect();
    let set = w.settings();
    let settings = site::Settings {
        title: set.title.clone(),
        base: Some(set.base.clone()).filter(|b| !b.is_empty()),
        languages: set.languages.clone(),
        zone: Some(set.timezone.clone()).filter(|z| !z.is_empty()),
    };
    let told = w.cache().map(|c| c.join("site-search.bin"));
    let memory = site::Memory::of(&args.out)?;
    let memory = if let Some(file) = &told { memory.with(file) } else { memory };
    let input = site::Input {
        book: &book,
        catalogue: &knowledge.catalogue,
        languages: &knowledge.languages,
        settings: &settings,
        runbooks: &pages,
        knowledge: &knowledge.hash,
        overrides: &overrides,
    };
    let outputs = site::render_since(&input, &memory)?;
    let done = site::write(&outputs, &args.out)?;
    if let Some(file) = &told {
        memory.save(file);
    }
    faults.extend(broken);
    Ok(Made { incidents: book.cases().len(), hidden, warnings, faults, done })
}

/// Former ids that lead to more than one document, as they are told.
fn clashing_aliases(book: &Book) -> Vec<String> {
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Case { incident, .. } in book.cases() {
        let names = std::iter::once(&incident.id).chain(&incident.aliases);
        names.collect::<BTreeSet<_>>().into_iter().for_each(|n| owners.entry(n).or_default().push(&incident.source.path));
    }
    let clash = |(name, paths): (&str, Vec<&str>)| (paths.len() > 1).then(|| format!("`{name}` is a name of {}", paths.join(" and of ")));
    owners.into_iter().filter_map(clash).collect()
}

/// A runbook as the site takes it: its links to incidents and patterns.
fn page(r: &Runbook) -> site::RunbookPage {
    let link = |l: &crate::runbook::Link| {
        let target = match &l.target {
            Target::Incident(id) => site::Target::Incident(id.clone()),
            Target::Pattern(id) => site::Target::Pattern(id.clone()),
            Target::Other => return None,
        };
        l.fault.is_none().then_some(site::RunbookLink { line: l.line, target })
    };
    site::RunbookPage { path: r.path.clone(), title: r.title.clone(), links: r.links.iter().filter_map(link).collect() }
}
