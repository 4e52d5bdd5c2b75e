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
    let (Some((clock, zone)), Some((other, its))) = (a.split_at_checked(16), b.split_at_checked(16)) else { return false };
    if zone == its || zone.is_empty() || its.is_empty() {
        return clock == other;
    }
    let instant = |s: &str| s.parse::<jiff::Timestamp>().ok();
    instant(a).is_some_and(|at| Some(at) == instant(b))
}

/// A day (`YYYY-MM-DD`) as a number that grows by one from day to day.
pub(super) fn civil_day(day: &str) -> Option<i32> {
    let day: jiff::civil::Date = day.parse().ok()?;
    jiff::civil::Date::ZERO.until(day).ok().map(|span| span.get_days())
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
