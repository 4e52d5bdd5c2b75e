//! Which mentions are events.

use super::super::period;
use super::super::time::samples::{document, lexicon};
use super::super::time::{Instant, Reader};
use super::*;

fn events(tag: &str, text: &str) -> (Vec<String>, Option<String>) {
    let (own, english) = (lexicon(tag), lexicon("en"));
    let (document, roles) = document(text, &own);
    let reader = Reader::new(&own, &english);
    let mut times = reader.read(&document, &roles, None);
    let events = read(&document, &roles, &own, &mut times);
    let period = period::read(&document, &roles, &reader, &times, &events);
    let show = |i: &Option<Instant>| i.as_ref().map_or("?".to_string(), Instant::to_string);
    let list = events.iter().map(|e| format!("{} {} {}", e.at, e.phase.map_or("-", Phase::name), e.text)).collect();
    (list, period.map(|p| format!("{}/{} {}", show(&p.start), show(&p.end), p.rule)))
}

#[test]
fn entries_of_a_timeline() {
    let text = "# Outage of 2022-05-03\nPublished: 2022-06-01\n## Timeline (UTC)\n- 14:05 Alerts fired. Somebody looked.\n- 14:10 Deployed 1.2.3\n- We slept.\n- 14:20 - Recovered\n## Action items\n- Add a check by 2022-07-01";
    let (e, p) = events("en", text);
    assert_eq!(
        e,
        [
            "2022-05-03T14:05:00Z detected Alerts fired. Somebody looked.",
            "2022-05-03T14:10:00Z response Deployed 1.2.3",
            "2022-05-03T14:20:00Z resolved Recovered"
        ]
    );
    assert_eq!(p.as_deref(), Some("2022-05-03T14:05:00Z/2022-05-03T14:20:00Z several"));
}

#[test]
fn stamps_above_their_text() {
    let text =
        "# Status\n### 2022-05-03 14:05 UTC\nWe are investigating. More soon. Third.\n### 2022-05-03 15:05 UTC - Resolved\nAll recovered.";
    let (e, _) = events("en", text);
    assert_eq!(
        e,
        ["2022-05-03T14:05:00Z response We are investigating. More soon.", "2022-05-03T15:05:00Z resolved Resolved All recovered."]
    );
}

#[test]
fn tables_and_labels() {
    let text = "## Summary\n- Start: 2022-05-03 14:05 UTC\n- Detected: 2022-05-03 14:10 UTC\n- Date: 2022-05-04\n## Timeline\n| Time | Event |\n| 2022-05-03 14:20 UTC | rolled back |\n## Action items\n| Action | Owner | Due |\n| Add | me | 2022-06-01 |";
    let (e, p) = events("en", text);
    assert_eq!(e.len(), 3, "{e:?}");
    assert_eq!(e[2], "2022-05-03T14:20:00Z mitigated rolled back");
    assert_eq!(p.as_deref(), Some("2022-05-03T14:05:00Z/2022-05-03T14:20:00Z several"));
}

#[test]
fn sentences_that_tell_and_sentences_that_do_not() {
    let text = "# Note\n*Author, 2022-06-01*\n## Summary\nOn 2022-05-03 between 14:05 and 15:20 UTC users saw errors. We restarted it at 15:10 UTC. The job runs every day at 03:00 UTC usually. We will meet at 16:00 UTC next. It was deployed on 2022-05-02 by hand.\n## Background\nVersion 3 was deployed on 2014-05-03 at 10:00 UTC.";
    let (e, p) = events("en", text);
    assert_eq!(e.len(), 3, "{e:?}");
    assert!(e[0].starts_with("2022-05-03T14:05:00Z impact On 2022-05-03 between"));
    assert!(e[2].starts_with("2022-05-02 trigger It was deployed"));
    assert_eq!(p.as_deref(), Some("2022-05-03T14:05:00Z/2022-05-03T15:20:00Z summary-range"));
}

#[test]
fn spans_stand_on_the_entry() {
    let own = lexicon("en");
    let source = "## Timeline\n- 2022-05-03 14:05 UTC Alert fired\n- 14:10 fixed";
    let (document, roles) = document(source, &own);
    let mut times = Reader::new(&own, &own).read(&document, &roles, None);
    let events = read(&document, &roles, &own, &mut times);
    let spans: Vec<&str> = events.iter().map(|e| &source[e.spans[0].start..e.spans[0].end]).collect();
    assert_eq!(spans, ["2022-05-03 14:05 UTC Alert fired", "14:10 fixed"]);
    assert!(times.mentions.iter().all(|m| m.event));
}
