//! The stages in order: bytes to document, document to facts, facts to the one serialised shape. Nothing here knows files, clock or network.

mod assemble;

use crate::book::Case;
use crate::document::Document;
use crate::error::Result;
use crate::facts::Reading;
use crate::lang::{Language, Languages};
use crate::pattern::Catalogue;
use crate::text::Source;
use sha2::{Digest, Sha256};

/// Everything the program knows before it reads a document: lexicons and patterns, a user's additions included.
pub struct Knowledge {
    /// The lexicons.
    pub languages: Languages,
    /// The patterns.
    pub catalogue: Catalogue,
    /// Hash of both, by which outputs tell what they were made with.
    pub hash: String,
}

impl Knowledge {
    /// The built-in knowledge.
    pub fn builtin() -> Knowledge {
        Knowledge { languages: Languages::builtin(), catalogue: Catalogue::builtin(), hash: knowledge_hash(&[], &[]) }
    }

    /// The built-in knowledge and a user's lexicons and patterns: file name and YAML of each.
    pub fn with(lexicons: &[(String, String)], patterns: &[(String, String)]) -> Result<Knowledge> {
        Ok(Knowledge { languages: Languages::with(lexicons)?, catalogue: Catalogue::with(patterns)?, hash: knowledge_hash(lexicons, patterns) })
    }
}

/// The hash of the built-in knowledge with some additions, without reading any of it: what tells whether an index is still of this knowledge.
pub fn knowledge_hash(lexicons: &[(String, String)], patterns: &[(String, String)]) -> String {
    let mut h = Sha256::new();
    for (name, text) in crate::data::LEXICONS.iter().chain(crate::data::PATTERNS) {
        h.update(name.as_bytes());
        h.update([0]);
        h.update(text.as_bytes());
    }
    for (name, text) in lexicons.iter().chain(patterns) {
        h.update(name.as_bytes());
        h.update([0]);
        h.update(text.as_bytes());
    }
    hex(&h.finalize()[..8])
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Reads one source. Never fails; what is wrong with the document stands in the diagnostics.
pub fn read(source: &Source, knowledge: &Knowledge) -> Case {
    let document = crate::document::parse(source);
    let language = language(&document, &knowledge.languages);
    let lexicon = knowledge.languages.lexicon(&language.tag);
    let reading = Reading::new(&document, &lexicon);
    assemble::case(source, &reading, &language, knowledge)
}

/// The language of a document: what its front matter or markup names, else what its prose looks like.
pub fn language(document: &Document, languages: &Languages) -> Language {
    let named = document.front_matter.get("language").or(document.front_matter.get("lang")).map(str::to_string);
    if let Some(tag) = named.filter(|t| plausible(t)) {
        return Language { tag: languages.normal(&tag), confidence: 1.0 };
    }
    let prose = assemble::prose(document);
    let seen = languages.detect(&prose);
    match &document.lang {
        // generators stamp pages with a default; a page that is plainly in another language says so itself
        Some(tag) if plausible(tag) && (seen.confidence < 0.9 || languages.normal(tag) == seen.tag || prose.chars().count() < 400) => {
            Language { tag: languages.normal(tag), confidence: 1.0 }
        }
        _ => seen,
    }
}

fn plausible(tag: &str) -> bool {
    let primary = tag.split(['-', '_']).next().unwrap_or("");
    (2..=3).contains(&primary.len()) && primary.chars().all(|c| c.is_ascii_alphabetic())
}
