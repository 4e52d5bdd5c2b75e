//! A walk over the inline markup of a block: text goes to the ink, signs are taken for what a format says they are.

use super::super::ink::Ink;
use super::super::shapes::is_cjk;
use super::super::{Mark, html};
use std::ops::Range;

/// Markup in lines is not looked for further than this, in bytes.
pub(in super::super) const REACH: usize = 2000;
/// Marks are not read deeper than this.
const DEEPEST: usize = 12;

/// What a piece of markup shows.
pub(in super::super) enum Shows {
    Nothing,
    /// The text at a range, read on for markup.
    Inner(Range<usize>),
    /// The same, with a mark.
    Marked(Mark, Range<usize>),
    /// The text at a range as it stands.
    Plain(Range<usize>),
    /// The same, with a mark.
    Exact(Mark, Range<usize>),
    /// The text at several ranges, a space between them.
    Pieces(Vec<Range<usize>>),
    /// Text that stands for the markup, whose letters it has.
    Made(String),
    /// Text that stands for the markup; it is shown at its first byte, as its letters are others.
    Sign(&'static str),
    /// A line break.
    Break,
    /// Marks open, or close where they are open.
    Toggle(&'static [Mark]),
    /// A mark opens.
    Open(Mark),
    /// A mark closes.
    Close(Mark),
}

/// Markup that was recognised: where it ends, and what it shows.
pub(in super::super) struct Found {
    pub end: usize,
    pub shows: Shows,
}

/// Found markup.
pub(in super::super) fn found(end: usize, shows: Shows) -> Option<Found> {
    Some(Found { end, shows })
}

/// The stretch of text that is looked at.
#[derive(Clone, Copy)]
pub(in super::super) struct Look<'t> {
    pub text: &'t str,
    /// Where the markup may begin.
    pub at: usize,
    /// Where the block begins.
    pub begin: usize,
    /// Where the block ends.
    pub end: usize,
}

impl<'t> Look<'t> {
    /// What stands at and after the place, no further than markup is looked for.
    pub fn rest(&self) -> &'t str {
        let mut limit = (self.at + REACH).min(self.end);
        while !self.text.is_char_boundary(limit) {
            limit -= 1;
        }
        &self.text[self.at..limit]
    }

    /// The character before the place, if it is in the block.
    pub fn before(&self) -> Option<char> {
        self.text[self.begin..self.at].chars().next_back()
    }

    /// The inner range of `open … close` that begins here; and where it ends.
    pub fn between(&self, open: &str, close: &str) -> Option<(Range<usize>, usize)> {
        let inner = self.rest().strip_prefix(open)?;
        let n = inner.find(close)?;
        let start = self.at + open.len();
        Some((start..start + n, start + n + close.len()))
    }

    /// The inner range of text between two signs that stand at the edges of words, as emphasis does: `*so*`, not `2*3*4`.
    pub fn paired(&self, sign: &str) -> Option<(Range<usize>, usize)> {
        let rest = self.rest();
        let inner = rest.strip_prefix(sign)?;
        if self.before().is_some_and(|c| !opens_after(c)) || inner.starts_with(|c: char| c.is_whitespace()) || inner.starts_with(sign) {
            return None;
        }
        let mut from = 0;
        while let Some(n) = inner[from..].find(sign).map(|n| from + n) {
            let body = &inner[..n];
            let after = inner[n + sign.len()..].chars().next();
            let fits = !body.is_empty() && !body.ends_with(|c: char| c.is_whitespace()) && after.is_none_or(|c| !is_wordy(c));
            if fits && !after.is_some_and(|c| sign.starts_with(c)) {
                let start = self.at + sign.len();
                return Some((start..start + n, start + n + sign.len()));
            }
            from = n + sign.len();
        }
        None
    }

    /// The same for signs that also stand within words: `**so**me`.
    pub fn doubled(&self, sign: &str) -> Option<(Range<usize>, usize)> {
        let (inner, end) = self.between(sign, sign)?;
        let said = &self.text[inner.clone()];
        let fits = !said.trim().is_empty() && !said.starts_with(char::is_whitespace) && !said.contains("\n\n");
        fits.then_some((inner, end))
    }

    /// A character reference.
    pub fn entity(&self) -> Option<Found> {
        let (said, len) = html::reference(self.rest())?;
        found(self.at + len, Shows::Made(said))
    }

