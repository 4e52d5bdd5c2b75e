//! The one error type: what went wrong outside (files, arguments, data of the user's), with the place and the chain of causes.

use std::fmt;

/// An error with a message for people, perhaps a hint, and what caused it.
#[derive(Debug)]
pub struct Error {
    message: String,
    hint: Option<String>,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error that says `message`.
    pub fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), hint: None, cause: None }
    }

    /// An error that says `message` and was caused by another.
    pub fn because(message: impl Into<String>, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error { message: message.into(), hint: None, cause: Some(cause.into()) }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        self.hint = Some(hint.into());
        self
    }

    /// What to do about it, where that is known.
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// True where a closed pipe stands somewhere in the chain of causes.
    pub fn is_broken_pipe(&self) -> bool {
        let mut next: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(e) = next {
            if e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe) {
                return true;
            }
            next = e.source();
        }
        false
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let mut next = std::error::Error::source(self);
        while let Some(e) = next {
            // a nested error of ours prints its own chain
            write!(f, ": {e}")?;
            next = if e.is::<Error>() { None } else { e.source() };
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_deref().map(|c| c as &(dyn std::error::Error + 'static))
    }
}

impl From<std::io::Error> for Error {
    fn from(e: std::io::Error) -> Error {
        Error::because("input or output failed", e)
    }
}
