//! How houses write: lists, tables, chats and logs whose notation only what stands beside it tells, in small documents.

use crate::support::knowledge;
use twiceshy::book::view::Incident;
use twiceshy::pipeline::{read, read_all};
use twiceshy::text::Source;

fn incident_of(name: &str, text: &str) -> Incident {
    read(&Source::new(name, text.as_bytes().to_vec()), knowledge()).incident
}

fn incident(text: &str) -> Incident {
    incident_of("t.md", text)
}

/// The moments of the timeline.
fn moments(text: &str) -> Vec<String> {
    incident(text).timeline.into_iter().map(|e| e.at).collect()
}

/// Owner and due date of each action.
fn fields(text: &str) -> Vec<(String, String)> {
    incident(text).remediation.into_iter().map(|a| (a.owner.unwrap_or_default(), a.due.unwrap_or_default())).collect()
}

/// The status of the action with some words.
#[track_caller]
fn status(i: &Incident, words: &str) -> String {
    i.remediation.iter().find(|a| a.text.contains(words)).map_or_else(|| panic!("{words:?}: {:#?}", i.remediation), |a| a.status.clone())
}

#[test]
fn a_column_that_asks_when_holds_clocks_or_deadlines() {
    let table = |title: &str, section: &str, when: &str, what: &str| {
        format!(
            "# {title} 2024-05-07\n\n## {section}\n\n| {when} | {what} |\n|---|---|\n| 09:12 | Kafka lag grows |\n| 09:40 | Kafka lag is gone |\n"
        )
    };
    for (title, section, when, what) in [
        ("Outage", "Timeline", "When", "What"),
        ("Ausfall", "Verlauf", "Wann", "Was"),
        ("Caída", "Cronología", "Cuándo", "Qué"),
        ("Storing", "Tijdlijn", "Wanneer", "Wat"),
        ("Avbrott", "Tidslinje", "När", "Vad"),
        ("Awaria", "Przebieg", "Kiedy", "Co"),
        ("障害", "時系列", "いつ", "対応"),
    ] {
        assert_eq!(moments(&table(title, section, when, what)), ["2024-05-07T09:12:00", "2024-05-07T09:40:00"], "{when}");
    }
    let plan =
        "# Outage 2024-05-07\n\n## Action items\n\n| What | Who | When |\n|---|---|---|\n| Add an alert on lag | Ines | 2024-06-01 |\n";
    assert_eq!(fields(plan), [("Ines".to_string(), "2024-06-01".to_string())]);
}

#[test]
fn numbers_with_dots_at_the_heads_of_a_list_are_clocks_where_they_can_be_no_days() {
    let list = |lines: &str| format!("# Storing op 14-11-2023\n\n## Tijdlijn\n\n{lines}");
    assert_eq!(
        moments(&list("10.04 – de kassa's staan stil\n10.11 – eerste melding\n10.45 – dienst herstart\n")),
        ["2023-11-14T10:04:00", "2023-11-14T10:11:00", "2023-11-14T10:45:00"]
    );
    // each of them could be a day, but none of these days is near
    assert_eq!(moments(&list("- 2.05 – nachttaak begint\n- 2.10 – schijf vol\n- 3.08 – hersteld\n"))[0], "2023-11-14T02:05:00");
    // days they are
    let days =
        moments("# Störung\n\n## Verlauf\n\n- 12.03.2024 Lager meldet Fehler.\n- 13.03. Ursache gefunden.\n- 14.03. Fehler behoben.\n");
    assert_eq!(days, ["2024-03-12", "2024-03-13", "2024-03-14"]);
}

#[test]
fn the_half_of_the_day_holds_for_the_clocks_after_it() {
    let list = "# Outage on 9 April 2024\n\n## Timeline\n\n- 10:40 AM Deploy of the cart service\n- 11:55 Errors begin\n- 12:20 Paged\n- 1:05 Rolled back, recovered\n";
    assert_eq!(moments(list), ["2024-04-09T10:40:00", "2024-04-09T11:55:00", "2024-04-09T12:20:00", "2024-04-09T13:05:00"]);
    // a clock of twenty-four hours among them says that the others are read as they stand
    let mixed = "# Outage on 9 April 2024\n\n## Timeline\n\n- 8:40 PM Deploy of the cart service\n- 9:10 Errors begin\n- 21:30 Recovered\n";
    assert!(moments(mixed).contains(&"2024-04-09T09:10:00".to_string()), "{:?}", moments(mixed));
}

