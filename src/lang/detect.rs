//! Which language a text is in: whatlang for the many, letters for those it does not know or mistakes.

use super::Languages;
use super::letters::is_alphabetic;
use super::trie::Trie;
use std::collections::{BTreeMap, BTreeSet};

/// A language and how sure that is.
#[derive(Clone, Debug, PartialEq)]
pub struct Language {
    /// BCP 47 tag; `und` where the text holds too few letters.
    pub tag: String,
    /// 0 to 1.
    pub confidence: f64,
}

/// What detection needs to know of a lexicon.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    pub tag: String,
    pub whatlang: String,
    pub letters: Vec<(char, char)>,
    pub not_letters: Vec<(char, char)>,
    /// Function words.
    pub stop: BTreeSet<String>,
}

/// Expands `a-z` ranges.
pub(super) fn ranges(text: &str) -> Vec<(char, char)> {
    let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut out = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        if i + 2 < chars.len() && chars[i + 1] == '-' {
            out.push((chars[i], chars[i + 2]));
            i += 3;
        } else {
            out.push((chars[i], chars[i]));
            i += 1;
        }
    }
    out
}

fn within(c: char, ranges: &[(char, char)]) -> bool {
    ranges.iter().any(|&(a, b)| (a..=b).contains(&c))
}

/// Coarse script of a letter, enough to compare like with like.
fn script(c: char) -> u8 {
    match c as u32 {
        0x0400..=0x052F => 1,
        0x0600..=0x06FF | 0x0750..=0x077F => 2,
        0x3040..=0x30FF | 0x3400..=0x9FFF => 3,
        0xAC00..=0xD7AF => 4,
        0x0900..=0x097F => 5,
        0x0E00..=0x0E7F => 6,
        0x0590..=0x05FF => 7,
        _ => 0,
    }
}

/// How many characters are judged at a time, and how many at most.
const CHUNK: usize = 800;
const MOST: usize = 60_000;

/// The language that function words alone tell for certain: no other that is told apart by trigrams alone shares them.
const LONE: &str = "en";

/// Detects the language of a text. Code, addresses and numbers should have been left out of it.
///
/// The text is judged in chunks; where a language is sure already, a chunk that is full of its function words needs no closer look. A document that repeats itself in several languages is in the one it begins with, unless another fills more than twice as much
/// of it.
pub(super) fn detect(text: &str, languages: &Languages) -> Language {
    let mut votes: Vec<(Language, f64)> = Vec::new();
    let mut all = 0.0;
    let mut rest = text;
    let mut seen = 0;
    while !rest.is_empty() && seen < MOST {
        let cut = match rest.char_indices().nth(CHUNK) {
            // a short tail stays with the chunk before it
            Some((i, _)) if rest.len() - i > CHUNK / 3 => rest[i..].find(char::is_whitespace).filter(|j| *j < 40).map_or(i, |j| i + j),
            _ => rest.len(),
        };
        let (chunk, tail) = rest.split_at(cut);
        (rest, seen) = (tail, seen + CHUNK);
        let sure = |tag: &str| votes.iter().any(|(l, _)| l.tag == tag && l.confidence >= 1.0);
        // function words are parted by spaces
        let spaced = chunk.is_ascii() || !chunk.chars().any(|c| c as u32 >= 0x2E80);
        let known = if spaced { told_by_function_words(chunk, languages) } else { None };
        let known = known.filter(|(tag, plain)| sure(tag) || *plain && *tag == LONE);
        let told = known.map(|(tag, _)| (tag.to_string(), 1.0)).or_else(|| judge(chunk, languages));
        let Some((tag, confidence)) = told else { continue };
        let weight = chunk.chars().filter(|c| is_alphabetic(*c)).count() as f64 * (0.4 + 0.6 * confidence);
        all += weight;
        match votes.iter_mut().find(|(l, _)| l.tag == tag) {
            Some((l, w)) => {
                *w += weight;
                l.confidence = l.confidence.max(confidence);
            }
            None => votes.push((Language { tag, confidence }, weight)),
        }
    }
    let most = votes.iter().map(|(_, w)| *w).fold(0.0, f64::max);
    // votes stand in the order of first appearance
    match votes.into_iter().find(|(_, w)| *w >= 0.45 * most && *w > 0.0) {
        Some((l, w)) => Language { confidence: l.confidence * (0.5 + 0.5 * w / all), tag: l.tag },
        None => Language { tag: "und".into(), confidence: 0.0 },
    }
}

/// The function words of all lexicons: for each the profiles (by number, the first 64) that have it.
pub(super) struct FunctionWords {
    words: Trie,
    of: Vec<u64>,
}

impl FunctionWords {
    pub fn new(profiles: &[Profile]) -> FunctionWords {
        let mut all: BTreeMap<String, u64> = BTreeMap::new();
        for (n, p) in profiles.iter().take(64).enumerate() {
            for word in p.stop.iter().filter(|w| !w.is_empty()) {
                *all.entry(word.to_lowercase()).or_default() |= 1 << n;
            }
        }
        let words: Vec<(&str, u32)> = all.keys().map(String::as_str).zip(0..).collect();
        FunctionWords { words: Trie::new(&words), of: all.values().copied().collect() }
    }

