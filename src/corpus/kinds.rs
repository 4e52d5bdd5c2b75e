//! Which kind of file a path is: a document, a runbook, an addition; or why it is left out.

use super::settings::FILE;
use super::walk::{Entry, Files, Skip};
use std::borrow::Cow;

pub(super) const TEXT: [&str; 24] = [
    "md",
    "markdown",
    "mdx",
    "mkd",
    "txt",
    "text",
    "html",
    "htm",
    "xhtml",
    "wml",
    "rst",
    "adoc",
    "asciidoc",
    "rest",
    "mediawiki",
    "wiki",
    "mw",
    "textile",
    "redmine",
    "jira",
    "confluence",
    "org",
    "erb",
    "asc",
];

/// Names that are never postmortems, in lower case without extension. They are file names, not words of a text.
const OTHER: [&str; 14] = [
    "readme",
    "license",
    "licence",
    "contributing",
    "changelog",
    "code_of_conduct",
    "security",
    "authors",
    "maintainers",
    "codeowners",
    "notice",
    "summary",
    "sidebar",
    "_sidebar",
];

/// Why files are left out by their names.
pub(crate) const REASONS: [&str; 6] =
    ["excluded by the settings", "not included by the settings", "a README", "not a postmortem by its name", "a template", "a draft"];

/// What the settings say of where files belong.
pub(super) struct Sorting<'a> {
    /// The folder of the runbooks, with `/`.
    pub runbooks: &'a str,
    /// Only documents that the settings include count.
    pub only_included: bool,
}

/// Puts a file where it belongs.
pub(super) fn sort(entry: Entry, settings: &Sorting, excluded: bool, files: &mut Files) {
    let path = entry.path.as_str();
    let mut parts = path.split('/');
    let (top, nested) = (parts.next().unwrap_or_default(), path.contains('/'));
    let name = path.rsplit('/').next().unwrap_or(path);
    let plain = name.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
    let name = if plain { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) };
    let name = name.as_ref();
    let extension = name.rsplit_once('.').map_or("", |(_, e)| e);
    let stem = name.split('.').next().unwrap_or(name);
    if name.ends_with(".twiceshy.yaml") {
        return files.sidecars.push(entry);
    }
    if name == FILE {
        return;
    }
    if nested && matches!(extension, "yaml" | "yml") && top == "lang" {
        return files.lexicons.push(entry);
    }
    if nested && matches!(extension, "yaml" | "yml") && top == "patterns" {
        return files.patterns.push(entry);
    }
    if nested && top == "templates" {
        return files.templates.push(entry);
    }
    if !TEXT.contains(&extension) {
        return;
    }
    let mut skip = |reason| files.skipped.push(Skip { path: path.to_string(), reason });
    if excluded {
        return skip("excluded by the settings");
    }
    if nested && path.starts_with(settings.runbooks) {
        return files.runbooks.push(entry);
    }
    if entry.included {
        return files.documents.push(entry);
    }
    if settings.only_included {
        return skip("not included by the settings");
    }
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    // file names, not words of a text: ASCII
    let folders = &path[..path.rfind('/').unwrap_or(0)];
    let folder = |names: &[&str]| folders.split('/').any(|d| names.iter().any(|n| d.eq_ignore_ascii_case(n)));
    // `readme` of a folder of its own is that folder's document, unless it is the corpus's own or one beside other documents
    if OTHER.contains(&stem) {
        return skip(if stem == "readme" { "a README" } else { "not a postmortem by its name" });
    }
    if (name.contains("template") && words.clone().any(|w| matches!(w, "template" | "templates")))
        || folder(&["template", "templates", "_templates"])
    {
        return skip("a template");
    }
    if (name.starts_with("draft") && words.next() == Some("draft")) || folder(&["draft", "drafts", "_drafts"]) {
        return skip("a draft");
    }
    files.documents.push(entry);
}
