//! The one scoring function. Terminal and browser gather the same exact counts of the documents that are there now, and this decides the order.
//!
//! `BM25pen + CC * (1.25 where the document's language is not the query's) + patterns`, where
//! * BM25pen: BM25 over words (k1 1.2, b .75); a word's worth is the geometric mean of its idf among all documents and `ln((N + 1) / (df + .5))`,
//!   times `1 - (df - 1) / max(N, 8)`, with df and N of the document's own language, so that what stands in most documents of a language counts for
//!   nothing, and a language of few documents does not win by its articles. Code-like tokens and numbers have their plain idf. Pairs of
//!   neighbouring characters overlap, so that each is worth less than a word. The sum is scaled by the root of the document's share of what all words are
//!   worth in its language: one rare word of many is a coincidence, most of them are not;
//! * CC: BM25 over concepts (k1 2, b .75; a concept counts once a sentence, and once more for each of title, causes and remediation that the
//!   sentence tells), half the best passage (the idf of the query's concepts that stand in four sentences running), .3 BM25 over pairs of concepts in one sentence. Where one word of the query means several concepts they share its worth:
//!   each counts by the root of its part;
//! * patterns: a pattern that the query names or satisfies lifts the incidents tagged with it.
//!
//! All is IEEE double arithmetic in the order written here; idf are rounded to 1/1024, so that a logarithm's last digit cannot change an
//! order. JavaScript: `Math.round(Math.log(x) * 1024) / 1024`.

mod places;

pub use places::Places;
use serde::{Deserialize, Serialize};

/// k1 of words.
const WORD_K: f64 = 1.2;
/// k1 of concepts and of pairs.
const CONCEPT_K: f64 = 2.0;
/// b of all.
const B: f64 = 0.75;
/// A pair of neighbouring characters against a word.
const GRAM: f64 = 0.7;
/// What makes up for the scaling by the share of the words.
const SCALE: f64 = 1.3;
/// Weight of the best passage.
const PASSAGE: f64 = 0.5;
/// Sentences in a passage.
pub const WINDOW: u32 = 4;
/// Weight of pairs.
const PAIRS: f64 = 0.3;
/// What a language that is not the query's makes up for.
const OTHER_LANGUAGE: f64 = 1.25;
/// Weight of a pattern that is named, times its idf.
const PATTERN: f64 = 2.0;
/// How many of a query's concepts are paired, at most.
const PAIRED: usize = 24;

/// A document's counts; its lengths rounded to steps ([`super::rounded`]), in index and browser alike.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Doc {
    /// Its language, as an index of [`Corpus::languages`].
    pub language: u32,
    /// Its words and grams.
    pub words: u32,
    /// Its (sentence, concept).
    pub concepts: u32,
    /// Its (sentence, pair of concepts).
    pub pairs: u32,
}

/// The documents that are there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Corpus {
    /// Language tags.
    pub languages: Vec<String>,
    /// Documents; they are named by their place here.
    pub docs: Vec<Doc>,
}

/// What a query asks for, with where it stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The query's language, where it is known.
    pub language: Option<String>,
    /// The words.
    pub words: Vec<Word>,
    /// For each concept, in the query's order, where it stands.
    pub concepts: Vec<Places>,
    /// For each concept its part of the words that mean it: 1 where they mean nothing else (and where nothing is told).
    pub parts: Vec<f64>,
    /// For each pattern how surely it is meant, and the documents tagged with it and how surely; by document.
    pub patterns: Vec<(f64, Vec<(u32, f64)>)>,
}

/// A word of a query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// True for what is the same in all languages: code-like tokens, numbers.
    pub neutral: bool,
    /// True for a pair of neighbouring characters.
    pub gram: bool,
    /// The documents that have it and its weighted count there (1 is once in the body); by document.
    pub postings: Vec<(u32, f64)>,
}

/// A document's score and what it is made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scored {
    /// The document.
    pub doc: u32,
    /// The whole.
    pub score: f64,
    /// By words.
    pub words: f64,
    /// By concepts.
    pub concepts: f64,
    /// By patterns.
    pub patterns: f64,
    /// First sentence of the best passage, where the document has any of the concepts and their sentences are told.
    pub passage: Option<u32>,
}

/// Inverse document frequency, rounded.
pub fn idf(docs: usize, with: usize) -> f64 {
    let (n, df) = (docs as f64, with as f64);
    ((1.0 + (n - df + 0.5) / (df + 0.5)).ln() * 1024.0).round() / 1024.0
}

fn bm25(count: f64, k: f64, length: f64, average: f64) -> f64 {
    count * (k + 1.0) / (count + k * (1.0 - B + B * length / average))
}

fn average(sum: u64, docs: usize) -> f64 {
    (sum as f64 / docs.max(1) as f64).max(1.0)
}

