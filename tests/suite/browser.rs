//! The browser's search against the terminal's, in a headless Chromium, from disk: the same words, concepts, patterns, scores and order.
//!
//! Chromium is the one named in `CHROMIUM`, else the first found on the path. Where there is none, these tests fail: a comparison that is passed over
//! proves nothing.

use crate::program::Place;
use crate::support::{knowledge, root};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use twiceshy::book::Book;
use twiceshy::index::{Change, Index, Knowledge, Options};
use twiceshy::pipeline;
use twiceshy::site::{Input, Settings, render, write};
use twiceshy::text::Source;

/// What the engine is asked, compared down to the scores.
const QUERIES: [&str; 63] = [
    "retry storm",
    "certif*",
    "recon",
    "lang:ja,hu error",
    "lang:fr lang:en cache*",
    "overl",
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
    "retry storm after a network failure took down the login service",
    "ECONNRESET",
    "/var/lib/postgresql",
    "connection pool exhausted",
    "DNS",
    "pattern:retry-storm since:2020",
    "severity:1",
    "lang:ja",
    "Festplatte voll",
    "Konfigurationsänderung löschte Kundendaten",
    "certificat expiré",
    "panne réseau chez le fournisseur",
    "desbordamiento de enteros",
    "a base de dados caiu",
    "certificato scaduto",
    "verlopen certificaat",
    "awaria bazy danych",
    "переполнение диска",
    "лишние повторы запросов",
    "정전",
    "磁盘已满 数据库",
    "設定変更 障害",
    "elfogyott a lemezterület",
    "lejárt a tanúsítvány a bejelentkezésnél",
    "гэрчилгээний хугацаа дууссан",
    "disk doldu",
    "אישור שפג תוקפו",
    "قاعدة البيانات",
];

/// What the page is asked, in eight languages and by operators.
const ON_THE_PAGE: [&str; 14] = [
    "retry storm",
    "health check passes, requests keep failing",
    "certificate expired",
    "証明書 期限切れ",
    "バックアップ",
    "证书过期",
    "lejárt tanúsítvány",
    "betelt a lemez",
    "la base de données était pleine",
    "өгөгдлийн сан",
    "сертификат истек",
    "Zertifikat abgelaufen",
    "\"disk space\" -consul",
    "qqqzzz",
];

fn chromium() -> PathBuf {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return named.into();
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let found = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        .iter()
        .find_map(|name| folders.iter().map(|f| f.join(name)).find(|p| p.is_file()));
    found.unwrap_or_else(|| {
        panic!("no Chromium found: install it (on Debian: apt-get install chromium), or name one in CHROMIUM; tests/run.sh does so")
    })
}

/// The document of a page after its scripts have run.
fn dom(address: &str) -> String {
    dom_with(address, &[])
}

/// The same with more of the browser's switches.
pub fn dom_with(address: &str, switches: &[&str]) -> String {
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(chromium())
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .args([
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--no-default-browser-check",
            "--virtual-time-budget=30000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", home.path().display()))
        .args(switches)
        .arg(address)
        .env("HOME", home.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|e| panic!("{} cannot be run: {e}", chromium().display()));
    let mut pipe = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).map(|_| bytes)
    });
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > Duration::from_secs(240) {
            let _ = child.kill();
            panic!("Chromium was not done with {address} after {:?}", began.elapsed());
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "Chromium ended with {status} on {address}");
    String::from_utf8(reader.join().unwrap().unwrap()).unwrap()
}

