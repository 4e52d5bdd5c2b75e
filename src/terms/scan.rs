//! The concepts of a query, and which language it is in, told by the table of all lexicons.

use super::concepts::{ConceptTable, Entry, Set};
use super::near::Rows;
use crate::lang::{Concept, Entry as ScanEntry, Hit, Scanner, Tag, fold, joins};
use std::collections::BTreeSet;
use std::ops::Range;

/// A concept found in a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where, in bytes of the query.
    pub range: Range<usize>,
    /// What.
    pub concept: Concept,
}

/// What the table says about a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    /// Concepts by position, each place and concept once.
    pub found: Vec<Found>,
    /// Where function words of the languages it may be in stand.
    pub stops: Vec<Range<usize>>,
    /// The language, where its words tell.
    pub language: Option<String>,
}

impl Scanned {
    /// The concepts, each once, in order.
    pub fn concepts(&self) -> Vec<Concept> {
        let mut out = Vec::new();
        for f in &self.found {
            if !out.contains(&f.concept) {
                out.push(f.concept);
            }
        }
        out
    }
}

impl Scanned {
    /// The part that a concept has of the words that mean it: one over how many meanings they have, where they have fewest.
    pub fn part(&self, concept: Concept) -> f64 {
        let meets = |a: &Found, b: &Found| a.range.start < b.range.end && b.range.start < a.range.end;
        let own = self.found.iter().filter(|f| f.concept == concept);
        let fewest = own.map(|f| self.found.iter().filter(|o| meets(f, o)).count()).min().unwrap_or(1);
        1.0 / fewest.max(1) as f64
    }
}

struct Raw {
    range: Range<usize>,
    concept: Option<Concept>,
    stop: bool,
    own: Set,
    also: Set,
    loose: bool,
}

impl ConceptTable {
    /// Finds the concepts of a query. Which language's words to believe is told by the query itself: the one that knows most of it.
    pub fn scan(&self, query: &str) -> Scanned {
        let raw = self.raw(query);
        let mut known: Vec<usize> = vec![0; self.languages.len()];
        for (n, count) in known.iter_mut().enumerate() {
            let ranges = raw.iter().filter(|r| !r.loose && r.own & (1 << n) > 0).map(|r| r.range.clone());
            *count = covered(query, ranges);
        }
        let best = known.iter().copied().max().unwrap_or(0);
        let leaders: Vec<usize> = (0..known.len()).filter(|&n| best > 0 && known[n] * 6 >= best * 5).collect();
        let language = if let [one] = leaders[..] { Some(self.languages[one].clone()) } else { None };
        let believed: Set = match leaders[..] {
            [one] => 1 << one,
            _ => (0..known.len()).filter(|&n| known[n] * 3 >= best * 2).fold(0, |s, n| s | 1 << n),
        };
        let mut found: Vec<Found> = Vec::new();
        let mut take = |r: &Raw| {
            let Some(concept) = r.concept else { return };
            if !found.iter().any(|f: &Found| f.concept == concept && f.range.start < r.range.end && r.range.start < f.range.end) {
                found.push(Found { range: r.range.clone(), concept });
            }
        };
        let (good, rest): (Vec<&Raw>, Vec<&Raw>) = raw.iter().partition(|r| !r.loose && (r.own | r.also) & believed > 0);
        good.iter().for_each(|r| take(r));
        // words that the believed languages do not know may be borrowed from another, or typed without their marks
        let free = |r: &Raw, taken: &[&Raw]| !taken.iter().any(|g| g.range.start < r.range.end && r.range.start < g.range.end);
        let (loose, other): (Vec<&Raw>, Vec<&Raw>) =
            rest.into_iter().filter(|r| r.concept.is_some() && free(r, &good)).partition(|r| r.loose);
        other.iter().for_each(|r| take(r));
        loose.iter().filter(|r| free(r, &other) && query[r.range.clone()].is_ascii()).for_each(|r| take(r));
        found.sort_by(|a, b| a.range.start.cmp(&b.range.start).then(b.range.end.cmp(&a.range.end)).then(a.concept.cmp(&b.concept)));
        let stops = good.iter().filter(|r| r.stop && r.own & believed > 0).map(|r| r.range.clone()).collect();
        Scanned { found, stops, language }
    }

