//! Who does an action, until when, and where it is tracked: from columns, from labels inside an item, from an `@name`, or from a name set apart.

use super::names::{heading_owner, is_owner, is_person, is_unknown, is_void};
use super::units::{Reading, Unit};
use crate::document::{Kind, Mark};
use crate::lang::{Column, Role};

/// Owner, due date and ticket, as written.
pub type Fields = (Option<String>, Option<String>, Option<String>);

/// Owner, due date and ticket: from a row's columns, from labels inside the item, from an `@name` or a leading bold name.
pub fn fields(reading: &Reading, unit: &Unit) -> Fields {
    let (mut owner, mut due, mut ticket) = (None, None, None);
    let home = matches!(unit.role, Some(Role::Remediation | Role::Prevention));
    if let Some((columns, cells)) = reading.row(unit.block) {
        for (column, cell) in columns.columns.iter().zip(cells) {
            let value = cell.as_str().trim();
            // a word for what is still open names nobody
            let open = reading.lexicon.exact_status(value).is_some() && *column != Some(Column::Due);
            if value.is_empty() || is_void(reading, value, *column) || open {
                continue;
            }
            match column {
                Some(Column::Owner) => owner = Some(value.to_string()),
                Some(Column::Due) => due = Some(until(reading, value)),
                // the day of an action is the one until when
                Some(Column::Date) if home => due = due.or_else(|| Some(value.to_string())),
                Some(Column::Ticket) => ticket = Some(value.to_string()),
                _ => {}
            }
        }
        return (owner, due, ticket);
    }
    let text = unit.text(reading.document);
    for part in text
        .split(['(', ')', '[', ']', '（', '）', '【', '】', ';', '；', '|', '\n', '—', '–', '\u{3000}'])
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
                due = Some(until(reading, value.trim().trim_end_matches(['.', '。'])));
            } else if due.is_none() && home {
                due = deadline(reading, part, true);
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
            Some(Column::Date) if home => &mut due,
            Some(Column::Ticket) => &mut ticket,
            _ => continue,
        };
        if is_void(reading, value, None) {
            continue;
        }
        slot.get_or_insert_with(|| value.to_string());
    }
    let (by, until, at) = match bracketed(reading, text) {
        (None, None, None) => dashed(reading, text, home),
        found => found,
    };
    due = due.or(until);
    ticket = ticket.or(at);
    owner = owner.or_else(|| named(reading, unit)).or(by);
    // a name in the heading above is that of whoever does what stands below it
    let heading = || reading.places[unit.block].heading.map(|h| reading.document.blocks[h].text.as_str());
    owner = owner.or_else(|| handle(text)).or_else(|| heading().and_then(handle)).or_else(|| headed(reading, unit).filter(|_| home));
    due = due.or_else(|| deadline(reading, text, false).filter(|_| home));
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
fn dashed(reading: &Reading, text: &str, home: bool) -> Fields {
    let tail = text.trim_end_matches(['.', '。', ' ']);
    let dashes = [" – ", " — ", " -- ", " - "];
    let Some(at) = dashes.iter().filter_map(|d| tail.find(d).map(|at| at + d.len())).max() else { return (None, None, None) };
    let rest = &tail[at..];
    if rest.chars().count() > 60 {
        return (None, None, None);
    }
    let (owner, due, ticket) = told(reading, rest);
    let stated = rest.split([',', '-', '–', '—', '(']).any(|p| reading.lexicon.exact_status(p.trim()).is_some());
    // a name alone is enough where actions are listed
    let alone = home && owner.as_deref().is_some_and(|o| rest.trim_matches(['*', '_', ' ']) == o);
    if due.is_some() || ticket.is_some() || stated || alone { (owner, due, ticket) } else { (None, None, None) }
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
        } else if let Some((day, name)) = part.split_once(' ').filter(|(day, name)| is_day(day) && short(name) && is_unknown(reading, name))
        {
            // `9/14 佐々木`
            (due, owners) = (due.or_else(|| Some(until(reading, day))), [owners, vec![name]].concat());
        } else if is_owner(reading, part) && !part.chars().any(|c| c.is_ascii_digit()) {
            owners.push(*part);
        } else if (part.chars().any(|c| c.is_ascii_digit()) || names_month(reading, part)) && due.is_none() && part.chars().count() <= 40 {
            due = Some(until(reading, part));
        } else if short(part) && is_unknown(reading, part) && (parts.len() > 1 || stands_elsewhere(reading, part)) {
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

/// The name that the heading, the line or the item above an item consists of. A word with a capital is taken for one where it is not the only list that
/// has a name above it, and none has something else there; or where it stands elsewhere in the text as well.
fn headed(reading: &Reading, unit: &Unit) -> Option<String> {
    if !matches!(reading.document.blocks[unit.block].kind, Kind::Item { .. }) {
        return None;
    }
    let above = above(reading, unit.block)?;
    let text = reading.document.blocks[above].text.as_str();
    let owner = heading_owner(reading, text).or_else(|| handle(text))?;
    let plain = text.trim().trim_matches(['*', '_', ':', '：', ' ']) == owner && is_person(reading, &owner);
    (!plain || *reading.owned.get_or_init(|| owned(reading)) || told_of(reading, above, &owner)).then_some(owner)
}

/// The block that heads the list an item stands in: the item it is nested below, the line above the list, or the heading of the section.
fn above(reading: &Reading, item: usize) -> Option<usize> {
    let blocks = &reading.document.blocks;
    let Kind::Item { depth, .. } = blocks[item].kind else { return None };
    let outer = |b: &crate::document::Block| if let Kind::Item { depth: d, .. } = b.kind { d < depth } else { true };
    let above = blocks[..item].iter().rposition(outer)?;
    let place = &reading.places[above];
    let inside = place.section == reading.places[item].section && Some(above) != reading.title;
    (inside && (!place.is_heading || place.heading == Some(above))).then_some(above)
}

/// True where each list of actions stands below the name of somebody, and there are several.
fn owned(reading: &Reading) -> bool {
    let planned = |n: usize| matches!(reading.places[n].role, Some(Role::Remediation | Role::Prevention));
    let items = reading.document.blocks.iter().enumerate().filter(|(n, b)| planned(*n) && matches!(b.kind, Kind::Item { .. }));
    let (mut heads, mut last) = (std::collections::BTreeSet::new(), None);
    for (n, block) in items.take(400) {
        // the items of one list have one head
        let Kind::Item { depth, .. } = block.kind else { continue };
        if last.replace((n, depth)).is_some_and(|(m, d)| m + 1 == n && d == depth) {
            continue;
        }
        let Some(head) = above(reading, n) else { return false };
        heads.insert(reading.document.blocks[head].text.as_str().trim());
    }
    heads.len() >= 2 && heads.iter().all(|t| heading_owner(reading, t).is_some())
}

/// True where a name stands somewhere else than in the block that it heads a list with, and not at the beginning of a sentence only.
fn told_of(reading: &Reading, head: usize, name: &str) -> bool {
    let inside = |text: &str| {
        text.match_indices(name)
            .any(|(at, _)| at > 0 && text[..at].ends_with(' ') && !text[..at].trim_end().ends_with(['.', ':', '!', '?']))
    };
    reading.document.blocks.iter().enumerate().any(|(n, b)| n != head && inside(b.text.as_str()))
}

/// True where a word stands somewhere in the document and not in brackets: who did something is also told of.
fn stands_elsewhere(reading: &Reading, word: &str) -> bool {
    let free = |text: &str| text.match_indices(word).any(|(at, _)| !text[..at].ends_with(['(', '（', '[', '［', '【']));
    reading.document.blocks.iter().any(|b| free(b.text.as_str()))
}

/// True for figures of a day: `9/14`, `6.30.`.
fn is_day(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '/' | '.' | '-' | '月' | '日' | '年'))
}

