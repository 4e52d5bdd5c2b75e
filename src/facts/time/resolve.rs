//! From mentions as written to instants: weak ones dropped, days, years and zones filled in, contradictions told.

use super::dates::{carry, fill_days, fill_years, sound};
use super::known::known;
use super::labels::Label;
use super::order::{self, By};
use super::place::{Item, Places};
use super::stamp::Stamp;
use super::value::{Date, Instant, Part};
use super::words::Words;
use super::zone::Zone;
use super::{Mention, Reading, Times, checks, kin, spread};
use crate::diag::Diagnostic;
use crate::document::{Document, Kind};
use crate::lang::{Column, Lexicon, Role};
use std::collections::BTreeMap;

/// Completes the mentions of a document.
pub fn resolve(document: &Document, mut places: Places, words: &Words, lexicon: &Lexicon, file: Option<&str>) -> Times {
    let mut diagnostics = Vec::new();
    let known = known(document, &places, words, lexicon, file);
    kin::dotted(&mut places, document, known.stated.or(known.title).or(known.posted));
    kin::halves(&mut places);
    join_cells(&mut places, document);
    drop_weak(&mut places, document);
    let dates: Vec<Date> = [known.stated, known.posted, known.title, known.file].into_iter().flatten().collect();
    let order = order::settle(&places.items, &dates, &lexicon.file.dates);
    let needed = order::apply(&mut places.items, order);
    if order.by != By::Evidence && !needed.is_empty() {
        let spans = needed.iter().map(|&n| span(document, &places.items[n])).collect();
        let which = if order.day_first { "day first" } else { "month first" };
        let habit = if order.by == By::Language { "as is usual in the document's language" } else { "for want of anything that tells" };
        diagnostics.push(
            Diagnostic::warning(
                "ambiguous-date",
                format!("Day and month cannot be told apart here; they are read {which}, {habit}."),
                spans,
            )
            .hint("Write the month as a word, or the date as YYYY-MM-DD."),
        );
    }
    let years = fill_years(&mut places.items, &known);
    let days = fill_days(&places, &known);
    let zones = spread::zones(&places, document);
    let zero = zero(document, &places, &days, &zones);
    let mut mentions: Vec<Mention> = Vec::with_capacity(places.items.len());
    let mut last: BTreeMap<usize, Instant> = BTreeMap::new();
    // the item of each mention
    let mut shown: Vec<usize> = Vec::with_capacity(places.items.len());
    for (n, item) in places.items.iter().enumerate() {
        let (date, date_implied) = days[n];
        let (zone, zone_implied) = zones[n].clone();
        let text = document.blocks[item.block].text.as_str();
        let mut implied = Vec::new();
        let mut at = if let Some(seconds) = item.raw.offset.filter(|_| item.raw.from_start) {
            let Some(base) = &zero else { continue };
            implied.extend(["date", "zone"]);
            base.plus(seconds)
        } else if let Some(seconds) = item.raw.offset {
            let Some(base) = last.get(&item.section).filter(|b| b.is_full()) else { continue };
            implied.extend(["date", "zone"]);
            base.plus(seconds)
        } else {
            if date_implied {
                implied.push("date");
            }
            if years[n] {
                implied.push("year");
            }
            let clock = item.raw.first.time.as_ref().map(|t| t.clock);
            if zone_implied {
                implied.push("zone");
            }
            carry(Instant { date: sound(date), clock, zone: if clock.is_some() { zone } else { None } })
        };
        if at.date.is_empty() && at.clock.is_none() {
            continue;
        }
        let until = item.raw.until.as_ref().map(|u| end_of(&at, u));
        let readings = readings(&mut at, item, text);
        if at.is_full() {
            last.insert(item.section, at.clone());
        }
        shown.push(n);
        mentions.push(Mention {
            block: item.block,
            range: item.raw.range.clone(),
            written: text.get(item.raw.range.clone()).unwrap_or("").to_string(),
            at,
            until,
            readings,
            implied,
            rule: item.raw.rule,
            event: false,
            lead: item.lead,
            whole: item.whole,
            limit: item.raw.before,
            cell: item.cell,
            group: item.group,
            section: item.section,
        });
    }
    let closes: Vec<bool> = shown.iter().map(|&n| places.items[n].raw.closes).collect();
    close_ranges(document, &mut mentions, &closes);
    checks::run(document, &places, &mut mentions, &mut diagnostics);
    let columns = std::mem::take(&mut places.columns);
    Times { mentions, diagnostics, columns }
}

