//! What is to be said about a document: findings with a code, a place and a hint. They never stop the work.

use crate::text::Span;
use serde::Serialize;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// The text contradicts itself, or something could not be read as it seems meant.
    Warning,
    /// Something was left out.
    Error,
}

/// One finding about a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Stable name of the kind of finding, such as `zone-mismatch`.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// One sentence for people, in English.
    pub message: String,
    /// What to do about it, or what was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The bytes it is about.
    pub spans: Vec<Span>,
}

impl Diagnostic {
    /// A warning about `spans`.
    pub fn warning(code: &'static str, message: impl Into<String>, spans: Vec<Span>) -> Diagnostic {
        Diagnostic { code, severity: Severity::Warning, message: message.into(), hint: None, spans }
    }

    /// A note about `spans`.
    pub fn note(code: &'static str, message: impl Into<String>, spans: Vec<Span>) -> Diagnostic {
        Diagnostic { code, severity: Severity::Note, message: message.into(), hint: None, spans }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }
}
