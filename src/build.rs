//! Embeds the lexicons, patterns and templates into the program. Lexicons and patterns are read here, once, and embedded as JSON, which is read
//! many times faster than YAML; a file that does not have the form of its kind fails the build and is named.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[allow(dead_code, reason = "the program uses more of it")]
#[path = "lang/schema.rs"]
mod lexicon;
#[allow(dead_code, reason = "the program uses more of it")]
#[path = "pattern/schema.rs"]
mod pattern;

/// Files beside the lexicons that are none: the concepts' meanings (read line by line at run time), shared jargon, language codes.
const CONCEPTS: &str = "concepts.yaml";
const JARGON: &str = "jargon.yaml";
const CODES: &str = "languages.yaml";

/// What the detection of languages needs of a lexicon.
#[derive(Serialize)]
struct Head<'f> {
    whatlang: &'f str,
    letters: &'f str,
    not_letters: &'f str,
    function_words: Vec<String>,
}

fn list(folder: &Path, below: &str, out: &mut Vec<(String, PathBuf)>) {
    println!("cargo:rerun-if-changed={}", folder.display());
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            list(&path, &format!("{name}/"), out);
        } else {
            out.push((name, path));
        }
    }
}

/// The files of a folder by name: name, place, content.
fn files(folder: &Path, wanted: &str) -> Vec<(String, PathBuf, String)> {
    let mut found = Vec::new();
    list(folder, "", &mut found);
    found.retain(|(name, _)| name.ends_with(wanted) && !name.ends_with('~') && !name.starts_with('.'));
    found.sort();
    let text = |p: &Path| fs::read_to_string(p).unwrap_or_else(|e| panic!("{}: {e}", p.display()));
    found.into_iter().map(|(name, path)| (name, path.clone(), text(&path))).collect()
}

fn yaml<T: DeserializeOwned>(path: &Path, text: &str) -> T {
    serde_yaml::from_str(text).unwrap_or_else(|e| {
        let at = e.location().map(|l| format!(":{}:{}", l.line(), l.column())).unwrap_or_default();
        panic!("{}{at}: {e}", path.display())
    })
}

/// The code that names a file of the build folder, which is written here.
fn embed(out: &Path, name: &str, value: &impl Serialize) -> String {
    let path = out.join(name);
    let text = serde_json::to_string(value).unwrap_or_else(|e| panic!("{name}: {e}"));
    if fs::read_to_string(&path).ok().as_deref() != Some(text.as_str()) {
        fs::write(&path, text).expect("the build folder can be written");
    }
    format!("include_str!({:?})", path.display().to_string())
}

fn lexicons(code: &mut String, files: &[(String, PathBuf, String)], out: &Path) {
    let mut tables: BTreeMap<&str, String> = BTreeMap::new();
    code.push_str("/// The lexicons, by tag.\npub const LEXICONS: &[Lexicon] = &[\n");
    for (name, path, text) in files {
        match name.as_str() {
            CONCEPTS => tables.insert(CONCEPTS, format!("include_str!({:?})", path.display().to_string())),
            JARGON => tables.insert(JARGON, embed(out, "jargon.json", &yaml::<BTreeMap<String, Vec<String>>>(path, text))),
            CODES => tables.insert(CODES, embed(out, "languages.json", &yaml::<BTreeMap<String, String>>(path, text))),
            _ => {
                let file: lexicon::File = yaml(path, text);
                let tag = name.trim_end_matches(".yaml");
                let head = Head {
                    whatlang: &file.whatlang,
                    letters: &file.letters,
                    not_letters: &file.not_letters,
                    function_words: file.function_words(),
                };
                writeln!(
                    code,
                    "    Lexicon {{ tag: {tag:?}, head: {}, ui: {}, whole: {} }},",
                    embed(out, &format!("{tag}.head.json"), &head),
                    embed(out, &format!("{tag}.ui.json"), &file.ui),
                    embed(out, &format!("{tag}.json"), &file)
                )
                .expect("writing to a string");
                None
            }
        };
    }
    code.push_str("];\n");
    for (constant, name, what) in [
        ("CONCEPTS", CONCEPTS, "The concepts and their meanings, one `name: meaning` a line."),
        ("JARGON", JARGON, "The shared jargon, JSON: concept to forms."),
        ("CODES", CODES, "JSON: codes and tags met in the wild to the tags used here."),
    ] {
        let source = tables.get(name).unwrap_or_else(|| panic!("src/lang/data/{name} is missing"));
        writeln!(code, "/// {what}\npub const {constant}: &str = {source};").expect("writing to a string");
    }
}

/// FNV-1a over names and contents: enough to tell one set of files from another.
fn fingerprint<'f>(files: impl Iterator<Item = &'f (String, PathBuf, String)>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (name, _, text) in files {
        for byte in name.bytes().chain([0]).chain(text.bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for code in ["src/build.rs", "src/lang/schema.rs", "src/pattern/schema.rs"] {
        println!("cargo:rerun-if-changed={}", root.join(code).display());
    }
    let words = files(&root.join("src/lang/data"), ".yaml");
    let patterns = files(&root.join("src/pattern/data"), ".yaml");
    let templates = files(&root.join("templates"), "");
    let knowledge = fingerprint(words.iter().chain(&patterns));
    // what an earlier program made of the same facts is not what this one would make
    let sources: Vec<_> = ["site", "book", "terms"].iter().flat_map(|f| files(&root.join("src").join(f), ".rs")).collect();
    let pages = fingerprint(sources.iter().chain(&templates));
    let mut code = String::new();
    lexicons(&mut code, &words, &out);
    code.push_str("/// The pattern catalogue: name of the file, JSON.\npub const PATTERNS: &[Embedded] = &[\n");
    for (name, path, text) in &patterns {
        let source = embed(&out, &format!("pattern-{}.json", name.trim_end_matches(".yaml")), &yaml::<pattern::File>(path, text));
        writeln!(code, "    ({name:?}, {source}),").expect("writing to a string");
    }
    code.push_str("];\n/// Templates, style sheets and scripts of the site.\npub const TEMPLATES: &[Embedded] = &[\n");
    for (name, path, _) in &templates {
        writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string()).expect("writing to a string");
    }
    writeln!(
        code,
        "];\n/// Hash of the lexicons and patterns.\npub const KNOWLEDGE: &str = \"{knowledge:016x}\";\n\
         /// Hash of the code and templates that make pages.\npub const PAGES: &str = \"{pages:016x}\";"
    )
    .expect("writing to a string");
    fs::write(out.join("embedded.rs"), code).expect("the build folder can be written");
}
