//! The lists: all incidents, services, languages; the page of the search and the one for addresses that do not exist.

use super::feeds::{self, About};
use super::overview::{Hit, languages, patterns_of, services};
use super::shapes::{Card, Edition, Ref};
use super::words::LangLabel;
use super::{Output, Press};
use crate::error::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Incidents<'p> {
    cards: Vec<&'p Card>,
    years: Vec<String>,
    undated: bool,
    languages: Vec<LangLabel>,
    severities: Vec<String>,
    patterns: Vec<(Ref, usize)>,
    services: Vec<Ref>,
}

#[derive(Serialize)]
struct OneOf<'p> {
    name: String,
    /// Whether a feed stands beside it.
    feed: bool,
    label: Option<LangLabel>,
    cards: Vec<&'p Card>,
    patterns: Vec<(Ref, usize)>,
    chart: String,
    span: Option<(i64, i64)>,
}

#[derive(Serialize)]
struct Services {
    services: Vec<Hit>,
}

#[derive(Serialize)]
struct Languages {
    languages: Vec<LanguageRow>,
}

/// A language, its page, how many incidents, the commonest patterns.
type LanguageRow = (LangLabel, String, usize, Vec<(Ref, usize)>);

#[derive(Serialize)]
struct Search<'p> {
    search: &'p str,
    data: &'p str,
    total: usize,
    labels: Vec<LangLabel>,
    /// Ids and titles of all patterns.
    patterns: Vec<(&'p str, String)>,
}

#[derive(Serialize)]
struct Nothing {}

fn incidents<'p>(e: &'p Edition<'p>) -> Incidents<'p> {
    let list = e.newest(0..e.cards.len());
    let mut years: Vec<i64> = e.cards.iter().filter_map(|c| c.date.year).collect();
    years.sort_unstable_by(|a, b| b.cmp(a));
    years.dedup();
    let mut severities: BTreeMap<(u8, String), usize> = BTreeMap::new();
    for s in e.cards.iter().filter_map(|c| c.severity.as_ref()) {
        *severities.entry((s.rank.unwrap_or(9), s.written.clone())).or_default() += 1;
    }
    Incidents {
        undated: e.cards.iter().any(|c| c.date.year.is_none()),
        cards: e.cards(&list),
        years: years.iter().map(i64::to_string).collect(),
        languages: languages(e).into_iter().map(|l| l.0).collect(),
        severities: severities.into_keys().map(|s| s.1).collect(),
        patterns: patterns_of(e, &list),
        services: services(e).into_iter().map(|s| s.0).collect(),
    }
}

fn one_of<'p>(e: &'p Edition<'p>, name: &str, lang: Option<LangLabel>, list: &[usize]) -> OneOf<'p> {
    let (years, _) = e.by_year(list);
    let span = e.span();
    let chart = span
        .map(|s| super::charts::sparkline(&years, s, years.values().copied().max().unwrap_or(0), e.words.dir == "rtl"))
        .unwrap_or_default();
    OneOf { name: name.to_string(), feed: false, label: lang, cards: e.cards(list), patterns: patterns_of(e, list), chart, span }
}

/// All lists of an edition.
pub(crate) fn pages(press: &Press<'_>) -> Result<Vec<Output>> {
    let e = press.edition;
    let w = &e.words;
    let mut out =
        vec![press.page_of(&e.card_keys, ("incidents.html", "incidents/index.html", "incidents", w.get("incidents")), || incidents(e))?];
    let all = services(e);
    let of = |list: &[usize]| (e.keys_of(list).join(" "), e.span());
    let each = |(r, list): &(Ref, Vec<usize>)| {
        let folder = r.href.trim_end_matches("index.html");
        let feed = feeds::part(e, press.memory, &About { folder, title: &r.text, list })?;
        let shown = || OneOf { feed: feed.is_some(), ..one_of(e, &r.text, None, list) };
        let page = press.page_of(&(of(list), feed.is_some()), ("one_of.html", &r.href, "services", &r.text), shown)?;
        Ok(std::iter::once(page).chain(feed).collect())
    };
    let made = all.par_iter().map(each).collect::<Result<Vec<Vec<Output>>>>()?;
    out.extend(made.into_iter().flatten());
    let hits = all.into_iter().map(|(service, list)| Hit { service, n: list.len(), patterns: patterns_of(e, &list) }).collect();
    out.push(press.page("services.html", "services/index.html", "services", w.get("services"), &Services { services: hits })?);
    let mut tags = Vec::new();
    for (label, list) in languages(e) {
        let href = format!("languages/{}/index.html", super::links::segment(&label.tag));
        let page = ("one_of.html", href.as_str(), "languages", label.name.as_str());
        out.push(press.page_of(&of(&list), page, || one_of(e, &label.name, Some(label.clone()), &list))?);
        let patterns = patterns_of(e, &list).into_iter().take(3).collect();
        tags.push((label, href, list.len(), patterns));
    }
    out.push(press.page("languages.html", "languages/index.html", "languages", w.get("languages"), &Languages { languages: tags })?);
    out.push(press.page(
        "search.html",
        "search/index.html",
        "search",
        w.get("search"),
        &Search {
            search: &press.assets.search,
            data: press.search,
            total: e.cards.len(),
            labels: languages(e).into_iter().map(|l| l.0).collect(),
            patterns: e.input.catalogue.all().iter().map(|p| (p.file.id.as_str(), e.pattern(&p.file.id).text)).collect(),
        },
    )?);
    out.push(press.page("404.html", "404.html", "", w.get("page_not_found"), &Nothing {})?);
    Ok(out)
}
