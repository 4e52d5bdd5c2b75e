//! Dates whose numbers are followed by words or signs for year, month and day.

use super::date::{Day, clean_right, ordinal, starts_clock, year_of};
use super::token::Tokens;
use super::value::{Date, Part, Year};
use super::words::Sense;

/// The word for `sense` after the number at `i` (a space or a hyphen may stand between): the piece after it.
fn word_after(t: &Tokens, i: usize, sense: Sense) -> Option<usize> {
    let mut j = t.skip(i + 1);
    if t.is(j, '-') {
        j += 1;
    }
    t.means(j, sense).then_some(j + 1)
}

/// Reads `<number> <word>` pairs, each of which may be missing: year and month and day, month and day, year and month, one alone.
pub fn by_words(t: &Tokens, i: usize) -> Option<(Day, usize)> {
    let mut date = Date::default();
    let mut at = i;
    let mut end = None;
    if let Some(y) = year_of(t, at)
        && let Some(j) = word_after(t, at, Sense::DateYear)
    {
        date.year = Some(Year::Known(y));
        end = Some(j);
        at = t.skip(j);
    }
    let month = t.digits(at, 1, 2).filter(|m| (1..=12).contains(m));
    if let Some(m) = month
        && let Some(j) = word_after(t, at, Sense::DateMonth)
    {
        date.month = Some(Part::Known(m as u8));
        end = Some(j);
        at = t.skip(j);
    } else if date.year.is_some()
        && let Some(m) = t.month(at)
    {
        date.month = Some(Part::Known(m));
        end = Some(at + 1);
        at = t.skip(at + 1);
    }
    let alone = end.is_none();
    let named = |n: &u32| (1..=31).contains(n);
    if let Some(d) = t.digits(at, 1, 2).filter(named)
        && (alone || date.month.is_some())
    {
        if let Some(j) = word_after(t, at, Sense::DateDay) {
            date.day = Some(Part::Known(d as u8));
            end = Some(ordinal(t, j));
        } else if date.month.is_some() && !starts_clock(t, at) && clean_right(t, ordinal(t, at + 1)) {
            // the day's own word is missing where an ending of the number says it
            date.day = Some(Part::Known(d as u8));
            end = Some(ordinal(t, at + 1));
        }
    }
    let end = end?;
    // `3 日 23 時間` tells how long
    let next = t.skip(end);
    let counts = t.number(next).is_some() && t.unit(t.skip(next + 1)).is_some() && !t.means(t.skip(next + 1), Sense::Hour);
    if date.month.is_none() && date.day.is_some() && counts {
        return None;
    }
    let rule = match (date.year, date.month, date.day) {
        (Some(_), None, _) => "year",
        (_, Some(_), None) => "year-month",
        _ => "date-words",
    };
    // a day alone may be a number of days, a month alone a heading
    let weak = date.month.is_none() && date.day.is_some();
    Some((Day { date, weak, rule, ..Day::default() }, end))
}
