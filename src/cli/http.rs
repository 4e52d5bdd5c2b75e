//! The few pages of HTTP that `serve` speaks: files of one folder, to this machine alone, and a page that waits until something has changed.
//!
//! A page of elsewhere can have its name point here and so read what is not for the public; a browser then still sends that name as `Host`, and it is
//! refused. The waiting is done by script elements, because the pages' Content-Security-Policy allows nothing else, and it shall stay as it is.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Longest request head.
const HEAD: u64 = 16 * 1024;
/// A page is told at the latest after this time that nothing has changed.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the pages are told.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Counts the builds.
    pub build: u64,
    /// What is wrong with the last one: the fault that stopped it, or files that could not be used.
    pub faults: Vec<String>,
}

/// The state, and a bell for those who wait for another.
#[derive(Default)]
pub(super) struct Board {
    state: Mutex<State>,
    bell: Condvar,
}

impl Board {
    /// Tells the outcome of a build.
    pub fn tell(&self, faults: Vec<String>) {
        if let Ok(mut s) = self.state.lock() {
            *s = State { build: s.build + 1, faults };
        }
        self.bell.notify_all();
    }

    fn now(&self) -> State {
        self.state.lock().map(|s| s.clone()).unwrap_or_default()
    }

    /// The state once it is of another build, or after a while as it is.
    fn after(&self, build: u64, patience: Duration) -> State {
        let Ok(s) = self.state.lock() else { return State::default() };
        self.bell.wait_timeout_while(s, patience, |s| s.build == build).map(|(s, _)| s.clone()).unwrap_or_default()
    }
}

/// An answer.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: &'static str,
    kind: &'static str,
    /// Where else to look.
    to: Option<String>,
    body: Vec<u8>,
}

impl Answer {
    fn text(status: &'static str, text: &str) -> Answer {
        Answer { status, kind: "text/plain; charset=utf-8", to: None, body: format!("{text}\n").into_bytes() }
    }
}

/// The script that every page is given: it waits for the next build, and shows what is wrong with this one.
const WAITING: &str = r#"(function () {
  "use strict";
  var mine = document.currentScript.dataset.build;
  function show(faults) {
    var box = document.getElementById("serve-faults");
    if (box) box.remove();
    if (!faults.length) return;
    box = document.createElement("section");
    box.id = "serve-faults"; box.lang = "en"; box.dir = "ltr"; box.setAttribute("role", "alert");
    var list = document.createElement("ul"), head = document.createElement("h2"), close = document.createElement("button");
    head.textContent = "This page may be out of date";
    close.textContent = "Hide"; close.type = "button";
    close.addEventListener("click", function () { box.remove(); });
    faults.forEach(function (f) { var li = document.createElement("li"); li.textContent = f; list.appendChild(li); });
    box.append(head, list, close);
    document.body.prepend(box);
  }
  function wait() {
    var s = document.createElement("script");
    s.src = "/-/wait.js?build=" + mine + "&at=" + Date.now();
    s.onerror = function () { s.remove(); setTimeout(wait, 1500); };
    document.head.appendChild(s);
    window.twiceshyServes = function (build, faults) {
      s.remove();
      if (String(build) !== mine) location.reload(); else wait();
    };
  }
  document.addEventListener("DOMContentLoaded", function () { show(JSON.parse(document.querySelector("script[data-faults]").dataset.faults)); });
  window.addEventListener("load", wait);
})();
"#;

const STYLE: &str = "#serve-faults{border-block-end:3px solid #b3261e;background:#fff;color:#15191c;padding:12px 24px;font:14px/1.5 system-ui,sans-serif}\
#serve-faults h2{font-size:16px;margin:0}#serve-faults ul{margin:4px 0 8px;padding-inline-start:20px;font-family:monospace;white-space:pre-wrap;overflow-wrap:anywhere}\n";

/// Reads a request, answers it, and is done with the connection.
pub(super) fn answer(stream: TcpStream, folder: &Path, port: u16, board: &Arc<Board>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.set_write_timeout(Some(Duration::from_secs(30)))?;
    let mut lines = BufReader::new((&stream).take(HEAD));
    let mut first = String::new();
    lines.read_line(&mut first)?;
    let mut hosts = Vec::new();
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            hosts.push(value.trim().to_string());
        }
    }
    let made = respond(&first, &hosts, folder, port, board);
    let mut head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n",
        made.status,
        made.kind,
        made.body.len()
    );
    if let Some(to) = &made.to {
        head.push_str(&format!("Location: {to}\r\n"));
    }
    head.push_str("\r\n");
    let mut out = &stream;
    out.write_all(head.as_bytes())?;
    if !first.starts_with("HEAD ") {
        out.write_all(&made.body)?;
    }
    out.flush()
}

