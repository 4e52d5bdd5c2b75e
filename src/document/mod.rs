//! A document's shape: front matter and a flat list of blocks in reading order, each with its text and the bytes it stands on.
//!
//! [`parse`] picks the reader by extension and content. Readers know markup, not words: what looks like a heading without markup (a short line
//! alone, a bold line) is *proposed*, and `facts` decides with the lexicon. Reading never fails; what cannot be read as it seems meant becomes
//! a diagnostic.

mod asciidoc;
mod filler;
mod front_matter;
mod html;
mod ink;
mod markdown;
mod markup;
mod mediawiki;
mod org;
mod paragraph;
mod plain;
#[cfg(test)]
mod robust;
mod rst;
mod shapes;
mod stamps;
mod table;
#[cfg(test)]
mod testing;
mod textile;

use crate::diag::{Diagnostic, Severity};
use crate::text::{Mapped, Source, Span};
use std::ops::Range;

pub use front_matter::{Field, FrontMatter, STATING};

/// The format a file is read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Markdown (CommonMark with tables, task lists, footnotes, front matter and embedded HTML).
    Markdown,
    /// Text without markup.
    Plain,
    /// An HTML page, of which the article is read.
    Html,
    /// reStructuredText, with the directives of site generators.
    Rst,
    /// AsciiDoc.
    AsciiDoc,
    /// The markup of MediaWiki.
    MediaWiki,
    /// Textile.
    Textile,
    /// The markup of Jira and of older Confluence pages.
    Jira,
    /// Org.
    Org,
}

impl Format {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Format::Markdown => "markdown",
            Format::Plain => "plain",
            Format::Html => "html",
            Format::Rst => "restructuredtext",
            Format::AsciiDoc => "asciidoc",
            Format::MediaWiki => "mediawiki",
            Format::Textile => "textile",
            Format::Jira => "jira",
            Format::Org => "org",
        }
    }
}

/// A document as its reader saw it.
#[derive(Clone, Debug)]
pub struct Document {
    /// The format it was read in.
    pub format: Format,
    /// The fields above the text, if any.
    pub front_matter: FrontMatter,
    /// Blocks in reading order.
    pub blocks: Vec<Block>,
    /// Language named by markup (`<html lang>`), where there is one.
    pub lang: Option<String>,
    /// Title named by markup (`<title>`), where there is one.
    pub title: Option<Mapped>,
    /// Findings of the reader.
    pub diagnostics: Vec<Diagnostic>,
}

/// How sure the reader is that a block is a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It may be: a short line alone in plain text.
    Maybe,
    /// It looks so: a line that is bold as a whole, a line in capitals, a line that ends in a colon.
    Likely,
    /// Markup says so.
    Certain,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A heading or a proposal for one; `level` from 1 (proposals: 6 for bold lines and lines without markup).
    Heading {
        /// From 1, the outermost.
        level: u8,
        /// How sure the reader is.
        certainty: Certainty,
    },
    /// A paragraph. In plain text, a run of lines that belong together is one paragraph per line.
    Paragraph,
    /// A list item's own text (nested items are blocks of their own). `depth` from 0.
    Item {
        /// How deep it is nested, from 0.
        depth: u8,
        /// Whether the list is numbered.
        ordered: bool,
        /// The state of its check box, where it has one.
        check: Option<bool>,
    },
    /// A table row: `table` numbers the tables of the document, `header` is true for head rows.
    Row {
        /// Number of its table in the document, from 0.
        table: usize,
        /// Whether it is a head row.
        header: bool,
        /// Its cells, trimmed.
        cells: Vec<Mapped>,
    },
    /// Preformatted text or code.
    Code,
    /// A footnote's text, a caption, an aside.
    Note,
    /// A thematic break.
    Rule,
    /// Text that tells nothing of what happened: a template's prompt, a placeholder that nobody filled in.
    Filler,
}

/// Inline markup that matters for reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Bold.
    Strong,
    /// Italics.
    Emphasis,
    /// Code in a line.
    Code,
    /// Struck through.
    Struck,
    /// A link and where it leads.
    Link(String),
    /// An image's alternative text.
    Image,
}

