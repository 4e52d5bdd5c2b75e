//! Durations of an incident, computed from its period and its timeline.

use super::Moments;
use crate::book::view::{Event, Metric, Metrics, Stated};
use crate::facts::time::Instant;

/// The durations that the text's own moments allow; `None` where there is none. `shown` are the timeline's entries as the view has them, in the order of
/// the moments' events.
pub(super) fn of(moments: &Moments, shown: &[Event]) -> Option<Metrics> {
    let period = moments.period.as_ref();
    let start = period.and_then(|p| p.start.as_ref());
    let mut made = Metrics::default();
    if let (Some(a), Some(b)) = (start, period.and_then(|p| p.end.as_ref())) {
        made.duration = between(a, b).map(|value| Metric { value, from: Vec::new() });
    }
    let first = |phase: &str| shown.iter().position(|e| e.phase.as_deref() == Some(phase));
    let last = |phase: &str| shown.iter().rposition(|e| e.phase.as_deref() == Some(phase));
    let begin = first("impact").or_else(|| first("trigger"));
    let metric = |end: Option<usize>| {
        let end = end?;
        let (from, value) = match (start, begin) {
            (Some(a), _) => (vec![shown[end].anchor.clone()], between(a, &moments.events[end].at)?),
            (None, Some(b)) if b != end => {
                (vec![shown[b].anchor.clone(), shown[end].anchor.clone()], between(&moments.events[b].at, &moments.events[end].at)?)
            }
            _ => return None,
        };
        Some(Metric { value, from })
    };
    made.time_to_detect = metric(first("detected"));
    made.time_to_mitigate = metric(first("mitigated"));
    made.time_to_resolve = metric(last("resolved"));
    if let Some(stated) = &moments.stated {
        let spans = stated.spans().iter().map(|s| [s.start, s.end]).collect();
        made.stated.insert("duration".into(), Stated { value: iso(stated.value().seconds), spans });
    }
    let any = !made.stated.is_empty()
        || made.duration.is_some()
        || made.time_to_detect.is_some()
        || made.time_to_mitigate.is_some()
        || made.time_to_resolve.is_some();
    any.then_some(made)
}

/// The time between two moments as an ISO 8601 duration, where both are known to the minute, in zones that are both stated or both not, and the second is
/// not before the first.
fn between(a: &Instant, b: &Instant) -> Option<String> {
    if a.clock.is_none() || b.clock.is_none() {
        // of days alone, several days
        let days = b.date.day.and(b.date.day_number())? - a.date.day.and(a.date.day_number())?;
        return (2..=366).contains(&days).then(|| iso(days * 86_400));
    }
    if a.offset().is_some() != b.offset().is_some() {
        return None;
    }
    let seconds = b.seconds()? - a.seconds()?;
    (0..=366 * 86_400).contains(&seconds).then(|| iso(seconds))
}

fn iso(seconds: i64) -> String {
    let (days, hours, minutes, rest) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let part = |n: i64, unit: &str| if n > 0 { format!("{n}{unit}") } else { String::new() };
    let time = format!("{}{}{}", part(hours, "H"), part(minutes, "M"), part(rest, "S"));
    match (days, time.is_empty()) {
        (0, true) => "PT0S".into(),
        (_, true) => format!("P{days}D"),
        _ => format!("P{}T{time}", part(days, "D")),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn durations() {
        assert_eq!(super::iso(0), "PT0S");
        assert_eq!(super::iso(5400), "PT1H30M");
        assert_eq!(super::iso(90_061), "P1DT1H1M1S");
        assert_eq!(super::iso(172_800), "P2D");
    }
}
