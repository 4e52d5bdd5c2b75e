//! The pages of the patterns: what each is, how it looks, what has stopped and what prevents it, and every sentence that proves it.

use super::charts;
use super::feeds::{self, About};
use super::incident_shapes::RunbookRef;
use super::links::allowed;
use super::shapes::{Card, Edition, Quote, Ref};
use super::{Output, Press, Target};
use crate::error::Result;
use crate::pattern::Pattern;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

/// A pattern in a list.
#[derive(Serialize)]
pub(crate) struct Ranked {
    pub pattern: Ref,
    pub what: String,
    pub chart: String,
    pub n: usize,
    /// In the last year of the corpus.
    pub recent: usize,
    pub last: String,
    pub undated: usize,
}

/// Patterns by how many incidents carry them; of equals by id.
pub(crate) fn ranked(e: &Edition<'_>, seen: bool) -> Vec<Ranked> {
    let span = e.span();
    let rtl = e.words.dir == "rtl";
    let counts = |id: &str| e.by_year(e.carrying(id)).0.into_values().max().unwrap_or(0);
    let most = e.input.catalogue.all().iter().map(|p| counts(&p.file.id)).max().unwrap_or(0);
    let mut out = Vec::new();
    for p in e.input.catalogue.all() {
        let list = e.carrying(&p.file.id);
        if list.is_empty() == seen {
            continue;
        }
        let (years, undated) = e.by_year(list);
        let chart = span.map(|s| charts::sparkline(&years, s, most, rtl)).unwrap_or_default();
        let recent = span.and_then(|s| years.get(&s.1)).copied().unwrap_or(0);
        let last = years.keys().last().map(i64::to_string).unwrap_or_default();
        out.push(Ranked { pattern: e.pattern(&p.file.id), what: p.file.what.clone(), chart, n: list.len(), recent, last, undated });
    }
    out.sort_by(|a, b| b.n.cmp(&a.n).then_with(|| a.pattern.id.cmp(&b.pattern.id)));
    out
}

#[derive(Serialize)]
struct Index {
    seen: Vec<Ranked>,
    families: Vec<(String, Vec<Ranked>)>,
    span: Option<(i64, i64)>,
}

#[derive(Serialize)]
struct Shown<'p> {
    pattern: Ref,
    family: String,
    what: &'p str,
    recognise: &'p [String],
    stopped: &'p [String],
    prevents: &'p [String],
    neighbours: Vec<(Ref, String)>,
    sets_off: Vec<Ref>,
    follows_from: Vec<Ref>,
    references: Vec<(String, String)>,
    n: usize,
    total: usize,
    /// Whether a feed stands beside it.
    feed: bool,
    languages: Vec<super::words::LangLabel>,
    stops: Vec<Stop<'p>>,
    proofs: Vec<Proofs<'p>>,
    near: Vec<Proofs<'p>>,
    chart: String,
    related: Vec<Related>,
    runbooks: Vec<RunbookRef>,
}

/// What stopped it in one incident.
#[derive(Serialize)]
struct Stop<'p> {
    card: &'p Card,
    quote: Quote,
}

/// An incident with the sentences that prove the pattern.
#[derive(Serialize)]
struct Proofs<'p> {
    card: &'p Card,
    quotes: Vec<Quote>,
}

#[derive(Serialize)]
struct Related {
    pattern: Ref,
    n: usize,
    chart: String,
    what: String,
}

/// The index of patterns and a page for each.
pub(crate) fn pages(press: &Press<'_>) -> Result<Vec<Output>> {
    let e = press.edition;
    let mut families: BTreeMap<String, Vec<Ranked>> = BTreeMap::new();
    for r in ranked(e, false) {
        let family = e.input.catalogue.get(&r.pattern.id).map(|p| p.file.family.clone()).unwrap_or_default();
        families.entry(family_name(e, &family)).or_default().push(r);
    }
    let index = Index { seen: ranked(e, true), families: families.into_iter().collect(), span: e.span() };
    let mut out = vec![press.page("patterns.html", "patterns/index.html", "patterns", e.words.get("patterns"), &index)?];
    let one = |p: &Pattern| {
        let named = e.pattern(&p.file.id);
        let folder = named.href.trim_end_matches("index.html");
        let about = About { folder, title: &named.text, list: e.carrying(&p.file.id) };
        let feed = feeds::part(e, press.memory, &about)?;
        let page = press.page_of(&depends(e, p), ("pattern.html", &named.href, "patterns", &named.text), || shown(e, p))?;
        Ok(std::iter::once(page).chain(feed).collect())
    };
    let made = e.input.catalogue.all().par_iter().map(one).collect::<Result<Vec<Vec<Output>>>>()?;
    out.extend(made.into_iter().flatten());
    Ok(out)
}

