//! Every date and clock mention of one block, as written: stamps, ranges, double readings, offsets from the entry before.

use super::clock::by_part;
use super::date::clean_right;
use super::stamp::{Stamp, announced, stamp, stamp_at};
use super::token::{Kind, Tokens};
use super::value::{Clock, Part};
use super::words::{DayPart, Sense, Unit, Words};
use std::ops::Range;

/// A mention as written.
#[derive(Clone, Debug, Default)]
pub struct Raw {
    /// Bytes of the block's text.
    pub range: Range<usize>,
    /// The stamp, or the beginning of a range.
    pub first: Stamp,
    /// The end of a range.
    pub until: Option<Stamp>,
    /// The same moment written once more, in another zone.
    pub others: Vec<(Stamp, Range<usize>)>,
    /// The bytes of the first stamp alone.
    pub alone: Range<usize>,
    /// Seconds after the entry before (`ten minutes later`).
    pub offset: Option<i64>,
    /// It counts only in a place for dates and clocks.
    pub weak: bool,
    /// `until` or `by` stands before it.
    pub before: bool,
    /// The kind of notation.
    pub rule: &'static str,
}

/// A zone that is named without a clock beside it, and where.
pub type LooseZone = (Range<usize>, Vec<super::zone::Zone>);

/// What a text holds.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Mentions, in order.
    pub mentions: Vec<Raw>,
    /// Zones named without a clock.
    pub zones: Vec<LooseZone>,
}

/// Reads a text. `masked` are ranges whose digits are no times (addresses, code), in order.
pub fn scan(text: &str, masked: &[Range<usize>], words: &Words) -> Found {
    let t = Tokens::new(text, words);
    let mut found = Found::default();
    let mut masks = masked.iter().peekable();
    // in capitals an abbreviation may as well be a word
    let shouted = !text.chars().any(char::is_lowercase) && text.chars().filter(|c| c.is_uppercase()).count() > 6;
    let mut i = 0;
    while i < t.list.len() {
        let at = t.range(i..i + 1);
        while masks.next_if(|m| m.end <= at.start).is_some() {}
        if masks.peek().is_some_and(|m| m.start <= at.start) || matches!(t.kind(i), Some(Kind::Space | Kind::Break)) {
            i += 1;
            continue;
        }
        if let Some(mut raw) = short_range(&t, i).or_else(|| mention(&t, i)).or_else(|| offset(&t, i)) {
            let end = raw.first.pieces.end.max(i + 1);
            raw.range = t.range(i..end);
            raw.before = before(&t, i);
            if masks.peek().is_none_or(|m| m.start >= raw.range.end) {
                found.mentions.push(raw);
                i = end;
                continue;
            }
        }
        if let Some((zones, _, end)) = super::stamp::zone_core(&t, i) {
            if clean_right(&t, end) && names_zone(&t, i, end, shouted) {
                found.zones.push((t.range(i..end), zones));
            }
            i = end;
            continue;
        }
        i += 1;
    }
    found
}

/// True where a zone without a clock is one for certain: in brackets, of several words, an offset, or an abbreviation that is no word.
fn names_zone(t: &Tokens, i: usize, end: usize, shouted: bool) -> bool {
    let bracketed = i > 0 && matches!(t.mark(i - 1), Some('(' | '[')) && matches!(t.mark(end), Some(')' | ']' | ','));
    let text = t.text(i);
    let word = t.sense(i, |s| if let Sense::Zone(_) = s { Some(()) } else { None }).is_some();
    let sure = if word { text.contains(' ') || text.chars().all(|c| !super::letters::is_letter(c)) } else { text.chars().count() > 2 };
    bracketed || (sure && (!shouted || matches!(text, "utc" | "gmt")))
}

/// True where a word for `until` or `by` stands before piece `i`.
fn before(t: &Tokens, i: usize) -> bool {
    let j = if i > 0 && t.kind(i - 1) == Some(Kind::Space) { i - 1 } else { i };
    j > 0 && t.means(j - 1, Sense::Before)
}

/// A stamp, with what belongs to it. `first.pieces.end` becomes the end of the whole mention.
fn mention(t: &Tokens, i: usize) -> Option<Raw> {
    let first = stamp_at(t, i)?;
    let mut raw = Raw { weak: first.is_weak(), rule: first.rule(), alone: t.range(first.pieces.clone()), first, ..Raw::default() };
    let mut end = raw.first.pieces.end;
    if let Some(day) = &raw.first.day
        && raw.first.time.is_none()
        && let Some(last) = day.last
    {
        let day = super::date::Day { date: last, last: None, ..day.clone() };
        raw.until = Some(Stamp { day: Some(day), ..Stamp::default() });
        raw.rule = "range";
    }
    if let Some((until, after)) = range_end(t, &mut raw.first, i) {
        end = after;
        let differ = !until.zones.is_empty() && !raw.first.zones.is_empty() && until.zones != raw.first.zones;
        if differ {
            let bytes = t.range(until.pieces.clone());
            raw.others.push((until, bytes));
            raw.rule = "readings";
        } else {
            raw.rule = "range";
            raw.weak = false;
            raw.until = Some(until);
        }
    }
    while raw.others.len() < 3
        && let Some((other, after)) = reading(t, &raw.first, end)
    {
        let bytes = t.range(other.pieces.clone());
        // the second reading may be a range as well, which says nothing new
        let mut other = other;
        end = range_end(t, &mut other, i).map_or(after, |(_, e)| e.max(after));
        if matches!(t.mark(end), Some(')' | ']')) && end == other.pieces.end {
            end += 1;
        }
        raw.others.push((other, bytes));
        raw.rule = "readings";
        raw.weak = false;
    }
    raw.first.pieces.end = end;
    Some(raw)
}

