//! The built site: the same bytes every time, sound links, nothing that is not for the public, nothing written twice.

use crate::program::{Place, Ran, tree};
use crate::support::root;
use std::collections::BTreeMap;
use twiceshy::site::{Output, problems};

/// The rules of every page, and no request to elsewhere from style sheets and scripts either.
#[track_caller]
fn sound(place: &Place, base: Option<&str>) {
    let outputs: Vec<Output> = place.site().into_iter().map(|(path, bytes)| Output::new(path, bytes)).collect();
    assert!(outputs.iter().filter(|o| o.path.ends_with(".html")).count() > 50);
    assert_eq!(problems(&outputs, base), Vec::<String>::new());
    for o in &outputs {
        let text = String::from_utf8_lossy(&o.bytes);
        if o.path.ends_with(".css") {
            assert!(!text.contains("url(") && !text.contains("@import"), "{}", o.path);
        }
        if o.path.starts_with("assets/") && o.path.ends_with(".js") {
            for word in ["fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "://", "import(", "innerHTML", "eval("] {
                assert!(!text.contains(word), "{}: {word}", o.path);
            }
        }
    }
}

#[test]
fn the_sample_corpus_makes_the_same_bytes_anywhere() {
    let corpus = root().join("corpus").display().to_string();
    let build = |threads: &str, zone: &str, locale: &str, folder: &str| {
        let place = Place::new();
        let mut c = place.command();
        c.args(["--corpus", &corpus, "build", "--out", folder])
            .env("RAYON_NUM_THREADS", threads)
            .env("TZ", zone)
            .env("LANG", locale)
            .env("LC_ALL", locale);
        Ran::of(c.output().unwrap()).ends(0);
        (tree(&place.path(folder)), place)
    };
    let (one, place) = build("1", "UTC", "C", "site");
    let (two, _) = build("7", "Asia/Kathmandu", "tr_TR.UTF-8", "another");
    let names = |t: &[(String, Vec<u8>)]| t.iter().map(|f| f.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one), names(&two));
    for (a, b) in one.iter().zip(&two) {
        assert!(a == b, "{} differs", a.0);
    }
    sound(&place, None);

    // what is stored beside each page is what is extracted from its file
    let facts: BTreeMap<&str, &Vec<u8>> =
        one.iter().filter(|f| f.0.starts_with("incidents/") && f.0.ends_with(".json")).map(|f| (f.0.as_str(), &f.1)).collect();
    let files: Vec<String> = tree(&root().join("corpus/incidents")).into_iter().map(|f| format!("incidents/{}", f.0)).collect();
    let mut c = place.command();
    let ran = Ran::of(c.current_dir(&corpus).args(["extract", "--format", "jsonl"]).args(&files).output().unwrap()).ends(0);
    assert_eq!((ran.lines().len(), facts.len()), (files.len(), files.len()));
    for line in ran.lines() {
        let stored: serde_json::Value =
            serde_json::from_slice(facts[format!("incidents/{}.json", line["id"].as_str().unwrap()).as_str()]).unwrap();
        for (key, value) in line.as_object().unwrap() {
            // known only to a corpus as a whole: its default audience
            if key != "audience" {
                assert_eq!(stored[key], *value, "{}: {key}", line["id"]);
            }
        }
    }
}

/// A document full of words that stand nowhere else.
fn secret(audience: &str, n: usize) -> String {
    let w = |part: &str| format!("zq{part}{n}xj");
    format!(
        "---\n{audience}services: [{}]\ntags: [{}]\nteam: {}\naliases: [{}]\nowners: [{}]\n---\n# The {} fell over\n\nOn 2024-03-05 the retry storm of {} hit checkout.\n\n\
         ## Timeline\n\n- 2024-03-05 10:00 UTC {} alerted\n- 2024-03-05 10:30 UTC {} was restarted\n\n## Root cause\n\nRetries of {} overloaded the gateway.\n\n\
         ## Action items\n\n- [ ] Add jitter to {} (@{})\n",
        w("service"),
        w("tag"),
        w("field"),
        w("alias"),
        w("owner"),
        w("title"),
        w("body"),
        w("alert"),
        w("event"),
        w("cause"),
        w("action"),
        w("person")
    )
}

const OPEN: &str = "---\nid: open\n---\n# Checkout was slow\n\nOn 2024-03-05 10:00 UTC the retry storm hit checkout until 10:30 UTC.\n\n## Root cause\n\nRetries overloaded the gateway.\n\n\
    ## Resolution\n\nWe restarted the gateway.\n";

