//! Dates that name their month: the day before it or after it, a range of days, the year if there is one.

use super::date::{Day, clean_right, day_number, month_number, ordinal, starts_clock, year_of};
use super::token::{Kind, Tokens};
use super::value::{Date, Part, Year};
use super::words::Sense;

/// `3 May 2022`, `1er mai`, `5. Mai 2022`, `3 de mayo de 2022`, `05-May-2022`, `3–5 May`.
pub fn day_first(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let d = day_number(t, i)?;
    let mut j = ordinal(t, i + 1);
    let with_ordinal = j > i + 1;
    let mut day = Day { rule: "day-month-name", ..Day::default() };
    let mut last = None;
    if let Some((to, after)) = day_range(t, j, d) {
        last = Some(to);
        j = ordinal(t, after);
    }
    if matches!(t.mark(j), Some('-' | '/' | '.')) {
        j += 1;
    }
    j = t.skip(j);
    // a short word between day and month (`3 de mayo`): taken where a year or an ordinal makes the date sure
    let joined = matches!(t.kind(j), Some(Kind::Text | Kind::Word(_))) && t.month(j).is_none() && t.text(j).chars().count() <= 3;
    if joined {
        j = t.skip(j + 1);
    }
    let month = t.month(j)?;
    let tight_number = month_number(t, t.skip(j + 1)).is_some() && t.text(j).ends_with(|c: char| c.is_ascii_digit());
    if tight_number {
        return None;
    }
    day.date.month = Some(Part::Known(month));
    day.date.day = Some(Part::Known(d));
    let (year, end) = short_year(t, i, j).unwrap_or_else(|| year_after(t, j + 1));
    day.date.year = year;
    day.last = last.map(|l| Date { day: Some(Part::Known(l)), ..day.date });
    if joined && !with_ordinal && year.is_none() && !t.means(t.skip(i + 1), Sense::Ordinal) {
        return None;
    }
    Some((day, end))
}

/// `May 3rd, 2022`, `Sep 28`, `May 2022`.
pub fn month_first(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let month = t.month(i)?;
    let mut day = Day { date: Date { month: Some(Part::Known(month)), ..Date::default() }, rule: "month-name-day", ..Day::default() };
    let mut j = i + 1;
    if matches!(t.mark(j), Some('.' | '-' | '/')) {
        j += 1;
    }
    j = t.skip(j);
    if let Some(d) = day_number(t, j).filter(|_| !starts_clock(t, j)) {
        let mut k = ordinal(t, j + 1);
        let sure = k > j + 1;
        if let Some((last, after)) = day_range(t, k, d) {
            day.last = Some(Date { month: Some(Part::Known(month)), day: Some(Part::Known(last)), year: None });
            k = ordinal(t, after);
        }
        day.date.day = Some(Part::Known(d));
        let (year, end) = year_after(t, k);
        day.date.year = year;
        if let Some(last) = &mut day.last {
            last.year = year;
        }
        // "it may 3 times": a small letter alone does not make a name of it
        day.weak = year.is_none() && !sure && t.written(i).starts_with(|c: char| c.is_ascii_lowercase()) && !t.is(i + 1, '.');
        return (t.number(end - 1).is_none() || clean_right(t, end)).then_some((day, end));
    }
    let (year, end) = year_after(t, i + 1);
    day.date.year = Some(year?);
    day.rule = "month-name";
    clean_right(t, end).then_some((day, end))
}

/// The year after a month or day: `, 2022`, ` de 2022`, `-2022`, ` 2022 года`. `None` and the same place where there is none.
fn year_after(t: &Tokens, at: usize) -> (Option<Year>, usize) {
    let mut j = at;
    if matches!(t.mark(j), Some('.')) && !matches!(t.kind(j + 1), Some(Kind::Number(..))) {
        j += 1;
    }
    let after_dot = j;
    if matches!(t.mark(j), Some(',' | '-' | '/')) {
        j += 1;
    }
    j = t.skip(j);
    if matches!(t.kind(j), Some(Kind::Text | Kind::Word(_))) && t.text(j).chars().count() <= 3 && year_of(t, t.skip(j + 1)).is_some() {
        j = t.skip(j + 1);
    }
    if let Some(y) = year_of(t, j).filter(|_| {
        (!starts_clock(t, j) || t.is(j + 1, ':')) && (clean_right(t, j + 1) || t.is(j + 1, '.') || t.means(j + 1, Sense::DateYear))
    }) {
        let mut end = j + 1;
        if t.means(t.skip(end), Sense::DateYear) {
            end = t.skip(end) + 1;
        }
        return (Some(Year::Known(y)), end);
    }
    let dotted =
        after_dot > at && !matches!(t.kind(after_dot), None | Some(Kind::Break)) && t.text(at.saturating_sub(1)).chars().count() <= 4;
    (None, if dotted && t.number(at.saturating_sub(1)).is_none() { after_dot } else { at })
}

/// `04/Nov/21`, `4-Nov-21`, and `4 Nov 21 02:00`: a year of two figures, where the day stands at `day` and the month at `month`. Between blanks a clock has
/// to follow, as the number may count something.
fn short_year(t: &Tokens, day: usize, month: usize) -> Option<(Option<Year>, usize)> {
    let sign = t.mark(month + 1).filter(|c| matches!(c, '/' | '-' | '.'));
    let joined = sign.is_some() && sign == t.mark(month - 1) && t.number(month - 2).is_some() && month == day + 2;
    let at = if joined { month + 2 } else { t.skip(month + 1) };
    let year = t.digits(at, 2, 2).filter(|_| joined || at == month + 2 && t.kind(month + 1) == Some(Kind::Space))?;
    let clock = t.skip(at + 1);
    let clocked = t.digits(clock, 1, 2).is_some() && t.is(clock + 1, ':') && clock == at + 2;
    let sound = clean_right(t, at + 1) && !starts_clock(t, at) && (joined || clocked);
    sound.then_some((Some(Year::Known(if year < 70 { 2000 } else { 1900 } + year as i16)), at + 1))
}

/// `–5` after the day 3: the last day of a range and the piece after it.
pub fn day_range(t: &Tokens, i: usize, first: u8) -> Option<(u8, usize)> {
    let mut j = if t.is(i, '.') { i + 1 } else { i };
    j = t.skip(j);
    if !matches!(t.mark(j), Some('-' | '–' | '~')) {
        return None;
    }
    let k = t.skip(j + 1);
    let last = day_number(t, k).filter(|l| *l > first && !starts_clock(t, k))?;
    let clean = !matches!(t.mark(k + 1), Some('-' | '/')) && year_of(t, k).is_none();
    clean.then_some((last, k + 1))
}
