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
    let hits = lexicon.scan(text);
    let phases: Vec<(&Hit, Phase)> = hits.iter().filter_map(|h| if let Tag::Phase(p) = h.tag { Some((h, p)) } else { None }).collect();
    let sound: Vec<Phase> = phases.iter().filter(|(h, p)| !denied(h, *p, &hits, text, lexicon)).map(|(_, p)| *p).collect();
    STRENGTH.into_iter().find(|p| sound.contains(p))
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
