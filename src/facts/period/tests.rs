//! Periods of whole reports, read with the lexicons as they are; and the updates and labels they stand on.

use super::super::time::{Instant, Reader, Times};
use super::super::timeline::{self, Event};
use super::{Period, check, read, stated_duration};
use crate::facts::Reading;
use crate::lang::Languages;
use crate::pattern::Catalogue;
use crate::text::Source;

struct Moments {
    times: Times,
    events: Vec<Event>,
    period: Option<Period>,
}

fn moments(tag: &str, text: &str) -> Moments {
    let languages = Languages::builtin();
    let (own, english) = (languages.lexicon(tag), languages.lexicon("en"));
    let document = crate::document::parse(&Source::new("x.md", text.as_bytes().to_vec()));
    let catalogue = Catalogue::builtin();
    let reading = Reading::new(&document, &own, &catalogue);
    let roles: Vec<_> = reading.places.iter().map(|p| p.role).collect();
    let reader = Reader::new(&own, &english);
    let mut times = reader.read(&document, &roles, None);
    let events = timeline::read(&document, &roles, &own, &mut times);
    let period = read(&document, &roles, &reader, &times, &events);
    let found = check(&reading, &reader, &times, period.as_ref(), stated_duration(&reading, &reader).as_ref());
    times.diagnostics.extend(found);
    Moments { times, events, period }
}

/// `start/end`, with `-` for what is not known.
fn period(tag: &str, text: &str) -> String {
    let show = |at: Option<Instant>| at.map_or("-".to_string(), |a| a.to_string());
    moments(tag, text).period.map_or("none".into(), |p| format!("{}/{}", show(p.start), show(p.end)))
}

fn table(rows: &[(&str, &str, &str)]) {
    let bad: Vec<String> = rows
        .iter()
        .filter_map(|(tag, text, wanted)| {
            let got = period(tag, text);
            (got != *wanted).then(|| format!("{tag}: {text:?}\n   got    {got}\n   wanted {wanted}"))
        })
        .collect();
    assert!(bad.is_empty(), "{} of {} differ:\n{}", bad.len(), rows.len(), bad.join("\n"));
}

#[test]
fn stated_periods() {
    table(&[
        ("en", "# Pumps\n\n**Start:** 2022-05-03 14:05 UTC\n**End:** 2022-05-03 15:20 UTC\n", "2022-05-03T14:05:00Z/2022-05-03T15:20:00Z"),
        ("en", "# Pumps\n\nStart: 2022-05-03 14:05 UTC | End: 15:20 UTC | Duration: 1h15\n", "2022-05-03T14:05:00Z/2022-05-03T15:20:00Z"),
        ("fr", "# Pompes\n\n**Date :** 03/05/2022\n\n- Début : 8h15\n- Fin : 9h05\n", "2022-05-03T08:15:00/2022-05-03T09:05:00"),
        ("de", "# Pumpen\n\n**Zeitraum:** 03.05.2022, 14:05 Uhr – 04.05.2022, 02:00 Uhr\n", "2022-05-03T14:05:00/2022-05-04T02:00:00"),
        (
            "en",
            "---\nstart: 2022-05-03T14:05:00Z\nend: 2022-05-03T15:20:00Z\n---\n\n# Pumps\n\nIt fell at 14:00.\n",
            "2022-05-03T14:05:00Z/2022-05-03T15:20:00Z",
        ),
        (
            "en",
            "---\ntitle: Pumps\ndate: 2022-05-03T14:05:00Z\nresolved: true\nresolvedWhen: 2022-05-03T15:20:00Z\n---\n\nThe pumps are down.\n",
            "2022-05-03T14:05:00Z/2022-05-03T15:20:00Z",
        ),
        ("de", "# Ausfall am 03.05.2022 von 14:05 - 14:40\n\nDie Pumpen standen.\n", "2022-05-03T14:05:00/2022-05-03T14:40:00"),
        (
            "en",
            "# Pumps\n\n### Start time\n2022-05-03 14:05 UTC\n\n### End time\n2022-05-03 15:20 UTC\n",
            "2022-05-03T14:05:00Z/2022-05-03T15:20:00Z",
        ),
    ]);
}

