//! Causes, their kinds and what was ruled out; who does what until when in sentences; severities, ends and summaries, in small documents.

use crate::support::knowledge;
use twiceshy::book::answers;
use twiceshy::book::view::Incident;
use twiceshy::pipeline::read;
use twiceshy::text::Source;

fn incident(text: &str) -> Incident {
    read(&Source::new("t.md", text.as_bytes().to_vec()), knowledge()).incident
}

/// The kind of each cause whose text holds some words.
#[track_caller]
fn kind_of(i: &Incident, words: &str) -> String {
    i.causes.iter().find(|c| c.text.contains(words)).map_or_else(|| panic!("{words:?} is no cause: {:#?}", i.causes), |c| c.kind.clone())
}

#[test]
fn what_stands_alone_under_root_cause_is_the_root_cause() {
    for text in ["There was no alert on the age of the oldest lock.", "A migration added the column without a default."] {
        let i = incident(&format!("# Billing was down\n\nInvoices failed for an hour.\n\n## Root cause\n\n{text}\n"));
        assert_eq!(kind_of(&i, &text[..20]), "root");
    }
}

#[test]
fn of_a_chain_of_whys_the_last_answer_is_the_root() {
    let i = incident(
        "# Labels were not printed\n\n## Root cause\n\n1. Why did the printer stop? The disk of the print server was full.\n2. Why was the disk full? The trace \
         log was never rotated.\n3. Why was it never rotated? The rotation job had been removed from the image by mistake.\n",
    );
    assert_eq!(kind_of(&i, "disk of the print server"), "contributing");
    assert_eq!(kind_of(&i, "never rotated."), "contributing");
    assert_eq!(kind_of(&i, "removed from the image"), "root");
}

#[test]
fn at_most_one_cause_is_told_as_the_moment() {
    let i = incident(
        "# Search fell on 2024-06-03\n\nAt 09:10 UTC on 2024-06-03 a deploy of the ranker caused the query nodes to run out of memory. At 09:40 UTC the load \
         increased because clients retried, which overloaded the cache.\n\n## Root cause\n\nThe ranker kept every result in memory because its limit was missing.\n",
    );
    assert!(i.causes.iter().filter(|c| c.kind == "trigger").count() <= 1, "{:#?}", i.causes);
    assert_eq!(kind_of(&i, "its limit was missing"), "root");
}

#[test]
fn what_a_heading_rules_out_is_no_cause_and_proves_no_pattern() {
    for (text, words) in [
        (
            "# Shop down\n\n## Root cause\n\nThe certificate of the gateway had expired.\n\n## What we ruled out\n\n- A DDoS attack: traffic was as expected.\n- A full disk on the database.\n",
            ["DDoS", "full disk"],
        ),
        (
            "# Shop weg\n\n## Ursache\n\nDas Zertifikat des Gateways war abgelaufen.\n\n## Verworfene Hypothesen\n\n- DDoS-Angriff: der Verkehr war wie erwartet.\n- Die Platte der Datenbank war voll.\n",
            ["DDoS", "Platte"],
        ),
    ] {
        let i = incident(text);
        assert!(i.causes.iter().all(|c| words.iter().all(|w| !c.text.contains(w))), "{:#?}", i.causes);
        assert!(i.patterns.iter().all(|p| p.id != "ddos-attack" && p.id != "disk-full"), "{:#?}", i.patterns);
    }
}

#[test]
fn an_attempt_that_changed_nothing_stopped_nothing() {
    for text in [
        "# Banco lento\n\n## Linha do tempo (2024-08-01)\n\n- 08:15 Alerta de latência.\n- 09:30 Reiniciamos os pods. Nada mudou.\n- 10:20 Executamos a reversão do deploy.\n- 10:40 Tudo voltou ao normal.\n",
        "# Slow bank\n\n## Timeline (2024-08-01)\n\n- 08:15 Alert on latency.\n- 09:30 Restarted the pods, same error.\n- 10:20 Rolled back the deploy.\n- 10:40 All is back to normal.\n",
    ] {
        let i = incident(text);
        let said: Vec<&str> = answers::stopped(&i).iter().map(|s| s.text).collect();
        assert!(said.first().is_some_and(|s| s.contains("reversão") || s.contains("Rolled back")), "{said:?}");
    }
}

#[test]
fn who_and_until_when_behind_dashes_and_in_sentences() {
    let i = incident(
        "# Search was down\n\n## Action items\n\n- Fix the deploy script – Voss, by 16 May 2024\n- Add an alert on disk usage - Kaan - DONE (2024-06-06)\n\
         - Write the runbook for failover. Owner: Otto. Due: 2024-06-07.\n- Order new disks (in progress, N. Roche)\n- Teach the parser dashes – and colons\n",
    );
    let said: Vec<_> = i.remediation.iter().map(|a| (a.status.as_str(), a.owner.as_deref(), a.due.as_deref())).collect();
    assert_eq!(
        said,
        [
            ("planned", Some("Voss"), Some("16 May 2024")),
            ("done", Some("Kaan"), None),
            ("planned", Some("Otto"), Some("2024-06-07")),
            ("planned", Some("N. Roche"), None),
            ("planned", None, None),
        ]
    );
}

#[test]
fn the_end_is_the_entry_that_names_itself_so() {
    let i = incident(
        "# Cart down\n\n## Timeline (UTC)\n\n- 2024-03-12 07:41 Autoscaler adds replicas\n- 07:44 OUTAGE BEGINS, the database refuses connections\n\
         - 08:31 Pool restarted. OUTAGE ENDS\n- 09:00 Incident closed after a soak\n",
    );
    let period = i.period.expect("it has one");
    assert_eq!((period.start.as_deref(), period.end.as_deref()), (Some("2024-03-12T07:44:00Z"), Some("2024-03-12T08:31:00Z")));
}

#[test]
fn severities_within_lines_and_beside_other_labels() {
    for (text, written) in [
        ("# A\n\nIt is over. Severity: SEV2. Components: search, mail.\n", "SEV2"),
        ("# A\n\n```\nx\n```\n\nSeverity: S2      Status: closed\n", "S2"),
        ("# Störung\n\nBeginn 10:15 Uhr. Schweregrad: hoch.\n", "hoch"),
    ] {
        assert_eq!(incident(text).severity.map(|s| s.written), Some(written.to_string()), "{text}");
    }
}

#[test]
fn particulars_do_not_tell_what_happened() {
    let i = incident(
        "# Orders stuck\n\nTeams: Fulfilment (Seattle), Core DB (Berlin)\n\nFor four hours no order left the state pending. Nobody lost money.\n",
    );
    assert!(answers::happened(&i).first().is_some_and(|s| s.text.starts_with("For four hours")), "{:#?}", i.summary);
}

#[test]
fn the_code_below_a_sentence_is_its_command() {
    let i = incident(
        "# Checkout was slow\n\n## Resolution\n\nWe turned off retries in the client:\n\n```sh\n$ kubectl set env deploy/checkout RETRIES=0\n```\n\nThe queue drained within minutes.\n",
    );
    let said = answers::stopped(&i);
    assert_eq!(said.first().and_then(|s| s.command), Some("kubectl set env deploy/checkout RETRIES=0"), "{:#?}", i.remediation);
}