    /// The profiles that have a word, as bits.
    fn of(&self, word: &str) -> u64 {
        self.words.get(word).and_then(|n| self.of.get(n as usize)).copied().unwrap_or(0)
    }
}

/// The language that a sixth of a chunk's words are function words of, where any other has a third less of them; and whether a fourth are, and any other has
/// less than half of them.
fn told_by_function_words<'l>(chunk: &str, languages: &'l Languages) -> Option<(&'l str, bool)> {
    let known = languages.function_words();
    let mut counts = [0usize; 64];
    let mut all = 0;
    let mut lower = String::new();
    for word in chunk.split(|c: char| !is_alphabetic(c)).filter(|w| !w.is_empty()) {
        all += 1;
        let mut of = match word.bytes().all(|b| b.is_ascii_lowercase()) {
            true => known.of(word),
            false => {
                lower.clear();
                lower.extend(word.chars().flat_map(char::to_lowercase));
                known.of(&lower)
            }
        };
        while of != 0 {
            counts[of.trailing_zeros() as usize] += 1;
            of &= of - 1;
        }
    }
    let best = (0..64).max_by_key(|&n| (counts[n], std::cmp::Reverse(n)))?;
    let second = (0..64).filter(|&n| n != best).map(|n| counts[n]).max().unwrap_or(0);
    let told = counts[best] >= 8 && counts[best] * 6 >= all && counts[best] * 2 >= second * 3;
    let plain = counts[best] >= 20 && counts[best] * 4 >= all && counts[best] > second * 2;
    languages.profiles().get(best).filter(|_| told).map(|p| (p.tag.as_str(), plain))
}

fn judge(chunk: &str, languages: &Languages) -> Option<(String, f64)> {
    let mut letters: Vec<char> = Vec::with_capacity(chunk.len());
    for c in chunk.chars().filter(|c| is_alphabetic(*c)) {
        match c {
            // most of these have no case
            '\u{2E80}'..='\u{A63F}' | '\u{AC00}'..='\u{D7A3}' => letters.push(c),
            c => letters.extend(c.to_lowercase()),
        }
    }
    if letters.len() < 8 {
        return None;
    }
    // Latin jargon inside another script says nothing of the language; the other way round hardly happens. A character of a script that writes
    // syllables or words weighs more.
    let mut counts = [0usize; 8];
    for &c in &letters {
        counts[script(c) as usize] += if matches!(script(c), 3 | 4) { 3 } else { 1 };
    }
    let main = (1..8).max_by_key(|&s| counts[s]).filter(|&s| counts[s] * 4 >= counts[0]);
    if let Some(main) = main {
        letters.retain(|&c| !is_alphabetic(c) || script(c) as usize == main);
    }
    // letters first: a lexicon whose own letters are frequent among the letters of its script, and whose foreign letters are absent
    let mut best: Option<(f64, &Profile)> = None;
    let mut of_script: [Option<Vec<char>>; 8] = Default::default();
    // where no other script fills a quarter of the text, its letters tell nothing
    let telling = languages.profiles().iter().filter(|p| main.is_some() && !p.letters.is_empty());
    for p in telling {
        let of = script(p.letters[0].0);
        if of == 0 {
            continue;
        }
        let same: &[char] =
            of_script[usize::from(of)].get_or_insert_with(|| letters.iter().copied().filter(|&c| script(c) == of).collect());
        if same.len() * 3 < letters.len() {
            continue;
        }
        let share = |r: &[(char, char)]| same.iter().filter(|&&c| within(c, r)).count() as f64 / same.len() as f64;
        let (yes, no) = (share(&p.letters), share(&p.not_letters));
        if yes >= 0.005 && no * 4.0 < yes && best.is_none_or(|(b, _)| yes > b) {
            best = Some((yes, p));
        }
    }
    if let Some((yes, p)) = best {
        return Some((p.tag.clone(), (0.8 + yes * 4.0).min(0.99)));
    }
    let own: String;
    let mut chunk = chunk;
    if let Some(main) = main {
        own = chunk.chars().filter(|&c| !is_alphabetic(c) || script(c) as usize == main).collect();
        chunk = &own;
    }
    let seen = whatlang::detect(chunk).map(|info| (languages.tag_of(info.lang().code()), info.confidence()));
    // trigrams are no help in a few words of Latin script: there function words tell
    if letters.len() < 240 && main.is_none() && seen.as_ref().is_none_or(|(_, c)| *c < 0.9) {
        let words: Vec<String> = chunk.split(|c: char| !is_alphabetic(c)).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
        let count = |stop: &BTreeSet<String>| words.iter().filter(|w| stop.contains(*w)).count();
        let mut best: Vec<(usize, &str)> = languages.profiles().iter().map(|p| (count(&p.stop), p.tag.as_str())).collect();
        best.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        if let [first, second, ..] = &best[..]
            && first.0 > second.0
            && first.0 * 6 >= words.len()
        {
            return Some((first.1.to_string(), 0.7));
        }
    }
    seen
}
