//! The words of the interface: the lexicon's `ui` of one language over English over the defaults in `templates/words.yaml`.

use super::plurals::Plurals;
use super::stamp;
use crate::lang::{Languages, schema};
use serde::Serialize;
use std::collections::BTreeMap;

/// The words of one interface language.
pub struct Words {
    /// BCP 47 tag.
    pub tag: String,
    /// `ltr` or `rtl`.
    pub dir: String,
    map: BTreeMap<String, String>,
    own: BTreeMap<String, String>,
    plurals: Plurals,
    /// A lexicon form for each concept, for glosses; empty for English, whose concepts name themselves.
    concepts: BTreeMap<String, String>,
}

/// A language, as it is labelled on a page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LangLabel {
    /// BCP 47 tag, `und` where unknown.
    pub tag: String,
    /// Its own name, else the tag.
    pub name: String,
    /// Its English name, else the tag.
    pub english: String,
    /// `ltr`, `rtl`, or `auto` where nothing is known about it.
    pub dir: String,
}

impl LangLabel {
    /// The label of a tag.
    pub fn of(tag: &str, languages: &Languages) -> LangLabel {
        let file = languages.file(&languages.normal(tag));
        let or = |s: &str| if s.is_empty() { tag.to_string() } else { s.to_string() };
        let dir = if file.direction.is_empty() { "auto".to_string() } else { file.direction.clone() };
        LangLabel { tag: tag.to_string(), name: or(&file.name), english: or(&file.english), dir }
    }
}

fn defaults() -> BTreeMap<String, String> {
    let file = crate::data::TEMPLATES.iter().find(|(n, _)| *n == "words.yaml");
    file.and_then(|(n, t)| crate::data::yaml(n, t).ok()).unwrap_or_default()
}

/// The first form of a concept that can stand for itself: no stem, no gap.
fn plain_form(forms: &schema::Forms) -> Option<String> {
    forms.iter().find(|f| !f.contains(['*', '.', '|']) && f.chars().count() > 1).cloned()
}

impl Words {
    /// The words of a language.
    pub fn new(tag: &str, languages: &Languages) -> Words {
        let tag = languages.normal(tag);
        let (file, english) = (languages.file(&tag), languages.file("en"));
        let mut map = defaults();
        map.extend(english.ui.clone());
        map.extend(file.ui.clone());
        let dir = if file.direction.is_empty() { "ltr".to_string() } else { file.direction.clone() };
        let concepts = match tag == "en" {
            true => BTreeMap::new(),
            false => file.concepts.iter().filter_map(|(k, f)| Some((k.clone(), plain_form(f)?))).collect(),
        };
        let mut own = if tag == "en" { defaults() } else { BTreeMap::new() };
        own.extend(file.ui.clone());
        let plurals = Plurals::of(&tag);
        Words { tag, dir, map, own, plurals, concepts }
    }

    /// A word; an unknown key shows itself, so that a missing one is seen and not guessed.
    pub fn get<'w>(&'w self, key: &'w str) -> &'w str {
        self.map.get(key).map_or(key, String::as_str)
    }

    /// A word, where there is one.
    pub fn find(&self, key: &str) -> Option<&str> {
        self.map.get(key).map(String::as_str)
    }

    /// All words, for templates.
    pub fn all(&self) -> &BTreeMap<String, String> {
        &self.map
    }

    /// `{n} incidents` with a number; a language may give `<key>_one`, `<key>_few` and so on where the noun differs, and `<key>_other`.
    pub fn count(&self, key: &str, n: usize) -> String {
        self.counted(key, &[("n", n)])
    }

    /// A phrase with several numbers, `{n} of {total} incidents`: its noun goes with `total` where it has that, else with the first.
    pub fn counted(&self, key: &str, numbers: &[(&str, usize)]) -> String {
        let governing = numbers.iter().find(|x| x.0 == "total").or(numbers.first()).map_or(0, |x| x.1);
        // forms of another language go with the numbers of that language
        let category = if self.has_own(key) { self.plurals.category(governing) } else { Plurals::default().category(governing) };
        let values: Vec<(&str, String)> = numbers.iter().map(|(name, n)| (*name, group(*n))).collect();
        let forms = self.forms(key);
        let form = forms.get(category).or_else(|| forms.get("other")).copied().unwrap_or(key);
        fill(form, &values)
    }

    /// The forms of such a phrase by category, `other` among them, for the scripts.
    pub fn forms(&self, key: &str) -> BTreeMap<&str, &str> {
        let from = if self.has_own(key) { &self.own } else { &self.map };
        let mut out: BTreeMap<&str, &str> = from.get(key).map(|w| ("other", w.as_str())).into_iter().collect();
        for category in ["zero", "one", "two", "few", "many", "other"] {
            if let Some(w) = from.get(&format!("{key}_{category}")) {
                out.insert(category, w);
            }
        }
        out
    }

    fn has_own(&self, key: &str) -> bool {
        self.own.contains_key(key) || self.own.contains_key(&format!("{key}_other"))
    }

