//! What reaches the terminal: data on standard output, everything else on standard error; colour only where it is wanted.

use super::args::{Global, When};
use crate::error::{Error, Result};
use std::borrow::Cow;
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

    /// Writes data. What documents say must not steer the terminal: control characters are shown, not sent.
    pub fn data(&self, text: &str) -> Result<()> {
        let text = harmless(text);
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| Error::because("cannot write to standard output", e))
    }

    /// Says something on standard error.
    pub fn say(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr().lock(), "{}", harmless(text));
        }
    }

    /// Says a warning on standard error.
    pub fn warn(&self, text: &str, hint: Option<&str>) {
        if self.quiet {
            return;
        }
        let word = if self.color_err { "\x1b[33mwarning\x1b[0m" } else { "warning" };
        let hint = hint.map(|h| format!("\n   = {h}")).unwrap_or_default();
        let _ = writeln!(std::io::stderr().lock(), "{word}: {}", harmless(&format!("{text}{hint}")));
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
        let _ = writeln!(std::io::stderr().lock(), "{word}: {}", harmless(&format!("{e}{hint}")));
    }
}

/// A text without control characters but line ends, tabs and the styles of this program: others are shown by their pictures (`␛`).
fn harmless(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let ours = ["0", "1", "2", "33"].map(|code| format!("\x1b[{code}m"));
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(style) = ours.iter().find(|s| rest.starts_with(s.as_str())) {
            out.push_str(style);
            rest = &rest[style.len()..];
            continue;
        }
        // a line end of two characters is one
        if !rest.starts_with("\r\n") {
            out.push(match c {
                '\0'..='\x1f' if steers(c) => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
                '\x7f' => '␡',
                _ if steers(c) => char::REPLACEMENT_CHARACTER,
                _ => c,
            });
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

/// JSON says the same of a character by its number.
fn numbered(text: String) -> String {
    let rare = |c: char| matches!(c, '\x7f'..='\u{9f}');
    if !text.contains(rare) {
        return text;
    }
    text.chars().map(|c| if rare(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() }).collect()
}

/// One JSON document, pretty, with a line end.
pub(super) fn json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string_pretty(value).map(|s| numbered(s) + "\n").map_err(|e| Error::because("cannot write JSON", e))
}

/// One JSON object on a line.
pub(super) fn json_line<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map(|s| numbered(s) + "\n").map_err(|e| Error::because("cannot write JSON", e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_styles_stay() {
        assert_eq!(harmless("a\tb\n"), "a\tb\n");
        assert_eq!(
            harmless("\x1b[1mx\x1b[0m \x1b[31mred \x1b]0;t\x07 \u{9b}1m \x7f é\r\n"),
            "\x1b[1mx\x1b[0m ␛[31mred ␛]0;t␇ \u{fffd}1m ␡ é\n"
        );
        let told = json_line(&"a\u{9b}\x1b\x7fé").unwrap();
        assert_eq!(told, "\"a\\u009b\\u001b\\u007fé\"\n");
        assert_eq!(serde_json::from_str::<String>(&told).unwrap(), "a\u{9b}\x1b\x7fé");
    }
}
