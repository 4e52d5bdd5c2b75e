//! The suite: one binary, one module per layer.

mod architecture;
mod corpus;
mod lexicons;
mod spans;
mod support;
