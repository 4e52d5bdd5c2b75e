//! How long something took: `3h`, `1h15`, `90 minutes`, `3 days 23 hours`, `0:50`.

use super::date::clean_left;
use super::token::{Kind, Tokens};
use super::words::{Sense, Words};
use std::ops::Range;

/// A stretch of time as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// Its seconds.
    pub seconds: i64,
    /// The smallest unit it is given in, in seconds: how exact it is.
    pub unit: i64,
    /// A word or mark for about stands before it.
    pub about: bool,
    /// Bytes of the text.
    pub range: Range<usize>,
}

/// The first stretch of time of a text. `clocks`: hours and minutes with a colon between them count as one.
pub fn first(text: &str, words: &Words, clocks: bool) -> Option<Length> {
    let t = Tokens::new(text, words);
    (0..t.list.len().min(400)).find_map(|i| at(&t, i, clocks))
}

/// The first stretch of time of a text that does not overlap any of `clocks`.
pub fn outside(text: &str, clocks: &[&Range<usize>], words: &Words) -> Option<Length> {
    let t = Tokens::new(text, words);
    let free = |l: &Length| clocks.iter().all(|c| l.range.end <= c.start || c.end <= l.range.start);
    (0..t.list.len().min(400)).filter_map(|i| at(&t, i, true)).find(free)
}

fn at(t: &Tokens, i: usize, clocks: bool) -> Option<Length> {
    if t.number(i).is_some() && !clean_left(t, i) && !(i > 0 && matches!(t.mark(i - 1), Some('~' | '±' | '≈' | '+'))) {
        return None;
    }
    let about = (i.saturating_sub(2)..i).any(|k| t.means(k, Sense::About) || matches!(t.mark(k), Some('~' | '≈')));
    if clocks && let Some(found) = colons(t, i) {
        return Some(Length { about, range: t.range(i..found.2), seconds: found.0, unit: found.1 });
    }
    let (mut seconds, mut unit, mut end) = part(t, i)?;
    // smaller units follow: `3 days and 23 hours`, `1h15`
    loop {
        let mut j = end;
        for _ in 0..2 {
            j = t.skip(j);
            if t.is(j, ',')
                || t.means(j, Sense::And)
                || matches!(t.kind(j), Some(Kind::Text)) && t.text(j).chars().count() <= 3 && t.number(t.skip(j + 1)).is_some()
            {
                j += 1;
            }
        }
        j = t.skip(j);
        if let Some((more, smaller, after)) = part(t, j).filter(|p| p.1 < unit) {
            (seconds, unit, end) = (seconds + more, smaller, after);
        } else if unit == 3600
            && j == end
            && let Some(minutes) = t.digits(j, 2, 2).filter(|m| *m < 60)
        {
            (seconds, unit, end) = (seconds + i64::from(minutes) * 60, 60, j + 1);
        } else {
            break;
        }
    }
    Some(Length { seconds, unit, about, range: t.range(i..end) })
}

/// `0:50`, `01:05:30`: seconds, exactness, the piece after it.
fn colons(t: &Tokens, i: usize) -> Option<(i64, i64, usize)> {
    let hours = t.digits(i, 1, 3)?;
    let minutes = t.is(i + 1, ':').then(|| t.digits(i + 2, 2, 2))?.filter(|m| *m < 60)?;
    let total = i64::from(hours) * 3600 + i64::from(minutes) * 60;
    if t.is(i + 3, ':')
        && let Some(seconds) = t.digits(i + 4, 2, 2)
    {
        return Some((total + i64::from(seconds), 1, i + 5));
    }
    Some((total, 60, i + 3))
}

/// A count and its unit.
fn part(t: &Tokens, i: usize) -> Option<(i64, i64, usize)> {
    let count = t.count(i)?;
    let mut k = i + 1;
    let mut tenths = 0;
    if matches!(t.mark(k), Some('.' | ','))
        && let Some(n) = t.digits(k + 1, 1, 1)
    {
        tenths = i64::from(n);
        k += 2;
    }
    k = t.skip(k);
    if t.is(k, '-') {
        k += 1;
    }
    let unit = t.unit(k)?.seconds()?;
    let exact = if tenths > 0 { unit / 10 } else { unit };
    Some((i64::from(count) * unit + tenths * unit / 10, exact.max(1), k + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_time() {
        let languages = crate::lang::Languages::builtin();
        for (tag, text, seconds) in [
            ("en", "about 3h", 10_800),
            ("en", "1 hour and 15 minutes", 4500),
            ("en", "90 min", 5400),
            ("en", "1.5 hours", 5400),
            ("en", "0:50", 3000),
            ("fr", "1h15", 4500),
            ("fr", "environ 2 heures", 7200),
            ("de", "ca. 45 Minuten", 2700),
            ("ja", "約 3 日 23 時間", 342_000),
            ("ko", "1시간 36분", 5760),
            ("zh", "约13.5小时", 48_600),
            ("hu", "2 óra 5 perc", 7500),
        ] {
            let words = Words::new(&languages.lexicon(tag), &languages.lexicon("en"));
            assert_eq!(first(text, &words, true).map(|l| l.seconds), Some(seconds), "{text}");
        }
    }
}
