//! The program as its users meet it: exit status, streams, forms of output, where the corpus is found, what is refreshed.

use crate::program::{Place, Ran};
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;
use twiceshy::book::view::Incident;

/// Repeated attempts pile up on a weakened service; told without the name of the pattern.
const FUTAR: &str = "# Leállt a futárok beosztása\n\n\
    2023. november 8-án 9:14-kor a beosztó szolgáltatás válaszai lelassultak, majd 9:20-tól minden kérése hibával tért vissza.\n\n\
    ## Mi történt\n\n\
    A futárok telefonján futó alkalmazás minden sikertelen kérést azonnal, várakozás nélkül megismételt. Az egyre több ismétlés megsokszorozta a terhelést, \
    a szolgáltatás túlterhelődött, ettől még több kérés bukott el, és azokat is újra elküldték. Az ismételt kérések így nem hagyták magához térni.\n\n\
    ## Megoldás\n\n\
    9:52-kor az átjáróban korlátoztuk a kérések számát, 10:05-re a beosztás helyreállt. Az alkalmazás azóta növekvő, véletlen várakozással próbálkozik újra.\n";

const TANUSITVANY: &str = "# Lejárt a fizetési átjáró tanúsítványa\n\n\
    2022. március 3-án 6:00-kor lejárt a tanúsítvány, ezért a fizetések 7:10-ig nem mentek át.\n\n\
    ## Kiváltó ok\n\nA tanúsítvány megújítása elmaradt, és senki sem kapott riasztást.\n\n## Megoldás\n\n7:10-kor kicseréltük a tanúsítványt.\n";

const LEMEZ: &str = "# The mail queue's disk filled up\n\n\
    At 03:12 UTC on 2021-05-17 the disk of the mail server was full and mail was rejected until 04:40 UTC.\n\n\
    ## Root cause\n\nThe log rotation was disabled in April, so the logs filled the disk.\n\n## Resolution\n\nWe deleted old logs and enabled the rotation again.\n";

fn corpus() -> Place {
    Place::with(&[("incidents/futar.md", FUTAR), ("incidents/atjaro.md", TANUSITVANY), ("incidents/posta.md", LEMEZ)])
}

#[test]
fn an_essay_is_found_by_its_mechanism() {
    let place = corpus();
    let ran = place.run(&["search", "retry storm", "--format", "json"]).ends(0);
    assert!(ran.ids().iter().take(2).any(|id| id.ends_with("futar")), "{:?}", ran.ids());
    let hits = ran.json();
    let hit = hits["hits"].as_array().unwrap().iter().find(|h| h["id"].as_str().unwrap().ends_with("futar")).unwrap();
    assert!(hit["why"].as_array().unwrap().iter().any(|w| w["kind"] == "pattern" && w["id"] == "retry-storm"), "{hit}");
    assert!(!FUTAR.contains("vihar") && hit["language"] == "hu" && hit["cause"]["text"].as_str().is_some_and(|t| !t.is_empty()), "{hit}");
}

#[test]
fn data_and_talk_keep_apart_and_the_exit_status_tells() {
    let place = corpus();
    let found = place.run(&["search", "certificate expired"]).ends(0);
    assert!(found.out.contains("incidents/atjaro.md:") && !found.out.contains('\x1b'), "{}", found.out);
    assert!(found.out.lines().all(|l| l.chars().count() <= 80), "{}", found.out);
    let quiet = place.run(&["-q", "search", "certificate expired"]).ends(0);
    assert!(quiet.err.is_empty() && quiet.out == found.out, "{}", quiet.err);
    let nothing = place.run(&["search", "qqqzzz"]).ends(1);
    assert!(nothing.out.starts_with("Nothing found: qqqzzz") || nothing.out.contains("qqqzzz"), "{}", nothing.out);
    let nothing = place.run(&["search", "--format", "json", "qqqzzz"]).ends(1);
    assert_eq!(nothing.ids().len(), 0);
    assert!(place.run(&["search", "--format", "jsonl", "qqqzzz"]).ends(1).out.is_empty());
    for wrong in [
        &["search", "since:soon"][..],
        &["search"],
        &["nonsense"],
        &["search", "x", "--fromat", "json"],
        &["build"],
        &["extract", "nowhere.md"],
    ] {
        let ran = place.run(wrong).ends(2);
        assert!(ran.out.is_empty() && ran.err.contains("error"), "{wrong:?}: {} {}", ran.out, ran.err);
    }
    assert!(place.run(&["--help"]).ends(0).out.contains("search"));
    assert!(place.run(&["--version"]).ends(0).out.starts_with("twiceshy "));
}

