//! The day of a clock that has none: from its block, its list, its heading, the document.

use super::date::Day;
use super::labels::Label;
use super::order::implied_year;
use super::place::{Item, Places, is_aside};
use super::value::{Clock, Date, Instant, Part, Year};
use crate::lang::Role;
use std::collections::BTreeMap;

/// A fall of the clock by so many seconds in an ascending list means that midnight has passed.
const MIDNIGHT: i64 = 6 * 3600;

/// Days by which the day an incident began may come before the first day that is written beside a clock.
const SHORTLY: i64 = 7;

/// What is known of the document's day besides its text.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Front matter's start.
    pub stated: Option<Date>,
    /// The day of writing: front matter's date.
    pub posted: Option<Date>,
    /// The date in the title.
    pub title: Option<Date>,
    /// The date in the file's name.
    pub file: Option<Date>,
}

/// Fills in years where dates lack them. Returns the items it did so for.
pub fn fill_years(items: &mut [Item], known: &Known) -> Vec<bool> {
    let full = |d: &Day| d.date.civil().is_some();
    let outside = known.stated.or(known.title).or(known.posted).or(known.file);
    let firsts: Vec<Option<Date>> = items.iter().map(|i| i.raw.first.day.as_ref().filter(|d| full(d)).map(|d| d.date)).collect();
    // per item the next full date after it
    let mut next: Option<Date> = None;
    let mut after = vec![None; items.len()];
    for n in (0..items.len()).rev() {
        after[n] = next;
        next = firsts[n].or(next);
    }
    let bare_year =
        items.iter().find_map(|i| i.raw.first.day.as_ref().filter(|d| matches!(d.date.year, Some(Year::Known(_)))).map(|d| d.date));
    let mut last: Option<Date> = None;
    let mut done = vec![false; items.len()];
    for (n, item) in items.iter_mut().enumerate() {
        let anchor = last.or(after[n]).or(outside).or(bare_year);
        let mut near = anchor;
        let stamps =
            std::iter::once(&mut item.raw.first).chain(item.raw.until.iter_mut()).chain(item.raw.others.iter_mut().map(|o| &mut o.0));
        for stamp in stamps {
            let Some(day) = &mut stamp.day else { continue };
            if day.date.year.is_none() && day.date.month.is_some() {
                if let Some(whole) = near.and_then(|a| implied_year(&day.date, &a)) {
                    day.date = whole;
                    done[n] = true;
                }
                if let (Some(l), Some(y)) = (&mut day.last, day.date.year) {
                    l.year = Some(y);
                }
            }
            if full(day) {
                near = Some(day.date);
            }
        }
        last = item.raw.first.day.as_ref().filter(|d| full(d)).map(|d| d.date).or(last);
    }
    done
}

/// The day of the incident as far as one date of the document is it: stated, in the title, the only one, the first one that counts.
pub fn main_date(items: &[Item], roles: &[Option<Role>], known: &Known) -> Option<Date> {
    let sound = |d: &Date| d.civil().is_some();
    if let Some(d) = known.stated.filter(sound).or(known.title.filter(sound)) {
        return Some(d);
    }
    let dated = |i: &&Item| i.raw.first.day.as_ref().is_some_and(|d| d.date.civil().is_some());
    let date = |i: &Item| i.raw.first.day.as_ref().map(|d| d.date);
    let told: Vec<&Item> = items
        .iter()
        .filter(dated)
        .filter(|i| i.label == Label::Incident || i.label != Label::Other && !roles[i.block].is_some_and(is_aside))
        .collect();
    let labelled = told.iter().find(|i| i.label == Label::Incident);
    let with_clock = told.iter().find(|i| i.raw.first.time.is_some());
    let core = told.iter().find(|i| matches!(roles[i.block], Some(Role::Summary | Role::Timeline | Role::Impact)));
    let day = |i: Option<&&Item>| i.and_then(|i| date(i));
    // clocks that stand before the first one with a day of its own belong to the day that was told before it: in the text, else in front matter, where
    // that is a few days at most before
    if let (None, Some(later)) = (labelled, with_clock.and_then(|i| date(i)))
        && items
            .iter()
            .take_while(|i| i.raw.first.day.as_ref().is_none_or(|d| d.date != later))
            .any(|i| i.lead && i.raw.first.time.is_some())
    {
        let shortly = |d: &Date| d.day_number().zip(later.day_number()).is_some_and(|(a, b)| (1..=SHORTLY).contains(&(b - a)));
        let above = told.iter().take_while(|i| date(i) != Some(later)).filter_map(|i| date(i)).find(shortly);
        if let Some(d) = above.or(known.posted.filter(sound).filter(shortly)) {
            return Some(d);
        }
    }
    // what the text itself tells of the incident goes before the day of writing, and that before any other day
    day(labelled.or(with_clock).or(core)).or(known.posted.filter(sound)).or(day(told.first())).or(known.file.filter(sound))
}

