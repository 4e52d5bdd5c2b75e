//! The search as an engineer uses it in the night: error texts whole and in parts, words without their marks or with slips, pasted alerts, a narrow terminal,
//! a page to open, a branch checked out, a disk that is full.

use crate::program::Place;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FILES: [(&str, &str); 6] = [
    (
        "incidents/pool.md",
        "---\nlanguage: en\nservices: [ledger-api]\n---\n# Ledger calls failed with 502\n\n2023-02-03\n\n## Root cause\n\n\
         The connection pool of ledger-api was exhausted: `pgbouncer_pools_client_waiting` rose and callers saw ECONNRESET and HTTP 502.\n\n\
         ## Resolution\n\n- [x] Raised the pool size with `pgbouncer --reload` and restarted the workers.\n",
    ),
    (
        "incidents/update.md",
        "---\nlanguage: en\n---\n# Windows updates refused\n\n2022-05-06\n\n## Root cause\n\n\
         Setup ended with 0x80070005 because C:\\Windows\\Temp was not writable for the TGW agents.\n\n## Resolution\n\nWe restored the permissions.\n",
    ),
    (
        "incidents/zar.md",
        "---\nlanguage: hu\n---\n# Holtpont a számlázásban\n\n2021-03-04\n\n## Kiváltó ok\n\n\
         A számlázó nem működött, mert ORA-00060 hibával két tranzakció várt egymásra.\n\n## Megoldás\n\nÚjraindítottuk a számlázót.\n",
    ),
    (
        "incidents/last.md",
        "---\nlanguage: de\n---\n# Überlastung des Anmeldedienstes\n\n2020-01-02\n\n## Ursache\n\n\
         Der Anmeldedienst war überlastet, weil alle Clients ihre Anfragen sofort wiederholten.\n\n## Maßnahmen\n\n- [x] Drosselung am Gateway eingeschaltet.\n",
    ),
    (
        "incidents/disk.md",
        "---\nlanguage: en\n---\n# Mail was rejected\n\n2021-05-17\n\n## Root cause\n\nThe disk filled up: /var/spool/mail/queue had no space left.\n\n\
         ## Resolution\n\n| When | What | Who |\n| --- | --- | --- |\n| 04:10 | Deleted the old logs and enabled their rotation again | ops |\n",
    ),
    (
        "incidents/capacity.md",
        "---\nlanguage: en\n---\n# Too little capacity\n\n2019-05-17\n\n## Root cause\n\nThe capacity of the search cluster was too small for the sale.\n\n\
         ## Resolution\n\nWe added nodes.\n",
    ),
];

fn place() -> Place {
    Place::with(&FILES)
}

fn first(place: &Place, query: &str) -> String {
    let ids = place.run(&["search", "--format", "json", "--", query]).ids();
    ids.first().map(|id| id.trim_start_matches("incidents-").to_string()).unwrap_or_default()
}

#[test]
fn errors_paths_and_metrics_are_found_whole_and_in_parts() {
    let place = place();
    for (query, id) in [
        ("0x80070005", "update"),
        ("ORA-00060", "zar"),
        ("00060", "zar"),
        ("ora 00060", "zar"),
        ("ECONNRESET", "pool"),
        ("econnreset", "pool"),
        ("HTTP 502", "pool"),
        ("/var/spool/mail/queue", "disk"),
        ("spool/mail", "disk"),
        ("pgbouncer_pools_client_waiting", "pool"),
        ("client_waiting", "pool"),
        ("TGW", "update"),
        ("C:\\Windows\\Temp", "update"),
        ("ledger-api", "pool"),
    ] {
        assert_eq!(first(&place, query), id, "{query}");
    }
}

