//! What only one occurrence has: ids, addresses, times. It says nothing about what went wrong, and is left out of what is compared.

use std::collections::BTreeMap;

/// Leaves the noise of a line out and counts it by kind.
pub(super) fn strip(line: &str, counts: &mut BTreeMap<&'static str, usize>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let skip = rest.find(|c: char| !separates(c)).unwrap_or(rest.len());
        out.push_str(&rest[..skip]);
        at += skip;
        let rest = &line[at..];
        let end = rest.find(separates).unwrap_or(rest.len());
        if end == 0 {
            continue;
        }
        // a full stop or colon at its end belongs to the sentence
        let core = rest[..end].trim_end_matches(['.', ':', '?', '!']);
        match judge(core) {
            Some((kind, kept)) => {
                *counts.entry(kind).or_default() += 1;
                out.push_str(kept);
            }
            None => out.push_str(core),
        }
        out.push_str(&rest[core.len()..end]);
        at += end;
    }
    out
}

fn separates(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '(' | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '<'
                | '>'
                | ','
                | ';'
                | '"'
                | '\''
                | '`'
                | '='
                | '|'
                | '“'
                | '”'
                | '（'
                | '）'
                | '「'
                | '」'
                | '、'
                | '。'
        )
}

/// What kind of noise a chunk is, and what of it is kept.
fn judge(chunk: &str) -> Option<(&'static str, &str)> {
    if !chunk.is_ascii() || chunk.len() < 5 {
        return None;
    }
    if chunk.contains("://") {
        return Some(("link", ""));
    }
    if let Some((name, host)) = chunk.split_once('@')
        && !name.is_empty()
        && host.contains('.')
        && !host.contains(['/', ':'])
    {
        return Some(("e-mail address", ""));
    }
    if is_address(chunk) {
        return Some(("address", ""));
    }
    if is_time(chunk) {
        return Some(("time", ""));
    }
    if is_uuid(chunk) || is_id(chunk) {
        return Some(("id", ""));
    }
    pod(chunk).map(|kept| ("pod id", kept))
}

fn digits(s: &str) -> bool {
    !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit())
}

fn hex(s: &str) -> bool {
    !s.is_empty() && s.bytes().all(|b| b.is_ascii_hexdigit())
}

/// A clock, a date, both, or seconds since 1970.
pub(super) fn is_time(chunk: &str) -> bool {
    let chunk = chunk.trim_matches(['[', ']', '(', ')', ',', ';', ':']);
    if digits(chunk) {
        return matches!(chunk.len(), 10 | 13 | 16 | 19) && chunk.starts_with('1');
    }
    let day = |s: &str| {
        let parts: Vec<&str> = s.split(['-', '/', '.']).collect();
        parts.len() == 3 && parts.iter().all(|p| digits(p) && p.len() <= 4) && parts.iter().filter(|p| p.len() == 4).count() == 1
    };
    match chunk.split_once(['T', '_']) {
        Some((d, c)) => day(d) && (c.is_empty() || c.as_bytes()[0].is_ascii_digit()),
        None => {
            day(chunk)
                || has_clock(chunk) && chunk.bytes().all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.' | b',' | b'+' | b'-' | b'Z'))
        }
    }
}

/// True where a text holds a clock such as 10:02.
pub(super) fn has_clock(text: &str) -> bool {
    let b = text.as_bytes();
    (0..b.len()).any(|i| {
        let before = i.checked_sub(1).is_some_and(|j| b[j].is_ascii_digit());
        b[i] == b':' && before && b.get(i + 1).is_some_and(u8::is_ascii_digit) && b.get(i + 2).is_some_and(u8::is_ascii_digit)
    })
}

