//! YAML front matter: the library tells the values, the lines tell their bytes and how scalars were written.

use super::{Field, Read};
use crate::data::yaml_value;
use crate::diag::Diagnostic;
use crate::text::Source;
use std::ops::Range;

/// True for a line that begins a field at the top level.
pub(super) fn is_field(line: &str) -> bool {
    key_of(line).is_some()
}

/// The key of a line without indent, and where its value begins.
fn key_of(line: &str) -> Option<(&str, usize)> {
    let line = line.trim_end_matches(['\n', '\r']);
    if let Some(quote) = line.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let end = line[1..].find(quote)? + 1;
        let rest = line[end + 1..].trim_start();
        return rest.starts_with(':').then(|| (&line[1..end], line.len() - rest.len() + 1));
    }
    if line.starts_with([' ', '\t', '#', '-', '[', ']', '{', '}', '>', '|', '*', '&', '!', '%', '@', '`', '?', ':', '<']) {
        return None;
    }
    let at = line.char_indices().take(200).find(|&(i, c)| c == ':' && line[i + 1..].chars().next().is_none_or(char::is_whitespace))?.0;
    let key = line[..at].trim_end();
    // a sentence with a colon in it is no key
    (key.split_whitespace().count() <= 6 && !key.contains(['.', '，', '。'])).then_some((key, at + 1))
}

/// Reads the fields that stand in `inner` of the decoded text.
pub(super) fn fields(source: &Source, inner: Range<usize>, out: &mut Read) {
    let text = source.text().as_str();
    let chunks = chunks(text, inner.clone());
    let whole = yaml_value(&text[inner.clone()]);
    // the whole is asked first, as a field may refer to another; duplicate keys and broken fields make it fail
    let all: Option<Vec<_>> =
        whole.as_ref().ok().and_then(|v| v.as_mapping()).filter(|m| m.len() == chunks.len()).map(|m| m.iter().map(|(_, v)| v).collect());
    let mut told = false;
    for (i, chunk) in chunks.iter().enumerate() {
        let own;
        let value = match all.as_ref().and_then(|all| all.get(i)) {
            Some(value) => Some(*value),
            None => match yaml_value(&text[chunk.range.clone()]) {
                Ok(v) => {
                    own = v;
                    own.as_mapping().and_then(|m| m.iter().next()).map(|(_, v)| v)
                }
                Err(e) => {
                    if !told {
                        told = true;
                        out.diagnostics.push(broken(source, chunk.range.clone(), e));
                    }
                    None
                }
            },
        };
        let raw = trim_range(text, chunk.value.clone());
        let (values, range) = match value {
            None => recovered(text, raw),
            Some(v) if v.is_null() && text[raw.clone()].is_empty() => (vec![], raw),
            Some(v) => {
                if let Some(list) = v.as_sequence() {
                    let written = elements(text, raw.clone());
                    let fits = written.len() == list.len();
                    let values = list.iter().enumerate().map(|(n, e)| {
                        let element = written.get(n).filter(|_| fits).cloned();
                        match (e.as_str(), element) {
                            (Some(s), _) => s.to_owned(),
                            (None, Some(r)) => text[r].to_owned(),
                            (None, None) => {
                                e.as_bool().map(|b| b.to_string()).or_else(|| e.as_f64().map(|n| n.to_string())).unwrap_or_default()
                            }
                        }
                    });
                    (values.collect(), chunk.range.clone())
                } else if v.as_mapping().is_some() {
                    (vec![text[raw].to_owned()], chunk.range.clone())
                } else {
                    written(text, raw, v.as_str())
                }
            }
        };
        let range = trim_range(text, range);
        out.front_matter.fields.push(Field { key: chunk.key.to_lowercase(), values, span: source.text().span(range) });
    }
    if !told && let Err(e) = whole {
        // what no field is guilty of, and what is not merely a key that stands twice
        let mut keys: Vec<String> = chunks.iter().map(|c| c.key.to_owned()).collect();
        keys.sort_unstable();
        if keys.windows(2).all(|w| w[0] != w[1]) {
            out.diagnostics.push(broken(source, inner, e));
        }
    }
}

struct Chunk<'t> {
    key: &'t str,
    range: Range<usize>,
    value: Range<usize>,
}

/// The fields by their lines: one begins where a line without indent bears a key.
fn chunks(text: &str, inner: Range<usize>) -> Vec<Chunk<'_>> {
    let mut out: Vec<Chunk> = Vec::new();
    let mut at = inner.start;
    for line in text[inner].split_inclusive('\n') {
        let end = at + line.len();
        if let Some((key, value)) = key_of(line) {
            out.push(Chunk { key, range: at..end, value: at + value..end });
        } else if let Some(last) = out.last_mut().filter(|_| !line.starts_with('#')) {
            last.range.end = end;
            last.value.end = end;
        }
        at = end;
    }
    out
}

fn trim_range(text: &str, range: Range<usize>) -> Range<usize> {
    super::super::paragraph::trimmed(text, range)
}