/// The cases that come near a pattern and do not carry it, newest first.
fn near(e: &Edition<'_>, id: &str) -> Vec<usize> {
    let comes = |k: &usize| {
        let i = &e.case(*k).incident;
        i.patterns_perhaps.iter().any(|x| x.id == id) && i.patterns.iter().all(|x| x.id != id)
    };
    e.newest((0..e.cards.len()).filter(comes))
}

/// All that the page of a pattern is made from beside what every page is: change nothing in [`shown`] that is not told here.
fn depends<'e>(e: &'e Edition<'_>, p: &Pattern) -> impl Serialize + 'e {
    let id = p.file.id.as_str();
    let near = near(e, id);
    let whole: Vec<&str> = e.carrying(id).iter().chain(&near).map(|k| e.keys[*k].as_str()).collect();
    let linked: Vec<_> = e
        .linked
        .get(&Target::Pattern(id.to_string()))
        .into_iter()
        .flatten()
        .map(|(path, title, line)| (e.runbook_href(path), path, title, line))
        .collect();
    (whole.join(" "), e.keys_of(e.carrying(id)).join(" "), e.keys_of(&near).join(" "), e.span(), e.cards.len(), linked)
}

fn family_name(e: &Edition<'_>, family: &str) -> String {
    e.words.find(&format!("family_{family}")).unwrap_or(if family.is_empty() { "–" } else { family }).to_string()
}

fn shown<'p>(e: &'p Edition<'p>, p: &'p Pattern) -> Shown<'p> {
    let id = p.file.id.as_str();
    let list = e.carrying(id);
    let near = near(e, id);
    let (tagged, undated) = e.by_year(list);
    let (near_years, _) = e.by_year(&near);
    let refs = |ids: &[String]| ids.iter().map(|x| e.pattern(x)).filter(|r| !r.href.is_empty()).collect::<Vec<_>>();
    let mut tags: BTreeMap<&str, usize> = BTreeMap::new();
    list.iter().for_each(|k| *tags.entry(e.case(*k).incident.language.tag.as_str()).or_default() += 1);
    let chart = e
        .span()
        .filter(|_| list.len() + near.len() > 1)
        .map(|s| charts::years(&tagged, &near_years, undated, s, &e.words))
        .unwrap_or_default();
    Shown {
        pattern: e.pattern(id),
        family: family_name(e, &p.file.family),
        what: &p.file.what,
        recognise: &p.file.recognise,
        stopped: &p.file.stopped,
        prevents: &p.file.prevents,
        neighbours: p.file.neighbours.iter().map(|(x, how)| (e.pattern(x), how.clone())).collect(),
        sets_off: refs(&p.file.sets_off),
        follows_from: refs(&p.file.follows_from),
        references: p.file.references.iter().filter(|r| allowed(&r.url)).map(|r| (r.title.clone(), r.url.clone())).collect(),
        n: list.len(),
        total: e.cards.len(),
        feed: feeds::dated(e, list),
        languages: tags.keys().map(|t| e.label(t)).collect(),
        stops: list.iter().filter_map(|k| Some(Stop { card: &e.cards[*k], quote: e.cards[*k].stopped.clone()? })).collect(),
        proofs: list.iter().map(|k| proofs(e, *k, id, false)).collect(),
        near: near.iter().map(|k| proofs(e, *k, id, true)).collect(),
        chart,
        related: related(e, id, list),
        runbooks: super::incident::runbooks(e, &Target::Pattern(id.to_string())),
    }
}

fn proofs<'p>(e: &'p Edition<'p>, k: usize, id: &str, perhaps: bool) -> Proofs<'p> {
    let i = &e.case(k).incident;
    let from = if perhaps { &i.patterns_perhaps } else { &i.patterns };
    let quotes = from.iter().filter(|p| p.id == id).flat_map(|p| p.evidence.iter()).map(|v| e.proof(k, v)).collect();
    Proofs { card: &e.cards[k], quotes }
}

/// The patterns that come together with it, oftenest first.
fn related(e: &Edition<'_>, id: &str, list: &[usize]) -> Vec<Related> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for k in list {
        let mut others: Vec<&str> = e.case(*k).incident.patterns.iter().map(|p| p.id.as_str()).filter(|x| *x != id).collect();
        others.sort_unstable();
        others.dedup();
        others.into_iter().for_each(|x| *counts.entry(x).or_default() += 1);
    }
    let rtl = e.words.dir == "rtl";
    let mut out: Vec<Related> = Vec::new();
    for (other, n) in counts {
        let Some(p) = e.input.catalogue.get(other) else { continue };
        out.push(Related { pattern: e.pattern(other), n, chart: charts::share(n, list.len(), rtl), what: p.file.what.clone() });
    }
    out.sort_by(|a, b| b.n.cmp(&a.n).then_with(|| a.pattern.id.cmp(&b.pattern.id)));
    out.truncate(8);
    out
}
