//! A walk that is remembered: which files a folder holds is told by its time, so that a corpus in which nothing was added or removed is looked through
//! file by file without listing its folders, and without asking for each name whether it is ignored.
//!
//! What is remembered holds while every folder and every file that decides what is ignored has the record it had; what was written so shortly
//! before the walk that a later write may carry the same time is not remembered, nor is a corpus with links or with anything that could not be read.

use super::cache::nanoseconds_now;
use crate::corpus::{Entry, Files, Fingerprint, REASONS, SITE, Seen, Settings, Skip, walk, walk_seen};
use crate::error::Result;
use std::path::{Path, PathBuf};

/// Number of the form of what is remembered.
const FORM: u64 = 1;
/// Files that say what is ignored.
const IGNORE: [&str; 2] = [".gitignore", ".ignore"];
/// So many files at least for each thread.
const EACH: usize = 1000;
/// Time stamps that are no older than this before a walk may be given again.
const TICK: i128 = 2_000_000_000;

/// Walks a corpus; `memory` is the file in which the last walk is remembered. A fault of that file costs a walk, nothing else.
pub(super) fn walk_remembered(corpus: &Path, settings: &Settings, memory: &Path) -> Result<Files> {
    // elsewhere the time of a folder does not tell
    if !cfg!(unix) {
        return walk(corpus, settings);
    }
    let key = key(corpus, settings);
    if let Some(files) = std::fs::read(memory).ok().and_then(|data| recall(corpus, &key, &data)) {
        return Ok(files);
    }
    let start = nanoseconds_now();
    // of the folders above and the user's own, first: what changes while the walk goes on is seen the next time
    let above = above(corpus);
    let (files, seen) = walk_seen(corpus, settings)?;
    match above.and_then(|above| written(&key, &files, &seen, above, start)) {
        Some(data) => {
            let kept = memory.parent().and_then(|dir| tempfile::NamedTempFile::new_in(dir).ok());
            if let Some(mut file) = kept
                && std::io::Write::write_all(&mut file, &data).is_ok()
            {
                let _ = file.persist(memory);
            }
        }
        None => drop(std::fs::remove_file(memory)),
    }
    Ok(files)
}

/// What else decides which files are found, and as what.
fn key(corpus: &Path, settings: &Settings) -> String {
    let global = ignore::gitignore::gitconfig_excludes_path().unwrap_or_default();
    format!("{:?} {:?} {:?} {:?} {:?}", corpus, settings.include, settings.exclude, settings.runbooks, global)
}

/// The record of a file or folder that decides something; none where it is not there.
fn record(path: &Path) -> Option<Fingerprint> {
    std::fs::symlink_metadata(path).ok().map(|m| Fingerprint::of(&m))
}

type Guards = Vec<(PathBuf, Option<Fingerprint>)>;

/// What says in the folders above and in the user's settings what is ignored. Nothing where it cannot be told: the folder of a repository that keeps its
/// settings elsewhere.
fn above(corpus: &Path) -> Option<Guards> {
    let full = std::fs::canonicalize(corpus).ok()?;
    let mut paths: Vec<PathBuf> = ignore::gitignore::gitconfig_excludes_path().into_iter().collect();
    for dir in full.ancestors() {
        paths.extend(IGNORE.iter().map(|n| dir.join(n)));
        paths.push(exclude(dir)?);
    }
    Some(guarded(paths))
}

fn exclude(dir: &Path) -> Option<PathBuf> {
    let git = dir.join(".git");
    (!git.is_file()).then(|| git.join("info/exclude"))
}

fn guarded(paths: Vec<PathBuf>) -> Guards {
    paths.into_iter().map(|p| (p.clone(), record(&p))).collect()
}

fn put_number(out: &mut Vec<u8>, n: u64) {
    out.extend(n.to_le_bytes());
}

fn put_long(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend(text.as_bytes());
}

fn checksum(data: &[u8]) -> u64 {
    (data.len() as u64) << 32 | u64::from(crc32fast::hash(data))
}

/// Reads what was put, one after the other.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> Option<u64> {
        let (n, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*n))
    }

    fn text(&mut self) -> Option<&'a str> {
        let len = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    fn flag(&mut self) -> Option<u8> {
        let (flag, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*flag)
    }
}

fn put_record(out: &mut Vec<u8>, r: Option<Fingerprint>) {
    out.push(u8::from(r.is_some()));
    let r = r.unwrap_or_default();
    [r.size, r.modified as u64, r.changed as u64, r.inode].into_iter().for_each(|n| put_number(out, n));
}

fn read_record(r: &mut Reader) -> Option<Option<Fingerprint>> {
    let some = r.flag()? > 0;
    let (size, modified, changed, inode) = (r.number()?, r.number()?, r.number()?, r.number()?);
    Some(some.then_some(Fingerprint { size, modified: i128::from(modified as i64), changed: i128::from(changed as i64), inode }))
}

