//! Dates of Iran's solar calendar: `1403/05/12`, `۱۲ مرداد ۱۴۰۳`. They are told as days of the common calendar.

use super::date::{Day, clean_right, day_number, month_number, ordinal};
use super::token::Tokens;
use super::value::Date;
use super::words::Sense;

/// Years of reports; no other count that is in use gives such numbers.
const YEARS: std::ops::Range<u32> = 1370..1421;
/// A year whose first day is known: 1 Farvardin 1403 was 20 March 2024.
const KNOWN: (i32, jiff::civil::Date) = (1403, jiff::civil::date(2024, 3, 20));
/// Leap years by their place in a round of 33 years; true of all years in [`YEARS`].
const LEAP: [i32; 8] = [1, 5, 9, 13, 17, 22, 26, 30];

fn is_leap(year: i32) -> bool {
    LEAP.contains(&(year % 33))
}

/// The day of the common calendar; nothing for a day that the month has not.
pub(super) fn civil(year: u32, month: u8, day: u8) -> Option<Date> {
    let year = i32::try_from(year).ok()?;
    let length = match month {
        1..=6 => 31,
        7..=11 => 30,
        12 => 29 + u8::from(is_leap(year)),
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let days = |y: i32| 365 + i32::from(is_leap(y));
    let from_known: i32 = if year >= KNOWN.0 { (KNOWN.0..year).map(days).sum() } else { -(year..KNOWN.0).map(days).sum::<i32>() };
    let before = i32::from(month - 1) * 30 + i32::from(month - 1).min(6);
    Some(Date::from_civil(KNOWN.1).plus(from_known + before + i32::from(day) - 1))
}

fn year(t: &Tokens, i: usize) -> Option<u32> {
    t.digits(i, 4, 4).filter(|y| YEARS.contains(y))
}

fn month_name(t: &Tokens, i: usize) -> Option<u8> {
    t.sense(i, |s| if let Sense::Solar(m) = s { Some(m) } else { None })
}

/// The date that begins at a number.
pub(super) fn at(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let found = |date: Date, end: usize| Some((Day { date, rule: "solar", ..Day::default() }, end));
    if let Some(year) = year(t, i) {
        // `1403/05/12`
        let mark = t.mark(i + 1).filter(|c| matches!(c, '/' | '-'))?;
        let month = month_number(t, i + 2)?;
        let day = day_number(t, i + 4).filter(|_| t.is(i + 3, mark))?;
        return if clean_right(t, i + 5) { found(civil(year, month, day)?, i + 5) } else { None };
    }
    // `۱۲ مرداد ۱۴۰۳`, `12ام مرداد ماه 1403`
    let day = day_number(t, i)?;
    let named = t.skip(ordinal(t, i + 1));
    let month = month_name(t, named)?;
    let mut j = t.skip(named + 1);
    if t.means(j, Sense::DateMonth) {
        j = t.skip(j + 1);
    }
    if t.is(j, ',') {
        j = t.skip(j + 1);
    }
    found(civil(year(t, j)?, month, day)?, j + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_solar_calendar() {
        assert_eq!(civil(1403, 1, 1), Some(Date::new(2024, 3, 20)));
        assert_eq!(civil(1403, 5, 12), Some(Date::new(2024, 8, 2)));
        assert_eq!(civil(1403, 12, 30), Some(Date::new(2025, 3, 20)));
        assert_eq!(civil(1404, 1, 1), Some(Date::new(2025, 3, 21)));
        assert_eq!(civil(1402, 12, 30), None);
        assert_eq!(civil(1399, 12, 30), Some(Date::new(2021, 3, 20)));
        assert_eq!(civil(1399, 1, 1), Some(Date::new(2020, 3, 20)));
        assert_eq!((civil(1403, 13, 1), civil(1403, 7, 31)), (None, None));
    }
}
