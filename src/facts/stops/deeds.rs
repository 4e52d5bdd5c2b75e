//! Deeds: which words of a unit tell that something was done about the harm, and whether it was in vain.

use super::super::timeline::Event;
use super::super::units::{Reading, Unit};
use crate::document::Mark;
use crate::lang::{Concept, ConceptSet, Cue, Hit, Phase, Role, Tag};
use std::collections::BTreeSet;
use std::ops::Range;

/// Concepts of deeds that end or ease harm.
pub static DEEDS: ConceptSet = ConceptSet::new(&[
    "restart",
    "rollback",
    "failover",
    "disable",
    "isolate",
    "kill",
    "stop",
    "throttle",
    "circuit-breaker",
    "replace",
    "renew",
    "reset",
    "workaround",
    "autoscale",
    "provision",
    "allowlist",
    "fallback",
    "delete",
    "increase",
]);
/// Deeds that are seldom anything but the answer to an incident.
pub(super) static STRONG: ConceptSet = ConceptSet::new(&["restart", "rollback", "failover", "disable", "isolate", "kill", "stop"]);
/// Concepts that are as often a thing or an event as a deed; they count where a word of action is the same word.
pub(super) static WEAK: ConceptSet = ConceptSet::new(&["stop", "autoscale", "provision", "delete", "increase", "renew"]);
/// Concepts of deeds that as often set harm off; they count where the place or the words say that they were the answer.
pub(super) static CHANGES: ConceptSet = ConceptSet::new(&[
    "deploy",
    "release",
    "config",
    "change",
    "migration",
    "enable",
    "start",
    "upgrade",
    "import",
    "sync",
    "copy",
    "rename",
    "filter",
    "limit",
    "capacity",
]);
/// Concepts of what went wrong; beside a deed they are what it was done about.
pub(super) static FAULTS: ConceptSet = ConceptSet::new(&[
    "fail",
    "error",
    "5xx",
    "4xx",
    "outage",
    "wrong",
    "hang",
    "crash",
    "crash-loop",
    "missing",
    "reject",
    "degraded",
    "rollback-failed",
    "failover-failed",
    "could-not",
    "disk-full",
    "slow",
    "latency",
]);

/// Answers that failed.
static IN_VAIN: ConceptSet = ConceptSet::new(&["rollback-failed", "failover-failed", "scaling-failed"]);
/// Something took long.
static SLOW: ConceptSet = ConceptSet::new(&["slow", "latency"]);

/// How many of some concepts a unit tells of.
pub(super) fn concepts(unit: &Unit, set: &ConceptSet) -> usize {
    let found: BTreeSet<Concept> =
        unit.hits().iter().filter_map(|h| if let Tag::Concept(c) = h.tag { Some(c) } else { None }).filter(|c| set.has(*c)).collect();
    found.len()
}

pub(super) fn concept(hit: &Hit) -> Option<&'static str> {
    if let Tag::Concept(c) = hit.tag { Some(c.name()) } else { None }
}

pub(super) fn overlap(a: &Hit, b: &Hit) -> bool {
    a.range.start < b.range.end && b.range.start < a.range.end
}

/// What a unit tells of deeds.
pub(super) struct Told {
    /// Concepts of deeds, each once.
    pub(super) deeds: BTreeSet<&'static str>,
    /// A word of mitigation that is a deed, not only a turn for the better.
    pub(super) eased: bool,
    /// Something got better, without a word for what was done.
    pub(super) improved: bool,
    /// A verb of something done, of no known kind.
    pub(super) verb: bool,
}

