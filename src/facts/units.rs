//! The units that facts are chosen from: list items, sentences of prose, table rows, each with its role and the words found in it.

use super::Fact;
use super::causes::Cause;
use super::labels::Labelled;
use super::sections::Place;
use crate::document::{Block, Document, Kind, Mark};
use crate::lang::{Column, Cue, Hit, Lexicon, Role, Status, Tag};
use crate::pattern::{Catalogue, Finding, Pattern};
use crate::text::{Span, sentences};
use std::ops::Range;
use std::sync::OnceLock;

/// What kind of text a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A sentence of a paragraph.
    Sentence,
    /// A list item, whole.
    Item,
    /// A table row.
    Row,
    /// A heading's text.
    Heading,
    /// A line of code or sample output.
    Code,
}

/// One candidate.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The block it stands in.
    pub block: usize,
    /// Its range in the block's text, label and list mark excluded.
    pub range: Range<usize>,
    /// What kind of text it is.
    pub shape: Shape,
    /// What its section (or label) is for.
    pub role: Option<Role>,
    /// True where a label of its own, not a heading, gave the role.
    pub labelled: bool,
    /// Number of its section.
    pub section: usize,
    /// Place in the document, 0 to 1.
    pub position: f32,
    /// Words found in it; ranges are those of the block's text.
    hits: Vec<Hit>,
    /// For each cue how much of it is there, in halves: made once, as many ask.
    cues: [u8; Cue::ALL.len()],
    /// The sentence before it in the same block, by index of its unit.
    pub previous: Option<usize>,
    /// True where it stands in a quote.
    pub quoted: bool,
    /// True where it tells in another language what is told elsewhere.
    pub passed: bool,
    /// True where most of it is struck through.
    pub struck: bool,
    /// True where the heading or label above it says that what stands here was ruled out.
    pub refuted: bool,
}

impl Unit {
    /// How much a cue is there: 1 for each hit of the language's own words, a half for another's, at most 2.
    pub fn cue(&self, cue: Cue) -> f32 {
        f32::from(self.cues[cue as usize]) / 2.0
    }

    /// The words found in it; ranges are those of the block's text.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// The same unit with another range and the words found there.
    pub fn cut(&self, range: Range<usize>, hits: Vec<Hit>) -> Unit {
        let cues = tally(&hits);
        Unit { range, hits, cues, ..self.clone() }
    }

    /// 1 where a cue is there, a half where only another language's word for it is, else 0.
    pub fn has(&self, cue: Cue) -> f32 {
        self.cue(cue).min(1.0)
    }

    /// The same unit taken for another kind of text.
    pub fn shaped(&self, shape: Shape) -> Unit {
        Unit { shape, ..self.clone() }
    }

    /// The unit's text.
    pub fn text<'d>(&self, document: &'d Document) -> &'d str {
        &document.blocks[self.block].text.as_str()[self.range.clone()]
    }

    /// Its range, or that of its first sentences where it is long: a long item tells its point first.
    pub fn point(&self, document: &Document) -> Range<usize> {
        let text = self.text(document);
        if text.len() <= 700 {
            return self.range.clone();
        }
        let end = sentences(text).iter().take(3).map(|r| r.end).max().unwrap_or(text.len());
        self.range.start..self.range.start + end
    }

    /// The bytes it stands on.
    pub fn spans(&self, document: &Document) -> Vec<Span> {
        document.blocks[self.block].text.spans(self.range.clone())
    }
}

/// How much of each cue some words are, in halves, at most four.
fn tally(hits: &[Hit]) -> [u8; Cue::ALL.len()] {
    let mut cues = [0u8; Cue::ALL.len()];
    for h in hits {
        if let Tag::Cue(c) = h.tag {
            let sum = &mut cues[c as usize];
            *sum = (*sum + if h.own { 2 } else { 1 }).min(4);
        }
    }
    cues
}

/// A table's columns, by what their heads say.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// For each column what it holds.
    pub columns: Vec<Option<Column>>,
    /// For each column what role its head names.
    pub roles: Vec<Option<Role>>,
}

/// What a section's list items look like.
#[derive(Clone, Default)]
struct List {
    items: usize,
    repairs: usize,
    done: usize,
    open: usize,
}

