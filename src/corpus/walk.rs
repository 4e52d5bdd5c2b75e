//! The files of a corpus: documents, runbooks, additions; and those that are left out, with the reason.

use super::kinds::{Sorting, TEXT, sort};
use super::settings::{FILE, Settings};
use crate::error::{Error, Result};
use ignore::overrides::OverrideBuilder;
use ignore::{WalkBuilder, WalkState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What identifies a file's content without reading it. Two equal fingerprints may still differ in content where a file was rewritten within the
/// clock's tick; [`Fingerprint::is_fresh`] tells when that may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint {
    /// Size in bytes.
    pub size: u64,
    /// Modification time, nanoseconds since 1970.
    pub modified: i128,
    /// Time of the last change of the file's record, nanoseconds since 1970 (0 where the system has none).
    pub changed: i128,
    /// The file's number on its volume (0 where the system has none).
    pub inode: u64,
}

impl Fingerprint {
    /// From a file's record.
    pub fn of(meta: &std::fs::Metadata) -> Fingerprint {
        let modified = meta.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok()).map_or(0, |d| d.as_nanos() as i128);
        #[cfg(unix)]
        let (changed, inode) = {
            use std::os::unix::fs::MetadataExt;
            (i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec()), meta.ino())
        };
        #[cfg(not(unix))]
        let (changed, inode) = (0, 0);
        Fingerprint { size: meta.len(), modified, changed, inode }
    }

    /// True where the file was written so shortly before `read_at` (nanoseconds since 1970) that a later write might carry the same stamps.
    pub fn is_fresh(&self, read_at: i128) -> bool {
        read_at - self.modified.max(self.changed) < 50_000_000
    }
}

/// One file of the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Path below the corpus, with `/`.
    pub path: String,
    /// Where it lies.
    pub full: PathBuf,
    /// What identifies its content.
    pub print: Fingerprint,
    /// True where an include glob of the settings named it: it is taken whatever it looks like.
    pub included: bool,
}

/// A file that is left out, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// Path below the corpus.
    pub path: String,
    /// Why, in a few words.
    pub reason: &'static str,
}

/// All files of a corpus, each list sorted by path.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Documents that may be postmortems.
    pub documents: Vec<Entry>,
    /// Runbooks.
    pub runbooks: Vec<Entry>,
    /// Lexicon additions.
    pub lexicons: Vec<Entry>,
    /// Pattern additions.
    pub patterns: Vec<Entry>,
    /// Templates that replace built-in ones.
    pub templates: Vec<Entry>,
    /// Corrections that stand beside documents (`NAME.twiceshy.yaml`).
    pub sidecars: Vec<Entry>,
    /// Files left out.
    pub skipped: Vec<Skip>,
    /// Paths that could not be read, with the system's message.
    pub unreadable: Vec<(String, String)>,
}

/// Walks a corpus. Ignore files (`.gitignore`, `.ignore`) hold; hidden files are left out. Nothing is read but folders and file records.
pub fn walk(corpus: &Path, settings: &Settings) -> Result<Files> {
    walk_seen(corpus, settings).map(|(files, _)| files)
}

/// [`walk`], with what it has come by.
pub(crate) fn walk_seen(corpus: &Path, settings: &Settings) -> Result<(Files, Seen)> {
    walk_in(corpus, settings, std::thread::available_parallelism().map_or(1, |n| n.get().min(8)), |_| true)
}

/// What a walk has come by.
#[derive(Default)]
pub(crate) struct Seen {
    /// Folders that were listed, with the record each had before.
    pub folders: Vec<(PathBuf, Fingerprint)>,
    /// Folders that are sites, which were not entered.
    pub sites: Vec<PathBuf>,
    /// True where there are links.
    pub links: bool,
}

/// The folders of a corpus that hold additions.
const ADDITIONS: [&str; 3] = ["lang", "patterns", "templates"];

/// Walks only the folders of a corpus that hold additions: lexicons, patterns, templates. What is known of documents is not looked at.
pub fn walk_additions(corpus: &Path, settings: &Settings) -> Result<Files> {
    if !ADDITIONS.iter().any(|n| corpus.join(n).is_dir()) {
        return Ok(Files::default());
    }
    // a few files: threads would wait for each other
    let (files, _) = walk_in(corpus, settings, 1, |e| e.depth() != 1 || ADDITIONS.iter().any(|n| e.file_name() == *n))?;
    Ok(files)
}

