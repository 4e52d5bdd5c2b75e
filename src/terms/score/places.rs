//! Where a concept of a query stands.

use serde::{Deserialize, Serialize};

/// The documents that have a concept and the sentences it stands in, by document and sentence: of all of them in one list, because a list for each of very
/// many documents costs more than what is in it. Written as a list of documents, each with its list of sentences.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(u32, Vec<u32>)>", into = "Vec<(u32, Vec<u32>)>")]
pub struct Places {
    docs: Vec<Place>,
    sentences: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    doc: u32,
    count: u32,
    /// Where its sentences end in the list of all.
    end: u32,
}

impl Places {
    /// Adds a document, which comes after all others, with the number of sentences the concept stands in. They are left out where the document has no
    /// other concept of the query: then nothing depends on where they are.
    pub fn push(&mut self, doc: u32, count: u32, sentences: &[u32]) {
        self.sentences.extend_from_slice(sentences);
        self.docs.push(Place { doc, count, end: self.sentences.len() as u32 });
    }

    /// How many documents have it.
    pub fn len(&self) -> usize {
        self.docs.len()
    }

    /// True where no document has it.
    pub fn is_empty(&self) -> bool {
        self.docs.is_empty()
    }

    /// True where a document has it.
    pub fn has(&self, doc: u32) -> bool {
        self.docs.binary_search_by_key(&doc, |p| p.doc).is_ok()
    }

    /// Each document with the number of sentences, and the sentences where they are told.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, &[u32])> {
        let mut from = 0;
        self.docs.iter().map(move |p| {
            let here = from..p.end as usize;
            from = here.end;
            (p.doc, p.count, self.sentences.get(here).unwrap_or_default())
        })
    }
}

impl From<Vec<(u32, Vec<u32>)>> for Places {
    fn from(list: Vec<(u32, Vec<u32>)>) -> Places {
        let mut out = Places::default();
        list.iter().for_each(|(doc, sentences)| out.push(*doc, sentences.len() as u32, sentences));
        out
    }
}

impl From<Places> for Vec<(u32, Vec<u32>)> {
    fn from(places: Places) -> Vec<(u32, Vec<u32>)> {
        places.iter().map(|(doc, _, sentences)| (doc, sentences.to_vec())).collect()
    }
}
