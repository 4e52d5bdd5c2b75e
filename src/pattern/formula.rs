//! Formulas over concepts, and how they are read against a document's sentences.
//!
//! Each clause that finds its groups is evidence of its weight, times the trust in the sentence it was found in (its role; hedges, hypotheses,
//! generalities and remedies lower it). The strongest pieces of evidence add up to a score between 0 and 1.

use super::evidence::{Evidence, Finding};
use super::schema;
pub use super::schema::Within;
use crate::lang::{Concept, Role};
use std::ops::Range;

/// How a sentence is to be believed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trust {
    /// Trust in its role, 0 to 1.
    pub role: f32,
    /// 1 where it is told as a fact; less where hedged, hypothetical, generic, remedial; 0 where ruled out.
    pub told: f32,
}

/// One sentence, turned into concepts.
#[derive(Clone, Debug, Default)]
pub struct Sentence {
    /// Concepts with the ranges of their stems in the sentence's block, by position: inflection (which may negate) is left out.
    pub concepts: Vec<(Concept, Range<usize>)>,
    /// Ranges of negations.
    pub negations: Vec<Range<usize>>,
    /// Ranges of words that say of something beside them that it was not hit.
    pub unharmed: Vec<Range<usize>>,
    /// Role of its section.
    pub role: Option<Role>,
    /// How it is to be believed.
    pub trust: Trust,
    /// Number of its section.
    pub section: usize,
    /// Number of its block; neighbours stand in the same block or the next.
    pub block: usize,
    /// The text of its clauses' limits: commas and the like, by position, so that a negation holds for its own clause only.
    pub limits: Vec<usize>,
    /// Where negations may stand: before what they negate, and after it.
    pub negation: (bool, bool),
    /// How many letters of Latin writing a byte of its text is worth: distances are told in letters, so that they mean the same in every script.
    pub letters: f32,
}

#[derive(Clone, Debug)]
struct Clause {
    weight: f32,
    groups: Vec<Vec<Concept>>,
    within: Within,
    near: usize,
    roles: Vec<Role>,
    not: Vec<Concept>,
}

/// A compiled formula.
#[derive(Clone, Debug)]
pub struct Rule {
    prior: f32,
    loose: bool,
    clauses: Vec<Clause>,
    not: Vec<Concept>,
}

fn concepts(names: &str) -> Result<Vec<Concept>, String> {
    let one = |n: &str| match Concept::named(n) {
        Some(c) => Ok(c),
        None if n.is_empty() => Err(format!("a concept is missing in `{names}`")),
        None => Err(format!("unknown concept `{n}`")),
    };
    names.split('|').map(str::trim).map(one).collect()
}

impl Rule {
    /// Compiles a formula; `Err` says what is wrong with it.
    pub fn compile(rule: &schema::Rule) -> Result<Rule, String> {
        let list = |names: &[String]| names.iter().map(|n| concepts(n)).collect::<Result<Vec<_>, _>>().map(|v| v.concat());
        let mut clauses = Vec::new();
        for c in &rule.any {
            if c.all.is_empty() {
                return Err("a clause of `any` has no concepts in `all`".into());
            }
            let roles = c.roles.iter().map(|r| Role::named(r).ok_or_else(|| format!("unknown role `{r}`"))).collect::<Result<_, _>>()?;
            clauses.push(Clause {
                weight: if c.weight == 0.0 { 1.0 } else { c.weight },
                groups: c.all.iter().map(|g| concepts(g)).collect::<Result<_, _>>()?,
                within: c.within,
                near: c.near.unwrap_or(usize::MAX),
                roles,
                not: list(&c.not)?,
            });
        }
        Ok(Rule { prior: rule.prior, loose: rule.negation == "loose", clauses, not: list(&rule.not)? })
    }

