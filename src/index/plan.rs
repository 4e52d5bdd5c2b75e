//! From a query to what is scored: its words to families, its concepts and patterns to postings.

use super::counts::Counts;
use crate::error::Result;
use crate::lang::Concept;
use crate::terms::score::{Asked, Word};
use crate::terms::{Kind, Rows, Token, kin, kin_prefix, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// Weight of words that stand in for one that a language does not have.
const KIN: f64 = 0.8;
/// What one occurrence in the body counts in the postings.
const BODY: f64 = 4.0;

/// One word of a query.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// What it is.
    pub kind: Kind,
    /// Its folded text.
    pub text: String,
    /// Keys of its postings, with their weights.
    pub families: BTreeMap<String, f64>,
    /// Words of the corpus that it stands for.
    pub forms: BTreeSet<String>,
    /// True where a document has the very word.
    pub exact: bool,
    /// Documents and weighted counts; handed over to what is asked when the plan is completed (see [`Plan::postings`]).
    pub postings: Vec<(u32, f64)>,
}

impl Unit {
    /// What it is scored by; takes the postings.
    pub fn word(&mut self) -> Word {
        let neutral = self.kind == Kind::Whole || self.families.keys().any(|f| f.starts_with(':'));
        Word { neutral, gram: self.kind == Kind::Gram, postings: std::mem::take(&mut self.postings) }
    }

    /// True where a token of a document is what it looks for.
    pub fn accepts(&self, token: &Token) -> bool {
        match self.kind {
            Kind::Gram if self.text.chars().count() == 1 => token.kind == Kind::Gram && token.text.starts_with(&self.text),
            Kind::Gram | Kind::Whole => token.text == self.text,
            _ => matches!(token.kind, Kind::Word | Kind::Part) && (token.text == self.text || self.forms.contains(&token.text)),
        }
    }
}

/// What is asked of the index.
#[derive(Default)]
pub(super) struct Plan {
    pub units: Vec<Unit>,
    pub concepts: Vec<Concept>,
    /// For each concept its part of the words that mean it; none: each has its own.
    pub parts: Vec<f64>,
    pub patterns: Vec<(String, f64)>,
    /// Patterns that a filter asks for.
    pub wanted: Vec<String>,
    pub asked: Asked,
}

/// The words, grams and wholes of a query, each once; a last character alone only where it is all there is.
pub(super) fn asked_tokens(text: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut last_gram = usize::MAX;
    for t in tokens(text) {
        let tail = t.kind == Kind::Gram && t.range.end == last_gram;
        if t.kind == Kind::Gram {
            last_gram = t.range.end;
        }
        if !tail && t.kind != Kind::Part && !out.iter().any(|o| o.text == t.text && o.kind == t.kind) {
            out.push(t);
        }
    }
    out
}

/// Whether a word may go on beyond what was typed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It is whole.
    Closed,
    /// Words that begin with it stand in for it, as its kin do.
    Open,
    /// Words that begin with it are what is meant (`retr*`).
    Star,
}

/// Looks a token up in the corpus.
pub(super) fn unit(counts: &Counts, token: &Token) -> Result<Unit> {
    looked_up(counts, token, End::Closed)
}

/// Looks a token up in the corpus, with the words that begin with it.
pub(super) fn looked_up(counts: &Counts, token: &Token, end: End) -> Result<Unit> {
    let fields = counts.open.fields;
    let mut u = Unit {
        kind: token.kind,
        text: token.text.clone(),
        families: BTreeMap::new(),
        forms: BTreeSet::new(),
        exact: false,
        postings: Vec::new(),
    };
    match token.kind {
        Kind::Gram if token.text.chars().count() == 1 => {
            u.families = counts.keys(fields.family, &token.text)?.into_iter().map(|k| (k, 1.0)).collect()
        }
        Kind::Gram | Kind::Whole => {
            u.families.insert(token.text.clone(), 1.0);
        }
        Kind::Word | Kind::Part => word(counts, &mut u, end)?,
    }
    let mut sums: Vec<(u32, f64)> = Vec::new();
    for (key, weight) in &u.families {
        counts.each_number(fields.family, key, |doc, count| sums.push((doc, f64::from(count) / BODY * weight)))?;
    }
    if u.families.len() > 1 {
        // those of a document are added up in the order of the families
        sums.sort_by_key(|(doc, _)| *doc);
        sums.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += later.1;
            }
            same
        });
    }
    u.exact |= matches!(token.kind, Kind::Gram | Kind::Whole) && !sums.is_empty();
    u.postings = sums;
    Ok(u)
}

/// The shortest beginning of a word.
const BEGINNING: usize = 2;

