//! Every date and clock mention of one block, as written: stamps, ranges, double readings, offsets from the entry before.

use super::date::{Day, clean_right};
use super::elapsed::{elapsed, offset};
use super::range::{range_end, short_range};
use super::stamp::{Stamp, stamp_at};
use super::token::{Kind, Tokens};
use super::value::Part;
use super::words::{Sense, Words};
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
    /// The seconds of `offset` are counted from the beginning of the incident (`T+5`), not from the entry before.
    pub from_start: bool,
    /// It counts only in a place for dates and clocks.
    pub weak: bool,
    /// `until` or `by` stands before it.
    pub before: bool,
    /// A word that may close a range (`until`) stands before it.
    pub closes: bool,
    /// Where the words begin that say `about`, `at` or `by` before it; its own beginning where there are none.
    pub opening: usize,
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
        if matches!(t.kind(i), Some(Kind::Space | Kind::Break)) || is_plain(&t, i) {
            i += 1;
            continue;
        }
        let at = t.range(i..i + 1);
        while masks.next_if(|m| m.end <= at.start).is_some() {}
        if masks.peek().is_some_and(|m| m.start <= at.start) {
            i += 1;
            continue;
        }
        if let Some(mut raw) = short_range(&t, i).or_else(|| mention(&t, i)).or_else(|| offset(&t, i)).or_else(|| elapsed(&t, i)) {
            let end = raw.first.pieces.end.max(i + 1);
            raw.range = t.range(i..end);
            raw.opening = opening(&t, i);
            raw.before = stands_before(&t, i, Sense::Before);
            raw.closes = raw.before && stands_before(&t, i, Sense::To);
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

/// True for a word or mark that no mention begins with, which is most of a text: none of the calendar, no abbreviation, no `Area/City`; no mark of what is
/// unknown or counted.
fn is_plain(t: &Tokens, i: usize) -> bool {
    match t.kind(i) {
        Some(Kind::Text) => {
            !t.is(i + 1, '/')
                && !super::zone::may_abbreviate(t.written(i))
                && (t.written(i).len() > 5 || !matches!(t.text(i), "xx" | "t" | "z"))
        }
        Some(Kind::Mark(c)) => !matches!(c, '?' | '-' | '–' | '_' | '+'),
        _ => false,
    }
}

/// True where a zone without a clock is one for certain: in brackets, of several words, an offset, or an abbreviation that is no word.
fn names_zone(t: &Tokens, i: usize, end: usize, shouted: bool) -> bool {
    let bracketed = i > 0 && matches!(t.mark(i - 1), Some('(' | '[')) && matches!(t.mark(end), Some(')' | ']' | ','));
    let text = t.text(i);
    let word = t.sense(i, |s| if let Sense::Zone(_) = s { Some(()) } else { None }).is_some();
    let sure = if word { text.contains(' ') || text.chars().all(|c| !super::letters::is_letter(c)) } else { text.chars().count() > 2 };
    // `US/Pacific`, `UTC+7`
    let composed = end > i + 1;
    bracketed || composed || (sure && (!shouted || matches!(text, "utc" | "gmt")))
}

/// True where a word of some sense stands before piece `i`.
fn stands_before(t: &Tokens, i: usize, sense: Sense) -> bool {
    let mut j = i;
    // `until about 14:05`
    for _ in 0..2 {
        j = if j > 0 && t.kind(j - 1) == Some(Kind::Space) { j - 1 } else { j };
        if j > 0 && t.means(j - 1, sense) {
            return true;
        }
        if j == 0 || !t.senses(j - 1).iter().any(|s| matches!(s, Sense::About | Sense::At)) {
            return false;
        }
        j -= 1;
    }
    false
}

/// Where the words (`ca.`, `by about`) begin that stand before piece `i`.
fn opening(t: &Tokens, i: usize) -> usize {
    let mut from = i;
    for _ in 0..3 {
        let mut j = if from > 0 && t.kind(from - 1) == Some(Kind::Space) { from - 1 } else { from };
        j = if j > 0 && t.is(j - 1, '.') { j - 1 } else { j };
        let said = |s: &Sense| matches!(s, Sense::About | Sense::At | Sense::Before | Sense::After);
        if j == 0 || !t.senses(j - 1).iter().any(said) {
            break;
        }
        from = j - 1;
    }
    t.range(from..from).start
}

/// A stamp, with what belongs to it. `first.pieces.end` becomes the end of the whole mention.
fn mention(t: &Tokens, i: usize) -> Option<Raw> {
    let mut first = stamp_at(t, i)?;
    if let Some((day, end)) = marked_day(t, &first) {
        (first.day, first.pieces.end) = (Some(day), end);
    }
    let mut raw = Raw { weak: first.is_weak(), rule: first.rule(), alone: t.range(first.pieces.clone()), first, ..Raw::default() };
    let mut end = raw.first.pieces.end;
    // `00:14:05` alone is as likely how long something took
    if let Some(time) = &raw.first.time
        && raw.first.day.is_none()
        && raw.first.zones.is_empty()
        && time.rule == "clock"
        && time.clock.hour == Part::Known(0)
        && time.clock.second.is_some()
        && !super::stamp::announced(t, i)
    {
        (raw.weak, raw.rule) = (true, "clock-length");
    }
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

/// `00:10 (next day)`: a mark in brackets that gives the clock before it its day.
fn marked_day(t: &Tokens, stamp: &Stamp) -> Option<(Day, usize)> {
    stamp.time.as_ref().filter(|_| stamp.day.is_none())?;
    let open = t.skip(stamp.pieces.end);
    t.mark(open).filter(|c| matches!(c, '(' | '['))?;
    let (day, end) = super::date::date_at(t, open + 1)?;
    (day.shift.is_some_and(|s| s.1) && matches!(t.mark(end), Some(')' | ']'))).then_some((day, end + 1))
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
