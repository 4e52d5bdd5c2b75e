//! From a paragraph as markup gives it to the blocks it is meant as: lines that each bear a stamp or a label, bullets typed by hand, a bold
//! first line that serves as a heading.

use super::ink::{Flow, Line};
use super::shapes::{self, Bullet, Depths};
use super::{Block, Certainty, Kind, Mark};
use crate::text::Mapped;
use std::ops::Range;

/// A paragraph longer than this (in bytes) is told in pieces.
const LONGEST: usize = 100_000;

/// Headings one below the other are told in bunches of so many.
const MOST_HEADS: usize = 64;

/// Where a paragraph stands.
#[derive(Clone)]
pub(super) struct Place<'a> {
    /// The decoded text.
    pub of: &'a Mapped,
    pub quote: u8,
    pub lang: Option<String>,
    /// Depth of items made of lines of this paragraph.
    pub depth: u8,
    pub gap: bool,
    /// It is part of a footnote, a caption or an aside.
    pub note: bool,
    /// The format has read its own bullets (`-`, `1.`), so lines that still begin so are not meant.
    pub knows_bullets: bool,
}

impl Place<'_> {
    /// A block of this kind, its bytes being the decoded `range` without white space at its ends.
    pub fn block(&self, kind: Kind, flow: Flow, range: Range<usize>, gap: bool) -> Block {
        let span = self.of.span(trimmed(self.of.as_str(), range));
        Block { kind, text: flow.text, span, marks: flow.marks, quote: self.quote, lang: self.lang.clone(), gap }
    }
}

/// The range without white space at its ends.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let Some(piece) = text.get(range.clone()) else { return range };
    let start = range.start + piece.len() - piece.trim_start().len();
    start..start + piece.trim().len()
}

/// Takes white space (hard breaks at the ends) and nothing else off a flow.
fn tidy(flow: Flow) -> Flow {
    let text = flow.text.as_str();
    if text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) { flow.from(0) } else { flow }
}

/// Puts the blocks that a paragraph is meant as into `out`.
pub(super) fn paragraph(flow: Flow, range: Range<usize>, place: &Place, out: &mut Vec<Block>) {
    let flow = tidy(flow);
    if flow.text.is_empty() {
        return;
    }
    if place.note {
        out.push(place.block(Kind::Note, flow, range, place.gap));
        return;
    }
    let ranges = flow.line_ranges();
    let text = flow.text.as_str();
    let lines: Vec<&str> = ranges.iter().map(|r| text[r.clone()].trim()).collect();
    let typed: Vec<bool> = lines.iter().map(|l| shapes::bullet(l).is_some_and(|b| counts(&b, place, &lines))).collect();
    // a numbered line in bold is the heading of the lines below it
    let titled = |i: usize| {
        let bold = |i: usize| is_bold(&flow, &ranges[i]);
        typed[i] && bold(i) && (lines.len() == 1 || i + 1 < lines.len() && !typed[i + 1] && !bold(i + 1))
    };
    let titles: Vec<usize> = (0..lines.len().min(MOST_HEADS)).filter(|i| titled(*i)).collect();
    let typed: Vec<bool> = typed.iter().enumerate().map(|(i, t)| *t && !(i == 0 && titles.first() == Some(&0))).collect();
    if typed.contains(&true) {
        return items(&flow, &lines, (&typed, &titles), range, place, out);
    }
    if lines.len() > 1 {
        if let Some(starts) = own_lines(&flow, &ranges, &lines) {
            return each(&flow, &starts, range, place, out);
        }
        let heads = heads(&flow, &ranges, &lines);
        if heads > 0 {
            let starts: Vec<usize> = ranges[..=heads].iter().map(|r| r.start).collect();
            let mut from = range.start;
            for (n, part) in flow.split(&starts).into_iter().enumerate() {
                let gap = place.gap && n == 0;
                let to = flow.lines.get(n + 1).filter(|_| n < heads).map_or(range.end, |l| l.start).clamp(from, range.end);
                if n < heads {
                    single(part, from..to, place, gap, out);
                } else {
                    paragraph(part, from..range.end, &Place { gap, ..place.clone() }, out);
                }
                from = to;
            }
            return;
        }
    }
    single(flow, range, place, place.gap, out);
}

