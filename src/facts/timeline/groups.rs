//! Which mentions are entries of one list, table or run of updates, and on which side of its text each run has its stamps.

use super::super::time::{Mention, Times, is_aside};
use super::entry;
use crate::document::{Block, Certainty, Document, Kind, Mark};
use crate::lang::Role;
use std::collections::{BTreeMap, BTreeSet};

/// Besides its stamp an entry that heads a text has at most so many letters: a word for the state of affairs.
pub const SHORT: usize = 32;

/// What is known of the runs of a document.
#[derive(Debug, Default)]
pub struct Groups {
    /// Groups with at least two entries that open with a clock.
    pub stamped: BTreeSet<usize>,
    /// Groups whose entries are short lines that head the text after them, as status pages write updates.
    pub headed: BTreeSet<usize>,
    /// Blocks that are only a stamp, below the text they date.
    pub closing: BTreeSet<usize>,
    /// Mentions on a line of their own, with a word or name beside them at most, above the text they date.
    pub posts: BTreeSet<usize>,
    /// Mentions of a day (or of a lone stamp) that head an update.
    pub dated: BTreeSet<usize>,
    /// Sections whose entries are no preformatted text: what is preformatted there is a sample.
    pub written: BTreeSet<usize>,
}

impl Groups {
    /// Looks at all mentions of a document.
    pub fn new(document: &Document, times: &Times, sections: &[Option<Role>]) -> Groups {
        let stamped = stamped(times);
        let headed = headed(document, times, &stamped);
        let posts = posts(document, times, sections);
        let closing = closing(document, times, &posts);
        let dated = dated(document, times, sections, &closing);
        let entries = times.mentions.iter().filter(|m| m.lead && m.at.clock.is_some() && stamped.contains(&m.group));
        let written = entries.filter(|m| document.blocks[m.block].kind != Kind::Code).map(|m| m.section).collect();
        Groups { stamped, headed, closing, posts, dated, written }
    }
}

fn stamped(times: &Times) -> BTreeSet<usize> {
    let mut counts: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for m in times.mentions.iter().filter(|m| m.lead && m.at.clock.is_some()) {
        counts.entry(m.group).or_default().insert(m.block * 10_000 + m.range.start.min(9_999));
    }
    counts.into_iter().filter(|(_, n)| n.len() >= 2).map(|(g, _)| g).collect()
}

/// True where a block opens with a clock.
pub fn opens_with_clock(times: &Times, block: usize) -> bool {
    opens(times, block, |m| m.at.clock.is_some())
}

fn opens(times: &Times, block: usize, with: impl Fn(&Mention) -> bool) -> bool {
    let first = times.mentions.partition_point(|o| o.block < block);
    times.mentions[first..].iter().take_while(|o| o.block == block).any(|o| o.lead && with(o))
}

fn is_short(document: &Document, m: &Mention) -> bool {
    let block = &document.blocks[m.block];
    matches!(block.kind, Kind::Paragraph | Kind::Heading { .. }) && entry::without(block.text.as_str(), &m.written) < SHORT
}

fn headed(document: &Document, times: &Times, stamped: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for m in times.mentions.iter().filter(|m| m.lead && m.at.clock.is_some() && stamped.contains(&m.group)) {
        let text_follows =
            document.blocks.get(m.block + 1).is_some_and(|b| b.kind == Kind::Paragraph) && !opens_with_clock(times, m.block + 1);
        let (heads, all) = counts.entry(m.group).or_default();
        *heads += usize::from(is_short(document, m) && text_follows);
        *all += 1;
    }
    counts.into_iter().filter(|(_, (heads, all))| heads * 3 >= all * 2).map(|(g, _)| g).collect()
}

