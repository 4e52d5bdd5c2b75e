//! Whatever the bytes: reading never panics, and every text leads home.

use super::parse;
use super::testing::{check, read};
use crate::text::Source;
use proptest::prelude::*;

/// Bits of markup that meet in files.
const BITS: [&str; 155] = [
    "<![CDATA[>",
    "]]>",
    "== ",
    " ==",
    "'''",
    "''",
    "{|\n",
    "|-\n",
    "|}",
    "!! ",
    "||",
    "[[a|b]]",
    "[[a][b]]",
    "{{x|y=z}}",
    "}}",
    "<ref>",
    "</ref>",
    "; a : b",
    "====\n",
    "~~~~\n",
    ".. note:: ",
    ".. csv-table::\n",
    ".. list-table::\n",
    "   * - ",
    ":role:`x`",
    "`a <b>`_",
    "::\n",
    "+---+---+\n",
    "+===+",
    "=== ===\n",
    "[1]_",
    "|===\n",
    ",===\n",
    "[cols=\"1,2\"]\n",
    "2+|",
    "{nbsp}",
    "a:: b",
    " +\n",
    "link:a[b]",
    "* TODO ",
    "** DONE ",
    ":END:\n",
    ":PROPERTIES:\n",
    "#+TITLE: ",
    "#+begin_quote\n",
    "#+end_quote\n",
    "<2024-05-03 Fri 14:05>",
    " :: ",
    "DEADLINE: <2024-05-03 Fri>",
    "h2. ",
    "bq.. ",
    "|_. ",
    "|/2\\3. ",
    "@d@",
    "\"e\":f",
    "{code}",
    "{panel:title=g}",
    "(/) ",
    "-h-",
    "#",
    "# ",
    "##",
    "**",
    "*",
    "_",
    "`",
    "```",
    "~~",
    "~",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "2) ",
    "[ ] ",
    "[x] ",
    "> ",
    ">",
    "|",
    "|---|",
    "---",
    "===",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "    ",
    "  ",
    " ",
    "\\",
    "\\\n",
    "  \n",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "<br>",
    "<div>",
    "</div>",
    "<table>",
    "<tr>",
    "<td>",
    "<td rowspan=2 colspan=3>",
    "</table>",
    "<ul>",
    "<li>",
    "</ul>",
    "<pre>",
    "</pre>",
    "<h2>",
    "</h2>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<details><summary>",
    "</summary>",
    "<img alt='x y'>",
    "<a href=\"#a\">",
    "</a>",
    "<del>",
    "</del>",
    "<article>",
    "<nav>",
    "</nav>",
    "<title>",
    "</title>",
    "<body>",
    "&amp;",
    "&#x41;",
    "&eacute",
    "&",
    "[a](b)",
    "![c](d)",
    "[^1]",
    "[^1]: ",
    "{{< x >}}",
    "{% y %}",
    "<%= z %>",
    "{{ v }}",
    ":::",
    "14:03 ",
    "2024-05-03 ",
    "3. Mai 2024",
    "•",
    "・",
    "※",
    "原因",
    "です。",
    "é",
    "word",
    "Key: value",
    ":",
    "：",
    "\u{feff}",
];

fn markup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&BITS[..]), 0..60).prop_map(|v| v.concat())
}

fn all_formats(bytes: &[u8]) {
    for name in ["a.md", "a.mdx", "a.html", "a.txt", "a", "a.rst", "a.adoc", "a.mediawiki", "a.textile", "a.jira", "a.org"] {
        let source = Source::new(name, bytes.to_vec());
        check(&parse(&source), &source);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        all_formats(&bytes);
    }

    #[test]
    fn any_markup(text in markup()) {
        all_formats(text.as_bytes());
        all_formats(format!("---\n{text}\n---\n{text}").as_bytes());
    }

    #[test]
    fn any_markup_in_other_encodings(text in markup()) {
        for charset in [encoding_rs::SHIFT_JIS, encoding_rs::GBK, encoding_rs::WINDOWS_1252] {
            all_formats(&charset.encode(&text).0);
        }
        let utf16: Vec<u8> = std::iter::once(0xFEFFu16).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        all_formats(&utf16);
    }
}

#[test]
fn long_texts_take_time_in_proportion() {
    let started = std::time::Instant::now();
    for bit in [
        "<div>",
        "</div>",
        "<b>",
        "<i></b>",
        "<p>",
        "<td>",
        "<table><tr><td>",
        "> ",
        "- ",
        "[",
        "![",
        "*a",
        "**a** ",
        "`",
        "``a ",
        "<",
        "&",
        "&amp;",
        "a ",
        "原",
        "{{",
        "{% ",
        "|",
        "a|",
        "a\tb\n",
        "\n",
        "1. ",
        "a: b\n",
        "14:03 x\n",
        "<br>",
        "a<br>\n",
        "・a\n",
        "<!--",
        "<x ",
        "<!-- --> ",
        "**a**\n",
        "~a~ ",
        "<ul><li>",
        "<a href='#'>",
        "[a][",
        "[^a]",
        "[^a]: b\n",
        "<script>",
        "{ ",
        "- [ ] a\n",
        "'''",
        "[[",
        "{{",
        "{{a|",
        "<ref>",
        "{|\n",
        "| a ",
        "* a\n",
        "a\n  b\n",
        "a::\n",
        " a\n  ",
        ".. x::\n",
        "+-+\n",
        "== ==\n",
        "_a ",
        "|===\n",
        "====\n",
        "#+begin_a\n",
        "* TODO a\n",
        ":a:\n",
        "<2024-05-03 ",
        "{a}",
        "{code}",
        "{panel}\n",
        "|a\n",
        "\"a",
    ] {
        let long = bit.repeat(60_000 / bit.len());
        for name in ["a.md", "a.html", "a.txt", "a.rst", "a.adoc", "a.mediawiki", "a.textile", "a.jira", "a.org"] {
            let lightweight = !["a.md", "a.html", "a.txt"].contains(&name);
            let text = if lightweight { bit.repeat(15_000 / bit.len()) } else { long.clone() };
            let (document, _) = read(name, &text);
            let size: usize = document.blocks.iter().map(|b| b.text.len()).sum();
            assert!(size <= 4 * text.len() + 1000, "{bit} {name}: {size}");
            let took = started.elapsed();
            assert!(took.as_secs() < 300, "{bit} in {name} took {took:?}");
        }
    }
}