/// What is gathered for each document, by number; a list for each thing, because most documents are touched by little of it.
struct Tally {
    touched: Vec<bool>,
    words: Vec<f64>,
    /// Concepts, before the balance of languages.
    concepts: Vec<f64>,
    patterns: Vec<f64>,
    /// First sentence of the best passage, or [`NOWHERE`].
    passage: Vec<u32>,
}

/// Stands for no sentence.
const NOWHERE: u32 = u32::MAX;

/// Which of the scored documents are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// What they score at least.
    pub floor: f64,
    /// Which part of the best one's score they have at least.
    pub share: f64,
    /// So many of the best, and those that are as good as the last of them.
    pub most: usize,
}

impl Tally {
    fn touch(&mut self, doc: u32) -> usize {
        self.touched[doc as usize] = true;
        doc as usize
    }

    fn concept(&mut self, doc: u32, score: f64) {
        let doc = self.touch(doc);
        self.concepts[doc] += score;
    }
}

/// Scores every document that shares a word, a concept or a pattern with the query; by document.
pub fn score(corpus: &Corpus, asked: &Asked) -> Vec<Scored> {
    score_where(corpus, asked, |_| true, None)
}

/// [`score`] of the documents that are allowed; all of them, or those that are wanted.
pub fn score_where(corpus: &Corpus, asked: &Asked, allowed: impl Fn(u32) -> bool, keep: Option<Keep>) -> Vec<Scored> {
    let n = corpus.docs.len();
    let mut t = Tally {
        touched: vec![false; n],
        words: vec![0.0; n],
        concepts: vec![0.0; n],
        patterns: vec![0.0; if asked.patterns.is_empty() { 0 } else { n }],
        passage: vec![NOWHERE; if asked.concepts.is_empty() { 0 } else { n }],
    };
    words(corpus, asked, &mut t);
    let rare: Vec<f64> = asked.concepts.iter().enumerate().map(|(i, c)| idf(n, c.len()) * part(asked, i)).collect();
    single(corpus, asked, &rare, &mut t);
    passages(n, asked, &rare, &mut t);
    pairs(corpus, asked, &mut t);
    let other: Vec<bool> = corpus.languages.iter().map(|l| asked.language.as_ref().is_some_and(|a| a != l)).collect();
    for (weight, tagged) in &asked.patterns {
        let rare = idf(n, tagged.len());
        for (doc, sure) in tagged {
            let doc = t.touch(*doc);
            t.patterns[doc] += PATTERN * weight * sure * rare;
        }
    }
    let one = |doc: usize| {
        let (words, sum) = (t.words[doc], t.concepts[doc]);
        let concepts = if other[corpus.docs[doc].language as usize] { sum * OTHER_LANGUAGE } else { sum };
        let patterns = t.patterns.get(doc).copied().unwrap_or(0.0);
        let score = words + concepts + patterns;
        let passage = t.passage.get(doc).copied().filter(|&p| p != NOWHERE);
        Scored { doc: doc as u32, score, words, concepts, patterns, passage }
    };
    let all = || (0..n).filter(|&doc| t.touched[doc] && allowed(doc as u32)).map(one);
    let Some(keep) = keep else { return all().collect() };
    // many have next to nothing of a query, and few are shown
    let mut scores: Vec<f64> = Vec::with_capacity(n);
    scores.extend(all().map(|s| s.score));
    let best = scores.iter().copied().fold(0.0, f64::max);
    let mut least = keep.floor.max(keep.share * best);
    if let Some(last) = keep.most.checked_sub(1).filter(|&last| last < scores.len()) {
        let (_, edge, _) = scores.select_nth_unstable_by(last, |a, b| b.total_cmp(a));
        least = least.max(*edge);
    }
    all().filter(|s| s.score >= least).collect()
}

/// What a word is worth in a document of a language with so many documents, of which so many have the word. It is the mean of how rare the word is
/// among all documents and among those of the language: all words of a language with two documents are rare among all, its articles included.
fn among(rare: f64, documents: usize, with: usize) -> f64 {
    let local = (((documents as f64 + 1.0) / (with as f64 + 0.5)).ln() * 1024.0).round() / 1024.0;
    (rare * local).sqrt() * (1.0 - (with as f64 - 1.0) / (documents.max(8) as f64))
}

/// What a concept counts.
fn part(asked: &Asked, concept: usize) -> f64 {
    asked.parts.get(concept).copied().unwrap_or(1.0).sqrt()
}

