//! Lexicons, patterns and sifting, tried on sentences and pages that were written without looking at them.

use crate::support::{files, knowledge, root};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use twiceshy::facts::{Reading, TAG, judge_all};
use twiceshy::lang::{Cue, Fit, Role, Tag};
use twiceshy::pipeline::examine;
use twiceshy::text::Source;

#[derive(Deserialize)]
struct Sentences {
    lang: String,
    about: Vec<About>,
    neutral: Vec<String>,
}

#[derive(Deserialize)]
struct About {
    text: String,
    concepts: Vec<String>,
}

fn concepts(tag: &str, text: &str) -> BTreeSet<&'static str> {
    let hits = knowledge().languages.lexicon(tag).scan(text);
    hits.iter().filter_map(|h| if let Tag::Concept(c) = h.tag { Some(c.name()) } else { None }).collect()
}

/// Concepts whose words stand in any prose (a number, a person, a day); a neutral sentence may be about them.
const EVERYDAY: [&str; 52] = [
    "person",
    "date",
    "night",
    "friday",
    "holiday",
    "late",
    "wait",
    "start",
    "stop",
    "send",
    "message",
    "mail",
    "review",
    "documentation",
    "code",
    "test",
    "list",
    "count",
    "order",
    "ordering",
    "new",
    "everyone",
    "nobody",
    "change",
    "increase",
    "conference",
    "train-staff",
    "user",
    "customer",
    "file",
    "copy",
    "search",
    "game",
    "transport",
    "government",
    "price",
    "payment",
    "fire",
    "cooling",
    "power",
    "health-sector",
    "delivery",
    "media",
    "voice",
    "mobile",
    "web",
    "although",
    "shared",
    "each-other",
    "for-years",
    "huge",
    "success",
];

#[test]
fn sentences_written_apart_hit_their_concepts() {
    let full = ["en", "ja", "fr", "zh", "hu", "mn"];
    let mut seen = Vec::new();
    for file in files(&root().join("tests/sentences"), &["yaml"]) {
        let s: Sentences =
            serde_yaml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let (mut hit, mut all, mut missed) = (0, 0, Vec::new());
        for a in &s.about {
            let found = concepts(&s.lang, &a.text);
            for c in &a.concepts {
                all += 1;
                if found.contains(c.as_str()) { hit += 1 } else { missed.push(format!("{c}: {}", a.text)) }
            }
        }
        let stray: Vec<(usize, String)> = s
            .neutral
            .iter()
            .map(|t| {
                let found: Vec<&str> = concepts(&s.lang, t).into_iter().filter(|c| !EVERYDAY.contains(c)).collect();
                (found.len(), format!("{found:?} {t}"))
            })
            .filter(|(n, _)| *n > 1)
            .collect();
        println!("{}: {hit} of {all} concepts, {} of {} neutral sentences hit more than one", s.lang, stray.len(), s.neutral.len());
        println!("   {}", missed.join("\n   "));
        println!("   {}", stray.iter().map(|(_, t)| t.clone()).collect::<Vec<_>>().join("\n   "));
        seen.push((s.lang.clone(), hit as f64 / all as f64, stray.len()));
    }
    for tag in full {
        let (_, share, stray) = seen.iter().find(|(l, ..)| l == tag).unwrap_or_else(|| panic!("no sentences in {tag}"));
        assert!(*share >= 0.9, "{tag}: {share:.3} of the concepts are hit, 0.9 is wanted");
        assert!(*stray <= 1, "{tag}: {stray} neutral sentences hit more than one concept");
    }
}

