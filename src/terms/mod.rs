//! What a text is searched by, and how well a text answers a query. Terminal and browser do the same, so everything here is chosen to be
//! written again in JavaScript with nothing but its standard library, and is held together by `tests/vectors/scoring.json`.
//!
//! * [`fold()`]: NFKC, lower case, marks dropped, a dozen letters unified (in JavaScript: `normalize`, `toLowerCase`, one replacement table).
//! * [`tokens()`]: words; pairs of neighbouring characters in scripts without spaces (and the last character alone, so that one character is
//!   found as the beginning of a pair); code-like tokens whole (`=ora-00060`, `=/var/lib/x`) and in parts.
//! * Families ([`Families`]): words that are forms of one word share a family, `language:stem`. Stems are made when a document is indexed, where
//!   the language is known; the index keeps `word → family`, and a query never stems: its word is looked up among the words of the corpus,
//!   and in languages that do not have it, those with nearly the same beginning stand in ([`kin`]). So a two-word query whose language
//!   nobody can tell finds all languages, and the browser needs no stemmer.
//! * [`ConceptTable`]: every form of every lexicon in one file that is read without parsing: the words of a query to concepts, and with them a
//!   guess of its language.
//! * [`query`]: the query language. [`score`]: the one scoring function, over exact counts.
//! * [`payload`]: alerts, logs and drafts, with what is only noise set aside.

mod analysis;
mod bytes;
mod concepts;
mod export;
mod family;
mod fold;
mod lengths;
mod near;
mod noise;
pub mod payload;
pub mod query;
mod scan;
pub mod score;
mod tokens;

pub use analysis::{Analysis, Mark, Region, Text, analyse};
pub(crate) use bytes::{Checksum, Reader, checksum, put_long};
pub use concepts::ConceptTable;
pub use export::{FormClass, PlainForm, PlainPiece};
pub use family::{Families, distance, kin, kin_prefix};
pub use fold::fold;
pub use lengths::{of_step, rounded, step};
pub(crate) use near::{Near, Rows};
pub use scan::{Found, Scanned};
pub use tokens::{Kind, Token, plain, tokens};
