//! A set of words, laid out so that it is made quickly and answers quickly which of them a text goes on with.
//!
//! A node's children stand side by side; a branch that leads to one word only ends in the rest of that word. Thus most of a set is kept as plain
//! text, and a set of ten thousands of words is made in a few milliseconds, which counts because each process makes its own.

use std::collections::VecDeque;

/// Stands for no word and for no node.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    /// The word that ends here (at a leaf: behind its tail).
    value: u32,
    /// The first child; of a leaf, where its tail begins.
    first: u32,
    /// How many children, at most 256; none means a leaf.
    count: u16,
    /// Length of a leaf's tail; of a node with many children, its place in `wide`, counted from 1.
    tail: u16,
}

/// From so many children on a node has a bit for each byte that leads to one.
const MANY: u16 = 10;

/// A set of words, each with a number.
pub struct Trie {
    /// The child of the root for each first byte.
    root: Box<[u32; 256]>,
    nodes: Vec<Node>,
    /// The byte that leads to each node.
    labels: Vec<u8>,
    tails: Vec<u8>,
    /// For each node with many children the bytes that lead to one, a bit for each.
    wide: Vec<[u64; 4]>,
}

impl Trie {
    /// Makes a set of words (none empty, none twice, in the order of their bytes) and their numbers. A word beyond 65 535 bytes is left out.
    pub fn new(words: &[(&str, u32)]) -> Trie {
        let mut t = Trie { root: Box::new([NONE; 256]), nodes: Vec::new(), labels: Vec::new(), tails: Vec::new(), wide: Vec::new() };
        let mut todo: VecDeque<(usize, usize, usize)> = VecDeque::new();
        t.children(words, 0, words.len(), 0, &mut todo);
        for (n, &label) in t.labels.iter().enumerate() {
            t.root[usize::from(label)] = n as u32;
        }
        let mut n = 0;
        while let Some((mut lo, hi, depth)) = todo.pop_front() {
            let mut node = Node { value: NONE, first: 0, count: 0, tail: 0 };
            let (word, value) = words[lo];
            if hi - lo == 1 {
                let tail = &word.as_bytes()[depth..];
                node.first = t.tails.len() as u32;
                if let Ok(len) = u16::try_from(tail.len()) {
                    (node.value, node.tail) = (value, len);
                    t.tails.extend(tail);
                }
            } else {
                if word.len() == depth {
                    node.value = value;
                    lo += 1;
                }
                node.first = t.nodes.len() as u32;
                t.children(words, lo, hi, depth, &mut todo);
                node.count = (t.nodes.len() - node.first as usize) as u16;
                if node.count >= MANY
                    && let Ok(place) = u16::try_from(t.wide.len() + 1)
                {
                    let mut bits = [0; 4];
                    t.labels[node.first as usize..].iter().for_each(|&l| bits[usize::from(l) / 64] |= 1 << (l % 64));
                    t.wide.push(bits);
                    node.tail = place;
                }
            }
            t.nodes[n] = node;
            n += 1;
        }
        t.nodes.shrink_to_fit();
        t.labels.shrink_to_fit();
        t.tails.shrink_to_fit();
        t
    }

    /// Adds a node for each byte that some words go on with.
    fn children(&mut self, words: &[(&str, u32)], mut lo: usize, hi: usize, depth: usize, todo: &mut VecDeque<(usize, usize, usize)>) {
        let label = |i: usize| words[i].0.as_bytes().get(depth).copied().unwrap_or_default();
        while lo < hi {
            let byte = label(lo);
            let end = (lo + 1..hi).find(|&i| label(i) != byte).unwrap_or(hi);
            self.nodes.push(Node { value: NONE, first: 0, count: 0, tail: 0 });
            self.labels.push(byte);
            todo.push_back((lo, end, depth + 1));
            lo = end;
        }
    }

    /// Tells each word that `text` has at a place, the shortest first: where it ends, and its number.
    #[inline]
    pub fn each(&self, text: &[u8], at: usize, mut tell: impl FnMut(usize, u32)) {
        let Some(&byte) = text.get(at) else { return };
        let mut here = self.root[usize::from(byte)];
        let mut end = at + 1;
        while let Some(&node) = self.nodes.get(here as usize) {
            if node.count == 0 {
                let (from, len) = (node.first as usize, usize::from(node.tail));
                if node.value != NONE && begins(&text[end..], &self.tails[from..from + len]) {
                    tell(end + len, node.value);
                }
                return;
            }
            if node.value != NONE {
                tell(end, node.value);
            }
            let Some(&byte) = text.get(end) else { return };
            let first = node.first as usize;
            let found = match self.wide.get(usize::from(node.tail).wrapping_sub(1)) {
                Some(bits) => place(bits, byte),
                None => self.labels[first..first + usize::from(node.count)].iter().position(|&l| l == byte),
            };
            let Some(found) = found else { return };
            here = (first + found) as u32;
            end += 1;
        }
    }
}

impl Trie {
    /// The number of a word.
    pub fn get(&self, word: &str) -> Option<u32> {
        let mut found = None;
        self.each(word.as_bytes(), 0, |end, n| {
            if end == word.len() {
                found = Some(n);
            }
        });
        found
    }
}

/// How many of some bytes stand before one of them.
#[inline]
fn place(bits: &[u64; 4], byte: u8) -> Option<usize> {
    let (word, bit) = (usize::from(byte / 64), 1u64 << (byte % 64));
    if bits[word] & bit == 0 {
        return None;
    }
    let before: u32 = bits[..word].iter().map(|b| b.count_ones()).sum();
    Some((before + (bits[word] & (bit - 1)).count_ones()) as usize)
}

/// True where a text begins with a few letters: nearly always the first decides.
#[inline]
pub(super) fn begins(text: &[u8], letters: &[u8]) -> bool {
    text.len() >= letters.len() && text.iter().zip(letters).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_all_words_that_a_text_begins_with() {
        let words = [
            "a",
            "ab",
            "abc",
            "abd",
            "abdomen",
            "b",
            "ca",
            "cb",
            "cc",
            "cd",
            "ce",
            "cf",
            "cg",
            "ch",
            "ci",
            "cj",
            "ck",
            "cé",
            "zebra",
            "é",
            "éa",
            "障害",
            "障害時",
        ];
        let numbered: Vec<(&str, u32)> = words.iter().copied().zip(0..).collect();
        let trie = Trie::new(&numbered);
        let mut sorted = words;
        sorted.sort();
        assert_eq!(sorted, words, "the sample is in order");
        for text in [
            "abdomen",
            "abdome",
            "abcd",
            "zebra",
            "zebr",
            "",
            "b",
            "éa!",
            "障害時刻",
            "障",
            "xyz",
            "a",
            "ca",
            "ch!",
            "ck",
            "cl",
            "cé",
            "cè",
        ] {
            let mut found = Vec::new();
            trie.each(text.as_bytes(), 0, |end, n| {
                assert_eq!(&text[..end], words[n as usize]);
                found.push(words[n as usize]);
            });
            let wanted: Vec<&str> = words.iter().copied().filter(|w| text.starts_with(w)).collect();
            assert_eq!(found, wanted, "{text}");
            assert_eq!(trie.get(text), words.iter().position(|w| *w == text).map(|n| n as u32));
        }
        let mut found = Vec::new();
        trie.each("xabc".as_bytes(), 1, |end, _| found.push(end));
        assert_eq!(found, [2, 3, 4]);
        Trie::new(&[]).each(b"a", 0, |_, _| panic!("an empty set has no words"));
    }
}
