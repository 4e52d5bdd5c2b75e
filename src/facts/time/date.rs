//! Dates as they are written: in digits, with names of months, with words after the numbers.

use super::letters::{is_free, is_letter};
use super::named::{day_first, day_range, month_first};
use super::token::{Kind, Tokens};
use super::value::{Date, Part, Year};
use super::words::Sense;

/// A date as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Day {
    /// What it states.
    pub date: Date,
    /// Two numbers of which one is the day and the other the month, as written; `date` lacks both then.
    pub order: Option<(u8, u8)>,
    /// Whether the numbers themselves tell that the day stands first (`31/05`) or last (`05/31`).
    pub day_first: Option<bool>,
    /// The day of the week beside it (or alone), Monday is 0.
    pub weekday: Option<u8>,
    /// Told relative to the day of writing (`false`) or to the entry before (`true`).
    pub shift: Option<(i8, bool)>,
    /// The last day, where the date is a range of days.
    pub last: Option<Date>,
    /// It is a date only with a clock beside it or in a place for dates.
    pub weak: bool,
    /// Two numbers with a dot between them and nothing more: a date only in a place for dates.
    pub dotted: bool,
    /// The kind of notation.
    pub rule: &'static str,
}

impl Day {
    /// True where the day cannot be: the 31st of a month of 30 days.
    pub fn impossible(&self) -> bool {
        let (Some(m), Some(d)) = (self.date.month.and_then(Part::known), self.date.day.and_then(Part::known)) else { return false };
        let year = if let Some(Year::Known(y)) = self.date.year { y } else { 2024 };
        Date::new(year, m, d).civil().is_none()
    }
}

/// A plausible year of a report.
pub fn year_of(t: &Tokens, i: usize) -> Option<i16> {
    let year = t.digits(i, 4, 4)? as i16;
    // nothing else is counted so far ahead
    let year = if (2513..2643).contains(&year) { year - 543 } else { year };
    let year = t.words().ahead.filter(|n| (1970 - n..2100 - n).contains(&year)).map_or(year, |n| year + n);
    (1970..2100).contains(&year).then_some(year)
}

/// A month's number.
pub fn month_number(t: &Tokens, i: usize) -> Option<u8> {
    t.digits(i, 1, 2).filter(|m| (1..=12).contains(m)).map(|m| m as u8)
}

/// A day of a month.
pub fn day_number(t: &Tokens, i: usize) -> Option<u8> {
    t.digits(i, 1, 2).filter(|d| (1..=31).contains(d)).map(|d| d as u8)
}

/// A mark between the numbers of a date, and what follows it.
fn separator(t: &Tokens, i: usize) -> Option<(char, usize)> {
    match t.mark(i)? {
        c @ ('-' | '/') => Some((c, i + 1)),
        '–' => Some(('-', i + 1)),
        '.' => Some(('.', t.skip(i + 1))),
        _ => None,
    }
}

/// True where nothing before the piece `i` makes it part of a name, a number or an address.
pub fn clean_left(t: &Tokens, i: usize) -> bool {
    if i == 0 {
        return true;
    }
    let before_mark = i.checked_sub(2).and_then(|j| t.kind(j));
    match t.kind(i - 1) {
        Some(Kind::Number(..)) => false,
        Some(Kind::Text | Kind::Word(_)) => !t.text(i - 1).chars().next_back().is_some_and(is_letter),
        Some(Kind::Mark(c)) => match c {
            '_' | '#' | '$' | '€' | '£' | '¥' | '\\' | '&' | '%' | '±' | '+' | '<' => {
                c == '<' && matches!(before_mark, None | Some(Kind::Space))
            }
            '.' | '/' | '–' | '-' | '=' | ':' | '@' => match before_mark {
                None | Some(Kind::Space | Kind::Break) => c != '/' && c != '.',
                Some(Kind::Text | Kind::Word(_)) => {
                    (c == ':' && !(i > 2 && matches!(t.mark(i - 3), Some('.' | '-' | '_'))))
                        || c == '–'
                        || t.text(i - 2).chars().next_back().is_some_and(is_free) && c != '.'
                }
                Some(Kind::Mark(m)) => matches!(m, ')' | ']' | '*' | '"' | '|') || (c == '-' && m == '-'),
                Some(Kind::Number(..)) => c == '–',
            },
            _ => true,
        },
        _ => true,
    }
}