fn walk_in(
    corpus: &Path,
    settings: &Settings,
    threads: usize,
    enter: impl Fn(&ignore::DirEntry) -> bool + Send + Sync + 'static,
) -> Result<(Files, Seen)> {
    let globs = |patterns: &[String]| -> Result<Option<ignore::overrides::Override>> {
        if patterns.is_empty() {
            return Ok(None);
        }
        let mut b = OverrideBuilder::new(corpus);
        for p in patterns {
            b.add(p).map_err(|e| Error::because(format!("{}: `{p}` is no glob", corpus.join(FILE).display()), e))?;
        }
        Ok(Some(b.build().map_err(|e| Error::because("the globs of the settings cannot be used", e))?))
    };
    let (include, exclude) = (globs(&settings.include)?, globs(&settings.exclude)?);
    let sites: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
    let passed_by = Arc::clone(&sites);
    let no_site = move |e: &ignore::DirEntry| {
        let site = e.depth() > 0 && is_site(e);
        if site {
            passed_by.lock().unwrap_or_else(PoisonError::into_inner).push(e.path().to_path_buf());
        }
        !site
    };
    let walker = WalkBuilder::new(corpus)
        .follow_links(false)
        .require_git(false)
        .threads(threads)
        .filter_entry(move |e| enter(e) && no_site(e))
        .build_parallel();
    let runbooks = format!("{}/", settings.runbooks.trim_end_matches('/'));
    let sorting = Sorting { runbooks: &runbooks, only_included: include.is_some() };
    let all: Mutex<Vec<(Files, Seen)>> = Mutex::default();
    walker.run(|| {
        let mut found = Found { files: Files::default(), seen: Seen::default(), all: &all };
        let (include, exclude, sorting) = (&include, &exclude, &sorting);
        Box::new(move |item| {
            let (files, seen) = (&mut found.files, &mut found.seen);
            let item = match item {
                Ok(item) => item,
                Err(e) => {
                    files.unreadable.push((corpus.display().to_string(), e.to_string()));
                    return WalkState::Continue;
                }
            };
            if item.path_is_symlink() && item.depth() > 0 {
                seen.links = true;
                link(corpus, item.path(), files);
                return WalkState::Continue;
            }
            if !item.file_type().is_some_and(|t| t.is_file()) {
                // it is told before it is listed
                match std::fs::symlink_metadata(item.path()) {
                    Ok(meta) if meta.is_dir() => seen.folders.push((item.path().to_path_buf(), Fingerprint::of(&meta))),
                    // the corpus itself may be a link, and what else is no file may be anything
                    _ => seen.links = true,
                }
                return WalkState::Continue;
            }
            let print = item.metadata().map(|meta| Fingerprint::of(&meta));
            let full = item.into_path();
            let path = relative(corpus, &full);
            let print = match print {
                Ok(print) => print,
                Err(e) => {
                    files.unreadable.push((path, e.to_string()));
                    return WalkState::Continue;
                }
            };
            let hit = |globs: &Option<ignore::overrides::Override>| globs.as_ref().is_some_and(|g| g.matched(&full, false).is_whitelist());
            let (included, excluded) = (hit(include), hit(exclude));
            sort(Entry { included, path, full, print }, sorting, excluded, files);
            WalkState::Continue
        })
    });
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mut files, mut seen) = (Files::default(), Seen::default());
    for (more, saw) in all {
        files = files.and(more);
        seen.folders.extend(saw.folders);
        seen.links |= saw.links;
    }
    seen.sites = std::mem::take(&mut *sites.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((files.in_order(), seen))
}

/// What one thread of the walk has found; it is handed over when the thread ends.
struct Found<'a> {
    files: Files,
    seen: Seen,
    all: &'a Mutex<Vec<(Files, Seen)>>,
}

impl Drop for Found<'_> {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push((std::mem::take(&mut self.files), std::mem::take(&mut self.seen)));
    }
}

/// Name of the file by which a folder is known to be a site that this program built.
pub(crate) const SITE: &str = "twiceshy-site.json";

/// A site that was built inside of its corpus is no part of it.
fn is_site(entry: &ignore::DirEntry) -> bool {
    entry.file_type().is_some_and(|t| t.is_dir()) && entry.path().join(SITE).is_file()
}

/// Links are not followed: one that comes with a corpus must not publish what lies elsewhere.
fn link(corpus: &Path, full: &Path, files: &mut Files) {
    let path = relative(corpus, full);
    let is_text = full.extension().is_some_and(|e| TEXT.contains(&e.to_string_lossy().to_lowercase().as_str()));
    match std::fs::metadata(full) {
        Err(e) if is_text => files.unreadable.push((path, format!("a link that leads nowhere ({e})"))),
        Ok(m) if is_text || m.is_dir() => files.skipped.push(Skip { path, reason: "a symbolic link" }),
        _ => {}
    }
}