    /// The nearest word that the lexicons know, where one is as near as `limit` slips (a letter taken for another is two) and begins alike; the
    /// nearest first, then by alphabet.
    pub fn nearest(&self, word: &str, limit: usize) -> Option<(usize, String)> {
        let first = word.chars().next()?;
        let mut best: Option<(usize, String)> = None;
        self.near(first, &mut Rows::new(word, limit, 2), |d, known| {
            if best.as_ref().is_none_or(|(b, w)| (d, known) < (*b, w.as_str())) {
                best = Some((d, known.to_string()));
            }
        });
        best
    }

    fn raw(&self, query: &str) -> Vec<Raw> {
        let mut out = Vec::new();
        for class in &self.classes {
            let folded = fold(query, class.matching.folding).text;
            let mut places = BTreeSet::new();
            let mut before = None;
            for (at, c) in folded.char_indices() {
                // a clitic may stand before any form, so that it begins inside a word
                let inside = class.matching.prefixes.is_empty() && before.replace(c).is_some_and(|b| joins(b, c));
                if !c.is_whitespace() {
                    self.beginning(class, inside, &folded[at..], &mut places);
                }
            }
            let entries: Vec<Entry> = places.into_iter().filter_map(|p| self.entry(p)).collect();
            // forms that only tell the language must not hide a concept behind them
            for concepts in [true, false] {
                let chosen: Vec<&Entry> = entries.iter().filter(|e| e.concept.is_some() == concepts).take(usize::from(u16::MAX)).collect();
                if chosen.is_empty() {
                    continue;
                }
                // the scanner hands back the number of the form in place of a concept
                let numbered = chosen.iter().zip(0u16..).map(|(e, n)| ScanEntry {
                    form: e.form.clone(),
                    tag: Tag::Concept(Concept(n)),
                    own: true,
                    inner: e.inner,
                });
                let scanner = Scanner::new(numbered.collect(), class.matching.clone());
                let mut hits = scanner.scan(query);
                if class.matching.substring {
                    let inner = hits.iter().flat_map(|h| tiles(query, h, |t| scanner.scan(t))).collect::<Vec<_>>();
                    hits.extend(inner);
                }
                for hit in hits {
                    let Tag::Concept(Concept(n)) = hit.tag else { continue };
                    let Some(e) = chosen.get(n as usize) else { continue };
                    out.push(Raw { range: hit.range, concept: e.concept, stop: e.stop, own: e.own, also: e.also, loose: class.loose });
                }
            }
        }
        out.sort_by(|a, b| a.range.start.cmp(&b.range.start).then(b.range.end.cmp(&a.range.end)).then(a.concept.cmp(&b.concept)));
        out
    }
}

