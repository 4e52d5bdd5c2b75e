//! The suite: one binary, one module per layer.

mod architecture;
mod corpus;
mod fit;
mod lexicons;
mod spans;
mod support;
