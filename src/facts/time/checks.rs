//! Where a text contradicts itself about time: told, and of two readings the better one chosen.

use super::place::Places;
use super::resolve::{day_of, span};
use super::zone::{Zone, out_of_season};
use super::{Mention, value::Instant};
use crate::diag::Diagnostic;
use crate::document::Document;
use crate::lang::Role;
use crate::text::Span;
use std::collections::BTreeSet;

/// Runs all checks.
pub fn run(document: &Document, places: &Places, mentions: &mut [Mention], out: &mut Vec<Diagnostic>) {
    impossible(document, places, out);
    zones(document, places, out);
    readings(document, mentions, out);
    days(document, places, mentions, out);
}

/// Days that no month has.
fn impossible(document: &Document, places: &Places, out: &mut Vec<Diagnostic>) {
    for item in &places.items {
        if super::order::days(&item.raw).any(super::date::Day::impossible) {
            let text = document.blocks[item.block].text.as_str();
            let written = text.get(item.raw.range.clone()).unwrap_or("");
            out.push(
                Diagnostic::warning("impossible-date", format!("There is no such day: {written}"), vec![span(document, item)])
                    .hint("The day is left open."),
            );
        }
    }
}

/// Abbreviations that stand for several zones, and ones that name the other season's time.
fn zones(document: &Document, places: &Places, out: &mut Vec<Diagnostic>) {
    let mut several: Vec<Span> = Vec::new();
    let mut seasons: Vec<Span> = Vec::new();
    let mut names = BTreeSet::new();
    for item in &places.items {
        let stamp = &item.raw.first;
        if stamp.zones.len() > 1 {
            several.push(span(document, item));
            names.insert(stamp.abbreviation.clone());
        }
        if let (Some(Zone::Fixed(m)), Some(day)) = (stamp.zones.first(), &stamp.day)
            && out_of_season(&stamp.abbreviation, i32::from(*m), &day.date)
        {
            seasons.push(span(document, item));
        }
    }
    if !several.is_empty() {
        let names: Vec<String> = names.into_iter().collect();
        let message = format!("{} stands for more than one time zone.", names.join(", "));
        out.push(Diagnostic::note("ambiguous-zone", message, several).hint("Give the offset from UTC as well."));
    }
    if !seasons.is_empty() {
        out.push(Diagnostic::note(
            "zone-season",
            "The zone named here is not the one kept on that day of the year; it is read as written.",
            seasons,
        ));
    }
}

/// Double readings that are not the same moment: the one that agrees with its neighbours is taken.
fn readings(document: &Document, mentions: &mut [Mention], out: &mut Vec<Diagnostic>) {
    let differs = |m: &Mention| m.readings.len() > 1 && m.readings.iter().skip(1).any(|r| m.readings[0].at.same(&r.at) == Some(false));
    let torn: Vec<bool> = mentions.iter().map(differs).collect();
    for n in 0..mentions.len() {
        if !torn[n] {
            continue;
        }
        let sure =
            |k: &usize| !torn[*k] && mentions[*k].group == mentions[n].group && mentions[*k].at.is_full() && mentions[*k].at.zone.is_some();
        let before = (0..n).rev().take(40).find(sure).and_then(|k| mentions[k].at.seconds());
        let after = (n + 1..mentions.len()).take(40).find(sure).and_then(|k| mentions[k].at.seconds());
        let cost = |at: &Instant| {
            let Some(s) = at.seconds() else { return i64::MAX };
            let gap = |o: Option<i64>| o.map_or(0, |o| (s - o).abs());
            gap(before).saturating_add(gap(after))
        };
        let best = mentions[n].readings.iter().map(|r| r.at.clone()).min_by_key(cost);
        let m = &mut mentions[n];
        if let Some(best) = best.filter(|_| before.is_some() || after.is_some()) {
            m.at = best;
        }
        let spans = vec![document.blocks[m.block].text.span(m.range.clone())];
        let list: Vec<String> = m.readings.iter().map(|r| format!("{} ({})", r.written, r.at)).collect();
        let message = format!("These are not the same moment: {}", list.join(" and "));
        out.push(Diagnostic::warning("zone-mismatch", message, spans).hint(format!("Read as {}.", m.at)));
    }
}

/// The summary tells of another day than all entries of the timeline, at the same hours.
fn days(document: &Document, places: &Places, mentions: &[Mention], out: &mut Vec<Diagnostic>) {
    let own = |m: &&Mention| m.at.is_full() && !m.implied.contains(&"date");
    let role = |m: &Mention| places.roles.get(m.block).copied().flatten();
    let told: Vec<&Mention> = mentions.iter().filter(own).filter(|m| matches!(role(m), Some(Role::Summary | Role::Impact))).collect();
    let listed: Vec<&Mention> =
        mentions.iter().filter(own).filter(|m| role(m) == Some(Role::Timeline) || (role(m).is_none() && m.lead)).collect();
    if told.is_empty() || listed.len() < 2 {
        return;
    }
    let listed_days: BTreeSet<i64> = listed.iter().filter_map(|m| day_of(&m.at)).collect();
    let (Some(first), Some(last)) = (listed_days.first(), listed_days.last()) else { return };
    let hours = |m: &Mention| m.at.clock.map_or(0, |c| c.seconds());
    let (low, high) = listed.iter().fold((i64::MAX, 0), |(a, b), m| (a.min(hours(m)), b.max(hours(m))));
    let strange: Vec<&&Mention> = told
        .iter()
        .filter(|m| day_of(&m.at).is_some_and(|d| !listed_days.contains(&d) && (first - d).abs().min((last - d).abs()) <= 31))
        .filter(|m| hours(m) + 3600 >= low && hours(m) <= high + 3600)
        .collect();
    if strange.is_empty() || told.iter().any(|m| day_of(&m.at).is_some_and(|d| listed_days.contains(&d))) {
        return;
    }
    let spans = strange.iter().chain(listed.first().iter()).map(|m| document.blocks[m.block].text.span(m.range.clone())).collect();
    let message = format!("The summary tells of {}, the entries of {}.", strange[0].at.date_text(), listed[0].at.date_text());
    out.push(Diagnostic::warning("date-mismatch", message, spans).hint("Both are kept as written."));
}
