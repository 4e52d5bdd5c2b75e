//! What the MediaWiki reader makes of house styles.

use super::super::testing::expect;
use super::super::{Kind, Mark};

fn wiki(text: &str, wanted: &[&str]) {
    expect("a.mediawiki", text, wanted);
}

#[test]
fn headings_lists_and_prose() {
    wiki(
        "'''Ausfall''' der Datenbank am 3. Mai.\nSie war ''voll''.\n\n== Zeitachse ==\n* 14:03 Alarm\n** gesehen um 14:05\n# erstens\n: eingerückt\n\n----\n=== Ursache===\nDie Platte.<ref>Siehe Ticket 12.</ref>\n",
        &[
            "p Ausfall der Datenbank am 3. Mai. Sie war voll.",
            "h2 Zeitachse",
            "i0 14:03 Alarm",
            "i1 gesehen um 14:05",
            "n0 erstens",
            "p eingerückt",
            "rule ",
            "h3 Ursache",
            "p Die Platte.",
            "note Siehe Ticket 12.",
        ],
    );
    wiki("; Start : 14:03 UTC\n; Owner\n: Ana\n", &["p Start: 14:03 UTC", "h6~ Owner", "p Ana"]);
}

#[test]
fn links_templates_and_what_shows_nothing() {
    let (d, s) = expect(
        "a.wiki",
        "__NOTOC__\n<!-- a\n\ncomment -->\nWe [[Runbooks/Cache|flushed]] the [https://cache.example/x cache], see [[Incident 12]].\n\n{{Incident\n| start = 14:03 UTC\n| severity = 2 <!-- unsure -->\n| owner = \n}}\n\nTicket {{Bug|123}} is {{Done}}.\n[[Category:Outages]]\n[[Kategória:Leállás]] [[de:Ausfall]]\n",
        &["p We flushed the cache, see Incident 12.", "p start: 14:03 UTC", "p severity: 2", "p Ticket 123 is Done."],
    );
    let b = &d.blocks[0];
    assert_eq!(b.marks[0].1, Mark::Link("Runbooks/Cache".into()));
    let at = b.text.as_str().find("flushed").unwrap();
    assert_eq!(s.slice(b.text.span(at..at + 7)), "flushed");
    assert_eq!(s.slice(d.blocks[1].text.span(7..12)), "14:03");
}

#[test]
fn tables() {
    let (d, _) = expect(
        "a.mediawiki",
        "{| class=\"wikitable\"\n|+ Actions\n! Action !! Owner\n|-\n| Add an alert || [[User:Ana|Ana]]\n|-\n| rowspan=2 | Rotate\n| style=\"x\" | Bo\n|-\n|\n* Cy\n* Di\n|}\nAfter.\n",
        &["note Actions", "r0h Action | Owner", "r0 Add an alert | Ana", "r0 Rotate | Bo", "r0 Rotate | Cy\nDi", "p After."],
    );
    assert!(matches!(&d.blocks[2].kind, Kind::Row { cells, .. } if cells[1].as_str() == "Ana"));
}

#[test]
fn preformatted_and_quoted() {
    wiki(
        "Log:\n\n 14:03 down\n   14:04 up\n\n<pre>\na == b\n</pre>\n<syntaxhighlight lang=\"sh\">rm x</syntaxhighlight>\n\n<blockquote>\nThey said '''so'''.\n</blockquote>\n<code>in line</code> &amp; <nowiki>''raw''</nowiki><br />next\n",
        &["h6~ Log:", "code 14:03 down\n  14:04 up", "code a == b", "code rm x", "p> They said so.", "p in line & ''raw''\nnext"],
    );
}

#[test]
fn html_tables_and_struck_text() {
    wiki("<table><tr><th>a</th></tr><tr><td>b</td></tr></table>\n<s>Drop it.</s> Keep it.\n", &["r0h a", "r0 b", "p Drop it. Keep it."]);
}

#[test]
fn tables_of_double_bars() {
    wiki(
        "= Outage =\nText\n|| '''Time''' || '''Event''' ||\n||<style=\"x\"> 10:02 || Alert ||\n|| 10:40 || ||\n\n|| Action || Owner ||\n|| Grow || Ana ||\n|| Watch || Bo ||\n",
        &[
            "h1 Outage",
            "p Text",
            "r0h Time | Event",
            "r0 10:02 | Alert",
            "r0 10:40 | ",
            "r1h Action | Owner",
            "r1 Grow | Ana",
            "r1 Watch | Bo",
        ],
    );
}
