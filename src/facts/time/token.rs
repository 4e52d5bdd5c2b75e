//! A block's text in pieces: numbers, calendar words, other words, marks.

use super::letters::{digit, ideographs, is_free, is_letter};
use super::words::{Sense, Unit, Words};
use crate::lang::{Folded, fold};
use std::ops::Range;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Digits: their value (0 where it does not fit) and how many there are.
    Number(u32, u8),
    /// A calendar word.
    Word(u32),
    /// Another word, or a letter of a script without spaces.
    Text,
    /// White space in a line.
    Space,
    /// A line break.
    Break,
    /// Any other character.
    Mark(char),
}

/// A piece and its bytes in the folded text.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A text cut into pieces, ready to be read.
pub struct Tokens<'a> {
    /// The text as it stands.
    pub original: &'a str,
    folded: Folded,
    /// The pieces.
    pub list: Vec<Token>,
    words: &'a Words,
}

impl<'a> Tokens<'a> {
    /// Cuts a text.
    pub fn new(original: &'a str, words: &'a Words) -> Tokens<'a> {
        let folded = fold(original, words.folding());
        let text = folded.text.as_str();
        let mut found = words.find(text).into_iter().peekable();
        let mut list = Vec::with_capacity(text.len() / 3 + 4);
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            while found.peek().is_some_and(|w| w.range.start < at) {
                found.next();
            }
            // numerals written out in ideographs, where a word of a clock or date follows at once
            if let Some((value, count, len)) = ideographs(&text[at..])
                && found.clone().any(|w| w.range.start == at + len)
                && found.clone().take_while(|w| w.range.start == at).all(|w| w.range.end <= at + len)
            {
                list.push(Token { kind: Kind::Number(value, count), start: at as u32, end: (at + len) as u32 });
                at += len;
                continue;
            }
            if let Some(w) = found.next_if(|w| w.range.start == at) {
                list.push(Token { kind: Kind::Word(w.entry), start: at as u32, end: w.range.end as u32 });
                at = w.range.end;
                continue;
            }
            let next = found.peek().map_or(text.len(), |w| w.range.start);
            let rest = &text[at..next.max(at + c.len_utf8())];
            let (kind, end) = if digit(c).is_some() {
                let end = at + run(rest, |d| digit(d).is_some());
                let count = text[at..end].chars().count();
                let value = if count > 9 { 0 } else { text[at..end].chars().filter_map(digit).fold(0u32, |n, d| n * 10 + u32::from(d)) };
                (Kind::Number(value, count.min(255) as u8), end)
            } else if c == '\n' || c == '\r' {
                (Kind::Break, at + 1)
            } else if c.is_whitespace() {
                (Kind::Space, at + run(rest, |d| d.is_whitespace() && d != '\n' && d != '\r'))
            } else if is_letter(c) {
                (Kind::Text, at + run(rest, is_letter))
            } else if is_free(c) {
                (Kind::Text, at + c.len_utf8())
            } else {
                (Kind::Mark(plain_mark(c)), at + c.len_utf8())
            };
            list.push(Token { kind, start: at as u32, end: end as u32 });
            at = end;
        }
        let mut tokens = Tokens { original, folded, list, words };
        tokens.count_eras();
        tokens
    }

    /// Makes one number of an era and its year (`令和6`, `R2`): the year of the common era.
    fn count_eras(&mut self) {
        let mut i = 0;
        while i + 1 < self.list.len() {
            let era = self.sense(i, |s| if let Sense::Era(n) = s { Some(n) } else { None });
            let Some(era) = era else {
                i += 1;
                continue;
            };
            let j = self.skip(i + 1);
            let year = self.number(j).filter(|(n, digits)| *digits <= 4 && *n > 0).map(|(n, _)| n).or((self.text(j) == "元").then_some(1));
            let common = year.and_then(|n| i32::try_from(n).ok()).map(|n| n + i32::from(era)).filter(|y| (1970..2100).contains(y));
            // a letter counts only where a date follows
            let letter = self.text(i).chars().count() == 1 && self.text(i).is_ascii();
            let dated = matches!(self.mark(j + 1), Some('.' | '/' | '-')) && self.number(j + 2).is_some()
                || self.means(self.skip(j + 1), Sense::DateYear);
            let sits = !letter
                || (j == i + 1
                    && dated
                    && (i == 0 || matches!(self.kind(i - 1), Some(Kind::Space | Kind::Break | Kind::Mark('(' | '[' | '|' | ':')))));
            if let Some(year) = common.filter(|_| sits) {
                self.list[i] = Token { kind: Kind::Number(year as u32, 4), start: self.list[i].start, end: self.list[j].end };
                self.list.drain(i + 1..=j);
            }
            i += 1;
        }
    }

    /// The words the text was cut with.
    pub fn words(&self) -> &Words {
        self.words
    }

    /// The piece at `i`.
    pub fn kind(&self, i: usize) -> Option<Kind> {
        self.list.get(i).map(|t| t.kind)
    }

    /// The number at `i`: value and how many digits.
    pub fn number(&self, i: usize) -> Option<(u32, u8)> {
        if let Some(Kind::Number(v, n)) = self.kind(i) { Some((v, n)) } else { None }
    }

    /// The number at `i`, of at least `least` and at most `most` digits.
    pub fn digits(&self, i: usize, least: u8, most: u8) -> Option<u32> {
        self.number(i).filter(|(_, n)| (least..=most).contains(n)).map(|(v, _)| v)
    }

    /// True where the mark `c` stands at `i`.
    pub fn is(&self, i: usize, c: char) -> bool {
        self.kind(i) == Some(Kind::Mark(c))
    }

    /// The mark at `i`.
    pub fn mark(&self, i: usize) -> Option<char> {
        if let Some(Kind::Mark(c)) = self.kind(i) { Some(c) } else { None }
    }

    /// True where the calendar word at `i` stands for `sense`.
    pub fn means(&self, i: usize, sense: Sense) -> bool {
        self.senses(i).contains(&sense)
    }

    /// What the calendar word at `i` may stand for.
    pub fn senses(&self, i: usize) -> &[Sense] {
        if let Some(Kind::Word(e)) = self.kind(i) { self.words.senses(e) } else { &[] }
    }

    /// The first sense of the word at `i` that `pick` takes.
    pub fn sense<T>(&self, i: usize, pick: impl Fn(Sense) -> Option<T>) -> Option<T> {
        self.senses(i).iter().find_map(|s| pick(*s))
    }

    /// The month named at `i`.
    pub fn month(&self, i: usize) -> Option<u8> {
        self.sense(i, |s| if let Sense::Month(m) = s { Some(m) } else { None })
    }

    /// The unit named at `i`.
    pub fn unit(&self, i: usize) -> Option<Unit> {
        self.sense(i, |s| if let Sense::Unit(u) = s { Some(u) } else { None })
    }

    /// The number or number word at `i`.
    pub fn count(&self, i: usize) -> Option<u32> {
        let word = self.sense(i, |s| if let Sense::Number(n) = s { Some(n) } else { None });
        self.number(i).filter(|(_, n)| *n <= 4).map(|(v, _)| v).or(word)
    }

    /// The first piece at or after `i` that is no white space in a line.
    pub fn skip(&self, i: usize) -> usize {
        if self.kind(i) == Some(Kind::Space) { i + 1 } else { i }
    }

    /// The folded letters of a piece.
    pub fn text(&self, i: usize) -> &str {
        self.list.get(i).and_then(|t| self.folded.text.get(t.start as usize..t.end as usize)).unwrap_or("")
    }

    /// The letters of a piece as they stand in the text.
    pub fn written(&self, i: usize) -> &'a str {
        self.original.get(self.range(i..i + 1)).unwrap_or("")
    }

    /// The bytes of the original text that some pieces stand on.
    pub fn range(&self, pieces: Range<usize>) -> Range<usize> {
        let from = self.list.get(pieces.start).map_or(self.folded.text.len(), |t| t.start as usize);
        let to =
            if pieces.end > pieces.start { self.list.get(pieces.end - 1).map_or(self.folded.text.len(), |t| t.end as usize) } else { from };
        let r = self.folded.original(from..to.max(from));
        let mut end = r.end.min(self.original.len());
        while !self.original.is_char_boundary(end) {
            end += 1;
        }
        r.start.min(end)..end
    }
}

/// How many bytes of a text are characters of a kind.
fn run(text: &str, ok: impl Fn(char) -> bool) -> usize {
    text.char_indices().find(|(_, c)| !ok(*c)).map_or(text.len(), |(i, _)| i)
}

/// Marks that are written in several ways and read as one.
fn plain_mark(c: char) -> char {
    match c {
        '\u{2012}'..='\u{2015}' | '\u{2212}' | '\u{2011}' | '\u{2010}' | '\u{FE63}' => '–',
        '～' | '〜' | '∼' | '˜' => '~',
        '∶' | '꞉' | '：' => ':',
        '｜' => '|',
        '→' | '➔' | '⇒' | '➜' => '→',
        '（' => '(',
        '）' => ')',
        '，' | '、' => ',',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::{Folding, fold_str};

    #[test]
    fn dashes_and_colons_are_read_as_one() {
        assert_eq!(plain_mark('—'), '–');
        assert_eq!(fold_str("～：", Folding::default()), "~:");
        assert_eq!(digit('٣'), Some(3));
        assert_eq!(digit('７'), Some(7));
    }
}
