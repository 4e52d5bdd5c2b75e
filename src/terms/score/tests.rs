//! The vectors that terminal and browser are held to, and what the weights are for.

use super::*;

/// Two languages, four documents.
fn corpus() -> Corpus {
    let doc = |language, words| Doc { language, words, concepts: 10, pairs: 8 };
    Corpus { languages: vec!["en".into(), "hu".into()], docs: vec![doc(0, 100), doc(0, 200), doc(1, 100), doc(1, 100)] }
}

fn word(postings: &[(u32, f64)]) -> Word {
    Word { postings: postings.to_vec(), ..Word::default() }
}

fn sense(postings: &[(u32, &[u32])]) -> Places {
    Places::from(postings.iter().map(|(d, s)| (*d, s.to_vec())).collect::<Vec<_>>())
}

fn cases() -> Vec<(&'static str, Asked)> {
    let en = Some("en".to_string());
    vec![
        ("one word", Asked { language: en.clone(), words: vec![word(&[(0, 1.0), (1, 1.0)])], ..Asked::default() }),
        (
            "a word in all documents of its language",
            Asked { language: en.clone(), words: vec![word(&[(2, 3.0), (3, 1.0)]), word(&[(3, 0.8)])], ..Asked::default() },
        ),
        (
            "concepts, pairs, passages, another language",
            Asked {
                language: en.clone(),
                concepts: vec![sense(&[(0, &[0, 9]), (2, &[1])]), sense(&[(0, &[5]), (2, &[1, 2]), (3, &[7])])],
                ..Asked::default()
            },
        ),
        (
            "pairs of characters, what is the same everywhere, a share of the words",
            Asked {
                words: vec![
                    Word { gram: true, ..word(&[(0, 1.0), (2, 2.0)]) },
                    Word { neutral: true, ..word(&[(1, 1.0), (3, 1.0)]) },
                    word(&[(1, 2.0)]),
                ],
                ..Asked::default()
            },
        ),
        ("a named pattern", Asked { patterns: vec![(1.0, vec![(2, 0.9)]), (0.5, vec![(0, 1.0), (2, 0.5)])], ..Asked::default() }),
        (
            "all",
            Asked {
                language: Some("hu".into()),
                words: vec![word(&[(0, 2.5), (2, 1.0)]), word(&[(1, 4.0)])],
                concepts: vec![sense(&[(1, &[3, 4, 8])]), sense(&[(1, &[4]), (2, &[0])]), sense(&[(0, &[2]), (1, &[6])])],
                parts: vec![1.0, 1.0 / 3.0, 0.5],
                patterns: vec![(0.8, vec![(1, 0.7)])],
            },
        ),
    ]
}

#[derive(Serialize)]
struct Vector {
    name: &'static str,
    corpus: Corpus,
    asked: Asked,
    expected: Vec<Scored>,
}

#[test]
fn the_vectors_that_the_browser_is_held_to() {
    let made: Vec<Vector> =
        cases().into_iter().map(|(name, asked)| Vector { name, corpus: corpus(), expected: score(&corpus(), &asked), asked }).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/scoring.json");
    let text = serde_json::to_string_pretty(&made).unwrap() + "\n";
    if std::env::var_os("UPDATE_VECTORS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == text, "the scores differ; UPDATE_VECTORS=1 writes them anew");
}

#[test]
fn what_the_weights_are_for() {
    let c = corpus();
    let by = |asked: &Asked, doc: u32| score(&c, asked).into_iter().find(|s| s.doc == doc).map_or(0.0, |s| s.score);
    // shorter documents first; rare words more
    let all = cases();
    assert!(by(&all[0].1, 0) > by(&all[0].1, 1));
    // what one passage holds together beats what is strewn
    let near = Asked { concepts: vec![sense(&[(0, &[0]), (1, &[0])]), sense(&[(0, &[1]), (1, &[9])])], ..Asked::default() };
    assert!(by(&near, 0) > by(&near, 1));
    // of two alike, the one in the other language
    let two = Asked { language: Some("en".into()), concepts: vec![sense(&[(0, &[0]), (2, &[0])])], ..Asked::default() };
    assert!(by(&two, 2) > by(&two, 0));
    // of a word's two meanings each counts less than the one meaning of another
    let alone = Asked { concepts: vec![sense(&[(0, &[0])])], ..Asked::default() };
    assert!(by(&alone, 0) > by(&Asked { parts: vec![0.5], ..alone.clone() }, 0));
    // most of the query's words count for more than the sum of their parts
    let most = Asked { words: vec![word(&[(0, 1.0), (1, 1.0)]), word(&[(0, 1.0)]), word(&[(0, 1.0)])], ..Asked::default() };
    let only = Asked { words: most.words[..1].to_vec(), ..Asked::default() };
    assert!(by(&most, 1) < by(&only, 1));
    assert!(score(&Corpus::default(), &Asked::default()).is_empty());
}
