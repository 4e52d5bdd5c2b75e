//! The static site: which pages exist, what stands on them, and the files they become.
//!
//! [`render`] is pure: from a book, a catalogue and settings to paths and bytes. It reads no file, no clock, no environment, so that two builds of the
//! same corpus are the same bytes. [`write`](write()) puts them into a folder, file by file, so that a killed build leaves every page whole.
//! [`render_since`] does the same, but leaves out what an earlier build made from the same ([`Memory`]).
//!
//! Pages link to each other by relative addresses and work from `file://`. The first interface language stands at the root; each further one has an
//! edition of its own below `<tag>/`. Facts come from [`crate::book::view`]; everything that a document says is shown as text, never as markup.

mod assets;
mod charts;
pub mod check;
mod coder;
mod facets;
mod feeds;
mod figure;
mod figure_axes;
mod figure_tall;
mod incident;
mod incident_shapes;
mod links;
mod listing;
mod lists;
mod lore;
mod memory;
mod overview;
mod patterns;
mod plurals;
mod runbooks;
#[cfg(test)]
mod sample;
mod scale;
mod search_data;
mod search_words;
mod shapes;
mod shards;
mod source_text;
mod stamp;
mod svg;
mod template;
mod words;
mod write;

use crate::book::{Book, relations};
use crate::error::{Error, Result};
use crate::lang::Languages;
use crate::pattern::Catalogue;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use check::problems;
pub use memory::Memory;
pub use write::{Written, write};

/// What a site is made from. The caller has left out every document that is not for the audience.
pub struct Input<'a> {
    /// The incidents.
    pub book: &'a Book,
    /// The patterns.
    pub catalogue: &'a Catalogue,
    /// The languages, for labels, directions and the interface's words.
    pub languages: &'a Languages,
    /// Title, address, interface languages.
    pub settings: &'a Settings,
    /// Runbooks and what they link to.
    pub runbooks: &'a [RunbookPage],
    /// Hash of lexicons and patterns, a user's additions included.
    pub knowledge: &'a str,
    /// A user's templates: name as in `templates/`, text. One of a built-in name replaces it.
    pub overrides: &'a [(String, String)],
}

/// Settings of the site.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Name of the corpus.
    pub title: String,
    /// Address the site will stand at, `https://host/path/`; without it there is no sitemap and no canonical address.
    pub base: Option<String>,
    /// Interface languages, the default one first; English where empty.
    pub languages: Vec<String>,
    /// The house's time zone (tz database), shown beside UTC.
    pub zone: Option<String>,
}

/// A runbook.
#[derive(Clone, Debug, Default)]
pub struct RunbookPage {
    /// Its path, as named to people.
    pub path: String,
    /// Its title.
    pub title: String,
    /// What it links to.
    pub links: Vec<RunbookLink>,
}

/// A link of a runbook.
#[derive(Clone, Debug)]
pub struct RunbookLink {
    /// Line of the runbook, from 1.
    pub line: usize,
    /// What it names.
    pub target: Target,
}

/// What a runbook links to, by id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// An incident.
    Incident(String),
    /// A pattern.
    Pattern(String),
}

/// A file of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Path below the site's root, `/` between its parts.
    pub path: String,
    /// Its content; nothing where it is kept.
    pub bytes: Vec<u8>,
    /// The key of what it was made from; empty where it is made anew each time.
    pub inputs: String,
    /// The file of an earlier build stays.
    pub kept: bool,
}

impl Output {
    /// A file.
    pub fn new(path: impl Into<String>, bytes: Vec<u8>) -> Output {
        Output { path: path.into(), bytes, inputs: String::new(), kept: false }
    }

    /// A file that is there already, made from the same.
    pub(crate) fn kept(path: impl Into<String>, inputs: String) -> Output {
        Output { path: path.into(), bytes: Vec::new(), inputs, kept: true }
    }
}

