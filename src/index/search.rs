//! A search: understand, gather, score, show.

use super::allowed;
use super::counts::Counts;
use super::explain;
use super::hits::{About, Hits, SCHEMA, Suggested, Understood};
use super::plan::{self, End, Plan, asked_tokens};
use super::record::Card;
use super::{Index, Options};
use crate::error::Result;
use crate::terms::query::{self, Query};
use crate::terms::score::{Asked, Corpus, Keep, Scored, Word, score_where};
use crate::terms::{Kind, Scanned, Token};
use serde::Serialize;
use std::collections::BTreeMap;

/// A hit that scores less than this part of the best one is left out.
const TAIL: f64 = 0.1;
/// A word of so many letters may be the beginning of another.
const OPEN: usize = 3;
/// So many words that stand in for another are told.
const STAND_INS: usize = 3;
/// What scores less than this shares no more than function words with the query.
const FLOOR: f64 = 0.03;

impl Index {
    /// Searches. Parses no lexicon and no pattern.
    pub fn search(&self, text: &str, options: &Options) -> Result<Hits> {
        let query = query::parse(text)?;
        let mut out = Hits { schema: SCHEMA, query: text.to_string(), ..Hits::default() };
        for f in &query.filters {
            let name = format!("{}{}", if f.not { "-" } else { "" }, f.key.name());
            out.understood.filters.entry(name).or_default().push(f.value.clone());
        }
        out.index.refreshed = options.refreshed;
        let Some(open) = &self.open else { return Ok(out) };
        let counts = Counts::new(open)?;
        out.index = About { documents: counts.corpus.docs.len(), refreshed: options.refreshed, languages: languages(&counts) };
        let (mut plan, scanned, text) = understand(&counts, &query, &mut out.understood)?;
        plan.complete(&counts, scanned.language.clone(), false)?;
        plan.wanted = allowed::patterns(&query.filters);
        let allowed = allowed::allowed(&counts, &query.filters, &query.phrases, &query.without)?;
        let restricted = !(query.filters.is_empty() && query.phrases.is_empty() && query.without.is_empty());
        let (floor, share) = if restricted { (f64::MIN, 0.0) } else { (FLOOR, TAIL) };
        let keep = Keep { floor, share, most: options.limit.saturating_mul(2).saturating_add(8) };
        let mut scored = score_where(&counts.corpus, &plan.asked, |doc| allowed[doc as usize], Some(keep));
        if query.text.trim().is_empty() && restricted {
            // filters alone: all that they allow, the newest first
            scored = (0u32..).zip(&allowed).filter(|(_, a)| **a).map(|(doc, _)| Scored { doc, ..Scored::default() }).collect();
            let days = counts.days()?;
            scored.sort_by(|a, b| days[b.doc as usize].cmp(&days[a.doc as usize]).then(a.doc.cmp(&b.doc)));
        }
        for (s, card, same) in distinct(&counts, &scored, options.limit)? {
            let mut hit = explain::hit(&counts, &plan, &scanned, &text, &s, card)?;
            hit.same_incident = same;
            out.hits.push(hit);
        }
        let patterns = if out.hits.is_empty() { open.patterns.nearest(&text, &plan.concepts) } else { plan.patterns.clone() };
        let title = |id: &str| open.patterns.title(id, options.language.as_deref());
        out.suggested_patterns =
            patterns.into_iter().map(|(id, score)| Suggested { title: title(&id), id, score: round(score), stopped: None }).collect();
        if out.hits.is_empty() {
            out.tried = vec!["as_typed", "without_accents", "other_forms", "parts_of_words", "letters_changed", "concepts"];
            out.unmatched = allowed::unmatched(&counts, &query.filters)?;
        }
        Ok(out)
    }
}

/// What a query comes down to: exact counts, and who the documents are. For measuring.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counted {
    /// The documents' path, by their number.
    pub paths: Vec<String>,
    /// The documents' counts.
    pub corpus: Corpus,
    /// The query's words, concepts and patterns with the documents that have them, as [`crate::terms::score::score`] takes them.
    pub asked: Asked,
    /// All words of the query, function words too, as they were typed.
    pub words: Vec<Word>,
}

