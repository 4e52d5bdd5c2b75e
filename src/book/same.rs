//! Whether documents tell of one incident: a postmortem, its translation, its copy in another folder, the status page of the same hours. Who looks for
//! an incident wants it once.
//!
//! Each document leaves a [`Sign`]: where its original stands, by which names it goes, at which instants its events were, and a sketch of its text.
//! Two signs are compared by [`Sign::same`] alone, in the terminal's search as on the site, so that both show the same.

use super::Case;
use super::moments::{at_once, civil_day, day, minute};
use super::view::Incident;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Characters of a piece of text that is sketched.
const PIECE: usize = 12;
/// So many of a text's pieces stand for it.
const SKETCH: usize = 32;
/// Texts alike: this part of the pieces of both is in both.
const ALIKE: f64 = 0.5;
/// So many instants are kept.
const INSTANTS: usize = 48;
/// What a postmortem of one incident and another have in common by chance is less than this.
const SHARED: usize = 3;

/// What a document is recognised by.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sign {
    /// The file: what stands in one file was parted by its author.
    #[serde(skip)]
    path: String,
    /// Where the original stands, without scheme and trailing slash.
    #[serde(skip_serializing_if = "String::is_empty")]
    url: String,
    /// Ids and former ids, in lower case.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ids: Vec<String>,
    /// Names of incidents in title, tags and front matter, in lower case.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
    /// Such names in the body, which may be other incidents'.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mentions: Vec<String>,
    /// First and last day (`YYYY-MM-DD`) of what it tells; empty where none is known.
    #[serde(skip_serializing_if = "String::is_empty")]
    days: String,
    /// The instants of its events: clock on the day, and the zone where it is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at: Vec<String>,
    /// When it began, where that is known to the minute; in the same form.
    #[serde(skip_serializing_if = "String::is_empty")]
    start: String,
    /// Services, in lower case.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    services: Vec<String>,
    /// The least hashes of its pieces, eight hexadecimal digits each, in order.
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
}

impl Sign {
    /// The sign of an incident.
    pub fn of(case: &Case) -> Sign {
        let i = &case.incident;
        let url = i.source_url.as_deref().unwrap_or_default();
        let url = url.split_once("://").map_or(url, |(_, rest)| rest).trim_end_matches('/').to_lowercase();
        let ids = std::iter::once(&i.id).chain(&i.aliases).map(|s| s.to_lowercase()).collect();
        let told = i
            .title
            .iter()
            .map(|t| t.text.as_str())
            .chain(i.tags.iter().map(String::as_str))
            .chain(i.other_fields.iter().map(|f| f.1.as_str()));
        let names = named(told);
        let mut mentions = named(case.body.iter().map(|p| p.text.as_str()));
        mentions.truncate(INSTANTS);
        let mut services: Vec<String> = i.services.iter().map(|s| s.name.trim().to_lowercase()).collect();
        services.sort();
        services.dedup();
        Sign {
            path: i.source.path.clone(),
            url,
            ids,
            names,
            mentions,
            days: days(i),
            at: instants(i),
            start: start(i),
            services,
            text: sketch(case),
        }
    }

    /// Tells the file of a sign that was read back.
    pub fn stands_in(&mut self, path: &str) {
        self.path = path.to_string();
    }

