//! What stands in lines of Markdown: text, code, links, HTML tags.

use super::super::ink::Ink;
use super::super::{Mark, html};
use super::Walk;
use crate::text::{Mapped, MappedBuilder};
use std::ops::Range;

impl Walk<'_> {
    /// Text of an event. Where it is not what stands at its range (an entity, an escape), it is one piece.
    pub(super) fn text(&mut self, text: &str, local: Range<usize>, as_it_is: bool) {
        if self.mute.is_some() {
            return;
        }
        let range = self.base + local.start..self.base + local.end;
        self.writes(range.start);
        if !as_it_is && self.shadow.text.get(local.clone()) != Some(text) {
            self.ink.made(text, range);
            return;
        }
        let mut from = local.start;
        let dropped = &self.shadow.dropped;
        let first = dropped.partition_point(|d| d.end <= local.start);
        for d in dropped[first..].iter().take_while(|d| d.start < local.end) {
            self.ink.prose(self.base + from..self.base + d.start.max(from));
            from = d.end.clamp(from, local.end);
        }
        self.ink.prose(self.base + from..range.end);
    }

    /// Where a link leads, as written if a template tag stands in it.
    pub(super) fn url(&self, parsed: &str, local: Range<usize>) -> String {
        let body = &self.of.as_str()[self.base..];
        let (shadow, own) = (&self.shadow.text[local.clone()], &body[local]);
        if shadow != own
            && let Some(at) = shadow.rfind("](")
        {
            return own[at + 2..].trim_end_matches(')').to_owned();
        }
        parsed.to_owned()
    }

    pub(super) fn inline_html(&mut self, text: &str, local: Range<usize>) {
        let range = self.base + local.start..self.base + local.end;
        let Some(tag) = html::tag(text) else { return };
        if let Some(muted) = &self.mute {
            if tag.end && tag.name == *muted {
                self.mute = None;
            }
            return;
        }
        self.writes(range.start);
        if !html::is_element(&tag.name)
            && !tag.end
            && !tag.self_closing
            && !tag.has_attributes
            && !self.closed_tags.contains(tag.name.as_str())
        {
            return self.text(text, local, true);
        }
        match (tag.name.as_str(), tag.end) {
            ("br", _) => self.ink.hard(range),
            ("img", false) => {
                if let Some(alt) = tag.alt.filter(|a| !a.trim().is_empty()) {
                    self.ink.open(Mark::Image);
                    self.ink.made(alt.trim(), range);
                    self.ink.close(&Mark::Image);
                }
            }
            (name, false) if html::is_mute(name) && !tag.self_closing => self.mute = Some(name.to_owned()),
            (name, end) => {
                if let Some(mark) = html::mark(name, tag.href) {
                    if end { self.ink.close(&mark) } else { self.ink.open(mark) }
                }
            }
        }
    }
}

/// Text of a code block; the parser turns CRLF into LF.
pub(super) fn code_text(code: &mut MappedBuilder, of: &Mapped, text: &str, range: Range<usize>) {
    match of.as_str().get(range.clone()) {
        Some(own) if own.len() == text.len() => code.piece(of, range),
        _ => code.made_of(text, of, range),
    }
}

/// Code in a line: what stands between the backticks, line breaks as spaces.
pub(super) fn code_span(ink: &mut Ink, of: &Mapped, text: &str, range: Range<usize>) {
    let own = of.as_str().get(range.clone()).unwrap_or("");
    let inner = own.trim_matches('`');
    let at = range.start + own.len() - own.trim_start_matches('`').len();
    let core = inner.trim_matches([' ', '\n', '\r']);
    let wanted = text.trim_matches(' ');
    let Some(found) = inner.find(core).filter(|_| !wanted.is_empty()) else { return ink.made(text, range) };
    if core.len() == wanted.len() && !core.contains(['\n', '\r']) {
        ink.exact(at + found..at + found + core.len());
        return;
    }
    match aligned(core, wanted) {
        Some(pieces) => {
            for (r, space) in pieces {
                let r = at + found + r.start..at + found + r.end;
                if space { ink.made(" ", r) } else { ink.exact(r) }
            }
        }
        None => ink.made(text, range),
    }
}

/// How code in a line stands in its source: ranges that are the same in both, and ranges that became a space (line breaks, with the marks of quotes after
/// them). An escaped bar lost its backslash. `None` where the two do not agree.
fn aligned(core: &str, wanted: &str) -> Option<Vec<(Range<usize>, bool)>> {
    let mut pieces: Vec<(Range<usize>, bool)> = Vec::new();
    let mut at = 0;
    let mut letters = wanted.chars().peekable();
    while let Some(c) = letters.next() {
        if core[at..].starts_with('\\') && c != '\\' && core[at + 1..].starts_with(c) {
            at += 1;
        }
        // marks that would have made a list of a date were covered by letters of the same length before the text was parsed
        let covered = core[at..].chars().next().filter(|m| c.is_ascii_alphabetic() && m.is_ascii() && *m != c && !matches!(m, '\n' | '\r'));
        if core[at..].starts_with(c) || covered.is_some() {
            let end = at + c.len_utf8();
            match pieces.last_mut() {
                Some((r, false)) if r.end == at => r.end = end,
                _ => pieces.push((at..end, false)),
            }
            at = end;
            continue;
        }
        // the parser makes two spaces of CRLF
        if c == ' ' && matches!(pieces.last(), Some((_, true))) {
            continue;
        }
        let broken = core[at..].strip_prefix("\r\n").or_else(|| core[at..].strip_prefix(['\n', '\r'])).filter(|_| c == ' ')?;
        let start = at;
        at = core.len() - broken.len();
        // the next line may begin with marks that are no part of the code
        while let Some(n) = core[at..].chars().next().filter(|n| letters.peek().is_some_and(|w| w != n) && matches!(n, ' ' | '\t' | '>')) {
            at += n.len_utf8();
        }
        pieces.push((start..at, true));
    }
    Some(pieces)
}
