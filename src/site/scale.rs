//! The scale of a timeline: moments to places, one scale throughout, with quiet gaps folded where the rest would otherwise run together.

use super::stamp::Stamp;
use crate::book::view::Event;
use std::collections::BTreeMap;

/// A gap shorter than this is never folded: half an hour, in seconds.
const LEAST_FOLD: i64 = 1800;
/// Marks closer than this run together.
const CROWDED: f64 = 14.0;
/// More folds than this, and nobody can read the scale.
const MOST_FOLDS: usize = 6;

/// A timeline entry with its place in time.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Its number in the timeline, from 0.
    pub index: usize,
    /// Seconds since 1970, in UTC where the zone is known, else as if the clock were UTC.
    pub at: i64,
    /// The end of a range.
    pub until: Option<i64>,
    /// Other readings of the same stamp.
    pub others: Vec<i64>,
    /// False where the text gives no clock and others have one.
    pub sure: bool,
    /// The stamp.
    pub stamp: Stamp,
}

/// All moments of a timeline and the zone they are drawn in.
#[derive(Clone, Debug, Default)]
pub struct Moments {
    /// In the order of time, of equals in the order of the text.
    pub list: Vec<Moment>,
    /// Minutes east of Greenwich of the zone most stamps are written in; absent where no stamp has a zone.
    pub offset: Option<i64>,
    /// Clocks are known; else only days are drawn.
    pub clocks: bool,
    /// Days are known; else only clocks are drawn.
    pub days: bool,
}

/// Finds the moments of a timeline. An entry takes its unknown day from the entry before it; an entry without a clock among others that have one
/// stands with the entry before it and is marked as unsure.
pub fn moments(events: &[Event]) -> Moments {
    let stamps: Vec<Stamp> = events.iter().map(|e| Stamp::read(&e.at)).collect();
    let mut zones: BTreeMap<i64, usize> = BTreeMap::new();
    stamps.iter().filter_map(|s| s.offset).for_each(|o| *zones.entry(o).or_default() += 1);
    let offset = zones.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0))).map(|z| *z.0);
    let clocks = stamps.iter().filter(|s| s.has_clock()).count() > 1;
    let days = stamps.iter().any(|s| s.day.is_some());
    let base = stamps.iter().find_map(day_of).unwrap_or(10_957);
    let place = |s: &Stamp, day: i64| day * 86_400 + s.seconds().unwrap_or(0) - s.offset.or(offset).unwrap_or(0) * 60;
    let mut out = Vec::new();
    let (mut day, mut last): (i64, Option<i64>) = (base, None);
    for (index, (e, s)) in events.iter().zip(&stamps).enumerate() {
        let own = day_of(s);
        if !s.has_clock() && own.is_none() {
            // nothing is known but its place in the text
            let Some(at) = last.filter(|_| clocks) else { continue };
            out.push(Moment { index, at, until: None, others: Vec::new(), sure: false, stamp: s.clone() });
            continue;
        }
        let same_day = own.is_none_or(|d| d == day);
        day = own.unwrap_or(day);
        let at = match (s.has_clock(), clocks, last) {
            (false, true, Some(l)) if same_day => l,
            _ => place(s, day),
        };
        let read = |edtf: &str| {
            let r = Stamp::read(edtf);
            (r.has_clock() || day_of(&r).is_some()).then(|| place(&r, day_of(&r).unwrap_or(day)))
        };
        let until = e.until.as_deref().and_then(read).filter(|u| *u > at);
        let mut others: Vec<i64> = e.readings.iter().filter_map(|r| read(&r.at)).filter(|t| *t != at).collect();
        others.sort_unstable();
        others.dedup();
        let sure = s.has_clock() || !clocks;
        if sure {
            last = Some(at);
        }
        out.push(Moment { index, at, until, others, sure, stamp: s.clone() });
    }
    out.sort_by_key(|m| (m.at, m.index));
    Moments { list: out, offset, clocks, days }
}

/// The day of a stamp; of one without a year, in a leap year.
fn day_of(s: &Stamp) -> Option<i64> {
    Some(super::stamp::days(s.year.unwrap_or(2000), s.month?, s.day?))
}

/// A stretch of the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// From, in seconds.
    pub from: i64,
    /// To, in seconds.
    pub to: i64,
    /// Place of `from`.
    pub x0: f64,
    /// Place of `to`.
    pub x1: f64,
    /// Folded: not to scale.
    pub folded: bool,
}