/// Puts a list item into `out`; lines of it that begin with bullets typed by hand become items below it.
pub(super) fn item(flow: Flow, range: Range<usize>, ordered: bool, check: Option<bool>, place: &Place, out: &mut Vec<Block>) {
    let flow = tidy(flow);
    let (flow, check) = boxed(flow, check);
    if flow.text.is_empty() {
        return;
    }
    let depth = place.depth.saturating_sub(1);
    let ranges = flow.line_ranges();
    let text = flow.text.as_str();
    let typed =
        ranges.iter().skip(1).find(|r| shapes::bullet(text[(*r).clone()].trim()).is_some_and(|b| !b.markdown && !b.adorns)).cloned();
    let Some(typed) = typed else {
        out.push(place.block(Kind::Item { depth, ordered, check }, flow, range, place.gap));
        return;
    };
    let mid = flow.lines.iter().find(|l| l.at == typed.start).map_or(range.end, |l| l.start).clamp(range.start, range.end);
    let mut parts = flow.split(&[0, typed.start]).into_iter();
    if let (Some(own), Some(rest)) = (parts.next(), parts.next()) {
        out.push(place.block(Kind::Item { depth, ordered, check }, own, range.start..mid, place.gap));
        paragraph(rest, mid..range.end, &Place { gap: false, ..place.clone() }, out);
    }
}

/// Takes a typed check box off an item.
fn boxed(flow: Flow, check: Option<bool>) -> (Flow, Option<bool>) {
    match shapes::check_box(flow.text.as_str()) {
        Some((ticked, len)) if check.is_none() => (if len > 0 { flow.from(len) } else { flow }, Some(ticked)),
        _ => (flow, check),
    }
}

/// Does a mark at the head of a line make it an item here? Adornments do only where several lines bear them.
fn counts(bullet: &Bullet, place: &Place, lines: &[&str]) -> bool {
    let bearers = || lines.iter().filter(|l| shapes::bullet(l).is_some()).count();
    if bullet.markdown {
        !place.knows_bullets && bearers() > 1
    } else if bullet.adorns {
        bearers() > 1 && bearers() == lines.len()
    } else {
        true
    }
}

/// Items of the lines that are `typed` as such, and headings of those that are titles.
fn items(flow: &Flow, lines: &[&str], (typed, titles): (&[bool], &[usize]), range: Range<usize>, place: &Place, out: &mut Vec<Block>) {
    let heads: Vec<usize> = (0..lines.len()).filter(|&i| i == 0 || typed[i]).collect();
    let starts: Vec<usize> = heads.iter().map(|&i| flow.lines[i].at).collect();
    let mut depths = Depths::default();
    for (n, part) in flow.split(&starts).into_iter().enumerate() {
        let line = heads[n];
        let from = if n == 0 { range.start } else { flow.lines[line].start };
        let to = heads.get(n + 1).map_or(range.end, |&i| flow.lines[i].start);
        let bytes = from.clamp(range.start, range.end)..to.clamp(range.start, range.end);
        let gap = place.gap && n == 0;
        match shapes::bullet(part.text.as_str()).filter(|_| typed[line] && !titles.contains(&line)) {
            Some(b) => {
                let depth = place.depth.saturating_add(depths.at(column(place.of.as_str(), &flow.lines[line])));
                let (own, check) = boxed(part.from(b.len), None);
                if !own.text.is_empty() {
                    out.push(place.block(Kind::Item { depth, ordered: b.ordered, check }, own, bytes, gap));
                }
            }
            None => paragraph(part, bytes, &Place { gap, knows_bullets: true, ..place.clone() }, out),
        }
    }
}

/// The column of a line's first character.
fn column(text: &str, line: &Line) -> usize {
    let (Some(rest), Some(head)) = (text.get(line.start..), text.get(..line.start)) else { return 0 };
    let blank = |c: &char| c.is_whitespace() && !matches!(c, '\n' | '\r');
    let ahead: usize = rest.chars().take(200).take_while(blank).map(char::len_utf8).sum();
    let behind: usize = head.chars().rev().take(200).take_while(blank).map(char::len_utf8).sum();
    shapes::indent(&text[line.start - behind..line.start + ahead]).0
}

/// The starts of the lines that are paragraphs of their own: each opens with a stamp, or each is `label: value`.
fn own_lines(flow: &Flow, ranges: &[Range<usize>], lines: &[&str]) -> Option<Vec<usize>> {
    let starts = || ranges.iter().map(|r| r.start).collect::<Vec<_>>();
    if lines.iter().all(|l| shapes::opens_with_digit(l)) || lines.iter().all(|l| l.len() <= 400 && shapes::is_label(l)) {
        return Some(starts());
    }
    let labelled = |r: &Range<usize>| {
        let bold = flow.marks.iter().find(|(m, k)| *k == Mark::Strong && m.start == r.start).map(|(m, _)| m.clone());
        bold.is_some_and(|m| shapes::ends_in_colon(&flow.text.as_str()[m.clone()]) || flow.text.as_str()[m.end..].starts_with([':', '：']))
    };
    // marks are few where lines are few; long paragraphs are not looked through
    if lines.len() <= 64 && ranges.iter().all(labelled) {
        return Some(starts());
    }
    // asked for each of many heads: the first line decides nearly always
    if !shapes::opens_with_stamp(lines[0]) {
        return None;
    }
    let stamped: Vec<bool> = lines.iter().map(|l| shapes::opens_with_stamp(l)).collect();
    let count = stamped.iter().filter(|s| **s).count();
    (count >= 2 && count * 2 >= lines.len()).then(|| ranges.iter().zip(&stamped).filter(|(_, s)| **s).map(|(r, _)| r.start).collect())
}

