//! The suite: one binary, one module per layer.

mod access;
mod architecture;
mod browser;
mod cli;
mod corpus;
mod course;
mod engineer;
mod faults;
mod finding;
mod fit;
mod houses;
mod kinds;
mod lexicons;
mod program;
mod reading;
mod retrieval;
mod search;
mod site;
mod spans;
mod support;
mod tasks;
mod untold;
