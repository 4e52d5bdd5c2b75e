//! A point in time as a text gives it: what it states, what it leaves open, and nothing more.

use super::zone::Zone;
use std::fmt;

/// Two digits of a date or clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A number.
    Known(u8),
    /// Only the tens are known: `5X`.
    Tens(u8),
    /// Said to be unknown: `XX`.
    Unknown,
}

impl Part {
    /// The number, or the smallest one that it can be.
    pub fn floor(self) -> u8 {
        match self {
            Part::Known(n) => n,
            Part::Tens(t) => t * 10,
            Part::Unknown => 0,
        }
    }

    /// The number where it is known.
    pub fn known(self) -> Option<u8> {
        if let Part::Known(n) = self { Some(n) } else { None }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Known(n) => write!(f, "{n:02}"),
            Part::Tens(t) => write!(f, "{t}X"),
            Part::Unknown => f.write_str("XX"),
        }
    }
}

/// A year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Year {
    /// A year of the common era.
    Known(i16),
    /// The last digit is unknown: `202X` is `Decade(202)`.
    Decade(i16),
}

/// A day, a month, a year, or a part of these. A part that is `None` is not mentioned; [`Part::Unknown`] is mentioned as unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Date {
    /// The year.
    pub year: Option<Year>,
    /// 1 to 12.
    pub month: Option<Part>,
    /// 1 to 31.
    pub day: Option<Part>,
}

impl Date {
    /// A full date.
    pub fn new(year: i16, month: u8, day: u8) -> Date {
        Date { year: Some(Year::Known(year)), month: Some(Part::Known(month)), day: Some(Part::Known(day)) }
    }

    /// Year, month, day where all are known and make a day.
    pub fn civil(&self) -> Option<jiff::civil::Date> {
        let Some(Year::Known(y)) = self.year else { return None };
        jiff::civil::Date::new(y, self.month?.known()? as i8, self.day?.known()? as i8).ok()
    }

    /// The date of a day.
    pub fn from_civil(d: jiff::civil::Date) -> Date {
        Date::new(d.year(), d.month() as u8, d.day() as u8)
    }

    /// The date `days` later; unchanged where it is no full date.
    #[must_use]
    pub fn plus(&self, days: i32) -> Date {
        let moved = self.civil().and_then(|d| d.checked_add(jiff::Span::new().try_days(days).ok()?).ok());
        moved.map_or(*self, Date::from_civil)
    }

    /// Days since 1970; unknown parts count as their smallest value, a date without a year has none.
    pub fn day_number(&self) -> Option<i64> {
        let y = match self.year? {
            Year::Known(y) => y,
            Year::Decade(d) => d.checked_mul(10)?,
        };
        let (m, d) = (
            self.month.map_or(1, Part::floor).clamp(1, 12),
            self.day.map_or(1, Part::floor).clamp(1, 28.max(self.day.map_or(1, Part::floor))),
        );
        let first = jiff::civil::Date::new(y, m as i8, 1).ok()?;
        let epoch = jiff::civil::date(1970, 1, 1);
        let days = epoch.until(first).ok()?.get_days();
        Some(i64::from(days) + i64::from(d) - 1)
    }

    /// Monday is 0.
    pub fn weekday(&self) -> Option<u8> {
        self.civil().map(|d| d.weekday().to_monday_zero_offset() as u8)
    }

    /// True where nothing is mentioned.
    pub fn is_empty(&self) -> bool {
        *self == Date::default()
    }
}

/// A time of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// 0 to 23.
    pub hour: Part,
    /// 0 to 59; `None` where only the hour is said.
    pub minute: Option<Part>,
    /// 0 to 60; `None` where it is not said.
    pub second: Option<u8>,
}

impl Clock {
    /// Hour and minute.
    pub fn new(hour: u8, minute: u8) -> Clock {
        Clock { hour: Part::Known(hour), minute: Some(Part::Known(minute)), second: None }
    }

    /// Seconds since midnight; unknown parts count as their smallest value.
    pub fn seconds(&self) -> i64 {
        i64::from(self.hour.floor()) * 3600 + i64::from(self.minute.map_or(0, Part::floor)) * 60 + i64::from(self.second.unwrap_or(0))
    }
}

/// A point in time: date, clock and zone as far as they are known. `Display` gives EDTF (ISO 8601-2) without inventing digits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instant {
    /// The date; empty where the text has none.
    pub date: Date,
    /// The time of the day.
    pub clock: Option<Clock>,
    /// The zone of the clock.
    pub zone: Option<Zone>,
}

impl Instant {
    /// Minutes east of UTC, where a zone is known (for a named zone: and the day).
    pub fn offset(&self) -> Option<i32> {
        self.zone.as_ref()?.offset(&self.date, self.clock.as_ref())
    }

    /// Seconds since 1970, in UTC where the zone is known, else by the clock on the wall; unknown parts count as their smallest value.
    /// `None` without a year.
    pub fn seconds(&self) -> Option<i64> {
        let day = self.date.day_number()?;
        Some(day * 86_400 + self.clock.map_or(0, |c| c.seconds()) - i64::from(self.offset().unwrap_or(0)) * 60)
    }