impl Told {
    /// `entry`: in a timeline; `ticked`: done by a box or a label. In both, and in a section about the resolution, a bare word is a deed.
    pub(super) fn new(reading: &Reading, unit: &Unit, entry: bool, ticked: bool) -> Told {
        let block = reading.block(unit);
        let text = block.text.as_str();
        let listed = entry || ticked;
        let home = listed || unit.role == Some(Role::Resolution);
        let beside = |h: &Hit, test: &dyn Fn(&Hit) -> bool| unit.hits().iter().any(|o| overlap(h, o) && test(o));
        let acted = |o: &Hit| matches!(o.tag, Tag::Cue(Cue::Done | Cue::Change));
        let harm = |o: &Hit| {
            matches!(o.tag, Tag::Phase(Phase::Impact) | Tag::Cue(Cue::Fault)) || concept(o).is_some_and(|c| matches!(c, "hang" | "broke"))
        };
        let down = |o: &Hit| concept(o) == Some("outage");
        // a name in code tells of no deed
        let code = |h: &Hit| {
            let marked = |(r, m): &(Range<usize>, Mark)| *m == Mark::Code && r.start <= h.range.start && h.range.end <= r.end;
            let joined = |c: Option<char>| c == Some('_');
            let (head, rest) = (text.get(..h.range.start).unwrap_or(""), text.get(h.range.end..).unwrap_or(""));
            block.marks.iter().any(marked) || joined(head.chars().next_back()) || joined(rest.chars().next())
        };
        let slow = concepts(unit, &SLOW) > 0;
        let eases = |h: &Hit| h.tag == Tag::Phase(Phase::Mitigated);
        let known = |o: &Hit| acted(o) || o.tag == Tag::Cue(Cue::Repair) || DEEDS.tagged(o.tag) || CHANGES.tagged(o.tag);
        let mitigations: Vec<&Hit> = unit.hits().iter().filter(|h| eases(h)).collect();
        let eased = mitigations.iter().any(|h| beside(h, &known));
        let improved = mitigations.iter().any(|h| !beside(h, &known));
        let deed = |h: &&Hit| {
            let Some(name) = concept(h).filter(|_| DEEDS.tagged(h.tag)) else { return false };
            let acronym = text.get(h.range.clone()).is_some_and(|t| t.chars().all(|c| c.is_ascii_uppercase()));
            let strict = !home || WEAK.tagged(h.tag) && !(name == "stop" && listed);
            let told = |o: &Hit| acted(o) || o.tag == Tag::Cue(Cue::Past);
            let active = !strict || beside(h, &told) || beside(h, &eases) || ticked && beside(h, &|o| o.tag == Tag::Cue(Cue::Repair));
            // what was brought to a stop is told with the words for what came to one
            let halted = name == "stop" && listed && !beside(h, &|o| o.tag == Tag::Phase(Phase::Impact));
            let fault = !halted && (beside(h, &harm) || beside(h, &down));
            active && !acronym && !fault && !code(h) && !(name == "reset" && improved) && !(name == "throttle" && slow)
        };
        let deeds = unit.hits().iter().filter(deed).filter_map(concept).collect();
        // what came back is a state
        let state = |o: &Hit| {
            matches!(o.tag, Tag::Phase(Phase::Resolved) | Tag::Cue(Cue::Outcome)) || concept(o) == Some("restore") || harm(o) || down(o)
        };
        let done = |h: &&Hit| h.own && matches!(h.tag, Tag::Cue(Cue::Done | Cue::Past)) && !beside(h, &state) && !code(h);
        let verb = unit.hits().iter().any(|h| done(&h)) && !improved && !phase_hit(unit, Phase::Resolved);
        Told { deeds, eased, improved, verb }
    }
}

pub(super) fn phase_hit(unit: &Unit, wanted: Phase) -> bool {
    unit.hits().iter().any(|h| h.tag == Tag::Phase(wanted))
}

/// Where the first word of a deed stands.
pub(super) fn first_deed(unit: &Unit) -> Option<usize> {
    unit.hits().iter().filter(|h| is_deed(h)).map(|h| h.range.start).min()
}

/// True for a word of a deed.
fn is_deed(hit: &Hit) -> bool {
    match hit.tag {
        Tag::Concept(c) => DEEDS.has(c) || CHANGES.has(c),
        Tag::Cue(Cue::Done | Cue::Repair) | Tag::Phase(Phase::Mitigated) => true,
        _ => false,
    }
}

/// True where a unit says that what it tells had no effect.
pub(super) fn is_vain(unit: &Unit) -> bool {
    unit.has(Cue::NoEffect) > 0.0 || concepts(unit, &IN_VAIN) > 0
}

/// True where a sentence begins by saying that what was told before it had no effect.
pub(super) fn leads_in_vain(reading: &Reading, unit: &Unit) -> bool {
    let from = unit.range.start;
    let text = reading.block(unit).text.as_str();
    let early = |r: &Range<usize>| text.get(from..r.start).is_some_and(|t| t.chars().count() <= 40);
    let Some(said) = unit.hits().iter().find(|h| h.tag == Tag::Cue(Cue::NoEffect) && early(&h.range)) else { return false };
    // words of the saying itself (`nothing changed`) are no deed
    let deed = unit.hits().iter().filter(|h| is_deed(h) && !(said.range.start <= h.range.start && h.range.end <= said.range.end));
    deed.map(|h| h.range.start).min().is_none_or(|d| d > from + 60)
}

/// True where an entry opens by saying that what was told before it had no effect.
pub(super) fn opens_in_vain(event: &Event, reading: &Reading) -> bool {
    let (text, hits) = (event.text.as_str(), event.words(reading.lexicon));
    hits.iter().any(|h| h.tag == Tag::Cue(Cue::NoEffect) && text.get(..h.range.start).is_some_and(|t| t.chars().count() <= 40))
        && !hits.iter().any(|h| DEEDS.tagged(h.tag))
}

/// True where the first deed is denied: a word of denial right before it (or, in languages that deny behind the word, right after it).
pub(super) fn denied(reading: &Reading, unit: &Unit) -> bool {
    let text = reading.block(unit).text.as_str();
    let behind = reading.lexicon.file.negation_side == "after";
    let deed = |h: &&Hit| DEEDS.tagged(h.tag);
    let Some(deed) = unit.hits().iter().find(deed) else { return false };
    let close = |a: usize, b: usize, most: usize| {
        a <= b && text.get(a..b).is_some_and(|t| t.chars().count() <= most && !t.contains(['.', ',', ';', '。', '、', '，', '；']))
    };
    unit.hits()
        .iter()
        .filter(|h| h.tag == Tag::Cue(Cue::Negation))
        .any(|h| if behind { close(deed.range.end, h.range.start, 6) } else { close(h.range.end, deed.range.start, 14) })
}
