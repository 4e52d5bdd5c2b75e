//! What reaches the terminal: data on standard output, everything else on standard error; colour only where it is wanted.

use super::args::{Global, When};
use crate::error::{Error, Result};
use std::cell::Cell;
use std::io::{IsTerminal, Write};

/// Styles of the terminal, after the design's roles; the fourth, errors, is on standard error only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Titles and headings.
    Strong,
    /// Labels, old dates, line numbers.
    Quiet,
    /// Matched words, words that fired a rule.
    Evidence,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Style::Strong => "1",
            Style::Quiet => "2",
            Style::Evidence => "33",
        }
    }
}

/// Where output goes.
pub(super) struct Output {
    /// Colour on standard output.
    pub color: bool,
    color_err: bool,
    quiet: bool,
    failed: Cell<bool>,
    /// Columns of the terminal; 80 where it is none.
    pub width: usize,
    today: jiff::civil::Date,
}

/// Dates older than this many years are shown quietly: an old fix should look old.
const OLD: i16 = 2;

impl Output {
    /// From the options and the terminal.
    pub fn new(global: &Global) -> Output {
        let wanted = |terminal: bool| match global.color {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                terminal
                    && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
                    && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
            }
        };
        let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
        let size = terminal_size::terminal_size().map(|(w, _)| usize::from(w.0));
        let width = if std::io::stdout().is_terminal() { size.or(columns) } else { columns };
        Output {
            color: wanted(std::io::stdout().is_terminal()),
            color_err: wanted(std::io::stderr().is_terminal()),
            quiet: global.quiet,
            failed: Cell::new(false),
            width: width.unwrap_or(80).clamp(40, 160),
            today: global.today.unwrap_or_else(|| jiff::tz::Offset::UTC.to_datetime(jiff::Timestamp::now()).date()),
        }
    }

    /// True where nothing but errors is wanted on standard error.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Paints a text for standard output.
    pub fn paint(&self, style: Style, text: &str) -> String {
        if self.color && !text.is_empty() { format!("\x1b[{}m{text}\x1b[0m", style.code()) } else { text.to_string() }
    }

    /// Paints a date (`2024-06-25`, `2024-06`, `2024`), quietly where it lies years back.
    pub fn date(&self, text: &str, padded: &str) -> String {
        let mut parts = text.split('-').map(|p| p.parse::<i16>().ok());
        let (year, month, day) = (parts.next().flatten(), parts.next().flatten().unwrap_or(1), parts.next().flatten().unwrap_or(1));
        let (now_month, now_day) = (i16::from(self.today.month()), i16::from(self.today.day()));
        let old = year.is_some_and(|y| (y + OLD, month, day) < (self.today.year(), now_month, now_day));
        if old { self.paint(Style::Quiet, padded) } else { padded.to_string() }
    }

    /// Writes data.
    pub fn data(&self, text: &str) -> Result<()> {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| Error::because("cannot write to standard output", e))
    }

    /// Says something on standard error.
    pub fn say(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr().lock(), "{text}");
        }
    }

    /// Says a warning on standard error.
    pub fn warn(&self, text: &str, hint: Option<&str>) {
        if self.quiet {
            return;
        }
        let word = if self.color_err { "\x1b[33mwarning\x1b[0m" } else { "warning" };
        let hint = hint.map(|h| format!("\n   = {h}")).unwrap_or_default();
        let _ = writeln!(std::io::stderr().lock(), "{word}: {text}{hint}");
    }

    /// True where an error was said: the work went on, but it is not done.
    pub fn has_failed(&self) -> bool {
        self.failed.get()
    }

    /// Says an error on standard error.
    pub fn error(&self, e: &Error) {
        self.failed.set(true);
        let word = if self.color_err { "\x1b[1;31merror\x1b[0m" } else { "error" };
        let hint = e.hint_text().map(|h| format!("\n   = {h}")).unwrap_or_default();
        let _ = writeln!(std::io::stderr().lock(), "{word}: {e}{hint}");
    }
}

/// One JSON document, pretty, with a line end.
pub(super) fn json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string_pretty(value).map(|s| s + "\n").map_err(|e| Error::because("cannot write JSON", e))
}

/// One JSON object on a line.
pub(super) fn json_line<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map(|s| s + "\n").map_err(|e| Error::because("cannot write JSON", e))
}
