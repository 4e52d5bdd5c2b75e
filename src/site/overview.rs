//! The pages that look at the whole corpus: what keeps coming back, open work, durations.

use super::charts::{self, Quartiles};
use super::incident_shapes::ActionRow;
use super::patterns::{Ranked, ranked};
use super::shapes::{Card, Edition, Ref};
use super::{Output, Press};
use crate::book::view::Incident;
use crate::error::Result;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Home<'p> {
    lead: Vec<(Ref, usize)>,
    total: usize,
    languages: usize,
    span: Option<(i64, i64)>,
    /// Years of the corpus in full, not only those drawn.
    years: Option<(i64, i64)>,
    recent: usize,
    before: usize,
    durations: usize,
    median: String,
    open: usize,
    items: usize,
    owned: usize,
    patterns: Vec<Ranked>,
    all_patterns: usize,
    latest: Vec<&'p Card>,
    services: Vec<Hit>,
    by_language: Vec<(super::words::LangLabel, usize)>,
    work: Vec<Work<'p>>,
    strip: String,
}

/// A service and what keeps hitting it.
#[derive(Serialize)]
pub(crate) struct Hit {
    pub service: Ref,
    pub n: usize,
    pub patterns: Vec<(Ref, usize)>,
}

/// An open item and its incident.
#[derive(Serialize)]
pub(crate) struct Work<'p> {
    pub card: &'p Card,
    pub row: ActionRow,
}

#[derive(Serialize)]
struct Open<'p> {
    work: Vec<Work<'p>>,
    open: usize,
    items: usize,
    owned: usize,
    dated: usize,
}

#[derive(Serialize)]
struct Durations<'p> {
    metrics: Vec<MetricShown<'p>>,
}

#[derive(Serialize)]
struct MetricShown<'p> {
    id: &'static str,
    name: &'static str,
    definition: &'static str,
    n: usize,
    without: usize,
    values: [String; 3],
    shortest: String,
    longest: String,
    strip: String,
    list: Vec<(&'p Card, String)>,
}

/// The patterns of some cases, oftenest first.
pub(crate) fn patterns_of(e: &Edition<'_>, list: &[usize]) -> Vec<(Ref, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    list.iter().flat_map(|k| e.case(*k).incident.patterns.iter()).for_each(|p| *counts.entry(p.id.as_str()).or_default() += 1);
    let mut out: Vec<(Ref, usize)> = counts.into_iter().map(|(id, n)| (e.pattern(id), n)).collect();
    out.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.id.cmp(&b.0.id)));
    out
}

/// Services with their cases, oftenest hit first.
pub(crate) fn services(e: &Edition<'_>) -> Vec<(Ref, Vec<usize>)> {
    let mut by: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (k, c) in e.cards.iter().enumerate() {
        c.services.iter().for_each(|s| by.entry(s.id.as_str()).or_default().push(k));
    }
    let named = |id: &str| e.services.get(id).map(|name| e.service(name));
    let mut out: Vec<(Ref, Vec<usize>)> = by.into_iter().filter_map(|(id, list)| Some((named(id)?, e.newest(list.into_iter())))).collect();
    out.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.id.cmp(&b.0.id)));
    out
}

pub(crate) fn languages(e: &Edition<'_>) -> Vec<(super::words::LangLabel, Vec<usize>)> {
    let mut by: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    (0..e.cards.len()).for_each(|k| by.entry(e.case(k).incident.language.tag.as_str()).or_default().push(k));
    let mut out: Vec<_> = by.into_iter().map(|(t, list)| (e.label(t), e.newest(list.into_iter()))).collect();
    out.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.tag.cmp(&b.0.tag)));
    out
}

/// Open items: newest incident first, in the order of the text.
fn work<'p>(e: &'p Edition<'p>) -> Vec<Work<'p>> {
    let mut out = Vec::new();
    for k in e.newest(0..e.cards.len()) {
        let list = &e.case(k).incident.remediation;
        out.extend(
            list.iter()
                .enumerate()
                .filter(|(_, a)| a.status == "planned")
                .map(|(n, _)| Work { card: &e.cards[k], row: super::incident::action(e, k, n) }),
        );
    }
    out
}

fn hit(e: &Edition<'_>, (service, list): (Ref, Vec<usize>)) -> Hit {
    let patterns = patterns_of(e, &list).into_iter().take(2).collect();
    Hit { service, n: list.len(), patterns }
}

/// A duration of an incident: its ISO 8601 value.
type Pick = fn(&Incident) -> Option<&str>;

