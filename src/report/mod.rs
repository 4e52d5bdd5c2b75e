//! One incident as a self-contained report: Markdown for tickets and mails, HTML for a browser without the site.

mod html;
mod markdown;

pub use html::html;
pub use markdown::markdown;

/// Words of the interface, by key.
pub type Words<'w> = dyn Fn(&str) -> String + 'w;
