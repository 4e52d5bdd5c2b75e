//! Which documents a query's filters, phrases and unwanted words allow.

use super::counts::Counts;
use super::hits::Unmatched;
use super::plan::{asked_tokens, unit};
use crate::error::Result;
use crate::terms::query::{Filter, Key, days};
use crate::terms::{Kind, Token, distance, fold, tokens};
use std::collections::BTreeSet;

/// Which documents some filters, phrases and unwanted words allow.
pub(super) fn allowed(counts: &Counts, filters: &[Filter], phrases: &[String], without: &[String]) -> Result<Vec<bool>> {
    let mut out = vec![true; counts.corpus.docs.len()];
    let mut only = |has: Marked, wanted: bool| out.iter_mut().zip(&has.0).for_each(|(o, has)| *o &= *has == wanted);
    // of several languages, and of several severities, a document has one: any of them will do
    let any = |key: Key| matches!(key, Key::Lang | Key::Severity);
    for filter in filters.iter().filter(|f| f.not || !any(f.key)) {
        only(passing(counts, filter)?, !filter.not);
    }
    for key in [Key::Lang, Key::Severity] {
        let mut wanted = filters.iter().filter(|f| !f.not && f.key == key).peekable();
        if wanted.peek().is_none() {
            continue;
        }
        let mut has = Marked::none(counts);
        for filter in wanted {
            has.join(passing(counts, filter)?);
        }
        only(has, true);
    }
    for text in phrases {
        only(phrase(counts, text)?, true);
    }
    for text in without {
        let has = match &asked_tokens(text)[..] {
            [token] => Marked::none(counts).and_also(unit(counts, token)?.postings.iter().map(|(d, _)| *d)),
            _ => phrase(counts, text)?,
        };
        only(has, false);
    }
    Ok(out)
}

/// Some of the documents: a mark for each.
struct Marked(Vec<bool>);

impl Marked {
    fn none(counts: &Counts) -> Marked {
        Marked(vec![false; counts.corpus.docs.len()])
    }

    fn and_also(mut self, docs: impl IntoIterator<Item = u32>) -> Marked {
        docs.into_iter().for_each(|d| self.0[d as usize] = true);
        self
    }

    /// Those that have a term besides.
    fn or(&mut self, counts: &Counts, field: tantivy::schema::Field, key: &str) -> Result<()> {
        counts.each_doc(field, key, |d| self.0[d as usize] = true)
    }

    /// Those of another besides.
    fn join(&mut self, more: Marked) {
        self.0.iter_mut().zip(more.0).for_each(|(own, more)| *own |= more);
    }

    fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }
}

/// Those that all lists have; none where there is no list.
#[derive(Default)]
struct All(Option<Marked>);

impl All {
    fn and(&mut self, more: Marked) {
        match &mut self.0 {
            Some(all) => all.0.iter_mut().zip(more.0).for_each(|(a, m)| *a &= m),
            none => *none = Some(more),
        }
    }
}

/// The documents that pass a filter; of names parted by commas any will do.
fn passing(counts: &Counts, filter: &Filter) -> Result<Marked> {
    if !matches!(filter.key, Key::Lang | Key::Severity | Key::Pattern | Key::Service) || !filter.value.contains(COMMAS) {
        return passing_one(counts, filter);
    }
    let mut found = Marked::none(counts);
    for value in names(&filter.value) {
        found.join(passing_one(counts, &Filter { value: value.to_string(), ..filter.clone() })?);
    }
    Ok(found)
}

/// What parts the names of a filter.
const COMMAS: [char; 4] = [',', '，', '、', '،'];

fn names(value: &str) -> impl Iterator<Item = &str> {
    value.split(COMMAS).filter(|v| !v.trim().is_empty())
}

/// The patterns that a query's filters ask for, by id.
pub(super) fn patterns(filters: &[Filter]) -> Vec<String> {
    let asked = filters.iter().filter(|f| f.key == Key::Pattern && !f.not);
    asked.flat_map(|f| names(&f.value)).map(pattern_id).collect()
}

/// The id of a pattern out of what people type for it.
fn pattern_id(value: &str) -> String {
    value.trim().to_lowercase().replace([' ', '_'], "-")
}