/// The value of a scalar and its bytes: as written where it stands on one line without escapes, else as the library reads it.
fn written(text: &str, raw: Range<usize>, read: Option<&str>) -> (Vec<String>, Range<usize>) {
    let body = &text[raw.clone()];
    let first = body.chars().next();
    if let Some(quote) = first.filter(|c| matches!(c, '"' | '\'')) {
        let end = closing_quote(body, quote).unwrap_or(body.len());
        return (vec![read.unwrap_or(&body[1..end.max(1)]).to_owned()], raw.start + 1..raw.start + end.max(1));
    }
    if let Some(read) = read.filter(|_| body.contains('\n') || matches!(first, Some('|' | '>' | '!' | '&' | '*'))) {
        let skip = if matches!(first, Some('|' | '>')) { body.find('\n').map_or(0, |n| n + 1) } else { 0 };
        return (vec![read.trim_end().to_owned()], raw.start + skip..raw.end);
    }
    let value = without_comment(body);
    (vec![value.to_owned()], raw.start..raw.start + value.len())
}

/// What can be had of a field that is no YAML: the rest of its line.
fn recovered(text: &str, raw: Range<usize>) -> (Vec<String>, Range<usize>) {
    let line = text[raw.clone()].lines().next().unwrap_or("").trim_end();
    let value = without_comment(line).trim_matches(['"', '\'']);
    let skip = line.find(value).unwrap_or(0);
    (if value.is_empty() { vec![] } else { vec![value.to_owned()] }, raw.start + skip..raw.start + skip + value.len())
}

fn without_comment(line: &str) -> &str {
    let end = line.match_indices('#').find(|&(i, _)| i == 0 || line[..i].ends_with([' ', '\t'])).map_or(line.len(), |(i, _)| i);
    line[..end].trim_end()
}

/// Where the quote that opens a text closes.
fn closing_quote(text: &str, quote: char) -> Option<usize> {
    let mut it = text.char_indices().skip(1).peekable();
    while let Some((i, c)) = it.next() {
        if c == '\\' && quote == '"' {
            it.next();
        } else if c == quote {
            if quote == '\'' && it.peek().is_some_and(|&(_, d)| d == '\'') {
                it.next();
            } else {
                return Some(i);
            }
        }
    }
    None
}

/// The elements of a list as they are written, by lines (`- a`) or commas (`[a, b]`).
fn elements(text: &str, raw: Range<usize>) -> Vec<Range<usize>> {
    let body = &text[raw.clone()];
    let mut out: Vec<Range<usize>> = Vec::new();
    if body.starts_with('[') {
        let (mut depth, mut from, mut quote) = (0, 1, None);
        for (i, c) in body.char_indices() {
            match (quote, c) {
                (Some(q), c) if q == c => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(c),
                (None, '[' | '{') => depth += 1,
                (None, ']' | '}' | ',') if depth == 1 => {
                    out.push(trim_range(text, raw.start + from..raw.start + i));
                    from = i + 1;
                    depth -= i32::from(c != ',');
                }
                (None, ']' | '}') => depth -= 1,
                _ => {}
            }
        }
        out.retain(|r| !r.is_empty());
        return out;
    }
    let mut at = raw.start;
    let mut column = None;
    for line in body.split_inclusive('\n') {
        // the first line stands behind white space that was trimmed off
        let lead = if at == raw.start { at - text[..at].rfind('\n').map_or(0, |n| n + 1) } else { line.len() - line.trim_start().len() };
        let bare = line.trim_start();
        if bare.starts_with("- ") || bare.trim_end() == "-" {
            let own = *column.get_or_insert(lead);
            if lead == own {
                let start = at + line.len() - bare.len() + 1;
                out.push(start..at + line.len());
                at += line.len();
                continue;
            }
        }
        if let Some(last) = out.last_mut().filter(|_| !bare.starts_with('#')) {
            last.end = at + line.len();
        }
        at += line.len();
    }
    out.into_iter()
        .map(|r| {
            let r = trim_range(text, r);
            let one_line = !text[r.clone()].contains('\n');
            if one_line { r.start..r.start + without_comment(&text[r]).len() } else { r }
        })
        .collect()
}

/// The finding for YAML that cannot be read, at the place the library names.
fn broken(source: &Source, range: Range<usize>, (line, column, message): (usize, usize, String)) -> Diagnostic {
    let text = source.text().as_str();
    let mut start = range.start;
    for _ in 1..line {
        start += text[start..range.end].find('\n').map_or(range.end - start, |n| n + 1);
    }
    let end_of_line = text[start..].find(['\n', '\r']).map_or(text.len(), |n| start + n);
    let at = text[start..end_of_line].char_indices().nth(column - 1).map_or(end_of_line, |(i, _)| start + i);
    let at_end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    let what = message.split(" at line ").next().unwrap_or(&message).to_owned();
    let before = &text[start..at];
    let hint = if text[start..end_of_line].contains('\t') && before.trim().is_empty() {
        "Indent with spaces, not tabs."
    } else if text[at..].starts_with(':') || what.contains("mapping values") {
        "Put a value that holds a colon in quotes."
    } else {
        "Put the value in quotes or mend the line."
    };
    Diagnostic::warning("front-matter", format!("The front matter is not valid YAML: {what}."), vec![source.text().span(at..at_end)])
        .hint(format!("{hint} What could be read of the other fields was read, and the text was."))
}