/// Moments to places.
#[derive(Clone, Debug)]
pub struct Scale {
    /// In order, without holes.
    pub stretches: Vec<Stretch>,
}

impl Scale {
    /// A scale over some moments (in seconds), from one place to another; a fold is `fold` wide. Absent where there are not two moments.
    pub fn new(mut times: Vec<i64>, from: f64, to: f64, fold: f64) -> Option<Scale> {
        times.sort_unstable();
        times.dedup();
        if times.len() < 2 {
            return None;
        }
        let gaps: Vec<i64> = times.windows(2).map(|w| w[1] - w[0]).collect();
        let mut folded = vec![false; gaps.len()];
        let rate = |folded: &[bool]| {
            let open: i64 = gaps.iter().zip(folded).filter(|(_, f)| !**f).map(|(g, _)| g).sum();
            let room = to - from - fold * folded.iter().filter(|f| **f).count() as f64;
            (open, room / (open.max(1) as f64))
        };
        while folded.iter().filter(|f| **f).count() < MOST_FOLDS {
            let (open, per) = rate(&folded);
            let crowded = gaps.iter().zip(&folded).any(|(g, f)| !*f && (*g as f64) * per < CROWDED);
            // of equals the later one, so that the beginning stays as it is
            let longest = gaps.iter().enumerate().filter(|(i, _)| !folded[*i]).max_by_key(|(i, g)| (**g, *i));
            match longest {
                Some((i, g)) if crowded && *g >= LEAST_FOLD && *g < open && (*g as f64) * per > fold * 1.5 => folded[i] = true,
                _ => break,
            }
        }
        let (_, per) = rate(&folded);
        let mut x = from;
        let mut stretches = Vec::new();
        for (i, g) in gaps.iter().enumerate() {
            let w = if folded[i] { fold } else { *g as f64 * per };
            stretches.push(Stretch { from: times[i], to: times[i + 1], x0: x, x1: x + w, folded: folded[i] });
            x += w;
        }
        Some(Scale { stretches })
    }

    /// The place of a moment; before the first and after the last, the ends.
    pub fn at(&self, t: i64) -> f64 {
        let Some(s) = self.stretches.iter().find(|s| t <= s.to).or(self.stretches.last()) else { return 0.0 };
        let part = (t - s.from) as f64 / ((s.to - s.from).max(1) as f64);
        s.x0 + (s.x1 - s.x0) * part.clamp(0.0, 1.0)
    }

    /// The folded stretches.
    pub fn folds(&self) -> impl Iterator<Item = &Stretch> {
        self.stretches.iter().filter(|s| s.folded)
    }

    /// First and last moment.
    pub fn ends(&self) -> (i64, i64) {
        (self.stretches.first().map_or(0, |s| s.from), self.stretches.last().map_or(0, |s| s.to))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::event;
    use super::*;

    #[test]
    fn quiet_gaps_fold_only_where_the_rest_runs_together() {
        let m = |min: i64| min * 60;
        let s = Scale::new(vec![m(417), m(420), m(421), m(435), m(495), m(555), m(640)], 0.0, 1100.0, 60.0).unwrap();
        assert_eq!(s.folds().count(), 3);
        assert!(s.at(m(421)) - s.at(m(420)) > CROWDED);
        assert_eq!((s.at(m(0)), s.at(m(640)).round()), (0.0, 1100.0));
        assert_eq!(Scale::new(vec![0, 3600, 7200], 0.0, 1000.0, 60.0).unwrap().folds().count(), 0);
        assert!(Scale::new(vec![5, 5], 0.0, 100.0, 60.0).is_none());
    }

    #[test]
    fn unknown_days_and_clocks_are_borrowed_and_marked() {
        let m = moments(&[
            event("2021-01-04T23:50:00Z", "a"),
            event("XXXX-XX-XXT23:55:00", "b"),
            event("2021-01-04", "c"),
            event("2021-01-05T00:10:00Z", "d"),
        ]);
        let at: Vec<_> = m.list.iter().map(|x| (x.index, x.sure)).collect();
        assert_eq!(at, [(0, true), (1, true), (2, false), (3, true)]);
        assert_eq!(m.list[2].at, m.list[1].at);
        assert_eq!((m.offset, m.clocks), (Some(0), true));
        let days = moments(&[event("2021-01-04", "a"), event("2021-01-06", "b")]);
        assert!(!days.clocks && days.list.iter().all(|x| x.sure));
    }
}
