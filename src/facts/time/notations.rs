//! Notations met in reports, read with the lexicons as they are.

use super::*;
use crate::lang::Languages;

/// The mentions of a document: the written value of each, `/` before the end of a range.
fn values(tag: &str, text: &str) -> Vec<String> {
    let languages = Languages::builtin();
    let (own, english) = (languages.lexicon(tag), languages.lexicon("en"));
    let source = crate::text::Source::new("x.md", text.as_bytes().to_vec());
    let document = crate::document::parse(&source);
    let roles: Vec<Option<Role>> = crate::facts::sections::place(&document, &own).into_iter().map(|p| p.role).collect();
    let times = Reader::new(&own, &english).read(&document, &roles, None);
    times.mentions.iter().map(|m| format!("{}{}", m.at, m.until.as_ref().map(|u| format!("/{u}")).unwrap_or_default())).collect()
}

fn table(rows: &[(&str, &str, &[&str])]) {
    let mut bad = Vec::new();
    for (tag, text, wanted) in rows {
        let got = values(tag, text);
        if got != *wanted {
            bad.push(format!("{tag}: {text:?}\n   got    {got:?}\n   wanted {wanted:?}"));
        }
    }
    assert!(bad.is_empty(), "{} of {} differ:\n{}", bad.len(), rows.len(), bad.join("\n"));
}

#[test]
fn clocks_in_words() {
    table(&[
        ("en", "The pumps stopped at half past three on 2022-05-03.", &["2022-05-03T03:30:00"]),
        ("en", "At a quarter to nine in the evening, on May 3, 2022, it came back.", &["2022-05-03T20:45:00"]),
        ("de", "Am 3. Mai 2022 um halb vier fiel der Server aus.", &["2022-05-03T03:30:00"]),
        ("de", "Gegen viertel nach drei am 3. Mai 2022 war alles still.", &["2022-05-03T03:15:00"]),
        ("hu", "2022. május 3-án fél négykor leállt a szerver.", &["2022-05-03T03:30:00"]),
        ("hu", "2022. május 3-án háromnegyed ötkor visszatért.", &["2022-05-03T04:45:00"]),
        ("fr", "Le 3 mai 2022 à trois heures et demie du matin tout est tombé.", &["2022-05-03T03:30:00"]),
        ("es", "El 3 de mayo de 2022 a las tres y media cayó el servidor.", &["2022-05-03T03:30:00"]),
        ("pl", "3 maja 2022 o godzinie ósmej rano serwer wrócił.", &["2022-05-03T08:00:00"]),
        ("nl", "Op 3 mei 2022 om half vier viel de server uit.", &["2022-05-03T03:30:00"]),
        ("ja", "2022年5月3日午後3時半に復旧した。", &["2022-05-03T15:30:00"]),
        ("zh", "2022年5月3日下午三点一刻恢复。", &["2022-05-03T15:15:00"]),
    ]);
}

#[test]
fn clocks_of_other_habits() {
    table(&[
        (
            "en",
            "## Timeline\n\n2022-05-03\n\n- 1430 hrs: pumps stop\n- 0930h the crew\n",
            &["2022-05-03", "2022-05-03T14:30:00", "2022-05-03T09:30:00"],
        ),
        (
            "ja",
            "## タイムライン 2022-05-03\n\n- 23:50 検知\n- 25:05 対応開始\n- 翌1:15 復旧\n",
            &["2022-05-03", "2022-05-03T23:50:00", "2022-05-04T01:05:00", "2022-05-04T01:15:00"],
        ),
        (
            "fr",
            "Date : 03/05/2022\n\nDébut : 8h15\nFin : 9h05\nDurée : 0h50\n",
            &["2022-05-03", "2022-05-03T08:15:00", "2022-05-03T09:05:00"],
        ),
        (
            "en",
            "Date: 2022-05-03\n\nStart: 14:05 | End: 15:20 | Duration: 3h\n",
            &["2022-05-03", "2022-05-03T14:05:00", "2022-05-03T15:20:00"],
        ),
        ("en", "On 2022-05-03 (14:05 push → 14:40 noticed).", &["2022-05-03", "2022-05-03T14:05:00/2022-05-03T14:40:00"]),
        (
            "en",
            "| Time (UTC) | Event |\n|---|---|\n| 2022-05-03 ~14:05 | pumps stop |\n| 2022-05-03 ~14:20 | alert |\n",
            &["2022-05-03T14:05:00Z", "2022-05-03T14:20:00Z"],
        ),
    ]);
}

