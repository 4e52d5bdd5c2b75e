//! What the Markdown reader makes of house styles.

use super::super::testing::{expect, read};
use super::super::{Kind, Mark};

fn md(text: &str, wanted: &[&str]) {
    expect("a.md", text, wanted);
}

#[test]
fn headings_by_markup_and_by_look() {
    md(
        "# Störung\n\nText *hier*.\n\nImpact\n------\n\n**Ursache**\n\nDie Platte.\n",
        &["h1 Störung", "p Text hier.", "h2 Impact", "h6~ Ursache", "p Die Platte."],
    );
    md("**影響範囲**\n決済が失敗した。\n再試行も失敗した。\n", &["h6~ 影響範囲", "p 決済が失敗した。再試行も失敗した。"]);
    md("Root cause:\n\nA full disk.\n", &["h6~ Root cause:", "p A full disk."]);
    md("## **Timeline** ##\n", &["h2 Timeline"]);
    md("##影響\n\nx\n", &["h2~ 影響", "p x"]);
}

#[test]
fn a_break_below_several_lines_is_no_heading() {
    md("One line of text.\nAnother line.\n---\nMore.\n", &["p One line of text. Another line.", "rule ", "p More."]);
}

#[test]
fn lists_nest_and_check() {
    md(
        "- [x] fertig\n- [ ] offen\n  1. tief\n     mehr\n\n     zweiter Absatz\n- ☐ später\n- ✅ gemacht\n",
        &["i0x fertig", "i0o offen", "n1 tief mehr", "p zweiter Absatz", "i0o ☐ später", "i0 ✅ gemacht"],
    );
    md("1. [x] a\n2. b\n", &["n0x a", "n0 b"]);
}

#[test]
fn bullets_that_markdown_does_not_know() {
    md("対応:\n・再起動\n　・確認\n・監視追加\n", &["h6~ 対応:", "i0 再起動", "i1 確認", "i0 監視追加"]);
    md("– eins\n– zwei\n", &["i0 eins", "i0 zwei"]);
    md("- a\n  • b\n  • c\n- d\n", &["i0 a", "i1 b", "i1 c", "i0 d"]);
}

#[test]
fn tables_have_cells_with_a_way_home() {
    let (d, s) = expect(
        "a.md",
        "| Time | What |\n|---|---|\n| 14:03 | `api` **down** \\| slow |\n| ☑ | a<br>b |\n",
        &["r0h Time | What", "r0 14:03 | api down | slow", "r0 ☑ | a\nb"],
    );
    let Kind::Row { cells, .. } = &d.blocks[1].kind else { panic!() };
    assert_eq!((cells[0].as_str(), cells[1].as_str()), ("14:03", "api down | slow"));
    assert_eq!(s.slice(cells[0].whole()), "14:03");
    assert_eq!(s.slice(d.blocks[1].span), "| 14:03 | `api` **down** \\| slow |");
    assert!(d.blocks[1].marks.iter().any(|(r, m)| *m == Mark::Strong && &d.blocks[1].text.as_str()[r.clone()] == "down"));
}

#[test]
fn quotes_code_notes_rules() {
    md(
        "> said\n> > deeper\n\n```sh\nrm -rf x\n\necho\n```\n\n***\n\nSee[^1].\n\n[^1]: A note.\n",
        &["p> said", "p>> deeper", "code rm -rf x\n\necho", "rule ", "p See.", "note A note."],
    );
}

#[test]
fn marks_links_images() {
    let (d, s) =
        read("a.md", "A [link](https://x.example/a_b) and ![alt *text*](i.png), `co de`, ~~old~~ ~5 to ~9, &eacute;t&eacute; \\*.\n");
    let b = &d.blocks[0];
    assert_eq!(b.text.as_str(), "A link and alt text, co de, old ~5 to ~9, été *.");
    let has = |mark: Mark, said: &str| b.marks.iter().any(|(r, m)| *m == mark && &b.text.as_str()[r.clone()] == said);
    assert!(has(Mark::Link("https://x.example/a_b".into()), "link"));
    assert!(has(Mark::Image, "alt text") && has(Mark::Code, "co de") && has(Mark::Struck, "old"));
    let at = b.text.as_str().find("été").unwrap();
    assert_eq!(s.slice(b.text.span(at..at + 2)), "&eacute;");
}