impl Index {
    /// What a query comes down to before it is scored.
    pub fn counted(&self, text: &str) -> Result<Counted> {
        let Some(open) = &self.open else { return Ok(Counted::default()) };
        let counts = Counts::new(open)?;
        let query = query::parse(text)?;
        let (mut plan, scanned, _) = understand(&counts, &query, &mut Understood::default())?;
        plan.complete(&counts, scanned.language, true)?;
        let words = asked_tokens(&query.text).iter().map(|t| plan::unit(&counts, t).map(|mut u| u.word())).collect::<Result<_>>()?;
        let paths = (0..counts.corpus.docs.len() as u32).map(|d| counts.card(d).map(|c| c.path)).collect::<Result<_>>()?;
        Ok(Counted { paths, corpus: counts.corpus.clone(), asked: plan.asked, words })
    }
}

/// How many languages the documents are in.
pub(super) fn languages(counts: &Counts) -> usize {
    counts.corpus.languages.iter().filter(|l| !l.is_empty()).count()
}

/// Four decimals.
pub(super) fn round(x: f64) -> f64 {
    (x * 10_000.0).round() / 10_000.0
}

/// The best incidents: of documents that tell of the same one, the best alone takes a place, with the ids of the others that were found.
pub(super) fn distinct(counts: &Counts, scored: &[Scored], limit: usize) -> Result<Vec<(Scored, Card, Vec<String>)>> {
    let mut wanted = limit;
    loop {
        let found = ranked(counts, scored.to_vec(), wanted)?;
        let all = found.len() < wanted || found.len() == scored.len();
        let mut out: Vec<(Scored, Card, Vec<String>)> = Vec::new();
        for (s, card) in found {
            match out.iter_mut().find(|(_, first, _)| first.sign.same(&card.sign)) {
                Some((_, first, ids)) => {
                    if card.id != first.id && !ids.contains(&card.id) {
                        ids.push(card.id);
                    }
                }
                None => out.push((s, card, Vec::new())),
            }
        }
        if all || out.len() >= limit {
            out.truncate(limit);
            return Ok(out);
        }
        wanted += (limit - out.len()).max(4);
    }
}

/// The best documents with their cards; ties by id (and where filters alone decide, by day first).
pub(super) fn ranked(counts: &Counts, mut scored: Vec<Scored>, limit: usize) -> Result<Vec<(Scored, Card)>> {
    let days = if scored.iter().any(|s| s.score == 0.0) { counts.days()? } else { &[] };
    let rank = |a: &Scored, b: &Scored| {
        let day = |s: &Scored| days.get(s.doc as usize);
        let newest = || if a.score == 0.0 { day(b).cmp(&day(a)) } else { std::cmp::Ordering::Equal };
        b.score.total_cmp(&a.score).then_with(newest)
    };
    // most are not shown: the last one that is divides them. Those that tie with it are looked at too, since their ids decide
    if let Some(last) = limit.checked_sub(1).filter(|&last| last < scored.len()) {
        let (_, edge, _) = scored.select_nth_unstable_by(last, |a, b| rank(a, b).then(a.doc.cmp(&b.doc)));
        let edge = edge.clone();
        scored.retain(|s| rank(s, &edge).is_le());
    } else if limit == 0 {
        scored.clear();
    }
    let mut out = scored.into_iter().map(|s| counts.card(s.doc).map(|c| (s, c))).collect::<Result<Vec<_>>>()?;
    out.sort_by(|a, b| rank(&a.0, &b.0).then_with(|| a.1.id.cmp(&b.1.id)).then_with(|| a.1.path.cmp(&b.1.path)));
    out.truncate(limit);
    Ok(out)
}

