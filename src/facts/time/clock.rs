//! Clocks as they are written: with colons, with words or letters after the numbers, with parts of the day.

use super::date::{clean_right, unknown_pair};
use super::spoken::{more, past_midnight, spoken};
use super::token::{Kind, Tokens};
use super::value::{Clock, Part};
use super::words::{DayPart, Sense, Unit};

/// A clock as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time {
    /// Its value.
    pub clock: Clock,
    /// The part of the day that was taken into account.
    pub part: Option<DayPart>,
    /// It is a clock only beside a date, after a word for clocks, or in a place for clocks.
    pub weak: bool,
    /// It is a clock only with a zone.
    pub needs_zone: bool,
    /// Kind of notation.
    pub rule: &'static str,
}

/// The numbers of a clock and the piece after them.
pub(super) struct Core {
    pub clock: Clock,
    pub weak: bool,
    pub needs_zone: bool,
    pub rule: &'static str,
    pub end: usize,
}

/// The part of the day named at `i`.
pub fn part_at(t: &Tokens, i: usize) -> Option<DayPart> {
    t.sense(i, |s| if let Sense::Part(p) = s { Some(p) } else { None })
}

/// The clock that begins at piece `i` (with the part of the day before or after it), and the piece after it.
pub fn clock_at(t: &Tokens, i: usize) -> Option<(Time, usize)> {
    let before = part_at(t, i);
    let start = if before.is_some() { t.skip(if t.is(i + 1, '.') { i + 2 } else { i + 1 }) } else { i };
    let Some(core) = core(t, start, before.is_some()) else {
        // `noon`, `midnight`
        let hour = match before? {
            DayPart::Noon => 12,
            DayPart::Midnight => 0,
            _ => return None,
        };
        let clock = Clock { hour: Part::Known(hour), minute: None, second: None };
        return Some((Time { clock, part: before, weak: true, needs_zone: false, rule: "clock-word" }, i + 1));
    };
    let mut end = core.end;
    let mut part = before;
    if part.is_none() && core.clock.hour.known().is_some_and(|h| (1..=12).contains(&h) || h == 0) {
        let k = t.skip(end);
        if let Some(after) = part_at(t, k)
            && (matches!(after, DayPart::Am | DayPart::Pm) || t.words().part_follows || t.text(k).contains(' '))
        {
            part = Some(after);
            end = k + 1;
            if t.is(end, '.') && t.text(k).contains('.') {
                end += 1;
            }
        }
    }
    if core.rule == "clock-part" && part.is_none() {
        return None;
    }
    if matches!(t.kind(end), Some(Kind::Text | Kind::Word(_))) && !clean_right(t, end) && !is_zone_letter(t, end) {
        return None;
    }
    let mut clock = core.clock;
    if let (Some(h), Some(p)) = (clock.hour.known(), part) {
        clock.hour = Part::Known(by_part(h, p));
    }
    let weak = core.weak && part.is_none();
    Some((Time { clock, part, weak, needs_zone: core.needs_zone, rule: core.rule }, end))
}

/// Letters glued to a clock that may be its zone.
fn is_zone_letter(t: &Tokens, i: usize) -> bool {
    super::stamp::zone_core(t, i).is_some()
}

/// The hour of the day of an hour on the dial, by a part of the day.
pub fn by_part(h: u8, part: DayPart) -> u8 {
    use DayPart::{Afternoon, Am, Dawn, Evening, Midnight, Morning, Night, Noon, Pm};
    match part {
        Am | Dawn | Midnight if h == 12 => 0,
        Am | Dawn | Midnight | Morning => h,
        Pm if h == 0 => 12,
        Pm | Afternoon if h < 12 => h + 12,
        Noon if (1..=3).contains(&h) => h + 12,
        Evening if (4..12).contains(&h) => h + 12,
        Evening | Night if h == 12 => 0,
        Night if (6..12).contains(&h) => h + 12,
        _ => h,
    }
}

/// Two digits, of which one or both may be unknown; the piece after them.
fn pair(t: &Tokens, i: usize, limit: u8) -> Option<(Part, usize)> {
    if let Some(n) = t.digits(i, 2, 2) {
        return (n < u32::from(limit)).then_some((Part::Known(n as u8), i + 1));
    }
    if let Some(n) = t.digits(i, 1, 1)
        && n < 6
        && (t.text(i + 1) == "x" || t.is(i + 1, '?'))
    {
        return Some((Part::Tens(n as u8), i + 2));
    }
    unknown_pair(t, i).map(|end| (Part::Unknown, end))
}

fn core(t: &Tokens, i: usize, after_part: bool) -> Option<Core> {
    let hour = t.digits(i, 1, 2).filter(|h| *h <= 24);
    if let Some(found) =
        colons(t, i, hour).or_else(|| past_midnight(t, i)).or_else(|| by_words(t, i, hour, after_part)).or_else(|| spoken(t, i))
    {
        return Some(more(t, found));
    }
    let plain = |clock, weak, needs_zone, rule, end| Some(Core { clock, weak, needs_zone, rule, end });
    // 9am, and `nine am`
    let h = hour.or_else(|| t.count(i)).filter(|h| (1..=12).contains(h))? as u8;
    if matches!(part_at(t, t.skip(i + 1)), Some(DayPart::Am | DayPart::Pm))
        || (part_at(t, t.skip(i + 1)).is_some() && t.words().part_follows && !after_part)
    {
        return plain(Clock { hour: Part::Known(h), minute: None, second: None }, false, false, "clock-part", i + 1);
    }
    None
}

