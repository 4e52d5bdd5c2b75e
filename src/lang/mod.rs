//! The words of each language: lexicons as data (`data/*.yaml`, described in `data/README.md`), compiled when a text of that language is met.
//!
//! [`Languages`] is the registry: it detects a text's language and hands out compiled [`Lexicon`]s. No code names a language; what one language
//! does differently stands in its file.

mod ahead;
mod concept_set;
mod detect;
mod fold;
mod form;
mod headings;
mod hidden;
mod later;
mod letters;
mod lexicon;
mod scanner;
pub mod schema;
mod starts;
mod tag;
mod trie;

use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use concept_set::ConceptSet;
pub use detect::Language;
pub use fold::{Folded, Folding, fold, fold_str};
pub use form::{Form, GAP, Join, Piece};
pub use headings::{Fit, Found, Phrases, tidy};
pub(crate) use letters::{is_alphanumeric, joins};
pub use lexicon::Lexicon;
pub use scanner::{Entry, Hit, Matching, Scanner};
pub use tag::{Column, Concept, Cue, Phase, Role, Status, Tag};
pub use trie::Trie;

/// What one language's lexicon is made of.
#[derive(Default)]
struct Sources {
    builtin: Option<&'static crate::data::Lexicon>,
    /// A user's additions.
    added: Vec<schema::File>,
}

/// What the detection of languages needs of a built-in lexicon.
#[derive(serde::Deserialize, Default)]
struct Head {
    whatlang: String,
    letters: String,
    not_letters: String,
    function_words: Vec<String>,
}

/// All lexicons at hand: the built-in ones and a user's additions. Each part of one is read when it is first asked for.
pub struct Languages {
    sources: BTreeMap<String, Sources>,
    profiles: OnceLock<Vec<detect::Profile>>,
    function_words: OnceLock<detect::FunctionWords>,
    /// whatlang's code to BCP 47.
    codes: OnceLock<BTreeMap<String, String>>,
    cache: Mutex<BTreeMap<String, Arc<Lexicon>>>,
    raw: Mutex<BTreeMap<String, Arc<schema::File>>>,
}

impl Languages {
    /// The built-in lexicons.
    pub fn builtin() -> Languages {
        let sources = crate::data::LEXICONS.iter().map(|l| (l.tag.to_string(), Sources { builtin: Some(l), added: Vec::new() }));
        Languages {
            sources: sources.collect(),
            profiles: OnceLock::new(),
            function_words: OnceLock::new(),
            codes: OnceLock::new(),
            cache: Mutex::default(),
            raw: Mutex::default(),
        }
    }

    /// The built-in lexicons and a user's additions: file name (for messages) and YAML of each.
    pub fn with(additions: &[(String, String)]) -> Result<Languages> {
        let mut made = Languages::builtin();
        for (name, text) in additions {
            let file = addition(name, text)?;
            made.sources.entry(file.tag.clone()).or_default().added.push(file);
        }
        Ok(made)
    }

