//! Dates, clocks and durations as the facts write them (EDTF, ISO 8601), made ready to be shown and drawn.
//!
//! Nothing here knows the current time or the machine's zone: a stamp shows what the text gave, and unknown digits stay unknown.

/// A point in time as far as the text gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Year, where all its digits are known.
    pub year: Option<i64>,
    /// Month, 1 to 12.
    pub month: Option<i64>,
    /// Day of the month.
    pub day: Option<i64>,
    /// Hour.
    pub hour: Option<i64>,
    /// Minute; of a half-known minute (`5X`) the lowest it can be.
    pub minute: Option<i64>,
    /// Second.
    pub second: i64,
    /// Minutes east of Greenwich, where the text gives a zone.
    pub offset: Option<i64>,
    /// The date as it is shown: unknown digits are `?`, nothing is left where nothing is known.
    pub date: String,
    /// The clock as it is shown, without seconds that are zero.
    pub clock: String,
    /// Approximate or uncertain (`~`, `?`, `%` at the end).
    pub about: bool,
}

/// Days from 1970-01-01 to a day of the proleptic Gregorian calendar.
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let yoe = y.rem_euclid(400);
    let doy = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468
}

/// The day of a number of days from 1970-01-01.
pub fn civil(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (d, m) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    (yoe + era * 400 + i64::from(m <= 2), m, d)
}

fn number(digits: &str) -> Option<i64> {
    if digits.is_empty() || digits.contains(['X', 'x']) { None } else { digits.parse().ok() }
}

impl Stamp {
    /// Reads an EDTF value; what cannot be read is left unknown.
    pub fn read(edtf: &str) -> Stamp {
        let plain = edtf.trim_end_matches(['~', '?', '%']);
        let about = plain.len() < edtf.len() || plain.contains('~');
        let plain = plain.replace(['~', '%'], "");
        let (date, time) = plain.split_once('T').map_or((plain.as_str(), ""), |(d, t)| (d, t));
        let mut parts = date.splitn(3, '-');
        let (year, month, day) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let mut shown = date.replace(['X', 'x'], "?");
        if date.chars().all(|c| matches!(c, 'X' | 'x' | '-')) {
            shown.clear();
        }
        let cut = time.rfind(['Z', '+', '-']).filter(|i| *i >= 2);
        let (clock, zone) = cut.map_or((time, ""), |i| time.split_at(i));
        let mut fields = clock.splitn(3, ':');
        let (hour, minute, second) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""), fields.next().unwrap_or(""));
        let seconds = number(second.split('.').next().unwrap_or("")).unwrap_or(0);
        let mut face = clock.replace(['X', 'x'], "?");
        if seconds == 0 && face.len() > 5 && !second.contains(['X', 'x']) {
            face.truncate(face.char_indices().nth(5).map_or(face.len(), |(i, _)| i));
        }
        Stamp {
            year: number(year),
            month: number(month).filter(|m| (1..=12).contains(m)),
            day: number(day).filter(|d| (1..=31).contains(d)),
            hour: number(hour).filter(|h| (0..=24).contains(h)),
            minute: number(&minute.replace(['X', 'x'], "0")).filter(|m| (0..60).contains(m)),
            second: seconds,
            offset: offset(zone),
            date: shown,
            clock: face,
            about,
        }
    }

    /// True where the text gives a clock.
    pub fn has_clock(&self) -> bool {
        self.hour.is_some()
    }

    /// `2024-06-25`, where the whole date is known.
    pub fn full_date(&self) -> Option<String> {
        let (y, m, d) = (self.year?, self.month?, self.day?);
        Some(format!("{y:04}-{m:02}-{d:02}"))
    }

    /// Days from 1970-01-01, where the whole date is known.
    pub fn day_number(&self) -> Option<i64> {
        Some(days(self.year?, self.month?, self.day?))
    }

    /// Seconds since midnight of the clock as written.
    pub fn seconds(&self) -> Option<i64> {
        Some(self.hour? * 3600 + self.minute.unwrap_or(0) * 60 + self.second)
    }

    /// Seconds since 1970 in UTC, where date, clock and zone are known.
    pub fn instant(&self) -> Option<i64> {
        Some(self.day_number()? * 86_400 + self.seconds()? - self.offset? * 60)
    }

    /// The same moment in UTC, where it is written in another zone: `14:57`, with the date before it where that differs from the one written.
    pub fn utc(&self) -> Option<String> {
        let offset = self.offset.filter(|o| *o != 0)?;
        // a clock without a known day still has a UTC clock; only its day stays unknown
        let day = self.day_number();
        let at = day.unwrap_or(0) * 86_400 + self.seconds()? - offset * 60;
        let clock = clock_of(at, self.second != 0);
        match day {
            Some(d) if at.div_euclid(86_400) != d => Some(format!("{} {clock}", date_of(at))),
            _ => Some(clock),
        }
    }

    /// The zone as it is shown: `UTC`, `UTC−8`, `UTC+5:30`.
    pub fn zone(&self) -> Option<String> {
        self.offset.map(zone_name)
    }

    /// What `datetime` of a `time` element takes: only what is wholly known.
    pub fn machine(&self) -> Option<String> {
        let date = match (self.year, self.month, self.full_date()) {
            (_, _, Some(d)) => d,
            (Some(y), Some(m), None) => return Some(format!("{y:04}-{m:02}")),
            (Some(y), None, None) => return Some(format!("{y:04}")),
            _ => return None,
        };
        let (Some(h), Some(m), false) = (self.hour.filter(|h| *h < 24), self.minute, self.clock.contains('?')) else { return Some(date) };
        let zone = match self.offset {
            Some(0) => "Z".to_string(),
            Some(o) => format!("{}{:02}:{:02}", if o < 0 { '-' } else { '+' }, o.abs() / 60, o.abs() % 60),
            None => String::new(),
        };
        Some(format!("{date}T{h:02}:{m:02}:{:02}{zone}", self.second))
    }
}

