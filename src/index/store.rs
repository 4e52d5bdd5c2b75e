//! The folder of an index: opening it, telling damage, sealing it, one writer at a time.

use super::counts::Basis;
use super::directory::Folder;
use super::known::Known;
use super::patterns::Patterns;
use super::schema::{FORM, Fields};
use crate::error::{Error, Result};
use crate::terms::{Checksum, ConceptTable, checksum};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant, UNIX_EPOCH};
use tantivy::directory::MmapDirectory;
use tantivy::{Directory, ReloadPolicy, Searcher};

const TABLE: &str = "concepts.bin";
const PATTERNS: &str = "patterns.bin";
const META: &str = "meta.json";
const SEAL: &str = "seal";
/// What the names of lists of files begin with.
const LIST: &str = "files-";
const LOCK: &str = "lock";
/// How long a writer waits for another that gives no sign of life.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a commit says about itself; it is written in the same step as the commit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    pub form: u32,
    pub knowledge: String,
    /// How many files were read for it.
    pub files: usize,
    /// The file that names them (see [`Known`]), by its content; a search that looks for no changes does not read it.
    pub list: String,
}

/// An index, open.
pub(super) struct Open {
    pub index: tantivy::Index,
    pub fields: Fields,
    pub searcher: Searcher,
    pub table: ConceptTable,
    pub patterns: Patterns,
    pub state: State,
    /// What is indexed, once it is asked for.
    pub known: OnceLock<Known>,
    /// What does not change from one search to the next.
    pub basis: OnceLock<Basis>,
}

/// A file that becomes one of the index, readable for all whom the umask lets: a prepared index may be another user's.
pub(super) fn beside(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Keeps what is indexed beside an index, and tells the name it is kept by.
pub(super) fn keep(folder: &Path, text: &str) -> Result<String> {
    let name = format!("{LIST}{:016x}", checksum(text.as_bytes()));
    let mut file = beside(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(folder.join(&name)).map_err(|e| e.error)?;
    Ok(name)
}

/// What is indexed, as a commit has named it. Empty where it is gone, so that all is read anew.
pub(super) fn known(folder: &Path, state: &State) -> Known {
    let text = if state.list.is_empty() { None } else { fs::read_to_string(folder.join(&state.list)).ok() };
    let text = text.filter(|t| state.list == format!("{LIST}{:016x}", checksum(t.as_bytes())));
    Known::read(text.unwrap_or_default())
}

/// The subfolder for some knowledge, where it can be written.
pub(super) fn writable(dir: &Path, hash: &str) -> Option<PathBuf> {
    let folder = dir.join(format!("{FORM}-{hash}"));
    fs::create_dir_all(&folder).ok()?;
    OpenOptions::new().create(true).append(true).open(folder.join(LOCK)).ok()?;
    Some(folder)
}

/// The folder of a prepared index: the one named, or its newest subfolder of this form.
pub(super) fn prepared(dir: &Path) -> Result<PathBuf> {
    if dir.join(META).is_file() {
        return Ok(dir.to_path_buf());
    }
    let mut found: Vec<_> = siblings(dir).into_iter().filter(|(_, p)| p.join(META).is_file()).collect();
    found.retain(|(_, p)| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with(&format!("{FORM}-"))));
    match found.into_iter().next() {
        Some((_, folder)) => Ok(folder),
        None => Err(Error::new(format!("{}: no index of this version", dir.display()))
            .hint("`twiceshy search --index DIR` takes the folder of an index that was made by this version")),
    }
}

/// Subfolders that look like indexes, the newest first.
fn siblings(dir: &Path) -> Vec<(std::time::SystemTime, PathBuf)> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut out: Vec<_> = entries
        .flatten()
        .filter(|e| e.file_name().to_string_lossy().split_once('-').is_some_and(|(n, _)| n.parse::<u32>().is_ok()))
        .map(|e| (e.path().join(META).metadata().and_then(|m| m.modified()).unwrap_or(UNIX_EPOCH), e.path()))
        .filter(|(_, p)| p.is_dir())
        .collect();
    out.sort_by(|a, b| b.cmp(a));
    out
}

/// Removes the subfolders of other versions, but for the newest of them: two programs may take turns.
pub(super) fn tidy(folder: &Path) {
    let Some(dir) = folder.parent() else { return };
    let others = siblings(dir).into_iter().filter(|(_, p)| p != folder);
    for (_, old) in others.skip(1) {
        let _ = fs::remove_dir_all(old);
    }
}

