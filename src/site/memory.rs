//! What an earlier build left in the folder and what it was made from, so that only what changed is made again.
//!
//! Each page that is costly to make has a key: a hash of everything it depends on, the program's own code included. The manifest in the site's folder
//! holds the keys. A page whose key is the same and whose file is as it was written is not made again; everything else is. Nothing else is remembered,
//! so that an incremental build can leave nothing behind that a build from scratch would not make.

use super::search_data::Told;
use super::write;
use crate::error::Result;
use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The files of an earlier build that are still as it wrote them: path to key.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, String>,
    /// Keys of which a file is missing or another than was written.
    broken: BTreeSet<String>,
    /// What documents told the search before.
    before: BTreeMap<String, Arc<Told>>,
    /// What those of this build tell.
    now: Arc<Mutex<BTreeMap<String, Arc<Told>>>>,
}

impl Memory {
    /// Reads what a folder's manifest tells, and believes it for those files that have the content it names. Empty where there is no site yet.
    pub fn of(dir: &Path) -> Result<Memory> {
        let manifest = write::read_manifest(dir)?;
        let same = |path: &String| -> bool {
            let Some([hash]) = manifest.files.get(path).map(Vec::as_slice) else { return false };
            std::fs::read(dir.join(path)).is_ok_and(|b| write::hash(&b) == *hash)
        };
        let (files, lost): (BTreeMap<_, _>, Vec<_>) = manifest.inputs.into_par_iter().partition_map(|(path, key)| {
            if same(&path) { rayon::iter::Either::Left((path, key)) } else { rayon::iter::Either::Right(key) }
        });
        Ok(Memory { files, broken: lost.into_iter().collect(), ..Memory::default() })
    }

    /// Reads also what documents told the search, from a file that [`Memory::save`] wrote. One that cannot be read is no loss.
    #[must_use]
    pub fn with(mut self, file: &Path) -> Memory {
        let read = std::fs::read(file).ok().and_then(|b| serde_json::from_slice::<BTreeMap<String, Told>>(&b).ok());
        self.before = read.unwrap_or_default().into_iter().map(|(k, t)| (k, Arc::new(t))).collect();
        self
    }

    /// Writes what the documents of this build told the search. A file that cannot be written only makes the next build slower.
    pub fn save(&self, file: &Path) {
        let Ok(now) = self.now.lock() else { return };
        if !now.is_empty() && !now.keys().eq(self.before.keys()) {
            let plain: BTreeMap<&str, &Told> = now.iter().map(|(k, t)| (k.as_str(), t.as_ref())).collect();
            if let Ok(bytes) = serde_json::to_vec(&plain) {
                let _ = write::replace(file, &bytes);
            }
        }
    }

    /// What a document tells the search: as before where it is made from the same.
    pub(crate) fn told(&self, key: String, make: impl FnOnce() -> Told) -> Result<Arc<Told>> {
        let told = self.before.get(&key).cloned().unwrap_or_else(|| Arc::new(make()));
        if let Ok(mut now) = self.now.lock() {
            now.insert(key, told.clone());
        }
        Ok(told)
    }

    /// Whether a file is there that was made from the same.
    pub(crate) fn holds(&self, path: &str, key: &str) -> bool {
        self.files.get(path).is_some_and(|k| k == key)
    }

    /// Whether all files that were made from the same are as they were.
    pub(crate) fn complete(&self, key: &str) -> bool {
        !self.broken.contains(key)
    }

    /// The files that were made from the same.
    pub(crate) fn made_from<'m>(&'m self, key: &'m str) -> impl Iterator<Item = &'m str> {
        self.files.iter().filter(move |(_, k)| *k == key).map(|(p, _)| p.as_str())
    }
}

/// The hash of what something is made from.
pub(crate) fn key(of: &impl Serialize) -> Result<String> {
    let mut sink = Sink(Sha256::new());
    serde_json::to_writer(&mut sink, of).map_err(|e| crate::error::Error::because("what a page is made from cannot be written", e))?;
    Ok(sink.0.finalize().iter().take(16).map(|b| format!("{b:02x}")).collect())
}

/// The code and templates that make pages, as a hash: another program makes everything again.
pub(crate) const CODE: &str = crate::data::PAGES;

/// Hashes what is written to it.
struct Sink(Sha256);

impl std::io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Output, write};
    use super::*;

    #[test]
    fn only_files_that_are_as_they_were_written_are_believed() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Memory::of(dir.path()).unwrap().files.is_empty());
        let file = |path: &str, inputs: &str| Output { inputs: inputs.into(), ..Output::new(path, b"x".to_vec()) };
        write(&[file("a.html", "1"), file("b.html", "2"), file("c.html", "2"), file("d.html", "")], dir.path()).unwrap();
        std::fs::write(dir.path().join("b.html"), "by hand").unwrap();
        let m = Memory::of(dir.path()).unwrap();
        assert!(m.holds("a.html", "1") && !m.holds("a.html", "2") && !m.holds("b.html", "2") && !m.holds("d.html", ""));
        assert!(m.complete("1") && !m.complete("2"));
        assert_eq!(m.made_from("2").collect::<Vec<_>>(), ["c.html"]);
        // what is kept stays in the manifest, and in the folder
        let kept = Output { kept: true, bytes: Vec::new(), ..file("a.html", "1") };
        let done = write(&[kept], dir.path()).unwrap();
        assert_eq!((done.written, done.unchanged), (0, 1));
        assert!(Memory::of(dir.path()).unwrap().holds("a.html", "1"));
        assert_eq!(std::fs::read(dir.path().join("a.html")).unwrap(), b"x");
    }

    #[test]
    fn keys_tell_apart() {
        assert_eq!(key(&("a", 1)).unwrap(), key(&("a", 1)).unwrap());
        assert_ne!(key(&("a", 1)).unwrap(), key(&("a", 2)).unwrap());
    }
}
