//! The course of an incident in small documents: what stopped it, what its entries tell, which day its clocks lie on, who does what until when.

use crate::support::knowledge;
use twiceshy::book::answers;
use twiceshy::book::view::Incident;
use twiceshy::pipeline::read;
use twiceshy::text::Source;

fn incident(path: &str, text: &str) -> Incident {
    read(&Source::new(path, text.as_bytes().to_vec()), knowledge()).incident
}

/// What stopped it, and that nothing else is shown first.
#[track_caller]
fn stopped(text: &str, wanted: Option<&str>) {
    let i = incident("t.md", text);
    let got: Vec<&str> = answers::stopped(&i).iter().map(|s| s.text).collect();
    match wanted {
        Some(w) => assert!(got.first().is_some_and(|g| g.contains(w)), "wanted {w:?}, got {got:?}"),
        None => assert!(got.is_empty(), "wanted nothing, got {got:?}"),
    }
}

#[test]
fn the_last_deed_before_the_recovery_stopped_it() {
    stopped(
        "# Search was down on 2024-06-03\n\n## Timeline\n\n- 09:10 Deployed the new ranker.\n- 09:22 Alert: the error rate is above 20%.\n- 09:31 We \
         restarted the query nodes. No effect.\n- 09:47 We rolled back the ranker.\n- 09:55 All queries are back to normal. Incident closed.\n",
        Some("rolled back the ranker"),
    );
    stopped(
        "# Suche gestört am 3. Juni 2024\n\n## Zeitverlauf\n\n- 09:10 Uhr Neue Version ausgerollt.\n- 09:22 Uhr Alarm: viele Fehler.\n- 09:31 Uhr Neustart \
         der Knoten, ohne Wirkung.\n- 09:47 Uhr Auf die alte Version zurückgerollt.\n- 09:55 Uhr Alles läuft wieder, Störung beendet.\n",
        Some("zurückgerollt"),
    );
    stopped(
        "# 検索の障害\n\n## タイムライン（2024年6月3日）\n\n- 09:10 新しい版をデプロイした。\n- 09:22 アラートで検知した。\n- 09:31 ノードを再起動した。効果なし。\n- 09:47 \
         前の版へ切り戻した。\n- 09:55 正常に戻った。\n",
        Some("切り戻した"),
    );
}

#[test]
fn states_news_and_what_set_it_off_stopped_nothing() {
    stopped("# Outage\n\n## Timeline\n\n- 2024-06-03 09:22 UTC Errors on all nodes.\n- 09:55 UTC Everything is back to normal.\n", None);
    stopped(
        "# Ausfall\n\nAm 3. Juni 2024 fielen alle Knoten aus. Um 09:55 Uhr war alles wieder erreichbar. Die Statusseite wurde aktualisiert.\n",
        None,
    );
    stopped(
        "# Panne\n\nLa veille, nous avions déployé une nouvelle sonde. Le 3 juin 2024 à 9 h 22, les requêtes échouaient. À 9 h 55, tout est revenu à la \
         normale.\n",
        None,
    );
}

/// Phase and beginning of each entry of the timeline.
fn phases(text: &str) -> Vec<(String, String)> {
    let i = incident("t.md", text);
    i.timeline.iter().map(|e| (e.phase.clone().unwrap_or_default(), e.text.chars().take(12).collect())).collect()
}

#[test]
fn entries_are_named_by_their_status_and_shown_in_the_order_of_time() {
    let got = phases(
        "# Logins fail\n\n### Resolved\n\n**Mar 4, 2025 - 11:40 UTC**\nNobody waits any more.\n\n### Monitoring\n\n**Mar 4, 2025 - 11:05 UTC**\nSessions are \
         kept again.\n\n### Update\n\n**Mar 4, 2025 - 10:30 UTC**\nBoth proxies were restarted. They filled up again at once.\n\n### Investigating\n\n**Mar 4, \
         2025 - 10:02 UTC**\nWe are looking at failing logins.\n",
    );
    let names: Vec<&str> = got.iter().map(|(p, _)| p.as_str()).collect();
    assert_eq!(names, ["response", "response", "mitigated", "resolved"], "{got:?}");
    assert!(got[0].1.starts_with("We are"), "an entry does not repeat its stamp: {got:?}");
}