/// The newest entry stands first: more falls than rises among the entries of a group.
fn directions(items: &[Item]) -> BTreeMap<usize, bool> {
    let mut counts: BTreeMap<usize, (i32, i32)> = BTreeMap::new();
    let mut last: BTreeMap<usize, (Option<Date>, Clock, Option<i32>)> = BTreeMap::new();
    for item in items.iter().filter(|i| i.lead) {
        let Some(time) = &item.raw.first.time else { continue };
        let date = item.raw.first.day.as_ref().map(|d| d.date).filter(|d| d.civil().is_some());
        let here = east(item, date);
        if let Some((before, clock, there)) = last.get(&item.group) {
            let days = match (before.and_then(|d| d.day_number()), date.and_then(|d| d.day_number())) {
                (Some(a), Some(b)) => b - a,
                _ => 0,
            };
            let ahead = here.zip(*there).map_or(0, |(a, b)| i64::from(a - b) * 60);
            let change = days * 86_400 + time.clock.seconds() - clock.seconds() - ahead;
            let (up, down) = counts.entry(item.group).or_default();
            // half a day and more without a date is midnight, not a step back
            let change = if days == 0 && change.abs() > 43_200 { -change } else { change };
            match change {
                1.. => *up += 1,
                ..=-1 => *down += 1,
                0 => {}
            }
        }
        last.insert(item.group, (date.or(last.get(&item.group).and_then(|l| l.0)), time.clock, here));
    }
    counts.into_iter().map(|(g, (up, down))| (g, down > up)).collect()
}

/// What came before in a list.
#[derive(Clone, Copy)]
struct Before {
    date: Date,
    clock: Option<Clock>,
    seq: usize,
    /// Minutes east of UTC, where the entry itself names its zone.
    east: Option<i32>,
    /// Its day is one that a passed midnight or `the next day` gave it.
    carried: bool,
}

/// Minutes east of UTC by the zone that an item itself names; `date` is about its day.
fn east(item: &Item, date: Option<Date>) -> Option<i32> {
    let clock = item.raw.first.time.as_ref().map(|t| t.clock);
    item.raw.first.zones.first()?.offset(&date.unwrap_or_default(), clock.as_ref())
}

/// The day of a clock in another zone than the entry before has: the one that brings both moments nearest to each other.
fn nearest_moment(g: &Before, clock: Clock, east: i32) -> Option<Date> {
    let (before, east_before) = (g.clock?, g.east.filter(|e| *e != east)?);
    let gap = |n: i64| (n * 86_400 + clock.seconds() - i64::from(east) * 60 - before.seconds() + i64::from(east_before) * 60).abs();
    [0i32, 1, -1].into_iter().min_by_key(|n| gap(i64::from(*n))).map(|n| g.date.plus(n))
}

