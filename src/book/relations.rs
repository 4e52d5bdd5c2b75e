//! How incidents relate: which are like which, and why. Few, and each with its reason.

use super::{Book, Case};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// How many similar incidents are named at most.
pub const MOST: usize = 5;
/// How many of them are kept for other services, where there are such.
const ELSEWHERE: usize = 2;
/// Shared concepts of causes count only together.
const LEAST_CONCEPTS: usize = 3;

/// An incident like another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Similar {
    /// Its id.
    pub id: String,
    /// The more, the likelier; comparable within one list only.
    pub score: f64,
    /// Why it is named.
    pub reason: Reason,
}

/// What two incidents share, rarest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reason {
    /// Patterns, by id.
    pub patterns: Vec<String>,
    /// Services, as the incident at hand writes them.
    pub services: Vec<String>,
    /// Concepts of their causes, where no pattern is shared.
    pub concepts: Vec<String>,
}

/// What an incident is compared by.
struct Profile<'b> {
    patterns: BTreeMap<&'b str, f64>,
    services: BTreeMap<String, &'b str>,
    concepts: BTreeSet<&'b str>,
    same: BTreeSet<&'b str>,
    date: String,
}

impl<'b> Profile<'b> {
    fn new(case: &'b Case) -> Profile<'b> {
        let i = &case.incident;
        Profile {
            patterns: i.patterns.iter().map(|p| (p.id.as_str(), p.score)).collect(),
            services: i.services.iter().map(|s| (s.name.trim().to_lowercase(), s.name.as_str())).collect(),
            concepts: i.causes.iter().flat_map(|c| c.concepts.iter().map(String::as_str)).collect(),
            same: i.same_incident_as.iter().map(String::as_str).collect(),
            date: i.date().unwrap_or_default(),
        }
    }
}

/// How many incidents carry each thing, and how much sharing it therefore says.
struct Rarity<'p>(BTreeMap<&'p str, usize>, usize);

impl<'p> Rarity<'p> {
    fn new(things: impl Iterator<Item = &'p str>, of: usize) -> Rarity<'p> {
        let mut counts = BTreeMap::new();
        for t in things {
            *counts.entry(t).or_default() += 1;
        }
        Rarity(counts, of)
    }

    fn weight(&self, thing: &str) -> f64 {
        let n = self.0.get(thing).copied().unwrap_or(1) as f64;
        ((self.1 as f64 + 1.0) / n).ln().max(0.05)
    }

    /// Rarest first; of equals by name.
    fn sort<T>(&self, things: &mut [T], name: impl Fn(&T) -> &str) {
        things.sort_by(|a, b| self.weight(name(b)).total_cmp(&self.weight(name(a))).then_with(|| name(a).cmp(name(b))));
    }
}

/// Who has a thing, how surely (patterns), and how much sharing it says.
struct Shared {
    weight: f64,
    holders: Vec<(usize, f64)>,
}

/// What two incidents have in common, added up thing by thing.
#[derive(Clone, Copy, Default)]
struct Tally {
    score: f64,
    concepts: f64,
    common: usize,
    pattern: bool,
    service: bool,
}

/// Things by number, and for each case the numbers of its things. Comparing each case with each other one by its names would take minutes for some
/// thousands; going through the holders of its own things takes seconds.
struct Things {
    all: Vec<Shared>,
    of: Vec<Vec<usize>>,
}

impl Things {
    fn new<'p>(cases: usize, rarity: &Rarity<'p>, of: impl Fn(usize) -> Vec<(&'p str, f64)>) -> Things {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut made = Things { all: Vec::new(), of: Vec::with_capacity(cases) };
        for k in 0..cases {
            let mut own = Vec::new();
            for (name, sure) in of(k) {
                let n = *numbers.entry(name).or_insert_with(|| {
                    made.all.push(Shared { weight: rarity.weight(name), holders: Vec::new() });
                    made.all.len() - 1
                });
                made.all[n].holders.push((k, sure));
                own.push(n);
            }
            made.of.push(own);
        }
        made
    }

