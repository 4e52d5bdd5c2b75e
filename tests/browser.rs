//! The browser's search against the terminal's: the same words, concepts, patterns, scores and order. Where there is no `node`, nothing is compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use twiceshy::book::Book;
use twiceshy::index::{Change, Index, Knowledge, Options};
use twiceshy::pipeline;
use twiceshy::site::{Input, Settings, render, write};
use twiceshy::text::Source;

const QUERIES: [&str; 30] = [
    "retry storm",
    "health check passes, requests keep failing",
    "証明書 期限切れ",
    "证书过期",
    "lejart tanusitvany",
    "Zertifikat abgelaufen",
    "сертификат истек",
    "인증서 만료",
    "disk full",
    "\"status page\"",
    "\"disk space\" -consul",
    "cause:retry",
    "fix:rollback lang:en",
    "since:2024-06 until:2025-12-31 dns",
    "service:consul",
    "-pattern:disk-full lang:fr",
    "certifcate exipred",
    "kubernetes pods restarting",
    "HTTP 502",
    "us-east-1",
    "断网",
    "障害",
    "バックアップ",
    "base de datos caída",
    "өгөгдлийн сан",
    "la base de données était pleine",
    "إعادة المحاولة",
    "データベースの容量がいっぱいになった",
    "xyzzy",
    "the",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The engine as one file, as the site serves it.
fn engine(dir: &Path) -> PathBuf {
    let text: String =
        ["search.js", "search-engine.js"].iter().map(|n| fs::read_to_string(root().join("templates").join(n)).unwrap() + "\n").collect();
    let path = dir.join("engine.js");
    fs::write(&path, text).unwrap();
    path
}

fn node(dir: &Path, args: &[&Path]) -> Option<String> {
    let made = Command::new("node").arg(root().join("tests/vectors/browser.js")).arg(engine(dir)).args(args).output().ok()?;
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    Some(String::from_utf8(made.stdout).unwrap())
}

#[test]
fn the_shared_scoring_vectors() {
    let dir = tempfile::tempdir().unwrap();
    let vectors = root().join("tests/vectors/scoring.json");
    let Some(got) = node(dir.path(), &[Path::new("--scoring"), &vectors]) else { return };
    let expected: serde_json::Value = serde_json::from_str(&fs::read_to_string(vectors).unwrap()).unwrap();
    let got: serde_json::Value = serde_json::from_str(&got).unwrap();
    for (a, b) in expected.as_array().unwrap().iter().zip(got.as_array().unwrap()) {
        for (x, y) in a["expected"].as_array().unwrap().iter().zip(b["expected"].as_array().unwrap()) {
            assert_eq!(
                (x["doc"].as_u64(), x["score"].as_f64(), x["passage"].as_u64()),
                (y["doc"].as_u64(), y["score"].as_f64(), y["passage"].as_u64()),
                "{}",
                a["name"]
            );
        }
    }
}

#[test]
fn the_same_hits_in_the_same_order() {
    let known = pipeline::Knowledge::builtin();
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("corpus/incidents")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut changes = Vec::new();
    let mut cases = Vec::new();
    for f in files {
        let path = format!("incidents/{}", f.file_name().unwrap().to_string_lossy());
        let case = pipeline::read(&Source::new(path.clone(), fs::read(&f).unwrap()), &known);
        cases.push(case.clone());
        changes.push(Change { path, fingerprint: "1".into(), cases: vec![case] });
    }
    let mut index = Index::open(None, &known.hash).unwrap();
    index.update(&Knowledge { languages: &known.languages, catalogue: &known.catalogue, hash: &known.hash }, changes).unwrap();
    let (book, settings) = (Book::new(cases), Settings::default());
    let input =
        Input { book: &book, catalogue: &known.catalogue, languages: &known.languages, settings: &settings, runbooks: &[], overrides: &[] };
    let outputs = render(&input).unwrap();
    assert!(outputs.iter().filter(|o| o.path.starts_with("search/") && o.path.ends_with(".js")).all(|o| o.bytes.len() <= 32 * 1024));
    let dir = tempfile::tempdir().unwrap();
    let site = dir.path().join("site");
    write(&outputs, &site).unwrap();
    let queries = dir.path().join("queries");
    fs::write(&queries, QUERIES.join("\n")).unwrap();
    let Some(got) = node(dir.path(), &[&site, &queries]) else { return };
    let number = |id: &str| book.cases().iter().position(|c| c.incident.id == id).unwrap();
    for (query, line) in QUERIES.iter().zip(got.lines()) {
        let h = index.search(query, &Options { limit: 1000, ..Options::default() }).unwrap();
        let hits: Vec<String> = h.hits.iter().map(|x| format!("{}:{:.4}", number(&x.id), x.score)).collect();
        let u = h.understood;
        let expected =
            [(*query).to_string(), u.language.unwrap_or_default(), u.concepts.join(","), u.patterns.join(","), hits.join(" ")].join("\t");
        assert_eq!(line, expected);
    }
    assert_eq!(got.lines().count(), QUERIES.len());
}
