//! Front matter: the YAML fields (between `---`), TOML fields (between `+++`), JSON fields (an object) or dotted fields (`.. key: value`) above a document's text, each with the bytes it stands on.

mod dotted;
mod json;
mod toml;
mod yaml;

use crate::diag::Diagnostic;
use crate::text::{Source, Span};

/// Front matter longer than this (in bytes) is taken for text.
const LONGEST: usize = 1 << 20;

/// One field of the front matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The key as written, in lower case.
    pub key: String,
    /// The value or values as written, without quotes.
    pub values: Vec<String>,
    /// The bytes of the value (the whole field where it is a list or a map).
    pub span: Span,
}

/// All fields, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct FrontMatter {
    /// The fields.
    pub fields: Vec<Field>,
    /// The bytes of the whole front matter with its fences; `None` where there is none.
    pub span: Option<Span>,
}

/// Keys of fields that state something about the incident.
pub const STATING: [&str; 22] = [
    "id",
    "title",
    "date",
    "start",
    "end",
    "detected",
    "mitigated",
    "resolved",
    "timezone",
    "severity",
    "status",
    "services",
    "owners",
    "tags",
    "patterns",
    "language",
    "lang",
    "audience",
    "aliases",
    "summary",
    "source_url",
    "draft",
];

impl FrontMatter {
    /// The first value of a field.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.field(key).and_then(|f| f.values.first()).map(String::as_str)
    }

    /// A field.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.key == key)
    }

    /// All values of a field.
    pub fn all(&self, key: &str) -> &[String] {
        self.field(key).map_or(&[], |f| &f.values)
    }
}

