//! Some of the concepts, named once and asked for often.

use super::tag::{Concept, Tag};
use std::sync::OnceLock;

/// A set of concepts by name. It is made when it is first asked; from then on a question costs the look at one bit.
pub struct ConceptSet {
    names: &'static [&'static str],
    bits: OnceLock<Vec<u64>>,
}

impl ConceptSet {
    /// The set of these names; names that no concept has are left out.
    pub const fn new(names: &'static [&'static str]) -> ConceptSet {
        ConceptSet { names, bits: OnceLock::new() }
    }

    /// The names it was made of.
    pub fn names(&self) -> &'static [&'static str] {
        self.names
    }

    /// True for a concept of the set.
    pub fn has(&self, concept: Concept) -> bool {
        let bits = self.bits.get_or_init(|| {
            let mut bits = vec![0u64; Concept::count() / 64 + 1];
            for Concept(n) in self.names.iter().filter_map(|name| Concept::named(name)) {
                bits[usize::from(n) / 64] |= 1 << (n % 64);
            }
            bits
        });
        bits.get(usize::from(concept.0) / 64).is_some_and(|b| b & 1 << (concept.0 % 64) > 0)
    }

    /// True for the tag of a concept of the set.
    pub fn tagged(&self, tag: Tag) -> bool {
        matches!(tag, Tag::Concept(c) if self.has(c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_it_names() {
        static SOME: ConceptSet = ConceptSet::new(&["restart", "outage", "no such concept"]);
        let named: Vec<&str> = Concept::all().filter(|c| SOME.has(*c)).map(Concept::name).collect();
        assert_eq!(named.len(), 2);
        assert!(named.contains(&"restart") && named.contains(&"outage"));
        assert!(!SOME.has(Concept(u16::MAX)));
    }
}
