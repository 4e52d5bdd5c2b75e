//! How long a site takes to build, how large it is, what one edit costs, and what a search in the browser loads.
//!
//! `cargo bench --bench site` builds the site of 2,000 made incidents from nothing, edits one and builds again, and holds the result against a build
//! from scratch; then it asks the search of a site of 10,000 in a headless Chromium. `cargo bench --bench site -- 500 0` takes other numbers; 0 leaves
//! a part out. The incidents are made from the sentences that patterns are proved by: the same number gives the same incident.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its figures")]

mod made;
mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the search is asked.
const QUERIES: [&str; 9] = [
    "retry storm",
    "disk full",
    "certifcate exipred",
    "HTTP 502 us-east-1",
    "health check passes, requests keep failing",
    "証明書の期限切れで接続できない",
    "证书过期",
    "lejárt tanúsítvány",
    "betelt a lemez az adatbázis gépen",
];

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let (built, searched) = (numbers.first().copied().unwrap_or(2000), numbers.get(1).copied().unwrap_or(10_000));
    let place = tempfile::tempdir().expect("a folder can be made");
    let maker = made::Maker::new(&twiceshy::pipeline::Knowledge::builtin(), 1);
    if built > 0 {
        building(&maker, place.path(), built);
    }
    if searched > 0 {
        searching(&maker, place.path(), searched);
    }
}

/// A run of the program: seconds and the most memory it held, in megabytes (where the system tells).
fn build(corpus: &Path, out: &Path, cache: &Path) -> (f64, Option<f64>) {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_twiceshy"))
        .args(["-q", "--corpus"])
        .arg(corpus)
        .args(["build", "--out"])
        .arg(out)
        .env("XDG_CACHE_HOME", cache)
        .stdin(Stdio::null())
        .spawn()
        .expect("the program can be started");
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut most = None;
    loop {
        let told = std::fs::read_to_string(&status).unwrap_or_default();
        let line =
            told.lines().find_map(|l| l.strip_prefix("VmHWM:")).and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
        most = line.map(|kb| kb / 1024.0).or(most);
        if let Some(ended) = child.try_wait().expect("the program can be waited for") {
            assert!(ended.success(), "the build ended with {ended}");
            return (start.elapsed().as_secs_f64(), most);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// All files below a folder: path and content.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                out.insert(name, std::fs::read(&path).unwrap_or_default());
            }
        }
    }
    out
}

fn megabytes(files: &BTreeMap<String, Vec<u8>>) -> f64 {
    files.values().map(Vec::len).sum::<usize>() as f64 / 1e6
}

fn building(maker: &made::Maker, place: &Path, count: usize) {
    let [corpus, site, fresh, cache] = ["corpus", "site", "fresh", "cache"].map(|n| place.join(n));
    let bytes = written::write(maker, &corpus, count).expect("a corpus can be written");
    let memory = |m: Option<f64>| m.map_or("–".to_string(), |m| format!("{m:.0} MB"));
    let (full, most) = build(&corpus, &site, &cache);
    let made = files(&site);
    println!("{count} incidents, {:.1} MB of text", bytes as f64 / 1e6);
    println!("{:<34}{full:>8.1} s   at most {} of memory", "a build from nothing", memory(most));
    println!("{:<34}{:>8}     {:.1} MB", "files of the site", made.len(), megabytes(&made));
    let (again, most) = build(&corpus, &site, &cache);
    println!("{:<34}{again:>8.1} s   {:.1} % of it, at most {}", "nothing changed", 100.0 * again / full, memory(most));
    let edited = corpus.join(maker.document(count / 2).0);
    let text = std::fs::read_to_string(&edited).expect("it was written");
    std::fs::write(&edited, format!("{text}- [ ] Add jitter to the retries of the gateway\n")).expect("it can be written");
    let (one, most) = build(&corpus, &site, &cache);
    let now = files(&site);
    let written = now.iter().filter(|(path, bytes)| made.get(*path) != Some(bytes)).count();
    println!("{:<34}{one:>8.1} s   {:.1} % of it, at most {}; {written} files written", "one edit", 100.0 * one / full, memory(most));
    build(&corpus, &fresh, &place.join("another cache"));
    let scratch = files(&fresh);
    let differ: Vec<&String> = now.keys().chain(scratch.keys()).filter(|p| now.get(*p) != scratch.get(*p)).collect();
    assert!(differ.is_empty(), "a build from scratch differs: {differ:?}");
    println!("{:<34}{:>8}", "the same as a build from scratch", "yes");
}