/// True where nothing after the piece before `i` makes it part of a name, a number or an address.
pub fn clean_right(t: &Tokens, i: usize) -> bool {
    let next = t.kind(i + 1);
    let short_suffix = || {
        t.text(i + 1).chars().count() <= 5
            && !t.is(i + 2, '-')
            && !t.is(i + 2, '_')
            && !(t.is(i + 2, '.') && matches!(t.kind(i + 3), Some(Kind::Text)))
    };
    match t.kind(i) {
        Some(Kind::Number(..)) => false,
        Some(Kind::Text | Kind::Word(_)) => t.text(i).chars().next().is_none_or(|c| !is_letter(c)),
        Some(Kind::Mark(c)) => match c {
            '_' | '%' | '°' => false,
            '.' | '/' | ',' => {
                !matches!(next, Some(Kind::Number(..)))
                    && !(c != ',' && matches!(next, Some(Kind::Text)) && t.text(i + 1).chars().next().is_some_and(is_letter))
            }
            '-' => match next {
                Some(Kind::Text | Kind::Word(_)) => short_suffix() || t.text(i + 1).chars().next().is_some_and(is_free),
                Some(Kind::Number(..)) => true,
                _ => true,
            },
            _ => true,
        },
        _ => true,
    }
}

/// The date that begins at piece `i`, and the piece after it.
pub fn date_at(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let weekday = t.sense(i, |s| if let Sense::Weekday(w) = s { Some(w) } else { None });
    if let Some(weekday) = weekday
        && t.month(i).is_none()
    {
        return Some(after_weekday(t, i, weekday));
    }
    if let Some((n, relative)) = t.sense(i, |s| if let Sense::Day(n, r) = s { Some((n, r)) } else { None }) {
        // `翌1:15`, but not `翌週`
        let lone = t.text(i).chars().count() == 1 && t.text(i).chars().all(is_free);
        if lone && t.number(t.skip(i + 1)).is_none() {
            return None;
        }
        return Some((Day { shift: Some((n, relative)), weak: true, rule: "day-word", ..Day::default() }, i + 1));
    }
    let found = if t.month(i).is_some() {
        month_first(t, i)
    } else if t.number(i).is_some() && clean_left(t, i) {
        super::wordy::by_words(t, i)
            .or_else(|| super::solar::at(t, i))
            .or_else(|| year_first(t, i))
            .or_else(|| day_first(t, i))
            .or_else(|| numeric(t, i))
    } else {
        None
    };
    found.filter(|(day, _)| !day.date.is_empty() || day.order.is_some())
}

/// A weekday, with the date after it if there is one.
fn after_weekday(t: &Tokens, i: usize, weekday: u8) -> (Day, usize) {
    let mut j = i + 1;
    if t.is(j, '.') || t.is(j, ',') {
        j += 1;
    }
    if t.is(j, ',') {
        j += 1;
    }
    j = t.skip(j);
    if matches!(t.kind(j), Some(Kind::Text)) && t.text(j).chars().count() <= 3 {
        j = t.skip(j + 1);
    }
    let is_weekday = |k: usize| t.sense(k, |s| if let Sense::Weekday(w) = s { Some(w) } else { None }).is_some();
    if !is_weekday(j)
        && let Some((mut day, end)) = date_at(t, j)
        && day.shift.is_none()
    {
        day.weekday = Some(weekday);
        return (day, end);
    }
    (Day { weekday: Some(weekday), weak: true, rule: "weekday", ..Day::default() }, i + 1)
}