#[test]
fn every_lexicon_is_whole() {
    let english = knowledge().languages.file("en");
    let languages: Vec<&str> = knowledge().languages.tags().collect();
    assert!(languages.len() >= 29, "{languages:?}");
    for tag in languages {
        let f = knowledge().languages.file(tag);
        for (key, word) in &f.ui {
            // a language may have more forms of a counted noun than English has
            let counted = ["_zero", "_two", "_few", "_many", "_other"].iter().find_map(|c| key.strip_suffix(c)).map(|k| format!("{k}_one"));
            let wanted = english.ui.get(key).or_else(|| english.ui.get(&counted?));
            let wanted = wanted.unwrap_or_else(|| panic!("{tag}: ui key `{key}` is not one of English's"));
            for placeholder in ["{n}", "{total}"] {
                assert_eq!(wanted.contains(placeholder), word.contains(placeholder), "{tag}: ui `{key}`: {word}");
            }
        }
        for (name, lists) in [
            ("concepts", &f.concepts),
            ("cues", &f.cues),
            ("roles", &f.roles),
            ("phase", &f.phase),
            ("status", &f.status),
            ("columns", &f.columns),
        ] {
            for (key, forms) in lists {
                let mut sorted = forms.clone();
                sorted.sort();
                sorted.dedup();
                assert_eq!(sorted.len(), forms.len(), "{tag}: {name}.{key} holds a form twice");
            }
        }
        if ["en", "ja", "fr", "zh", "hu", "mn"].contains(&tag) {
            assert_eq!(f.ui.len(), english.ui.len(), "{tag}: words of the interface are missing");
            assert_eq!((f.calendar.months.len(), f.calendar.weekdays.len()), (12, 7), "{tag}");
            assert!(Role::ALL.iter().all(|r| f.roles.get(r.name()).is_some_and(|l| !l.is_empty())), "{tag}: a role without headings");
            assert!(Cue::ALL.iter().all(|c| f.cues.get(c.name()).is_some_and(|l| !l.is_empty())), "{tag}: a cue without words");
            assert!(f.concepts.len() >= 250, "{tag}: {} concepts", f.concepts.len());
        }
    }
}

#[test]
fn headings_of_each_language_find_their_role() {
    let l = &knowledge().languages;
    for (tag, heading, role) in [
        ("fr", "2) Causes profondes", Role::RootCause),
        ("hu", "Teendők", Role::Remediation),
        ("zh", "三、根本原因", Role::RootCause),
        ("zh", "後續行動", Role::Remediation),
        ("ja", "■ 再発防止策", Role::Prevention),
        ("mn", "Үндсэн шалтгаан", Role::RootCause),
        ("en", "What went well?", Role::LessonsWell),
        ("de", "Root cause", Role::RootCause),
    ] {
        let found = l.lexicon(tag).role(heading);
        assert!(
            found.is_some_and(|f| f.value == role || (role == Role::Prevention && f.value == Role::Remediation)),
            "{tag}: {heading}: {found:?}"
        );
        assert!(found.is_some_and(|f| f.fit >= Fit::Opens), "{tag}: {heading}");
    }
}

/// A sentence in a passage of some role, as a document of its language.
fn passage(tag: &str, text: &str, role: &str) -> Source {
    let english = knowledge().languages.file("en");
    let heading = english.roles.get(role).and_then(|h| h.first()).cloned().unwrap_or_else(|| "root cause".into());
    Source::new("x.md", format!("---\nlanguage: {tag}\n---\n# X\n\n## {heading}\n\n{text}\n").into_bytes())
}