/// The words of hidden documents in the built folder: `file: word`.
fn leaks(place: &Place) -> Vec<String> {
    let mut out = Vec::new();
    for (path, bytes) in place.site() {
        for text in [path.clone(), String::from_utf8_lossy(&bytes).into_owned()] {
            let lower = text.to_lowercase();
            if let Some(at) = lower.find("zq") {
                let word: String = lower[at..].chars().take_while(|c| c.is_alphanumeric()).collect();
                if word.contains("xj") || word.starts_with("zqfile") {
                    out.push(format!("{path}: {word}"));
                }
            }
        }
    }
    out
}

#[test]
fn nothing_of_a_hidden_document_is_in_any_byte() {
    let place = Place::with(&[("open.md", OPEN), ("zqfile1.md", &secret("", 1)), ("zqfile2.md", &secret("audience: restricted\n", 2))]);
    place.put("zqfile3.md", format!("+++\ntitle = \"zqtoml3xj\"\n[extra]\naudience = \"internal\"\n+++\n{OPEN}"));
    place.put("zqfile4.md", format!("\n{}", secret("Audience: [Internal]\n", 4)));
    place.put("zqfile5.md", secret("title: \"zqbroken5xj: unclosed\naudience: internal\n", 5));
    place.put(
        "runbooks/gateway.md",
        "# Gateway\n\nAs [then](../zqfile1.md) and [before](twiceshy:zqfile2), and [in the open](twiceshy:open).\n",
    );
    place.put("runbooks/zqfile6.md", "---\naudience: internal\n---\n# zqrunbook6xj\n\n[in the open](twiceshy:open)\n");
    // first for all to see …
    let ran = place.build(&[]).ends(0);
    assert!(leaks(&place).iter().any(|l| l.contains("zqfile1")), "the test sees nothing: {}", ran.err);
    let only_first = |l: &&String| !l.contains("1xj") && !l.contains("zqfile1");
    assert_eq!(leaks(&place).iter().filter(only_first).collect::<Vec<_>>(), Vec::<&String>::new(), "{}", ran.err);
    for hidden in [
        "zqfile2.md: audience restricted",
        "zqfile3.md: audience internal",
        "zqfile4.md: audience internal",
        "zqfile5.md: audience internal",
        "runbooks/zqfile6.md: audience internal",
    ] {
        assert_eq!(ran.said(hidden), 1, "{hidden}: {}", ran.err);
    }
    // … then taken back
    place.put("zqfile1.md", secret("audience: internal\n", 1));
    let ran = place.build(&[]).ends(0);
    assert_eq!(ran.said("zqfile1.md: audience internal"), 1, "{}", ran.err);
    assert_eq!(leaks(&place), Vec::<String>::new());
    sound(&place, None);
    let strict = place.build(&["--strict"]).ends(2);
    assert!(strict.said("error") == 1 && strict.said("--strict") == 1, "{}", strict.err);
    // and by the settings, without a file having changed
    place.put("twiceshy.yaml", "audience: internal\n");
    place.build(&[]).ends(0);
    assert!(!place.path("site/incidents/open").exists());
    // the terminal is not the public
    assert!(place.run(&["search", "zqservice1xj", "--format", "json"]).ends(0).ids().len() == 1);
}

#[test]
fn corrections_beside_a_document_can_hide_it() {
    let place = Place::with(&[("open.md", OPEN), ("zqfile1.md", &secret("", 1)), ("zqfile2.md", &secret("", 2))]);
    place.build(&[]).ends(0);
    assert!(!leaks(&place).is_empty());
    place.put("zqfile1.twiceshy.yaml", "audience: internal\n");
    // what cannot be read may have meant to hide
    place.put("zqfile2.md.twiceshy.yaml", "audience: [internal\n");
    let ran = place.build(&[]).ends(0);
    assert_eq!(leaks(&place), Vec::<String>::new(), "{}", ran.err);
    assert_eq!((ran.said("zqfile1.md: audience internal"), ran.said("zqfile2.md.twiceshy.yaml:1:11")), (1, 1), "{}", ran.err);
    std::fs::remove_file(place.file("zqfile1.twiceshy.yaml")).unwrap();
    place.build(&[]).ends(0);
    assert!(leaks(&place).iter().any(|l| l.contains("zqfile1")));
}

