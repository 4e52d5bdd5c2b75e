//! What the browser's search knows whatever the documents say: the forms of all lexicons, and what patterns ask for. Its keys are told in
//! [`super::search_data`].

use super::Output;
use super::coder::packed;
use super::memory::{CODE, Memory, key};
use super::shapes::Edition;
use super::shards::{Keys, script};
use crate::error::Result;
use crate::lang::Concept;
use crate::terms::{ConceptTable, FormClass, PlainForm, PlainPiece, plain};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Forms and patterns, which are the same whatever the documents say: the name of their head, and the files.
pub fn known(e: &Edition<'_>, memory: &Memory) -> Result<(String, Vec<Output>)> {
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
    let [shapes, sets] = lexicons(&mut keys, &classes, &forms);
    let classes: Vec<Value> =
        classes.iter().map(|c| json!([c.folding.map(u8::from), u8::from(c.substring), u8::from(c.loose), c.prefixes])).collect();
    let concepts: Vec<&str> = Concept::all().map(Concept::name).collect();
    let (directories, mut files) = keys.files(Some(&name));
    let value = json!({"tags": table.tags(), "classes": classes, "shapes": shapes, "sets": sets, "concepts": concepts.join(" "), "directories": directories}).to_string();
    files.push(script(&name, &value));
    files.iter_mut().for_each(|f| f.inputs.clone_from(&inputs));
    Ok((name, files))
}

/// First letter and length of a word: a slip of the pen leaves the one and hardly changes the other.
pub fn shape(word: &str) -> String {
    let first: String = word.chars().take(1).collect();
    format!("{first}{}", word.chars().count())
}

