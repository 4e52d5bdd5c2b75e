//! The calendar words of a document: its language's and, beside them, English ones, compiled for search in folded text.

use super::letters::{Joining, edge_after, edge_before, joining, joins};
use super::zone::Zone;
use crate::lang::schema::{Calendar, Forms};
use crate::lang::{Folding, Form, Join, Lexicon, Trie};
use std::collections::BTreeMap;
use std::ops::Range;

/// A part of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DayPart {
    /// Before noon.
    Am,
    /// After noon.
    Pm,
    /// 0 to 6.
    Dawn,
    /// 5 to 12.
    Morning,
    /// About 12.
    Noon,
    /// 12 to 18.
    Afternoon,
    /// 17 to 24.
    Evening,
    /// 21 to 4.
    Night,
    /// 0.
    Midnight,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Year.
    Year,
    /// Month.
    Month,
    /// Week.
    Week,
    /// Day.
    Day,
    /// Hour.
    Hour,
    /// Minute.
    Minute,
    /// Second.
    Second,
}

impl Unit {
    /// Its length in seconds; months and years have none that is fixed.
    pub fn seconds(self) -> Option<i64> {
        match self {
            Unit::Second => Some(1),
            Unit::Minute => Some(60),
            Unit::Hour => Some(3600),
            Unit::Day => Some(86_400),
            Unit::Week => Some(604_800),
            Unit::Month | Unit::Year => None,
        }
    }
}

/// What a calendar word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sense {
    /// A month, 1 to 12.
    Month(u8),
    /// A day of the week, Monday is 0.
    Weekday(u8),
    /// A month of Iran's solar calendar, 1 to 12.
    Solar(u8),
    /// A part of the day.
    Part(DayPart),
    /// A day told from the day of writing (`false`) or of the entry before (`true`): so many days later.
    Day(i8, bool),
    /// A unit, after a number.
    Unit(Unit),
    /// A number in words.
    Number(u32),
    /// Stands before a clock.
    At,
    /// Follows the hour of a clock.
    Hour,
    /// Follows its minute.
    Minute,
    /// Follows its second.
    Second,
    /// Stands before an hour and moves it by so many minutes.
    Shift(i16),
    /// Stands after an hour and moves it by so many minutes.
    Plus(i16),
    /// Stands before a count of years: the year before the first.
    Era(i16),
    /// Follows the year of a date.
    DateYear,
    /// Follows the month of a date.
    DateMonth,
    /// Follows the day of a date.
    DateDay,
    /// May follow the number of a day.
    Ordinal,
    /// Opens a range.
    From,
    /// Stands between the ends of a range.
    To,
    /// Opens a range of the kind `between … and`.
    Between,
    /// Its middle.
    And,
    /// About.
    About,
    /// Until.
    Before,
    /// After, later.
    After,
    /// Later than what was told last.
    Later,
    /// A zone, by its place in [`Words::zones`].
    Zone(u16),
}

/// One way of writing, and how it may sit in a text.
#[derive(Clone, Debug)]
struct Entry {
    senses: Vec<Sense>,
    open_end: bool,
    open_start: bool,
}

/// A calendar word found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Bytes of the folded text.
    pub range: Range<usize>,
    /// The entry, for [`Words::senses`].
    pub entry: u32,
}

/// The compiled words.
pub struct Words {
    finder: Trie,
    inside: bool,
    /// Per word of the finder, the entries that are written so.
    entries: Vec<Vec<u32>>,
    list: Vec<Entry>,
    zones: Vec<Zone>,
    home: Vec<String>,
    folding: Folding,
    prefixes: Vec<String>,
    /// Whether a single word for a part of the day may follow its clock.
    pub(super) part_follows: bool,
    /// Whether the language writes the month before the day where it leaves the year out (`8.21`).
    pub(super) year_first: bool,
    /// What is to be taken from a year that is ahead of the common count (`2567`), where the language has such a count.
    pub(super) ahead: Option<i16>,
}

