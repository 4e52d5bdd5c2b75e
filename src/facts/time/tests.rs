//! Notations of many languages and what they are read as; and what is no time.

use super::samples::lexicon;
use super::*;

/// The mentions of a text: `written = value`, `/` before the end of a range, `;` between mentions.
fn read_in(tag: &str, text: &str, role: Option<Role>) -> (String, Times) {
    let (document, roles) = super::samples::document(text, &lexicon(tag));
    let roles = vec![role; roles.len()];
    let times = Reader::new(&lexicon(tag), &lexicon("en")).read(&document, &roles, None);
    let list: Vec<String> = times
        .mentions
        .iter()
        .map(|m| format!("{} = {}{}", m.written, m.at, m.until.as_ref().map(|u| format!("/{u}")).unwrap_or_default()))
        .collect();
    (list.join("; "), times)
}

fn table(rows: &[(&str, &str, &str)], role: Option<Role>) {
    let mut bad = Vec::new();
    for (tag, text, wanted) in rows {
        let (got, _) = read_in(tag, text, role);
        if got != *wanted {
            bad.push(format!("{tag}: {text}\n   got    {got}\n   wanted {wanted}"));
        }
    }
    assert!(bad.is_empty(), "{} of {} differ:\n{}", bad.len(), rows.len(), bad.join("\n"));
}

#[test]
fn stamps_in_digits() {
    table(
        &[
            ("en", "Fell over 2022-05-03T14:05:00Z hard", "2022-05-03T14:05:00Z = 2022-05-03T14:05:00Z"),
            ("en", "2022-05-03T14:05:29.730791Z", "2022-05-03T14:05:29.730791Z = 2022-05-03T14:05:29Z"),
            ("en", "2022-05-03 14:05:00 -0400", "2022-05-03 14:05:00 -0400 = 2022-05-03T14:05:00-04:00"),
            ("en", "2022-05-03T14:05+09:00", "2022-05-03T14:05+09:00 = 2022-05-03T14:05:00+09:00"),
            ("en", "20220503T140500Z", "20220503T140500Z = 2022-05-03T14:05:00Z"),
            ("en", "2022-05-03 14:05 (GMT+9)", "2022-05-03 14:05 (GMT+9) = 2022-05-03T14:05:00+09:00"),
            ("en", "2022-05-03  14:05 UTC - pods died", "2022-05-03  14:05 UTC = 2022-05-03T14:05:00Z"),
            ("en", "2022/5/3 9:05", "2022/5/3 9:05 = 2022-05-03T09:05:00"),
            ("en", "on 2022-05-03, at 14:05", "2022-05-03, at 14:05 = 2022-05-03T14:05:00"),
            ("en", "Thu, 14 Mar 2024 06:48:05 +0200", "Thu, 14 Mar 2024 06:48:05 +0200 = 2024-03-14T06:48:05+02:00"),
            ("en", "2025-12-10 01:10:00 - 01:12:00", "2025-12-10 01:10:00 - 01:12:00 = 2025-12-10T01:10:00/2025-12-10T01:12:00"),
            (
                "en",
                "2022-05-03 07:37 〜 2022-05-07 06:12",
                "2022-05-03 07:37 〜 2022-05-07 06:12 = 2022-05-03T07:37:00/2022-05-07T06:12:00",
            ),
            ("en", "[05:45, 13:50) UTC", "05:45, 13:50) UTC = XXXX-XX-XXT05:45:00Z/XXXX-XX-XXT13:50:00Z"),
            ("en", "2022-05-?? something", "2022-05-?? = 2022-05-XX"),
            ("en", "2022-05-03 14:?? something", "2022-05-03 14:?? = 2022-05-03T14:XX:00"),
            ("en", "2022-05-03 01:5X UTC something", "2022-05-03 01:5X UTC = 2022-05-03T01:5X:00Z"),
            ("en", "2022-05-03 --:-- something", "2022-05-03 --:-- = 2022-05-03"),
            ("en", "2022-05-03 24:00 UTC", "2022-05-03 24:00 UTC = 2022-05-04T00:00:00Z"),
            ("en", "2022-05-03 01:00 ~ 2022-05-06 19:59", "2022-05-03 01:00 ~ 2022-05-06 19:59 = 2022-05-03T01:00:00/2022-05-06T19:59:00"),
            (
                "en",
                "２０２４-０５-１４　１６：２０～１６：３１（UTC）",
                "２０２４-０５-１４　１６：２０～１６：３１（UTC） = 2024-05-14T16:20:00Z/2024-05-14T16:31:00Z",
            ),
            ("en", "٢٠٢٢-٠٥-٠٣ ١٤:٠٥", "٢٠٢٢-٠٥-٠٣ ١٤:٠٥ = 2022-05-03T14:05:00"),
            ("en", "since 2022-05-03", "2022-05-03 = 2022-05-03"),
            ("en", "the outage of 2022-05 was", "2022-05 = 2022-05"),
        ],
        None,
    );
}

