//! A corpus opened for use: what changed is read, the index is brought up to date, the book is at hand. Commands and library users start here.

mod cache;
mod entry;
mod refresh;
mod remembered;

use crate::book::Book;
use crate::corpus::{Entry, Files, Settings, Skip, walk, walk_additions};
use crate::error::{Error, Result};
use crate::index::{Index, Updated};
use crate::pipeline::additions::{Named, samples, sound};
use crate::pipeline::{Knowledge, knowledge_hash};
use crate::runbook::{Runbook, resolve};
use crate::text::Source;
use cache::{WALK, folder_name};
use entry::NO_TEXT;
use remembered::walk_remembered;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Told while documents are read: how many are done, how many there are, and the path of the last.
pub type Progress<'p> = dyn Fn(usize, usize, &str) + Sync + 'p;

/// How a workspace is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder of caches; below it each corpus has one of its own. `None`: everything in memory.
    pub cache: Option<PathBuf>,
    /// A prepared index, used as it is.
    pub index: Option<PathBuf>,
    /// Whether to look for changed files first. Where not, [`Workspace::files`] has the corpus's additions alone (unless nothing was indexed yet).
    pub refresh: bool,
}

/// Something that could not be read, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Path below the corpus.
    pub path: String,
    /// What happened.
    pub message: String,
}

/// A corpus opened for use.
pub struct Workspace {
    root: PathBuf,
    settings: Settings,
    files: Files,
    lexicons: Vec<(String, String)>,
    patterns: Vec<(String, String)>,
    doubts: Named,
    knowledge: OnceLock<Knowledge>,
    index: Index,
    updated: Updated,
    problems: Vec<Problem>,
    left_out: Vec<Skip>,
    folder: Option<PathBuf>,
    /// Why the index could not be written, where it could not.
    hindered: Option<String>,
}

impl Workspace {
    /// Opens a corpus folder. Unless told otherwise, changed files are read and the index is brought up to date.
    pub fn open(root: &Path, options: &Options, progress: &Progress) -> Result<Workspace> {
        let settings = Settings::read(root)?;
        let folder = options.cache.as_ref().map(|c| c.join(folder_name(root)));
        let all = || match &folder {
            Some(folder) => walk_remembered(root, &settings, &folder.join(WALK)),
            None => walk(root, &settings),
        };
        let mut files = match (options.refresh, &options.index) {
            (true, _) => all()?,
            (false, None) => walk_additions(root, &settings)?,
            (false, Some(_)) => Files::default(),
        };
        let mut problems: Vec<Problem> = files.unreadable.iter().map(|(p, m)| Problem { path: p.clone(), message: m.clone() }).collect();
        // a fault in an addition must not take the search away: it is told, and the rest is used
        let added = sound(additions(&files.lexicons)?, additions(&files.patterns)?);
        let (lexicons, patterns, doubts) = (added.lexicons, added.patterns, added.doubts);
        problems.extend(added.faults.into_iter().map(|(path, message)| Problem { path, message }));
        let hash = knowledge_hash(&lexicons, &patterns);
        let mut index = match &options.index {
            Some(dir) => Index::open_read_only(dir)?,
            None => Index::open(folder.as_deref(), &hash)?,
        };
        let refresh = options.index.is_none() && (options.refresh || index.is_new());
        if refresh && !options.refresh {
            files = all()?;
            problems.extend(files.unreadable.iter().map(|(p, m)| Problem { path: p.clone(), message: m.clone() }));
        }
        let mut w = Workspace {
            root: root.to_path_buf(),
            settings,
            files,
            lexicons,
            patterns,
            doubts,
            knowledge: OnceLock::new(),
            updated: Updated::default(),
            problems: Vec::new(),
            left_out: Vec::new(),
            hindered: None,
            index: Index::open(None, "")?,
            folder: folder.clone(),
        };
        std::mem::swap(&mut w.index, &mut index);
        if refresh {
            w.refresh(folder.as_deref(), &hash, &mut problems, progress)?;
        }
        w.problems = problems;
        w.left_out.extend(w.files.skipped.iter().cloned());
        w.left_out.sort();
        Ok(w)
    }

