//! What a document says: timeline, causes, remediation, patterns, each value with the bytes it stands on and the rule that made it.

mod assignment;
mod belief;
mod causes;
mod columns;
mod kinds;
mod labels;
mod names;
mod parts;
mod passages;
pub mod period;
mod refuted;
mod remediation;
mod score;
mod sections;
mod status;
pub mod stops;
mod tags;
pub mod time;
pub mod timeline;
mod units;

use crate::text::Span;

pub use belief::{NAMES as FEATURES, reasons, trusted};
pub use causes::{Cause, CauseKind, causes, score as cause_score, sums as cause_sums};
pub use labels::{Severity, labelled, services, severity};
pub use parts::passage as own_words;
pub use passages::{Passage, detection, impact, lessons, summary, title};
pub use remediation::{Action, ActionKind, command, remediation, score as action_score};
pub use score::Score;
pub use sections::{Because, Place, label_range};
pub use tags::{PERHAPS, TAG, Tagged, judge_all, sentences_of, weighed};
pub use units::{Columns, Reading, Shape, Unit};

/// A value, the bytes it stands on, and the rule that made it. There is no way to make one without bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact<T> {
    value: T,
    spans: Vec<Span>,
    rule: &'static str,
}

impl<T> Fact<T> {
    /// A fact; `None` where it would stand on nothing.
    pub fn new(value: T, spans: Vec<Span>, rule: &'static str) -> Option<Fact<T>> {
        let spans = crate::text::join(spans);
        if spans.is_empty() { None } else { Some(Fact { value, spans, rule }) }
    }

    /// The value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// The value, to be changed in place.
    pub fn value_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// The bytes it stands on, in order.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The rule that made it.
    pub fn rule(&self) -> &'static str {
        self.rule
    }
}