#[test]
fn colour_is_only_where_it_is_wanted() {
    let place = corpus();
    let ask = |color: &str, no_color: &str| {
        Ran::of(place.command().args(["search", "disk full", "--color", color]).env("NO_COLOR", no_color).output().unwrap()).ends(0).out
    };
    let (plain, coloured) = (ask("never", ""), ask("always", ""));
    assert_eq!(plain, ask("auto", ""));
    assert_eq!(plain, ask("auto", "1"));
    // an option outranks the environment
    assert_eq!(coloured, ask("always", "1"));
    assert!(coloured.contains("\x1b[33m") && coloured.contains("\x1b[1m"));
    let mut bare = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, code)) = rest.split_once("\x1b[") {
        bare.push_str(before);
        rest = code.split_once('m').unwrap().1;
    }
    assert_eq!(bare + rest, plain);
}

#[test]
fn forms_for_programs_follow_the_contract() {
    let place = corpus();
    let hits = place.run(&["search", "lemez betelt", "--format", "json"]).ends(0).json();
    assert_eq!(
        (&hits["schema"], &hits["query"], &hits["index"]["documents"]),
        (&"twiceshy-hits/1".into(), &"lemez betelt".into(), &3.into())
    );
    for key in ["words", "concepts", "patterns"] {
        assert!(hits["understood"][key].is_array(), "{key}");
    }
    assert!(hits["understood"]["filters"].is_object() && hits["suggested_patterns"].is_array());
    let first = &hits["hits"][0];
    assert_eq!((&first["id"], &first["path"]), (&"incidents-posta".into(), &"incidents/posta.md".into()));
    for key in ["title", "date", "language", "score", "why", "cause", "fix"] {
        assert!(!first[key].is_null(), "{key}: {first}");
    }
    let mut quoted = 0;
    for why in first["why"].as_array().unwrap() {
        if let (Some(text), Some(span)) = (why["text"].as_str(), why["spans"].get(0)) {
            let at = |n: usize| span[n].as_u64().unwrap() as usize;
            assert_eq!(&LEMEZ[at(0)..at(1)], text);
            quoted += 1;
        }
    }
    assert!(quoted > 0);
    let lines = place.run(&["search", "lemez betelt", "--format", "jsonl"]).ends(0).lines();
    assert_eq!(lines, hits["hits"].as_array().unwrap().clone());

    let files = ["corpus/incidents/posta.md", "corpus/incidents/futar.md"];
    let facts = place.run(&[&["extract", "--format", "jsonl"], &files[..]].concat()).ends(0).lines();
    assert_eq!(facts.iter().map(|f| f["source"]["path"].as_str().unwrap()).collect::<Vec<_>>(), files);
    assert_eq!(place.run(&[&["extract", "--format", "json"], &files[..]].concat()).ends(0).json(), Value::Array(facts.clone()));
    for f in &facts {
        let incident: Incident = serde_json::from_value(f.clone()).unwrap();
        assert_eq!(serde_json::to_value(&incident).unwrap(), *f);
        assert!(
            f["schema"] == "twiceshy/1"
                && f["timeline"].as_array().unwrap().iter().all(|e| e["anchor"].as_str().unwrap().starts_with("t-")),
            "{f}"
        );
    }
    let shown = place.run(&["show", "incidents-posta", "--format", "json"]).ends(0).json();
    assert_eq!(shown["causes"], facts[0]["causes"]);
    assert_eq!(shown["source"]["path"], "incidents/posta.md");
    for format in ["human", "markdown", "html"] {
        let report = place.run(&["show", "incidents-posta", "--format", format]).ends(0).out;
        assert!(report.contains("log rotation was disabled") && !report.contains("http-equiv=\"refresh\""), "{format}: {report}");
    }
    let piped = place
        .command()
        .args(["extract", "-", "--format", "jsonl"])
        .stdin(std::fs::File::open(place.file("incidents/posta.md")).unwrap())
        .output()
        .unwrap();
    let piped = &Ran::of(piped).ends(0).lines()[0];
    assert_eq!((&piped["source"]["path"], &piped["causes"]), (&"-".into(), &facts[0]["causes"]));
}