/// The patterns: their formulas reduced to what a query can satisfy, each clause by the concepts of which it needs one, and their names by the first word.
fn pattern_rows(keys: &mut Keys, e: &Edition<'_>) {
    let numbers = |names: &str| names.split('|').filter_map(|n| Concept::named(n.trim())).map(|c| c.0).collect::<Vec<u16>>();
    let (mut asked, mut named): (BTreeMap<u16, Vec<Value>>, BTreeMap<String, Vec<Value>>) = Default::default();
    for p in e.input.catalogue.all() {
        let rule = &p.file.rule;
        let against: Vec<u16> = rule.not.iter().flat_map(|n| numbers(n)).collect();
        for c in &rule.any {
            let weight = f64::from(if c.weight > 0.0 { c.weight } else { 1.0 });
            let sure = 1.0 - (-1.6 * (weight + 0.3 * f64::from(rule.prior))).exp();
            let mut all: Vec<Vec<u16>> = c.all.iter().map(|g| numbers(g)).collect();
            let Some(least) = (0..all.len()).min_by_key(|g| all[*g].len()) else { continue };
            let mut not: Vec<u16> = c.not.iter().flat_map(|n| numbers(n)).chain(against.iter().copied()).collect();
            not.sort_unstable();
            not.dedup();
            let mut keyed = all[least].clone();
            keyed.sort_unstable();
            keyed.dedup();
            // whether each group can have a concept of its own is tried in the order that the formula has
            all.iter_mut().for_each(|g| g.sort_unstable());
            let row = json!([p.file.id, (sure.max(0.0) * 100.0).round() / 100.0, all, not]);
            keyed.into_iter().for_each(|concept| asked.entry(concept).or_default().push(row.clone()));
        }
        for name in std::iter::once(&p.file.id).chain(p.file.title.values()) {
            if let [first, rest @ ..] = plain(name).as_slice() {
                let row = json!([p.file.id, rest.join(" ")]);
                let rows = named.entry(first.clone()).or_default();
                if !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
    }
    asked.into_iter().for_each(|(concept, rows)| keys.add(&format!("q:{concept}"), rows));
    named.into_iter().for_each(|(word, rows)| keys.add(&format!("t:{word}"), rows));
}

/// A form is asked for by so many letters of its word, or by all of fewer.
const BEGINNING: usize = 6;
/// A word of fewer than so many is among the short ones.
const SHORT: usize = 4;
/// Sets of languages that so many forms have are told by number.
const USUAL: usize = 60;

/// The forms of all lexicons, each by one of its words: where the form stands, that word does. The longest is asked for by the fewest queries.
///
/// A form is a text: its shape (class and flags) and its languages by number, its concept (two more: none is 1, and 0 a function word), where the
/// languages have no number these, the rest of its word, and its other words, each behind a sign. Told are the shapes and the usual sets of languages.
fn lexicons(keys: &mut Keys, classes: &[FormClass], forms: &[PlainForm]) -> [Value; 2] {
    let flag = |p: &PlainPiece| usize::from(p.1) | usize::from(p.2) << 1 | usize::from(p.3) << 2;
    let chosen: Vec<usize> = forms.iter().map(|f| asked_by(f, classes)).collect();
    let shape_of = |(f, at): (&PlainForm, &usize)| (f.class, flag(&f.pieces[*at]) | usize::from(f.inner) << 3 | at << 4);
    let shapes = by_use(forms.iter().zip(&chosen).map(shape_of), 1);
    let sets = by_use(forms.iter().map(|f| (f.own, f.also)), USUAL);
    let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut alike: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (f, at) in forms.iter().zip(&chosen) {
        let concept = f.concept.map_or(u32::from(!f.stop), |c| u32::from(c.0) + 2);
        let (word, _, ending, _) = &f.pieces[*at];
        let letters = if *ending { 0 } else { BEGINNING };
        let (begin, rest) = word.split_at(word.char_indices().nth(letters).map_or(word.len(), |(i, _)| i));
        let set = sets.get(&(f.own, f.also)).map(|n| n + 1);
        let form = shapes.get(&shape_of((f, at))).copied().unwrap_or_default();
        let mut value = packed([form, set.unwrap_or_default(), concept]);
        if set.is_none() {
            value.push_str(&format!("{:x}.{:x}.", f.own, f.also));
        }
        plain_signs(&mut value, rest);
        for (_, p) in f.pieces.iter().enumerate().filter(|(n, _)| n != at) {
            match flag(p) {
                0 => value.push('^'),
                n => value.push_str(&format!("~{n}")),
            }
            plain_signs(&mut value, &p.0);
        }
        let kind = match word.chars().count() {
            _ if *ending => "o",
            1 => "u",
            n if n < SHORT => "a",
            _ => "l",
        };
        lists.entry(format!("{kind}:{begin}")).or_default().push(value);
        let (first, open_end, ..) = &f.pieces[0];
        if f.concept.is_some() && !open_end && !classes[f.class].substring {
            alike.entry(shape(first)).or_default().insert(first);
        }
    }
    lists.into_iter().for_each(|(key, list)| keys.add_texts(&key, &list, '!'));
    alike.into_iter().for_each(|(shape, words)| keys.add(&format!("z:{shape}"), words.into_iter().map(|w| json!(w))));
    let listed = |n: usize| vec![Value::Null; n];
    let (mut told_shapes, mut told_sets) = (listed(shapes.len()), listed(sets.len()));
    shapes.iter().for_each(|((class, flags), n)| told_shapes[*n as usize] = json!([class, flags]));
    sets.iter().for_each(|((own, also), n)| told_sets[*n as usize] = json!([format!("{own:x}"), format!("{also:x}")]));
    [json!(told_shapes), json!(told_sets)]
}

/// By which of its words a form is asked for.
fn asked_by(f: &PlainForm, classes: &[FormClass]) -> usize {
    // a word of which only the end is told, or that may stand behind a prefix, is not looked for by its beginning
    let prefixed = !classes[f.class].prefixes.is_empty();
    let by = |n: &usize| *n == 0 && !f.pieces[0].2 || *n > 0 && !f.pieces[*n].2 && !(f.pieces[*n].3 && prefixed);
    (0..f.pieces.len()).filter(by).rev().max_by_key(|n| f.pieces[*n].0.chars().count()).unwrap_or(0)
}

/// Numbers what is used, the most used first; what is used less often than `least` times has none.
fn by_use<T: Ord + Copy>(used: impl Iterator<Item = T>, least: usize) -> BTreeMap<T, u32> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    used.for_each(|one| *counts.entry(one).or_default() += 1);
    let mut list: Vec<(T, usize)> = counts.into_iter().filter(|(_, n)| *n >= least).collect();
    list.sort_by_key(|(one, n)| (std::cmp::Reverse(*n), *one));
    (0..).zip(list).map(|(n, (one, _))| (one, n)).collect()
}

/// Appends a word; signs that part words and forms are written otherwise.
fn plain_signs(out: &mut String, word: &str) {
    for c in word.chars() {
        match "`!^~".find(c) {
            Some(n) => {
                out.push('`');
                out.push(char::from(b'0' + n as u8));
            }
            None => out.push(c),
        }
    }
}
