//! The catalogue of failure patterns: formulas over concepts, and what each pattern says of itself for people (`data/*.yaml`).
//!
//! A formula never sees a word of any language. It is read against sentences that were turned into concepts by a lexicon, and it says which
//! sentences prove it and how strongly.

mod evidence;
mod formula;
pub mod schema;

use crate::error::{Error, Result};
use crate::lang::Concept;
use std::collections::BTreeMap;

pub use evidence::{Evidence, Finding};
pub use formula::{Look, Miss, Sentence, Trust, Why};
pub use schema::{File, Sample};

/// One pattern, ready for use.
#[derive(Debug)]
pub struct Pattern {
    /// The file it was read from, as named to people.
    pub path: String,
    /// What it was written as; empty for those that the program brings along.
    pub text: String,
    /// What it says of itself.
    pub file: File,
    /// Its formula, compiled.
    pub(crate) rule: formula::Rule,
}

/// All patterns, sorted by id.
#[derive(Debug, Default)]
pub struct Catalogue {
    patterns: Vec<Pattern>,
}

impl Catalogue {
    /// The built-in patterns; a file that does not hold up is left out (the suite checks that there is none).
    pub fn builtin() -> Catalogue {
        let mut made = Catalogue::default();
        for (name, text) in crate::data::PATTERNS {
            if let Ok(p) = ready(&format!("patterns/{name}"), crate::data::embedded(text), "") {
                made.patterns.push(p);
            }
        }
        made.sort();
        made
    }

    /// The built-in patterns and a user's: name (for messages) and YAML of each. One of the same id replaces the built-in one.
    pub fn with(additions: &[(String, String)]) -> Result<Catalogue> {
        let mut made = Catalogue::builtin();
        for (name, text) in additions {
            let p = compile(name, text)?;
            made.patterns.retain(|x| x.file.id != p.file.id);
            made.patterns.push(p);
        }
        made.sort();
        Ok(made)
    }

    fn sort(&mut self) {
        self.patterns.sort_by(|a, b| a.file.id.cmp(&b.file.id));
    }

    /// All patterns.
    pub fn all(&self) -> &[Pattern] {
        &self.patterns
    }

    /// A pattern.
    pub fn get(&self, id: &str) -> Option<&Pattern> {
        self.patterns.binary_search_by(|p| p.file.id.as_str().cmp(id)).ok().map(|i| &self.patterns[i])
    }

    /// The title of a pattern in a language, else in English, else its id.
    pub fn title<'c>(&'c self, id: &'c str, language: &str) -> &'c str {
        self.get(id).map_or(id, |p| p.title(language))
    }
}

impl Pattern {
    /// Its title in a language, else in English, else its id.
    pub fn title(&self, language: &str) -> &str {
        let t = &self.file.title;
        t.get(language).or_else(|| t.get("en")).map_or(self.file.id.as_str(), String::as_str)
    }

    /// Reads its formula against a document's sentences.
    pub fn judge(&self, look: &Look) -> Finding {
        formula::judge(&self.rule, look)
    }

    /// The clauses that came nearest to holding in some sentences, nearest first.
    pub fn nearly(&self, sentences: &[Sentence], limit: usize) -> Vec<Miss> {
        formula::nearly(&self.rule, sentences, limit)
    }

    /// The concepts its formula asks for, sorted.
    pub fn concepts(&self) -> Vec<Concept> {
        self.rule.concepts()
    }
}

/// The parts of the catalogue.
pub const FAMILIES: [&str; 7] = ["load", "resources", "change", "seeing", "dependencies", "data", "security"];

/// Reads and checks one pattern file; a fault is told with its line and column where it has one.
pub fn compile(name: &str, text: &str) -> Result<Pattern> {
    if text.trim().is_empty() {
        return Err(Error::new(format!("{name}: the file is empty")));
    }
    ready(name, crate::data::yaml(name, text)?, text)
}

/// Checks a pattern file and compiles its formula. `text` is what it was written as, for the places of its faults; empty where it was read before.
fn ready(name: &str, file: File, text: &str) -> Result<Pattern> {
    let fail = |what: String| {
        let place = quoted(&what).and_then(|word| position(text, word)).map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
        let e = Error::new(format!("{name}{place}: {what}"));
        let near = quoted(&what).filter(|_| what.starts_with("unknown concept")).and_then(Concept::nearest);
        Err(e.hint(match near {
            Some(n) => format!("nearest: {n}; all concepts stand in src/lang/data/concepts.yaml"),
            None => "the form is described in src/pattern/data/README.md".into(),
        }))
    };
    if file.id.is_empty() {
        return fail("the `id` is missing".into());
    }
    if !file.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
        return fail(format!("the id must be lower-case letters, digits and hyphens, not `{}`", file.id));
    }
    if file.rule.any.is_empty() {
        let key = if text.contains("any:") { "any" } else { "rule" };
        return fail(format!("a rule needs clauses in `any`: there are none in `{key}`"));
    }
    if !matches!(file.rule.negation.as_str(), "" | "strict" | "loose") {
        return fail(format!("negation is strict or loose, not `{}`", file.rule.negation));
    }
    if !(-1.0..=1.0).contains(&file.rule.prior) {
        return fail(format!("{} is not between -1 and 1: `prior`", file.rule.prior));
    }
    if let Some(c) = file.rule.any.iter().find(|c| !(0.0..=1.5).contains(&c.weight)) {
        return fail(format!("{} is not between 0 and 1.5: `weight`", c.weight));
    }
    let rule = match formula::Rule::compile(&file.rule) {
        Ok(rule) => rule,
        Err(what) => return fail(what),
    };
    Ok(Pattern { path: name.to_string(), text: text.to_string(), file, rule })
}

