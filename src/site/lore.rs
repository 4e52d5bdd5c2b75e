//! What the documents tell the search, all of them in one table: each word stands in it once and is a number elsewhere.
//!
//! To find out what a document tells takes the lexicon of its language, and a corpus tells some hundred thousand words: the table is kept between
//! builds in a form that is read as fast as it lies on the disk, and the words of all documents are grouped by number and not by comparing them.

use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// What one document tells the search, whatever the others say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    /// Key and numbers, each key once.
    pub postings: Vec<(String, Vec<u32>)>,
    /// Word, language of its family, family.
    pub entries: Vec<(String, String, String)>,
    /// How many words, concepts and pairs of concepts, in steps.
    pub lengths: [u32; 3],
    /// Each concept where it stands first: its name, the words, the line.
    pub seen: Vec<(String, String, usize)>,
}

/// The same, each word by its number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Packed {
    /// Key, and how many of `numbers` are its own.
    postings: Vec<(u32, u32)>,
    numbers: Vec<u32>,
    pub entries: Vec<[u32; 3]>,
    pub lengths: [u32; 3],
    /// Name of the concept, words, line.
    pub seen: Vec<[u32; 3]>,
}

impl Packed {
    /// Keys with their numbers.
    pub fn postings(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let mut at = 0;
        self.postings.iter().map(move |(key, n)| {
            let from = at;
            at += *n as usize;
            (*key, self.numbers.get(from..at).unwrap_or_default())
        })
    }
}

/// The table of a corpus.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lore {
    /// The words one after the other, and where each ends.
    text: String,
    ends: Vec<u32>,
    /// So many of them, the first, are in order.
    sorted: usize,
    /// Those behind them.
    fresh: HashMap<Box<str>, u32>,
    /// By the key of what each was made from.
    documents: BTreeMap<String, Packed>,
}

/// First bytes of the file: another form is not read.
const FORM: &[u8] = b"twiceshy-lore/2\n";

impl Lore {
    /// The word of a number.
    pub fn word(&self, number: u32) -> &str {
        let at = number as usize;
        let from = at.checked_sub(1).and_then(|b| self.ends.get(b)).map_or(0, |e| *e as usize);
        self.ends.get(at).and_then(|to| self.text.get(from..*to as usize)).unwrap_or_default()
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// What a document tells, by the key of what it was made from.
    pub fn document(&self, key: &str) -> Option<&Packed> {
        self.documents.get(key)
    }

    /// The keys of its documents.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.documents.keys()
    }

    fn push(&mut self, word: &str) -> u32 {
        self.text.push_str(word);
        self.ends.push(count(self.text.len()));
        count(self.ends.len() - 1)
    }

