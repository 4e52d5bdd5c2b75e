//! The suite: one binary, one module per layer.

mod architecture;
mod browser;
mod corpus;
mod fit;
mod lexicons;
mod program;
mod retrieval;
mod search;
mod spans;
mod support;