/// Words to families, corrected where nobody has them; concepts; patterns. With the text as corrected.
fn understand(counts: &Counts, query: &Query, told: &mut Understood) -> Result<(Plan, Scanned, String)> {
    let table = &counts.open.table;
    let mut text = query.text.clone();
    let mut scanned = table.scan(&text);
    let mut corrected: BTreeMap<String, String> = BTreeMap::new();
    let mut units = Vec::new();
    let mut changes: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let all = asked_tokens(&text);
    let within = |ranges: &[std::ops::Range<usize>], t: &Token| ranges.iter().any(|r| r.start <= t.range.start && t.range.end <= r.end);
    let telling = all.iter().any(|t| !within(&scanned.stops, t));
    let mut codes: Vec<std::ops::Range<usize>> = Vec::new();
    for token in all {
        // function words are what a query is held together by, not what it asks for
        if telling && within(&scanned.stops, &token) {
            continue;
        }
        let star = token.kind == Kind::Word && text[token.range.end..].starts_with('*');
        let mut unit = plan::looked_up(counts, &token, if star { End::Star } else { End::Closed })?;
        if token.kind == Kind::Whole && unit.exact && !text[token.range.clone()].contains(' ') {
            codes.push(token.range.clone());
        }
        let known = unit.exact || scanned.found.iter().any(|f| f.range.start < token.range.end && token.range.start < f.range.end);
        // a word that nothing is like may be the beginning of some
        if !known && token.kind == Kind::Word && unit.postings.is_empty() && token.text.chars().count() >= OPEN {
            unit = plan::looked_up(counts, &token, End::Open)?;
        }
        let begun = !known && !unit.exact && unit.forms.iter().any(|f| f.starts_with(&token.text));
        let better = if known || begun || token.kind != Kind::Word { None } else { plan::correction(counts, &token.text)? };
        if let Some(word) = better {
            let meant = Token { text: word.clone(), ..token.clone() };
            units.push(plan::unit(counts, &meant)?);
            corrected.insert(token.text.clone(), word.clone());
            changes.push((token.range.clone(), word));
        }
        if !known && token.kind == Kind::Word && !corrected.contains_key(&token.text) {
            told.stand_in.insert(token.text.clone(), unit.forms.iter().take(STAND_INS).cloned().collect());
        }
        // a word that was corrected may still have kin
        if !corrected.contains_key(&token.text) || !unit.postings.is_empty() {
            units.push(unit);
        }
    }
    for (range, word) in changes.into_iter().rev() {
        text.replace_range(range, &word);
    }
    if !corrected.is_empty() {
        scanned = table.scan(&text);
    } else {
        // the parts of a code that stands so in a document mean nothing by themselves
        let part = |f: &std::ops::Range<usize>| codes.iter().any(|c| c.start <= f.start && f.end <= c.end && f.len() < c.len());
        scanned.found.retain(|f| !part(&f.range));
    }
    let concepts = scanned.concepts();
    let parts = concepts.iter().map(|c| scanned.part(*c)).collect();
    let patterns = counts.open.patterns.meant(&text, &concepts);
    told.words = words(&text);
    told.concepts = concepts.iter().map(|c| c.name().to_string()).collect();
    told.patterns = patterns.iter().map(|(id, _)| id.clone()).collect();
    told.language = scanned.language.clone();
    told.corrected = corrected;
    Ok((Plan { units, concepts, parts, patterns, ..Plan::default() }, scanned, text))
}

/// The words of a text for people: a run of a script without spaces as one.
fn words(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut run: Option<std::ops::Range<usize>> = None;
    for t in asked_tokens(text) {
        if t.kind == Kind::Gram {
            match &mut run {
                Some(r) if t.range.start < r.end => r.end = t.range.end.max(r.end),
                _ => {
                    out.extend(run.replace(t.range.clone()).map(|r| crate::terms::fold(&text[r])));
                }
            }
            continue;
        }
        out.extend(run.take().map(|r| crate::terms::fold(&text[r])));
        if t.kind == Kind::Word {
            out.push(t.text);
        }
    }
    out.extend(run.take().map(|r| crate::terms::fold(&text[r])));
    out
}
