//! The shadow of a Markdown text: as long, byte for byte, but with what Markdown would misread covered. Template tags and imports are covered
//! and left out of the text; numbers that only look like list markers (dates) are covered and kept, as text is taken from the original.

use super::super::shapes;
use std::ops::Range;

/// A text to parse in place of the original, and the ranges that are no text at all.
pub(super) struct Shadow {
    pub text: String,
    /// Ascending; to be left out of the text.
    pub dropped: Vec<Range<usize>>,
}

/// Pairs of marks that hold a template tag.
const TAGS: [(&str, &str); 6] = [("{{<", ">}}"), ("{{%", "%}}"), ("{%", "%}"), ("<%", "%>"), ("{/*", "*/}"), ("{{", "}}")];
/// Template tags are not looked for further than this (in bytes).
const LONGEST_TAG: usize = 4096;

/// Makes the shadow. `mdx` texts also hold exports and components.
pub(super) fn shadow(text: &str, mdx: bool) -> Shadow {
    let mut s = Shadow { text: String::new(), dropped: Vec::new() };
    let mut bytes = text.as_bytes().to_vec();
    let mut fence: Option<(u8, usize)> = None;
    let mut export = false;
    let mut last_number = None;
    let mut tag_end = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.trim_end_matches(['\n', '\r']).len());
        at += line.len();
        if start < tag_end {
            continue;
        }
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let run = |c: u8| bare.bytes().take_while(|b| *b == c).count();
        if let Some((c, n)) = fence {
            if run(c) >= n && bare.trim_end().bytes().all(|b| b == c) {
                fence = None;
            }
            continue;
        }
        if let Some(c) = [b'`', b'~'].into_iter().find(|c| run(*c) >= 3) {
            // a run of backticks that closes on the same line is code in a line
            if c == b'~' || !bare[run(c)..].contains('`') {
                fence = Some((c, run(c)));
                continue;
            }
        }
        if export {
            export = !bare.trim().is_empty();
        }
        if is_import(line) || (mdx && line.starts_with("export ")) {
            export = mdx;
            blank(&mut bytes, start..end);
            s.dropped.push(start..end);
            continue;
        }
        if export {
            blank(&mut bytes, start..end);
            s.dropped.push(start..end);
            continue;
        }
        if line.contains(['{', '%']) || line.starts_with(":::") {
            tag_end = tags(text, start..end, &mut bytes, &mut s.dropped, &mut fence);
        }
        if mdx && bare.starts_with('<') && bare[1..].starts_with(|c: char| c.is_ascii_uppercase()) {
            tag_end = tag_end.max(component(text, end - bare.trim_end().len(), &mut bytes, &mut s.dropped));
        }
        number(line, start, &mut bytes, &mut last_number);
    }
    // only whole characters were covered, and with ASCII
    s.text = String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned());
    s
}

/// A line that imports a component: `import A from './a'`.
fn is_import(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("import ") else { return false };
    let rest = rest.trim().trim_end_matches(';');
    rest.len() < 400 && rest.ends_with(['"', '\'']) && (rest.contains(" from ") || rest.starts_with(['"', '\'']))
}

fn blank(bytes: &mut [u8], range: Range<usize>) {
    for b in &mut bytes[range] {
        if !matches!(*b, b'\n' | b'\r') {
            *b = b' ';
        }
    }
}

/// Covers with a letter, which joins words and opens nothing.
fn cover(bytes: &mut [u8], range: Range<usize>) {
    for b in &mut bytes[range] {
        if !matches!(*b, b'\n' | b'\r') {
            *b = b'x';
        }
    }
}

