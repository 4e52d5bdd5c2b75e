//! The words of each language: lexicons as data (`data/*.yaml`, described in `data/README.md`), compiled when a text of that language is met.
//!
//! [`Languages`] is the registry: it detects a text's language and hands out compiled [`Lexicon`]s. No code names a language; what one language
//! does differently stands in its file.

mod detect;
mod fold;
mod form;
mod headings;
mod lexicon;
mod scanner;
pub mod schema;
mod tag;

use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

pub use detect::Language;
pub use fold::{Folded, Folding, fold, fold_str};
pub use form::{Form, GAP, Join, Piece};
pub use headings::{Fit, Found, Phrases, tidy};
pub use lexicon::Lexicon;
pub use scanner::{Entry, Hit, Matching, Scanner};
pub use tag::{Column, Concept, Cue, Phase, Role, Status, Tag};

/// Files beside the lexicons that are none.
const TABLES: [&str; 3] = ["concepts.yaml", "jargon.yaml", "languages.yaml"];

/// All lexicons at hand: the built-in ones and a user's additions.
pub struct Languages {
    /// Per tag the files that make up its lexicon: name and YAML.
    files: BTreeMap<String, Vec<(String, String)>>,
    profiles: Vec<detect::Profile>,
    /// whatlang's code to BCP 47.
    codes: BTreeMap<String, String>,
    cache: Mutex<BTreeMap<String, Arc<Lexicon>>>,
    raw: Mutex<BTreeMap<String, Arc<schema::File>>>,
}

impl Languages {
    /// The built-in lexicons.
    pub fn builtin() -> Languages {
        Languages::with(&[]).unwrap_or_else(|_| Languages {
            files: BTreeMap::new(),
            profiles: Vec::new(),
            codes: BTreeMap::new(),
            cache: Mutex::default(),
            raw: Mutex::default(),
        })
    }

    /// The built-in lexicons and a user's additions: file name (for messages) and YAML of each.
    pub fn with(additions: &[(String, String)]) -> Result<Languages> {
        let mut files: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        let mut profiles = Vec::new();
        for (name, text) in crate::data::LEXICONS.iter().filter(|(n, _)| !TABLES.contains(n)) {
            let tag = name.trim_end_matches(".yaml").to_string();
            profiles.push(profile(&tag, text));
            files.entry(tag).or_default().push((format!("lang/{name}"), (*text).to_string()));
        }
        for (name, text) in additions {
            let file: schema::File = crate::data::yaml(name, text)?;
            check(name, &file)?;
            if !files.contains_key(&file.tag) {
                profiles.push(profile(&file.tag, text));
            }
            files.entry(file.tag).or_default().push((name.clone(), text.clone()));
        }
        let codes = match crate::data::LEXICONS.iter().find(|(n, _)| *n == "languages.yaml") {
            Some((name, text)) => crate::data::yaml(name, text)?,
            None => BTreeMap::new(),
        };
        Ok(Languages { files, profiles, codes, cache: Mutex::default(), raw: Mutex::default() })
    }

    /// The tags that have a lexicon, sorted.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The file or files a tag's lexicon is made of.
    pub fn sources(&self, tag: &str) -> impl Iterator<Item = (&str, &str)> {
        self.files.get(tag).into_iter().flatten().map(|(n, t)| (n.as_str(), t.as_str()))
    }

    /// Detects the language of prose.
    pub fn detect(&self, prose: &str) -> Language {
        detect::detect(prose, self)
    }

    /// A tag in the form used here: lower case, the primary part, and known synonyms unified where a lexicon exists.
    pub fn normal(&self, tag: &str) -> String {
        let primary = tag.split(['-', '_']).next().unwrap_or(tag).to_ascii_lowercase();
        self.codes.get(&primary).cloned().unwrap_or(primary)
    }

    /// The lexicon of a language; the English one where there is none for it.
    pub fn lexicon(&self, tag: &str) -> Arc<Lexicon> {
        let mut tag = self.normal(tag);
        if !self.files.contains_key(&tag) {
            tag = "en".into();
        }
        if let Some(found) = lock(&self.cache).get(&tag) {
            return found.clone();
        }
        let english = if tag == "en" { None } else { Some(self.file("en")) };
        let made = Arc::new(Lexicon::new((*self.file(&tag)).clone(), english.as_deref(), &jargon()));
        lock(&self.cache).entry(tag).or_insert(made).clone()
    }

    /// The lexicon file of a tag, additions merged in; empty where there is none.
    pub fn file(&self, tag: &str) -> Arc<schema::File> {
        if let Some(found) = lock(&self.raw).get(tag) {
            return found.clone();
        }
        let mut merged = schema::File::default();
        for (name, text) in self.files.get(tag).into_iter().flatten() {
            if let Ok(file) = crate::data::yaml::<schema::File>(name, text) {
                merged.merge(file);
            }
        }
        let made = Arc::new(merged);
        lock(&self.raw).entry(tag.to_string()).or_insert(made).clone()
    }

