//! Postmortems as knowledge: everything that the commands do, from Rust.
//!
//! A document's facts (`twiceshy extract`):
//!
//! ```
//! use twiceshy::pipeline::{Knowledge, read};
//! use twiceshy::text::Source;
//!
//! let knowledge = Knowledge::builtin();
//! let text = "# Checkout down\n\n## Root cause\n\nThe TLS certificate expired and nobody had renewed it.\n";
//! let case = read(&Source::new("checkout.md", text.as_bytes().to_vec()), &knowledge);
//! let cause = &case.incident.causes[0];
//! assert_eq!(cause.kind, "root");
//! // every value has the bytes it stands on
//! let [from, to] = cause.spans[0];
//! assert_eq!(&text[from..to], cause.text);
//! assert_eq!(case.incident.patterns[0].id, "certificate-expiry");
//! ```
//!
//! A corpus, searched (`twiceshy search`); without a cache folder the index lives in memory, and without `refresh` an index that is there is used as it is:
//!
//! ```
//! use twiceshy::index;
//! use twiceshy::workspace::{Options, Workspace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("disk.md"), "# Disk full\n\n## Root cause\n\nThe disk of db-3 was full of logs.\n\n## Timeline\n\n- 2024-05-06 10:00 UTC writes fail\n")?;
//! let options = Options { cache: None, index: None, refresh: true };
//! let workspace = Workspace::open(folder.path(), &options, &|_done, _total, _path| {})?;
//! let found = workspace.index().search("volle Platte", &index::Options::default())?;
//! assert_eq!(found.hits[0].id, "disk");
//! assert_eq!(found.hits[0].cause.as_ref().unwrap().text, "The disk of db-3 was full of logs.");
//! # Ok(())
//! # }
//! ```
//!
//! Incidents like an alert, and how incidents relate (`similar`, `show`):
//!
//! ```
//! use twiceshy::book::relations::similar_to;
//! use twiceshy::{index, pipeline, terms, text};
//! # use twiceshy::workspace::{Options, Workspace};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("disk.md"), "# Disk full\n\n## Root cause\n\nThe disk of db-3 was full of logs.\n\n## Timeline\n\n- 2024-05-06 10:00 UTC writes fail\n")?;
//! # let workspace = Workspace::open(folder.path(), &Options { cache: None, index: None, refresh: true }, &|_, _, _| {})?;
//! let knowledge = workspace.knowledge()?;
//! let payload = terms::payload::read("db-7: write failed: No space left on device");
//! let case = pipeline::read(&text::Source::new("alert", payload.text.clone().into_bytes()), knowledge);
//! let like = workspace.index().similar(&payload, &case, &knowledge.languages, &index::Options::default())?;
//! assert_eq!(like.hits[0].id, "disk");
//! assert!(similar_to(&workspace.related_book()?, "disk").is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! The site (`twiceshy build`), as files in memory; [`site::write()`] puts them into a folder:
//!
//! ```
//! use twiceshy::site::{self, Input, Settings};
//! # use twiceshy::workspace::{Options, Workspace};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("disk.md"), "# Disk full\n\n## Root cause\n\nThe disk of db-3 was full of logs.\n\n## Timeline\n\n- 2024-05-06 10:00 UTC writes fail\n")?;
//! # let workspace = Workspace::open(folder.path(), &Options { cache: None, index: None, refresh: true }, &|_, _, _| {})?;
//! let (book, knowledge) = (workspace.related_book()?, workspace.knowledge()?);
//! let settings = Settings { title: "Our incidents".into(), ..Settings::default() };
//! let input = Input {
//!     book: &book,
//!     catalogue: &knowledge.catalogue,
//!     languages: &knowledge.languages,
//!     settings: &settings,
//!     runbooks: &[],
//!     knowledge: &knowledge.hash,
//!     overrides: &[],
//! };
//! let files = site::render(&input)?;
//! assert!(files.iter().any(|f| f.path == "incidents/disk/index.html"));
//! # Ok(())
//! # }
//! ```
//!
//! Facts come from [`pipeline`], and what they look like is told in [`book::view`]; patterns are in [`pattern`], runbooks and their links in [`runbook`].

pub mod book;
pub mod cli;
pub mod corpus;
pub mod data;
pub mod diag;
pub mod document;
pub mod error;
pub mod facts;
pub mod index;
pub mod lang;
pub mod pattern;
pub mod pipeline;
pub mod report;
pub mod runbook;
pub mod site;
pub mod terms;
pub mod text;
pub mod workspace;
