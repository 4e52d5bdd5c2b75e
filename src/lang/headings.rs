//! Phrases that a short text (a heading, a label, a column head, a status cell) is or contains.

use super::fold::{Folding, fold_str};
use super::schema::{File, Forms};
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

/// Phrases compiled for lookup; stems (`hatás*`) match words that begin so.
pub struct Phrases<T> {
    exact: BTreeMap<String, (T, bool)>,
    /// Longest first: folded phrase, whether its last word may go on, the value, whether it is the language's own.
    parts: Vec<(String, bool, T, bool)>,
}

impl<T: Copy + PartialEq> Phrases<T> {
    /// Compiles the phrases of some files; the first file is the language's own.
    pub fn new(files: &[&File], pick: impl Fn(&File) -> &BTreeMap<String, Forms>, named: impl Fn(&str) -> Option<T>) -> Phrases<T> {
        let mut exact = BTreeMap::new();
        let mut parts = Vec::new();
        for (n, file) in files.iter().enumerate() {
            for (name, forms) in pick(file) {
                let Some(value) = named(name) else { continue };
                for form in forms {
                    let open = form.ends_with('*');
                    let folded = tidy(form.trim_end_matches('*'));
                    if folded.is_empty() {
                        continue;
                    }
                    exact.entry(folded.clone()).or_insert((value, n == 0));
                    parts.push((folded, open, value, n == 0));
                }
            }
        }
        parts.sort_by(|a, b| b.0.chars().count().cmp(&a.0.chars().count()).then(a.0.cmp(&b.0)));
        Phrases { exact, parts }
    }

    /// Looks a text up: as a whole; then without a part in brackets, the bracketed part, the parts around a dash, slash or colon; then the
    /// longest phrase it contains, where that is a fair share of it.
    pub fn find(&self, text: &str) -> Option<Found<T>> {
        let whole = tidy(text);
        if whole.is_empty() {
            return None;
        }
        let exact = |t: &str| self.exact.get(t).map(|&(value, own)| Found { value, fit: Fit::Exact, own });
        if let Some(found) = exact(&whole) {
            return Some(found);
        }
        for part in alternatives(&whole) {
            if let Some(found) = exact(part) {
                return Some(found);
            }
        }
        let length = whole.chars().count();
        for (phrase, open, value, own) in &self.parts {
            let Some(at) = position(&whole, phrase, *open) else { continue };
            let count = phrase.chars().count();
            let wide = phrase.chars().next().is_some_and(|c| c as u32 >= 0x2E80) && count >= 2;
            let opens = at == 0;
            if (opens && count * 5 >= length * 2) || count * 2 >= length || (wide && (opens || count * 4 >= length)) {
                return Some(Found { value: *value, fit: if opens { Fit::Opens } else { Fit::Within }, own: *own });
            }
        }
        None
    }
}

/// Folds a heading and takes off what is no word of it: numbering, emoji, markup, closing marks.
pub fn tidy(text: &str) -> String {
    let folded = fold_str(text, Folding::LOOSE).replace(['-', '_'], " ");
    let is_core = |c: char| c.is_alphabetic() || matches!(c, '\u{900}'..='\u{DFF}' | '\u{E00}'..='\u{EFF}');
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
    core.trim_matches(|c: char| !is_core(c) && !c.is_numeric() && !matches!(c, ')' | '(')).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn alternatives(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    if let Some(open) = text.find(['(', '（']) {
        let close = text[open..].find([')', '）']).map_or(text.len(), |i| open + i);
        out.push(text[..open].trim());
        let inside = text[open..close].trim_start_matches(['(', '（']).trim();
        out.push(inside);
    }
    for sep in [" – ", " — ", ": ", "：", ":", " / ", "/", " | ", " & ", ", "] {
        if text.contains(sep) {
            out.extend(text.split(sep).map(str::trim));
        }
    }
    out.retain(|p| !p.is_empty());
    out
}

fn position(text: &str, phrase: &str, open: bool) -> Option<usize> {
    let free = |c: char| c as u32 >= 0x2E80 || ('\u{E00}'..='\u{EFF}').contains(&c);
    text.match_indices(phrase).map(|(i, _)| i).find(|&i| {
        let before = text[..i].chars().next_back();
        let after = text[i + phrase.len()..].chars().next();
        let wide = phrase.chars().all(free);
        wide || (before.is_none_or(|c| !c.is_alphanumeric()) && (open || after.is_none_or(|c| !c.is_alphanumeric() || free(c))))
    })
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
        assert_eq!(role("Nous avons beaucoup parlé de chronologie hier au café"), None);
    }
}
