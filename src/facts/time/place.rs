//! Where a mention stands: what its table's head, its section and its neighbours say about all clocks there.

use super::labels::{Label, label_before, label_zone};
use super::scan::{Found, Raw, scan};
use super::words::Words;
use super::zone::Zone;
use crate::document::{Block, Certainty, Document, Kind};
use crate::lang::{Column, Fit, Lexicon, Role};
use crate::text::sentences;
use std::collections::BTreeMap;
use std::ops::Range;

/// A mention with its place.
#[derive(Clone, Debug)]
pub struct Item {
    /// The block.
    pub block: usize,
    /// What is written.
    pub raw: Raw,
    /// It opens its block, line or cell.
    pub lead: bool,
    /// Nothing else stands in its block or cell.
    pub whole: bool,
    /// What a label before it says it is (`Date:`, `Published:`).
    pub label: Label,
    /// The column of its table.
    pub cell: Option<usize>,
    /// Items of one group are the entries of one list, table or run of updates.
    pub group: usize,
    /// The section, counted by headings.
    pub section: usize,
}

/// What the document says about places.
#[derive(Debug, Default)]
pub struct Places {
    /// The mentions, in order.
    pub items: Vec<Item>,
    /// Role of each block's section.
    pub roles: Vec<Option<Role>>,
    /// Section of each block.
    pub sections: Vec<usize>,
    /// Zones said for a whole table column.
    pub column_zones: BTreeMap<(usize, usize), Zone>,
    /// What each column of a table holds.
    pub columns: BTreeMap<(usize, usize), Column>,
    /// Zones said for a whole table.
    pub table_zones: BTreeMap<usize, Zone>,
    /// The section that a section is part of, by the levels of their headings.
    pub parents: Vec<Option<usize>>,
    /// Zones said for a section.
    pub section_zones: BTreeMap<usize, Zone>,
    /// A zone said for the whole document.
    pub document_zone: Option<Zone>,
    /// The zone of the document's own date, in its front matter.
    pub posted_zone: Option<Zone>,
}

/// The cells of a row, as ranges of its text.
pub fn cells(block: &Block) -> Vec<Range<usize>> {
    let Kind::Row { cells, .. } = &block.kind else { return Vec::new() };
    let mut at = 0;
    let mut out = Vec::new();
    for cell in cells {
        let end = (at + cell.len()).min(block.text.len());
        out.push(at.min(end)..end);
        at = end + 3;
    }
    out
}

/// Does a block begin a section? A heading that opens with a clock or date is an entry of a list of updates.
fn opens_section(block: &Block, found: &Found) -> bool {
    let Kind::Heading { certainty, .. } = &block.kind else { return false };
    let text = block.text.as_str();
    let stamped =
        found.mentions.iter().any(|m| m.first.time.is_some() && !m.weak && (is_lead(text, 0, m.range.start) || is_tail(block, &m.range)));
    !stamped && (*certainty >= Certainty::Likely || found.mentions.is_empty())
}

/// Does a short sentence (what follows `from`) with a zone and no clock say in which zone clocks are given? It holds no other numbers than a date's, and the zone ends it
/// or a part of it, or it speaks of times.
fn states(text: &str, from: usize, found: &Found, lexicon: &Lexicon) -> bool {
    let dated = |i: usize| found.mentions.iter().any(|m| m.range.contains(&i)) || found.zones.iter().any(|(r, _)| r.contains(&i));
    let sentence = text.get(from..).unwrap_or("");
    if sentence.char_indices().any(|(i, c)| c.is_ascii_digit() && !dated(from + i)) {
        return false;
    }
    let ends = found.zones.iter().any(|(r, _)| {
        let rest = text.get(r.end..).unwrap_or("").trim_start();
        rest.is_empty() || rest.starts_with(['.', ',', ')', ']', '。', '、', '，', '）', ';'])
    });
    let speaks = || sentence.split(|c: char| !c.is_alphanumeric()).any(|w| lexicon.exact_column(w) == Some(Column::Time));
    // in scripts without spaces a verb may stand behind the zone
    let brief = !sentence.trim().contains(' ') && sentence.chars().any(super::letters::is_free) && sentence.chars().count() <= 24;
    ends || brief || speaks()
}

/// True where a range of a text holds a zone and nothing else.
fn is_all(text: &str, range: Range<usize>, found: &Found) -> bool {
    let spoken = |from: usize, to: usize| text.get(from..to).is_some_and(|t| t.chars().any(char::is_alphanumeric));
    let inside = |z: &&super::scan::LooseZone| range.start <= z.0.start && z.0.end <= range.end;
    found.zones.iter().filter(inside).any(|(z, _)| !spoken(range.start, z.start) && !spoken(z.end, range.end))
}

/// What stands between the beginning of the line (or `from`) and `at`; of a long line only its end, so that many mentions in one cost little.
pub fn line_head(text: &str, from: usize, at: usize) -> &str {
    let mut start = from.max(at.saturating_sub(400));
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let head = text.get(start..at).unwrap_or("");
    head.rsplit('\n').next().unwrap_or(head)
}

