//! Stamps: a date and a clock that stand together, with their zone, and ranges and double readings of them.

use super::clock::{Time, after_t, clock_at, part_at};
use super::date::{Day, clean_left, clean_right, date_at};
use super::token::{Kind, Tokens};
use super::words::Sense;
use super::zone::{Zone, abbreviation};
use std::ops::Range;

/// A date, a clock, or both, as they stand in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The date, if it is written here.
    pub day: Option<Day>,
    /// The clock.
    pub time: Option<Time>,
    /// What its zone may be, the likeliest first; empty where none is written.
    pub zones: Vec<Zone>,
    /// The zone's abbreviation, where it is one.
    pub abbreviation: String,
    /// The pieces.
    pub pieces: Range<usize>,
}

impl Stamp {
    /// True where it counts only in a place for dates and clocks.
    pub fn is_weak(&self) -> bool {
        match (&self.day, &self.time) {
            (Some(_), Some(_)) => false,
            (Some(d), None) => d.weak,
            (None, Some(c)) => c.weak && self.zones.is_empty(),
            (None, None) => true,
        }
    }

    /// The kind of notation.
    pub fn rule(&self) -> &'static str {
        match (&self.day, &self.time) {
            (Some(_), Some(c)) if c.rule == "clock-torn" => c.rule,
            (Some(d), Some(_)) if matches!(d.rule, "weekday" | "day-word") => d.rule,
            (Some(_), Some(_)) => "stamp",
            (Some(d), None) => d.rule,
            (None, Some(c)) => c.rule,
            (None, None) => "",
        }
    }
}

/// A zone at piece `i`: its candidates, abbreviation, and the piece after it.
pub fn zone_core(t: &Tokens, i: usize) -> Option<(Vec<Zone>, String, usize)> {
    if let Some(n) = t.sense(i, |s| if let Sense::Zone(n) = s { Some(n) } else { None }) {
        let zone = t.words().zone(n)?.clone();
        return Some((vec![zone], String::new(), i + 1));
    }
    if !matches!(t.kind(i), Some(Kind::Text | Kind::Word(_))) {
        return None;
    }
    let written = t.written(i);
    // Area/City of the time zone database
    if t.is(i + 1, '/')
        && matches!(t.kind(i + 2), Some(Kind::Text | Kind::Word(_)))
        && written.starts_with(|c: char| c.is_ascii_uppercase())
    {
        let mut end = i + 3;
        if t.is(end, '_') {
            end += 2;
        }
        let name = t.original.get(t.range(i..end)).unwrap_or("");
        if name.len() < 40
            && let Some(zone) = Zone::named(name)
        {
            return Some((vec![zone], String::new(), end));
        }
    }
    if written.len() > 5 || (written.len() == 1 && i.checked_sub(1).is_none_or(|b| t.number(b).is_none())) {
        return None;
    }
    let name = if t.text(i) == "z" { "Z" } else { written };
    let zones = abbreviation(name, |region| t.words().at_home(region))?;
    // UTC+9, GMT-05:00
    if zones == [Zone::Fixed(0)] && name != "Z" {
        let j = t.skip(i + 1);
        if let Some((minutes, end)) = signed(t, j, true).filter(|_| j == i + 1 || matches!(t.mark(j), Some('+'))) {
            return Some((vec![Zone::Fixed(minutes)], String::new(), end));
        }
    }
    Some((zones, name.to_ascii_uppercase(), i + 1))
}

/// `+09:00`, `-0400`, `+9`: minutes, and the piece after it. `loose`: after `UTC`, where a single digit or a minus is sure to be meant.
fn signed(t: &Tokens, i: usize, loose: bool) -> Option<(i16, usize)> {
    let sign: i16 = match t.mark(i)? {
        '+' => 1,
        '-' | '–' => -1,
        _ => return None,
    };
    let (value, count) = t.number(i + 1)?;
    let (minutes, end) = match count {
        4 => ((value / 100 * 60 + value % 100) as i16, i + 2),
        1 | 2 => {
            let rest = if t.is(i + 2, ':') { t.digits(i + 3, 2, 2) } else { None };
            if rest.is_none() && sign < 0 && !loose {
                return None;
            }
            ((value * 60 + rest.unwrap_or(0)) as i16, if rest.is_some() { i + 4 } else { i + 2 })
        }
        _ => return None,
    };
    let sound = minutes <= 14 * 60 && minutes % 15 == 0 && !t.is(end, ':') && !matches!(t.kind(end), Some(Kind::Number(..)));
    sound.then_some((sign * minutes, end))
}