#[test]
fn html_in_lines_and_in_blocks() {
    md("a<br>b <b>c</b> <!-- no --> <del>d</del> <service-name> <kbd>e</kbd>\n", &["p a\nb c d <service-name> e"]);
    md(
        "<details><summary>Zeitachse</summary>\n\n- eins\n\n</details>\n\n<p>Text &amp; <i>mehr</i></p>\n",
        &["h6~ Zeitachse", "i0 eins", "p Text & mehr"],
    );
    md("> <p>in\n> quote</p>\n", &["p> in quote"]);
    md("<table><tr><th>a</th></tr><tr><td>b</td></tr></table>\n\n| c |\n|---|\n| d |\n", &["r0h a", "r0 b", "r1h c", "r1 d"]);
    md("<script>\nvar a;\n</script>\n\ntext\n", &["p text"]);
}

#[test]
fn stamps_labels_and_chats() {
    md("14:03 a\n14:05 b\n", &["p 14:03 a", "p 14:05 b"]);
    md("**14:03** – alerte\n**14:05** – rétabli\n", &["p 14:03 – alerte", "p 14:05 – rétabli"]);
    md("<14:03> ana: ¿cae?\n[14:04] luis: sí\n", &["p <14:03> ana: ¿cae?", "p [14:04] luis: sí"]);
    md("**Owner:** Ana\n**Severity:** high\n", &["p Owner: Ana", "p Severity: high"]);
    md("3. Mai 2024: Beginn\n", &["p 3. Mai 2024: Beginn"]);
    md("1. 5. 2024 výpadek\n", &["p 1. 5. 2024 výpadek"]);
}

#[test]
fn breaks_between_lines() {
    md("one\ntwo\\\nthree  \nfour\n", &["p one two\nthree\nfour"]);
    md("障害が\n発生した\n", &["p 障害が発生した"]);
    md("장애가\n발생했다\n", &["p 장애가 발생했다"]);
}

#[test]
fn template_tags_are_passed_over() {
    md("import A from './a'\n\n# T\n\n{{< note >}}\nHi {{% x %}}there, {{ name }}.\n{{< /note >}}\n", &["h1 T", "p Hi there, {{ name }}."]);
    md("{% highlight sh %}\n# x\n{% endhighlight %}\n\n<%= render 'x' %>\n\nEnd.\n", &["code # x", "p End."]);
    let (d, _) = read("a.md", "[a]({{ site.url }}/b)\n");
    assert_eq!(d.blocks[0].marks[0].1, Mark::Link("{{ site.url }}/b".into()));
    expect("a.mdx", "export const a = {\n  b: 1\n}\n\n<Tabs items={['a', 'b']}>\n\nText\n\n</Tabs>\n", &["p Text"]);
}

#[test]
fn offsets_hold_in_other_encodings() {
    let text = "# 障害報告\n\n- 原因は`設定`の誤り\n";
    let source = crate::text::Source::new("a.md", encoding_rs::SHIFT_JIS.encode(text).0.into_owned());
    let d = super::super::parse(&source);
    let b = &d.blocks[1];
    assert_eq!(b.text.as_str(), "原因は設定の誤り");
    let at = b.text.as_str().find("設定").unwrap();
    let span = b.text.span(at..at + 6);
    assert_eq!(&source.bytes()[span.start..span.end], &*encoding_rs::SHIFT_JIS.encode("設定").0);
}

#[test]
fn front_matter_and_text() {
    let (d, s) = expect("a.md", "---\r\ntitle: X\r\n---\r\n# A\r\n\r\nb\r\nc\r\n", &["h1 A", "p b c"]);
    assert_eq!(d.front_matter.get("title"), Some("X"));
    assert_eq!(s.slice(d.blocks[0].span), "# A");
}

#[test]
fn code_in_lines_is_told_once_and_stands_where_it_stands() {
    let (d, s) = read("a.md", "so: ```\n| > |--|\nthe end. [x] ```\n");
    let text = &d.blocks[0].text;
    assert_eq!(text.as_str(), "so: | > |--| the end. [x]");
    let at = text.as_str().find("the end").unwrap();
    assert_eq!(s.slice(text.span(at..at + 7)), "the end");
}

#[test]
fn code_in_lines_over_breaks() {
    let (d, s) = read("a.md", "> x `a\n> b` y\n");
    assert_eq!(d.blocks[0].text.as_str(), "x a b y");
    let at = d.blocks[0].text.as_str().find('b').unwrap();
    assert_eq!(s.slice(d.blocks[0].text.span(at..at + 1)), "b");
}