    /// Every holder of a thing of the case, with the thing's weight.
    fn shared(&self, at: usize) -> impl Iterator<Item = (usize, f64, f64)> {
        self.of[at].iter().map(|n| &self.all[*n]).flat_map(|t| t.holders.iter().map(|(k, sure)| (*k, *sure, t.weight)))
    }
}

/// For each case of the book, in its order, the incidents like it.
pub fn similar(book: &Book) -> Vec<Vec<Similar>> {
    of_places(book, (0..book.cases().len()).collect())
}

/// The incidents like one of the book's, by its id.
pub fn similar_to(book: &Book, id: &str) -> Vec<Similar> {
    let at = book.cases().iter().position(|c| c.incident.id == id);
    of_places(book, at.into_iter().collect()).pop().unwrap_or_default()
}

fn of_places(book: &Book, places: Vec<usize>) -> Vec<Vec<Similar>> {
    let profiles: Vec<Profile<'_>> = book.cases().iter().map(Profile::new).collect();
    let n = profiles.len();
    let patterns = Rarity::new(profiles.iter().flat_map(|p| p.patterns.keys().copied()), n);
    let services = Rarity::new(profiles.iter().flat_map(|p| p.services.keys().map(String::as_str)), n);
    let concepts = Rarity::new(profiles.iter().flat_map(|p| p.concepts.iter().copied()), n);
    let by_pattern = Things::new(n, &patterns, |k| profiles[k].patterns.iter().map(|(id, sure)| (*id, *sure)).collect());
    let by_service = Things::new(n, &services, |k| profiles[k].services.keys().map(|s| (s.as_str(), 0.0)).collect());
    let by_concept = Things::new(n, &concepts, |k| profiles[k].concepts.iter().map(|c| (*c, 0.0)).collect());
    let one = |tallies: &mut Vec<Tally>, at: usize| {
        let (case, p) = (&book.cases()[at].incident, &profiles[at]);
        tallies.clear();
        tallies.resize(n, Tally::default());
        let sure = p.patterns.values();
        for (own, number) in sure.zip(&by_pattern.of[at]) {
            let thing = &by_pattern.all[*number];
            for (k, theirs) in &thing.holders {
                tallies[*k].score += thing.weight * own.min(*theirs).clamp(0.3, 1.0);
                tallies[*k].pattern = true;
            }
        }
        for (k, _, weight) in by_service.shared(at) {
            tallies[k].score += 0.6 * weight;
            tallies[k].service = true;
        }
        for (k, _, weight) in by_concept.shared(at) {
            tallies[k].concepts += weight;
            tallies[k].common += 1;
        }
        // newer before older where both are as like: its remedy is the likelier to hold
        let before = |(a, x): &(f64, usize), (b, y): &(f64, usize)| {
            let id = |k: usize| &book.cases()[k].incident.id;
            b.total_cmp(a).then_with(|| profiles[*y].date.cmp(&profiles[*x].date)).then_with(|| id(*x).cmp(id(*y)))
        };
        // the best of those that do not share a service, for which some places are kept, and of those that do
        let mut best: [Vec<(f64, usize)>; 2] = [Vec::new(), Vec::new()];
        for (k, t) in tallies.iter().enumerate() {
            if k == at || !(t.pattern || t.service || t.common >= LEAST_CONCEPTS) {
                continue;
            }
            let (other, q) = (&book.cases()[k].incident, &profiles[k]);
            if other.id == case.id || p.same.contains(other.id.as_str()) || q.same.contains(case.id.as_str()) {
                continue;
            }
            let list = &mut best[usize::from(t.service)];
            let found = (t.score + t.concepts / likeness(p, q), k);
            if list.len() < MOST || list.last().is_some_and(|last| before(&found, last).is_lt()) {
                let place = list.partition_point(|x| before(x, &found).is_lt());
                list.insert(place, found);
                list.truncate(MOST);
            }
        }
        let elsewhere = best[0].len().min(ELSEWHERE);
        best[1].truncate(MOST - elsewhere);
        let mut found = best.concat();
        found.sort_by(before);
        found.truncate(MOST);
        let told = |(score, k): (f64, usize)| Similar {
            id: book.cases()[k].incident.id.clone(),
            score,
            reason: reason(p, &profiles[k], &patterns, &services, &concepts),
        };
        found.into_iter().map(told).collect()
    };
    places.into_par_iter().map_init(Vec::new, one).collect()
}

/// A long document shares words with everything: what is shared is measured against what each has.
fn likeness(p: &Profile<'_>, q: &Profile<'_>) -> f64 {
    ((p.concepts.len().max(1) * q.concepts.len().max(1)) as f64).sqrt()
}

/// What two incidents share, rarest first.
fn reason(p: &Profile<'_>, q: &Profile<'_>, patterns: &Rarity<'_>, services: &Rarity<'_>, concepts: &Rarity<'_>) -> Reason {
    let mut reason = Reason {
        patterns: p.patterns.keys().filter(|id| q.patterns.contains_key(*id)).map(|id| (*id).to_string()).collect(),
        ..Reason::default()
    };
    patterns.sort(&mut reason.patterns, |s| s.as_str());
    let mut shared: Vec<(&str, &str)> =
        p.services.iter().filter(|(k, _)| q.services.contains_key(*k)).map(|(k, n)| (k.as_str(), *n)).collect();
    services.sort(&mut shared, |s| s.0);
    reason.services = shared.into_iter().map(|s| s.1.to_string()).collect();
    if reason.patterns.is_empty() {
        let mut common: Vec<&str> = p.concepts.intersection(&q.concepts).copied().collect();
        concepts.sort(&mut common, |c| c);
        if common.len() >= LEAST_CONCEPTS {
            reason.concepts = common.iter().take(4).map(|c| (*c).to_string()).collect();
        }
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::super::view::{Cause, Incident, Pattern, Service};
    use super::*;

    fn case(id: &str, patterns: &[&str], services: &[&str], concepts: &[&str]) -> Case {
        let patterns = patterns.iter().map(|p| Pattern { id: (*p).into(), score: 0.9, ..Pattern::default() }).collect();
        let services = services.iter().map(|s| Service { name: (*s).into(), ..Service::default() }).collect();
        let causes = vec![Cause { concepts: concepts.iter().map(|c| (*c).into()).collect(), ..Cause::default() }];
        Case { incident: Incident { id: id.into(), patterns, services, causes, ..Incident::default() }, body: Vec::new() }
    }

    fn ids(list: &[Similar]) -> Vec<&str> {
        list.iter().map(|s| s.id.as_str()).collect()
    }

    #[test]
    fn the_rarer_pattern_weighs_more() {
        let book = Book::new(vec![
            case("a", &["common", "rare"], &[], &[]),
            case("b", &["common"], &[], &[]),
            case("c", &["rare"], &[], &[]),
            case("d", &["common"], &[], &[]),
            case("e", &[], &[], &[]),
        ]);
        let all = similar(&book);
        assert_eq!(ids(&all[0]), ["c", "b", "d"]);
        assert_eq!(all[0][0].reason.patterns, ["rare"]);
        assert!(all[4].is_empty());
        assert_eq!(similar_to(&book, "a"), all[0]);
        assert!(similar_to(&book, "z").is_empty());
    }

    #[test]
    fn other_services_keep_their_places() {
        let mut cases: Vec<Case> = (0..7).map(|k| case(&format!("s{k}"), &["p"], &["Db"], &[])).collect();
        cases.push(case("x1", &["p"], &["Web"], &[]));
        cases.push(case("x2", &["p"], &[], &[]));
        let all = similar(&Book::new(cases));
        assert_eq!(all[0].len(), MOST);
        assert_eq!(all[0].iter().filter(|s| s.reason.services.is_empty()).count(), 2);
        assert_eq!(all[0][0].reason.services, ["Db"]);
    }

    #[test]
    fn no_reason_no_mention() {
        let mut cases =
            vec![case("a", &[], &[], &["queue", "disk"]), case("b", &[], &[], &["queue", "disk"]), case("c", &[], &[], &["x", "y", "z"])];
        cases.push(case("d", &[], &[], &["x", "y", "z"]));
        let book = Book::new(cases.clone());
        let all = similar(&book);
        assert!(all[0].is_empty() && all[1].is_empty());
        assert_eq!(all[2][0].reason.concepts.len(), 3);
        cases[2].incident.same_incident_as = vec!["d".into()];
        let all = similar(&Book::new(cases));
        assert!(all[2].is_empty() && all[3].is_empty());
    }
}
