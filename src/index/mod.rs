//! The index of a corpus: what makes a search a matter of milliseconds, brought up to date file by file.
//!
//! tantivy keeps the postings on disk (or in memory) and makes each change atomic. It does not rank: its statistics count deleted documents, so that
//! its order would depend on the history of edits. A search takes exact counts of the live documents from the postings and
//! hands them to the one scoring function of [`crate::terms::score`]; editing one by one therefore gives the order of a fresh index.
//!
//! Layout of the folder: one subfolder per version of the form and of the knowledge (lexicons and patterns), so that programs of two versions do
//! not disturb each other; in it tantivy's files, `concepts.bin` (term → concept), `patterns.bin`, `files-*` (what is indexed), and `seal`, which names every file with its
//! checksum: an index that does not fit its seal is made anew and never answers.

mod allowed;
mod counts;
mod directory;
mod evidence;
mod explain;
mod hits;
mod known;
mod patterns;
mod plan;
mod record;
mod schema;
mod search;
mod similar;
mod store;
mod write;

use crate::book::Case;
use crate::error::Result;
use crate::lang::Languages;
use crate::pattern::Catalogue;
use counts::Counts;
use std::path::{Path, PathBuf};

pub use hits::{About, Fix, Hit, Hits, Piece, Stopped, Suggested, Understood, Unmatched, Why};
pub use known::Known;
pub use search::Counted;
pub use write::{Change, Updated};

/// What documents are read with; needed where something is to be written.
#[derive(Clone, Copy)]
pub struct Knowledge<'a> {
    /// The lexicons.
    pub languages: &'a Languages,
    /// The patterns.
    pub catalogue: &'a Catalogue,
    /// Hash of both.
    pub hash: &'a str,
}

/// How to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// At most so many hits.
    pub limit: usize,
    /// Language of pattern titles; English where absent.
    pub language: Option<String>,
    /// How many documents were read anew for this search; told in the answer.
    pub refreshed: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { limit: 10, language: None, refreshed: 0 }
    }
}

/// The index of a corpus.
pub struct Index {
    /// The folder of this version; none in memory.
    folder: Option<PathBuf>,
    hash: String,
    read_only: bool,
    open: Option<store::Open>,
    /// Of an index that is not open.
    nothing: Known,
}

impl Index {
    /// Opens the index of some knowledge (its hash) in a folder. What is missing, damaged or of another version begins empty, so that all documents
    /// are read anew. Without a folder, or where it cannot be written, the index lives in memory.
    pub fn open(dir: Option<&Path>, knowledge_hash: &str) -> Result<Index> {
        let folder = dir.and_then(|d| store::writable(d, knowledge_hash));
        let open = folder.as_deref().and_then(|f| store::open(f, true).ok());
        let open = open.filter(|o| o.state.knowledge == knowledge_hash);
        Ok(Index { folder, hash: knowledge_hash.to_string(), read_only: false, open, nothing: Known::default() })
    }

    /// Opens a prepared index, whatever knowledge it was made with.
    pub fn open_read_only(dir: &Path) -> Result<Index> {
        let folder = store::prepared(dir)?;
        let open = store::open(&folder, false)?;
        let hash = open.state.knowledge.clone();
        Ok(Index { folder: Some(folder), hash, read_only: true, open: Some(open), nothing: Known::default() })
    }

    /// True where the index is kept in memory and lost at the end.
    pub fn in_memory(&self) -> bool {
        self.folder.is_none()
    }

    /// How many incidents it holds.
    pub fn documents(&self) -> usize {
        self.open.as_ref().map_or(0, |o| o.searcher.num_docs() as usize)
    }

    /// All incidents as they were read, by id.
    pub fn cases(&self) -> Result<Vec<Case>> {
        match &self.open {
            Some(open) => Counts::new(open)?.cases(),
            None => Ok(Vec::new()),
        }
    }

    /// What is indexed: each path with the fingerprint it had.
    pub fn known(&self) -> &Known {
        let Some(open) = &self.open else { return &self.nothing };
        open.known.get_or_init(|| self.folder.as_deref().map(|f| store::known(f, &open.state)).unwrap_or_default())
    }

    /// True where nothing has been indexed yet.
    pub fn is_new(&self) -> bool {
        self.open.as_ref().is_none_or(|o| o.state.files == 0)
    }
}