    /// An HTML tag or comment: it shows nothing but what it does to the text around it. Names that HTML does not know are text.
    pub fn tag(&self) -> Option<Found> {
        let rest = self.rest();
        if rest.starts_with("<!--") {
            return found(self.at + rest.find("-->")? + 3, Shows::Nothing);
        }
        if !rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            return None;
        }
        let len = rest.find('>')? + 1;
        let tag = html::tag(&rest[..len])?;
        if !html::is_element(&tag.name) {
            return None;
        }
        let end = self.at + len;
        if html::is_mute(&tag.name) && !tag.end && !tag.self_closing {
            let close = format!("</{}>", tag.name);
            return rest.find(&close).and_then(|n| found(self.at + n + close.len(), Shows::Nothing)).or_else(|| found(end, Shows::Nothing));
        }
        match (tag.name.as_str(), html::mark(&tag.name, tag.href)) {
            ("br", _) => found(end, Shows::Break),
            (_, Some(mark)) => found(end, if tag.end { Shows::Close(mark) } else { Shows::Open(mark) }),
            _ => found(end, Shows::Nothing),
        }
    }

    /// An address as it stands, up to white space or a sign that closes what is around it.
    pub fn address(&self) -> Option<usize> {
        let rest = self.rest();
        let scheme = ["https://", "http://", "ftp://", "mailto:"].into_iter().find(|s| rest.starts_with(s))?;
        if self.before().is_some_and(is_wordy) {
            return None;
        }
        let len =
            rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '[' | ']' | '|' | '{' | '}')).unwrap_or(rest.len());
        let said = rest[..len].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'', '*', '_']);
        (said.len() > scheme.len()).then_some(self.at + said.len())
    }
}

/// True for characters that words are made of (scripts without spaces part words anywhere).
pub(in super::super) fn is_wordy(c: char) -> bool {
    c.is_alphanumeric() && !is_cjk(c)
}

/// True for what may stand before emphasis.
fn opens_after(c: char) -> bool {
    c.is_whitespace()
        || is_cjk(c)
        || matches!(
            c,
            '(' | '[' | '{' | '"' | '\'' | '“' | '‘' | '«' | '„' | '-' | '–' | '—' | '|' | '>' | '*' | '_' | '~' | '+' | '¿' | '¡' | '…'
        )
}

/// What signs mean in a format.
pub(in super::super) trait Inline {
    /// True for bytes at which markup may begin.
    fn opens(&self, byte: u8) -> bool;
    /// The markup at a place.
    fn at(&self, look: Look) -> Option<Found>;

    /// True where the line that ends at a place is meant to end there.
    fn breaks(&self, _: usize) -> bool {
        false
    }
}

/// Writes a range of `text` to the ink.
pub(in super::super) fn write(ink: &mut Ink, text: &str, range: Range<usize>, how: &dyn Inline) {
    let mut open = Vec::new();
    walk(ink, text, range, how, &mut open, 0);
    for mark in open.iter().rev() {
        ink.close(mark);
    }
}

fn walk(ink: &mut Ink, text: &str, range: Range<usize>, how: &dyn Inline, open: &mut Vec<Mark>, depth: usize) {
    let bytes = text.as_bytes();
    let (mut from, mut at) = (range.start, range.start);
    while at < range.end {
        let byte = bytes[at];
        if matches!(byte, b'\n' | b'\r') {
            let blank = |b: &&u8| b.is_ascii_whitespace();
            let start = at - bytes[from..at].iter().rev().take_while(blank).count();
            let end = at + bytes[at..range.end].iter().take_while(blank).count();
            ink.prose(from..start);
            if how.breaks(start) {
                ink.hard(start..end)
            } else {
                ink.soft(start..end)
            }
            (from, at) = (end, end);
            continue;
        }
        if depth < DEEPEST
            && how.opens(byte)
            && let Some(f) = how.at(Look { text, at, begin: range.start, end: range.end })
            && f.end > at
            && f.end <= range.end
            && text.is_char_boundary(f.end)
        {
            ink.prose(from..at);
            let whole = at..f.end;
            show(ink, text, whole, f.shows, how, open, depth);
            (from, at) = (f.end, f.end);
            continue;
        }
        at += 1;
        while at < range.end && bytes[at] & 0xC0 == 0x80 {
            at += 1;
        }
    }
    ink.prose(from..range.end);
}

fn show(ink: &mut Ink, text: &str, whole: Range<usize>, shows: Shows, how: &dyn Inline, open: &mut Vec<Mark>, depth: usize) {
    match shows {
        Shows::Nothing => {}
        Shows::Inner(r) => walk(ink, text, r, how, open, depth + 1),
        Shows::Marked(mark, r) => {
            ink.open(mark.clone());
            walk(ink, text, r, how, open, depth + 1);
            ink.close(&mark);
        }
        Shows::Plain(r) => ink.prose(r),
        Shows::Exact(mark, r) => {
            ink.open(mark.clone());
            ink.prose(r);
            ink.close(&mark);
        }
        Shows::Pieces(pieces) => {
            let mut before: Option<usize> = None;
            for piece in pieces {
                if let Some(end) = before {
                    ink.space(end..end + usize::from(end < piece.start));
                }
                before = Some(piece.end);
                ink.prose(piece);
            }
        }
        Shows::Made(said) => ink.made(&said, whole),
        Shows::Sign(said) => ink.made(said, whole.start..whole.start + 1),
        // letters of the markup are none of the text
        Shows::Break => ink.hard(whole.start..whole.start + 1),
        Shows::Toggle(marks) => {
            for mark in marks {
                match open.iter().rposition(|m| m == mark) {
                    Some(n) => {
                        open.remove(n);
                        ink.close(mark);
                    }
                    None => {
                        open.push(mark.clone());
                        ink.open(mark.clone());
                    }
                }
            }
        }
        Shows::Open(mark) => ink.open(mark),
        Shows::Close(mark) => ink.close(&mark),
    }
}
