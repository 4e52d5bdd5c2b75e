//! The query language: words, "phrases", `-word`, and filters such as `cause:retry`, `service:api`, `since:2024-06`.

use super::fold::in_word;
use crate::error::{Error, Result};

/// What a filter is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A word or concept in a cause.
    Cause,
    /// A word or concept in a remediation item.
    Fix,
    /// What was affected.
    Service,
    /// A pattern's id.
    Pattern,
    /// The document's language.
    Lang,
    /// How bad it was.
    Severity,
    /// Not before a day.
    Since,
    /// Not after a day.
    Until,
}

impl Key {
    /// Its name in queries and output.
    pub fn name(self) -> &'static str {
        match self {
            Key::Cause => "cause",
            Key::Fix => "fix",
            Key::Service => "service",
            Key::Pattern => "pattern",
            Key::Lang => "lang",
            Key::Severity => "severity",
            Key::Since => "since",
            Key::Until => "until",
        }
    }

    fn named(name: &str) -> Option<Key> {
        Some(match name.to_ascii_lowercase().as_str() {
            "cause" | "causes" => Key::Cause,
            "fix" | "fixes" | "remediation" => Key::Fix,
            "service" | "services" => Key::Service,
            "pattern" | "patterns" => Key::Pattern,
            "lang" | "language" => Key::Lang,
            "severity" | "sev" => Key::Severity,
            "since" | "after" => Key::Since,
            "until" | "before" => Key::Until,
            _ => return None,
        })
    }
}

/// A filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// What it is about.
    pub key: Key,
    /// The wanted value, as typed.
    pub value: String,
    /// True where it must not hold (`-pattern:disk-full`).
    pub not: bool,
}

/// A query, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The words and phrases in the order typed, with the values of `cause:` and `fix:`: what is ranked by.
    pub text: String,
    /// Phrases that must occur.
    pub phrases: Vec<String>,
    /// Words and phrases that must not.
    pub without: Vec<String>,
    /// Filters.
    pub filters: Vec<Filter>,
    /// What was typed like a filter, by names that other programs have and this one has not.
    pub strange: Vec<String>,
}

/// Names of filters elsewhere; other words before a colon are text (`error: 5`).
const ELSEWHERE: [&str; 10] = ["date", "day", "year", "title", "id", "tag", "tags", "owner", "status", "path"];

impl Query {
    /// True where no day is both since and until the days asked for.
    pub fn no_day(&self) -> bool {
        let of = |key: Key| self.filters.iter().filter(move |f| f.key == key && !f.not).filter_map(|f| days(&f.value));
        matches!((of(Key::Since).map(|d| d.0).max(), of(Key::Until).map(|d| d.1).min()), (Some(since), Some(until)) if since > until)
    }
}

/// The quotation marks of many languages, closing ones by their opening ones.
fn closing(open: char) -> Option<&'static [char]> {
    Some(match open {
        '"' => &['"'],
        '“' | '„' | '”' => &['”', '“', '"'],
        '«' => &['»'],
        '「' => &['」'],
        '『' => &['』'],
        _ => return None,
    })
}

/// Takes a query apart. Only a value that cannot be meant is an error: a `since:` without a date.
pub fn parse(text: &str) -> Result<Query> {
    let mut q = Query::default();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let not = matches!(c, '-' | '−') && after.chars().next().is_some_and(|n| in_word(n) || closing(n).is_some());
        let body = if not { after } else { rest };
        let (key, body) = match body.find([':', '：']) {
            Some(colon) => match Key::named(&body[..colon]) {
                Some(key) => (Some(key), body[colon..].trim_start_matches([':', '：'])),
                None => {
                    let name = body[..colon].to_ascii_lowercase();
                    let goes_on = body[colon..].chars().nth(1).is_some_and(|c| !c.is_whitespace());
                    if ELSEWHERE.contains(&name.as_str()) && goes_on {
                        q.strange.push(name);
                    }
                    (None, body)
                }
            },
            None => (None, body),
        };
        let (value, phrase, next) = value(body);
        rest = next.trim_start();
        match (key, not) {
            _ if value.trim().is_empty() => {}
            (Some(key), not) => q.filters.push(checked(Filter { key, value: value.to_string(), not })?),
            (None, true) => q.without.push(value.to_string()),
            (None, false) if phrase => q.phrases.push(value.to_string()),
            (None, false) => {}
        }
        if !not && matches!(key, None | Some(Key::Cause | Key::Fix)) && !value.trim().is_empty() {
            if !q.text.is_empty() {
                q.text.push(' ');
            }
            q.text.push_str(value);
        }
    }
    Ok(q)
}

