//! Zones: offsets, names of the time zone database, and the abbreviations people write.

use super::value::{Clock, Date};
use std::fmt;
use std::sync::Arc;

/// The zone of a clock.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zone {
    /// Minutes east of UTC.
    Fixed(i16),
    /// A zone of the time zone database; its offset depends on the day.
    Named(Arc<str>),
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Zone::Fixed(m) => write!(f, "{m:+}min"),
            Zone::Named(n) => f.write_str(n),
        }
    }
}

impl Zone {
    /// A zone of the database (or `utc`); `None` where there is no such zone.
    pub fn named(name: &str) -> Option<Zone> {
        if name.eq_ignore_ascii_case("utc") {
            return Some(Zone::Fixed(0));
        }
        let zone = jiff::tz::TimeZone::get(name).ok()?;
        Some(Zone::Named(Arc::from(zone.iana_name()?)))
    }

    /// Minutes east of UTC on a day, at a time of it (noon where none is given).
    pub fn offset(&self, date: &Date, clock: Option<&Clock>) -> Option<i32> {
        match self {
            Zone::Fixed(m) => Some(i32::from(*m)),
            Zone::Named(name) => {
                let zone = jiff::tz::TimeZone::get(name).ok()?;
                let year = date.year.or(Some(super::value::Year::Known(2022)));
                // clocks change about the same day every year, and in some regions never
                let Some(day) = (Date { year, ..*date }).civil() else {
                    let on = |month| self.offset(&Date::new(2022, month, 1), None);
                    return on(1).filter(|o| date.month.is_none() && on(7) == Some(*o));
                };
                let (h, m) = clock.map_or((12, 0), |c| (c.hour.floor(), c.minute.map_or(0, super::value::Part::floor)));
                let at = day.at(h.min(23) as i8, m.min(59) as i8, 0, 0);
                use jiff::tz::AmbiguousOffset::{Fold, Gap, Unambiguous};
                let offset = match zone.to_ambiguous_timestamp(at).offset() {
                    Unambiguous { offset } => offset,
                    Gap { before, .. } | Fold { before, .. } => before,
                };
                Some(offset.seconds() / 60)
            }
        }
    }
}

/// What an abbreviation may stand for, the likeliest first.
enum May {
    /// One offset, in minutes.
    One(i16),
    /// A region whose clocks change.
    Region(&'static str),
    /// Several, each with the region by which a lexicon can decide.
    Several(&'static [(i16, &'static str)]),
}

/// Abbreviations, sorted.
const ABBREVIATIONS: &[(&str, May)] = &[
    ("ACDT", May::One(630)),
    ("ACST", May::One(570)),
    ("ADT", May::One(-180)),
    ("AEDT", May::One(660)),
    ("AEST", May::One(600)),
    ("AET", May::Region("Australia/Sydney")),
    ("AKDT", May::One(-480)),
    ("AKST", May::One(-540)),
    ("ART", May::One(-180)),
    ("AST", May::One(-240)),
    ("AWST", May::One(480)),
    ("BRST", May::One(-120)),
    ("BRT", May::One(-180)),
    ("BST", May::Several(&[(60, "Europe/London"), (360, "Asia/Dhaka")])),
    ("CAT", May::One(120)),
    ("CDT", May::One(-300)),
    ("CEST", May::One(120)),
    ("CET", May::One(60)),
    ("CLST", May::One(-180)),
    ("CLT", May::One(-240)),
    ("CST", May::Several(&[(-360, "America/Chicago"), (480, "Asia/Shanghai")])),
    ("CT", May::Region("America/Chicago")),
    ("EAT", May::One(180)),
    ("EDT", May::One(-240)),
    ("EEST", May::One(180)),
    ("EET", May::One(120)),
    ("EST", May::One(-300)),
    ("ET", May::Region("America/New_York")),
    ("GMT", May::One(0)),
    ("GST", May::One(240)),
    ("HKT", May::One(480)),
    ("HST", May::One(-600)),
    ("ICT", May::One(420)),
    ("IDT", May::One(180)),
    ("IRST", May::One(210)),
    ("IST", May::Several(&[(330, "Asia/Kolkata"), (60, "Europe/Dublin"), (120, "Asia/Jerusalem")])),
    ("JST", May::One(540)),
    ("KST", May::One(540)),
    ("MDT", May::One(-360)),
    ("MEST", May::One(120)),
    ("MESZ", May::One(120)),
    ("MET", May::One(60)),
    ("MEZ", May::One(60)),
    ("MSK", May::One(180)),
    ("MST", May::One(-420)),
    ("MT", May::Region("America/Denver")),
    ("NDT", May::One(-150)),
    ("NPT", May::One(345)),
    ("NST", May::One(-210)),
    ("NZDT", May::One(780)),
    ("NZST", May::One(720)),
    ("PDT", May::One(-420)),
    ("PHT", May::One(480)),
    ("PKT", May::One(300)),
    ("PST", May::One(-480)),
    ("PT", May::Region("America/Los_Angeles")),
    ("SAST", May::One(120)),
    ("SGT", May::One(480)),
    ("TRT", May::One(180)),
    ("ULAT", May::One(480)),
    ("UTC", May::One(0)),
    ("WAT", May::One(60)),
    ("WEST", May::One(60)),
    ("WET", May::One(0)),
    ("WIB", May::One(420)),
    ("WIT", May::One(540)),
    ("WITA", May::One(480)),
    ("Z", May::One(0)),
];

