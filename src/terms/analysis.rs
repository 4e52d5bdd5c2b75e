//! A document as it is searched: families with their weighted counts, words with positions, concepts by sentence.

use super::family::Families;
use super::scan::tiles;
use super::tokens::{Kind, tokens};
use crate::lang::{Concept, Hit, Languages, Lexicon, Tag};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Weight of a word in the body; others are counted in the same unit.
pub const BODY: u32 = 4;

/// A region whose words count more, or that can be searched by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    /// The title.
    Title,
    /// A cause.
    Cause,
    /// A remediation item.
    Fix,
    /// A timeline entry.
    Timeline,
    /// Names that need not stand in the body: services, tags.
    Name,
    /// What the incident is called by: its id and former ids. They are found whole, and ticket numbers (`INC-1042`) in parts too; the words of an
    /// id that was made of a file's name are not the text's.
    Id,
}

impl Region {
    /// What a word here counts on top of its place in the body.
    fn weight(self) -> u32 {
        match self {
            Region::Title | Region::Name => BODY,
            // others only mention it
            Region::Id => 4 * BODY,
            Region::Cause => BODY / 2,
            Region::Fix => BODY / 4,
            Region::Timeline => 0,
        }
    }
}

/// A passage of the body.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its sentences, as ranges of the text; none: it is one.
    pub sentences: &'a [(usize, usize)],
    /// For each sentence, in how many ways it is told as what a reader looks for: its concepts count so many times more. None: in none.
    pub stress: &'a [u32],
    /// Its language.
    pub lang: &'a str,
}

/// A concept found in the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Number of the sentence in the document, from 0.
    pub sentence: u32,
    /// Number of the passage.
    pub passage: u32,
    /// Where in the passage's text.
    pub range: Range<usize>,
    /// What.
    pub concept: Concept,
    /// How many times it counts.
    pub times: u32,
}

/// A document as it is searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// Families and code-like wholes with their weighted counts ([`BODY`] is one occurrence in the body).
    pub families: BTreeMap<String, u32>,
    /// Families in causes.
    pub causes: BTreeSet<String>,
    /// Families in remediation items.
    pub fixes: BTreeSet<String>,
    /// Words and grams of the body with their positions, in order.
    pub words: Vec<(usize, String)>,
    /// Word, language of its family, family: what leads a query's word to families.
    pub entries: BTreeSet<(String, String, String)>,
    /// How many words and grams the body has.
    pub length: u32,
    /// Concepts, by sentence and place.
    pub marks: Vec<Mark>,
    /// Concepts in causes.
    pub cause_concepts: BTreeSet<Concept>,
    /// Concepts in remediation items.
    pub fix_concepts: BTreeSet<Concept>,
}

/// Makes the families of languages, each once.
struct Makers<'a> {
    languages: &'a Languages,
    made: BTreeMap<String, Families>,
}

impl Makers<'_> {
    fn of(&mut self, tag: &str) -> &Families {
        let languages = self.languages;
        self.made.entry(tag.to_string()).or_insert_with(|| {
            let (file, english) = (languages.file(tag), languages.file("en"));
            Families::new(tag, &file.english, &file.name, ("en", &english.english))
        })
    }
}

