//! Who does an action, until when, and where it is tracked: from columns, from labels inside an item, from an `@name`, or from a name set apart.

use super::units::{Reading, Unit};
use crate::document::Mark;
use crate::lang::Column;

/// Owner, due date and ticket, as written.
pub type Fields = (Option<String>, Option<String>, Option<String>);

/// Owner, due date and ticket: from a row's columns, from labels inside the item, from an `@name` or a leading bold name.
pub fn fields(reading: &Reading, unit: &Unit) -> Fields {
    let (mut owner, mut due, mut ticket) = (None, None, None);
    if let Some((columns, cells)) = reading.row(unit.block) {
        for (column, cell) in columns.columns.iter().zip(cells) {
            let value = cell.as_str().trim();
            // a word for what is still open names nobody
            let open = reading.lexicon.exact_status(value).is_some() && *column != Some(Column::Due);
            let void = value.chars().all(|c| matches!(c, '-' | '–' | '—' | '?' | '/')) || value.eq_ignore_ascii_case("n/a");
            if value.is_empty() || void || open {
                continue;
            }
            match column {
                Some(Column::Owner) => owner = Some(value.to_string()),
                Some(Column::Due) => due = Some(value.to_string()),
                Some(Column::Ticket) => ticket = Some(value.to_string()),
                _ => {}
            }
        }
        return (owner, due, ticket);
    }
    let text = unit.text(reading.document);
    for part in text
        .split(['(', ')', '[', ']', '（', '）', ';', '；', '|', '\n', '—', '–', '\u{3000}'])
        .flat_map(labels_apart)
        .flat_map(|p| p.split(", "))
        .flat_map(|p| p.split(['、', '،']))
    {
        let Some((label, value)) = part.split_once([':', '：']) else {
            // `due 2025-02-01`, without a colon
            if let Some((label, value)) = part.trim().split_once(' ')
                && due.is_none()
                && value.chars().count() <= 24
                && value.chars().any(|c| c.is_ascii_digit())
                && reading.lexicon.exact_column(label) == Some(Column::Due)
            {
                due = Some(value.trim().trim_end_matches(['.', '。']).to_string());
            }
            continue;
        };
        let label = label.rsplit(['.', '。', '-']).next().unwrap_or(label).trim();
        let value = value.trim().trim_end_matches(['.', '。']);
        if label.is_empty() || value.is_empty() || label.split_whitespace().count() > 4 || value.chars().count() > 60 {
            continue;
        }
        let slot = match reading.lexicon.exact_column(label) {
            Some(Column::Owner) => &mut owner,
            Some(Column::Due) => &mut due,
            Some(Column::Ticket) => &mut ticket,
            _ => continue,
        };
        slot.get_or_insert_with(|| value.to_string());
    }
    let (by, until, at) = match bracketed(reading, text) {
        (None, None, None) => dashed(reading, text),
        found => found,
    };
    due = due.or(until);
    ticket = ticket.or(at);
    owner = owner.or_else(|| named(reading, unit)).or(by);
    // a name in the heading above is that of whoever does what stands below it
    let heading = || reading.places[unit.block].heading.map(|h| reading.document.blocks[h].text.as_str());
    owner = owner.or_else(|| handle(text)).or_else(|| heading().and_then(handle));
    if ticket.is_none() {
        let found = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',')).find(|w| is_ticket(w));
        ticket = found.map(|w| w.trim_end_matches(['.', ':', ';', '。']).to_string());
    }
    (owner, due, ticket)
}

/// `@name`, with a family name behind it.
fn handle(text: &str) -> Option<String> {
    let mut words = text.split_whitespace().peekable();
    while let Some(w) = words.next() {
        let bare = w.trim_start_matches(['(', '[', '（', '*', '`']);
        let name = bare.trim_end_matches(|c: char| !c.is_alphanumeric());
        if !name.starts_with('@') || name.len() < 3 || !name[1..].starts_with(char::is_alphabetic) {
            continue;
        }
        let capital = |n: &&str| n.starts_with(char::is_uppercase) && n.chars().skip(1).all(|c| c.is_lowercase());
        let family = words.peek().map(|n| n.trim_end_matches(|c: char| !c.is_alphanumeric())).filter(capital);
        return Some(match family {
            Some(f) if name == bare && name[1..].starts_with(char::is_uppercase) => format!("{name} {f}"),
            _ => name.to_string(),
        });
    }
    None
}