    /// Ids and former ids, in lower case.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(String::as_str)
    }

    /// True where both tell of one incident: nothing speaks against it (days far apart), and one of these for it: the same original; the name of one in
    /// the head of the other, or in its body where the days agree; much the same text; three instants that are most of what one of them tells; a service, and two instants or the beginning.
    pub fn same(&self, other: &Sign) -> bool {
        if !self.path.is_empty() && self.path == other.path || self.far(other) {
            return false;
        }
        let dated = !self.days.is_empty() && !other.days.is_empty();
        let named = |a: &Sign, b: &Sign| {
            let knows = |id: &String| b.names.contains(id) || b.ids.contains(id) || dated && b.mentions.contains(id);
            a.ids.iter().any(|id| is_name(id) && knows(id))
        };
        (!self.url.is_empty() && self.url == other.url)
            || named(self, other)
            || named(other, self)
            || self.instants(other)
            || self.alike(other)
    }

    /// First and last day, as numbers of days.
    fn range(&self) -> Option<(i32, i32)> {
        let (from, to) = self.days.split_once('/')?;
        Some((civil_day(from)?, civil_day(to)?))
    }

    /// True where their days are known and none of one is next to one of the other.
    fn far(&self, other: &Sign) -> bool {
        apart(self.range(), other.range())
    }

    fn instants(&self, other: &Sign) -> bool {
        let shared = self.at.iter().filter(|a| other.at.iter().any(|b| at_once(a, b))).count();
        let least = self.at.len().min(other.at.len());
        let service = self.services.iter().any(|s| other.services.contains(s));
        let began = !self.start.is_empty() && !other.start.is_empty() && at_once(&self.start, &other.start);
        (shared * 5 >= least * 3 && (shared >= SHARED || shared + 1 == SHARED && service)) || began && service
    }

    /// Of the least pieces of both together, how many both have.
    fn alike(&self, other: &Sign) -> bool {
        let (a, b) = (pieces(&self.text), pieces(&other.text));
        if a.len() < SKETCH || b.len() < SKETCH {
            return !a.is_empty() && a == b;
        }
        let all: BTreeSet<&str> = a.union(&b).copied().collect();
        let both = all.into_iter().take(SKETCH).filter(|p| a.contains(p) && b.contains(p)).count();
        both as f64 >= ALIKE * SKETCH as f64
    }
}

fn pieces(text: &str) -> BTreeSet<&str> {
    (0..text.len() / 8).filter_map(|n| text.get(n * 8..n * 8 + 8)).collect()
}

/// The names of incidents in some texts, in lower case, each once.
fn named<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut names: Vec<String> = texts.flat_map(words).filter(|w| is_name(w)).map(str::to_lowercase).collect();
    names.sort();
    names.dedup();
    names
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '#' | '.')))
        .map(|w| w.trim_matches(['-', '_', '#', '.']))
        .filter(|w| !w.is_empty())
}

/// A name that no two incidents share: letters and digits, `INC-1042`, not a mere date or version.
fn is_name(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    letters >= 2 && digits >= 2 && word.contains(['-', '_'])
}

fn days(i: &Incident) -> String {
    let period = i.period.iter().flat_map(|p| p.start.iter().chain(&p.end)).map(String::as_str);
    let mut all: Vec<&str> = period.filter_map(day).collect();
    if all.is_empty() {
        all = i.timeline.iter().filter_map(|e| day(&e.at)).collect();
    }
    all.sort_unstable();
    match (all.first(), all.last()) {
        (Some(from), Some(to)) => format!("{from}/{to}"),
        _ => String::new(),
    }
}

fn start(i: &Incident) -> String {
    i.period.as_ref().and_then(|p| minute(p.start.as_deref()?)).unwrap_or_default()
}

/// The instants of the events that are known to the minute.
fn instants(i: &Incident) -> Vec<String> {
    let mut all: Vec<String> = i.timeline.iter().filter_map(|e| minute(&e.at)).collect();
    all.sort();
    all.dedup();
    all.truncate(INSTANTS);
    all
}

