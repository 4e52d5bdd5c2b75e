//! The command line: arguments, one file per command, and the only writer of the terminal.

mod args;
mod explain;
mod extract;
mod human;
mod layout;
mod output;
mod times;

use crate::error::Result;
use crate::pipeline::Knowledge;
use std::process::ExitCode;

/// Parses the arguments, runs the command, and says how it ended: 0 done, 1 the answer is no, 2 an error. A closed pipe is success.
pub fn main() -> ExitCode {
    let args = match args::parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let out = output::Output::new(&args.global);
    match run(&args, &out) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(e) if e.is_broken_pipe() => ExitCode::SUCCESS,
        Err(e) => {
            out.error(&e);
            ExitCode::from(2)
        }
    }
}

/// Runs a command: `true` where the answer is yes.
fn run(args: &args::Args, out: &output::Output) -> Result<bool> {
    match &args.command {
        args::Command::Extract(a) => extract::run(a, &args.global, out),
        args::Command::Explain(a) => explain::run(a, &args.global, out),
        _ => Err(crate::error::Error::new("not there yet")),
    }
}

/// The built-in knowledge and the additions of the corpus, where there is one. Commands that work on named files do without a corpus.
fn knowledge(global: &args::Global, out: &output::Output) -> Result<Knowledge> {
    let _ = out;
    let _ = global;
    Ok(Knowledge::builtin())
}
