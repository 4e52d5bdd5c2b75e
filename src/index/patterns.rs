//! The patterns as a search needs them, kept beside the index: their names, and their formulas reduced to what a query can satisfy.

use crate::lang::Concept;
use crate::pattern::Catalogue;
use crate::terms::{Reader, distance, plain, put_long};
use std::collections::BTreeMap;
use std::ops::Range;

/// A pattern: where its texts lie among the bytes, and its formula.
#[derive(Clone, Debug)]
struct Row {
    id: Range<usize>,
    /// Its titles by language, as JSON: a search needs those of the few that it shows.
    titles: Range<usize>,
    /// Its id and titles as a query may name it, a line each: words, each between two [`MARK`]s.
    names: Range<usize>,
    clauses: Vec<Clause>,
    /// Concepts that speak against it.
    not: Vec<u16>,
}

/// Concepts that make up the pattern when they come together, and how surely.
#[derive(Clone, Debug)]
struct Clause {
    sure: f64,
    all: Vec<Vec<u16>>,
    not: Vec<u16>,
}

/// All patterns. Their bytes are what is kept; of their texts nothing is read that a search does not ask for.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns {
    data: Vec<u8>,
    rows: Vec<Row>,
}

/// A query must satisfy a formula so surely to mean the pattern.
const MEANT: f64 = 0.5;

fn numbers(names: &str) -> Vec<u16> {
    names.split('|').filter_map(|n| Concept::named(n.trim())).map(|c| c.0).collect()
}

fn put_numbers(out: &mut Vec<u8>, numbers: &[u16]) {
    put_count(out, numbers.len());
    numbers.iter().for_each(|n| out.extend(n.to_le_bytes()));
}

fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend((count as u32).to_le_bytes());
}

fn read_numbers(r: &mut Reader) -> Option<Vec<u16>> {
    (0..r.u32()?).map(|_| r.u16()).collect()
}

fn read_clause(r: &mut Reader) -> Option<Clause> {
    let sure = f64::from(r.u16()?) / 100.0;
    let all = (0..r.u32()?).map(|_| read_numbers(r)).collect::<Option<_>>()?;
    Some(Clause { sure, all, not: read_numbers(r)? })
}

fn read_row(r: &mut Reader) -> Option<Row> {
    let (id, titles, names) = (r.long()?, r.long()?, r.long()?);
    let clauses = (0..r.u32()?).map(|_| read_clause(r)).collect::<Option<_>>()?;
    Some(Row { id, titles, names, clauses, not: read_numbers(r)? })
}

impl Patterns {
    /// Takes from a catalogue what a search needs.
    pub fn of(catalogue: &Catalogue) -> Patterns {
        let mut out = Vec::new();
        let all = catalogue.all();
        put_count(&mut out, all.len());
        for p in all.iter() {
            let rule = &p.file.rule;
            let names = std::iter::once(&p.file.id).chain(p.file.title.values()).map(|n| marked(&plain(n))).filter(|n| !n.is_empty());
            let names: Vec<String> = names.collect();
            put_long(&mut out, &p.file.id);
            // what was read from text can be written
            put_long(&mut out, &serde_json::to_string(&p.file.title).unwrap_or_default());
            put_long(&mut out, &names.join("\n"));
            put_count(&mut out, rule.any.len());
            for c in &rule.any {
                let weight = f64::from(if c.weight > 0.0 { c.weight } else { 1.0 });
                // as a formula is read against one sentence that is believed, in hundredths
                let sure = 1.0 - (-1.6 * (weight + 0.3 * f64::from(rule.prior))).exp();
                out.extend(((sure.max(0.0) * 100.0).round() as u16).to_le_bytes());
                put_count(&mut out, c.all.len());
                c.all.iter().for_each(|g| put_numbers(&mut out, &numbers(g)));
                put_numbers(&mut out, &c.not.iter().flat_map(|n| numbers(n)).collect::<Vec<_>>());
            }
            put_numbers(&mut out, &rule.not.iter().flat_map(|n| numbers(n)).collect::<Vec<_>>());
        }
        // what was just written can be read
        Patterns::read(out).unwrap_or_default()
    }

    /// As bytes, to be kept beside an index.
    pub fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// Out of such bytes; nothing where they are none.
    pub fn read(data: Vec<u8>) -> Option<Patterns> {
        let mut r = Reader { data: &data, at: 0 };
        let rows = (0..r.u32()?).map(|_| read_row(&mut r)).collect::<Option<_>>()?;
        Some(Patterns { data, rows })
    }

    fn text(&self, at: &Range<usize>) -> &str {
        self.data.get(at.clone()).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default()
    }