/// The address of a file.
pub fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A query as an address carries it.
fn encoded(text: &str) -> String {
    text.bytes().map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

/// The ids of the hits on the page, in order.
fn shown(dom: &str) -> Vec<String> {
    let id = |article: &str| {
        let href = article.split("href=\"").nth(1).unwrap();
        href.split("incidents/").nth(1).unwrap().split('/').next().unwrap().to_string()
    };
    dom.split("<article class=\"hit").skip(1).map(id).collect()
}

#[test]
fn the_page_shows_what_the_terminal_prints() {
    let place = Place::new();
    let corpus = root().join("corpus").display().to_string();
    place.build(&["--corpus", &corpus]).ends(0);
    let page = address(&place.path("site/search/index.html"));
    let ask = |query: &str| {
        let dom = dom(&format!("{page}?q={}", encoded(query)));
        let ran = place.run(&["--corpus", &corpus, "search", "--format", "json", "-n", "10", query]);
        assert_eq!(shown(&dom), ran.ids(), "{query}");
        assert_eq!(ran.code, i32::from(ran.ids().is_empty()), "{query}");
        ran.ids().len()
    };
    // two browsers at a time
    let (first, second) = ON_THE_PAGE.split_at(ON_THE_PAGE.len() / 2);
    let found = std::thread::scope(|s| {
        let other = s.spawn(|| second.iter().map(|q| ask(q)).collect::<Vec<usize>>());
        let mut all: Vec<usize> = first.iter().map(|q| ask(q)).collect();
        all.extend(other.join().unwrap());
        all
    });
    assert!(found.iter().filter(|n| **n > 0).count() >= 12, "{found:?}");
}

#[derive(serde::Deserialize)]
struct Told {
    vectors: Vec<Vec<(u64, f64, Option<u64>)>>,
    queries: Vec<Query>,
    fault: Option<String>,
}

#[derive(serde::Deserialize)]
struct Query {
    query: String,
    language: String,
    concepts: Vec<String>,
    patterns: Vec<String>,
    hits: Vec<String>,
}

#[test]
fn the_engine_scores_as_the_index_does() {
    let known = knowledge();
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("corpus/incidents")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let (mut changes, mut cases) = (Vec::new(), Vec::new());
    for f in files {
        let path = format!("incidents/{}", f.file_name().unwrap().to_string_lossy());
        let case = pipeline::read(&Source::new(path.clone(), fs::read(&f).unwrap()), known);
        cases.push(case.clone());
        changes.push(Change { path, fingerprint: "1".into(), cases: vec![case] });
    }
    let mut index = Index::open(None, &known.hash).unwrap();
    index.update(&Knowledge { languages: &known.languages, catalogue: &known.catalogue, hash: &known.hash }, changes).unwrap();
    let (book, settings) = (Book::new(cases), Settings::default());
    let input = Input {
        book: &book,
        catalogue: &known.catalogue,
        languages: &known.languages,
        settings: &settings,
        runbooks: &[],
        knowledge: &known.hash,
        overrides: &[],
    };
    let outputs = render(&input).unwrap();
    let data: Vec<_> = outputs.iter().filter(|o| o.path.starts_with("search/") && o.path.ends_with(".js")).collect();
    assert!(data.len() > 2 && data.iter().all(|o| o.bytes.len() <= 32 * 1024));

    let dir = tempfile::tempdir().unwrap();
    write(&outputs, dir.path()).unwrap();
    let vectors: serde_json::Value = serde_json::from_str(&fs::read_to_string(root().join("tests/vectors/scoring.json")).unwrap()).unwrap();
    let head = data.iter().find_map(|o| o.path.strip_prefix("search/")?.strip_suffix(".js").filter(|n| n.starts_with("head-"))).unwrap();
    let asked = serde_json::json!({"head": head, "queries": &QUERIES[..], "vectors": vectors});
    let script = |name: &str| fs::read_to_string(root().join("templates").join(name)).unwrap();
    fs::write(dir.path().join("engine.js"), format!("{}\n{}", script("search.js"), script("search-engine.js"))).unwrap();
    fs::write(dir.path().join("asked.js"), format!("var ASKED = {asked};")).unwrap();
    fs::copy(root().join("tests/vectors/browser.js"), dir.path().join("run.js")).unwrap();
    let page = "<!doctype html><meta charset=utf-8><script src=engine.js></script><script src=asked.js></script><pre id=out></pre><script src=run.js></script>";
    fs::write(dir.path().join("run.html"), page).unwrap();
    let dom = dom(&address(&dir.path().join("run.html")));
    let told = dom
        .split_once("&lt;&lt;&lt;")
        .and_then(|(_, r)| r.split_once("&gt;&gt;&gt;"))
        .unwrap_or_else(|| panic!("the page told nothing: {dom}"))
        .0;
    let told = told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let told: Told = serde_json::from_str(&told).unwrap_or_else(|e| panic!("{e}: {told}"));
    assert_eq!(told.fault, None);

    let list = vectors.as_array().unwrap();
    assert_eq!(told.vectors.len(), list.len());
    for (vector, got) in list.iter().zip(&told.vectors) {
        let wanted = vector["expected"].as_array().unwrap().iter();
        let wanted: Vec<_> = wanted.map(|x| (x["doc"].as_u64().unwrap(), x["score"].as_f64().unwrap(), x["passage"].as_u64())).collect();
        assert_eq!(*got, wanted, "{}", vector["name"]);
    }

    let number = |id: &str| book.cases().iter().position(|c| c.incident.id == id).unwrap();
    assert_eq!(told.queries.len(), QUERIES.len());
    for q in told.queries {
        let h = index.search(&q.query, &Options { limit: 1000, ..Options::default() }).unwrap();
        let hits: Vec<String> = h.hits.iter().map(|x| format!("{}:{:.4}", number(&x.id), x.score)).collect();
        let u = h.understood;
        assert_eq!(
            (q.language, q.concepts, q.patterns, q.hits),
            (u.language.unwrap_or_default(), u.concepts, u.patterns, hits),
            "{}",
            q.query
        );
    }
}
