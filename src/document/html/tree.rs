//! The open elements, and the blocks made of the text in them.

mod ends;
mod enter;

use super::super::ink::{Flow, Ink};
use super::super::paragraph::{self, Place};
use super::super::{Block, Certainty, Kind, Mark};
use super::choose::Where;
use super::elements::{self, Role};
use super::rows::{Row, Table};
use super::{attribute, entities};
use crate::text::Mapped;
use html5gum::StartTag;
use std::collections::BTreeMap;
use std::ops::Range;

/// Elements deeper than this are read as if their tags were not there.
const DEEPEST: usize = 2000;
/// How far up an end tag looks for its beginning.
const FAR: usize = 200;
/// A block longer than this (in bytes) is told in pieces.
const LONGEST: usize = 100_000;

/// What text in a place becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Text,
    Heading(u8, Certainty),
    Item,
    Note,
    Code,
    Cell,
}

/// All that depends on the elements around a place.
#[derive(Clone, Copy)]
struct Context {
    holds: Holds,
    mute: bool,
    chrome: bool,
    article: usize,
    main: bool,
    quote: u8,
    depth: u8,
    ordered: bool,
    in_head: bool,
    lang: usize,
}

struct Open {
    name: String,
    role: Role,
    before: Context,
    mark: Option<Mark>,
}

/// A list item that is open.
struct Item {
    check: Option<bool>,
    told: bool,
}

/// What a page was read as.
pub(super) struct Page {
    pub blocks: Vec<Block>,
    pub places: Vec<Where>,
    pub lang: Option<String>,
    pub title: Option<Mapped>,
    pub tables: usize,
}

pub(super) struct Tree<'s> {
    of: &'s Mapped,
    /// Part of another format: nothing is page furniture.
    fragment: bool,
    ink: Ink<'s>,
    title: Ink<'s>,
    in_title: bool,
    now: Context,
    stack: Vec<Open>,
    count: BTreeMap<String, usize>,
    items: Vec<Item>,
    table: Vec<Table>,
    row: Vec<Row>,
    spans: (usize, usize),
    langs: Vec<Option<String>>,
    begin: usize,
    /// A break was read and nothing since.
    broke: bool,
    articles: usize,
    page: Page,
}