/// True where a mention ends a short heading, after at most a few words: `Update 3 May, 14:05`.
fn is_tail(block: &Block, range: &Range<usize>) -> bool {
    let text = block.text.as_str();
    if text.len() > 240 || !matches!(block.kind, Kind::Heading { level, .. } if level > 1) {
        return false;
    }
    let (head, rest) = (text.get(..range.start).unwrap_or(""), text.get(range.end..).unwrap_or(""));
    let words = head.split_whitespace().filter(|w| w.chars().any(char::is_alphanumeric)).count();
    words <= 3 && head.chars().count() <= 40 && !head.chars().any(|c| c.is_ascii_digit()) && !rest.chars().any(char::is_alphanumeric)
}

/// True where only marks and at most a short label stand between `from` and `at`.
fn is_lead(text: &str, from: usize, at: usize) -> bool {
    let head = line_head(text, from, at);
    if head.len() > 160 {
        return false;
    }
    let letters = head.chars().filter(|c| c.is_alphanumeric()).count();
    letters == 0 || (letters <= 24 && head.trim_end().ends_with([':', '：', '(', '[', '（', '【']) && head.split_whitespace().count() <= 3)
}

impl Places {
    /// Reads all blocks.
    pub fn new(document: &Document, roles: &[Option<Role>], lexicon: &Lexicon, words: &Words) -> Places {
        let mut p = Places { roles: roles.to_vec(), ..Places::default() };
        p.roles.resize(document.blocks.len(), None);
        for (table, heads) in crate::facts::columns::read(document, lexicon).into_iter().enumerate() {
            let sure = heads.into_iter().enumerate().filter_map(|(c, head)| Some((c, head.filter(|(_, fit)| *fit >= Fit::Opens)?.0)));
            p.columns.extend(sure.map(|(c, column)| ((table, c), column)));
        }
        let mut section = 0;
        p.parents.push(None);
        // the sections that are open, with the levels of their headings
        let mut open: Vec<(u8, usize)> = Vec::new();
        let mut groups: BTreeMap<(usize, u8, usize), usize> = BTreeMap::new();
        let mut loose: Vec<(usize, Zone)> = Vec::new();
        for (n, block) in document.blocks.iter().enumerate() {
            let role = p.roles[n];
            let text = block.text.as_str();
            let skipped = matches!(block.kind, Kind::Rule) || (block.kind == Kind::Code && role != Some(Role::Timeline));
            let found = if skipped { Found::default() } else { scan(text, &super::mask::masked(block), words) };
            if opens_section(block, &found) {
                section += 1;
                let Kind::Heading { level, .. } = block.kind else { continue };
                open.retain(|(l, _)| *l < level);
                p.parents.push(Some(open.last().map_or(0, |(_, s)| *s)));
                open.push((level, section));
            }
            p.sections.push(section);
            p.zones_of(n, block, &found, section, lexicon, &mut loose);
            let key = match &block.kind {
                Kind::Row { table, .. } => (0, 0, *table),
                Kind::Item { depth, .. } => (section, 1, usize::from(*depth)),
                Kind::Heading { level, .. } => (0, 2, usize::from(*level)),
                Kind::Code => (section, 4, n),
                _ => (section, 3, 0),
            };
            let next = groups.len();
            let group = *groups.entry(key).or_insert(next);
            let cells = cells(block);
            if matches!(block.kind, Kind::Row { header: true, .. }) {
                continue;
            }
            // the clock that opens a line or cell: what the line tells after it is no entry of its own
            let mut opened: Option<(Option<usize>, usize)> = None;
            for mut raw in found.mentions {
                if raw.first.time.is_some() && raw.first.zones.is_empty() {
                    raw.first.zones = label_zone(text, raw.range.start, &found.zones).unwrap_or_default();
                }
                let cell = cells.iter().position(|c| c.start <= raw.range.start && raw.range.start < c.end);
                let area = cell.map_or(0..text.len(), |c| cells[c].clone());
                let line = raw.range.start - line_head(text, area.start, raw.range.start).len();
                let told = raw.first.time.is_some() && opened == Some((cell, line));
                // `ca. 12:30` in a cell
                let about = cell.is_some()
                    && raw.first.time.is_some()
                    && raw.opening < raw.range.start
                    && !line_head(text, area.start, raw.opening.max(area.start)).chars().any(char::is_alphanumeric);
                if about {
                    raw.range.start = raw.opening.max(area.start);
                }
                let lead = !told && (about || is_lead(text, area.start, raw.range.start)) || is_tail(block, &raw.range);
                if lead && raw.first.time.is_some() && !text[line..raw.range.start].chars().any(char::is_alphanumeric) {
                    opened = Some((cell, line));
                }
                if block.kind == Kind::Code && !lead {
                    continue;
                }
                let rest = text.get(raw.range.end..area.end.max(raw.range.end)).unwrap_or("");
                let spoken = |t: &str| t.chars().any(char::is_alphanumeric);
                // a day on a line of its own above entries in the same paragraph
                let above = cell.is_none()
                    && raw.first.time.is_none()
                    && rest
                        .split_once('\n')
                        .is_some_and(|(line, next)| !spoken(line) && next.trim_start().starts_with(|c: char| c.is_numeric()));
                let whole = lead && (above || !spoken(rest));
                let label = label_before(block, &cells, cell, raw.range.start, lexicon);
                p.items.push(Item { block: n, raw, lead, whole, label, cell, group, section });
            }
        }
        p.settle(loose, document, words);
        p
    }