/// `2022-05-03`, `2022/5/3`, `2022. 5. 3.`, `2022-05`, `2022-05-??`, `2022. május 3.`, `2018-Sep-05`.
fn year_first(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    if let Some(8) = t.number(i).map(|n| n.1) {
        return basic(t, i);
    }
    let (year, at) = match year_of(t, i) {
        Some(y) => (Year::Known(y), i + 1),
        // 202X-05-03
        None => {
            let tens = t.digits(i, 3, 3).filter(|d| (197..210).contains(d))?;
            let unknown = t.is(i + 1, '?') || t.text(i + 1) == "x";
            if !unknown || !t.is(i + 2, '-') {
                return None;
            }
            (Year::Decade(tens as i16), i + 2)
        }
    };
    let mut day = Day { date: Date { year: Some(year), ..Date::default() }, rule: "year-month-day", ..Day::default() };
    if let Some((sep, j)) = separator(t, at)
        && let Some(m) = month_number(t, j)
    {
        day.date.month = Some(Part::Known(m));
        if let Some((second, k)) = separator(t, j + 1).filter(|(s, _)| *s == sep) {
            if let Some(d) = day_number(t, k) {
                let iso = t.text(k + 1) == "t" && t.number(k + 2).is_some();
                if iso || clean_right(t, k + 1) {
                    day.date.day = Some(Part::Known(d));
                    return Some((day, k + 1));
                }
                return None;
            }
            if second == '-'
                && let Some(end) = unknown_pair(t, k)
            {
                day.date.day = Some(Part::Unknown);
                return Some((day, end));
            }
        }
        let two = t.number(j).is_some_and(|n| n.1 == 2);
        if two && sep != '.' && clean_right(t, j + 1) && !matches!(t.mark(j + 1), Some('-' | '/')) {
            day.rule = "year-month";
            return Some((day, j + 1));
        }
        return None;
    }
    // a name follows: `2022. május 3`, `2022 May 3`, `2018-Sep-05`
    let mut j = at;
    if t.means(t.skip(j), Sense::DateYear) {
        j = t.skip(j) + 1;
    }
    if matches!(t.mark(j), Some('-' | '/' | '.' | ',')) {
        j += 1;
    }
    j = t.skip(j);
    let month = t.month(j)?;
    day.date.month = Some(Part::Known(month));
    day.rule = "year-month-name";
    let mut k = j + 1;
    if matches!(t.mark(k), Some('-' | '/' | '.')) {
        k += 1;
    }
    k = t.skip(k);
    match day_number(t, k).filter(|_| !starts_clock(t, k)) {
        Some(d) => {
            day.date.day = Some(Part::Known(d));
            let mut end = ordinal(t, k + 1);
            if let Some((last, after)) = day_range(t, end, d) {
                day.last = Some(Date { day: Some(Part::Known(last)), ..day.date });
                end = after;
            }
            Some((day, end))
        }
        None => Some((day, j + 1)),
    }
}

/// `20220503T140500`.
fn basic(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let n = t.digits(i, 8, 8)?;
    let (y, m, d) = (n / 10_000, n / 100 % 100, n % 100);
    let stamp = t.text(i + 1) == "t" && t.number(i + 2).is_some_and(|n| matches!(n.1, 2 | 4 | 6));
    let sound = (1970..2100).contains(&y) && (1..=12).contains(&m) && (1..=31).contains(&d);
    let date = Date::new(y as i16, m as u8, d as u8);
    (sound && stamp).then(|| (Day { date, rule: "year-month-day", ..Day::default() }, i + 1))
}

