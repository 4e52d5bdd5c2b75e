//! Cuts the search data into small classic scripts (`S("9f…",[…])`), so that pages work from `file://` and a query loads only what it needs.
//!
//! All data is one list of keys and values, sorted by key as a browser compares strings. A value is a list; one that is long is cut into several
//! of the same key. Numbers are no JSON but characters ([`pack`]): a compressed list of them is a third smaller, and most of it is numbers. Where a file ends is told by the keys in it and not by how many came before, and each file is named by its content: an edit of
//! one document changes the files that hold its keys and the directories that name those, and no others. A head names the directories, a directory
//! names its files, each with their first keys.

use super::Output;
use super::assets::short_hash;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// No file is larger than this.
#[cfg(test)]
const MOST: usize = 32 * 1024;
/// A list of one key is cut at this size.
const PIECE: usize = 6 * 1024;
/// A file may end once it has this size …
const LEAST: usize = 3 * 1024;
/// … and ends at this one at the latest, unless one list is larger.
const FULL: usize = 8 * 1024;
/// So many files are named by a directory at most.
const DIRECTORY: usize = 96;

/// What is to be found by key.
#[derive(Default)]
pub struct Keys {
    /// Key and what stands under it.
    list: Vec<(String, Content)>,
}

/// What stands under a key.
enum Content {
    /// A value as JSON, among those of other keys.
    Shared(String),
    /// Values that have a file of their own, and what it is made from.
    Alone(String, String),
    /// A file of its own that is there already: its name, and what it is made from.
    Kept(String, String),
}

/// Lists of numbers that documents have, by key: how many belong to a document is told by the first letter of the key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The document alone.
    Set,
    /// The document and one number.
    Pair,
    /// The document, how many numbers, and the numbers, each told by what it is more than the one before.
    List,
}

/// As JavaScript compares strings: by UTF-16 units.
fn order(a: &str, b: &str) -> Ordering {
    // UTF-8 has the same order but for what is beyond the basic plane: its surrogates come before the last units of that plane
    let place = |byte: u8| match byte {
        0xEE | 0xEF => 0xF8 | (byte & 1),
        _ => byte,
    };
    match a.bytes().zip(b.bytes()).find(|(x, y)| x != y) {
        Some((x, y)) => place(x).cmp(&place(y)),
        None => a.len().cmp(&b.len()),
    }
}

/// So many characters stand for digits: those of ASCII from `#` to `~` but `\\`, which mean themselves in a JSON string.
const DIGITS: usize = 91;
/// Numbers below this are one character …
const SMALL: usize = 64;
/// … those below this are two, and all others six.
const MIDDLE: usize = SMALL + (DIGITS - SMALL - 1) * DIGITS;

/// Appends a number to a list of them. `told` in `search.js` reads it.
fn pack(out: &mut String, n: usize) {
    let mut digit = |d: usize| {
        let code = b'#' + u8::try_from(d % DIGITS).unwrap_or_default();
        out.push(char::from(code + u8::from(code >= b'\\')));
    };
    if n < SMALL {
        digit(n);
    } else if n < MIDDLE {
        digit(SMALL + (n - SMALL) / DIGITS);
        digit((n - SMALL) % DIGITS);
    } else {
        digit(DIGITS - 1);
        (0..5).rev().for_each(|place| digit(n / DIGITS.pow(place)));
    }
}

/// Numbers as one piece.
fn packed(numbers: impl IntoIterator<Item = usize>) -> String {
    let mut out = String::from("\"");
    numbers.into_iter().for_each(|n| pack(&mut out, n));
    out.push('"');
    out
}

/// Whether a cut may come before a key: one key in `one_of`.
fn ends(key: &str, one_of: u32) -> bool {
    let mut hash = 0x811c_9dc5_u32;
    key.bytes().for_each(|b| hash = (hash ^ u32::from(b)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 15)).is_multiple_of(one_of)
}

impl Keys {
    /// Adds a list of JSON values under a key.
    pub fn add(&mut self, key: &str, values: impl IntoIterator<Item = impl std::fmt::Display>) {
        let mut piece = String::new();
        for v in values {
            let text = v.to_string();
            if !piece.is_empty() && piece.len() + text.len() > PIECE {
                self.list.push((key.to_string(), Content::Shared(format!("[{piece}]"))));
                piece.clear();
            }
            if !piece.is_empty() {
                piece.push(',');
            }
            piece.push_str(&text);
        }
        if !piece.is_empty() {
            self.list.push((key.to_string(), Content::Shared(format!("[{piece}]"))));
        }
    }