/// Stamps below their texts: the first one of a run has text above it that no stamp opens, and nothing follows the last one.
fn closing(document: &Document, times: &Times, posts: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut runs: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    // a word before the stamp (`Posted …`), where several have it
    let worded =
        |m: &Mention| lone_line(document, m).is_some_and(|(line, worded)| worded && line.len() == document.blocks[m.block].text.len());
    let several = times.mentions.iter().filter(|m| worded(m)).count() >= 2;
    let stamps = times.mentions.iter().enumerate().filter(|(k, m)| !posts.contains(k) && (m.lead || several && worded(m))).map(|(_, m)| m);
    for m in stamps.filter(|m| m.at.clock.is_some() && m.at.date.day.is_some()) {
        let paragraph = document.blocks[m.block].kind == Kind::Paragraph;
        if paragraph && is_short(document, m) && !m.implied.contains(&"date") {
            runs.entry((m.section, m.group)).or_default().push(m.block);
        }
    }
    let text = |n: usize| {
        document.blocks.get(n).is_some_and(|b| matches!(b.kind, Kind::Paragraph | Kind::Item { .. }) && !b.text.as_str().trim().is_empty())
    };
    let mut out = BTreeSet::new();
    for blocks in runs.into_values() {
        let (Some(&first), Some(&last)) = (blocks.first(), blocks.last()) else { continue };
        let above = first.checked_sub(1).is_some_and(|b| text(b) && !opens_with_clock(times, b));
        let between = blocks.windows(2).all(|w| w[1] > w[0] + 1);
        if above && between && !text(last + 1) {
            out.extend(blocks);
        }
    }
    out
}

/// Days that head an update: several headings or short lines with a day (`3 May`, `Update of 3 May: …`), and a stamp that stands alone above a text.
fn dated(document: &Document, times: &Times, sections: &[Option<Role>], closing: &BTreeSet<usize>) -> BTreeSet<usize> {
    let role = |b: usize| sections.get(b).copied().flatten();
    // a short line that may be a heading is text below a day
    let text = |n: usize| {
        document
            .blocks
            .get(n)
            .is_some_and(|b| matches!(b.kind, Kind::Paragraph | Kind::Item { .. } | Kind::Heading { certainty: Certainty::Maybe, .. }))
    };
    let mut runs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    // headings whose day dates clocks below them
    let mut days: BTreeMap<usize, usize> = BTreeMap::new();
    let mut out = BTreeSet::new();
    for (k, m) in times.mentions.iter().enumerate() {
        let block = &document.blocks[m.block];
        if !m.lead || m.at.date.day.is_none() || m.cell.is_some() || role(m.block).is_some_and(is_aside) || closing.contains(&m.block) {
            continue;
        }
        // what may be a heading of its own below that of the day
        let below = |n: usize| match (&block.kind, document.blocks.get(n).map(|b| &b.kind)) {
            (Kind::Heading { level, .. }, Some(Kind::Heading { level: deeper, certainty })) => {
                deeper > level && *certainty < Certainty::Certain
            }
            _ => false,
        };
        let heads = is_short(document, m) && (text(m.block + 1) || below(m.block + 1)) && !opens_with_clock(times, m.block + 1);
        if m.at.clock.is_some() {
            // right below a heading it dates the document
            let above = m.block.checked_sub(1).map(|n| &document.blocks[n].kind);
            let below = matches!(block.kind, Kind::Heading { .. }) || matches!(above, Some(Kind::Paragraph | Kind::Item { .. }));
            if heads && below && !m.implied.contains(&"date") && m.whole {
                out.insert(k);
            }
            runs.entry(m.group).or_default().push(k);
            continue;
        }
        // a day above entries with clocks dates these
        let heading = matches!(block.kind, Kind::Heading { .. });
        let clocked = heading && {
            let next = document
                .blocks
                .iter()
                .skip(m.block + 1)
                .position(|b| matches!(b.kind, Kind::Heading { .. } | Kind::Rule))
                .map_or(usize::MAX, |n| m.block + 1 + n);
            times.mentions[k + 1..].iter().take_while(|o| o.block < next).any(|o| o.at.clock.is_some() && o.block > m.block)
        };
        if heads && clocked {
            runs.entry(m.group).or_default();
            days.entry(m.group).and_modify(|n| *n += 1).or_insert(1usize);
        } else if is_link(block, m) {
            // a list of what was written about it
        } else if heads || !heading && is_update_line(block.text.as_str(), m) {
            runs.entry(m.group).or_default().push(k);
        }
    }
    for (group, run) in runs {
        if run.len() + days.get(&group).copied().unwrap_or(0) < 2 {
            continue;
        }
        out.extend(run.into_iter().filter(|k| times.mentions[*k].at.clock.is_none()));
    }
    out
}