fn each(flow: &Flow, starts: &[usize], range: Range<usize>, place: &Place, out: &mut Vec<Block>) {
    let begin = |at: usize| flow.lines.iter().position(|l| l.at == at).map_or(range.end, |i| flow.lines[i].start);
    // one walk over both, as either may be long
    let mut bounds: Vec<usize> = Vec::with_capacity(starts.len() + 1);
    let mut lines = flow.lines.iter();
    for &s in starts {
        bounds.push(lines.by_ref().find(|l| l.at >= s).map_or_else(|| begin(s), |l| l.start).clamp(range.start, range.end));
    }
    bounds[0] = range.start;
    bounds.push(range.end);
    for (i, part) in flow.split(starts).into_iter().enumerate() {
        if !part.text.is_empty() {
            out.push(place.block(Kind::Paragraph, part, bounds[i]..bounds[i + 1].max(bounds[i]), place.gap && i == 0));
        }
    }
}

/// How many of the first lines are headings of the lines below them.
fn heads(flow: &Flow, ranges: &[Range<usize>], lines: &[&str]) -> usize {
    let most = (lines.len() - 1).min(MOST_HEADS);
    let goes_on = |k: usize| k == 0 || own_lines(flow, &ranges[k..], &lines[k..]).is_none();
    (0..most).take_while(|&k| goes_on(k) && heads_the_rest(flow, &ranges[k..], &lines[k..])).count()
}

/// True where the first line is a heading (or a stamp) of the lines below it.
fn heads_the_rest(flow: &Flow, ranges: &[Range<usize>], lines: &[&str]) -> bool {
    let first = lines[0];
    if first.is_empty() || first.chars().count() > 120 {
        return false;
    }
    let bold = is_bold(flow, &ranges[0]) && !is_bold(flow, &ranges[1]);
    let adorned = shapes::bullet(first).is_some_and(|b| b.adorns) && shapes::is_short(first);
    let colon = shapes::ends_in_colon(first) && first.chars().count() <= 40 && shapes::is_short(first) && !shapes::opens_with_stamp(first);
    bold || adorned || colon
}

/// True where a range of the text is bold, a colon after it aside.
fn is_bold(flow: &Flow, range: &Range<usize>) -> bool {
    let text = &flow.text.as_str()[range.clone()];
    let core = text.trim().trim_end_matches([':', '：', ' ', '.', '。']);
    if core.is_empty() {
        return false;
    }
    let from = range.start + text.len() - text.trim_start().len();
    let to = from + core.len();
    let mut reached = from;
    for (m, _) in flow.marks.iter().filter(|(_, k)| *k == Mark::Strong) {
        if m.start > reached && !flow.text.as_str()[reached..m.start].trim().is_empty() {
            break;
        }
        reached = reached.max(m.end);
        if reached >= to {
            return true;
        }
    }
    false
}

/// Where to cut a text that is too long for one block: at white space if there is some, on a character boundary in any case.
fn cuts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    let mut from = 0;
    while text.len() - from > LONGEST {
        let mut at = from + LONGEST;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        from = text[from..at].rfind(char::is_whitespace).filter(|n| *n > 0).map_or(at, |n| from + n);
        starts.push(from);
    }
    starts
}

/// One paragraph, or the heading it looks like.
fn single(flow: Flow, range: Range<usize>, place: &Place, gap: bool, out: &mut Vec<Block>) {
    if flow.text.is_empty() {
        return;
    }
    if flow.text.len() > LONGEST {
        let starts = cuts(flow.text.as_str());
        for (i, part) in flow.split(&starts).into_iter().enumerate().filter(|(_, p)| !p.text.is_empty()) {
            let span = part.text.whole();
            let block = place.block(Kind::Paragraph, part, 0..0, gap && i == 0);
            out.push(Block { span, ..block });
        }
        return;
    }
    let (kind, cut) = proposal(&flow);
    let flow = if cut > 0 { flow.from(cut) } else { flow };
    out.push(place.block(kind, flow, range, gap));
}

