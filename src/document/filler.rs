//! Text that tells nothing of what happened: a template's prompts left standing above the answers, placeholders nobody filled in, the marks of a merge
//! that was not finished. It is told as [`Kind::Filler`], so that nothing is read out of it, and what was left unfilled is named to the author.
//!
//! All of it is told by shape and by repetition: one slanted sentence below a heading may be meant, one below each heading is the template's.

use super::{Block, Certainty, Document, Kind, Mark, shapes};
use crate::diag::{Diagnostic, Severity};
use crate::text::{Source, Span};
use std::ops::Range;

/// So many sections must begin alike before their beginnings are prompts.
const SECTIONS: usize = 3;
/// So many of them must have something else below, the answer.
const ANSWERED: usize = 2;
/// Of one document's places no more are named.
const TOLD: usize = 20;

/// Marks filler in a document that was read.
pub(super) fn mark(document: &mut Document) {
    for style in [Style::Slanted, Style::Quoted, Style::Bracketed] {
        prompts(document, style);
    }
    for block in &mut document.blocks {
        if is_unfilled(block) {
            block.kind = Kind::Filler;
        }
    }
    let spans = unfilled(&document.blocks);
    if !spans.is_empty() {
        document.diagnostics.push(
            Diagnostic::note("unfilled", "Parts of the template were left unfilled.", spans)
                .hint("Fill them in, or take them out; nothing was read from them."),
        );
    }
}

/// How prompts are set apart from answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Slanted,
    Quoted,
    Bracketed,
}

impl Style {
    /// How many bytes at the head of a block are set so.
    fn reach(self, block: &Block) -> usize {
        let text = block.text.as_str();
        if !matches!(block.kind, Kind::Paragraph | Kind::Note) && !(self == Style::Bracketed && matches!(block.kind, Kind::Item { .. })) {
            return 0;
        }
        match self {
            Style::Slanted => {
                let mut reached = 0;
                for (r, _) in block.marks.iter().filter(|(_, m)| *m == Mark::Emphasis) {
                    if text[reached..r.start.max(reached)].trim().is_empty() {
                        reached = reached.max(r.end);
                    }
                }
                let tail = &text[reached..];
                if tail.trim_matches(|c: char| !c.is_alphanumeric()).is_empty() { text.len() * usize::from(reached > 0) } else { reached }
            }
            Style::Quoted => text.len() * usize::from(block.quote > 0),
            Style::Bracketed => {
                text.len() * usize::from(is_bracketed(text) && !block.marks.iter().any(|(_, m)| matches!(m, Mark::Link(_))))
            }
        }
    }
}

/// True for text in brackets as a whole that says more than a word, and no figure.
fn is_bracketed(text: &str) -> bool {
    const PAIRS: [(char, char); 8] =
        [('[', ']'), ('(', ')'), ('{', '}'), ('<', '>'), ('【', '】'), ('（', '）'), ('［', '］'), ('＜', '＞')];
    let text = text.trim().trim_end_matches(['.', '。']);
    PAIRS.iter().any(|(open, close)| {
        text.strip_prefix(*open)
            .and_then(|t| t.strip_suffix(*close))
            .is_some_and(|t| !t.contains([*open, *close]) && t.chars().count() >= 6 && !t.contains(shapes::is_digit))
    })
}

/// True for what a prompt can be: a sentence or two without a stamp.
fn asks(text: &str) -> bool {
    let long = if shapes::mostly_cjk(text) { text.chars().count() >= 6 } else { text.split_whitespace().count() >= 3 };
    long && text.len() <= 1500 && !shapes::opens_with_stamp(text) && text.chars().filter(|c| shapes::is_digit(*c)).count() <= 4
}

fn is_heading(block: &Block) -> bool {
    matches!(block.kind, Kind::Heading { certainty, .. } if certainty >= Certainty::Likely)
}