#[test]
fn told_periods() {
    table(&[
        (
            "en",
            "# Pumps\n\n## Timeline (UTC, 2022-05-03)\n\n- 14:00 A change is deployed\n- 14:05 Errors begin\n- 14:10 On-call is paged\n- 15:20 Service restored\n",
            "2022-05-03T14:05:00Z/2022-05-03T15:20:00Z",
        ),
        (
            "en",
            "# Pumps\n\n## Timeline (UTC, 2022-05-03)\n\n- 14:00 A change is deployed\n- 14:10 On-call is paged\n- 15:20 Service restored\n",
            "2022-05-03T14:00:00Z/2022-05-03T15:20:00Z",
        ),
        (
            "en",
            "# Pumps\n\n## Summary\n\nOn 2022-05-03 at 13:55 UTC the pumps began to fail.\n\n## Timeline\n\n- 14:05 Errors are seen\n- 15:20 Service restored\n",
            "2022-05-03T13:55:00Z/2022-05-03T15:20:00Z",
        ),
        (
            "en",
            "# Pumps\n\n## Summary\n\nBetween 14:05 and 15:20 UTC on 2022-05-03 the pumps failed.\n",
            "2022-05-03T14:05:00Z/2022-05-03T15:20:00Z",
        ),
        ("en", "# Pumps\n\n**Date:** 2022-05-03\n\nThey stopped.\n", "2022-05-03/-"),
        ("en", "# Pumps stopped in May 2022\n\nThey stopped.\n", "2022-05/2022-05"),
    ]);
}

#[test]
fn updates_on_either_side_of_their_text() {
    let list = |text: &str| -> Vec<String> {
        moments("en", text)
            .events
            .iter()
            .map(|e| format!("{} {}", e.at, e.text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")))
            .collect()
    };
    assert_eq!(
        list(
            "# Pumps\n\n## Updates\n\nThe pumps are running again.\n\nMay 3, 2022 - 15:20 UTC\n\nWe are looking into pumps that stopped.\n\nMay 3, 2022 - 14:05 UTC\n"
        ),
        ["2022-05-03T15:20:00Z The pumps are", "2022-05-03T14:05:00Z We are looking"]
    );
    assert_eq!(
        list("# Pumps\n\nAll is well again.\nMay 3, 2022, 15:20 UTC\n\nWe are looking into it.\nMay 3, 2022, 14:05 UTC\n"),
        ["2022-05-03T15:20:00Z All is well", "2022-05-03T14:05:00Z We are looking"]
    );
    assert_eq!(
        list("# Pumps\n\n## Update of 4 May 2022\n\nAll is well again.\n\n## Update of 3 May 2022\n\nThe pumps have stopped.\n"),
        ["2022-05-04 Update of 4", "2022-05-03 Update of 3"]
    );
    assert_eq!(list("# Pumps, 3 May 2022\n\nThe pumps have a wheel.\n"), Vec::<String>::new());
}

#[test]
fn samples_and_press_links_are_no_events() {
    let list = |text: &str| -> Vec<String> { moments("en", text).events.iter().map(|e| e.at.to_string()).collect() };
    let log = "# Pumps\n\n## Timeline (UTC)\n\n- 2022-05-03 14:05 the pumps stop\n- 2022-05-03 15:20 all is well\n\n```\n2022-05-03 14:05:11 ERROR no water\n2022-05-03 14:05:12 ERROR no water\n```\n";
    assert_eq!(list(log), ["2022-05-03T14:05:00Z", "2022-05-03T15:20:00Z"]);
    let block = "# Pumps\n\n## Timeline (UTC)\n\n```\n2022-05-03 14:05 the pumps stop\n2022-05-03 15:20 all is well\n```\n";
    assert_eq!(list(block), ["2022-05-03T14:05:00Z", "2022-05-03T15:20:00Z"]);
    let press = "# Pumps\n\n## Press\n\n- 2022-05-04: [A paper](https://x.example/a)\n- 2022-05-05: [Another paper](https://x.example/b)\n";
    assert_eq!(list(press), Vec::<String>::new());
}

#[test]
fn contradictions() {
    let codes = |text: &str| -> Vec<&'static str> { moments("en", text).times.diagnostics.iter().map(|d| d.code).collect() };
    assert_eq!(codes("# Pumps\n\nStart: 2022-05-03 15:20 UTC\nEnd: 2022-05-03 14:05 UTC\n"), ["end-before-start"]);
    assert_eq!(codes("# Pumps\n\nStart: 2022-05-03 14:05 UTC\nEnd: 2022-05-03 15:20 UTC\nDuration: 3h\n"), ["duration-mismatch"]);
    assert_eq!(codes("# Pumps\n\nStart: 2022-05-03 14:05 UTC\nEnd: 2022-05-03 15:20 UTC\nDuration: about 1h15\n"), Vec::<&str>::new());
    assert_eq!(
        codes("---\ndate: 2021-05-03\n---\n\n# Pumps\n\nStart: 2022-05-03 14:05 UTC\nEnd: 2022-05-03 15:20 UTC\n"),
        ["front-matter-date"]
    );
    assert_eq!(
        codes("---\ndate: 2022-05-09\n---\n\n# Pumps\n\nStart: 2022-05-03 14:05 UTC\nEnd: 2022-05-03 15:20 UTC\n"),
        Vec::<&str>::new()
    );
}