/// A zone's name from its offset in minutes.
pub fn zone_name(offset: i64) -> String {
    let (sign, a) = (if offset < 0 { '\u{2212}' } else { '+' }, offset.abs());
    match (offset, a % 60) {
        (0, _) => "UTC".into(),
        (_, 0) => format!("UTC{sign}{}", a / 60),
        (_, m) => format!("UTC{sign}{}:{m:02}", a / 60),
    }
}

fn offset(zone: &str) -> Option<i64> {
    if zone.starts_with('Z') {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let hours = digits.get(..2)?.parse::<i64>().ok()?;
    let minutes = digits.get(2..4).and_then(|m| m.parse::<i64>().ok()).unwrap_or(0);
    Some(sign * (hours * 60 + minutes))
}

/// The clock of a moment, in seconds since 1970.
pub fn clock_of(at: i64, seconds: bool) -> String {
    let s = at.rem_euclid(86_400);
    if seconds { format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60) } else { format!("{:02}:{:02}", s / 3600, s / 60 % 60) }
}

/// The date of a moment, in seconds since 1970.
pub fn date_of(at: i64) -> String {
    let (y, m, d) = civil(at.div_euclid(86_400));
    format!("{y:04}-{m:02}-{d:02}")
}

/// Seconds of an ISO 8601 duration (`PT1H48M`, `P2DT3H`, `P1W`); a month counts 30 days, a year 365.
pub fn duration(iso: &str) -> Option<i64> {
    let (mut total, mut digits, mut time, mut any) = (0.0f64, String::new(), false, false);
    for c in iso.strip_prefix('P')?.chars() {
        match c {
            'T' => time = true,
            '0'..='9' | '.' => digits.push(c),
            _ => {
                let n: f64 = std::mem::take(&mut digits).parse().ok()?;
                any = true;
                total += n * match (c, time) {
                    ('Y', false) => 365.0 * 86_400.0,
                    ('M', false) => 30.0 * 86_400.0,
                    ('W', false) => 7.0 * 86_400.0,
                    ('D', false) => 86_400.0,
                    ('H', true) => 3600.0,
                    ('M', true) => 60.0,
                    ('S', true) => 1.0,
                    _ => return None,
                };
            }
        }
    }
    (any && digits.is_empty()).then_some(total as i64)
}

/// The date, the clock of a moment in a zone of the tz database; absent where the zone is unknown.
pub fn in_zone(at: i64, zone: &str) -> Option<String> {
    let tz = jiff::tz::TimeZone::get(zone).ok()?;
    let there = tz.to_datetime(jiff::Timestamp::from_second(at).ok()?);
    let (d, t) = (there.date(), there.time());
    Some(format!("{:04}-{:02}-{:02} {:02}:{:02}", d.year(), d.month(), d.day(), t.hour(), t.minute()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_shown_and_nothing_else() {
        let s = Stamp::read("2021-01-04T07:00:00-08:00");
        assert_eq!(
            (s.date.as_str(), s.clock.as_str(), s.utc().as_deref(), s.zone().as_deref()),
            ("2021-01-04", "07:00", Some("15:00"), Some("UTC−8"))
        );
        assert_eq!(s.machine().as_deref(), Some("2021-01-04T07:00:00-08:00"));
        let s = Stamp::read("2026-08-12T01:5X:00Z");
        assert_eq!((s.clock.as_str(), s.minute, s.machine().as_deref()), ("01:5?", Some(50), Some("2026-08-12")));
        let s = Stamp::read("XXXX-XX-XXT14:05:30");
        assert_eq!((s.date.as_str(), s.clock.as_str(), s.machine(), s.instant()), ("", "14:05:30", None, None));
        assert_eq!(Stamp::read("XXXX-09-25").date, "????-09-25");
        let s = Stamp::read("2024-07");
        assert_eq!((s.date.as_str(), s.has_clock(), s.full_date(), s.machine().as_deref()), ("2024-07", false, None, Some("2024-07")));
        assert!(Stamp::read("2024-07-01~").about);
        assert_eq!(Stamp::read("2024-01-01T00:30:00+02:00").utc().as_deref(), Some("2023-12-31 22:30"));
        assert_eq!(Stamp::read("2024-01-01T09:00:00+05:30").zone().as_deref(), Some("UTC+5:30"));
        assert_eq!(Stamp::read("nonsense"), Stamp { date: "nonsense".into(), ..Stamp::default() });
    }

    #[test]
    fn the_calendar_goes_there_and_back() {
        for n in (-800_000..800_000).step_by(97) {
            let (y, m, d) = civil(n);
            assert_eq!(days(y, m, d), n);
        }
        assert_eq!(days(1970, 1, 1), 0);
        assert_eq!(date_of(951_782_400), "2000-02-29");
    }

    #[test]
    fn durations_are_seconds() {
        assert_eq!(duration("PT54M"), Some(3240));
        assert_eq!(duration("P1DT2H3M4S"), Some(93_784));
        assert_eq!(duration("PT0S"), Some(0));
        assert_eq!(duration("P"), None);
        assert_eq!(duration("54M"), None);
        assert_eq!(in_zone(0, "Asia/Tokyo").as_deref(), Some("1970-01-01 09:00"));
        assert_eq!(in_zone(0, "No/Where"), None);
    }
}
