//! Phrases that a short text (a heading, a label, a column head, a status cell) is or contains.

use super::fold::{Folding, fold_str};
use super::letters::{is_alphabetic, is_alphanumeric};
use super::schema::{File, Forms};
use super::trie::Trie;
use std::collections::BTreeMap;

/// How a phrase was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Somewhere in the text.
    Within,
    /// At its beginning.
    Opens,
    /// It is the whole text (or the whole of a part in brackets or before a dash).
    Exact,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// The value.
    pub value: T,
    /// How the phrase sits in the text.
    pub fit: Fit,
    /// False where the phrase is another language's.
    pub own: bool,
}

/// A phrase that may be part of a text.
struct Part<T> {
    /// Its length in characters.
    count: usize,
    /// Its last word may go on.
    open: bool,
    /// It is in a script without spaces: it may stand anywhere.
    free: bool,
    /// The same of its first character, and it has more than one.
    wide: bool,
    value: T,
    own: bool,
}

/// Phrases compiled for lookup; stems (`hatás*`) match words that begin so.
pub struct Phrases<T> {
    /// Longest first.
    parts: Vec<Part<T>>,
    /// The most characters that a phrase has.
    longest: usize,
    /// All phrases; their numbers are places in `from`.
    words: Trie,
    /// For each of them, its places in `parts`.
    from: Vec<Vec<u32>>,
    /// For each of them, what it is by itself: a language's own before another's.
    exact: Vec<(T, bool)>,
}

impl<T: Copy + PartialEq> Phrases<T> {
    /// Compiles the phrases of some files; the first file is the language's own.
    pub fn new(files: &[&File], pick: impl Fn(&File) -> &BTreeMap<String, Forms>, named: impl Fn(&str) -> Option<T>) -> Phrases<T> {
        let mut all: Vec<(String, Part<T>)> = Vec::new();
        for (n, file) in files.iter().enumerate() {
            for (name, forms) in pick(file) {
                let Some(value) = named(name) else { continue };
                for form in forms {
                    let open = form.ends_with('*');
                    let folded = tidy(form.trim_end_matches('*'));
                    if folded.is_empty() {
                        continue;
                    }
                    let own = n == 0;
                    let count = folded.chars().count();
                    let wide = count >= 2 && folded.chars().next().is_some_and(|c| c as u32 >= 0x2E80);
                    let free = folded.chars().all(is_free);
                    all.push((folded, Part { count, open, free, wide, value, own }));
                }
            }
        }
        all.sort_by(|a, b| b.1.count.cmp(&a.1.count).then_with(|| a.0.cmp(&b.0)));
        // the sort kept the order of those that are alike: the first is the one that counts
        let mut places: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for ((phrase, _), n) in all.iter().zip(0..) {
            places.entry(phrase).or_default().push(n);
        }
        let numbered: Vec<(&str, u32)> = places.keys().copied().zip(0..).collect();
        let words = Trie::new(&numbered);
        let from: Vec<Vec<u32>> = places.into_values().collect();
        let exact = from.iter().filter_map(|n| n.first()).map(|&n| &all[n as usize].1).map(|p| (p.value, p.own)).collect();
        let longest = all.first().map_or(0, |(_, p)| p.count);
        Phrases { exact, longest, words, from, parts: all.into_iter().map(|(_, p)| p).collect() }
    }

    /// Looks a text up: as a whole; then without a part in brackets, the bracketed part, the parts around a dash, slash or colon; then the
    /// longest phrase it contains, where that is a fair share of it.
    pub fn find(&self, text: &str) -> Option<Found<T>> {
        let whole = tidy(text);
        self.whole(&whole).or_else(|| self.within(&whole))
    }

    /// Looks a text up that is to be a phrase and nothing else: as a whole, or one of its parts around brackets, dashes, slashes or colons.
    pub fn exact(&self, text: &str) -> Option<Found<T>> {
        self.whole(&tidy(text))
    }

    fn whole(&self, whole: &str) -> Option<Found<T>> {
        let exact = |t: &str| {
            let &(value, own) = self.exact.get(self.words.get(t)? as usize)?;
            Some(Found { value, fit: Fit::Exact, own })
        };
        exact(whole).or_else(|| alternatives(whole, exact)).or_else(|| self.stem(whole))
    }

    /// A stem that is the whole text but for its ending.
    fn stem(&self, whole: &str) -> Option<Found<T>> {
        let mut best: Option<&Part<T>> = None;
        self.words.each(whole.as_bytes(), 0, |end, word| {
            let ending = &whole[end..];
            let short = ending.chars().take(4).count() <= 3 && ending.chars().all(char::is_alphabetic);
            let open = self.from[word as usize].iter().map(|&n| &self.parts[n as usize]).find(|p| p.open);
            if let Some(part) = open.filter(|p| short && best.is_none_or(|b| b.count < p.count)) {
                best = Some(part);
            }
        });
        best.map(|p| Found { value: p.value, fit: Fit::Exact, own: p.own })
    }

