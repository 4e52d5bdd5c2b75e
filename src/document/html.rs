//! The HTML reader: a tokeniser that tells byte positions, and the little of HTML's tree that reading an article needs.
//!
//! Text is taken from between the tags of the file itself, so that every character is known with its bytes.

mod choose;
mod elements;
mod entities;
pub(super) mod rows;
#[cfg(test)]
mod tests;
mod tree;

use super::{Block, Document, Format, front_matter};
use crate::text::{Mapped, Source};
use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};
use std::collections::BTreeSet;
use tree::Tree;

pub(super) use elements::{is_element, is_mute, mark};
pub(super) use entities::reference;

/// Begins text in which signs are signs, up to `]]>`.
const RAW: &str = "<![CDATA[";

pub(super) fn read(source: &Source) -> Document {
    let head = front_matter::read(source);
    let mut tree = Tree::new(source.text(), 0, 0, 0, false);
    feed(&mut tree, &source.text().as_str()[head.body..], head.body);
    let page = tree.finish();
    let title = page.title.map(|t| t.trim()).filter(|t| !t.is_empty());
    let blocks = choose::choose(page.blocks, &page.places, title.as_ref().map(Mapped::as_str));
    Document { format: Format::Html, front_matter: head.front_matter, blocks, lang: page.lang, title, diagnostics: head.diagnostics }
}

/// Blocks of HTML that stands at `base` of the decoded text `of` within another format, `depth` lists deep. `tables` counts the document's tables.
pub(super) fn fragment(of: &Mapped, html: &str, base: usize, quote: u8, depth: u8, tables: &mut usize) -> Vec<Block> {
    let mut tree = Tree::new(of, quote, depth, *tables, true);
    feed(&mut tree, html, base);
    let page = tree.finish();
    *tables = page.tables;
    page.blocks
}

/// Walks the tokens of `html`, which stands at `base` of the decoded text.
fn feed(tree: &mut Tree, html: &str, base: usize) {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    // where the last tag ended, and how far the tokeniser has told of text
    let (mut at, mut told) = (0, 0);
    // where text ends that is told to hold no tags, and whether an end of such text may still come
    let (mut raw, mut ends) = (0, true);
    let clip = |n: usize| floor(html, n);
    for token in Tokenizer::new_with_emitter(html, emitter).flatten() {
        let (span, tag) = match token {
            Token::StartTag(tag) => (tag.span, Some(Ok(tag))),
            Token::EndTag(tag) => (tag.span, Some(Err(tag))),
            Token::Comment(c) => (c.span, None),
            Token::Doctype(d) => (d.span, None),
            Token::String(s) => {
                told = clip(s.span.end).max(told);
                continue;
            }
            Token::Error(_) => continue,
        };
        if span.start < raw {
            continue;
        }
        if tag.is_none() && ends && html[clip(span.start)..].starts_with(RAW) {
            let start = clip(span.start).max(at);
            // where one has no end, none after it has
            let len = html[start..].find("]]>");
            ends = len.is_some();
            if let Some(len) = len {
                tree.text(&html[at..start], base + at);
                tree.text(html.get(start + RAW.len()..start + len).unwrap_or(""), base + start + RAW.len());
                (at, raw) = (start + len + 3, start + len + 3);
                continue;
            }
        }
        let (start, end) = (clip(span.start).max(at), clip(span.end).max(at));
        tree.text(&html[at..start], base + at);
        match tag {
            Some(Ok(tag)) => tree.open(&tag, base + start..base + end),
            Some(Err(tag)) => tree.close(&String::from_utf8_lossy(&tag.name), base + start..base + end),
            None => {}
        }
        at = end;
    }
    if told > at {
        tree.text(&html[at..told], base + at);
        at = told;
    }
    tree.end(base + at);
}

fn floor(text: &str, n: usize) -> usize {
    let mut n = n.min(text.len());
    while !text.is_char_boundary(n) {
        n -= 1;
    }
    n
}

/// The value of an attribute.
fn attribute(tag: &StartTag<usize>, name: &str) -> Option<String> {
    tag.attributes.get(name.as_bytes()).map(|v| String::from_utf8_lossy(v).into_owned())
}

/// One tag by itself, as it stands in a line of Markdown.
pub(super) struct Tag {
    /// In lower case.
    pub name: String,
    pub end: bool,
    pub self_closing: bool,
    pub has_attributes: bool,
    pub href: Option<String>,
    pub alt: Option<String>,
}

/// Reads the tag that `text` is; `None` for comments and the like.
pub(super) fn tag(text: &str) -> Option<Tag> {
    let emitter = DefaultEmitter::<usize>::new_with_span();
    Tokenizer::new_with_emitter(text, emitter).flatten().find_map(|token| match token {
        Token::StartTag(t) => Some(Tag {
            name: String::from_utf8_lossy(&t.name).into_owned(),
            end: false,
            self_closing: t.self_closing,
            has_attributes: !t.attributes.is_empty(),
            href: attribute(&t, "href"),
            alt: attribute(&t, "alt"),
        }),
        Token::EndTag(t) => Some(Tag {
            name: String::from_utf8_lossy(&t.name).into_owned(),
            end: true,
            self_closing: false,
            has_attributes: false,
            href: None,
            alt: None,
        }),
        _ => None,
    })
}

/// The names of all end tags of a text, in lower case.
pub(super) fn closed_tags(text: &str) -> BTreeSet<String> {
    let name =
        |rest: &str| rest.chars().take(40).take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect::<String>().to_ascii_lowercase();
    text.match_indices("</").map(|(i, _)| name(&text[i + 2..])).filter(|n| !n.is_empty()).collect()
}
