//! Which lightweight markup is a text written in, whatever its file is called? Told by evidence: each markup has signs that others do not use.

use super::super::Format;

/// How much of a text is looked at, in bytes.
const HEAD: usize = 1 << 16;

/// What was counted in a text.
#[derive(Default)]
struct Seen {
    /// Points for each of [`FORMATS`].
    points: [u32; 6],
    /// Lines that say something.
    lines: usize,
    counts: [usize; KINDS],
}

/// The formats, in the order of their points.
const FORMATS: [Format; 6] = [Format::MediaWiki, Format::AsciiDoc, Format::Rst, Format::Org, Format::Textile, Format::Jira];
const KINDS: usize = 27;

/// One kind of evidence: for which format (its place in [`FORMATS`]), how often it must be seen, and its points.
const WORTH: [(usize, usize, u32); KINDS] = [
    (0, 2, 2), // 0 == Heading ==
    (0, 1, 2), // 1 {| at the head of a line
    (0, 2, 1), // 2 '''bold'''
    (0, 2, 1), // 3 [[link]]
    (0, 1, 1), // 4 [https://x text]
    (0, 1, 2), // 5 <ref>, [[Category:x]] alone, __NOTOC__
    (1, 1, 2), // 6 = Title, the first line
    (1, 2, 2), // 7 == Heading
    (1, 1, 2), // 8 |===
    (1, 1, 2), // 9 [source,x] and the like
    (1, 1, 1), // 10 image::x[], link:x[y]
    (1, 2, 1), // 11 :name: value at the head
    (2, 1, 2), // 12 .. directive::
    (2, 1, 2), // 13 titles underlined with signs that Markdown has not
    (2, 2, 1), // 14 titles underlined
    (2, 1, 2), // 15 `text <url>`_, :role:`text`, .. _x:
    (2, 2, 1), // 16 ``code``
    (2, 1, 1), // 17 a paragraph that ends in two colons
    (3, 1, 2), // 18 #+KEYWORD:
    (3, 1, 2), // 19 :PROPERTIES:, [[x][y]], <2024-05-03 Fri>
    (3, 2, 1), // 20 ** Headline
    (3, 1, 2), // 21 * TODO
    (4, 1, 3), // 22 h2. Heading (shared with Jira's)
    (4, 1, 2), // 23 "text":https://x, |_. head, bc. code
    (5, 1, 2), // 24 {code}, {panel}, {noformat}
    (5, 1, 2), // 25 ||head||, [text|https://x]
    (0, 2, 2), // 26 || cell || cell ||, all rows alike (MoinMoin's and Trac's)
];

impl Seen {
    fn note(&mut self, kind: usize) {
        self.counts[kind] += 1;
        let (format, needed, points) = WORTH[kind];
        if self.counts[kind] == needed {
            self.points[format] += points;
        }
    }
}

/// The markup that most speaks for, and its points; three are enough to be sure of it where nothing else is known.
pub(in super::super) fn detect(text: &str) -> Option<(Format, u32)> {
    let mut points = seen(text).points;
    // what has Jira's boxes or tables has its headings from there too
    if points[5] > 0 && points[4] <= 3 {
        points[5] += points[4];
        points[4] = 0;
    }
    let best = (0..FORMATS.len()).rev().max_by_key(|&i| points[i])?;
    (points[best] > 0).then_some((FORMATS[best], points[best]))
}

/// The points of one format.
pub(in super::super) fn points(text: &str, format: Format) -> u32 {
    let seen = seen(text);
    FORMATS.iter().position(|f| *f == format).map_or(0, |n| seen.points[n])
}

fn seen(text: &str) -> Seen {
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut s = Seen::default();
    let mut fenced = false;
    let lines: Vec<&str> = text[..end].lines().collect();
    for (i, line) in lines.iter().enumerate() {
        let said = line.trim();
        if said.starts_with("```") {
            fenced = !fenced;
        }
        if said.is_empty() || fenced || line.len() > 20_000 {
            continue;
        }
        s.lines += 1;
        // most lines have none of the signs
        let signs = Signs::of(said);
        let before = i.checked_sub(1).map_or("", |n| lines[n].trim());
        if signs.any(b"=|'[<_") {
            wiki(&mut s, said, &signs);
        }
        if signs.any(b"=|[:") {
            asciidoc(&mut s, said);
        }
        if signs.any(b"`:") || said.starts_with(|c: char| c.is_ascii_punctuation()) {
            rst(&mut s, line, said, &signs, before, lines.get(i + 1).map_or("", |l| l.trim_end()));
        }
        if signs.any(b"#*:[<") {
            org(&mut s, line, said);
        }
        if signs.any(b"\"|{[") || said.starts_with(['h', 'b']) {
            textile(&mut s, said);
        }
    }
    s
}

