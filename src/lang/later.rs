//! The pieces of forms after their first. Their letters lie in one text, because most lexicons hold the forms of another language besides their own, and a
//! text for each piece would take up more than the letters do.

use super::form::{Join, Piece};

/// The pieces after the first of all forms.
#[derive(Default)]
pub(super) struct Later {
    places: Vec<Place>,
    letters: String,
}

struct Place {
    at: u32,
    len: u32,
    open_end: bool,
    open_start: bool,
    join: Join,
}

/// A piece of a form (see [`Piece`]).
pub(super) struct Part<'a> {
    pub literal: &'a str,
    pub open_end: bool,
    pub open_start: bool,
    pub join: Join,
}

impl Later {
    /// How many there are: the number of the next.
    pub fn len(&self) -> u32 {
        self.places.len() as u32
    }

    pub fn push(&mut self, p: &Piece) {
        let (at, len) = (self.letters.len() as u32, p.literal.len() as u32);
        self.letters.push_str(&p.literal);
        self.places.push(Place { at, len, open_end: p.open_end, open_start: p.open_start, join: p.join });
    }

    /// Some that follow each other.
    pub fn parts(&self, from: u32, count: u32) -> impl Iterator<Item = Part<'_>> {
        self.places.get(from as usize..(from + count) as usize).unwrap_or_default().iter().map(|p| Part {
            literal: self.letters.get(p.at as usize..(p.at + p.len) as usize).unwrap_or_default(),
            open_end: p.open_end,
            open_start: p.open_start,
            join: p.join,
        })
    }

    pub fn shrink_to_fit(&mut self) {
        self.places.shrink_to_fit();
        self.letters.shrink_to_fit();
    }
}
