//! What the template of an incident is given.

use super::figure::Figure;
use super::shapes::{Card, Cite, Quote, Ref};
use super::source_text::Line;
use serde::Serialize;

/// A whole incident page.
#[derive(Serialize)]
pub struct IncidentPage<'p> {
    /// Title, date, language, severity, services.
    pub card: &'p Card,
    /// Name of its file of facts, encoded.
    pub json: String,
    /// Phase it is in by the last entry that tells: `resolved`, `mitigated`.
    pub state: Option<State>,
    /// Where the severity stands.
    pub severity_cite: Option<Cite>,
    pub happened: Vec<Quote>,
    pub why: Vec<Quote>,
    /// Names of the patterns, the tool's own words for why.
    pub why_lead: Vec<Ref>,
    pub stopped: Vec<Quote>,
    pub lasted: Lasted,
    pub figure: Option<FigureShown>,
    pub clashes: Vec<Clash>,
    pub timeline: Timeline,
    pub causes: Vec<CauseGroup>,
    pub cause_count: usize,
    pub actions: Vec<ActionRow>,
    /// Counts by status, in words.
    pub action_note: String,
    /// Impact, detection, lessons.
    pub said: Vec<SaidGroup>,
    pub patterns: Vec<PatternShown>,
    pub perhaps: Vec<Perhaps>,
    pub same: Vec<&'p Card>,
    pub similar: Vec<Like<'p>>,
    pub runbooks: Vec<RunbookRef>,
    pub diagnostics: Vec<DiagnosticShown>,
    pub tags: Vec<String>,
    pub other_fields: &'p [(String, String)],
    /// Address of the original, where it may be a link.
    pub original: Option<String>,
    pub path: &'p str,
    pub lines: Vec<Line>,
    /// Last line shown.
    pub line_count: usize,
}

/// The phase an incident ended in.
#[derive(Serialize)]
pub struct State {
    pub mark: String,
    pub name: String,
}

/// How long it lasted.
#[derive(Serialize)]
pub struct Lasted {
    /// In words; empty where not stated.
    pub value: String,
    /// From when to when, as the text gives it.
    pub range: String,
    /// The same in UTC, where the text is in another zone.
    pub utc: String,
    /// The same in the house's zone, where it has one.
    pub home: String,
    /// The lines it was computed from; none where the text states it.
    pub from: Vec<Cite>,
    /// Other durations: name and value.
    pub others: Vec<(String, String)>,
}

/// The drawn timeline.
#[derive(Serialize)]
pub struct FigureShown {
    pub wide: String,
    pub tall: String,
    pub folds: usize,
    pub ghosts: bool,
}

impl From<Figure> for FigureShown {
    fn from(f: Figure) -> FigureShown {
        FigureShown { wide: f.wide, tall: f.tall, folds: f.folds, ghosts: f.ghosts }
    }
}

/// A stamp that the text gives in several ways that disagree.
#[derive(Serialize)]
pub struct Clash {
    pub id: String,
    pub fact: String,
    pub cite: Option<Cite>,
    pub readings: Vec<ReadingShown>,
    /// One of them was taken.
    pub decided: bool,
}

/// One reading of a stamp.
#[derive(Serialize)]
pub struct ReadingShown {
    pub written: String,
    pub value: String,
    pub utc: String,
    pub home: String,
    pub taken: bool,
    pub cite: Option<Cite>,
}

/// The list beneath the figure.
#[derive(Serialize)]
pub struct Timeline {
    pub zone: String,
    pub entries: Vec<Entry>,
}

/// An entry of the timeline.
#[derive(Serialize)]
pub struct Entry {
    pub anchor: String,
    /// The date, where it is not the entry's before.
    pub day: String,
    pub clock: String,
    pub until: String,
    pub about: bool,
    pub utc: String,
    /// In the house's zone, where it has one.
    pub home: String,
    pub machine: Option<String>,
    pub title: String,
    pub written: String,
    pub mark: String,
    pub phase: String,
    pub quote: Quote,
    pub clash: Option<String>,
}

/// Causes of one kind.
#[derive(Serialize)]
pub struct CauseGroup {
    pub kind: String,
    pub items: Vec<CauseItem>,
}

/// A cause.
#[derive(Serialize)]
pub struct CauseItem {
    pub anchor: String,
    pub hedged: bool,
    pub quote: Quote,
}

/// A remediation item.
#[derive(Serialize)]
pub struct ActionRow {
    pub anchor: String,
    pub status: String,
    pub kind: Option<String>,
    pub owner: Option<String>,
    /// As it is shown, and as a date where it is one.
    pub due: Option<String>,
    pub due_date: Option<String>,
    /// Ticket, and its address where it may be a link.
    pub ticket: Option<String>,
    pub ticket_link: Option<String>,
    pub quote: Quote,
}

/// A list of passages of one kind.
#[derive(Serialize)]
pub struct SaidGroup {
    pub key: &'static str,
    pub items: Vec<(String, Quote)>,
}

/// A pattern with its proof.
#[derive(Serialize)]
pub struct PatternShown {
    pub pattern: Ref,
    pub count: usize,
    pub what: String,
    pub proofs: Vec<Quote>,
}

/// A pattern that falls short of a tag.
#[derive(Serialize)]
pub struct Perhaps {
    pub pattern: Ref,
    pub cite: Option<Cite>,
}

/// A similar incident.
#[derive(Serialize)]
pub struct Like<'p> {
    pub card: &'p Card,
    pub patterns: Vec<Ref>,
    pub services: Vec<String>,
    pub concepts: Vec<String>,
}

/// A runbook that links here.
#[derive(Clone, Serialize)]
pub struct RunbookRef {
    pub href: String,
    pub title: String,
    pub path: String,
    pub line: usize,
}

/// A remark on how the text was read.
#[derive(Serialize)]
pub struct DiagnosticShown {
    pub code: String,
    pub severity: String,
    pub message: String,
    pub hint: Option<String>,
    pub cite: Option<Cite>,
}