/// Whether a `Host` names this machine as itself.
fn is_here(host: &str, port: u16) -> bool {
    let name = host.strip_suffix(&format!(":{port}")).or((port == 80).then_some(host));
    name.is_some_and(|n| matches!(n.to_ascii_lowercase().as_str(), "127.0.0.1" | "localhost" | "[::1]"))
}

fn respond(first: &str, hosts: &[String], folder: &Path, port: u16, board: &Board) -> Answer {
    let mut words = first.split_whitespace();
    let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
        return Answer::text("400 Bad Request", "This is no request.");
    };
    if !version.starts_with("HTTP/1.") {
        return Answer::text("505 HTTP Version Not Supported", "HTTP/1.1 is spoken here.");
    }
    if !matches!(hosts, [one] if is_here(one, port)) {
        return Answer::text("403 Forbidden", "This address serves 127.0.0.1 and localhost alone.");
    }
    if !matches!(method, "GET" | "HEAD") {
        return Answer::text("405 Method Not Allowed", "Pages can be read here, nothing else.");
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    match path {
        "/-/wait.js" => {
            let build = query.split('&').find_map(|p| p.strip_prefix("build=")).and_then(|n| n.parse().ok()).unwrap_or(0);
            let s = board.after(build, PATIENCE);
            let told = serde_json::json!(s.faults).to_string();
            let body = format!("window.twiceshyServes&&window.twiceshyServes({},{told});\n", s.build).into_bytes();
            Answer { status: "200 OK", kind: kind_of("x.js"), to: None, body }
        }
        "/-/page.js" => Answer { status: "200 OK", kind: kind_of("x.js"), to: None, body: WAITING.into() },
        "/-/page.css" => Answer { status: "200 OK", kind: kind_of("x.css"), to: None, body: STYLE.into() },
        _ => file(path, query, folder, &board.now()),
    }
}

/// `%2F` is a byte of a name like any other; what is no UTF-8 names nothing here.
fn decoded(path: &str) -> Option<String> {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            out.push(u8::from_str_radix(path.get(at + 1..at + 3)?, 16).ok()?);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(out).ok()
}

fn file(path: &str, query: &str, folder: &Path, state: &State) -> Answer {
    let lost = || {
        let body = std::fs::read(folder.join("404.html")).unwrap_or_else(|_| EMPTY.into());
        Answer { status: "404 Not Found", kind: kind_of("x.html"), to: None, body: with_script(&from_here(body), state) }
    };
    let Some(name) = decoded(path) else { return lost() };
    let Some(below) = name.strip_prefix('/') else { return lost() };
    let plain = |part: &str| part != ".." && part != "." && !part.contains(['\\', ':', '\0']);
    if !below.split('/').all(plain) || below.split('/').rev().skip(1).any(str::is_empty) {
        return lost();
    }
    let mut place = folder.join(below);
    if place.is_dir() {
        if !below.is_empty() && !below.ends_with('/') {
            let more = if query.is_empty() { String::new() } else { format!("?{query}") };
            return Answer { to: Some(format!("{path}/{more}")), ..Answer::text("301 Moved Permanently", "This is a folder.") };
        }
        place.push("index.html");
    }
    // nothing that a link in the folder leads out of it to
    let inside = std::fs::canonicalize(&place).ok().zip(std::fs::canonicalize(folder).ok()).filter(|(p, f)| p.starts_with(f));
    let Some(bytes) = inside.and_then(|(p, _)| std::fs::read(p).ok()) else { return lost() };
    let kind = kind_of(&place.to_string_lossy());
    let body = if kind.starts_with("text/html") { with_script(&bytes, state) } else { bytes };
    Answer { status: "200 OK", kind, to: None, body }
}

/// The page for addresses that do not exist, whose links count from the host that the site will have: here they count from this one.
fn from_here(page: Vec<u8>) -> Vec<u8> {
    let Ok(text) = String::from_utf8(page) else { return EMPTY.into() };
    let style = text.split("href=\"").skip(1).filter_map(|r| r.split('"').next()).find_map(|href| href.split_once("assets/style-"));
    match style.map(|(before, _)| before.to_string()).filter(|b| b.len() > 1 && b.starts_with('/')) {
        Some(before) => text.replace(&format!("=\"{before}"), "=\"/").into_bytes(),
        None => text.into_bytes(),
    }
}

/// What is shown before the first build has come to an end.
const EMPTY: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>twiceshy</title>\n</head>\n<body>\n<p>Nothing stands at this address.</p>\n</body>\n</html>\n";