/// Front matter as it was read off the head of a text.
#[derive(Default)]
pub(super) struct Read {
    pub front_matter: FrontMatter,
    /// Where the text below it begins, in the decoded text.
    pub body: usize,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the front matter of a source, if it has any.
pub(super) fn read(source: &Source) -> Read {
    let text = source.text().as_str();
    let begun = |all: std::ops::Range<usize>| {
        let front_matter = FrontMatter { fields: Vec::new(), span: Some(source.text().span(all.clone())) };
        Read { front_matter, body: all.end, diagnostics: Vec::new() }
    };
    if let Some(object) = json::find(text) {
        let mut out = begun(object.clone());
        json::fields(source, object, &mut out);
        report_twins(&mut out);
        return out;
    }
    if let Some(found) = dotted::find(text) {
        let mut out = begun(found.start..found.end);
        dotted::fields(source, &found, &mut out);
        report_twins(&mut out);
        return out;
    }
    let Some(found) = find(text) else { return Read::default() };
    let mut out = begun(found.start..found.end);
    if found.toml {
        toml::fields(source, found.inner.clone(), &mut out);
    } else {
        yaml::fields(source, found.inner.clone(), &mut out);
    }
    if !found.closed {
        out.diagnostics.insert(
            0,
            Diagnostic::warning("front-matter", "The front matter is not closed.", vec![source.text().span(found.start..found.start + 3)])
                .hint(
                    "Close it with a line of its own that repeats the opening one; its fields were read up to the first line that is none.",
                ),
        );
    }
    report_twins(&mut out);
    out
}

/// True where a text begins with front matter.
pub(super) fn is_at_head(text: &str) -> bool {
    find(text).is_some() || json::find(text).is_some() || dotted::find(text).is_some()
}

struct Found {
    /// Where the opening fence stands.
    start: usize,
    toml: bool,
    closed: bool,
    /// The fields, without fences.
    inner: std::ops::Range<usize>,
    /// Where the text goes on.
    end: usize,
}

/// The length of the blank lines that a text begins with.
fn blank_head(text: &str) -> usize {
    text.split_inclusive('\n').take_while(|l| l.trim().is_empty()).map(str::len).sum()
}

/// Blank lines above the fence are passed over: what they would turn into text may say whom the document is for.
fn find(text: &str) -> Option<Found> {
    let blank = blank_head(text);
    let found = find_at(text.get(blank..)?)?;
    let inner = blank + found.inner.start..blank + found.inner.end;
    Some(Found { start: blank, inner, end: blank + found.end, ..found })
}

fn find_at(text: &str) -> Option<Found> {
    let first = text.split_inclusive('\n').next()?;
    let fence = first.trim_end();
    let toml = match fence {
        "---" => false,
        "+++" => true,
        _ => return None,
    };
    if first.len() > 64 {
        return None;
    }
    let start = first.len();
    let is_field = |line: &str| if toml { toml::is_field(line) } else { yaml::is_field(line) };
    let mut at = start;
    // where fields without a closing fence end: at the first line that can be no part of one
    let mut fields_end = None;
    let mut seen = false;
    for line in text[start..].split_inclusive('\n') {
        let bare = line.trim_end();
        if at - start > LONGEST {
            return None;
        }
        if bare == fence || (!toml && bare == "...") {
            return seen.then_some(Found { start: 0, toml, closed: true, inner: start..at, end: at + line.len() });
        }
        let belongs = bare.is_empty() || bare.starts_with([' ', '\t', '#']) || bare.starts_with("- ") || is_field(bare);
        if bare.starts_with("# ") || bare.is_empty() || !belongs {
            fields_end.get_or_insert(at);
        }
        if !seen && !bare.is_empty() && !bare.starts_with('#') {
            // the first line that says something must be a field, else the fence was a thematic break
            if !is_field(bare) {
                return None;
            }
            seen = true;
        }
        at += line.len();
    }
    let end = fields_end.unwrap_or(at);
    (seen && end > start && text[start..end].lines().filter(|l| is_field(l)).count() >= 2).then_some(Found {
        start: 0,
        toml,
        closed: false,
        inner: start..end,
        end,
    })
}

/// One finding for each key that stands twice; the first counts.
fn report_twins(read: &mut Read) {
    let mut seen = std::collections::BTreeSet::new();
    let mut twins = Vec::new();
    read.front_matter.fields.retain(|f| {
        let fresh = seen.insert(f.key.clone());
        if !fresh {
            twins.push((f.key.clone(), f.span));
        }
        fresh
    });
    for (key, span) in twins {
        read.diagnostics.push(
            Diagnostic::warning("front-matter", format!("The field “{key}” stands twice."), vec![span])
                .hint("Only the first one was read; take one out."),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Read, Source) {
        let source = Source::new("x.md", text.as_bytes().to_vec());
        (read(&source), source)
    }

    #[test]
    fn fields_as_written() {
        let (r, s) = read_text(
            "\u{feff}---\r\nTitle: \"Ausfall: Datenbank\"\r\ndate: 2024-05-03T14:03:00+02:00 # local\r\nsev: 01\r\ntags: [db, 'a, b', 3.10]\r\nservices:\r\n  - api\r\n  - name: web\r\n    tier: 1\r\nowner:\r\n  team: sre\r\nempty:\r\nnote: >\r\n  one\r\n  two\r\nlive: yes\r\n---\r\nText\r\n",
        );
        let f = &r.front_matter;
        assert!(r.diagnostics.is_empty(), "{:?}", r.diagnostics);
        assert_eq!(f.get("title"), Some("Ausfall: Datenbank"));
        assert_eq!(s.slice(f.field("title").unwrap().span), "Ausfall: Datenbank");
        assert_eq!(f.get("date"), Some("2024-05-03T14:03:00+02:00"));
        assert_eq!(s.slice(f.field("date").unwrap().span), "2024-05-03T14:03:00+02:00");
        assert_eq!((f.get("sev"), f.get("live"), f.get("empty")), (Some("01"), Some("yes"), None));
        assert_eq!(f.all("tags"), ["db", "a, b", "3.10"]);
        assert_eq!(f.all("services").len(), 2);
        assert_eq!(f.all("services")[0], "api");
        assert!(f.all("services")[1].contains("tier: 1"));
        assert!(f.get("owner").unwrap().contains("team: sre"));
        assert_eq!(f.get("note").map(str::trim), Some("one two"));
        assert_eq!(&s.text().as_str()[r.body..], "Text\r\n");
    }

    #[test]
    fn a_broken_field_is_told_with_its_place_and_the_rest_is_read() {
        let (r, s) = read_text("---\ntitle: Outage: db down\nseverity: high\n---\n# X\n");
        assert_eq!(r.diagnostics.len(), 1);
        let d = &r.diagnostics[0];
        assert_eq!(d.code, "front-matter");
        assert_eq!(s.position(d.spans[0].start), (2, 14), "{}", d.message);
        assert!(d.hint.is_some());
        assert_eq!(r.front_matter.get("severity"), Some("high"));
        assert_eq!(r.front_matter.get("title"), Some("Outage: db down"));
        assert_eq!(&s.text().as_str()[r.body..], "# X\n");
    }

    #[test]
    fn twins_are_told() {
        let (r, _) = read_text("---\na: 1\nA: 2\n---\n");
        assert_eq!((r.front_matter.fields.len(), r.front_matter.get("a")), (1, Some("1")));
        assert_eq!(r.diagnostics.len(), 1);
    }

    #[test]
    fn a_break_is_no_fence_and_an_open_fence_is_told() {
        assert!(read_text("---\nJust text.\n---\n").0.front_matter.span.is_none());
        assert!(read_text("---\n\n# Title\n\n---\n").0.front_matter.span.is_none());
        let (r, s) = read_text("---\ntitle: 障害\ndate: 2024-05-03\n\n# 概要\n");
        assert_eq!(r.front_matter.get("title"), Some("障害"));
        assert_eq!(r.diagnostics.len(), 1);
        assert!(s.text().as_str()[r.body..].contains("# 概要"));
    }

    #[test]
    fn blank_lines_above_are_passed_over() {
        let (r, s) = read_text("\r\n \n---\r\naudience: internal\r\n---\r\n# X\n");
        assert_eq!((r.front_matter.get("audience"), &s.text().as_str()[r.body..]), (Some("internal"), "# X\n"));
        assert_eq!(s.slice(r.front_matter.field("audience").unwrap().span), "internal");
        let (r, s) = read_text("\n---\ntitle: 障害\ndate: 2024-05-03\n\n# 概要\n");
        assert_eq!((r.diagnostics.len(), s.position(r.diagnostics[0].spans[0].start)), (1, (2, 1)));
        assert!(read_text("").0.front_matter.span.is_none() && read_text("\n\n").0.front_matter.span.is_none());
    }

    #[test]
    fn toml_fields() {
        let (r, s) = read_text(
            "+++\ntitle = \"Panne\"\ndate = 2024-05-03T14:00:00Z # UTC\ntags = [\n  \"db\",\n  \"cache\",\n]\n[extra]\nsev = 2\n+++\nx",
        );
        assert!(r.diagnostics.is_empty());
        let f = &r.front_matter;
        assert_eq!((f.get("title"), f.get("date"), f.get("extra.sev")), (Some("Panne"), Some("2024-05-03T14:00:00Z"), Some("2")));
        assert_eq!(f.all("tags"), ["db", "cache"]);
        assert_eq!(s.slice(f.field("title").unwrap().span), "Panne");
        assert_eq!(&s.text().as_str()[r.body..], "x");
    }
}