fn picked(pick: fn(&crate::book::view::Metrics) -> &Option<crate::book::view::Metric>, i: &Incident) -> Option<&str> {
    pick(i.metrics.as_ref()?).as_ref().map(|m| m.value.as_str())
}

const METRICS: [(&str, &str, &str, Pick); 4] = [
    ("duration", "metric_duration", "def_duration", |i| picked(|m| &m.duration, i)),
    ("detect", "metric_detect", "def_detect", |i| picked(|m| &m.time_to_detect, i)),
    ("mitigate", "metric_mitigate", "def_mitigate", |i| picked(|m| &m.time_to_mitigate, i)),
    ("resolve", "metric_resolve", "def_resolve", |i| picked(|m| &m.time_to_resolve, i)),
];

fn metric<'p>(e: &'p Edition<'p>, m: &(&'static str, &'static str, &'static str, Pick)) -> MetricShown<'p> {
    let of = |k: usize| m.3(&e.case(k).incident);
    let (q, all) = Quartiles::of((0..e.cards.len()).filter_map(of));
    let mut list: Vec<(i64, usize)> = (0..e.cards.len()).filter_map(|k| Some((super::stamp::duration(of(k)?)?, k))).collect();
    list.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let word = |s: Option<&i64>| s.map(|s| e.words.duration(*s)).unwrap_or_default();
    MetricShown {
        id: m.0,
        name: m.1,
        definition: m.2,
        n: q.n,
        without: e.cards.len() - q.n,
        values: q.values.map(|v| e.words.duration(v)),
        shortest: word(all.first()),
        longest: word(all.last()),
        strip: charts::strip(&all, &q, &e.words),
        list: list.into_iter().map(|(s, k)| (&e.cards[k], e.words.duration(s))).collect(),
    }
}

fn home<'p>(e: &'p Edition<'p>) -> Home<'p> {
    let all: Vec<usize> = (0..e.cards.len()).collect();
    let (years, _) = e.by_year(&all);
    let patterns = ranked(e, true);
    let newest = e.newest(all.iter().copied());
    let open = work(e);
    let items = all.iter().map(|k| e.case(*k).incident.remediation.len()).sum();
    let owned = open.iter().filter(|w| w.row.owner.is_some()).count();
    let durations = metric(e, &METRICS[0]);
    let last = years.keys().last().copied();
    let year = |y: Option<i64>| y.and_then(|y| years.get(&y)).copied().unwrap_or(0);
    Home {
        lead: patterns.iter().filter(|p| p.n > 1).take(2).map(|p| (e.pattern(&p.pattern.id), p.n)).collect(),
        total: e.cards.len(),
        languages: languages(e).len(),
        span: e.span(),
        years: years.keys().next().copied().zip(last),
        recent: year(last),
        before: year(last.map(|y| y - 1)),
        durations: durations.n,
        median: if durations.n > 0 { durations.values[1].clone() } else { String::new() },
        open: open.len(),
        items,
        owned,
        all_patterns: e.input.catalogue.all().len(),
        patterns: patterns.into_iter().take(12).collect(),
        latest: e.cards(&newest[..newest.len().min(8)]),
        services: services(e).into_iter().take(10).map(|s| hit(e, s)).collect(),
        by_language: languages(e).into_iter().map(|(l, list)| (l, list.len())).collect(),
        work: open.into_iter().take(5).collect(),
        strip: if durations.n > 0 { durations.strip } else { String::new() },
    }
}

/// Home, open work, durations.
pub(crate) fn pages(press: &Press<'_>) -> Result<Vec<Output>> {
    let e = press.edition;
    let w = &e.words;
    let open = work(e);
    let items = e.input.book.cases().iter().map(|c| c.incident.remediation.len()).sum();
    let owned = open.iter().filter(|w| w.row.owner.is_some()).count();
    let dated = open.iter().filter(|w| w.row.due.is_some()).count();
    let open = Open { open: open.len(), items, owned, dated, work: open };
    let durations = || Durations { metrics: METRICS.iter().map(|m| metric(e, m)).filter(|m| m.n > 0).collect() };
    let metrics: Vec<_> = e.input.book.cases().iter().map(|c| &c.incident.metrics).collect();
    Ok(vec![
        press.page("home.html", "index.html", "home", w.get("home"), &home(e))?,
        press.page("open.html", "open/index.html", "open", w.get("open_work"), &open)?,
        press.page_of(&(&e.card_keys, metrics), ("durations.html", "durations/index.html", "durations", w.get("durations")), durations)?,
    ])
}