    /// Takes note of zones that are named without a clock.
    fn zones_of(&mut self, n: usize, block: &Block, found: &Found, section: usize, lexicon: &Lexicon, loose: &mut Vec<(usize, Zone)>) {
        let text = block.text.as_str();
        if let Kind::Row { table, header: true, .. } = &block.kind {
            let ranges = cells(block);
            for (range, zones) in &found.zones {
                let Some(zone) = zones.first() else { continue };
                let Some(c) = ranges.iter().position(|c| c.start <= range.start && range.start < c.end) else { continue };
                self.column_zones.entry((*table, c)).or_insert_with(|| zone.clone());
                self.table_zones.entry(*table).or_insert_with(|| zone.clone());
            }
            return;
        }
        if found.zones.is_empty() {
            return;
        }
        // the sentence of a zone that holds no clock
        let said = sentences(text).into_iter().take(64).find_map(|s| {
            let (range, zones) = found.zones.iter().find(|(r, _)| s.contains(&r.start))?;
            // a stop after a short word may end a sentence after all
            let s = text.get(s.start..range.start).and_then(|t| t.rfind(". ")).map_or(s.start, |at| s.start + at + 2)..s.end;
            let clocked = found.mentions.iter().any(|m| m.first.time.is_some() && s.contains(&m.range.start));
            let rest = Found {
                mentions: found.mentions.iter().filter(|m| s.contains(&m.range.start)).cloned().collect(),
                zones: vec![(range.clone(), zones.clone())],
            };
            (!clocked).then_some((s, zones.first()?, rest))
        });
        let Some((range, zone, found)) = said else { return };
        let text = text.get(..range.end).unwrap_or(text);
        let sentence = text.get(range.clone()).unwrap_or("");
        let short = sentence.split_whitespace().count() <= 14 && sentence.chars().count() <= 110;
        match block.kind {
            Kind::Heading { .. } => {
                self.section_zones.entry(section).or_insert_with(|| zone.clone());
            }
            // `Timezone | Europe/Dublin`
            Kind::Row { .. } if cells(block).get(1).is_some_and(|c| cells(block).len() == 2 && is_all(text, c.clone(), &found)) => {
                loose.push((n, zone.clone()));
            }
            Kind::Row { .. } | Kind::Code => {}
            _ if short && self.roles[n] == Some(Role::Timeline) => {
                self.section_zones.entry(section).or_insert_with(|| zone.clone());
                loose.push((n, zone.clone()));
            }
            _ if short && (!self.roles[n].is_some_and(is_aside) || self.ahead(n)) && states(text, range.start, &found, lexicon) => {
                self.section_zones.entry(section).or_insert_with(|| zone.clone());
                loose.push((n, zone.clone()));
            }
            _ => {}
        }
    }

    /// True for a note that stands before all clocks: what it says of their zone is said for them.
    fn ahead(&self, n: usize) -> bool {
        self.roles[n] == Some(Role::Appendix) && !self.items.iter().any(|i| i.lead && i.raw.first.time.is_some())
    }

    /// The zone that all heads of tables name, where they name one.
    pub fn columns_agree(&self) -> Option<Zone> {
        let first = self.column_zones.values().next()?;
        self.column_zones.values().all(|z| z == first).then(|| first.clone())
    }

    /// A section and those around it, from the inside out.
    pub fn around(&self, section: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(section), |s| self.parents.get(*s).copied().flatten()).take(8)
    }

    /// A zone that is said anywhere for all: by statements that agree, else by front matter.
    fn settle(&mut self, loose: Vec<(usize, Zone)>, document: &Document, words: &Words) {
        let agreed = loose.first().filter(|(_, z)| loose.iter().all(|(_, o)| o == z)).map(|(_, z)| z.clone());
        let stated = document.front_matter.get("timezone").and_then(|v| {
            let found = scan(v, &[], words);
            Zone::named(v.trim())
                .or_else(|| found.zones.first().and_then(|(_, z)| z.first().cloned()))
                .or_else(|| super::stamp::offset_of(v, words))
        });
        self.document_zone = stated.or(agreed);
        let own = super::front::START.iter().chain(super::front::END).chain(super::front::POSTED);
        self.posted_zone = own.filter_map(|k| document.front_matter.get(k)).find_map(|v| {
            let first = scan(v, &[], words).mentions.into_iter().next()?.first;
            first.zones.into_iter().next()
        });
    }
}

/// Sections whose dates and clocks are not the incident's.
pub fn is_aside(role: Role) -> bool {
    matches!(
        role,
        Role::Remediation
            | Role::Prevention
            | Role::Lessons
            | Role::LessonsWell
            | Role::LessonsWrong
            | Role::LessonsLucky
            | Role::Background
            | Role::Appendix
    )
}