#[test]
fn a_sentence_ends_before_the_clock_of_the_next() {
    let text = "# Outage 2024-05-07\n\nThe gateway stopped at 6:40. At 8:15 Lin saw that the token had expired yesterday evening. At 8:50 we issued a new token and it recovered.\n";
    assert!(moments(text).contains(&"2024-05-07T08:50:00".to_string()), "{:?}", moments(text));
}

#[test]
fn about_before_a_clock_in_a_cell() {
    for (tag, section, about) in [
        ("en", "Timeline", "approx. 11:20"),
        ("de", "Verlauf", "gegen 11:20"),
        ("fr", "Chronologie", "vers 11:20"),
        ("pl", "Przebieg", "około 11:20"),
    ] {
        let text = format!(
            "---\nlang: {tag}\n---\n\n# 2024-05-07\n\n## {section}\n\n| UTC | |\n|---|---|\n| 11:02 | Kafka lag grows |\n| {about} | Kafka lag is gone |\n"
        );
        let i = incident(&text);
        assert_eq!(
            i.timeline.last().map(|e| (e.at.as_str(), e.text.as_str())),
            Some(("2024-05-07T11:20:00Z", "Kafka lag is gone")),
            "{about}"
        );
    }
}

#[test]
fn a_numbered_line_in_bold_heads_the_lines_below_it() {
    let text = "# 网关故障 2024-05-07\n\n**二、时间线（北京时间）**\n09:02 发布新版本\n09:10 错误率升高\n09:31 回滚，恢复正常\n\n**三、根因**\n新版本没有释放数据库连接，连接池被占满。\n";
    let i = incident(text);
    assert_eq!(
        i.timeline.iter().map(|e| (e.at.as_str(), e.text.as_str())).collect::<Vec<_>>(),
        [
            ("2024-05-07T09:02:00+08:00", "发布新版本"),
            ("2024-05-07T09:10:00+08:00", "错误率升高"),
            ("2024-05-07T09:31:00+08:00", "回滚，恢复正常")
        ]
    );
    assert!(i.causes.iter().any(|c| c.kind == "root" && c.text.contains("没有释放")), "{:#?}", i.causes);
}

#[test]
fn zones_in_notes_rows_and_behind_commas() {
    let list = "## Timeline\n\n- 09:02 Lag grows\n- 09:31 Recovered\n";
    for (said, zone) in [
        ("Note: copied from the channel. All times are UTC.", "Z"),
        ("| Service | broker |\n|---|---|\n| Timezone | Asia/Tokyo |", "+09:00"),
        ("On 7 May 2024 the broker was down from 09:02 to 09:31, Pacific time.", "-07:00"),
    ] {
        let found = moments(&format!("# Broker down 2024-05-07\n\n{said}\n\n{list}"));
        assert!(found.contains(&format!("2024-05-07T09:02:00{zone}")), "{said}: {found:?}");
    }
}

#[test]
fn years_of_two_figures_and_keys_in_the_document_s_language() {
    let text = "# RCA: exports late\n\nStart: 11/Feb/22 02:10\nEnd: 11/Feb/22 03:40\n\n## Timeline\n\n- 11-Feb-22 02:10 Export begins to fail\n- 11 Feb 22 03:40 Export is back\n";
    assert!(moments(text).iter().all(|at| at.starts_with("2022-02-11T")), "{:?}", moments(text));
    let text = "---\nfecha: 2023-08-14\ngravedad: alta\n---\n\n# Pagos duplicados\n\nEl lunes 14 de agosto, a las 7:10, el proceso falló y los pagos se duplicaron.\n";
    let i = incident(text);
    assert_eq!(i.timeline.first().map(|e| e.at.as_str()), Some("2023-08-14T07:10:00"));
    assert_eq!(i.severity.map(|s| s.written), Some("alta".to_string()));
}

#[test]
fn entries_that_count_from_others() {
    let text = "# Outage 2024-05-07\n\n## What happened\n\n- 08:00 Import starts\n- 08:30 Queue is full\n- five minutes later the site is slow\n- T+2h: import stopped\n";
    assert_eq!(moments(text), ["2024-05-07T08:00:00", "2024-05-07T08:30:00", "2024-05-07T08:35:00", "2024-05-07T10:00:00"]);
}