/// The zone after a clock that ends before piece `i`.
fn zone_after(t: &Tokens, i: usize, iso: bool) -> Option<(Vec<Zone>, String, usize)> {
    let j = t.skip(i);
    let bracket = match t.mark(j) {
        Some('(') => Some(')'),
        Some('[') => Some(']'),
        _ => None,
    };
    let k = if bracket.is_some() { j + 1 } else { j };
    if let Some((zones, name, mut end)) = zone_core(t, k) {
        if !clean_right(t, end) {
            return None;
        }
        match bracket {
            Some(close) if t.is(end, close) => end += 1,
            // `(UTC, about)` still names the zone; `(UTC 10:00)` is another reading
            Some(_) if !t.is(end, ',') => return None,
            _ => {}
        }
        // a zone said twice: `(CST, UTC+8)`
        if let (true, Some(close)) = (zones.len() > 1 && t.is(end, ','), bracket)
            && let Some((again, _, after)) = zone_core(t, t.skip(end + 1))
            && let [zone] = again.as_slice()
            && zones.contains(zone)
            && t.is(after, close)
        {
            return Some((again, String::new(), after + 1));
        }
        // `CST (UTC+8)`
        let open = t.skip(end);
        if zones.len() > 1 && bracket.is_none() && matches!(t.mark(open), Some('(' | '[' | '/')) {
            let again =
                zone_core(t, open + 1).map(|z| (z.0, z.2)).or_else(|| signed(t, open + 1, true).map(|(m, e)| (vec![Zone::Fixed(m)], e)));
            if let Some((again, after)) = again
                && let [zone] = again.as_slice()
                && zones.contains(zone)
            {
                let after = if matches!(t.mark(after), Some(')' | ']')) { after + 1 } else { after };
                return Some((again, String::new(), after));
            }
        }
        return Some((zones, name, end));
    }
    // `23 h 45, heure de Paris`
    if t.is(j, ',')
        && let Some(n) = t.sense(t.skip(j + 1), |s| if let Sense::Zone(n) = s { Some(n) } else { None })
        && let Some(zone) = t.words().zone(n)
        && t.text(t.skip(j + 1)).contains(' ')
    {
        return Some((vec![zone.clone()], String::new(), t.skip(j + 1) + 1));
    }
    // an offset: a minus followed by a clock may as well be a range, so it needs seconds, four digits or an ISO stamp before it
    let (minutes, end) = signed(t, k, iso)?;
    let minus = !t.is(k, '+');
    let four = t.number(k + 1).is_some_and(|n| n.1 == 4);
    if minus && !iso && !four || (j == i && !iso && minus && four && t.digits(k + 1, 4, 4).is_some_and(|v| v >= 1300)) {
        return None;
    }
    let end = bracket.map_or(end, |c| if t.is(end, c) { end + 1 } else { end });
    // +09:00[Asia/Tokyo]
    let end = if t.is(end, '[') && zone_core(t, end + 1).is_some_and(|z| t.is(z.2, ']')) {
        zone_core(t, end + 1).map_or(end, |z| z.2 + 1)
    } else {
        end
    };
    Some((vec![Zone::Fixed(minutes)], String::new(), end))
}

/// Skips what may stand between a date and its clock.
fn between(t: &Tokens, i: usize) -> usize {
    let mut j = i;
    for _ in 0..6 {
        match t.kind(j) {
            Some(Kind::Space) => j += 1,
            // `… last night. At 11:10 …`: another sentence
            Some(Kind::Mark('.')) if t.kind(j + 1) == Some(Kind::Space) && t.written(j + 2).starts_with(char::is_uppercase) => break,
            Some(Kind::Mark(',' | '@' | '.' | '·' | '–' | '-' | ':' | '|')) => j += 1,
            // `2022-05-03 ~14:05`
            Some(Kind::Mark('~' | '≈' | '±')) if t.number(j + 1).is_some() && t.kind(j - 1) == Some(Kind::Space) => j += 1,
            Some(Kind::Word(_)) if t.means(j, Sense::At) || t.means(j, Sense::About) || t.means(j, Sense::From) => j += 1,
            Some(Kind::Mark('(' | '[')) => {
                // `(Tue)`, `（火）`
                let named = t.sense(j + 1, |s| if let Sense::Weekday(_) = s { Some(()) } else { None }).is_some();
                let close = if t.is(j + 2, '.') { j + 3 } else { j + 2 };
                if named && matches!(t.mark(close), Some(')' | ']')) {
                    j = close + 1;
                } else {
                    break;
                }
            }
            _ => {
                // a weekday without brackets
                let named = t.sense(j, |s| if let Sense::Weekday(_) = s { Some(()) } else { None }).is_some();
                if !named {
                    break;
                }
                j += 1;
            }
        }
    }
    j
}