/// All that is known of a document's shape and words.
pub struct Reading<'d> {
    /// The document.
    pub document: &'d Document,
    /// The block that carries the title.
    pub title: Option<usize>,
    /// Where each block stands.
    pub places: Vec<Place>,
    /// Bytes of sections that tell again in another language what others tell.
    passed: Vec<Span>,
    /// The words found in each block.
    pub hits: Vec<Vec<Hit>>,
    /// For each block whether what it says was ruled out by what stands above it.
    refuted: Vec<bool>,
    /// The candidates, in document order.
    pub units: Vec<Unit>,
    /// The columns of each table.
    pub tables: Vec<Columns>,
    /// The lexicon of the document's language.
    pub lexicon: &'d Lexicon,
    /// What each pattern's formula found, strongest first.
    pub found: Vec<(&'d Pattern, Finding)>,
    /// For each unit how strongly it tells of some failure mechanism, whatever section it stands in.
    pub mechanism: Vec<f32>,
    /// The causes, once they were asked for.
    pub(super) causes: OnceLock<Vec<Fact<Cause>>>,
    /// What each unit scores as a cause, and whether the document has a section about causes; once they were asked for.
    pub(super) explained: OnceLock<Vec<f32>>,
    pub(super) causal: OnceLock<bool>,
    /// The values behind labels, once they were asked for.
    pub(super) labelled: OnceLock<Vec<Labelled>>,
    /// Whether the lists of actions stand below names, once it was asked for.
    pub(super) owned: OnceLock<bool>,
    /// What each unit scores as an action by itself, once it was asked for.
    pub(super) actions: OnceLock<Vec<f32>>,
}