/// The least hashes of the pieces of all that the document says: letters and digits alone, so that markup and layout make no difference.
fn sketch(case: &Case) -> String {
    let letters = case.body.iter().flat_map(|p| p.text.chars()).filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    const BASE: u64 = 0x0100_0000_01b3;
    // what a character is multiplied by when it leaves
    let leaves = (0..PIECE).fold(1u64, |p, _| p.wrapping_mul(BASE));
    let mut ring: [u32; PIECE] = [0; PIECE];
    let mut rolling = 0u64;
    let mut least: BTreeSet<u32> = BTreeSet::new();
    for (n, c) in letters.enumerate() {
        let old = std::mem::replace(&mut ring[n % PIECE], c as u32);
        rolling = rolling.wrapping_mul(BASE).wrapping_add(u64::from(c)).wrapping_sub(leaves.wrapping_mul(u64::from(old)));
        if n + 1 < PIECE {
            continue;
        }
        // the upper half is well mixed
        let h = ((rolling ^ (rolling >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        if least.len() < SKETCH || least.last().is_some_and(|&l| h < l) {
            least.insert(h);
            if least.len() > SKETCH {
                least.pop_last();
            }
        }
    }
    least.into_iter().map(|h| format!("{h:08x}")).collect()
}

fn apart(a: Option<(i32, i32)>, b: Option<(i32, i32)>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a.1 + 1 < b.0 || b.1 + 1 < a.0)
}

/// What a sign shares something of with every sign of the same incident; instants apart.
fn keys(s: &Sign) -> impl Iterator<Item = &str> {
    let names = s.ids.iter().chain(&s.names).chain(&s.mentions).map(String::as_str);
    std::iter::once(s.url.as_str()).filter(|u| !u.is_empty()).chain(names).chain(pieces(&s.text))
}

/// For each case the others (by place) that tell of the same incident.
pub(super) fn groups(cases: &[Case]) -> Vec<Vec<usize>> {
    let signs: Vec<Sign> = cases.par_iter().map(Sign::of).collect();
    // whoever is the same shares at least one of these
    let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (k, s) in signs.iter().enumerate() {
        let keys: BTreeSet<&str> = keys(s).collect();
        keys.into_iter().for_each(|key| holders.entry(key).or_default().push(k));
    }
    // instants of different zones are spelled differently: those of a day and its neighbours are looked at
    let mut on: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    for (k, s) in signs.iter().enumerate() {
        let days: BTreeSet<i32> = s.at.iter().chain([&s.start]).filter_map(|a| a.get(..10)).filter_map(civil_day).collect();
        days.into_iter().for_each(|d| on.entry(d).or_default().push(k));
    }
    let ranges: Vec<Option<(i32, i32)>> = signs.iter().map(Sign::range).collect();
    let one = |seen: &mut Vec<bool>, k: usize| {
        let s = &signs[k];
        let mut near: Vec<usize> = Vec::new();
        // sentences that many documents have lead to very many of them; few are of the same days
        let mut meet = |others: &[usize]| {
            for &o in others {
                if !std::mem::replace(&mut seen[o], true) && !apart(ranges[k], ranges[o]) {
                    near.push(o);
                }
            }
        };
        keys(s).filter_map(|key| holders.get(key)).for_each(|h| meet(h));
        for day in s.at.iter().chain([&s.start]).filter_map(|a| a.get(..10)).filter_map(civil_day) {
            on.range(day - 1..=day + 1).for_each(|(_, h)| meet(h));
        }
        seen.fill(false);
        near.sort_unstable();
        near.into_iter().filter(|&o| o != k && s.same(&signs[o])).collect()
    };
    (0..signs.len()).into_par_iter().map_init(|| vec![false; signs.len()], one).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Passage;
    use super::super::view::{Event, Period, Service};
    use super::*;

    fn case(path: &str, at: &[&str], body: &str) -> Case {
        let timeline = at.iter().map(|at| Event { at: (*at).into(), ..Event::default() }).collect();
        let mut incident = Incident { id: path.into(), timeline, ..Incident::default() };
        incident.source.path = path.into();
        Case { incident, body: vec![Passage { text: body.into(), ..Passage::default() }] }
    }

    fn same(a: &Case, b: &Case) -> bool {
        let (x, y) = (Sign::of(a).same(&Sign::of(b)), Sign::of(b).same(&Sign::of(a)));
        assert_eq!(x, y, "both ways");
        x
    }

    const STORY: &str = "The queue of the mail relay grew because its disk was full of rotated logs that nobody had removed since spring, and \
        so the relay refused all mail until two of us had made room by hand and started it again.";

    #[test]
    fn copies_and_updates_are_the_same_and_other_stories_are_not() {
        let (a, b) = (case("a", &[], STORY), case("b", &[], &format!("# {STORY}\n\n")));
        assert!(same(&a, &b));
        assert!(same(&a, &case("c", &[], &format!("{STORY} Update: a check now watches the disk."))));
        assert!(!same(
            &a,
            &case(
                "d",
                &[],
                "A certificate of the gateway ran out at night and phones could not log in until a new one had been made and rolled out to all nodes."
            )
        ));
        assert!(!same(&a, &case("a", &[], STORY)), "what stands in one file was parted by its author");
        assert!(!same(&case("e", &[], ""), &case("f", &[], "")));
        let (mut then, mut now) = (a.clone(), b.clone());
        then.incident.period = Some(Period { start: Some("2024-03-04T10:00Z".into()), ..Period::default() });
        now.incident.period = Some(Period { start: Some("2025-03-04T10:00Z".into()), ..Period::default() });
        assert!(!same(&then, &now), "the same words about another year");
    }

    #[test]
    fn translations_share_their_instants() {
        let a = case("a", &["2024-03-04T10:00Z", "2024-03-04T10:17Z", "2024-03-04T11:30Z"], "Mail was down.");
        let b = case(
            "b",
            &["2024-03-04T19:00+09:00", "2024-03-04T19:17+09:00", "2024-03-04T20:30+09:00", "2024-03-04T21:00+09:00"],
            "メール障害",
        );
        let c = case("c", &["2024-03-04T10:00", "2024-03-04T10:17", "2024-03-04T11:30"], "Mailausfall");
        assert!(same(&a, &b) && same(&a, &c) && !same(&b, &c));
        let page = |path: &str, services: &[&str]| {
            let mut p = case(path, &["2024-03-04T10:00Z", "2024-03-04T11:30Z"], "We are looking into it.");
            p.incident.services = services.iter().map(|s| Service { name: (*s).into(), ..Service::default() }).collect();
            p
        };
        let mut told = a.clone();
        told.incident.services = page("x", &["Mail"]).incident.services;
        assert!(same(&told, &page("p", &["mail"])) && !same(&told, &page("q", &["web"])));
        let at = |zone: &str| {
            case(zone, &[&format!("2024-02-29T23:30{zone}"), &format!("2024-02-29T23:40{zone}"), &format!("2024-02-29T23:50{zone}")], zone)
        };
        let next = case("n", &["2024-03-01T05:00+05:30", "2024-03-01T05:10+05:30", "2024-03-01T05:20+05:30"], "n");
        assert!(same(&at("Z"), &next), "over the end of a month");
    }

    #[test]
    fn names_and_originals_tell() {
        let (mut a, mut b) = (case("mail-relay", &[], "x"), case("status", &[], "y"));
        a.incident.aliases = vec!["INC-1042".into()];
        b.incident.other_fields = vec![("incident".into(), "INC-1042".into())];
        assert!(same(&a, &b));
        let dated = |path: &str, day: &str, body: &str| {
            let mut c = case(path, &[], body);
            c.incident.period = Some(Period { start: Some(day.into()), ..Period::default() });
            c
        };
        let page = dated("page", "2024-03-05", "Checkout was down. This was INC-77-12.");
        assert!(same(&dated("INC-77-12", "2024-03-04", "z"), &page) && !same(&dated("INC-77-12", "2024-05-04", "z"), &page));
        assert!(!same(&case("INC-77-12", &[], "z"), &page), "an earlier one may be mentioned");
        let (mut c, mut d) = (case("c", &[], "x"), case("d", &[], "y"));
        c.incident.source_url = Some("https://example.org/post/".into());
        d.incident.source_url = Some("http://Example.org/post".into());
        assert!(same(&c, &d) && !same(&a, &c));
        let cases = [a, b, c, d, case("e", &[], STORY)];
        assert_eq!(groups(&cases), [vec![1], vec![0], vec![3], vec![2], vec![]]);
    }
}