#[test]
fn a_document_that_cannot_be_read_any_more_is_taken_down() {
    let place = Place::with(&[("open.md", OPEN), ("zqfile1.md", &secret("", 1))]);
    place.build(&[]).ends(0);
    assert!(!leaks(&place).is_empty());
    place.put("zqfile1.md", b"\0\0\0\0");
    place.build(&[]).ends(0);
    assert_eq!(leaks(&place), Vec::<String>::new());
    std::fs::remove_file(place.file("zqfile1.md")).unwrap();
    place.build(&[]).ends(0);
    assert_eq!(leaks(&place), Vec::<String>::new());
}

#[test]
fn what_a_document_says_stays_text() {
    let evil = "---\nid: ../../evil\ntitle: '<script>alert(1)</script>'\nservices: ['<img src=x onerror=alert(2)>', '../up']\ntags: ['\"><svg onload=alert(3)>']\n\
        source_url: 'javascript:alert(4)'\naliases: ['../../alias', 'a/b']\nextra: '{{ 7*7 }}'\n---\n# X\n\nOn 2024-03-05 10:00 UTC the disk was full until 10:30 UTC.\n\n\
        <script>alert(5)</script>\n\n<iframe src=\"https://e.example\"></iframe> <b onclick=\"x()\">bold</b>\n\n## Root cause\n\nThe [link](javascript:alert(6)), [data](data:text/html,x) \
        and <a href='JavaScript:alert(7)'>more</a> filled the disk. {{ 7*7 }} {% raw %}\n\n## Resolution\n\nWe ran `</code><script>alert(8)</script>` on the disk.\n";
    let place = Place::with(&[("evil.md", evil), ("open.md", OPEN), ("<b>.md", OPEN.replace("id: open\n", "lang: en\n").as_str())]);
    place.build(&[]).ends(0);
    sound(&place, None);
    let outside: Vec<_> =
        std::fs::read_dir(place.path(".")).unwrap().flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    assert!(outside.iter().all(|n| ["home", "cache", "corpus", "site"].contains(&n.as_str())), "{outside:?}");
    let mut told = 0;
    for (path, bytes) in place.site() {
        assert!(path.split('/').all(|p| p != ".." && !p.is_empty()), "{path}");
        if path.ends_with(".html") || path.ends_with(".xml") {
            let text = String::from_utf8_lossy(&bytes);
            for bad in ["<script>alert", "<iframe", "<img src=x", "<svg onload", "href=\"javascript:", "href=\"data:", "href=\"JavaScript:"]
            {
                assert!(!text.contains(bad), "{path}: {bad}");
            }
            told += usize::from(text.contains("&lt;script&gt;alert(1)"));
            assert!(!text.contains("href=\"https://e.example"), "{path}");
        }
    }
    assert!(told > 0);
    let facts: Vec<_> = place.site().into_iter().filter(|f| f.0.contains("evil") && f.0.ends_with(".json")).collect();
    assert_eq!((facts.len(), facts[0].0.matches('/').count()), (1, 1), "{}", facts[0].0);
}

#[test]
fn only_what_changed_is_written() {
    let place = Place::new();
    for n in 0..6 {
        place.put(
            &format!("i{n}.md"),
            OPEN.replace("id: open", &format!("id: i{n}"))
                .replace("2024-03-05", &format!("2024-0{}-05", n + 1))
                .replace("checkout", &format!("checkout{n}")),
        );
    }
    place.build(&[]).ends(0);
    let before = place.site();
    std::fs::write(place.path("site/CNAME"), "mine\n").unwrap();
    let again = place.build(&[]).ends(0);
    assert_eq!(again.said("; 0 files written,"), 1, "{}", again.err);
    // a word of one document's resolution
    place.put("i3.md", std::fs::read_to_string(place.file("i3.md")).unwrap().replace("restarted", "replaced"));
    let ran = place.build(&[]).ends(0);
    // the search's data is named by its content as a whole; of the rest only what tells of this document
    let pages = |files: Vec<(String, Vec<u8>)>| {
        files.into_iter().filter(|f| !f.0.starts_with("search/") || f.0.ends_with(".html")).collect::<BTreeMap<_, _>>()
    };
    let (old, now) = (pages(before), pages(place.site()));
    let changed: Vec<&String> = now.keys().filter(|k| old.get(*k) != now.get(*k) && *k != "CNAME").collect();
    assert!(
        changed.len() * 5 < old.len() && changed.iter().any(|k| *k == "incidents/i3/index.html"),
        "{changed:?} of {}: {}",
        old.len(),
        ran.err
    );
    std::fs::remove_file(place.file("i5.md")).unwrap();
    let ran = place.build(&[]).ends(0);
    assert!(!place.path("site/incidents/i5").exists() && !place.path("site/incidents/i5.json").exists(), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(place.path("site/CNAME")).unwrap(), "mine\n");
    sound(&place, None);
    // and what is left is what a fresh build makes
    let grown: BTreeMap<String, Vec<u8>> = place.site().into_iter().filter(|f| f.0 != "CNAME").collect();
    Ran::of(place.command().args(["build", "--out", "fresh"]).output().unwrap()).ends(0);
    let fresh: BTreeMap<String, Vec<u8>> = tree(&place.path("fresh")).into_iter().collect();
    assert!(
        grown == fresh,
        "{:?}",
        grown.keys().filter(|k| grown.get(*k) != fresh.get(*k)).chain(fresh.keys().filter(|k| !grown.contains_key(*k))).collect::<Vec<_>>()
    );
}

