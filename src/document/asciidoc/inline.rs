//! What stands in lines of AsciiDoc: emphasis, macros, links, attributes.

use super::super::Mark;
use super::super::markup::inline::{Found, Inline, Look, Shows, found, is_wordy};

/// The signs of the markup.
#[derive(Clone, Copy)]
pub(super) struct Adoc;

impl Inline for Adoc {
    fn opens(&self, byte: u8) -> bool {
        matches!(byte, b'*' | b'_' | b'`' | b'#' | b'+' | b'[' | b'{' | b'<' | b'&' | b'\\' | b'(' | b':' | b' ' | b'"' | b'\'')
            || byte.is_ascii_lowercase()
    }

    fn at(&self, look: Look) -> Option<Found> {
        let rest = look.rest();
        let byte = rest.as_bytes()[0];
        if byte.is_ascii_lowercase() {
            return if look.before().is_some_and(is_wordy) { None } else { command(look, rest) };
        }
        let pair = |single: &str, double: &str, mark: Mark| {
            if rest.starts_with(double) {
                let (inner, end) = look.doubled(double)?;
                return found(end, Shows::Marked(mark, inner));
            }
            let (inner, end) = look.paired(single)?;
            found(end, Shows::Marked(mark, inner))
        };
        match byte {
            b'*' => pair("*", "**", Mark::Strong),
            b'_' => pair("_", "__", Mark::Emphasis),
            b'`' => {
                let (inner, end) = if rest.starts_with("``") { look.doubled("``") } else { look.paired("`") }?;
                let said = &look.text[inner.clone()];
                let inner =
                    if said.len() > 2 && said.starts_with('+') && said.ends_with('+') { inner.start + 1..inner.end - 1 } else { inner };
                found(end, Shows::Exact(Mark::Code, inner))
            }
            b'#' => {
                let (inner, end) = if rest.starts_with("##") { look.doubled("##") } else { look.paired("#") }?;
                found(end, Shows::Inner(inner))
            }
            b'+' => {
                let sign = if rest.starts_with("+++") { "+++" } else { "+" };
                let (inner, end) = if sign == "+" { look.paired(sign) } else { look.between(sign, sign) }?;
                found(end, Shows::Plain(inner))
            }
            // a plus sign at the end of a line breaks it
            b' ' if rest.starts_with(" +\n") || rest.starts_with(" +\r\n") => {
                let gap = rest[2..].len() - rest[2..].trim_start().len();
                found(look.at + 2 + gap, Shows::Break)
            }
            b'[' if rest.starts_with("[[") => {
                let (inner, end) = look.between("[[", "]]")?;
                let said = &look.text[inner];
                (!said.contains(char::is_whitespace)).then_some(Found { end, shows: Shows::Nothing })
            }
            b'[' => role(look, rest),
            b'{' => {
                let (inner, end) = look.between("{", "}")?;
                let name = look.text[inner].to_lowercase();
                // other names stay as they are written
                let said = match name.as_str() {
                    "nbsp" | "sp" => " ",
                    "zwsp" | "empty" => return found(end, Shows::Nothing),
                    "plus" => "+",
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    _ => return None,
                };
                found(end, Shows::Sign(said))
            }
            b'<' if rest.starts_with("<<") => {
                let (inner, end) = look.between("<<", ">>")?;
                let said = &look.text[inner.clone()];
                let shown = said.find(',').map_or(inner.clone(), |n| inner.start + n + 1..inner.end);
                found(end, Shows::Marked(Mark::Link(format!("#{}", said.split(',').next().unwrap_or(""))), shown))
            }
            b'<' => look.tag(),
            b'&' => look.entity(),
            b'\\' => {
                let next = rest[1..].chars().next().filter(|c| matches!(c, '*' | '_' | '`' | '#' | '{' | '[' | '<' | '+'))?;
                found(look.at + 2, Shows::Plain(look.at + 1..look.at + 1 + next.len_utf8()))
            }
            b'(' if rest.starts_with("((") => {
                // terms for the index: two show, three do not
                if let Some((_, end)) = look.between("(((", ")))") {
                    return found(end, Shows::Nothing);
                }
                let (inner, end) = look.between("((", "))")?;
                found(end, Shows::Inner(inner))
            }
            // quotes drawn with backquotes
            b'"' if rest.starts_with("\"`") => {
                let (inner, end) = look.between("\"`", "`\"")?;
                found(end, Shows::Inner(inner))
            }
            _ => None,
        }
    }
}