#[test]
fn english() {
    table(
        &[
            ("en", "3 May 2022", "3 May 2022 = 2022-05-03"),
            ("en", "On May 3rd, 2022 at 9:05 AM PST we", "May 3rd, 2022 at 9:05 AM PST = 2022-05-03T09:05:00-08:00"),
            ("en", "at 9am on May 3, 2022", "9am on May 3, 2022 = 2022-05-03T09:00:00"),
            ("en", "14:05 UTC on 3 May 2022", "14:05 UTC on 3 May 2022 = 2022-05-03T14:05:00Z"),
            ("en", "from 21:02 UTC to 21:56 UTC", "21:02 UTC to 21:56 UTC = XXXX-XX-XXT21:02:00Z/XXXX-XX-XXT21:56:00Z"),
            ("en", "Between 7:01 and 7:15 p.m.", "7:01 and 7:15 p.m. = XXXX-XX-XXT19:01:00/XXXX-XX-XXT19:15:00"),
            ("en", "between 23:50 and 00:10 on May 3, 2022", "23:50 and 00:10 on May 3, 2022 = 2022-05-02T23:50:00/2022-05-03T00:10:00"),
            ("en", "9-11am UTC", "9-11am UTC = XXXX-XX-XXT09:00:00Z/XXXX-XX-XXT11:00:00Z"),
            ("en", "2022-05-03 23:15-30", "2022-05-03 23:15-30 = 2022-05-03T23:15:00/2022-05-03T23:30:00"),
            ("en", "09:32:41-34:02", "09:32:41-34:02 = XXXX-XX-XXT09:32:41/XXXX-XX-XXT09:34:02"),
            ("en", "Early in February 2022 we", "February 2022 = 2022-02"),
            ("en", "at noon UTC on 3 May 2022", "noon UTC on 3 May 2022 = 2022-05-03T12:00:00Z"),
            ("en", "at 1405 UTC", "1405 UTC = XXXX-XX-XXT14:05:00Z"),
            ("en", "May 3-5, 2022", "May 3-5, 2022 = 2022-05-03/2022-05-05"),
            ("en", "2021-01-04 7:01 AM PT", "2021-01-04 7:01 AM PT = 2021-01-04T07:01:00-08:00"),
            ("en", "2021-07-04 7:01am Pacific Time", "2021-07-04 7:01am Pacific Time = 2021-07-04T07:01:00-07:00"),
            ("en", "05-May-2022 10:00:01", "05-May-2022 10:00:01 = 2022-05-05T10:00:01"),
            (
                "en",
                "It began at 14:05 on 2022-05-03. Ten minutes later, we paged.",
                "14:05 on 2022-05-03 = 2022-05-03T14:05:00; Ten minutes later = 2022-05-03T14:15:00",
            ),
            ("en", "10:17 UTC (02:17 PST)", "10:17 UTC (02:17 PST) = XXXX-XX-XXT10:17:00Z"),
        ],
        None,
    );
}

