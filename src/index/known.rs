//! What is indexed: the path of each file and the fingerprint it had.
//!
//! It is one text beside the index, not a part of what each search opens: a search that looks for no changes does without it, and one that does looks
//! through twenty thousand lines without making a string of each.

use std::collections::BTreeMap;
use std::ops::Range;

/// Files by path, each with its fingerprint.
#[derive(Clone, Debug, Default)]
pub struct Known {
    text: String,
    /// Path and fingerprint of each, as ranges of the text; sorted by path.
    rows: Vec<(Range<usize>, Range<usize>)>,
}

impl Known {
    /// Reads what [`Known::write`] has written; what stands behind a fault is left out.
    pub(super) fn read(text: String) -> Known {
        fn number(text: &str, at: &mut usize) -> Option<usize> {
            let len = text.as_bytes()[*at..].iter().position(|&b| b == b' ')?;
            let n = text[*at..*at + len].parse().ok()?;
            *at += len + 1;
            Some(n)
        }
        let (mut at, mut rows) = (0, Vec::new());
        while let (Some(path), Some(print)) = (number(&text, &mut at), number(&text, &mut at)) {
            let Some(end) = path.checked_add(print).and_then(|n| n.checked_add(at)) else { break };
            if !text.is_char_boundary(at + path) || !text.is_char_boundary(end) {
                break;
            }
            rows.push((at..at + path, at + path..end));
            at = end;
        }
        Known { text, rows }
    }

    /// All in one text: for each the two lengths in bytes and the two texts.
    pub(super) fn write(files: &BTreeMap<String, String>) -> String {
        files.iter().map(|(path, print)| format!("{} {} {path}{print}", path.len(), print.len())).collect()
    }

    /// How many files.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True where nothing is indexed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Path and fingerprint of each, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.rows.iter().map(|(path, print)| (&self.text[path.clone()], &self.text[print.clone()]))
    }

    /// The fingerprint of a path.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.find(path, 0).map(|n| self.print(n))
    }

    /// The place of a path among all; `near` is where it may well stand, since paths are mostly asked for in their order.
    pub fn find(&self, path: &str, near: usize) -> Option<usize> {
        let at = |n: usize| self.rows.get(n).map(|(p, _)| &self.text[p.clone()]);
        if at(near) == Some(path) {
            return Some(near);
        }
        self.rows.binary_search_by(|(p, _)| self.text[p.clone()].cmp(path)).ok()
    }

    /// The fingerprint of the file at a place told by [`Known::find`].
    pub fn print(&self, place: usize) -> &str {
        self.rows.get(place).map_or("", |(_, print)| &self.text[print.clone()])
    }
}

impl PartialEq for Known {
    fn eq(&self, other: &Known) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read_back() {
        let files: BTreeMap<String, String> =
            [("a b/é.md", "1-2"), ("a/1 2.md", ""), ("z", "5 x")].map(|(p, f)| (p.into(), f.into())).into();
        let known = Known::read(Known::write(&files));
        assert!(known.iter().eq(files.iter().map(|(p, f)| (p.as_str(), f.as_str()))));
        assert_eq!((known.get("z"), known.get("y"), known.find("z", 2), known.find("z", 9)), (Some("5 x"), None, Some(2), Some(2)));
        let text = Known::write(&files);
        for cut in (0..text.len()).filter(|&i| text.is_char_boundary(i)) {
            assert!(Known::read(text[..cut].to_string()).len() < 3);
        }
        assert!(Known::read("99999999999999999999 1 x".into()).is_empty() && Known::read("18446744073709551615 1 x".into()).is_empty());
    }
}