/// `[.line-through]#text#`.
fn role(look: Look, rest: &str) -> Option<Found> {
    let close = rest.find(']').filter(|n| *n < 80)?;
    let name = &rest[1..close];
    if !name.starts_with(['.', '#']) && !name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-') {
        return None;
    }
    let inner = Look { at: look.at + close + 1, begin: look.at + close + 1, ..look };
    let (range, end) = if rest[close + 1..].starts_with("##") { inner.doubled("##") } else { inner.paired("#") }?;
    if name.contains("line-through") || name.contains("strike") {
        return found(end, Shows::Marked(Mark::Struck, range));
    }
    found(end, Shows::Inner(range))
}

/// Macros: `link:x[text]`, `https://x[text]`, `footnote:[text]`, `image:x[alt]`.
fn command(look: Look, rest: &str) -> Option<Found> {
    let name = rest.split(':').next().filter(|n| n.len() <= 10 && n.len() < rest.len())?;
    let known = matches!(
        name,
        "link"
            | "xref"
            | "mailto"
            | "image"
            | "icon"
            | "footnote"
            | "kbd"
            | "btn"
            | "menu"
            | "pass"
            | "http"
            | "https"
            | "ftp"
            | "irc"
            | "anchor"
            | "indexterm"
            | "stem"
    );
    if !known {
        return None;
    }
    let is_address = matches!(name, "http" | "https" | "ftp" | "irc");
    if is_address && !rest[name.len()..].starts_with("://") {
        return None;
    }
    let target = rest.find(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '<' | '>'))?;
    if !rest[target..].starts_with('[') {
        return if is_address { look.address().and_then(|end| found(end, Shows::Plain(look.at..end))) } else { None };
    }
    let close = rest[target..].find(']').map(|n| target + n)?;
    let end = look.at + close + 1;
    let shown = look.at + target + 1..look.at + close;
    let url = if is_address { &rest[..target] } else { &rest[name.len() + 1..target] };
    let label = &look.text[shown.clone()];
    match name {
        "image" | "icon" => {
            let first = label.split(',').next().unwrap_or("");
            if first.trim().is_empty() || first.contains('=') || name == "icon" {
                return found(end, Shows::Nothing);
            }
            found(end, Shows::Exact(Mark::Image, shown.start..shown.start + first.len()))
        }
        "footnote" | "anchor" | "indexterm" => found(end, Shows::Nothing),
        "kbd" | "btn" | "menu" | "pass" | "stem" => found(end, Shows::Plain(shown)),
        _ if label.trim().is_empty() => {
            let from = if is_address { look.at } else { look.at + name.len() + 1 };
            found(end, Shows::Exact(Mark::Link(url.to_owned()), from..look.at + target))
        }
        _ => {
            // attributes may stand behind the text
            let text = label.find([',', '^']).filter(|n| label[*n..].starts_with('^') || label[*n..].contains('=')).unwrap_or(label.len());
            found(end, Shows::Marked(Mark::Link(url.to_owned()), shown.start..shown.start + text))
        }
    }
}

/// A description on the line of its term: the two colons show as one.
pub(super) struct Termed {
    pub at: usize,
    pub end: usize,
}

impl Inline for Termed {
    fn opens(&self, byte: u8) -> bool {
        matches!(byte, b':' | b';') || Adoc.opens(byte)
    }

    fn at(&self, look: Look) -> Option<Found> {
        if look.at == self.at {
            return found(self.end, Shows::Made(":".into()));
        }
        Adoc.at(look)
    }
}
