//! Permanent names: ids of incidents (one path segment, from the front matter or the path) and anchors of passages.

use super::hex;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

pub(super) use crate::text::folded;

/// Hands out anchors that depend on the passage alone: its kind, its text, and how often the same text came before.
#[derive(Default)]
pub(super) struct Anchors(BTreeMap<String, usize>);

impl Anchors {
    /// The anchor of the next passage of a kind with some text.
    pub(super) fn of(&mut self, kind: char, text: &str) -> String {
        let digest = Sha256::digest(format!("{kind}\0{}", folded(text)).as_bytes());
        let base = format!("{kind}-{}", hex(&digest[..3]));
        let n = self.0.entry(base.clone()).or_default();
        *n += 1;
        if *n == 1 { base } else { format!("{base}-{n}") }
    }
}

/// The longest id, in bytes, before it is cut.
const LONGEST: usize = 140;

/// A text as one path segment: letters and digits of any script in lower case, hyphens between.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() || c == '_' {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.len() <= LONGEST {
        return out.to_string();
    }
    // file systems take names of at most 255 bytes: a longer one keeps its head and is told apart by a hash
    let cut = (0..=LONGEST).rev().find(|&i| out.is_char_boundary(i)).unwrap_or(0);
    format!("{}-{}", out[..cut].trim_end_matches('-'), hex(&Sha256::digest(out.as_bytes())[..4]))
}

/// The id of a document that names none: its path without known extensions and a trailing `index` or `README`.
pub fn id_of_path(path: &str) -> String {
    let mut path = path.trim_start_matches("./").trim_start_matches("../").to_string();
    if path.starts_with('/') {
        path = path.rsplit('/').next().unwrap_or_default().to_string();
    }
    loop {
        let lower = path.to_lowercase();
        let known = [
            ".md",
            ".markdown",
            ".mdx",
            ".txt",
            ".html",
            ".htm",
            ".xhtml",
            ".wml",
            ".erb",
            ".rst",
            ".adoc",
            ".asciidoc",
            ".mediawiki",
            ".wiki",
            ".textile",
            ".redmine",
            ".jira",
            ".confluence",
            ".mw",
            ".rest",
            ".org",
            ".text",
        ];
        match known.iter().find(|e| lower.ends_with(*e) && lower.len() > e.len()) {
            Some(e) => path.truncate(path.len() - e.len()),
            None => break,
        }
    }
    let lower = path.to_lowercase();
    for last in ["/index", "/readme"] {
        if lower.ends_with(last) {
            path.truncate(path.len() - last.len());
        }
    }
    let id = slug(&path);
    if id.is_empty() { "incident".into() } else { id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        assert_eq!(id_of_path("incidents/2021/Disk Full.html.md.erb"), "incidents-2021-disk-full");
        assert_eq!(id_of_path("a/b/index.md"), "a-b");
        assert_eq!(id_of_path("/tmp/x/障害.md"), "障害");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        let long = slug(&"障害".repeat(60));
        assert!(long.len() <= 160 && long != slug(&"障害".repeat(61)), "{long}");
    }
}
