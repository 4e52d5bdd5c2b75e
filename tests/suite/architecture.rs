//! The architecture, held to: who imports whom, module headers, sizes, who prints.

use crate::support::{files, root};
use std::collections::BTreeMap;

/// Room, and the rooms it may name.
const ALLOWED: [(&str, &str); 19] = [
    ("text", ""),
    ("error", ""),
    ("diag", "text error"),
    ("data", "text error"),
    ("document", "text diag data error"),
    ("lang", "text data error"),
    ("pattern", "lang text data error"),
    ("facts", "document lang pattern text diag"),
    ("book", "facts document lang pattern text diag"),
    ("pipeline", "text error diag data document lang pattern facts book"),
    ("terms", "lang text data error"),
    ("corpus", "text data error"),
    ("index", "book terms pattern lang data diag error"),
    ("report", "book pattern lang data diag error"),
    ("runbook", "book pattern lang data diag error"),
    ("site", "book terms report runbook pattern lang data diag error corpus"),
    ("workspace", "corpus pipeline index book text error runbook document"),
    ("cli", "text error diag data document lang pattern facts book pipeline terms corpus index report runbook site workspace"),
    ("main", "cli"),
];

fn room(path: &std::path::Path) -> String {
    let below = path.strip_prefix(root().join("src")).unwrap();
    below.components().next().unwrap().as_os_str().to_string_lossy().trim_end_matches(".rs").to_string()
}

/// The code of a file without its tests: unit tests may reach further.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text)
}

#[test]
fn rooms_import_only_what_they_may() {
    let allowed: BTreeMap<&str, Vec<&str>> = ALLOWED.iter().map(|(r, l)| (*r, l.split_whitespace().collect())).collect();
    let mut faults = Vec::new();
    for path in files(&root().join("src"), &["rs"]) {
        let room = room(&path);
        if matches!(room.as_str(), "lib" | "build") || path.file_stem().is_some_and(|s| s == "tests" || s == "samples" || s == "robust") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let list = allowed.get(room.as_str()).unwrap_or_else(|| panic!("{}: a room that the architecture does not name", path.display()));
        for (n, line) in code(&text).lines().enumerate() {
            let line = line.split("//").next().unwrap();
            for part in line.split("crate::").skip(1) {
                let name: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if !name.is_empty() && name != room && !list.contains(&name.as_str()) && allowed.contains_key(name.as_str()) {
                    faults.push(format!("{}:{}: {room} must not name {name}", path.display(), n + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_module_says_what_it_is_for_and_stays_small() {
    let mut faults = Vec::new();
    for path in files(&root().join("src"), &["rs"]) {
        let text = std::fs::read_to_string(&path).unwrap();
        if !text.starts_with("//! ") {
            faults.push(format!("{}: does not open with //!", path.display()));
        }
        let lines = text.lines().count();
        if lines > 400 {
            faults.push(format!("{}: {lines} lines", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn only_the_command_line_prints_and_exits() {
    let mut faults = Vec::new();
    for path in files(&root().join("src"), &["rs"]) {
        // files of tests may look at the clock
        let tests = path.file_stem().is_some_and(|s| matches!(s.to_str(), Some("tests" | "samples" | "robust")));
        if matches!(room(&path).as_str(), "cli" | "build" | "main") || tests {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for word in ["println!", "eprintln!", "print!(", "eprint!(", "process::exit", "std::env::var", "SystemTime::now", "Instant::now"] {
            let clock = word.contains("now") && matches!(room(&path).as_str(), "workspace" | "index");
            if code(&text).contains(word) && !clock {
                faults.push(format!("{}: {word}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_top_level_is_closed() {
    let known = [
        ".ci",
        ".git",
        ".gitignore",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "corpus",
        "rustfmt.toml",
        "src",
        "target",
        "templates",
        "tests",
        "clippy.toml",
    ];
    for entry in std::fs::read_dir(root()).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().to_string();
        assert!(known.contains(&name.as_str()), "{name} at the top level");
    }
}
