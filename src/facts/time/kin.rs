//! What the entries of one list say about each other's notation: numbers with a dot that are clocks and no days, and the half of the day that is said
//! at the first clock only.

use super::clock::{Time, by_part};
use super::order::implied_year;
use super::place::{Item, Places};
use super::value::{Clock, Date, Part};
use super::words::DayPart;
use crate::document::Document;
use std::collections::BTreeMap;

/// Days of one list lie within so many days of the incident's.
const NEAR: i64 = 45;

/// The items that open entries, by list, and in a table by column.
fn lists(places: &Places, fits: impl Fn(&Item) -> bool) -> Vec<Vec<usize>> {
    let mut out: BTreeMap<(usize, Option<usize>), Vec<usize>> = BTreeMap::new();
    for (n, item) in places.items.iter().enumerate().filter(|(_, i)| i.lead && fits(i)) {
        out.entry((item.group, item.cell)).or_default().push(n);
    }
    out.into_values().filter(|list| list.len() >= 2).collect()
}

/// How often a row of numbers rises, and how often it falls.
fn steps(row: impl Iterator<Item = i64>) -> (usize, usize) {
    let row: Vec<i64> = row.collect();
    let count = |turn: fn(i64, i64) -> bool| row.windows(2).filter(|w| turn(w[0], w[1])).count();
    (count(|a, b| b > a), count(|a, b| b < a))
}

/// `11.03`, `11.09`, `11.30` at the heads of a list: clocks, where one of them is no day, or where as days they would lie far from the document's.
/// They are in order, as clocks of one day are; past midnight they may fall once.
pub fn dotted(places: &mut Places, document: &Document, known: Option<Date>) {
    let pair = |item: &Item| -> Option<(u8, u8)> {
        let (a, b) = document.blocks[item.block].text.as_str().get(item.raw.range.clone())?.split_once('.')?;
        let figures = |t: &str| !t.is_empty() && t.bytes().all(|c| c.is_ascii_digit());
        (figures(a) && figures(b) && a.len() <= 2 && b.len() == 2).then(|| Some((a.parse().ok()?, b.parse().ok()?))).flatten()
    };
    let plain = |item: &Item| item.raw.until.is_none() && item.raw.others.is_empty() && pair(item).is_some();
    let full = |i: &Item| i.raw.first.day.as_ref().map(|d| d.date).filter(|d| d.civil().is_some());
    let anchor = known.or_else(|| places.items.iter().find_map(full));
    for list in lists(places, plain) {
        let clocks: Vec<(u8, u8)> = list.iter().filter_map(|n| pair(&places.items[*n])).collect();
        let (rises, falls) = steps(clocks.iter().map(|(h, m)| i64::from(*h) * 60 + i64::from(*m)));
        if clocks.iter().any(|(h, m)| *h > 23 || *m > 59) || rises.min(falls) > 1 || rises.max(falls) == 0 {
            continue;
        }
        let day = |n: &usize| places.items[*n].raw.first.day.as_ref().map(|d| d.date);
        let impossible = list.iter().any(|n| day(n).is_none());
        let far = anchor.is_some_and(|a| {
            let apart = |d: Date| implied_year(&d, &a).and_then(|d| Some((d.day_number()? - a.day_number()?).abs()));
            list.iter().filter_map(day).any(|d| apart(d).is_some_and(|days| days > NEAR))
        });
        if !impossible && !far {
            continue;
        }
        for (n, (hour, minute)) in list.into_iter().zip(clocks) {
            let raw = &mut places.items[n].raw;
            let clock = Clock::new(hour, minute);
            raw.first.day = None;
            raw.first.time = Some(Time { clock, part: None, weak: true, needs_zone: false, rule: "clock-dotted" });
            (raw.weak, raw.rule) = (true, "clock-dotted");
        }
    }
}

/// `3:58 PM`, `4:15`, `7:50`: the half of the day that the first clock names holds for those after it, on to the other half where the hand has gone round.
pub fn halves(places: &mut Places) {
    for list in lists(places, |i| i.raw.first.time.is_some()) {
        let time = |n: usize| places.items[n].raw.first.time.as_ref();
        let halved = |n: &usize| time(*n).is_some_and(|t| matches!(t.part, Some(DayPart::Am | DayPart::Pm)));
        let bare = |n: &usize| time(*n).is_some_and(|t| t.part.is_none());
        let dial = |n: &usize| time(*n).and_then(|t| t.clock.hour.known()).is_some_and(|h| (1..=12).contains(&h));
        let told = list.iter().take_while(|n| halved(n)).count();
        let rest: Vec<usize> = list.iter().copied().filter(|n| !halved(n)).collect();
        if told == 0 || rest.is_empty() || !rest.iter().all(|n| bare(n) && dial(n)) {
            continue;
        }
        let (rises, falls) = steps(list.iter().filter_map(|n| time(*n)).map(|t| t.clock.seconds() % 43_200));
        if falls > rises {
            continue;
        }
        let mut before: Option<(i64, DayPart)> = None;
        for n in list {
            let item = &mut places.items[n];
            let dated = item.raw.first.day.is_some();
            let Some(time) = &mut item.raw.first.time else { continue };
            match (time.part, before) {
                (None, Some((last, part))) if !dated => {
                    let Some(hour) = time.clock.hour.known() else { continue };
                    let at = |part| Clock { hour: Part::Known(by_part(hour, part)), ..time.clock };
                    let other = if part == DayPart::Am { DayPart::Pm } else { DayPart::Am };
                    // entries of one minute may stand in any order; what is hours back is the other half
                    let part = if at(part).seconds() + 3600 >= last { part } else { other };
                    (time.clock, time.part, time.weak) = (at(part), Some(part), false);
                    item.raw.weak = false;
                    before = Some((time.clock.seconds(), part));
                    if let Some(end) = item.raw.until.as_mut().and_then(|u| u.time.as_mut())
                        && end.part.is_none()
                        && let Some(hour) = end.clock.hour.known().filter(|h| (1..12).contains(h))
                        && part == DayPart::Pm
                    {
                        (end.clock.hour, end.part) = (Part::Known(by_part(hour, part)), Some(part));
                    }
                }
                (Some(part @ (DayPart::Am | DayPart::Pm)), _) => before = Some((time.clock.seconds(), part)),
                _ => before = None,
            }
        }
    }
}