/// Tells the beginnings of sections as prompts where enough of them are set in a style and answers stand below.
fn prompts(document: &mut Document, style: Style) {
    let blocks = &document.blocks;
    let mut found: Vec<(usize, usize)> = Vec::new();
    let (mut sections, mut begun, mut answered) = (0usize, 0usize, 0usize);
    let heads: Vec<usize> = (0..blocks.len()).filter(|&i| is_heading(&blocks[i])).collect();
    for (n, &head) in heads.iter().enumerate() {
        let end = heads.get(n + 1).copied().unwrap_or(blocks.len());
        if head + 1 >= end {
            continue;
        }
        sections += 1;
        let mut at = head + 1;
        let mut split = false;
        while at < end && !split {
            let reach = style.reach(&blocks[at]);
            let text = blocks[at].text.as_str();
            if reach == 0 || !asks(&text[..reach]) {
                break;
            }
            split = reach < text.len();
            // a slanted word that begins a sentence is none
            if split && !shapes::ends_sentence(&text[..reach]) {
                split = false;
                break;
            }
            found.push((at, reach));
            at += 1;
        }
        begun += usize::from(at > head + 1);
        answered += usize::from(at > head + 1 && (at < end || split));
    }
    if begun < SECTIONS || begun * 2 < sections || answered < ANSWERED {
        return;
    }
    for &(at, reach) in found.iter().rev() {
        let block = &mut document.blocks[at];
        if reach < block.text.len() {
            let answer = rest(block, reach);
            *block = part(block, 0..reach);
            document.blocks.insert(at + 1, answer);
        }
        document.blocks[at].kind = Kind::Filler;
    }
}

fn part(block: &Block, range: Range<usize>) -> Block {
    let marks = block
        .marks
        .iter()
        .filter(|(r, _)| r.start < range.end && r.end > range.start)
        .map(|(r, m)| (r.start.max(range.start) - range.start..r.end.min(range.end) - range.start, m.clone()));
    let text = block.text.slice(range.clone());
    Block { span: text.whole(), marks: marks.collect(), text, kind: block.kind.clone(), lang: block.lang.clone(), ..*block }
}

fn rest(block: &Block, from: usize) -> Block {
    let text = block.text.as_str();
    let from = text.len() - text[from..].trim_start().len();
    let out = part(block, from..text.len());
    Block { span: Span::new(out.span.start, block.span.end), gap: false, ..out }
}

/// True for a block that holds nothing but placeholders, its label aside.
fn is_unfilled(block: &Block) -> bool {
    let text = block.text.as_str();
    match &block.kind {
        Kind::Row { header: false, cells, .. } => {
            let said: Vec<&str> = cells.iter().map(|c| c.as_str().trim()).filter(|c| !c.is_empty()).collect();
            !said.is_empty() && said.iter().all(|c| is_placeholder(c))
        }
        Kind::Paragraph | Kind::Item { .. } | Kind::Note if text.len() <= 300 => {
            let value = if shapes::is_label(text) { text.split_once([':', '：']).map_or(text, |(_, v)| v) } else { text };
            is_placeholder(value)
        }
        _ => false,
    }
}

/// True where every word only holds a place: `TBD`, `YYYY-MM-DD HH:MM UTC`, `<name of the service>`, `____`.
fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    if text.len() >= 3 && text.chars().all(|c| matches!(c, '_' | '?' | '.' | '…' | '-' | '—')) {
        return true;
    }
    let text = text.trim_matches(['*', '_', '`', '"']).trim();
    let inner = text.trim_matches(['[', ']', '(', ')', '.', '!', '［', '］', '（', '）']);
    if let Some(name) = text.strip_prefix('<').and_then(|t| t.strip_suffix('>')) {
        return name.chars().any(char::is_alphabetic)
            && !name.contains(['<', '>', '@', '=', '"'])
            && !name.contains("://")
            && !name.starts_with(['/', '!'])
            && !name.contains(|c: char| shapes::is_digit(c));
    }
    if text.starts_with("{{") && text.ends_with("}}") && !text[2..].contains("{{") {
        return true;
    }
    let mut held = false;
    for word in inner.split([' ', '\t', '\n', '~', '–', '|']).filter(|w| !w.is_empty()) {
        let named = word.len() > 3 && word.starts_with('<') && word.ends_with('>');
        if named || is_holder(word) || is_mask(word) {
            held = true;
        } else if !matches!(word, "-" | "—" | "UTC" | "to" | "GMT" | "/" | "→") {
            return false;
        }
    }
    held
}

