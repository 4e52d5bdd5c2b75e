//! What machines read: each incident's facts as JSON and a list of them all, the Atom feeds, the sitemap.

use super::Output;
use super::links::segment;
use super::memory::{CODE, Memory, key};
use super::shapes::Edition;
use super::stamp::Stamp;
use super::svg::escape;
use crate::book::answers;
use crate::error::{Error, Result};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The newest so many stand in the feed.
const FEED: usize = 50;

/// `incidents/<id>.json` for every incident.
pub fn facts(e: &Edition<'_>, memory: &Memory) -> Result<Vec<Output>> {
    let known = |id: &String| e.index(id).is_some();
    let one = |k: usize| {
        let incident = &e.case(k).incident;
        let path = format!("incidents/{}.json", incident.id);
        // a document that is not published here must not be named here
        let same: Vec<&String> = incident.same_incident_as.iter().filter(|id| known(id)).collect();
        let inputs = key(&(CODE, &e.keys[k], &same))?;
        if memory.holds(&path, &inputs) {
            return Ok(Output::kept(path, inputs));
        }
        let mut shown = incident.clone();
        shown.same_incident_as.retain(known);
        let mut bytes =
            serde_json::to_vec_pretty(&shown).map_err(|x| Error::because(format!("the facts of {} cannot be written", shown.id), x))?;
        bytes.push(b'\n');
        Ok(Output { inputs, ..Output::new(path, bytes) })
    };
    (0..e.cards.len()).into_par_iter().map(one).collect()
}

/// A day or moment as Atom wants it: in UTC, midnight where the text gives no clock.
fn moment(s: &Stamp) -> Option<String> {
    let (day, second) = match s.instant() {
        Some(at) => (at.div_euclid(86_400), at.rem_euclid(86_400)),
        None => (super::stamp::days(s.year?, s.month.unwrap_or(1), s.day.unwrap_or(1)), 0),
    };
    let (y, m, d) = super::stamp::civil(day);
    Some(format!("{y:04}-{m:02}-{d:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60))
}

/// What a feed is about: a folder of the edition (empty, `services/x/`), its name, its incidents.
pub struct About<'a> {
    /// Where it stands and what it tells of, `/` at the end unless it is empty.
    pub folder: &'a str,
    /// What it is called.
    pub title: &'a str,
    /// Its incidents, the newest first.
    pub list: &'a [usize],
}

/// The feed of an edition: of all incidents.
pub fn atom(e: &Edition<'_>) -> Option<Output> {
    feed(e, &About { folder: "", title: &e.input.settings.title, list: &e.newest(0..e.cards.len()) })
}

/// The feed of a service or a pattern, where it has incidents with a date; that of an earlier build where it was made from the same.
pub fn part(e: &Edition<'_>, memory: &Memory, about: &About<'_>) -> Result<Option<Output>> {
    let path = format!("{}{}feed.xml", e.prefix, super::links::decoded(about.folder));
    let cases: Vec<(&String, &String)> = about.list.iter().take(FEED).map(|k| (&e.keys[*k], &e.card_keys[*k])).collect();
    let site = (&e.input.settings.base, &e.input.settings.title, &e.words.tag);
    let inputs = key(&(CODE, e.input.knowledge, site, about.folder, about.title, cases))?;
    if memory.holds(&path, &inputs) {
        return Ok(Some(Output::kept(path, inputs)));
    }
    Ok(feed(e, about).map(|f| Output { inputs, ..f }))
}

/// Whether any of some cases has a date, and so a feed.
pub fn dated(e: &Edition<'_>, list: &[usize]) -> bool {
    list.iter().take(FEED).any(|k| published(e, *k).is_some())
}

fn published(e: &Edition<'_>, k: usize) -> Option<String> {
    let i = &e.case(k).incident;
    let start = i.period.as_ref().and_then(|p| p.start.clone()).or_else(|| i.date());
    start.as_deref().and_then(|s| moment(&Stamp::read(s)))
}

/// A feed of the newest incidents that have a date. Its dates are the documents', so that it changes only when they do.
fn feed(e: &Edition<'_>, about: &About<'_>) -> Option<Output> {
    let base = e.input.settings.base.as_deref().map(|b| format!("{}/{}", b.trim_end_matches('/'), e.prefix));
    // without an address of its own the site still has names that stay the same
    let id = |place: &str| match &base {
        Some(b) => format!("{b}{place}"),
        None => format!("urn:twiceshy:{}{}", e.prefix, if place.is_empty() { "feed" } else { place }),
    };
    let up = "../".repeat(about.folder.matches('/').count());
    let at = |place: &str| base.as_ref().map_or_else(|| format!("{up}{place}"), |b| format!("{b}{}", place.trim_end_matches("index.html")));
    let mut entries = String::new();
    let mut newest: Option<String> = None;
    for k in about.list.iter().copied().take(FEED) {
        let (card, i) = (&e.cards[k], &e.case(k).incident);
        let Some(published) = published(e, k) else { continue };
        let end = i.period.as_ref().and_then(|p| p.end.as_deref()).and_then(|s| moment(&Stamp::read(s)));
        let updated = end.filter(|u| *u > published).unwrap_or_else(|| published.clone());
        if newest.as_ref().is_none_or(|n| *n < updated) {
            newest = Some(updated.clone());
        }
        let text: Vec<&str> = answers::happened(i).iter().map(|s| s.text).collect();
        let _ = write!(
            entries,
            "<entry xml:lang=\"{}\"><id>{}</id><title>{}</title><link rel=\"alternate\" type=\"text/html\" href=\"{}\"/><published>{published}</published><updated>{updated}</updated>",
            clean(&i.language.tag),
            clean(&id(&format!("incidents/{}/", segment(&i.id)))),
            clean(&card.title),
            clean(&at(&card.href))
        );
        for p in &card.patterns {
            let _ = write!(entries, "<category term=\"{}\" label=\"{}\"/>", clean(&p.id), clean(&p.text));
        }
        let _ = writeln!(entries, "<summary>{}</summary></entry>", clean(&text.join(" ")));
    }
    let updated = newest?;
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{}\"><id>{}</id><title>{}</title><updated>{updated}</updated>\
         <author><name>{}</name></author><link href=\"{}\"/><link rel=\"self\" href=\"{}\"/>\n{entries}</feed>\n",
        e.words.tag,
        clean(&id(about.folder)),
        clean(about.title),
        clean(&e.input.settings.title),
        clean(&at(&format!("{}index.html", about.folder))),
        clean(&at(&format!("{}feed.xml", about.folder)))
    );
    Some(Output::new(format!("{}{}feed.xml", e.prefix, super::links::decoded(about.folder)), text.into_bytes()))
}

