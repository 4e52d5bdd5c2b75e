//! The suite: one binary, one module per layer.

mod architecture;
mod corpus;
mod spans;
mod support;
