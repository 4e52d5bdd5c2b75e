//! What templates are given: small serialisable shapes that the pages share, and the knowledge of one language's edition they are made from.

use super::links::{segment, slug, spellings};
use super::source_text::{Anchors, Piece, pieces, within};
use super::stamp::{Stamp, in_zone};
use super::words::{LangLabel, Words};
use super::{Input, Target};
use crate::book::Case;
use crate::book::answers::{self, Said, in_words};
use crate::book::relations::Similar;
use crate::book::view::{Bytes, Proof};
use crate::error::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

/// A link with a text.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Ref {
    /// Id or slug.
    pub id: String,
    /// Address from the root of the language's edition; empty where there is no page.
    pub href: String,
    /// What it says.
    pub text: String,
    /// The language of the text, where it is not the page's.
    pub lang: Option<String>,
}

/// A citation.
#[derive(Clone, Debug, Serialize)]
pub struct Cite {
    /// `#L23-2`.
    pub href: String,
    /// `L23`.
    pub label: String,
}

/// A sentence of a document.
#[derive(Clone, Debug, Serialize)]
pub struct Quote {
    /// Its text, the words that decided marked.
    pub pieces: Vec<Piece>,
    /// Its language.
    pub lang: LangLabel,
    /// True where it is not the page's language.
    pub foreign: bool,
    /// Where it stands.
    pub cite: Option<Cite>,
    /// Concepts, for readers of another language.
    pub gloss: String,
    /// A command named in it.
    pub command: Option<String>,
    /// The fact it is, `#r-…`.
    pub fact: Option<String>,
}

/// A date, or that there is none.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Day {
    /// `2024-06-25`, `2024-06`, `????-09-25`; empty where the text gives none.
    pub show: String,
    /// What `datetime` takes.
    pub machine: Option<String>,
    /// Shown when pointed at: clock, UTC and house zone.
    pub title: String,
    /// The year.
    pub year: Option<i64>,
}

/// How bad it was.
#[derive(Clone, Debug, Serialize)]
pub struct Severity {
    /// The author's word.
    pub written: String,
    /// 1 is the worst.
    pub rank: Option<u8>,
    /// Four bars, filled or not.
    pub bars: [bool; 4],
}

/// An incident in a list.
#[derive(Clone, Debug, Serialize)]
pub struct Card {
    /// Its id.
    pub id: String,
    /// Address from the root of the edition.
    pub href: String,
    /// Its title.
    pub title: String,
    /// Its language.
    pub lang: LangLabel,
    /// Title in another language than the page's.
    pub foreign: bool,
    /// When it began.
    pub date: Day,
    /// How long, in words; empty where not stated.
    pub lasted: String,
    /// How long, in seconds.
    pub seconds: Option<i64>,
    /// How bad.
    pub severity: Option<Severity>,
    /// Its patterns.
    pub patterns: Vec<Ref>,
    /// Its services.
    pub services: Vec<Ref>,
    /// What stopped it.
    pub stopped: Option<Quote>,
}

