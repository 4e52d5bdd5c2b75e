//! Whether a text and an incident share more than chance. Every text shares words with some incident; a recipe and a lease are like none.

use super::counts::Counts;
use super::plan::Plan;
use crate::book::Case;
use crate::terms::Kind;
use crate::terms::score::{Scored, idf};

/// Concepts of what goes wrong: a text without any tells of no trouble.
const TROUBLE: [&str; 59] = [
    "5xx",
    "4xx",
    "backlog",
    "backup-bad",
    "bad-deploy",
    "block",
    "breach",
    "broke",
    "cache-bad",
    "cascade",
    "connections-exhausted",
    "corrupt",
    "could-not",
    "crash",
    "crash-loop",
    "data-lost",
    "data-wrong",
    "deadlock",
    "defect",
    "degraded",
    "disk-full",
    "error",
    "exceed",
    "fail",
    "failover-failed",
    "fell-behind",
    "full",
    "hang",
    "hardware-broken",
    "has-expired",
    "in-turn",
    "intermittent",
    "latency",
    "leak",
    "limit-hit",
    "lock-contention",
    "lockout",
    "locked-out",
    "lost",
    "maxed",
    "memory-exhausted",
    "missing",
    "name-resolution",
    "network-broken",
    "oom",
    "outage",
    "overload",
    "pile-up",
    "power-lost",
    "race-condition",
    "reject",
    "resource-leak",
    "retry",
    "retry-storm",
    "slow",
    "slow-query",
    "surge",
    "timeout",
    "wrong",
];

/// Concepts that are worth so much together, as idf, are no chance.
const CONCEPTS: f64 = 1.2;

/// What is known of the text, for judging one document after the other.
pub(super) struct Evidence<'p> {
    plan: &'p Plan,
    /// The text tells of trouble.
    trouble: bool,
    /// What each concept of the text is worth.
    worth: Vec<f64>,
    /// Patterns (by place in the plan) that the text itself carries as tags.
    tags: Vec<usize>,
}

impl<'p> Evidence<'p> {
    /// Looks at the text once.
    pub fn new(counts: &Counts, plan: &'p Plan, case: &Case) -> Evidence<'p> {
        let n = counts.corpus.docs.len();
        let tagged = |id: &str| case.incident.patterns.iter().any(|p| p.id == id);
        Evidence {
            plan,
            trouble: plan.concepts.iter().any(|c| TROUBLE.contains(&c.name())),
            worth: plan.asked.concepts.iter().map(|places| idf(n, places.len())).collect(),
            tags: plan.patterns.iter().enumerate().filter(|(_, (id, _))| tagged(id)).map(|(k, _)| k).collect(),
        }
    }

    /// True where a document shares a mechanism with the text, a code, or several things of a text that tells of trouble.
    pub fn enough(&self, s: &Scored) -> bool {
        let has = |list: &[(u32, f64)]| list.binary_search_by_key(&s.doc, |p| p.0).is_ok();
        if self.tags.iter().any(|&k| self.plan.asked.patterns.get(k).is_some_and(|(_, list)| has(list))) {
            return true;
        }
        let shared = || self.plan.postings().filter(|(_, list)| has(list)).map(|(u, _)| u);
        if shared().any(|u| u.kind == Kind::Whole && u.text.bytes().any(|b| b.is_ascii_alphabetic())) {
            return true;
        }
        let words =
            shared().filter(|u| u.kind != Kind::Whole && !number(&u.text) && u.text.chars().count() > 3 || u.kind == Kind::Gram).count();
        let both: Vec<f64> =
            self.plan.asked.concepts.iter().zip(&self.worth).filter(|(places, _)| places.has(s.doc)).map(|(_, &w)| w).collect();
        let worth: f64 = both.iter().sum();
        self.trouble && (both.len() >= 2 && worth >= CONCEPTS || words >= 2 && !both.is_empty() || words >= 3)
    }
}

fn number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// False for a word that says nothing by itself: a letter, a number of one or two digits.
pub(super) fn telling(word: &str) -> bool {
    word.chars().count() > 1 && !(number(word) && word.len() < 3)
}

/// True for a pair of characters of a syllabary that writes endings and particles: it holds a Japanese sentence together.
pub(super) fn only_endings(gram: &str) -> bool {
    gram.chars().all(|c| matches!(c, '\u{3041}'..='\u{309f}'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Concept;

    #[test]
    fn trouble_is_known() {
        for name in TROUBLE {
            assert!(Concept::named(name).is_some(), "{name}");
        }
    }

    #[test]
    fn what_says_nothing() {
        assert!(telling("502") && telling("tls") && !telling("30") && !telling("x"));
        assert!(only_endings("した") && !only_endings("停止") && !only_endings("ート"));
    }
}
