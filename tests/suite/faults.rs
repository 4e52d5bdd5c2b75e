//! Bad input: one clear message with path and place each, the rest is done, nothing panics.

use crate::program::Place;
use std::time::Instant;

fn sound(id: &str) -> String {
    format!(
        "---\nid: {id}\n---\n# Mail stopped\n\nAt 03:12 UTC on 2021-05-17 the disk was full and mail was rejected until 04:40 UTC.\n\n## Root cause\n\nThe logs filled the disk.\n\n## Resolution\n\nWe deleted old logs.\n"
    )
}

#[test]
fn the_sound_files_are_done_whatever_lies_beside_them() {
    let place = Place::with(&[("incidents/good.md", &sound("good")), ("incidents/empty.md", ""), ("incidents/blank.txt", " \n\n")]);
    place.put("incidents/binary.md", b"\x7fELF\0\0\0\x01\0\xff\xfe".repeat(40));
    place.put("incidents/broken.md", sound("broken").replace("id: broken\n", "id: broken\ntitle: \"Mail: stopped\nseverity: [1\n"));
    place.put(
        "incidents/latin.txt",
        b"# Caf\xe9 ferm\xe9\n\nLe disque \xe9tait plein le 3 mai 2021 \xe0 10:00.\n\n## Cause\n\nLes journaux ont rempli le disque.\n",
    );
    std::fs::create_dir_all(place.file("incidents/folder.md")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere.md", place.file("incidents/dangling.md")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", place.file("incidents/passwd.md")).unwrap();
    }
    let ran = place.run(&["search", "disk full", "--format", "json"]).ends(0);
    // two of them tell the same story and take one place
    assert!(ran.told().iter().any(|i| i == "good") && ran.ids().iter().all(|i| !i.contains("passwd")), "{:?}", ran.ids());
    for (path, what) in [("incidents/binary.md", "NUL"), ("incidents/dangling.md", "leads nowhere")] {
        assert_eq!((ran.said(path), ran.said(what)), (1, 1), "{path}: {}", ran.err);
    }
    let built = place.build(&[]).ends(0);
    assert_eq!(built.said("incidents/binary.md"), 1, "{}", built.err);
    assert!(built.said("incidents/broken.md:") >= 1, "{}", built.err);
    let place_of = built.err.lines().find(|l| l.contains("incidents/broken.md:")).unwrap().split("broken.md:").nth(1).unwrap();
    let numbers: Vec<u32> = place_of.split(':').take(2).map(|n| n.parse().unwrap()).collect();
    assert!((2..=5).contains(&numbers[0]) && numbers[1] >= 1, "{}", built.err);
    assert!(place.path("site/incidents/good/index.html").is_file());
    let strict = place.build(&["--strict"]).ends(2);
    assert!(strict.err.contains("--strict"), "{}", strict.err);
    let told = place.run(&["-v", "search", "disk full"]).ends(0);
    assert!(told.code == 0);

    // named files: each fault is said once, and is an error; the rest is printed
    let ran = place
        .run(&[
            "extract",
            "--format",
            "jsonl",
            "corpus/incidents/binary.md",
            "corpus/incidents/good.md",
            "corpus/incidents/folder.md",
            "nowhere.md",
            "corpus/incidents/empty.md",
        ])
        .ends(2);
    assert_eq!(
        ran.lines().iter().map(|l| l["source"]["path"].as_str().unwrap().to_string()).collect::<Vec<_>>(),
        ["corpus/incidents/good.md", "corpus/incidents/empty.md"]
    );
    assert_eq!(ran.said("error"), 3, "{}", ran.err);
    for path in ["binary.md", "folder.md", "nowhere.md"] {
        assert_eq!(ran.said(path), 1, "{path}: {}", ran.err);
    }
    for what in ["times", "concepts", "sections"] {
        let ran = place.run(&["explain", what, "nowhere.md", "corpus/incidents/good.md"]).ends(2);
        assert!(ran.said("error") == 1 && !ran.out.is_empty(), "{what}: {}", ran.err);
    }
    let ran = place.run(&["explain", "pattern", "disk-full", "nowhere.md", "corpus/incidents/good.md"]).ends(2);
    assert!(ran.said("error") == 1 && ran.out.contains("Fires on"), "{}", ran.err);
}

