//! Ranges of dates and clocks: what stands between their ends, and what is said once for both.

use super::clock::by_part;
use super::date::clean_right;
use super::scan::Raw;
use super::stamp::{Stamp, stamp};
use super::token::{Kind, Tokens};
use super::value::{Clock, Part};
use super::words::{DayPart, Sense};

/// The end of a range whose beginning is `first`, and the piece after it. What is said once for both is given to both.
pub fn range_end(t: &Tokens, first: &mut Stamp, start: usize) -> Option<(Stamp, usize)> {
    let at = first.pieces.end;
    let mut j = at;
    // `14:05-től`, `14:05から`
    // `14:05頃から`
    if t.means(j, Sense::About) && super::letters::is_free(t.text(j).chars().next().unwrap_or(' ')) {
        j += 1;
    }
    let suffixed = t.is(j, '-') && t.means(j + 1, Sense::From);
    if suffixed {
        j += 2;
    }
    let glued = j == at;
    j = t.skip(j);
    let opened = |s: Sense| (start.saturating_sub(3)..start).any(|k| t.means(k, s));
    if let Some(arrow) = arrow(t, j, first) {
        j = arrow;
    }
    let mark = t.mark(j);
    let linked = suffixed
        || match mark {
            Some('-' | '–' | '~' | '→') => true,
            Some('>') if j > 0 && matches!(t.mark(j - 1), Some('-' | '=')) => true,
            Some('.') if t.is(j + 1, '.') => {
                j += 1;
                true
            }
            Some(',') if t.kind(j + 1) == Some(Kind::Space) && opened(Sense::From) => t.means(t.skip(j + 1), Sense::To),
            // [05:45, 13:50)
            Some(',') => start > 0 && t.is(start - 1, '['),
            _ if t.means(j, Sense::To) || t.means(j, Sense::From) => true,
            _ if t.means(j, Sense::And) => opened(Sense::Between) || closed_by_between(t, j),
            _ if t.means(j, Sense::Before) => opened(Sense::From),
            _ => return None,
        };
    if !linked {
        return None;
    }
    let mut k = if suffixed { j } else { t.skip(j + 1) };
    while t.senses(k).iter().any(|s| matches!(s, Sense::To | Sense::Before | Sense::At | Sense::About)) {
        k = t.skip(k + 1);
    }
    if t.is(k, '~') {
        k += 1;
    }
    if glued
        && k == j + 1
        && matches!(mark, Some('-' | '–' | '~'))
        && let Some(found) = inside_hour(t, first, k)
    {
        return Some(found);
    }
    let mut until = stamp(t, k, true)?;
    match (&first.time, &until.time) {
        (Some(_), Some(_)) | (None, None) => {}
        (None, Some(_)) if until.day.is_some() => {}
        _ => return None,
    }
    // `1.3~1.5` are amounts
    let amount = |s: &Stamp| s.time.is_none() && s.day.as_ref().is_some_and(|d| d.rule == "numeric-no-year" && d.dotted);
    if amount(first) || amount(&until) {
        return None;
    }
    if first.time.is_none() && (until.is_weak() || first.is_weak()) && until.time.is_none() && !(numbers(&until) && numbers(first)) {
        return None;
    }
    let mut end = until.pieces.end;
    if t.means(end, Sense::About) && super::letters::is_free(t.text(end).chars().next().unwrap_or(' ')) {
        end += 1;
    }
    // `between 7:01 and 7:15`, `14:05から15:20まで`, `15:20-ig`
    let suffix = if t.is(end, '-') { end + 1 } else { end };
    if t.senses(suffix).iter().any(|s| matches!(s, Sense::To | Sense::Before | Sense::Between)) && suffix > end
        || t.means(j, Sense::And) && t.means(t.skip(end), Sense::Between)
        || (t.means(end, Sense::Before) || t.means(end, Sense::To)) && t.text(end).chars().all(super::letters::is_free)
    {
        end = if suffix > end { suffix } else { t.skip(end) } + 1;
    }
    // `[05:45, 13:50) UTC`
    if until.zones.is_empty()
        && matches!(t.mark(end), Some(')' | ']'))
        && let Some((zones, name, after)) = super::stamp::zone_core(t, t.skip(end + 1))
    {
        (until.zones, until.abbreviation, end) = (zones, name, after);
    }
    share(first, &mut until);
    Some((until, end))
}

/// `14:05 és 15:20 között`: the word for between stands behind both.
fn closed_by_between(t: &Tokens, and: usize) -> bool {
    stamp(t, t.skip(and + 1), true).is_some_and(|s| t.means(t.skip(s.pieces.end), Sense::Between))
}

/// The arrow between the ends of a span, with a few words for what its beginning was: `14:05 deploy → 15:20 fix`. A chain of arrows is a row of steps
/// and no span. The place of its last mark.
fn arrow(t: &Tokens, at: usize, first: &Stamp) -> Option<usize> {
    first.time.as_ref()?.clock.minute?;
    let found = next_arrow(t, at)?;
    let until = stamp(t, t.skip(found + 1), true).filter(|s| s.time.is_some())?;
    next_arrow(t, until.pieces.end).is_none().then_some(found)
}

fn next_arrow(t: &Tokens, at: usize) -> Option<usize> {
    let mut words = 0;
    for j in at..at + 12 {
        match t.kind(j)? {
            Kind::Space => {}
            Kind::Text | Kind::Word(_) if words < 4 => words += 1,
            Kind::Mark('→') => return Some(j),
            Kind::Mark('-' | '=') if t.is(j + 1, '>') => return Some(j + 1),
            _ => return None,
        }
    }
    None
}

fn numbers(s: &Stamp) -> bool {
    s.day.as_ref().is_some_and(|d| d.order.is_some() || d.date.day.is_some())
}

