//! Which form of a counted noun goes with a number: CLDR's categories and rules for whole numbers, from `templates/plurals.yaml`.

use std::collections::BTreeMap;

/// The categories, in the order in which their rules are tried.
const CATEGORIES: [&str; 5] = ["zero", "one", "two", "few", "many"];

/// The rules of one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plurals {
    /// Category to its condition.
    rules: BTreeMap<String, String>,
}

impl Default for Plurals {
    /// One, and anything else.
    fn default() -> Plurals {
        Plurals { rules: BTreeMap::from([("one".to_string(), "n = 1".to_string())]) }
    }
}

impl Plurals {
    /// The rules of a language.
    pub fn of(tag: &str) -> Plurals {
        let file = crate::data::TEMPLATES.iter().find(|(n, _)| *n == "plurals.yaml");
        let mut all: BTreeMap<String, BTreeMap<String, String>> = file.and_then(|(n, t)| crate::data::yaml(n, t).ok()).unwrap_or_default();
        all.remove(tag).map_or_else(Plurals::default, |rules| Plurals { rules })
    }

    /// The category of a number: `zero`, `one`, `two`, `few`, `many` or `other`.
    pub fn category(&self, n: usize) -> &'static str {
        CATEGORIES.into_iter().find(|c| self.rules.get(*c).is_some_and(|r| holds(r, n))).unwrap_or("other")
    }
}

/// `n % 10 = 2..4 and n % 100 != 12..14 or n = 0`.
fn holds(rule: &str, n: usize) -> bool {
    rule.split(" or ").any(|all| all.split(" and ").all(|one| relation(one, n).unwrap_or(false)))
}

fn relation(text: &str, n: usize) -> Option<bool> {
    let (left, right, wanted) = match text.split_once("!=") {
        Some((l, r)) => (l, r, false),
        None => text.split_once('=').map(|(l, r)| (l, r, true))?,
    };
    let n = match left.trim().strip_prefix('n')?.trim().strip_prefix('%') {
        Some(of) => n.checked_rem(of.trim().parse().ok()?)?,
        None => n,
    };
    let within = |range: &str| -> Option<bool> {
        let (a, b) = range.split_once("..").unwrap_or((range, range));
        Some((a.trim().parse::<usize>().ok()?..=b.trim().parse().ok()?).contains(&n))
    };
    let mut found = false;
    for range in right.split(',') {
        found |= within(range)?;
    }
    Some(found == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_of_languages() {
        for (tag, of) in [
            ("en", [(0, "other"), (1, "one"), (2, "other"), (21, "other")]),
            ("fr", [(0, "one"), (1, "one"), (2, "other"), (21, "other")]),
            ("ja", [(0, "other"), (1, "other"), (2, "other"), (21, "other")]),
            ("ru", [(1, "one"), (21, "one"), (22, "few"), (11, "many")]),
            ("uk", [(3, "few"), (13, "many"), (101, "one"), (5, "many")]),
            ("pl", [(1, "one"), (21, "many"), (22, "few"), (12, "many")]),
            ("cs", [(1, "one"), (3, "few"), (5, "other"), (23, "other")]),
            ("ar", [(0, "zero"), (2, "two"), (105, "few"), (111, "many")]),
            ("ar", [(1, "one"), (100, "other"), (102, "other"), (11, "many")]),
            ("he", [(1, "one"), (2, "two"), (3, "other"), (12, "other")]),
            ("ro", [(0, "few"), (19, "few"), (20, "other"), (101, "few")]),
        ] {
            let p = Plurals::of(tag);
            of.into_iter().for_each(|(n, category)| assert_eq!(p.category(n), category, "{tag} {n}"));
        }
    }

    #[test]
    fn every_rule_of_the_file_can_be_read() {
        let (name, text) = crate::data::TEMPLATES.iter().find(|(n, _)| *n == "plurals.yaml").unwrap();
        let all: BTreeMap<String, BTreeMap<String, String>> = crate::data::yaml(name, text).unwrap();
        for (tag, rules) in all {
            for (category, rule) in rules {
                assert!(CATEGORIES.contains(&category.as_str()), "{tag}: {category}");
                let read = rule.split(" or ").flat_map(|r| r.split(" and ")).all(|r| relation(r, 7).is_some());
                assert!(read, "{tag}: {rule}");
            }
        }
    }
}