#[test]
fn a_site_inside_of_its_corpus_is_no_part_of_it() {
    let place = Place::with(&[("twiceshy.yaml", "base: https://kb.example/post/\nlanguages: [en, hu]\n"), ("open.md", OPEN)]);
    let build = |out: &str| Ran::of(place.command().current_dir(place.file(".")).args(["build", "--out", out]).output().unwrap());
    build("public").ends(0);
    let second = build("public").ends(0);
    assert!(second.said("Wrote public: 1 incidents") == 1 && second.said("; 0 files written,") == 1, "{}", second.err);
    let ran =
        Ran::of(place.command().current_dir(place.file(".")).args(["search", "retry storm", "--format", "json"]).output().unwrap()).ends(0);
    assert_eq!(ran.ids(), ["open"]);
    assert!(build(".").ends(2).err.contains("the corpus itself"));
    std::fs::rename(place.file("public"), place.path("site")).unwrap();
    sound(&place, Some("https://kb.example/post/"));
    // somebody else's file in the way is left alone
    std::fs::create_dir(place.path("mine")).unwrap();
    std::fs::write(place.path("mine/index.html"), "mine").unwrap();
    let ran = Ran::of(place.command().args(["build", "--out", "mine"]).output().unwrap()).ends(2);
    assert!(ran.said("error") == 1 && ran.err.contains("mine/index.html"), "{}", ran.err);
    assert_eq!(std::fs::read_dir(place.path("mine")).unwrap().count(), 1);
}

#[test]
fn a_users_templates_replace_the_built_in_ones() {
    let place = Place::with(&[("open.md", OPEN)]);
    place.put("templates/404.html", "{% extends 'base.html' %}{% block main %}<h1>lost in {{ site }}</h1>{% endblock %}");
    place.put("templates/extra.css", ".house { color: red }");
    place.build(&[]).ends(0);
    assert!(std::fs::read_to_string(place.path("site/404.html")).unwrap().contains("<h1>lost in Incidents</h1>"));
    assert!(place.site().iter().any(|f| f.0.ends_with(".css") && String::from_utf8_lossy(&f.1).contains(".house { color: red }")));
    place.put("templates/404.html", "{% extends 'base.html' %}\n{% block %}");
    let ran = place.build(&[]).ends(2);
    assert!(ran.said("error") == 1 && ran.said("404.html:2") == 1, "{}", ran.err);
}

/// What is not whole in a built folder: a page without its end, a link of a page to nothing.
fn torn(place: &Place) -> Vec<String> {
    let files: BTreeMap<String, Vec<u8>> = place.site().into_iter().collect();
    let mut out = Vec::new();
    for (path, bytes) in files.iter().filter(|f| f.0.ends_with(".html")) {
        let text = String::from_utf8_lossy(bytes);
        if !text.trim_end().ends_with("</html>") {
            out.push(format!("{path} has no end"));
        }
        for attribute in [" href=\"", " src=\"", " action=\""] {
            for address in text.split(attribute).skip(1).filter_map(|r| r.split('"').next()) {
                let address = address.split(['#', '?']).next().unwrap_or_default();
                if address.is_empty() || address.contains(':') {
                    continue;
                }
                let mut parts: Vec<&str> = path.split('/').collect();
                parts.pop();
                for part in address.split('/') {
                    match part {
                        ".." => drop(parts.pop()),
                        "." => {}
                        _ => parts.push(part),
                    }
                }
                if !files.contains_key(&parts.join("/")) {
                    out.push(format!("{path}: {address} leads nowhere"));
                }
            }
        }
    }
    out
}

