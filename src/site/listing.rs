//! How the list of a timeline reads: in which order its entries stand, and what each says once its stamp is told beside it.

use super::stamp::Stamp;
use crate::book::view::Event;

/// The order in which the entries are listed. Where every clock stands on a known day and in zones that can be compared, it is the order of time, and an
/// entry without a clock stays behind the one it follows in the text unless its own day says otherwise; in any other case it is the order of the text.
pub fn order(events: &[Event]) -> Vec<usize> {
    let stamps: Vec<Stamp> = events.iter().map(|e| Stamp::read(&e.at)).collect();
    let mut list: Vec<usize> = (0..events.len()).collect();
    let clocked = || stamps.iter().filter(|s| s.has_clock());
    let zoned = clocked().filter(|s| s.offset.is_some()).count();
    let comparable = clocked().all(|s| s.day_number().is_some()) && (zoned == 0 || zoned == clocked().count());
    if !comparable {
        return list;
    }
    let first = clocked().next().and_then(|s| s.offset).unwrap_or(0);
    let (mut day, mut offset, mut last) = (None, first, i64::MIN);
    let mut keys = Vec::new();
    for s in &stamps {
        let own = s.day_number();
        offset = s.offset.unwrap_or(offset);
        last = match (own, s.seconds()) {
            (Some(d), Some(t)) => d * 86_400 + t - offset * 60,
            (Some(d), None) if day != Some(d) => d * 86_400 - offset * 60,
            _ => last,
        };
        day = own.or(day);
        keys.push(last);
    }
    list.sort_by_key(|i| keys[*i]);
    list
}

/// The text of an entry without the stamp it begins with, which stands beside it. Only a stamp that is set off from what follows is left out: in
/// `14:00 to 15:00 it was down` the stamp is part of the sentence.
pub fn told(e: &Event) -> &str {
    let text = e.text.trim();
    let written = e.written.trim();
    let Some(at) = text.find(written).filter(|_| !written.is_empty()) else { return text };
    let (before, rest) = (&text[..at], &text[at + written.len()..]);
    if !leads(before, e, rest) {
        return text;
    }
    let said = rest.trim_start_matches(|c: char| c.is_whitespace() || separates(c));
    let between = &rest[..rest.len() - said.len()];
    let Some(next) = said.chars().next() else { return text };
    let set_off = match between {
        "" => false,
        // a closed bracket or cell ends a stamp whatever follows
        b if b.contains(['|', ':', '：', ']', '】', ')', '）']) => b.chars().count() > 1 || !next.is_ascii_digit(),
        b if b.contains(separates) => !next.is_numeric(),
        _ => !next.is_lowercase() && !next.is_numeric(),
    };
    if set_off { said } else { text }
}

/// True where what stands before a stamp says nothing of its own: signs, the number of a list item, or the date whose clock the stamp is.
fn leads(before: &str, e: &Event, rest: &str) -> bool {
    if !before.chars().any(char::is_alphabetic) {
        return before.chars().count() <= 6 || date_in(before, e);
    }
    before.split_whitespace().count() <= 6 && date_in(before, e) && rest.trim_start().starts_with(|c: char| separates(c) && c != ',')
}

/// True where a text begins with a number and holds the day of an entry.
fn date_in(before: &str, e: &Event) -> bool {
    let s = Stamp::read(&e.at);
    let mut numbers = before.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
    let holds = |wanted: Option<i64>| wanted.is_some_and(|w| numbers.clone().any(|n| n.parse() == Ok(w)));
    let day = holds(s.day);
    before.starts_with(|c: char| c.is_ascii_digit()) && day && numbers.all(|n| n.len() <= 4)
}

fn separates(c: char) -> bool {
    matches!(c, ':' | '：' | '-' | '–' | '—' | ']' | '】' | ')' | '）' | '|' | ',' | '、' | '，' | '.' | '。')
}

#[cfg(test)]
mod tests {
    use super::super::sample::event;
    use super::*;

    #[test]
    fn the_stamp_is_not_said_twice() {
        let told = |written: &str, text: &str| {
            super::told(&Event { written: written.into(), text: text.into(), at: "2019-10-21T01:39:00Z".into(), ..Event::default() })
                .to_string()
        };
        for (written, text, left) in [
            ("14:00", "[14:00] pods restart", "pods restart"),
            ("09:02", "09:02 | Maintenance", "Maintenance"),
            ("09:02", "09:02 | 3 nodes gone", "3 nodes gone"),
            ("午後7時01分", "午後7時01分　流入を抑える", "流入を抑える"),
            ("21 janvier 2025, 9 h 00", "2. 21 janvier 2025, 9 h 00 : la file grossit", "la file grossit"),
            ("01:39", "21 de octubre de 2019, 01:39 — Salta la alarma", "Salta la alarma"),
            ("2017. február 28", "2017. február 28., délelőtt: a csapat", "délelőtt: a csapat"),
            ("18:12 UTC", "18:12 UTC Services are back", "Services are back"),
        ] {
            assert_eq!(told(written, text), left);
        }
        for (written, text) in [
            ("14:00", "14:00"),
            ("14:00", "at about 14:00 it stopped"),
            ("14:00", "By 14:00 both were full"),
            ("14:00", "14:00 to 15:00 it was down"),
            ("14:00", "14:00–15:00 it was down"),
            ("5月12日", "5月12日から展開していた"),
            ("14:00", "The 21 nodes of the pool, 14:00 — all gone"),
            ("", "nothing written"),
        ] {
            assert_eq!(told(written, text), text);
        }
    }

    #[test]
    fn entries_stand_in_the_order_of_time_where_it_is_known() {
        let of = |list: &[&str]| order(&list.iter().map(|at| event(at, "x")).collect::<Vec<_>>());
        assert_eq!(of(&["2021-01-04T10:00:00Z", "2021-01-04T10:30:00+01:00", "2021-01-04T08:00:00Z"]), [2, 1, 0]);
        assert_eq!(of(&["2021-01-04T10:00:00", "2021-01-04T08:00:00"]), [1, 0]);
        // a day unknown, a zone here and none there
        assert_eq!(of(&["2021-01-04T10:00:00Z", "XXXX-XX-XXT08:00:00Z"]), [0, 1]);
        assert_eq!(of(&["2021-01-04T10:00:00Z", "2021-01-04T08:00:00"]), [0, 1]);
        // without a clock: behind the entry before, or on a day of its own
        assert_eq!(of(&["2021-01-04T10:00:00Z", "2021-01-04", "2021-01-04T08:00:00Z", "2021-01-01", "XXXX"]), [3, 4, 2, 0, 1]);
        assert_eq!(of(&["2021-01-04", "2021-01-02"]), [1, 0]);
    }
}
