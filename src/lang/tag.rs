//! The language-neutral names that words are mapped to: concepts, roles, cues, phases, columns.

use std::fmt;
use std::sync::OnceLock;

/// A concept, by its place in `data/concepts.yaml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Concept(pub u16);

struct Registry {
    names: Vec<String>,
    meanings: Vec<String>,
    sorted: Vec<(String, u16)>,
}

fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let text = crate::data::CONCEPTS;
        // one `name: meaning` a line; read by hand because the order of the file numbers the concepts and every search needs the names
        let (mut names, mut meanings) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let Some((name, meaning)) = line.split_once(": ") else { continue };
            if line.starts_with('#') {
                continue;
            }
            names.push(name.trim_matches('"').to_string());
            meanings.push(meaning.trim().trim_matches('"').to_string());
        }
        let mut sorted: Vec<(String, u16)> = names.iter().cloned().zip(0u16..).collect();
        sorted.sort();
        Registry { names, meanings, sorted }
    })
}

impl Concept {
    /// The concept of a name.
    pub fn named(name: &str) -> Option<Concept> {
        let r = registry();
        r.sorted.binary_search_by(|(n, _)| n.as_str().cmp(name)).ok().map(|i| Concept(r.sorted[i].1))
    }

    /// The name that begins most like some letters, where three or more are the same.
    pub fn nearest(name: &str) -> Option<&'static str> {
        let alike = |n: &str| n.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
        // letters in another order are the commonest fault of all
        let letters = |n: &str| {
            let mut all: Vec<char> = n.chars().collect();
            all.sort_unstable();
            all
        };
        let same = Concept::all().map(Concept::name).find(|n| letters(n) == letters(name));
        same.or_else(|| Concept::all().map(Concept::name).filter(|n| alike(n) >= 3).max_by_key(|n| alike(n)))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        registry().names.get(self.0 as usize).map_or("", String::as_str)
    }

    /// What it means, in English.
    pub fn meaning(self) -> &'static str {
        registry().meanings.get(self.0 as usize).map_or("", String::as_str)
    }

    /// How many concepts there are.
    pub fn count() -> usize {
        registry().names.len()
    }

    /// All concepts, in the order of the file.
    pub fn all() -> impl Iterator<Item = Concept> {
        (0..Concept::count() as u16).map(Concept)
    }
}

impl fmt::Display for Concept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

macro_rules! names {
    ($(#[$doc:meta])* $kind:ident { $($(#[$d:meta])* $variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind { $($(#[$d])* $variant),+ }

        impl $kind {
            /// All of them, in order.
            pub const ALL: &'static [$kind] = &[$($kind::$variant),+];

            /// The name used in lexicons and output.
            pub fn name(self) -> &'static str {
                match self { $($kind::$variant => $name),+ }
            }

            /// The value of a name.
            pub fn named(name: &str) -> Option<$kind> {
                Self::ALL.iter().copied().find(|v| v.name() == name)
            }
        }
    };
}

names! {
    /// What a section is for.
    Role {
        /// In short, what happened.
        Summary = "summary",
        /// Who and what was hit.
        Impact = "impact",
        /// What happened when.
        Timeline = "timeline",
        /// The fault itself.
        RootCause = "root_cause",
        /// What set it off.
        Trigger = "trigger",
        /// What made it worse, longer or unseen.
        Contributing = "contributing",
        /// How it was noticed.
        Detection = "detection",
        /// What ended it.
        Resolution = "resolution",
        /// Action items.
        Remediation = "remediation",
        /// What will prevent it.
        Prevention = "prevention",
        /// What was learned.
        Lessons = "lessons",
        /// What went well.
        LessonsWell = "lessons_well",
        /// What went wrong.
        LessonsWrong = "lessons_wrong",
        /// Where one was lucky.
        LessonsLucky = "lessons_lucky",
        /// How it works normally, history.
        Background = "background",
        /// Glossary, links, thanks, disclaimers.
        Appendix = "appendix",
        /// How a repair was tried and proven: checks, expected results, conditions of a rollback.
        Verification = "verification",
    }
}

