//! A user's lexicons and patterns: which hold up, what is wrong with the others, and what is doubtful in those that are used. A fault is told with its
//! place, and the rest is used.

use super::Knowledge;
pub use crate::data::text_of;
use crate::error::Error;
use crate::facts::{Reading, weighed};
use crate::lang::Languages;
use crate::pattern::{Catalogue, Sample};
use crate::text::Source;
use std::collections::BTreeMap;

/// Named texts: file name and YAML of each; or file name and what is to be said of it.
pub type Named = Vec<(String, String)>;

/// What becomes of a user's additions.
#[derive(Debug, Default)]
pub struct Additions {
    /// The lexicons that hold up.
    pub lexicons: Named,
    /// The patterns that hold up, at most one of an id.
    pub patterns: Named,
    /// Files that are not used, and why; messages begin with the place.
    pub faults: Named,
    /// What is doubtful in files that are used; messages begin with the place.
    pub doubts: Named,
}

/// Parts a user's lexicons and patterns, as bytes, into those that hold up and the others.
pub fn sound(lexicons: Vec<(String, Vec<u8>)>, patterns: Vec<(String, Vec<u8>)>) -> Additions {
    let mut out = Additions::default();
    if lexicons.is_empty() && patterns.is_empty() {
        return out;
    }
    let lexicons = texts(lexicons, &mut out.faults);
    let patterns = texts(patterns, &mut out.faults);
    let known = Languages::builtin();
    for (name, text) in lexicons {
        match crate::lang::addition(&name, &text) {
            Ok(file) => {
                if !known.is_language(&file.tag) {
                    out.doubts.push((name.clone(), format!("{}: no language is known by the tag `{}`", at(&name, &text, "tag"), file.tag)));
                }
                out.lexicons.push((name, text));
            }
            Err(e) => out.faults.push((name, told(&e))),
        }
    }
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    for (name, text) in patterns {
        match crate::pattern::compile(&name, &text) {
            Ok(p) => match ids.get(&p.file.id) {
                Some(first) => {
                    out.faults.push((name.clone(), format!("{}: the id `{}` is that of {first} too", at(&name, &text, "id"), p.file.id)))
                }
                None => {
                    ids.insert(p.file.id.clone(), name.clone());
                    out.patterns.push((name, text));
                }
            },
            Err(e) => out.faults.push((name, told(&e))),
        }
    }
    // the catalogue takes longer to make than most answers
    if !out.patterns.is_empty()
        && let Ok(catalogue) = Catalogue::with(&out.patterns)
    {
        let doubts = out.patterns.iter().flat_map(|(name, text)| crate::pattern::doubts(name, text, &catalogue, |t| known.is_language(t)));
        out.doubts.extend(doubts.collect::<Vec<_>>());
    }
    out
}

/// A fault and what may be done about it, in one line.
fn told(e: &Error) -> String {
    e.hint_text().map_or_else(|| e.to_string(), |hint| format!("{e} ({hint})"))
}

/// A file's name with the place of a key of it, where it has one.
fn at(name: &str, text: &str, key: &str) -> String {
    crate::data::place_of_key(text, key).map_or_else(|| name.to_string(), |(line, column)| format!("{name}:{line}:{column}"))
}

/// The files that are text; the others are faults, with the place of their first bad byte.
fn texts(files: Vec<(String, Vec<u8>)>, faults: &mut Named) -> Named {
    let mut out = Named::new();
    for (name, bytes) in files {
        match text_of(&name, bytes) {
            Ok(text) => out.push((name, text)),
            Err(e) => faults.push((name, told(&e))),
        }
    }
    out
}

/// The sentences of a user's patterns that are not judged as their files say: those that must be taken and are not, those that must be left and fire.
/// Each with the id of its pattern; the built-in ones are the suite's business.
pub fn samples(knowledge: &Knowledge) -> Named {
    let mut out = Named::new();
    for p in knowledge.catalogue.all().iter().filter(|p| !p.text.is_empty()) {
        let (name, text) = (&p.path, &p.text);
        for (samples, wanted, what) in
            [(&p.file.takes, true, "is to be taken and is not"), (&p.file.leaves, false, "is to be left and fires")]
        {
            for s in samples.iter().filter(|s| fires(&p.file.id, s, knowledge) != wanted) {
                let place =
                    crate::data::place_of(text, &s.text).map_or_else(|| name.clone(), |(line, column)| format!("{name}:{line}:{column}"));
                out.push((p.file.id.clone(), format!("{place}: the sentence `{}` {what}", s.text)));
            }
        }
    }
    out
}

