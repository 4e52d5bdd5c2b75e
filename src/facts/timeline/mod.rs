//! The events of an incident: which dates and clocks tell that something happened, and what.
//!
//! In a timeline, and in any list whose entries open with clocks, every entry is an event. Elsewhere a sentence is one if it tells that
//! something happened at a clock or on a day; the document's own dates, due dates, schedules and history are none.

mod context;
mod entry;
mod event;
mod groups;
mod phase;
mod updates;

use super::time::{Mention, Times, is_aside};
use crate::document::{Block, Document, Kind};
use crate::lang::{Column, Cue, Hit, Lexicon, Phase, Role, Tag};
use crate::text::sentences;
use groups::Groups;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

pub use entry::{Label, label_in};
pub use event::Event;

/// Finds the events, in the order of the document, and marks their mentions.
pub fn read(document: &Document, sections: &[Option<Role>], lexicon: &Lexicon, times: &mut Times) -> Vec<Event> {
    let groups = Groups::new(document, times, sections);
    let reader = Reader { document, sections, lexicon, times, groups, anchor: anchor(times, sections) };
    let mut events = reader.events();
    once(&mut events);
    context::settle(&mut events);
    let chosen: BTreeSet<usize> = events.iter().map(|e| e.mention).collect();
    for (n, m) in times.mentions.iter_mut().enumerate() {
        m.event = chosen.contains(&n);
    }
    events.sort_by_key(|e| e.mention);
    events
}

/// Puts events in the order of time; what has no place in it stays behind what it follows.
pub fn sort(events: &mut Vec<Event>) {
    let mut before: Option<i64> = None;
    let mut keyed: Vec<(Option<i64>, Event)> = Vec::with_capacity(events.len());
    for e in events.drain(..) {
        let at = e.at.seconds();
        before = at.or(before);
        keyed.push((before, e));
    }
    keyed.sort_by_key(|(at, _)| *at);
    events.extend(keyed.into_iter().map(|(_, e)| e));
}

/// A sentence that tells again what an entry of the timeline tells is no event of its own.
fn once(events: &mut Vec<Event>) {
    let entries: BTreeSet<String> =
        events.iter().filter(|e| matches!(e.rule, "entry" | "row" | "stamp-line")).map(|e| e.at.to_string()).collect();
    if entries.len() >= 3 {
        events.retain(|e| e.rule != "sentence" || e.until.is_some() || e.at.clock.is_none() || !entries.contains(&e.at.to_string()));
    }
}

/// The days between which the incident's clocks lie.
fn anchor(times: &Times, sections: &[Option<Role>]) -> Option<(i64, i64)> {
    let counted = times.mentions.iter().filter(|m| m.at.is_full() && !sections.get(m.block).copied().flatten().is_some_and(is_aside));
    let days: Vec<i64> = counted.filter_map(|m| m.at.date.day_number()).collect();
    // the median keeps a stray clock of long ago from stretching the incident
    let mut sorted = days.clone();
    sorted.sort_unstable();
    let middle = *sorted.get(sorted.len() / 2)?;
    let near = sorted.iter().filter(|d| (*d - middle).abs() <= 14);
    Some((near.clone().min().copied()?, near.max().copied()?))
}

struct Reader<'a> {
    document: &'a Document,
    sections: &'a [Option<Role>],
    lexicon: &'a Lexicon,
    times: &'a Times,
    groups: Groups,
    anchor: Option<(i64, i64)>,
}

/// What a sentence says about whether something happened.
#[derive(Default)]
struct Signs {
    happened: bool,
    past: bool,
    planned: bool,
    generic: bool,
}

/// A sentence that was read: what it says, and the words found in it once its white space is folded.
struct Said {
    range: std::ops::Range<usize>,
    signs: Signs,
    phase: Option<Phase>,
    hits: Vec<Hit>,
}

