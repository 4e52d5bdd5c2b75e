//! The catalogue of failure patterns: formulas over concepts, and what each pattern says of itself for people (`data/*.yaml`).
//!
//! A formula never sees a word of any language. It is read against sentences that were turned into concepts by a lexicon, and it says which
//! sentences prove it and how strongly.

mod formula;
pub mod schema;

use crate::error::{Error, Result};
use crate::lang::Concept;
use std::collections::BTreeMap;

pub use formula::{Evidence, Finding, Look, Sentence, Trust};
pub use schema::{File, Sample};

/// One pattern, ready for use.
#[derive(Debug)]
pub struct Pattern {
    /// The file it was read from, as named to people.
    pub path: String,
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
            if let Ok(p) = ready(&format!("patterns/{name}"), crate::data::embedded(text)) {
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

    /// The concepts its formula asks for, sorted.
    pub fn concepts(&self) -> Vec<Concept> {
        self.rule.concepts()
    }
}

/// Reads and checks one pattern file.
pub fn compile(name: &str, text: &str) -> Result<Pattern> {
    ready(name, crate::data::yaml(name, text)?)
}

/// Checks a pattern file and compiles its formula.
fn ready(name: &str, file: File) -> Result<Pattern> {
    let fail = |what: String| Err(Error::new(format!("{name}: {what}")).hint("the form is described in src/pattern/data/README.md"));
    if file.id.is_empty() || !file.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
        return fail(format!("`id` must be lower-case letters, digits and hyphens, not `{}`", file.id));
    }
    if file.rule.any.is_empty() {
        return fail("`rule.any` is empty".into());
    }
    let rule = match formula::Rule::compile(&file.rule) {
        Ok(rule) => rule,
        Err(what) => return fail(what),
    };
    Ok(Pattern { path: name.to_string(), file, rule })
}

/// How often each pattern was found, for statistics: id to count.
pub type Counts = BTreeMap<String, usize>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_pattern_holds_up() {
        for (name, text) in crate::data::PATTERNS {
            let p = ready(name, serde_json::from_str(text).unwrap()).unwrap();
            assert_eq!(format!("{}.yaml", p.file.id), *name);
            assert!(p.file.title.contains_key("en"), "{name}");
        }
        let all = Catalogue::builtin();
        for p in all.all() {
            for other in p.file.neighbours.keys().chain(&p.file.sets_off).chain(&p.file.follows_from) {
                assert!(all.get(other).is_some(), "{}: no pattern `{other}`", p.file.id);
            }
        }
    }

    #[test]
    fn faults_in_a_file_are_named() {
        let e = compile("patterns/x.yaml", "id: x\nrule: {any: [{all: [no-such-concept]}]}\n").unwrap_err();
        assert!(e.to_string().contains("patterns/x.yaml: unknown concept `no-such-concept`"), "{e}");
        assert!(compile("p", "id: Ä\nrule: {any: [{all: [retry]}]}").is_err());
        assert!(compile("p", "id: x\nrool: 1").unwrap_err().to_string().contains("p:2:1"));
    }
}