/// What every page is given beside its own content.
#[derive(Serialize)]
pub(crate) struct Page<'p, C: Serialize> {
    /// Name of the corpus.
    site: &'p str,
    /// Title of the page.
    title: &'p str,
    /// Way to the root of the site.
    root: String,
    /// Way to the root of the edition.
    here: String,
    /// The page's place in the edition, `incidents/x/index.html`.
    path: &'p str,
    /// Which entry of the navigation it belongs to.
    section: &'p str,
    /// Its whole address, where the site's is known.
    canonical: Option<String>,
    style: &'p str,
    script: &'p str,
    icon: &'p str,
    /// The other editions: tag, own name, way to this page there.
    editions: Vec<(String, String, String)>,
    /// Numbers for the foot.
    foot: &'p Foot,
    #[serde(flatten)]
    content: &'p C,
}

/// What stands at the foot of every page: nothing that changes with the corpus, or each new document would change every page.
#[derive(Serialize)]
pub(crate) struct Foot {
    version: String,
    knowledge: String,
    feed: bool,
}

/// Makes the pages of one edition.
pub(crate) struct Press<'e> {
    pub(crate) edition: &'e shapes::Edition<'e>,
    templates: template::Templates,
    pub(crate) assets: &'e assets::Assets,
    editions: &'e [(String, String)],
    /// Name of the head of the search's data.
    pub(crate) search: &'e str,
    foot: Foot,
    pub(crate) memory: &'e Memory,
    /// Key of what every page of the edition is made from.
    common: String,
}

impl Press<'_> {
    /// A page that is made only where what it depends on (`of`, beside what all pages do) is not what it was in an earlier build.
    pub(crate) fn page_of<C: Serialize>(
        &self,
        of: &impl Serialize,
        (template, path, section, title): (&str, &str, &str, &str),
        content: impl FnOnce() -> C,
    ) -> Result<Output> {
        let inputs = memory::key(&(&self.common, template, path, section, title, of))?;
        let place = links::decoded(&format!("{}{path}", self.edition.prefix));
        if self.memory.holds(&place, &inputs) {
            return Ok(Output::kept(place, inputs));
        }
        Ok(Output { inputs, ..self.page(template, path, section, title, &content())? })
    }

    /// A page of the edition.
    pub(crate) fn page<C: Serialize>(&self, template: &str, path: &str, section: &str, title: &str, content: &C) -> Result<Output> {
        let full = format!("{}{path}", self.edition.prefix);
        let settings = self.edition.input.settings;
        let base = settings.base.as_deref().map(|b| b.trim_end_matches('/'));
        let clean = |p: &str| p.strip_suffix("index.html").unwrap_or(p).to_string();
        // a page for addresses that do not exist is shown at any depth: its links must count from the host
        let host =
            base.and_then(|b| b.split_once("://")).map(|(_, rest)| rest.split_once('/').map_or("/".to_string(), |(_, p)| format!("/{p}/")));
        let lost = path == "404.html";
        let (root, here) = match host.filter(|_| lost) {
            Some(host) => (host.clone(), format!("{host}{}", self.edition.prefix)),
            None => (links::up(&full), links::up(path)),
        };
        let label = |t: &str| self.edition.label(t).name;
        let editions = match self.editions.len() {
            0 | 1 => Vec::new(),
            _ => self.editions.iter().map(|(tag, prefix)| (tag.clone(), label(tag), format!("{root}{prefix}{path}"))).collect(),
        };
        let page = Page {
            site: &settings.title,
            title,
            root,
            here,
            path,
            section,
            canonical: base.filter(|_| !lost).map(|b| format!("{b}/{}", clean(&full))),
            style: &self.assets.style,
            script: &self.assets.script,
            icon: &self.assets.icon,
            editions,
            foot: &self.foot,
            content,
        };
        Ok(Output::new(links::decoded(&full), self.templates.render(template, &page)?))
    }
}

/// The names that a user's templates may have.
pub fn template_names() -> impl Iterator<Item = &'static str> {
    crate::data::TEMPLATES.iter().map(|(name, _)| *name).chain(["extra.css"])
}

