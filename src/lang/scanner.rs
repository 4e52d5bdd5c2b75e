//! Finds all forms of a lexicon in a text in one pass.
//!
//! The first piece of every form goes into one automaton over folded text; a hit of it is then checked for word boundaries and for the pieces
//! that must follow. In texts without spaces forms match anywhere, the longest first.

use super::fold::{Folded, Folding, fold};
use super::form::{Form, GAP, Join, Piece};
use super::tag::Tag;
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use std::collections::BTreeMap;
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

struct Rest {
    /// Pieces after the first.
    pieces: Vec<Piece>,
    first: Piece,
    tag: Tag,
    own: bool,
    inner: bool,
}

/// A compiled set of forms.
pub struct Scanner {
    automaton: Option<AhoCorasick>,
    /// For each literal of the automaton, the forms that begin with it.
    forms: Vec<Vec<Rest>>,
    matching: Matching,
}

impl Scanner {
    /// Compiles forms.
    pub fn new(entries: Vec<Entry>, matching: Matching) -> Scanner {
        let mut by_literal: BTreeMap<String, Vec<Rest>> = BTreeMap::new();
        for e in entries {
            let mut pieces = e.form.pieces.into_iter();
            let Some(first) = pieces.next() else { continue };
            let rest = Rest { pieces: pieces.collect(), first: first.clone(), tag: e.tag, own: e.own, inner: e.inner };
            by_literal.entry(first.literal).or_default().push(rest);
        }
        let (literals, forms): (Vec<String>, Vec<Vec<Rest>>) = by_literal.into_iter().unzip();
        let automaton =
            AhoCorasick::builder().match_kind(MatchKind::Standard).kind(Some(AhoCorasickKind::ContiguousNFA)).build(&literals).ok();
        Scanner { automaton, forms, matching }
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
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let text = folded.text.as_str();
        let mut hits: Vec<Hit> = Vec::new();
        for m in automaton.find_overlapping_iter(text) {
            for rest in &self.forms[m.pattern().as_usize()] {
                if let Some((range, stem)) = self.complete(text, m.start()..m.end(), rest) {
                    hits.push(Hit { range, stem, whole: rest.pieces.is_empty(), tag: rest.tag, own: rest.own });
                }
            }
        }
        hits.sort_by(|a, b| {
            a.range.start.cmp(&b.range.start).then(b.range.end.cmp(&a.range.end)).then(a.tag.cmp(&b.tag)).then(b.own.cmp(&a.own))
        });
        let hidden: Vec<bool> =
            if self.matching.substring { (0..hits.len()).map(|i| is_hidden(text, &hits, i)).collect() } else { vec![false; hits.len()] };
        let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
        for (h, hidden) in hits.into_iter().zip(hidden) {
            let again = |k: &Hit| k.tag == h.tag && k.range.start <= h.range.start && h.range.end <= k.range.end;
            if !hidden && !kept.iter().rev().take(24).any(again) {
                kept.push(h);
            }
        }
        kept
    }

    fn complete(&self, text: &str, at: Range<usize>, rest: &Rest) -> Option<(Range<usize>, usize)> {
        let start = self.starts(text, at.start, &rest.first, rest.inner)?;
        let mut end = self.ends(text, at.clone(), &rest.first)?;
        let mut stem = at.end;
        for piece in &rest.pieces {
            end = match piece.join {
                Join::Space => {
                    let from = skip_joint(text, end, self.matching.substring)?;
                    if piece.open_start {
                        let stop = word_end(text, from);
                        if stop - from <= piece.literal.len() || !text[from..stop].ends_with(&piece.literal) {
                            return None;
                        }
                        (end, stem) = (stop, stop);
                        continue;
                    }
                    if !text[from..].starts_with(&piece.literal) {
                        return None;
                    }
                    stem = from + piece.literal.len();
                    self.ends(text, from..stem, piece)?
                }
                Join::Gap => {
                    stem = self.after_gap(text, end, piece)?;
                    stem
                }
            };
        }
        Some((start..end, stem))
    }

    /// Looks for a piece at most [`GAP`] characters on, in the same sentence.
    fn after_gap(&self, text: &str, from: usize, piece: &Piece) -> Option<usize> {
        let mut limit = text.len();
        for (n, (i, c)) in text[from..].char_indices().enumerate() {
            let stop = matches!(c, '\n' | '。' | '！' | '？')
                || (matches!(c, '.' | '!' | '?') && text[from + i + 1..].starts_with(char::is_whitespace));
            if n >= GAP || stop {
                limit = from + i;
                break;
            }
        }
        let window = &text[from..limit];
        for (i, _) in window.match_indices(piece.literal.as_str()) {
            let at = from + i..from + i + piece.literal.len();
            if self.starts(text, at.start, piece, false).is_some()
                && let Some(end) = self.ends(text, at, piece)
            {
                return Some(end);
            }
        }
        None
    }

