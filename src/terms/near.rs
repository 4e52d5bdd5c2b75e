//! Which of many words in alphabetical order are near a word: what they begin with is compared once for all that begin so, and where nothing that
//! begins so can be near, they are passed over together.

/// How near a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Near {
    /// So many slips.
    By(usize),
    /// More than are allowed; what begins with it may be near.
    Far,
    /// Nothing is near that begins with so many bytes of it.
    Dead(usize),
}

/// Compares a word with many others as [`super::distance`] does. What one has in common with the one before is not compared again.
pub(crate) struct Rows {
    word: Vec<char>,
    limit: usize,
    /// What a letter taken for another counts.
    change: usize,
    /// The word that was read last, as far as it was read: its characters, each with its length in bytes.
    read: Vec<char>,
    /// For each beginning of it how near it is to each beginning of the word.
    rows: Vec<Vec<usize>>,
}

impl Rows {
    /// For a word; nearer than `limit` slips is near.
    pub fn new(word: &str, limit: usize, change: usize) -> Rows {
        let word: Vec<char> = word.chars().collect();
        Rows { rows: vec![(0..=word.len()).collect()], word, limit, change, read: Vec::new() }
    }

    /// How near a word is.
    pub fn read(&mut self, other: &str) -> Near {
        let same = self.read.iter().zip(other.chars()).take_while(|(a, b)| **a == *b).count();
        // as many rows as characters, and the one of nothing
        self.read.truncate(same);
        self.rows.truncate(same + 1);
        let dead = |rows: &[Vec<usize>], limit: usize| rows.last().is_some_and(|r| r.iter().all(|&d| d > limit));
        let mut len = 0;
        for (i, c) in other.chars().enumerate() {
            len += c.len_utf8();
            if i >= same {
                self.push(c);
            }
            if i + 1 >= same && dead(&self.rows, self.limit) && self.rows.len() == i + 2 {
                return Near::Dead(len);
            }
        }
        match self.rows.last().and_then(|r| r.last()) {
            Some(&d) if d <= self.limit => Near::By(d),
            _ => Near::Far,
        }
    }

    fn push(&mut self, c: char) {
        let n = self.rows.len();
        let last = &self.rows[n - 1];
        let mut row = Vec::with_capacity(last.len());
        row.push(n);
        for j in 1..last.len() {
            let w = self.word[j - 1];
            let mut d = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + if w == c { 0 } else { self.change });
            if n > 1 && j > 1 && w == self.read[n - 2] && self.word[j - 2] == c {
                d = d.min(self.rows[n - 2][j - 2] + 1);
            }
            row.push(d);
        }
        self.read.push(c);
        self.rows.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::super::distance;
    use super::*;

    #[test]
    fn as_near_as_one_by_one() {
        let mut words: Vec<String> = Vec::new();
        for a in ["c", "ce", "cert", "certif", "cret", "zert", "éc", "障害", ""] {
            for b in ["", "i", "ificate", "icate", "ificates", "e", "害", "xx"] {
                words.push(format!("{a}{b}"));
            }
        }
        words.sort();
        words.dedup();
        for word in ["certificate", "certifcate", "cretificate", "障害時", "ec", "x"] {
            for (limit, change) in [(1, 1), (2, 1), (2, 2), (1, 2)] {
                let mut rows = Rows::new(word, limit, change);
                for other in &words {
                    let wanted = distance(word, other, limit, change);
                    match rows.read(other) {
                        Near::By(d) => assert_eq!(wanted, Some(d), "{word} {other}"),
                        Near::Far => assert_eq!(wanted, None, "{word} {other}"),
                        Near::Dead(len) => {
                            let dead = |w: &&String| w.starts_with(&other[..len]);
                            assert!(words.iter().filter(dead).all(|w| distance(word, w, limit, change).is_none()), "{word} {other}");
                        }
                    }
                }
            }
        }
    }
}
