//! Links from runbooks to incidents and patterns: found, resolved, verified.

use crate::book::Book;
use crate::pattern::Catalogue;
use std::collections::BTreeSet;

/// What a link of a runbook leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// An incident, by id.
    Incident(String),
    /// A pattern, by id.
    Pattern(String),
    /// Another page.
    Other,
}

/// One link of a runbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, as written.
    pub written: String,
    /// The words it stands on.
    pub text: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What that is.
    pub target: Target,
    /// The anchor it names, without `#`.
    pub anchor: Option<String>,
    /// What is wrong with it, where something is.
    pub fault: Option<String>,
}

/// A runbook and its links.
#[derive(Clone, Debug, Default)]
pub struct Runbook {
    /// Path below the corpus.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Whom it is for: `public`, `internal` or `restricted`.
    pub audience: String,
    /// Its links to incidents and patterns, and broken links, in order.
    pub links: Vec<Link>,
}

/// A link as a reader of the document found it: address, words, line, column.
pub type Found = (String, String, usize, usize);

/// Resolves a runbook's links against the book and the catalogue. `path` is the runbook's path below the corpus; `base` is the site's address, if
/// it has one. Links to the wide world are left out: they are not this program's to judge.
pub fn resolve(path: &str, title: &str, found: &[Found], book: &Book, catalogue: &Catalogue, base: &str) -> Runbook {
    let paths: BTreeSet<&str> = book.cases().iter().map(|c| c.incident.source.path.as_str()).collect();
    let links = found.iter().filter_map(|f| link(path, f, book, catalogue, base, &paths)).collect();
    Runbook { path: path.to_string(), title: title.to_string(), audience: String::new(), links }
}

fn link(path: &str, found: &Found, book: &Book, catalogue: &Catalogue, base: &str, paths: &BTreeSet<&str>) -> Option<Link> {
    let (written, text, line, column) = found.clone();
    let (address, anchor) = match written.split_once('#') {
        Some((a, b)) => (a.to_string(), Some(b.to_string()).filter(|b| !b.is_empty())),
        None => (written.clone(), None),
    };
    let make =
        |target, fault| Some(Link { written: written.clone(), text: text.clone(), line, column, target, anchor: anchor.clone(), fault });
    let site = if base.is_empty() { None } else { address.strip_prefix(base.trim_end_matches('/')).map(|r| r.trim_start_matches('/')) };
    let inside = address.strip_prefix("twiceshy:").or(site);
    let Some(inside) = inside else {
        if address.is_empty() || address.contains("://") || address.starts_with("mailto:") || address.starts_with('/') {
            return None;
        }
        // a relative link: to a document of the corpus, or to a page of the built site
        let full = join(path, &percent_decoded(address.split('?').next().unwrap_or_default()));
        if let Some(case) = paths.get(full.as_str()).and_then(|p| book.cases().iter().find(|c| c.incident.source.path == **p)) {
            return make(Target::Incident(case.incident.id.clone()), check_anchor(case, anchor.as_deref()));
        }
        let parts: Vec<&str> = page_of(&full).split('/').collect();
        return match parts.as_slice() {
            [.., "incidents", id] if !id.contains('.') || book.get(id).is_some() => to_incident(id, book, anchor.as_deref(), &make),
            [.., "patterns", id] if !id.contains('.') => to_pattern(id, catalogue, &make),
            [.., "incidents", _] => make(Target::Other, Some(format!("no file {full} in the corpus"))),
            _ if beside_documents(&full, paths) => make(Target::Other, Some(format!("no file {full} in the corpus"))),
            _ => make(Target::Other, None),
        };
    };
    let inside = percent_decoded(inside.split('?').next().unwrap_or_default());
    let inside = page_of(&inside);
    match edition(inside).split_once('/') {
        Some(("pattern" | "patterns", id)) => to_pattern(id, catalogue, &make),
        Some(("incident" | "incidents", id)) => to_incident(id, book, anchor.as_deref(), &make),
        None if !inside.is_empty() && site.is_none() => to_incident(inside, book, anchor.as_deref(), &make),
        _ => make(Target::Other, None),
    }
}

/// The address of a page, however it is written: with the name of its file or without, or that of its feed or its facts.
fn page_of(address: &str) -> &str {
    let folder = ["/index.html", "/feed.xml"].iter().find_map(|end| address.strip_suffix(end)).unwrap_or(address);
    let page = |parts: &[&str]| matches!(parts, [.., "incidents" | "patterns", name] if name.contains('.'));
    let bare = folder.trim_end_matches('/');
    let parts: Vec<&str> = bare.split('/').collect();
    let plain = [".html", ".json"].iter().find_map(|end| bare.strip_suffix(end));
    plain.filter(|_| page(&parts)).unwrap_or(bare)
}

/// The address below the edition of a language.
fn edition(address: &str) -> &str {
    match address.split_once('/') {
        Some((tag, rest)) if (2..=3).contains(&tag.split('-').next().unwrap_or_default().len()) && rest.contains('/') => rest,
        _ => address,
    }
}

/// A document's name in a folder that holds postmortems; those that stand there for readers of the folder are no postmortems.
fn beside_documents(full: &str, paths: &BTreeSet<&str>) -> bool {
    let (folder, name) = full.rsplit_once('/').unwrap_or(("", full));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_lowercase();
    let page = name.rsplit_once('.').is_some_and(|(_, e)| matches!(e, "md" | "markdown" | "txt" | "html" | "htm" | "rst" | "adoc" | "org"));
    let company = paths.range(folder..).take_while(|p| p.starts_with(folder)).any(|p| p.rsplit_once('/').map_or("", |(f, _)| f) == folder);
    page && !folder.is_empty() && !matches!(stem.as_str(), "readme" | "index" | "template") && company
}

