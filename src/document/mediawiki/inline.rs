//! What stands in lines of MediaWiki: apostrophes, links, templates, tags.

use super::super::Mark;
use super::super::markup::inline::{Found, Inline, Look, Shows, found};
use super::template;
use std::ops::Range;

/// The signs of the markup.
pub(super) struct Wiki;

impl Inline for Wiki {
    fn opens(&self, byte: u8) -> bool {
        matches!(byte, b'\'' | b'[' | b'{' | b'<' | b'&' | b'~' | b'_' | b'h')
    }

    fn at(&self, look: Look) -> Option<Found> {
        let rest = look.rest();
        match rest.as_bytes()[0] {
            b'\'' => apostrophes(look, rest),
            b'[' if rest.starts_with("[[") => link(look),
            b'[' => address(look),
            b'{' if rest.starts_with("{{") => mention(look),
            b'<' => tag(look),
            b'&' => look.entity(),
            b'~' if rest.starts_with("~~~") => {
                let n = rest.bytes().take_while(|b| *b == b'~').count();
                found(look.at + n, Shows::Nothing)
            }
            b'_' if rest.starts_with("__") => {
                let len = rest[2..].find("__").filter(|n| (3..30).contains(n))?;
                rest[2..2 + len].chars().all(char::is_uppercase).then(|| Found { end: look.at + len + 4, shows: Shows::Nothing })
            }
            b'h' => look.address().and_then(|end| found(end, Shows::Plain(look.at..end))),
            _ => None,
        }
    }
}

/// A definition on one line: the colon between term and definition shows as one.
pub(super) struct Term {
    /// Where the blank before the colon stands.
    pub colon: usize,
}

impl Inline for Term {
    fn opens(&self, byte: u8) -> bool {
        byte == b' ' || Wiki.opens(byte)
    }

    fn at(&self, look: Look) -> Option<Found> {
        if look.text.as_bytes()[look.at] != b' ' {
            return Wiki.at(look);
        }
        (look.at == self.colon).then(|| Found { end: look.at + 3, shows: Shows::Made(": ".into()) })
    }
}

/// A named parameter of a template: its equals sign shows as a colon.
pub(super) struct Named {
    /// Where the sign stands, with the blanks around it.
    pub equals: Range<usize>,
}

impl Inline for Named {
    fn opens(&self, byte: u8) -> bool {
        matches!(byte, b'=' | b' ' | b'\t') || Wiki.opens(byte)
    }

    fn at(&self, look: Look) -> Option<Found> {
        if look.at == self.equals.start {
            return found(self.equals.end, Shows::Made(": ".into()));
        }
        if matches!(look.text.as_bytes()[look.at], b'=' | b' ' | b'\t') { None } else { Wiki.at(look) }
    }
}

/// Two apostrophes slant, three make bold, five do both.
fn apostrophes(look: Look, rest: &str) -> Option<Found> {
    const SLANTED: &[Mark] = &[Mark::Emphasis];
    const BOLD: &[Mark] = &[Mark::Strong];
    const BOTH: &[Mark] = &[Mark::Strong, Mark::Emphasis];
    let n = rest.bytes().take_while(|b| *b == b'\'').count();
    match n {
        0 | 1 => None,
        2 => found(look.at + 2, Shows::Toggle(SLANTED)),
        3 => found(look.at + 3, Shows::Toggle(BOLD)),
        // the first one is an apostrophe
        4 => found(look.at + 1, Shows::Plain(look.at..look.at + 1)),
        _ => found(look.at + 5, Shows::Toggle(BOTH)),
    }
}

