//! How a form of a lexicon is written and what it matches (`data/README.md`, "Forms").

use super::fold::{Folding, fold_str};

/// The longest distance, in characters, that a ` .. ` gap may bridge.
pub const GAP: usize = 60;

/// What stands between two pieces of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// White space or a hyphen.
    Space,
    /// Anything, at most [`GAP`] characters in the same sentence.
    Gap,
}

/// One word of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The folded letters.
    pub literal: String,
    /// True where the word may go on after them (`stem*`).
    pub open_end: bool,
    /// True where the word may have begun before them (`*end`).
    pub open_start: bool,
    /// How it is joined to the piece before.
    pub join: Join,
}

/// A form, folded and cut into pieces; there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The pieces.
    pub pieces: Vec<Piece>,
}

impl Form {
    /// Reads a form. `None` where it breaks the notation: empty, or a `*` where none may stand.
    pub fn parse(written: &str, how: Folding) -> Option<Form> {
        // most forms are one word, and there are very many of them
        let mut pieces: Vec<Piece> = Vec::with_capacity(if written.contains(' ') { 3 } else { 1 });
        let mut join = Join::Space;
        for word in written.split_whitespace() {
            if word == ".." {
                if pieces.is_empty() {
                    return None;
                }
                join = Join::Gap;
                continue;
            }
            let open_end = word.len() > 1 && word.ends_with('*');
            let core = if open_end { &word[..word.len() - 1] } else { word };
            let open_start = core.starts_with('*');
            let core = if open_start { &core[1..] } else { core };
            if core.is_empty() || core.contains('*') {
                return None;
            }
            pieces.push(Piece { literal: fold_str(core, how), open_end, open_start, join });
            join = Join::Space;
        }
        if pieces.is_empty() || join == Join::Gap || pieces.iter().any(|p| p.literal.trim().is_empty()) {
            None
        } else {
            Some(Form { pieces })
        }
    }

    /// The form as one folded string with single spaces, where it has no stars and gaps.
    pub fn plain(&self) -> Option<String> {
        if self.pieces.iter().any(|p| p.open_end || p.open_start || p.join == Join::Gap) {
            return None;
        }
        Some(self.pieces.iter().map(|p| p.literal.as_str()).collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation() {
        let f = Form::parse("slog* .. på", Folding::default()).unwrap();
        assert_eq!(f.pieces.len(), 2);
        assert!(f.pieces[0].open_end && f.pieces[1].join == Join::Gap);
        assert_eq!(Form::parse("Nem  Bír", Folding::default()).unwrap().plain().as_deref(), Some("nem bír"));
        for bad in ["", "*", "a*b", ".. x", "x .."] {
            assert!(Form::parse(bad, Folding::default()).is_none(), "{bad}");
        }
    }
}
