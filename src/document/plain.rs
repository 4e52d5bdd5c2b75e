//! The reader for text without markup.
use super::{Block, Document, Format, FrontMatter, Kind};
use crate::text::Source;

pub(super) fn read(source: &Source) -> Document {
    let text = source.text();
    let mut at = 0;
    let mut blocks = Vec::new();
    for line in text.as_str().split_inclusive('\n') {
        let piece = text.slice(at..at + line.len()).trim();
        if !piece.is_empty() {
            blocks.push(Block { kind: Kind::Paragraph, span: piece.whole(), text: piece, marks: vec![], quote: 0, lang: None, gap: true });
        }
        at += line.len();
    }
    Document { format: Format::Plain, front_matter: FrontMatter::default(), blocks, lang: None, title: None, diagnostics: vec![] }
}