/// `It failed at 14:05 and did not recover until 15:20`: of two clocks in one clause the second one, after a word for the end of a range, ends what the
/// first one began.
fn close_ranges(document: &Document, mentions: &mut [Mention], closes: &[bool]) {
    for (n, closes) in closes.iter().enumerate().skip(1) {
        let (before, rest) = mentions.split_at_mut(n);
        let (Some(a), Some(b)) = (before.last_mut(), rest.first_mut()) else { continue };
        let clocks =
            a.at.clock
                .zip(b.at.clock)
                .filter(|_| *closes && a.block == b.block && a.cell == b.cell && a.until.is_none() && b.until.is_none());
        let Some((x, y)) = clocks.filter(|_| !a.limit && a.readings.is_empty()) else { continue };
        let between = document.blocks[a.block].text.as_str().get(a.range.end..b.range.start).unwrap_or("");
        let clause = between.chars().count() <= 90 && !between.contains(['\n', ';', '。']) && !between.contains(". ");
        if !clause || a.at.zone != b.at.zone {
            continue;
        }
        let implied = b.implied.contains(&"date");
        if a.at.date != b.at.date && !implied {
            a.until = Some(b.at.clone()).filter(|u| u.seconds() > a.at.seconds());
        } else {
            let date = if y.seconds() < x.seconds() { a.at.date.plus(1) } else { a.at.date };
            b.at = Instant { date, ..b.at.clone() };
            a.until = Some(b.at.clone());
        }
        if a.until.is_some() {
            b.rule = "range-end";
        }
    }
}

/// The moment from which `T+5` counts: the clock beside a `T+0`, else the one labelled as the beginning, else the first one that is known in full.
fn zero(document: &Document, places: &Places, days: &[(Date, bool)], zones: &[(Option<Zone>, bool)]) -> Option<Instant> {
    places.items.iter().find(|i| i.raw.from_start)?;
    let full = |n: usize| {
        let clock = places.items[n].raw.first.time.as_ref()?.clock;
        let at = carry(Instant { date: sound(days[n].0), clock: Some(clock), zone: zones[n].0.clone() });
        at.is_full().then_some(at)
    };
    let named = |n: &usize| {
        let item = &places.items[*n];
        let text = document.blocks[item.block].text.as_str();
        let line = super::place::line_head(text, 0, item.raw.range.start);
        let rest = text.get(item.raw.range.end..).unwrap_or("");
        let near: String = line.chars().chain(rest.chars().take(12)).filter(|c| !c.is_whitespace()).collect();
        ["T0", "T+0", "T-0", "T=0", "t0"].iter().any(|t| near.contains(t))
    };
    let labelled = |n: &usize| places.items[*n].label == Label::Incident;
    let all = || 0..places.items.len();
    all().filter(named).find_map(full).or_else(|| all().filter(labelled).find_map(full)).or_else(|| all().find_map(full))
}

pub(super) fn span(document: &Document, item: &Item) -> crate::text::Span {
    document.blocks[item.block].text.span(item.raw.range.clone())
}

/// The end of a range, completed from its beginning.
fn end_of(at: &Instant, until: &Stamp) -> Instant {
    let stated = until.day.as_ref().map(|d| d.date).filter(|d| !d.is_empty());
    let clock = until.time.as_ref().map(|t| t.clock);
    let zone = if clock.is_some() { until.zones.first().cloned().or_else(|| at.zone.clone()) } else { None };
    let mut date = sound(stated.unwrap_or(at.date));
    if stated.is_none()
        && let Some(day) = &until.day
    {
        match (day.shift, day.weekday) {
            (Some((n, _)), _) => date = date.plus(i32::from(n).max(0)),
            (None, Some(w)) => date = (0..7).map(|n| date.plus(n)).find(|d| d.weekday() == Some(w)).unwrap_or(date),
            _ => {}
        }
    } else if stated.is_none()
        && let (Some(a), Some(b)) = (at.clock, clock)
        && b.seconds() < a.seconds()
        && zone == at.zone
    {
        date = date.plus(1);
    }
    carry(Instant { date, clock, zone })
}

