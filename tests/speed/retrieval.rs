//! How well queries find their documents, by this search, by words alone, and by looking for the words as they are typed.
//!
//! `cargo bench --bench retrieval` asks the queries of `tests/expected` over the sample corpus; `-- GOLD DOCS` those of another folder: files of YAML or
//! JSON with `doc`, `language` and `queries` (`lang`, `text`) over the documents they name. `--made N` puts N made documents between them,
//! `--misses` names the queries whose document is not the first. A query is answered where its document comes first (s@1) or among five (s@5); MRR is the mean of
//! one over the place.

mod made;

use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use twiceshy::index::{Change, Counted, Index, Knowledge};
use twiceshy::pipeline;
use twiceshy::terms::score::{Corpus, Scored, Word, score};
use twiceshy::text::Source;

#[derive(Deserialize)]
struct Gold {
    doc: String,
    language: String,
    #[serde(default)]
    queries: Vec<Query>,
}

#[derive(Deserialize)]
struct Query {
    lang: String,
    text: String,
}

/// A query and the number of the document it is about.
struct Task {
    text: String,
    lang: String,
    language: String,
    path: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut folders, mut made, mut misses) = (Vec::new(), 0, false);
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--made" => made = args.next().unwrap_or_default().parse()?,
            "--misses" => misses = true,
            _ => folders.push(PathBuf::from(arg)),
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if folders.is_empty() {
        folders = vec![root.join("tests/expected"), root.join("corpus")];
    }
    let [gold, docs] = &folders[..] else { return Err("two folders are wanted: GOLD DOCS".into()) };
    let knowledge = pipeline::Knowledge::builtin();
    let tasks = tasks(gold, docs)?;
    let mut texts: Vec<(String, Vec<u8>)> = Vec::new();
    for path in walked(docs) {
        let name = path.strip_prefix(docs)?.to_string_lossy().replace('\\', "/");
        if tasks.iter().any(|t| t.path == name) || name.split('/').count() == 1 {
            texts.push((name, std::fs::read(&path)?));
        }
    }
    let maker = made::Maker::new(&knowledge, 1);
    texts.extend((0..made).map(|n| maker.document(n)).map(|(path, text)| (path, text.into_bytes())));
    let read = |(path, bytes): &(String, Vec<u8>)| Change {
        path: path.clone(),
        fingerprint: "x".into(),
        cases: vec![pipeline::read(&Source::new(path.clone(), bytes.clone()), &knowledge)],
    };
    let mut index = Index::open(None, &knowledge.hash)?;
    let with = Knowledge { languages: &knowledge.languages, catalogue: &knowledge.catalogue, hash: &knowledge.hash };
    for part in texts.chunks(500) {
        index.update(&with, part.par_iter().map(read).collect())?;
    }
    let folded: Vec<(String, String)> = texts.iter().map(|(p, b)| (p.clone(), String::from_utf8_lossy(b).to_lowercase())).collect();

    let out = &mut std::io::stdout().lock();
    writeln!(out, "{} queries, {} documents\n", tasks.len(), texts.len())?;
    let mut ways: [(&str, Vec<usize>); 3] = [("this search", Vec::new()), ("words alone (BM25)", Vec::new()), ("literal", Vec::new())];
    for task in &tasks {
        let c = index.counted(&task.text)?;
        ways[0].1.push(rank(&c, &score(&c.corpus, &c.asked), &task.path));
        ways[1].1.push(rank(&c, &bm25(&c.corpus, &c.words), &task.path));
        ways[2].1.push(literal(&folded, &task.text, &task.path));
        if misses && ways[0].1.last() != Some(&1) {
            writeln!(out, "{:>4}  {} → {}  {}  ({})", ways[0].1.last().unwrap_or(&0), task.lang, task.language, task.text, task.path)?;
        }
    }
    for (name, ranks) in &ways {
        table(out, name, &tasks, ranks)?;
    }
    Ok(())
}

