//! What the browser's search is given: the same words, concepts, patterns and counts that the terminal's search has, by key.
//!
//! `f:` family → documents and counts; `e:` word → languages and families; `w:` word → documents and positions; `c:` concept → documents and
//! sentences; `p:` pattern → documents and scores; `k:`/`x:` families and `K:`/`X:` concepts of causes and fixes; `s:` services; `v:` severities;
//! `l:` forms of the lexicons by their first word (`o:` endings, `i:` those that may stand within a word); `q:` patterns; `n:` languages and lengths of
//! documents, `m:` what facets count, both in blocks; `d:` what a hit shows.

use super::Output;
use super::assets::short_hash;
use super::lore::{Lore, Packed, Told};
use super::memory::{CODE, Memory, key};
use super::shapes::Edition;
use super::shards::{Keys, Shape, script};
use crate::book::answers;
use crate::book::view::Incident;
use crate::error::Result;
use crate::lang::Concept;
use crate::terms::{Analysis, ConceptTable, PlainForm, Region, Text, analyse, fold, query, tokens};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Documents are told about in blocks of so many.
const BLOCK: usize = 256;

/// Makes the files, and tells the name of their head. What the lexicons and patterns alone tell stands apart: it changes only with them, and stays
/// where an earlier build made it.
pub fn build(e: &Edition<'_>, memory: &Memory) -> Result<(String, Vec<Output>)> {
    let cases = e.input.book.cases();
    let inputs: Vec<String> = e.keys.par_iter().map(|k| key(&(CODE, "told", e.input.knowledge, k))).collect::<Result<_>>()?;
    let lore = memory.lore(&inputs, |k| told(e, k));
    let nothing = Packed::default();
    let all: Vec<&Packed> = inputs.iter().map(|i| lore.document(i).unwrap_or(&nothing)).collect();
    let mut tags: Vec<&str> = cases.iter().map(|c| c.incident.language.tag.as_str()).collect();
    tags.sort_unstable();
    tags.dedup();
    // where nothing can be found, no word needs to be understood
    let (words, mut out) = if cases.is_empty() { (String::new(), Vec::new()) } else { known(e, memory)? };
    let mut keys = Keys::default();
    let concepts: BTreeMap<&str, u16> = Concept::all().map(|c| (c.name(), c.0)).collect();
    let shown = |k: usize| {
        let made_from = key(&(CODE, "hit", e.input.knowledge, k, &inputs[k], &e.card_keys[k]))?;
        let kept = memory.made_from(&made_from).next().and_then(|p| p.strip_prefix("search/")?.strip_suffix(".js")).map(str::to_string);
        Ok((kept.ok_or_else(|| card(e, k, all[k], &lore, &concepts)), made_from))
    };
    let cards: Vec<_> = (0..cases.len()).into_par_iter().map(shown).collect::<Result<_>>()?;
    for (k, (card, made_from)) in cards.into_iter().enumerate() {
        let key = format!("d:{k:06}");
        match card {
            Ok(name) => keys.add_kept(key, &name, made_from),
            Err(value) => keys.add_alone(key, &value, made_from),
        }
    }
    for (n, block) in (0..cases.len()).collect::<Vec<_>>().chunks(BLOCK).enumerate() {
        let numbers = |k: &usize| {
            let language = tags.binary_search(&cases[*k].incident.language.tag.as_str()).unwrap_or(0);
            let [words, concepts, pairs] = all[*k].lengths;
            [json!(language), json!(words), json!(concepts), json!(pairs)]
        };
        keys.add(&format!("n:{n:04}"), block.iter().flat_map(numbers));
        keys.add(&format!("m:{n:04}"), block.iter().map(|k| facets(e, *k)));
    }
    entries(&mut keys, &all, &lore);
    documents(&mut keys, &all, &lore);
    let (directories, files) = keys.files();
    out.extend(files);
    let head = json!({"docs": cases.len(), "languages": tags, "words": words, "directories": directories}).to_string();
    let name = format!("head-{}", short_hash(head.as_bytes()));
    out.push(script(&name, &head));
    // two documents may have a file in common
    out.sort_by(|a, b| a.path.cmp(&b.path));
    out.dedup_by(|a, b| a.path == b.path);
    Ok((name, out))
}

