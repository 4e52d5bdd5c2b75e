//! Stamps (EDTF) of different documents compared: the day, the minute, the instant behind two zones.

/// The day of a stamp that is known to the day.
pub(super) fn day(stamp: &str) -> Option<&str> {
    stamp.get(..10).filter(|d| civil_day(d).is_some())
}

/// A stamp that is known to the minute, as a clock on a day and the zone where it is known.
pub(super) fn minute(stamp: &str) -> Option<String> {
    let (date, clock) = stamp.split_once('T')?;
    let known = day(date)?.len() == date.len() && clock.len() >= 5;
    let digits = [0, 1, 3, 4].iter().all(|&k| clock.as_bytes().get(k).is_some_and(u8::is_ascii_digit));
    let zone = clock.find(['Z', '+', '-']).map_or("", |at| &clock[at..]);
    (known && digits).then(|| format!("{date}T{}{zone}", &clock[..5]))
}

/// The same instant: told in zones, or the same clock where one of them tells none.
pub(super) fn at_once(a: &str, b: &str) -> bool {
    let (clock, zone) = (|s: &str| s.get(..16).unwrap_or_default().to_string(), |s: &str| s.get(16..).unwrap_or_default().to_string());
    if zone(a) == zone(b) || zone(a).is_empty() || zone(b).is_empty() {
        return clock(a) == clock(b);
    }
    let minutes = |s: &str| {
        let day = i64::from(civil_day(s.get(..10)?)?);
        let (h, m) = (s.get(11..13)?.parse::<i64>().ok()?, s.get(14..16)?.parse::<i64>().ok()?);
        Some(day * 1440 + h * 60 + m - offset(s.get(16..)?)?)
    };
    matches!((minutes(a), minutes(b)), (Some(x), Some(y)) if x == y)
}

/// Days since 0000-03-01 of the Gregorian calendar.
pub(super) fn civil_day(day: &str) -> Option<i32> {
    let mut parts = day.split('-').map(|p| p.parse::<i32>().ok());
    let (y, m, d) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=9999).contains(&y) || !(1..=12).contains(&m) || !(1..=31).contains(&d) {
        return None;
    }
    let (y, m) = if m < 3 { (y - 1, m + 9) } else { (y, m - 3) };
    Some(y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + d)
}

/// `+05:30` in minutes.
fn offset(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let (h, m) = (digits.get(..2)?.parse::<i64>().ok()?, digits.get(2..4).unwrap_or("0").parse::<i64>().ok()?);
    Some(sign * (h * 60 + m))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_of_two_zones() {
        assert!(at_once("2024-02-29T23:30Z", "2024-03-01T05:00+05:30") && at_once("2024-01-01T00:00", "2024-01-01T00:00+09:00"));
        assert!(!at_once("2024-01-01T00:00Z", "2024-01-01T00:00+09:00") && !at_once("2024-01-01T00:00", "2024-01-01T00:01"));
        assert_eq!(minute("2024-03-04T10:02:33Z").as_deref(), Some("2024-03-04T10:02Z"));
        assert_eq!((minute("2024-03-04"), minute("2024-03-04TXX:10Z"), day("2024-13-04")), (None, None, None));
        assert_eq!(civil_day("2024-03-01").unwrap() - civil_day("2024-02-28").unwrap(), 2);
    }
}
