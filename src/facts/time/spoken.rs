//! Clocks as people say them (`half past three`, `nine o'clock`, `1430 hrs`), and those that count on past midnight (`25:05`).

use super::clock::{Core, part_at};
use super::date::clean_right;
use super::token::{Kind, Tokens};
use super::value::{Clock, Part};
use super::words::{Sense, Unit};

/// `half past three`, `halb vier`: the hour of the words, moved.
fn shifted(t: &Tokens, i: usize) -> Option<Core> {
    let by = t.sense(i, |s| if let Sense::Shift(n) = s { Some(n) } else { None })?;
    let k = t.skip(i + 1);
    let hour = t.count(k).filter(|h| (1..=24).contains(h) && !t.is(k + 1, ':'))?;
    let mut end = k + 1;
    if t.means(t.skip(end), Sense::Hour) {
        end = t.skip(end) + 1;
    }
    // `half 4 GB` counts something
    let k = t.skip(end);
    if t.number(end - 1).is_some() && matches!(t.kind(k), Some(Kind::Text)) && !clean_right(t, end)
        || matches!(t.mark(end), Some('%' | '.')) && t.number(end + 1).is_some()
    {
        return None;
    }
    Some(Core { clock: moved(hour as u8, by), weak: false, needs_zone: false, rule: "clock-words", end })
}

/// An hour of the dial moved by some minutes.
fn moved(hour: u8, by: i16) -> Clock {
    let dial: i16 = if hour > 12 { 24 } else { 12 };
    let minutes = i16::from(hour) * 60 + by;
    let minutes = if minutes < 60 { minutes + dial * 60 } else { minutes };
    Clock::new((minutes / 60 % 24) as u8, (minutes % 60) as u8)
}

/// `trois heures et demie`, `las tres y media`: words behind the hour that move it.
pub(super) fn more(t: &Tokens, core: Core) -> Core {
    let (Some(hour), None) = (core.clock.hour.known(), core.clock.minute) else { return core };
    let k = t.skip(core.end);
    match t.sense(k, |s| if let Sense::Plus(n) = s { Some(n) } else { None }) {
        Some(by) => Core { clock: moved(hour, by), weak: false, end: k + 1, ..core },
        None => core,
    }
}

/// `25:05`: the small hours, counted on from the evening before; only in a place for clocks.
pub(super) fn past_midnight(t: &Tokens, i: usize) -> Option<Core> {
    let hour = t.digits(i, 2, 2).filter(|h| (25..=29).contains(h))?;
    let minute = t.is(i + 1, ':').then(|| t.digits(i + 2, 2, 2))?.filter(|m| *m < 60)?;
    let end = i + 3;
    (clean_right(t, end) && !t.is(end, ':')).then(|| Core {
        clock: Clock::new(hour as u8, minute as u8),
        weak: true,
        needs_zone: false,
        rule: "clock",
        end,
    })
}

/// `nine o'clock`, and `1405` before a zone.
pub(super) fn spoken(t: &Tokens, i: usize) -> Option<Core> {
    if let Some(n) = t.digits(i, 4, 4).filter(|n| n / 100 < 24 && n % 100 < 60) {
        // `1430 hrs`, `0930h`
        let w = t.skip(i + 1);
        let named = t.means(w, Sense::Hour) || t.unit(w) == Some(Unit::Hour);
        if named && clean_right(t, w + 1) {
            let padded = t.written(i).starts_with('0');
            let clock = Clock::new((n / 100) as u8, (n % 100) as u8);
            return Some(Core { clock, weak: !padded, needs_zone: false, rule: "clock-military", end: w + 1 });
        }
        return Some(Core {
            clock: Clock::new((n / 100) as u8, (n % 100) as u8),
            weak: true,
            needs_zone: true,
            rule: "clock-military",
            end: i + 1,
        });
    }
    // `kl. 17 GMT`, `at 9 UTC`
    if let Some(hour) = t.digits(i, 1, 2).filter(|h| *h < 24)
        && super::stamp::after_at(t, i)
        && super::stamp::zone_core(t, t.skip(i + 1)).is_some()
    {
        let clock = Clock { hour: Part::Known(hour as u8), minute: None, second: None };
        return Some(Core { clock, weak: true, needs_zone: true, rule: "clock-words", end: i + 1 });
    }
    if let Some(found) = shifted(t, i) {
        return Some(found);
    }
    let h = t.sense(i, |s| if let Sense::Number(n) = s { Some(n) } else { None }).filter(|h| (1..=12).contains(h))?;
    let w = t.skip(i + 1);
    // `a las tres y media`, `o godzinie ósmej rano`
    let goes_on = t.senses(w).iter().any(|s| matches!(s, Sense::Plus(_))) || part_at(t, w).is_some() && t.words().part_follows;
    if goes_on && super::stamp::after_at(t, i) {
        let clock = Clock { hour: Part::Known(h as u8), minute: None, second: None };
        return Some(Core { clock, weak: true, needs_zone: false, rule: "clock-words", end: i + 1 });
    }
    // `trois heures et demie`, `neuf heures du soir`: an hour's word that also counts hours
    let after = t.skip(w + 1);
    let told = || t.senses(after).iter().any(|s| matches!(s, Sense::Plus(_) | Sense::Part(_)));
    if t.means(w, Sense::Hour) && (t.unit(w).is_none() || told()) {
        return Some(Core {
            clock: Clock { hour: Part::Known(h as u8), minute: None, second: None },
            weak: true,
            needs_zone: false,
            rule: "clock-words",
            end: w + 1,
        });
    }
    None
}