#[test]
fn a_closed_pipe_is_success() {
    let place = corpus();
    // more than a pipe holds
    let files: Vec<String> = (0..400).map(|_| "corpus/incidents/posta.md".to_string()).collect();
    let mut child =
        place.command().args(["extract", "--format", "jsonl"]).args(&files).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 100]).unwrap();
    drop(out);
    let ran = Ran::of(child.wait_with_output().unwrap()).ends(0);
    assert_eq!(ran.err, "");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    if let Ok(full) = full {
        let ran = Ran::of(place.command().args(["extract", "corpus/incidents/posta.md"]).stdout(full).output().unwrap()).ends(2);
        assert_eq!(ran.said("standard output"), 1, "{}", ran.err);
    }
}

#[test]
fn how_a_document_was_read_is_explained() {
    let place = corpus();
    let file = "corpus/incidents/posta.md";
    let times = place.run(&["explain", "times", file, "--format", "jsonl"]).ends(0).lines();
    let at: Vec<&str> = times.iter().filter_map(|t| t["at"].as_str()).collect();
    assert!(at.contains(&"2021-05-17T03:12:00Z") && at.contains(&"2021-05-17T04:40:00Z"), "{at:?}");
    for t in &times {
        let span = |n: usize| t["spans"][0][n].as_u64().unwrap() as usize;
        assert!(
            t["path"] == file && t["event"].is_boolean() && t["implied"].is_array() && t["until"].is_null() | t["until"].is_string(),
            "{t}"
        );
        assert!(t["written"].as_str().unwrap().starts_with(&LEMEZ[span(0)..span(1)]), "{t}");
    }
    let concepts = place.run(&["explain", "concepts", file, "--format", "jsonl"]).ends(0).lines();
    let disk = concepts.iter().find(|c| c["concept"] == "disk").unwrap();
    let span = |n: usize| disk["spans"][0][n].as_u64().unwrap() as usize;
    assert_eq!(&LEMEZ[span(0)..span(1)], disk["text"].as_str().unwrap());
    let sections = place.run(&["explain", "sections", file, "--format", "json"]).ends(0).json();
    let role = |heading: &str| sections.as_array().unwrap().iter().find(|s| s["heading"] == heading).unwrap()["role"].clone();
    assert_eq!(role("Root cause"), "root_cause");
    let rule = place.run(&["explain", "pattern", "disk-full", file, "--format", "json"]).ends(0).json();
    assert!(rule["evidence"].as_array().unwrap().iter().any(|e| e["fires"] == true && e["line"].as_u64().is_some()), "{rule}");
    place.run(&["explain", "pattern", "disk-full", "corpus/incidents/atjaro.md"]).ends(1);
    let words = place.run(&["explain", "pattern", "disk-full"]).ends(0).out;
    assert!(words.contains("rule: ") && words.contains("disk en") && !words.contains("disk hu"), "{words}");
    let words = place.run(&["explain", "pattern", "disk-full", "-v"]).ends(0).out;
    assert!(words.contains("disk hu"), "{words}");
    for what in ["times", "concepts", "sections"] {
        assert!(!place.run(&["explain", what, file]).ends(0).out.is_empty(), "{what}");
    }
    place.put("plain.txt", "Nothing is said about when.\n");
    assert_eq!(place.run(&["explain", "times", "corpus/plain.txt", "--format", "jsonl"]).ends(0).out, "");
}

#[test]
fn what_does_not_exist_is_answered_with_what_is_nearest() {
    let place = corpus();
    let ran = place.run(&["show", "incidents-postta"]).ends(2);
    assert!(
        ran.out.is_empty() && ran.err.contains("no incident `incidents-postta`") && ran.err.contains("nearest: incidents-posta"),
        "{}",
        ran.err
    );
    let ran = place.run(&["explain", "pattern", "retry-strom"]).ends(2);
    assert!(ran.err.contains("nearest: retry-storm"), "{}", ran.err);
    place.put("runbooks/disk.md", "# Disk\n\nAs [then](twiceshy:incidents-posta) and [there](twiceshy:pattern/disk-full).\n");
    place.run(&["runbooks", "check"]).ends(0);
    place.put("runbooks/more.md", "# More\n\nSee\n[that](twiceshy:incidents-posto).\n");
    let ran = place.run(&["runbooks", "check"]).ends(1);
    assert!(
        ran.out.contains("runbooks/more.md:4:2") && ran.out.contains("nearest: incidents-posta") && ran.out.lines().count() == 1,
        "{}",
        ran.out
    );
    let rows = place.run(&["runbooks", "check", "--format", "jsonl"]).ends(1).lines();
    assert_eq!((rows.len(), rows.iter().filter(|r| r["fault"].is_string()).count()), (3, 1));
}