/// Analyses a document: its passages, the regions among (or beside) them, and its language.
pub fn analyse(passages: &[Text], regions: &[(Region, &str)], languages: &Languages, tag: &str) -> Analysis {
    let mut out = Analysis::default();
    let mut makers = Makers { languages, made: BTreeMap::new() };
    let (mut position, mut sentence) = (0, 0);
    for (n, passage) in passages.iter().enumerate() {
        let families = makers.of(passage.lang);
        let mut last = 0;
        for t in tokens(passage.text) {
            let family = out.family(families, passage.text, &t);
            *out.families.entry(family).or_default() += BODY;
            if matches!(t.kind, Kind::Word | Kind::Gram) {
                last = t.position;
                out.length += 1;
                out.words.push((position + t.position, t.text));
            }
        }
        // a phrase does not reach from one passage into the next
        position += last + 10;
        let whole = [(0, passage.text.len())];
        let sentences = if passage.sentences.is_empty() { &whole[..] } else { passage.sentences };
        let lexicon = languages.lexicon(passage.lang);
        let mut marks: Vec<Mark> = Vec::new();
        let mut seen: BTreeSet<(u32, Concept)> = BTreeSet::new();
        for hit in scan(&lexicon, passage.text) {
            let Tag::Concept(concept) = hit.tag else { continue };
            let within = sentences.partition_point(|s| s.0 <= hit.range.start).saturating_sub(1);
            let times = 1 + passage.stress.get(within).copied().unwrap_or(0);
            let mark = Mark { sentence: sentence + within as u32, passage: n as u32, range: hit.range, concept, times };
            if seen.insert((mark.sentence, concept)) {
                marks.push(mark);
            }
        }
        marks.sort_by(|a, b| a.sentence.cmp(&b.sentence).then(a.range.start.cmp(&b.range.start)).then(a.concept.cmp(&b.concept)));
        out.marks.extend(marks);
        sentence += sentences.len() as u32;
    }
    let lexicon = languages.lexicon(tag);
    for &(region, text) in regions {
        let families = makers.of(tag);
        let ticket = text.split(['-', '_']).count() <= 2;
        for t in tokens(text) {
            if region == Region::Id && t.kind != Kind::Whole && !ticket {
                continue;
            }
            let family = out.family(families, text, &t);
            match region {
                Region::Cause => out.causes.insert(family.clone()),
                Region::Fix => out.fixes.insert(family.clone()),
                _ => false,
            };
            if region.weight() > 0 {
                *out.families.entry(family).or_default() += region.weight();
            }
        }
        let into = match region {
            Region::Cause => &mut out.cause_concepts,
            Region::Fix => &mut out.fix_concepts,
            _ => continue,
        };
        into.extend(scan(&lexicon, text).into_iter().filter_map(|h| if let Tag::Concept(c) = h.tag { Some(c) } else { None }));
    }
    out
}

/// The hits of a lexicon; in a script without spaces, with what longer forms are made of.
fn scan(lexicon: &Lexicon, text: &str) -> Vec<Hit> {
    let mut hits = lexicon.scan(text);
    if lexicon.matching.substring {
        let concepts = hits.iter().filter(|h| matches!(h.tag, Tag::Concept(_)));
        let inner: Vec<Hit> = concepts.flat_map(|h| tiles(text, h, |t| lexicon.scan(t))).collect();
        hits.extend(inner);
    }
    hits
}

impl Analysis {
    /// The family of a token; its word is noted as leading there.
    fn family(&mut self, families: &Families, text: &str, token: &super::tokens::Token) -> String {
        if matches!(token.kind, Kind::Whole | Kind::Gram) {
            return token.text.clone();
        }
        let family = families.of(&text[token.range.clone()], &token.text);
        let tag = family.split(':').next().unwrap_or_default().to_string();
        self.entries.insert((token.text.clone(), tag, family.clone()));
        family
    }

    /// How many (sentence, concept) there are; what counts more makes a document no longer.
    pub fn concept_length(&self) -> u32 {
        self.marks.len() as u32
    }

    /// How many (sentence, pair of concepts) there are.
    pub fn pair_length(&self) -> u32 {
        let sizes = self.marks.chunk_by(|a, b| a.sentence == b.sentence).map(|g| g.len() as u32);
        sizes.map(|n| n * (n - 1) / 2).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_taken_apart() {
        let languages = Languages::builtin();
        let text = "The retries overloaded the database. We restarted it.";
        let passages = [Text { text, sentences: &[(0, 36), (37, 53)], stress: &[1], lang: "en" }];
        let a = analyse(&passages, &[(Region::Title, "Retries"), (Region::Fix, "restarted")], &languages, "en");
        assert_eq!(a.families["en:retri"], 2 * BODY);
        assert!(a.fixes.contains("en:restart") && a.fix_concepts.iter().any(|c| c.name() == "restart"));
        assert!(a.marks.iter().all(|m| m.times == if m.sentence == 0 { 2 } else { 1 }), "the first sentence is stressed");
        assert!(a.marks.iter().any(|m| m.sentence == 0 && m.concept.name() == "retry" && &text[m.range.clone()] == "retries"));
        assert!(a.marks.iter().any(|m| m.sentence == 1 && m.concept.name() == "restart"));
        assert!(a.entries.contains(&("retries".into(), "en".into(), "en:retri".into())));
        assert_eq!(a.length, 8);
    }
}