#[test]
fn other_languages() {
    table(
        &[
            ("fr", "le 3 mai 2022 à 14h05", "3 mai 2022 à 14h05 = 2022-05-03T14:05:00"),
            ("fr", "Le 1er mai 2022 à 14 h 05 UTC", "1er mai 2022 à 14 h 05 UTC = 2022-05-01T14:05:00Z"),
            ("fr", "de 19h13 UTC à 19h47 UTC", "19h13 UTC à 19h47 UTC = XXXX-XX-XXT19:13:00Z/XXXX-XX-XXT19:47:00Z"),
            (
                "fr",
                "2024 | 24 nov. 10h17 UTC | 24 nov. 02h17 (Pacifique)",
                "24 nov. 10h17 UTC | 24 nov. 02h17 (Pacifique) = XXXX-11-24T10:17:00Z",
            ),
            ("fr", "pendant 2 h 30 min", ""),
            ("fr", "à 14h, tout va bien", "14h = XXXX-XX-XXT14:00:00"),
            ("de", "05.05.2026, 21:50 Uhr (MESZ)", "05.05.2026, 21:50 Uhr (MESZ) = 2026-05-05T21:50:00+02:00"),
            ("de", "Am 5. Mai 2022 um 9 Uhr fiel es aus", "5. Mai 2022 um 9 Uhr = 2022-05-05T09:00:00"),
            ("de", "von 14.05 Uhr bis 15.20 Uhr", "14.05 Uhr bis 15.20 Uhr = XXXX-XX-XXT14:05:00/XXXX-XX-XXT15:20:00"),
            ("de", "um 9:05 am 5.5.2026", "9:05 am 5.5.2026 = 2026-05-05T09:05:00"),
            ("es", "el 3 de mayo de 2022 a las 9:05 de la noche", "3 de mayo de 2022 a las 9:05 de la noche = 2022-05-03T21:05:00"),
            ("es", "2026-05-22 17:58 -0400", "2026-05-22 17:58 -0400 = 2026-05-22T17:58:00-04:00"),
            ("pt", "03/05/2025 — 09:15 BRT", "03/05/2025 — 09:15 BRT = 2025-05-03T09:15:00-03:00"),
            ("pt", "28 Set 2021 01:33", "28 Set 2021 01:33 = 2021-09-28T01:33:00"),
            ("hu", "2022. május 3-án 14:05-kor", "2022. május 3-án 14:05 = 2022-05-03T14:05:00"),
            ("hu", "2022. 05. 03. 14:05", "2022. 05. 03. 14:05 = 2022-05-03T14:05:00"),
            ("hu", "2022-05-03 19:18-19:19", "2022-05-03 19:18-19:19 = 2022-05-03T19:18:00/2022-05-03T19:19:00"),
            ("hu", "de. 9:05 és du. 2:10", "de. 9:05 = XXXX-XX-XXT09:05:00; du. 2:10 = XXXX-XX-XXT14:10:00"),
            ("hu", "délután 3 órakor", "délután 3 órakor = XXXX-XX-XXT15:00:00"),
            ("hu", "14:05-től 15:20-ig", "14:05-től 15:20-ig = XXXX-XX-XXT14:05:00/XXXX-XX-XXT15:20:00"),
            ("mn", "2025 оны 9-р сарын 25-нд 14:05 цагт", "2025 оны 9-р сарын 25-нд 14:05 цагт = 2025-09-25T14:05:00"),
            ("mn", "9-р сарын 25-нд", "9-р сарын 25-нд = XXXX-09-25"),
            ("mn", "14 цаг 05 минутад", "14 цаг 05 минутад = XXXX-XX-XXT14:05:00"),
            ("ja", "2024年5月14日午前9時05分", "2024年5月14日午前9時05分 = 2024-05-14T09:05:00"),
            ("ja", "2024 年 5 月 14 日（火）午後3時", "2024 年 5 月 14 日（火）午後3時 = 2024-05-14T15:00:00"),
            ("ja", "5月14日16:20～16:31（UTC）に発生", "5月14日16:20～16:31（UTC） = XXXX-05-14T16:20:00Z/XXXX-05-14T16:31:00Z"),
            ("ja", "日本時間14:05から15:20まで", "日本時間14:05から15:20まで = XXXX-XX-XXT14:05:00+09:00/XXXX-XX-XXT15:20:00+09:00"),
            (
                "ja",
                "2024年5月14日 14:05 JST。10分後に復旧",
                "2024年5月14日 14:05 JST = 2024-05-14T14:05:00+09:00; 10分後 = 2024-05-14T14:15:00+09:00",
            ),
            ("ja", "3日間、22時間、45分", ""),
            ("zh", "2003年8月14日", "2003年8月14日 = 2003-08-14"),
            ("zh", "12 月 18 日凌晨", "12 月 18 日凌晨 = XXXX-12-18"),
            ("zh", "12月18日凌晨2点10分", "12月18日凌晨2点10分 = XXXX-12-18T02:10:00"),
            ("zh", "上午7点01分", "上午7点01分 = XXXX-XX-XXT07:01:00"),
            ("zh", "晚上7点半", "晚上7点半 = XXXX-XX-XXT19:30:00"),
            ("zh", "2021年1月4日，太平洋标准时间上午7点01分", "2021年1月4日，太平洋标准时间上午7点01分 = 2021-01-04T07:01:00-08:00"),
            ("zh", "10： 美国太平洋标准时间上午40点", "10： 美国太平洋标准时间上午40点 = XXXX-XX-XXT10:40:00"),
            ("zh", "持续13.5小时，约30分钟", ""),
            (
                "ko",
                "2025년 10월 3일 오전 2:27 ~ 오전 4:03 (GMT+9)",
                "2025년 10월 3일 오전 2:27 ~ 오전 4:03 (GMT+9) = 2025-10-03T02:27:00+09:00/2025-10-03T04:03:00+09:00",
            ),
            ("ko", "오후 2시 27분", "오후 2시 27분 = XXXX-XX-XXT14:27:00"),
            ("ko", "1시간 36분", ""),
            ("ru", "28 июня 2025 года в 14:05 МСК", "28 июня 2025 года в 14:05 МСК = 2025-06-28T14:05:00+03:00"),
            ("ru", "29.07.2026 в 9 утра", "29.07.2026 в 9 утра = 2026-07-29T09:00:00"),
        ],
        None,
    );
}