#[test]
fn stamps_of_status_pages_stand_above_their_texts_or_below() {
    let above = "Slow exports\n\nResolved\nMay 07, 2024, 13:05 UTC\nExports are back to normal.\n\nMonitoring\nMay 07, 2024, 12:22 UTC\nThe worker was restarted.\n\nInvestigating\nMay 07, 2024, 11:10 UTC\nWe are looking into slow exports.\n";
    let below = "Slow exports\n\nResolved\nExports are back to normal.\nPosted May 07, 2024 - 13:05 UTC\n\nMonitoring\nThe worker was restarted.\nPosted May 07, 2024 - 12:22 UTC\n\nInvestigating\nWe are looking into slow exports.\nPosted May 07, 2024 - 11:10 UTC\n";
    for text in [above, below] {
        let i = incident_of("status.txt", text);
        assert_eq!(
            i.timeline.iter().map(|e| e.at.as_str()).collect::<Vec<_>>(),
            ["2024-05-07T11:10:00Z", "2024-05-07T12:22:00Z", "2024-05-07T13:05:00Z"]
        );
        assert!(i.timeline[1].text.contains("worker was restarted") && !i.timeline[1].text.contains("back to normal"), "{:#?}", i.timeline);
    }
}

#[test]
fn what_a_sentence_says_was_decided_against_is_declined() {
    let i = incident(
        "# Outage 2024-05-07\n\n## Actions\n\n- We decided against sharding the table.\n- A second region was discussed and rejected.\n- Alert when requests are rejected\n- We added an index.\n",
    );
    assert_eq!(status(&i, "sharding"), "declined");
    assert_eq!(status(&i, "second region"), "declined");
    assert_eq!(status(&i, "Alert when"), "planned");
    assert_eq!(status(&i, "added an index"), "done");
    for (text, words) in [
        ("# Ausfall 07.05.2024\n\n## Maßnahmen\n\n- Ein Umzug der Datenbank wurde verworfen.\n- Alarm einrichten\n", "Umzug"),
        ("# Panne 07/05/2024\n\n## Actions\n\n- Nous avons renoncé à changer de fournisseur.\n- Ajouter une alerte\n", "renoncé"),
        (
            "---\nlang: ru\n---\n\n# Сбой 07.05.2024\n\n## Действия\n\n- От переезда в другой центр отказались.\n- Добавить алерт\n",
            "переезда",
        ),
    ] {
        assert_eq!(status(&incident(text), words), "declined", "{words}");
    }
}

#[test]
fn a_plain_past_in_a_list_of_actions_is_done() {
    let i = incident("# 障害 2024-05-07\n\n## 対策\n\n- 配信サーバのジョブを停止した\n- 手順書に確認項目を追記する\n");
    assert_eq!((status(&i, "停止した"), status(&i, "追記する")), ("done".to_string(), "planned".to_string()));
    let i = incident("# Panne 07/05/2024\n\n## Actions\n\n- Nous avons agrandi le volume.\n- Ajouter une alerte sur le volume\n");
    assert_eq!((status(&i, "agrandi"), status(&i, "Ajouter")), ("done".to_string(), "planned".to_string()));
}

#[test]
fn names_above_lists_own_what_stands_below() {
    for (a, b) in [
        ("### Mirjam", "### Oskar"),
        ("**Mirjam**\n", "**Oskar**\n"),
        ("Mirjam:\n", "Oskar:\n"),
        ("@mirjam\n", "@oskar\n"),
        ("### Owner: Mirjam", "### Storage team"),
    ] {
        let text =
            format!("# Outage 2024-05-07\n\n## Follow-ups\n\n{a}\n- Rotate the keys of the broker\n\n{b}\n- Add an alert on disk space\n");
        let owners: Vec<String> = fields(&text).into_iter().map(|f| f.0).collect();
        let bare = |t: &str| t.trim_matches(['#', '*', ':', ' ', '\n']).trim_start_matches("Owner: ").to_string();
        assert_eq!(owners, [bare(a), bare(b)], "{a}");
    }
    // a word for when is nobody
    let text = "# Outage 2024-05-07\n\n## Follow-ups\n\n### Immediately\n- Rotate the keys of the broker\n\n### In the next quarter\n- Add an alert on disk space\n";
    assert!(fields(text).iter().all(|f| f.0.is_empty()), "{:?}", fields(text));
}