/// True where a sentence of its own, in a passage of the role that the sample names, is tagged with a pattern.
pub fn fires(id: &str, sample: &Sample, knowledge: &Knowledge) -> bool {
    let lexicon = knowledge.languages.lexicon(if sample.lang.is_empty() { "en" } else { &sample.lang });
    let role = sample.role.as_deref().unwrap_or("root_cause");
    let english = knowledge.languages.file("en");
    let head = english.roles.get(role).and_then(|forms| forms.iter().find(|f| !f.contains('*'))).map_or("root cause", String::as_str);
    let source = Source::new("sample.md", format!("# Sample\n\n## {head}\n\n{}\n", sample.text).into_bytes());
    let document = crate::document::parse(&source);
    let found = weighed(&Reading::new(&document, &lexicon, &knowledge.catalogue));
    found.iter().any(|(t, _)| t.id == id && t.holds())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(id: &str, more: &str) -> Vec<u8> {
        format!("id: {id}\nfamily: change\ntitle: {{en: A}}\nwhat: A job nobody remembered.\nrule:\n  any:\n    - {{weight: 1.0, all: [cron, forgot|legacy]}}\n{more}").into_bytes()
    }

    fn messages(named: &Named) -> Vec<&str> {
        named.iter().map(|(_, m)| m.as_str()).collect()
    }

    #[test]
    fn what_holds_up_is_used_and_the_rest_is_told_with_its_place() {
        let lexicons = vec![
            ("lang/a.yaml".to_string(), b"tag: de\nconcepts:\n  retry: [\"k\xe4se\"]\n".to_vec()),
            ("lang/b.yaml".to_string(), b"tag: de\nconcepts:\n  cron: [nachtlauf]\n  cron: [tageslauf]\n".to_vec()),
            ("lang/c.yaml".to_string(), b"tag: de\nconcepts:\n  corn: [nachtlauf]\n".to_vec()),
            ("lang/d.yaml".to_string(), "\u{feff}tag: de\nconcepts:\n  cron: [nachtlauf]\n".as_bytes().to_vec()),
            ("lang/e.yaml".to_string(), b"tag: de\nconcepts:\n  cron:\n    - ok\n    - \"* x\"\n".to_vec()),
            ("lang/f.yaml".to_string(), b"concepts: {}\n".to_vec()),
            ("lang/g.yaml".to_string(), b"tag: qq\nconcepts:\n  cron: [zonk]\n".to_vec()),
        ];
        let patterns = vec![
            ("patterns/a.yaml".to_string(), pattern("a", "")),
            ("patterns/b.yaml".to_string(), pattern("a", "")),
            ("patterns/c.yaml".to_string(), pattern("c", "sets_off: [nothing-such]\n")),
            ("patterns/d.yaml".to_string(), Vec::new()),
        ];
        let made = sound(lexicons, patterns);
        let names: Vec<&str> = made.lexicons.iter().chain(&made.patterns).map(|(n, _)| n.as_str()).collect();
        assert_eq!(names, ["lang/d.yaml", "lang/g.yaml", "patterns/a.yaml", "patterns/c.yaml"]);
        let faults = messages(&made.faults);
        for (n, start) in [
            "lang/a.yaml:3:13: not UTF-8",
            "lang/b.yaml:4:3: `cron` stands here a second time",
            "lang/c.yaml:3:3: unknown concept `corn`",
            "lang/e.yaml:5:",
            "lang/f.yaml: `tag` is missing",
            "patterns/b.yaml:1:1: the id `a`",
            "patterns/d.yaml: the file is empty",
        ]
        .iter()
        .enumerate()
        {
            let found = faults.iter().find(|f| f.starts_with(start));
            assert!(found.is_some(), "{n}: {start}: {faults:#?}");
        }
        let doubts = messages(&made.doubts);
        assert!(doubts.iter().any(|d| d.starts_with("lang/g.yaml:1:1:")), "{doubts:#?}");
        assert!(doubts.iter().any(|d| d.starts_with("patterns/c.yaml:8:12:") && d.contains("nothing-such")), "{doubts:#?}");
    }

    #[test]
    fn sentences_of_a_pattern_are_judged() {
        let yaml = String::from_utf8(pattern(
            "cron-forgotten",
            "takes:\n  - {lang: en, text: The disk was full.}\n  - {lang: en, text: A forgotten cron job deleted the table.}\nleaves:\n  - {lang: en, text: A legacy cron job broke the import.}\n",
        ))
        .unwrap();
        let named = vec![("patterns/cron-forgotten.yaml".to_string(), yaml)];
        let knowledge = Knowledge::with(&[], &named).unwrap();
        let wrong = samples(&knowledge);
        assert_eq!(wrong.len(), 2, "{wrong:#?}");
        assert!(
            wrong[0].1.starts_with("patterns/cron-forgotten.yaml:9:22: the sentence `The disk was full.` is to be taken"),
            "{wrong:#?}"
        );
        assert!(wrong[1].1.contains("is to be left"), "{wrong:#?}");
    }
}