#[test]
fn two_documents_of_one_id() {
    let place = Place::with(&[("incidents/a.md", &sound("same")), ("other/b.md", &sound("same"))]);
    let ran = place.build(&[]).ends(2);
    assert!(
        ran.said("incidents/a.md") == 1 && ran.said("other/b.md") == 1 && ran.said("error") == 1 && !place.path("site").exists(),
        "{}",
        ran.err
    );
    assert_eq!(place.run(&["search", "disk full", "--format", "json"]).ends(0).ids(), ["same"]);
    place.run(&["show", "same"]).ends(0);
}

#[test]
fn a_dump_on_one_line_takes_seconds() {
    let place = Place::with(&[("incidents/good.md", &sound("good"))]);
    let lines =
        [("hex", "0123456789abcdef".repeat(20 << 16)), ("words", "disk full again ".repeat(20 << 16)), ("kanji", "障害".repeat(7 << 19))];
    for (name, line) in lines {
        assert!(line.len() >= 20 << 20, "{name}: {}", line.len());
        place.put("dump.md", format!("# Dump\n\n{line}\n"));
        let began = Instant::now();
        let ran = place.run(&["extract", "--format", "jsonl", "corpus/dump.md"]).ends(0);
        assert!(ran.lines()[0]["diagnostics"].as_array().unwrap().iter().any(|d| d["code"] == "too-long"), "{name}");
        println!("{name}: {:?}", began.elapsed());
        assert!(began.elapsed().as_secs() < 60, "{name}: {:?}", began.elapsed());
    }
    let ran = place.run(&["search", "disk full", "--format", "json"]).ends(0);
    assert!(ran.ids().iter().any(|i| i == "good"), "{:?}", ran.ids());
}

#[test]
fn settings_and_configuration_with_faults_are_named() {
    let place = Place::with(&[("incidents/good.md", &sound("good")), ("twiceshy.yaml", "title: T\ncolour: red\n")]);
    let ran = place.run(&["search", "disk"]).ends(2);
    assert!(ran.said("twiceshy.yaml:2:1") == 1 && ran.said("error") == 1, "{}", ran.err);
    place.put("twiceshy.yaml", "audience: everybody\n");
    assert!(place.run(&["search", "disk"]).ends(2).err.contains("public, internal or restricted"));
    place.put("twiceshy.yaml", "include: ['[']\n");
    assert!(place.run(&["search", "disk"]).ends(2).err.contains("twiceshy.yaml"));
    // settings that say how files are taken hold at once, without the files changing
    place.put("twiceshy.yaml", "");
    place.put("notes/list.md", "# Shopping\n\nBread, milk, butter.\n");
    assert!(place.run(&["search", "butter", "--format", "json"]).ids().is_empty());
    place.put("twiceshy.yaml", "include: ['*.md']\n");
    assert_eq!(place.run(&["search", "butter", "--format", "json"]).ends(0).ids().len(), 1);
    place.put("twiceshy.yaml", "exclude: ['notes/']\n");
    assert!(place.run(&["search", "butter", "--format", "json"]).ids().is_empty());
}

#[cfg(unix)]
#[test]
fn runbooks_that_cannot_be_read_are_told_and_the_rest_is_checked() {
    let place = Place::with(&[("incidents/good.md", &sound("good")), ("runbooks/a.md", "# A\n\n[x](twiceshy:good)\n")]);
    place.put("runbooks/b.md", b"\0\0\0");
    let ran = place.run(&["runbooks", "check", "--format", "jsonl"]).ends(2);
    assert!(ran.lines().len() == 1 && ran.said("runbooks/b.md") == 1, "{} {}", ran.out, ran.err);
    let ran = place.build(&[]).ends(0);
    assert_eq!(ran.said("runbooks/b.md"), 1, "{}", ran.err);
}
