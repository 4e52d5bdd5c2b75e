//! Headings that no markup tells: underlined, in capitals, numbered, adorned, short and alone.

use super::super::Certainty;
use super::super::shapes;
use super::Reader;
use std::ops::Range;

/// A heading or a proposal for one.
pub(super) struct Found {
    /// Its text in the decoded text.
    pub text: Range<usize>,
    pub level: u8,
    pub certainty: Certainty,
    /// The line after it, and after what underlines it.
    pub next: usize,
}

impl Reader<'_> {
    /// The heading that stands at line `i`. `first` is true for the first line that says something.
    pub(super) fn heading(&self, i: usize, first: bool) -> Option<Found> {
        let line = &self.lines[i];
        let text = &self.text[line.text.clone()];
        if text.len() > 400 {
            return None;
        }
        let at = |text: Range<usize>, level, certainty, next| Some(Found { text, level, certainty, next });
        let follows = self.next_said(i + 1).is_some();
        if let Some(c) = self.lines.get(i + 1).and_then(|_| self.rule_char(i + 1))
            && matches!(c, '=' | '-' | '~' | '^' | '*' | '#' | '─' | '═' | '━' | '‾')
            && self.rule_char(i).is_none()
            && (i == 0 || !self.said_before(i))
            && text.chars().count() <= 100
            && !(c == '-' && shapes::ends_sentence(text) && !shapes::is_short(text))
            && shapes::bullet(text).is_none_or(|b| b.ordered)
        {
            let level = match c {
                '=' | '═' | '━' | '#' | '*' => 1,
                '-' | '─' => 2,
                _ => 3,
            };
            return at(line.text.clone(), level, Certainty::Certain, i + 2);
        }
        let alone = self.lines.get(i + 1).is_none_or(|l| l.is_blank() || l.quote != line.quote || self.rule_char(i + 1).is_some());
        if let Some(inner) = adorned(text) {
            let (from, to) = inner;
            let hashes = text.bytes().take_while(|b| matches!(b, b'#' | b'=')).count();
            let level = if first {
                1
            } else if (1..=6).contains(&hashes) {
                hashes as u8
            } else {
                6
            };
            let said = &text[from..to];
            if follows && shapes::is_short(said) && (to < text.len() || !self.has_twin(i)) {
                return at(line.text.start + from..line.text.start + to, level, Certainty::Likely, i + 1);
            }
        }
        let level = if first { 1 } else { 6 };
        let fits = shapes::is_short(text) || (first && text.chars().count() <= 120 && text.split_whitespace().count() <= 18);
        if !fits {
            return None;
        }
        let stamped = shapes::opens_with_stamp(text);
        // a title may open with its date; a first line of a log may not
        if stamped && !(first && alone && shapes::starts_with_date(text) && text.chars().filter(|c| c.is_alphabetic()).count() >= 6) {
            return None;
        }
        if !follows || self.continues(i) {
            return None;
        }
        if let Some(b) = shapes::bullet(text) {
            return (b.ordered && self.is_numbered_heading(i, alone)).then(|| Found {
                text: line.text.clone(),
                level,
                certainty: Certainty::Likely,
                next: i + 1,
            });
        }
        if sub_numbered(text) && !shapes::ends_sentence(text) {
            return at(line.text.clone(), level, Certainty::Likely, i + 1);
        }
        if shapes::ends_in_colon(text) {
            return at(line.text.clone(), level, Certainty::Likely, i + 1);
        }
        if shapes::ends_sentence(text)
            && !(first && alone && !text.ends_with(['.', '。', ',']))
            && !(alone && text.ends_with(['?', '？', '؟']) && shapes::is_short(text))
        {
            return None;
        }
        let label = shapes::is_label(text);
        if shapes::is_capitals(text) && !label {
            return at(line.text.clone(), level, Certainty::Likely, i + 1);
        }
        if (self.said_before(i) && !self.closed_before(i)) || (label && !(first && alone)) || line.indent >= 8 && !first {
            return None;
        }
        if !text.chars().any(char::is_alphabetic) {
            return None;
        }
        if first {
            let next_label = self.lines.get(i + 1).is_some_and(|l| !l.is_blank() && self.wrap.joins(self.text, line, l));
            return if next_label { None } else { at(line.text.clone(), 1, Certainty::Maybe, i + 1) };
        }
        let next = &self.lines[self.next_said(i + 1)?];
        let said = &self.text[next.text.clone()];
        let longer =
            next.width > line.width || shapes::bullet(said).is_some() || shapes::opens_with_stamp(said) || said.contains(['|', '\t']);
        let alone = alone && !self.said_before(i);
        let fits =
            if alone { longer } else { text.chars().count() <= 40 && (next.width * 2 > line.width * 3 || shapes::ends_sentence(said)) };
        if fits { at(line.text.clone(), 6, Certainty::Maybe, i + 1) } else { None }
    }

    /// The next line that is not blank.
    pub(super) fn next_said(&self, from: usize) -> Option<usize> {
        (from..self.lines.len().min(from + 20)).find(|&n| !self.lines[n].is_blank())
    }

    /// True where the line above says something (a rule says nothing).
    fn said_before(&self, i: usize) -> bool {
        i > 0 && !self.lines[i - 1].is_blank() && self.lines[i - 1].quote == self.lines[i].quote && self.rule_char(i - 1).is_none()
    }

    /// True where each line is a paragraph of its own and the one above has said its say: it ends a sentence, or it is an item.
    /// Of two short lines one below the other the second may be a heading below the first.
    fn closed_before(&self, i: usize) -> bool {
        let closed = |n: usize| {
            let before = &self.text[self.lines[n].text.clone()];
            shapes::ends_sentence(before) || shapes::bullet(before).is_some()
        };
        let before = &self.text[self.lines[i - 1].text.clone()];
        closed(i - 1) || (i >= 2 && before.chars().count() <= 40 && (self.lines[i - 2].is_blank() || closed(i - 2)))
    }

    /// True where the line goes on with the one above.
    fn continues(&self, i: usize) -> bool {
        self.said_before(i) && (self.wrap.joins(self.text, &self.lines[i - 1], &self.lines[i]) || self.wrap.is_full(&self.lines[i - 1]))
    }

    /// True where another line near by begins with the same adornment, no text between them: then they are items.
    fn has_twin(&self, i: usize) -> bool {
        let mark = self.text[self.lines[i].text.clone()].chars().next();
        let same = |n: usize| self.text[self.lines[n].text.clone()].chars().next() == mark;
        self.next_said(i + 1).is_some_and(same) || (i > 0 && !self.lines[i - 1].is_blank() && same(i - 1))
    }

    /// True where a numbered line is a heading: short, no sentence, and what follows is neither its sibling nor its continuation.
    fn is_numbered_heading(&self, i: usize, alone: bool) -> bool {
        let line = &self.lines[i];
        let text = &self.text[line.text.clone()];
        let Some(bullet) = shapes::bullet(text) else { return false };
        if shapes::ends_sentence(text) || !shapes::is_short(text) || line.indent > 3 {
            return false;
        }
        if text[bullet.len..].split_whitespace().count() > 7 || self.said_before(i) {
            return false;
        }
        let Some(next) = self.next_said(i + 1) else { return false };
        let said = &self.text[self.lines[next].text.clone()];
        if let Some(b) = shapes::bullet(said) {
            return !b.ordered
                || (b.number == Some(1) && bullet.number != Some(0) && next > i + 1)
                || self.lines[next].indent > line.indent;
        }
        // its own wrapped text is indented, and below a long line
        alone || (self.lines[next].indent <= line.indent && (self.lines[next].width * 2 > line.width * 3 || shapes::ends_sentence(said)))
    }
}