    /// Whether two instants are the same moment; `None` where that cannot be told.
    pub fn same(&self, other: &Instant) -> Option<bool> {
        let both = self.clock.is_some() && other.clock.is_some() && self.date.civil().is_some() && other.date.civil().is_some();
        if !both || self.offset().is_none() != other.offset().is_none() {
            return None;
        }
        Some(self.seconds()?.div_euclid(60) == other.seconds()?.div_euclid(60))
    }

    /// The date alone.
    pub fn date_text(&self) -> String {
        Instant { date: self.date, clock: None, zone: None }.to_string()
    }

    /// True where date and hour are known.
    pub fn is_full(&self) -> bool {
        self.date.civil().is_some() && self.clock.is_some_and(|c| c.hour.known().is_some())
    }

    /// The instant `seconds` later, zone kept; unchanged where date or clock are not known.
    #[must_use]
    pub fn plus(&self, seconds: i64) -> Instant {
        let (Some(_), Some(clock)) = (self.date.civil(), self.clock) else { return self.clone() };
        let total = clock.seconds().saturating_add(seconds);
        let days = i32::try_from(total.div_euclid(86_400)).unwrap_or(0);
        let rest = total.rem_euclid(86_400);
        let second = if clock.second.is_some() || seconds % 60 != 0 { Some((rest % 60) as u8) } else { None };
        let moved = Clock { hour: Part::Known((rest / 3600) as u8), minute: Some(Part::Known((rest / 60 % 60) as u8)), second };
        Instant { date: self.date.plus(days), clock: Some(moved), zone: self.zone.clone() }
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.date.year {
            Some(Year::Known(y)) => write!(f, "{y:04}")?,
            Some(Year::Decade(d)) => write!(f, "{d:03}X")?,
            None => f.write_str("XXXX")?,
        }
        let full = self.clock.is_some();
        if full || self.date.month.is_some() || self.date.day.is_some() {
            write!(f, "-{}", self.date.month.unwrap_or(Part::Unknown))?;
        }
        if full || self.date.day.is_some() {
            write!(f, "-{}", self.date.day.unwrap_or(Part::Unknown))?;
        }
        let Some(clock) = self.clock else { return Ok(()) };
        write!(f, "T{}:{}:{:02}", clock.hour, clock.minute.unwrap_or(Part::Known(0)), clock.second.unwrap_or(0))?;
        match self.offset() {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(m) => write!(f, "{}{:02}:{:02}", if m < 0 { '-' } else { '+' }, m.abs() / 60, m.abs() % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edtf_says_what_is_known_and_no_more() {
        let mut i = Instant { date: Date::new(2024, 6, 25), clock: Some(Clock::new(15, 40)), zone: Some(Zone::Fixed(0)) };
        assert_eq!(i.to_string(), "2024-06-25T15:40:00Z");
        i.zone = Some(Zone::Fixed(-210));
        assert_eq!(i.to_string(), "2024-06-25T15:40:00-03:30");
        i.clock = Some(Clock { hour: Part::Known(1), minute: Some(Part::Tens(5)), second: None });
        i.zone = None;
        assert_eq!(i.to_string(), "2024-06-25T01:5X:00");
        i.date = Date::default();
        assert_eq!(i.to_string(), "XXXX-XX-XXT01:5X:00");
        i.clock = None;
        i.date = Date { year: None, month: Some(Part::Known(9)), day: Some(Part::Known(5)) };
        assert_eq!(i.to_string(), "XXXX-09-05");
        i.date = Date { year: Some(Year::Decade(202)), month: Some(Part::Known(9)), day: Some(Part::Unknown) };
        assert_eq!(i.to_string(), "202X-09-XX");
        i.date = Date { year: Some(Year::Known(2022)), month: Some(Part::Known(2)), day: None };
        assert_eq!(i.to_string(), "2022-02");
    }

    #[test]
    fn named_zones_follow_the_date() {
        let zone = Zone::named("America/Los_Angeles");
        let winter = Instant { date: Date::new(2021, 1, 4), clock: Some(Clock::new(7, 1)), zone: zone.clone() };
        let summer = Instant { date: Date::new(2021, 7, 4), clock: Some(Clock::new(7, 1)), zone };
        assert_eq!(winter.to_string(), "2021-01-04T07:01:00-08:00");
        assert_eq!(summer.to_string(), "2021-07-04T07:01:00-07:00");
        let utc = Instant { date: Date::new(2021, 1, 4), clock: Some(Clock::new(15, 1)), zone: Some(Zone::Fixed(0)) };
        assert_eq!(winter.same(&utc), Some(true));
        assert_eq!(winter.same(&summer), Some(false));
    }

    #[test]
    fn sums_cross_midnight() {
        let i = Instant { date: Date::new(2023, 12, 31), clock: Some(Clock::new(23, 50)), zone: None };
        assert_eq!(i.plus(20 * 60).to_string(), "2024-01-01T00:10:00");
        assert_eq!(i.plus(-86_400).to_string(), "2023-12-30T23:50:00");
    }
}