/// What a paragraph of one line is, and how many bytes at its head are adornment.
fn proposal(flow: &Flow) -> (Kind, usize) {
    let text = flow.text.as_str();
    let likely = |level| Kind::Heading { level, certainty: Certainty::Likely };
    if flow.lines.len() > 1 || text.contains('\n') || text.len() > 500 || text.chars().count() > 120 {
        return (Kind::Paragraph, 0);
    }
    let hashes = text.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&hashes)
        && text[hashes..].chars().next().is_some_and(|c| c.is_alphabetic() && (hashes > 1 || shapes::is_cjk(c)))
        && shapes::is_short(text)
    {
        return (likely(hashes as u8), hashes);
    }
    if is_bold(flow, &(0..text.len())) {
        return (likely(6), 0);
    }
    if shapes::ends_in_colon(text) && shapes::is_short(text) && !shapes::opens_with_stamp(text) {
        return (likely(6), 0);
    }
    if let Some(b) = shapes::bullet(text).filter(|b| b.adorns)
        && shapes::is_short(text)
        && !shapes::ends_sentence(text)
    {
        return (likely(6), b.len);
    }
    (Kind::Paragraph, 0)
}

#[cfg(test)]
mod tests {
    use super::super::ink::Ink;
    use super::*;

    fn blocks(source: &str, bold: Option<Range<usize>>) -> Vec<Block> {
        let of = Mapped::identity(source, 0);
        let mut ink = Ink::new(&of);
        let mut at = 0;
        ink.begin(0);
        for line in source.split_inclusive('\n') {
            let end = at + line.trim_end().len();
            if bold.as_ref().is_some_and(|b| b.start == at) {
                ink.open(Mark::Strong);
            }
            ink.prose(at..end);
            if bold.as_ref().is_some_and(|b| b.end == end) {
                ink.close(&Mark::Strong);
            }
            at += line.len();
            ink.soft(end..at);
        }
        let place = Place { of: &of, quote: 0, lang: None, depth: 0, gap: true, note: false, knows_bullets: true };
        let mut out = Vec::new();
        paragraph(ink.take(), 0..source.len(), &place, &mut out);
        for b in &out {
            assert!(b.span.end <= source.len());
        }
        out
    }

    fn texts(source: &str) -> Vec<String> {
        blocks(source, None).iter().map(|b| b.text.as_str().to_owned()).collect()
    }

    #[test]
    fn lines_with_stamps_part() {
        assert_eq!(texts("14:03 alert\n14:05 page\nto the team\n14:09 fixed"), ["14:03 alert", "14:05 page to the team", "14:09 fixed"]);
        assert_eq!(texts("[14:03] kim: 장애\n[14:04] lee: 확인"), ["[14:03] kim: 장애", "[14:04] lee: 확인"]);
        assert_eq!(
            texts("We restarted at\n14:05 and again at\n14:09 without luck."),
            ["We restarted at 14:05 and again at 14:09 without luck."]
        );
    }

    #[test]
    fn labels_part() {
        assert_eq!(texts("Début : 14 h 05\nFin : 15 h 10"), ["Début : 14 h 05", "Fin : 15 h 10"]);
    }

    #[test]
    fn typed_bullets_make_items() {
        let b = blocks("影響:\n・API停止\n  ・再試行\n・遅延", None);
        assert_eq!(b.iter().map(|b| b.text.as_str()).collect::<Vec<_>>(), ["影響:", "API停止", "再試行", "遅延"]);
        assert_eq!(b[2].kind, Kind::Item { depth: 1, ordered: false, check: None });
        assert!(matches!(b[0].kind, Kind::Heading { certainty: Certainty::Likely, .. }));
    }

    #[test]
    fn very_long_paragraphs_are_told_in_pieces() {
        let source = "原因 ".repeat(50_000);
        let b = blocks(source.trim(), None);
        assert!(b.len() >= 4 && b.iter().all(|b| b.text.len() <= LONGEST));
        assert!(b.windows(2).all(|w| w[0].span.end <= w[1].span.start));
    }

    #[test]
    fn bold_first_lines_head_the_rest() {
        let b = blocks("Impact\nWe lost requests\nfor an hour.", Some(0..6));
        assert!(matches!(b[0].kind, Kind::Heading { level: 6, certainty: Certainty::Likely }));
        assert_eq!(b[1].text.as_str(), "We lost requests for an hour.");
        assert_eq!((b[1].span.start, b[1].gap), (7, false));
    }
}
