//! Cuts the search data into small classic scripts (`S("9f…",[…])`), so that pages work from `file://` and a query loads only what it needs.
//!
//! All data is one list of keys and values, sorted by key as a browser compares strings. A value is a list; one that is long is cut into several
//! of the same key. Numbers are no JSON but characters ([`super::coder`]), and most of it is numbers. Where a file ends is told by the keys in it and not by how many came before, and each file is named by its content: an edit of
//! one document changes the files that hold its keys and the directories that name those, and no others. A head names the directories, a directory
//! names its files, each with their first keys.

use super::Output;
use super::assets::short_hash;
use super::coder::{Coder, pack};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// No file is larger than this.
#[cfg(test)]
const MOST: usize = 32 * 1024;
/// A list of one key is cut at this size …
const PIECE: usize = 6 * 1024;
/// … and one of numbers at this many bytes.
const NUMBERS: usize = 12 * 1024;
/// A value of this size has a file of its own: whoever asks for it asks for nothing else.
const LARGE: usize = 1536;

/// From which size a file may end, where it ends at the latest, unless one list is larger, and how many files a directory names at most. What a query
/// asks for here and there is in small pieces; what is hardly ever asked for is in few files and takes little room in the head.
fn sizes(kind: Option<char>) -> (usize, usize, usize) {
    match kind {
        Some('l') => (1280, 3584, 96),
        Some('a' | 'u' | 't' | 'q') => (640, 1536, 96),
        Some('i') => (600, 1200, 96),
        Some('e') => (1024, 2048, 96),
        Some('d') => (0, 0, 64),
        Some('w' | 'k' | 'x' | 'K' | 'X' | 's' | 'v' | 'y') => (5 * 1024, 12 * 1024, 400),
        _ => (2 * 1024, 5 * 1024, 96),
    }
}

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

    /// Adds numbers that were written by a coder.
    pub fn add_coded(&mut self, key: String, numbers: Coder) {
        self.list.push((key, Content::Shared(numbers.text())));
    }

    /// Adds texts under a key, parted by a sign that they do not have.
    pub fn add_texts(&mut self, key: &str, texts: &[String], sign: char) {
        let mut piece = String::new();
        for text in texts {
            if piece.len() + text.len() > PIECE {
                self.list.push((key.to_string(), Content::Shared(json!(std::mem::take(&mut piece)).to_string())));
            }
            if !piece.is_empty() {
                piece.push(sign);
            }
            piece.push_str(text);
        }
        self.list.push((key.to_string(), Content::Shared(json!(piece).to_string())));
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
    /// same piece, and so is each number of one.
    pub fn add_numbers<'n>(&mut self, key: &str, shape: Shape, documents: impl IntoIterator<Item = (usize, &'n [u32])>) {
        let mut piece: Vec<(u32, &[u32])> = Vec::new();
        let (mut size, mut before) = (0, 0);
        for (document, numbers) in documents {
            if size > NUMBERS {
                self.list.push((key.to_string(), Content::Shared(told(shape, &piece))));
                piece.clear();
                (size, before) = (0, 0);
            }
            piece.push((u32::try_from(document - before).unwrap_or(u32::MAX), numbers));
            before = document;
            // as good as a byte for each
            size += 1 + usize::from(shape != Shape::Set) + if shape == Shape::List { numbers.len() } else { 0 };
        }
        if !piece.is_empty() {
            self.list.push((key.to_string(), Content::Shared(told(shape, &piece))));
        }
    }

    /// The files below `search/`, and the directories' first keys and names. With a name for all they are numbered, which takes less room than to name
    /// each by its content, and is for what changes only as a whole.
    pub fn files(mut self, all: Option<&str>) -> (Value, Vec<Output>) {
        self.list.par_sort_by(|a, b| order(&a.0, &b.0));
        let mut shards: Vec<Shard> = Vec::new();
        let (mut body, mut first, mut last, mut goes_on, mut alone) = (String::new(), String::new(), String::new(), false, false);
        let mut files: Vec<Output> = Vec::new();
        let file = |files: &mut Vec<Output>, body: &str| file(files, body, all);
        let kind = |key: &str| key.chars().next();
        for (key, content) in self.list {
            let size = if let Content::Shared(values) = &content { body.len() + values.len() + key.len() } else { usize::MAX };
            let (least, full, _) = sizes(kind(&key));
            let large = matches!(&content, Content::Shared(values) if values.len() >= LARGE.min(full));
            let cut = kind(&key) != kind(&first) || size > full || large || alone || (body.len() > least && ends(&key, 12));
            alone = large;
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
                    shards.push((key, json!(name), false));
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
            let most = sizes(kind(&key)).2;
            let full = here.len() >= most || kind(&key) != kind(&begins) || (here.len() > most / 4 && ends(&key, 24));
            if full && !here.is_empty() {
                let name = file(&mut files, &inner(std::mem::take(&mut here)));
                directories.push(entry(&begins, &name, goes_on));
            }
            if here.is_empty() {
                begins.clone_from(&key);
                goes_on = on;
            }
            here.push(entry(&key, &name, on));
        }
        if !here.is_empty() {
            let name = file(&mut files, &inner(here));
            directories.push(entry(&begins, &name, goes_on));
        }
        (json!(directories), files)
    }
}