fn words(corpus: &Corpus, asked: &Asked, t: &mut Tally) {
    let n = corpus.docs.len();
    let mut per_language = vec![0usize; corpus.languages.len()];
    corpus.docs.iter().for_each(|d| per_language[d.language as usize] += 1);
    let length = average(corpus.docs.iter().map(|d| u64::from(d.words)).sum(), n);
    let mut total = vec![0.0; corpus.languages.len()];
    // what the words that a document has are worth
    let mut have = vec![0.0; n];
    for word in &asked.words {
        let rare = idf(n, word.postings.len());
        let mut with = vec![0usize; corpus.languages.len()];
        word.postings.iter().for_each(|(d, _)| with[corpus.docs[*d as usize].language as usize] += 1);
        let kind = if word.gram { GRAM } else { 1.0 };
        // a word that a language does not have says nothing about its documents
        let worth = |l: usize| match (word.neutral, with[l]) {
            (true, _) => kind * rare,
            (false, 0) => 0.0,
            (false, some) => kind * among(rare, per_language[l], some),
        };
        let worth: Vec<f64> = (0..total.len()).map(worth).collect();
        total.iter_mut().zip(&worth).for_each(|(t, w)| *t += w);
        for (doc, count) in &word.postings {
            let d = &corpus.docs[*doc as usize];
            let weight = worth[d.language as usize];
            have[*doc as usize] += weight;
            let doc = t.touch(*doc);
            t.words[doc] += weight * bm25(*count, WORD_K, f64::from(d.words), length);
        }
    }
    for doc in (0..n).filter(|&doc| t.touched[doc]) {
        let all = total[corpus.docs[doc].language as usize];
        t.words[doc] *= if all > 0.0 { SCALE * (have[doc] / all).sqrt() } else { 0.0 };
    }
}

fn single(corpus: &Corpus, asked: &Asked, rare: &[f64], t: &mut Tally) {
    let n = corpus.docs.len();
    let length = average(corpus.docs.iter().map(|d| u64::from(d.concepts)).sum(), n);
    for (concept, rare) in asked.concepts.iter().zip(rare) {
        for (doc, count, _) in concept.iter() {
            let own = f64::from(corpus.docs[doc as usize].concepts);
            t.concept(doc, rare * bm25(f64::from(count), CONCEPT_K, own, length));
        }
    }
}

fn passages(n: usize, asked: &Asked, rare: &[f64], t: &mut Tally) {
    if asked.concepts.is_empty() {
        return;
    }
    // all (sentence, concept) in one list, those of a document side by side: where each document's begin, then the list
    let mut ends = vec![0u32; n + 1];
    for (doc, _, sentences) in asked.concepts.iter().flat_map(Places::iter) {
        ends[doc as usize + 1] += sentences.len() as u32;
    }
    for doc in 0..n {
        ends[doc + 1] += ends[doc];
    }
    let mut places = vec![(0u32, 0u32); ends[n] as usize];
    // the beginning of each document's part moves on to its end while it is filled
    for (c, concept) in (0u32..).zip(&asked.concepts) {
        for (doc, _, sentences) in concept.iter() {
            if sentences.is_empty() {
                // the only concept of a document is all that any passage has
                t.concept(doc, PASSAGE * rare[c as usize]);
            }
            let end = &mut ends[doc as usize];
            for &sentence in sentences {
                places[*end as usize] = (sentence, c);
                *end += 1;
            }
        }
    }
    let mut from = 0;
    let mut has = vec![false; rare.len()];
    for (doc, end) in (0u32..).zip(ends).take(n) {
        let list = &mut places[from..end as usize];
        from = end as usize;
        if list.is_empty() {
            continue;
        }
        list.sort_unstable();
        let list = &*list;
        let mut best: Option<(f64, u32)> = None;
        for (i, &(first, _)) in list.iter().enumerate() {
            // the first of a sentence has them all
            if i > 0 && list[i - 1].0 == first {
                continue;
            }
            has.fill(false);
            list[i..].iter().take_while(|(s, _)| *s < first + WINDOW).for_each(|(_, c)| has[*c as usize] = true);
            let sum = has.iter().zip(rare).fold(0.0, |a, (&has, &r)| if has { a + r } else { a });
            if best.is_none_or(|(b, _)| sum > b) {
                best = Some((sum, first));
            }
        }
        if let Some((sum, first)) = best {
            t.concept(doc, PASSAGE * sum);
            t.passage[doc as usize] = first;
        }
    }
}

fn pairs(corpus: &Corpus, asked: &Asked, t: &mut Tally) {
    let n = corpus.docs.len();
    let length = average(corpus.docs.iter().map(|d| u64::from(d.pairs)).sum(), n);
    let chosen = &asked.concepts[..asked.concepts.len().min(PAIRED)];
    for (i, a) in chosen.iter().enumerate() {
        for b in &chosen[i + 1..] {
            let mut both: Vec<(u32, usize)> = Vec::new();
            let mut other = b.iter().peekable();
            for (doc, _, sentences) in a.iter() {
                while other.next_if(|(d, ..)| *d < doc).is_some() {}
                if let Some((_, _, more)) = other.next_if(|(d, ..)| *d == doc) {
                    let shared = sentences.iter().filter(|s| more.binary_search(s).is_ok()).count();
                    if shared > 0 {
                        both.push((doc, shared));
                    }
                }
            }
            let rare = idf(n, both.len());
            for (doc, count) in both {
                let own = f64::from(corpus.docs[doc as usize].pairs);
                t.concept(doc, PAIRS * (rare * bm25(count as f64, CONCEPT_K, own, length)));
            }
        }
    }
}

#[cfg(test)]
mod tests;