/// The families of a word: those of the very word; in languages that do not have it, those of its kin, and of what begins with it where it is open.
fn word(counts: &Counts, u: &mut Unit, end: End) -> Result<()> {
    let field = counts.open.fields.entry;
    let exact_key = format!("{}\0", u.text);
    let open = end != End::Closed && u.text.chars().count() >= BEGINNING;
    let begins = kin_prefix(&u.text).unwrap_or(if open { &u.text } else { &exact_key });
    let keys = counts.keys(field, begins)?;
    let entries: Vec<(&str, &str, &str, &String)> = keys.iter().filter_map(|k| entry(k).map(|(w, l, f)| (w, l, f, k))).collect();
    let mut languages: BTreeSet<&str> = BTreeSet::new();
    for (w, language, family, key) in &entries {
        if *w == u.text && counts.live(field, key)? {
            languages.insert(language);
            u.families.insert((*family).to_string(), 1.0);
            u.exact = true;
        }
    }
    for (_, _, family, key) in entries.iter().filter(|(w, ..)| end == End::Star && open && w.starts_with(&u.text)) {
        if !u.families.contains_key(*family) && counts.live(field, key)? {
            u.families.insert((*family).to_string(), 1.0);
            u.exact = true;
        }
    }
    for (w, language, family, key) in &entries {
        if !languages.contains(language)
            && !u.families.contains_key(*family)
            && (kin(&u.text, w) || open && w.starts_with(&u.text))
            && counts.live(field, key)?
        {
            u.families.insert((*family).to_string(), KIN);
        }
    }
    u.forms = entries.iter().filter(|(_, _, f, _)| u.families.contains_key(*f)).map(|(w, ..)| (*w).to_string()).collect();
    Ok(())
}

fn entry(key: &str) -> Option<(&str, &str, &str)> {
    let mut parts = key.splitn(3, '\0');
    Some((parts.next()?, parts.next()?, parts.next()?))
}

/// What a word that nobody has may have been meant as: the nearest word of the corpus or of the lexicons that begins alike.
pub(super) fn correction(counts: &Counts, word: &str) -> Result<Option<String>> {
    let n = word.chars().count();
    let (Some(first), true) = (word.chars().next(), n >= 4 && !word.bytes().any(|b| b.is_ascii_digit())) else { return Ok(None) };
    // the lexicons know so many words that nearly every one has some other for its neighbour: a letter taken for another is two slips there
    let limit = if n < 10 { 1 } else { 2 };
    let mut best: Option<(usize, String)> = counts.open.table.nearest(word, limit);
    let field = counts.open.fields.entry;
    counts.each_near(field, first, Rows::new(word, limit, if n < 5 { 2 } else { 1 }), |d, key| {
        let Some((known, ..)) = entry(key) else { return Ok(()) };
        let better = best.as_ref().is_none_or(|(b, w)| (d, known) < (*b, w.as_str()));
        if better && counts.live(field, key)? {
            best = Some((d, known.to_string()));
        }
        Ok(())
    })?;
    // another form of the word is no correction
    Ok(best.map(|(_, w)| w).filter(|w| w != word && !kin(word, w)))
}

impl Plan {
    /// The units with the documents that have them.
    pub fn postings(&self) -> impl Iterator<Item = (&Unit, &[(u32, f64)])> {
        self.units.iter().zip(self.asked.words.iter().map(|w| w.postings.as_slice()))
    }

    /// Gathers the counts of concepts and patterns, and closes the plan. Where a document has one of the concepts alone, the sentences are told only if
    /// `all` is asked for: its score does not depend on them.
    pub fn complete(&mut self, counts: &Counts, language: Option<String>, all: bool) -> Result<()> {
        let fields = counts.open.fields;
        let words = self.units.iter_mut().map(Unit::word).collect();
        let mut asked = Asked { language, words, parts: self.parts.clone(), ..Asked::default() };
        let mut met: Vec<u8> = vec![if all { 2 } else { 0 }; counts.corpus.docs.len()];
        if !all && self.concepts.len() > 1 {
            for c in &self.concepts {
                counts.each_doc(fields.concept, c.name(), |doc| met[doc as usize] = met[doc as usize].saturating_add(1))?;
            }
        }
        for c in &self.concepts {
            asked.concepts.push(counts.places(fields.concept, c.name(), |doc| met[doc as usize] > 1)?);
        }
        for (id, sure) in &self.patterns {
            let tagged = counts.numbers(fields.pattern, id)?;
            asked.patterns.push((*sure, tagged.into_iter().map(|(d, n)| (d, f64::from(n) / 100.0)).collect()));
        }
        self.asked = asked;
        Ok(())
    }
}
