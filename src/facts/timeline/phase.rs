//! What an entry tells of, by its words.

use crate::lang::{Cue, Hit, Lexicon, Phase, Tag};

/// Strongest first: an entry that tells of several things is named by what moves the incident on furthest.
const STRENGTH: [Phase; 8] = [
    Phase::Resolved,
    Phase::Mitigated,
    Phase::Identified,
    Phase::Detected,
    Phase::Trigger,
    Phase::Impact,
    Phase::Response,
    Phase::Followup,
];

/// The phase of a text; `None` where its words do not tell.
pub fn of(text: &str, lexicon: &Lexicon) -> Option<Phase> {
    told(text, &lexicon.scan(text), lexicon)
}

/// The phase of a text whose words are known.
pub fn told(text: &str, hits: &[Hit], lexicon: &Lexicon) -> Option<Phase> {
    let phases: Vec<(&Hit, Phase)> = hits.iter().filter_map(|h| if let Tag::Phase(p) = h.tag { Some((h, p)) } else { None }).collect();
    let vain = vain(text, hits);
    let sound = phases.iter().filter(|(h, p)| !denied(h, *p, hits, text, lexicon) && !is_namesake(h, *p, hits));
    // what was tried without effect is a try
    let told = |(h, p): &(&Hit, Phase)| {
        let attempt = h.range.start < vain && matches!(p, Phase::Resolved | Phase::Mitigated | Phase::Trigger);
        if attempt { Phase::Response } else { *p }
    };
    let sound: Vec<Phase> = sound.map(told).collect();
    STRENGTH.into_iter().find(|p| sound.contains(p))
}

/// Where the sentence ends that says that what was done had no effect; 0 where none does.
fn vain(text: &str, hits: &[Hit]) -> usize {
    let Some(last) = hits.iter().rfind(|h| h.tag == Tag::Cue(Cue::NoEffect)) else { return 0 };
    crate::text::sentences(text).iter().find(|s| s.contains(&last.range.start)).map_or(last.range.end, |s| s.end)
}

/// True for a word that is told in another sense: what resolves names, what is made public.
fn is_namesake(hit: &Hit, phase: Phase, hits: &[Hit]) -> bool {
    let other: &[&str] = match phase {
        Phase::Resolved | Phase::Mitigated => &["dns", "name-resolution"],
        Phase::Detected => &["communication"],
        _ => return false,
    };
    let covers = |h: &Hit| h.range.start <= hit.range.start && h.range.end >= hit.range.end;
    hits.iter().any(|h| matches!(h.tag, Tag::Concept(c) if other.contains(&c.name())) && covers(h))
}

/// The phase that a status page's word for the state of affairs names (`Identified`, `Resolved`, `調査中`); `first` where it is the earliest of its run:
/// a later one that speaks of watching says that the cure is in place.
pub fn of_status(label: &str, first: bool, lexicon: &Lexicon) -> Option<Phase> {
    let label = label.trim().trim_matches(|c: char| !c.is_alphanumeric());
    if label.chars().count() > 24 || label.split_whitespace().count() > 3 {
        return None;
    }
    // a word for news (`Update`) is one for a change as well
    of(label, lexicon).filter(|p| *p != Phase::Trigger).map(|p| if p == Phase::Detected && !first { Phase::Mitigated } else { p })
}

/// True where a hit is negated, or only planned though it would end the incident.
fn denied(hit: &Hit, phase: Phase, hits: &[Hit], text: &str, lexicon: &Lexicon) -> bool {
    let ends = matches!(phase, Phase::Resolved | Phase::Mitigated | Phase::Identified);
    let close = |a: usize, b: usize, limit: usize| {
        a <= b && text.get(a..b).is_some_and(|t| t.chars().count() <= limit && !t.contains(['.', ',', ';', '。', '、', '，', '\n']))
    };
    hits.iter().any(|h| match h.tag {
        Tag::Cue(Cue::Negation) if lexicon.file.negation_side == "after" => {
            close(hit.range.end, h.range.start, 8) || hit.range.contains(&h.range.start)
        }
        Tag::Cue(Cue::Negation) => close(h.range.end, hit.range.start, 16),
        Tag::Cue(Cue::Planned | Cue::Future) if ends => close(h.range.end, hit.range.start, 16),
        _ => false,
    })
}