/// Gives every clock its day. The result holds, per item, the instant's date and whether it was implied.
pub fn fill_days(places: &Places, known: &Known) -> Vec<(Date, bool)> {
    let (items, roles) = (places.items.as_slice(), places.roles.as_slice());
    let later = later_days(items);
    let newest_first = directions(items);
    let main = main_date(items, roles, known);
    let mut groups: BTreeMap<usize, Before> = BTreeMap::new();
    let mut sections: BTreeMap<usize, (Date, usize)> = BTreeMap::new();
    let mut recent: BTreeMap<usize, Date> = BTreeMap::new();
    let mut block: Option<(usize, Date, Option<Clock>)> = None;
    let mut out = Vec::with_capacity(items.len());
    for (n, item) in items.iter().enumerate() {
        let day = item.raw.first.day.as_ref();
        let clock = item.raw.first.time.as_ref().map(|t| t.clock);
        let descending = newest_first.get(&item.group).copied().unwrap_or(false);
        let in_block = block.filter(|b| b.0 == item.block);
        // the latest date that stands above, in this section or one around it
        let heading = places.around(item.section).find_map(|s| sections.get(&s).copied());
        // an entry that tells of long before does not date the clocks after it where the heading has a day of its own
        let aside = |g: &Before| g.clock.is_none() && heading.is_some_and(|(h, _)| apart(&h, &g.date) > 7);
        let in_group = groups.get(&item.group).copied().filter(|g| item.lead && heading.is_none_or(|s| s.1 < g.seq) && !aside(g));
        let around =
            in_block.map(|b| b.1).or(in_group.map(|g| g.date)).or(heading.map(|s| s.0)).or(recent.get(&item.section).copied()).or(main);
        let (date, implied) = match day {
            Some(d) if !d.date.is_empty() => (d.date, false),
            Some(Day { shift: Some((by, relative)), .. }) => {
                // `yesterday` counts from the day of writing, `the next day` from what was told last
                let written = heading.map(|s| s.0).or(known.posted.filter(|d| d.civil().is_some()));
                // entries of one night are marked one by one: the mark does not count from the last of them
                let marked = in_group
                    .filter(|g| *relative && *by == 1 && g.carried && g.clock.zip(clock).is_some_and(|(a, b)| a.seconds() <= b.seconds()));
                let around = marked.map(|g| g.date.plus(-1)).or(around);
                let base = if *relative { around } else { written.or(around.filter(|_| clock.is_some())) };
                (base.map(|b| b.plus(i32::from(*by))).unwrap_or_default(), true)
            }
            // the first of a list may lie before the day that the document is dated
            Some(Day { weekday: Some(w), .. }) if in_block.is_none() && in_group.is_none() && heading.is_none() => {
                (around.and_then(|a| nearest_weekday(a, *w)).unwrap_or_default(), true)
            }
            Some(Day { weekday: Some(w), .. }) => (around.and_then(|a| to_weekday(a, *w, descending)).unwrap_or_default(), true),
            _ => {
                let inherited = if let Some((_, date, before)) = in_block {
                    Some(match (before, clock) {
                        // `from 23:50 … at 00:10` in one passage
                        (Some(a), Some(b)) if a.seconds() >= 18 * 3600 && b.seconds() <= MIDNIGHT && item.cell.is_none() => date.plus(1),
                        _ => date,
                    })
                } else if let Some(g) = in_group {
                    let moment = clock.zip(east(item, Some(g.date))).and_then(|(c, e)| nearest_moment(&g, c, e));
                    Some(match (g.clock, clock) {
                        _ if moment.is_some() => moment.unwrap_or_default(),
                        (Some(a), Some(b)) if !descending && a.seconds() - b.seconds() > MIDNIGHT => g.date.plus(1),
                        (Some(a), Some(b)) if descending && b.seconds() - a.seconds() > MIDNIGHT => g.date.plus(-1),
                        _ => g.date,
                    })
                } else {
                    // what is to be done at a clock is done on some other day
                    let main = main.filter(|_| item.lead || !roles[item.block].is_some_and(is_aside));
                    heading.map(|s| s.0).or(later[n]).or(recent.get(&item.section).copied()).or(main)
                };
                (inherited.unwrap_or_default(), inherited.is_some())
            }
        };
        if date.civil().is_some() || (date.month.is_some() && date.day.is_some()) {
            // `Published: …` dates the document
            let aside = roles[item.block].is_some_and(is_aside) || item.label == Label::Other && clock.is_none();
            if item.lead && clock.is_none() && day.is_some() && item.cell.is_none() && !aside {
                sections.insert(item.section, (date, n));
            }
            if item.lead && clock.is_some() {
                let shifted = day.is_some_and(|d| d.shift.is_some_and(|s| s == (1, true)));
                let carried = implied && (shifted || in_group.is_some_and(|g| g.carried && g.date == date || g.date.plus(1) == date));
                groups.insert(item.group, Before { date, clock, seq: n, east: east(item, Some(date)), carried });
            }
            if item.lead && clock.is_none() && item.cell.is_some() {
                groups.insert(item.group, Before { date, clock: None, seq: n, east: None, carried: false });
            }
            if !aside && !item.raw.before {
                recent.insert(item.section, date);
            }
            let end = item.raw.until.as_ref().and_then(|u| u.time.as_ref()).map(|t| t.clock);
            block = Some((item.block, date, end.or(clock)));
        }
        out.push((date, implied));
    }
    out
}

/// Days between two dates.
fn apart(a: &Date, b: &Date) -> i64 {
    a.day_number().zip(b.day_number()).map_or(0, |(x, y)| (x - y).abs())
}

/// Per item the first full date at or after it in its block.
fn later_days(items: &[Item]) -> Vec<Option<Date>> {
    let mut out = vec![None; items.len()];
    let mut next: Option<(usize, Date)> = None;
    for (n, item) in items.iter().enumerate().rev() {
        next = item
            .raw
            .first
            .day
            .as_ref()
            .map(|d| d.date)
            .filter(|d| d.civil().is_some())
            .map(|d| (item.block, d))
            .or(next.filter(|x| x.0 == item.block));
        out[n] = next.map(|x| x.1);
    }
    out
}

/// The nearest day of that name.
fn nearest_weekday(from: Date, weekday: u8) -> Option<Date> {
    let ahead = (i32::from(weekday) - i32::from(from.weekday()?)).rem_euclid(7);
    Some(from.plus(if ahead > 3 { ahead - 7 } else { ahead }))
}

/// The nearest day of that name, not before `from` (in a list that runs backwards: not after).
fn to_weekday(from: Date, weekday: u8, backwards: bool) -> Option<Date> {
    let now = i32::from(from.weekday()?);
    let ahead = (i32::from(weekday) - now).rem_euclid(7);
    Some(from.plus(if backwards && ahead > 0 { ahead - 7 } else { ahead }))
}

/// A day that cannot be keeps its month and loses the day: what is meant is not known.
pub fn sound(date: Date) -> Date {
    let known = date.day.and_then(Part::known).is_some() && date.month.and_then(Part::known).is_some();
    let year = if let Some(Year::Known(y)) = date.year { y } else { 2024 };
    let possible = Date { year: Some(Year::Known(year)), ..date }.civil().is_some();
    if known && !possible { Date { day: Some(Part::Unknown), ..date } } else { date }
}

/// A clock that says `24:00` or `25:05` is one of the next day.
pub fn carry(mut at: Instant) -> Instant {
    if let Some(clock) = &mut at.clock
        && let Part::Known(hour @ 24..) = clock.hour
    {
        clock.hour = Part::Known(hour % 24);
        at.date = at.date.plus(1);
    }
    at
}