/// One language's edition of the site.
pub struct Edition<'a> {
    /// What is shown.
    pub input: &'a Input<'a>,
    /// The interface's words.
    pub words: Words,
    /// Folder of the edition, `""` or `fr/`.
    pub prefix: String,
    /// A card per case, in the order of the book.
    pub cards: Vec<Card>,
    /// Anchors of the source texts, in the order of the book.
    pub anchors: Vec<Anchors>,
    /// Keys of all that is known of the cases, in the order of the book.
    pub keys: &'a [String],
    /// Keys of the cards.
    pub card_keys: Vec<String>,
    /// Similar incidents, in the order of the book.
    pub similar: &'a [Vec<Similar>],
    /// Services: slug to name.
    pub services: BTreeMap<String, String>,
    /// Per incident or pattern the runbooks that link to it: path, title, line.
    pub linked: BTreeMap<Target, Vec<(String, String, usize)>>,
    /// Addresses of the runbooks' pages, by path.
    runbooks: BTreeMap<&'a str, String>,
    /// Per pattern the cases that carry it, newest first.
    carriers: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Edition<'a> {
    /// The edition of a language.
    pub fn new(input: &'a Input<'a>, tag: &str, prefix: &str, similar: &'a [Vec<Similar>], keys: &'a [String]) -> Result<Edition<'a>> {
        let cases = input.book.cases();
        let services = spellings(cases.iter().flat_map(|c| c.incident.services.iter().map(|s| s.name.trim())));
        let mut linked: BTreeMap<Target, Vec<(String, String, usize)>> = BTreeMap::new();
        for r in input.runbooks {
            for l in &r.links {
                linked.entry(l.target.clone()).or_default().push((r.path.clone(), r.title.clone(), l.line));
            }
        }
        let anchors = cases.par_iter().map(|c| Anchors::new(&c.body)).collect();
        let words = Words::new(tag, input.languages);
        let mut made = Edition {
            input,
            words,
            prefix: prefix.to_string(),
            cards: Vec::new(),
            anchors,
            keys,
            card_keys: Vec::new(),
            similar,
            services,
            linked,
            runbooks: super::runbooks::addresses(input.runbooks),
            carriers: BTreeMap::new(),
        };
        made.cards = (0..cases.len()).into_par_iter().map(|k| made.card(k)).collect();
        made.card_keys = made.cards.par_iter().map(super::memory::key).collect::<Result<_>>()?;
        let mut carriers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for k in made.newest(0..cases.len()) {
            let mut ids: Vec<&str> = cases[k].incident.patterns.iter().map(|p| p.id.as_str()).collect();
            ids.sort_unstable();
            ids.dedup();
            ids.into_iter().for_each(|id| carriers.entry(id).or_default().push(k));
        }
        made.carriers = carriers;
        Ok(made)
    }

    /// Address of a runbook's page from the root of the edition.
    pub fn runbook_href(&self, path: &str) -> String {
        self.runbooks.get(path).cloned().unwrap_or_else(|| "runbooks/index.html".into())
    }

    /// The number of an incident in the book.
    pub fn index(&self, id: &str) -> Option<usize> {
        self.input.book.cases().binary_search_by(|c| c.incident.id.as_str().cmp(id)).ok()
    }

    /// The case of a number.
    pub fn case(&self, k: usize) -> &'a Case {
        &self.input.book.cases()[k]
    }

    /// The label of a language.
    pub fn label(&self, tag: &str) -> LangLabel {
        LangLabel::of(tag, self.input.languages)
    }

    /// Address of an incident.
    pub fn incident_href(&self, id: &str) -> String {
        format!("incidents/{}/index.html", segment(id))
    }

    /// A pattern: with an address only where the catalogue has it.
    pub fn pattern(&self, id: &str) -> Ref {
        let known = self.input.catalogue.get(id);
        let href = known.map(|_| format!("patterns/{}/index.html", segment(id))).unwrap_or_default();
        let own = known.is_some_and(|p| p.file.title.contains_key(&self.words.tag));
        let lang = (!own && known.is_some() && self.words.tag != "en").then(|| "en".to_string());
        Ref { id: id.to_string(), href, text: self.input.catalogue.title(id, &self.words.tag).to_string(), lang }
    }

    /// A service.
    pub fn service(&self, name: &str) -> Ref {
        let id = slug(name.trim());
        let text = self.services.get(&id).cloned().unwrap_or_else(|| name.to_string());
        Ref { href: format!("services/{}/index.html", segment(&id)), text, lang: None, id }
    }

    fn card(&self, k: usize) -> Card {
        let i = &self.case(k).incident;
        let lang = self.label(&i.language.tag);
        let lasted = answers::lasted(i);
        let mut services: Vec<Ref> = Vec::new();
        for s in &i.services {
            let r = self.service(&s.name);
            if services.iter().all(|x| x.id != r.id) {
                services.push(r);
            }
        }
        let severity = i.severity.as_ref().map(|s| {
            let filled = s.rank.map_or(0, |r| 5usize.saturating_sub(r as usize).min(4));
            Severity { written: s.written.clone(), rank: s.rank, bars: std::array::from_fn(|b| b < filled) }
        });
        Card {
            id: i.id.clone(),
            href: self.incident_href(&i.id),
            title: i.name().to_string(),
            foreign: i.language.tag != self.words.tag,
            lang,
            date: self.day(k),
            lasted: lasted.map(|l| self.words.iso_duration(l.0)).unwrap_or_default(),
            seconds: lasted.and_then(|l| super::stamp::duration(l.0)),
            severity,
            patterns: i.patterns.iter().map(|p| self.pattern(&p.id)).collect(),
            services,
            stopped: answers::stopped(i).first().map(|s| self.said(k, s)),
        }
    }

    /// When an incident began.
    pub fn day(&self, k: usize) -> Day {
        let i = &self.case(k).incident;
        let date = i.date();
        let stamp = Stamp::read(date.as_deref().unwrap_or(""));
        let full = i.period.iter().flat_map(|p| p.start.iter()).chain(i.timeline.iter().map(|e| &e.at)).map(|s| Stamp::read(s));
        let clocked = full.into_iter().find(|s| s.date == stamp.date && s.has_clock());
        let title = clocked.map(|s| self.point(&s)).unwrap_or_default();
        Day { show: stamp.date.clone(), machine: stamp.machine(), title, year: stamp.year }
    }

    /// What is shown when a stamp is pointed at: as written, in UTC, in the house's zone.
    pub fn point(&self, s: &Stamp) -> String {
        let mut out = format!("{} {}", s.date, s.clock).trim().to_string();
        if let Some(z) = s.zone() {
            out = format!("{out} {z}");
        }
        if let Some(u) = s.utc() {
            out = format!("{out} · {u} UTC");
        }
        if let Some(there) = self.at_home(s) {
            out = format!("{out} · {there}");
        }
        out
    }

    /// A moment in the house's zone, `09:30 Asia/Tokyo`, with its date where that is not the one written; absent where the house sets none, where the
    /// text itself is in that zone, and where the moment is not wholly known.
    pub fn at_home(&self, s: &Stamp) -> Option<String> {
        let zone = self.input.settings.zone.as_deref().filter(|z| *z != "UTC")?;
        let there = in_zone(s.instant()?, zone)?;
        let clock = there.strip_prefix(&s.date).map_or(there.as_str(), str::trim_start);
        (clock != s.clock.get(..5).unwrap_or(&s.clock)).then(|| format!("{clock} {zone}"))
    }

    /// A range in the house's zone, `09:30 – 10:15 Asia/Tokyo`.
    pub fn range_at_home(&self, a: &Stamp, b: &Stamp) -> Option<String> {
        let (a, b) = (self.at_home(a)?, self.at_home(b)?);
        let from = a.rsplit_once(' ').map_or(a.as_str(), |x| x.0);
        // a date is said once
        let date = from.len().checked_sub(5).and_then(|n| from.get(..n)).filter(|d| !d.is_empty());
        let to = date.and_then(|d| b.strip_prefix(d)).unwrap_or(&b);
        Some(format!("{from} – {to}"))
    }

    /// Where bytes stand in the source text of a case.
    pub fn cite(&self, k: usize, spans: &[Bytes], line: usize) -> Option<Cite> {
        let body = &self.case(k).body;
        let found = self.anchors[k].find(body, spans);
        match found {
            Some((anchor, begins)) => {
                Some(Cite { href: format!("#{anchor}"), label: format!("L{}", if line == 0 { begins } else { line }) })
            }
            None => self.anchors[k].line(body, line).map(|a| Cite { href: format!("#{a}"), label: format!("L{line}") }),
        }
    }

    /// A quote of a case's language.
    pub fn quote(&self, k: usize, text: &str, spans: &[Bytes], line: usize, concepts: &[String]) -> Quote {
        let tag = &self.case(k).incident.language.tag;
        Quote {
            pieces: vec![Piece { text: text[within(text)].to_string(), marked: false }],
            lang: self.label(tag),
            foreign: *tag != self.words.tag,
            cite: self.cite(k, spans, line),
            gloss: self.words.gloss(concepts, tag),
            command: None,
            fact: None,
        }
    }

    /// An answer.
    pub fn said(&self, k: usize, s: &Said<'_>) -> Quote {
        let mut q = self.quote(k, in_words(s.text), s.spans, s.line, s.concepts);
        q.command = s.command.map(str::to_string);
        q.fact = s.anchor.map(|a| format!("#{a}"));
        q
    }

    /// A proof, with the words that decided marked.
    pub fn proof(&self, k: usize, p: &Proof) -> Quote {
        let mut q = self.quote(k, &p.text, &p.spans, p.line, &p.concepts);
        q.pieces = pieces(&p.text, within(&p.text), &self.words_in(k, p));
        q
    }

    /// Where the deciding words of a proof stand in its text.
    fn words_in(&self, k: usize, p: &Proof) -> Vec<std::ops::Range<usize>> {
        let body = &self.case(k).body;
        let whole = p.spans.first().and_then(|s| body.iter().find_map(|b| b.locate(*s).map(|r| (b, r))));
        let mut out = Vec::new();
        let mut from = 0;
        for w in &p.words {
            let Some((b, r)) = body.iter().find_map(|b| b.locate(*w).map(|r| (b, r))) else { continue };
            if let Some((same, range)) = &whole
                && std::ptr::eq(*same, b)
                && same.text.get(range.clone()) == Some(p.text.as_str())
                && r.start >= range.start
            {
                out.push(r.start - range.start..r.end - range.start);
                continue;
            }
            // spans that are not one piece of the text: the words are looked for, each after the one before
            let Some(word) = b.text.get(r).filter(|w| !w.is_empty()) else { continue };
            let hit = p.text.get(from..).and_then(|t| t.find(word).map(|i| i + from)).or_else(|| p.text.find(word));
            if let Some(i) = hit {
                out.push(i..i + word.len());
                from = i + word.len();
            }
        }
        out
    }

    /// Numbers of the cases, newest first; undated last, of equals by id.
    pub fn newest(&self, among: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut list: Vec<usize> = among.collect();
        let key = |k: &usize| self.cards[*k].date.year.map(|_| self.cards[*k].date.show.as_str());
        list.sort_by(|a, b| key(b).cmp(&key(a)).then_with(|| self.cards[*a].id.cmp(&self.cards[*b].id)));
        list
    }

    /// Keys of the cards of some cases.
    pub fn keys_of(&self, list: &[usize]) -> Vec<&str> {
        list.iter().map(|k| self.card_keys[*k].as_str()).collect()
    }

    /// Cards of some cases.
    pub fn cards(&self, list: &[usize]) -> Vec<&Card> {
        list.iter().map(|k| &self.cards[*k]).collect()
    }

    /// The cases that carry a pattern, newest first.
    pub fn carrying(&self, id: &str) -> &[usize] {
        self.carriers.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Counts by year of some cases, and how many have no year.
    pub fn by_year(&self, list: &[usize]) -> (BTreeMap<i64, usize>, usize) {
        let mut years: BTreeMap<i64, usize> = BTreeMap::new();
        let dated = list.iter().filter_map(|k| self.cards[*k].date.year);
        dated.for_each(|y| *years.entry(y).or_default() += 1);
        let undated = list.len() - years.values().sum::<usize>();
        (years, undated)
    }

    /// The years the corpus spans, at most the last fifteen.
    pub fn span(&self) -> Option<(i64, i64)> {
        super::charts::span(self.cards.iter().filter_map(|c| c.date.year))
    }
}