fn passing_one(counts: &Counts, filter: &Filter) -> Result<Marked> {
    let fields = counts.open.fields;
    let of = |field, key: &str| -> Result<Marked> {
        let mut found = Marked::none(counts);
        found.or(counts, field, key)?;
        Ok(found)
    };
    let value = filter.value.trim();
    match filter.key {
        Key::Since | Key::Until => {
            let none = Marked::none(counts);
            let Some((from, to)) = days(value) else { return Ok(none) };
            let fits = |d: &(u32, u32)| d.1 > 0 && if filter.key == Key::Since { u64::from(d.1) >= from } else { u64::from(d.0) <= to };
            Ok(Marked(counts.days()?.iter().map(fits).collect()))
        }
        Key::Lang => {
            let tag = value.to_lowercase();
            let primary = tag.split(['-', '_']).next().unwrap_or(&tag);
            of(fields.language, primary)
        }
        Key::Pattern => of(fields.pattern, &pattern_id(value)),
        Key::Severity => {
            let mut found = of(fields.severity, &fold(value))?;
            let digits: String = value.chars().filter(char::is_ascii_digit).collect();
            if !digits.is_empty() {
                found.or(counts, fields.severity, &format!("={digits}"))?;
            }
            Ok(found)
        }
        Key::Service => {
            let mut found = All::default();
            for t in asked_tokens(value).iter().filter(|t| t.kind != Kind::Whole) {
                found.and(of(fields.service, &t.text)?);
            }
            Ok(found.0.unwrap_or(Marked::none(counts)))
        }
        Key::Cause | Key::Fix => {
            let (words, concepts) =
                if filter.key == Key::Cause { (fields.cause, fields.cause_concept) } else { (fields.fix, fields.fix_concept) };
            let mut by_words = All::default();
            for token in asked_tokens(value) {
                let mut here = Marked::none(counts);
                for key in unit(counts, &token)?.families.keys() {
                    here.or(counts, words, key)?;
                }
                by_words.and(here);
            }
            let mut by_concepts = All::default();
            for concept in counts.open.table.scan(value).concepts() {
                by_concepts.and(of(concepts, concept.name())?);
            }
            let mut found = by_words.0.unwrap_or(Marked::none(counts));
            if let Some(more) = by_concepts.0 {
                found.join(more);
            }
            Ok(found)
        }
    }
}

/// The filters on names that no document passes, with the names there are, those that are spelt alike first.
pub(super) fn unmatched(counts: &Counts, filters: &[Filter]) -> Result<Vec<Unmatched>> {
    const SHOWN: usize = 12;
    let fields = counts.open.fields;
    let mut out = Vec::new();
    for filter in filters.iter().filter(|f| !f.not) {
        let field = match filter.key {
            Key::Lang => fields.language,
            Key::Pattern => fields.pattern,
            Key::Service => fields.service,
            Key::Severity => fields.severity,
            _ => continue,
        };
        if !passing(counts, filter)?.is_empty() {
            continue;
        }
        let value = fold(filter.value.trim());
        let far = |name: &str| distance(&value, name, 3, 1).unwrap_or(9);
        let mut known: Vec<String> = counts.keys(field, "")?.into_iter().filter(|k| !k.starts_with('=')).collect();
        known.sort_by(|a, b| far(a).cmp(&far(b)).then_with(|| a.cmp(b)));
        known.truncate(SHOWN);
        out.push(Unmatched { filter: format!("{}:{}", filter.key.name(), filter.value), known });
    }
    Ok(out)
}

/// The documents in which the words of a phrase stand one after the other.
fn phrase(counts: &Counts, text: &str) -> Result<Marked> {
    let field = counts.open.fields.word;
    let mut wanted: Vec<Token> = tokens(text).into_iter().filter(|t| matches!(t.kind, Kind::Word | Kind::Gram)).collect();
    // the last character of a run is in the pair before it, and in the text it may go on
    let tails: Vec<bool> = (0..wanted.len())
        .map(|i| {
            i > 0 && wanted[i].kind == Kind::Gram && wanted[i - 1].kind == Kind::Gram && wanted[i - 1].range.end == wanted[i].range.end
        })
        .collect();
    let mut keep = tails.iter().map(|t| !t);
    wanted.retain(|_| keep.next().unwrap_or(true));
    // where the phrase may begin: document and place, in order
    let mut starts: Option<Vec<(u32, u32)>> = None;
    for t in &wanted {
        let single = t.kind == Kind::Gram && t.text.chars().count() == 1;
        let keys = if single { counts.keys(field, &t.text)? } else { BTreeSet::from([t.text.clone()]) };
        let may = starts.as_ref().map(|s| Marked::none(counts).and_also(s.iter().map(|(d, _)| *d)));
        let mut here: Vec<(u32, u32)> = Vec::new();
        for key in &keys {
            let wanted = |doc: u32| may.as_ref().is_none_or(|m| m.0[doc as usize]);
            counts.each_position(field, key, wanted, |doc, p| {
                here.extend(p.checked_sub(t.position as u32).map(|p| (doc, p)));
            })?;
        }
        if keys.len() > 1 {
            here.sort_unstable();
            here.dedup();
        }
        starts = Some(match starts {
            None => here,
            Some(mut before) => {
                let mut here = here.into_iter().peekable();
                before.retain(|s| {
                    while here.next_if(|h| h < s).is_some() {}
                    here.peek() == Some(s)
                });
                before
            }
        });
    }
    Ok(Marked::none(counts).and_also(starts.into_iter().flatten().map(|(d, _)| d)))
}
