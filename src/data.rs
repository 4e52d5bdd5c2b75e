//! The tables embedded at build time, and the only caller of the YAML library at run time.
//!
//! The build script has read the lexicons and patterns already, and embeds them as JSON of the same shapes: what a user adds is YAML, what the
//! program brings along is not.

use crate::error::{Error, Result};
use serde::de::DeserializeOwned;

/// A file embedded into the program: its name below its folder, and its content.
pub type Embedded = (&'static str, &'static str);

/// A lexicon embedded into the program, in parts that are read apart from each other.
pub struct Lexicon {
    /// Its tag.
    pub tag: &'static str,
    /// JSON: `whatlang`, `letters`, `not_letters`, `stop`, which the detection of languages asks of every lexicon.
    pub head: &'static str,
    /// JSON: the words of the interface.
    pub ui: &'static str,
    /// JSON: the whole file, these parts included.
    pub whole: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Reads YAML into a struct. `name` is the file named in errors, which tell line and column. A key that stands twice is a fault: a map would lose
/// what was said first.
pub fn yaml<T: DeserializeOwned>(name: &str, text: &str) -> Result<T> {
    let fault = |e: serde_yaml::Error| {
        let whole = e.to_string();
        let what = whole.split(" at line ").next().unwrap_or(&whole);
        if let Some(key) = what.split_once("duplicate entry with key ").or(what.split_once("duplicate field ")).map(|(_, k)| unquoted(k)) {
            let keys = places_of_key(text, key);
            let at = keys.get(1).map(|(l, c)| format!(":{l}:{c}")).unwrap_or_default();
            return Error::new(format!("{name}{at}: `{key}` stands here a second time"));
        }
        let at = e.location().map(|l| format!(":{}:{}", l.line(), l.column())).unwrap_or_default();
        Error::new(format!("{name}{at}: {}", plain(what)))
    };
    let read = serde_yaml::from_str(text).map_err(fault)?;
    // a map of names takes the second of two alike without a word
    serde_yaml::from_str::<serde_yaml::Value>(text).map_err(fault)?;
    Ok(read)
}

/// A name without the quotes of a message.
fn unquoted(word: &str) -> &str {
    word.trim_matches(|c| matches!(c, '"' | '`' | '\''))
}

/// A message of the YAML library in words for people: its names of types are the programmer's.
fn plain(what: &str) -> String {
    let mut out = what.to_string();
    for (from, to) in [
        ("expected f32", "expected a number"),
        ("expected f64", "expected a number"),
        ("expected usize", "expected a whole number"),
        ("expected u8", "expected a small whole number"),
        ("expected a sequence", "expected a list, [..]"),
        ("expected a map", "expected keys and values, {..}"),
        ("invalid type: ", "not of the right kind: "),
    ] {
        out = out.replace(from, to);
    }
    match out.find(": expected struct ").or(out.find(", expected struct ")) {
        Some(i) => format!("{}, expected keys and values", &out[..i]),
        None => out,
    }
}

/// Reads bytes as text, a mark of byte order taken off; a byte that is no UTF-8 is told with its place.
pub fn text_of(name: &str, bytes: Vec<u8>) -> Result<String> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_string(),
            None => text,
        }),
        Err(e) => {
            let bad = e.utf8_error().valid_up_to();
            let sound = String::from_utf8_lossy(&e.as_bytes()[..bad]).into_owned();
            let (line, column) = line_and_column(&sound, sound.len());
            let byte = e.as_bytes().get(bad).copied().unwrap_or_default();
            Err(Error::new(format!("{name}:{line}:{column}: not UTF-8: the byte {byte:02X} begins no character"))
                .hint("save the file as UTF-8"))
        }
    }
}

/// Line and column, from 1, of a byte of a text.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    (text[..at].matches('\n').count() + 1, text[start..at].chars().count() + 1)
}

/// Where a text first stands in a file, as line and column.
pub fn place_of(text: &str, words: &str) -> Option<(usize, usize)> {
    (!words.is_empty()).then(|| text.find(words).map(|i| line_and_column(text, i))).flatten()
}

/// Where a key first stands in a YAML text: as line and column.
pub fn place_of_key(text: &str, key: &str) -> Option<(usize, usize)> {
    places_of_key(text, key).into_iter().next()
}

/// All places where a word stands as a key: before a colon, and no part of a longer word.
fn places_of_key(text: &str, key: &str) -> Vec<(usize, usize)> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let is_key = |i: &usize| {
        let after = text[i + key.len()..].trim_start_matches(['"', '\'']).trim_start_matches(' ');
        !text[..*i].ends_with(part) && after.starts_with(':')
    };
    if key.is_empty() {
        return Vec::new();
    }
    text.match_indices(key).map(|(i, _)| i).filter(is_key).map(|i| line_and_column(text, i)).collect()
}

/// Reads an embedded JSON text, which the build script wrote from the same shape; a value without content where it does not fit.
pub fn embedded<T: DeserializeOwned + Default>(json: &str) -> T {
    serde_json::from_str(json).unwrap_or_default()
}

/// Reads one YAML value of unknown shape (front matter); errors carry line and column, from 1.
pub fn yaml_value(text: &str) -> std::result::Result<serde_yaml::Value, (usize, usize, String)> {
    serde_yaml::from_str(text).map_err(|e| {
        let (line, column) = e.location().map_or((1, 1), |l| (l.line(), l.column()));
        (line, column, e.to_string())
    })
}