fn is_address(chunk: &str) -> bool {
    let bare = chunk.split('/').next().unwrap_or(chunk);
    let host = match bare.split_once(':') {
        Some((host, port)) if digits(port) => host,
        _ => bare,
    };
    let four: Vec<&str> = host.split('.').collect();
    if four.len() == 4 && four.iter().all(|p| p.parse::<u8>().is_ok()) {
        return true;
    }
    let groups: Vec<&str> = bare.trim_matches(['[', ']']).split(':').collect();
    groups.len() >= 4
        && groups.iter().all(|g| g.len() <= 4 && (g.is_empty() || hex(g)))
        && groups.iter().filter(|g| !g.is_empty()).count() >= 2
}

fn is_uuid(chunk: &str) -> bool {
    let lengths: Vec<usize> = chunk.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && chunk.split('-').all(hex)
}

/// Hashes, long numbers, memory addresses, tokens. An error code (`0x80070005`, `00060`, `c0000005`) is none of these.
fn is_id(chunk: &str) -> bool {
    let (has_digit, has_letter) = (chunk.bytes().filter(u8::is_ascii_digit).count(), chunk.bytes().filter(u8::is_ascii_alphabetic).count());
    if let Some(tail) = chunk.strip_prefix("0x") {
        return hex(tail) && tail.len() > 8;
    }
    if digits(chunk) {
        return chunk.len() >= 7;
    }
    if hex(chunk) && has_digit >= 2 && has_letter >= 1 {
        // eight of them, nearly all digits, are a status code
        return chunk.len() > 8 || (chunk.len() >= 7 && has_letter >= 2);
    }
    let token = chunk.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'_' | b'-'));
    let mixed = chunk.bytes().any(|b| b.is_ascii_lowercase()) && chunk.bytes().any(|b| b.is_ascii_uppercase());
    token && chunk.len() >= 20 && has_digit >= 4 && has_letter >= 4 && (mixed || !chunk.contains(['-', '_']))
}

/// The name of a workload before the hashes of its replica set and pod.
fn pod(chunk: &str) -> Option<&str> {
    let generated = |s: &str, len: std::ops::RangeInclusive<usize>| {
        len.contains(&s.len())
            && s.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
            && !s.bytes().any(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u'))
    };
    let (rest, last) = chunk.rsplit_once('-')?;
    if !generated(last, 5..=5) || digits(last) {
        return None;
    }
    match rest.rsplit_once('-') {
        Some((name, set))
            if (8..=10).contains(&set.len())
                && set.bytes().any(|b| b.is_ascii_digit())
                && set.bytes().all(|b| b.is_ascii_alphanumeric()) =>
        {
            Some(name)
        }
        _ => last.bytes().any(|b| b.is_ascii_digit()).then_some(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_goes_and_codes_stay() {
        let mut counts = BTreeMap::new();
        let line = "2024-05-01T10:00:00.123Z [10:02:03] pod api-7d9f8b6c5d-x2x4z (10.0.0.1:8080, fe80::1:2:3) id=550e8400-e29b-41d4-a716-446655440000 \
                    sha 9f86d081884c7d65 at 0x7fff5fbff8c0: ORA-00060, 0x80070005, HTTP 502, ECONNRESET, us-east-1, node-1, v1.2.3, 1714550400, a@b.io.";
        let kept = strip(line, &mut counts);
        assert_eq!(
            kept.split_whitespace().collect::<Vec<_>>().join(" "),
            "[] pod api (, ) id= sha at : ORA-00060, 0x80070005, HTTP 502, ECONNRESET, us-east-1, node-1, v1.2.3, , ."
        );
        assert_eq!(counts, BTreeMap::from([("address", 2), ("e-mail address", 1), ("id", 3), ("pod id", 1), ("time", 3)]));
    }

    #[test]
    fn prose_is_left_as_it_is() {
        for line in [
            "Az adatbázis 12 percig állt.",
            "障害は10時に発生（詳細は後述）。",
            "we added deadbeef, facade and 3 replicas-of",
            "service-mesh-proxy",
            "",
        ] {
            let mut counts = BTreeMap::new();
            assert_eq!(strip(line, &mut counts), line);
            assert!(counts.is_empty(), "{counts:?}");
        }
    }
}
