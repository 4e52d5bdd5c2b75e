//! Finds all forms of a lexicon in a text in one pass.
//!
//! The first words of all forms are one set; wherever a word may begin in the folded text, those of them that stand there are looked up, and checked
//! for their ends and for the pieces that must follow. In texts without spaces forms match anywhere, the longest first.

use super::ahead::{Ahead, Window, skip_joint};
use super::fold::{Folded, Folding, fold, fold_str};
use super::form::{Form, Join, Piece};
use super::hidden::is_hidden;
use super::later::{Later, Part};
use super::letters::{Class, class, joins, word_end, word_start};
use super::schema::File;
use super::starts::{Gate, Rest, Starts};
use super::tag::Tag;
use super::trie::{Trie, begins};
use std::ops::Range;

/// A form found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where, in bytes of the text that was scanned; whole words.
    pub range: Range<usize>,
    /// Where the letters that the form itself names end: what follows in `range` is inflection.
    pub stem: usize,
    /// What for.
    pub tag: Tag,
    /// True where it is one word, not a phrase with gaps.
    pub whole: bool,
    /// False where the form is another language's (English or shared jargon), which is weaker evidence for cues.
    pub own: bool,
}

/// A form and what it stands for, to be compiled.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The form.
    pub form: Form,
    /// What it stands for.
    pub tag: Tag,
    /// Whether it is the language's own.
    pub own: bool,
    /// Whether it may match inside a compound.
    pub inner: bool,
}

/// How texts of a language are matched.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// What is folded.
    pub folding: Folding,
    /// Forms match anywhere.
    pub substring: bool,
    /// Clitics that may stand before a form, folded.
    pub prefixes: Vec<String>,
}

impl Matching {
    /// How texts of a lexicon's language are matched.
    pub fn of(file: &File) -> Matching {
        let folding = Folding::from_names(&file.fold);
        let prefixes = file.prefixes.iter().map(|p| fold_str(p, folding)).collect();
        Matching { folding, substring: file.matching == "substring", prefixes }
    }
}

/// A compiled set of forms.
pub struct Scanner {
    /// First words of all forms; their numbers are those of `starts`.
    words: Trie,
    /// Those of them that some form may have inside a word.
    within: Trie,
    /// True where there are such.
    inside: bool,
    /// True where a form may match the end of any word, however short.
    endings: bool,
    /// The forms that begin with each first word.
    starts: Starts,
    later: Later,
    matching: Matching,
}