impl Reader<'_> {
    fn role(&self, block: usize) -> Option<Role> {
        self.sections.get(block).copied().flatten()
    }

    fn events(&self) -> Vec<Event> {
        let mut out = Vec::new();
        let mut taken = BTreeMap::new();
        let mentions = &self.times.mentions;
        let mut n = 0;
        while n < mentions.len() {
            let block = mentions[n].block;
            let end = n + mentions[n..].iter().take_while(|m| m.block == block).count();
            self.block(n, end, &mut out, &mut taken);
            n = end;
        }
        out
    }

    /// The events of one block, whose mentions are `from..to`. `taken` tells up to where blocks belong to a stamp above them.
    fn block(&self, from: usize, to: usize, out: &mut Vec<Event>, taken: &mut BTreeMap<usize, usize>) {
        let n = self.times.mentions[from].block;
        let block = &self.document.blocks[n];
        let dated = (from..to).any(|k| self.groups.dated.contains(&k));
        if matches!(block.kind, Kind::Heading { level: 1, .. }) && !dated && !self.groups.stamped.contains(&self.times.mentions[from].group)
        {
            // a title that tells when is the shortest summary
            let clocked =
                (from..to).find(|k| self.times.mentions[*k].at.clock.is_some() && !self.times.mentions[*k].implied.contains(&"date"));
            out.extend(clocked.map(|k| self.event(k, block, 0..block.text.len(), "title", Some(Phase::Impact))));
            return;
        }
        if block.kind == Kind::Code && self.groups.written.contains(&self.times.mentions[from].section) {
            return;
        }
        if self.groups.closing.contains(&n) {
            return self.closed(from, block, out);
        }
        if matches!(block.kind, Kind::Row { .. }) {
            return self.row(from, to, block, out);
        }
        let text = block.text.as_str();
        let lines = if block.kind == Kind::Code { lines(text) } else { sentences(text) };
        // entries begin at leads that are accepted as such
        let mut covered = taken.get(&n).copied().unwrap_or(0);
        // a sentence with many clocks is read once
        let mut last: Option<Said> = None;
        for k in from..to {
            let m = &self.times.mentions[k];
            if m.range.start < covered {
                continue;
            }
            let post = self.groups.posts.contains(&k);
            let label = label_in(self.document, m, self.lexicon).filter(|_| !post);
            let labelled = label.is_some() && self.role(n) != Some(Role::Timeline);
            if let Some(label) = label {
                if let Some(phase) = label.phase(self.lexicon) {
                    let line = entry::line_of(text, m.range.start);
                    covered = line.end;
                    out.push(self.event(k, block, line, "label", Some(phase)));
                    continue;
                }
                // `Time: 14:05`, `Period: 14:05–15:20`
                let timed = match label.column {
                    Some(Column::Time) => m.at.clock.is_some(),
                    Some(Column::Duration | Column::Date) => m.at.clock.is_some() && m.until.is_some(),
                    _ => false,
                };
                if timed && self.role(n) != Some(Role::Timeline) && !self.role(n).is_some_and(is_aside) {
                    let line = entry::line_of(text, m.range.start);
                    covered = line.end;
                    out.push(self.event(k, block, line, "label", None));
                    continue;
                }
                let entry = self.role(n) == Some(Role::Timeline) && m.at.clock.is_some();
                if (label.column.is_some() || m.whole) && !entry {
                    continue;
                }
            }
            let sentence = entry::sentence_of(&lines, m.range.start).cloned().unwrap_or(m.range.clone());
            if self.is_signature(k, from, text, &sentence) {
                covered = text.len();
                out.push(self.event(k, block, entry::trimmed(text, 0..text.len()), "stamp-below", None));
                continue;
            }
            if (m.lead || post) && !labelled && self.is_entry(k, block) {
                let range = entry::range(text, m, &lines, self.times.mentions.get(k + 1..to).unwrap_or(&[]));
                covered = range.end;
                let event = self.entry(k, block, range, taken);
                out.extend(event);
                continue;
            }
            if !self.may_tell(m, block) {
                continue;
            }
            let said = text.get(sentence.clone()).unwrap_or("");
            if last.as_ref().is_none_or(|l| l.range != sentence) {
                let folded = entry::folded(said);
                let hits = self.lexicon.scan(&folded);
                let signs = if folded == said { signs(&hits) } else { signs(&self.lexicon.scan(said)) };
                let phase = phase::told(&folded, &hits, self.lexicon);
                last = Some(Said { range: sentence.clone(), signs, phase, hits });
            }
            let Some(Said { signs, phase, hits, .. }) = &last else { continue };
            if self.tells(m, said, signs) {
                // a date beside a clock in the same sentence dates the clock
                let here = &self.times.mentions[from..to];
                let first = here.partition_point(|o| o.range.start < sentence.start);
                let clocked = here[first..].iter().take_while(|o| o.range.start < sentence.end).any(|o| o.at.clock.is_some());
                if m.at.clock.is_some() || !clocked {
                    out.push(Event { words: hits.clone().into(), ..self.told(k, block, sentence, "sentence", *phase) });
                }
            }
        }
    }

    /// True where a mention at the head of a block or line makes it an entry of a timeline.
    fn is_entry(&self, k: usize, block: &Block) -> bool {
        let m = &self.times.mentions[k];
        let role = self.role(m.block);
        if self.groups.dated.contains(&k) || self.groups.posts.contains(&k) {
            return true;
        }
        let heading = matches!(block.kind, Kind::Heading { .. });
        if role == Some(Role::Timeline) {
            // a heading or line that is only a date dates what follows
            return m.at.clock.is_some()
                || (!(heading || m.whole) && m.at.date.day.is_some())
                || (!heading && !m.whole && m.at.date.month.is_some());
        }
        m.at.clock.is_some() && self.groups.stamped.contains(&m.group) && !matches!(role, Some(Role::Appendix))
    }

    /// The event of a table row.
    fn row(&self, from: usize, to: usize, block: &Block, out: &mut Vec<Event>) {
        let Kind::Row { table, cells, .. } = &block.kind else { return };
        let m = &self.times.mentions[from];
        let n = self.times.mentions[from].block;
        let column = |c: Option<usize>| c.and_then(|c| self.times.columns.get(&(*table, c))).copied();
        let has = |wanted: Column| (0..cells.len()).any(|c| self.times.columns.get(&(*table, c)) == Some(&wanted));
        let timeline = self.role(n) == Some(Role::Timeline)
            || self.groups.stamped.contains(&m.group)
            || (has(Column::Time) || has(Column::Date)) && has(Column::Event)
            || column(Some(0)) == Some(Column::Time) && m.lead && m.cell == Some(0) && tells_in_words(cells);
        let dated = has(Column::Time) || has(Column::Date) || column(Some(0)) == Some(Column::Start);
        // in a timeline `When` before what was done tells of days that were
        let told = self.role(n) == Some(Role::Timeline) && column(Some(0)) == Some(Column::Due) && !has(Column::Owner);
        let work = has(Column::Due) && !told || !(dated || told) && (has(Column::Owner) || has(Column::Action));
        if self.role(n).is_some_and(is_aside) {
            return;
        }
        // a table of labels and values
        if !timeline || cells.len() == 2 && !m.lead {
            for k in from..to {
                let m = &self.times.mentions[k];
                if let Some(phase) = label_in(self.document, m, self.lexicon).and_then(|l| l.phase(self.lexicon)) {
                    out.push(self.event(k, block, 0..block.text.len(), "label", Some(phase)));
                }
            }
            return;
        }
        if work || matches!(column(m.cell), Some(Column::Ticket | Column::Owner)) || column(m.cell) == Some(Column::Due) && !told {
            return;
        }
        let lead = (from..to).find(|k| self.times.mentions[*k].lead && self.times.mentions[*k].at.clock.is_some());
        let dated = (from..to).find(|k| self.times.mentions[*k].lead && self.times.mentions[*k].at.date.day.is_some());
        if let Some(k) = lead.or(dated) {
            let own = entry::without(block.text.as_str(), &self.times.mentions[k].written);
            if own >= 2 {
                // a short cell (`Detected`, `Impact`) names the phase better than the words of the telling
                let longest = cells.iter().map(|c| c.len()).max().unwrap_or(0);
                let short = cells
                    .iter()
                    .filter(|c| c.len() < longest && c.as_str().chars().count() <= 16 && c.as_str().split_whitespace().count() <= 2);
                let named = short.filter_map(|c| phase::of(c.as_str(), self.lexicon)).next();
                out.push(self.event(k, block, 0..block.text.len(), "row", named));
            }
        }
    }

    /// True where a mention stands where it may tell of something.
    fn may_tell(&self, m: &Mention, block: &Block) -> bool {
        let bare = m.at.date.is_empty() && m.at.clock.is_none() || m.rule == "range-end";
        !bare
            && !matches!(block.kind, Kind::Heading { .. } | Kind::Note | Kind::Code | Kind::Filler)
            && !self.role(m.block).is_some_and(is_aside)
    }

    /// True where a sentence tells that something happened at the time of a mention.
    fn tells(&self, m: &Mention, sentence: &str, signs: &Signs) -> bool {
        let timeline = self.role(m.block) == Some(Role::Timeline);
        let words = sentence.chars().filter(|c| c.is_alphabetic()).count();
        if timeline && m.at.clock.is_some() {
            return words >= 2;
        }
        let told = signs.happened || signs.past;
        if words < 6 || (signs.planned && !told) {
            return false;
        }
        if m.at.clock.is_some() {
            let regular = signs.generic && !signs.past && m.implied.contains(&"date");
            return !regular && self.near(m, 400, 30);
        }
        if m.at.date.day.is_none() {
            return false;
        }
        told && (timeline || self.near(m, 45, 7))
    }

    /// True where a day lies near the incident's; true where neither is known.
    fn near(&self, m: &Mention, before: i64, after: i64) -> bool {
        match (self.anchor, m.at.date.day_number()) {
            (Some((first, last)), Some(day)) => first - before <= day && day <= last + after,
            _ => true,
        }
    }

    fn event(&self, k: usize, block: &Block, range: std::ops::Range<usize>, rule: &'static str, phase: Option<Phase>) -> Event {
        let mut event = self.told(k, block, range, rule, phase);
        event.phase = phase.or_else(|| phase::told(&event.text, event.words(self.lexicon), self.lexicon));
        event
    }

    /// An event whose phase is known, or known to be unknown.
    fn told(&self, k: usize, block: &Block, range: std::ops::Range<usize>, rule: &'static str, phase: Option<Phase>) -> Event {
        let m = &self.times.mentions[k];
        // an entry tells its stamp apart
        let from = if matches!(rule, "entry" | "row") { entry::behind_stamp(block.text.as_str(), &m.range, &range) } else { range.start };
        let text = entry::folded(block.text.as_str().get(from..range.end).unwrap_or(""));
        Event {
            at: m.at.clone(),
            until: m.until.clone(),
            written: m.written.clone(),
            readings: m.readings.clone(),
            phase,
            text,
            spans: vec![block.text.span(range)],
            rule,
            block: m.block,
            mention: k,
            words: OnceLock::new(),
        }
    }
}

/// What the words of a sentence say about whether something happened.
fn signs(hits: &[Hit]) -> Signs {
    let mut s = Signs::default();
    for hit in hits {
        match hit.tag {
            Tag::Phase(Phase::Followup) => {}
            Tag::Phase(_) => s.happened = true,
            Tag::Cue(Cue::Trigger | Cue::Change | Cue::Done) => s.happened = true,
            Tag::Cue(Cue::Past) => s.past = true,
            Tag::Cue(Cue::Planned | Cue::Future) => s.planned = true,
            Tag::Cue(Cue::Generic) => s.generic = true,
            _ => {}
        }
    }
    s
}

/// True where a row says something in words: a series of measurements does not.
fn tells_in_words(cells: &[crate::text::Mapped]) -> bool {
    cells.iter().skip(1).any(|c| c.as_str().chars().filter(|c| c.is_alphabetic()).count() >= 5)
}

/// The lines of preformatted text.
fn lines(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut at = 0;
    let mut out = Vec::new();
    for line in text.split_inclusive('\n') {
        crate::text::push(text, at..at + line.len(), &mut out);
        at += line.len();
    }
    out
}

#[cfg(test)]
mod tests;