#[test]
fn what_stands_around_a_clock() {
    table(&[
        ("en", "On Saturday 3rd of May 2025 at 9.05pm it fell.", &["2025-05-03T21:05:00"]),
        ("en", "It fell on 03/25/22 at 1405 UTC.", &["2022-03-25T14:05:00Z"]),
        ("en", "It fell at 14.05 UTC.", &["XXXX-XX-XXT14:05:00Z"]),
        ("en", "2:05 – 3:20 PM PT on Tuesday, May 3", &["XXXX-05-03T14:05:00-07:00/XXXX-05-03T15:20:00-07:00"]),
        ("en", "Tue May  3 14:05:33 UTC 2022", &["2022-05-03T14:05:33Z"]),
        ("en", "[03/May/2022:14:05:33 +0000]", &["2022-05-03T14:05:33Z"]),
        ("de", "Zwischen 14 und 15 Uhr war alles still.", &["XXXX-XX-XXT14:00:00/XXXX-XX-XXT15:00:00"]),
        ("hu", "14:05 és 15:20 között nem ment.", &["XXXX-XX-XXT14:05:00/XXXX-XX-XXT15:20:00"]),
        ("ru", "Сервис не работал с 14:05 до 15:20 по московскому времени.", &["XXXX-XX-XXT14:05:00+03:00/XXXX-XX-XXT15:20:00+03:00"]),
        ("ja", "約 3 日 23 時間かかった。", &[]),
        ("en", "It ran for 00:14:05 and stopped.", &[]),
        ("da", "Onsdag den 19. november 2003 omkring kl. 17 GMT gik den ned.", &["2003-11-19T17:00:00Z"]),
        ("en", "We saw it at 9 nodes and at 9 UTC.", &["XXXX-XX-XXT09:00:00Z"]),
        ("en", "At 14:05 it fell and did not come back until 15:20.", &["XXXX-XX-XXT14:05:00/XXXX-XX-XXT15:20:00", "XXXX-XX-XXT15:20:00"]),
    ]);
}

#[test]
fn counted_from_a_beginning() {
    table(&[
        (
            "en",
            "## Timeline\n\nT0 = 2022-05-03 14:05 UTC.\n\n- T+5 the alert fires\n- T+1h30 the fix is out\n- T+02:00 all is well\n",
            &["2022-05-03T14:05:00Z", "2022-05-03T14:10:00Z", "2022-05-03T15:35:00Z", "2022-05-03T16:05:00Z"],
        ),
        (
            "en",
            "Start: 2022-05-03 14:05 UTC\n\n## Timeline\n\n- +00:05 the alert fires\n- +00:40 the fix is out\n",
            &["2022-05-03T14:05:00Z", "2022-05-03T14:10:00Z", "2022-05-03T14:45:00Z"],
        ),
        (
            "en",
            "## Timeline\n\n- 2022-05-03 14:05 UTC pumps stop\n- Ten minutes later, the alert fires\n",
            &["2022-05-03T14:05:00Z", "2022-05-03T14:15:00Z"],
        ),
    ]);
}

#[test]
fn years_of_other_counts() {
    table(&[
        ("ja", "令和6年5月3日 14:05 に発生。", &["2024-05-03T14:05:00"]),
        ("ja", "令和元年10月12日に停電。", &["2019-10-12"]),
        ("ja", "R2.11.30 の障害。", &["2020-11-30"]),
        ("zh", "民國113年5月3日發生。", &["2024-05-03"]),
        ("ja", "保存先は R2 で 5.3 GB。", &[]),
    ]);
}

#[test]
fn zones_said_elsewhere() {
    table(&[
        (
            "en",
            "---\ndate: 2022-05-03T14:00:00+02:00\n---\n\n## Timeline\n\n- 14:05 pumps stop\n- 14:20 alert\n",
            &["2022-05-03T14:05:00+02:00", "2022-05-03T14:20:00+02:00"],
        ),
        (
            "en",
            "On 2022-05-03 at 14:05 UTC the pumps stopped.\n\n## Timeline\n\n- 14:05 pumps stop\n- 14:20 alert\n",
            &["2022-05-03T14:05:00Z", "2022-05-03T14:05:00Z", "2022-05-03T14:20:00Z"],
        ),
        ("en", "First detected (UTC): 2022-05-03 14:05\n", &["2022-05-03T14:05:00Z"]),
        ("zh", "首次发现时间（UTC）：2022-05-03 14:05\n", &["2022-05-03T14:05:00Z"]),
        (
            "en",
            "At 14:05 CST (UTC+8) on 2022-05-03 it fell.\n\n- 2022-05-03 14:20 CST alert\n",
            &["2022-05-03T14:05:00+08:00", "2022-05-03T14:20:00+08:00"],
        ),
    ]);
}

#[test]
fn days_told_from_another() {
    table(&[
        ("en", "---\ndate: 2022-05-03\n---\n\nYesterday at 14:05 the pumps stopped.\n", &["2022-05-02T14:05:00"]),
        ("en", "---\ndate: 2022-05-03\n---\n\nYesterday the pumps stopped.\n", &["2022-05-02"]),
        ("en", "Yesterday the pumps stopped.\n", &[]),
        ("it", "---\ndate: 2022-05-03\n---\n\nIeri alle 14:05 il server si è fermato.\n", &["2022-05-02T14:05:00"]),
        (
            "en",
            "## Timeline (2022-05-03)\n\n| Time | Event |\n|---|---|\n| 2020-01-09 | the pumps are built |\n| 14:05 | pumps stop |\n",
            &["2022-05-03", "2020-01-09", "2022-05-03T14:05:00"],
        ),
        (
            "en",
            "## Updates\n\n### 2022-05-04\n\n00:10 all is well\n\n### 2022-05-03\n\n23:40 it fell\n",
            &["2022-05-04", "2022-05-04T00:10:00", "2022-05-03", "2022-05-03T23:40:00"],
        ),
    ]);
}

#[test]
fn amounts_are_no_dates() {
    table(&[
        ("zh", "峰值为 1.3~1.5 倍。", &[]),
        ("en", "It took ~24h to see it, in 0001-01-01 00:00:00 as DateTime.MinValue.", &[]),
        ("zh", "8.21 更新：服务已恢复。\n", &["XXXX-08-21"]),
        ("en", "The rate was 12.5 of 14.2 GB.", &[]),
    ]);
}