#[test]
fn names_behind_dashes_and_days_in_sentences() {
    let text = "# Outage 2024-05-07\n\n## Action items\n\n- Add an alert on lag — Oskar\n- Rotate the keys (storage team)\n- All brokers will be patched by 30 May.\n- Move the queue (Mirjam, 6/14)\n- Write a runbook – Oskar, TBD\n";
    let got = fields(text);
    assert_eq!(got[0].0, "Oskar");
    assert_eq!(got[1].0, "storage team");
    assert_eq!(got[2].1, "30 May");
    assert_eq!(got[3], ("Mirjam".to_string(), "6/14".to_string()));
    let text = "# 障害 2024-05-07\n\n## 対策\n\n- 監視を追加する（9月中、開発課）\n- 手順書を直す（済、田中、6/1）\n- 予備機を用意する（未、運用班、7月末）\n";
    let i = incident(text);
    let got: Vec<_> = i.remediation.iter().map(|a| (a.status.as_str(), a.owner.as_deref(), a.due.as_deref())).collect();
    assert_eq!(
        got,
        [("planned", Some("開発課"), Some("9月中")), ("done", Some("田中"), Some("6/1")), ("planned", Some("運用班"), Some("7月末"))]
    );
}

#[test]
fn a_date_column_of_actions_is_their_deadline_and_what_is_not_known_is_no_value() {
    let text = "# Kesinti 07.05.2024\n\n## Aksiyonlar\n\n| Aksiyon | Sorumlu | Tarih |\n|---|---|---|\n| Alarm ekle | Deniz | 20.06.2024 |\n| Anahtarları yenile | belirlenecek | belirsiz |\n";
    assert_eq!(fields(text), [("Deniz".to_string(), "20.06.2024".to_string()), (String::new(), String::new())]);
    let text = "# Outage 2024-05-07\n\n## Action items\n\n| Action | Owner | Due |\n|---|---|---|\n| Add an alert on lag | TBD | tbd |\n| *Describe the action* | *owner* | *due date* |\n";
    assert_eq!(fields(text), [(String::new(), String::new())]);
}

#[test]
fn severities_under_other_labels() {
    for (tag, line, wanted) in [
        ("pl", "*Priorytet:* P2", "P2"),
        ("sv", "*Allvarlighet:* 2 · *Ansvarig:* Ulla", "2"),
        ("en", "Severity: S1 · Duration: 40 min", "S1"),
    ] {
        let i = incident(&format!(
            "---\nlang: {tag}\n---\n\n# Awaria / avbrott 2024-05-07\n\n{line}\n\n## Summary\n\nThe broker was down because its disk was full.\n"
        ));
        assert_eq!(i.severity.map(|s| s.written), Some(wanted.to_string()), "{line}");
    }
}

#[test]
fn labels_of_causes_say_what_they_are() {
    let kinds = |text: &str| incident(text).causes.into_iter().map(|c| c.kind).collect::<Vec<_>>();
    let text = "# 障害 2024-05-07\n\n## 原因\n\n- 直接原因：配信先の一覧から本番のホストが漏れた\n- 根本原因：設定の変更を検証する手順が決められていなかった\n";
    assert_eq!(kinds(text), ["trigger", "root"]);
    let text = "# Outage 2024-05-07\n\n## Why\n\nRoot cause: the parser crashed on an empty header and was started again with the same input.\nWhat triggered it was an upload by a partner on Monday.\nIt was made worse by the lack of an alert on restarts.\n";
    assert_eq!(kinds(text), ["root", "trigger", "contributing"]);
    let text = "# Outage 2024-05-07\n\nThe root cause was a column dropped by mistake in Monday's migration.\n\n## Actions\n\n- Restore the column (done)\n";
    assert_eq!(kinds(text), ["root"]);
}

#[test]
fn of_a_chain_of_whys_the_last_answered_is_the_root() {
    let text = "# Outage 2024-05-07\n\n## Five whys\n\n1. Why did uploads fail? -> The bucket was read-only\n2. Why was it read-only? -> A script had changed its policy\n3. Why did it change that policy? -> The script took the account from a global variable\n4. Why? -> (under investigation)\n";
    let i = incident(text);
    let kind = |words: &str| i.causes.iter().find(|c| c.text.contains(words)).map(|c| c.kind.as_str());
    assert_eq!(kind("global variable"), Some("root"), "{:#?}", i.causes);
    assert_ne!(kind("bucket was read-only"), Some("root"));
    assert_eq!(kind("under investigation"), None);
}