/// Signs that stand where something is still to be written, in whatever language the text is.
fn is_holder(word: &str) -> bool {
    const HOLDERS: [&str; 8] = ["tbd", "tba", "tbc", "todo", "fixme", "xxx", "t.b.d", "tk"];
    let word = word.trim_matches([',', ';', ':', '.', '…']);
    HOLDERS.iter().any(|h| word.eq_ignore_ascii_case(h)) && word.chars().all(|c| !c.is_lowercase() || word.len() > 2)
        || (word.len() >= 2 && (word.bytes().all(|b| b == b'?') || word.bytes().all(|b| b == b'_')))
}

/// A date or a clock by its letters: `YYYY-MM-DD`, `hh:mm`, `XX:XX`, `YYYY-MM-DDTHH:MMZ`.
fn is_mask(word: &str) -> bool {
    const SIGNS: [char; 4] = ['-', '/', '.', ':'];
    let bytes = word.as_bytes();
    let run = |i: usize| bytes[i..].iter().take_while(|b| **b == bytes[i]).count();
    let mut at = 0;
    let mut letters = 0;
    while at < bytes.len() {
        let n = run(at);
        match bytes[at].to_ascii_lowercase() {
            b'y' | b'm' | b'd' | b'h' | b's' | b'x' if (2..=4).contains(&n) => letters += n,
            b't' | b'z' if n == 1 => {}
            b'-' | b'/' | b'.' | b':' if n == 1 => {}
            _ => return false,
        }
        at += n;
    }
    letters >= 4 && word.contains(SIGNS) && !word.starts_with(SIGNS) && !word.ends_with(SIGNS)
}

/// The places where nothing but filler stands below a heading, or behind a label.
fn unfilled(blocks: &[Block]) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    let heads: Vec<usize> = (0..blocks.len()).filter(|&i| is_heading(&blocks[i])).collect();
    let bounds = std::iter::once(0..heads.first().copied().unwrap_or(blocks.len()))
        .chain(heads.iter().enumerate().map(|(n, &h)| h + 1..heads.get(n + 1).copied().unwrap_or(blocks.len())));
    for range in bounds {
        let section = &blocks[range];
        let empty = section.iter().all(|b| matches!(b.kind, Kind::Filler | Kind::Rule) || matches!(b.kind, Kind::Row { header: true, .. }));
        let fillers = section.iter().filter(|b| b.kind == Kind::Filler);
        // a prompt above its answer is no fault; a placeholder is one anywhere
        out.extend(fillers.filter(|b| empty || is_unfilled(&Block { kind: Kind::Paragraph, ..(*b).clone() })).map(|b| b.span));
    }
    out.retain(|s| !s.is_empty());
    out.truncate(TOLD);
    out
}

/// The lines that mark where two versions of a text were not merged; none where they do not belong together.
pub(super) fn conflicts(text: &str) -> Vec<Range<usize>> {
    if !text.contains("<<<<<<< ") || !text.contains(">>>>>>>") {
        return Vec::new();
    }
    let mut out = Vec::new();
    // lines of the conflict that is open
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at += line.len();
        let said = line.trim_end();
        if said.starts_with("<<<<<<< ") {
            open = vec![range];
        } else if !open.is_empty() && (said == "=======" || said.starts_with("||||||| ")) {
            open.push(range);
        } else if open.len() >= 2 && (said.starts_with(">>>>>>> ") || said == ">>>>>>>") {
            open.push(range);
            out.append(&mut open);
        }
    }
    out
}