#[test]
fn marks_slips_beginnings_and_parts_of_compounds_are_forgiven() {
    let place = place();
    for (query, id) in [
        ("mukodott", "zar"),
        ("uberlastung", "last"),
        ("ueberlastet überlastet", "last"),
        ("Anmeldedienst", "last"),
        ("Anmelde", "last"),
        ("szamlazo", "zar"),
        ("permisions restored", "update"),
        ("clutser", "capacity"),
    ] {
        assert_eq!(first(&place, query), id, "{query}");
    }
}

#[test]
fn what_was_read_as_another_word_is_told_and_what_is_like_nothing_too() {
    let place = place();
    let slip = place.run(&["search", "clutser"]).ends(0);
    assert!(slip.out.lines().next().unwrap().contains("clutser → cluster"), "{}", slip.out);
    let told = place.run(&["search", "flux capacitor", "--format", "json"]).json();
    let understood = &told["understood"];
    assert!(understood["corrected"].as_object().is_none_or(|c| c.is_empty()), "{understood}");
    assert_eq!(understood["stand_in"]["flux"], serde_json::json!([]), "{understood}");
    let human = place.run(&["search", "flux capacitor"]);
    assert!(human.out.contains("flux → –") || human.code == 1, "{}", human.out);
    // what is known is not mentioned
    assert!(!place.run(&["search", "disk full"]).out.contains('→'));
}

#[test]
fn a_cure_is_told_in_words_once_with_its_command_first() {
    let place = place();
    let row = place.run(&["search", "disk full mail"]).ends(0).out;
    assert!(row.contains("Deleted the old logs") && !row.contains(" | "), "{row}");
    let pool = place.run(&["search", "-n", "1", "connection pool exhausted"]).ends(0).out;
    let fix = pool.lines().find(|l| l.trim_start().starts_with("fix")).unwrap();
    assert!(fix.contains("pgbouncer --reload"), "{pool}");
    let words = pool.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!((words.matches("restarted the workers").count(), words.matches("pgbouncer --reload").count()), (1, 1), "{pool}");
}

#[test]
fn a_narrow_terminal_cuts_nothing_off() {
    let place = place();
    let mut command = place.command();
    let out = command.env("COLUMNS", "40").args(["search", "connection pool"]).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let paths = |l: &&str| !l.contains(".md");
    assert!(text.lines().filter(paths).all(|l| l.chars().count() <= 40), "{text}");
    assert!(text.contains("pool"));
}

#[cfg(unix)]
#[test]
fn a_hit_opens_as_a_page() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    let (script, told) = (place.path("browser"), place.path("told"));
    std::fs::write(&script, format!("#!/bin/sh\nhead -c 4000 \"$1\" > {0}.part && mv {0}.part {0}; rm -f \"$1\"\n", told.display()))
        .unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let ran = place.command().env("BROWSER", &script).args(["search", "--open", "ORA-00060"]).output().unwrap();
    assert!(ran.status.success() && !ran.stdout.is_empty());
    let began = Instant::now();
    while !told.exists() && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(std::fs::read_to_string(&told).unwrap().contains("Holtpont a számlázásban"));
    let ran = place.command().env("BROWSER", place.path("no-such")).args(["search", "--open", "ORA-00060"]).output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("BROWSER"));
}

/// What `similar` says to a text on standard input.
fn similar(place: &Place, text: &str) -> serde_json::Value {
    let mut child = place.command().args(["similar", "--format", "json"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&out.stdout)))
}

