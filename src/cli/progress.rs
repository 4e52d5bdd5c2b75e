//! One line on standard error while documents are read: only on a terminal, only after half a second, erased at the end.

use super::output::Output;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The line.
pub(super) struct Bar {
    began: Instant,
    on: bool,
    shown: Mutex<Option<Instant>>,
}

impl Bar {
    /// A line that may come to be shown.
    pub fn new(out: &Output) -> Bar {
        Bar { began: Instant::now(), on: !out.is_quiet() && std::io::stderr().is_terminal(), shown: Mutex::new(None) }
    }

    /// Redraws it, at most ten times a second.
    pub fn tell(&self, done: usize, total: usize, path: &str) {
        if !self.on || self.began.elapsed() < Duration::from_millis(500) {
            return;
        }
        let Ok(mut shown) = self.shown.try_lock() else { return };
        if shown.is_some_and(|at| at.elapsed() < Duration::from_millis(100)) {
            return;
        }
        *shown = Some(Instant::now());
        let path: String = path.chars().take(60).collect();
        let _ = write!(std::io::stderr().lock(), "\r\x1b[KReading  {done}/{total}  {path}");
    }

    /// Erases it.
    pub fn clear(&self) {
        if self.shown.lock().is_ok_and(|s| s.is_some()) {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
        }
    }
}