#[test]
fn what_was_tried_in_vain_is_a_try() {
    for text in [
        "# Outage\n\n## Timeline\n\n- 2024-06-03 09:22 UTC Alert fires.\n- 09:31 UTC Rolled back the release. It did not help.\n",
        "# Panne\n\n## Chronologie\n\n- 3 juin 2024, 09:22 UTC : première alerte.\n- 09:31 UTC : retour arrière, sans effet.\n",
        "# 障害\n\n## 時系列\n\n- 2024年6月3日 09:22 アラートを検知。\n- 09:31 ロールバックを実施。改善せず。\n",
    ] {
        assert_eq!(phases(text).last().map(|p| p.0.as_str()), Some("response"), "{text}");
    }
}

#[test]
fn a_message_stands_at_its_own_stamp() {
    let i = incident(
        "t.txt",
        "#inc-checkout 2024-06-03 (UTC)\n\n[09:22] bot: error rate 30%\n[09:31] Ann: 08:50 release looks wrong to me\n[09:40] Ann: rolled back\n",
    );
    let at: Vec<&str> = i.timeline.iter().map(|e| &e.at[11..16]).collect();
    assert_eq!(at, ["09:22", "09:31", "09:40"]);
}

#[test]
fn a_day_of_front_matter_holds_for_the_clocks_before_a_later_day() {
    for text in [
        "---\ndate: 2026-05-11\n---\n# Queue stuck\n\n## Timeline (UTC)\n\n- 10:00 Alert fires.\n- 10:40 Restarted the workers.\n- May 12, 09:00 All late jobs \
         are done.\n",
        "---\ndate: 2026-05-11\n---\n# Cola atascada\n\n## Cronología (UTC)\n\n- 10:00 – Salta la alerta.\n- 10:40 – Se reinician los procesos.\n- 12 de mayo, \
         09:00 – Terminan los trabajos atrasados.\n",
        "# Warteschlange steht\n\nDatum: 11. Mai 2026\n\n## Zeitverlauf (UTC)\n\n- 10:00 Uhr Alarm.\n- 10:40 Uhr Prozesse neu gestartet.\n- 12. Mai, 09:00 Uhr \
         Rückstand abgearbeitet.\n",
    ] {
        let i = incident("t.md", text);
        let days: Vec<&str> = i.timeline.iter().map(|e| &e.at[..10]).collect();
        assert_eq!(days, ["2026-05-11", "2026-05-11", "2026-05-12"], "{text}");
    }
}

/// The durations stated and the codes of what is said about the document.
fn stated(text: &str) -> (Option<String>, Vec<String>) {
    let i = incident("t.md", text);
    let said = i.metrics.as_ref().and_then(|m| m.stated.get("duration")).map(|s| s.value.clone());
    (said, i.diagnostics.iter().map(|d| d.code.clone()).collect())
}

#[test]
fn clocks_are_no_durations_and_odd_minutes_are_exact() {
    let (said, codes) = stated("# Outage\n\n**Date:** 2024-06-03\n**Duration:** from 7:21am UTC to 12:11pm UTC, almost five hours\n");
    assert_eq!(said.as_deref(), Some("PT5H"));
    assert!(!codes.iter().any(|c| c == "duration-mismatch"), "{codes:?}");
    let (said, codes) = stated("# Panne\n\nDate : 3 juin 2024\nDurée : de 03h12 à 10h51\n");
    assert!(said.is_none() && !codes.iter().any(|c| c == "duration-mismatch"), "{said:?} {codes:?}");
    let odd = |length: &str| {
        stated(&format!(
            "# Ausfall\n\n| Feld | Wert |\n|---|---|\n| Datum | 2024-06-03 |\n| Dauer | {length} |\n\n## Zeitverlauf (UTC)\n\n- 09:00 Uhr Erste Fehler.\n- 10:28 Uhr \
             Störung behoben.\n"
        ))
        .1
        .iter()
        .any(|c| c == "duration-mismatch")
    };
    assert!(odd("1 h 22 min") && !odd("1 h 27 min") && !odd("1,5 Stunden"));
}

