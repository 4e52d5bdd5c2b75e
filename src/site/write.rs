//! Puts a site into a folder. Each file is replaced whole; what others refer to by content comes first, then the pages, and what is stale goes last.
//! Pages lead to each other in circles, so that no order of them is right: at each new address there is first a page that leads nowhere. A build that
//! is killed at any moment leaves whole pages, and every link on them leads to one.
//!
//! A manifest in the folder says which files a build has made and what their content was. Only those are ever replaced or deleted: a file that somebody
//! else put there is left alone, and stops the build where it stands in the way.

use super::Output;
use crate::error::{Error, Result};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Name of the manifest.
pub const MANIFEST: &str = "twiceshy-site.json";

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files written anew or changed.
    pub written: usize,
    /// Files that were already as they should be.
    pub unchanged: usize,
    /// Stale files deleted.
    pub deleted: usize,
}

/// What a build made.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    schema: String,
    /// Path to the hashes its content may have: two while a build is under way.
    pub(super) files: BTreeMap<String, Vec<String>>,
    /// Path to the key of what it was made from; none while a build is under way.
    #[serde(default)]
    pub(super) inputs: BTreeMap<String, String>,
}

/// What stands at a new address until its page is written.
const COMING: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"2\">\n<title>…</title>\n</head>\n<body>\n<main><h1>…</h1><p>This page is being written.</p></main>\n</body>\n</html>\n";

pub(super) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// A path below the folder and nowhere else.
fn safe(path: &str) -> bool {
    !path.is_empty() && path.split('/').all(|p| !p.is_empty() && p != "." && p != ".." && !p.contains(['\\', ':', '\0']))
}

/// Writes the files into a folder, which is made where it is missing.
pub fn write(outputs: &[Output], dir: &Path) -> Result<Written> {
    fs::create_dir_all(dir).map_err(|e| Error::because(format!("{} cannot be made", dir.display()), e))?;
    let Manifest { files: old, inputs: made_from, .. } = read_manifest(dir)?;
    if let Some(o) = outputs.iter().find(|o| !safe(&o.path)) {
        return Err(Error::new(format!("`{}` is no path of a site", o.path)));
    }
    // no inputs are named while a build is under way: one that was killed may have left what it was just writing
    if !old.is_empty() && made_from.is_empty() {
        sweep(&old, outputs, dir);
    }
    let looked: Vec<(String, State)> = outputs.par_iter().map(|o| look(o, dir, &old)).collect::<Result<_>>()?;
    let new: BTreeMap<String, Vec<String>> =
        outputs.iter().zip(&looked).map(|(o, (hash, _))| (o.path.clone(), vec![hash.clone()])).collect();
    let inputs: BTreeMap<String, String> =
        outputs.iter().filter(|o| !o.inputs.is_empty()).map(|o| (o.path.clone(), o.inputs.clone())).collect();
    let mut todo: Vec<&Output> = Vec::new();
    let mut done = Written::default();
    for (o, (_, state)) in outputs.iter().zip(&looked) {
        match state {
            State::Same => done.unchanged += 1,
            State::Foreign => {
                let place = dir.join(&o.path);
                return Err(Error::new(format!("{} is not of this program's making", place.display()))
                    .hint("choose another folder, or move the file away"));
            }
            State::Other => todo.push(o),
        }
    }
    // before anything changes, the manifest names what is there and what will be, so that a killed build leaves no file that nobody owns
    let mut both = old.clone();
    for (path, hashes) in &new {
        both.entry(path.clone()).or_default().extend(hashes.iter().cloned());
    }
    let first: Vec<&Output> = todo.iter().copied().filter(|o| o.path.ends_with(".html") && !dir.join(&o.path).exists()).collect();
    for o in &first {
        both.entry(o.path.clone()).or_default().push(hash(COMING.as_bytes()));
    }
    // stale pages link to each other too: before the first of them goes, none leads anywhere
    let stale: Vec<&String> = old.keys().filter(|p| p.ends_with(".html") && !new.contains_key(*p)).collect();
    for path in &stale {
        both.entry((*path).clone()).or_default().push(hash(COMING.as_bytes()));
    }
    if both != old && new != old || made_from != inputs {
        write_manifest(dir, both, BTreeMap::new())?;
    }
    todo.sort_by_cached_key(|o| (o.path.ends_with(".html"), !o.path.starts_with("assets/"), o.path.clone()));
    let pages = todo.partition_point(|o| !o.path.ends_with(".html"));
    for (n, o) in todo.into_iter().enumerate() {
        if n == pages {
            for o in &first {
                replace(&dir.join(&o.path), COMING.as_bytes())?;
            }
        }
        replace(&dir.join(&o.path), &o.bytes)?;
        done.written += 1;
    }
    for path in stale {
        if ours(&dir.join(path), &old[path]) {
            replace(&dir.join(path), COMING.as_bytes())?;
        }
    }
    let coming = hash(COMING.as_bytes());
    for (path, hashes) in old.iter().filter(|(p, _)| !new.contains_key(*p)) {
        let hashes: Vec<String> = hashes.iter().chain([&coming]).cloned().collect();
        done.deleted += usize::from(delete(dir, path, &hashes));
    }
    write_manifest(dir, new, inputs)?;
    Ok(done)
}

