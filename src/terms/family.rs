//! Words that are forms of one word: stems where there is a stemmer for the language, else the beginning of the word; and which words of the
//! corpus stand in for one that it does not have.

use super::fold::fold;
use frostem::Stemmer;

/// How many characters tell a word of a language without a stemmer.
const HEAD: usize = 5;

/// Makes families for the words of one language.
pub struct Families {
    tag: String,
    stemmer: Option<Stemmer>,
    /// For words in the letters of ASCII in a language that is not written in Latin letters.
    foreign: Option<(String, Stemmer)>,
}

impl Families {
    /// For a language: its tag, its English name (which names its stemmer, where there is one) and its own name (whose letters tell its
    /// script). `other` is tag and English name of the language that foreign words are most likely of.
    pub fn new(tag: &str, english: &str, own: &str, other: (&str, &str)) -> Families {
        let stemmer = |name: &str| Stemmer::try_from_name(&name.to_lowercase()).ok();
        let latin =
            own.is_empty() || own.chars().any(|c| c.is_alphabetic() && ((c as u32) < 0x250 || (0x1E00..0x1F00).contains(&(c as u32))));
        let foreign = if latin { None } else { stemmer(other.1).map(|s| (other.0.to_string(), s)) };
        Families { tag: tag.to_string(), stemmer: stemmer(english), foreign }
    }

    /// The family of a word. `written` is the word as it stands in the text (stemmers know accents), `folded` its folded form.
    pub fn of(&self, written: &str, folded: &str) -> String {
        if folded.bytes().any(|b| b.is_ascii_digit()) {
            return format!(":{folded}");
        }
        let (tag, stemmer) = match &self.foreign {
            Some((tag, s)) if folded.is_ascii() => (tag.as_str(), Some(s)),
            _ => (self.tag.as_str(), self.stemmer.as_ref()),
        };
        let stem = match stemmer {
            Some(s) => fold(&s.stem(&written.to_lowercase())),
            None => folded.chars().take(HEAD).collect(),
        };
        format!("{tag}:{}", if stem.is_empty() { folded } else { &stem })
    }
}

/// The beginning that a word must share with its kin, where it is long enough to have any.
pub fn kin_prefix(word: &str) -> Option<&str> {
    let n = word.chars().count();
    if n < 5 || word.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let keep = (n * 3).div_ceil(5).max(4);
    Some(word.char_indices().nth(keep).map_or(word, |(i, _)| &word[..i]))
}

/// True where `other` may be a form of `word`: they share [`kin_prefix`] (three fifths of `word`, four letters at least), and it is at least three fifths of `other`.
pub fn kin(word: &str, other: &str) -> bool {
    let Some(prefix) = kin_prefix(word) else { return false };
    let common = word.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    common >= prefix.chars().count() && common * 5 >= other.chars().count() * 3
}

/// How many letters must be dropped, added, swapped with their neighbour or changed (each of these counts `change`) to make one word of the other; `None`
/// above `limit`.
pub fn distance(a: &str, b: &str, limit: usize, change: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit * 4 {
        return None;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let mut d = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + if a[i - 1] == b[j - 1] { 0 } else { change });
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(before[j - 2] + 1);
            }
            row.push(d);
        }
        if row.iter().all(|&d| d > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|&d| d <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_share_a_family() {
        let en = Families::new("en", "English", "English", ("en", "English"));
        assert_eq!(en.of("connections", "connections"), en.of("connect", "connect"));
        let hu = Families::new("hu", "Hungarian", "magyar", ("en", "English"));
        assert_eq!(hu.of("szervereken", "szervereken"), hu.of("szerver", "szerver"));
        let mn = Families::new("mn", "Mongolian", "монгол", ("en", "English"));
        assert_eq!(mn.of("хүсэлтүүд", "хүсэлтүүд"), mn.of("хүсэлт", "хүсэлт"));
        assert_eq!(mn.of("servers", "servers"), en.of("server", "server"));
        assert_eq!(en.of("502", "502"), ":502");
    }

    #[test]
    fn kin_is_near_and_not_too_near() {
        for (a, b) in [
            ("servers", "server"),
            ("restarting", "restart"),
            ("szervereken", "szerver"),
            ("retried", "retries"),
            ("ujrainditas", "ujrainditottuk"),
        ] {
            assert!(kin(a, b), "{a} {b}");
        }
        for (a, b) in [("servers", "service"), ("disk", "disks"), ("capacity", "capture"), ("0x8007", "0x8008")] {
            assert!(!kin(a, b), "{a} {b}");
        }
    }

    #[test]
    fn typing_errors() {
        assert_eq!(distance("certifcate", "certificate", 2, 1), Some(1));
        assert_eq!(distance("recieve", "receive", 2, 2), Some(1));
        assert_eq!(distance("abc", "xyz", 2, 1), None);
        assert_eq!(distance("", "ab", 2, 1), Some(2));
        assert_eq!(distance("flux", "flex", 1, 1), Some(1));
        assert_eq!(distance("flux", "flex", 1, 2), None);
    }
}