/// What a page does: ask the engine, once with files from the disk and once with files at hand, and tell names and milliseconds: until it is open (what
/// every query needs), and from there to the ten first hits. Facets come after them, and patterns where a reader asks for them.
const PAGE: &str = r##"<!doctype html><meta charset=utf-8><script src="ENGINE"></script><script>
(function () {
  var waiting = {}, at_hand = {}, loaded = [], out = [];
  window.S = function (id, data) { at_hand[id] = data; waiting[id](data); };
  function load(id) {
    loaded.push(id);
    if (at_hand[id]) return Promise.resolve(at_hand[id]);
    return new Promise(function (yes) { var s = document.createElement("script"); waiting[id] = yes; s.src = "search/" + id + ".js"; document.head.appendChild(s); });
  }
  function ask(q) {
    loaded = [];
    var e = new TwiceshySearch.Engine(load, HEAD), began = performance.now(), opened;
    return e.open().then(function () { opened = performance.now(); return e.search(q, false); }).then(function (r) {
      return Promise.all(r.hits.slice(0, 10).map(function (h) { return e.card(h.doc); })).then(function () {
        var first = loaded.slice(), ms = performance.now() - opened;
        return e.facets().then(function () {
          var counts = new Map();
          r.hits.forEach(function (h) { e.docs[h.doc].services.forEach(function (s) { counts.set(s, (counts.get(s) || 0) + 1); }); });
          return e.services(Array.from(counts).sort(function (a, b) { return b[1] - a[1] || a[0] - b[0]; }).slice(0, 8).map(function (c) { return c[0]; }));
        }).then(function () {
          var all = loaded.slice();
          return e.tagged().then(function () { return { q: q, hits: r.hits.length, files: first, all: all, patterns: loaded.slice(), open: opened - began, ms: ms }; });
        });
      });
    });
  }
  QUERIES.reduce(function (before, q) {
    return before.then(function () { at_hand = {}; return ask(q); }).then(function () { return ask(q); }).then(function (r) { out.push(r); });
  }, Promise.resolve()).then(function () { new Image().src = "http://127.0.0.1:PORT/" + encodeURIComponent(JSON.stringify(out)); });
})();
</script>"##;

#[derive(serde::Deserialize)]
struct Asked {
    q: String,
    hits: usize,
    files: Vec<String>,
    all: Vec<String>,
    patterns: Vec<String>,
    open: f64,
    ms: f64,
}

