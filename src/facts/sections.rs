//! Which section each block stands in, and what that section is for.
//!
//! Readers propose headings; here they are taken or left. A heading's role comes from the lexicon, else from the heading above it. Labels at the
//! head of a block (`Root cause: …`, `**Ursache:** …`) give a role to that block alone.

use crate::document::{Block, Certainty, Document, Kind, Mark};
use crate::lang::{Fit, Lexicon, Role};
use std::ops::Range;

/// How a block came by its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// Its section's heading.
    Heading,
    /// A heading further up.
    Inherited,
    /// A label at its head.
    Label,
    /// Nothing told.
    Nothing,
}

impl Because {
    /// The name used by `explain sections`.
    pub fn name(self) -> &'static str {
        match self {
            Because::Heading => "heading",
            Because::Inherited => "inherited",
            Because::Label => "label",
            Because::Nothing => "none",
        }
    }
}

/// Where a block stands.
#[derive(Clone, Debug)]
pub struct Place {
    /// Number of the section, counted from 0 at the top of the document.
    pub section: usize,
    /// The block that is the section's heading.
    pub heading: Option<usize>,
    /// What the block is for.
    pub role: Option<Role>,
    /// Why.
    pub because: Because,
    /// True where the block is itself a heading.
    pub is_heading: bool,
    /// The label's range in the block's text, with its colon, where a label gave the role.
    pub label: Option<Range<usize>>,
}

struct Open {
    level: u8,
    block: usize,
    role: Option<Role>,
    direct: bool,
}

/// Places every block.
pub fn place(document: &Document, lexicon: &Lexicon) -> Vec<Place> {
    let mut out: Vec<Place> = Vec::with_capacity(document.blocks.len());
    let mut stack: Vec<Open> = Vec::new();
    let mut section = 0;
    let mut named = false;
    let mut label_parent: Option<(u8, Role)> = None;
    let title = title_block(document);
    for (n, block) in document.blocks.iter().enumerate() {
        if let Some(level) = heading_level(document, n, lexicon) {
            while stack.last().is_some_and(|o| o.level >= level) {
                stack.pop();
            }
            let own = match heading_role(block, lexicon, Some(n) == title) {
                // what sums up at the top of a document is its summary, not what was learned
                Some(Role::Lessons) if !named && n * 4 < document.blocks.len() => Some(Role::Summary),
                other => other,
            };
            named |= own.is_some();
            let parent = stack.iter().rev().find_map(|o| o.role);
            let role = combine(own, parent);
            stack.push(Open { level, block: n, role, direct: own.is_some() });
            section += 1;
            label_parent = None;
            let because = if own.is_some() { Because::Heading } else { Because::Inherited };
            out.push(Place { section, heading: Some(n), role, because, is_heading: true, label: None });
            continue;
        }
        let open = stack.last();
        let mut place = Place {
            section,
            heading: open.map(|o| o.block),
            role: open.and_then(|o| o.role),
            because: match open {
                Some(o) if o.role.is_some() => {
                    if o.direct {
                        Because::Heading
                    } else {
                        Because::Inherited
                    }
                }
                _ => Because::Nothing,
            },
            is_heading: false,
            label: None,
        };
        // the head of a mail tells nothing of what happened
        if is_mail_head(document, n) {
            place.role = Some(Role::Appendix);
            place.because = Because::Label;
            out.push(place);
            continue;
        }
        let depth = if let Kind::Item { depth, .. } = block.kind { Some(depth) } else { None };
        match label_of(block, lexicon) {
            Some((range, role)) => {
                let alone = block.text.as_str()[range.end..].trim().is_empty();
                place.role = Some(combine(Some(role), place.role).unwrap_or(role));
                place.because = Because::Label;
                place.label = Some(range);
                // what is nested below a labelled item, or listed below a label that stands alone, belongs to it
                label_parent = match depth {
                    Some(d) => Some((d, role)),
                    None if alone => Some((u8::MAX, role)),
                    None => None,
                };
            }
            None => match (depth, label_parent) {
                (Some(d), Some((p, role))) if p == u8::MAX || d > p => {
                    place.role = Some(role);
                    place.because = Because::Label;
                }
                _ => label_parent = None,
            },
        }
        out.push(place);
    }
    out
}

