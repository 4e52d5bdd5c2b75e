//! What the facets of the browser's search count, asked for once the first hits are shown: names, and documents by the numbers of theirs.

use super::coder::Coder;
use super::shapes::Card;
use super::shards::Keys;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// So many names of services stand together.
const NAMES: usize = 32;

/// Names by number.
pub struct Facets {
    /// Years, severities, patterns. The first of the years and of the severities is that of documents that state none.
    names: [Vec<String>; 3],
    /// Services, those of several documents by how many, then those of one in the order of the documents.
    services: Vec<String>,
    /// How many have several documents.
    shared: usize,
    numbers: BTreeMap<String, usize>,
}

impl Facets {
    /// Numbers what the documents have.
    pub fn of(cards: &[Card]) -> Facets {
        let mut names: [Vec<String>; 3] = [vec![String::new()], vec![String::new()], Vec::new()];
        // how often, and where first
        let mut services: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (k, c) in cards.iter().enumerate() {
            names[0].push(year(c));
            names[1].push(severity(c).to_string());
            names[2].extend(c.patterns.iter().map(|p| p.id.clone()));
            c.services.iter().for_each(|s| services.entry(s.text.as_str()).or_insert((0, k)).0 += 1);
        }
        names.iter_mut().for_each(|n| {
            n.sort_unstable();
            n.dedup();
        });
        let shared = services.values().filter(|(n, _)| *n > 1).count();
        let mut list: Vec<(&str, (usize, usize))> = services.into_iter().collect();
        list.sort_by_key(|(name, (n, first))| (Reverse(*n), if *n > 1 { 0 } else { *first }, *name));
        let services: Vec<String> = list.into_iter().map(|(name, _)| name.to_string()).collect();
        let numbers = services.iter().enumerate().map(|(n, s)| (s.clone(), n)).collect();
        Facets { names, services, shared, numbers }
    }

    /// Adds the names.
    pub fn add_names(&self, keys: &mut Keys) {
        for (key, names) in ["g:year", "g:severity", "g:pattern"].iter().zip(&self.names) {
            keys.add(key, names.iter().map(|n| json!(n)));
        }
        for (n, names) in self.services.chunks(NAMES).enumerate() {
            keys.add(&format!("i:{n:05}"), names.iter().map(|n| json!(n)));
        }
    }

    /// Adds what the documents of a block have.
    pub fn add_documents<'c>(&self, keys: &mut Keys, block: usize, cards: impl ExactSizeIterator<Item = &'c Card>) {
        let [years, severities, patterns] = &self.names;
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let number = |names: &[String], name: &str| count(names.binary_search_by(|n| n.as_str().cmp(name)).unwrap_or_default());
        let (mut facts, mut tagged) = (Coder::default(), Coder::default());
        for coder in [&mut facts, &mut tagged] {
            coder.number(0, count(cards.len()));
        }
        tagged.number(0, count(patterns.len()));
        let mut own = None;
        let mut rows: Vec<(&Card, Vec<usize>)> = Vec::new();
        for card in cards {
            let mut services: Vec<usize> = card.services.iter().filter_map(|s| self.numbers.get(&s.text).copied()).collect();
            services.sort_unstable();
            services.dedup();
            own = own.or(services.iter().copied().find(|n| *n >= self.shared));
            rows.push((card, services));
        }
        // services of one document follow each other
        facts.number(0, count(own.unwrap_or_default()));
        for (card, services) in rows {
            facts.symbol(1, number(years, &year(card)));
            facts.symbol(2, number(severities, severity(card)));
            // who states the one states the other
            let stated = usize::from(!severity(card).is_empty());
            facts.number(3 + 2 * stated, count(services.len()));
            services.iter().for_each(|n| facts.number(4, if *n < self.shared { count(n + 1) } else { 0 }));
            let has: Vec<u32> = card.patterns.iter().map(|p| number(patterns, &p.id)).collect();
            (0..count(patterns.len())).for_each(|p| tagged.bit(1 + p as usize, has.contains(&p)));
        }
        keys.add_coded(format!("m:{block:04}"), facts);
        keys.add_coded(format!("b:{block:04}"), tagged);
    }
}

fn year(card: &Card) -> String {
    card.date.year.map_or(String::new(), |y| y.to_string())
}

fn severity(card: &Card) -> &str {
    card.severity.as_ref().map_or("", |s| s.written.as_str())
}