    /// The concepts it asks for, sorted.
    pub fn concepts(&self) -> Vec<Concept> {
        let mut all: Vec<Concept> = self.clauses.iter().flat_map(|c| c.groups.iter().flatten().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The sentences of a document, prepared for all formulas: which concepts occur where.
pub struct Look<'s> {
    sentences: &'s [Sentence],
    /// For each concept, one bit for each sentence: whether it holds the concept.
    holding: Vec<u64>,
    /// How many words of bits there are for each concept.
    width: usize,
    /// The concepts that any sentence holds.
    spoken: Vec<bool>,
}

impl<'s> Look<'s> {
    /// Prepares sentences.
    pub fn new(sentences: &'s [Sentence]) -> Look<'s> {
        let width = sentences.len().div_ceil(64);
        let (mut holding, mut spoken) = (vec![0; Concept::count() * width], vec![false; Concept::count()]);
        for (i, s) in sentences.iter().enumerate() {
            for (Concept(c), _) in &s.concepts {
                holding[usize::from(*c) * width + i / 64] |= 1 << (i % 64);
                spoken[usize::from(*c)] = true;
            }
        }
        Look { sentences, holding, width, spoken }
    }

    /// True where a sentence holds any of some concepts.
    fn speaks_of(&self, concepts: &[Concept]) -> bool {
        concepts.iter().any(|c| self.spoken[usize::from(c.0)])
    }

    /// The sentences that hold any of some concepts, a bit for each.
    fn holding(&self, concepts: &[Concept]) -> Vec<u64> {
        let mut out = vec![0; self.width];
        for c in concepts.iter().filter(|c| self.spoken[usize::from(c.0)]) {
            let own = &self.holding[usize::from(c.0) * self.width..][..self.width];
            out.iter_mut().zip(own).for_each(|(o, b)| *o |= b);
        }
        out
    }

    /// The sentences that may prove a clause, in order: those that hold all groups, or the rarest where the others may stand elsewhere.
    fn candidates(&self, clause: &Clause) -> Vec<usize> {
        let groups = clause.groups.iter().map(|g| self.holding(g));
        let count = |bits: &Vec<u64>| bits.iter().map(|b| b.count_ones()).sum::<u32>();
        let bits = if clause.within == Within::Sentence {
            groups.reduce(|mut all, g| {
                all.iter_mut().zip(g).for_each(|(a, b)| *a &= b);
                all
            })
        } else {
            groups.min_by_key(count)
        };
        let bits = bits.unwrap_or_default();
        (0..self.sentences.len()).filter(|i| bits.get(i / 64).is_some_and(|b| b & 1 << (i % 64) > 0)).collect()
    }
}

/// Reads a formula against a document.
pub fn judge(rule: &Rule, look: &Look) -> Finding {
    let mut evidence: Vec<Evidence> = Vec::new();
    for (n, clause) in rule.clauses.iter().enumerate() {
        // most clauses ask for something that the document does not speak of at all
        if clause.groups.iter().any(|g| !look.speaks_of(g)) {
            continue;
        }
        for i in look.candidates(clause) {
            if let Ok(e) = prove(rule, clause, look.sentences, i) {
                evidence.push(Evidence { clause: n, ..e });
            }
        }
    }
    evidence.sort_by(|a, b| b.rank().total_cmp(&a.rank()).then(a.sentence.cmp(&b.sentence)).then(a.clause.cmp(&b.clause)));
    let mut clauses: Vec<usize> = evidence.iter().map(|e| e.clause).collect();
    clauses.sort_unstable();
    clauses.dedup();
    let mut best: Vec<Evidence> = Vec::new();
    for e in evidence {
        if !best.iter().any(|b| b.sentence == e.sentence) {
            best.push(e);
        }
    }
    let sentences = best.len();
    let factors = [1.0, 0.45, 0.25, 0.12];
    let sum: f32 = best.iter().zip(factors).map(|(e, f)| e.weight * f).sum();
    best.truncate(6);
    let score = if best.is_empty() { 0.0 } else { squash(sum + 0.3 * rule.prior) };
    Finding { score, evidence: best, clauses: clauses.len(), sentences }
}

/// Maps added evidence to 0..1: one full-weight sentence in a cause passage is about 0.8.
fn squash(x: f32) -> f32 {
    if x <= 0.0 { 0.0 } else { 1.0 - (-1.6 * x).exp() }
}

/// Concepts and the words they were found by.
pub type Words = Vec<(Concept, Range<usize>)>;

/// Why a clause does not hold in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The words are there and negated.
    Negated,
    /// The words are there and too far apart.
    Apart,
    /// The sentence holds a concept that takes it out.
    Holds(Concept),
    /// The sentence is in a section of another role than the clause asks for.
    Elsewhere,
    /// The sentence is not told as something that happened.
    Untold,
    /// No word of the group of this number.
    Lacks(usize),
}

/// A clause that nearly holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// The sentence's index.
    pub sentence: usize,
    /// Which clause of the formula.
    pub clause: usize,
    /// What it fails for.
    pub why: Why,
    /// The words that are there.
    pub words: Words,
}

/// The clauses that came nearest to holding, at most one a sentence: all groups but one have a word, or all have and something speaks against it.
pub fn nearly(rule: &Rule, sentences: &[Sentence], limit: usize) -> Vec<Miss> {
    let mut out: Vec<(f32, Miss)> = Vec::new();
    for (i, s) in sentences.iter().enumerate() {
        let tries = rule.clauses.iter().enumerate().filter_map(|(n, clause)| {
            let why = prove(rule, clause, sentences, i).err()?;
            let (words, away) = closest(clause, s)?;
            let share = words.len() as f32 / (words.len() + away.len()) as f32;
            let near = away.is_empty() || (away.len() == 1 && words.len() > 1) || clause.groups.len() == 2;
            near.then_some((clause.weight * share * s.trust.role.max(0.1), Miss { sentence: i, clause: n, why, words }))
        });
        out.extend(tries.max_by(|a, b| a.0.total_cmp(&b.0)));
    }
    out.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.sentence.cmp(&b.1.sentence)));
    out.into_iter().take(limit).map(|(_, m)| m).collect()
}