/// Names of fields in the head of a mail, as the protocol has them.
const MAIL: [&str; 9] = ["from", "to", "cc", "bcc", "date", "subject", "reply-to", "message-id", "in-reply-to"];

/// True for a part of a mail's head: fields of it, beside others of them, with a sender among them and a subject or date.
fn is_mail_head(document: &Document, n: usize) -> bool {
    let name = |line: &str| {
        let at = line.bytes().take(13).position(|b| b == b':')?;
        let name = line[..at].trim();
        MAIL.iter().find(|m| m.eq_ignore_ascii_case(name))
    };
    let fields = |n: usize| -> Option<Vec<&'static str>> {
        let block = document.blocks.get(n).filter(|b| matches!(b.kind, Kind::Paragraph | Kind::Note))?;
        let text = block.text.as_str();
        name(text)?;
        text.lines().take(12).map(|line| name(line).copied()).collect()
    };
    let Some(own) = fields(n) else { return false };
    let before = (n.saturating_sub(5)..n).rev().map_while(fields);
    let after = (n + 1..n + 6).map_while(fields);
    let names: Vec<&str> = own.into_iter().chain(before.flatten()).chain(after.flatten()).collect();
    names.contains(&"from") && (names.contains(&"subject") || names.contains(&"date"))
}

/// What becomes of a heading's own role below another.
fn combine(own: Option<Role>, parent: Option<Role>) -> Option<Role> {
    use Role::*;
    match (parent, own) {
        (Some(p @ (Remediation | Prevention)), Some(o)) => match o {
            Timeline | Appendix | Verification | RootCause | Trigger | Contributing | Lessons | LessonsWell | LessonsWrong
            | LessonsLucky => Some(o),
            _ => Some(if matches!(o, Prevention | Remediation) { o } else { p }),
        },
        (Some(Timeline), Some(Detection | Summary | Trigger | RootCause | Impact | Resolution)) => Some(Timeline),
        (Some(Appendix), Some(Background | Summary)) => Some(Appendix),
        (p, None) => p,
        (_, o) => o,
    }
}

/// The block that carries the title: the first heading, if it opens the document.
pub fn title_block(document: &Document) -> Option<usize> {
    let first = document.blocks.iter().position(|b| matches!(b.kind, Kind::Heading { .. }))?;
    let Kind::Heading { level, certainty } = document.blocks[first].kind else { return None };
    let lone = document
        .blocks
        .iter()
        .filter(|b| matches!(b.kind, Kind::Heading { level: l, certainty: Certainty::Certain } if l <= level))
        .count()
        <= 1;
    (first == 0 || (level == 1 && certainty == Certainty::Certain) || (first < 3 && lone)).then_some(first)
}

fn heading_role(block: &Block, lexicon: &Lexicon, is_title: bool) -> Option<Role> {
    let found = lexicon.role(block.text.as_str())?;
    // a title is about everything; only when it is nothing but the word itself does it name a section
    if is_title && found.fit != Fit::Exact { None } else { Some(found.value) }
}

/// True for a line of several words that ends in a colon right above code.
fn leads_to_code(document: &Document, n: usize) -> bool {
    let text = document.blocks[n].text.as_str();
    let long = text.split_whitespace().count() >= 4 || text.chars().filter(|c| *c as u32 >= 0x2E80).count() >= 8;
    long && text.trim_end().ends_with([':', '：']) && document.blocks.get(n + 1).is_some_and(|b| b.kind == Kind::Code)
}

