//! What stands in lines of reStructuredText: emphasis, literals, links, roles, substitutions, escapes.

use super::super::Mark;
use super::super::markup::inline::{Found, Inline, Look, Shows, found, is_wordy};
use std::ops::Range;

/// The signs of the markup.
pub(super) struct Rst;

impl Inline for Rst {
    fn opens(&self, byte: u8) -> bool {
        matches!(byte, b'*' | b'`' | b':' | b'|' | b'[' | b'\\' | b'_' | b'h' | b' ')
    }

    fn at(&self, look: Look) -> Option<Found> {
        let rest = look.rest();
        match rest.as_bytes()[0] {
            b'*' if rest.starts_with("**") => {
                let (inner, end) = look.paired("**")?;
                found(end, Shows::Marked(Mark::Strong, inner))
            }
            b'*' => {
                let (inner, end) = look.paired("*")?;
                found(end, Shows::Marked(Mark::Emphasis, inner))
            }
            b'`' if rest.starts_with("``") => {
                let (inner, end) = look.between("``", "``")?;
                (!inner.is_empty()).then_some(Found { end, shows: Shows::Exact(Mark::Code, inner) })
            }
            b'`' => interpreted(look, look.at, None),
            b':' => role(look, rest),
            b'|' => {
                let (inner, end) = look.between("|", "|")?;
                let said = &look.text[inner.clone()];
                let name = !said.is_empty() && said.len() < 60 && !said.starts_with(' ') && !said.ends_with(' ') && !said.contains('\n');
                let tail = look.text[end..look.end].len() - look.text[end..look.end].trim_start_matches('_').len();
                (name && !look.before().is_some_and(is_wordy)).then(|| Found { end: end + tail, shows: Shows::Plain(inner) })
            }
            // a footnote's mark (`[1]_`, `[#name]_`), and the blank before it
            b'[' | b' ' => {
                let mark = rest.strip_prefix(' ').unwrap_or(rest).strip_prefix('[')?;
                let close = mark.find("]_").filter(|n| *n < 60 && !mark[..*n].contains(char::is_whitespace))?;
                found(look.at + rest.len() - mark.len() + close + 2, Shows::Nothing)
            }
            b'\\' => {
                let next = rest[1..].chars().next()?;
                let end = look.at + 1 + next.len_utf8();
                if next == ' ' {
                    return found(end, Shows::Nothing);
                }
                next.is_ascii_punctuation().then(|| Found { end, shows: Shows::Plain(look.at + 1..end) })
            }
            b'_' if rest.starts_with("_`") => {
                let (inner, end) = look.between("_`", "`")?;
                found(end, Shows::Inner(inner))
            }
            // the end of a reference: `name_`
            b'_' => {
                let signs = rest.len() - rest.trim_start_matches('_').len();
                let after = rest[signs..].chars().next();
                let ends = look.before().is_some_and(is_wordy)
                    && signs <= 2
                    && after.is_none_or(|c| !is_wordy(c) && c != '/' && c != '.' || c == '.');
                (ends && word_is_plain(look)).then(|| Found { end: look.at + signs, shows: Shows::Nothing })
            }
            b'h' => look.address().and_then(|end| found(end, Shows::Plain(look.at..end))),
            _ => None,
        }
    }
}

/// True where the word before the place holds nothing but letters, figures and hyphens: `name_` is a reference, `MAX_CONN_` a name.
fn word_is_plain(look: Look) -> bool {
    let word = look.text[look.begin..look.at].rsplit(|c: char| c.is_whitespace()).next().unwrap_or("");
    word.chars().all(|c| c.is_alphanumeric() || c == '-') && !word.is_empty()
}

/// `:role:`text``: what it shows, and with which mark.
fn role(look: Look, rest: &str) -> Option<Found> {
    let name = rest[1..].split(':').next().filter(|n| !n.is_empty() && n.len() < 30)?;
    if !name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'+' | b'.')) {
        return None;
    }
    // a domain may stand before the role: `:py:func:`x``
    let mut len = name.len() + 2;
    if len >= rest.len() {
        return None;
    }
    if let Some(second) = rest[len..]
        .split_once(":`")
        .map(|(s, _)| s)
        .filter(|s| !s.is_empty() && s.len() < 30 && s.bytes().all(|b| b.is_ascii_alphanumeric()))
    {
        len += second.len() + 1;
    }
    rest[len..].starts_with('`').then_some(())?;
    interpreted(look, look.at + len, Some(name))
}

/// Text between backquotes at `at`: a link, or what its role makes of it.
fn interpreted(look: Look, at: usize, role: Option<&str>) -> Option<Found> {
    let inner = Look { at, ..look };
    let (range, mut end) = inner.between("`", "`")?;
    let said = &look.text[range.clone()];
    if said.is_empty() || said.starts_with(char::is_whitespace) || said.contains("\n\n") {
        return None;
    }
    let tail = look.text[end..look.end].bytes().take_while(|b| *b == b'_').count().min(2);
    end += tail;
    // the role may stand behind: `text`:role:
    let mut name = role.map(str::to_owned);
    if role.is_none() && tail == 0 && look.text[end..look.end].starts_with(':') {
        let behind = &look.text[end + 1..look.end];
        if let Some(n) =
            behind.find(':').filter(|n| (1..30).contains(n) && behind[..*n].bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
        {
            name = Some(behind[..n].to_owned());
            end += n + 2;
        }
    }
    let (shown, target) = target(look.text, range);
    let mark = match name.as_deref() {
        Some("strike" | "del" | "strikethrough") => Some(Mark::Struck),
        Some("code" | "command" | "file" | "kbd" | "samp" | "program" | "option" | "envvar" | "literal" | "func" | "class" | "mod") => {
            Some(Mark::Code)
        }
        Some("strong") => Some(Mark::Strong),
        Some("emphasis") => Some(Mark::Emphasis),
        _ => target.map(Mark::Link).or((tail > 0).then(|| Mark::Link(String::new()))),
    };
    match mark {
        Some(Mark::Code) => found(end, Shows::Exact(Mark::Code, shown)),
        Some(mark) => found(end, Shows::Marked(mark, shown)),
        None => found(end, Shows::Inner(shown)),
    }
}

/// `text <target>` in two.
fn target(text: &str, range: Range<usize>) -> (Range<usize>, Option<String>) {
    let said = &text[range.clone()];
    let Some(open) = said.rfind('<').filter(|_| said.ends_with('>')) else { return (range, None) };
    let url = said[open + 1..said.len() - 1].split_whitespace().collect::<String>();
    let shown = said[..open].trim_end();
    if shown.is_empty() {
        return (range.start + open + 1..range.end - 1, Some(url));
    }
    (range.start..range.start + shown.len(), Some(url))
}
