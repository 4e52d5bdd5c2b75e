//! The tables embedded at build time, and the only caller of the YAML library.

use crate::error::{Error, Result};
use serde::de::DeserializeOwned;

/// A file embedded into the program: its name below its folder, and its content.
pub type Embedded = (&'static str, &'static str);

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Reads YAML into a struct (never into a map, which would lose duplicate keys). `name` is the file named in errors.
pub fn yaml<T: DeserializeOwned>(name: &str, text: &str) -> Result<T> {
    serde_yaml::from_str(text).map_err(|e| {
        let at = e.location().map(|l| format!(":{}:{}", l.line(), l.column())).unwrap_or_default();
        Error::new(format!("{name}{at}: {e}"))
    })
}

/// Reads one YAML value of unknown shape (front matter); errors carry line and column, from 1.
pub fn yaml_value(text: &str) -> std::result::Result<serde_yaml::Value, (usize, usize, String)> {
    serde_yaml::from_str(text).map_err(|e| {
        let (line, column) = e.location().map_or((1, 1), |l| (l.line(), l.column()));
        (line, column, e.to_string())
    })
}