    /// The patterns that a query names (1) or satisfies (as surely as its formula), the surest first, then by id.
    pub fn meant(&self, query: &str, concepts: &[Concept]) -> Vec<(String, f64)> {
        let words = marked(&plain(query));
        let has = |group: &[u16]| concepts.iter().any(|c| group.contains(&c.0));
        let sure = |row: &Row| {
            if self.text(&row.names).lines().any(|n| words.contains(n)) {
                return 1.0;
            }
            if has(&row.not) {
                return 0.0;
            }
            let met = row
                .clauses
                .iter()
                .filter(|c| !c.all.is_empty() && c.all.iter().all(|g| has(g)) && !has(&c.not) && distinct(&c.all, concepts));
            met.map(|c| c.sure).fold(0.0, f64::max)
        };
        let mut out: Vec<(String, f64)> =
            self.rows.iter().map(|r| (r, sure(r))).filter(|(_, s)| *s >= MEANT).map(|(r, s)| (self.text(&r.id).to_string(), s)).collect();
        out.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        out
    }

    /// The patterns nearest to a query that found nothing: those that share concepts with it, or whose names are written nearly so.
    pub fn nearest(&self, query: &str, concepts: &[Concept]) -> Vec<(String, f64)> {
        let words = plain(query);
        let near = |row: &Row| {
            let asks: Vec<u16> = row.clauses.iter().flat_map(|c| c.all.iter().flatten().copied()).collect();
            let shared = concepts.iter().filter(|c| asks.contains(&c.0)).count() as f64 / concepts.len().max(1) as f64;
            let names: Vec<&str> = self.text(&row.names).lines().flat_map(|n| n.split(MARK)).filter(|n| !n.is_empty()).collect();
            let alike = |w: &String| {
                names.iter().any(|&n| {
                    n == w
                        || (w.chars().count() > 3
                            // a short word is two slips away from many
                            && (distance(w, n, if w.chars().count() < 8 { 1 } else { 2 }, 1).is_some()
                                || (n.chars().count() > 3 && (n.starts_with(&head(w)) || w.starts_with(&head(n))))))
                })
            };
            let written = words.iter().filter(|w| alike(w)).count() as f64 / words.len().max(1) as f64;
            (shared + written) / 2.0
        };
        let mut out: Vec<(String, f64)> =
            self.rows.iter().map(|r| (r, near(r))).filter(|(_, s)| *s > 0.0).map(|(r, s)| (self.text(&r.id).to_string(), s)).collect();
        out.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        out.truncate(3);
        out
    }

    /// The title of a pattern in a language, else in English, else its id.
    pub fn title(&self, id: &str, language: Option<&str>) -> String {
        let row = self.rows.iter().find(|r| self.text(&r.id) == id);
        let titles: BTreeMap<String, String> = row.and_then(|r| serde_json::from_str(self.text(&r.titles)).ok()).unwrap_or_default();
        language.and_then(|l| titles.get(l)).or_else(|| titles.get("en")).cloned().unwrap_or_else(|| id.to_string())
    }
}

/// True where each group can have a concept of its own.
fn distinct(groups: &[Vec<u16>], concepts: &[Concept]) -> bool {
    let mut used: Vec<u16> = Vec::new();
    groups.iter().all(|g| match concepts.iter().find(|c| g.contains(&c.0) && !used.contains(&c.0)) {
        Some(c) => {
            used.push(c.0);
            true
        }
        None => false,
    })
}

fn head(word: &str) -> String {
    word.chars().take(5).collect()
}

/// Parts the words of a name.
const MARK: char = '\u{1}';

/// Words, each between two marks, so that one name within another is a matter of plain text; empty where there are none.
fn marked(words: &[String]) -> String {
    let mut out = String::new();
    for w in words {
        if out.is_empty() {
            out.push(MARK);
        }
        out.push_str(w);
        out.push(MARK);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_and_satisfied() {
        let p = Patterns::of(&Catalogue::builtin());
        let concept = |n: &str| Concept::named(n).unwrap();
        assert_eq!(p.meant("a Retry Storm again", &[])[0], ("retry-storm".into(), 1.0));
        assert_eq!(p.meant("リトライストーム", &[])[0].0, "retry-storm");
        assert!(p.meant("x", &[concept("retry"), concept("overload")]).iter().any(|(id, s)| id == "retry-storm" && *s < 1.0));
        assert!(p.meant("retry", &[concept("retry")]).iter().all(|(id, _)| id != "retry-storm"));
        assert!(p.nearest("retri storms", &[]).iter().any(|(id, _)| id == "retry-storm"));
        assert_eq!(p.title("retry-storm", Some("hu")), "Újrapróbálkozási vihar");
        assert_eq!(p.title("no-such", None), "no-such");
        let bytes = p.bytes().to_vec();
        assert_eq!(Patterns::read(bytes.clone()).unwrap().meant("a Retry Storm again", &[]), p.meant("a Retry Storm again", &[]));
        for cut in [0, 3, bytes.len() / 2, bytes.len() - 1] {
            assert!(Patterns::read(bytes[..cut].to_vec()).is_none());
        }
    }
}
