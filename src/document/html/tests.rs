//! What the HTML reader makes of pages and fragments.

use super::super::testing::{expect, read, shape};
use super::super::{Kind, Mark};

fn html(text: &str, wanted: &[&str]) {
    expect("a.html", text, wanted);
}

#[test]
fn the_article_and_nothing_else() {
    let page = "<!doctype html><html lang=fr><head><title>Panne &amp; suite | Blog</title><style>p{}</style></head><body>\
        <header><a href=/>Blog</a></header><nav><ul><li>Accueil</ul></nav><div class=\"cookie-banner\"><p>Cookies</p></div>\
        <main><article><header><h1>Panne</h1><p>Le 3 mai</p></header><p>La base est tombée.</p><aside>Note</aside>\
        <div class=share-buttons>Partager</div></article><div class=related-posts><p>Lire aussi</p></div></main>\
        <footer>© 2024</footer><script>var a = '<p>x</p>';</script></body></html>";
    let (d, s) = expect("a.html", page, &["h1 Panne", "p Le 3 mai", "p La base est tombée.", "note Note"]);
    assert_eq!(d.lang.as_deref(), Some("fr"));
    let title = d.title.unwrap();
    assert_eq!(title.as_str(), "Panne & suite | Blog");
    assert_eq!(s.slice(title.span(6..7)), "&amp;");
    assert_eq!(s.slice(d.blocks[2].span), "<p>La base est tombée.</p>");
}

#[test]
fn pages_without_article() {
    html("<body><div id=sidebar>Links</div><div class=has-sidebar><h2>A</h2>text<p>b</div></body>", &["h2 A", "p text", "p b"]);
    html("<h1>T</h1><p>a<p>b <b>c</b>", &["h1 T", "p a", "p b c"]);
    html("<form><h1>All in a form</h1><p>x</p></form>", &["h1 All in a form", "p x"]);
}

#[test]
fn the_heading_above_the_article() {
    let page = "<title>Datenbank weg – Blog</title><body><header><h1>Datenbank weg</h1></header><article><p>Lang genug.</p></article>";
    html(page, &["h1 Datenbank weg", "p Lang genug."]);
    html("<title>X</title><body><header><h1>Blog</h1></header><article><p>Lang genug.</p></article>", &["p Lang genug."]);
}

#[test]
fn lists_and_boxes() {
    html(
        "<ul><li>a<ol><li>b</li><li>c<p>more</p></ol></li><li><input type=checkbox checked> d<li><input type=checkbox>e</ul>",
        &["i0 a", "n1 b", "n1 c", "p more", "i0x d", "i0o e"],
    );
    // an exported task list says it by class
    html("<ul><li class=checked>a<li class='task unchecked'>b<li class=x>c</ul>", &["i0x a", "i0o b", "i0 c"]);
}

#[test]
fn a_page_as_confluence_stores_it() {
    let (d, s) = expect(
        "a.txt",
        "<ac:layout><ac:layout-section><ac:layout-cell><h1>Outage</h1><p>On <time datetime=\"2024-05-03\" /> search fell.</p>\
         <ac:structured-macro ac:name=\"code\"><ac:parameter ac:name=\"language\">bash</ac:parameter>\
         <ac:plain-text-body><![CDATA[if a > 1 && b < 2; then\n  grow <disk>\nfi]]></ac:plain-text-body></ac:structured-macro>\
         <ac:task-list><ac:task><ac:task-id>7</ac:task-id><ac:task-status>complete</ac:task-status>\
         <ac:task-body>Grow <ac:link><ri:user ri:userkey=\"x\" /></ac:link> it</ac:task-body></ac:task>\
         <ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>Watch it</ac:task-body></ac:task></ac:task-list>\
         <ac:structured-macro ac:name=\"status\"><ac:parameter ac:name=\"colour\">Green</ac:parameter><ac:parameter ac:name=\"title\">RESOLVED</ac:parameter>\
         </ac:structured-macro></ac:layout-cell></ac:layout-section></ac:layout>",
        &[
            "h1 Outage",
            "p On 2024-05-03 search fell.",
            "code if a > 1 && b < 2; then\n  grow <disk>\nfi",
            "i0x Grow it",
            "i0o Watch it",
            "p RESOLVED",
        ],
    );
    assert_eq!(s.slice(d.blocks[2].text.span(0..8)), "if a > 1");
    // a section of raw text that never ends
    html("<p>a</p><![CDATA[b <p>c</p>", &["p a", "p c"]);
}