    /// Adds a list of numbers under a key.
    pub fn add_packed(&mut self, key: String, numbers: impl IntoIterator<Item = usize>) {
        self.list.push((key, Content::Shared(packed(numbers))));
    }

    /// Adds a value that has a file of its own, made from `inputs`.
    pub fn add_alone(&mut self, key: String, value: &Value, inputs: String) {
        self.list.push((key, Content::Alone(format!("[{value}]"), inputs)));
    }

    /// Adds the file of such a value, made before from the same.
    pub fn add_kept(&mut self, key: String, name: &str, inputs: String) {
        self.list.push((key, Content::Kept(name.to_string(), inputs)));
    }

    /// Adds what documents have under a key: documents in order, with their numbers. Each document is told by how far it is from the one before in the
    /// same piece.
    pub fn add_numbers<'n>(&mut self, key: &str, shape: Shape, documents: impl IntoIterator<Item = (usize, &'n [u32])>) {
        let mut piece = String::new();
        let mut before = 0;
        for (document, numbers) in documents {
            if piece.len() > PIECE {
                self.list.push((key.to_string(), Content::Shared(format!("\"{piece}\""))));
                piece.clear();
                before = 0;
            }
            pack(&mut piece, document - before);
            before = document;
            match shape {
                Shape::Set => {}
                Shape::Pair => pack(&mut piece, numbers.first().map_or(0, |n| *n as usize)),
                Shape::List => {
                    pack(&mut piece, numbers.len());
                    let mut last = 0;
                    for n in numbers {
                        pack(&mut piece, (n - last) as usize);
                        last = *n;
                    }
                }
            }
        }
        if !piece.is_empty() {
            self.list.push((key.to_string(), Content::Shared(format!("\"{piece}\""))));
        }
    }

    /// The files below `search/`, and the directories' first keys and names.
    pub fn files(mut self) -> (Value, Vec<Output>) {
        self.list.par_sort_by(|a, b| order(&a.0, &b.0));
        let mut shards: Vec<Shard> = Vec::new();
        let (mut body, mut first, mut last, mut goes_on) = (String::new(), String::new(), String::new(), false);
        let mut files: Vec<Output> = Vec::new();
        let kind = |key: &str| key.chars().next();
        for (key, content) in self.list {
            let size = if let Content::Shared(values) = &content { body.len() + values.len() + key.len() } else { usize::MAX };
            let cut = kind(&key) != kind(&first) || size > FULL || (body.len() > LEAST && ends(&key, 12));
            if cut && !body.is_empty() {
                shards.push((std::mem::take(&mut first), file(&mut files, &body), goes_on));
                body.clear();
            }
            match content {
                Content::Shared(values) => {
                    if body.is_empty() {
                        first.clone_from(&key);
                        goes_on = key == last;
                    } else {
                        body.push(',');
                    }
                    row(&mut body, &key, &values);
                    last = key;
                }
                Content::Alone(values, inputs) => {
                    let mut own = String::new();
                    row(&mut own, &key, &values);
                    let name = file(&mut files, &own);
                    if let Some(made) = files.last_mut() {
                        made.inputs = inputs;
                    }
                    shards.push((key, name, false));
                }
                Content::Kept(name, inputs) => {
                    files.push(Output::kept(format!("search/{name}.js"), inputs));
                    shards.push((key, name, false));
                }
            }
        }
        if !body.is_empty() {
            shards.push((first, file(&mut files, &body), goes_on));
        }
        let mut directories: Vec<Value> = Vec::new();
        let mut here: Vec<Value> = Vec::new();
        let (mut begins, mut goes_on) = (String::new(), false);
        for (key, name, on) in shards {
            let full = here.len() >= DIRECTORY || kind(&key) != kind(&begins) || (here.len() > DIRECTORY / 4 && ends(&key, 24));
            if full && !here.is_empty() {
                directories.push(entry(&begins, &directory(&mut files, &mut here), goes_on));
            }
            if here.is_empty() {
                begins.clone_from(&key);
                goes_on = on;
            }
            here.push(entry(&key, &name, on));
        }
        if !here.is_empty() {
            directories.push(entry(&begins, &directory(&mut files, &mut here), goes_on));
        }
        (json!(directories), files)
    }
}

/// First key of a file, its name, and whether that key began in the file before.
type Shard = (String, String, bool);

/// `["key","name"]`, and a third where the key began in the file before.
fn entry(key: &str, name: &str, goes_on: bool) -> Value {
    if goes_on { json!([key, name, 1]) } else { json!([key, name]) }
}

/// `["key",value]`
fn row(out: &mut String, key: &str, value: &str) {
    out.push('[');
    out.push_str(&json!(key).to_string());
    out.push(',');
    out.push_str(value);
    out.push(']');
}