#[test]
fn no_times() {
    let texts = [
        "upgraded to 1.2.3 and v2.10, then 10.4.22",
        "a ratio of 16:9 and 3:1",
        "on host:8080 and 10.0.0.1:8080, db-1:27017",
        "fe80::1:20 and 2001:db8:10:20::1",
        "00:1a:2b:33:44:55 and 12:34:56:78:9a:bc",
        "commit 20220503 and 8f14e45f, id 14051520",
        "20220503_add_col.sql and app-2022-05-03.log and 2022-05-03-outage.md",
        "call +1 555 12 34 or 030-12-34",
        "it cost $14.05 or 9.30 EUR, 14.05%",
        "for 10 minutes, 00:45 hours, 1:30 min",
        "cron 5 4 * * * and */5 * * * *",
        "it may 3 times march on, the sun sat there; second, may we",
        "JIRA-2022 and #1405, ABC-14-05",
        "see https://x.example/2022/05/03/14:05",
        "we had 3 in may",
        "in main.rs:12:30 and foo.py:14:05",
        "T+00:05 and +00:10",
        "error 500, 2022 users, 1999 requests",
        "CVE-2022-05 and RFC 3339",
        "5/10 replicas, 24/7, 1/2",
        "it took 14.05 s on average",
    ];
    let rows: Vec<(&str, &str, &str)> = texts.iter().map(|t| ("en", *t, "")).collect();
    table(&rows, None);
}

/// The values of a document's mentions, one after the other.
fn values(tag: &str, text: &str, file: Option<&str>) -> (Vec<String>, Vec<&'static str>) {
    let lexicon = lexicon(tag);
    let (document, roles) = super::samples::document(text, &lexicon);
    let times = Reader::new(&lexicon, &super::samples::lexicon("en")).read(&document, &roles, file);
    (times.mentions.iter().map(|m| m.at.to_string()).collect(), times.diagnostics.iter().map(|d| d.code).collect())
}

