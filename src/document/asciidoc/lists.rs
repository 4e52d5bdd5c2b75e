//! Lists of AsciiDoc: by signs that deepen them, and descriptions of terms.

use super::super::shapes;
use super::inline::{self, Adoc};
use super::{Reader, attribute, is_table};

impl Reader<'_> {
    /// The sign of a list item at a line: the sign, its bytes with the blanks after it, whether it counts.
    pub(super) fn marker(&self, i: usize) -> Option<(String, usize, bool)> {
        let said = self.said(i);
        let c = said.chars().next()?;
        let n = said.chars().take_while(|d| *d == c).count();
        let blank = |at: usize| said[at..].len() - said[at..].trim_start_matches([' ', '\t']).len();
        match c {
            '*' | '.' if n <= 6 && blank(n) > 0 => Some((said[..n].to_owned(), n + blank(n), c == '.')),
            '-' if n == 1 && blank(1) > 0 => Some(("-".into(), 1 + blank(1), false)),
            '<' => {
                let close = said.find("> ").filter(|k| said[1..*k].bytes().all(|b| b.is_ascii_digit() || b == b'.') && *k > 1)?;
                Some(("<".into(), close + 2, true))
            }
            _ => shapes::bullet(said)
                .filter(|b| b.ordered || !b.adorns)
                .map(|b| (if b.ordered { "1" } else { "•" }.into(), b.len, b.ordered)),
        }
    }

    /// `term:: text`: the bytes of the term, and where its text begins.
    fn described(&self, i: usize) -> Option<(usize, usize, String)> {
        let said = self.said(i);
        for sign in ["::::", ":::", "::", ";;"] {
            if let Some(n) = said.find(sign).filter(|n| *n > 0 && *n <= 120) {
                let after = &said[n + sign.len()..];
                if (after.is_empty() || after.starts_with([' ', '\t'])) && !said[..n].ends_with(':') {
                    return Some((n, n + sign.len(), sign.to_owned()));
                }
            }
        }
        None
    }

    fn depth_of(&mut self, mark: &str) -> u8 {
        match self.lists.iter().position(|m| m == mark) {
            Some(n) => self.lists.truncate(n + 1),
            None => self.lists.push(mark.to_owned()),
        }
        u8::try_from(self.lists.len() - 1).unwrap_or(u8::MAX)
    }

    /// Where the text that begins at line `i` ends: at a blank line or another block.
    pub(super) fn text_end(&self, i: usize, end: usize) -> usize {
        (i + 1..end)
            .find(|&n| {
                let said = self.said(n);
                said.is_empty() || said == "+" || self.marker(n).is_some() || self.described(n).is_some() || self.is_boundary(n)
            })
            .unwrap_or(end)
    }

    fn is_boundary(&self, n: usize) -> bool {
        let said = self.said(n);
        let c = said.chars().next().unwrap_or(' ');
        is_table(said).is_some()
            || said.starts_with("```")
            || (said.len() >= 4 && matches!(c, '-' | '.' | '=' | '*' | '_' | '+' | '/') && said.chars().all(|d| d == c))
            || (said.starts_with('[')
                && said.ends_with(']')
                && said[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '%' | '.' | '[' | '#'))
                && !said.contains(' '))
            || (said.starts_with("//") && !said.starts_with("///"))
            || attribute(said).is_some()
    }

    pub(super) fn list(&mut self, i: usize, end: usize) -> Option<usize> {
        let line = self.lines[i].text.clone();
        if let Some((mark, len, ordered)) = self.marker(i) {
            let next = self.text_end(i, end);
            let mut from = (line.start + len).min(line.end);
            let (check, boxed) = shapes::check_box(&self.w.text[from..line.end]).map_or((None, 0), |(ticked, n)| (Some(ticked), n));
            from += boxed;
            let depth = self.depth_of(&mark);
            let range = from..self.lines[next - 1].text.end.max(from);
            self.w.item(depth, ordered, check, range.clone(), line.start..range.end, &Adoc);
            return Some(next);
        }
        let (term, after, mark) = self.described(i)?;
        let depth = self.depth_of(&mark);
        let next = self.text_end(i, end);
        let text_end = self.lines[next - 1].text.end;
        if self.w.text[line.start + after..text_end].trim().is_empty() {
            self.w.term(line.start..line.start + term, &Adoc);
        } else {
            // term and text are one line to read
            let colon = inline::Termed { at: line.start + term, end: line.start + after };
            self.w.paragraph(line.start..text_end, line.start..text_end, depth, &colon);
        }
        Some(next)
    }
}