#[test]
fn a_folder_of_any_name_is_as_good_as_another() {
    let place =
        Place::with(&[("past/futar.md", FUTAR), ("past/atjaro.md", TANUSITVANY), ("past/posta.md", LEMEZ), ("past/README.md", "# Past")]);
    place.run(&["show", "past/posta.md"]).ends(0);
    place.put("runbooks/disk.md", "# Disk\n\n[Then](../past/posta.md), [how](../past/README.md), [else](../pictures/x.md).\n");
    place.run(&["runbooks", "check"]).ends(0);
    place.put("runbooks/more.md", "# More\n\n[Gone](../past/vasarlo.md).\n");
    let ran = place.run(&["runbooks", "check"]).ends(1);
    assert!(ran.out.contains("past/vasarlo.md"), "{}", ran.out);
    // a site among the documents would hide them
    let ran = place.run(&["build", "--out", "corpus/past"]).ends(2);
    assert!(ran.err.contains("past holds documents of the corpus"), "{}", ran.err);
    place.run(&["search", "certificate"]).ends(0);
}

#[test]
fn the_corpus_is_found_from_any_folder() {
    let place = Place::new();
    let one = |name: &str, title: &str| {
        std::fs::create_dir_all(place.path(name)).unwrap();
        std::fs::write(place.path(name).join("x.md"), format!("---\nid: {title}\n---\n{LEMEZ}")).unwrap();
    };
    for (folder, id) in [("a/b", "up"), ("named", "option"), ("env", "variable"), ("home/post", "user"), ("corpus", "beside")] {
        one(folder, id);
    }
    let ask = |folder: &str, env: Option<&str>, args: &[&str]| {
        let mut c = place.command();
        c.current_dir(place.path(folder)).args(["search", "disk full", "--format", "json"]).args(args);
        if let Some(e) = env {
            c.env("TWICESHY_CORPUS", place.path(e));
        }
        Ran::of(c.output().unwrap()).ends(0).ids()
    };
    assert_eq!(ask(".", None, &[]), ["beside"]);
    std::fs::create_dir_all(place.path("home/.config/twiceshy")).unwrap();
    std::fs::write(place.path("home/.config/twiceshy/config.yaml"), "corpus: ~/post\n").unwrap();
    assert_eq!(ask(".", None, &[]), ["user"]);
    std::fs::write(place.path("a/twiceshy.yaml"), "title: A\n").unwrap();
    assert_eq!(ask("a/b", None, &[]), ["up"]);
    assert_eq!(ask("a/b", Some("env"), &[]), ["variable"]);
    assert_eq!(ask("a/b", Some("env"), &["--corpus", &place.path("named").display().to_string()]), ["option"]);
    let lost = Ran::of(place.command().args(["--corpus", "no/where", "search", "x"]).output().unwrap()).ends(2);
    assert!(lost.err.contains("no corpus: no/where") && lost.err.contains("--corpus DIR"), "{}", lost.err);
}

#[test]
fn what_changes_is_read_and_nothing_else() {
    let place = corpus();
    let ask = |place: &Place, query: &str| {
        let ran = place.run(&["search", query, "--format", "json"]);
        (ran.ids(), ran.json()["index"]["refreshed"].as_u64().unwrap())
    };
    assert_eq!(ask(&place, "disk full").1, 3);
    // a file written within the clock's tick is looked at once more
    std::thread::sleep(std::time::Duration::from_millis(60));
    ask(&place, "disk full");
    assert_eq!(ask(&place, "disk full"), (vec!["incidents-posta".to_string()], 0));
    place.put("incidents/posta.md", LEMEZ.replace("mail", "fax"));
    assert_eq!(ask(&place, "fax").0, ["incidents-posta"]);
    std::fs::rename(place.file("incidents/posta.md"), place.file("incidents/moved.md")).unwrap();
    assert_eq!(ask(&place, "fax").0, ["incidents-moved"]);
    std::fs::remove_file(place.file("incidents/moved.md")).unwrap();
    assert_eq!(ask(&place, "fax").0, Vec::<String>::new());
    // the same length, at the same time, in the same file
    for n in 0..3 {
        place.put("incidents/same.md", LEMEZ.replace("mail", ["aaaa", "bbbb", "cccc"][n]));
        assert_eq!(ask(&place, ["aaaa", "bbbb", "cccc"][n]).0, ["incidents-same"]);
    }
    let time = std::fs::metadata(place.file("incidents/same.md")).unwrap().modified().unwrap();
    place.put("incidents/same.md", LEMEZ.replace("mail", "dddd"));
    std::fs::File::options().write(true).open(place.file("incidents/same.md")).unwrap().set_modified(time).unwrap();
    assert_eq!(ask(&place, "dddd").0, ["incidents-same"]);
    let ran = place.run(&["search", "--no-refresh", "--format", "json", "dddd"]).ends(0);
    assert_eq!(ran.json()["index"]["refreshed"], 0);
}