/// Words and their families.
fn entries(keys: &mut Keys, all: &[&Packed], lore: &Lore) {
    let mut numbers: Vec<[u32; 3]> = all.iter().flat_map(|t| t.entries.iter().copied()).collect();
    numbers.par_sort_unstable();
    numbers.dedup();
    let mut entries: Vec<[&str; 3]> = numbers.into_iter().map(|e| e.map(|n| lore.word(n))).collect();
    entries.par_sort_unstable();
    for group in entries.chunk_by(|a, b| a[0] == b[0]) {
        keys.add(&format!("e:{}", group[0][0]), group.iter().map(|[_, tag, family]| json!([tag, family])));
    }
}

/// Which documents have what: documents are gone through in order, so that the list of each key is in order.
fn documents(keys: &mut Keys, all: &[&Packed], lore: &Lore) {
    let mut lists: Vec<Vec<(usize, &[u32])>> = vec![Vec::new(); lore.len()];
    for (k, document) in all.iter().enumerate() {
        for (key, numbers) in document.postings() {
            if let Some(list) = lists.get_mut(key as usize) {
                list.push((k, numbers));
            }
        }
    }
    let named = |(n, list)| u32::try_from(n).ok().map(|n| (lore.word(n), list));
    for (key, list) in lists.into_iter().enumerate().filter(|l| !l.1.is_empty()).filter_map(named) {
        let shape = match key.as_bytes().first() {
            Some(b'f' | b'p') => Shape::Pair,
            Some(b'c' | b'w') => Shape::List,
            _ => Shape::Set,
        };
        keys.add_numbers(key, shape, list);
    }
}

/// Forms and patterns, which are the same whatever the documents say: the name of their head, and the files.
fn known(e: &Edition<'_>, memory: &Memory) -> Result<(String, Vec<Output>)> {
    let inputs = key(&(CODE, "words", e.input.knowledge))?;
    let name = format!("words-{}", &inputs[..12]);
    let head = format!("search/{name}.js");
    if memory.holds(&head, &inputs) && memory.complete(&inputs) {
        return Ok((name, memory.made_from(&inputs).map(|p| Output::kept(p, inputs.clone())).collect()));
    }
    let mut keys = Keys::default();
    pattern_rows(&mut keys, e);
    let table = ConceptTable::build(e.input.languages);
    let (classes, forms) = table.forms();
    lexicons(&mut keys, &classes, &forms);
    let classes: Vec<Value> =
        classes.iter().map(|c| json!([c.folding.map(u8::from), u8::from(c.substring), u8::from(c.loose), c.prefixes])).collect();
    let concepts: Vec<&str> = Concept::all().map(Concept::name).collect();
    let (directories, mut files) = keys.files();
    let value = json!({"tags": table.tags(), "classes": classes, "concepts": concepts.join(" "), "directories": directories}).to_string();
    files.push(script(&name, &value));
    files.iter_mut().for_each(|f| f.inputs.clone_from(&inputs));
    Ok((name, files))
}

/// What one document tells the search.
fn told(e: &Edition<'_>, k: usize) -> Told {
    let (a, case) = (analysis(e, k), e.case(k));
    // each concept where it stands first
    let mut seen: BTreeMap<&str, (&str, usize)> = BTreeMap::new();
    for m in &a.marks {
        let Some(p) = case.body.get(m.passage as usize) else { continue };
        let Some(text) = p.text.get(m.range.clone()) else { continue };
        seen.entry(m.concept.name()).or_insert((text, p.line));
    }
    Told {
        postings: postings(&a, &case.incident).into_iter().collect(),
        lengths: [a.length, a.concept_length(), a.pair_length()],
        seen: seen.into_iter().map(|(name, (text, line))| (name.to_string(), text.to_string(), line)).collect(),
        entries: a.entries.into_iter().collect(),
    }
}

