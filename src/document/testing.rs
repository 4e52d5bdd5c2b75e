//! Helpers for the tests of the readers.

use super::{Certainty, Document, Kind, parse};
use crate::text::Source;

/// Reads text under a name.
pub(super) fn read(name: &str, text: &str) -> (Document, Source) {
    let source = Source::new(name, text.as_bytes().to_vec());
    (parse(&source), source)
}

/// One line for each block: what it is, and its text.
pub(super) fn shape(document: &Document) -> Vec<String> {
    document
        .blocks
        .iter()
        .map(|b| {
            let kind = match &b.kind {
                Kind::Heading { level, certainty } => {
                    let sure = match certainty {
                        Certainty::Maybe => "?",
                        Certainty::Likely => "~",
                        Certainty::Certain => "",
                    };
                    format!("h{level}{sure}")
                }
                Kind::Paragraph => "p".to_owned(),
                Kind::Item { depth, ordered, check } => {
                    let check = match check {
                        Some(true) => "x",
                        Some(false) => "o",
                        None => "",
                    };
                    format!("{}{depth}{check}", if *ordered { "n" } else { "i" })
                }
                Kind::Row { table, header, .. } => format!("r{table}{}", if *header { "h" } else { "" }),
                Kind::Code => "code".to_owned(),
                Kind::Note => "note".to_owned(),
                Kind::Rule => "rule".to_owned(),
                Kind::Filler => "filler".to_owned(),
            };
            format!("{kind}{} {}", ">".repeat(b.quote.into()), b.text.as_str())
        })
        .collect()
}

/// Reads text under a name and compares the shape of its blocks.
pub(super) fn expect(name: &str, text: &str, wanted: &[&str]) -> (Document, Source) {
    let (document, source) = read(name, text);
    assert_eq!(shape(&document), wanted, "\n{text}");
    check(&document, &source);
    (document, source)
}

/// Checks what holds for every document: spans lie in the file and on character boundaries, texts that stand byte for byte are what stands
/// there, marks lie in their text.
pub(super) fn check(document: &Document, source: &Source) {
    let length = source.bytes().len();
    let utf8 = std::str::from_utf8(source.bytes()).ok();
    for block in &document.blocks {
        assert!(block.span.start <= block.span.end && block.span.end <= length, "{block:?}");
        let mut texts = vec![&block.text];
        if let Kind::Row { cells, .. } = &block.kind {
            texts.extend(cells);
        }
        for text in texts {
            let whole = text.as_str();
            assert!(whole.is_empty() || text.whole().end <= length);
            let mut linear = 0;
            for (i, c) in whole.char_indices() {
                let span = text.span(i..i + c.len_utf8());
                assert!(span.end <= length, "{block:?}");
                if let Some(file) = utf8 {
                    let said = file.get(span.start..span.end).unwrap_or_else(|| panic!("{span:?} is on no boundary: {block:?}"));
                    linear += usize::from(said == c.to_string());
                    assert!(
                        said == c.to_string() || !(c.is_alphanumeric() && said.len() == c.len_utf8() && !said.starts_with('&')),
                        "{c:?} is mapped to {said:?}: {block:?}"
                    );
                }
            }
            if utf8.is_some() && whole.len() < 4000 && whole.chars().all(|c| c.is_ascii_alphanumeric()) && !whole.is_empty() {
                assert!(linear > 0 || source.text().as_str().contains('&') || source.text().as_str().contains('='), "{block:?}");
            }
        }
        for (range, mark) in &block.marks {
            assert!(block.text.as_str().get(range.clone()).is_some_and(|t| !t.is_empty()), "{mark:?} {range:?} in {block:?}");
        }
    }
}