#[test]
fn the_index_may_be_in_memory_or_prepared() {
    let place = corpus();
    // as no folder: even root cannot write below a file
    std::fs::write(place.path("file"), "").unwrap();
    let ran = Ran::of(
        place.command().env("XDG_CACHE_HOME", place.path("file")).args(["search", "disk full", "--format", "json"]).output().unwrap(),
    )
    .ends(0);
    assert_eq!((ran.ids()[0].as_str(), ran.said("in memory")), ("incidents-posta", 1), "{}", ran.err);
    place.run(&["search", "disk full"]).ends(0);
    let folder = std::fs::read_dir(place.path("cache/twiceshy")).unwrap().next().unwrap().unwrap().path();
    std::fs::rename(folder, place.path("prepared")).unwrap();
    std::fs::rename(place.path("corpus"), place.path("elsewhere")).unwrap();
    let index = place.path("prepared").display().to_string();
    let ran = place.run(&["--index", &index, "search", "disk full", "--format", "json"]).ends(0);
    assert_eq!((ran.ids()[0].as_str(), ran.err.as_str()), ("incidents-posta", ""));
    place.run(&["--index", &index, "show", "incidents-posta"]).ends(0);
    let ran = place.run(&["--index", "no/where", "search", "disk full"]).ends(2);
    assert!(ran.err.contains("no/where"), "{}", ran.err);
}

#[test]
fn additions_of_the_corpus_are_used_and_their_faults_named() {
    let place = corpus();
    place.put("incidents/kraken.md", "# Billing late\n\nOn 2024-02-02 at 10:00 UTC billing stopped until 11:00 UTC.\n\n## Root cause\n\nThe floobs were gribbled by the deployment.\n");
    assert!(place.run(&["search", "disk full", "--format", "json"]).ends(0).ids().iter().all(|i| !i.ends_with("kraken")));
    place.put("lang/en.yaml", "tag: en\nconcepts:\n  disk: [floob, floobs]\n  full: [gribbled]\n");
    let ran = place.run(&["search", "betelt a lemez", "--format", "json"]).ends(0);
    assert!(ran.ids().iter().any(|i| i.ends_with("kraken")), "{:?} {}", ran.ids(), ran.err);
    let rows = place.run(&["explain", "concepts", "corpus/incidents/kraken.md", "--format", "jsonl"]).ends(0).lines();
    assert!(rows.iter().any(|r| r["text"] == "floobs" && r["concept"] == "disk"), "{rows:?}");
    let built_in = std::fs::read_to_string(crate::support::root().join("src/pattern/data/disk-full.yaml")).unwrap();
    place.put("patterns/floob-gribbling.yaml", built_in.replace("id: disk-full", "id: floob-gribbling"));
    let ran = place.run(&["explain", "pattern", "floob-gribbling", "corpus/incidents/posta.md"]).ends(0);
    assert!(ran.out.contains("floob-gribbling"), "{}", ran.out);
    for (file, text, line) in [
        ("lang/en.yaml", "tag: en\nconcepts:\n  disk: [a, b\n", "lang/en.yaml:"),
        ("lang/en.yaml", "tag: en\nnonsense: 1\n", "lang/en.yaml:2:1"),
        ("lang/en.yaml", "tag: en\nconcepts:\n  nosuchconcept: [a]\n", "lang/en.yaml"),
    ] {
        place.put(file, text);
        // the fault is told with its place, and the search still answers: nobody is left without it at 3 a.m.
        let ran = place.run(&["search", "disk full"]).ends(0);
        assert!(ran.said(line) == 1 && ran.said("warning") == 1 && ran.out.contains("posta.md"), "{text}: {}", ran.err);
    }
    std::fs::remove_dir_all(place.file("lang")).unwrap();
    place.put("patterns/bad.yaml", "id: bad\nwhat: 1\nrule: [\n");
    let ran = place.run(&["explain", "pattern", "disk-full"]).ends(0);
    assert!(ran.said("patterns/bad.yaml:") == 1 && ran.said("warning") == 1, "{}", ran.err);
}