/// Abbreviations that name the winter or the summer time of a region: written in the other season they are worth a remark.
const SEASONAL: &[(&str, &str)] = &[
    ("CEST", "Europe/Paris"),
    ("CET", "Europe/Paris"),
    ("MESZ", "Europe/Berlin"),
    ("MEZ", "Europe/Berlin"),
    ("EEST", "Europe/Helsinki"),
    ("EET", "Europe/Helsinki"),
    ("EDT", "America/New_York"),
    ("EST", "America/New_York"),
    ("CDT", "America/Chicago"),
    ("MDT", "America/Denver"),
    ("PDT", "America/Los_Angeles"),
    ("PST", "America/Los_Angeles"),
];

/// False for what is no zone's abbreviation by its length or its small letters. It is asked of nearly every word of a text.
pub fn may_abbreviate(written: &str) -> bool {
    let small = || written.bytes().any(|b| b.is_ascii_lowercase());
    let known = || ["UTC", "GMT", "CEST", "JST", "PDT", "EDT"].iter().any(|n| n.eq_ignore_ascii_case(written));
    written.len() <= 5 && written.is_ascii() && (!small() || known())
}

/// What an abbreviation stands for, the likeliest first; more than one where it is used for several zones. `at_home` tells whether a region is
/// one of those the language speaks of, which decides. Small letters are taken only of abbreviations that cannot be words.
pub fn abbreviation(written: &str, at_home: impl Fn(&str) -> bool) -> Option<Vec<Zone>> {
    if !may_abbreviate(written) {
        return None;
    }
    let upper = written.to_ascii_uppercase();
    let found = &ABBREVIATIONS[ABBREVIATIONS.binary_search_by(|(n, _)| (*n).cmp(upper.as_str())).ok()?];
    Some(match found.1 {
        May::One(m) => vec![Zone::Fixed(m)],
        May::Region(name) => Zone::named(name).into_iter().collect(),
        May::Several(list) => {
            let mut zones: Vec<(bool, Zone)> = list.iter().map(|(m, region)| (at_home(region), Zone::Fixed(*m))).collect();
            zones.sort_by_key(|(home, _)| !home);
            zones.into_iter().map(|(_, z)| z).collect()
        }
    })
}

/// True where an abbreviation names a season's time that its region does not keep on that day.
pub fn out_of_season(written: &str, offset: i32, date: &Date) -> bool {
    let Some((_, region)) = SEASONAL.iter().find(|(n, _)| written.eq_ignore_ascii_case(n)) else { return false };
    Zone::named(region).and_then(|z| z.offset(date, None)).is_some_and(|o| o != offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_and_their_doubles() {
        assert_eq!(abbreviation("JST", |_| false), Some(vec![Zone::Fixed(540)]));
        assert_eq!(abbreviation("utc", |_| false), Some(vec![Zone::Fixed(0)]));
        assert_eq!(abbreviation("west", |_| false), None);
        assert_eq!(abbreviation("CST", |r| r == "Asia/Shanghai").unwrap()[0], Zone::Fixed(480));
        assert_eq!(abbreviation("CST", |_| false).unwrap()[0], Zone::Fixed(-360));
        assert!(ABBREVIATIONS.is_sorted_by_key(|(n, _)| n) && ABBREVIATIONS.iter().all(|(n, _)| n.len() <= 5));
        assert!(ABBREVIATIONS.iter().all(|(n, _)| abbreviation(n, |_| false).is_some_and(|z| !z.is_empty())));
    }

    #[test]
    fn seasons() {
        assert!(out_of_season("CET", 60, &Date::new(2020, 7, 1)));
        assert!(!out_of_season("CET", 60, &Date::new(2020, 1, 1)));
        assert!(Zone::named("Nowhere/Town").is_none());
    }
}
