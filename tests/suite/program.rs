//! The built program run as its users run it, each time in a home of its own.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A scratch folder with a home, a cache folder and a corpus.
pub struct Place {
    dir: tempfile::TempDir,
}

/// What a run came to.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// From a finished process.
    pub fn of(made: Output) -> Ran {
        let text = |b: Vec<u8>| String::from_utf8(b).expect("output is UTF-8");
        Ran { code: made.status.code().unwrap_or(-1), out: text(made.stdout), err: text(made.stderr) }
    }

    /// Standard output as one JSON document.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}\n{}", self.out, self.err))
    }

    /// Standard output as JSON, one object a line.
    #[track_caller]
    pub fn lines(&self) -> Vec<serde_json::Value> {
        self.out.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect()
    }

    /// The ids of the hits of a search with `--format json`.
    #[track_caller]
    pub fn ids(&self) -> Vec<String> {
        self.json()["hits"].as_array().unwrap().iter().map(|h| h["id"].as_str().unwrap().to_string()).collect()
    }

    /// The ids of the hits and of the other documents about the same incidents.
    #[track_caller]
    pub fn told(&self) -> Vec<String> {
        let json = self.json();
        let hits = json["hits"].as_array().unwrap();
        let one = |h: &serde_json::Value| -> Vec<String> {
            let same = h["same_incident"].as_array().cloned().unwrap_or_default();
            std::iter::once(&h["id"]).chain(&same).map(|id| id.as_str().unwrap().to_string()).collect()
        };
        hits.iter().flat_map(one).collect()
    }

    /// Fails unless it ended with this code and did not panic.
    #[track_caller]
    pub fn ends(self, code: i32) -> Ran {
        assert!(
            self.code == code && !self.err.contains("panicked"),
            "exit {} instead of {code}\nout: {}\nerr: {}",
            self.code,
            self.out,
            self.err
        );
        self
    }

    /// How many lines of standard error hold a text.
    pub fn said(&self, text: &str) -> usize {
        self.err.lines().filter(|l| l.contains(text)).count()
    }
}

impl Place {
    pub fn new() -> Place {
        let place = Place { dir: tempfile::tempdir().unwrap() };
        for folder in ["home", "cache", "corpus"] {
            std::fs::create_dir(place.path(folder)).unwrap();
        }
        place
    }

    /// A place whose corpus holds these files.
    pub fn with(files: &[(&str, &str)]) -> Place {
        let place = Place::new();
        for (path, text) in files {
            place.put(path, text);
        }
        place
    }

    /// A path in the place.
    pub fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join(below)
    }

    /// A path in the corpus.
    pub fn file(&self, below: &str) -> PathBuf {
        self.path("corpus").join(below)
    }

    /// Writes a file of the corpus.
    pub fn put(&self, below: &str, text: impl AsRef<[u8]>) {
        let full = self.file(below);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, text).unwrap();
    }

    /// The program, at home here, in the folder that holds `corpus`.
    pub fn command(&self) -> Command {
        let mut c = Command::new(env!("CARGO_BIN_EXE_twiceshy"));
        for name in ["NO_COLOR", "COLUMNS", "TERM", "TWICESHY_CORPUS", "LANG", "LC_ALL", "TZ", "XDG_DATA_HOME"] {
            c.env_remove(name);
        }
        c.env("HOME", self.path("home")).env("XDG_CACHE_HOME", self.path("cache")).env("XDG_CONFIG_HOME", self.path("home/.config"));
        c.current_dir(self.dir.path()).stdin(Stdio::null());
        c
    }

    /// Runs the program with some arguments.
    pub fn run<A: AsRef<OsStr>>(&self, args: &[A]) -> Ran {
        Ran::of(self.command().args(args).output().unwrap())
    }

    /// Builds the site into `site`, with further arguments.
    pub fn build(&self, more: &[&str]) -> Ran {
        Ran::of(self.command().args(["build", "--out", "site"]).args(more).output().unwrap())
    }

    /// All files of the built site: path below it, and bytes.
    pub fn site(&self) -> Vec<(String, Vec<u8>)> {
        tree(&self.path("site"))
    }
}

/// All files below a folder, by path.
pub fn tree(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                out.push((path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"), std::fs::read(&path).unwrap()));
            }
        }
    }
    out.sort();
    out
}