    /// A duration in words: the two largest units that are not zero.
    pub fn duration(&self, seconds: i64) -> String {
        let units = [("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1)];
        let mut rest = seconds.max(0);
        let mut parts = Vec::new();
        for (i, (key, size)) in units.iter().enumerate() {
            let n = rest / size;
            rest %= size;
            if n > 0 {
                parts.push((i, format!("{n}\u{a0}{}", self.get(key))));
            }
        }
        let Some(first) = parts.first().map(|p| p.0) else { return format!("0\u{a0}{}", self.get("minutes")) };
        parts.into_iter().filter(|p| p.0 <= first + 1).map(|p| p.1).collect::<Vec<_>>().join(" ")
    }

    /// An ISO 8601 duration in words; as it stands where it cannot be read.
    pub fn iso_duration(&self, iso: &str) -> String {
        stamp::duration(iso).map_or_else(|| iso.to_string(), |s| self.duration(s))
    }

    /// A concept in the reader's words.
    pub fn concept(&self, name: &str) -> String {
        self.concepts.get(name).cloned().unwrap_or_else(|| name.replace('-', " "))
    }

    /// The gloss under a sentence of another language: at most six concepts, none twice.
    pub fn gloss(&self, concepts: &[String], language: &str) -> String {
        if language == self.tag {
            return String::new();
        }
        let mut seen: Vec<&str> = Vec::new();
        for c in concepts {
            if !seen.contains(&c.as_str()) && seen.len() < 6 {
                seen.push(c);
            }
        }
        seen.iter().map(|c| self.concept(c)).collect::<Vec<_>>().join(" · ")
    }
}

/// A phrase with `{n}` (and others) filled in.
fn fill(phrase: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(phrase.to_string(), |out, (name, value)| out.replace(&format!("{{{name}}}"), value))
}

/// A number with thin gaps between thousands, from five digits on.
pub fn group(n: usize) -> String {
    let plain = n.to_string();
    if plain.len() < 5 {
        return plain;
    }
    let mut out = String::new();
    for (i, c) in plain.chars().enumerate() {
        if i > 0 && (plain.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_word_falls_back_to_english() {
        let l = Languages::with(&[("lang/ar.yaml".into(), "tag: ar\nui: {home: الرئيسية, n_incidents: '{n} حوادث'}\n".into())]).unwrap();
        let w = Words::new("ar", &l);
        assert_eq!(w.get("home"), "الرئيسية");
        assert_eq!(w.dir, "rtl");
        assert_eq!(w.get("no_such_key"), "no_such_key");
        assert!(!w.get("copy_link").is_empty());
        assert_eq!(w.count("n_incidents", 1), "1 حادثة");
        let forms = "tag: ar\nui: {n_incidents: '{n} حادثة', n_incidents_two: حادثتان, n_incidents_few: '{n} حوادث'}\n";
        let w = Words::new("ar", &Languages::with(&[("lang/ar.yaml".into(), forms.into())]).unwrap());
        let counts = [2, 3, 11, 100].map(|n| w.count("n_incidents", n));
        assert_eq!(counts, ["حادثتان", "3 حوادث", "11 حادثة", "100 حادثة"]);
        // the noun goes with the whole, and the scripts are given all forms
        let forms = "tag: ru\nui: {x: '{n} из {total} штук', x_one: '{n} из {total} штуки'}\n";
        let w = Words::new("ru", &Languages::with(&[("lang/ru.yaml".into(), forms.into())]).unwrap());
        assert_eq!(w.counted("x", &[("n", 1), ("total", 5)]), "1 из 5 штук");
        assert_eq!(w.counted("x", &[("n", 5), ("total", 21)]), "5 из 21 штуки");
        assert_eq!(w.forms("x").into_keys().collect::<Vec<_>>(), ["one", "other"]);
        let e = Words::new("en", &l);
        assert_eq!(e.count("n_incidents", 1), "1 incident");
        assert_eq!(e.count("n_incidents", 12_345), "12\u{202f}345 incidents");
    }

    #[test]
    fn durations_in_words() {
        let w = Words::new("en", super::super::sample::known());
        let d = |s| w.iso_duration(s).replace('\u{a0}', " ");
        assert_eq!(d("PT54M"), "54 min");
        assert_eq!(d("PT1H48M20S"), "1 h 48 min");
        assert_eq!(d("P9DT0H10M"), "9 d");
        assert_eq!(d("PT0S"), "0 min");
        assert_eq!(d("PT84S"), "1 min 24 s");
        assert_eq!(d("soon"), "soon");
    }

    #[test]
    fn glosses_are_for_readers_of_another_language() {
        let w = Words::new("en", super::super::sample::known());
        assert_eq!(w.gloss(&["packet-loss".into(), "gateway".into(), "gateway".into()], "hu"), "packet loss · gateway");
        assert_eq!(w.gloss(&["gateway".into()], "en"), "");
        assert_eq!(LangLabel::of("ar", super::super::sample::known()).dir, "rtl");
        assert_eq!(LangLabel::of("und", super::super::sample::known()).dir, "auto");
    }
}