/// The level of a block that is taken for a heading.
fn heading_level(document: &Document, n: usize, lexicon: &Lexicon) -> Option<u8> {
    let block = &document.blocks[n];
    let Kind::Heading { level, certainty } = block.kind else { return label_heading(document, n, lexicon) };
    let text = block.text.as_str();
    match certainty {
        Certainty::Certain => Some(level),
        Certainty::Likely if level == 1 && lexicon.role(text).is_some_and(|r| r.fit == Fit::Exact) => Some(6),
        // a sentence that leads to the code below it
        Certainty::Likely if leads_to_code(document, n) && lexicon.role(text).is_none_or(|r| r.fit == Fit::Within) => None,
        Certainty::Likely => Some(level),
        Certainty::Maybe => {
            let role = lexicon.role(text);
            let words = text.split_whitespace().count();
            let follows = document.blocks.get(n + 1).is_some_and(|b| !matches!(b.kind, Kind::Heading { certainty: Certainty::Maybe, .. }));
            let strong = role.is_some_and(|r| r.fit == Fit::Exact || (r.fit == Fit::Opens && words <= 6));
            // a first line that is a section's name is a section like the others, not the title above them
            let level = if role.is_some_and(|r| r.fit == Fit::Exact) { 6 } else { level };
            (strong || (follows && words <= 9 && text.chars().count() <= 60)).then_some(level)
        }
    }
}

/// A short line of its own that opens with a section's name and a colon (`Fix: drain the queue before the restart`) is that section's heading.
fn label_heading(document: &Document, n: usize, lexicon: &Lexicon) -> Option<u8> {
    let block = &document.blocks[n];
    let text = block.text.as_str();
    let alone = block.kind == Kind::Paragraph
        && block.gap
        && document.blocks.get(n + 1).is_some_and(|b| b.gap && b.kind == Kind::Paragraph && b.text.len() > text.len());
    if !alone || text.chars().count() > 80 || text.ends_with(['.', '!', '?', '。', '！', '？', ':', '：', ';']) {
        return None;
    }
    let (label, rest) = text.split_once([':', '：'])?;
    let words = rest.split_whitespace().count();
    // what describes the document itself (`Status: draft, do not share`) is a field, and no section hangs below it
    let named = lexicon.role(label).is_some_and(|f| f.fit == Fit::Exact && f.value != Role::Appendix);
    (named && (2..=10).contains(&words) && !rest.chars().any(|c| c.is_ascii_digit())).then_some(6)
}

/// A label at the head of a block: a short phrase before a colon (or in bold) that is exactly a role's.
fn label_of(block: &Block, lexicon: &Lexicon) -> Option<(Range<usize>, Role)> {
    if matches!(block.kind, Kind::Code | Kind::Rule | Kind::Heading { .. }) {
        return None;
    }
    if let Kind::Row { cells, .. } = &block.kind {
        // a table of two columns whose first cell is a label
        if cells.len() != 2 {
            return None;
        }
        let head = cells[0].as_str();
        let found = lexicon.role(head).filter(|f| f.fit == Fit::Exact)?;
        return Some((0..head.len().min(block.text.len()), found.value));
    }
    let text = block.text.as_str();
    let range = label_range(block)?;
    let label = text[range.clone()].trim_end_matches(|c: char| c == ':' || c == '：' || c.is_whitespace());
    let found = lexicon.role(label)?;
    let bold = block.marks.iter().any(|(r, m)| *m == Mark::Strong && r.start <= 2 && r.end + 3 >= range.start + label.len());
    (found.fit == Fit::Exact || (bold && found.fit == Fit::Opens)).then_some((range, found.value))
}

/// The range of a label before a colon (or of bold text at the head, followed by a dash or a colon).
pub fn label_range(block: &Block) -> Option<Range<usize>> {
    let text = block.text.as_str();
    let colon = text.char_indices().take(64).find(|(_, c)| matches!(c, ':' | '：'));
    if let Some((i, c)) = colon {
        let end = i + c.len_utf8();
        let label = &text[..i];
        let next = text[end..].chars().next();
        let plain = label.split_whitespace().count() <= 7 && !label.contains(['.', '。', ',', '，', '!', '?']);
        let digits = label.chars().next_back().is_some_and(|c| c.is_ascii_digit()) && next.is_some_and(|c| c.is_ascii_digit());
        if plain
            && !digits
            && (c == '：' || next.is_none_or(char::is_whitespace) || block.marks.iter().any(|(r, m)| *m == Mark::Strong && r.start == 0))
        {
            return Some(0..end);
        }
    }
    let bold = block.marks.iter().find(|(r, m)| *m == Mark::Strong && r.start == 0)?;
    let rest = text[bold.0.end..].trim_start();
    rest.starts_with(['-', '–', '—', '.', '。']).then_some(0..bold.0.end)
}