#[test]
fn tables_with_cells_that_reach() {
    let (d, _) = expect(
        "a.html",
        "<table><thead><tr><th>Day<th>Time<th>What</thead><tr><td rowspan=2>3 May<td>14:03<td>a<br>b<tr><td>14:09<td><p>c</p><p>d</p></table>",
        &["r0h Day | Time | What", "r0 3 May | 14:03 | a\nb", "r0 3 May | 14:09 | c\nd"],
    );
    let Kind::Row { cells, .. } = &d.blocks[2].kind else { panic!() };
    assert_eq!(cells.len(), 3);
    html("<table><tr><th>Start</th><td>14:03</td></tr></table>", &["r0 Start | 14:03"]);
}

#[test]
fn layout_tables_are_read_through() {
    html("<table><tr><td><h1>T</h1><p>x</p><table><tr><td>a<td>b</table></td></tr></table>", &["h1 T", "p x", "r1 a | b"]);
}

#[test]
fn quotes_code_terms() {
    html(
        "<blockquote><p>q</p></blockquote><pre>\na  b\n&lt;c&gt;\n</pre><dl><dt>Durée<dd>35 min</dl><hr>",
        &["p> q", "code a  b\n<c>", "h6~ Durée", "p 35 min", "rule "],
    );
    html("<details><summary>Zeit</summary>text</details>", &["h6~ Zeit", "p text"]);
    html("<p><strong>Причина</strong></p><p>Диск.</p>", &["h6~ Причина", "p Диск."]);
    html("<p><b>Impact</b><br>None.<br><br>Next</p>", &["h6~ Impact", "p None.", "p Next"]);
    html("<p>14:03 a<br>14:05 b</p>", &["p 14:03 a", "p 14:05 b"]);
    html("<h2>Title<a class=anchor href=#t>#</a></h2>", &["h2 Title"]);
}

#[test]
fn what_is_hidden_is_not_read() {
    html(
        "<p hidden>a</p><p style='display: none'>b</p><span aria-hidden=true>c</span><template><p>d</p></template><p>e<sup><a href='#fn1'>1</a></sup></p>",
        &["p e"],
    );
    html("<p><ruby>漢字<rp>(</rp><rt>かんじ</rt></ruby></p>", &["p 漢字"]);
}

#[test]
fn languages_and_marks() {
    let (d, _) = read("a.html", "<p lang=de>Ausfall <a href='/x?a=1&amp;b'>hier</a> <img alt='Bild 1' src=x> <s>alt</s></p><p>x</p>");
    let b = &d.blocks[0];
    assert_eq!((b.lang.as_deref(), d.blocks[1].lang.as_deref()), (Some("de"), None));
    assert_eq!(b.text.as_str(), "Ausfall hier Bild 1 alt");
    assert!(b.marks.contains(&(8..12, Mark::Link("/x?a=1&b".into()))));
    assert!(b.marks.contains(&(13..19, Mark::Image)) && b.marks.contains(&(20..23, Mark::Struck)));
}

#[test]
fn malformed_pages_are_read_as_far_as_they_go() {
    html("<p>a <b>b <p>c</b> d</div></p> e <", &["p a b", "p c d", "p e <"]);
    html("text <a href=\"x", &["p text"]);
    html("<li>a<li>b", &["i0 a", "i0 b"]);
    html("a &lt; b &am; c & d", &["p a < b &am; c & d"]);
    html("<div><span>one</span>\r\n<span>two</span></div>\r\nthree", &["p one two", "p three"]);
}

#[test]
fn white_space_and_scripts() {
    html("<p>障害が\n  発生\n</p><p>one\n two</p>", &["p 障害が発生", "p one two"]);
}

#[test]
fn a_file_named_so_is_a_page_and_text_with_debris_is_not() {
    let (d, _) = read("notes", "  <!-- x -->\n<HTML><p>a</p></html>");
    assert_eq!(shape(&d), ["p a"]);
    let (d, _) = read("notes.txt", "Restarted it.</p>\n\nThen <br> it worked.\n");
    assert_eq!(d.format, super::super::Format::Plain);
    assert_eq!(shape(&d), ["h1? Restarted it.</p>", "p Then <br> it worked."]);
}