/// Tries a clause at a sentence (and around it, where the clause allows).
fn prove(rule: &Rule, clause: &Clause, all: &[Sentence], i: usize) -> Result<Evidence, Why> {
    let s = &all[i];
    let trust = s.trust.role * s.trust.told;
    if trust <= 0.0 {
        return Err(Why::Untold);
    }
    if !clause.roles.is_empty() && !s.role.is_some_and(|r| clause.roles.contains(&r)) {
        return Err(Why::Elsewhere);
    }
    let has = |c: &&Concept| s.concepts.iter().any(|(x, _)| x == *c);
    if let Some(c) = rule.not.iter().chain(&clause.not).find(has) {
        return Err(Why::Holds(*c));
    }
    let (mut words, away) = closest(clause, s).ok_or(Why::Lacks(0))?;
    let elsewhere = |group: &Vec<Concept>| match clause.within {
        Within::Sentence => None,
        Within::Neighbours => near_sentences(all, i, 1).find(|&j| holds(&all[j], group)),
        Within::Section => near_sentences(all, i, 12).filter(|&j| all[j].section == s.section).find(|&j| holds(&all[j], group)),
    };
    if let Some((n, _)) = away.iter().find(|(_, g)| elsewhere(g).is_none()) {
        return Err(Why::Lacks(*n));
    }
    let (from, to) = extent(&words);
    let spread = (to - from) as f32 * s.letters;
    if spread > clause.near as f32 {
        return Err(Why::Apart);
    }
    if !rule.loose && negated(s, &words) {
        return Err(Why::Negated);
    }
    let mut factor = if away.is_empty() { 1.0 } else { 0.85 };
    // words far apart in a long sentence are weaker evidence
    if words.len() > 1 {
        factor *= match spread {
            d if d <= 120.0 => 1.0,
            d if d <= 220.0 => 0.9,
            _ => 0.75,
        };
    }
    words.sort_by_key(|(_, r)| r.start);
    let limits = s.limits.iter().filter(|l| (from..to).contains(l)).count();
    Ok(Evidence {
        sentence: i,
        clause: 0,
        weight: clause.weight * trust * factor,
        told: s.trust.told,
        words,
        spread,
        limits,
        elsewhere: !away.is_empty(),
    })
}

