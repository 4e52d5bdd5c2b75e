//! When the incident began and ended, as far as the text gives it.
//!
//! Sources are asked in turn, and the first that knows an end of the period gives it: front matter, labels with a clock, a range of clocks in the
//! title or the summary, the entries of the timeline; and where no clock is known, the day that labels, entries, title or prose tell.

mod checks;
#[cfg(test)]
mod tests;
mod told;

use super::time::{self, Instant, Mention, Times, front, is_aside};
use super::timeline::{Event, label_in};
use crate::document::{Document, Kind};
use crate::lang::{Column, Lexicon, Phase, Role};
use crate::text::{Span, join};

pub use checks::{check, stated_duration};

/// Start and end of an incident; at least one is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Period {
    /// When it began.
    pub start: Option<Instant>,
    /// When it was over.
    pub end: Option<Instant>,
    /// The bytes that say so.
    pub spans: Vec<Span>,
    /// The rule that made it.
    pub rule: &'static str,
}

/// One end of the period, with its bytes and rule.
#[derive(Clone, Debug)]
struct End {
    at: Instant,
    span: Span,
    rule: &'static str,
}

/// Both ends, each taken from the first source that knows it.
#[derive(Default)]
struct Ends {
    start: Option<End>,
    end: Option<End>,
}

impl Ends {
    fn start(&mut self, at: &Instant, span: Span, rule: &'static str) {
        // what begins after the end that is known already belongs to something else
        if self.start.is_none() && self.end.as_ref().is_none_or(|e| before(at, &e.at) != Some(false)) {
            self.start = Some(End { at: at.clone(), span, rule });
        }
    }

    fn end(&mut self, at: &Instant, span: Span, rule: &'static str) {
        if self.end.is_none() && self.start.as_ref().is_none_or(|s| before(&s.at, at) != Some(false)) {
            self.end = Some(End { at: at.clone(), span, rule });
        }
    }

    fn range(&mut self, m: &Mention, span: Span, rule: &'static str) {
        if let Some(until) = &m.until {
            self.start(&m.at, span, rule);
            self.end(until, span, rule);
        }
    }

    fn whole(&self) -> bool {
        self.start.is_some() && self.end.is_some()
    }
}

/// True where `a` is not after `b`, by days where one of them has no clock; `None` where that cannot be told.
fn before(a: &Instant, b: &Instant) -> Option<bool> {
    if a.clock.is_none() || b.clock.is_none() {
        // a month holds all of its days
        let (x, y) = (a.date.day_number()?, b.date.day_number()?);
        let month = |d: &Instant| d.date.day.is_none();
        return Some(x <= y || month(a) && x - y < 31 || month(b) && x - y < 31);
    }
    if a.offset().is_some() != b.offset().is_some() {
        return None;
    }
    Some(a.seconds()? <= b.seconds()?)
}

struct Reader<'a> {
    document: &'a Document,
    sections: &'a [Option<Role>],
    lexicon: &'a Lexicon,
    reader: &'a time::Reader<'a>,
    times: &'a Times,
    events: &'a [Event],
    /// What each mention's label says, in the order of the mentions.
    labels: Vec<Option<Column>>,
    ends: Ends,
}

/// Finds the period.
pub fn read(document: &Document, sections: &[Option<Role>], reader: &time::Reader, times: &Times, events: &[Event]) -> Option<Period> {
    let lexicon = reader.lexicon();
    let labels = times.mentions.iter().map(|m| label_in(document, m, lexicon).and_then(|l| l.column)).collect();
    let mut found = Reader { document, sections, lexicon, reader, times, events, labels, ends: Ends::default() };
    found.fields(front::START, front::END);
    found.labels(true);
    found.titles(true);
    found.log();
    found.named();
    found.summary();
    found.status_page();
    found.told();
    found.sooner();
    found.labels(false);
    found.days();
    let Ends { start, end } = found.ends;
    let rule = match (&start, &end) {
        (Some(a), Some(b)) if a.rule == b.rule => a.rule,
        (Some(_), Some(_)) => "several",
        (Some(a), None) => a.rule,
        (None, Some(b)) => b.rule,
        (None, None) => return None,
    };
    let spans = join(start.iter().chain(end.iter()).map(|e| e.span).collect());
    Some(Period { start: start.map(|e| e.at), end: end.map(|e| e.at), spans, rule })
}