/// A source without the marks of unfinished merges, and what is to be said of them.
pub(super) fn merged(source: &Source) -> Option<(Source, Diagnostic)> {
    let found = conflicts(source.text().as_str());
    let first = found.first()?;
    let spans = vec![source.text().span(first.start..first.end)];
    let told = Diagnostic {
        severity: Severity::Error,
        ..Diagnostic::warning("merge-conflict", "A merge was not finished: the text holds two versions.", spans)
    }
    .hint("Both were read; keep one and take the marks out.");
    Some((source.without(&found), told))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{expect, read, shape};
    use super::*;

    #[test]
    fn prompts_of_a_template_are_no_text() {
        let (d, _) = expect(
            "a.md",
            "# Outage\n\n## Impact\n\n*Say who was affected.*\n\nAll of them.\n\n## Cause\n\n*What broke, and why?*\nA full disk.\n\n## Actions\n\n*List what will be done.*\n\n- Rotate logs\n\n## Lessons\n\n*What did we learn?*\n",
            &[
                "h1 Outage",
                "h2 Impact",
                "filler Say who was affected.",
                "p All of them.",
                "h2 Cause",
                "filler What broke, and why?",
                "p A full disk.",
                "h2 Actions",
                "filler List what will be done.",
                "i0 Rotate logs",
                "h2 Lessons",
                "filler What did we learn?",
            ],
        );
        let told: Vec<_> = d.diagnostics.iter().filter(|d| d.code == "unfilled").collect();
        assert_eq!((told.len(), told[0].spans.len()), (1, 1));
    }

    #[test]
    fn one_slanted_sentence_is_meant() {
        let (d, _) = read(
            "a.md",
            "# Outage\n\n*All times are in UTC here.*\n\n## Impact\n\nAll of them.\n\n## Cause\n\n*Nobody knows it yet.*\n\nA disk.\n",
        );
        assert!(d.blocks.iter().all(|b| b.kind != Kind::Filler));
        // a text that is slanted throughout has no answers to tell prompts from
        let (d, _) = read("a.md", "## A\n\n*One is here now.*\n\n## B\n\n*Two is here now.*\n\n## C\n\n*Three is here now.*\n");
        assert!(d.blocks.iter().all(|b| b.kind != Kind::Filler));
    }

    #[test]
    fn placeholders() {
        for yes in ["TBD", "[TODO]", "YYYY-MM-DD HH:MM UTC", "<name of service>", "____", "???", "hh:mm", "{{ summary }}", "XX:XX"] {
            assert!(is_placeholder(yes), "{yes}");
        }
        for no in ["14:03", "TODO: add an alert", "<ana@x.example>", "restart", "", "-", "mm", "sys.dm.ss", "<!-- x -->", "2024-05-03"] {
            assert!(!is_placeholder(no), "{no}");
        }
        let (d, _) = read(
            "a.md",
            "# Outage\n\nRoot cause: TBD\n\n- [ ] TODO\n- Owner: Ana\n\n| Time | What |\n|---|---|\n| HH:MM | <event> |\n| 14:03 | down |\n",
        );
        assert_eq!(
            shape(&d),
            [
                "h1 Outage",
                "filler Root cause: TBD",
                "filler TODO",
                "i0 Owner: Ana",
                "r0h Time | What",
                "filler HH:MM | <event>",
                "r0 14:03 | down"
            ]
        );
        assert_eq!(d.diagnostics[0].spans.len(), 3);
    }

    #[test]
    fn marks_of_a_merge_are_left_out() {
        let (d, s) = expect(
            "a.md",
            "# Outage\n\n<<<<<<< HEAD\nIt was the disk.\n=======\nIt was the network.\n>>>>>>> fix/typo\n\nEnd.\n",
            &["h1 Outage", "p It was the disk. It was the network.", "p End."],
        );
        assert_eq!(d.diagnostics[0].code, "merge-conflict");
        assert_eq!(s.slice(d.blocks[2].span), "End.");
        assert!(conflicts("a <<<<<<< b\n=======\n").is_empty() && conflicts("<<<<<<< a\nb\n>>>>>>> c\n").is_empty());
    }
}
