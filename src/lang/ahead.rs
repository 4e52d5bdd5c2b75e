//! What stands behind a word that forms begin with: where the next word begins, how far a gap reaches, and which words may stand in it.

use super::form::GAP;
use super::letters::{Class, class};
use super::scanner::Matching;

/// What stands behind a word, looked up once for all forms that begin with it.
pub(super) struct Ahead<'t> {
    text: &'t str,
    /// Where the word ends.
    pub end: usize,
    /// Words may follow each other without anything between them.
    substring: bool,
    /// Words may begin within words, behind a clitic.
    anywhere: bool,
    joint: Option<Option<usize>>,
    window: Option<Window>,
}

impl<'t> Ahead<'t> {
    pub fn new(text: &'t str, end: usize, matching: &Matching) -> Ahead<'t> {
        let anywhere = !matching.prefixes.is_empty();
        Ahead { text, end, substring: matching.substring, anywhere, joint: None, window: None }
    }

    /// Where the next word begins.
    pub fn joint(&mut self) -> Option<usize> {
        *self.joint.get_or_insert_with(|| skip_joint(self.text, self.end, self.substring))
    }

    /// The first two bytes of the next word.
    pub fn letters(&mut self) -> Option<[u8; 2]> {
        let joint = self.joint()?;
        let bytes = self.text.as_bytes();
        Some([*bytes.get(joint)?, bytes.get(joint + 1).copied().unwrap_or(0)])
    }

    /// What stands within the reach of a gap.
    pub fn window(&mut self) -> &Window {
        self.window.get_or_insert_with(|| Window::new(self.text, self.end, self.anywhere))
    }
}

/// What stands within the reach of a gap: where words begin there, and with which pairs of letters.
pub(super) struct Window {
    pub end: usize,
    pairs: [u64; 4],
    /// Where words begin, in bytes from the beginning of the window, and how many there are.
    starts: [u8; GAP],
    count: usize,
}

impl Window {
    /// Looks ahead from a place, at most [`GAP`] characters in the same sentence. `anywhere`: words may begin within words, behind a clitic.
    pub fn new(text: &str, from: usize, anywhere: bool) -> Window {
        let mut w = Window { end: text.len(), pairs: [0; 4], starts: [0; GAP], count: 0 };
        let mut before = text[..from].chars().next_back().map(class);
        for (n, (i, c)) in text[from..].char_indices().enumerate() {
            let stop = matches!(c, '\n' | '。' | '！' | '？')
                || (matches!(c, '.' | '!' | '?') && text[from + i + 1..].starts_with(char::is_whitespace));
            if n >= GAP || stop {
                w.end = from + i;
                break;
            }
            let now = class(c);
            let joined = before.replace(now) == Some(now) && matches!(now, Class::Letter | Class::Digit);
            if anywhere || !joined {
                let p = pair(text.as_bytes(), from + i);
                w.pairs[usize::from(p / 64)] |= 1 << (p % 64);
                // sixty characters are at most 240 bytes
                w.starts[w.count] = i as u8;
                w.count += 1;
            }
        }
        w
    }

    /// False where no word here begins as `literal` does.
    pub fn may_have(&self, literal: &[u8]) -> bool {
        literal.len() < 2 || self.has(pair(literal, 0))
    }

    /// False where no word here begins with a pair of letters.
    pub fn has(&self, pair: u8) -> bool {
        self.pairs[usize::from(pair / 64)] & 1 << (pair % 64) > 0
    }

    /// Where words begin, in bytes from the beginning of the window.
    pub fn starts(&self) -> impl Iterator<Item = usize> {
        self.starts[..self.count].iter().map(|&i| usize::from(i))
    }
}

/// The place of a pair of letters among 256.
pub(super) fn pair(text: &[u8], at: usize) -> u8 {
    let second = text.get(at + 1).copied().unwrap_or(0);
    text[at].wrapping_mul(31) ^ second.wrapping_mul(7)
}

/// Skips what may stand between the words of a phrase: white space, one hyphen or slash; nothing at all in texts without spaces.
pub(super) fn skip_joint(text: &str, from: usize, substring: bool) -> Option<usize> {
    let rest = &text.as_bytes()[from..];
    let mut skipped = rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\n')).count();
    if skipped == 0 && matches!(rest.first(), Some(b'-' | b'/' | b'_')) {
        skipped = 1;
    }
    if skipped == 0 && !substring { None } else { Some(from + skipped) }
}