#[test]
fn brackets_tell_who_until_when_and_where() {
    let of = |path: &str, text: &str| {
        let i = incident(path, text);
        i.remediation
            .iter()
            .map(|a| (a.owner.clone().unwrap_or_default(), a.due.clone().unwrap_or_default(), a.ticket.clone().unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    let told = |o: &str, d: &str, t: &str| (o.to_string(), d.to_string(), t.to_string());
    assert_eq!(of("t.md", "# Outage\n\n## Action items\n\n- [ ] Alert on queue depth (Ines, OPS-71)\n"), [told("Ines", "", "OPS-71")]);
    assert_eq!(
        of("t.md", "# Ausfall\n\n## Maßnahmen\n\n- [ ] Alarm für die Warteschlange einrichten (Jutta, bis 30.06.2025)\n"),
        [told("Jutta", "30.06.2025", "")]
    );
    assert_eq!(of("t.md", "# 障害報告\n\n## 再発防止策\n\n- 監視項目を追加する（高橋、5/12まで）\n"), [told("高橋", "5/12", "")]);
    // what is no name is left alone
    assert_eq!(of("t.md", "# Outage\n\n## Action items\n\n- [ ] Add a cap on retries (see below, 3 of them)\n"), [told("", "", "")]);
}

#[test]
fn a_task_list_that_was_exported_says_what_is_done() {
    let i = incident(
        "t.html",
        "<h1>Ausfall der Suche</h1><h2>Maßnahmen</h2><ul><li class=\"checked\">Grenze für Wiederholungen gesetzt</li><li>Alarm einrichten</li></ul>",
    );
    let status: Vec<&str> = i.remediation.iter().map(|a| a.status.as_str()).collect();
    assert_eq!(status, ["done", "planned"]);
}

#[test]
fn that_it_is_over_is_no_action() {
    for text in [
        "# Outage\n\nWe rolled back the release at 09:47 UTC on 2024-06-03.\n\nThis incident has been resolved.\n",
        "# Ausfall\n\nAm 3. Juni 2024 um 09:47 Uhr haben wir die Version zurückgerollt.\n\nDie Störung ist behoben.\n",
    ] {
        let i = incident("t.md", text);
        assert!(i.remediation.iter().all(|a| !a.text.contains("resolved") && !a.text.contains("behoben")), "{:?}", i.remediation);
    }
}

#[test]
fn front_matter_that_cannot_be_is_told() {
    let codes = |text: &str| stated(text).1;
    let has = |text: &str, code: &str| assert!(codes(text).iter().any(|c| c == code), "{code}: {:?}", codes(text));
    has("---\ndate: 2026-13-45\n---\n# Outage\n\nIt broke.\n", "impossible-date");
    has("---\nstart: 2026-02-30\n---\n# Outage\n\nIt broke.\n", "impossible-date");
    has("---\nstart: 2026-02-03T10:00Z\nend: 2026-02-03T09:00Z\n---\n# Outage\n\nIt broke.\n", "end-before-start");
    has("---\naudience: secret\n---\n# Outage\n\nIt broke.\n", "unknown-audience");
    has("---\npatterns: [no-such-thing]\n---\n# Outage\n\nIt broke.\n", "unknown-pattern");
    let sound = codes("---\ndate: 2026-02-03\nresolved: true\naudience: Internal\npatterns: [retry-storm]\n---\n# Outage\n\nIt broke.\n");
    assert!(!sound.iter().any(|c| c.starts_with("unknown-") || c.contains("date")), "{sound:?}");
}