/// What a piece of a list tells: as numbers by themselves where it is short, else (behind a space) as a coder writes them.
fn told(shape: Shape, piece: &[(u32, &[u32])]) -> String {
    if piece.len() < 48 {
        let mut out = String::from("\"");
        for (gap, numbers) in piece {
            pack(&mut out, *gap);
            match shape {
                Shape::Set => {}
                Shape::Pair => pack(&mut out, numbers.first().copied().unwrap_or_default()),
                Shape::List => {
                    pack(&mut out, u32::try_from(numbers.len()).unwrap_or(u32::MAX));
                    numbers.iter().scan(0, |last, n| Some(n - std::mem::replace(last, *n))).for_each(|n| pack(&mut out, n));
                }
            }
        }
        if out.len() < 64 {
            return out + "\"";
        }
    }
    let mut coder = Coder::default();
    coder.number(0, u32::try_from(piece.len()).unwrap_or(u32::MAX));
    for (gap, numbers) in piece {
        coder.number(1, *gap);
        match shape {
            Shape::Set => {}
            Shape::Pair => coder.number(2, numbers.first().copied().unwrap_or_default()),
            Shape::List => {
                coder.number(2, u32::try_from(numbers.len()).unwrap_or(u32::MAX));
                let mut last = None;
                for n in *numbers {
                    coder.number(if last.is_none() { 3 } else { 4 }, n - last.unwrap_or_default());
                    last = Some(*n);
                }
            }
        }
    }
    coder.text().replacen('"', "\" ", 1)
}

/// First key of a file, its name, and whether that key began in the file before.
type Shard = (String, Value, bool);

/// `["key","name"]`, and a third where the key began in the file before.
fn entry(key: &str, name: &Value, goes_on: bool) -> Value {
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

/// A list without its brackets.
fn inner(list: Vec<Value>) -> String {
    let text = json!(list).to_string();
    text.get(1..text.len() - 1).unwrap_or_default().to_string()
}

/// A file of some content, and its name, or its number where all have one name.
fn file(files: &mut Vec<Output>, body: &str, all: Option<&str>) -> Value {
    let (name, value) = match all {
        Some(all) => (format!("{all}-{}", files.len()), json!(files.len())),
        None => {
            let name = short_hash(body.as_bytes());
            (name.clone(), json!(name))
        }
    };
    files.push(script(&name, &format!("[{body}]")));
    value
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
        let (directories, files) = keys.files(None);
        assert!(directories.as_array().unwrap().len() > 3);
        assert!(files.iter().all(|f| f.bytes.len() <= MOST && f.path.starts_with("search/")));
        let all = text(&files);
        assert!(all.contains(",8999]") && all.matches("[399,\"word\"]").count() == 400);
        assert!(all.matches("[\"f:x\",\" ").count() > 2);
        assert_eq!(Keys::default().files(None).1.len(), 0);
    }

    #[test]
    fn numbers_are_told_by_what_they_are_more() {
        use super::super::coder::packed;
        let mut keys = Keys::default();
        keys.add_numbers("k:a", Shape::Set, [(3, &[][..]), (5, &[][..])]);
        keys.add_numbers("f:a", Shape::Pair, [(3, &[9][..]), (5, &[4][..])]);
        keys.add_numbers("c:a", Shape::List, [(3, &[2, 7][..]), (5, &[1][..])]);
        let all = text(&keys.files(None).1);
        for (key, numbers) in [("k:a", &[3, 2][..]), ("f:a", &[3, 9, 2, 4]), ("c:a", &[3, 2, 2, 5, 2, 1, 1])] {
            let part = format!("[\"{key}\",\"{}\"]", packed(numbers.iter().copied()));
            assert!(all.contains(&part), "{part}: {all}");
        }
    }

    #[test]
    fn what_is_large_stands_alone_and_what_changes_together_is_numbered() {
        let mut keys = Keys::default();
        for key in ["c:a", "c:b", "c:c"] {
            let documents = if key == "c:b" { 2200 } else { 3 };
            // gaps that tell nothing of each other, so that a coder cannot make them small
            let place = |n: usize| n * 64 + ((n * n) as u32).wrapping_mul(2_654_435_761) as usize % 61;
            keys.add_numbers(key, Shape::List, (0..documents).map(|n| (place(n), &[3, 4][..])));
        }
        let (directories, files) = keys.files(Some("all"));
        assert_eq!(
            files.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(),
            ["all-0", "all-1", "all-2", "all-3"].map(|n| format!("search/{n}.js"))
        );
        assert!(text(&files).contains(r#"S("all-3",[["c:a",0],["c:b",1],["c:c",2]]);"#), "{}", text(&files));
        assert_eq!(directories, json!([["c:a", 3]]));
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
            let (directories, files) = keys.files(None);
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