impl Files {
    /// Both together.
    fn and(mut self, other: Files) -> Files {
        for (list, more) in [
            (&mut self.documents, other.documents),
            (&mut self.runbooks, other.runbooks),
            (&mut self.lexicons, other.lexicons),
            (&mut self.patterns, other.patterns),
            (&mut self.templates, other.templates),
            (&mut self.sidecars, other.sidecars),
        ] {
            list.extend(more);
        }
        self.skipped.extend(other.skipped);
        self.unreadable.extend(other.unreadable);
        self
    }

    fn in_order(mut self) -> Files {
        for list in
            [&mut self.documents, &mut self.runbooks, &mut self.lexicons, &mut self.patterns, &mut self.templates, &mut self.sidecars]
        {
            list.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        }
        self.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.unreadable.sort();
        self
    }

    /// The corrections that stand beside a document: `NAME.twiceshy.yaml`, NAME with or without its extension.
    pub fn sidecar(&self, path: &str) -> Option<&Entry> {
        if self.sidecars.is_empty() {
            return None;
        }
        let name_at = path.rfind('/').map_or(0, |i| i + 1);
        let stem = path[name_at..].rfind('.').map_or(path, |i| &path[..name_at + i]);
        let beside = |name: &str| {
            let wanted = format!("{name}.twiceshy.yaml");
            self.sidecars.binary_search_by(|s| s.path.as_str().cmp(&wanted)).ok().map(|n| &self.sidecars[n])
        };
        beside(path).or_else(|| beside(stem))
    }
}

/// The audience that a document's corrections state. A faulty file is an error: what it meant to hide must not be shown.
pub fn sidecar_audience(sidecar: &Entry) -> Result<Option<String>> {
    #[derive(serde::Deserialize, Default)]
    #[serde(default)]
    struct Corrections {
        audience: Option<String>,
    }
    let text = std::fs::read_to_string(&sidecar.full).map_err(|e| Error::because(format!("cannot read {}", sidecar.full.display()), e))?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let read: Corrections = crate::data::yaml(&sidecar.path, &text)?;
    Ok(read.audience.map(|a| a.trim().to_lowercase()))
}

/// A file named on the command line, as an entry.
pub fn named(path: &Path) -> Result<Entry> {
    let meta = std::fs::metadata(path).map_err(|e| Error::because(format!("cannot read {}", path.display()), e))?;
    Ok(Entry { path: relative(Path::new(""), path), full: path.to_path_buf(), print: Fingerprint::of(&meta), included: true })
}

fn relative(corpus: &Path, full: &Path) -> String {
    // nearly always what was joined is taken off again
    let rest = corpus.to_str().zip(full.to_str()).and_then(|(c, f)| f.strip_prefix(c)?.strip_prefix('/'));
    if let Some(rest) = rest.filter(|r| cfg!(unix) && !r.is_empty() && !r.contains("//") && !r.contains("./") && !r.ends_with('/')) {
        return rest.to_string();
    }
    let below = full.strip_prefix(corpus).unwrap_or(full);
    below.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/").replace("//", "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_into_their_kinds() {
        let dir = tempfile::tempdir().unwrap();
        let put = |p: &str| {
            let full = dir.path().join(p);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, "x").unwrap();
        };
        for p in [
            "README.md",
            "incidents/a.md",
            "incidents/template.md",
            "incidents/drafts/b.md",
            "incidents/c.png",
            "runbooks/r.md",
            "lang/hu.yaml",
            "patterns/x.yaml",
            "templates/base.html",
            "incidents/ignored.md",
            ".ignore",
            "twiceshy.yaml",
            "deep/er/d.txt",
            ".hidden.md",
        ] {
            put(p);
        }
        std::fs::write(dir.path().join(".ignore"), "ignored.md\n").unwrap();
        let files = walk(dir.path(), &Settings { runbooks: "runbooks".into(), ..Settings::default() }).unwrap();
        let names = |v: &[Entry]| v.iter().map(|e| e.path.clone()).collect::<Vec<_>>();
        assert_eq!(names(&files.documents), ["deep/er/d.txt", "incidents/a.md"]);
        assert_eq!((names(&files.runbooks), names(&files.lexicons)), (vec!["runbooks/r.md".to_string()], vec!["lang/hu.yaml".to_string()]));
        assert_eq!((files.patterns.len(), files.templates.len()), (1, 1));
        let skipped: Vec<_> = files.skipped.iter().map(|s| s.reason).collect();
        assert_eq!(skipped, ["a README", "a draft", "a template"]);
        let only = Settings {
            include: vec!["incidents/*.md".into()],
            exclude: vec!["a.md".into()],
            runbooks: "runbooks".into(),
            ..Settings::default()
        };
        assert_eq!(names(&walk(dir.path(), &only).unwrap().documents), ["incidents/template.md"]);
    }
}