#[test]
fn entries_particulars_and_heads_of_mails_are_no_causes() {
    let text = "# RCA: exports late 2024-05-07\n\n| Field | Value |\n|---|---|\n| Start | 2024-05-07 02:10 |\n| Assignee | Oskar |\n\n## Timeline\n\n- 02:10 Export job starts with a full disk\n- 02:30 Deploy of the exporter crashes\n\n## Root cause\n\nLog rotation was switched off during the storage migration.\n";
    let i = incident(text);
    assert!(i.causes.iter().all(|c| c.text.contains("rotation")), "{:#?}", i.causes);
    let mail = "From: noc@net.example\nTo: all@net.example\nDate: Tue, 07 May 2024 03:20:44 +0200\nSubject: [OUTAGE] Loss of power in row 4\n\nCause: the breaker of row 4 tripped because both feeds were on one circuit.\n\n----\nFrom: noc@net.example\nDate: Tue, 07 May 2024 05:31:55 +0200\nSubject: Re: [OUTAGE] Loss of power in row 4\n\nPower is back.\n";
    let i = incident_of("mail.txt", mail);
    assert!(i.causes.iter().all(|c| !c.text.contains("Subject")), "{:#?}", i.causes);
}

#[test]
fn logs_told_in_prose_and_histories_of_status_pages_are_parted() {
    let ids = |text: &str| {
        let cases = read_all(&Source::new("log.md", text.as_bytes().to_vec()), knowledge());
        cases.into_iter().map(|c| c.incident.id).collect::<Vec<_>>()
    };
    let log = "# Outages\n\n## 2024-05-07: uploads fail\n\nFrom 10:02 uploads failed because the disk of the store was full. Oskar deleted old files and it recovered at 10:40.\n\n\
        ## 2024-03-11: mail is late\n\nA consumer held a lock from 02:10, so mail was late. We restarted it at 03:00.\n\n## 2024-01-20: login broken\n\nThe certificate expired at 06:00. We renewed it at 06:45 and logins worked again.\n";
    assert_eq!(ids(log), ["log-2024-05-07", "log-2024-03-11", "log-2024-01-20"]);
    let status = "# History\n\n### Errors on uploads\n\n**Resolved** - This incident has been resolved.\n*May 7, 2024 - 02:14 UTC*\n\n**Investigating** - We are investigating failed uploads.\n*May 6, 2024 - 22:47 UTC*\n\n\
        ### Mail delayed\n\n**Resolved** - Queued mail was sent and the incident is resolved.\n*May 3, 2024 - 11:40 UTC*\n\n**Investigating** - Mail is late.\n*May 3, 2024 - 10:02 UTC*\n";
    assert_eq!(ids(status).len(), 2);
    // the days of one incident
    let diary = "# Uploads fail\n\n## 2024-05-07: uploads fail\n\nFrom 10:02 uploads failed because the disk was full. It recovered at 10:40.\n\n## 2024-05-08: uploads fail again\n\nAt 09:00 uploads failed again. We fixed it at 09:30.\n";
    assert_eq!(ids(diary).len(), 1);
}

#[test]
fn what_is_told_in_two_languages_is_read_once() {
    let text = "# Broker down / Broker gestört 2024-05-07\n\n## English\n\n### Timeline\n- 07:30 The broker stops accepting connections from the shops.\n- 09:05 A new licence was installed and everything works again.\n\n### Cause\nThe licence of the broker had expired and nobody had noticed it.\n\n### Actions\n- Renew the licence for three years (done)\n- Enter the day of expiry into the calendar (open)\n\n\
        ## Deutsch\n\n### Verlauf\n- 07:30 Der Broker nimmt keine Verbindungen der Läden mehr an.\n- 09:05 Eine neue Lizenz wurde eingespielt und alles läuft wieder.\n\n### Ursache\nDie Lizenz des Brokers war abgelaufen und niemand hatte es bemerkt.\n\n### Maßnahmen\n- Lizenz um drei Jahre verlängern (erledigt)\n- Tag des Ablaufs in den Kalender eintragen (offen)\n";
    let i = incident(text);
    assert_eq!((i.timeline.len(), i.causes.len(), i.remediation.len()), (2, 1, 2), "{:#?}", i.causes);
}

#[test]
fn one_entry_of_a_list_is_not_the_whole_period() {
    let i = incident(
        "# Outage 2024-05-07\n\n## What happened (UTC)\n\n- 06:10 Search goes down\n- 08:15-08:40 Three customers complain\n- 09:20 Search is back to normal\n",
    );
    let period = i.period.expect("it has one");
    assert_eq!((period.start.as_deref(), period.end.as_deref()), (Some("2024-05-07T06:10:00Z"), Some("2024-05-07T09:20:00Z")));
}