/// Takes away the beginnings of files that a killed build left.
fn sweep(old: &BTreeMap<String, Vec<String>>, outputs: &[Output], dir: &Path) {
    let folder = |p: &String| Path::new(p).parent().map(Path::to_path_buf);
    let folders: BTreeSet<PathBuf> = old.keys().chain(outputs.iter().map(|o| &o.path)).filter_map(folder).collect();
    for entry in folders.iter().flat_map(|f| fs::read_dir(dir.join(f))).flatten().flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(BEGUN) && entry.file_type().is_ok_and(|t| t.is_file()) {
            // what cannot be taken away does no harm
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// How the names of files begin that are not whole yet.
const BEGUN: &str = ".twiceshy-";

/// How a file is to what it shall be.
enum State {
    Same,
    Other,
    /// Somebody else's.
    Foreign,
}

/// The hash of an output's content, and how the file is to it.
fn look(o: &Output, dir: &Path, old: &BTreeMap<String, Vec<String>>) -> Result<(String, State)> {
    if o.kept {
        let hash = old.get(&o.path).and_then(|h| h.first()).cloned();
        return hash.map(|h| (h, State::Same)).ok_or_else(|| Error::new(format!("{} was to be kept and is not known", o.path)));
    }
    let state = match fs::read(dir.join(&o.path)) {
        Ok(there) if there == o.bytes => State::Same,
        Ok(_) if !old.contains_key(&o.path) => State::Foreign,
        _ => State::Other,
    };
    Ok((hash(&o.bytes), state))
}

/// The manifest of a folder; an empty one where there is none.
pub(super) fn read_manifest(dir: &Path) -> Result<Manifest> {
    let path = dir.join(MANIFEST);
    let text = match fs::read_to_string(&path) {
        Ok(t) => t,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Manifest::default()),
        Err(e) => return Err(Error::because(format!("{} cannot be read", path.display()), e)),
    };
    let mut read: Manifest = serde_json::from_str(&text)
        .map_err(|e| Error::because(format!("{} is not a manifest", path.display()), e).hint("delete the folder and build anew"))?;
    read.files.retain(|p, _| safe(p));
    read.inputs.retain(|p, _| safe(p));
    Ok(read)
}

fn write_manifest(dir: &Path, files: BTreeMap<String, Vec<String>>, inputs: BTreeMap<String, String>) -> Result<()> {
    let manifest = Manifest { schema: "twiceshy-site/1".into(), files, inputs };
    let mut bytes = serde_json::to_vec(&manifest).map_err(|e| Error::because("the manifest cannot be written", e))?;
    bytes.push(b'\n');
    let path = dir.join(MANIFEST);
    if fs::read(&path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    replace(&path, &bytes)
}

/// Replaces a file whole: written beside it, then renamed.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let fail = |e: std::io::Error| Error::because(format!("{} cannot be written", path.display()), e);
    let folder = path.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    fs::create_dir_all(&folder).map_err(fail)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(BEGUN);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // a site is there to be read; the umask still has its say
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut temp = builder.tempfile_in(&folder).map_err(fail)?;
    temp.write_all(bytes).map_err(fail)?;
    temp.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

/// Whether a file is as a build made it.
fn ours(place: &Path, hashes: &[String]) -> bool {
    fs::symlink_metadata(place).is_ok_and(|m| m.is_file()) && fs::read(place).is_ok_and(|b| hashes.contains(&hash(&b)))
}

/// Deletes a file that a build made and nobody has changed since, and the folders that are empty then.
fn delete(dir: &Path, path: &str, hashes: &[String]) -> bool {
    let place = dir.join(path);
    if !ours(&place, hashes) || fs::remove_file(&place).is_err() {
        return false;
    }
    let mut folder = place.parent();
    let mut seen = BTreeSet::new();
    while let Some(f) = folder.filter(|f| *f != dir && f.starts_with(dir) && seen.insert(f.to_path_buf())) {
        if fs::remove_dir(f).is_err() {
            break;
        }
        folder = f.parent();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Output {
        Output::new(path, text.as_bytes().to_vec())
    }

    #[test]
    fn only_its_own_files_are_touched() {
        let dir = tempfile::tempdir().unwrap();
        let d = dir.path();
        let first = [file("index.html", "1"), file("a/b/index.html", "x"), file("a/c.html", "y"), file("assets/s.css", "z")];
        assert_eq!(write(&first, d).unwrap(), Written { written: 4, unchanged: 0, deleted: 0 });
        fs::write(d.join("CNAME"), "mine").unwrap();
        fs::write(d.join("a/c.html"), "changed by hand").unwrap();
        let second = [file("index.html", "2"), file("assets/s.css", "z")];
        assert_eq!(write(&second, d).unwrap(), Written { written: 1, unchanged: 1, deleted: 1 });
        assert!(!d.join("a/b").exists() && d.join("a/c.html").exists() && d.join("CNAME").exists());
        let again = write(&second, d).unwrap();
        assert_eq!(again, Written { written: 0, unchanged: 2, deleted: 0 });
    }

    #[test]
    fn a_foreign_file_in_the_way_stops_the_build() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("index.html"), "mine").unwrap();
        let e = write(&[file("index.html", "new")], dir.path()).unwrap_err();
        assert!(e.to_string().contains("index.html"), "{e}");
        assert_eq!(fs::read_to_string(dir.path().join("index.html")).unwrap(), "mine");
        assert!(write(&[file("../x", "")], dir.path()).is_err());
    }

    #[test]
    fn a_forged_manifest_deletes_nothing_outside() {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("site");
        fs::create_dir(&site).unwrap();
        fs::write(dir.path().join("precious"), "p").unwrap();
        let forged = format!(r#"{{"schema":"twiceshy-site/1","files":{{"../precious":["{}"]}}}}"#, hash(b"p"));
        fs::write(site.join(MANIFEST), forged).unwrap();
        write(&[file("index.html", "1")], &site).unwrap();
        assert!(dir.path().join("precious").exists());
    }

    #[cfg(unix)]
    #[test]
    fn pages_can_be_read_by_others() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        write(&[file("index.html", "1")], dir.path()).unwrap();
        let plain = dir.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |p: &Path| fs::metadata(p).unwrap().permissions().mode();
        assert_eq!(mode(&dir.path().join("index.html")), mode(&plain));
    }
}