fn tasks(gold: &Path, docs: &Path) -> Result<Vec<Task>, Box<dyn std::error::Error>> {
    let mut out = Vec::new();
    for file in walked(gold) {
        let Ok(g) = serde_yaml::from_str::<Gold>(&std::fs::read_to_string(&file)?) else { continue };
        if docs.join(&g.doc).is_file() {
            out.extend(g.queries.into_iter().map(|q| Task {
                text: q.text,
                lang: q.lang,
                language: g.language.clone(),
                path: g.doc.clone(),
            }));
        }
    }
    Ok(out)
}

fn walked(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { out.extend(walked(&path)) } else { out.push(path) }
    }
    out.sort();
    out
}

/// The place of a document, from 1; 0 where it is not found.
fn rank(c: &Counted, scored: &[Scored], path: &str) -> usize {
    let mut list: Vec<(f64, &str)> = scored.iter().filter(|s| s.score > 0.0).map(|s| (s.score, c.paths[s.doc as usize].as_str())).collect();
    list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    list.iter().position(|(_, p)| *p == path).map_or(0, |p| p + 1)
}

/// BM25 as everybody has it, over the same words and lengths.
fn bm25(corpus: &Corpus, words: &[Word]) -> Vec<Scored> {
    let n = corpus.docs.len() as f64;
    let average = corpus.docs.iter().map(|d| f64::from(d.words)).sum::<f64>() / n;
    let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
    for word in words {
        let df = word.postings.len() as f64;
        let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
        for (doc, count) in &word.postings {
            let length = f64::from(corpus.docs[*doc as usize].words) / average;
            *sums.entry(*doc).or_default() += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length));
        }
    }
    sums.into_iter().map(|(doc, score)| Scored { doc, score, ..Scored::default() }).collect()
}

/// The words as they are typed, whatever their case: the files that have most of them first, then those that have them most often.
fn literal(texts: &[(String, String)], query: &str, path: &str) -> usize {
    let words: Vec<String> =
        query.to_lowercase().split_whitespace().map(|w| w.trim_matches(|c: char| !c.is_alphanumeric()).to_string()).collect();
    let mut list: Vec<(usize, usize, &str)> = Vec::new();
    for (name, text) in texts {
        let counts: Vec<usize> = words.iter().filter(|w| !w.is_empty()).map(|w| text.matches(w.as_str()).count()).collect();
        let (different, all) = (counts.iter().filter(|c| **c > 0).count(), counts.iter().sum());
        if different > 0 {
            list.push((different, all, name));
        }
    }
    list.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then(a.2.cmp(b.2)));
    list.iter().position(|(.., p)| *p == path).map_or(0, |p| p + 1)
}

fn table(out: &mut impl Write, name: &str, tasks: &[Task], ranks: &[usize]) -> std::io::Result<()> {
    let primary = |l: &str| l.split('-').next().unwrap_or_default().to_string();
    let mut groups: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
    for (task, &rank) in tasks.iter().zip(ranks) {
        let same = primary(&task.lang) == primary(&task.language);
        for key in [
            (0, "all".to_string()),
            (1, if same { "same language" } else { "languages differ" }.into()),
            (2, format!("asked in {}", task.lang)),
        ] {
            groups.entry(key).or_default().push(rank);
        }
    }
    writeln!(out, "{name:<22}{:>8}{:>8}{:>8}{:>8}", "queries", "s@1", "s@5", "MRR")?;
    for ((_, group), ranks) in groups {
        let n = ranks.len() as f64;
        let within = |k: usize| ranks.iter().filter(|r| (1..=k).contains(*r)).count() as f64 / n;
        let mrr = ranks.iter().filter(|r| **r > 0).map(|r| 1.0 / *r as f64).sum::<f64>() / n;
        writeln!(out, "  {group:<20}{:>8}{:>8.3}{:>8.3}{mrr:>8.3}", ranks.len(), within(1), within(5))?;
    }
    writeln!(out)
}
