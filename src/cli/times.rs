//! `twiceshy explain times FILE…`: every date and clock of a document.

use super::explain::Subject;
use super::output::{Output};
use serde_json::Value;

/// One row a mention.
pub(super) fn times(_s: &Subject) -> Vec<Value> {
    Vec::new()
}

/// A row for people.
pub(super) fn print(_row: &Value, _out: &Output) -> String {
    String::new()
}
