//! Addresses inside the site: one path segment per id, relative links that work from `file://`, and which outside links may be followed.

use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// Percent-encodes a path segment: what is not plain ASCII is written as UTF-8 bytes.
pub fn segment(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for b in name.bytes() {
        if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(b));
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    out
}

/// Undoes percent-encoding; broken sequences stay as they are.
pub fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = bytes.get(i + 1..i + 3).and_then(|h| std::str::from_utf8(h).ok()).and_then(|h| u8::from_str_radix(h, 16).ok());
        match hex {
            Some(b) if bytes[i] == b'%' => {
                out.push(b);
                i += 3;
            }
            _ => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Refuses an id that cannot be one folder on every file system.
pub fn check_id(id: &str) -> Result<()> {
    let bad = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let wrong = id.is_empty() || id.len() > 200 || id.starts_with('.') || id.ends_with(['.', ' ']) || id.contains(bad);
    if wrong {
        Err(Error::new(format!("`{id}` cannot be an id")).hint("an id is one folder name: give the document another `id`"))
    } else {
        Ok(())
    }
}

/// The way up from a page to the folder its path is counted from: `../../` for `incidents/x/index.html`.
pub fn up(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

/// An address of a document that may become a link: http, https, mailto or relative.
pub fn allowed(url: &str) -> bool {
    let url = url.trim();
    if url.is_empty() || url.contains(|c: char| c.is_control()) || url.starts_with("//") || url.contains('\\') {
        return false;
    }
    let head = url.split(['/', '?', '#']).next().unwrap_or("");
    match head.split_once(':') {
        Some((scheme, _)) => matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https" | "mailto"),
        None => true,
    }
}

/// Folder names of things that have a name and no id (services): lower-case letters and digits of any script, hyphens between.
pub fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars() {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('-') && !out.is_empty() {
            out.push('-');
        }
    }
    let cut = out.trim_end_matches('-').chars().take(60).collect::<String>();
    if cut.is_empty() { "unnamed".into() } else { cut }
}

/// Groups spellings by slug: slug to the spelling most used (of equals the first by order of characters).
pub fn spellings<'n>(names: impl Iterator<Item = &'n str>) -> BTreeMap<String, String> {
    let mut counts: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    for name in names {
        *counts.entry(slug(name)).or_default().entry(name).or_default() += 1;
    }
    let best =
        |c: BTreeMap<&str, usize>| c.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0))).map_or(String::new(), |b| b.0.to_string());
    counts.into_iter().map(|(k, c)| (k, best(c))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_survive_the_way_there_and_back() {
        for id in ["2021-01-04-x", "حادثة 1", "a#b%c", "100%", "ü"] {
            assert_eq!(decoded(&segment(id)), id);
        }
        assert_eq!(segment("a b"), "a%20b");
        assert_eq!(decoded("100%"), "100%");
    }

    #[test]
    fn ids_are_one_segment() {
        for bad in ["", ".", "..", "a/b", "a\\b", ".hidden", "a\nb", "c:", "end.", "x<y"] {
            assert!(check_id(bad).is_err(), "{bad:?}");
        }
        assert!(check_id("2024-11-24-pod-17").is_ok());
        assert!(check_id("障害-1").is_ok());
    }

    #[test]
    fn only_harmless_addresses_are_links() {
        for good in ["https://example.org/x", "HTTP://example.org", "mailto:a@example.org", "../x.md", "#L3", "a/b:c"] {
            assert!(allowed(good), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            " JavaScript:x",
            "data:text/html,x",
            "//evil.example",
            "vbscript:x",
            "file:///etc/passwd",
            "java\nscript:x",
            "\\\\host",
        ] {
            assert!(!allowed(bad), "{bad}");
        }
    }

    #[test]
    fn names_become_folders() {
        assert_eq!(slug("Billing API (EU)"), "billing-api-eu");
        assert_eq!(slug("支付服务"), "支付服务");
        assert_eq!(slug("!!!"), "unnamed");
        assert_eq!(up("incidents/x/index.html"), "../../");
        assert_eq!(up("index.html"), "");
        let s = spellings(["API", "api", "API", "Db"].into_iter());
        assert_eq!(s.get("api").map(String::as_str), Some("API"));
    }
}
