//! What the browser's search is given: the same words, concepts, patterns and counts that the terminal's search has, by key.
//!
//! `f:` family, its stem first so that kin stand together → documents and counts; `e:` word → languages and families; `h:` first letter and length → the
//! words, for corrections; `w:` word → documents and positions; `c:` concept → documents and
//! sentences; `p:` pattern → documents and scores; `k:`/`x:` families and `K:`/`X:` concepts of causes and fixes; `s:` services; `v:` severities;
//! `l:` forms of the lexicons by the first six letters of their longest word (`a:` and `u:` where that has three at most, or one; `o:` endings), `z:` their words
//! for corrections; `q:` concept → what patterns ask beside it, `t:` first word of a pattern's name → the others; `n:` languages and lengths of documents
//! (in steps), `y:` their days, `m:` what facets count and `b:` their patterns, all in blocks of documents; `g:` the words that `m:` and `b:` number, but
//! `i:` for services, which are many; `d:` what a hit shows.

use super::Output;
use super::assets::short_hash;
use super::coder::{Coder, packed};
use super::facets::Facets;
use super::lore::{Lore, Packed, Told};
use super::memory::{CODE, Memory, key};
use super::search_words::{known, shape};
use super::shapes::Edition;
use super::shards::{Keys, Shape, script};
use super::source_text::within;
use crate::book::view::Incident;
use crate::book::{answers, stress};
use crate::error::Result;
use crate::lang::Concept;
use crate::terms::{Analysis, Region, Text, analyse, fold, query, step, tokens};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Documents are told about in blocks of so many.
const BLOCK: usize = 2048;

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
    let facets = Facets::of(&e.cards);
    facets.add_names(&mut keys);
    for (n, block) in (0..cases.len()).collect::<Vec<_>>().chunks(BLOCK).enumerate() {
        let [mut lengths, mut days] = [(); 2].map(|()| Coder::default());
        for coder in [&mut lengths, &mut days] {
            coder.number(0, number(block.len()));
        }
        for k in block {
            let language = tags.binary_search(&cases[*k].incident.language.tag.as_str()).unwrap_or(0);
            let [words, concepts, pairs] = all[*k].lengths;
            lengths.symbol(1, number(language));
            // each length tells much of the next
            lengths.symbol(2, words);
            lengths.symbol(3 + words as usize / 8, concepts);
            lengths.symbol(64 + concepts as usize / 8, pairs);
            let (from, to) = cases[*k].incident.date().as_deref().and_then(query::days).unwrap_or_default();
            let [from, span] = [from, to - from].map(|n| u32::try_from(n).unwrap_or_default());
            days.number(1, from / 10_000);
            days.symbol(2, from / 100 % 100);
            days.symbol(3, from % 100);
            days.number(4, span);
        }
        keys.add_coded(format!("n:{n:04}"), lengths);
        keys.add_coded(format!("y:{n:04}"), days);
        facets.add_documents(&mut keys, n, block.iter().map(|k| &e.cards[*k]));
    }
    entries(&mut keys, &all, &lore);
    documents(&mut keys, &all, &lore);
    let (directories, files) = keys.files(None);
    out.extend(files);
    let mut head = json!({"docs": cases.len(), "languages": tags, "words": words, "directories": directories});
    let same = |k: usize| cases[k].incident.same_incident_as.iter().filter_map(|id| e.index(id)).collect::<Vec<usize>>();
    let same: BTreeMap<String, Vec<usize>> = (0..cases.len()).map(|k| (k.to_string(), same(k))).filter(|(_, o)| !o.is_empty()).collect();
    if !same.is_empty() {
        head["same"] = json!(same);
    }
    let head = head.to_string();
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
    let mut alike: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for group in entries.chunk_by(|a, b| a[0] == b[0]) {
        let word = group[0][0];
        keys.add(&format!("e:{word}"), group.iter().map(|[_, tag, family]| json!([tag, family])));
        alike.entry(shape(word)).or_default().push(word);
    }
    alike.into_iter().for_each(|(shape, words)| keys.add(&format!("h:{shape}"), words.into_iter().map(|w| json!(w))));
}

/// The key of a family: its stem before its language, so that the families that stand in for each other are asked for together.
fn family_key(family: &str) -> String {
    match family.split_once(':') {
        Some((tag, stem)) if (2..=3).contains(&tag.len()) && tag.bytes().all(|b| b.is_ascii_lowercase()) => format!("f:{stem}:{tag}"),
        _ => format!("f:{family}"),
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
        lengths: [a.length, a.concept_length(), a.pair_length()].map(step),
        seen: seen.into_iter().map(|(name, (text, line))| (name.to_string(), text.to_string(), line)).collect(),
        entries: a.entries.into_iter().collect(),
    }
}