/// What an adorned line says: `== Impact ==`, `【影響】`, `■ 影響`, `[Impact]`, `## Impact`, `*Impact*`.
fn adorned(text: &str) -> Option<(usize, usize)> {
    const PAIRS: [(&str, &str); 10] = [
        ("【", "】"),
        ("［", "］"),
        ("〔", "〕"),
        ("《", "》"),
        ("＜", "＞"),
        ("<", ">"),
        ("[", "]"),
        ("**", "**"),
        ("__", "__"),
        ("*", "*"),
    ];
    for (open, close) in PAIRS {
        if let Some(inner) = text.strip_prefix(open).and_then(|t| t.strip_suffix(close))
            && !inner.trim().is_empty()
            && !inner.contains(open)
            && !inner.contains(close)
            && inner.contains(char::is_alphabetic)
            && !shapes::opens_with_digit(inner)
            && !inner.starts_with(['/', '*'])
        {
            let inner_start = open.len() + inner.len() - inner.trim_start().len();
            return Some((inner_start, inner_start + inner.trim().len()));
        }
    }
    // signs before and perhaps behind: `=== x ===`, `--- x ---`, `## x`
    if let Some(sign) = text.chars().next().filter(|c| matches!(c, '=' | '-' | '#' | '~' | '*' | '─' | '━')) {
        let inner = text.trim_start_matches(sign);
        let count = (text.len() - inner.len()) / sign.len_utf8();
        let body = inner.trim_end_matches(sign);
        let framed = body.len() < inner.len() && count > 1;
        let said = body.trim();
        if inner.starts_with(' ') && said.contains(char::is_alphabetic) && (framed || (matches!(sign, '#' | '=') && count <= 6)) {
            let from = text.len() - inner.trim_start().len();
            return Some((from, from + said.len()));
        }
    }
    shapes::bullet(text).filter(|b| b.adorns && !shapes::ends_sentence(text)).map(|b| (b.len, text.len()))
}

/// `1.2 Impact`, `2.3. Impact`, `IV. Impact`.
fn sub_numbered(text: &str) -> bool {
    let Some((number, rest)) = text.split_once([' ', '\t', '\u{3000}']) else { return false };
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let figures =
        parts.len() >= 2 && parts.len() <= 5 && parts.iter().all(|p| (1..=2).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit()));
    let roman = number.ends_with('.')
        && (2..=5).contains(&number.len())
        && number.trim_end_matches('.').bytes().all(|b| matches!(b, b'I' | b'V' | b'X'));
    (figures || roman)
        && rest.trim_start().starts_with(|c: char| c.is_uppercase() || shapes::is_cjk(c) || (c.is_alphabetic() && !c.is_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adornments() {
        let said = |t: &str| adorned(t).map(|(a, b)| t[a..b].to_owned());
        assert_eq!(said("== Impact ==").as_deref(), Some("Impact"));
        assert_eq!(said("【影響】").as_deref(), Some("影響"));
        assert_eq!(said("■ 影響").as_deref(), Some("影響"));
        assert_eq!(said("*Причина*").as_deref(), Some("Причина"));
        assert_eq!(said("[14:03]"), None);
        assert_eq!(said("- one"), None);
        assert!(sub_numbered("1.2 Impact") && sub_numbered("IV. Cause") && !sub_numbered("1.5 million") && !sub_numbered("3.2.1 is out"));
    }
}
