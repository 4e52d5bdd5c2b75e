//! The form of a lexicon file, as `data/README.md` describes it. Every key is optional but `tag`, so that a user's additions have the same form.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A list of forms (see `data/README.md` for their notation).
pub type Forms = Vec<String>;

/// One lexicon file.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct File {
    /// BCP 47 primary tag.
    pub tag: String,
    /// The language's own name.
    pub name: String,
    /// Its English name.
    pub english: String,
    /// `ltr` or `rtl`.
    pub direction: String,
    /// `words` or `substring`.
    pub matching: String,
    /// What is folded: `accents`, `arabic`, `persian`, `turkish`, `yo`.
    pub fold: Vec<String>,
    /// Clitics that may stand before a form.
    pub prefixes: Vec<String>,
    /// Whether long stems match inside compounds.
    pub inner: bool,
    /// Order of purely numeric dates: `ymd`, `dmy`, `mdy`.
    pub dates: String,
    /// whatlang's name of the language.
    pub whatlang: String,
    /// Letters that tell the language from others of its script; `a-z` is a range.
    pub letters: String,
    /// Letters that tell against it.
    pub not_letters: String,
    /// Jargon that is an ordinary word here.
    pub not_jargon: Forms,
    /// Function words.
    pub stop: Forms,
    /// The last cue of a sentence decides its tense.
    pub verb_final: bool,
    /// Headings and labels, by role.
    pub roles: BTreeMap<String, Forms>,
    /// Words inside sentences, by cue.
    pub cues: BTreeMap<String, Forms>,
    /// `before` or `after` the negated word.
    pub negation_side: String,
    /// How a tenseless action item looks.
    pub infinitive: Infinitive,
    /// Status words: `done`, `planned`, `declined`.
    pub status: BTreeMap<String, Forms>,
    /// Column heads and item labels.
    pub columns: BTreeMap<String, Forms>,
    /// What a timeline entry tells of.
    pub phase: BTreeMap<String, Forms>,
    /// Dates and clocks in words.
    pub calendar: Calendar,
    /// Severity labels and ranks.
    pub severity: SeverityWords,
    /// The words the site and terminal show.
    pub ui: BTreeMap<String, String>,
    /// Words by which a cause is called the nearest one, not the root: `direct`.
    pub direct: Forms,
    /// Words that say that a name is a group's: `team`, `*gruppe`.
    pub groups: Forms,
    /// What a cell says where nothing is known yet: `tbd`.
    pub void: Forms,
    /// Concepts and their forms.
    pub concepts: BTreeMap<String, Forms>,
}

/// How a tenseless action item looks: its first or last word ends so.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Infinitive {
    /// `first` or `last`.
    pub at: String,
    /// Word endings.
    pub endings: Vec<String>,
}

/// Severity labels and the words of each rank.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct SeverityWords {
    /// Labels.
    pub label: Forms,
    /// Words by rank, 1 the worst.
    pub words: BTreeMap<u8, Forms>,
}

/// Words of dates, clocks and durations.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Calendar {
    /// Twelve lists of month names.
    pub months: Vec<Forms>,
    /// Seven lists of weekday names, Monday first.
    pub weekdays: Vec<Forms>,
    /// Parts of the day: `am`, `pm`, `dawn`, `morning`, `noon`, `afternoon`, `evening`, `night`, `midnight`.
    pub parts: BTreeMap<String, Forms>,
    /// `today`, `yesterday`, `tomorrow`, `next_day`, `same_day`, `previous_day`.
    pub day_words: BTreeMap<String, Forms>,
    /// Units after a number: `year` … `second`.
    pub units: BTreeMap<String, Forms>,
    /// Number words.
    pub numbers: BTreeMap<u32, Forms>,
    /// Words around the numbers of a clock.
    pub clock: Clock,
    /// What follows the number in a date: `year`, `month`, `day`.
    pub date_words: BTreeMap<String, Forms>,
    /// What may follow the day number.
    pub ordinals: Forms,
    /// Words of ranges.
    pub range: Range,
    /// About, circa.
    pub about: Forms,
    /// Until, by.
    pub before: Forms,
    /// After, later.
    pub after: Forms,
    /// What follows a length of time that is counted from what was told last: later, afterwards.
    #[serde(default)]
    pub later: Forms,
    /// Zone names in words, by IANA name or `utc`.
    pub zones: BTreeMap<String, Forms>,
    /// The zones of the regions the language is mostly written in, where `zones` names those of others as well: they decide what an abbreviation means
    /// that stands for several (`CST`).
    pub home: Forms,
    /// Months of the solar calendar of Iran, the first one first.
    pub solar: Vec<Forms>,
    /// Names of holidays.
    pub holidays: Forms,
    /// Words for a count of years from another year than 1: the year before the first one (`2018: [令和]`), below zero where the count is ahead.
    pub eras: BTreeMap<i16, Forms>,
}