/// The forms that a longer form in a script without spaces is made of: what a compound or phrase says, its parts say too. These are two that make it
/// up (with at most one character between them), else one of three characters or more that it begins or ends with.
pub(super) fn tiles(text: &str, whole: &Hit, scan: impl Fn(&str) -> Vec<Hit>) -> Vec<Hit> {
    let piece = &text[whole.range.clone()];
    let cuts: Vec<usize> = piece.char_indices().map(|(i, _)| i).chain([piece.len()]).collect();
    let count = cuts.len() - 1;
    if !(4..=16).contains(&count) {
        return Vec::new();
    }
    let all = |from: usize, to: usize| {
        let part = cuts[from]..cuts[to];
        let inner = piece[part.clone()].trim();
        let start = part.start + (part.len() - piece[part.clone()].trim_start().len());
        let hits = scan(inner).into_iter().filter(|h| matches!(h.tag, Tag::Concept(_)) && h.range == (0..inner.len()));
        hits.map(move |h| Hit { range: whole.range.start + start..whole.range.start + start + inner.len(), ..h }).collect::<Vec<Hit>>()
    };
    for gap in [0, 1] {
        for cut in 2..count.saturating_sub(1 + gap) {
            let left = all(0, cut);
            let right = if left.is_empty() { Vec::new() } else { all(cut + gap, count) };
            if !right.is_empty() {
                return left.into_iter().chain(right).collect();
            }
        }
    }
    let ends = (3..count.saturating_sub(1)).rev().flat_map(|n| [(0, n), (count - n, count)]);
    ends.map(|(from, to)| all(from, to)).find(|hits| !hits.is_empty()).unwrap_or_default()
}

/// How many characters of a text some ranges cover.
fn covered(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> usize {
    let mut sorted: Vec<Range<usize>> = ranges.collect();
    sorted.sort_by_key(|r| r.start);
    let (mut at, mut sum) = (0, 0);
    for r in sorted {
        let from = r.start.max(at);
        if r.end > from {
            sum += text[from..r.end].chars().count();
            at = r.end;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Languages;
    use std::sync::OnceLock;

    fn table() -> &'static ConceptTable {
        static TABLE: OnceLock<ConceptTable> = OnceLock::new();
        TABLE.get_or_init(|| ConceptTable::build(&Languages::builtin()))
    }

    fn names(query: &str) -> Vec<&'static str> {
        table().scan(query).concepts().iter().map(|c| c.name()).collect()
    }

    #[test]
    fn short_queries_of_many_languages() {
        for (query, wanted) in [
            ("certificate expired", ["certificate", "expire"]),
            ("証明書 期限切れ", ["certificate", "expire"]),
            ("证书过期", ["certificate", "expire"]),
            ("lejárt tanúsítvány", ["certificate", "expire"]),
            ("Zertifikat abgelaufen", ["certificate", "expire"]),
            ("certificat expiré", ["certificate", "expire"]),
            ("сертификат истек", ["certificate", "expire"]),
            ("인증서 만료", ["certificate", "expire"]),
        ] {
            let got = names(query);
            assert!(wanted.iter().all(|w| got.contains(w)), "{query}: {got:?}");
        }
    }

    #[test]
    fn the_language_is_told_where_words_tell() {
        let tell = |q: &str| table().scan(q).language;
        assert_eq!(tell("lejárt a tanúsítvány").as_deref(), Some("hu"));
        assert_eq!(tell("the disk was full because of logs").as_deref(), Some("en"));
        assert_eq!(tell("证书过期了").as_deref(), Some("zh"));
        assert_eq!(tell("xyzzy 42"), None);
    }

    #[test]
    fn missing_marks_are_forgiven() {
        assert!(names("lejart tanusitvany").contains(&"certificate"), "{:?}", names("lejart tanusitvany"));
    }

    #[test]
    fn written_and_read_back() {
        let t = table();
        let again = ConceptTable::read(Box::new(t.bytes().to_vec())).unwrap();
        assert_eq!(again.scan("retry storm overload"), t.scan("retry storm overload"));
        let mut bad = t.bytes().to_vec();
        let middle = bad.len() / 2;
        bad[middle] ^= 1;
        assert!(ConceptTable::read(Box::new(bad)).is_err());
        assert!(ConceptTable::read(Box::new(t.bytes()[..40].to_vec())).is_err());
        assert!(ConceptTable::read(Box::new(Vec::new())).is_err());
    }

    #[test]
    fn typing_errors_find_the_word() {
        assert_eq!(table().nearest("certifcate", 2).map(|(d, _)| d), Some(1));
        assert_eq!(table().nearest("qqqqqq", 1), None);
    }
}
