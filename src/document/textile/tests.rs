//! What the reader of Textile and Jira's markup makes of house styles.

use super::super::Mark;
use super::super::testing::{expect, read};

fn textile(text: &str, wanted: &[&str]) {
    expect("a.textile", text, wanted);
}

fn jira(text: &str, wanted: &[&str]) {
    expect("a.jira", text, wanted);
}

#[test]
fn blocks_of_textile() {
    textile(
        "h1(#top). Ausfall der Suche\n\np(intro). Sie war *voll* und _langsam_.\nNeue Zeile.\n\nh2. Zeitachse\n\n* 14:03 Alarm\n** gesehen\n# erstens\n- Wirkung := einige Nutzer\n\nbq. They said.\n\nbc.. rm x\n\n  y\n\np. After.\n\nfn1. A note.\n\n###. hidden\n\n----\n",
        &[
            "h1 Ausfall der Suche",
            "p Sie war voll und langsam.\nNeue Zeile.",
            "h2 Zeitachse",
            "i0 14:03 Alarm",
            "i1 gesehen",
            "n0 erstens",
            "p Wirkung: einige Nutzer",
            "p> They said.",
            "code rm x\n\n  y",
            "p After.",
            "note A note.",
            "rule ",
        ],
    );
}

#[test]
fn tables_of_textile() {
    textile(
        "table(grid).\n|_. Time|_. What|\n|14:03|Es *fiel*\naus|\n|/2. 14:09|a|\n|b|\n(odd). |\\2. wide|\n",
        &["r0h Time | What", "r0 14:03 | Es fiel\naus", "r0 14:09 | a", "r0 14:09 | b", "r0 wide | "],
    );
}

#[test]
fn lines_of_textile() {
    let (d, s) = read(
        "a.textile",
        "See \"the log\":https://x.example/a_b. Use @max_conn@, -old- 3-4 and well-known CDN(content network)[1] !i.png(graph)!.\n",
    );
    let b = &d.blocks[0];
    assert_eq!(b.text.as_str(), "See the log. Use max_conn, old 3-4 and well-known CDN graph.");
    let has = |mark: Mark, said: &str| b.marks.iter().any(|(r, m)| *m == mark && &b.text.as_str()[r.clone()] == said);
    assert!(has(Mark::Link("https://x.example/a_b".into()), "the log") && has(Mark::Code, "max_conn") && has(Mark::Struck, "old"));
    let at = b.text.as_str().find("max_conn").unwrap();
    assert_eq!(s.slice(b.text.span(at..at + 8)), "max_conn");
}

#[test]
fn wrapped_lines_go_on() {
    textile(
        "The primary database ran out of connections because every pod opened\nits own pool and none of them was closed.\n",
        &["p The primary database ran out of connections because every pod opened its own pool and none of them was closed."],
    );
}

#[test]
fn blocks_of_jira() {
    jira(
        "h2. Impact\n{panel:title=Summary|borderStyle=solid}\nIt *fell*.\n* hard\n{panel}\n{code:sh}\nrm x\n{code}\n{toc}\n||Time||What||\n|14:03|{{api}} [down|https://x.example/a]|\n\n* (/) done\n- open\n## deeper\n\n{quote}\nThey said.\n{quote}\nState {status:colour=Green|title=RESOLVED} by [~ana] \\\\ next -struck out- {color:red}red{color}.\n",
        &[
            "h2 Impact",
            "h6~ Summary",
            "p It fell.",
            "i0 hard",
            "code rm x",
            "r0h Time | What",
            "r0 14:03 | api down",
            "i0x done",
            "i0 open",
            "n1 deeper",
            "p> They said.",
            "p State RESOLVED by ana\nnext struck out red.",
        ],
    );
}
