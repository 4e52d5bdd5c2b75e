//! Entries whose stamp and text stand apart: a stamp above the text it dates, or below it.

use super::groups::{SHORT, opens_with_clock};
use super::{Event, Reader, entry, phase};
use crate::document::{Block, Kind};
use std::collections::BTreeMap;
use std::ops::Range;

impl Reader<'_> {
    /// True where a line or last sentence that is only a stamp closes the text above it in its block.
    pub(super) fn is_signature(&self, k: usize, from: usize, text: &str, sentence: &Range<usize>) -> bool {
        let m = &self.times.mentions[k];
        if m.at.clock.is_none() || m.at.date.day.is_none() || m.implied.contains(&"date") {
            return false;
        }
        let piece = if m.lead { entry::line_of(text, m.range.start) } else { sentence.clone() };
        if text.get(piece.end..).is_some_and(|rest| !rest.trim().is_empty()) {
            return false;
        }
        let above = text.get(..piece.start).is_some_and(|head| head.chars().filter(|c| c.is_alphanumeric()).count() > 8);
        let opened = self.times.mentions[from..k].iter().any(|o| o.lead && o.at.clock.is_some());
        above && !opened && entry::without(text.get(piece).unwrap_or(""), &m.written) < 8
    }

    /// The event whose stamp stands below its text.
    pub(super) fn closed(&self, k: usize, block: &Block, out: &mut Vec<Event>) {
        let n = self.times.mentions[k].block;
        let mut event = self.event(k, block, 0..block.text.len(), "stamp-below", None);
        let above = entry::above(self.document, n, |b| self.groups.closing.contains(&b) || opens_with_clock(self.times, b));
        let texts: Vec<String> =
            above.iter().map(|(b, r)| entry::folded(self.document.blocks[*b].text.as_str().get(r.clone()).unwrap_or(""))).collect();
        // the stamp alone tells nothing
        let own = entry::without(block.text.as_str(), &self.times.mentions[k].written) >= 3;
        event.set_text(if own { format!("{} {}", texts.join(" "), event.text) } else { texts.join(" ") });
        event.spans.extend(above.into_iter().map(|(b, r)| self.document.blocks[b].text.span(r)));
        event.spans.sort_unstable_by_key(|s| (s.start, s.end));
        event.spans = crate::text::join(std::mem::take(&mut event.spans));
        let label = texts.first().and_then(|t| t.split_once(" - ").or_else(|| t.split_once(" – ")).or_else(|| t.split_once([':', '：'])));
        let named = label.and_then(|(label, _)| phase::of_status(label, self.is_earliest(k), self.lexicon));
        event.phase = named.or_else(|| phase::told(&event.text, event.words(self.lexicon), self.lexicon));
        out.push(event);
    }

    /// True for a block that is a stamp above its text, or the word for the state of affairs above such a stamp.
    fn begins_post(&self, block: usize) -> bool {
        let post = |n: usize| self.groups.posts.iter().any(|k| self.times.mentions[*k].block == n);
        post(block) || matches!(self.document.blocks[block].kind, Kind::Heading { .. }) && post(block + 1)
    }

    /// True where no stamp of its run is earlier.
    fn is_earliest(&self, k: usize) -> bool {
        let m = &self.times.mentions[k];
        let run = self.times.mentions.iter().filter(|o| o.group == m.group && o.lead && o.at.is_full());
        run.filter_map(|o| o.at.seconds()).min().zip(m.at.seconds()).is_none_or(|(first, at)| at <= first)
    }

    /// The phase that a word for the state of affairs in brackets names which opens an update (`［復旧中］`, `[Monitoring]`).
    fn bracketed(&self, k: usize, text: &str) -> Option<crate::lang::Phase> {
        let pairs = [('[', ']'), ('［', '］'), ('【', '】')];
        let inner = pairs.iter().find_map(|(open, close)| text.strip_prefix(*open)?.split_once(*close));
        phase::of_status(inner?.0, self.is_earliest(k), self.lexicon)
    }

    /// The phase that the word for the state of affairs names which heads an update: a short heading right above its stamp.
    fn headed_by(&self, k: usize) -> Option<crate::lang::Phase> {
        let above = &self.document.blocks[self.times.mentions[k].block.checked_sub(1)?];
        if !matches!(above.kind, Kind::Heading { level, .. } if level > 1) {
            return None;
        }
        phase::of_status(above.text.as_str(), self.is_earliest(k), self.lexicon)
    }

    /// An entry: its own text, or what follows where it is nothing but a stamp.
    pub(super) fn entry(&self, k: usize, block: &Block, range: Range<usize>, taken: &mut BTreeMap<usize, usize>) -> Option<Event> {
        let m = &self.times.mentions[k];
        let told = block.text.as_str().get(range.clone()).unwrap_or("");
        // a sign of Chinese, Japanese or Korean says as much as two letters
        let wide = told.chars().filter(|c| *c as u32 >= 0x2E80).count();
        let own = entry::without(told, &m.written) + if entry::without(told, &m.written) >= 2 { wide.min(8) } else { 0 };
        let mut event = self.event(k, block, range, "entry", None);
        let heading = matches!(block.kind, Kind::Heading { .. });
        let post = self.groups.posts.contains(&k)
            && super::groups::lone_line(self.document, m).is_some_and(|(line, _)| line.end >= block.text.as_str().trim_end().len());
        if own < 3 || heading || post || (own < SHORT && self.groups.headed.contains(&m.group)) {
            let more = entry::following(self.document, m.block, |b| opens_with_clock(self.times, b) || self.begins_post(b));
            if own < 3 && more.is_empty() {
                return None;
            }
            // the stamp alone tells nothing
            if own == 0 {
                event.set_text(String::new());
            }
            // what tells of another moment in full is told by itself as well
            let told = |b: usize, range: &Range<usize>| {
                let stated = |o: &&crate::facts::time::Mention| o.at.clock.is_some() && !o.implied.contains(&"date");
                let first = self.times.mentions.partition_point(|o| o.block < b);
                self.times.mentions[first..].iter().take_while(|o| o.block == b).any(|o| range.contains(&o.range.start) && stated(&o))
            };
            let apart: Vec<usize> = more.iter().filter(|(b, range)| told(*b, range)).map(|(b, _)| *b).collect();
            for (b, range) in more {
                let text = &self.document.blocks[b].text;
                let more = entry::folded(text.as_str().get(range.clone()).unwrap_or(""));
                event.set_text(format!("{} {more}", event.text).trim_start().to_string());
                if !apart.contains(&b) {
                    taken.insert(b, range.end);
                }
                event.spans.push(text.span(range));
            }
            event.spans = crate::text::join(std::mem::take(&mut event.spans));
            // a word for the state of affairs beside the stamp says it best
            let named = if m.whole { self.headed_by(k) } else { self.bracketed(k, &event.text) };
            event.phase = named.or(event.phase).or_else(|| phase::told(&event.text, event.words(self.lexicon), self.lexicon));
            event.rule = "stamp-line";
        }
        if self.groups.posts.contains(&k) {
            event.phase = self.headed_by(k).or(event.phase);
        }
        Some(event)
    }
}