/// Opens an index on disk; an error where there is none, or where it does not fit its seal. A reader that meets a writer in the middle of sealing
/// waits for it (`wait`; the folder must be writable for that).
pub(super) fn open(folder: &Path, wait: bool) -> Result<Open> {
    if !folder.join(META).is_file() {
        return Err(Error::new(format!("{}: no index", folder.display())));
    }
    match sealed(folder).and_then(|()| read(folder)) {
        Err(_) if wait => {
            let _held = Held::take(folder)?;
            sealed(folder)?;
            read(folder)
        }
        result => result,
    }
}

fn read(folder: &Path) -> Result<Open> {
    let damaged = |what: &str| Error::new(format!("{}: the index is damaged: {what}", folder.display()));
    let directory = MmapDirectory::open(folder).map_err(|e| Error::because("the index cannot be opened", e))?;
    let table = table(&directory).ok_or_else(|| damaged(TABLE))?;
    let patterns = Patterns::read(fs::read(folder.join(PATTERNS))?).ok_or_else(|| damaged(PATTERNS))?;
    let index = tantivy::Index::open(Folder { inner: directory, path: folder.to_path_buf() })
        .map_err(|e| Error::because("the index cannot be opened", e))?;
    let payload = index.load_metas().map_err(|e| Error::because("the index cannot be opened", e))?.payload.unwrap_or_default();
    let state: State = serde_json::from_str(&payload).map_err(|_| damaged("no state"))?;
    if state.form != FORM {
        return Err(damaged("another form"));
    }
    ready(index, table, patterns, state, OnceLock::new())
}

/// The table of concepts of a folder, where it lies: the seal vouches for its content.
pub(super) fn table(directory: &MmapDirectory) -> Option<ConceptTable> {
    let bytes = directory.open_read(Path::new(TABLE)).ok()?.read_bytes().ok()?;
    ConceptTable::sealed(Box::new(bytes)).ok()
}

/// An index with its reader. `known` is what is indexed, where that is at hand.
pub(super) fn ready(index: tantivy::Index, table: ConceptTable, patterns: Patterns, state: State, known: OnceLock<Known>) -> Result<Open> {
    let fields = Fields::of(&index.schema()).ok_or_else(|| Error::new("the index is damaged: its fields"))?;
    let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).doc_store_cache_num_blocks(4).try_into();
    let reader: tantivy::IndexReader = reader.map_err(|e| Error::because("the index cannot be read", e))?;
    let searcher = reader.searcher();
    Ok(Open { index, fields, searcher, table, patterns, state, known, basis: OnceLock::new() })
}

/// Empties a folder and writes what stands beside the index.
pub(super) fn begin(folder: &Path, table: &ConceptTable, patterns: &Patterns) -> Result<()> {
    // the seal first: what is half removed must not look whole
    let _ = fs::remove_file(folder.join(SEAL));
    let _ = fs::remove_file(folder.join(META));
    for entry in fs::read_dir(folder)?.flatten().filter(|e| e.file_name() != LOCK) {
        let _ = fs::remove_file(entry.path());
    }
    fs::write(folder.join(TABLE), table.bytes())?;
    fs::write(folder.join(PATTERNS), patterns.bytes())?;
    Ok(())
}

/// A file as the seal knows it.
#[derive(Clone, Debug, PartialEq)]
struct Sealed {
    hash: u64,
    len: u64,
    modified: u128,
}

fn stat(path: &Path) -> io::Result<(u64, u128)> {
    let m = fs::metadata(path)?;
    let modified = m.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok()).map_or(0, |d| d.as_nanos());
    Ok((m.len(), modified))
}

/// The checksum of a file, which may be much larger than what should stand in memory.
fn checksum_of(path: &Path) -> io::Result<u64> {
    let mut file = fs::File::open(path)?;
    let (mut sum, mut piece) = (Checksum::default(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(sum.finish()),
            n => sum.add(&piece[..n]),
        }
    }
}

