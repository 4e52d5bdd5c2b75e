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
    // piece by piece: a line break (and the marks of quotes after it) became a space, an escaped bar lost its backslash
    let mut rest = core;
    let mut pos = at + found;
    for word in wanted.split_inclusive([' ', '|']) {
        let (body, last) = word.split_at(word.trim_end_matches([' ', '|']).len());
        if !rest.starts_with(body) {
            ink.made(text, range);
            return;
        }
        ink.exact(pos..pos + body.len());
        rest = &rest[body.len()..];
        pos += body.len();
        let gap = match last {
            "" => 0,
            "|" => rest.find('|').map_or(0, |n| n + 1),
            _ => rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t', '>']).len(),
        };
        if gap > 0 {
            ink.made(last, pos..pos + gap);
        }
        rest = &rest[gap..];
        pos += gap;
    }
}
