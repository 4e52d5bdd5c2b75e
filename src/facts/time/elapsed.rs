//! Moments told by how long after another they were: `ten minutes later`, `T+5`, `+00:05`.

use super::date::{clean_left, clean_right};
use super::scan::Raw;
use super::stamp::{Stamp, announced};
use super::token::{Kind, Tokens};
use super::words::{Sense, Unit};

/// `ten minutes later`: an offset from the entry before.
pub fn offset(t: &Tokens, i: usize) -> Option<Raw> {
    let n = t.count(i).filter(|n| *n <= 600)?;
    if t.number(i).is_some() && (!clean_left(t, i) || announced(t, i)) {
        return None;
    }
    let j = t.skip(i + 1);
    let seconds = short(t.unit(j)?)?;
    let k = t.skip(j + 1);
    // `ten minutes later, …` at the head of a sentence counts from the entry before; `ten minutes after the change` does not
    let opens = i == 0
        || matches!(t.kind(i - 1), Some(Kind::Break | Kind::Mark('.' | ',' | '。' | '!' | '?' | '*')))
        || i > 1 && t.kind(i - 1) == Some(Kind::Space) && matches!(t.mark(i - 2), Some('.' | ',' | '!' | '?' | ':' | '–' | '-'));
    let closes = t.text(k).chars().next_back().is_some_and(super::letters::is_free)
        || matches!(t.mark(k + 1), Some(',' | '.' | ':' | ';'))
        || matches!(t.kind(k + 1), None | Some(Kind::Break));
    let later = t.means(k, Sense::Later);
    if !(t.means(k, Sense::After) && closes || later) || !opens {
        return None;
    }
    let first = Stamp { pieces: i..k + 1, ..Stamp::default() };
    Some(Raw { alone: t.range(i..k + 1), first, offset: Some(i64::from(n) * seconds), rule: "offset", ..Raw::default() })
}

/// `T+5`, `T-10m`, `T+01:05`, and `+00:05` at the head of a line: counted from the beginning. A bare number counts minutes.
pub fn elapsed(t: &Tokens, i: usize) -> Option<Raw> {
    let named = t.text(i) == "t";
    let opens =
        i == 0 || matches!(t.kind(i - 1), Some(Kind::Break | Kind::Mark('|' | '[' | '(' | '*'))) || (t.kind(i - 1) == Some(Kind::Space));
    let sign = if named { i + 1 } else { i };
    let ahead = match t.mark(sign)? {
        '+' => 1,
        '-' | '–' if named => -1,
        _ => return None,
    };
    let (first, digits) = t.number(sign + 1).filter(|n| n.1 <= 4)?;
    if !opens {
        return None;
    }
    let mut end = sign + 2;
    let mut parts = vec![first];
    while parts.len() < 3 && t.is(end, ':') && t.digits(end + 1, 2, 2).is_some_and(|n| n < 60) {
        parts.extend(t.digits(end + 1, 2, 2));
        end += 2;
    }
    let seconds = match parts.as_slice() {
        // an offset from UTC has the same shape
        [hours, minutes] if *hours < 100 && digits <= 2 => i64::from(*hours) * 3600 + i64::from(*minutes) * 60,
        [hours, minutes, seconds] if *hours < 100 => i64::from(*hours) * 3600 + i64::from(*minutes) * 60 + i64::from(*seconds),
        [count] => {
            let k = t.skip(end);
            let unit = t.unit(k).filter(|u| clean_right(t, k + 1) || *u == Unit::Hour && t.number(k + 1).is_some());
            if unit.is_none() && !named {
                return None;
            }
            if unit.is_some() {
                end = k + 1;
            }
            // `T+1h30`, `T+1h 30m`
            let mut total = i64::from(*count) * short(unit.unwrap_or(Unit::Minute))?;
            let k = t.skip(end);
            if unit == Some(Unit::Hour)
                && let Some(minutes) = t.digits(k, 1, 2).filter(|m| *m < 60 && (k == end || t.unit(t.skip(k + 1)) == Some(Unit::Minute)))
            {
                total += i64::from(minutes) * 60;
                end = if t.unit(t.skip(k + 1)) == Some(Unit::Minute) { t.skip(k + 1) + 1 } else { k + 1 };
            }
            total
        }
        _ => return None,
    };
    if !clean_right(t, end) || matches!(t.mark(end), Some('%')) {
        return None;
    }
    let first = Stamp { pieces: i..end, ..Stamp::default() };
    let offset = Some(ahead * seconds);
    Some(Raw { alone: t.range(i..end), first, offset, from_start: true, weak: true, rule: "elapsed", ..Raw::default() })
}

/// The seconds of a unit that entries of a timeline are told by: a day at most.
fn short(unit: Unit) -> Option<i64> {
    unit.seconds().filter(|_| unit >= Unit::Day)
}