/// All readings of a mention, the first one first; none where there is only one. `at` takes the zone where only the other reading has one.
fn readings(at: &mut Instant, item: &Item, text: &str) -> Vec<Reading> {
    if item.raw.others.is_empty() {
        return Vec::new();
    }
    let written = |r: &std::ops::Range<usize>| text.get(r.clone()).unwrap_or("").to_string();
    let mut out =
        vec![Reading { at: at.clone(), written: written(&item.raw.alone), range: item.raw.alone.clone(), rule: item.raw.first.rule() }];
    for (stamp, range) in &item.raw.others {
        let Some(time) = &stamp.time else { continue };
        let stated = stamp.day.as_ref().map(|d| d.date).filter(|d| d.day.is_some());
        let made = |date: Date| carry(Instant { date, clock: Some(time.clock), zone: stamp.zones.first().cloned() });
        let other = match stated {
            Some(date) => made(sound(date)),
            // the day on which it is the same moment
            None => [0, 1, -1].map(|n| made(at.date.plus(n))).into_iter().min_by_key(|o| distance(at, o)).unwrap_or_else(|| made(at.date)),
        };
        out.push(Reading { at: other, written: written(range), range: range.clone(), rule: stamp.rule() });
    }
    if item.raw.first.zones.is_empty()
        && let Some(other) = out.iter().find(|r| r.at.zone.is_some() && r.range != item.raw.alone)
    {
        *at = other.at.clone();
    }
    out
}

fn distance(a: &Instant, b: &Instant) -> i64 {
    a.seconds().zip(b.seconds()).map_or(i64::MAX, |(x, y)| (x - y).abs())
}

/// Cells of a row that hold the two ends of a range, or the same moment in two zones, become one mention.
fn join_cells(places: &mut Places, document: &Document) {
    let mut n = 0;
    while n + 1 < places.items.len() {
        let (a, b) = (&places.items[n], &places.items[n + 1]);
        let Kind::Row { table, .. } = document.blocks[a.block].kind else {
            n += 1;
            continue;
        };
        let (Some(x), Some(y)) = (a.cell, b.cell) else {
            n += 1;
            continue;
        };
        let joined = a.block == b.block
            && x != y
            && a.lead
            && b.lead
            && b.whole
            && a.raw.until.is_none()
            && b.raw.first.time.is_some()
            && a.raw.first.time.is_some();
        let zone = |c: usize| places.column_zones.get(&(table, c)).cloned();
        let range = places.columns.get(&(table, y)) == Some(&Column::End);
        let zones: Option<(Zone, Zone)> = zone(x).zip(zone(y)).filter(|(p, q)| p != q);
        if joined && (range || zones.is_some()) {
            let mut b = places.items.remove(n + 1);
            let a = &mut places.items[n];
            a.raw.weak = false;
            a.raw.range.end = b.raw.range.end;
            if range {
                a.raw.until = Some(b.raw.first);
                a.raw.rule = "range-columns";
            } else if let Some((p, q)) = zones {
                if a.raw.first.zones.is_empty() {
                    a.raw.first.zones.push(p);
                }
                if b.raw.first.zones.is_empty() {
                    b.raw.first.zones.push(q);
                }
                a.raw.others.push((b.raw.first, b.raw.alone));
                a.raw.rule = "readings";
            }
        } else {
            n += 1;
        }
    }
}