/// Analyses an incident as the terminal's search does.
fn analysis(e: &Edition<'_>, k: usize) -> Analysis {
    let case = e.case(k);
    let i = &case.incident;
    let tag = i.language.tag.as_str();
    let passages: Vec<Text<'_>> =
        case.body.iter().map(|p| Text { text: &p.text, sentences: &p.sentences, lang: p.lang.as_deref().unwrap_or(tag) }).collect();
    let mut regions: Vec<(Region, &str)> = Vec::new();
    regions.extend(i.title.iter().map(|t| (Region::Title, t.text.as_str())));
    regions.extend(i.services.iter().map(|s| (Region::Name, s.name.as_str())));
    regions.extend(i.tags.iter().map(|t| (Region::Name, t.as_str())));
    regions.extend(i.causes.iter().map(|c| (Region::Cause, c.text.as_str())));
    regions.extend(i.remediation.iter().map(|r| (Region::Fix, r.text.as_str())));
    regions.extend(i.timeline.iter().map(|t| (Region::Timeline, t.text.as_str())));
    analyse(&passages, &regions, e.input.languages, tag)
}

/// Key to the document's numbers.
fn postings(a: &Analysis, i: &Incident) -> BTreeMap<String, Vec<u32>> {
    let mut lists = BTreeMap::new();
    let mut add = |key: String, numbers: Vec<u32>| {
        lists.insert(key, numbers);
    };
    for (family, n) in &a.families {
        add(format!("f:{family}"), vec![*n]);
    }
    let mut words: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    a.words.iter().for_each(|(at, w)| words.entry(w).or_default().push(u32::try_from(*at).unwrap_or(u32::MAX)));
    for (word, at) in words {
        add(format!("w:{word}"), at);
    }
    let mut concepts: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    a.marks.iter().for_each(|m| concepts.entry(m.concept.name()).or_default().push(m.sentence));
    for (concept, sentences) in concepts {
        add(format!("c:{concept}"), sentences);
    }
    a.causes.iter().for_each(|f| add(format!("k:{f}"), Vec::new()));
    a.fixes.iter().for_each(|f| add(format!("x:{f}"), Vec::new()));
    a.cause_concepts.iter().for_each(|c| add(format!("K:{c}"), Vec::new()));
    a.fix_concepts.iter().for_each(|c| add(format!("X:{c}"), Vec::new()));
    let mut tagged: BTreeMap<&str, u32> = BTreeMap::new();
    i.patterns.iter().for_each(|p| *tagged.entry(p.id.as_str()).or_default() += (p.score * 100.0).round().clamp(1.0, 100.0) as u32);
    for (id, score) in tagged {
        add(format!("p:{id}"), vec![score]);
    }
    let mut names: Vec<String> = i.services.iter().flat_map(|s| tokens(&s.name)).map(|t| t.text).collect();
    names.sort();
    names.dedup();
    names.into_iter().for_each(|n| add(format!("s:{n}"), Vec::new()));
    if let Some(s) = &i.severity {
        add(format!("v:{}", fold(&s.written)), Vec::new());
        if let Some(rank) = s.rank {
            add(format!("v:={rank}"), Vec::new());
        }
    }
    lists
}

/// Days, and what the facets count: asked for once the first hits are shown.
fn facets(e: &Edition<'_>, k: usize) -> Value {
    let (i, card) = (&e.case(k).incident, &e.cards[k]);
    let (from, to) = i.date().as_deref().and_then(query::days).unwrap_or_default();
    let severity = card.severity.as_ref().map_or("", |s| s.written.as_str());
    let patterns: Vec<&str> = card.patterns.iter().map(|p| p.id.as_str()).collect();
    let services: Vec<&str> = card.services.iter().map(|s| s.text.as_str()).collect();
    json!([from, to, card.date.year.map_or(String::new(), |y| y.to_string()), severity, patterns, services])
}