/// Covers the template tags that begin on a line; the end of the last one is given back, as it may lie on a later line.
fn tags(text: &str, line: Range<usize>, bytes: &mut [u8], dropped: &mut Vec<Range<usize>>, fence: &mut Option<(u8, usize)>) -> usize {
    let mut found: Vec<(Range<usize>, bool)> = Vec::new();
    let mut at = line.start;
    if text[line.clone()].starts_with(":::") {
        let word = text[line.clone()].find(|c: char| c.is_whitespace()).map_or(line.end, |n| line.start + n);
        found.push((line.start..word, true));
        at = word;
    }
    let mut code = false;
    while at < line.end {
        let rest = &text[at..];
        let c = rest.as_bytes()[0];
        if c == b'`' {
            code = !code;
        }
        if !code
            && matches!(c, b'{' | b'<')
            && let Some((_, close)) = TAGS.iter().find(|(open, _)| rest.starts_with(open))
        {
            let mut limit = rest.len().min(LONGEST_TAG);
            while !rest.is_char_boundary(limit) {
                limit -= 1;
            }
            if let Some(n) = rest[2..limit.max(2)].find(close) {
                let end = at + 2 + n + close.len();
                // `{{ x }}` stands for a word: it stays in the text
                found.push((at..end, *close != "}}"));
                at = end;
                continue;
            }
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    let Some(last) = found.last().map(|(r, _)| r.end) else { return 0 };
    let mut rest = String::new();
    let mut from = line.start;
    for (range, _) in &found {
        rest.push_str(&text[from..range.start]);
        from = range.end;
    }
    rest.push_str(text.get(from..line.end).unwrap_or(""));
    let alone = rest.trim().is_empty() && found.iter().all(|(_, drop)| *drop);
    for (range, drop) in &found {
        if *drop {
            dropped.push(range.clone());
        }
        if alone { blank(bytes, range.clone()) } else { cover(bytes, range.clone()) }
    }
    // a tag that opens a listing is a fence
    let inner = text[found[0].0.clone()].trim_start_matches(['{', '%', '<', '-', ' ']);
    if alone && found.len() == 1 && found[0].0.len() >= 3 && inner.starts_with("highlight") {
        let start = found[0].0.start;
        bytes[start..start + 3].copy_from_slice(b"```");
        *fence = Some((b'{', usize::MAX));
        if let Some(end) = closing_tag(text, last) {
            bytes[end.start..end.start + 3].copy_from_slice(b"```");
            blank(bytes, end.start + 3..end.end);
            dropped.push(end.clone());
            *fence = None;
            return end.end;
        }
        *fence = None;
    }
    last
}

/// The tag that closes a listing opened before `from`.
fn closing_tag(text: &str, from: usize) -> Option<Range<usize>> {
    let mut at = from;
    for line in text[from..].split_inclusive('\n').take(2000) {
        let bare = line.trim();
        if bare.starts_with('{') && bare.ends_with('}') && (bare.contains("endhighlight") || bare.contains("/highlight")) {
            let start = at + line.len() - line.trim_start().len();
            return Some(start..start + bare.len());
        }
        at += line.len();
    }
    None
}

/// Covers an opening component tag (`<Tabs items={[1, 2]}>`) at `start`; its end is given back.
fn component(text: &str, start: usize, bytes: &mut [u8], dropped: &mut Vec<Range<usize>>) -> usize {
    let (mut depth, mut quote) = (0i32, None);
    for (i, b) in text.as_bytes()[start..].iter().enumerate().take(LONGEST_TAG) {
        match (quote, b) {
            (Some(q), b) if q == *b => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(*b),
            (None, b'{') => depth += 1,
            (None, b'}') => depth -= 1,
            (None, b'>') if depth <= 0 => {
                let range = start..start + i + 1;
                if !text[range.clone()].contains('{') {
                    return 0; // Markdown reads it as HTML by itself
                }
                blank(bytes, range.clone());
                dropped.push(range.clone());
                return range.end;
            }
            _ => {}
        }
    }
    0
}

/// Covers the sign after a number at the head of a line where it is a date, or a number that no list leads up to.
fn number(line: &str, start: usize, bytes: &mut [u8], last: &mut Option<u32>) {
    let body = line.trim_start_matches([' ', '\t', '>']);
    // a bullet may stand before it
    let inner = body.strip_prefix(['-', '*', '+']).filter(|r| r.starts_with(' ')).map_or(body, str::trim_start);
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    let Some(sign) = inner.as_bytes().get(digits).filter(|b| matches!(b, b'.' | b')') && digits > 0) else { return };
    if !inner[digits + 1..].starts_with([' ', '\t', '\n', '\r']) && !inner[digits + 1..].is_empty() {
        return;
    }
    let value = inner[..digits].parse::<u32>().ok();
    let leads = match (value, *last) {
        (Some(0 | 1), _) => true,
        (Some(n), Some(before)) => n >= before && n <= before.saturating_add(3),
        _ => false,
    };
    if !leads || (*sign == b'.' && shapes::is_dated(inner)) {
        bytes[start + line.len() - inner.len() + digits] = b'x';
    } else {
        *last = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        let s = shadow(text, true);
        assert_eq!(s.text.len(), text.len());
        s.text
    }

    #[test]
    fn dates_are_no_lists() {
        assert_eq!(of("3. Mai 2024: x"), "3x Mai 2024: x");
        assert_eq!(of("1. 5. 2024 – výpadek"), "1x 5. 2024 – výpadek");
        assert_eq!(of("2024. 5. 3. 장애"), "2024x 5. 3. 장애");
        assert_eq!(of("1. a\n2. b\n"), "1. a\n2. b\n");
        assert_eq!(of("17. august blev det rettet"), "17x august blev det rettet");
    }

    #[test]
    fn tags_are_covered() {
        assert_eq!(of("a {% if x %} b"), "a xxxxxxxxxx b");
        assert_eq!(of("{{< note >}}\nb"), "            \nb");
        assert_eq!(of("`{% x %}`"), "`{% x %}`");
        assert_eq!(of("```\n{% x %}\n```\n"), "```\n{% x %}\n```\n");
        assert_eq!(of("import A from './a'\n\n# T"), "                   \n\n# T");
        assert!(of("{% highlight sh %}\n# no\n{% endhighlight %}\n").starts_with("```"));
    }
}