/// Words around the numbers of a clock.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Clock {
    /// Words before a clock (`at`, `um`).
    pub before: Forms,
    /// After the hour (`h`, `Uhr`, `時`).
    pub hour: Forms,
    /// After the minute.
    pub minute: Forms,
    /// After the second.
    pub second: Forms,
    /// Words before the hour that move it by so many minutes (`30: [half past]`, `-30: [halb]`).
    pub shift: BTreeMap<i16, Forms>,
    /// Words after the hour that do (`30: [et demie]`, `-15: [menos cuarto]`).
    pub plus: BTreeMap<i16, Forms>,
}

/// Words of ranges.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Range {
    /// from A
    pub from: Forms,
    /// … to B
    pub to: Forms,
    /// between A
    pub between: Forms,
    /// … and B
    pub and: Forms,
}

impl File {
    /// Takes in another file of the same language: lists are added, single values that it states replace those here.
    pub fn merge(&mut self, other: File) {
        for (to, from) in [
            (&mut self.tag, other.tag),
            (&mut self.name, other.name),
            (&mut self.english, other.english),
            (&mut self.direction, other.direction),
            (&mut self.matching, other.matching),
            (&mut self.dates, other.dates),
            (&mut self.whatlang, other.whatlang),
            (&mut self.letters, other.letters),
            (&mut self.not_letters, other.not_letters),
            (&mut self.negation_side, other.negation_side),
        ] {
            if !from.is_empty() {
                *to = from;
            }
        }
        self.fold.extend(other.fold);
        self.prefixes.extend(other.prefixes);
        self.inner |= other.inner;
        self.verb_final |= other.verb_final;
        self.not_jargon.extend(other.not_jargon);
        self.stop.extend(other.stop);
        if !other.infinitive.endings.is_empty() {
            self.infinitive = other.infinitive;
        }
        for (to, from) in [
            (&mut self.roles, other.roles),
            (&mut self.cues, other.cues),
            (&mut self.status, other.status),
            (&mut self.columns, other.columns),
            (&mut self.phase, other.phase),
            (&mut self.concepts, other.concepts),
        ] {
            extend(to, from);
        }
        self.ui.extend(other.ui);
        self.severity.label.extend(other.severity.label);
        self.direct.extend(other.direct);
        self.groups.extend(other.groups);
        self.void.extend(other.void);
        extend(&mut self.severity.words, other.severity.words);
        self.calendar.merge(other.calendar);
    }
}

impl Calendar {
    /// The zones of the language's own regions: those it names for its home, else all that it has words for.
    pub fn at_home(&self) -> Vec<String> {
        if self.home.is_empty() { self.zones.keys().cloned().collect() } else { self.home.clone() }
    }

    fn merge(&mut self, other: Calendar) {
        for (to, from) in [(&mut self.months, other.months), (&mut self.weekdays, other.weekdays), (&mut self.solar, other.solar)] {
            for (i, forms) in from.into_iter().enumerate() {
                match to.get_mut(i) {
                    Some(list) => list.extend(forms),
                    None => to.push(forms),
                }
            }
        }
        for (to, from) in [
            (&mut self.parts, other.parts),
            (&mut self.day_words, other.day_words),
            (&mut self.units, other.units),
            (&mut self.date_words, other.date_words),
            (&mut self.zones, other.zones),
        ] {
            extend(to, from);
        }
        extend(&mut self.numbers, other.numbers);
        extend(&mut self.eras, other.eras);
        extend(&mut self.clock.shift, other.clock.shift);
        extend(&mut self.clock.plus, other.clock.plus);
        for (to, from) in [
            (&mut self.clock.before, other.clock.before),
            (&mut self.clock.hour, other.clock.hour),
            (&mut self.clock.minute, other.clock.minute),
            (&mut self.clock.second, other.clock.second),
            (&mut self.range.from, other.range.from),
            (&mut self.range.to, other.range.to),
            (&mut self.range.between, other.range.between),
            (&mut self.range.and, other.range.and),
            (&mut self.ordinals, other.ordinals),
            (&mut self.home, other.home),
            (&mut self.about, other.about),
            (&mut self.before, other.before),
            (&mut self.after, other.after),
            (&mut self.later, other.later),
            (&mut self.holidays, other.holidays),
        ] {
            to.extend(from);
        }
    }
}

fn extend<K: Ord>(to: &mut BTreeMap<K, Forms>, from: BTreeMap<K, Forms>) {
    for (key, forms) in from {
        to.entry(key).or_default().extend(forms);
    }
}

impl File {
    /// The words that tell the language from others: its function words, and those of denial and of the past, which are no stop words.
    pub fn function_words(&self) -> Vec<String> {
        let cues = ["negation", "past"].into_iter().filter_map(|c| self.cues.get(c)).flatten();
        let words = cues.filter(|w| w.chars().count() > 1 && w.chars().all(char::is_alphabetic));
        let mut all: Vec<String> = self.stop.iter().chain(words).cloned().collect();
        all.sort();
        all.dedup();
        all
    }
}