impl Words {
    /// Compiles the words of a document's language and the English ones.
    pub fn new(lexicon: &Lexicon, english: &Lexicon) -> Words {
        let folding = lexicon.matching.folding;
        let mut words = Words {
            finder: Trie::new(&[]),
            inside: false,
            entries: Vec::new(),
            list: Vec::new(),
            zones: Vec::new(),
            home: lexicon.calendar().at_home(),
            folding,
            prefixes: lexicon.matching.prefixes.clone(),
            // where texts say `9:05 night shift`, a part of the day after the clock begins something else
            part_follows: lexicon.tag() != english.tag(),
            year_first: lexicon.file.dates == "ymd",
            ahead: lexicon.calendar().eras.keys().copied().find(|n| *n < 0),
        };
        // literal and its openness -> senses
        let mut all: BTreeMap<(String, bool, bool), Vec<Sense>> = BTreeMap::new();
        words.collect(lexicon.calendar(), |key, sense| {
            let senses = all.entry(key).or_default();
            if !senses.contains(&sense) {
                senses.push(sense);
            }
        });
        if lexicon.tag() != english.tag() {
            // the language's own word, function words included, shadows an English one of the same letters
            let own: Vec<(String, bool)> = all.iter().map(|((l, open, _), _)| (l.clone(), *open)).collect();
            let taken = |l: &str| lexicon.is_stop(l) || own.binary_search_by(|(o, _)| o.as_str().cmp(l)).is_ok();
            let mut more = Vec::new();
            words.collect(english.calendar(), |key, sense| {
                if !taken(&key.0) {
                    more.push((key, sense));
                }
            });
            for (key, sense) in more {
                all.entry(key).or_default().push(sense);
            }
        }
        let mut literals: Vec<String> = Vec::new();
        for ((literal, open_end, open_start), senses) in all {
            let entry = words.list.len() as u32;
            words.list.push(Entry { senses, open_end, open_start });
            if literals.last() != Some(&literal) {
                literals.push(literal);
                words.entries.push(Vec::new());
            }
            if let Some(last) = words.entries.last_mut() {
                last.push(entry);
            }
        }
        words.inside = !words.prefixes.is_empty() || words.list.iter().any(|e| e.open_start);
        words.finder = Trie::new(&literals.iter().map(String::as_str).zip(0..).collect::<Vec<_>>());
        words
    }

    /// Calls `add` with each form of a calendar: literal, open end, open start, and its sense.
    fn collect(&mut self, c: &Calendar, mut add: impl FnMut((String, bool, bool), Sense)) {
        let folding = self.folding;
        let mut put = |forms: &Forms, sense: Sense| {
            for form in forms {
                let Some(form) = Form::parse(form, folding) else { continue };
                if form.pieces.iter().any(|p| p.join == Join::Gap) {
                    continue;
                }
                let (first, last) = (form.pieces[0].open_start, form.pieces[form.pieces.len() - 1].open_end);
                let literal = form.pieces.iter().map(|p| p.literal.as_str()).collect::<Vec<_>>().join(" ");
                // what follows a number may be written with a hyphen or a dot before or after it, which the grammar skips
                let literal = literal.trim_start_matches(['-', '\'']).trim();
                let bare = literal.trim_end_matches('.');
                let literal = if bare.contains('.') { literal } else { bare };
                if !literal.is_empty() {
                    add((literal.to_string(), last, first), sense);
                }
            }
        };
        for (n, forms) in (1u8..).zip(&c.months) {
            put(forms, Sense::Month(n));
        }
        for (n, forms) in (0u8..).zip(&c.weekdays) {
            put(forms, Sense::Weekday(n));
        }
        for (forms, n) in c.solar.iter().zip(1..=12u8) {
            put(forms, Sense::Solar(n));
        }
        for (name, forms) in &c.parts {
            let part = match name.as_str() {
                "am" => DayPart::Am,
                "pm" => DayPart::Pm,
                "dawn" => DayPart::Dawn,
                "morning" => DayPart::Morning,
                "noon" => DayPart::Noon,
                "afternoon" => DayPart::Afternoon,
                "evening" => DayPart::Evening,
                "night" => DayPart::Night,
                "midnight" => DayPart::Midnight,
                _ => continue,
            };
            put(forms, Sense::Part(part));
        }
        for (name, forms) in &c.day_words {
            let sense = match name.as_str() {
                "today" => Sense::Day(0, false),
                "yesterday" => Sense::Day(-1, false),
                "tomorrow" => Sense::Day(1, false),
                "next_day" => Sense::Day(1, true),
                "same_day" => Sense::Day(0, true),
                "previous_day" => Sense::Day(-1, true),
                _ => continue,
            };
            put(forms, sense);
        }
        for (name, forms) in &c.units {
            let unit = match name.as_str() {
                "year" => Unit::Year,
                "month" => Unit::Month,
                "week" => Unit::Week,
                "day" => Unit::Day,
                "hour" => Unit::Hour,
                "minute" => Unit::Minute,
                "second" => Unit::Second,
                _ => continue,
            };
            put(forms, Sense::Unit(unit));
        }
        for (n, forms) in &c.numbers {
            put(forms, Sense::Number(*n));
        }
        for (list, sense) in [(&c.clock.shift, Sense::Shift as fn(i16) -> Sense), (&c.clock.plus, Sense::Plus), (&c.eras, Sense::Era)] {
            for (n, forms) in list {
                put(forms, sense(*n));
            }
        }
        for (name, sense) in [("year", Sense::DateYear), ("month", Sense::DateMonth), ("day", Sense::DateDay)] {
            put(c.date_words.get(name).unwrap_or(&Vec::new()), sense);
        }
        for (forms, sense) in [
            (&c.clock.before, Sense::At),
            (&c.clock.hour, Sense::Hour),
            (&c.clock.minute, Sense::Minute),
            (&c.clock.second, Sense::Second),
            (&c.ordinals, Sense::Ordinal),
            (&c.range.from, Sense::From),
            (&c.range.to, Sense::To),
            (&c.range.between, Sense::Between),
            (&c.range.and, Sense::And),
            (&c.about, Sense::About),
            (&c.before, Sense::Before),
            (&c.after, Sense::After),
            (&c.later, Sense::Later),
        ] {
            put(forms, sense);
        }
        let known: Vec<(Zone, &Forms)> = c.zones.iter().filter_map(|(name, forms)| Some((Zone::named(name)?, forms))).collect();
        for (zone, forms) in known {
            let n = self.zones.iter().position(|z| *z == zone).unwrap_or_else(|| {
                self.zones.push(zone);
                self.zones.len() - 1
            });
            put(forms, Sense::Zone(n as u16));
        }
    }