/// One block.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// Its text as a reader sees it (markup removed, entities and escapes resolved, soft breaks as a space, hard breaks as `\n`); for a row the
    /// cells joined by ` | `.
    pub text: Mapped,
    /// All bytes of the block, markup included.
    pub span: Span,
    /// Inline markup, by ranges of `text`.
    pub marks: Vec<(Range<usize>, Mark)>,
    /// How many quotes (`>` or `<blockquote>`) it stands in.
    pub quote: u8,
    /// Language named by markup on it or around it.
    pub lang: Option<String>,
    /// True where a blank line (or markup) parts it from the block before.
    pub gap: bool,
}

impl Block {
    /// True where the whole text carries the mark.
    pub fn is_all(&self, wanted: &Mark) -> bool {
        let covered: usize = self.marks.iter().filter(|(_, m)| m == wanted).map(|(r, _)| r.len()).sum();
        !self.text.is_empty() && covered * 10 >= self.text.len() * 9
    }
}

/// Text beyond so many bytes is left out, and said so: ten times the longest postmortem there is. What is longer is a dump that got among them.
const MOST: usize = 1 << 20;

/// Reads a source in the format its name and content suggest.
pub fn parse(source: &Source) -> Document {
    match filler::merged(source) {
        Some((merged, told)) => {
            let mut document = read(&merged);
            document.diagnostics.insert(0, told);
            document
        }
        None => read(source),
    }
}

fn read(source: &Source) -> Document {
    let mut document = match format_of(source) {
        Format::Markdown => markdown::read(source),
        Format::Html => html::read(source),
        Format::Plain => plain::read(source),
        Format::Rst => rst::read(source),
        Format::AsciiDoc => asciidoc::read(source),
        Format::MediaWiki => mediawiki::read(source),
        Format::Textile => textile::read(source, textile::Dialect::Textile),
        Format::Jira => textile::read(source, textile::Dialect::Jira),
        Format::Org => org::read(source),
    };
    filler::mark(&mut document);
    shorten(&mut document, MOST);
    document
}

/// Keeps no more than the first `most` bytes of text.
fn shorten(document: &mut Document, most: usize) {
    let mut before = 0;
    let crosses = |b: &Block| {
        before += b.text.len();
        before > most
    };
    let Some(n) = document.blocks.iter().position(crosses) else { return };
    let before: usize = document.blocks[..n].iter().map(|b| b.text.len()).sum();
    let (first, last) = (document.blocks[n].span, document.blocks.last().map_or(document.blocks[n].span, |b| b.span));
    document.blocks.truncate(n + 1);
    let block = &mut document.blocks[n];
    let end = (0..4).map(|back| (most - before).saturating_sub(back)).find(|&at| block.text.as_str().is_char_boundary(at)).unwrap_or(0);
    let mut from = first.start;
    if end == 0 || matches!(block.kind, Kind::Row { .. }) {
        document.blocks.truncate(n);
    } else {
        block.text = block.text.slice(0..end);
        block.marks.retain(|(r, _)| r.end <= end);
        block.span.end = block.text.span(0..end).end;
        from = block.span.end;
    }
    document.diagnostics.push(Diagnostic {
        severity: Severity::Error,
        ..Diagnostic::warning(
            "too-long",
            format!("The text is longer than {} MB; the rest was left out.", most >> 20),
            vec![Span::new(from, last.end.max(from))],
        )
        .hint("Keep dumps and logs in files of their own and link to them.")
    });
}

/// Extensions of the lightweight markups.
const MARKUPS: [(&str, Format); 13] = [
    (".rst", Format::Rst),
    (".rest", Format::Rst),
    (".adoc", Format::AsciiDoc),
    (".asciidoc", Format::AsciiDoc),
    (".asc", Format::AsciiDoc),
    (".mediawiki", Format::MediaWiki),
    (".wiki", Format::MediaWiki),
    (".mw", Format::MediaWiki),
    (".textile", Format::Textile),
    (".redmine", Format::Textile),
    (".jira", Format::Jira),
    (".confluence", Format::Jira),
    (".org", Format::Org),
];

