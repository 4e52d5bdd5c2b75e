//! The Markdown reader.
use super::{Document, Format};
use crate::text::Source;

/// True where a text without a telling extension is written in Markdown.
pub(super) fn looks_like(text: &str) -> bool {
    text.starts_with("---\n")
}

pub(super) fn read(source: &Source) -> Document {
    let mut document = super::plain::read(source);
    document.format = Format::Markdown;
    document
}