/// `5.5.2026`, `05/06/2022`, `29-07-2026`, and without a year `09/28`, `28.06.`.
fn numeric(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let a = t.digits(i, 1, 2).filter(|n| (1..=31).contains(n))? as u8;
    let (sep, j) = separator(t, i + 1)?;
    let b = t.digits(j, 1, 2).filter(|n| (1..=31).contains(n))? as u8;
    let mut day = Day { rule: "numeric", ..Day::default() };
    day.day_first = if sep == '.' || a == b { None } else { Some(a > 12).filter(|_| a > 12 || b > 12) };
    match (a, b) {
        _ if a > 12 && b > 12 => return None,
        // dots stand between day and month, in this order, wherever the year does not stand first
        _ if sep == '.' && t.words().year_first && !matches!(separator(t, j + 1), Some(('.', k)) if t.number(k).is_some()) => {
            (day.date.month, day.date.day) = (Some(Part::Known(a)), Some(Part::Known(b)));
        }
        _ if sep == '.' || a > 12 || a == b => (day.date.day, day.date.month) = (Some(Part::Known(a)), Some(Part::Known(b))),
        _ if b > 12 => (day.date.month, day.date.day) = (Some(Part::Known(a)), Some(Part::Known(b))),
        _ => day.order = Some((a, b)),
    }
    if day.date.month.and_then(Part::known).is_some_and(|m| m > 12) {
        return None;
    }
    if let Some((_, k)) = separator(t, j + 1).filter(|(s, _)| *s == sep) {
        if let Some(y) = year_of(t, k) {
            day.date.year = Some(Year::Known(y));
            return clean_right(t, k + 1).then_some((day, k + 1));
        }
        if let Some(y) = t.digits(k, 2, 2).filter(|_| clean_right(t, k + 1)) {
            day.date.year = Some(Year::Known(if y < 70 { 2000 } else { 1900 } + y as i16));
            day.weak = sep != '/';
            return Some((day, k + 1));
        }
    }
    // `14.05 Uhr`, `um 14.05` are clocks
    let zoned = || a < 24 && t.number(j).is_some_and(|n| n.1 == 2) && super::stamp::zone_core(t, t.skip(j + 1)).is_some();
    if sep == '.' && (t.means(t.skip(j + 1), Sense::Hour) || super::stamp::after_at(t, i) || zoned()) && !t.is(j + 1, '.') {
        return None;
    }
    // without a year it needs a clock beside it
    day.weak = true;
    day.rule = "numeric-no-year";
    let mut end = j + 1;
    // `2. 4` is an item's number and a number; `2. 4.` is a date
    if sep == '.' && j > i + 2 && !t.is(end, '.') {
        return None;
    }
    if sep == '.' && t.is(end, '.') && !matches!(t.kind(end + 1), Some(Kind::Number(..) | Kind::Text)) {
        end += 1;
    }
    day.dotted = sep == '.' && end == j + 1;
    let padded = t.number(i).is_some_and(|n| n.1 == 2) && t.number(j).is_some_and(|n| n.1 == 2);
    (clean_right(t, end) && (sep != '-' || padded) && !matches!(t.mark(end), Some('/' | '.' | '-' | ':')) || (end > j + 1))
        .then_some((day, end))
}

/// Skips what may follow the number of a day: `rd`, `-án`, the word for day.
pub fn ordinal(t: &Tokens, i: usize) -> usize {
    if t.means(t.skip(i), Sense::DateDay) {
        return ordinal(t, t.skip(i) + 1);
    }
    if t.means(i, Sense::Ordinal) {
        return i + 1;
    }
    if matches!(t.mark(i), Some('-' | '\'')) && t.means(i + 1, Sense::Ordinal) {
        return i + 2;
    }
    i
}

/// True where the number at `i` begins a clock rather than being a day or a year.
pub fn starts_clock(t: &Tokens, i: usize) -> bool {
    let next = t.skip(i + 1);
    (t.is(i + 1, ':') && t.number(i + 2).is_some())
        || t.means(next, Sense::Hour)
        || t.sense(next, |s| matches!(s, Sense::Part(super::words::DayPart::Am | super::words::DayPart::Pm)).then_some(())).is_some()
}

/// `??`, `XX`, `--`: two digits that are said to be unknown; the piece after them.
pub fn unknown_pair(t: &Tokens, i: usize) -> Option<usize> {
    if t.text(i) == "xx" {
        return Some(i + 1);
    }
    let c = t.mark(i).filter(|c| matches!(c, '?' | '-' | '_' | '–'))?;
    if c == '–' { Some(i + 1) } else { t.is(i + 1, c).then_some(i + 2) }
}