/// `| 14:23 PST`, `(02:23 PST)`, `/ 19:23 JST` after a stamp: the same moment again.
fn reading(t: &Tokens, first: &Stamp, at: usize) -> Option<(Stamp, usize)> {
    first.time.as_ref()?;
    let j = t.skip(at);
    let mark = t.mark(j).filter(|c| matches!(c, '|' | '/' | '(' | '=' | ',' | '[' | '·' | '–'))?;
    let mut k = t.skip(j + 1);
    if t.means(k, Sense::About) {
        k = t.skip(k + 1);
    }
    let other = stamp_at(t, k)?;
    other.time.as_ref()?;
    let bracket = matches!(mark, '(' | '[');
    let known = !other.zones.is_empty() && other.zones != first.zones && (!first.zones.is_empty() || bracket);
    if !known {
        return None;
    }
    let end = other.pieces.end;
    let end = if bracket && matches!(t.mark(end), Some(')' | ']')) { end + 1 } else { end };
    Some((other, end))
}

/// The end of a range whose beginning is `first`, and the piece after it. What is said once for both is given to both.
fn range_end(t: &Tokens, first: &mut Stamp, start: usize) -> Option<(Stamp, usize)> {
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
            // [06:45, 14:50)
            Some(',') => start > 0 && t.is(start - 1, '['),
            _ if t.means(j, Sense::To) || t.means(j, Sense::From) => true,
            _ if t.means(j, Sense::And) => opened(Sense::Between),
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
    if amount(first) && amount(&until) {
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
        || (t.means(end, Sense::Before) || t.means(end, Sense::To)) && t.text(end).chars().all(super::letters::is_free)
    {
        end = suffix + 1;
    }
    // `[06:45, 14:50) UTC`
    if until.zones.is_empty()
        && matches!(t.mark(end), Some(')' | ']'))
        && let Some((zones, name, after)) = super::stamp::zone_core(t, t.skip(end + 1))
    {
        (until.zones, until.abbreviation, end) = (zones, name, after);
    }
    share(first, &mut until);
    Some((until, end))
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

/// `23:15-30` and `14:49:41-51:02`: the end lacks what it shares with the beginning.
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
fn short_range(t: &Tokens, i: usize) -> Option<Raw> {
    let h = t.digits(i, 1, 2).filter(|h| *h <= 24)?;
    let j = t.skip(i + 1);
    if !matches!(t.mark(j), Some('-' | '–' | '~')) || !super::date::clean_left(t, i) {
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

/// `ten minutes later`: an offset from the entry before.
fn offset(t: &Tokens, i: usize) -> Option<Raw> {
    let n = t.count(i).filter(|n| *n <= 600)?;
    if t.number(i).is_some() && (!super::date::clean_left(t, i) || announced(t, i)) {
        return None;
    }
    let j = t.skip(i + 1);
    let seconds = match t.unit(j)? {
        Unit::Second => 1,
        Unit::Minute => 60,
        Unit::Hour => 3600,
        Unit::Day => 86_400,
        _ => return None,
    };
    let k = t.skip(j + 1);
    // `ten minutes later, …` at the head of a sentence counts from the entry before; `ten minutes after the change` does not
    let opens = i == 0
        || matches!(t.kind(i - 1), Some(Kind::Break | Kind::Mark('.' | ',' | '。' | '!' | '?' | '*')))
        || i > 1 && t.kind(i - 1) == Some(Kind::Space) && matches!(t.mark(i - 2), Some('.' | ',' | '!' | '?' | ':' | '–' | '-'));
    let closes = t.text(k).chars().next_back().is_some_and(super::letters::is_free)
        || matches!(t.mark(k + 1), Some(',' | '.' | ':' | ';'))
        || matches!(t.kind(k + 1), None | Some(Kind::Break));
    if !t.means(k, Sense::After) || !opens || !closes {
        return None;
    }
    let first = Stamp { pieces: i..k + 1, ..Stamp::default() };
    Some(Raw { alone: t.range(i..k + 1), first, offset: Some(i64::from(n) * seconds), rule: "offset", ..Raw::default() })
}