/// The line of a mention, where nothing stands on it but a few words before the stamp (`Resolved – 3 Sep 2024, 13:05`, `dana 2:03 PM`, `Posted …`): its
/// range in the block's text, and whether there are such words.
pub fn lone_line(document: &Document, m: &Mention) -> Option<(std::ops::Range<usize>, bool)> {
    let block = &document.blocks[m.block];
    if m.at.clock.is_none() || m.cell.is_some() || !matches!(block.kind, Kind::Paragraph) {
        return None;
    }
    let text = block.text.as_str();
    let line = entry::line_of(text, m.range.start);
    let (head, rest) = (text.get(line.start..m.range.start)?, text.get(m.range.end..line.end)?);
    let words = head.split_whitespace().filter(|w| w.chars().any(char::is_alphanumeric)).count();
    let brief = words <= 3
        && head.chars().count() <= 32
        && !head.contains(['.', '。', '?', '!', ',', ':', '：'])
        && !head.chars().any(|c| c.is_ascii_digit());
    (brief && m.range.end <= line.end && !rest.chars().any(char::is_alphanumeric)).then_some((line, words > 0))
}

/// Stamps on lines of their own above the texts they date, as status pages and chats have them; there are several, and the first of a document that only
/// dates it is none. A line with a name needs no day of its own.
fn posts(document: &Document, times: &Times, sections: &[Option<Role>]) -> BTreeSet<usize> {
    let letters = |t: &str| t.chars().filter(|c| c.is_alphanumeric()).count();
    let (mut dated, mut named) = (BTreeSet::new(), BTreeSet::new());
    // stamps whose text is the next block: those with text above the first of them close what stands above
    let mut heads: Vec<usize> = Vec::new();
    for (k, m) in times.mentions.iter().enumerate() {
        let Some((line, worded)) = lone_line(document, m).filter(|_| !sections.get(m.block).copied().flatten().is_some_and(is_aside))
        else {
            continue;
        };
        let text = document.blocks[m.block].text.as_str();
        let stated = m.at.date.day.is_some() && !m.implied.contains(&"date");
        let first = line.start == 0;
        let inside = letters(text.get(line.end..).unwrap_or("")) >= 4;
        // a bare stamp is one above its text only below a heading; elsewhere the runs of stamps tell
        let headed = m.block.checked_sub(1).is_some_and(|n| matches!(document.blocks[n].kind, Kind::Heading { level, .. } if level > 1));
        let next = document.blocks.get(m.block + 1).filter(|b| b.kind == Kind::Paragraph);
        let below =
            !inside && (worded || headed) && next.is_some_and(|b| letters(b.text.as_str()) >= 8) && !opens_with_clock(times, m.block + 1);
        if stated && first && inside {
            dated.insert(k);
        } else if stated && first && below && text.get(line.end..).is_some_and(|t| t.trim().is_empty()) {
            heads.push(k);
        } else if worded
            && inside
            && (first || times.mentions[..k].iter().rev().take_while(|o| o.block == m.block).any(|o| lone_line(document, o).is_some()))
        {
            named.insert(k);
        }
    }
    let opened = |k: &usize| {
        times.mentions[*k].block.checked_sub(1).is_none_or(|n| !matches!(document.blocks[n].kind, Kind::Paragraph | Kind::Item { .. }))
    };
    if heads.first().is_some_and(opened) {
        dated.extend(heads);
    }
    let mut out = if dated.len() >= 2 { dated } else { BTreeSet::new() };
    if named.len() >= 3 {
        out.extend(named);
    }
    out
}

/// True where nothing but a link follows the day.
fn is_link(block: &Block, m: &Mention) -> bool {
    let text = block.text.as_str();
    let letters = |t: &str| t.chars().filter(|c| c.is_alphanumeric()).count();
    let rest = letters(text.get(m.range.end..).unwrap_or(""));
    let links = block.marks.iter().filter(|(r, mark)| matches!(mark, Mark::Link(_)) && r.start >= m.range.end);
    let linked: usize = links.map(|(r, _)| letters(text.get(r.clone()).unwrap_or(""))).sum();
    linked > 0 && linked * 5 >= rest * 4
}

/// `8.21 update: …`, `3 May – fixed`: a mark sets off what follows the day.
fn is_update_line(text: &str, m: &Mention) -> bool {
    let rest = text.get(m.range.end..).unwrap_or("");
    let head: String = rest.chars().take(16).collect();
    let Some(at) = head.find([':', '：', '–', '—', '|']).or_else(|| head.find(" - ")) else { return false };
    let set_off = head.get(..at).is_some_and(|h| {
        !h.contains(|c: char| matches!(c, '.' | ',' | '。' | '，' | '\n') || c.is_numeric()) && h.split_whitespace().count() <= 2
    });
    set_off && rest.chars().filter(|c| c.is_alphabetic()).count() >= 4
}