fn extent(words: &Words) -> (usize, usize) {
    (words.iter().map(|(_, r)| r.start).min().unwrap_or(0), words.iter().map(|(_, r)| r.end).max().unwrap_or(0))
}

/// A clause's groups that have no word in a sentence, by number.
type Away<'c> = Vec<(usize, &'c Vec<Concept>)>;

/// The hits of a clause's groups that lie closest together, each on words of its own, and the groups that have none here.
fn closest<'c>(clause: &'c Clause, s: &Sentence) -> Option<(Words, Away<'c>)> {
    let here = |g: &Vec<Concept>| s.concepts.iter().filter(|(c, _)| g.contains(c)).count();
    // the group with the fewest hits leads: each of its hits is tried, and the others take what is nearest to it
    let (lead, groups) = clause.groups.iter().enumerate().filter(|(_, g)| here(g) > 0).min_by_key(|(_, g)| here(g))?;
    let mut best: Option<(Words, Away)> = None;
    for first in s.concepts.iter().filter(|(c, _)| groups.contains(c)) {
        let mut words: Words = vec![first.clone()];
        let mut away = Vec::new();
        for (n, group) in clause.groups.iter().enumerate().filter(|(n, _)| *n != lead) {
            // a group's word must not be one that another group already stands on
            let free =
                s.concepts.iter().filter(|(c, r)| group.contains(c) && !words.iter().any(|(_, w)| w.start < r.end && r.start < w.end));
            match free.min_by_key(|(_, r)| r.start.abs_diff(first.1.start)) {
                Some(found) => words.push(found.clone()),
                None => away.push((n, group)),
            }
        }
        let key = |w: &Words, a: &Away| {
            let (from, to) = extent(w);
            (a.len(), to - from)
        };
        if best.as_ref().is_none_or(|(w, a)| key(&words, &away) < key(w, a)) {
            best = Some((words, away));
        }
    }
    best
}

fn holds(s: &Sentence, group: &[Concept]) -> bool {
    s.trust.told > 0.3 && s.concepts.iter().any(|(c, _)| group.contains(c))
}

fn near_sentences(all: &[Sentence], i: usize, reach: usize) -> impl Iterator<Item = usize> + '_ {
    let (section, block) = (all[i].section, all[i].block);
    (i.saturating_sub(reach)..=(i + reach).min(all.len() - 1))
        .filter(move |&j| j != i && all[j].section == section && (reach > 1 || all[j].block.abs_diff(block) <= 1))
}

/// A negation outside the matched words, in the same clause, on the side where the language puts it; or words there that say it was not hit.
fn negated(s: &Sentence, words: &[(Concept, Range<usize>)]) -> bool {
    let spared = |n: &Range<usize>| {
        let apart = !words.iter().any(|(_, r)| r.start < n.end && n.start < r.end);
        apart
            && words.iter().any(|(_, r)| {
                let (a, b) = if r.end <= n.start { (r.end, n.start) } else { (n.end, r.start) };
                a <= b && (b - a) as f32 * s.letters <= 50.0 && !s.limits.iter().any(|l| (a..b).contains(l))
            })
    };
    if s.unharmed.iter().any(spared) {
        return true;
    }
    s.negations.iter().any(|n| {
        if words.iter().any(|(_, r)| r.start < n.end && n.start < r.end) {
            return false;
        }
        let (before, after) = s.negation;
        // where both may be, what follows has its say only close by
        let reach = if before { 20.0 } else { 40.0 };
        let clear =
            |a: usize, b: usize, reach: f32| a <= b && (b - a) as f32 * s.letters <= reach && !s.limits.iter().any(|l| (a..b).contains(l));
        let near = words.iter().any(|(_, r)| (before && clear(n.end, r.start, 40.0)) || (after && clear(r.end, n.start, reach)));
        // in between two of the words it negates their connection
        let from = words.iter().map(|(_, r)| r.start).min().unwrap_or(0);
        let to = words.iter().map(|(_, r)| r.end).max().unwrap_or(0);
        near || (n.start > from && n.end < to && !s.limits.iter().any(|l| (from..to).contains(l)))
    })
}