/// Drops mentions that count only in a place for dates and clocks and do not stand in one.
fn drop_weak(places: &mut Places, document: &Document) {
    let mut stamped: BTreeMap<usize, usize> = BTreeMap::new();
    let mut sure: BTreeMap<usize, usize> = BTreeMap::new();
    for item in places.items.iter().filter(|i| !i.raw.weak) {
        *sure.entry(item.block).or_default() += 1;
        if item.lead && item.raw.first.time.is_some() {
            *stamped.entry(item.group).or_default() += 1;
        }
    }
    // a run of weak clocks at the heads of entries is a list of clocks all the same
    for item in places.items.iter().filter(|i| i.raw.weak && i.lead && i.raw.rule == "clock") {
        *stamped.entry(item.group).or_default() += 1;
    }
    let mut elapsed: BTreeMap<usize, usize> = BTreeMap::new();
    for item in places.items.iter().filter(|i| i.raw.from_start && i.lead) {
        *elapsed.entry(item.group).or_default() += 1;
    }
    let roles = std::mem::take(&mut places.roles);
    let columns = &places.columns;
    places.items.retain(|item| {
        if !item.raw.weak {
            return true;
        }
        let timeline = roles[item.block] == Some(Role::Timeline);
        let block = &document.blocks[item.block];
        let column = match block.kind {
            Kind::Row { table, .. } => item.cell.and_then(|c| columns.get(&(table, c))),
            _ => None,
        };
        let column = matches!(column, Some(Column::Time | Column::Date | Column::Start | Column::End | Column::Detected));
        // `Duration: 1h15` is no clock, `Start: 8h15` is one
        if item.label == Label::Length {
            return false;
        }
        let labelled = item.label == Label::Incident && item.raw.first.time.as_ref().is_some_and(|t| t.clock.minute.is_some());
        let several = stamped.get(&item.group).is_some_and(|n| *n >= 2);
        let place = labelled
            || item.lead
                && (timeline || column || several || (item.whole && (item.cell.is_some() || matches!(block.kind, Kind::Heading { .. }))));
        match item.raw.rule {
            // a day's name alone heads the entries of that day
            "weekday" => item.whole && item.label == Label::None,
            "day-word" => {
                // `yesterday` in prose, where the day of writing is known
                let told = item.raw.first.day.as_ref().is_some_and(|d| d.shift == Some((-1, false)));
                told || item.lead
                    && (timeline || several || item.raw.first.day.as_ref().is_some_and(|d| d.shift.is_some_and(|s| s.1 && s.0 != 0)))
            }
            // `8.21 update: …`
            "numeric-no-year" => {
                place || item.lead && item.cell.is_none() && sets_off(document.blocks[item.block].text.as_str(), item.raw.range.end)
            }
            // one alone may be an offset from UTC or an amount
            "elapsed" => item.lead && (timeline || column || several || elapsed.get(&item.group).is_some_and(|n| *n >= 2)),
            "clock" => place || sure.get(&item.block).is_some_and(|n| *n >= 1),
            _ => place,
        }
    });
    places.roles = roles;
}

/// True where a colon follows a date within a word or two.
fn sets_off(text: &str, at: usize) -> bool {
    let head: String = text.get(at..).unwrap_or("").chars().take(12).collect();
    let Some(colon) = head.find([':', '：']) else { return false };
    let word = head.get(..colon).unwrap_or("");
    word.starts_with(' ') && word.chars().any(char::is_alphabetic) && !word.contains(['.', ',', '。', '，', '/', '\n'])
}

/// The first instant of a text that stands alone.
pub(super) fn single(text: &str, words: &Words, habit: &str) -> Option<(Instant, Option<Instant>)> {
    let raw =
        super::scan::scan(text, &[], words).mentions.into_iter().find(|m| m.offset.is_none() && (!m.weak || m.first.day.is_some()))?;
    let mut items = vec![Item { block: 0, raw, lead: true, whole: true, label: Label::None, cell: None, group: 0, section: 0 }];
    let order = order::settle(&items, &[], habit);
    order::apply(&mut items, order);
    let raw = &items.first()?.raw;
    let date = raw.first.day.as_ref().map(|d| d.date).unwrap_or_default();
    let clock = raw.first.time.as_ref().map(|t| t.clock);
    let at = carry(Instant { date: sound(date), clock, zone: clock.and(raw.first.zones.first().cloned()) });
    let until = raw.until.as_ref().map(|u| end_of(&at, u));
    Some((at, until))
}

/// The smaller unit of what a date knows, for comparison of days.
pub(super) fn day_of(at: &Instant) -> Option<i64> {
    at.date.day.and_then(Part::known)?;
    at.date.day_number()
}