/// What a hit shows.
fn card(e: &Edition<'_>, k: usize, told: &Packed, lore: &Lore, concepts: &BTreeMap<&str, u16>) -> Value {
    let (i, shown) = (&e.case(k).incident, &e.cards[k]);
    let place = |spans: &[[usize; 2]], line: usize| e.cite(k, spans, line).map(|c| json!([c.href, c.label]));
    // concepts by number, as the head lists them: names would be most of the file
    let numbers = |names: &[String]| names.iter().filter_map(|n| concepts.get(n.as_str()).copied()).collect::<Vec<u16>>();
    let causes: Vec<Value> = i.causes.iter().map(|c| json!([c.kind, c.text, place(&c.spans, c.line), numbers(&c.concepts)])).collect();
    let fixes: Vec<Value> = answers::fixes(i)
        .into_iter()
        .map(|(s, status, purpose)| json!([status, purpose, answers::in_words(s.text), place(s.spans, s.line), s.command]))
        .collect();
    let proofs: Vec<Value> = i.patterns.iter().map(|p| json!([p.id, p.evidence.first().and_then(|v| place(&v.spans, v.line))])).collect();
    let mark = |[name, text, line]: &[u32; 3]| Some((concepts.get(lore.word(*name))?.to_string(), json!([lore.word(*text), line])));
    let seen: BTreeMap<String, Value> = told.seen.iter().filter_map(mark).collect();
    json!({
        "h": shown.href, "t": shown.title, "l": shown.lang.tag, "n": shown.lang.name, "r": shown.lang.dir, "d": shown.date.show, "m": shown.date.machine, "k": shown.date.title,
        "u": shown.seconds, "s": shown.severity.as_ref().map(|s| &s.written), "v": shown.services.iter().map(|s| &s.text).collect::<Vec<_>>(),
        "c": causes, "f": fixes, "p": proofs, "w": seen,
    })
}

/// The patterns: names, and their formulas reduced to what a query can satisfy.
fn pattern_rows(keys: &mut Keys, e: &Edition<'_>) {
    let numbers = |names: &str| names.split('|').filter_map(|n| Concept::named(n.trim())).map(|c| c.0).collect::<Vec<u16>>();
    for p in e.input.catalogue.all() {
        let rule = &p.file.rule;
        let clauses: Vec<Value> = rule
            .any
            .iter()
            .map(|c| {
                let weight = f64::from(if c.weight > 0.0 { c.weight } else { 1.0 });
                let sure = 1.0 - (-1.6 * (weight + 0.3 * f64::from(rule.prior))).exp();
                let all: Vec<_> = c.all.iter().map(|g| numbers(g)).collect();
                json!([(sure.max(0.0) * 100.0).round() / 100.0, all, c.not.iter().flat_map(|n| numbers(n)).collect::<Vec<_>>()])
            })
            .collect();
        let not: Vec<u16> = rule.not.iter().flat_map(|n| numbers(n)).collect();
        keys.add(&format!("q:{}", p.file.id), [json!([p.file.id, p.file.title, clauses, not])]);
    }
}

/// The forms of all lexicons by their first word.
fn lexicons(keys: &mut Keys, classes: &[crate::terms::FormClass], forms: &[PlainForm]) {
    let mut lists: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for f in forms {
        let (first, _, open_start, _) = &f.pieces[0];
        let concept = f.concept.map_or(if f.stop { -2 } else { -1 }, |c| i32::from(c.0));
        let flag = |p: &crate::terms::PlainPiece| u8::from(p.1) | u8::from(p.2) << 1 | u8::from(p.3) << 2;
        let mut value = vec![json!(f.class), json!(flag(&f.pieces[0]) | u8::from(f.inner) << 3), json!(concept), set(f.own), set(f.also)];
        for p in &f.pieces[1..] {
            value.extend([json!(flag(p)), json!(p.0)]);
        }
        let within = f.inner || !classes[f.class].prefixes.is_empty();
        let value = json!(value);
        if *open_start {
            lists.entry(format!("o:{first}")).or_default().push(value.clone());
        } else if within {
            lists.entry(format!("i:{first}")).or_default().push(value.clone());
        }
        lists.entry(format!("l:{first}")).or_default().push(value);
    }
    lists.into_iter().for_each(|(key, list)| keys.add(&key, list));
}

/// A set of languages: nearly always none or one, which is told by its number.
fn set(languages: u128) -> Value {
    match languages.count_ones() {
        0 => json!(-1),
        1 => json!(languages.trailing_zeros()),
        _ => json!(format!("{languages:x}")),
    }
}