/// The piece before piece `i`, white space and the dot of an abbreviation passed over.
fn previous(t: &Tokens, i: usize) -> Option<usize> {
    let j = if i > 0 && t.kind(i - 1) == Some(Kind::Space) { i - 1 } else { i };
    let j = if j > 1 && j < i && t.is(j - 1, '.') && matches!(t.kind(j - 2), Some(Kind::Word(_))) { j - 1 } else { j };
    j.checked_sub(1)
}

/// True where a word that stands before clocks, and before nothing else, precedes piece `i`.
pub fn after_at(t: &Tokens, i: usize) -> bool {
    previous(t, i).is_some_and(|j| t.means(j, Sense::At))
}

/// True where a word or mark before piece `i` says that a clock follows.
pub fn announced(t: &Tokens, i: usize) -> bool {
    let Some(j) = previous(t, i) else { return false };
    if matches!(t.mark(j), Some('~' | '≈')) {
        // `~24h` tells how long
        return t.is(i + 1, ':') || (t.means(i + 1, Sense::Hour) && t.number(i + 2).is_some());
    }
    t.senses(j).iter().any(|s| matches!(s, Sense::At | Sense::About | Sense::Before | Sense::From | Sense::Between | Sense::After))
}

/// The stamp that begins at piece `i`.
pub fn stamp_at(t: &Tokens, i: usize) -> Option<Stamp> {
    stamp(t, i, false)
}

/// The stamp that begins at piece `i`; `linked` where what precedes it is known to belong to it (the dash of a range).
pub fn stamp(t: &Tokens, i: usize, linked: bool) -> Option<Stamp> {
    if let Some((day, end)) = date_at(t, i) {
        return Some(with_clock(t, i, day, end));
    }
    // the zone may stand before the clock
    if let Some((zones, name, end)) = zone_core(t, i) {
        let j = t.skip(if t.is(end, ':') { end + 1 } else { end });
        let (time, end) = clock_at(t, j).filter(|(c, _)| c.rule != "clock-word" && !c.needs_zone)?;
        return Some(Stamp { day: None, time: Some(time), zones, abbreviation: name, pieces: i..end });
    }
    if !linked && t.number(i).is_some() && !clock_left(t, i) {
        return None;
    }
    let (mut time, mut end) = clock_at(t, i)?;
    let mut stamp = Stamp { pieces: i..end, ..Stamp::default() };
    if let Some((zones, name, e)) = zone_after(t, end, false) {
        (stamp.zones, stamp.abbreviation, end) = (zones, name, e);
    } else if time.needs_zone {
        return None;
    }
    if stamp.zones.is_empty() && time.rule == "clock-torn" {
        // the zone's words stood inside
        if let Some(zone) = (i..end).find_map(|k| t.sense(k, |s| if let Sense::Zone(n) = s { Some(n) } else { None })) {
            stamp.zones.extend(t.words().zone(zone).cloned());
        }
    }
    if announced(t, i) {
        time.weak = false;
    } else if time.rule == "clock-dotted" && time.weak && stamp.zones.is_empty() {
        stamp.zones.clear();
    }
    stamp.time = Some(time);
    stamp.pieces.end = end;
    // the date may stand after the clock: `14:05 UTC on 3 May 2022`, `9:05 (May 3)`
    let mut j = t.skip(end);
    if matches!(t.mark(j), Some(',' | '(' | '/')) {
        j = t.skip(j + 1);
    }
    let mut candidate = date_at(t, j).map(|d| (d, j));
    if candidate.is_none() && matches!(t.kind(j), Some(Kind::Text | Kind::Word(_))) && t.text(j).chars().count() <= 3 {
        let k = t.skip(j + 1);
        candidate = date_at(t, k).map(|d| (d, k));
    }
    if let Some(((day, e), _)) = candidate
        && (!day.weak || day.order.is_some() || day.date.month.is_some())
        && !day.rule.starts_with("year-month ")
        && day.date.day.is_some() | day.order.is_some()
        // the date of the next stamp is not this one's
        && !has_clock_after(t, e)
    {
        stamp.day = Some(day);
        stamp.pieces.end = e;
    }
    Some(stamp)
}

fn has_clock_after(t: &Tokens, i: usize) -> bool {
    let j = between(t, i);
    j > i && t.number(j).is_some() && clock_at(t, j).is_some_and(|(c, _)| !c.needs_zone && c.rule != "clock-dotted")
}