/// A page with the script that waits for the next build.
fn with_script(page: &[u8], state: &State) -> Vec<u8> {
    let faults = serde_json::json!(state.faults).to_string();
    let faults = faults.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let script = format!(
        "<link rel=\"stylesheet\" href=\"/-/page.css\"><script src=\"/-/page.js\" data-build=\"{}\" data-faults=\"{faults}\"></script>",
        state.build
    );
    let end = b"</head>";
    match page.windows(end.len()).position(|w| w == end) {
        Some(at) => [&page[..at], script.as_bytes(), &page[at..]].concat(),
        None => page.to_vec(),
    }
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "xml" => "application/xml",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(folder: &Path, first: &str, hosts: &[&str]) -> Answer {
        let hosts: Vec<String> = hosts.iter().map(|h| (*h).to_string()).collect();
        respond(first, &hosts, folder, 4000, &Board::default())
    }

    #[test]
    fn only_this_machine_by_its_own_name_is_answered() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("index.html"), "<head></head>home").unwrap();
        for good in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000"] {
            assert_eq!(ask(dir.path(), "GET / HTTP/1.1", &[good]).status, "200 OK", "{good}");
        }
        let foreign = [
            vec![],
            vec!["evil.example:4000"],
            vec!["127.0.0.1"],
            vec!["127.0.0.1:4001"],
            vec!["127.0.0.1.evil.example:4000"],
            vec!["localhost:4000", "evil.example"],
            vec![""],
        ];
        for hosts in foreign {
            assert_eq!(ask(dir.path(), "GET / HTTP/1.1", &hosts).status, "403 Forbidden", "{hosts:?}");
            assert_eq!(ask(dir.path(), "GET /-/wait.js?build=9 HTTP/1.1", &hosts).status, "403 Forbidden", "{hosts:?}");
        }
        let here = ["localhost:4000"];
        assert!(ask(dir.path(), "POST / HTTP/1.1", &here).status.starts_with("405"));
        assert!(ask(dir.path(), "nonsense", &here).status.starts_with("400"));
    }

    #[test]
    fn only_files_of_the_folder_are_given() {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("site");
        std::fs::create_dir_all(site.join("a b")).unwrap();
        std::fs::write(dir.path().join("secret.txt"), "no").unwrap();
        std::fs::write(site.join("a b/index.html"), "<head></head>there").unwrap();
        std::fs::write(site.join("404.html"), "<head></head>lost").unwrap();
        let get = |path: &str| ask(&site, &format!("GET {path} HTTP/1.1"), &["localhost:4000"]);
        let text = |a: &Answer| String::from_utf8_lossy(&a.body).into_owned();
        assert!(text(&get("/a%20b/")).contains("/-/page.js") && text(&get("/a%20b/index.html?x=1")).ends_with("there"));
        assert_eq!(get("/a%20b?q=1").to.as_deref(), Some("/a%20b/?q=1"));
        for path in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "//etc/passwd",
            "/a%20b/..%5c..%5csecret.txt",
            "/%ff",
            "/%",
            "/none",
            "x",
        ] {
            let a = get(path);
            assert!(a.status.starts_with("404") && text(&a).ends_with("lost"), "{path}: {}", a.status);
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(dir.path().join("secret.txt"), site.join("out.txt")).unwrap();
            assert!(get("/out.txt").status.starts_with("404"));
        }
    }

    #[test]
    fn a_lost_page_finds_its_style_here() {
        let page = r#"<link href="/pm/assets/style-1.css"><a href="/pm/search/index.html"><a href="https://x/pm/">"#;
        let here = String::from_utf8(from_here(page.into())).unwrap();
        assert_eq!(here, r#"<link href="/assets/style-1.css"><a href="/search/index.html"><a href="https://x/pm/">"#);
        assert_eq!(from_here(b"<p>lost".to_vec()), b"<p>lost");
    }

    #[test]
    fn faults_stand_in_the_page_as_text() {
        let state = State { build: 7, faults: vec!["a.md:3: \"<script>&".into()] };
        let page = String::from_utf8(with_script(b"<html><head><title>x</title></head>", &state)).unwrap();
        assert!(page.contains("data-build=\"7\"") && page.contains("[&quot;a.md:3: \\&quot;&lt;script>&amp;&quot;]"), "{page}");
    }

    #[test]
    fn who_waits_is_told_of_the_next_build() {
        let board = Arc::new(Board::default());
        let other = board.clone();
        let waiter = std::thread::spawn(move || other.after(0, Duration::from_secs(30)).build);
        board.tell(vec!["x".into()]);
        assert_eq!(waiter.join().unwrap(), 1);
        assert_eq!(board.after(1, Duration::from_millis(1)).build, 1);
    }
}