    fn number(&mut self, word: &str) -> u32 {
        let (mut low, mut high) = (0, self.sorted);
        while low < high {
            let middle = low.midpoint(high);
            match self.word(count(middle)).cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return count(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        if let Some(n) = self.fresh.get(word) {
            return *n;
        }
        let n = self.push(word);
        self.fresh.insert(word.into(), n);
        n
    }

    /// Takes a document in.
    pub fn add(&mut self, key: String, told: &Told) {
        let mut packed = Packed { lengths: told.lengths, ..Packed::default() };
        for (name, numbers) in &told.postings {
            packed.postings.push((self.number(name), count(numbers.len())));
            packed.numbers.extend(numbers);
        }
        packed.entries = told.entries.iter().map(|(w, l, f)| [self.number(w), self.number(l), self.number(f)]).collect();
        packed.seen = told.seen.iter().map(|(c, w, at)| [self.number(c), self.number(w), count(*at)]).collect();
        self.documents.insert(key, packed);
    }

    /// Lets go of all documents but some.
    pub fn keep(&mut self, wanted: impl Fn(&str) -> bool) {
        self.documents.retain(|key, _| wanted(key));
    }

    /// The file: words that no document has any more are left out, and the others stand in order.
    pub fn bytes(&self) -> Vec<u8> {
        let mut places: Vec<u32> = vec![u32::MAX; self.len()];
        let named = |d: &Packed| {
            let entries = d.entries.iter().flatten().copied();
            let seen = d.seen.iter().flat_map(|[concept, words, _]| [*concept, *words]);
            d.postings.iter().map(|p| p.0).chain(entries).chain(seen).collect::<Vec<u32>>()
        };
        for word in self.documents.values().flat_map(named) {
            if let Some(p) = places.get_mut(word as usize) {
                *p = 0;
            }
        }
        let mut used: Vec<u32> = (0..count(self.len())).filter(|w| places[*w as usize] == 0).collect();
        used.par_sort_unstable_by(|a, b| self.word(*a).cmp(self.word(*b)));
        used.iter().enumerate().for_each(|(n, w)| places[*w as usize] = count(n));
        let mut all = Vec::new();
        put(&mut all, count(used.len()));
        used.iter().for_each(|word| put_text(&mut all, self.word(*word)));
        let place = |word: u32, out: &mut Vec<u8>| put(out, places.get(word as usize).copied().unwrap_or_default());
        put(&mut all, count(self.documents.len()));
        for (key, d) in &self.documents {
            put_text(&mut all, key);
            d.lengths.iter().for_each(|n| put(&mut all, *n));
            put(&mut all, count(d.postings.len()));
            for (word, n) in &d.postings {
                place(*word, &mut all);
                put(&mut all, *n);
            }
            put(&mut all, count(d.numbers.len()));
            d.numbers.iter().for_each(|n| put(&mut all, *n));
            put(&mut all, count(d.entries.len()));
            d.entries.iter().flatten().for_each(|word| place(*word, &mut all));
            put(&mut all, count(d.seen.len()));
            for [concept, words, line] in &d.seen {
                place(*concept, &mut all);
                place(*words, &mut all);
                put(&mut all, *line);
            }
        }
        let mut file = FORM.to_vec();
        file.extend(crc32fast::hash(&all).to_le_bytes());
        file.append(&mut all);
        file
    }

    /// Reads a file; nothing where it is not whole or of another form.
    pub fn read(bytes: &[u8]) -> Option<Lore> {
        let (sum, rest) = bytes.strip_prefix(FORM)?.split_first_chunk::<4>()?;
        if crc32fast::hash(rest) != u32::from_le_bytes(*sum) {
            return None;
        }
        let mut from = Reader(rest);
        let mut made = Lore::default();
        let known = from.number()?;
        for _ in 0..known {
            made.push(from.text()?);
        }
        made.sorted = made.len();
        for _ in 0..from.number()? {
            let key = from.text()?.to_string();
            let mut d = Packed { lengths: from.three(u32::MAX)?, ..Packed::default() };
            for _ in 0..from.number()? {
                d.postings.push((from.below(known)?, from.number()?));
            }
            for _ in 0..from.number()? {
                d.numbers.push(from.number()?);
            }
            for _ in 0..from.number()? {
                d.entries.push(from.three(known)?);
            }
            for _ in 0..from.number()? {
                d.seen.push([from.below(known)?, from.below(known)?, from.number()?]);
            }
            made.documents.insert(key, d);
        }
        Some(made)
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Seven bits a byte, the lowest first.
fn put(out: &mut Vec<u8>, mut n: u32) {
    while n >= 0x80 {
        out.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, u32::try_from(text.len()).unwrap_or(u32::MAX));
    out.extend(text.as_bytes());
}

/// What is left to be read.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn number(&mut self) -> Option<u32> {
        let mut n = 0u32;
        for shift in (0..35).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            n |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(n);
            }
        }
        None
    }

    fn below(&mut self, most: u32) -> Option<u32> {
        self.number().filter(|n| *n < most)
    }

    fn three(&mut self, most: u32) -> Option<[u32; 3]> {
        let mut one = || self.number().filter(|n| most == u32::MAX || *n < most);
        Some([one()?, one()?, one()?])
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(words: &[&str]) -> Told {
        Told {
            postings: words.iter().enumerate().map(|(n, w)| (format!("w:{w}"), vec![n as u32, 300 + n as u32, u32::MAX])).collect(),
            entries: words.iter().map(|w| ((*w).to_string(), "en".to_string(), format!("{w}-"))).collect(),
            lengths: [1, 200, 40_000],
            seen: vec![("disk".into(), words.join(" "), 7)],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut lore = Lore::default();
        lore.add("a".into(), &told(&["lemez", "ディスク"]));
        lore.add("b".into(), &told(&["disk", "lemez"]));
        lore.add("c".into(), &Told::default());
        let again = Lore::read(&lore.bytes()).unwrap();
        assert_eq!(again.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
        for key in ["a", "b", "c"] {
            let words = |l: &Lore| {
                let d = l.document(key).unwrap().clone();
                let postings: Vec<_> = d.postings().map(|(k, n)| (l.word(k).to_string(), n.to_vec())).collect();
                let entries: Vec<_> = d.entries.iter().map(|e| e.map(|n| l.word(n).to_string())).collect();
                let seen: Vec<_> = d.seen.iter().map(|[c, w, at]| (l.word(*c).to_string(), l.word(*w).to_string(), *at)).collect();
                (postings, entries, seen, d.lengths)
            };
            assert_eq!(words(&again), words(&lore));
        }
        // a word of documents that are gone goes with them, and what is added later finds the words that are there
        let mut fewer = again;
        fewer.keep(|k| k == "b");
        let mut fewer = Lore::read(&fewer.bytes()).unwrap();
        assert!(!fewer.text.contains('ク') && fewer.document("a").is_none());
        let before = fewer.len();
        fewer.add("d".into(), &told(&["disk", "lemez"]));
        assert_eq!(fewer.len(), before);
    }

    #[test]
    fn a_damaged_file_is_not_believed() {
        let mut lore = Lore::default();
        lore.add("a".into(), &told(&["disk", "full"]));
        let whole = lore.bytes();
        assert!(Lore::read(b"").is_none() && Lore::read(b"{}").is_none());
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x15;
            assert!(Lore::read(&damaged).is_none(), "byte {at}");
            assert!(Lore::read(&whole[..at]).is_none(), "cut at {at}");
        }
    }
}