/// True where nothing before a number makes it something else than a clock.
fn clock_left(t: &Tokens, i: usize) -> bool {
    if i > 0 && matches!(t.mark(i - 1), Some('+' | '-' | '–')) && (i < 2 || matches!(t.kind(i - 2), Some(Kind::Text | Kind::Word(_)))) {
        // T+00:05, -00:10: from a start, not of the day
        let glued = i >= 2 && !matches!(t.kind(i - 2), Some(Kind::Space));
        return !glued && !t.is(i - 1, '+');
    }
    // the clock of a date that is none (`0001-01-01 00:00:00`)
    let number = |back: usize| i.checked_sub(back).is_some_and(|j| t.number(j).is_some());
    let joint = |back: usize| i.checked_sub(back).is_some_and(|j| matches!(t.mark(j), Some('-' | '/')));
    if i > 5 && t.kind(i - 1) == Some(Kind::Space) && number(2) && joint(3) && number(4) && joint(5) && number(6) {
        return false;
    }
    clean_left(t, i) || (i > 1 && t.is(i - 1, '/') && t.number(i - 2).is_some())
}

/// A date with the clock and zone that follow it.
fn with_clock(t: &Tokens, i: usize, mut day: Day, end: usize) -> Stamp {
    let mut stamp = Stamp { pieces: i..end, ..Stamp::default() };
    let mut found = None;
    if t.text(end) == "t" && t.number(end + 1).is_some() {
        found = after_t(t, end + 1).map(|f| (f, true));
    }
    if found.is_none() {
        let mut j = between(t, end);
        // `2022-05-03T 14:05`, and a zone before the clock
        let zone = zone_core(t, j).filter(|_| j > end);
        if let Some((_, _, e)) = &zone {
            let k = t.skip(*e);
            if clock_at(t, k).is_some() {
                j = k;
                let (zones, name, _) = zone.unwrap_or_default();
                (stamp.zones, stamp.abbreviation) = (zones, name);
            }
        }
        // a day's own dot or a range of days is not followed by a dotted clock unless something stands between
        let apart = j > end || part_at(t, j).is_some() || t.number(end - 1).is_none();
        let zoned = |c: &Time, e: usize| !c.needs_zone || zone_after(t, e, false).is_some();
        let takes = |c: &Time| !(c.rule == "clock-dotted" && c.weak && !announced(t, j) && !t.is(end, ',') && j == end);
        let blank_end = unknown_clock(t, t.skip(end)).max(unknown_clock(t, j));
        let blank = blank_end > j.max(t.skip(end)) || unknown_clock(t, t.skip(end)) > t.skip(end);
        found = clock_at(t, j).filter(|_| !blank).filter(|(c, e)| apart && takes(c) && zoned(c, *e)).map(|f| (f, false));
        if blank {
            stamp.pieces.end = blank_end;
        }
        if found.is_none()
            && let Some(_) = part_at(t, t.skip(end)).filter(|_| day.date.day.is_some())
        {
            // `12 月 18 日凌晨`: the part of the day belongs to what is written
            stamp.pieces.end = t.skip(end) + 1;
        }
    }
    if let Some(((time, e), iso)) = found {
        let seconds = time.clock.second.is_some();
        let mut e = e;
        if stamp.zones.is_empty()
            && let Some((zones, name, after)) = zone_after(t, e, iso || seconds)
        {
            (stamp.zones, stamp.abbreviation) = (zones, name);
            e = after;
        }
        // `Tue May 3 14:05:33 UTC 2022`
        let k = t.skip(e);
        if day.date.year.is_none()
            && day.date.month.is_some()
            && time.clock.second.is_some()
            && let Some(year) = super::date::year_of(t, k).filter(|_| k > e && clean_right(t, k + 1))
        {
            day.date.year = Some(super::value::Year::Known(year));
            e = k + 1;
        }
        stamp.time = Some(time);
        stamp.pieces.end = e;
    }
    stamp.day = Some(day);
    stamp
}

/// `--:--` after a date says that the clock is unknown: the piece after it.
fn unknown_clock(t: &Tokens, i: usize) -> usize {
    use super::date::unknown_pair;
    match unknown_pair(t, i) {
        Some(j) if t.is(j, ':') => unknown_pair(t, j + 1).unwrap_or(i),
        _ => i,
    }
}

/// A zone that is written as an offset and nothing else (`+09:00`, `UTC+9`).
pub fn offset_of(text: &str, words: &super::words::Words) -> Option<Zone> {
    let t = Tokens::new(text.trim(), words);
    signed(&t, 0, true).map(|(m, _)| Zone::Fixed(m)).or_else(|| zone_core(&t, 0).and_then(|z| z.0.into_iter().next()))
}
