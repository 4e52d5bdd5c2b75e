//! Which sentences of an incident tell what a reader looks for: its title, its causes, its remediation. A search counts what they speak of more than
//! what is only mentioned.

use super::view::Bytes;
use super::{Case, Passage};

/// For each passage of the body, for each of its sentences (a passage without any is one), in how many of these ways it is told: as the title, as
/// a cause, as remediation.
pub fn stress(case: &Case) -> Vec<Vec<u32>> {
    let i = &case.incident;
    let title: Vec<Bytes> = i.title.iter().flat_map(|t| t.spans.iter().copied()).collect();
    let causes: Vec<Bytes> = i.causes.iter().flat_map(|c| c.spans.iter().copied()).collect();
    let fixes: Vec<Bytes> = i.remediation.iter().flat_map(|r| r.spans.iter().copied()).collect();
    case.body.iter().map(|p| of(p, &[&title, &causes, &fixes])).collect()
}

fn of(passage: &Passage, ways: &[&[Bytes]]) -> Vec<u32> {
    let whole = [(0, passage.text.len())];
    let sentences = if passage.sentences.is_empty() { &whole[..] } else { &passage.sentences };
    let mut out = vec![0; sentences.len()];
    let (Some(first), Some(last)) = (passage.map.first(), passage.map.last()) else { return out };
    for way in ways {
        let mut here = vec![false; sentences.len()];
        // most facts stand in other passages
        let near = way.iter().filter(|b| b[0] < last.2[1] && first.2[0] < b[1]);
        for range in near.filter_map(|&b| passage.locate(b)) {
            sentences.iter().zip(&mut here).filter(|(s, _)| s.0 < range.end && range.start < s.1).for_each(|(_, h)| *h = true);
        }
        out.iter_mut().zip(here).for_each(|(n, h)| *n += u32::from(h));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::view::{Action, Cause, Incident, Text};

    #[test]
    fn sentences_of_title_causes_and_remediation_are_stressed() {
        let text = "The disk filled. We ate lunch. Logs were rotated, because the disk filled.";
        let sentences = vec![(0, 16), (17, 30), (31, text.len())];
        let map = vec![(0, text.len(), [100, 100 + text.len()])];
        let body = vec![
            Passage { text: "Full disk".into(), map: vec![(0, 9, [10, 19])], ..Passage::default() },
            Passage { text: text.into(), sentences, map, ..Passage::default() },
        ];
        let incident = Incident {
            title: Some(Text { spans: vec![[10, 19]], ..Text::default() }),
            causes: vec![Cause { spans: vec![[100, 116]], ..Cause::default() }, Cause { spans: vec![[158, 173]], ..Cause::default() }],
            remediation: vec![Action { spans: vec![[131, 148]], ..Action::default() }],
            ..Incident::default()
        };
        assert_eq!(stress(&Case { incident, body }), [vec![1], vec![1, 0, 2]]);
    }
}
