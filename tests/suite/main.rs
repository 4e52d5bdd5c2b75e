//! The suite: one binary, one module per layer.

mod architecture;
mod browser;
mod corpus;
mod fit;
mod lexicons;
mod program;
mod search;
mod retrieval;
mod spans;
mod support;