/// The value that a text begins with: what stands in quotation marks, else up to the next white space. With whether it was quoted, and the rest.
fn value(text: &str) -> (&str, bool, &str) {
    if let Some(open) = text.chars().next()
        && let Some(ends) = closing(open)
    {
        let inner = &text[open.len_utf8()..];
        return match inner.char_indices().find(|(_, c)| ends.contains(c)) {
            Some((end, c)) => (&inner[..end], true, &inner[end + c.len_utf8()..]),
            // a quotation that was not closed is to the end
            None => (inner, true, ""),
        };
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], false, &text[end..])
}

fn checked(filter: Filter) -> Result<Filter> {
    if matches!(filter.key, Key::Since | Key::Until) && days(&filter.value).is_none() {
        let message = format!("`{}:` takes a date, not `{}`", filter.key.name(), filter.value);
        return Err(Error::new(message).hint("write it as 2024-06-25, 2024-06 or 2024"));
    }
    Ok(filter)
}

/// The days that a date (`2024-06-25`, shorter where less is known, `X` for unknown digits) may be, as numbers such as 20240625: from, to.
pub fn days(date: &str) -> Option<(u64, u64)> {
    let day = date.split('T').next().unwrap_or(date).trim();
    let mut parts = day.split('-');
    let (mut low, mut high) = (0, 0);
    for (width, top) in [(4, 9999), (2, 99), (2, 99)] {
        let Some(part) = parts.next() else {
            low *= 10u64.pow(width);
            high = high * 10u64.pow(width) + top;
            continue;
        };
        if part.len() != width as usize || !part.bytes().all(|b| b.is_ascii_digit() || b == b'X') {
            return None;
        }
        if width == 4 && part.starts_with('X') {
            return None;
        }
        low = low * 10u64.pow(width) + part.replace('X', "0").parse::<u64>().ok()?;
        high = high * 10u64.pow(width) + part.replace('X', "9").parse::<u64>().ok()?;
    }
    let fits = |n: u64, top: u64| n <= top;
    (parts.next().is_none() && fits(low / 100 % 100, 12) && fits(low % 100, 31)).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_syntax() {
        let q = parse(r#"retry "health check" -cache cause:overload fix:"rolled back" -pattern:disk-full lang:hu since:2024-06 「障害」"#)
            .unwrap();
        assert_eq!(q.text, "retry health check overload rolled back 障害");
        assert_eq!(q.phrases, ["health check", "障害"]);
        assert_eq!(q.without, ["cache"]);
        let filters: Vec<_> = q.filters.iter().map(|f| (f.key.name(), f.value.as_str(), f.not)).collect();
        assert_eq!(
            filters,
            [
                ("cause", "overload", false),
                ("fix", "rolled back", false),
                ("pattern", "disk-full", true),
                ("lang", "hu", false),
                ("since", "2024-06", false)
            ]
        );
    }

    #[test]
    fn what_only_looks_like_syntax_is_words() {
        for text in ["std::io::Error", "rm -rf", "--force", "error: 5", "a - b", "http://x", "us-east-1"] {
            let q = parse(text).unwrap();
            assert!(q.filters.is_empty() && q.phrases.is_empty(), "{text}: {q:?}");
            assert!(text == "rm -rf" || q.without.is_empty(), "{text}: {q:?}");
        }
        assert_eq!(parse("\"never closed").unwrap().phrases, ["never closed"]);
        assert_eq!(parse("  ").unwrap(), Query::default());
        assert_eq!(parse("lang: -").unwrap().text, "-");
    }

    #[test]
    fn dates() {
        assert_eq!(days("2024-06-25"), Some((20240625, 20240625)));
        assert_eq!(days("2024-06"), Some((20240600, 20240699)));
        assert_eq!(days("2024"), Some((20240000, 20249999)));
        assert_eq!(days("2024-06-25T10:00:00Z"), Some((20240625, 20240625)));
        assert_eq!(days("202X"), Some((20200000, 20299999)));
        for bad in ["XXXX-06-25", "june", "2024-13", "24-6-1", "2024-06-25-01", ""] {
            assert_eq!(days(bad), None, "{bad}");
        }
        assert!(parse("since:2025 until:2024").unwrap().no_day() && !parse("since:2024-05 until:2024").unwrap().no_day());
        assert_eq!(parse("date:2025 error:5 title: x").unwrap().strange, ["date"]);
        assert!(parse("since:yesterday").unwrap_err().to_string().contains("since"));
    }
}