    /// Where the match begins, if a word may begin there.
    fn starts(&self, text: &str, at: usize, piece: &Piece, inner: bool) -> Option<usize> {
        let first = piece.literal.chars().next()?;
        let Some(before) = text[..at].chars().next_back() else { return Some(at) };
        // of a form that is an ending, the hit is the ending alone
        if piece.open_start || !joins(before, first) {
            return Some(at);
        }
        if !self.matching.prefixes.is_empty() {
            let clitic = &text[word_start(text, at)..at];
            if self.matching.prefixes.iter().any(|p| p == clitic) {
                return Some(at);
            }
        }
        if inner && piece.open_end && piece.literal.chars().count() >= 5 {
            let start = word_start(text, at);
            if text[start..word_end(text, at)].chars().count() >= 9 && text[start..at].chars().count() >= 3 {
                return Some(at);
            }
        }
        None
    }

    /// Where the match ends, if a word may end there (or goes on, where the form allows it).
    fn ends(&self, text: &str, at: Range<usize>, piece: &Piece) -> Option<usize> {
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

/// True where a concept's hit stands inside a longer word only by chance (in texts without spaces a form may match anywhere). What a phrase of five
/// characters or more begins or ends with, what stands between changes of script, and the parts of a word that consists of two are words themselves.
/// Hits are sorted by start.
fn is_hidden(text: &str, hits: &[Hit], i: usize) -> bool {
    let concept = |h: &Hit| matches!(h.tag, Tag::Concept(_));
    let h = &hits[i];
    if !concept(h) {
        return false;
    }
    let (at, end) = (h.range.start, h.range.end);
    let near = || {
        let before = hits[..i].iter().rev().take_while(|k| k.range.start + 80 >= at);
        before.chain(hits[i + 1..].iter().take_while(|k| k.range.start < end + 80)).filter(|k| concept(k) && k.whole)
    };
    let composed = |long: &Hit| {
        near().any(|k| {
            (at == long.range.start && k.range.start == end && k.range.end == long.range.end)
                || (end == long.range.end && k.range.end == at && k.range.start == long.range.start)
        })
    };
    near().any(|long| {
        if long.range.start > at || end > long.range.end || long.range.len() <= h.range.len() {
            return false;
        }
        let phrase = text[long.range.clone()].chars().count() >= 5;
        let left = at == long.range.start || changes(text, at);
        let right = end == long.range.end || changes(text, end);
        !((left && right) || (phrase && (at == long.range.start || end == long.range.end)) || composed(long))
    })
}

/// True where the script changes at a place: kana to ideographs and the like.
fn changes(text: &str, at: usize) -> bool {
    let kind = |c: char| match c as u32 {
        0x3040..=0x309F => 1,
        0x30A0..=0x30FF => 2,
        0x3400..=0x9FFF => 3,
        0xAC00..=0xD7AF => 4,
        _ => 0,
    };
    match (text[..at].chars().next_back(), text[at..].chars().next()) {
        (Some(a), Some(b)) => kind(a) != kind(b),
        _ => true,
    }
}

/// Kinds of characters that do not form words with each other.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Class {
    Letter,
    Digit,
    /// Scripts written without spaces: any place may begin or end a word.
    Free,
    Other,
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Digit,
        '\u{0E00}'..='\u{0EFF}'
        | '\u{1000}'..='\u{109F}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{1100}'..='\u{11FF}'
        | '\u{3040}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9F}'
        | '\u{20000}'..='\u{3FFFF}'
        | '々'
        | '〇' => Class::Free,
        c if c.is_ascii() => Class::Other,
        c if c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{DFF}' | '\u{64B}'..='\u{652}') => Class::Letter,
        c if c.is_numeric() => Class::Digit,
        _ => Class::Other,
    }
}

/// True where two neighbouring characters belong to one word.
fn joins(a: char, b: char) -> bool {
    let (x, y) = (class(a), class(b));
    x == y && matches!(x, Class::Letter | Class::Digit)
}

fn word_start(text: &str, at: usize) -> usize {
    let mut start = at;
    for (i, c) in text[..at].char_indices().rev() {
        if class(c) != Class::Letter {
            break;
        }
        start = i;
    }
    start
}

fn word_end(text: &str, at: usize) -> usize {
    text[at..].char_indices().find(|(_, c)| class(*c) != Class::Letter).map_or(text.len(), |(i, _)| at + i)
}

/// Skips what may stand between the words of a phrase: white space, one hyphen or slash; nothing at all in texts without spaces.
fn skip_joint(text: &str, from: usize, substring: bool) -> Option<usize> {
    let rest = &text[from..];
    let skipped = rest.trim_start_matches([' ', '\t', '\n']);
    let skipped = if skipped.len() == rest.len() { rest.strip_prefix(['-', '/', '_']).unwrap_or(rest) } else { skipped };
    if skipped.len() == rest.len() && !substring { None } else { Some(from + rest.len() - skipped.len()) }
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