/// `23:15-30` and `09:32:41-34:02`: the end lacks what it shares with the beginning.
fn inside_hour(t: &Tokens, first: &Stamp, k: usize) -> Option<(Stamp, usize)> {
    let time = first.time.as_ref()?;
    let minute = time.clock.minute?.known()?;
    let n = t.digits(k, 2, 2)? as u8;
    let mut clock = time.clock;
    let mut end = k + 1;
    if let Some(second) = time.clock.second {
        // minutes and seconds; hours and minutes where the numbers allow it
        let s = if t.is(k + 1, ':') { t.digits(k + 2, 2, 2)? as u8 } else { return None };
        if n > 59 || s > 59 || t.is(k + 3, ':') {
            return None;
        }
        if n < 24 && u32::from(n) * 60 + u32::from(s) >= u32::from(clock.hour.floor()) * 60 + u32::from(minute) {
            return None;
        }
        if (n, s) < (minute, second) {
            return None;
        }
        clock.second = Some(s);
        end = k + 3;
    } else {
        let next = t.skip(k + 1);
        let other = t.is(k + 1, ':') || t.unit(next).is_some() || t.means(next, Sense::Hour);
        if n <= minute || n > 59 || other || (n <= 12 && super::clock::part_at(t, next).is_some()) {
            return None;
        }
    }
    if !clean_right(t, end) {
        return None;
    }
    clock.minute = Some(Part::Known(n));
    let mut until = Stamp {
        time: Some(super::clock::Time { clock, ..time.clone() }),
        day: first.day.clone(),
        zones: first.zones.clone(),
        ..Stamp::default()
    };
    if let Some((zones, name, after)) = super::stamp::zone_core(t, t.skip(end)).filter(|z| clean_right(t, z.2)) {
        (until.zones, until.abbreviation, end) = (zones, name, after);
    }
    until.pieces = k..end;
    Some((until, end))
}

/// Gives each end of a range what only the other says: the half of the day, the zone.
fn share(first: &mut Stamp, until: &mut Stamp) {
    if first.zones.is_empty() {
        (first.zones, first.abbreviation) = (until.zones.clone(), until.abbreviation.clone());
    } else if until.zones.is_empty() {
        (until.zones, until.abbreviation) = (first.zones.clone(), first.abbreviation.clone());
    }
    let (Some(a), Some(b)) = (&mut first.time, &mut until.time) else { return };
    if let (None, Some(part @ (DayPart::Am | DayPart::Pm)), Some(h)) = (a.part, b.part, a.clock.hour.known())
        && (1..=12).contains(&h)
    {
        let same = by_part(h, part);
        let other = by_part(h, if part == DayPart::Am { DayPart::Pm } else { DayPart::Am });
        let end = b.clock.seconds();
        let with = |hour| Clock { hour: Part::Known(hour), ..a.clock }.seconds();
        let hour = if with(same) <= end || with(other) > end { same } else { other };
        a.clock.hour = Part::Known(hour);
        a.part = Some(part);
    } else if let (Some(part @ (DayPart::Pm | DayPart::Afternoon | DayPart::Evening)), None, Some(h)) =
        (a.part, b.part, b.clock.hour.known())
    {
        let later = by_part(h, part);
        if (1..12).contains(&h) && (Clock { hour: Part::Known(later), ..b.clock }).seconds() > a.clock.seconds() {
            b.clock.hour = Part::Known(later);
            b.part = Some(part);
        }
    }
    if first.day.is_none()
        && let Some(day) = until.day.as_ref().filter(|d| d.date.day.is_some() || d.order.is_some())
    {
        // the date is said once, behind the range
        let late = first.time.as_ref().zip(until.time.as_ref()).is_some_and(|(a, b)| a.clock.seconds() > b.clock.seconds());
        first.day = Some(super::date::Day { date: if late { day.date.plus(-1) } else { day.date }, ..day.clone() });
    }
    if until.day.as_ref().is_some_and(|d| d.date.year.is_none() && d.shift.is_none() && d.weekday.is_none())
        && let (Some(a), Some(b)) = (&first.day, &mut until.day)
    {
        b.date.year = a.date.year;
    }
}

/// `9-11am`, `9–10 Uhr`: the beginning is a bare hour.
pub fn short_range(t: &Tokens, i: usize) -> Option<Raw> {
    let h = t.digits(i, 1, 2).filter(|h| *h <= 24)?;
    let j = t.skip(i + 1);
    // `between 9 and 11 am`, `zwischen 14 und 15 Uhr`
    let opened = |s: Sense| (i.saturating_sub(3)..i).any(|k| t.means(k, s));
    let worded = t.means(j, Sense::And) && opened(Sense::Between) || t.means(j, Sense::To) && opened(Sense::From);
    if !(worded || matches!(t.mark(j), Some('-' | '–' | '~'))) || !super::date::clean_left(t, i) {
        return None;
    }
    let k = t.skip(j + 1);
    let mut until = stamp(t, k, true)
        .filter(|s| s.day.is_none() && matches!(s.time.as_ref().map(|c| c.rule), Some("clock-part" | "clock-words")) && !s.is_weak())?;
    let clock = Clock { hour: Part::Known(h as u8), minute: None, second: None };
    let time = super::clock::Time { clock, part: None, weak: false, needs_zone: false, rule: "clock" };
    let mut first = Stamp { time: Some(time), pieces: i..i + 1, ..Stamp::default() };
    share(&mut first, &mut until);
    let alone = t.range(i..i + 1);
    first.pieces.end = until.pieces.end;
    Some(Raw { first, until: Some(until), alone, rule: "range", ..Raw::default() })
}
