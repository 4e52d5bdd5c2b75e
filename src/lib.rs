//! Postmortems as knowledge.
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
pub mod terms;
pub mod site;
pub mod text;
