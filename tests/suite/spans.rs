//! Laws of spans: whatever the bytes, reading does not panic, and every value leads home.

use crate::support::{files, knowledge, root};
use proptest::prelude::*;
use twiceshy::book::view::{Bytes, Incident};
use twiceshy::pipeline::read;
use twiceshy::text::{Source, Span};

/// Every span of an incident with the text that should stand there, where the two are said to agree.
fn claims(i: &Incident) -> Vec<(&'static str, &[Bytes], Option<&str>)> {
    let mut out: Vec<(&'static str, &[Bytes], Option<&str>)> = Vec::new();
    out.extend(i.title.iter().filter(|t| t.rule != "front-matter").map(|t| ("title", t.spans.as_slice(), None)));
    for (name, list) in [("summary", &i.summary), ("impact", &i.impact), ("detection", &i.detection), ("lessons", &i.lessons)] {
        out.extend(list.iter().filter(|t| t.rule != "front-matter").map(|t| (name, t.spans.as_slice(), Some(t.text.as_str()))));
    }
    out.extend(i.timeline.iter().map(|e| ("timeline", e.spans.as_slice(), None)));
    out.extend(i.causes.iter().map(|c| ("cause", c.spans.as_slice(), Some(c.text.as_str()))));
    out.extend(i.remediation.iter().map(|r| ("remediation", r.spans.as_slice(), Some(r.text.as_str()))));
    for p in &i.patterns {
        out.extend(p.evidence.iter().map(|e| ("evidence", e.spans.as_slice(), Some(e.text.as_str()))));
        out.extend(p.evidence.iter().map(|e| ("words", e.words.as_slice(), None)));
    }
    out.extend(i.diagnostics.iter().map(|d| ("diagnostic", d.spans.as_slice(), None)));
    out
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Checks the laws for one file's bytes.
fn check(path: &str, bytes: &[u8]) {
    let source = Source::new(path, bytes.to_vec());
    let case = read(&source, knowledge());
    for (what, spans, text) in claims(&case.incident) {
        let mut said = String::new();
        let mut last = 0;
        for s in spans {
            assert!(s[0] < s[1] && s[1] <= bytes.len(), "{path}: {what}: {s:?} of {}", bytes.len());
            assert!(s[0] >= last || what == "words" || what == "diagnostic", "{path}: {what}: spans out of order {spans:?}");
            last = s[1];
            let there = source.slice(Span::new(s[0], s[1]));
            assert!(!there.is_empty(), "{path}: {what}: {s:?} is no text");
            said.push_str(there);
        }
        if let Some(text) = text {
            // entities and escapes stand as written in the file; beside line breaks and tags of templates, which do so too, the letters of the text
            // must all be there, in order
            let written = said.contains(['&', '\\', '\u{FFFD}']);
            if said.contains(['<', '{']) && !written {
                let mut there = letters(&said).chars().collect::<Vec<_>>().into_iter();
                assert!(letters(text).chars().all(|c| there.any(|x| x == c)), "{path}: {what}: {said:?} does not hold {text:?}");
            } else if !written {
                assert_eq!(letters(&said), letters(text), "{path}: {what}");
            }
        }
    }
    for p in &case.body {
        for &(at, len, [a, b]) in &p.map {
            assert!(a <= b && b <= bytes.len() && p.text.get(at..at + len).is_some(), "{path}: body map");
        }
    }
}

#[test]
fn sample_corpus_leads_home_in_every_encoding() {
    for file in files(&root().join("corpus"), &["md", "txt", "html"]) {
        let bytes = std::fs::read(&file).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        let path = file.file_name().unwrap().to_string_lossy().to_string();
        check(&path, &bytes);
        let bom: Vec<u8> = [b"\xEF\xBB\xBF".as_slice(), &bytes].concat();
        check(&path, &bom);
        check(&path, text.replace('\n', "\r\n").as_bytes());
        let utf16: Vec<u8> = std::iter::once(0xFEFFu16).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        check(&path, &utf16);
        for charset in [encoding_rs::SHIFT_JIS, encoding_rs::GBK, encoding_rs::WINDOWS_1252] {
            let (encoded, _, lossy) = charset.encode(&text);
            if !lossy {
                check(&path, &encoded);
            }
        }
    }
}

#[test]
fn facts_do_not_depend_on_the_encoding() {
    for file in files(&root().join("corpus/incidents"), &["md", "txt", "html"]).into_iter().take(8) {
        let text = std::fs::read_to_string(&file).unwrap();
        let path = file.file_name().unwrap().to_string_lossy().to_string();
        let plain = read(&Source::new(path.clone(), text.as_bytes().to_vec()), knowledge()).incident;
        let crlf = read(&Source::new(path.clone(), text.replace('\n', "\r\n").into_bytes()), knowledge()).incident;
        let texts = |i: &Incident| {
            (i.causes.iter().map(|c| c.text.clone()).collect::<Vec<_>>(), i.timeline.iter().map(|e| e.at.clone()).collect::<Vec<_>>())
        };
        assert_eq!(texts(&plain), texts(&crlf), "{path}");
    }
}

/// One name for each reader.
const NAMES: [&str; 9] = ["x.md", "x.txt", "x.html", "x.rst", "x.adoc", "x.mediawiki", "x.textile", "x.jira", "x.org"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..600), kind in 0usize..NAMES.len()) {
        check(NAMES[kind], &bytes);
    }

    #[test]
    fn any_mix_of_markup_dates_and_words_can_be_read(pieces in proptest::collection::vec(0usize..104, 0..80), kind in 0usize..NAMES.len()) {
        const PIECES: [&str; 104] = [
            "# ", "\n", "\n\n", "- ", "* ", "1. ", "| ", "|---|---|\n", "**", "`", "```\n", "> ", "[x] ", "<p>", "</p>", "<b>", "&amp;", "&#x41;", "---\n", "title: ",
            "Root cause", "原因", ": ", "：", "2024-06-25", "14:05", "25:99", "午前9時05分", "9-р сарын 25-нд", "24 novembre 2024", "19h13", "UTC", "(PT)", "～", " to ",
            "the retry storm", "再試行", "újrapróbálkozás", "overloaded", "because", "we added", "İ", "ẞ", "e\u{301}", "\u{FEFF}", "😀", "\t", "\r\n",
            "== ", " ==", "\'\'\'", "{|\n", "|-\n", "|}", "!! ", "|| ", "[[a|b]]", "{{x|y=z}}", "<ref>", "</ref>", "; a : b", "====\n", "----\n", "~~~~\n",
            ".. note:: ", ".. code::\n\n", "   ", ":role:`x`", "`a <b>`_", "``c``", "::\n", "+---+---+\n", "=== ===\n", "[1]_", "|===\n", "[source]\n", "{nbsp}", "a:: b",
            " +\n", "NOTE: ", "link:a[b]", "+\n", "* TODO ", "** DONE ", ":END:\n", "#+TITLE: ", "#+begin_src\n", "#+end_src\n", "<2024-05-03 Fri 14:05>", "--", "[[a][b]]",
            " :: ", "DEADLINE: <2024-05-03 Fri>", "h2. ", "bq. ", "bc. ", "|_. ", "@d@", "\"e\":f", "{code}", "{panel:title=g}", "(/) ", "-h-", "<br>",
        ];
        let text: String = pieces.iter().map(|&i| PIECES[i]).collect();
        check(NAMES[kind], text.as_bytes());
    }
}
