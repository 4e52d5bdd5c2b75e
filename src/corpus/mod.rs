//! Which files are the corpus: where it lies, what its settings say, which files are documents, which are runbooks or additions, and what
//! identifies each file's present content.

mod kinds;
mod settings;
mod walk;

pub(crate) use kinds::REASONS;
pub use settings::{FILE as SETTINGS_FILE, Settings, UserConfig, locate};
pub use walk::{Entry, Files, Fingerprint, Skip, named, sidecar_audience, walk, walk_additions};
pub(crate) use walk::{SITE, Seen, walk_seen};
