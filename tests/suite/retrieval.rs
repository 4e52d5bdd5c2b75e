//! Search across languages on the sample corpus: queries written with the documents, none of which shares a word with its target in another language.

use crate::corpus::expected;
use crate::support::{knowledge, root};
use std::collections::BTreeMap;
use twiceshy::index::{Change, Index, Knowledge, Options};
use twiceshy::pipeline::read;
use twiceshy::text::Source;

const SIX: [&str; 6] = ["en", "ja", "fr", "zh", "hu", "mn"];

/// An index in memory over the sample corpus.
fn index() -> Index {
    let k = knowledge();
    let mut index = Index::open(None, &k.hash).unwrap();
    let changes = expected().into_iter().map(|e| {
        let source = Source::new(e.doc.clone(), std::fs::read(root().join("corpus").join(&e.doc)).unwrap());
        Change { path: e.doc.clone(), fingerprint: "x".into(), cases: vec![read(&source, k)] }
    });
    let changes: Vec<Change> = changes.collect();
    index.update(&Knowledge { languages: &k.languages, catalogue: &k.catalogue, hash: &k.hash }, changes).unwrap();
    index
}

#[test]
fn every_language_finds_every_other() {
    let index = index();
    let mut cells: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
    let (mut first, mut five, mut all) = (0, 0, 0);
    let mut missed = Vec::new();
    for e in expected() {
        let to = e.language.split('-').next().unwrap_or_default().to_string();
        for q in &e.queries {
            let from = q.lang.split('-').next().unwrap_or_default().to_string();
            let hits = index.search(&q.text, &Options { limit: 24, ..Options::default() }).unwrap();
            let rank = hits.hits.iter().position(|h| h.path == e.doc).map_or(usize::MAX, |r| r + 1);
            let cell = cells.entry((from.clone(), to.clone())).or_default();
            cell.1 += 1;
            cell.0 += usize::from(rank <= 3);
            if from != to {
                all += 1;
                first += usize::from(rank == 1);
                five += usize::from(rank <= 5);
            }
            if rank > 3 {
                missed.push(format!("{from} -> {to} at {rank}: {} ({})", q.text, e.doc));
            }
        }
    }
    println!("query \\ document  {}", SIX.join("    "));
    let mut good = 0;
    let mut empty = 0;
    for from in SIX {
        let row: Vec<String> = SIX
            .iter()
            .map(|to| match cells.get(&(from.to_string(), to.to_string())) {
                Some((hit, n)) => {
                    good += usize::from(hit * 2 >= *n && *hit > 0);
                    format!("{hit}/{n}")
                }
                None => {
                    empty += 1;
                    "-".into()
                }
            })
            .collect();
        println!("{from:<16} {}", row.join("   "));
    }
    println!("languages differ: first {first} of {all}, among five {five}\n{}", missed.join("\n"));
    assert!(good >= 30, "{good} of {} cells have their target among the first three", 36 - empty);
    assert!(empty <= 6, "{empty} cells have no query");
    assert!(five * 100 >= all * 95, "{five} of {all} among the first five");
}

#[test]
fn a_pattern_named_in_one_language_finds_its_documents_in_others() {
    let index = index();
    let tagged: Vec<String> = expected()
        .into_iter()
        .filter(|e| e.patterns.must.iter().any(|p| p == "retry-storm") && e.language != "en")
        .map(|e| e.doc)
        .collect();
    assert!(!tagged.is_empty());
    let hits = index.search("retry storm", &Options::default()).unwrap();
    let best: Vec<&str> = hits.hits.iter().take(2).map(|h| h.path.as_str()).collect();
    assert!(best.iter().any(|b| tagged.iter().any(|t| t == b)), "{best:?} of {tagged:?}");
}