/// The ASCII characters of a line, a bit for each.
struct Signs(u128);

impl Signs {
    fn of(line: &str) -> Signs {
        Signs(line.bytes().filter(u8::is_ascii).fold(0, |all, b| all | 1 << b))
    }

    /// True where any of some signs is there.
    fn any(&self, signs: &[u8]) -> bool {
        signs.iter().any(|b| self.0 & 1 << b > 0)
    }
}

fn signs(said: &str, sign: u8) -> usize {
    said.bytes().take_while(|b| *b == sign).count()
}

fn wiki(s: &mut Seen, said: &str, signs_of: &Signs) {
    let open = signs(said, b'=');
    let has = |sign: u8| signs_of.any(&[sign]);
    let close = said.bytes().rev().take_while(|b| *b == b'=').count();
    if (1..=5).contains(&open) && close == open && said.len() > 2 * open && said[open..].starts_with(' ') | (open > 1) {
        s.note(0);
    }
    if said.starts_with("||") && said.ends_with("||") && said.len() > 6 {
        s.note(26);
    }
    if said.starts_with("{|") || said == "|}" || said == "|-" {
        s.note(1);
    }
    if has(b'\'') && said.matches("'''").count() >= 2 {
        s.note(2);
    }
    if has(b'[') && said.contains("[[") && said.contains("]]") && !said.contains("][") {
        s.note(3);
        // a link that files the page stands alone on its line
        if said.starts_with("[[")
            && said.ends_with("]]")
            && said[2..].find(':').is_some_and(|n| n < 14)
            && !said.contains("://")
            && !said.contains('|')
        {
            s.note(5);
        }
    }
    if has(b'[')
        && said
            .split('[')
            .skip(1)
            .any(|r| r.starts_with("http") && r.find(']').is_some_and(|n| r[..n].contains(' ') && !r[n + 1..].starts_with('(')))
    {
        s.note(4);
    }
    if has(b'<') && (said.contains("<ref>") || said.contains("</ref>")) || said == "__NOTOC__" || said == "__TOC__" {
        s.note(5);
    }
}

fn asciidoc(s: &mut Seen, said: &str) {
    let level = signs(said, b'=');
    if level > 0 && said[level..].starts_with(' ') && !said.ends_with('=') {
        if level == 1 && s.lines == 1 {
            s.note(6);
        } else if (2..=5).contains(&level) {
            s.note(7);
        }
    }
    if said == "|===" {
        s.note(8);
    }
    if ["[source", "[cols=", "[%header", "[NOTE]", "[WARNING]", "[IMPORTANT]", "[TIP]", "[options="].iter().any(|p| said.starts_with(p)) {
        s.note(9);
    }
    if (said.starts_with("image::") || said.starts_with("include::") || said.contains("link:http") || said.contains("xref:"))
        && said.contains('[')
    {
        s.note(10);
    }
    if said.starts_with(':')
        && s.lines < 20
        && said[1..].find(": ").is_some_and(|n| said[1..n + 1].bytes().all(|b| b.is_ascii_lowercase() || b == b'-'))
    {
        s.note(11);
    }
}

fn rst(s: &mut Seen, line: &str, said: &str, signs: &Signs, before: &str, after: &str) {
    if let Some(rest) = said.strip_prefix(".. ") {
        let name = rest.split("::").next().unwrap_or("");
        if name.len() < rest.len() && !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b':' | b'_'))
        {
            s.note(12);
        }
        if rest.starts_with('_') && rest.contains(": ") {
            s.note(15);
        }
    }
    let sign = said.chars().next().unwrap_or(' ');
    if sign.is_ascii_punctuation() && said.len() >= 3 && said.chars().all(|c| c == sign) && !line.starts_with(' ') {
        let titled = before.chars().any(char::is_alphabetic) && before.chars().count() <= said.len() + 2 && before.len() < 200;
        if titled && matches!(sign, '~' | '^' | '"' | '\'' | '#' | '*' | '+' | '`') && after.is_empty() {
            s.note(13);
        } else if titled && matches!(sign, '=' | '-') {
            s.note(14);
        }
    }
    let quoted = signs.any(b"`");
    if quoted && (said.contains(">`_") || [":ref:`", ":doc:`", ":code:`", ":file:`", ":term:`"].iter().any(|r| said.contains(r))) {
        s.note(15);
    }
    if quoted && said.matches("``").count() >= 2 && !said.contains("```") {
        s.note(16);
    }
    if said.ends_with("::") && after.is_empty() && said.len() > 2 {
        s.note(17);
    }
}