impl<'d> Reading<'d> {
    /// Places, scans and cuts a document.
    pub fn new(document: &'d Document, lexicon: &'d Lexicon, catalogue: &'d Catalogue) -> Reading<'d> {
        let places = super::sections::place(document, lexicon);
        let hits: Vec<Vec<Hit>> =
            document.blocks.iter().map(|b| if matches!(b.kind, Kind::Rule) { Vec::new() } else { lexicon.scan(b.text.as_str()) }).collect();
        let tables = tables(document, lexicon);
        let (units, found, mechanism) = (Vec::new(), Vec::new(), Vec::new());
        let (causes, explained, causal) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (labelled, actions, owned) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let title = super::sections::title_block(document);
        let refuted = super::refuted::refuted(document, lexicon, &places, &hits, title);
        let mut reading = Reading {
            document,
            title,
            passed: Vec::new(),
            places,
            hits,
            refuted,
            units,
            tables,
            lexicon,
            found,
            mechanism,
            causes,
            explained,
            causal,
            labelled,
            owned,
            actions,
        };
        reading.cut();
        reading.infer();
        (reading.found, reading.mechanism) = super::tags::find(&reading, catalogue);
        reading
    }

    /// A list below a heading that says nothing known is a list of actions where nearly all of its items open with a verb of repair; so is one, in a
    /// timeline too, whose items are ticked off in part.
    fn infer(&mut self) {
        let sections = self.units.iter().map(|u| u.section).max().map_or(0, |m| m + 1);
        let mut lists = vec![List::default(); sections];
        let checks: Vec<Option<Status>> = self.units.iter().map(|u| super::status::check(self, u)).collect();
        let open = |u: &Unit| matches!(u.role, None | Some(Role::Timeline)) && u.shape == Shape::Item;
        for (u, check) in self.units.iter().zip(&checks).filter(|(u, _)| open(u)) {
            let opens = super::parts::opens_with(self, u, Cue::Repair);
            let list = &mut lists[u.section];
            list.items += 1;
            list.repairs += usize::from(opens && u.has(Cue::Negation) < 0.5);
            match check {
                Some(Status::Done) => list.done += 1,
                Some(Status::Planned) => list.open += 1,
                _ => {}
            }
        }
        for (u, check) in self.units.iter_mut().zip(checks) {
            let list = &lists[u.section];
            if !open(u) || list.items < 3 {
                continue;
            }
            let repairs = u.role.is_none() && list.repairs * 3 >= list.items * 2 && u.position > 0.3;
            let ticked = check.is_some() && list.done > 0 && list.open > 0;
            if repairs || ticked {
                u.role = Some(Role::Remediation);
            }
        }
    }

    /// Takes no facts from these bytes: they tell again what is told elsewhere.
    pub fn pass_over(&mut self, spans: Vec<Span>) {
        for unit in &mut self.units {
            let at = self.document.blocks[unit.block].span;
            unit.passed = spans.iter().any(|s| s.start <= at.start && at.end <= s.end);
        }
        self.passed = spans;
    }

    /// True for bytes that were passed over.
    pub fn is_passed(&self, at: Span) -> bool {
        self.passed.iter().any(|s| s.start <= at.start && at.end <= s.end)
    }

    /// True where some section or label is about causes.
    pub fn has_role(&self, wanted: &[Role]) -> bool {
        self.units.iter().any(|u| u.role.is_some_and(|r| wanted.contains(&r)))
    }

    fn cut(&mut self) {
        let total = self.document.blocks.iter().map(|b| b.text.len()).sum::<usize>().max(1) as f32;
        let mut seen = 0usize;
        let document = self.document;
        for (n, block) in document.blocks.iter().enumerate() {
            let position = seen as f32 / total;
            seen += block.text.len();
            let place = &self.places[n];
            let from = place.label.as_ref().map_or(0, |l| l.end);
            match &block.kind {
                Kind::Rule | Kind::Filler => {}
                Kind::Heading { .. } if place.is_heading => self.push(n, 0..block.text.len(), Shape::Heading, position, None),
                Kind::Code => {
                    for r in sentences(block.text.as_str()) {
                        self.push(n, r, Shape::Code, position, None);
                    }
                }
                Kind::Row { header: true, .. } => {}
                Kind::Row { .. } => self.push(n, from..block.text.len(), Shape::Row, position, None),
                Kind::Item { .. } => self.push(n, from..block.text.len(), Shape::Item, position, None),
                Kind::Heading { .. } | Kind::Paragraph | Kind::Note => {
                    let mut previous = None;
                    for r in sentences(&block.text.as_str()[from..]) {
                        self.push(n, from + r.start..from + r.end, Shape::Sentence, position, previous);
                        previous = Some(self.units.len() - 1);
                    }
                }
            }
        }
    }

    fn push(&mut self, n: usize, range: Range<usize>, shape: Shape, position: f32, previous: Option<usize>) {
        let block = &self.document.blocks[n];
        let text = block.text.as_str();
        let piece = &text[range.clone()];
        let start = range.start + (piece.len() - piece.trim_start().len());
        let range = start..start + piece.trim().len();
        if range.is_empty() {
            return;
        }
        let place = &self.places[n];
        // hits are sorted by their beginning
        let first = self.hits[n].partition_point(|h| h.range.start < range.start);
        let inside = &self.hits[n][first..];
        let inside = &inside[..inside.partition_point(|h| h.range.start <= range.end)];
        let mut hits: Vec<Hit> = Vec::with_capacity(inside.len());
        hits.extend(inside.iter().filter(|h| h.range.end <= range.end).cloned());
        let struck: usize = block
            .marks
            .iter()
            .filter(|(r, m)| *m == Mark::Struck && r.start < range.end && r.end > range.start)
            .map(|(r, _)| r.len())
            .sum();
        self.units.push(Unit {
            block: n,
            shape,
            role: place.role,
            labelled: place.label.is_some(),
            section: place.section,
            position,
            cues: tally(&hits),
            hits,
            previous,
            quoted: block.quote > 0,
            passed: false,
            refuted: self.refuted[n],
            struck: struck * 2 > range.len(),
            range,
        });
    }

    /// The table a row block belongs to, and its cells.
    pub fn row(&self, block: usize) -> Option<(&Columns, &[crate::text::Mapped])> {
        match &self.document.blocks[block].kind {
            Kind::Row { table, cells, .. } => self.tables.get(*table).map(|t| (t, cells.as_slice())),
            _ => None,
        }
    }

    /// The block of a unit.
    pub fn block(&self, unit: &Unit) -> &'d Block {
        &self.document.blocks[unit.block]
    }
}

fn tables(document: &Document, lexicon: &Lexicon) -> Vec<Columns> {
    let heads = super::columns::read(document, lexicon);
    let mut out: Vec<Columns> =
        heads.into_iter().map(|h| Columns { columns: h.into_iter().map(|h| h.map(|h| h.0)).collect(), roles: Vec::new() }).collect();
    for block in &document.blocks {
        let Kind::Row { table, header: true, cells } = &block.kind else { continue };
        let Some(columns) = out.get_mut(*table).filter(|c| c.roles.is_empty()) else { continue };
        columns.roles = cells.iter().map(|c| lexicon.role(c.as_str()).map(|f| f.value)).collect();
    }
    out
}
