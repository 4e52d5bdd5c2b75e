//! What stands behind a word that forms begin with: where the next word begins, how far a gap reaches, and which words may stand in it.

use super::form::GAP;
use super::letters::joins;

/// What stands behind a word, looked up once for all forms that begin with it.
pub(super) struct Ahead {
    pub end: usize,
    /// Where the next word begins.
    pub joint: Option<Option<usize>>,
    /// What stands within the reach of a gap.
    pub window: Option<Window>,
}

/// What stands within the reach of a gap, and which pairs of letters words begin with there.
pub(super) struct Window {
    pub end: usize,
    pairs: [u64; 4],
}

impl Window {
    /// Looks ahead from a place. `anywhere`: words may begin within words, behind a clitic.
    pub fn new(text: &str, from: usize, anywhere: bool) -> Window {
        let mut w = Window { end: gap_limit(text, from), pairs: [0; 4] };
        let mut before = text[..from].chars().next_back();
        for (i, c) in text[from..w.end].char_indices() {
            if anywhere || !before.is_some_and(|b| joins(b, c)) {
                let p = pair(text.as_bytes(), from + i);
                w.pairs[p / 64] |= 1 << (p % 64);
            }
            before = Some(c);
        }
        w
    }

    /// False where no word here begins as `literal` does.
    pub fn may_have(&self, literal: &[u8]) -> bool {
        let p = pair(literal, 0);
        literal.len() < 2 || self.pairs[p / 64] & 1 << (p % 64) > 0
    }
}

/// The place of a pair of letters among 256.
fn pair(text: &[u8], at: usize) -> usize {
    let second = text.get(at + 1).copied().unwrap_or(0);
    usize::from(text[at].wrapping_mul(31) ^ second.wrapping_mul(7))
}

/// At most [`GAP`] characters on, in the same sentence.
fn gap_limit(text: &str, from: usize) -> usize {
    for (n, (i, c)) in text[from..].char_indices().enumerate() {
        let stop = matches!(c, '\n' | '。' | '！' | '？')
            || (matches!(c, '.' | '!' | '?') && text[from + i + 1..].starts_with(char::is_whitespace));
        if n >= GAP || stop {
            return from + i;
        }
    }
    text.len()
}

/// Skips what may stand between the words of a phrase: white space, one hyphen or slash; nothing at all in texts without spaces.
pub(super) fn skip_joint(text: &str, from: usize, substring: bool) -> Option<usize> {
    let rest = &text[from..];
    let skipped = rest.trim_start_matches([' ', '\t', '\n']);
    let skipped = if skipped.len() == rest.len() { rest.strip_prefix(['-', '/', '_']).unwrap_or(rest) } else { skipped };
    if skipped.len() == rest.len() && !substring { None } else { Some(from + rest.len() - skipped.len()) }
}