impl<'s> Tree<'s> {
    pub fn new(of: &'s Mapped, quote: u8, depth: u8, tables: usize, fragment: bool) -> Tree<'s> {
        let now = Context {
            holds: Holds::Text,
            mute: false,
            chrome: false,
            article: 0,
            main: false,
            quote,
            depth,
            ordered: false,
            in_head: false,
            lang: 0,
        };
        let page = Page { blocks: Vec::new(), places: Vec::new(), lang: None, title: None, tables };
        Tree {
            of,
            fragment,
            ink: Ink::new(of),
            title: Ink::new(of),
            in_title: false,
            now,
            stack: Vec::new(),
            count: BTreeMap::new(),
            items: Vec::new(),
            table: Vec::new(),
            row: Vec::new(),
            spans: (1, 1),
            langs: vec![None],
            begin: 0,
            broke: false,
            articles: 0,
            page,
        }
    }

    /// Text between tags; it stands at `start` of the decoded text. What a fragment has blank and the decoded text has not (the marks of
    /// quotes around it) is white space.
    pub fn text(&mut self, text: &str, start: usize) {
        let mut from = 0;
        if self.fragment {
            let own = self.of.as_str().as_bytes().get(start..start + text.len()).unwrap_or(&[]);
            let mut at = 0;
            while let Some(n) = own[at.min(own.len())..].iter().zip(&text.as_bytes()[at..]).position(|(a, b)| a != b) {
                let begin = at + n;
                let end = begin + text.as_bytes()[begin..].iter().take_while(|b| b.is_ascii_whitespace()).count().max(1);
                self.piece(text.get(from..begin).unwrap_or(""), start + from);
                if !self.now.mute && !self.ink.is_empty() {
                    self.ink.space(start + begin..start + end);
                }
                at = end;
                from = end;
            }
        }
        self.piece(text.get(from..).unwrap_or(""), start + from);
    }

    fn piece(&mut self, text: &str, start: usize) {
        if text.is_empty() {
            return;
        }
        if self.in_title {
            entities::write(&mut self.title, text, start, false);
            return;
        }
        if self.stack.last().is_some_and(|o| o.role == Role::Ticked) {
            if let Some(item) = self.items.last_mut().filter(|i| !i.told) {
                item.check = Some(text.trim().eq_ignore_ascii_case("complete"));
            }
            return;
        }
        if self.now.mute {
            return;
        }
        let code = self.now.holds == Holds::Code;
        if self.ink.is_empty() {
            if code {
                // the line break right behind `<pre>` is none of the text
                let skip = text.len() - text.trim_start_matches(['\r', '\n']).len();
                return entities::write(&mut self.ink, &text[skip..], start + skip, true);
            }
            let lead = text.len() - text.trim_start().len();
            if lead == text.len() {
                return;
            }
            self.ink.begin(self.begin);
        }
        self.broke &= text.trim().is_empty();
        if text.len() <= LONGEST {
            entities::write(&mut self.ink, text, start, code);
        } else {
            let mut from = 0;
            while from < text.len() {
                let mut end = super::floor(text, from + LONGEST);
                if end < text.len() {
                    end = text[from..end].rfind(char::is_whitespace).map_or(end, |n| from + n + 1).max(from + 1);
                    end = super::floor(text, end).max(from + text[from..].chars().next().map_or(1, char::len_utf8));
                }
                entities::write(&mut self.ink, &text[from..end], start + from, code);
                if end < text.len() && self.now.holds != Holds::Cell {
                    self.flush(start + end);
                    self.begin = start + end;
                }
                from = end;
            }
        }
        if self.ink.len() > LONGEST && self.now.holds != Holds::Cell {
            self.flush(start + text.len());
            self.begin = start + text.len();
        }
    }

    /// Ends the block that is being written. `end` is where it ends in the decoded text.
    fn flush(&mut self, end: usize) {
        self.broke = false;
        if self.now.holds == Holds::Cell {
            self.ink.hard(end..end);
            return;
        }
        if self.ink.is_empty() {
            return;
        }
        let mut flow = self.ink.take();
        let range = self.begin..end.max(self.begin);
        let now = self.now;
        let lang = self.langs.get(now.lang).cloned().flatten();
        let place = Place {
            of: self.of,
            quote: now.quote,
            lang,
            depth: now.depth,
            gap: true,
            note: now.holds == Holds::Note,
            knows_bullets: false,
        };
        let out = &mut self.page.blocks;
        match now.holds {
            Holds::Heading(level, certainty) => {
                flow = without_anchor(flow);
                if !flow.text.as_str().trim().is_empty() {
                    out.push(place.block(Kind::Heading { level, certainty }, flow.from(0), range, true));
                }
            }
            Holds::Code => {
                let end = flow.text.as_str().trim_end().len();
                flow.text = flow.text.slice(0..end);
                if !flow.text.is_empty() {
                    flow.marks.retain(|(r, _)| r.end <= end);
                    out.push(place.block(Kind::Code, flow, range, true));
                }
            }
            Holds::Item if self.items.last().is_some_and(|i| !i.told) => {
                if let Some(item) = self.items.last_mut() {
                    item.told = true;
                    paragraph::item(flow, range, now.ordered, item.check, &place, out);
                }
            }
            _ => paragraph::paragraph(flow, range, &place, out),
        }
        self.tell_places();
    }

    fn tell_places(&mut self) {
        let place = Where { article: self.now.article, main: self.now.main, chrome: self.now.chrome };
        self.page.places.resize(self.page.blocks.len(), place);
    }

    /// A start tag.
    pub fn open(&mut self, tag: &StartTag<usize>, range: Range<usize>) {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        let mut role = elements::role(&name);
        // a macro's parameter is a setting, but for the words that it shows
        if name == "ac:parameter" && attribute(tag, "ac:name").is_some_and(|n| n == "title") {
            role = Role::Inline;
        }
        if role == Role::Title && (self.stack.iter().any(|o| o.name == "svg") || self.page.title.is_some() || !self.title.is_empty()) {
            role = Role::Mute;
        }
        if attribute(tag, "role").is_some_and(|r| r == "main") {
            role = Role::Main;
        }
        self.imply_ends(role, &name, range.start);
        let parts = elements::parts(role);
        if parts && !self.now.mute {
            self.flush(range.start);
            if self.ink.is_empty() {
                self.begin = range.start;
            }
        }
        match role {
            Role::Break => return self.line_break(range),
            Role::Rule if !self.now.mute => {
                let place = Place { of: self.of, quote: self.now.quote, lang: None, depth: 0, gap: true, note: false, knows_bullets: true };
                if self.now.holds != Holds::Cell {
                    self.page.blocks.push(place.block(Kind::Rule, Flow::default(), range.clone(), true));
                    self.tell_places();
                    self.begin = range.end;
                }
                return;
            }
            Role::Image => {
                if !self.now.mute
                    && let Some(alt) = attribute(tag, "alt").filter(|a| !a.trim().is_empty())
                {
                    self.ink.open(Mark::Image);
                    self.ink.made(alt.trim(), range);
                    self.ink.close(&Mark::Image);
                    self.broke = false;
                }
                return;
            }
            Role::Input => {
                if attribute(tag, "type").is_some_and(|t| t.eq_ignore_ascii_case("checkbox"))
                    && let Some(item) = self.items.last_mut().filter(|i| !i.told)
                {
                    item.check = Some(tag.attributes.contains_key(&b"checked"[..]));
                }
                return;
            }
            Role::Void => {
                if name == "meta"
                    && self.page.lang.is_none()
                    && attribute(tag, "http-equiv").is_some_and(|h| h.eq_ignore_ascii_case("content-language"))
                {
                    self.page.lang = attribute(tag, "content");
                }
                return;
            }
            Role::Rule => return,
            _ => {}
        }
        if name == "time"
            && tag.self_closing
            && !self.now.mute
            && let Some(day) = attribute(tag, "datetime")
        {
            if self.ink.is_empty() {
                self.ink.begin(self.begin);
            }
            return self.ink.made(&day, range);
        }
        if tag.self_closing && (name.contains(':') || self.fragment || name == "path") && !parts {
            return;
        }
        if self.stack.len() >= if role == Role::Mute { 2 * DEEPEST } else { DEEPEST } {
            return;
        }
        let before = self.now;
        self.enter(tag, &name, role, &range);
        let mark = if role == Role::Inline && !self.now.mute { elements::mark(&name, attribute(tag, "href")) } else { None };
        if let Some(mark) = &mark {
            self.ink.open(mark.clone());
        }
        *self.count.entry(name.clone()).or_default() += 1;
        self.stack.push(Open { name, role, before, mark });
    }

    fn line_break(&mut self, range: Range<usize>) {
        if self.now.mute {
            return;
        }
        if self.now.holds == Holds::Code {
            return self.ink.made("\n", range);
        }
        // two breaks in a row part paragraphs
        if self.broke && !matches!(self.now.holds, Holds::Cell | Holds::Heading(..)) {
            self.flush(range.start);
            self.begin = range.end;
        } else if !self.ink.is_empty() {
            self.ink.hard(range);
            self.broke = true;
        }
    }

    /// The text ends at `at`.
    pub fn end(&mut self, at: usize) {
        while !self.stack.is_empty() {
            self.pop(at..at);
        }
        self.flush(at);
    }

    pub fn finish(self) -> Page {
        self.page
    }
}

/// A heading without the sign that links to it (`#`, `¶`).
fn without_anchor(flow: Flow) -> Flow {
    let text = flow.text.as_str();
    let sign = |s: &str| matches!(s.trim(), "#" | "¶" | "§" | "🔗" | "");
    for (range, mark) in &flow.marks {
        if matches!(mark, Mark::Link(_)) && sign(&text[range.clone()]) {
            if range.end == text.trim_end().len() {
                let end = text[..range.start].trim_end().len();
                return flow.split(&[0, end]).into_iter().next().unwrap_or_default();
            }
            if range.start == 0 {
                return flow.from(range.end);
            }
        }
    }
    flow
}