#[test]
fn a_build_killed_at_any_moment_leaves_whole_pages_and_no_loose_link() {
    let place = Place::with(&[("twiceshy.yaml", "languages: [en, ar]\n")]);
    let fill = |round: usize| {
        for n in 0..8 {
            // every second document gets another id each time, and another service
            let id = if n % 2 == 0 { format!("i{n}") } else { format!("i{n}-{round}") };
            let text = OPEN.replace("id: open", &format!("id: {id}\nservices: [S{n}, R{}]", round % 5));
            place.put(
                &format!("i{n}.md"),
                text.replace("2024-03-05", &format!("2024-0{}-05", n + 1)).replace("restarted", &format!("restarted {round} times")),
            );
        }
    };
    let start = || {
        let mut c = place.command();
        c.args(["-q", "build", "--out", "site"]).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        c.spawn().unwrap()
    };
    fill(0);
    place.build(&[]).ends(0);
    fill(1);
    let began = std::time::Instant::now();
    place.build(&[]).ends(0);
    let whole = began.elapsed();
    let (mut seed, mut cut, mut coming) = (20_240_229_u64, 0, 0);
    for round in 2..22 {
        fill(round);
        if round % 7 == 0 {
            // all pages are new
            for (path, _) in place.site().into_iter().filter(|f| f.0.ends_with(".html")) {
                std::fs::remove_file(place.path("site").join(path)).unwrap();
            }
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // files are written at the end
        let part = if round % 3 == 0 { (seed >> 33) % 1000 } else { 600 + (seed >> 33) % 450 };
        let mut child = start();
        std::thread::sleep(whole * u32::try_from(part).unwrap() / 1000);
        cut += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        assert_eq!(torn(&place), Vec::<String>::new(), "round {round}");
        coming += place.site().iter().filter(|f| String::from_utf8_lossy(&f.1).contains("is being written")).count();
    }
    assert!(cut >= 5, "only {cut} builds were cut off");
    eprintln!("{cut} builds cut off, {coming} pages seen before they were written");
    // and the next build makes what one from nothing makes
    place.build(&[]).ends(0);
    Ran::of(place.command().args(["build", "--out", "fresh"]).output().unwrap()).ends(0);
    let (grown, fresh) = (place.site(), tree(&place.path("fresh")));
    let names = |t: &[(String, Vec<u8>)]| t.iter().map(|f| f.0.clone()).filter(|p| !p.contains(".twiceshy-")).collect::<Vec<_>>();
    assert_eq!(names(&grown), names(&fresh));
    let loose: Vec<&String> = grown.iter().filter(|f| !fresh.contains(f) && !f.0.contains(".twiceshy-")).map(|f| &f.0).collect();
    assert!(loose.is_empty(), "{loose:?}");
}

/// Asks the server for a page, under some name of this machine.
fn ask(port: u16, host: &str, path: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(60))).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut out = Vec::new();
    stream.read_to_end(&mut out).unwrap();
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn what_is_served_follows_the_files_and_tells_faults() {
    use std::io::BufRead;
    let place = Place::with(&[("open.md", OPEN)]);
    let mut c = place.command();
    let mut child =
        c.args(["serve", "--port", "0"]).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let mut address = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let port: u16 = address.trim().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap_or_else(|_| panic!("{address}"));
    let here = format!("127.0.0.1:{port}");
    let done = std::panic::catch_unwind(|| {
        let page = ask(port, &here, "/incidents/open/");
        assert!(
            page.starts_with("HTTP/1.1 200") && page.contains("We restarted the gateway") && page.contains("data-build=\"1\""),
            "{page}"
        );
        assert!(ask(port, "evil.example", "/incidents/open/").starts_with("HTTP/1.1 403"));
        assert!(ask(port, &here, "/nothing").starts_with("HTTP/1.1 404"));
        assert!(ask(port, &here, "/../../corpus/open.md").starts_with("HTTP/1.1 404"));
        place.put("open.md", OPEN.replace("We restarted", "We replaced"));
        assert!(ask(port, &here, "/-/wait.js?build=1").contains("(2,[])"));
        assert!(ask(port, &here, "/incidents/open/").contains("We replaced the gateway"));
        // the last good pages stay, and tell what is wrong
        place.put("again.md", OPEN);
        assert!(ask(port, &here, "/-/wait.js?build=2").contains("two documents have the id `open`"));
        let page = ask(port, &here, "/incidents/open/");
        assert!(page.contains("We replaced the gateway") && page.contains("data-faults=\"[&quot;two documents"), "{page}");
        std::fs::remove_file(place.file("again.md")).unwrap();
        assert!(ask(port, &here, "/-/wait.js?build=3").contains("(4,[])"));
    });
    let _ = child.kill();
    let _ = child.wait();
    done.unwrap();
}