/// True for one to three words with capitals that the lexicon does not know for something else.
fn is_name(reading: &Reading, t: &str) -> bool {
    let words: Vec<&str> = t.split_whitespace().collect();
    let capital = |w: &&str| {
        w.chars().next().is_some_and(char::is_uppercase) && w.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '\''))
    };
    (1..=3).contains(&words.len())
        && words.iter().all(capital)
        && words.iter().any(|w| w.chars().any(char::is_lowercase))
        && is_unknown(reading, t)
}

fn is_unknown(reading: &Reading, t: &str) -> bool {
    reading.lexicon.scan(t).iter().all(|h| matches!(h.tag, crate::lang::Tag::Severity(_)))
        && reading.lexicon.status(t).is_none()
        && reading.lexicon.role(t).is_none()
}

/// What stands in brackets at the end of an item, in any order: who does it, until when, where it is tracked (`… (Ann, OPS-12)`, `…（佐藤、5/1まで）`).
/// Where one of its parts is none of these, the brackets say something else.
fn bracketed(reading: &Reading, text: &str) -> Fields {
    let none = (None, None, None);
    let tail = text.trim_end_matches(['.', '。', ' ']);
    let pairs = [(')', '('), ('）', '（'), (']', '[')];
    let inner = pairs.iter().find_map(|(close, open)| {
        let t = tail.strip_suffix(*close)?;
        t.rfind(*open).map(|at| &t[at + open.len_utf8()..])
    });
    let Some(inner) = inner.filter(|t| t.chars().count() <= 80) else { return none };
    told(reading, inner)
}

/// What stands behind the last dash of an item, where it names both who and until when, or how far it is: `… – Voss, by 16 May`, `… - Kaan - DONE`.
fn dashed(reading: &Reading, text: &str) -> Fields {
    let tail = text.trim_end_matches(['.', '。', ' ']);
    let dashes = [" – ", " — ", " -- ", " - "];
    let Some(at) = dashes.iter().filter_map(|d| tail.find(d).map(|at| at + d.len())).max() else { return (None, None, None) };
    let rest = &tail[at..];
    if rest.chars().count() > 60 {
        return (None, None, None);
    }
    let (owner, due, ticket) = told(reading, rest);
    let stated = rest.split([',', '-', '–', '—', '(']).any(|p| reading.lexicon.exact_status(p.trim()).is_some());
    if due.is_some() || ticket.is_some() || stated { (owner, due, ticket) } else { (None, None, None) }
}

/// Parts between commas that each say who, until when, where it is tracked or how far it is; nothing where one says something else.
fn told(reading: &Reading, inner: &str) -> Fields {
    let none = (None, None, None);
    let parts: Vec<&str> = inner
        .split([',', '、', '，', '،', ';', '；', '—', '–'])
        .flat_map(|p| p.split(" - "))
        .map(|p| p.trim().trim_start_matches('-').trim())
        .filter(|p| !p.is_empty())
        .collect();
    // names without capitals are known by what stands beside them
    let short =
        |t: &str| (1..=8).contains(&t.chars().count()) && t.chars().all(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase());
    let (mut owners, mut due, mut ticket) = (Vec::new(), None, None);
    for part in &parts {
        let state = part.split(['(', '（']).next().unwrap_or(part).trim();
        if part.contains([':', '：']) {
            return none;
        } else if is_ticket(part) {
            ticket = Some(part.to_string());
        } else if reading.lexicon.exact_status(state).is_some() {
            // how far it is
        } else if (part.chars().any(|c| c.is_ascii_digit()) || names_month(reading, part)) && due.is_none() && part.chars().count() <= 40 {
            due = Some(until(reading, part));
        } else if is_name(reading, part) || parts.len() > 1 && short(part) && is_unknown(reading, part) {
            owners.push(*part);
        } else {
            return none;
        }
    }
    if owners.is_empty() {
        // a number alone may be anything
        return (None, None, ticket);
    }
    (Some(owners.join(", ")), due, ticket)
}