/// What is doubtful in a pattern file that holds up: file name and message, which begins with the place. `catalogue` holds all patterns, the file's
/// own among them; `is_language` knows tags.
pub fn doubts(name: &str, text: &str, catalogue: &Catalogue, is_language: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let Some(p) = catalogue.all().iter().find(|p| p.path == name) else { return Vec::new() };
    let f = &p.file;
    let mut out = Vec::new();
    let mut tell = |place: Option<(usize, usize)>, what: String| {
        let at = place.map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
        out.push((name.to_string(), format!("{name}{at}: {what}")));
    };
    let key = |k: &str| crate::data::place_of_key(text, k);
    if !FAMILIES.contains(&f.family.as_str()) {
        tell(key("family"), format!("no family `{}`; there are {}", f.family, FAMILIES.join(", ")));
    }
    if f.what.trim().is_empty() {
        tell(key("what").or(key("id")), "`what` says nothing: its page will be empty".into());
    }
    if !f.title.contains_key("en") {
        tell(key("title").or(key("id")), "no title in English (`en`), which stands in where a language has none".into());
    }
    if let Some(tag) = f.title.keys().find(|t| !is_language(t)) {
        tell(key(tag), format!("no language is known by the tag `{tag}`"));
    }
    let named = f.neighbours.keys().chain(&f.sets_off).chain(&f.follows_from);
    for id in named.filter(|id| catalogue.get(id).is_none()) {
        tell(position(text, id), format!("no pattern `{id}`"));
    }
    for r in f.references.iter().filter(|r| !(r.url.starts_with("https://") || r.url.starts_with("http://"))) {
        tell(crate::data::place_of(text, &r.url).or(key("references")), format!("`{}` is no address of the web; it is not linked", r.url));
    }
    for s in f.takes.iter().chain(&f.leaves).filter(|s| !s.lang.is_empty() && !is_language(&s.lang)) {
        tell(crate::data::place_of(text, &s.text), format!("no language is known by the tag `{}`", s.lang));
    }
    let stem = name.rsplit('/').next().and_then(|n| n.split('.').next()).unwrap_or_default();
    if stem != f.id {
        tell(key("id"), format!("the id `{}` is not the file's name", f.id));
    }
    out
}

/// The last word in back quotes.
fn quoted(message: &str) -> Option<&str> {
    message.rsplit('`').nth(1)
}

/// Line and column, from 1, of a word of a formula; before the formula only where it does not stand in it.
fn position(text: &str, word: &str) -> Option<(usize, usize)> {
    let rule = text.find("\nrule:").map_or(0, |i| i + 1);
    let whole = |from: usize| {
        text[from..].match_indices(word).map(|(i, _)| from + i).find(|i| {
            let part = |c: char| c.is_alphanumeric() || c == '-';
            !text[..*i].ends_with(part) && !text[i + word.len()..].starts_with(part)
        })
    };
    let at = if word.is_empty() { None } else { whole(rule).or_else(|| whole(0)) }?;
    let line = text[..at].matches('\n').count() + 1;
    let column = text[text[..at].rfind('\n').map_or(0, |i| i + 1)..at].chars().count() + 1;
    Some((line, column))
}

/// How often each pattern was found, for statistics: id to count.
pub type Counts = BTreeMap<String, usize>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_pattern_holds_up() {
        for (name, text) in crate::data::PATTERNS {
            let p = ready(name, serde_json::from_str(text).unwrap(), "").unwrap();
            assert_eq!(format!("{}.yaml", p.file.id), *name);
            assert!(p.file.title.contains_key("en"), "{name}");
            assert!(FAMILIES.contains(&p.file.family.as_str()), "{name}");
        }
        let all = Catalogue::builtin();
        for p in all.all() {
            for other in p.file.neighbours.keys().chain(&p.file.sets_off).chain(&p.file.follows_from) {
                assert!(all.get(other).is_some(), "{}: no pattern `{other}`", p.file.id);
            }
            // what one page says of another the other says too
            let id = &p.file.id;
            for other in &p.file.sets_off {
                assert!(all.get(other).is_some_and(|o| o.file.follows_from.contains(id)), "{other} does not follow from {id}");
            }
            for other in &p.file.follows_from {
                assert!(all.get(other).is_some_and(|o| o.file.sets_off.contains(id)), "{other} does not set off {id}");
            }
        }
    }

    #[test]
    fn faults_in_a_file_are_named() {
        let e = compile("patterns/x.yaml", "id: x\nrule: {any: [{all: [no-such-concept]}]}\n").unwrap_err();
        assert!(e.to_string().contains("patterns/x.yaml:2:21: unknown concept `no-such-concept`"), "{e}");
        let e = compile("p", "id: x\nwhat: rerty\nrule:\n  any:\n    - {all: [retry|rerty]}\n").unwrap_err();
        assert!(e.to_string().contains("p:5:20:"), "{e}");
        assert!(compile("p", "id: x\nrule: {negation: some, any: [{all: [retry]}]}").is_err());
        assert!(compile("p", "id: x\nrule: {any: [{weight: 7, all: [retry]}]}").is_err());
        assert!(compile("p", "id: Ä\nrule: {any: [{all: [retry]}]}").is_err());
        assert!(compile("p", "id: x\nrool: 1").unwrap_err().to_string().contains("p:2:1"));
    }
}
