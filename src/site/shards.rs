//! Cuts the search data into small classic scripts (`S(3,[…])`), so that pages work from `file://` and a query loads only what it needs.
//!
//! All data is one list of keys and values, sorted by key as a browser compares strings. A value is a list; one that is long is cut into several
//! of the same key. A head names the files, directories name the first key of each shard.

use super::Output;
use super::assets::short_hash;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// No file is larger than this.
pub const MOST: usize = 32 * 1024;
/// A list of one key is cut at this size, so that shards fill up.
const PIECE: usize = 12 * 1024;

/// What is to be found by key.
#[derive(Default)]
pub struct Keys {
    list: Vec<(String, Vec<Value>)>,
}

/// As JavaScript compares strings: by UTF-16 units.
fn order(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

impl Keys {
    /// Adds a list under a key; keys may be added to more than once and keep the order of adding.
    pub fn add(&mut self, key: String, values: Vec<Value>) {
        let mut piece: Vec<Value> = Vec::new();
        let mut size = 0;
        for v in values {
            size += v.to_string().len() + 1;
            if size > PIECE && !piece.is_empty() {
                self.list.push((key.clone(), std::mem::take(&mut piece)));
                size = 0;
            }
            piece.push(v);
        }
        if !piece.is_empty() {
            self.list.push((key, piece));
        }
    }

    /// The files below `search/`, and the folder they stand in, which is named by their content. `head` is what the search needs at once.
    pub fn files(mut self, head: &Value) -> (String, Vec<Output>) {
        self.list.sort_by(|a, b| order(&a.0, &b.0));
        let mut shards: Vec<(String, String)> = Vec::new();
        let mut body = String::new();
        for (key, values) in self.list {
            let text = json!([key, values]).to_string();
            if body.len() + text.len() + 32 > MOST && !body.is_empty() {
                shards.last_mut().into_iter().for_each(|s| s.1 = std::mem::take(&mut body));
            }
            if body.is_empty() {
                shards.push((key, String::new()));
            } else {
                body.push(',');
            }
            body.push_str(&text);
        }
        shards.last_mut().into_iter().for_each(|s| s.1 = std::mem::take(&mut body));
        let mut files: Vec<(String, String)> = Vec::new();
        let mut directories: Vec<Vec<&str>> = vec![Vec::new()];
        let mut size = 0;
        for (first, _) in &shards {
            size += first.len() + 8;
            if size > MOST / 2 {
                directories.push(Vec::new());
                size = 0;
            }
            directories.last_mut().into_iter().for_each(|d| d.push(first));
        }
        for (n, d) in directories.iter().enumerate() {
            files.push((format!("d{n}.js"), format!("S(\"d{n}\",{});\n", json!(d))));
        }
        files.push(("head.js".into(), format!("S(\"head\",{});\n", json!({"directories": directories.len(), "head": head}))));
        files.extend(shards.iter().enumerate().map(|(n, (_, body))| (format!("{n}.js"), format!("S({n},[{body}]);\n"))));
        let all: String = files.iter().map(|f| f.1.as_str()).collect();
        let folder = format!("search/{}", short_hash(all.as_bytes()));
        let files = files.into_iter().map(|(name, text)| Output { path: format!("{folder}/{name}"), bytes: text.into_bytes() }).collect();
        (folder, files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_too_large_and_nothing_is_lost() {
        let mut keys = Keys::default();
        for k in 0..400 {
            keys.add(format!("w:{k}"), (0..400).map(|n| json!([n, "word"])).collect());
        }
        keys.add("a".into(), (0..9000).map(|n| json!(n)).collect());
        let (folder, files) = keys.files(&json!({}));
        assert!(files.iter().all(|f| f.bytes.len() <= MOST && f.path.starts_with(&folder)));
        let all: String = files.iter().map(|f| String::from_utf8_lossy(&f.bytes).into_owned()).collect();
        assert!(all.contains("8999") && all.matches("[399,\"word\"]").count() == 400);
        assert!(Keys::default().files(&json!({})).1.iter().all(|f| f.bytes.len() < 200));
    }

    #[test]
    fn keys_stand_as_a_browser_compares_them() {
        assert_eq!(order("\u{FF66}", "\u{20000}"), Ordering::Greater);
        assert_eq!(order("a", "b"), Ordering::Less);
    }
}