fn org(s: &mut Seen, line: &str, said: &str) {
    if let Some(rest) = said.strip_prefix("#+") {
        let lower = rest.to_ascii_lowercase();
        let keyword = lower
            .split_once(':')
            .is_some_and(|(k, _)| (4..20).contains(&k.len()) && k.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_'));
        if lower.starts_with("begin_") || keyword {
            s.note(18);
        }
    }
    let stamp = |open: char| {
        said.split(open).skip(1).any(|r| {
            r.get(..11).is_some_and(|d| {
                d.bytes().enumerate().all(|(i, b)| match i {
                    4 | 7 => b == b'-',
                    10 => b == b' ',
                    _ => b.is_ascii_digit(),
                })
            }) && r[11..].starts_with(|c: char| c.is_alphabetic())
        })
    };
    if said == ":PROPERTIES:" || said.contains("][") && said.contains("[[") || stamp('<') {
        s.note(19);
    }
    let stars = signs(line, b'*');
    if stars >= 2 && line[stars..].starts_with(' ') && !said.ends_with('*') {
        s.note(20);
    }
    if stars >= 1 && [" TODO ", " DONE "].iter().any(|w| line[stars..].starts_with(w)) {
        s.note(21);
    }
}

fn textile(s: &mut Seen, said: &str) {
    let b = said.as_bytes();
    if b.len() > 4
        && b[0] == b'h'
        && (b'1'..=b'6').contains(&b[1])
        && said[2..].find(". ").is_some_and(|n| n == 0 || matches!(b[2], b'(' | b'{'))
    {
        s.note(22);
    }
    if said.contains("\":http") || said.starts_with("|_.") || said.starts_with("bc. ") || said.starts_with("bc.. ") {
        s.note(23);
    }
    if ["{code}", "{code:", "{noformat}", "{panel}", "{panel:", "{quote}", "{info}", "{note}", "{toc"].iter().any(|p| said.starts_with(p)) {
        s.note(24);
    }
    let linked = said.split('[').skip(1).any(|r| r.find("|http").is_some_and(|n| n > 0 && !r[..n].contains(']')));
    if said.starts_with("||") && said.ends_with("||") && said.len() > 6 || linked {
        s.note(25);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_by_its_signs() {
        let is = |text: &str, format: Option<Format>| {
            assert_eq!(detect(text).filter(|(_, n)| *n >= 3).map(|(f, _)| f), format, "{text}");
        };
        is("'''Outage''' of [[Search]].\n== Impact ==\nAll of '''them'''.\n== Cause ==\nSee [[Disk]].\n", Some(Format::MediaWiki));
        is("= Outage\n:toc:\n\n== Impact\n\nx\n\n== Cause\n\ny\n", Some(Format::AsciiDoc));
        is("Outage\n======\n\n.. note:: UTC\n\nImpact\n~~~~~~\n\nx\n", Some(Format::Rst));
        is("#+TITLE: Outage\n* Impact\n** TODO x\n", Some(Format::Org));
        is("h1. Outage\n\nh2. Impact\n\nSee \"x\":https://x.example.\n", Some(Format::Textile));
        is("h1. Outage\n\n{code}\nx\n{code}\n", Some(Format::Jira));
        is("Outage\n\n== Impact ==\nAll.\n\n== Cause ==\nDisk.\n", None);
        is("# Outage\n\n- one\n- two\n\n```\n== x ==\n{| y\n```\n", None);
        is("Outage\n======\n\nText.\n\nImpact\n------\n\nx\n", None);
        is("= Outage =\n== Impact ==\n|| A || B ||\n|| 1 || 2 ||\n", Some(Format::MediaWiki));
        is("h2. Impact\n||A||B||\n|1|2|\n", Some(Format::Jira));
        is("", None);
    }
}
