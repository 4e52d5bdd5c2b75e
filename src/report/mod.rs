//! One incident as a self-contained report: Markdown for tickets and mails, HTML for a browser without the site.

mod html;
mod markdown;

use crate::book::view::{Action, Cause, Incident};

pub use html::html;
pub use markdown::markdown;

/// Words of the interface, by key.
pub type Words<'w> = dyn Fn(&str) -> String + 'w;

/// The cause to name first: a root cause said without reservation, else any.
pub fn lead_cause(i: &Incident) -> Option<&Cause> {
    i.causes.iter().find(|c| c.kind == "root" && !c.hedged).or_else(|| i.causes.iter().find(|c| c.kind == "root")).or(i.causes.first())
}

/// What stopped it: something done, best in a passage about the resolution; a command first.
pub fn lead_fix(i: &Incident) -> Option<&Action> {
    let done = || i.remediation.iter().filter(|a| a.status == "done");
    done()
        .find(|a| a.command.is_some() && a.rule == "resolution-section")
        .or_else(|| done().find(|a| a.rule == "resolution-section"))
        .or_else(|| done().find(|a| a.kind.as_deref() == Some("mitigate")))
        .or_else(|| done().next())
}
