//! Runbooks: the list of all, and for each a page with what it links to, what stopped those incidents, and the incidents of the same mechanisms that it
//! does not link to yet.

use super::links::slug;
use super::overview::patterns_of;
use super::shapes::{Card, Edition, Ref};
use super::{Output, Press, RunbookPage, Target};
use crate::error::Result;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How many incidents of the same mechanisms a page names.
const NOT_LINKED: usize = 12;

#[derive(Serialize)]
struct List {
    runbooks: Vec<Row>,
}

/// A runbook in the list.
#[derive(Serialize)]
struct Row {
    anchor: String,
    href: String,
    title: String,
    path: String,
    links: Vec<Linked>,
}

/// A link of a runbook: the line it stands on, `incident`, `pattern` or `missing`, and where it leads.
#[derive(Serialize)]
struct Linked {
    line: usize,
    kind: &'static str,
    link: Ref,
}

#[derive(Serialize)]
struct Shown<'p> {
    title: String,
    path: String,
    links: Vec<Linked>,
    patterns: Vec<Pattern<'p>>,
    cards: Vec<&'p Card>,
    not_linked: Vec<&'p Card>,
    more: Vec<(Ref, usize)>,
}

/// A pattern the runbook links to, with what has stopped it.
#[derive(Serialize)]
struct Pattern<'p> {
    pattern: Ref,
    n: usize,
    stopped: &'p [String],
}

/// Addresses of the runbooks' pages from the root of the edition, by path: a folder named after the file, with a number where two would share it.
pub(crate) fn addresses(runbooks: &[RunbookPage]) -> BTreeMap<&str, String> {
    let paths: BTreeSet<&str> = runbooks.iter().map(|r| r.path.as_str()).collect();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut out = BTreeMap::new();
    for path in paths {
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        let name = slug(stem.strip_prefix("runbooks/").unwrap_or(stem));
        let mut folder = name.clone();
        let mut n = 2;
        while !taken.insert(folder.clone()) {
            folder = format!("{name}-{n}");
            n += 1;
        }
        out.insert(path, format!("runbooks/{}/index.html", super::links::segment(&folder)));
    }
    out
}

/// The list of runbooks and a page for each.
pub(crate) fn pages(press: &Press<'_>) -> Result<Vec<Output>> {
    let e = press.edition;
    let mut sorted: Vec<&RunbookPage> = e.input.runbooks.iter().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    let row = |r: &&RunbookPage| Row {
        anchor: r.path.clone(),
        href: e.runbook_href(&r.path),
        title: title(r),
        path: r.path.clone(),
        links: links(e, r),
    };
    let list = List { runbooks: sorted.iter().map(row).collect() };
    let mut out = vec![press.page("runbooks.html", "runbooks/index.html", "runbooks", e.words.get("runbooks"), &list)?];
    for r in sorted {
        let shown = shown(e, r);
        out.push(press.page("runbook.html", &e.runbook_href(&r.path), "runbooks", &shown.title, &shown)?);
    }
    Ok(out)
}

fn title(r: &RunbookPage) -> String {
    if r.title.is_empty() { r.path.clone() } else { r.title.clone() }
}

/// What it links to, in its order; an incident that is not shown here is not named either.
fn links(e: &Edition<'_>, r: &RunbookPage) -> Vec<Linked> {
    let target = |t: &Target| match t {
        Target::Incident(id) => e.index(id).map(|k| {
            let (href, text) = (e.cards[k].href.clone(), e.cards[k].title.clone());
            ("incident", Ref { id: id.clone(), href, text, lang: Some(e.cards[k].lang.tag.clone()) })
        }),
        Target::Pattern(id) => Some(match e.pattern(id) {
            r if r.href.is_empty() => ("missing", r),
            r => ("pattern", r),
        }),
    };
    r.links.iter().filter_map(|l| target(&l.target).map(|(kind, link)| Linked { line: l.line, kind, link })).collect()
}

fn shown<'p>(e: &'p Edition<'p>, r: &RunbookPage) -> Shown<'p> {
    let mut incidents: BTreeSet<usize> = BTreeSet::new();
    let mut patterns: Vec<&str> = Vec::new();
    for l in &r.links {
        match &l.target {
            Target::Incident(id) => incidents.extend(e.index(id)),
            Target::Pattern(id) if !patterns.contains(&id.as_str()) => patterns.push(id),
            Target::Pattern(_) => {}
        }
    }
    let linked = e.newest(incidents.iter().copied());
    let known = patterns.iter().filter_map(|id| e.input.catalogue.get(id));
    let told: Vec<Pattern<'p>> =
        known.map(|p| Pattern { pattern: e.pattern(&p.file.id), n: e.carrying(&p.file.id).len(), stopped: &p.file.stopped }).collect();
    // whoever keeps the runbook wants to know what has happened since
    let same: BTreeSet<usize> = patterns.iter().flat_map(|id| e.carrying(id).iter().copied()).filter(|k| !incidents.contains(k)).collect();
    let mut fresh = e.newest(same.into_iter());
    fresh.truncate(NOT_LINKED);
    let others = patterns_of(e, &linked).into_iter().filter(|(p, _)| !patterns.contains(&p.id.as_str())).collect();
    Shown {
        title: title(r),
        path: r.path.clone(),
        links: links(e, r),
        patterns: told,
        cards: e.cards(&linked),
        not_linked: e.cards(&fresh),
        more: others,
    }
}