/// The lists of files that are remembered, in the order they are written in.
fn lists(files: &mut Files) -> [&mut Vec<Entry>; 6] {
    [&mut files.documents, &mut files.runbooks, &mut files.lexicons, &mut files.patterns, &mut files.templates, &mut files.sidecars]
}

/// What is remembered of a walk; nothing where it must not be.
fn written(key: &str, files: &Files, seen: &Seen, mut guards: Guards, start: i128) -> Option<Vec<u8>> {
    if seen.links || !files.unreadable.is_empty() {
        return None;
    }
    let mut paths: Vec<PathBuf> = seen.sites.iter().map(|dir| dir.join(SITE)).collect();
    for (dir, _) in &seen.folders {
        // what is not there is told by the folder's own record
        paths.extend(IGNORE.iter().map(|n| dir.join(n)).filter(|p| p.symlink_metadata().is_ok()));
        if dir.join(".git").exists() {
            paths.push(exclude(dir)?);
        }
    }
    guards.extend(guarded(paths));
    guards.extend(seen.folders.iter().map(|(dir, print)| (dir.clone(), Some(*print))));
    if guards.iter().filter_map(|(_, r)| *r).any(|r| r.modified.max(r.changed) > start - TICK) {
        return None;
    }
    let mut out = Vec::new();
    put_long(&mut out, key);
    put_number(&mut out, guards.len() as u64);
    for (path, r) in guards {
        put_long(&mut out, path.to_str()?);
        put_record(&mut out, r);
    }
    for list in [&files.documents, &files.runbooks, &files.lexicons, &files.patterns, &files.templates, &files.sidecars] {
        put_number(&mut out, list.len() as u64);
        for e in list {
            // what is not text cannot be found by its name again
            let told = corpus_path(e)?;
            put_long(&mut out, told);
            out.push(u8::from(e.included));
        }
    }
    put_number(&mut out, files.skipped.len() as u64);
    for s in &files.skipped {
        put_long(&mut out, &s.path);
        out.push(REASONS.iter().position(|r| *r == s.reason)? as u8);
    }
    let mut data = Vec::with_capacity(out.len() + 16);
    put_number(&mut data, FORM);
    put_number(&mut data, checksum(&out));
    data.extend(out);
    Some(data)
}

/// The path of an entry, where it leads to the file.
fn corpus_path(e: &Entry) -> Option<&str> {
    e.full.to_str().filter(|f| f.ends_with(&e.path)).map(|_| e.path.as_str())
}

/// The files that are remembered, each as it is now; nothing where what is remembered holds no more.
fn recall(corpus: &Path, key: &str, data: &[u8]) -> Option<Files> {
    let mut r = Reader(data);
    if r.number()? != FORM || r.number()? != checksum(r.0) || r.text()? != key {
        return None;
    }
    for _ in 0..r.number()? {
        let path = r.text()?;
        if read_record(&mut r)? != record(Path::new(path)) {
            return None;
        }
    }
    let mut files = Files::default();
    for list in lists(&mut files) {
        let mut named: Vec<(&str, bool)> = Vec::new();
        for _ in 0..r.number()? {
            named.push((r.text()?, r.flag()? > 0));
        }
        *list = looked(corpus, &named)?;
    }
    for _ in 0..r.number()? {
        files.skipped.push(Skip { path: r.text()?.to_string(), reason: REASONS.get(usize::from(r.flag()?))? });
    }
    Some(files)
}

/// Looks at each of some files of a folder, one folder after the other: a file is looked at from where it lies, so that the system need not find its
/// way from the root for each.
#[cfg(unix)]
fn looked_in_turn(corpus: &Path, named: &[(&str, bool)]) -> Option<Vec<Entry>> {
    use rustix::fs::{AtFlags, FileType, statat};
    let mut here: Option<(&str, std::fs::File)> = None;
    let mut out = Vec::with_capacity(named.len());
    for &(path, included) in named {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let open = match &here {
            Some((known, open)) if *known == folder => open,
            _ => &here.insert((folder, std::fs::File::open(corpus.join(folder)).ok()?)).1,
        };
        let stat = statat(open, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return None;
        }
        let nanoseconds = |seconds: i128, more: i128| seconds * 1_000_000_000 + more;
        let print = Fingerprint {
            size: stat.st_size as u64,
            modified: nanoseconds(stat.st_mtime.into(), stat.st_mtime_nsec.into()).max(0),
            changed: nanoseconds(stat.st_ctime.into(), stat.st_ctime_nsec.into()),
            inode: stat.st_ino,
        };
        out.push(Entry { path: path.to_string(), full: corpus.join(path), print, included });
    }
    Some(out)
}