    /// The tags that have a lexicon, sorted.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.sources.keys().map(String::as_str)
    }

    /// True for a tag of a language that has a lexicon or at least a name.
    pub fn is_language(&self, tag: &str) -> bool {
        self.sources.contains_key(tag) || self.codes().values().any(|t| t == tag)
    }

    /// Detects the language of prose.
    pub fn detect(&self, prose: &str) -> Language {
        detect::detect(prose, self)
    }

    /// A tag in the form used here: lower case, the primary part, and known synonyms unified where a lexicon exists.
    pub fn normal(&self, tag: &str) -> String {
        let primary = tag.split(['-', '_']).next().unwrap_or(tag).to_ascii_lowercase();
        self.codes().get(&primary).cloned().unwrap_or(primary)
    }

    /// The lexicon of a language; the English one where there is none for it.
    pub fn lexicon(&self, tag: &str) -> Arc<Lexicon> {
        let mut tag = self.normal(tag);
        if !self.sources.contains_key(&tag) {
            tag = "en".into();
        }
        if let Some(found) = lock(&self.cache).get(&tag) {
            return found.clone();
        }
        let english = if tag == "en" { None } else { Some(self.file("en")) };
        let made = Arc::new(Lexicon::new(self.file(&tag), english.as_deref(), &jargon()));
        lock(&self.cache).entry(tag).or_insert(made).clone()
    }

    /// The lexicon file of a tag, additions merged in; empty where there is none.
    pub fn file(&self, tag: &str) -> Arc<schema::File> {
        if let Some(found) = lock(&self.raw).get(tag) {
            return found.clone();
        }
        let mut merged = schema::File::default();
        if let Some(sources) = self.sources.get(tag) {
            if let Some(builtin) = sources.builtin {
                merged = crate::data::embedded(builtin.whole);
            }
            sources.added.iter().for_each(|file| merged.merge(file.clone()));
        }
        let made = Arc::new(merged);
        lock(&self.raw).entry(tag.to_string()).or_insert(made).clone()
    }

    /// The interface's words of a tag, read without reading the rest of its lexicon.
    pub fn ui(&self, tag: &str) -> BTreeMap<String, String> {
        let Some(sources) = self.sources.get(tag) else { return BTreeMap::new() };
        let mut words: BTreeMap<String, String> = sources.builtin.map(|l| crate::data::embedded(l.ui)).unwrap_or_default();
        words.extend(sources.added.iter().flat_map(|f| f.ui.clone()));
        words
    }

    fn codes(&self) -> &BTreeMap<String, String> {
        self.codes.get_or_init(|| crate::data::embedded(crate::data::CODES))
    }

    /// What detection needs to know of each lexicon, read without reading the rest of it.
    pub(self) fn profiles(&self) -> &[detect::Profile] {
        self.profiles.get_or_init(|| self.sources.iter().map(|(tag, sources)| profile(tag, sources)).collect())
    }

    pub(self) fn function_words(&self) -> &detect::FunctionWords {
        self.function_words.get_or_init(|| detect::FunctionWords::new(self.profiles()))
    }

    pub(self) fn tag_of(&self, whatlang: &str) -> String {
        let own = self.profiles().iter().find(|p| p.whatlang.eq_ignore_ascii_case(whatlang));
        own.map(|p| p.tag.clone()).or_else(|| self.codes().get(whatlang).cloned()).unwrap_or_else(|| whatlang.to_string())
    }
}

fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The shared jargon: concept to forms.
pub fn jargon() -> BTreeMap<String, Vec<String>> {
    crate::data::embedded(crate::data::JARGON)
}

fn profile(tag: &str, sources: &Sources) -> detect::Profile {
    let of = |f: &schema::File| Head {
        whatlang: f.whatlang.clone(),
        letters: f.letters.clone(),
        not_letters: f.not_letters.clone(),
        function_words: Vec::new(),
    };
    // additions to a built-in lexicon leave its letters alone
    let head: Head = match sources.builtin {
        Some(builtin) => crate::data::embedded(builtin.head),
        None => sources.added.first().map(of).unwrap_or_default(),
    };
    detect::Profile {
        tag: tag.to_string(),
        whatlang: head.whatlang,
        letters: detect::ranges(&head.letters),
        not_letters: detect::ranges(&head.not_letters),
        stop: head.function_words.into_iter().chain(sources.added.iter().flat_map(|f| f.function_words())).collect(),
    }
}

/// Reads and checks one file of a user's; a fault is told with its line and column where it has one.
pub fn addition(name: &str, text: &str) -> Result<schema::File> {
    if text.trim().is_empty() {
        return Err(Error::new(format!("{name}: the file is empty")));
    }
    let file: schema::File = crate::data::yaml(name, text)?;
    checked(name, text, &file)?;
    Ok(file)
}

/// Checks what serde cannot: names that code knows, and the notation of forms.
pub fn check(name: &str, file: &schema::File) -> Result<()> {
    checked(name, "", file)
}

