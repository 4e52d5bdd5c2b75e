//! What the reStructuredText reader makes of house styles.

use super::super::Mark;
use super::super::testing::expect;

fn rst(text: &str, wanted: &[&str]) {
    expect("a.rst", text, wanted);
}

#[test]
fn titles_and_what_lies_below_them() {
    let (d, s) = expect(
        "a.rst",
        "=======\nAusfall\n=======\n\n:Date: 2024-05-03\n:Author: Ana\n\nZeitachse 🥏\n-------------\n\nText mit **Ursache** und\n`Verweis <https://x.example/a_b>`__.\n\nTiefer\n^^^^^^\n\n-----\n\nNoch ``max_conn`` und name_.\n\nUrsache\n-------\nVoll.\n",
        &[
            "h1 Ausfall",
            "p Date: 2024-05-03",
            "p Author: Ana",
            "h2 Zeitachse 🥏",
            "p Text mit Ursache und Verweis.",
            "h3 Tiefer",
            "rule ",
            "p Noch max_conn und name.",
            "h2 Ursache",
            "p Voll.",
        ],
    );
    assert_eq!(d.front_matter.get("date"), Some("2024-05-03"));
    assert_eq!(s.slice(d.front_matter.field("date").unwrap().span), "2024-05-03");
    let b = &d.blocks[4];
    assert!(b.marks.iter().any(|(r, m)| *m == Mark::Link("https://x.example/a_b".into()) && &b.text.as_str()[r.clone()] == "Verweis"));
    assert_eq!(s.slice(d.blocks[3].span), "Zeitachse 🥏\n-------------");
}

#[test]
fn lists_nest() {
    rst(
        "-  one\n   goes on\n\n   - deeper\n\n   second paragraph\n\n- two\n\n1. first\n#. second\n\n* [ ] open\n* [x] done\n",
        &["i0 one goes on", "i1 deeper", "p second paragraph", "i0 two", "n0 first", "n0 second", "i0o open", "i0x done"],
    );
}

#[test]
fn definitions_fields_and_stamps() {
    rst(
        "Impact\n    Some users.\n\n14:03 UTC\n    The alert fired\n    twice.\n\n:Severity: 2\n:Actions:\n    - Rotate\n\n| one line\n| another\n",
        &[
            "h6~ Impact",
            "p Some users.",
            "p 14:03 UTC The alert fired twice.",
            "p Severity: 2",
            "h6~ Actions:",
            "i0 Rotate",
            "p one line",
            "p another",
        ],
    );
}

#[test]
fn directives_and_comments() {
    rst(
        ".. contents::\n   :depth: 2\n\n.. note:: All times are UTC.\n\n.. warning::\n\n   It fell.\n\n   - hard\n\n.. code-block:: sh\n   :caption: x\n\n   rm x\n     y\n\n.. a comment\n   of two lines\n\n.. _target: https://x.example\n\n.. admonition:: Root cause\n\n   A full disk.\n\n.. [1] A footnote.\n\nSee [1]_::\n\n    literal\n\nEnd.\n",
        &[
            "p All times are UTC.",
            "p It fell.",
            "i0 hard",
            "code rm x\n  y",
            "h6~ Root cause",
            "p A full disk.",
            "note A footnote.",
            "h6~ See:",
            "code literal",
            "p End.",
        ],
    );
}

#[test]
fn tables_of_every_kind() {
    rst(
        "+-------+--------------+\n| Time  | What         |\n+=======+==============+\n| 14:03 | Es fiel      |\n|       | **aus**      |\n+-------+--------------+\n| 14:09 | 再開         |\n+-------+--------------+\n",
        &["r0h Time | What", "r0 14:03 | Es fiel aus", "r0 14:09 | 再開"],
    );
    rst(
        "=====  ========\nTime   What\n=====  ========\n14:03  down\n       for all\n14:09  up\n=====  ========\n\nEnd.\n",
        &["r0h Time | What", "r0 14:03 | down for all", "r0 14:09 | up", "p End."],
    );
    rst(
        ".. list-table:: Actions\n   :header-rows: 1\n\n   * - Action\n     - Owner\n   * - Add an alert\n       soon\n     - Ana\n\n.. csv-table::\n   :header: \"Time\", \"What\"\n\n   14:03, \"down, hard\"\n",
        &["note Actions", "r0h Action | Owner", "r0 Add an alert soon | Ana", "r1h Time | What", "r1 14:03 | down, hard"],
    );
}

#[test]
fn roles_and_escapes() {
    let (d, _) = expect(
        "a.rst",
        "See :ref:`the log <log>` and :code:`x`, :strike:`old`, 2\\*3, |name|, *so*, 3*4*5.\n",
        &["p See the log and x, old, 2*3, name, so, 3*4*5."],
    );
    assert!(d.blocks[0].marks.iter().any(|(_, m)| *m == Mark::Struck) && d.blocks[0].marks.iter().any(|(_, m)| *m == Mark::Code));
}