fn parse(folder: &Path) -> Option<BTreeMap<String, Sealed>> {
    let text = fs::read_to_string(folder.join(SEAL)).ok()?;
    let (first, rest) = text.split_once('\n')?;
    if first != format!("{:016x}", checksum(rest.as_bytes())) {
        return None;
    }
    let line = |l: &str| {
        let mut parts = l.splitn(4, ' ');
        let hash = u64::from_str_radix(parts.next()?, 16).ok()?;
        let (len, modified) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some((parts.next()?.to_string(), Sealed { hash, len, modified }))
    };
    rest.lines().map(line).collect()
}

/// An error where the folder is not what its seal says. A file of the same size and time is believed; another is read.
fn sealed(folder: &Path) -> Result<()> {
    let bad = |name: &str| Error::new(format!("{}: the index is damaged: {name}", folder.display()));
    let denied = |e: &io::Error| e.kind() == io::ErrorKind::PermissionDenied;
    if let Some(e) = [SEAL, META].iter().find_map(|n| fs::File::open(folder.join(n)).err().filter(denied)) {
        return Err(Error::because(format!("{}: the index may not be read", folder.display()), e));
    }
    let seal = parse(folder).ok_or_else(|| bad(SEAL))?;
    if ![META, TABLE, PATTERNS].iter().all(|n| seal.contains_key(*n)) || !seal.keys().any(|n| n.starts_with(LIST)) {
        return Err(bad(SEAL));
    }
    for (name, was) in &seal {
        let path = folder.join(name);
        let (len, modified) = stat(&path).map_err(|_| bad(name))?;
        if len != was.len || (modified != was.modified && checksum_of(&path)? != was.hash) {
            return Err(bad(name));
        }
    }
    Ok(())
}

/// Seals a folder after a commit. To be called by the one who holds the lock.
pub(super) fn seal(folder: &Path, index: &tantivy::Index, state: &State) -> Result<()> {
    let metas = index.load_metas().map_err(|e| Error::because("the index cannot be read", e))?;
    let mut names: Vec<String> = [META, TABLE, PATTERNS, &state.list].map(str::to_string).to_vec();
    let present: Vec<String> = fs::read_dir(folder)?.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    for segment in &metas.segments {
        let id = segment.id().uuid_string();
        let deletes = segment.delete_opstamp().map(|o| format!("{id}.{o}.del"));
        let belongs = |n: &&String| n.starts_with(&id) && (!n.ends_with(".del") || Some(*n) == deletes.as_ref());
        names.extend(present.iter().filter(belongs).cloned());
    }
    names.sort();
    let before = parse(folder).unwrap_or_default();
    let mut lines = String::new();
    for name in names {
        let path = folder.join(&name);
        let Ok((len, modified)) = stat(&path) else { continue };
        let hash = match before.get(&name).filter(|s| s.len == len && s.modified == modified) {
            Some(known) => known.hash,
            None => checksum_of(&path)?,
        };
        lines.push_str(&format!("{hash:016x} {len} {modified} {name}\n"));
    }
    let mut file = beside(folder)?;
    write!(file, "{:016x}\n{lines}", checksum(lines.as_bytes()))?;
    file.persist(folder.join(SEAL)).map_err(|e| e.error)?;
    // a reader of the state before may still want its list
    for old in present.iter().filter(|n| n.starts_with(LIST) && **n != state.list && !before.contains_key(*n)) {
        let _ = fs::remove_file(folder.join(old));
    }
    Ok(())
}

/// The right to write, held until dropped; a killed process loses it.
pub(super) struct Held(fs::File);

impl Held {
    /// Waits for the right to write.
    pub fn take(folder: &Path) -> Result<Held> {
        let path = folder.join(LOCK);
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let (mut start, mut seen) = (Instant::now(), stat(&path).ok());
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Held(file)),
                Err(fs::TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(10));
                    let now = stat(&path).ok();
                    if now != seen {
                        (start, seen) = (Instant::now(), now);
                    }
                }
                Err(fs::TryLockError::WouldBlock) => {
                    return Err(Error::new(format!(
                        "{}: another process has held the index for {} s and does nothing",
                        folder.display(),
                        PATIENCE.as_secs()
                    )));
                }
                // file systems without locks: tantivy's own lock must do
                Err(fs::TryLockError::Error(_)) => return Ok(Held(file)),
            }
        }
    }

    /// Tells those who wait that the work goes on: a first index of many documents takes longer than anybody waits for nothing.
    pub fn alive(&self) {
        let _ = self.0.set_modified(std::time::SystemTime::now());
    }
}