/// A day without the words for `by` or `until` beside it, the label of a deadline before it, and the word for how far it is after it.
fn until(reading: &Reading, part: &str) -> String {
    let words = &reading.lexicon.file.calendar.before;
    let mut part = part.trim();
    if let Some((label, day)) = part.split_once(' ')
        && day.chars().any(|c| c.is_ascii_digit())
        && reading.lexicon.exact_column(label) == Some(Column::Due)
    {
        part = day.trim();
    }
    if let Some((day, state)) = part.rsplit_once(' ')
        && day.chars().any(|c| c.is_ascii_digit())
        && reading.lexicon.exact_status(state).is_some()
    {
        part = day.trim();
    }
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

/// The day behind a word for `by` or `until` in a sentence (`… will be tested by 30 April`): at most two words stand between, and it goes on as long as
/// its words are figures, months, days of the week or short. `whole`: it has to be all that follows.
fn deadline(reading: &Reading, text: &str, whole: bool) -> Option<String> {
    let calendar = reading.lexicon.calendar();
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return None;
    }
    let named = |w: &str| {
        let bare = w.trim_matches(|c: char| !c.is_alphanumeric());
        let in_list = |lists: &Vec<Vec<String>>| {
            lists.iter().flatten().any(|f| f == bare || f.strip_suffix('*').is_some_and(|s| bare.starts_with(s)))
        };
        bare.chars().count() > 2 && (in_list(&calendar.months) || in_list(&calendar.weekdays))
    };
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    for word in calendar.before.iter().filter(|w| !w.ends_with('*')) {
        for (at, found) in lower.match_indices(word.as_str()) {
            let from = at + found.len();
            let opens = at == lower.len() - lower.trim_start().len();
            if !edge(lower[..at].chars().next_back()) || !lower[from..].starts_with(' ') || whole && !opens {
                continue;
            }
            let (mut end, mut place) = (None, from);
            let mut passed = 0;
            for piece in lower[from..].split_inclusive(' ') {
                let (start, w) = (place, piece.trim());
                place += piece.len();
                if w.is_empty() {
                    continue;
                }
                let next = || lower[place..].split_whitespace().next().unwrap_or("");
                let number = |w: &str| {
                    w.trim_matches(|c: char| !c.is_ascii_digit())
                        .parse::<u16>()
                        .is_ok_and(|n| (1..=31).contains(&n) || (1990..2100).contains(&n))
                };
                if named(w) || is_date(w) || number(w) && !w.ends_with('%') && (end.is_some() || named(next())) {
                    end = Some(start + piece.trim_end().len());
                } else if end.is_some() || passed > 2 || w.chars().count() > 4 {
                    break;
                } else {
                    passed += 1;
                }
                if w.ends_with([',', ';', ':', ')']) {
                    break;
                }
            }
            let Some(end) = end.filter(|end| !whole || !lower[*end..].chars().any(char::is_alphanumeric)) else { continue };
            return text.get(from..end).map(|t| t.trim().trim_end_matches(['.', ',', ';', ')', '。']).to_string());
        }
    }
    None
}

