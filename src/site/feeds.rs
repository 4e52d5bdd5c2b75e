//! What machines read: each incident's facts as JSON, the Atom feed, the sitemap.

use super::Output;
use super::links::segment;
use super::memory::{CODE, Memory, key};
use super::shapes::Edition;
use super::stamp::Stamp;
use super::svg::escape;
use crate::book::answers;
use crate::error::{Error, Result};
use rayon::prelude::*;
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

/// The feed of an edition: the newest incidents that have a date. Its dates are the documents', so that it changes only when they do.
pub fn atom(e: &Edition<'_>) -> Option<Output> {
    let base = e.input.settings.base.as_deref().map(|b| format!("{}/", b.trim_end_matches('/')));
    // without an address of its own the site still has names that stay the same
    let id = |rest: &str| {
        base.as_ref()
            .map_or_else(|| format!("urn:twiceshy:{}", if rest.is_empty() { "feed" } else { rest }), |b| format!("{b}{}{rest}", e.prefix))
    };
    let mut entries = String::new();
    let mut newest: Option<String> = None;
    for k in e.newest(0..e.cards.len()) {
        let (card, i) = (&e.cards[k], &e.case(k).incident);
        let start = i.period.as_ref().and_then(|p| p.start.clone()).or_else(|| i.date());
        let Some(published) = start.as_deref().and_then(|s| moment(&Stamp::read(s))) else { continue };
        let end = i.period.as_ref().and_then(|p| p.end.as_deref()).and_then(|s| moment(&Stamp::read(s)));
        let updated = end.filter(|u| *u > published).unwrap_or_else(|| published.clone());
        if newest.as_ref().is_none_or(|n| *n < updated) {
            newest = Some(updated.clone());
        }
        let place = format!("incidents/{}/", segment(&i.id));
        let href = base.as_ref().map_or_else(|| card.href.clone(), |b| format!("{b}{}{place}", e.prefix));
        let text: Vec<&str> = answers::happened(i).iter().map(|s| s.text).collect();
        let _ = write!(
            entries,
            "<entry xml:lang=\"{}\"><id>{}</id><title>{}</title><link rel=\"alternate\" type=\"text/html\" href=\"{}\"/><published>{published}</published><updated>{updated}</updated>",
            clean(&i.language.tag),
            clean(&id(&place)),
            clean(&card.title),
            clean(&href)
        );
        for p in &card.patterns {
            let _ = write!(entries, "<category term=\"{}\" label=\"{}\"/>", clean(&p.id), clean(&p.text));
        }
        let _ = writeln!(entries, "<summary>{}</summary></entry>", clean(&text.join(" ")));
        if entries.matches("<entry").count() >= FEED {
            break;
        }
    }
    let updated = newest?;
    let title = clean(&e.input.settings.title);
    let link = base.as_ref().map_or_else(|| "index.html".to_string(), |b| format!("{b}{}", e.prefix));
    let own = base.as_ref().map_or_else(|| "feed.xml".to_string(), |b| format!("{b}{}feed.xml", e.prefix));
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{}\"><id>{}</id><title>{title}</title><updated>{updated}</updated>\
         <author><name>{title}</name></author><link href=\"{}\"/><link rel=\"self\" href=\"{}\"/>\n{entries}</feed>\n",
        e.words.tag,
        clean(&id("")),
        clean(&link),
        clean(&own)
    );
    Some(Output::new(format!("{}feed.xml", e.prefix), text.into_bytes()))
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