impl Scanner {
    /// Compiles forms.
    pub fn new(entries: Vec<Entry>, matching: Matching) -> Scanner {
        // parted into the first word, by which they are sorted, and the rest; the first eight bytes decide nearly always
        let head = |w: &str| w.bytes().chain([0; 8]).take(8).fold(0u64, |n, b| n << 8 | u64::from(b));
        let mut later = Later::default();
        let mut sorted: Vec<(u64, u32, Piece, Gate, Rest)> = Vec::with_capacity(entries.len());
        for (e, n) in entries.into_iter().zip(0..) {
            let mut pieces = e.form.pieces.into_iter();
            let Some(first) = pieces.next() else { continue };
            let inner = e.inner && first.open_end && first.literal.chars().count() >= 5;
            let gate = Gate::new(&first, pieces.as_slice().first(), inner);
            let rest = Rest { own: e.own, tag: e.tag, from: later.len(), count: pieces.len() as u32, order: 0 };
            pieces.for_each(|p| later.push(&p));
            sorted.push((head(&first.literal), n, first, gate, rest));
        }
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| a.2.literal.cmp(&b.2.literal)).then(a.1.cmp(&b.1)));
        let mut literals: Vec<(String, u32)> = Vec::new();
        let mut inside: Vec<bool> = Vec::new();
        let mut starts = Starts::with_capacity(sorted.len());
        let mut endings = false;
        for (_, _, first, gate, rest) in sorted {
            let word = first.literal;
            let new = literals.last().is_none_or(|(l, _)| *l != word);
            if new {
                literals.push((word, literals.len() as u32));
                inside.push(false);
            }
            if let Some(last) = inside.last_mut() {
                *last |= gate.inner || gate.open_start;
            }
            endings |= gate.open_start;
            starts.push(new, gate, rest);
        }
        starts.finish();
        let words: Vec<(&str, u32)> = literals.iter().map(|(w, n)| (w.as_str(), *n)).collect();
        let within: Vec<(&str, u32)> = words.iter().zip(&inside).filter(|(_, inside)| **inside).map(|(w, _)| *w).collect();
        let inside = !within.is_empty();
        later.shrink_to_fit();
        Scanner { words: Trie::new(&words), within: Trie::new(&within), endings, inside, starts, later, matching }
    }

    /// How texts are matched.
    pub fn matching(&self) -> &Matching {
        &self.matching
    }

    /// All hits in a text, by position; overlapping ones included, but for one tag only the longest at a place, and in texts without spaces
    /// only the longest of all concepts at a place.
    pub fn scan(&self, text: &str) -> Vec<Hit> {
        let folded = fold(text, self.matching.folding);
        let mut hits = self.scan_folded(&folded);
        for h in &mut hits {
            let stem = folded.original(h.range.start..h.stem).end;
            h.range = folded.original(h.range.clone());
            h.stem = stem.clamp(h.range.start, h.range.end);
        }
        hits
    }

    fn scan_folded(&self, folded: &Folded) -> Vec<Hit> {
        let text = folded.text.as_str();
        let bytes = text.as_bytes();
        let mut found: Vec<(u32, Hit)> = Vec::new();
        let mut before = Class::Other;
        // the word that is being read: where it begins, how many characters have been read, whether it is long enough for forms inside it
        let (mut word, mut read, mut long) = (0, 0, None);
        for (at, c) in text.char_indices() {
            let now = class(c);
            let joined = now == before && matches!(now, Class::Letter | Class::Digit) && at > 0;
            before = now;
            if !joined {
                (word, read, long) = (at, 0, None);
                self.words.each(bytes, at, |end, n| self.complete_all(text, at..end, n, |_| true, &mut found));
                continue;
            }
            read += 1;
            let letters = now == Class::Letter;
            if letters && self.matching.prefixes.iter().any(|p| *p == text[word..at]) {
                self.words.each(bytes, at, |end, n| self.complete_all(text, at..end, n, |_| true, &mut found));
                continue;
            }
            if !self.inside {
                continue;
            }
            let deep = letters && read >= 3 && *long.get_or_insert_with(|| text[word..word_end(text, at)].chars().count() >= 9);
            if deep || self.endings {
                let may = |g: &Gate| g.open_start || (deep && g.inner);
                self.within.each(bytes, at, |end, n| self.complete_all(text, at..end, n, may, &mut found));
            }
        }
        found.sort_unstable_by(|(n, a), (m, b)| {
            let place = a.range.start.cmp(&b.range.start).then(b.range.end.cmp(&a.range.end));
            place.then_with(|| a.tag.cmp(&b.tag).then(b.own.cmp(&a.own)).then(n.cmp(m)))
        });
        let hits: Vec<Hit> = found.into_iter().map(|(_, h)| h).collect();
        let hidden: Vec<bool> =
            if self.matching.substring { (0..hits.len()).map(|i| is_hidden(text, &hits, i)).collect() } else { Vec::new() };
        let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
        for (i, h) in hits.into_iter().enumerate() {
            // those before it begin no later
            let again = |k: &Hit| h.range.end <= k.range.end && k.tag == h.tag;
            if !hidden.get(i).is_some_and(|hidden| *hidden) && !kept.iter().rev().take(24).any(again) {
                kept.push(h);
            }
        }
        kept
    }

    /// Adds the forms that begin with a first word which was found, where the rest of them follows.
    fn complete_all(&self, text: &str, at: Range<usize>, word: u32, may: impl Fn(&Gate) -> bool, found: &mut Vec<(u32, Hit)>) {
        let ends = !text[at.end..].chars().next().is_some_and(|c| text[..at.end].chars().next_back().is_some_and(|l| joins(l, c)));
        if !ends && !self.starts.may_go_on(word) {
            return;
        }
        let end = if ends { at.end } else { word_end(text, at.end) };
        let mut ahead = Ahead::new(text, end, &self.matching);
        let passes = |g: &Gate| (ends || g.open_end) && may(g);
        self.starts.each(word, &mut ahead, passes, |rest, ahead| {
            if rest.count == 0 {
                found.push((rest.order, Hit { range: at.start..end, stem: at.end, whole: true, tag: rest.tag, own: rest.own }));
            } else if let Some((end, stem)) = self.complete(text, at.end, rest, ahead) {
                found.push((rest.order, Hit { range: at.start..end, stem, whole: false, tag: rest.tag, own: rest.own }));
            }
        });
    }

    /// Where a form ends whose first word's letters end here, and where its letters end; nothing where it does not go on so.
    fn complete(&self, text: &str, letters: usize, rest: &Rest, ahead: &mut Ahead) -> Option<(usize, usize)> {
        let (mut end, mut stem) = (ahead.end, letters);
        for (n, piece) in self.later.parts(rest.from, rest.count).enumerate() {
            end = match piece.join {
                Join::Space => {
                    let from = if n == 0 { ahead.joint() } else { skip_joint(text, end, self.matching.substring) }?;
                    if piece.open_start {
                        let stop = word_end(text, from);
                        if stop - from <= piece.literal.len() || !text[from..stop].ends_with(piece.literal) {
                            return None;
                        }
                        (end, stem) = (stop, stop);
                        continue;
                    }
                    if !begins(&text.as_bytes()[from..], piece.literal.as_bytes()) {
                        return None;
                    }
                    stem = from + piece.literal.len();
                    self.ends(text, from..stem, &piece)?
                }
                Join::Gap => {
                    let fresh;
                    let window = match n {
                        0 => ahead.window(),
                        _ => {
                            fresh = Window::new(text, end, !self.matching.prefixes.is_empty());
                            &fresh
                        }
                    };
                    stem = self.after_gap(text, end, window, &piece)?;
                    stem
                }
            };
        }
        Some((end, stem))
    }

    /// Looks for a piece in a part of the text.
    fn after_gap(&self, text: &str, from: usize, window: &Window, piece: &Part) -> Option<usize> {
        let (bytes, literal) = (&text.as_bytes()[..window.end], piece.literal.as_bytes());
        // of a form that is an ending, the hit is the ending alone
        if !piece.open_start {
            // words begin where the window says
            if !window.may_have(literal) {
                return None;
            }
            let mut here = window.starts().map(|i| from + i).filter(|&at| begins(&bytes[at..], literal) && self.starts(text, at, piece));
            return here.find_map(|at| self.ends(text, at..at + literal.len(), piece));
        }
        let first = *literal.first()?;
        for at in (from..window.end).filter(|&i| bytes[i] == first && bytes[i..].starts_with(literal)) {
            if let Some(end) = self.ends(text, at..at + literal.len(), piece) {
                return Some(end);
            }
        }
        None
    }

    /// True where a word may begin at a place.
    fn starts(&self, text: &str, at: usize, piece: &Part) -> bool {
        let (Some(before), Some(first)) = (text[..at].chars().next_back(), piece.literal.chars().next()) else { return true };
        if !joins(before, first) {
            return true;
        }
        let clitic = &text[word_start(text, at)..at];
        self.matching.prefixes.iter().any(|p| p == clitic)
    }

    /// Where the match ends, if a word may end there (or goes on, where the form allows it).
    fn ends(&self, text: &str, at: Range<usize>, piece: &Part) -> Option<usize> {
        let last = piece.literal.chars().next_back()?;
        let Some(after) = text[at.end..].chars().next() else { return Some(at.end) };
        if !joins(last, after) {
            return Some(at.end);
        }
        if piece.open_end {
            return Some(word_end(text, at.end));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::tag::Cue;

    fn scanner(forms: &[(&str, Cue)], matching: Matching, inner: bool) -> Scanner {
        let entries = forms
            .iter()
            .map(|(f, c)| Entry { form: Form::parse(f, matching.folding).unwrap(), tag: Tag::Cue(*c), own: true, inner })
            .collect();
        Scanner::new(entries, matching)
    }

    fn found<'a>(s: &Scanner, text: &'a str) -> Vec<&'a str> {
        s.scan(text).into_iter().map(|h| &text[h.range]).collect()
    }

    #[test]
    fn words_stems_phrases_gaps() {
        let s = scanner(
            &[("hiba", Cue::Fault), ("hibá*", Cue::Fault), ("nem bír*", Cue::Negation), ("slog .. på", Cue::Done), ("we *ed", Cue::Past)],
            Matching::default(),
            false,
        );
        assert_eq!(found(&s, "A hiba, a hibákat; hibaüzenet. Nem\nbírta."), ["hiba", "hibákat", "Nem\nbírta"]);
        assert_eq!(found(&s, "vi slog den på igen. slog. på"), ["slog den på"]);
        assert_eq!(found(&s, "We restarted it, we read, we ed"), ["We restarted"]);
    }

    #[test]
    fn scripts_without_spaces_and_latin_inside_them() {
        let m = Matching { substring: true, ..Matching::default() };
        let s = scanner(&[("再起動", Cue::Done), ("pod", Cue::Change), ("起動", Cue::Past)], m, false);
        assert_eq!(found(&s, "podが再起動したがpodsは"), ["pod", "再起動", "起動"]);
    }

    #[test]
    fn a_compound_shows_its_parts_and_hides_what_is_no_part() {
        use crate::lang::tag::Concept;
        let forms = [
            ("数据包丢失", "packet"),
            ("数据包", "packet"),
            ("数据", "data"),
            ("丢失", "lost"),
            ("健康检查超时", "timeout"),
            ("健康检查", "health-check"),
            ("超时", "timeout"),
        ];
        let entries = forms.iter().map(|(f, c)| Entry {
            form: Form::parse(f, Folding::default()).unwrap(),
            tag: Tag::Concept(Concept::named(c).unwrap()),
            own: true,
            inner: false,
        });
        let s = Scanner::new(entries.collect(), Matching { substring: true, ..Matching::default() });
        let names = |t: &str| {
            s.scan(t).into_iter().filter_map(|h| if let Tag::Concept(c) = h.tag { Some(c.name()) } else { None }).collect::<Vec<_>>()
        };
        assert_eq!(names("数据包丢失"), ["packet", "lost"]);
        assert_eq!(names("健康检查超时"), ["timeout", "health-check"]);
        assert_eq!(names("数据丢失"), ["data", "lost"]);
    }

    #[test]
    fn compounds_and_clitics() {
        let s = scanner(&[("speicher*", Cue::Fault)], Matching::default(), true);
        assert_eq!(found(&s, "Arbeitsspeicherüberlauf"), ["speicherüberlauf"]);
        let m = Matching { prefixes: vec!["ال".into(), "و".into()], ..Matching::default() };
        let s = scanner(&[("خادم", Cue::Fault)], m, false);
        assert_eq!(found(&s, "الخادم وخادم مخادم"), ["خادم", "خادم"]);
    }
}