/// `14:05`, `9:05:30.123`, `14:??`, `01:5X`.
fn colons(t: &Tokens, i: usize, hour: Option<u32>) -> Option<Core> {
    let (hour, mut j) = match hour {
        Some(h) => (Part::Known(h as u8), i + 1),
        None => (Part::Unknown, unknown_pair(t, i).filter(|e| t.is(*e, ':'))?),
    };
    if !t.is(j, ':') {
        return dotted(t, i, hour, j).or_else(|| torn(t, hour, j));
    }
    let Some((minute, end)) = pair(t, j + 1, 60) else { return torn(t, hour, j) };
    if hour == Part::Unknown && minute.known().is_none() {
        return None;
    }
    let mut clock = Clock { hour, minute: Some(minute), second: None };
    j = end;
    if t.is(j, ':')
        && let Some(s) = t.digits(j + 1, 2, 2)
    {
        if s > 60 {
            return None;
        }
        clock.second = Some(s as u8);
        j += 2;
        // fractions of a second: digits that are read and not kept
        if matches!(t.mark(j), Some('.' | ',')) && t.number(j + 1).is_some() {
            j += 2;
        }
    }
    let hex = |k: usize| t.text(k).len() <= 4 && t.text(k).chars().all(|c| c.is_ascii_hexdigit());
    let goes_on =
        t.is(j, ':') && (t.number(j + 1).is_some() || (matches!(t.kind(j + 1), Some(Kind::Text)) && hex(j + 1)) || t.is(j + 1, ':'));
    let number = matches!(t.mark(j), Some('.' | '/')) && t.number(j + 1).is_some() && !(t.is(j, '/') && t.is(j + 2, ':'));
    if goes_on || number || matches!(t.mark(j), Some('%' | '_')) {
        return None;
    }
    // `00:45 h`, `1:30 hours`: a duration, unless the place says otherwise
    let k = t.skip(j);
    let unit = matches!(t.unit(k), Some(Unit::Hour | Unit::Minute | Unit::Second | Unit::Day));
    let hour_word = t.means(k, Sense::Hour);
    if unit && !hour_word {
        return None;
    }
    if hour_word {
        j = k + 1;
    }
    if clock.hour == Part::Known(24) {
        let zero = clock.minute == Some(Part::Known(0)) && clock.second.unwrap_or(0) == 0;
        return zero.then_some(Core { clock, weak: false, needs_zone: false, rule: "clock", end: j });
    }
    let short = t.number(i).is_some_and(|n| n.1 == 1);
    let weak = (unit && hour_word) || (short && clock.second.is_none()) || (hour == Part::Unknown);
    Some(Core { clock, weak, needs_zone: false, rule: "clock", end: j })
}

/// `14.05`, which is a clock only after a word for clocks, before one, or beside a date.
fn dotted(t: &Tokens, i: usize, hour: Part, j: usize) -> Option<Core> {
    if !t.is(j, '.') {
        return None;
    }
    let minute = t.digits(j + 1, 2, 2).filter(|m| *m < 60)? as u8;
    let mut end = j + 2;
    let mut second = None;
    if t.is(end, '.')
        && let Some(s) = t.digits(end + 1, 2, 2).filter(|s| *s < 60)
    {
        second = Some(s as u8);
        end += 2;
    }
    if !clean_right(t, end) && part_at(t, end).is_none() || hour.known()? > 23 || t.number(i)?.1 == 0 {
        return None;
    }
    let clock = Clock { hour, minute: Some(Part::Known(minute)), second };
    let k = t.skip(end);
    let word = t.means(k, Sense::Hour);
    let sure = word && t.unit(k).is_none();
    Some(Core { clock, weak: !sure, needs_zone: false, rule: "clock-dotted", end: if word { k + 1 } else { end } })
}

/// Translations tear clocks apart: hour, colon, words for the zone and the part of the day, then the minute with the hour's word.
fn torn(t: &Tokens, hour: Part, at: usize) -> Option<Core> {
    if !t.is(at, ':') {
        return None;
    }
    let h = hour.known()?;
    let mut j = t.skip(at + 1);
    let mut part = None;
    let mut words = 0;
    while words < 5 {
        let zone = t.sense(j, |s| if let Sense::Zone(_) = s { Some(()) } else { None }).is_some();
        let day = part_at(t, j);
        // a letter or two of a script without spaces may belong to the zone's name
        let stray = !zone && day.is_none() && matches!(t.kind(j), Some(Kind::Text)) && t.text(j).chars().all(super::letters::is_free);
        if !zone && day.is_none() && !stray {
            break;
        }
        part = part.or(day);
        words += 1;
        j = t.skip(j + 1);
    }
    part?;
    let minute = t.digits(j, 1, 2).filter(|m| *m < 60)? as u8;
    let mut end = j + 1;
    if t.means(t.skip(end), Sense::Hour) {
        end = t.skip(end) + 1;
    }
    let h = part.map_or(h, |p| if (1..=12).contains(&h) { by_part(h, p) } else { h });
    Some(Core { clock: Clock::new(h.min(23), minute), weak: false, needs_zone: false, rule: "clock-torn", end })
}

