//! What the reader of plain text makes of house styles.

use super::super::testing::{expect, read, shape};

fn txt(text: &str, wanted: &[&str]) {
    expect("a.txt", text, wanted);
}

#[test]
fn wrapped_prose_is_joined() {
    txt(
        "Postmortem of the outage\n\nThe primary database ran out of connections because every pod opened\nits own pool and none of them was closed when the deploy rolled back.\nNobody was paged.\nThen it ended.\n\nWe fixed it.\n",
        &[
            "h1? Postmortem of the outage",
            "p The primary database ran out of connections because every pod opened its own pool and none of them was closed when the deploy rolled back. Nobody was paged.",
            "p Then it ended.",
            "p We fixed it.",
        ],
    );
}

#[test]
fn headings_without_markup() {
    txt(
        "障害報告\n====\n\n概要\n----\n決済が止まった。\n\n【影響】\n全員。\n\n■ 原因\n設定の誤り。\n\n一、対応\n再起動した。\n",
        &[
            "h1 障害報告",
            "h2 概要",
            "p 決済が止まった。",
            "h6~ 影響",
            "p 全員。",
            "h6~ 原因",
            "p 設定の誤り。",
            "h6~ 一、対応",
            "p 再起動した。",
        ],
    );
    txt(
        "Ausfall der Datenbank\n\nURSACHE\nDie Platte war voll, und niemand hatte es bemerkt.\n\nMaßnahmen:\n- Alarm\n- Größere Platte\n\nAuswirkung\n\nEtwa 30 % aller Anfragen schlugen fehl.\n",
        &[
            "h1? Ausfall der Datenbank",
            "h6~ URSACHE",
            "p Die Platte war voll, und niemand hatte es bemerkt.",
            "h6~ Maßnahmen:",
            "i0 Alarm",
            "i0 Größere Platte",
            "h6? Auswirkung",
            "p Etwa 30 % aller Anfragen schlugen fehl.",
        ],
    );
    txt(
        "Report\n\n1. Summary\nThe cache was cold and the database could not keep up.\n\n2. Root cause\nA restart.\n",
        &["h1? Report", "h6~ 1. Summary", "p The cache was cold and the database could not keep up.", "h6~ 2. Root cause", "p A restart."],
    );
}

#[test]
fn items_of_every_kind() {
    txt(
        "Список\n\n- один\n  продолжение\n  * глубже\n• два\n1) раз\n2) два\n(3) три\n① 一\n[x] no item\n- [x] готово\n- [ ] нет\n→ дальше\n",
        &[
            "h1? Список",
            "i0 один продолжение",
            "i1 глубже",
            "i0 два",
            "n0 раз",
            "n0 два",
            "n0 три",
            "n0 一",
            "p [x] no item",
            "i0x готово",
            "i0o нет",
            "i0 дальше",
        ],
    );
}

#[test]
fn stamps_stay_by_themselves() {
    txt(
        "Status\n\nMay 3, 14:03 UTC\nWe are looking into it.\n\nMay 3, 14:30 UTC\nIt is fixed.\n",
        &["h1? Status", "p May 3, 14:03 UTC", "p We are looking into it.", "p May 3, 14:30 UTC", "p It is fixed."],
    );
    txt("14:03 alert\n14:05 page\n[14:09] ana: fixed\n", &["p 14:03 alert", "p 14:05 page", "p [14:09] ana: fixed"]);
    txt("3. 5. 2024 výpadek\n4. 5. 2024 oprava\n", &["p 3. 5. 2024 výpadek", "p 4. 5. 2024 oprava"]);
}

#[test]
fn tables_by_bars_and_tabs() {
    txt("Log\n\nTime | What\n-----|-----\n14:03 | down\n14:09 | up\n", &["h1? Log", "r0h Time | What", "r0 14:03 | down", "r0 14:09 | up"]);
    txt("14:03\tdown\n14:09\tup\n\n| a | b |\n| c | d |\n", &["r0 14:03 | down", "r0 14:09 | up", "r1 a | b", "r1 c | d"]);
    txt("One a | b line.\n", &["p One a | b line."]);
}

#[test]
fn quotes_and_rules() {
    txt(
        "A report\n\n> they said\n> it fell\n\n-----\n\nEnd of it.\n",
        &["h1? A report", "p> they said", "p> it fell", "rule ", "p End of it."],
    );
    txt("=====\nTitle\n=====\nText follows here.\n", &["h1 Title", "p Text follows here."]);
}

#[test]
fn labels_are_lines() {
    txt("Début : 14 h 05\nFin : 15 h 10\nÉquipe : réseau\n", &["p Début : 14 h 05", "p Fin : 15 h 10", "p Équipe : réseau"]);
}

#[test]
fn debris_and_bullets_stay_plain() {
    let (d, _) = read("a.txt", "notes\n\n- one\n- two\n\nUse *care* and _more_ care.\n");
    assert_eq!(d.format, super::super::Format::Plain);
    assert_eq!(shape(&d).last().map(String::as_str), Some("p Use *care* and _more_ care."));
}

#[test]
fn very_long_lines_are_told_in_pieces() {
    let (d, _) = read("a.txt", &"障害 ".repeat(100_000));
    assert!(d.blocks.len() >= 7 && d.blocks.iter().all(|b| b.text.len() <= 100_000));
}