names! {
    /// What a word inside a sentence signals.
    Cue {
        /// The cause stands to the right.
        CauseRight = "cause_right",
        /// The cause stands to the left.
        CauseLeft = "cause_left",
        /// A fault.
        Fault = "fault",
        /// It set something off.
        Trigger = "trigger",
        /// It made things worse, longer or unseen.
        Contributing = "contributing",
        /// A change.
        Change = "change",
        /// Said with reservation.
        Hedge = "hedge",
        /// Said not to be the cause.
        RuledOut = "ruled_out",
        /// Not, no, never.
        Negation = "negation",
        /// Has been done.
        Done = "done",
        /// Strong sign of past.
        Past = "past",
        /// Should, is under way.
        Planned = "planned",
        /// Strong sign of future.
        Future = "future",
        /// Solved by.
        FixedBy = "fixed_by",
        /// So that it does not happen again.
        Prevent = "prevent",
        /// Verb of repair or improvement.
        Repair = "repair",
        /// General advice.
        Advice = "advice",
        /// A statement in general.
        Generic = "generic",
        /// What might be or might have been.
        Hypothesis = "hypothesis",
        /// What was done had no effect.
        NoEffect = "no_effect",
        /// What followed from an action, how recovery was seen.
        Outcome = "outcome",
        /// Apology, thanks, assurance.
        Courtesy = "courtesy",
        /// What follows tells the sentence before it in detail.
        Detail = "detail",
        /// From now on; instead.
        Now = "now",
        /// What a thing is, told in general.
        Defined = "defined",
        /// An incident before this one.
        Earlier = "earlier",
        /// What befell others and not those who tell.
        Others = "others",
        /// What has been done since.
        Since = "since",
        /// Taken out, in a heading: excluded, rejected, did not contribute.
        Excluded = "excluded",
        /// What may be taken out, in a heading: causes, hypotheses, suspicions.
        Suspect = "suspect",
    }
}

names! {
    /// What a timeline entry tells of.
    Phase {
        /// A change was made, an attack began.
        Trigger = "trigger",
        /// Users or systems suffer.
        Impact = "impact",
        /// It was noticed.
        Detected = "detected",
        /// Somebody acts.
        Response = "response",
        /// The cause is known.
        Identified = "identified",
        /// The effect is stopped.
        Mitigated = "mitigated",
        /// Everything is as before.
        Resolved = "resolved",
        /// What came later.
        Followup = "followup",
    }
}

names! {
    /// What a column or a label holds.
    Column {
        /// A clock or stamp.
        Time = "time",
        /// A date.
        Date = "date",
        /// What happened.
        Event = "event",
        /// What is to be done.
        Action = "action",
        /// Who does it.
        Owner = "owner",
        /// Until when.
        Due = "due",
        /// Whether it is done.
        Status = "status",
        /// What must be so for it to count as done.
        Criterion = "criterion",
        /// Where it is tracked.
        Ticket = "ticket",
        /// How urgent it is.
        Priority = "priority",
        /// What kind of action it is.
        Kind = "kind",
        /// A cause.
        Cause = "cause",
        /// How bad it was.
        Severity = "severity",
        /// What was affected.
        Service = "service",
        /// When it was noticed.
        Detected = "detected",
        /// When it began.
        Start = "start",
        /// When it ended.
        End = "end",
        /// How long it took.
        Duration = "duration",
    }
}

names! {
    /// Whether an action item is done.
    Status {
        /// It is done.
        Done = "done",
        /// It is still to be done.
        Planned = "planned",
        /// It will not be done.
        Declined = "declined",
    }
}

/// What a hit of the scanner stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tag {
    /// A concept.
    Concept(Concept),
    /// A cue.
    Cue(Cue),
    /// A phase word.
    Phase(Phase),
    /// A status word.
    Status(Status),
    /// A severity word, by rank.
    Severity(u8),
}
