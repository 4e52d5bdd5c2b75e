//! Making the table of concepts out of the lexicons.

use super::super::bytes::{checksum, put};
use super::{ConceptTable, HEAD, MAGIC, NONE, STEP, STOP, Set, head};
use crate::lang::schema::File;
use crate::lang::{Concept, Folding, Form, Join, Languages, Matching, fold_str, jargon};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type ClassKey = (bool, [bool; 5], bool, Vec<String>);

/// First word, the rest as it is written, and the concept, to the languages whose own it is and those in which it counts besides.
type Forms = BTreeMap<(String, Vec<u8>, u16), (Set, Set)>;

#[derive(Default)]
struct Builder {
    sets: BTreeMap<Set, u16>,
    order: Vec<Set>,
    classes: BTreeMap<ClassKey, Forms>,
}

fn key(loose: bool, m: &Matching) -> ClassKey {
    let f = m.folding;
    (loose, [f.accents, f.arabic, f.persian, f.turkish, f.yo], m.substring, m.prefixes.clone())
}

impl Builder {
    fn set(&mut self, set: Set) -> u16 {
        let next = self.order.len() as u16;
        *self.sets.entry(set).or_insert_with(|| {
            self.order.push(set);
            next
        })
    }

    /// The forms that are matched so.
    fn class(&mut self, key: &ClassKey) -> &mut Forms {
        self.classes.entry(key.clone()).or_default()
    }
}

fn add(class: &mut Forms, form: &Form, inner: bool, concept: u16, own: Set, also: Set) {
    let first = &form.pieces[0];
    let mut tail = vec![u8::from(first.open_end) | u8::from(first.open_start) << 1 | u8::from(inner) << 2, form.pieces.len() as u8 - 1];
    for p in &form.pieces[1..] {
        tail.push(u8::from(p.open_end) | u8::from(p.open_start) << 1 | u8::from(p.join == Join::Gap) << 3);
        tail.extend((p.literal.len() as u16).to_le_bytes());
        tail.extend(p.literal.as_bytes());
    }
    let sets = class.entry((first.literal.clone(), tail, concept)).or_default();
    sets.0 |= own;
    sets.1 |= also;
}

/// What one language does to forms of others.
struct Own {
    matching: Matching,
    stop: BTreeSet<String>,
    taken: BTreeSet<String>,
    not_jargon: BTreeSet<String>,
}

fn own(file: &File) -> Own {
    let matching = Matching::of(file);
    let folding = matching.folding;
    let stop: BTreeSet<String> = file.stop.iter().map(|s| fold_str(s, folding)).collect();
    let mut taken = stop.clone();
    let forms = file.concepts.values().chain(file.cues.values()).chain(file.phase.values()).chain(file.status.values()).flatten();
    taken.extend(forms.filter_map(|f| Form::parse(f, folding)).filter(|f| f.pieces.len() == 1).map(|f| f.pieces[0].literal.clone()));
    Own { matching, stop, taken, not_jargon: file.not_jargon.iter().map(|s| fold_str(s, folding)).collect() }
}

impl ConceptTable {
    /// Makes the table of some lexicons. Languages beyond the 128th are left out.
    pub fn build(languages: &Languages) -> ConceptTable {
        let tags: Vec<String> = languages.tags().take(128).map(str::to_string).collect();
        let owns: Vec<Own> = tags.par_iter().map(|t| own(&languages.file(t))).collect();
        let mut b = Builder::default();
        for (n, tag) in tags.iter().enumerate() {
            let file = languages.file(tag);
            add_language(&mut b, &file, &owns, n, tag == "en");
        }
        if let Some(en) = tags.iter().position(|t| t == "en") {
            let class = b.class(&key(false, &owns[en].matching));
            for (name, forms) in jargon() {
                let Some(concept) = Concept::named(&name) else { continue };
                for form in forms.iter().filter_map(|f| Form::parse(f, owns[en].matching.folding)) {
                    let plain = form.plain();
                    let counts = |o: &Own| plain.as_ref().is_none_or(|p| !o.not_jargon.contains(p));
                    let also = owns.iter().enumerate().filter(|(_, o)| counts(o)).fold(0, |s, (n, _)| s | 1 << n);
                    add(class, &form, false, concept.0, 0, also);
                }
            }
        }
        let data = write(&tags, b);
        // what was just written can be read
        ConceptTable::read(Box::new(data)).unwrap_or_else(|_| ConceptTable {
            data: Box::new(Vec::new()),
            languages: Vec::new(),
            sets: Vec::new(),
            classes: Vec::new(),
        })
    }
}