fn searching(maker: &made::Maker, place: &Path, count: usize) {
    let [corpus, site, cache] = ["corpus2", "site2", "cache2"].map(|n| place.join(n));
    written::write(maker, &corpus, count).expect("a corpus can be written");
    let (seconds, most) = build(&corpus, &site, &cache);
    let made = files(&site);
    let search: BTreeMap<String, Vec<u8>> =
        made.iter().filter(|(p, _)| p.starts_with("search/") && p.ends_with(".js")).map(|(p, b)| (p.clone(), b.clone())).collect();
    println!(
        "\n{count} incidents: {seconds:.0} s, at most {:.0} MB of memory; {} files, {:.1} MB",
        most.unwrap_or_default(),
        made.len(),
        megabytes(&made)
    );
    let largest = search.iter().max_by_key(|(_, b)| b.len()).map(|(p, b)| (p.as_str(), b.len())).unwrap_or_default();
    println!(
        "search data: {} files, {:.1} MB, the largest {:.1} kB ({})",
        search.len(),
        megabytes(&search),
        largest.1 as f64 / 1e3,
        largest.0
    );
    let head =
        search.keys().find_map(|p| p.strip_prefix("search/")?.strip_suffix(".js").filter(|n| n.starts_with("head-"))).expect("a head");
    let engine = made.keys().find(|p| p.starts_with("assets/search-")).expect("the engine");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a port").port().to_string();
    let queries = format!("{QUERIES:?}");
    let page = PAGE.replace("ENGINE", engine).replace("HEAD", &format!("{head:?}")).replace("QUERIES", &queries).replace("PORT", &port);
    std::fs::write(site.join("measure.html"), page).expect("it can be written");
    let Some(asked) = told(&site.join("measure.html"), place, &listener) else {
        println!("no Chromium told anything: name one in CHROMIUM");
        return;
    };
    println!(
        "{:<44}{:>7}{:>7}{:>9}{:>9}{:>12}{:>14}{:>9}{:>9}",
        "first query", "hits", "files", "kB", "gzip kB", "and facets", "and patterns", "open ms", "query ms"
    );
    let size = |names: &[String]| {
        let mut paths: Vec<String> = names.iter().map(|n| format!("search/{n}.js")).collect();
        paths.sort();
        paths.dedup();
        let raw: usize = paths.iter().filter_map(|p| search.get(p)).map(Vec::len).sum();
        let sent: usize = paths.iter().filter_map(|p| packed(&site.join(p))).sum();
        (paths.len(), raw as f64 / 1e3, sent as f64 / 1e3)
    };
    for a in asked {
        let [(files, raw, sent), (_, _, all), (_, _, patterns)] = [&a.files, &a.all, &a.patterns].map(|names| size(names));
        println!("{:<44}{:>7}{files:>7}{raw:>9.0}{sent:>9.0}{all:>12.0}{patterns:>14.0}{:>9.0}{:>9.0}", a.q, a.hits, a.open, a.ms);
    }
    let script = packed(&site.join(engine)).unwrap_or_default();
    println!("the search's own script, kept by the browser: {:.0} kB", script as f64 / 1e3);
}

/// What the page finds out in a headless Chromium. Its time runs as it does for a reader, so that the page itself must tell when it is done.
fn told(page: &Path, place: &Path, listener: &std::net::TcpListener) -> Option<Vec<Asked>> {
    use std::io::{BufRead, Write};
    let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".into());
    let mut child = Command::new(chromium)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .arg(format!("--user-data-dir={}", place.join("browser").display()))
        .arg(format!("file://{}", page.display()))
        .env("HOME", place)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    listener.set_nonblocking(true).ok()?;
    let began = Instant::now();
    let mut line = String::new();
    while line.is_empty() && began.elapsed() < Duration::from_secs(120) {
        let Ok((stream, _)) = listener.accept() else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let _ = stream.set_nonblocking(false);
        let _ = std::io::BufReader::new(&stream).read_line(&mut line);
        let _ = (&stream).write_all(b"HTTP/1.1 204 No Content\r\n\r\n");
    }
    let _ = child.kill();
    let _ = child.wait();
    let path = line.split_whitespace().nth(1)?.trim_start_matches('/').as_bytes().to_vec();
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < path.len() {
        let hex = path.get(at + 1..at + 3).filter(|_| path[at] == b'%').and_then(|h| std::str::from_utf8(h).ok());
        match hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(b) => {
                bytes.push(b);
                at += 3;
            }
            None => {
                bytes.push(path[at]);
                at += 1;
            }
        }
    }
    serde_json::from_slice(&bytes).ok()
}

/// A file's size as a web server sends it; nothing where there is no gzip.
fn packed(path: &Path) -> Option<usize> {
    Some(Command::new("gzip").arg("-c").arg(path).output().ok()?.stdout.len())
}