#[test]
fn what_is_pasted_finds_incidents_like_it() {
    let place = place();
    for (what, text, id) in [
        (
            "Alertmanager",
            r#"{"status":"firing","alerts":[{"labels":{"alertname":"PoolExhausted","service":"ledger-api"},"annotations":{"description":"connection pool exhausted, callers see ECONNRESET"}}]}"#,
            "pool",
        ),
        (
            "PagerDuty",
            r#"{"event":{"event_type":"incident.triggered","data":{"title":"ledger-api: HTTP 502, connection pool exhausted","service":{"summary":"ledger-api"}}}}"#,
            "pool",
        ),
        ("plain", "[CRITICAL] mail-3: no space left on device /var/spool/mail/queue", "disk"),
        (
            "a stack trace",
            "java.sql.SQLException: ORA-00060: deadlock detected while waiting for resource\n\tat oracle.jdbc.Driver.run(Driver.java:12)\n\tat app.Billing.post(Billing.java:88)\n",
            "zar",
        ),
        (
            "log lines",
            "2024-05-01T10:00:01Z ERROR setup[812]: exit 0x80070005\n2024-05-01T10:00:02Z ERROR setup[812]: TGW agent cannot write\n",
            "update",
        ),
        (
            "a chat",
            "[10:02] ana: login is overloaded\n[10:03] ben: clients retry at once, requests pile up\n[10:04] ana: turning on throttling at the gateway\n",
            "last",
        ),
        (
            "a draft",
            "# Draft: mail outage\n\nMail was rejected as the disk of the queue was full.\n\n## What we know\n\nLogs were never rotated.\n",
            "disk",
        ),
    ] {
        let hits = similar(&place, text);
        let list = hits["hits"].as_array().unwrap();
        assert!(list.len() <= 5 && list.iter().all(|h| !h["why"].as_array().unwrap().is_empty()), "{what}: {hits}");
        assert!(list.first().is_some_and(|h| h["id"].as_str().unwrap().ends_with(id)), "{what}: {hits}");
    }
}

fn git(place: &Place, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]).args(args);
    let done = command.current_dir(place.path("corpus")).env("HOME", place.path("home")).output();
    assert!(done.is_ok_and(|o| o.status.success()), "git {args:?}");
}

#[test]
fn another_branch_is_another_corpus() {
    let place = place();
    git(&place, &["init", "-q"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "-qm", "all"]);
    assert_eq!(first(&place, "ECONNRESET"), "pool");
    git(&place, &["checkout", "-qb", "other"]);
    place.put("incidents/pool.md", FILES[0].1.replace("ECONNRESET", "EHOSTLOST1"));
    std::fs::remove_file(place.file("incidents/disk.md")).unwrap();
    git(&place, &["commit", "-qam", "less"]);
    assert_eq!((first(&place, "EHOSTLOST1"), first(&place, "/var/spool/mail/queue")), ("pool".into(), String::new()));
    git(&place, &["checkout", "-q", "main"]);
    assert_eq!((first(&place, "ECONNRESET"), first(&place, "/var/spool/mail/queue")), ("pool".into(), "disk".into()));
    // without a look at the files the last state answers
    place.put("incidents/pool.md", FILES[0].1.replace("ECONNRESET", "EHOSTLOST1"));
    assert_eq!(place.run(&["search", "--no-refresh", "--format", "json", "ECONNRESET"]).ids().len(), 1);
    assert_eq!(first(&place, "EHOSTLOST1"), "pool");
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_last_good_index() {
    let place = place();
    assert_eq!(first(&place, "ECONNRESET"), "pool");
    place
        .put("incidents/new.md", "---\nlanguage: en\n---\n# New\n\n## Root cause\n\nECONNRESET again and again: the pool was exhausted.\n");
    // files may grow to two blocks only: what an index writes does not fit
    let program = env!("CARGO_BIN_EXE_twiceshy");
    let limited = format!("trap '' XFSZ; ulimit -f 2; exec {program} search ECONNRESET");
    let out = place.command().get_envs().filter_map(|(k, v)| v.map(|v| (k.to_owned(), v.to_owned()))).collect::<Vec<_>>();
    let ran = Command::new("sh").arg("-c").arg(limited).envs(out).current_dir(place.path(".")).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(!said.contains("panicked"), "{said}");
    // whatever it said, the next one answers from both
    let ids = place.run(&["search", "--format", "json", "ECONNRESET"]).ends(0).ids();
    assert_eq!(ids.len(), 2, "{ids:?}");
}
