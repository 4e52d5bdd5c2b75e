//! `twiceshy serve`: the site on this machine, built anew when a file of the corpus changes, with what went wrong told in its pages.

use super::args::{Build, Global, Serve};
use super::http::{self, Board};
use super::output::Output;
use super::{build, opener};
use crate::corpus::{Entry, Settings, walk};
use crate::error::{Error, Result};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long between two looks at the files, at least.
const PAUSE: Duration = Duration::from_millis(300);
/// Connections at a time: pages that wait, and those they load.
const MOST: usize = 128;

pub(super) fn run(args: &Serve, global: &Global, out: &Output) -> Result<bool> {
    if global.index.is_some() {
        return Err(Error::new("a prepared index cannot be served").hint("leave --index out"));
    }
    let root = super::locate(global)?;
    let scratch = if args.out.is_some() || super::cache_folder().is_some() {
        None
    } else {
        Some(tempfile::tempdir().map_err(|e| Error::because("no folder for the site can be made", e))?)
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(|e| {
        Error::because(format!("port {} cannot be used", args.port), e).hint("name another with --port; 0 takes any that is free")
    })?;
    let port = listener.local_addr().map_err(|e| Error::because("the port cannot be told", e))?.port();
    let board = Arc::new(Board::default());
    let mut seen = look(&root);
    let mut folder = args.out.clone().or_else(|| scratch.as_ref().map(|s| s.path().to_path_buf()));
    let (place, faults) = make(folder.as_deref(), args, global, out);
    folder = place.or(folder);
    let Some(folder) = folder else {
        return Err(Error::new(faults.into_iter().next().unwrap_or_else(|| "the site cannot be built".into())));
    };
    board.tell(faults);
    let address = format!("http://127.0.0.1:{port}/");
    out.data(&format!("{address}\n"))?;
    out.say(&format!("Serving {} from {}; Ctrl-C ends", root.display(), folder.display()));
    {
        let (board, folder) = (board.clone(), folder.clone());
        std::thread::spawn(move || accept(&listener, &folder, port, &board));
    }
    if args.open {
        opener::open(Path::new(&address))?;
    }
    loop {
        let began = Instant::now();
        let now = look(&root);
        // looking at many files shall not keep the machine busy
        let pause = PAUSE.max(began.elapsed() * 10);
        if now != seen {
            seen = now;
            board.tell(make(Some(&folder), args, global, out).1);
        }
        std::thread::sleep(pause);
    }
}

/// Takes connections as they come.
fn accept(listener: &TcpListener, folder: &Path, port: u16, board: &Arc<Board>) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        if open.fetch_add(1, Ordering::SeqCst) >= MOST {
            open.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let (open, folder, board) = (open.clone(), folder.to_path_buf(), board.clone());
        std::thread::spawn(move || {
            // a browser that has gone away needs no answer
            let _ = http::answer(stream, &folder, port, &board);
            open.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

/// Builds, and tells where, and what is wrong. The folder is the cache's where none is named.
fn make(folder: Option<&Path>, args: &Serve, global: &Global, out: &Output) -> (Option<PathBuf>, Vec<String>) {
    let began = Instant::now();
    let made = super::open(global, out, true).and_then(|w| {
        let place = folder.map(Path::to_path_buf).or_else(|| w.cache().map(|c| c.join("served"))).unwrap_or_default();
        let mut faults: Vec<String> = w.problems().iter().map(|p| named(&p.path, &p.message)).collect();
        let wanted = Build { out: place.clone(), audience: args.audience.clone(), strict: false };
        let made = build::make(&w, &wanted, global, out)?;
        faults.extend(made.faults);
        let done = made.done;
        out.say(&format!(
            "Built {} incidents: {} files written, {} unchanged, {} deleted; {:.1} s",
            made.incidents,
            done.written,
            done.unchanged,
            done.deleted,
            began.elapsed().as_secs_f64()
        ));
        Ok((place, faults))
    });
    match made {
        Ok((place, faults)) => (Some(place), faults),
        Err(e) => {
            out.warn(&e.to_string(), e.hint_text());
            let hint = e.hint_text().map(|h| format!("\n{h}")).unwrap_or_default();
            (None, vec![format!("{e}{hint}")])
        }
    }
}

/// A message that names its place itself is not named twice.
fn named(path: &str, message: &str) -> String {
    if message.starts_with(path) { message.to_string() } else { format!("{path}: {message}") }
}

/// What tells one state of the corpus from another: every file that a build takes, by path, size and time. What cannot be looked at is told by why.
fn look(root: &Path) -> Vec<String> {
    let time = std::fs::metadata(root.join("twiceshy.yaml")).and_then(|m| Ok((m.len(), m.modified()?)));
    let mut all = vec![format!("{time:?}")];
    let files = Settings::read(root).and_then(|s| walk(root, &s));
    match files {
        Ok(f) => {
            let lists = [&f.documents, &f.runbooks, &f.lexicons, &f.patterns, &f.templates, &f.sidecars];
            all.extend(lists.into_iter().flatten().map(|e: &Entry| format!("{} {:?}", e.path, e.print)));
            all.extend(f.unreadable.into_iter().map(|(p, m)| named(&p, &m)));
        }
        Err(e) => all.push(e.to_string()),
    }
    all
}