#[test]
fn days_come_from_headings_lists_and_tables() {
    let (v, d) = values(
        "en",
        "# Outage\n## Timeline (all times UTC)\n### 2022-12-31\n- 23:50 alert\n- 23:58 paged\n- 00:10 fixed\n- 00:05 note",
        None,
    );
    assert_eq!(v, ["2022-12-31", "2022-12-31T23:50:00Z", "2022-12-31T23:58:00Z", "2023-01-01T00:10:00Z", "2023-01-01T00:05:00Z"]);
    assert!(d.is_empty());
    let (v, _) = values("en", "## Timeline\n| Time (JST) | Event |\n| 2022-05-03 14:05 | a |\n| 14:20 | b |\n| 01:00 | c |", None);
    assert_eq!(v, ["2022-05-03T14:05:00+09:00", "2022-05-03T14:20:00+09:00", "2022-05-04T01:00:00+09:00"]);
    let (v, _) = values(
        "en",
        "## Timeline\n| Date | Time | Event |\n| 2022-05-03 | 14:05 UTC | a |\n|  | 14:20 | b |\n| 2022-05-04 | 14:20 | b |",
        None,
    );
    assert_eq!(v, ["2022-05-03T14:05:00Z", "2022-05-03T14:20:00Z", "2022-05-04T14:20:00Z"]);
    let (v, _) = values("en", "## Timeline\n- 2022-05-03 00:10 UTC closed\n- 23:50 fixed\n- 23:40 alert", None);
    assert_eq!(v, ["2022-05-03T00:10:00Z", "2022-05-02T23:50:00Z", "2022-05-02T23:40:00Z"]);
}

#[test]
fn nothing_is_invented() {
    let (v, _) = values("en", "## Timeline\n- 14:05 alert\n- 14:10 fixed", None);
    assert_eq!(v, ["XXXX-XX-XXT14:05:00", "XXXX-XX-XXT14:10:00"]);
    let (v, _) = values("en", "## Timeline\n- 14:05 alert", Some("incidents/2022-05-03-db.md"));
    assert_eq!(v, ["2022-05-03T14:05:00"]);
    let (v, _) = values("en", "Published 2021-01-01\n## Timeline\n- 2022-05-03 14:05 alert", Some("2020-05-03-db.md"));
    assert_eq!(v, ["2021-01-01", "2022-05-03T14:05:00"]);
}

#[test]
fn years_and_orders_are_settled_once() {
    let (v, d) = values("en", "On Dec 30, 2022 it began.\n## Timeline\n- Dec 31 23:50 a\n- Jan 1 00:10 b", None);
    assert_eq!(v, ["2022-12-30", "2022-12-31T23:50:00", "2023-01-01T00:10:00"]);
    assert!(d.is_empty());
    let (v, d) = values("en", "## Timeline\n- 13/05/2022 10:00 a\n- 01/06/2022 10:00 b", None);
    assert_eq!((v[1].as_str(), d.len()), ("2022-06-01T10:00:00", 0));
    let (v, d) = values("en", "## Timeline\n- 01/06/2022 10:00 b", None);
    assert_eq!((v[0].as_str(), d), ("2022-01-06T10:00:00", vec!["ambiguous-date"]));
    let (v, d) = values("fr", "## Timeline\n- 01/06/2022 10:00 b", None);
    assert_eq!((v[0].as_str(), d), ("2022-06-01T10:00:00", vec!["ambiguous-date"]));
    let (v, d) = values("en", "It began on 1 June 2022.\n## Timeline\n- 01/06/2022 10:00 b", None);
    assert_eq!((v[1].as_str(), d.len()), ("2022-06-01T10:00:00", 0));
    let (v, d) = values("pt", "31/09/2025 — 09:15 BRT", None);
    assert_eq!((v[0].as_str(), d), ("2025-09-XXT09:15:00-03:00", vec!["impossible-date"]));
}

