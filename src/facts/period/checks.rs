//! Where what a report says about its period does not agree with itself.

use super::{Period, before};
use crate::diag::Diagnostic;
use crate::document::Document;
use crate::facts::time::{Instant, Length, Reader, Times, front};
use crate::facts::{Fact, Reading, labels::labelled};
use crate::lang::{Column, Lexicon};
use crate::text::Span;

/// How long a report says its incident was: a field of its front matter or a label (`Duration: 3h`).
pub fn stated_duration(reading: &Reading, reader: &Reader) -> Option<Fact<Length>> {
    if let Some(field) = reading.document.front_matter.field("duration")
        && let Some(found) = field.values.first().and_then(|v| reader.length(v))
    {
        return Fact::new(found, vec![field.span], "front-matter");
    }
    labelled(reading, Column::Duration).into_iter().find_map(|(value, rule)| {
        // `Duration: 14:05–15:20` is a range
        let ranged = value.as_str().contains(['–', '→', '～', '〜']) || value.as_str().contains(" - ");
        let found = reader.length_beside(value.as_str()).filter(|l| !ranged || reader.length(value.as_str()).as_ref() != Some(l))?;
        let spans = value.spans(found.range.clone());
        Fact::new(found, spans, rule)
    })
}

/// Contradictions between the period and what else is stated: an end before the start, a duration that is another one, a front matter of another time.
pub fn check(reading: &Reading, reader: &Reader, times: &Times, period: Option<&Period>, stated: Option<&Fact<Length>>) -> Vec<Diagnostic> {
    let mut out = fields(reading.document, reader);
    out.extend(backwards(reading.document, reading.lexicon, times));
    let Some(period) = period else { return out };
    out.extend(stated.and_then(|s| other_duration(period, s)));
    out.extend(other_day(reading.document, reader, period));
    out
}

/// Fields of the front matter that tell of time and in which none can be read, or a day that cannot be; and an end before its start.
fn fields(document: &Document, reader: &Reader) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut told: [Option<(Instant, Span)>; 2] = [None, None];
    let groups = [front::START, front::END, front::DETECTED, &["date"]];
    for (n, keys) in groups.into_iter().enumerate() {
        for field in keys.iter().filter_map(|key| document.front_matter.field(key)) {
            let value = field.values.first().map_or("", |v| v.trim());
            // a switch (`resolved: true`) and a blank tell no time
            if value.is_empty()
                || matches!(value.to_ascii_lowercase().as_str(), "true" | "false" | "yes" | "no" | "null" | "~" | "tbd" | "-")
            {
                continue;
            }
            let read = reader.instant(value).map(|(at, _)| at).filter(|at| !at.date.is_empty() || at.clock.is_some());
            let impossible = reader.has_impossible_day(value);
            match read {
                Some(_) if impossible => out.push(
                    Diagnostic::warning("impossible-date", format!("There is no such day: {value}"), vec![field.span])
                        .hint("The day is left open."),
                ),
                Some(at) => {
                    if let Some(slot) = told.get_mut(n) {
                        slot.get_or_insert((at, field.span));
                    }
                }
                None => out.push(
                    Diagnostic::warning("impossible-date", format!("No date can be read in `{}: {value}`.", field.key), vec![field.span])
                        .hint("Write it as YYYY-MM-DD, with a clock as YYYY-MM-DDThh:mmZ."),
                ),
            }
        }
    }
    if let [Some((a, from)), Some((b, to))] = &told
        && before(a, b) == Some(false)
    {
        out.push(
            Diagnostic::warning("end-before-start", format!("The end stated here, {b}, lies before the start, {a}."), vec![*from, *to])
                .hint("Both are kept as written."),
        );
    }
    out
}

/// `Start: 15:20`, `End: 14:05`.
fn backwards(document: &Document, lexicon: &Lexicon, times: &Times) -> Option<Diagnostic> {
    let found = |wanted: Column| {
        times
            .mentions
            .iter()
            .find(|m| m.at.is_full() && crate::facts::timeline::label_in(document, m, lexicon).and_then(|l| l.column) == Some(wanted))
    };
    let (a, b) = (found(Column::Start)?, found(Column::End)?);
    let end = b.until.as_ref().unwrap_or(&b.at);
    let spans = || vec![document.blocks[a.block].text.span(a.range.clone()), document.blocks[b.block].text.span(b.range.clone())];
    (before(&a.at, end) == Some(false)).then(|| {
        Diagnostic::warning("end-before-start", format!("The end stated here, {end}, lies before the start, {}.", a.at), spans())
            .hint("Both are kept as written.")
    })
}

fn other_duration(period: &Period, stated: &Fact<Length>) -> Option<Diagnostic> {
    let (a, b) = (period.start.as_ref()?, period.end.as_ref()?);
    if a.clock?.minute.is_none() || b.clock?.minute.is_none() || a.offset().is_some() != b.offset().is_some() {
        return None;
    }
    let (computed, said) = (b.seconds()? - a.seconds()?, stated.value());
    // as exact as the text is: half a unit and a tenth, a quarter where it says about; what is told in odd minutes was counted
    let counted = said.unit <= 60 && said.seconds % 300 != 0 && !said.about;
    let slack =
        if counted { 120.max(said.seconds / 50) } else { (said.unit / 2).max(300).max(said.seconds / if said.about { 4 } else { 10 }) };
    let differ = (computed - said.seconds).abs() > slack;
    differ.then(|| {
        let spans: Vec<Span> = stated.spans().iter().chain(&period.spans).copied().collect();
        let message = format!("The duration stated here is {}; from start to end it is {}.", spoken(said.seconds), spoken(computed));
        Diagnostic::warning("duration-mismatch", message, spans).hint("Both are kept as written.")
    })
}

/// Front matter that starts the incident on another day than the text, or was written before it began.
fn other_day(document: &Document, reader: &Reader, period: &Period) -> Option<Diagnostic> {
    if period.rule == "front-matter" {
        return None;
    }
    let start = period.start.as_ref()?;
    let day = |at: &Instant| at.date.day.and(at.date.day_number());
    let field = |keys: &[&str]| {
        keys.iter().find_map(|key| {
            let field = document.front_matter.field(key)?;
            let (at, _) = reader.instant(field.values.first()?)?;
            Some((day(&at)?, at, field.span))
        })
    };
    let text = day(start)?;
    // a day either way may be the zone's
    let (_, at, span) = field(front::DETECTED).or_else(|| field(front::POSTED)).filter(|(n, ..)| n + 1 < text)?;
    let spans = std::iter::once(span).chain(period.spans.iter().copied()).collect();
    let message = format!("The front matter is dated {}, before the incident began by the text, {}.", at.date_text(), start.date_text());
    Some(Diagnostic::warning("front-matter-date", message, spans).hint("One of the two dates is wrong."))
}

/// A stretch of time for people.
fn spoken(seconds: i64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    let parts = [(days, "d"), (hours, "h"), (minutes, "min")];
    let said: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, unit)| format!("{n} {unit}")).collect();
    if said.is_empty() { format!("{seconds} s") } else { said.join(" ") }
}