    /// The interface's words of a tag, read without reading the rest of its lexicon.
    pub fn ui(&self, tag: &str) -> BTreeMap<String, String> {
        #[derive(serde::Deserialize, Default)]
        #[serde(default)]
        struct Ui {
            ui: BTreeMap<String, String>,
        }
        let mut words = BTreeMap::new();
        for (name, text) in self.files.get(tag).into_iter().flatten() {
            words.extend(crate::data::yaml::<Ui>(name, block(text, "ui")).unwrap_or_default().ui);
        }
        words
    }

    /// The function words of every lexicon, read without reading the rest of it.
    pub(self) fn stops(&self) -> Vec<(String, Vec<String>)> {
        #[derive(serde::Deserialize, Default)]
        #[serde(default)]
        struct Stop {
            stop: Vec<String>,
        }
        let words = |text: &str| crate::data::yaml::<Stop>("stop", block(text, "stop")).unwrap_or_default().stop;
        self.files.iter().map(|(tag, files)| (tag.clone(), files.iter().flat_map(|(_, t)| words(t)).collect())).collect()
    }

    pub(self) fn profiles(&self) -> &[detect::Profile] {
        &self.profiles
    }

    pub(self) fn tag_of(&self, whatlang: &str) -> String {
        let own = self.profiles.iter().find(|p| p.whatlang.eq_ignore_ascii_case(whatlang));
        own.map(|p| p.tag.clone()).or_else(|| self.codes.get(whatlang).cloned()).unwrap_or_else(|| whatlang.to_string())
    }
}

fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The shared jargon: concept to forms.
pub fn jargon() -> BTreeMap<String, Vec<String>> {
    let file = crate::data::LEXICONS.iter().find(|(n, _)| *n == "jargon.yaml");
    file.and_then(|(n, t)| crate::data::yaml(n, t).ok()).unwrap_or_default()
}

/// The lines of one top-level key of a YAML text, its own line included; nothing where it is not there.
fn block<'t>(text: &'t str, key: &str) -> &'t str {
    let mut at = 0;
    let mut start = None;
    for line in text.split_inclusive('\n') {
        let top = line.starts_with(|c: char| c.is_alphanumeric() || c == '"');
        match start {
            None if top && line.strip_prefix(key).is_some_and(|r| r.starts_with(':')) => start = Some(at),
            Some(from) if top => return &text[from..at],
            _ => {}
        }
        at += line.len();
    }
    start.map_or("", |from| &text[from..])
}

/// The few single-line keys that detection needs, read without parsing the whole file.
fn profile(tag: &str, text: &str) -> detect::Profile {
    let get = |key: &str| {
        let line = text.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix(':'));
        line.map(|v| v.split(" #").next().unwrap_or(v).trim().trim_matches('"').to_string()).unwrap_or_default()
    };
    detect::Profile {
        tag: tag.to_string(),
        whatlang: get("whatlang"),
        letters: detect::ranges(&get("letters")),
        not_letters: detect::ranges(&get("not_letters")),
    }
}

/// Checks what serde cannot: names that code knows, and the notation of forms.
pub fn check(name: &str, file: &schema::File) -> Result<()> {
    let bad = |what: &str, key: &str| Err(Error::new(format!("{name}: unknown {what} `{key}`")));
    if file.tag.is_empty() {
        return Err(Error::new(format!("{name}: `tag` is missing")));
    }
    if let Some(k) = file.concepts.keys().find(|k| Concept::named(k).is_none()) {
        return bad("concept", k);
    }
    if let Some(k) = file.roles.keys().find(|k| Role::named(k).is_none()) {
        return bad("role", k);
    }
    if let Some(k) = file.cues.keys().find(|k| Cue::named(k).is_none()) {
        return bad("cue", k);
    }
    if let Some(k) = file.phase.keys().find(|k| Phase::named(k).is_none()) {
        return bad("phase", k);
    }
    if let Some(k) = file.columns.keys().find(|k| Column::named(k).is_none()) {
        return bad("column", k);
    }
    if let Some(k) = file.status.keys().find(|k| Status::named(k).is_none()) {
        return bad("status", k);
    }
    let folding = Folding::from_names(&file.fold);
    let lists = [&file.concepts, &file.cues, &file.phase, &file.status].into_iter().flat_map(|m| m.iter());
    for (key, forms) in lists {
        if let Some(f) = forms.iter().find(|f| Form::parse(f, folding).is_none()) {
            return Err(
                Error::new(format!("{name}: `{key}`: the form `{f}` breaks the notation")).hint("see src/lang/data/README.md, Forms")
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_file_is_sound() {
        for (name, text) in crate::data::LEXICONS.iter().filter(|(n, _)| !TABLES.contains(n)) {
            let file: schema::File = crate::data::yaml(name, text).unwrap();
            check(name, &file).unwrap();
        }
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
        assert_eq!(block("a: 1\nui:\n  x: y\n# c\n\n  z: w\nb: 2\n", "ui"), "ui:\n  x: y\n# c\n\n  z: w\n");
        assert_eq!(block("a: 1\n", "ui"), "");
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