/// Makes all files of the site.
pub fn render(input: &Input<'_>) -> Result<Vec<Output>> {
    render_since(input, &Memory::default())
}

/// Makes the files of the site that an earlier build has not made from the same; those that it has are named and kept.
pub fn render_since(input: &Input<'_>, memory: &Memory) -> Result<Vec<Output>> {
    for case in input.book.cases() {
        links::check_id(&case.incident.id)?;
    }
    if let Some((id, paths)) = input.book.clashes().first() {
        return Err(Error::new(format!("`{id}` is the id of more than one document: {}", paths.join(", "))));
    }
    let similar = relations::similar(input.book);
    let keys = input.book.cases().par_iter().map(memory::key).collect::<Result<Vec<String>>>()?;
    let mut tags: Vec<String> = Vec::new();
    for t in &input.settings.languages {
        let t = input.languages.normal(t);
        if !tags.contains(&t) {
            links::check_id(&t)?;
            tags.push(t);
        }
    }
    if tags.is_empty() {
        tags.push("en".into());
    }
    let editions: Vec<(String, String)> =
        tags.iter().enumerate().map(|(i, t)| (t.clone(), if i == 0 { String::new() } else { format!("{t}/") })).collect();
    let assets = assets::Assets::new(input)?;
    let mut out = assets.files.clone();
    let mut search = String::new();
    for (i, (tag, prefix)) in editions.iter().enumerate() {
        let edition = shapes::Edition::new(input, tag, prefix, &similar, &keys)?;
        let templates = template::Templates::new(Arc::new(words::Words::new(tag, input.languages)), input.overrides)?;
        let feed = feeds::atom(&edition);
        if i == 0 {
            let (head, files) = search_data::build(&edition, memory)?;
            search = head;
            out.extend(files);
        }
        let foot = foot(input, feed.is_some());
        let settings = (&input.settings.title, &input.settings.base, &input.settings.zone);
        let common = memory::key(&(
            memory::CODE,
            input.knowledge,
            input.overrides,
            settings,
            &editions,
            tag,
            &assets.style,
            &assets.script,
            &assets.icon,
            &foot,
        ))?;
        let press = Press { edition: &edition, templates, assets: &assets, editions: &editions, search: &search, foot, memory, common };
        out.extend(feed);
        let pages: Vec<Result<Vec<Output>>> = (0..edition.cards.len()).into_par_iter().map(|k| incident::pages(&press, k)).collect();
        for p in pages {
            out.extend(p?);
        }
        out.extend(overview::pages(&press)?);
        out.extend(patterns::pages(&press)?);
        out.extend(lists::pages(&press)?);
        out.extend(runbooks::pages(&press)?);
        if i == 0 {
            out.extend(feeds::facts(&edition, memory)?);
            out.push(feeds::whole(&edition)?);
            out.extend(feeds::sitemap(&edition, &out));
        }
    }
    one_place_each(&out)?;
    Ok(out)
}

fn foot(input: &Input<'_>, feed: bool) -> Foot {
    let cases = input.book.cases();
    let made = cases.first().map(|c| c.incident.generator.clone()).unwrap_or_default();
    let version = if made.version.is_empty() { env!("CARGO_PKG_VERSION").to_string() } else { made.version };
    let knowledge: String = made.knowledge.chars().take(12).collect();
    Foot { version, knowledge, feed }
}

/// Refuses two files of one path, and a file where another needs a folder (on systems that do not tell capitals apart, too).
fn one_place_each(outputs: &[Output]) -> Result<()> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for o in outputs {
        if let Some(other) = seen.insert(o.path.to_lowercase(), &o.path) {
            return Err(Error::new(format!("two pages would stand at {}", o.path))
                .hint(format!("the other is {other}: give one of the documents another `id`")));
        }
    }
    for path in seen.keys() {
        let mut folder = path.as_str();
        while let Some((up, _)) = folder.rsplit_once('/') {
            if let Some(other) = seen.get(up) {
                return Err(Error::new(format!("{other} would be both a file and a folder")).hint("give the document another `id`"));
            }
            folder = up;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
