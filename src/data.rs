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

/// Reads YAML into a struct (never into a map, which would lose duplicate keys). `name` is the file named in errors.
pub fn yaml<T: DeserializeOwned>(name: &str, text: &str) -> Result<T> {
    serde_yaml::from_str(text).map_err(|e| {
        let at = e.location().map(|l| format!(":{}:{}", l.line(), l.column())).unwrap_or_default();
        Error::new(format!("{name}{at}: {e}"))
    })
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