fn directory(files: &mut Vec<Output>, here: &mut Vec<Value>) -> String {
    let text = json!(std::mem::take(here)).to_string();
    file(files, text.get(1..text.len() - 1).unwrap_or_default())
}

/// A file of some content, and its name.
fn file(files: &mut Vec<Output>, body: &str) -> String {
    let name = short_hash(body.as_bytes());
    files.push(script(&name, &format!("[{body}]")));
    name
}

/// The script `search/<name>.js` that hands over a value under its name.
pub fn script(name: &str, value: &str) -> Output {
    Output::new(format!("search/{name}.js"), format!("S({},{value});\n", json!(name)).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(files: &[Output]) -> String {
        files.iter().map(|f| String::from_utf8_lossy(&f.bytes).into_owned()).collect()
    }

    #[test]
    fn no_file_is_too_large_and_nothing_is_lost() {
        let mut keys = Keys::default();
        for k in 0..400 {
            keys.add(&format!("w:{k}"), (0..400).map(|n| json!([n, "word"])));
        }
        keys.add("a", (0..9000).map(|n| json!(n)));
        keys.add_numbers("f:x", Shape::Pair, (0..20_000).map(|n| (n * 3, &[7][..])));
        let (directories, files) = keys.files();
        assert!(directories.as_array().unwrap().len() > 3);
        assert!(files.iter().all(|f| f.bytes.len() <= MOST && f.path.starts_with("search/")));
        let all = text(&files);
        assert!(all.contains(",8999]") && all.matches("[399,\"word\"]").count() == 400);
        // the numbers of all pieces of a key, two for each document; the gap is one character, the first of a later piece is more. A directory
        // has a name of twelve under the same key
        let pieces: Vec<usize> =
            all.split("[\"f:x\",\"").skip(1).map(|p| p.split('"').next().unwrap_or("").len()).filter(|n| *n != 12).collect();
        assert!(pieces.len() > 5 && (40_000..40_100).contains(&pieces.iter().sum::<usize>()), "{pieces:?}");
        assert_eq!(Keys::default().files().1.len(), 0);
    }

    #[test]
    fn numbers_are_told_by_what_they_are_more() {
        let mut keys = Keys::default();
        keys.add_numbers("k:a", Shape::Set, [(3, &[][..]), (5, &[][..])]);
        keys.add_numbers("f:a", Shape::Pair, [(3, &[9][..]), (5, &[4][..])]);
        keys.add_numbers("c:a", Shape::List, [(3, &[2, 7][..]), (5, &[1][..])]);
        let all = text(&keys.files().1);
        for (key, numbers) in [("k:a", &[3, 2][..]), ("f:a", &[3, 9, 2, 4]), ("c:a", &[3, 2, 2, 5, 2, 1, 1])] {
            let part = format!("[\"{key}\",{}]", packed(numbers.iter().copied()));
            assert!(all.contains(&part), "{part}: {all}");
        }
    }

    #[test]
    fn numbers_are_characters_that_mean_themselves() {
        assert_eq!(packed([0, 1, 57, 63]), "\"#$]c\"");
        for (n, size) in [(0, 1), (SMALL - 1, 1), (SMALL, 2), (MIDDLE - 1, 2), (MIDDLE, 6), (u32::MAX as usize, 6)] {
            let text = packed([n]);
            assert_eq!(text.len(), size + 2, "{n}");
            assert_eq!(serde_json::from_str::<String>(&text).unwrap().len(), size, "{n}");
        }
        let all = packed(0..4000);
        assert!(!all[1..all.len() - 1].contains(['"', '\\']));
    }

    #[test]
    fn an_edit_changes_few_files() {
        let build = |edited: bool| {
            let mut keys = Keys::default();
            for k in 0..20_000 {
                keys.add(&format!("w:word{k}"), [json!([k, "what it stands for"])]);
            }
            if edited {
                keys.add("w:word10000a", [json!([1, "new"])]);
            }
            let (directories, files) = keys.files();
            let names: std::collections::BTreeSet<String> = files.into_iter().map(|f| f.path).collect();
            (directories, names)
        };
        let (old, new) = (build(false), build(true));
        assert_ne!(old.0, new.0);
        assert!(new.1.difference(&old.1).count() <= 4, "{:?}", new.1.difference(&old.1));
    }

    #[test]
    fn keys_stand_as_a_browser_compares_them() {
        assert_eq!(order("\u{FF66}", "\u{20000}"), Ordering::Greater);
        assert_eq!(order("a", "b"), Ordering::Less);
        assert_eq!(order("a", "é"), Ordering::Less);
    }
}
