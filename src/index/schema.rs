//! What is kept of each incident, and how it is searched.

use tantivy::schema::{FAST, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};

/// Number of the form of the index. To be raised with every change of what is written.
pub(super) const FORM: u32 = 9;

/// The fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    /// The file's path, by which incidents are replaced.
    pub path: Field,
    /// Families, grams and code-like wholes, each once; its position is the weighted count.
    pub family: Field,
    /// Words and grams of the body, with positions, for phrases.
    pub word: Field,
    /// `word NUL language NUL family`: what leads a query's word to families.
    pub entry: Field,
    /// Families in causes.
    pub cause: Field,
    /// Families in remediation items.
    pub fix: Field,
    /// Concepts by name; the positions are numbers of sentences, some more than once: those count more.
    pub concept: Field,
    /// Concepts in causes.
    pub cause_concept: Field,
    /// Concepts in remediation items.
    pub fix_concept: Field,
    /// Pattern tags, each once; its position is the score in hundredths.
    pub pattern: Field,
    /// Words of the services' names.
    pub service: Field,
    /// `=rank` and the label as written, folded.
    pub severity: Field,
    /// Language tag.
    pub language: Field,
    /// The fast fields, in the order of [`NUMBERS`].
    pub numbers: [Field; 5],
    /// What a hit shows, as JSON.
    pub card: Field,
    /// The body and where its concepts stand, as JSON.
    pub body: Field,
    /// The whole case, as JSON.
    pub whole: Field,
}

/// Fast field: the first day it may be of.
pub(super) const DAY_FROM: &str = "day_from";
/// Fast field: the last day it may be of.
pub(super) const DAY_TO: &str = "day_to";
/// Fast field: its words.
pub(super) const WORDS: &str = "words";
/// Fast field: its (sentence, concept).
pub(super) const CONCEPTS: &str = "concepts";
/// Fast field: its (sentence, pair of concepts).
pub(super) const PAIRS: &str = "pairs";
/// All fast fields.
pub(super) const NUMBERS: [&str; 5] = [DAY_FROM, DAY_TO, WORDS, CONCEPTS, PAIRS];

/// What is stored of each incident, in this order.
pub(super) const STORED: [&str; 3] = ["card", "body", "whole"];

/// Makes the schema.
pub(super) fn schema() -> Schema {
    let mut b = Schema::builder();
    let text = |record| {
        TextOptions::default()
            .set_indexing_options(TextFieldIndexing::default().set_tokenizer("raw").set_fieldnorms(false).set_index_option(record))
    };
    let (basic, positions) = (IndexRecordOption::Basic, IndexRecordOption::WithFreqsAndPositions);
    for (name, record) in [
        ("path", basic),
        ("family", positions),
        ("word", positions),
        ("entry", basic),
        ("cause", basic),
        ("fix", basic),
        ("concept", positions),
        ("cause_concept", basic),
        ("fix_concept", basic),
        ("pattern", positions),
        ("service", basic),
        ("severity", basic),
        ("language", basic),
    ] {
        b.add_text_field(name, text(record));
    }
    for name in NUMBERS {
        b.add_u64_field(name, NumericOptions::from(FAST));
    }
    // what a search shows first, so that the rest need not be read
    for name in STORED {
        b.add_text_field(name, TextOptions::default().set_stored());
    }
    b.build()
}

impl Fields {
    /// The fields of a schema made by [`schema`]; `None` for another.
    pub fn of(schema: &Schema) -> Option<Fields> {
        let f = |name: &str| schema.get_field(name).ok();
        Some(Fields {
            path: f("path")?,
            family: f("family")?,
            word: f("word")?,
            entry: f("entry")?,
            cause: f("cause")?,
            fix: f("fix")?,
            concept: f("concept")?,
            cause_concept: f("cause_concept")?,
            fix_concept: f("fix_concept")?,
            pattern: f("pattern")?,
            service: f("service")?,
            severity: f("severity")?,
            language: f("language")?,
            numbers: {
                let all: Option<Vec<Field>> = NUMBERS.iter().map(|n| f(n)).collect();
                all?.try_into().ok()?
            },
            card: f("card")?,
            body: f("body")?,
            whole: f("whole")?,
        })
    }
}