    fn within(&self, whole: &str) -> Option<Found<T>> {
        let length = whole.chars().count();
        let mut best: Option<(u32, Fit)> = None;
        let mut before: Option<char> = None;
        // in a longer text no phrase is a fair share, but where it opens it
        let only_first = length > 4 * self.longest;
        for (at, c) in whole.char_indices() {
            let begins = before.is_none_or(|c| !is_alphanumeric(c));
            let opens = at == 0;
            if only_first && !opens {
                break;
            }
            if !begins && !is_free(c) {
                before = Some(c);
                continue;
            }
            self.words.each(whole.as_bytes(), at, |end, word| {
                let after = whole[end..].chars().next();
                let ends = after.is_none_or(|c| !is_alphanumeric(c) || is_free(c));
                for &n in &self.from[word as usize] {
                    let Part { count, open, free, wide, .. } = self.parts[n as usize];
                    let fair = (opens && count * 5 >= length * 2) || count * 2 >= length || (wide && (opens || count * 4 >= length));
                    if fair && (free || (begins && (open || ends))) && best.is_none_or(|(b, _)| n < b) {
                        best = Some((n, if opens { Fit::Opens } else { Fit::Within }));
                    }
                }
            });
            before = Some(c);
        }
        let (n, fit) = best?;
        let part = &self.parts[n as usize];
        Some(Found { value: part.value, fit, own: part.own })
    }
}

/// True for a character of a script that is written without spaces.
fn is_free(c: char) -> bool {
    c as u32 >= 0x2E80 || ('\u{E00}'..='\u{EFF}').contains(&c)
}

/// Folds a heading and takes off what is no word of it: numbering, emoji, markup, closing marks.
pub fn tidy(text: &str) -> String {
    let mut folded = fold_str(text, Folding::LOOSE);
    if folded.contains(['-', '_']) {
        folded = folded.replace(['-', '_'], " ");
    }
    let is_core = |c: char| is_alphabetic(c) || matches!(c, '\u{900}'..='\u{DFF}' | '\u{E00}'..='\u{EFF}');
    let mut core = folded.trim_matches(|c: char| !is_core(c) && !c.is_numeric() && !matches!(c, '(' | ')'));
    // numbering: `1.`, `2.3`, `iv)`, `一、`
    let numbered = core.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '(' | '、' | '．' | ':' | '-' | ' '));
    if numbered.len() < core.len() && !numbered.is_empty() {
        core = numbered;
    } else if let Some((head, rest)) = core.split_once('、')
        && head.chars().all(|c| "一二三四五六七八九十".contains(c))
    {
        core = rest;
    }
    let core = core.trim_matches(|c: char| !is_core(c) && !c.is_numeric() && !matches!(c, ')' | '('));
    crate::text::folded(core)
}

/// Asks for each part of a text: what stands before brackets and in them, what stands around dashes, slashes, colons and the like.
fn alternatives<R>(text: &str, ask: impl Fn(&str) -> Option<R>) -> Option<R> {
    let parting = |b: u8| matches!(b, b'(' | b':' | b'/' | b'|' | b'&' | b',') || b >= 0xE2;
    if !text.bytes().any(parting) {
        return None;
    }
    let told = |part: &str| Some(part.trim()).filter(|p| !p.is_empty()).and_then(&ask);
    if let Some(open) = text.find(['(', '（']) {
        let close = text[open..].find([')', '）']).map_or(text.len(), |i| open + i);
        let inside = text[open..close].trim_start_matches(['(', '（']);
        let found = told(&text[..open]).or_else(|| told(inside));
        if found.is_some() {
            return found;
        }
    }
    let separators = [" – ", " — ", ": ", "：", ":", " / ", "/", " | ", " & ", ", "];
    separators.iter().filter(|sep| text.contains(**sep)).find_map(|sep| text.split(sep).find_map(told))
}

#[cfg(test)]
mod tests {
    use super::super::tag::Role;
    use super::*;

    fn roles() -> Phrases<Role> {
        let own: File =
            serde_yaml::from_str("roles: {root_cause: [cause racine, pourquoi], impact: [\"conséquence*\"], timeline: [chronologie]}")
                .unwrap();
        let en: File = serde_yaml::from_str("roles: {remediation: [action items], root_cause: [根本原因]}").unwrap();
        Phrases::new(&[&own, &en], |f| &f.roles, Role::named)
    }

    #[test]
    fn headings_in_every_dress() {
        let r = roles();
        let role = |t: &str| r.find(t).map(|f| f.value);
        assert_eq!(role("3. CAUSE RACINE :"), Some(Role::RootCause));
        assert_eq!(role("🔥 Cause Racine (ROOT CAUSE)"), Some(Role::RootCause));
        assert_eq!(role("Conséquences"), Some(Role::Impact));
        assert_eq!(role("Chronologie des faits"), Some(Role::Timeline));
        assert_eq!(role("二、根本原因分析"), Some(Role::RootCause));
        assert_eq!(role("Action items"), Some(Role::Remediation));
        assert_eq!(r.find("Conséquences :").map(|f| f.fit), Some(Fit::Exact));
        assert_eq!(r.find("Conséquences du jour").map(|f| f.fit), Some(Fit::Opens));
        assert_eq!(role("Nous avons beaucoup parlé de chronologie hier au café"), None);
    }
}
