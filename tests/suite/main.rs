//! The suite: one binary, one module per layer.

mod architecture;
mod browser;
mod cli;
mod corpus;
mod faults;
mod lexicons;
mod program;
mod search;
mod site;
mod spans;
mod support;