/// True for a day or quarter in figures: `2024-03-12`, `12/3`, `31.01.`, `Q2`.
fn is_date(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let parts: Vec<&str> = bare.split(['-', '/', '.']).collect();
    let small = |p: &str| (1..=2).contains(&p.len()) && p.parse::<u8>().is_ok_and(|n| (1..=31).contains(&n));
    let year = |p: &str| p.len() == 4 && p.starts_with("20") && p.parse::<u16>().is_ok();
    let quarter = |p: &str| matches!(p, "q1" | "q2" | "q3" | "q4");
    match parts.as_slice() {
        [one] => quarter(one),
        [a, b] => {
            small(a) && small(b) && (bare.contains('/') || b.len() == 2) || year(a) && (quarter(b) || small(b)) || quarter(a) && year(b)
        }
        [a, b, c] => small(b) && (year(a) && small(c) || small(a) && (year(c) || small(c))),
        _ => false,
    }
}

/// A name that is set apart: bold before a colon at the head of the item (`**Bob**: check …`), or alone in brackets at its head or end (`… (Ann)`). It must not be
/// a word the lexicon knows for something else.
fn named(reading: &Reading, unit: &Unit) -> Option<String> {
    let block = reading.block(unit);
    let text = unit.text(reading.document);
    let is_name = |t: &str| is_person(reading, t);
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