/// Points (see [`markup::detect`]) that a markup needs where the name tells nothing, and where the text is, or is called, Markdown.
const SURE: u32 = 3;
const SURER: u32 = 5;

/// The format of a source: by extension (site generators' double extensions included), where the content does not plainly say otherwise; else by content.
pub fn format_of(source: &Source) -> Format {
    let path = source.path().to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    let has = |ext: &str| name.ends_with(ext) || name.contains(&format!("{ext}."));
    let text = source.text().as_str();
    let is_markdown = [".md", ".markdown", ".mdx", ".mkd", ".mdown"].iter().any(|e| has(e));
    if !is_markdown && ([".html", ".htm", ".xhtml", ".wml"].iter().any(|e| has(e)) || is_page(text)) {
        return Format::Html;
    }
    let named = MARKUPS.iter().find(|(e, _)| name.ends_with(e)).map(|(_, f)| *f).filter(|_| !is_markdown);
    let seen = markup::detect::detect(text);
    let looks = markdown::looks_like(text);
    if let Some(format) = named {
        return match seen {
            // a page that was moved to another wiki keeps its name
            Some((other, points)) if points >= SURER && markup::detect::points(text, format) == 0 => other,
            Some(_) => format,
            None if looks => Format::Markdown,
            // a name may end like an extension (`status.example.org`)
            None if format == Format::Org
                && name.matches('.').count() > 1
                && !text.lines().any(|l| l.starts_with("* ") || l.starts_with("#+")) =>
            {
                Format::Plain
            }
            None => format,
        };
    }
    match seen {
        Some((format, points))
            if points
                >= if looks {
                    SURER
                } else if is_markdown {
                    SURE + 1
                } else {
                    SURE
                } =>
        {
            format
        }
        _ if is_markdown || looks => Format::Markdown,
        _ => Format::Plain,
    }
}

/// True for a text that begins as a page of HTML does, comments and XML declaration aside. Tags further down are debris, or quoted.
fn is_page(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let close = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?xml") {
            "?>"
        } else {
            break;
        };
        match rest.find(close) {
            Some(n) => rest = rest[n + close.len()..].trim_start(),
            None => return false,
        }
    }
    let begins = |tag: &str| {
        rest.get(..tag.len()).is_some_and(|h| h.eq_ignore_ascii_case(tag)) && rest[tag.len()..].starts_with([' ', '>', '\n', '\r', '\t'])
    };
    begins("<!doctype html") || begins("<html") || rest.starts_with("<ac:")
}

#[cfg(test)]
mod tests {
    use super::testing::read;
    use super::*;

    #[test]
    fn a_dump_is_cut_and_the_cut_is_told() {
        let line = "障害の記録 and more of it. ";
        for (name, between) in [("a.md", " "), ("a.txt", "\n\n"), ("a.html", "<p>")] {
            let text = format!("{line}{between}").repeat(MOST / line.len() + 2000);
            let (document, source) = read(name, &text);
            let size: usize = document.blocks.iter().map(|b| b.text.len()).sum();
            assert!(size <= MOST && size > MOST - 100, "{name}: {size}");
            let told: Vec<_> = document.diagnostics.iter().filter(|d| d.code == "too-long").collect();
            assert_eq!((told.len(), told[0].severity), (1, Severity::Error), "{name}");
            let cut = document.blocks.last().unwrap().span.end;
            assert!(
                told[0].spans[0].start >= cut && told[0].spans[0].end <= text.len() && !source.slice(told[0].spans[0]).is_empty(),
                "{name}"
            );
        }
        let (mut short, _) = read("a.md", "# Title\n\nOne *two* three.\n");
        shorten(&mut short, 13);
        assert_eq!((short.blocks.len(), short.blocks[1].text.as_str(), short.blocks[1].marks.len()), (2, "One two ", 1));
    }
}