#[test]
fn contradictions_are_told() {
    let text = "## Timeline\n- 24 nov. 2024 10h00 UTC | 24 nov. 02h00 (Pacifique) a\n- 24 nov. 2024 10h17 UTC | 24 nov. 14h17 (Pacifique) b\n- 24 nov. 2024 10h40 UTC | 24 nov. 02h40 (Pacifique) c";
    let (v, d) = values("fr", text, None);
    assert_eq!((v[1].as_str(), d), ("2024-11-24T10:17:00Z", vec!["zone-mismatch"]));
    let text = "## Timeline\n- 24 nov. 2024 10h00 UTC | 24 nov. 02h00 (Pacifique) a\n- 24 nov. 2024 19h17 UTC | 24 nov. 02h17 (Pacifique) b\n- 24 nov. 2024 10h40 UTC | 24 nov. 02h40 (Pacifique) c";
    let (v, _) = values("fr", text, None);
    assert_eq!(v[1], "2024-11-24T02:17:00-08:00");
    let text = "## Summary\nOn 2022-05-21 at 10:05 UTC it fell.\n## Timeline\n- 2022-05-24 10:05 UTC a\n- 2022-05-24 10:45 UTC b";
    assert_eq!(values("en", text, None).1, ["date-mismatch"]);
    let text = "## Timeline\n- 2022-07-24 10:05 CET a\n- 2022-07-24 10:45 CET b";
    assert_eq!(values("en", text, None).1, ["zone-season"]);
}

#[test]
fn zones_said_once() {
    let (v, _) = values("en", "All times are in UTC.\n## Timeline\n- 2022-05-03 14:05 a\n- 14:10 b", None);
    assert_eq!(v, ["2022-05-03T14:05:00Z", "2022-05-03T14:10:00Z"]);
    let (v, _) = values(
        "en",
        "We moved the data base to UTC because it was told to do so by the people who know about such things.\n## Timeline\n- 2022-05-03 14:05 a",
        None,
    );
    assert_eq!(v, ["2022-05-03T14:05:00"]);
    let (v, _) = values("en", "## Timeline\n- 2022-05-03 14:05 PST a\n- 14:10 b\n- 14:15 UTC c", None);
    assert_eq!(v[1], "2022-05-03T14:10:00");
    let (v, _) = values("en", "## Timeline\n| UTC | JST | Event |\n| 2022-05-03 14:05 | 23:05 | a |", None);
    assert_eq!(v, ["2022-05-03T14:05:00Z"]);
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(pieces in proptest::collection::vec(0usize..48, 0..40)) {
        const PIECES: [&str; 48] = [
            "1", "22", "2022", "14", "05", "99", "00", "31", "120", "20220503", "-", "/", ".", ":", " ", "–", "~", ",", "(", ")", "|", "?", "X", "T", "Z", "+", "UTC", "年",
            "月", "日", "時", "分", "午前", "May", "may", "Mon", "am", "h", "at", "to", "between", "and", "later", "минут", "İ", "e\u{301}", "\n", "٣",
        ];
        let text: String = pieces.iter().map(|p| PIECES[*p]).collect();
        for tag in ["en", "ja", "fr"] {
            let (_, times) = read_in(tag, &text, Some(Role::Timeline));
            for m in &times.mentions {
                proptest::prop_assert!(!m.written.is_empty() && !m.at.to_string().is_empty());
            }
        }
    }

    #[test]
    fn nor_does_any_other(text in "\\PC{0,60}") {
        read_in("zh", &text, None);
    }
}

#[test]
fn long_texts_are_read_in_time() {
    for piece in ["2022-", "14:", "May 3, ", "mon ", "at ", "9 ", "((", "??:", "14:05 - ", "UTC ", "2022-05-03 "] {
        let text = piece.repeat(40_000);
        let begun = std::time::Instant::now();
        read_in("en", &text, Some(Role::Timeline));
        assert!(begun.elapsed().as_secs() < 20, "{piece}: {:?}", begun.elapsed());
    }
}

#[test]
fn statements_and_words_that_are_none() {
    let (v, _) = values("de", "## Ablauf\nAlle Zeiten in UTC, 5. Mai 2022.\n- 14:05 a\n- 14:10 b", None);
    assert_eq!(v, ["2022-05-05", "2022-05-05T14:05:00Z", "2022-05-05T14:10:00Z"]);
    let (v, _) = values("en", "## Pacific region\n- 2022-05-03 14:05 a\n- 14:10 b", None);
    assert_eq!(v, ["2022-05-03T14:05:00", "2022-05-03T14:10:00"]);
    let (v, _) = values("en", "## Timeline (Pacific)\n- 2022-05-03 14:05 a", None);
    assert_eq!(v, ["2022-05-03T14:05:00-07:00"]);
    let (v, _) = values("en", "## Timeline\n- 2022-05-03 14:05 UTC a\n### Wednesday\n- 14:10 b", None);
    assert_eq!(v, ["2022-05-03T14:05:00Z", "2022-05-04", "2022-05-04T14:10:00Z"]);
    let (v, _) = values("en", "## Timeline\n- 2022-05-03 14:05 UTC a\n- next day 14:10 b\n- Friday 09:00 c", None);
    assert_eq!(v, ["2022-05-03T14:05:00Z", "2022-05-04T14:10:00Z", "2022-05-06T09:00:00Z"]);
}

