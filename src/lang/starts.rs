//! The forms that begin with each first word, parted by what must follow the word: of the very many forms that begin with a common word only those are
//! tried whose next letters stand there.

use super::ahead::{Ahead, pair};
use super::form::{Join, Piece};
use super::tag::Tag;

/// What rules most forms out at a place. It is kept apart from the rest, since very many forms begin with the same common word.
#[derive(Clone, Copy)]
pub(super) struct Gate {
    pub open_end: bool,
    pub open_start: bool,
    /// It may begin inside a word.
    pub inner: bool,
    group: Group,
    /// The first two bytes of what must follow; 0 where there is no such.
    next: [u8; 2],
    /// Their place among the pairs of a [`Window`].
    pair: u8,
}

/// Where what must follow stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// Nothing that can be told by its first letters.
    Free,
    /// Behind a gap.
    Gap,
    /// At once.
    Joint,
}

impl Gate {
    /// The gate of a form by its first piece and the one behind it.
    pub fn new(first: &Piece, second: Option<&Piece>, inner: bool) -> Gate {
        let behind = second.filter(|p| !p.open_start);
        let next = behind.map_or([0; 2], |p| {
            let mut bytes = p.literal.bytes();
            [bytes.next().unwrap_or(0), bytes.next().unwrap_or(0)]
        });
        let group = match behind {
            None => Group::Free,
            Some(p) if p.join == Join::Gap => Group::Gap,
            Some(_) => Group::Joint,
        };
        Gate { open_end: first.open_end, open_start: first.open_start, inner, group, next, pair: pair(&next, 0) }
    }
}

/// A form without its first word's letters, which the set of words has.
pub(super) struct Rest {
    pub own: bool,
    pub tag: Tag,
    /// Where the pieces after the first stand among those of all forms, and how many there are.
    pub from: u32,
    pub count: u32,
    /// Its place in the order of words and entries.
    pub order: u32,
}

/// Where a word's forms begin, by their groups; the next word's follow.
#[derive(Clone, Copy, Default)]
struct Head {
    free: u32,
    gap: u32,
    joint: u32,
    /// Some form's first word may go on.
    open: bool,
}

/// The forms of all words.
pub(super) struct Starts {
    heads: Vec<Head>,
    gates: Vec<Gate>,
    forms: Vec<Rest>,
    /// The forms of the word that is being told.
    word: Vec<(Gate, Rest)>,
}

impl Starts {
    pub fn with_capacity(forms: usize) -> Starts {
        Starts { heads: Vec::new(), gates: Vec::with_capacity(forms), forms: Vec::with_capacity(forms), word: Vec::new() }
    }

    /// Adds a form, of a new word or of the last one.
    pub fn push(&mut self, new: bool, gate: Gate, rest: Rest) {
        if new {
            self.settle();
        }
        let order = (self.forms.len() + self.word.len()) as u32;
        self.word.push((gate, Rest { order, ..rest }));
    }

    /// Ends the last word.
    pub fn finish(&mut self) {
        self.settle();
        let end = self.forms.len() as u32;
        self.heads.push(Head { free: end, gap: end, joint: end, open: false });
        self.heads.shrink_to_fit();
    }

    fn settle(&mut self) {
        if self.word.is_empty() {
            return;
        }
        if self.word.len() > 1 {
            self.word.sort_by_key(|(g, _)| (g.group, g.next));
        }
        let from = self.forms.len();
        let upto = |group: Group| (from + self.word.partition_point(|(g, _)| g.group < group)) as u32;
        let open = self.word.iter().any(|(g, _)| g.open_end);
        self.heads.push(Head { free: from as u32, gap: upto(Group::Gap), joint: upto(Group::Joint), open });
        for (gate, rest) in self.word.drain(..) {
            self.gates.push(gate);
            self.forms.push(rest);
        }
    }

    /// True where some form allows its first word to go on.
    pub fn may_go_on(&self, word: u32) -> bool {
        self.heads[word as usize].open
    }

    /// Tells those forms of a word that pass, and whose next letters stand ahead of it.
    pub fn each<'t>(&self, word: u32, ahead: &mut Ahead<'t>, passes: impl Fn(&Gate) -> bool, mut tell: impl FnMut(&Rest, &mut Ahead<'t>)) {
        let [head, after] = [self.heads[word as usize], self.heads[word as usize + 1]];
        for n in head.free as usize..head.gap as usize {
            if passes(&self.gates[n]) {
                tell(&self.forms[n], ahead);
            }
        }
        for n in head.gap as usize..head.joint as usize {
            let gate = &self.gates[n];
            if passes(gate) && (gate.next[1] == 0 || ahead.window().has(gate.pair)) {
                tell(&self.forms[n], ahead);
            }
        }
        let mut from = head.joint as usize;
        let list = &self.gates[from..after.free as usize];
        if list.is_empty() {
            return;
        }
        let Some([first, second]) = ahead.letters() else { return };
        // of one letter, then of the two that stand there
        for next in [[first, 0], [first, second]] {
            let list = &self.gates[from..after.free as usize];
            from += if list.len() <= 8 { 0 } else { list.partition_point(|g| g.next < next) };
            for n in from..after.free as usize {
                let gate = &self.gates[n];
                if gate.next >= next {
                    if gate.next > next {
                        break;
                    }
                    if passes(gate) {
                        tell(&self.forms[n], ahead);
                    }
                }
            }
            if second == 0 {
                break;
            }
        }
    }
}