/// `incidents.json`: every incident in short, the newest first, and where its page and its facts stand.
pub fn whole(e: &Edition<'_>) -> Result<Output> {
    let one = |k: usize| {
        let (card, i) = (&e.cards[k], &e.case(k).incident);
        let mut row = json!({"id": i.id, "title": card.title, "language": i.language.tag});
        let period = i.period.as_ref();
        let more = [
            ("date", i.date().map(Value::from)),
            ("start", period.and_then(|p| p.start.clone()).map(Value::from)),
            ("end", period.and_then(|p| p.end.clone()).map(Value::from)),
            ("duration_seconds", card.seconds.map(Value::from)),
            ("severity", card.severity.as_ref().map(|s| json!({"written": s.written, "rank": s.rank}))),
            ("services", Some(json!(card.services.iter().map(|s| &s.text).collect::<Vec<_>>()))),
            ("patterns", Some(json!(card.patterns.iter().map(|p| &p.id).collect::<Vec<_>>()))),
            ("page", Some(json!(card.href))),
            ("facts", Some(json!(format!("incidents/{}.json", segment(&i.id))))),
        ];
        if let Some(map) = row.as_object_mut() {
            map.extend(more.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))));
        }
        row.to_string()
    };
    let rows: Vec<String> = e.newest(0..e.cards.len()).into_par_iter().map(one).collect();
    let head = json!({"schema": "twiceshy-incidents/1", "title": e.input.settings.title, "incidents": []}).to_string();
    let text = head.replacen("[]}", &format!("[\n{}\n]}}\n", rows.join(",\n")), 1);
    Ok(Output::new("incidents.json", text.into_bytes()))
}

/// Escaped, and without the control characters that XML has no way to write.
fn clean(text: &str) -> String {
    let allowed: String =
        text.chars().filter(|c| !c.is_control() || matches!(c, '\t' | '\n')).filter(|c| !matches!(*c as u32, 0xFFFE | 0xFFFF)).collect();
    escape(&allowed)
}

/// The sitemap of all pages, where the site's address is known.
pub fn sitemap(e: &Edition<'_>, outputs: &[Output]) -> Option<Output> {
    let base = e.input.settings.base.as_deref()?.trim_end_matches('/');
    let mut text =
        String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    let mut pages: Vec<&str> =
        outputs.iter().filter(|o| !moved(o)).map(|o| o.path.as_str()).filter(|p| p.ends_with("index.html")).collect();
    pages.sort_unstable();
    for p in pages {
        let path: Vec<String> = p.trim_end_matches("index.html").split('/').map(segment).collect();
        let _ = writeln!(text, "<url><loc>{}/{}</loc></url>", clean(base), path.join("/"));
    }
    text.push_str("</urlset>\n");
    Some(Output::new("sitemap.xml", text.into_bytes()))
}

/// A page that only leads on.
fn moved(o: &Output) -> bool {
    let refresh: &[u8] = b"http-equiv=\"refresh\"";
    o.bytes.len() < 4096 && o.bytes.windows(refresh.len()).any(|w| w == refresh)
}