/// True where a word of a short text is a month's name.
fn names_month(reading: &Reading, part: &str) -> bool {
    let months = &reading.lexicon.calendar().months;
    part.split_whitespace().map(str::to_lowercase).any(|w| w.chars().count() > 2 && months.iter().flatten().any(|m| *m == w))
}

/// Parts of a text before whose labels a sentence ends (`Owner: Otto. Due: 6 June`); a full stop before anything else is part of a name.
fn labels_apart(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut from = 0;
    for (at, stop) in text.match_indices(". ").chain(text.match_indices('。')) {
        let rest = &text[at + stop.len()..];
        let label = rest.chars().take(30).take_while(|c| !matches!(c, '.' | '。')).any(|c| matches!(c, ':' | '：'));
        if label && at >= from {
            out.push(&text[from..at]);
            from = at + stop.len();
        }
    }
    out.push(&text[from..]);
    out
}

/// A day without the word for `by` or `until` beside it.
fn until(reading: &Reading, part: &str) -> String {
    let words = &reading.lexicon.file.calendar.before;
    let lower = part.to_lowercase();
    let mut cut = part;
    for w in words.iter().map(|w| w.trim_end_matches('*').to_lowercase()).filter(|w| !w.is_empty()) {
        let spaced = format!("{w} ");
        if lower.starts_with(&spaced)
            && let Some(rest) = part.get(spaced.len()..).filter(|r| r.len() < cut.len())
        {
            cut = rest;
        } else if !w.is_ascii() && lower.len() == part.len() && lower.ends_with(&w) {
            cut = part.get(..part.len() - w.len()).filter(|r| r.len() < cut.len()).unwrap_or(cut);
        }
    }
    cut.trim().to_string()
}

/// A name that is set apart: bold before a colon at the head of the item (`**Bob**: check …`), or alone in brackets at its head or end (`… (Ann)`). It must not be
/// a word the lexicon knows for something else.
fn named(reading: &Reading, unit: &Unit) -> Option<String> {
    let block = reading.block(unit);
    let text = unit.text(reading.document);
    let is_name = |t: &str| is_name(reading, t);
    let head = block.marks.iter().find(|(r, m)| *m == Mark::Strong && r.start == unit.range.start && r.end < unit.range.end);
    if let Some((r, _)) = head {
        let bold = block.text.as_str()[r.clone()].trim_end_matches([':', '：', ' ']);
        let after = block.text.as_str()[r.end..unit.range.end].trim_start();
        if is_name(bold) && (after.starts_with([':', '：']) || block.text.as_str()[r.clone()].trim_end().ends_with([':', '：'])) {
            return Some(bold.to_string());
        }
    }
    // a team in brackets before the action: `[Platform] rotate the keys`
    let before = text.strip_prefix('[').and_then(|t| t.split_once(']')).filter(|(_, rest)| rest.starts_with(' '));
    before.filter(|(team, _)| is_name(team.trim())).map(|(team, _)| team.trim().to_string())
}

/// `ABC-123`, `#123`.
fn is_ticket(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ':', ';', '。']);
    if let Some(n) = word.strip_prefix('#') {
        return n.len() >= 2 && n.chars().all(|c| c.is_ascii_digit());
    }
    word.split_once('-').is_some_and(|(key, n)| {
        (2..=10).contains(&key.len())
            && key.chars().all(|c| c.is_ascii_uppercase())
            && !n.is_empty()
            && n.chars().all(|c| c.is_ascii_digit())
            && !matches!(key, "UTF" | "ISO" | "RFC" | "SHA" | "AES" | "TLS" | "CVE" | "HTTP")
    })
}
