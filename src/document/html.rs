//! The HTML reader.
use super::{Document, Format};
use crate::text::Source;

pub(super) fn read(source: &Source) -> Document {
    let mut document = super::plain::read(source);
    document.format = Format::Html;
    document
}
