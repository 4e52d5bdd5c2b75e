//! What names a mechanism without telling that it took part tags nothing: hypotheses, definitions, other times and other people, what was in order, what
//! a heading rules out (`tests/untold`, all languages).

use crate::support::{knowledge, root};
use serde::Deserialize;
use std::collections::BTreeMap;
use twiceshy::facts::{Reading, weighed};
use twiceshy::text::Source;

#[derive(Deserialize)]
struct Said {
    kind: String,
    text: String,
}

#[derive(Deserialize)]
struct Listed {
    heads: Vec<String>,
    items: Vec<String>,
}

fn data<T: serde::de::DeserializeOwned>(name: &str) -> BTreeMap<String, T> {
    serde_yaml::from_str(&std::fs::read_to_string(root().join("tests/untold").join(name)).unwrap()).unwrap()
}

/// The tags of a text in a language, with their scores.
fn tags(language: &str, text: &str) -> Vec<String> {
    let k = knowledge();
    let source = Source::new("t.md", text.as_bytes().to_vec());
    let document = twiceshy::document::parse(&source);
    let lexicon = k.languages.lexicon(language);
    let found = weighed(&Reading::new(&document, &lexicon, &k.catalogue));
    found.into_iter().filter(|(t, _)| t.holds()).map(|(t, _)| format!("{} {:.2}", t.id, t.finding.score)).collect()
}

#[test]
fn what_is_not_told_of_the_incident_tags_nothing() {
    let mut wrong = Vec::new();
    let all: BTreeMap<String, Vec<Said>> = data("sentences.yaml");
    assert!(all.len() >= 29);
    for (language, sentences) in &all {
        for s in sentences {
            for section in ["## Root cause", "## Summary", "## Impact"] {
                let found = tags(language, &format!("# Report\n\n{section}\n\n{}\n", s.text));
                if !found.is_empty() {
                    wrong.push(format!("{language}, {} ({section}): {found:?}: {}", s.kind, s.text));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_a_heading_or_a_line_rules_out_tags_nothing_below_it() {
    let mut wrong = Vec::new();
    for (language, l) in data::<Listed>("headings.yaml") {
        let items: String = l.items.iter().map(|i| format!("- {i}\n")).collect();
        // as causes they are taken, or the test says nothing
        assert!(!tags(&language, &format!("# Report\n\n## Root cause\n\n{items}")).is_empty(), "{language}");
        for head in &l.heads {
            for above in [format!("## {head}"), format!("## {head}\n\n### Details"), format!("{head}:")] {
                let found = tags(&language, &format!("# Report\n\n## Root cause\n\nUnknown.\n\n{above}\n\n{items}"));
                if !found.is_empty() {
                    wrong.push(format!("{language}: {above:?}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_a_heading_names_of_work_rules_nothing_out() {
    for head in ["Rejected requests", "Requests rejected during the incident", "Messages discarded by the broker"] {
        let found = tags("en", &format!("# Report\n\n## Root cause\n\n### {head}\n\nThe TLS certificate of the gateway had expired.\n"));
        assert!(found.iter().any(|t| t.starts_with("certificate-expiry")), "{head}: {found:?}");
    }
}