    /// How texts are folded before they are searched.
    pub fn folding(&self) -> Folding {
        self.folding
    }

    /// A zone of a [`Sense::Zone`].
    pub fn zone(&self, n: u16) -> Option<&Zone> {
        self.zones.get(usize::from(n))
    }

    /// True for a region the language speaks of.
    pub fn at_home(&self, region: &str) -> bool {
        self.home.iter().any(|h| h == region)
    }

    /// What a found word stands for.
    pub fn senses(&self, entry: u32) -> &[Sense] {
        self.list.get(entry as usize).map_or(&[], |e| &e.senses)
    }

    /// All calendar words of a folded text: from left to right the longest that begins at each place, without overlap.
    pub fn find(&self, text: &str) -> Vec<Word> {
        let mut all: Vec<Word> = Vec::new();
        let mut before = Joining::Other;
        for (at, c) in text.char_indices() {
            let now = joining(c);
            let joined = std::mem::replace(&mut before, now) == now && now != Joining::Other;
            if joined && !self.inside {
                continue;
            }
            self.finder.each(text.as_bytes(), at, |end, word| {
                for &entry in &self.entries[word as usize] {
                    if let Some(range) = self.sits(text, at..end, &self.list[entry as usize]) {
                        all.push(Word { range, entry });
                    }
                }
            });
        }
        // a whole word before a stem of the same reach
        all.sort_by_key(|w| (w.range.start, std::cmp::Reverse(w.range.end), self.list[w.entry as usize].open_end));
        let mut out: Vec<Word> = Vec::new();
        for w in all {
            if out.last().is_none_or(|l| l.range.end <= w.range.start) {
                out.push(w);
            }
        }
        out
    }

    /// The bytes of a match where the words around it allow one.
    fn sits(&self, text: &str, at: Range<usize>, entry: &Entry) -> Option<Range<usize>> {
        let literal = &text[at.clone()];
        let (first, last) = (literal.chars().next()?, literal.chars().next_back()?);
        let mut range = at.clone();
        if let Some(before) = text[..at.start].chars().next_back()
            && joins(before, first)
        {
            let start = edge_before(text, at.start)?;
            let clitic = &text[start..at.start];
            if entry.open_start {
                range.start = start;
            } else if !self.prefixes.iter().any(|p| p == clitic) {
                return None;
            }
        }
        if let Some(after) = text[at.end..].chars().next()
            && joins(last, after)
        {
            if !entry.open_end {
                return None;
            }
            range.end = edge_after(text, at.end)?;
        }
        Some(range)
    }
}