    /// The corpus folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the corpus's caches, where there is one.
    pub fn cache(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The settings of the corpus.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The files of the corpus.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Lexicons and patterns with the corpus's additions; parsed when first asked for.
    pub fn knowledge(&self) -> Result<&Knowledge> {
        if self.knowledge.get().is_none() {
            let made = Knowledge::with(&self.lexicons, &self.patterns)?;
            let _ = self.knowledge.set(made);
        }
        self.knowledge.get().ok_or_else(|| Error::new("the lexicons could not be read"))
    }

    /// What is doubtful in the corpus's lexicons and patterns, which are used nevertheless: messages that begin with the place. The sentences of its
    /// patterns are judged for it.
    pub fn doubts(&self) -> Result<Vec<String>> {
        let wrong = if self.patterns.is_empty() { Named::new() } else { samples(self.knowledge()?) };
        Ok(self.doubts.iter().chain(&wrong).map(|(_, message)| message.clone()).collect())
    }

    /// The index, for searching.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// What the refresh changed.
    pub fn updated(&self) -> &Updated {
        &self.updated
    }

    /// What could not be read.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Why the index could not be written and what the answer rests on instead, where that is so.
    pub fn hindered(&self) -> Option<&str> {
        self.hindered.as_deref()
    }

    /// Files that were left out, with the reason, by path.
    pub fn left_out(&self) -> &[Skip] {
        &self.left_out
    }

    /// The runbooks of the corpus, their links resolved, and those that cannot be read.
    pub fn runbooks(&self) -> Result<(Vec<Runbook>, Vec<Problem>)> {
        self.runbooks_of(&self.book()?)
    }

    /// The same, for whoever has [`Workspace::book`] at hand.
    pub fn runbooks_of(&self, book: &Book) -> Result<(Vec<Runbook>, Vec<Problem>)> {
        self.resolve(&self.files.runbooks, book)
    }

    /// The runbooks in some folders or files, their links resolved. Paths are told below the corpus where they lie there.
    pub fn runbooks_in(&self, places: &[PathBuf]) -> Result<(Vec<Runbook>, Vec<Problem>)> {
        let mut entries = Vec::new();
        for place in places {
            if place.is_dir() {
                let inside = walk(place, &Settings { runbooks: ".".into(), ..Settings::default() })?;
                entries.extend(inside.documents);
            } else {
                entries.push(crate::corpus::named(place)?);
            }
        }
        let root = std::fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        for e in &mut entries {
            let full = std::fs::canonicalize(&e.full).unwrap_or_else(|_| e.full.clone());
            if let Ok(below) = full.strip_prefix(&root) {
                e.path = below.to_string_lossy().replace('\\', "/");
            }
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        self.resolve(&entries, &self.book()?)
    }

    fn resolve(&self, entries: &[Entry], book: &Book) -> Result<(Vec<Runbook>, Vec<Problem>)> {
        let catalogue = &self.knowledge()?.catalogue;
        let one = |e: &Entry| {
            let problem = |message: String| Problem { path: e.path.clone(), message };
            let source = Source::new(e.path.clone(), std::fs::read(&e.full).map_err(|err| problem(err.to_string()))?);
            if source.is_binary() {
                return Err(problem(NO_TEXT.into()));
            }
            let document = crate::document::parse(&source);
            let title = document.front_matter.get("title").map(str::to_string).or_else(|| {
                document
                    .blocks
                    .iter()
                    .find(|b| matches!(b.kind, crate::document::Kind::Heading { .. }))
                    .map(|b| b.text.as_str().to_string())
            });
            let mut links = Vec::new();
            for block in &document.blocks {
                for (range, mark) in &block.marks {
                    if let crate::document::Mark::Link(address) = mark {
                        let (line, column) = source.position(block.text.span(range.clone()).start);
                        links.push((address.clone(), block.text.as_str()[range.clone()].to_string(), line, column));
                    }
                }
            }
            let mut made = resolve(&e.path, title.as_deref().unwrap_or(&e.path), &links, book, catalogue, &self.settings.base);
            made.audience = crate::pipeline::audience(&document.front_matter).unwrap_or_else(|| self.settings.audience.clone());
            Ok(made)
        };
        let (mut runbooks, mut problems) = (Vec::new(), Vec::new());
        for made in entries.iter().map(one) {
            match made {
                Ok(r) => runbooks.push(r),
                Err(p) => problems.push(p),
            }
        }
        Ok((runbooks, problems))
    }

    /// Templates of the corpus that replace built-in ones: name below `templates/`, and text.
    pub fn templates(&self) -> Result<Vec<(String, String)>> {
        let text = |(path, bytes): (String, Vec<u8>)| {
            let text = crate::pipeline::additions::text_of(&path, bytes)?;
            Ok((path.strip_prefix("templates/").unwrap_or(&path).to_string(), text))
        };
        additions(&self.files.templates)?.into_iter().map(text).collect()
    }

    /// All incidents.
    pub fn book(&self) -> Result<Book> {
        Ok(Book::new(self.index.cases()?))
    }

    /// All incidents, those that are one told of each other; for whoever shows that, since every text is looked at for it.
    pub fn related_book(&self) -> Result<Book> {
        Ok(Book::related(self.index.cases()?))
    }
}

fn additions(entries: &[Entry]) -> Result<Vec<(String, Vec<u8>)>> {
    let read = |e: &Entry| {
        let bytes = std::fs::read(&e.full).map_err(|err| Error::because(format!("cannot read {}", e.full.display()), err))?;
        Ok((e.path.clone(), bytes))
    };
    entries.iter().map(read).collect()
}
