//! Which number is the day, and which year is meant: settled once per document, by evidence before habit.

use super::date::Day;
use super::place::Item;
use super::scan::Raw;
use super::value::{Date, Part, Year};
use std::collections::BTreeSet;

/// How numbers of unclear order are read in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Day before month.
    pub day_first: bool,
    /// What decided.
    pub by: By,
}

/// What decided the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    /// Nothing.
    Guess,
    /// The language's habit.
    Language,
    /// The document.
    Evidence,
}

/// All dates of a mention.
pub fn days(raw: &Raw) -> impl Iterator<Item = &Day> {
    let others = raw.others.iter().filter_map(|(s, _)| s.day.as_ref());
    raw.first.day.iter().chain(raw.until.iter().filter_map(|s| s.day.as_ref())).chain(others)
}

fn days_mut(raw: &mut Raw) -> impl Iterator<Item = &mut Day> {
    let others = raw.others.iter_mut().filter_map(|(s, _)| s.day.as_mut());
    raw.first.day.iter_mut().chain(raw.until.iter_mut().filter_map(|s| s.day.as_mut())).chain(others)
}

fn read(day: &Day, day_first: bool) -> Date {
    let Some((a, b)) = day.order else { return day.date };
    let (d, m) = if day_first { (a, b) } else { (b, a) };
    Date { year: day.date.year, month: Some(Part::Known(m)), day: Some(Part::Known(d)) }
}

/// Settles the order by numbers over twelve, weekdays, dates that are written out elsewhere, the order of entries; else by the language's habit.
pub fn settle(items: &[Item], known: &[Date], habit: &str) -> Order {
    // votes for the day first, and for the month first
    let mut votes = [0i32; 2];
    let written: BTreeSet<(u8, u8, i16)> = items
        .iter()
        .flat_map(|i| days(&i.raw))
        .filter(|d| d.order.is_none())
        .map(|d| d.date)
        .chain(known.iter().copied())
        .filter_map(|d| day_key(&d))
        .collect();
    let mut last: Option<(usize, [Option<i64>; 2])> = None;
    for item in items {
        for day in days(&item.raw) {
            if let Some(first) = day.day_first {
                votes[usize::from(!first)] += 4;
            }
            if day.order.is_none() {
                continue;
            }
            let both = [read(day, true), read(day, false)];
            if let Some(w) = day.weekday {
                let fits = both.map(|d| d.weekday() == Some(w));
                if fits[0] != fits[1] {
                    votes[usize::from(fits[1])] += 3;
                }
            }
            let elsewhere = both.map(|d| day_key(&d).is_some_and(|k| is_written(&written, k)));
            if elsewhere[0] != elsewhere[1] {
                votes[usize::from(elsewhere[1])] += 2;
            }
            let numbers = both.map(|d| Date { year: d.year.or(Some(Year::Known(2024))), ..d }.day_number());
            if let Some((group, before)) = last
                && group == item.group
            {
                // neighbours that are days apart in one reading and months apart in the other
                let gap = |n: usize| before[n].zip(numbers[n]).map_or(0, |(a, b)| (b - a).abs());
                let (day_gap, month_gap) = (gap(0), gap(1));
                if day_gap != month_gap && day_gap.min(month_gap) <= 7 && day_gap.max(month_gap) > 20 {
                    votes[usize::from(month_gap < day_gap)] += 1;
                }
            }
            last = Some((item.group, numbers));
        }
    }
    match votes[0].cmp(&votes[1]) {
        std::cmp::Ordering::Greater => Order { day_first: true, by: By::Evidence },
        std::cmp::Ordering::Less => Order { day_first: false, by: By::Evidence },
        std::cmp::Ordering::Equal => match habit {
            "dmy" => Order { day_first: true, by: By::Language },
            "mdy" | "ymd" => Order { day_first: false, by: By::Language },
            _ => Order { day_first: true, by: By::Guess },
        },
    }
}

/// Month, day and year (0 where there is none).
fn day_key(d: &Date) -> Option<(u8, u8, i16)> {
    let year = if let Some(Year::Known(y)) = d.year { y } else { 0 };
    Some((d.month?.known()?, d.day?.known()?, year))
}

/// True where a day is written out somewhere; a missing year on either side is no contradiction.
fn is_written(days: &BTreeSet<(u8, u8, i16)>, (month, day, year): (u8, u8, i16)) -> bool {
    let mut same = days.range((month, day, i16::MIN)..=(month, day, i16::MAX));
    if year == 0 { same.next().is_some() } else { same.any(|k| k.2 == year || k.2 == 0) }
}

/// Applies an order; returns the indices of the mentions it was needed for.
pub fn apply(items: &mut [Item], order: Order) -> Vec<usize> {
    let mut needed = Vec::new();
    for (n, item) in items.iter_mut().enumerate() {
        for day in days_mut(&mut item.raw) {
            if let Some((a, b)) = day.order {
                day.date = read(day, order.day_first);
                if a != b && needed.last() != Some(&n) {
                    needed.push(n);
                }
            }
        }
    }
    needed
}

/// The year of a date that has none, by the full date nearest to it in the text; `None` where the document has no year.
pub fn implied_year(date: &Date, near: &Date) -> Option<Date> {
    let Year::Known(y) = near.year? else { return None };
    let anchor = near.day_number()?;
    let candidates = [y, y - 1, y + 1].map(|y| Date { year: Some(Year::Known(y)), ..*date });
    if near.month.is_none() {
        return Some(candidates[0]);
    }
    candidates
        .into_iter()
        .filter(|c| c.civil().is_some() || date.day.and_then(Part::known).is_none())
        .min_by_key(|c| c.day_number().map_or(i64::MAX, |n| (n - anchor).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_roll_over_at_their_end() {
        let date = Date { year: None, month: Some(Part::Known(1)), day: Some(Part::Known(2)) };
        assert_eq!(implied_year(&date, &Date::new(2021, 12, 30)), Some(Date::new(2022, 1, 2)));
        assert_eq!(implied_year(&date, &Date::new(2022, 2, 1)), Some(Date::new(2022, 1, 2)));
        assert_eq!(implied_year(&date, &Date { year: Some(Year::Known(2019)), ..Date::default() }), Some(Date::new(2019, 1, 2)));
    }
}
