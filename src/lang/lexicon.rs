//! A lexicon made ready for use: the words of one language (with English and the shared jargon beside them), compiled.

use super::fold::fold_str;
use super::form::Form;
use super::headings::Phrases;
use super::scanner::{Entry, Hit, Matching, Scanner};
use super::schema::{Calendar, File};
use super::tag::{Column, Concept, Cue, Phase, Role, Status, Tag};
use std::any::{Any, TypeId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// The words of one language, compiled.
pub struct Lexicon {
    /// The file (with a user's additions merged in).
    pub file: Arc<File>,
    /// How texts of the language are matched.
    pub matching: Matching,
    scanner: Scanner,
    roles: Phrases<Role>,
    columns: Phrases<Column>,
    statuses: Phrases<Status>,
    /// Heads that name a time as well as a deadline (`when`).
    moments: HashSet<String>,
    /// Words that tell the nearest cause from the root.
    direct: Vec<String>,
    /// What says that a value is not known.
    void: HashSet<String>,
    /// Words that say that a name is a group's, with a star at the open end.
    groups: Vec<String>,
    stop: HashSet<String>,
    made: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Lexicon {
    /// Compiles a lexicon. `english` is the English file (the same one for English), `jargon` the shared list.
    pub fn new(file: Arc<File>, english: Option<&File>, jargon: &BTreeMap<String, Vec<String>>) -> Lexicon {
        let matching = Matching::of(&file);
        let folding = matching.folding;
        let stop: HashSet<String> = file.stop.iter().map(|s| fold_str(s, folding)).collect();
        let mut entries = Vec::new();
        let mut taken: HashSet<String> = stop.iter().cloned().collect();
        let not_jargon: HashSet<String> = file.not_jargon.iter().map(|s| fold_str(s, folding)).collect();
        for (tag, form, inner) in tagged(&file) {
            if let Some(form) = Form::parse(form, folding) {
                if form.pieces.len() == 1 && form.pieces[0].literal.is_ascii() {
                    taken.insert(form.pieces[0].literal.clone());
                }
                // a folded form that became a function word would match everywhere
                if !matches!(tag, Tag::Cue(_)) && is_among(&form, &stop) {
                    continue;
                }
                entries.push(Entry { form, tag, own: true, inner: inner && file.inner });
            }
        }
        for (name, forms) in jargon {
            let Some(concept) = Concept::named(name) else { continue };
            for form in forms.iter().filter_map(|f| Form::parse(f, folding)) {
                let ordinary = is_among(&form, &not_jargon) || (form.pieces.len() == 1 && not_jargon.contains(&form.pieces[0].literal));
                if !ordinary {
                    entries.push(Entry { form, tag: Tag::Concept(concept), own: false, inner: false });
                }
            }
        }
        if let Some(english) = english {
            for (tag, form, _) in tagged(english) {
                let Some(form) = Form::parse(form, folding) else { continue };
                // the language's own word, function words included, shadows an English one of the same letters
                let shadowed =
                    form.pieces.len() == 1 && (taken.contains(&form.pieces[0].literal) || not_jargon.contains(&form.pieces[0].literal));
                let short = form.pieces.len() == 1 && form.pieces[0].literal.chars().count() < 3;
                if !shadowed && !short {
                    entries.push(Entry { form, tag, own: false, inner: false });
                }
            }
        }
        let mut files: Vec<&File> = vec![&file];
        files.extend(english);
        let roles = Phrases::new(&files, |f| &f.roles, Role::named);
        let columns = Phrases::new(&files, |f| &f.columns, Column::named);
        let statuses = Phrases::new(&files, |f| &f.status, Status::named);
        let scanner = Scanner::new(entries, matching.clone());
        let listed = |name: &str| -> HashSet<String> {
            files.iter().filter_map(|f| f.columns.get(name)).flatten().map(|form| super::headings::tidy(form)).collect()
        };
        let due = listed("due");
        let moments = listed("time").into_iter().filter(|form| due.contains(form)).collect();
        let void = files.iter().flat_map(|f| &f.void).map(|form| super::headings::tidy(form)).collect();
        let groups = files.iter().flat_map(|f| &f.groups).map(|form| fold_str(form, super::fold::Folding::LOOSE)).collect();
        let direct = files.iter().flat_map(|f| &f.direct).map(|form| super::headings::tidy(form)).collect();
        Lexicon { file, matching, scanner, roles, columns, statuses, moments, direct, void, groups, stop, made: Mutex::default() }
    }

    /// The language's tag.
    pub fn tag(&self) -> &str {
        &self.file.tag
    }

    /// All concepts, cues, phase, status and severity words of a text, by position.
    pub fn scan(&self, text: &str) -> Vec<Hit> {
        self.scanner.scan(text)
    }

    /// What a heading or label says its section is for, with how sure that is.
    pub fn role(&self, heading: &str) -> Option<super::headings::Found<Role>> {
        self.roles.find(heading)
    }

    /// What a column head or an item's label stands for.
    pub fn column(&self, head: &str) -> Option<super::headings::Found<Column>> {
        self.columns.find(head)
    }

    /// What a column head or an item's label stands for that is nothing else.
    pub fn exact_column(&self, head: &str) -> Option<Column> {
        self.columns.exact(head).map(|f| f.value)
    }

    /// What a status cell says that says nothing else.
    pub fn exact_status(&self, cell: &str) -> Option<Status> {
        self.statuses.exact(cell).map(|f| f.value)
    }

    /// True for a head or label that asks for a time and may as well ask for a deadline.
    pub fn asks_when(&self, head: &str) -> bool {
        !self.moments.is_empty() && self.moments.contains(&super::headings::tidy(head))
    }

    /// True for a label that names the nearest cause, not the root.
    pub fn is_direct(&self, label: &str) -> bool {
        let label = super::headings::tidy(label);
        self.direct.iter().any(|word| label.contains(word.as_str()))
    }

    /// True for a value that says that nothing is known yet.
    pub fn is_void(&self, value: &str) -> bool {
        let value = super::headings::tidy(value);
        !value.is_empty() && self.void.contains(&value)
    }

    /// True for a name one of whose words says that it is a group's.
    pub fn names_group(&self, name: &str) -> bool {
        let name = fold_str(name, super::fold::Folding::LOOSE);
        let words = || name.split(|c: char| c.is_whitespace() || c == '-').filter(|w| !w.is_empty());
        self.groups.iter().any(|form| match (form.strip_prefix('*'), form.strip_suffix('*')) {
            (Some(tail), _) => words().any(|w| w.len() > tail.len() && w.ends_with(tail)),
            (None, Some(stem)) => words().any(|w| w.starts_with(stem)),
            (None, None) => words().any(|w| w == form),
        })
    }

    /// What a status cell says.
    pub fn status(&self, cell: &str) -> Option<super::headings::Found<Status>> {
        self.statuses.find(cell)
    }

    /// True for a function word (already folded by the language's folding).
    pub fn is_stop(&self, word: &str) -> bool {
        self.stop.contains(word)
    }

    /// What a reader of texts makes of the lexicon for itself, made once: one value of each type.
    pub fn once<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.get(&TypeId::of::<T>()).and_then(|a| a.clone().downcast().ok()) {
            return known;
        }
        let new = Arc::new(make());
        made.insert(TypeId::of::<T>(), new.clone());
        new
    }

    /// The calendar words.
    pub fn calendar(&self) -> &Calendar {
        &self.file.calendar
    }
}

/// True where a form without stars and gaps is one of some words and phrases.
fn is_among(form: &Form, words: &HashSet<String>) -> bool {
    match &form.pieces[..] {
        // nearly all forms, and nothing has to be put together for them
        [one] => !one.open_end && !one.open_start && words.contains(&one.literal),
        _ => !words.is_empty() && form.plain().is_some_and(|p| words.contains(&p)),
    }
}

/// All forms that are matched inside sentences, with what they stand for and whether they may match inside compounds.
fn tagged(file: &File) -> impl Iterator<Item = (Tag, &str, bool)> {
    let concepts = file.concepts.iter().filter_map(|(n, f)| Concept::named(n).map(|c| (Tag::Concept(c), f, true)));
    let cues = file.cues.iter().filter_map(|(n, f)| Cue::named(n).map(|c| (Tag::Cue(c), f, false)));
    let phases = file.phase.iter().filter_map(|(n, f)| Phase::named(n).map(|c| (Tag::Phase(c), f, false)));
    let status = file.status.iter().filter_map(|(n, f)| Status::named(n).map(|c| (Tag::Status(c), f, false)));
    let severity = file.severity.words.iter().map(|(n, f)| (Tag::Severity(*n), f, false));
    concepts
        .chain(cues)
        .chain(phases)
        .chain(status)
        .chain(severity)
        .flat_map(|(t, forms, inner)| forms.iter().map(move |f| (t, f.as_str(), inner)))
}