impl Reader<'_> {
    fn role(&self, block: usize) -> Option<Role> {
        self.sections.get(block).copied().flatten()
    }

    fn span(&self, m: &Mention) -> Span {
        self.document.blocks[m.block].text.span(m.range.clone())
    }

    /// What a field of the front matter states.
    fn field(&self, keys: &[&str]) -> Option<(Instant, Span)> {
        keys.iter().find_map(|key| {
            let field = self.document.front_matter.field(key)?;
            let (at, _) = self.reader.instant(field.values.first()?)?;
            at.date.day.is_some().then_some((at, field.span))
        })
    }

    fn fields(&mut self, start: &[&str], end: &[&str]) {
        if let Some((at, span)) = self.field(start) {
            self.ends.start(&at, span, "front-matter");
        }
        if let Some((at, span)) = self.field(end) {
            self.ends.end(&at, span, "front-matter");
        }
    }

    /// The front matter of a status page's entry tells when the entry was opened, and that or when it was closed.
    fn status_page(&mut self) {
        let front = &self.document.front_matter;
        let closes = front::END.iter().any(|key| front.field(key).is_some());
        if closes && let Some((at, span)) = self.field(front::POSTED).filter(|(at, _)| at.clock.is_some()) {
            self.ends.start(&at, span, "front-matter");
        }
    }

    /// `Start: …`, `End: …`, `Duration: 14:05–15:20`: with clocks, or (later, when nothing better is known) with days alone.
    fn labels(&mut self, clocks: bool) {
        for n in 0..self.times.mentions.len() {
            let m = &self.times.mentions[n];
            let Some(column) = self.labels[n] else { continue };
            if m.at.clock.is_some() != clocks && !(m.at.clock.is_some() && m.until.is_none())
                || m.at.clock.is_none() && m.at.date.day.is_none()
            {
                continue;
            }
            // a label of particulars (`Date: …`) makes its line an appendix of its own
            let role = self.role(m.block).filter(|r| *r != Role::Appendix);
            // in a timeline a label inside a telling, or in what it quotes, is an entry's own
            let inside = role == Some(Role::Timeline) && (!m.lead || self.document.blocks[m.block].quote > 0);
            if role.is_some_and(is_aside) || inside {
                continue;
            }
            let span = self.span(m);
            match column {
                Column::Start => {
                    self.ends.start(&m.at, span, "label");
                    self.ends.range(m, span, "label");
                }
                Column::End => self.ends.end(m.until.as_ref().unwrap_or(&m.at), span, "label"),
                Column::Duration | Column::Time | Column::Date if m.until.is_some() => self.ends.range(m, span, "label"),
                // when it was noticed, or the day it is filed under: the next best
                Column::Detected | Column::Time | Column::Date if !clocks && !m.implied.contains(&"date") => {
                    self.ends.start(&m.at, span, "label")
                }
                _ => {}
            }
        }
    }

    /// What was noticed before the first entry that tells of harm began earlier still: `Detected: 14:03`, `Time: 14:03`.
    fn sooner(&mut self) {
        let Some(start) = self.ends.start.as_ref().filter(|s| matches!(s.rule, "first-impact" | "first-entry" | "summary")) else { return };
        let labelled = self.times.mentions.iter().zip(&self.labels).filter(|(m, c)| {
            matches!(c, Some(Column::Detected | Column::Time)) && m.at.is_full() && self.role(m.block) != Some(Role::Timeline)
        });
        let near = |m: &Mention| m.at.seconds().zip(start.at.seconds()).is_some_and(|(a, b)| a < b && b - a < 86_400);
        let found = labelled.map(|(m, _)| m).filter(|m| near(m) && before(&m.at, &start.at) == Some(true)).min_by_key(|m| m.at.seconds());
        if let Some(m) = found {
            let end = End { at: m.at.clone(), span: self.span(m), rule: "label" };
            self.ends.start = Some(end);
        }
    }

    /// A title that gives a range, a day, or a month.
    fn titles(&mut self, clocks: bool) {
        let title = self.document.blocks.iter().position(|b| matches!(b.kind, Kind::Heading { level: 1, .. }));
        let marked = self.document.title.as_ref().and_then(|t| {
            let (at, until) = self.reader.instant(t.as_str())?;
            Some((at, until, t.spans(0..t.len()).first().copied()?))
        });
        let named = self.document.front_matter.field("title").and_then(|f| {
            let (at, until) = self.reader.instant(f.values.first()?)?;
            Some((at, until, f.span))
        });
        let headed =
            title.and_then(|t| self.times.mentions.iter().find(|m| m.block == t)).map(|m| (m.at.clone(), m.until.clone(), self.span(m)));
        for (at, until, span) in [headed, named, marked].into_iter().flatten() {
            match &until {
                Some(until) if at.clock.is_some() == clocks => {
                    self.ends.start(&at, span, "title");
                    self.ends.end(until, span, "title");
                }
                None if !clocks && at.date.month.is_some() => {
                    self.ends.start(&Instant { clock: None, zone: None, ..at.clone() }, span, "title");
                    // it lies within the month
                    if at.date.day.is_none() {
                        self.ends.end(&at, span, "title");
                    }
                }
                _ => {}
            }
        }
    }

    /// The first range of clocks that the summary gives, or the lines before any section.
    fn summary(&mut self) {
        if self.ends.whole() {
            return;
        }
        let lead = self.lead();
        let place = |m: &Mention| match self.role(m.block) {
            Some(Role::Summary | Role::Impact) => true,
            None => m.block <= lead,
            _ => false,
        };
        let mut ranges: Vec<&Mention> =
            self.times.mentions.iter().filter(|m| place(m) && m.until.is_some() && m.at.clock.is_some()).collect();
        // several ranges that open their lines are a log of outages
        let log = ranges.iter().filter(|m| m.lead && self.role(m.block).is_none()).count() > 1;
        // and one entry of a list of several is a part of what happened
        let entries = self.events.iter().filter(|e| matches!(e.rule, "entry" | "row")).count();
        let entry = |m: &Mention| {
            m.lead && entries >= 3 && self.events.iter().any(|e| matches!(e.rule, "entry" | "row") && e.block == m.block && e.at == m.at)
        };
        ranges.retain(|m| !(m.lead && self.role(m.block).is_none() && log) && !entry(m));
        let rank = |b: usize| usize::from(self.role(b) != Some(Role::Summary));
        let best = ranges.into_iter().min_by_key(|m| (rank(m.block), usize::from(m.at.date.civil().is_none()), m.block, m.range.start));
        if let Some(m) = best {
            let span = self.span(m);
            self.ends.range(m, span, "summary-range");
        }
        if !self.ends.whole() {
            // one entry in all that is a range
            let only: Vec<&Mention> = self
                .times
                .mentions
                .iter()
                .filter(|m| m.until.is_some() && m.at.clock.is_some() && !self.role(m.block).is_some_and(is_aside))
                .collect();
            // an end that is told of later is the end of something longer
            let later = |m: &Mention| {
                let until = m.until.as_ref().and_then(Instant::seconds);
                self.events.iter().any(|e| e.phase == Some(Phase::Resolved) && e.at.clock.is_some() && e.at.seconds() > until)
            };
            if let [m] = only.as_slice()
                && !m.lead
                && !later(m)
            {
                let span = self.span(m);
                self.ends.range(m, span, "range");
            }
        }
    }

    /// The last block of the lines that open a document: its first three texts.
    fn lead(&self) -> usize {
        let texts =
            self.document.blocks.iter().enumerate().filter(|(_, b)| matches!(b.kind, Kind::Paragraph | Kind::Item { .. } | Kind::Note));
        let third = texts.map(|(n, _)| n).nth(2).unwrap_or(self.document.blocks.len());
        // a heading below the first paragraph ends them
        let long = self.document.blocks.iter().position(|b| b.kind == Kind::Paragraph && b.text.len() > 80).unwrap_or(0);
        let headings = self.document.blocks.iter().enumerate().skip(long);
        headings
            .map(|(n, b)| (n, &b.kind))
            .find(|(_, k)| matches!(k, Kind::Heading { level, .. } if *level > 1))
            .map_or(third, |(h, _)| h.min(third))
    }

    /// The day, where no clock is known: of the title, of the first sentence that tells of one, of writing.
    fn days(&mut self) {
        self.titles(false);
        if self.ends.start.is_none()
            && let Some(k) = self.first_day()
        {
            let m = &self.times.mentions[k];
            let (span, at) = (self.span(m), Instant { clock: None, zone: None, ..m.at.clone() });
            self.ends.start(&at, span, "prose");
            if let Some(until) = &m.until {
                self.ends.end(until, span, "prose");
            }
        }
        if self.ends.start.is_none()
            && let Some((at, span)) = self.field(front::DETECTED).or_else(|| self.field(front::POSTED))
        {
            self.ends.start(&Instant { clock: None, zone: None, ..at }, span, "front-matter");
        }
    }

    /// The first day that the opening lines or the summary tell of.
    fn first_day(&self) -> Option<usize> {
        let lead = self.lead();
        let place = |m: &Mention| match self.role(m.block) {
            Some(Role::Summary | Role::Impact) => true,
            None => m.block <= lead,
            _ => false,
        };
        let dated =
            |m: &Mention| m.at.date.day.is_some() && !m.limit && !matches!(self.document.blocks[m.block].kind, Kind::Heading { .. });
        let labelled = |n: usize, m: &Mention| label_in(self.document, m, self.lexicon).is_some() || self.labels[n].is_some();
        let all = self.times.mentions.iter().enumerate();
        all.filter(|(n, m)| place(m) && dated(m) && !m.whole && !labelled(*n, m)).map(|(n, _)| n).next()
    }
}