fn checked(name: &str, text: &str, file: &schema::File) -> Result<()> {
    let place = |at: Option<(usize, usize)>| at.map(|(l, c)| format!(":{l}:{c}")).unwrap_or_default();
    if file.tag.is_empty() {
        return Err(Error::new(format!("{name}: `tag` is missing")));
    }
    let unknown = [
        ("concept", file.concepts.keys().find(|k| Concept::named(k).is_none())),
        ("role", file.roles.keys().find(|k| Role::named(k).is_none())),
        ("cue", file.cues.keys().find(|k| Cue::named(k).is_none())),
        ("phase", file.phase.keys().find(|k| Phase::named(k).is_none())),
        ("column", file.columns.keys().find(|k| Column::named(k).is_none())),
        ("status", file.status.keys().find(|k| Status::named(k).is_none())),
    ];
    if let Some((what, key)) = unknown.iter().find_map(|(what, key)| key.map(|k| (what, k))) {
        let e = Error::new(format!("{name}{}: unknown {what} `{key}`", place(crate::data::place_of_key(text, key))));
        return Err(match (*what, Concept::nearest(key)) {
            ("concept", Some(near)) => e.hint(format!("nearest: {near}; all concepts stand in src/lang/data/concepts.yaml")),
            _ => e.hint("the keys are listed in src/lang/data/README.md"),
        });
    }
    let folding = Folding::from_names(&file.fold);
    let lists = [&file.concepts, &file.cues, &file.phase, &file.status].into_iter().flat_map(|m| m.iter());
    for (key, forms) in lists {
        if let Some(f) = forms.iter().find(|f| Form::parse(f, folding).is_none()) {
            let at = place(crate::data::place_of(text, f).or_else(|| crate::data::place_of_key(text, key)));
            let e = Error::new(format!("{name}{at}: `{key}`: the form `{f}` breaks the notation"));
            return Err(e.hint("see src/lang/data/README.md, Forms"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_file_is_sound() {
        for l in crate::data::LEXICONS {
            let file: schema::File = serde_json::from_str(l.whole).unwrap();
            assert_eq!(file.tag, l.tag);
            check(l.tag, &file).unwrap();
            assert_eq!(serde_json::from_str::<Head>(l.head).unwrap().function_words, file.function_words());
        }
        assert!(!jargon().is_empty());
        for (name, forms) in jargon() {
            assert!(Concept::named(&name).is_some(), "jargon.yaml: {name}");
            assert!(forms.iter().all(|f| Form::parse(f, Folding::default()).is_some()), "{name}: {forms:?}");
        }
    }

    #[test]
    fn interface_words_are_found_without_the_rest() {
        let l = Languages::builtin();
        for tag in l.tags() {
            assert_eq!(l.ui(tag), l.file(tag).ui, "{tag}");
        }
    }

    #[test]
    fn languages_are_told_apart() {
        let l = Languages::builtin();
        let tag = |t: &str| l.detect(t).tag;
        assert_eq!(tag("Сервер унтарсан тул хэрэглэгчид нэвтэрч чадахгүй байсан бөгөөд бид нөөц сервер рүү шилжүүлсэн."), "mn");
        assert_eq!(tag("Сервер не отвечал на запросы, поэтому мы переключили трафик на резервный узел."), "ru");
        assert_eq!(tag("障害の原因は設定変更でした。ロールバックにより復旧しました。"), "ja");
        assert_eq!(tag("故障原因是配置变更，回滚之后服务恢复正常。"), "zh");
        assert_eq!(tag("A szerver leállt, mert betelt a lemez, ezért újraindítottuk a szolgáltatást."), "hu");
        assert_eq!(tag("12:00 404"), "und");
        assert_eq!(tag("At 9:37AM PST on 03/04/2025 it broke; by 1:54PM PST it recovered."), "en");
        assert_eq!(tag("Le site est en panne depuis ce matin."), "fr");
    }

    #[test]
    fn additions_join_the_built_in_words() {
        let add = ("lang/en.yaml".to_string(), "tag: en\nconcepts: {retry: [zonkify]}\n".to_string());
        let l = Languages::with(&[add]).unwrap();
        let hits = l.lexicon("en-GB").scan("they zonkify and retry");
        let names: Vec<_> = hits.iter().filter_map(|h| if let Tag::Concept(c) = h.tag { Some(c.name()) } else { None }).collect();
        assert_eq!(names, ["retry", "retry"]);
        let bad = ("lang/x.yaml".to_string(), "tag: en\nconcepts: {no-such: [a]}\n".to_string());
        assert!(Languages::with(&[bad]).is_err());
    }
}
