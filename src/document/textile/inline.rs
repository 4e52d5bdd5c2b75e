//! What stands in lines of Textile and Jira's markup.

use super::super::Mark;
use super::super::markup::inline::{Found, Inline, Look, Shows, found, is_wordy};
use super::Dialect;

/// The signs of a dialect.
#[derive(Clone, Copy)]
pub(super) struct Signs {
    pub dialect: Dialect,
}

impl Inline for Signs {
    fn opens(&self, byte: u8) -> bool {
        matches!(
            byte,
            b'*' | b'_'
                | b'-'
                | b'+'
                | b'@'
                | b'"'
                | b'!'
                | b'%'
                | b'?'
                | b'^'
                | b'~'
                | b'['
                | b'{'
                | b'='
                | b'<'
                | b'&'
                | b'\\'
                | b'('
                | b'h'
        ) || byte.is_ascii_uppercase()
    }

    fn at(&self, look: Look) -> Option<Found> {
        let rest = look.rest();
        let jira = self.dialect == Dialect::Jira;
        let byte = rest.as_bytes()[0];
        let marked = |sign: &str, mark: Mark| {
            let (inner, end) = look.paired(sign)?;
            // emphasis keeps to its line
            (!look.text[inner.clone()].contains('\n')).then_some(Found { end, shows: Shows::Marked(mark, inner) })
        };
        let plain = |sign: &str| {
            let (inner, end) = look.paired(sign)?;
            (!look.text[inner.clone()].contains('\n')).then_some(Found { end, shows: Shows::Inner(inner) })
        };
        match byte {
            b'*' if rest.starts_with("**") && !jira => marked("**", Mark::Strong),
            b'*' => marked("*", Mark::Strong),
            b'_' if rest.starts_with("__") && !jira => marked("__", Mark::Emphasis),
            b'_' => marked("_", Mark::Emphasis),
            b'-' => {
                // a dash between blanks is one, and so is a hyphen of a word or an option
                let (inner, end) = look.paired("-")?;
                let said = &look.text[inner.clone()];
                let fits = !said.contains('\n') && !said.starts_with('-') && (said.contains(' ') || said.len() > 1) && !said.contains(" -");
                (fits && look.before().is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '|' | '*' | '_')))
                    .then_some(Found { end, shows: Shows::Marked(Mark::Struck, inner) })
            }
            b'+' => plain("+"),
            b'^' => plain("^"),
            b'~' => plain("~"),
            b'@' if !jira => {
                let (inner, end) = look.paired("@")?;
                (!look.text[inner.clone()].contains('\n')).then_some(Found { end, shows: Shows::Exact(Mark::Code, inner) })
            }
            b'%' if !jira => {
                let (inner, end) = look.paired("%")?;
                let said = &look.text[inner.clone()];
                // a style may stand before the text
                let style = ['{', '(', '[']
                    .iter()
                    .zip(['}', ')', ']'])
                    .find(|(open, _)| said.starts_with(**open))
                    .and_then(|(_, c)| said.find(c))
                    .map_or(0, |n| n + 1);
                found(end, Shows::Inner(inner.start + style..inner.end))
            }
            b'?' if rest.starts_with("??") => marked("??", Mark::Emphasis),
            b'"' if !jira => link(look),
            b'!' => image(look, jira),
            b'=' if rest.starts_with("==") && !jira => {
                let (inner, end) = look.between("==", "==")?;
                found(end, Shows::Plain(inner))
            }
            b'[' if jira => bracket(look),
            b'[' => {
                let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                (digits > 0 && digits < 4 && rest[1 + digits..].starts_with(']') && look.before().is_some_and(|c| !c.is_whitespace()))
                    .then(|| Found { end: look.at + digits + 2, shows: Shows::Nothing })
            }
            b'{' if jira => super::macros::inline(look),
            b'\\' if jira => {
                if rest.starts_with("\\\\") && (rest.len() == 2 || rest[2..].starts_with(char::is_whitespace)) {
                    return found(look.at + 2, Shows::Break);
                }
                let next = rest[1..].chars().next().filter(char::is_ascii_punctuation)?;
                found(look.at + 1 + next.len_utf8(), Shows::Plain(look.at + 1..look.at + 1 + next.len_utf8()))
            }
            b'<' => {
                if let Some((inner, end)) = look.between("<notextile>", "</notextile>") {
                    return found(end, Shows::Plain(inner));
                }
                look.tag()
            }
            b'&' => look.entity(),
            b'(' if jira => {
                // drawn faces and ticks
                let sign =
                    ["(/)", "(x)", "(!)", "(?)", "(i)", "(on)", "(off)", "(*)", "(y)", "(n)"].into_iter().find(|s| rest.starts_with(s))?;
                let said = match sign {
                    "(/)" => "✅",
                    "(x)" => "❌",
                    "(!)" => "⚠",
                    _ => return None,
                };
                (!look.before().is_some_and(is_wordy)).then(|| Found { end: look.at + 3, shows: Shows::Sign(said) })
            }
            b'h' => look.address().and_then(|end| found(end, Shows::Plain(look.at..end))),
            b if b.is_ascii_uppercase() && !jira => {
                // `CDN(content delivery network)`: what it means stands behind it
                if look.before().is_some_and(is_wordy) {
                    return None;
                }
                let len = rest.bytes().take_while(u8::is_ascii_uppercase).count();
                let open = rest[len..].strip_prefix('(').filter(|_| len >= 2)?;
                let close = open.find(')')?;
                found(look.at + len + close + 2, Shows::Plain(look.at..look.at + len))
            }
            _ => None,
        }
    }
}