/// Analyses an incident as the terminal's search does.
fn analysis(e: &Edition<'_>, k: usize) -> Analysis {
    let case = e.case(k);
    let i = &case.incident;
    let tag = i.language.tag.as_str();
    let stress = stress(case);
    let passages: Vec<Text<'_>> = case
        .body
        .iter()
        .zip(&stress)
        .map(|(p, stress)| Text { text: &p.text, sentences: &p.sentences, stress, lang: p.lang.as_deref().unwrap_or(tag) })
        .collect();
    let mut regions: Vec<(Region, &str)> = Vec::new();
    regions.extend(i.title.iter().map(|t| (Region::Title, t.text.as_str())));
    regions.extend(i.services.iter().map(|s| (Region::Name, s.name.as_str())));
    regions.extend(std::iter::once(&i.id).chain(&i.aliases).map(|id| (Region::Id, id.as_str())));
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
        add(family_key(family), vec![*n]);
    }
    let mut words: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    a.words.iter().for_each(|(at, w)| words.entry(w).or_default().push(u32::try_from(*at).unwrap_or(u32::MAX)));
    for (word, at) in words {
        add(format!("w:{word}"), at);
    }
    let mut concepts: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    a.marks.iter().for_each(|m| concepts.entry(m.concept.name()).or_default().extend((0..m.times).map(|_| m.sentence)));
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

/// A count as it is written.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// What a hit shows: its cause, of fixes the two that it shows. What is the same as something before it is left
/// out, and so is the label of a line that is named by its number.
fn card(e: &Edition<'_>, k: usize, told: &Packed, lore: &Lore, concepts: &BTreeMap<&str, u16>) -> Value {
    let (i, shown) = (&e.case(k).incident, &e.cards[k]);
    let place = |spans: &[[usize; 2]], line: usize| {
        e.cite(k, spans, line).map(|c| match c.label.strip_prefix('L').and_then(|l| l.parse::<usize>().ok()) {
            Some(n) if c.href == format!("#L{n}") => json!(n),
            _ => json!([c.href, c.label]),
        })
    };
    // the one that the incident's own page tells first
    let cause = answers::why(i).into_iter().next().map(|c| json!([&c.text[within(c.text)], place(c.spans, c.line)]));
    let mut fixes = answers::fixes(i);
    fixes.sort_by_key(|(_, status, purpose)| rank(status, *purpose));
    let fixes: Vec<Value> = fixes
        .into_iter()
        .take(FIXES)
        .map(|(s, status, _)| {
            let mut row = vec![json!(u8::from(status == "done")), json!(answers::in_words(s.text)), json!(place(s.spans, s.line))];
            row.extend(s.command.map(|c| json!(c)));
            json!(row)
        })
        .collect();
    let proofs: Vec<Value> = i.patterns.iter().map(|p| json!([p.id, p.evidence.first().and_then(|v| place(&v.spans, v.line))])).collect();
    let mut seen: Vec<(u16, &str, u32)> = told
        .seen
        .iter()
        .filter_map(|[name, text, line]| concepts.get(lore.word(*name)).map(|number| (*number, lore.word(*text), *line)))
        .collect();
    seen.sort_unstable();
    let lines = seen.iter().flat_map(|(number, _, line)| [u32::from(*number), *line]);
    // the concepts and lines of all, then the words of each
    let seen: Vec<Value> = std::iter::once(json!(packed(lines))).chain(seen.iter().map(|(_, text, _)| json!(text))).collect();
    let other = |value: Value| Some(value).filter(|v| *v != json!(shown.date.show));
    let mut card = json!({
        "h": shown.href, "t": shown.title, "l": shown.lang.tag, "d": shown.date.show, "c": cause, "f": fixes, "p": proofs, "w": seen,
    });
    let more = [
        ("m", other(json!(shown.date.machine))),
        ("k", other(json!(shown.date.title))),
        ("u", shown.seconds.map(|s| json!(s))),
        ("s", shown.severity.as_ref().map(|s| json!(s.written))),
        ("v", Some(json!(shown.services.iter().map(|s| &s.text).collect::<Vec<_>>())).filter(|_| !shown.services.is_empty())),
    ];
    if let Some(map) = card.as_object_mut() {
        map.extend(more.into_iter().filter_map(|(key, value)| Some((key.to_string(), value?))));
    }
    card
}

/// So many fixes are shown.
const FIXES: usize = 2;

/// Which fix is shown first: what was done before what is planned, and what stopped it before what prevents it.
fn rank(status: &str, purpose: Option<&str>) -> i32 {
    let state = match status {
        "done" => 0,
        "planned" => 4,
        _ => 8,
    };
    state
        + match purpose {
            Some("stopped") => -1,
            Some("mitigate") => 0,
            Some("repair") => 1,
            Some("prevent") => 2,
            _ => 3,
        }
}