fn add_language(b: &mut Builder, file: &File, owns: &[Own], n: usize, english: bool) {
    let me = &owns[n];
    let (folding, bit) = (me.matching.folding, 1u128 << n);
    let (class, loose) = (key(false, &me.matching), key(true, &Matching { folding: Folding::LOOSE, ..Matching::default() }));
    let mut bare_forms: Vec<(Form, u16)> = Vec::new();
    let class = b.class(&class);
    for (name, forms) in &file.concepts {
        let Some(concept) = Concept::named(name) else { continue };
        for written in forms {
            let Some(form) = Form::parse(written, folding) else { continue };
            if form.plain().is_some_and(|p| me.stop.contains(&p)) {
                continue;
            }
            let mut also = 0;
            if english {
                let single = form.pieces.len() == 1;
                let word = &form.pieces[0].literal;
                let counts = |o: &Own| !single || (word.chars().count() > 2 && !o.taken.contains(word) && !o.not_jargon.contains(word));
                also = owns.iter().enumerate().filter(|(m, o)| *m != n && counts(o)).fold(0, |s, (m, _)| s | 1 << m);
            }
            add(class, &form, file.inner, concept.0, bit, also);
            if !folding.accents && !me.matching.substring && !written.is_ascii() {
                let bare = Form::parse(written, Folding::LOOSE);
                if let Some(bare) = bare.filter(|f| f != &form && f.pieces.iter().map(|p| p.literal.chars().count()).sum::<usize>() >= 4) {
                    bare_forms.push((bare, concept.0));
                }
            }
        }
    }
    let cues = file.cues.values().flatten().map(|f| (f, NONE));
    for (written, what) in file.stop.iter().map(|f| (f, STOP)).chain(cues) {
        if let Some(form) = Form::parse(written, folding).filter(|f| !f.pieces[0].open_start) {
            add(class, &form, false, what, bit, 0);
        }
    }
    let loose = b.class(&loose);
    bare_forms.iter().for_each(|(form, concept)| add(loose, form, false, *concept, bit, 0));
}

fn write(tags: &[String], mut b: Builder) -> Vec<u8> {
    let classes = std::mem::take(&mut b.classes);
    let mut body: Vec<(ClassKey, Records)> = Vec::new();
    for (key, forms) in classes {
        let mut records = Records::default();
        for ((literal, tail, concept), (own, also)) in forms {
            records.begin(&literal, tail.first().is_some_and(|flags| flags & 0b110 > 0));
            put(&mut records.data, &literal);
            records.data.extend(concept.to_le_bytes());
            records.data.extend(b.set(own).to_le_bytes());
            records.data.extend(b.set(also).to_le_bytes());
            records.data.extend(tail);
        }
        body.push((key, records));
    }
    // magic and checksum are filled in at the end
    let mut out = vec![0; HEAD];
    out.extend((tags.len() as u16).to_le_bytes());
    tags.iter().for_each(|t| put(&mut out, t));
    out.extend((b.order.len() as u16).to_le_bytes());
    b.order.iter().for_each(|s| out.extend(s.to_le_bytes()));
    out.extend((body.len() as u16).to_le_bytes());
    for ((loose, folding, substring, prefixes), records) in body {
        out.push(u8::from(loose) | u8::from(substring) << 1);
        out.extend(folding.map(u8::from));
        out.extend((prefixes.len() as u16).to_le_bytes());
        prefixes.iter().for_each(|p| put(&mut out, p));
        out.extend((records.data.len() as u32).to_le_bytes());
        // places are counted from the beginning of the file
        let at = out.len();
        out.extend(records.data);
        for list in [records.all, records.inside] {
            out.extend((list.len() as u32).to_le_bytes());
            list.iter().for_each(|(place, _)| out.extend((at as u32 + place).to_le_bytes()));
            list.iter().step_by(STEP).for_each(|(_, head)| out.extend(head.to_le_bytes()));
        }
    }
    let sum = checksum(&out[HEAD..]);
    out[..8].copy_from_slice(MAGIC);
    out[8..HEAD].copy_from_slice(&sum.to_le_bytes());
    out
}

/// The forms of a class as they are written: where each begins, with the beginning of its first word.
#[derive(Default)]
struct Records {
    data: Vec<u8>,
    all: Vec<(u32, u64)>,
    inside: Vec<(u32, u64)>,
}

impl Records {
    fn begin(&mut self, literal: &str, inside: bool) {
        let place = (self.data.len() as u32, head(literal));
        self.all.push(place);
        if inside {
            self.inside.push(place);
        }
    }
}