/// `"text(title)":https://x`.
fn link(look: Look) -> Option<Found> {
    let rest = look.rest();
    let n = rest[1..].find("\":")? + 1;
    let said = &rest[1..n];
    if said.is_empty() || said.contains(['\n', '"']) || look.before().is_some_and(is_wordy) {
        return None;
    }
    let from = n + 2;
    let url = rest[from..].split(|c: char| c.is_whitespace() || matches!(c, '|' | ']' | '"' | '<')).next().unwrap_or("");
    let url = url.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '*', '_']);
    if url.is_empty() {
        return None;
    }
    if said == "$" {
        // stands for the address itself
        let shown = look.at + from..look.at + from + url.len();
        return found(shown.end, Shows::Exact(Mark::Link(url.to_owned()), shown));
    }
    let shown = if said.ends_with(')') { said.rfind('(').filter(|k| *k > 0).unwrap_or(said.len()) } else { said.len() };
    found(look.at + from + url.len(), Shows::Marked(Mark::Link(url.to_owned()), look.at + 1..look.at + 1 + shown))
}

/// `!image.png(what it shows)!`, `!image.png|width=3!`.
fn image(look: Look, jira: bool) -> Option<Found> {
    let (inner, end) = look.paired("!")?;
    let said = &look.text[inner.clone()];
    let name = said.split(['(', '|', ' ']).next().unwrap_or("");
    if !name.contains('.') || said.contains('\n') || name.len() < 4 {
        return None;
    }
    let alt = if jira { None } else { said.find('(').filter(|_| said.ends_with(')')) };
    match alt {
        Some(n) => found(end, Shows::Exact(Mark::Image, inner.start + n + 1..inner.end - 1)),
        None => found(end, Shows::Nothing),
    }
}

/// `[text|https://x]`, `[https://x]`, `[~name]`, `[^file]`.
fn bracket(look: Look) -> Option<Found> {
    let (inner, end) = look.between("[", "]")?;
    let said = &look.text[inner.clone()];
    if said.contains('\n') || said.is_empty() || said.starts_with(' ') {
        return None;
    }
    if said.starts_with('~') || said.starts_with('^') {
        let from = inner.start + if said.starts_with("~accountid:") { 11 } else { 1 };
        return found(end, Shows::Plain(from..inner.end));
    }
    if let Some(n) = said.find('|') {
        let url = said[n + 1..].split('|').next().unwrap_or("");
        return found(end, Shows::Marked(Mark::Link(url.to_owned()), inner.start..inner.start + n));
    }
    let is_address = ["http://", "https://", "mailto:", "#"].iter().any(|s| said.starts_with(s));
    is_address.then(|| Found { end, shows: Shows::Exact(Mark::Link(said.to_owned()), inner) })
}

/// Text whose lines end where they end.
pub(super) struct Broken {
    pub how: Signs,
    /// Where the text of such lines ends, ascending.
    pub breaks: Vec<usize>,
}

impl Inline for Broken {
    fn opens(&self, byte: u8) -> bool {
        matches!(byte, b' ' | b'\t') || self.how.opens(byte)
    }

    fn at(&self, look: Look) -> Option<Found> {
        if matches!(look.text.as_bytes()[look.at], b' ' | b'\t') { None } else { self.how.at(look) }
    }

    fn breaks(&self, at: usize) -> bool {
        self.breaks.binary_search(&at).is_ok()
    }
}

/// A definition: the sign between term and text shows as a colon.
pub(super) struct Defined {
    pub how: Signs,
    pub at: usize,
    pub end: usize,
}

impl Inline for Defined {
    fn opens(&self, byte: u8) -> bool {
        matches!(byte, b' ' | b'-') || self.how.opens(byte)
    }

    fn at(&self, look: Look) -> Option<Found> {
        if look.at == look.begin && look.at < self.at && look.text[look.at..].starts_with("- ") {
            return found(look.at + 2, Shows::Nothing);
        }
        if look.at == self.at {
            return found(self.end, Shows::Made(": ".into()));
        }
        if look.text.as_bytes()[look.at] == b' ' { None } else { self.how.at(look) }
    }
}
