//! What an earlier build left in the folder and what it was made from, so that only what changed is made again.
//!
//! Each page that is costly to make has a key: a hash of everything it depends on, the program's own code included. The manifest in the site's folder
//! holds the keys. A page whose key is the same and whose file is as it was written is not made again; everything else is. Nothing else is remembered,
//! so that an incremental build can leave nothing behind that a build from scratch would not make.

use super::lore::{Lore, Told};
use super::write;
use crate::error::Result;
use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The files of an earlier build that are still as it wrote them: path to key.
#[derive(Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, String>,
    /// The same from key to paths.
    by_key: BTreeMap<String, Vec<String>>,
    /// Keys of which a file is missing or another than was written.
    broken: BTreeSet<String>,
    /// What documents told the search before; taken by the build.
    before: Mutex<Lore>,
    /// What those of this build tell, and whether that is anything else.
    now: Mutex<Option<(Arc<Lore>, bool)>>,
}

impl Memory {
    /// Reads what a folder's manifest tells, and believes it for those files that have the content it names. Empty where there is no site yet.
    pub fn of(dir: &Path) -> Result<Memory> {
        let manifest = write::read_manifest(dir)?;
        // the manifest is written last: what nobody has touched since is as it was
        let written = touched(&dir.join(write::MANIFEST));
        let same = |path: &String| -> bool {
            let Some([hash]) = manifest.files.get(path).map(Vec::as_slice) else { return false };
            let place = dir.join(path);
            let before = touched(&place).zip(written).is_some_and(|(file, manifest)| file < manifest);
            before || std::fs::read(place).is_ok_and(|b| write::hash(&b) == *hash)
        };
        let (files, lost): (BTreeMap<_, _>, Vec<_>) = manifest.inputs.into_par_iter().partition_map(|(path, key)| {
            if same(&path) { rayon::iter::Either::Left((path, key)) } else { rayon::iter::Either::Right(key) }
        });
        let mut by_key: BTreeMap<String, Vec<String>> = BTreeMap::new();
        files.iter().for_each(|(path, key): (&String, &String)| by_key.entry(key.clone()).or_default().push(path.clone()));
        Ok(Memory { files, by_key, broken: lost.into_iter().collect(), ..Memory::default() })
    }

    /// Reads also what documents told the search, from a file that [`Memory::save`] wrote. One that cannot be read is no loss.
    #[must_use]
    pub fn with(mut self, file: &Path) -> Memory {
        let read = std::fs::read(file).ok().and_then(|b| Lore::read(&b));
        self.before = Mutex::new(read.unwrap_or_default());
        self
    }

    /// Writes what the documents of this build told the search. A file that cannot be written only makes the next build slower.
    pub fn save(&self, file: &Path) {
        if let Ok(now) = self.now.lock()
            && let Some(lore) = now.as_ref().filter(|l| l.1)
        {
            let _ = write::replace(file, &lore.0.bytes());
        }
    }

    /// What all documents tell the search, by keys of what each is made from: as before where that is the same.
    pub(crate) fn lore(&self, keys: &[String], make: impl Fn(usize) -> Told + Sync) -> Arc<Lore> {
        let mut lore = self.before.lock().map(|mut l| std::mem::take(&mut *l)).unwrap_or_default();
        let missing: Vec<usize> = (0..keys.len()).filter(|k| lore.document(&keys[*k]).is_none()).collect();
        let made: Vec<Told> = missing.par_iter().map(|k| make(*k)).collect();
        for (k, told) in missing.iter().zip(&made) {
            lore.add(keys[*k].clone(), told);
        }
        let wanted: BTreeSet<&str> = keys.iter().map(String::as_str).collect();
        let stale = lore.keys().any(|k| !wanted.contains(k.as_str()));
        lore.keep(|k| wanted.contains(k));
        let lore = Arc::new(lore);
        if let Ok(mut now) = self.now.lock() {
            *now = Some((lore.clone(), stale || !made.is_empty()));
        }
        lore
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
    pub(crate) fn made_from(&self, key: &str) -> impl Iterator<Item = &str> {
        self.by_key.get(key).into_iter().flatten().map(String::as_str)
    }
}

/// When a file itself or what is known of it changed last; the system keeps this by itself, and no program sets it back. Nothing where it does not.
fn touched(path: &Path) -> Option<(i64, i64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::symlink_metadata(path).ok().filter(|m| m.is_file()).map(|m| (m.ctime(), m.ctime_nsec()))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
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