/// `[[Page]]`, `[[Page|text]]`, `[[File:a.png|thumb|caption]]`.
fn link(look: Look) -> Option<Found> {
    let rest = look.rest();
    // captions hold links of their own
    let (mut depth, mut len) = (0usize, None);
    let bytes = rest.as_bytes();
    let mut i = 0;
    while i + 1 < bytes.len() {
        match &bytes[i..i + 2] {
            b"[[" => depth += 1,
            b"]]" => {
                depth -= 1;
                if depth == 0 {
                    len = Some(i);
                    break;
                }
            }
            _ => {
                i += 1;
                continue;
            }
        }
        i += 2;
    }
    let len = len?;
    let end = look.at + len + 2;
    let inner = look.at + 2..look.at + len;
    let said = &look.text[inner.clone()];
    let (page, shown) = match said.rfind('|').filter(|_| said.contains('|')) {
        Some(n) => (&said[..said.find('|').unwrap_or(n)], inner.start + n + 1..inner.end),
        None => (said, inner.clone()),
    };
    let is_file = page.contains(':') && page.rsplit('.').next().is_some_and(|e| (3..=4).contains(&e.len()) && page.len() > e.len() + 3);
    if is_file && !page.starts_with(':') && (said.contains('|') || !page.contains(' ')) {
        // without a caption a picture says nothing
        return if said.contains('|') && shown.len() > 12 {
            found(end, Shows::Marked(Mark::Image, shown))
        } else {
            found(end, Shows::Nothing)
        };
    }
    if !said.contains('|')
        && page.contains(':')
        && !page.starts_with(':')
        && look.text[end..look.end].trim().is_empty()
        && look.at == look.begin
    {
        return found(end, Shows::Nothing);
    }
    let shown = if look.text[shown.clone()].starts_with(':') { shown.start + 1..shown.end } else { shown };
    let url = page.trim_start_matches(':').trim().replace(' ', "_");
    if look.text[shown.clone()].trim().is_empty() {
        return found(end, Shows::Exact(Mark::Link(url), inner.start..inner.start + page.len()));
    }
    found(end, Shows::Marked(Mark::Link(url), shown))
}

/// `[https://example.org text]`.
fn address(look: Look) -> Option<Found> {
    let inner = Look { at: look.at + 1, begin: look.at + 1, ..look };
    let url = inner.rest();
    if !["http://", "https://", "//", "ftp://", "mailto:", "irc://"].iter().any(|s| url.starts_with(s)) {
        return None;
    }
    let close = url.find(']')?;
    let said = &url[..close];
    if said.contains('\n') {
        return None;
    }
    let end = inner.at + close + 1;
    let link = said.split([' ', '\t']).next().unwrap_or(said);
    let mark = Mark::Link(link.to_owned());
    if said[link.len()..].trim().is_empty() {
        return found(end, Shows::Exact(mark, inner.at..inner.at + link.len()));
    }
    found(end, Shows::Marked(mark, inner.at + link.len()..inner.at + close))
}

/// A template in a line shows its parameters without a name; without any, its own name where that is a word (`{{Done}}`).
fn mention(look: Look) -> Option<Found> {
    let end = template::end(look.text, look.at).filter(|e| *e <= look.end)?;
    let parts = template::parts(look.text, look.at..end);
    let plain: Vec<Range<usize>> =
        parts.iter().skip(1).filter(|p| p.name.is_none()).filter_map(|p| template::value(look.text, p)).collect();
    match plain.as_slice() {
        [] => {
            let name = parts.first().and_then(|p| template::value(look.text, p))?;
            let said = &look.text[name.clone()];
            let word = parts.len() == 1 && said.chars().all(|c| c.is_alphabetic() || c == ' ') && said.chars().count() <= 20;
            found(end, if word { Shows::Plain(name) } else { Shows::Nothing })
        }
        [one] => found(end, Shows::Inner(one.clone())),
        [.., last] => {
            // `{{link|target|text}}`: the last one is what is meant to be read
            found(end, Shows::Inner(last.clone()))
        }
    }
}

fn tag(look: Look) -> Option<Found> {
    let rest = look.rest();
    if rest.starts_with("<ref") {
        let open = rest.find('>')?;
        if rest[..open].ends_with('/') {
            return found(look.at + open + 1, Shows::Nothing);
        }
        let close = rest.find("</ref>").map(|n| n + 6)?;
        return found(look.at + close, Shows::Nothing);
    }
    if let Some((inner, end)) = look.between("<nowiki>", "</nowiki>") {
        return found(end, Shows::Plain(inner));
    }
    if let Some((inner, end)) = look.between("<code>", "</code>").or_else(|| look.between("<tt>", "</tt>")) {
        return found(end, Shows::Marked(Mark::Code, inner));
    }
    if let Some(f) = look.tag() {
        return Some(f);
    }
    let len = rest.find('>').filter(|n| *n < 400)?;
    let name: String = rest[1..len].trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
    (super::is_own_element(&name.to_ascii_lowercase())).then(|| Found { end: look.at + len + 1, shows: Shows::Nothing })
}
