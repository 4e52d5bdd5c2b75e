//! The table of all lexicons as plain values, for the browser's search, which reads the same forms out of files of its own.

use super::concepts::ConceptTable;
use crate::lang::{Concept, Join};

/// A way of matching: what is folded and where words may begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormClass {
    /// Folded: accents, Arabic, Persian, Turkish, yo.
    pub folding: [bool; 5],
    /// Forms match anywhere.
    pub substring: bool,
    /// Forms stripped of all marks, asked last.
    pub loose: bool,
    /// Clitics that may stand before a form.
    pub prefixes: Vec<String>,
}

/// One word of a form: its letters, open at the end, open at the beginning, after a gap.
pub type PlainPiece = (String, bool, bool, bool);

/// One form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainForm {
    /// Its class, by number.
    pub class: usize,
    /// Its words; there is at least one.
    pub pieces: Vec<PlainPiece>,
    /// It may stand inside a compound.
    pub inner: bool,
    /// What it means; without, it only tells the language.
    pub concept: Option<Concept>,
    /// A function word.
    pub stop: bool,
    /// Languages whose own it is, as bits by their number in [`ConceptTable::tags`].
    pub own: u128,
    /// Languages in which it counts besides.
    pub also: u128,
}

impl ConceptTable {
    /// The languages, in the order of the bits of a form.
    pub fn tags(&self) -> &[String] {
        &self.languages
    }

    /// The classes and all forms, by class and first word.
    pub fn forms(&self) -> (Vec<FormClass>, Vec<PlainForm>) {
        let mut forms = Vec::new();
        let mut classes = Vec::new();
        for (n, class) in self.classes.iter().enumerate() {
            let (m, f) = (&class.matching, class.matching.folding);
            let folding = [f.accents, f.arabic, f.persian, f.turkish, f.yo];
            classes.push(FormClass { folding, substring: m.substring, loose: class.loose, prefixes: m.prefixes.clone() });
            for e in self.places(class).filter_map(|at| self.entry(at)) {
                let pieces = e.form.pieces.into_iter().map(|p| (p.literal, p.open_end, p.open_start, p.join == Join::Gap)).collect();
                forms.push(PlainForm { class: n, pieces, inner: e.inner, concept: e.concept, stop: e.stop, own: e.own, also: e.also });
            }
        }
        (classes, forms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Languages;

    #[test]
    fn all_forms_of_all_languages() {
        let table = ConceptTable::build(&Languages::builtin());
        let (classes, forms) = table.forms();
        assert!(classes.iter().any(|c| c.substring) && classes.iter().any(|c| c.loose));
        let en = table.tags().iter().position(|t| t == "en").unwrap();
        assert!(
            forms.iter().any(|f| f.pieces[0].0 == "certificate" && f.own & (1 << en) > 0 && f.concept == Concept::named("certificate"))
        );
        assert!(forms.iter().all(|f| !f.pieces.is_empty() && f.class < classes.len()));
    }
}
