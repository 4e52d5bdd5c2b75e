//! `twiceshy extract FILE…`: the facts of documents.

use super::args::{Extract, Format, Global};
use super::human;
use super::output::{Output, json, json_line};
use crate::book::Case;
use crate::error::{Error, Result};
use crate::pipeline::{Knowledge, read_all};
use crate::text::Source;
use rayon::prelude::*;
use std::io::Read;
use std::path::Path;

/// Reads one file, or standard input for `-`.
pub(super) fn source(path: &Path) -> Result<Source> {
    let (name, bytes) = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(|e| Error::because("cannot read standard input", e))?;
        ("-".to_string(), bytes)
    } else {
        let bytes = std::fs::read(path).map_err(|e| Error::because(format!("cannot read {}", path.display()), e))?;
        (path.to_string_lossy().replace('\\', "/"), bytes)
    };
    let source = Source::new(name, bytes);
    if source.is_binary() {
        return Err(Error::new(format!("{} is no text", path.display())));
    }
    Ok(source)
}

pub(super) fn run(args: &Extract, global: &Global, out: &Output) -> Result<bool> {
    // the program ends with this: to take the lexicons apart piece by piece would only cost time
    let knowledge = std::mem::ManuallyDrop::new(super::knowledge(global, out)?);
    let mut cases: Vec<Case> = Vec::new();
    // a few files at a time on all cores, printed in the order of the arguments
    for chunk in args.files.chunks(64) {
        let read: Vec<Result<Vec<Case>>> = chunk.par_iter().map(|p| source(p).map(|s| read_all(&s, &knowledge))).collect();
        for one in read {
            match one {
                Ok(found) => {
                    for case in found {
                        match args.format {
                            Format::Jsonl => out.data(&json_line(&case.incident)?)?,
                            Format::Json => cases.push(case),
                            Format::Human => show(&case, &knowledge, global, out)?,
                        }
                    }
                }
                Err(e) => out.error(&e),
            }
        }
    }
    if args.format == Format::Json {
        let all: Vec<_> = cases.iter().map(|c| &c.incident).collect();
        out.data(&json(&all)?)?;
    }
    Ok(true)
}

fn show(case: &Case, knowledge: &Knowledge, global: &Global, out: &Output) -> Result<()> {
    let words = human::Words::new(&knowledge.languages, global.ui.as_deref().unwrap_or("en"));
    out.data(&human::incident(case, &words, out, global.verbose > 0))?;
    out.data(&human::diagnostics(case, out))?;
    out.data("\n")
}
