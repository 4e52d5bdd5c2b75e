//! What the Org reader makes of house styles.

use super::super::Mark;
use super::super::testing::{expect, read};

fn org(text: &str, wanted: &[&str]) {
    expect("a.org", text, wanted);
}

#[test]
fn headlines_tasks_and_drawers() {
    org(
        "#+TITLE: Ausfall der Suche\n#+DATE: <2024-05-03 Fri>\n#+OPTIONS: toc:nil\n# comment\n* Zeitachse :ops:\n:PROPERTIES:\n:ID: 1\n:END:\nSie /fiel/ *aus*.\n* Maßnahmen\n** DONE [#A] Platte getauscht\nCLOSED: [2024-05-03 Fri 16:00]\n** TODO Alarm anlegen\nDEADLINE: <2024-05-10 Fri>\n** CANCELLED Nichts tun\n",
        &[
            "h1 Ausfall der Suche",
            "h1 Zeitachse",
            "p Sie fiel aus.",
            "h1 Maßnahmen",
            "i0x Platte getauscht",
            "i0o Alarm anlegen\nDEADLINE: 2024-05-10",
            "i0 Nichts tun",
        ],
    );
    let (d, s) = read("a.org", "#+DATE: <2024-05-03 Fri>\n* A\n** B\n");
    assert_eq!(d.front_matter.get("date"), Some("2024-05-03 Fri"));
    assert_eq!(s.slice(d.front_matter.field("date").unwrap().span), "<2024-05-03 Fri>");
    let (d, _) = read("a.org", "* Actions\n** CANCELED Drop it\n");
    assert!(d.blocks[1].is_all(&Mark::Struck));
}

#[test]
fn keywords_of_the_file() {
    org("#+TODO: OPEN(o) | SHIPPED(s)\n* Actions\n** OPEN one\n** SHIPPED two\n", &["h1 Actions", "i0o one", "i0x two"]);
}

#[test]
fn lists_boxes_and_descriptions() {
    org(
        "- [X] done\n- [ ] open\n  - deeper\n    goes on\n\n    paragraph\n- [-] half\n1. one\n2. two\n- Impact :: some users\n",
        &["i0x done", "i0o open", "i1 deeper goes on", "p paragraph", "i0o half", "n0 one", "n0 two", "i0 Impact: some users"],
    );
}

#[test]
fn stamps_keep_to_their_figures() {
    let (d, s) = expect(
        "a.org",
        "- <2024-05-01 Wed 10:00> Alarm\n- [2024-05-01 mer. 10:05]--[2024-05-01 mer. 10:20] degraded\n- <2024-05-01 Wed 10:20-10:40> again\n- <2024-05-02>\n",
        &[
            "i0 2024-05-01 10:00 Alarm",
            "i0 2024-05-01 10:05 – 2024-05-01 10:20 degraded",
            "i0 2024-05-01 10:20-10:40 again",
            "i0 2024-05-02",
        ],
    );
    assert_eq!(s.slice(d.blocks[0].text.span(11..16)), "10:00");
}

#[test]
fn tables_blocks_and_links() {
    org(
        "| Time | What |\n|------+------|\n| 14:03 | =api= down |\n#+TBLFM: x\n\n#+begin_src sh\nrm x\n#+end_src\n: literal\n#+begin_quote\nThey *said*.\n#+end_quote\n[[https://x.example][a link]] and [[file.org]], note[fn:1].\n\n[fn:1] A note.\n-----\n+ plus\n",
        &[
            "r0h Time | What",
            "r0 14:03 | api down",
            "code rm x",
            "code literal",
            "p> They said.",
            "p a link and file.org, note.",
            "note A note.",
            "rule ",
            "i0 plus",
        ],
    );
}

#[test]
fn paths_and_names_are_no_emphasis() {
    org(
        "Look at /var/log/x and a_b_c, 2*3*4, https://x.example/a/b/ or A=1 B=2.\n",
        &["p Look at /var/log/x and a_b_c, 2*3*4, https://x.example/a/b/ or A=1 B=2."],
    );
}
