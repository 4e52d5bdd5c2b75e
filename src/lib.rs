//! Postmortems as knowledge.
pub mod book;
pub mod data;
pub mod diag;
pub mod document;
pub mod error;
pub mod facts;
pub mod lang;
pub mod pattern;
pub mod site;
pub mod text;