#[test]
fn patterns_take_and_leave_their_sentences() {
    let k = knowledge();
    let (mut right, mut all, mut wrong) = (0usize, 0usize, Vec::new());
    let mut confused: BTreeMap<(String, String), usize> = BTreeMap::new();
    for p in k.catalogue.all() {
        let f = &p.file;
        assert!(
            !f.what.is_empty() && f.recognise.len() >= 2 && !f.neighbours.is_empty() && f.stopped.len() >= 2,
            "{}: what people need",
            f.id
        );
        assert!(f.prevents.len() >= 2 && !f.references.is_empty(), "{}: what people need", f.id);
        assert!(!(f.sets_off.is_empty() && f.follows_from.is_empty()), "{}: neither sets off nor follows from anything", f.id);
        let untitled: Vec<&str> = k.languages.tags().filter(|t| !f.title.contains_key(*t)).collect();
        assert!(untitled.is_empty(), "{}: no title in {untitled:?}", f.id);
        let languages: BTreeSet<&str> = p.file.takes.iter().chain(&p.file.leaves).map(|s| s.lang.as_str()).collect();
        assert!(p.file.takes.len() >= 4 && p.file.leaves.len() >= 4 && languages.len() >= 3, "{}", p.file.id);
        for (samples, wanted) in [(&p.file.takes, true), (&p.file.leaves, false)] {
            for s in samples {
                let source = passage(&s.lang, &s.text, s.role.as_deref().unwrap_or("root_cause"));
                let document = twiceshy::document::parse(&source);
                let lexicon = k.languages.lexicon(&s.lang);
                let reading = Reading::new(&document, &lexicon, &k.catalogue);
                let found = judge_all(&reading);
                let tagged = found.iter().any(|t| t.id == p.file.id && t.finding.score >= TAG);
                all += 1;
                if tagged == wanted {
                    right += 1
                } else {
                    wrong.push(format!("{} {}: {}", p.file.id, if wanted { "missed" } else { "took" }, s.text))
                }
                if wanted {
                    for t in found.iter().filter(|t| t.id != p.file.id && t.finding.score >= TAG && p.file.neighbours.contains_key(&t.id)) {
                        *confused.entry((p.file.id.clone(), t.id.clone())).or_default() += 1;
                    }
                }
            }
        }
    }
    println!("{right} of {all} sentences are right\n{}", wrong.join("\n"));
    println!("sentences of a pattern (of how many) that a neighbour takes too:");
    for ((a, b), n) in &confused {
        let of = k.catalogue.get(a).map_or(0, |p| p.file.takes.len());
        println!("   {a:<24} -> {b:<24} {n} of {of}");
    }
    assert_eq!(k.catalogue.all().len(), 58);
    assert!(right as f64 >= 0.95 * all as f64, "{right} of {all} sentences are right");
}

#[derive(Deserialize)]
struct Pages {
    others: Vec<Page>,
    incidents: Vec<Page>,
}

#[derive(Deserialize)]
struct Page {
    path: String,
    text: String,
}

#[test]
fn pages_that_are_no_postmortems_stay_out() {
    let pages: Pages = serde_yaml::from_str(&std::fs::read_to_string(root().join("tests/sift/pages.yaml")).unwrap()).unwrap();
    let judge = |path: &str, bytes: Vec<u8>| {
        let (_, verdict) = examine(&Source::new(path, bytes), knowledge());
        (verdict.score, verdict.reason)
    };
    let mut inside: Vec<(String, Vec<u8>)> = pages.incidents.into_iter().map(|p| (p.path, p.text.into_bytes())).collect();
    for file in files(&root().join("corpus/incidents"), &["md", "txt", "html"]) {
        inside.push((file.display().to_string(), std::fs::read(&file).unwrap()));
    }
    assert!(inside.len() >= 60 && pages.others.len() >= 40, "{} and {}", inside.len(), pages.others.len());
    let out: Vec<String> = inside
        .clone()
        .into_iter()
        .filter_map(|(p, b)| {
            let (s, r) = judge(&p, b);
            r.map(|r| format!("{p}: {s:.1} {r}"))
        })
        .collect();
    for (path, bytes) in &inside {
        println!("incident {:.1} {path}", judge(path, bytes.clone()).0);
    }
    for p in &pages.others {
        println!("other {:.1} {}", judge(&p.path, p.text.clone().into_bytes()).0, p.path);
    }
    let taken: Vec<String> = pages
        .others
        .into_iter()
        .filter_map(|p| {
            let (s, r) = judge(&p.path, p.text.into_bytes());
            r.is_none().then(|| format!("{}: {s:.1}", p.path))
        })
        .collect();
    println!("left out:\n{}\ntaken in:\n{}", out.join("\n"), taken.join("\n"));
    assert!(out.is_empty(), "postmortems left out: {out:?}");
    assert!(taken.len() <= 2, "other pages taken in: {taken:?}");
}
