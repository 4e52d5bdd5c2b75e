//! The command line: arguments, one file per command, and the only writer of the terminal.

mod args;
mod build;
mod explain;
mod explain_pattern;
mod extract;
mod http;
mod human;
mod layout;
mod opener;
mod output;
mod progress;
mod runbooks;
mod search;
mod serve;
mod show;
mod times;

use crate::error::{Error, Result};
use crate::pipeline::Knowledge;
use crate::workspace::{Options, Workspace};
use etcetera::BaseStrategy;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Parses the arguments, runs the command, and says how it ended: 0 done, 1 the answer is no, 2 an error. A closed pipe is success.
pub fn main() -> ExitCode {
    let args = match args::parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let out = output::Output::new(&args.global);
    match run(&args, &out) {
        // what could not be read was said where it was met
        Ok(_) if out.has_failed() => ExitCode::from(2),
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
        args::Command::Search(a) => search::search(a, &args.global, out),
        args::Command::Similar(a) => search::similar(a, &args.global, out),
        args::Command::Show(a) => show::run(a, &args.global, out),
        args::Command::Extract(a) => extract::run(a, &args.global, out),
        args::Command::Explain(a) => explain::run(a, &args.global, out),
        args::Command::Build(a) => build::run(a, &args.global, out),
        args::Command::Serve(a) => serve::run(a, &args.global, out),
        args::Command::Runbooks(a) => runbooks::run(a, &args.global, out),
    }
}

/// Where the corpus lies, by options, environment, settings upwards and the user's configuration.
fn locate(global: &args::Global) -> Result<PathBuf> {
    let here = std::env::current_dir().map_err(|e| Error::because("the present folder cannot be told", e))?;
    let base = etcetera::choose_base_strategy().ok();
    let config = base.as_ref().map(|s| s.config_dir().join("twiceshy/config.yaml"));
    crate::corpus::locate(global.corpus.as_deref(), &here, config.as_deref(), base.as_ref().map(BaseStrategy::home_dir))
}

/// The folder of caches, where the system has one.
fn cache_folder() -> Option<PathBuf> {
    etcetera::choose_base_strategy().ok().map(|s| s.cache_dir().join("twiceshy"))
}

/// Opens the corpus; says what was read, what could not be, and what was left out.
fn open(global: &args::Global, out: &output::Output, refresh: bool) -> Result<Workspace> {
    let root = match (&global.index, locate(global)) {
        (_, Ok(root)) => root,
        // a prepared index answers without its corpus
        (Some(_), Err(_)) => PathBuf::from("."),
        (None, Err(e)) => return Err(e),
    };
    let cache = cache_folder();
    let options = Options { cache: cache.clone(), index: global.index.clone(), refresh: refresh && global.index.is_none() };
    let began = Instant::now();
    let progress = progress::Bar::new(out);
    let w = Workspace::open(&root, &options, &|done, total, path| progress.tell(done, total, path))?;
    progress.clear();
    let u = w.updated();
    if began.elapsed().as_millis() > 300 && u.added + u.changed + u.removed > 0 {
        out.say(&format!("index: {} added, {} changed, {} removed, {:.1} s", u.added, u.changed, u.removed, began.elapsed().as_secs_f64()));
    }
    if w.index().in_memory() && global.index.is_none() && w.hindered().is_none() {
        let why = cache.map_or_else(|| "there is no cache folder".to_string(), |c| format!("{} cannot be written", c.display()));
        out.say(&format!("index: made in memory, {why}"));
    }
    if let Some(why) = w.hindered() {
        out.warn(why, None);
    }
    for p in w.problems() {
        // a message that names its place itself is not named twice
        let message = if p.message.starts_with(&p.path) { p.message.clone() } else { format!("{}: {}", p.path, p.message) };
        out.warn(&format!("skipped  {message}"), None);
    }
    if !w.left_out().is_empty() && (u.added + u.changed > 0 || global.verbose > 0) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for s in w.left_out() {
            *counts.entry(s.reason).or_default() += 1;
        }
        let parts: Vec<String> = counts.iter().map(|(reason, n)| format!("{n} {}", reason.trim_start_matches("a "))).collect();
        out.say(&format!("left out: {}", parts.join(", ")));
        if global.verbose > 0 {
            for s in w.left_out() {
                out.say(&format!("skipped  {}: {}", s.path, s.reason));
            }
        }
    }
    Ok(w)
}

/// The language of labels: as asked, else the corpus's first.
fn ui(global: &args::Global, w: &Workspace) -> Result<String> {
    if let Some(tag) = &global.ui {
        let known = crate::lang::Languages::builtin();
        if known.ui(&known.normal(tag)).is_empty() {
            let tags: Vec<&str> = known.tags().collect();
            return Err(Error::new(format!("no interface in `{tag}`")).hint(format!("there are {}", tags.join(", "))));
        }
        return Ok(tag.clone());
    }
    Ok(w.settings().languages.first().cloned().unwrap_or_else(|| "en".into()))
}

/// The built-in knowledge and the additions of the corpus, where there is one. Commands that work on named files do without a corpus.
fn knowledge(global: &args::Global, out: &output::Output) -> Result<Knowledge> {
    let Ok(root) = locate(global) else {
        return if global.corpus.is_some() { locate(global).map(|_| Knowledge::builtin()) } else { Ok(Knowledge::builtin()) };
    };
    let settings = crate::corpus::Settings::read(&root)?;
    let files = crate::corpus::walk(&root, &settings)?;
    let read = |entries: &[crate::corpus::Entry]| -> Result<Vec<(String, Vec<u8>)>> {
        let one = |e: &crate::corpus::Entry| {
            let bytes = std::fs::read(&e.full).map_err(|err| Error::because(format!("cannot read {}", e.full.display()), err))?;
            Ok((e.path.clone(), bytes))
        };
        entries.iter().map(one).collect()
    };
    let added = crate::pipeline::additions::sound(read(&files.lexicons)?, read(&files.patterns)?);
    for (path, message) in added.faults {
        let message = message.strip_prefix(&path).map_or(format!("{path}: {message}"), |_| message.clone());
        out.warn(&format!("skipped  {message}"), None);
    }
    for (_, message) in added.doubts {
        out.warn(&message, None);
    }
    let (lexicons, patterns) = (added.lexicons, added.patterns);
    if global.verbose > 0 && !(lexicons.is_empty() && patterns.is_empty()) {
        out.say(&format!("with {} lexicons and {} patterns of {}", lexicons.len(), patterns.len(), root.display()));
    }
    Knowledge::with(&lexicons, &patterns)
}