#[test]
fn statements_in_scripts_without_spaces() {
    let (v, _) = values("ja", "## Timeline\n2024年5月14日に発生。時刻はすべて日本時間です。\n- 9:05 検知\n- 15:40（UTC） 復旧", None);
    assert_eq!(v, ["2024-05-14", "2024-05-14T09:05:00+09:00", "2024-05-14T15:40:00Z"]);
}

#[test]
fn two_zones_in_one_list() {
    let (v, _) = values("en", "## Timeline\n- 2024-10-28 09:14 PDT a\n- 19:05 CET b\n- 11:30 PDT c\n- 20:45 CET d\n- 00:20 CET e", None);
    assert_eq!(
        v,
        [
            "2024-10-28T09:14:00-07:00",
            "2024-10-28T19:05:00+01:00",
            "2024-10-28T11:30:00-07:00",
            "2024-10-28T20:45:00+01:00",
            "2024-10-29T00:20:00+01:00"
        ]
    );
    // the newest first
    let (v, _) = values("en", "## Timeline\n- 2024-10-28 13:02 PDT a\n- 20:45 CET b\n- 11:30 PDT c\n- 19:05 CET d\n- 09:14 PDT e", None);
    assert!(v.iter().all(|at| at.starts_with("2024-10-28")), "{v:?}");
}

#[test]
fn entries_of_one_night_that_are_marked_one_by_one() {
    let (v, _) = values("en", "## Timeline\n- 2024-11-05 23:38 a\n- 00:10 (next day) b\n- 00:22 (next day) c\n- 00:52 d", None);
    assert_eq!(v, ["2024-11-05T23:38:00", "2024-11-06T00:10:00", "2024-11-06T00:22:00", "2024-11-06T00:52:00"]);
    let (v, _) = values("zh", "## Timeline\n- 2024-11-05 23:38 a\n- 次日 00:10 b\n- 次日 00:22 c", None);
    assert_eq!(v, ["2024-11-05T23:38:00", "2024-11-06T00:10:00", "2024-11-06T00:22:00"]);
}

#[test]
fn zones_of_all_times_by_name_and_by_offset() {
    for (said, wanted) in [
        ("(all times US/Pacific)", "2024-03-12T14:05:00-07:00"),
        ("All times UTC+7.", "2024-03-12T14:05:00+07:00"),
        ("Time zone: GMT+7", "2024-03-12T14:05:00+07:00"),
    ] {
        let (v, _) = values("en", &format!("## Timeline\n{said}\n- 2024-03-12 14:05 a"), None);
        assert_eq!(v, [wanted], "{said}");
    }
    let (v, _) = values("en", "## Timeline\n- 2024-11-05 23:38 - 23:52 (CST, UTC+8) a", None);
    assert_eq!(v, ["2024-11-05T23:38:00+08:00"]);
}

#[test]
fn the_first_weekday_lies_near_the_day_of_the_document() {
    let (v, _) = values("en", "# Outage of 2024-02-11\n## Timeline\n- Sat 22:40 a\n- Sun 03:12 b", None);
    assert_eq!(v, ["2024-02-11", "2024-02-10T22:40:00", "2024-02-11T03:12:00"]);
}

#[test]
fn years_that_are_counted_otherwise() {
    let (v, _) = values("en", "## Timeline\n- 15/03/2567 09:10 a\n- 1403/05/12 22:40 b\n- 1403-13-12 c", None);
    assert_eq!(v, ["2024-03-15T09:10:00", "2024-08-02T22:40:00"]);
}
