//! What the AsciiDoc reader makes of house styles.

use super::super::Mark;
use super::super::testing::{expect, read};

fn adoc(text: &str, wanted: &[&str]) {
    expect("a.adoc", text, wanted);
}

#[test]
fn titles_header_and_attributes() {
    let (d, s) = expect(
        "a.adoc",
        "= Ausfall der Suche\nAna Berg <ana@x.example>\nv1.0, 2024-05-03\n:toc:\n:db: Orakel\n:severity: 2\n\n// comment\n== Ursache\n\nDie {db} war *voll* und _langsam_.\n\nAlt\n~~~\n\nText.\n\n////\nno\n////\n=== Tief ===\nx\n",
        &["h1 Ausfall der Suche", "h2 Ursache", "p Die {db} war voll und langsam.", "h3 Alt", "p Text.", "h3 Tief", "p x"],
    );
    assert_eq!((d.front_matter.get("date"), d.front_matter.get("severity")), (Some("2024-05-03"), Some("2")));
    assert_eq!(s.slice(d.front_matter.field("date").unwrap().span), "2024-05-03");
    assert_eq!(s.slice(d.blocks[1].span), "== Ursache");
}

#[test]
fn lists_nest_by_their_signs() {
    adoc(
        "* one\n** deeper\ngoes on\n*** [x] done\n* [ ] open\n+\nmore of it\n\n//-\n. first\n.. inner\n. second\n\nImpact:: some users\nOwner::\n  Ana\n",
        &[
            "i0 one",
            "i1 deeper goes on",
            "i2x done",
            "i0o open",
            "p more of it",
            "n0 first",
            "n1 inner",
            "n0 second",
            "p Impact: some users",
            "h6~ Owner:",
            "p Ana",
        ],
    );
}

#[test]
fn blocks_and_admonitions() {
    adoc(
        ".Log\n[source,sh]\n----\nrm x\n  y\n----\n\nNOTE: All times are UTC.\n\n[WARNING]\n====\nIt *fell*.\n\n* hard\n====\n\n[quote, Ana]\n____\nThey said.\n____\n\n....\nraw\n....\n\n++++\n<p>html</p>\n++++\n\n'''\n\ninclude::x.adoc[]\n\n literal text\n",
        &[
            "h6~ Log",
            "code rm x\n  y",
            "p All times are UTC.",
            "p It fell.",
            "i0 hard",
            "p> They said.",
            "code raw",
            "p html",
            "rule ",
            "code literal text",
        ],
    );
}

#[test]
fn tables() {
    adoc(
        "[cols=\"1,2\",options=\"header\"]\n|===\n|Time |What\n|14:03\n|Es *fiel*\naus\n|14:09 |up\n|===\n\n|===\n|A |B\n\n.2+|x |y\n|z\n2+|wide\n|===\n\n,===\na,\"b, c\"\n,===\n",
        &["r0h Time | What", "r0 14:03 | Es fiel aus", "r0 14:09 | up", "r1h A | B", "r1 x | y", "r1 x | z", "r1 wide | ", "r2 a | b, c"],
    );
}

#[test]
fn macros_in_lines() {
    let (d, _) = read(
        "a.adoc",
        "See https://x.example/a_b[the log^], link:b.html[that], <<top,above>>, image:i.png[], a note footnote:[no] and [.line-through]#old#. +\n`code` a_b_c 2*3*4 **bo**ld\n",
    );
    let b = &d.blocks[0];
    assert_eq!(b.text.as_str(), "See the log, that, above, , a note and old.\ncode a_b_c 2*3*4 bold");
    assert!(b.marks.iter().any(|(r, m)| *m == Mark::Struck && &b.text.as_str()[r.clone()] == "old"));
    assert!(b.marks.iter().any(|(_, m)| *m == Mark::Link("https://x.example/a_b".into())));
}