/// `14h05`, `14 h 05`, `9 Uhr`, `9時05分`, `7点半`.
fn by_words(t: &Tokens, i: usize, hour: Option<u32>, after_part: bool) -> Option<Core> {
    let hour = hour?;
    let glued = t.means(i + 1, Sense::Hour);
    // `12-ej`, `14-kor`
    let w = if t.is(i + 1, '-') && t.means(i + 2, Sense::Hour) { i + 2 } else { t.skip(i + 1) };
    if !t.means(w, Sense::Hour) {
        return None;
    }
    let unit = t.unit(w) == Some(Unit::Hour);
    let mut clock = Clock { hour: Part::Known(hour as u8), minute: None, second: None };
    let mut end = w + 1;
    // a letter glued to what follows as part of a word is no hour
    if glued && matches!(t.kind(end), Some(Kind::Text)) && !clean_right(t, end) {
        return None;
    }
    let m = t.skip(end);
    let minute_word = |k: usize| t.means(t.skip(k), Sense::Minute);
    let mut weak = unit && !after_part;
    if let Some(n) = t.digits(m, 1, 2).filter(|n| *n < 60) {
        let two = t.number(m).is_some_and(|n| n.1 == 2);
        let tight = m == end;
        if minute_word(m + 1) {
            let k = t.skip(m + 1);
            clock.minute = Some(Part::Known(n as u8));
            end = k + 1;
            // a word that is no unit of durations makes it a clock
            weak &= t.unit(k) == Some(Unit::Minute);
            if let Some(s) = t.digits(t.skip(end), 1, 2).filter(|s| *s < 60)
                && t.means(t.skip(t.skip(end) + 1), Sense::Second)
            {
                clock.second = Some(s as u8);
                end = t.skip(t.skip(end) + 1) + 1;
            }
        } else if two && (tight || !unit) && clean_right(t, m + 1) {
            clock.minute = Some(Part::Known(n as u8));
            end = m + 1;
            weak &= hour < 10 && t.number(i).is_some_and(|n| n.1 == 1);
        } else if two && glued_spaced(t, i, w, m) && clean_right(t, m + 1) {
            // `14 h 05`
            clock.minute = Some(Part::Known(n as u8));
            end = m + 1;
        }
    } else if let Some(n) = t.sense(m, |s| if let Sense::Number(n) = s { Some(n) } else { None }).filter(|n| (15..60).contains(n)) {
        clock.minute = Some(Part::Known(n as u8));
        end = m + 1;
    } else if let Some((Part::Unknown, k)) = pair(t, m, 60).filter(|_| t.is(m, '?')) {
        clock.minute = Some(Part::Unknown);
        end = k;
    }
    // `24h` is a day long
    if clock.hour == Part::Known(24) && clock.minute != Some(Part::Known(0)) {
        return None;
    }
    // `3点` may be three points, `9 h` nine hours
    let weak = weak || (clock.minute.is_none() && !after_part && t.text(w).chars().count() == 1);
    Some(Core { clock, weak, needs_zone: false, rule: "clock-words", end })
}

/// Spaces on both sides of the hour's letter: `14 h 05`.
fn glued_spaced(t: &Tokens, i: usize, w: usize, m: usize) -> bool {
    w == i + 2 && m == w + 2 && t.text(w).chars().count() <= 2
}

/// The clock right after the `T` of a stamp: `14:05:00`, `1405`, `140500`, `14`.
pub fn after_t(t: &Tokens, i: usize) -> Option<(Time, usize)> {
    let made = |clock, end| Some((Time { clock, part: None, weak: false, needs_zone: false, rule: "iso" }, end));
    if let Some((v, n @ (4 | 6))) = t.number(i) {
        let (h, m, s) = if n == 4 { (v / 100, v % 100, None) } else { (v / 10_000, v / 100 % 100, Some((v % 100) as u8)) };
        if h > 24 || m > 59 || s.is_some_and(|s| s > 60) {
            return None;
        }
        let mut end = i + 1;
        if matches!(t.mark(end), Some('.' | ',')) && t.number(end + 1).is_some() {
            end += 2;
        }
        return made(Clock { hour: Part::Known(h as u8), minute: Some(Part::Known(m as u8)), second: s }, end);
    }
    let h = t.digits(i, 2, 2).filter(|h| *h <= 24);
    if let Some(found) = colons(t, i, h).filter(|c| c.rule == "clock") {
        return made(found.clock, found.end);
    }
    h.and_then(|h| made(Clock { hour: Part::Known(h as u8), minute: None, second: None }, i + 1))
}