fn to_incident(id: &str, book: &Book, anchor: Option<&str>, make: &dyn Fn(Target, Option<String>) -> Option<Link>) -> Option<Link> {
    match book.get(id) {
        Some(case) => make(Target::Incident(case.incident.id.clone()), check_anchor(case, anchor)),
        None => {
            let near = nearest(id, book.cases().iter().map(|c| c.incident.id.as_str()));
            make(
                Target::Incident(id.to_string()),
                Some(format!("no incident `{id}`{}", near.map(|n| format!("; nearest: {n}")).unwrap_or_default())),
            )
        }
    }
}

fn to_pattern(id: &str, catalogue: &Catalogue, make: &dyn Fn(Target, Option<String>) -> Option<Link>) -> Option<Link> {
    match catalogue.get(id) {
        Some(_) => make(Target::Pattern(id.to_string()), None),
        None => {
            let near = nearest(id, catalogue.all().iter().map(|p| p.file.id.as_str()));
            make(
                Target::Pattern(id.to_string()),
                Some(format!("no pattern `{id}`{}", near.map(|n| format!("; nearest: {n}")).unwrap_or_default())),
            )
        }
    }
}

/// Anchors of facts and lines are known; what an author's own heading makes is not judged.
fn check_anchor(case: &crate::book::Case, anchor: Option<&str>) -> Option<String> {
    let anchor = anchor?;
    let i = &case.incident;
    let fact = matches!(anchor.get(..2), Some("t-" | "c-" | "r-")) && anchor[2..].starts_with(|c: char| c.is_ascii_hexdigit());
    let known = i
        .timeline
        .iter()
        .map(|e| &e.anchor)
        .chain(i.causes.iter().map(|c| &c.anchor))
        .chain(i.remediation.iter().map(|r| &r.anchor))
        .any(|a| a == anchor);
    (fact && !known).then(|| format!("`{}` has no passage `#{anchor}`", i.id))
}

/// The nearest of some names: fewest edits, if they are few.
pub fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (wanted.chars().count() / 3).max(2);
    names.map(|n| (edits(wanted, n), n)).filter(|(d, _)| *d <= limit).min().map(|(_, n)| n)
}

fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = (diagonal + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = (bytes[i] == b'%').then(|| text.get(i + 1..i + 3)).flatten().and_then(|h| u8::from_str_radix(h, 16).ok());
        match hex {
            Some(b) => {
                out.push(b);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_string())
}

/// A relative address seen from a file.
fn join(from: &str, to: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in to.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            p => parts.push(p),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Case, view};

    fn book() -> Book {
        let mut incident = view::Incident { id: "2021-disk".into(), ..Default::default() };
        incident.source.path = "incidents/2021 disk.md".into();
        incident.aliases = vec!["old-disk".into()];
        incident.causes.push(view::Cause { anchor: "c-00ff00".into(), ..Default::default() });
        Book::new(vec![Case { incident, body: vec![] }])
    }

    #[test]
    fn links_are_resolved_and_faults_named() {
        let found: Vec<Found> = [
            "../incidents/2021%20disk.md#c-00ff00",
            "twiceshy:2021-disk",
            "twiceshy:old-disk#c-aaaaaa",
            "twiceshy:2021-dsik",
            "twiceshy:pattern/retry-storm",
            "twiceshy:pattern/retry-strom",
            "https://example.org/x",
            "https://s.example/incidents/2021-disk/",
            "other.md",
            "../incidents/gone.md",
            "https://s.example/ar/incidents/2021%2Ddisk/index.html?x=1#L3",
            "https://s.example/incidents/2021-disk.json",
            "../site/patterns/retry-storm.html",
            "../site/patterns/retry-storm/",
            "https://s.example/patterns/retry-storm/feed.xml",
            "https://s.example/ar/patterns/retry-strom/",
        ]
        .iter()
        .map(|a| (a.to_string(), "t".to_string(), 1, 1))
        .collect();
        let r = resolve("runbooks/a.md", "A", &found, &book(), &Catalogue::builtin(), "https://s.example/");
        let seen: Vec<(Target, Option<&str>)> = r.links.iter().map(|l| (l.target.clone(), l.fault.as_deref())).collect();
        let disk = Target::Incident("2021-disk".into());
        assert_eq!(seen[0], (disk.clone(), None));
        assert_eq!(seen[1], (disk.clone(), None));
        assert_eq!(seen[2], (disk.clone(), Some("`2021-disk` has no passage `#c-aaaaaa`")));
        assert_eq!(seen[3].1, Some("no incident `2021-dsik`; nearest: 2021-disk"));
        assert_eq!(seen[4], (Target::Pattern("retry-storm".into()), None));
        assert_eq!(seen[5].1, Some("no pattern `retry-strom`; nearest: retry-storm"));
        assert_eq!(seen[6], (disk, None));
        assert_eq!(seen[7], (Target::Other, None));
        assert!(seen[8].1.is_some());
        assert_eq!([&seen[9], &seen[10]], [&seen[0], &seen[0]]);
        assert!(seen[11..14].iter().all(|s| *s == seen[4]), "{seen:?}");
        assert_eq!(seen[14], seen[5]);
    }
}