/// Looks at each of some files.
#[cfg(not(unix))]
fn looked_in_turn(corpus: &Path, named: &[(&str, bool)]) -> Option<Vec<Entry>> {
    let one = |&(path, included): &(&str, bool)| {
        let full = corpus.join(path);
        let meta = std::fs::symlink_metadata(&full).ok().filter(std::fs::Metadata::is_file)?;
        Some(Entry { path: path.to_string(), full, print: Fingerprint::of(&meta), included })
    };
    named.iter().map(one).collect()
}

/// Looks at each of some files, many at a time; nothing where one is gone.
fn looked(corpus: &Path, named: &[(&str, bool)]) -> Option<Vec<Entry>> {
    // more threads than processors: where the records are not in memory, each waits for the disk
    let threads = std::thread::available_parallelism().map_or(1, |n| (n.get() * 2).min(8)).min(named.len() / EACH);
    if threads < 2 {
        return looked_in_turn(corpus, named);
    }
    let parts: Option<Vec<Vec<Entry>>> = std::thread::scope(|s| {
        let parts = named.chunks(named.len().div_ceil(threads));
        let started: Vec<_> = parts.map(|part| s.spawn(move || looked_in_turn(corpus, part))).collect();
        started.into_iter().map(|t| t.join().ok().flatten()).collect()
    });
    let mut out = Vec::with_capacity(named.len());
    parts?.into_iter().for_each(|p| out.extend(p));
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::time::{Duration, SystemTime};

    /// Makes files and folders look as if they had been there for long.
    fn age(dir: &Path) {
        let long_ago = SystemTime::now() - Duration::from_secs(1000);
        for e in fs::read_dir(dir).unwrap().flatten() {
            if e.path().is_dir() {
                age(&e.path());
            }
            fs::File::open(e.path()).unwrap().set_modified(long_ago).unwrap();
        }
        fs::File::open(dir).unwrap().set_modified(long_ago).unwrap();
    }

    fn same(a: &Files, b: &Files) -> bool {
        (&a.documents, &a.runbooks, &a.lexicons, &a.skipped) == (&b.documents, &b.runbooks, &b.lexicons, &b.skipped)
    }

    #[test]
    fn what_is_remembered_is_what_a_walk_finds() {
        let place = tempfile::tempdir().unwrap();
        let corpus = place.path().join("corpus");
        for p in ["a.md", "b/c.md", "b/README.md", "lang/en.yaml", "runbooks/r.md", "b/no.md"] {
            let full = corpus.join(p);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, "x").unwrap();
        }
        fs::write(corpus.join(".ignore"), "no.md\n").unwrap();
        let settings = Settings { runbooks: "runbooks".into(), ..Settings::default() };
        let key = key(&corpus, &settings);
        let remember = || {
            let (files, seen) = walk_seen(&corpus, &settings).unwrap();
            // the time of a record's change cannot be set back, so that the walk is put into the future
            let later = nanoseconds_now() + 2 * TICK;
            written(&key, &files, &seen, above(&corpus).unwrap(), later).unwrap()
        };
        let now = || walk_seen(&corpus, &settings).unwrap().0;
        let data = remember();
        let recalled = recall(&corpus, &key, &data).unwrap();
        assert!(same(&recalled, &now()), "{recalled:?}");
        assert_eq!(recalled.documents.len(), 2);

        // an edit is seen, and changes nothing about what there is
        fs::write(corpus.join("b/c.md"), "longer").unwrap();
        assert!(same(&recall(&corpus, &key, &data).unwrap(), &now()));
        // other settings, other files that are ignored, a file more, a file less, a damaged memory
        assert!(recall(&corpus, "other", &data).is_none());
        let tick = || std::thread::sleep(Duration::from_millis(20));
        tick();
        fs::write(corpus.join(".ignore"), "no.md\nc.md\n").unwrap();
        assert!(recall(&corpus, &key, &data).is_none());
        let data = remember();
        tick();
        fs::write(corpus.join("b/d.md"), "x").unwrap();
        assert!(recall(&corpus, &key, &data).is_none());
        let data = remember();
        tick();
        fs::remove_file(corpus.join("b/d.md")).unwrap();
        assert!(recall(&corpus, &key, &data).is_none());
        let mut data = remember();
        assert!(recall(&corpus, &key, &data).is_some());
        for cut in (0..data.len()).step_by(7) {
            assert!(recall(&corpus, &key, &data[..cut]).is_none());
        }
        let at = data.len() / 2;
        data[at] ^= 1;
        assert!(recall(&corpus, &key, &data).is_none());
    }

    #[test]
    fn what_was_written_just_now_is_not_remembered() {
        let place = tempfile::tempdir().unwrap();
        let (corpus, memory) = (place.path().join("corpus"), place.path().join("walk"));
        fs::create_dir(&corpus).unwrap();
        fs::write(corpus.join("a.md"), "x").unwrap();
        age(&corpus);
        let files = walk_remembered(&corpus, &Settings::default(), &memory).unwrap();
        assert_eq!(files.documents.len(), 1);
        assert!(!memory.exists(), "the folder's record was changed just now");
    }
}
