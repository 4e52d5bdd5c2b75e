//! What stands in lines of Org: emphasis, links, stamps, notes.

use super::super::Mark;
use super::super::markup::inline::{Found, Inline, Look, Shows, found};

/// The signs of the markup.
pub(super) struct Org;

impl Inline for Org {
    fn opens(&self, byte: u8) -> bool {
        matches!(byte, b'*' | b'/' | b'_' | b'+' | b'=' | b'~' | b'[' | b'<' | b'\\' | b'h' | b'@' | b'-')
    }

    fn at(&self, look: Look) -> Option<Found> {
        let rest = look.rest();
        let marked = |sign: &str, mark: Mark| look.paired(sign).and_then(|(inner, end)| found(end, Shows::Marked(mark, inner)));
        let exact = |sign: &str| look.paired(sign).and_then(|(inner, end)| found(end, Shows::Exact(Mark::Code, inner)));
        match rest.as_bytes()[0] {
            b'*' => marked("*", Mark::Strong),
            // a path is no emphasis
            b'/' => marked("/", Mark::Emphasis).filter(|f| !look.text[look.at + 1..f.end - 1].contains('/')),
            b'+' => marked("+", Mark::Struck),
            b'_' => look.paired("_").and_then(|(inner, end)| found(end, Shows::Inner(inner))),
            b'=' => exact("="),
            b'~' => exact("~"),
            b'[' if rest.starts_with("[[") => link(look),
            b'[' if rest.starts_with("[fn:") => {
                let (inner, end) = look.between("[fn:", "]")?;
                (!look.text[inner].contains(' ')).then_some(Found { end, shows: Shows::Nothing })
            }
            b'[' | b'<' => stamp(look),
            b'\\' if rest.starts_with("\\\\") && (rest.len() == 2 || rest[2..].starts_with(['\n', '\r', ' '])) => {
                found(look.at + 2, Shows::Break)
            }
            // `<from>--<to>` is one range
            b'-' if rest.starts_with("--<") || rest.starts_with("--[") => {
                look.before().filter(|c| matches!(c, '>' | ']'))?;
                found(look.at + 2, Shows::Made(" – ".into()))
            }
            b'@' => {
                let (_, end) = look.between("@@", "@@")?;
                found(end, Shows::Nothing)
            }
            b'h' => look.address().and_then(|end| found(end, Shows::Plain(look.at..end))),
            _ => None,
        }
    }
}

fn link(look: Look) -> Option<Found> {
    let (inner, end) = look.between("[[", "]]")?;
    let said = &look.text[inner.clone()];
    match said.find("][") {
        Some(n) => found(end, Shows::Marked(Mark::Link(said[..n].to_owned()), inner.start + n + 2..inner.end)),
        None if !said.contains('[') => found(end, Shows::Exact(Mark::Link(said.to_owned()), inner)),
        None => None,
    }
}

/// `<2024-05-03 Fri 14:03>`, `[2024-05-03 Fri 14:03-14:20 +1w]`: the brackets and what repeats it show nothing; a day's name between date and clock would
/// part what belongs together.
fn stamp(look: Look) -> Option<Found> {
    let rest = look.rest();
    let close = if rest.starts_with('<') { '>' } else { ']' };
    let inner = &rest[1..];
    let len = inner.find(close).filter(|n| *n < 60)?;
    let said = &inner[..len];
    let date = said.get(..10)?;
    let is_date = date.bytes().enumerate().all(|(i, b)| if matches!(i, 4 | 7) { b == b'-' } else { b.is_ascii_digit() });
    if !is_date || said.contains('\n') {
        return None;
    }
    let end = look.at + 1 + len + 1;
    let from = look.at + 1;
    let mut clock = None;
    let mut at = 10;
    for piece in said[10..].split(' ') {
        if piece.starts_with(|c: char| c.is_ascii_digit()) && piece.contains(':') {
            clock = Some(at..at + piece.len());
        }
        at += piece.len() + 1;
    }
    match clock {
        None => found(end, Shows::Plain(from..from + 10)),
        Some(c) if c.start == 11 => found(end, Shows::Plain(from..from + c.end)),
        Some(c) => found(end, Shows::Pieces(vec![from..from + 10, from + c.start..from + c.end])),
    }
}

/// A described item: the two colons between term and description show as one.
pub(super) struct Described {
    /// Where the blank before them stands.
    pub at: usize,
}

impl Inline for Described {
    fn opens(&self, byte: u8) -> bool {
        byte == b' ' || Org.opens(byte)
    }

    fn at(&self, look: Look) -> Option<Found> {
        if look.at == self.at {
            return found(look.at + 4, Shows::Made(": ".into()));
        }
        if look.text.as_bytes()[look.at] == b' ' { None } else { Org.at(look) }
    }
}
