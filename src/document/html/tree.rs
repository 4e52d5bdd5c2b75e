//! The open elements, and the blocks made of the text in them.

use super::super::ink::{Flow, Ink};
use super::super::paragraph::{self, Place};
use super::super::{Block, Certainty, Kind, Mark, table};
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
        if tag.self_closing && (self.fragment || name == "path") && !parts {
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

    /// What an element changes for the text in it.
    fn enter(&mut self, tag: &StartTag<usize>, name: &str, role: Role, range: &Range<usize>) {
        let now = &mut self.now;
        if let Some(lang) = attribute(tag, "lang").or_else(|| attribute(tag, "xml:lang")).filter(|l| !l.trim().is_empty()) {
            if matches!(role, Role::Html | Role::Body) && !self.fragment {
                self.page.lang = Some(lang);
            } else if !now.mute && self.langs.len() < 10_000 {
                self.langs.push(Some(lang));
                now.lang = self.langs.len() - 1;
            }
        }
        let yes = |key: &str, value: &str| attribute(tag, key).is_some_and(|v| v.trim().eq_ignore_ascii_case(value));
        let style = attribute(tag, "style").map(|s| s.replace(' ', "").to_ascii_lowercase()).unwrap_or_default();
        let hidden = tag.attributes.get(&b"hidden"[..]).is_some_and(|v| !v.eq_ignore_ascii_case(b"until-found"));
        now.mute |= role == Role::Mute
            || hidden
            || yes("aria-hidden", "true")
            || style.contains("display:none")
            || style.contains("visibility:hidden");
        now.mute |= role == Role::PageHead && !self.fragment;
        if name == "a" && attribute(tag, "href").is_some_and(|h| h.starts_with('#')) {
            // marks of footnotes, and ways back from them
            let names = attribute(tag, "class").unwrap_or_default() + &attribute(tag, "role").unwrap_or_default();
            now.mute |= self.stack.last().is_some_and(|o| o.name == "sup") || names.contains("backref") || names.contains("backlink");
        }
        self.in_title = role == Role::Title;
        if !self.fragment {
            let place = attribute(tag, "role").unwrap_or_default();
            let foreign =
                matches!(place.as_str(), "navigation" | "banner" | "contentinfo" | "search" | "complementary" | "dialog" | "alertdialog");
            let named = matches!(role, Role::Block | Role::List { .. } | Role::Chrome)
                && name != "p"
                && elements::names_chrome(&(attribute(tag, "class").unwrap_or_default() + " " + &attribute(tag, "id").unwrap_or_default()));
            // an article's own header, aside or footer is part of it
            let own = now.article > 0 && matches!(name, "header" | "aside");
            now.chrome |= foreign || named || (role == Role::Chrome && !own);
        }
        match role {
            Role::Article | Role::Main => {
                now.chrome = false;
                now.main |= role == Role::Main;
                if role == Role::Article && now.article == 0 {
                    self.articles += 1;
                    now.article = self.articles;
                }
            }
            Role::Heading(level) if now.holds != Holds::Cell => now.holds = Holds::Heading(level, Certainty::Certain),
            Role::List { ordered } if now.holds != Holds::Cell => {
                now.ordered = ordered;
                now.depth = now.depth.saturating_add(1);
            }
            Role::Item if now.holds != Holds::Cell => {
                now.holds = Holds::Item;
                now.depth = now.depth.max(1);
                self.items.push(Item { check: None, told: false });
            }
            Role::Item => self.items.push(Item { check: None, told: true }),
            Role::Pre if now.holds != Holds::Cell => now.holds = Holds::Code,
            Role::Quote => now.quote = now.quote.saturating_add(1),
            Role::Term | Role::Summary if now.holds != Holds::Cell => now.holds = Holds::Heading(6, Certainty::Likely),
            Role::Note if now.holds != Holds::Cell => now.holds = Holds::Note,
            Role::Chrome if name == "aside" && now.holds == Holds::Text => now.holds = Holds::Note,
            Role::Table => {
                self.table.push(Table::new(self.page.tables));
                self.page.tables += 1;
                now.holds = Holds::Text;
            }
            Role::Head => now.in_head = true,
            Role::Row => {
                if self.table.is_empty() {
                    self.table.push(Table::new(self.page.tables));
                    self.page.tables += 1;
                }
                self.row.push(Row::new(range.start, now.in_head));
            }
            Role::Cell { .. } if !self.row.is_empty() && !now.mute => {
                let reach = |key| attribute(tag, key).and_then(|v| v.trim().parse().ok()).unwrap_or(1);
                self.spans = (reach("colspan"), reach("rowspan"));
                now.holds = Holds::Cell;
            }
            Role::Block if matches!(name, "dd" | "details") && now.holds != Holds::Cell => now.holds = Holds::Text,
            _ => {}
        }
    }

    /// Ends elements that another one's beginning ends.
    fn imply_ends(&mut self, role: Role, name: &str, at: usize) {
        // text of a page's head is over when something that belongs to its body begins
        if self.stack.last().is_some_and(|o| o.role == Role::PageHead)
            && !matches!(role, Role::Title | Role::Void | Role::Mute | Role::Inline)
        {
            self.pop(at..at);
        }
        // a paragraph ends where a block begins
        if elements::parts(role)
            && self.count.get("p").is_some_and(|n| *n > 0)
            && let Some(i) = self.stack.iter().rposition(|o| o.role != Role::Inline).filter(|&i| self.stack[i].name == "p")
        {
            self.pop_to(i, at..at);
        }
        // a nested table or heading shows that the table around it only lays the page out
        if matches!(role, Role::Table | Role::Heading(_) | Role::Article | Role::Main) && self.now.holds == Holds::Cell {
            self.unmake_row(at);
        }
        loop {
            let found = self.stack.iter().enumerate().rev().take(FAR).find_map(|(i, o)| {
                if elements::implies_end(o.role, &o.name, role, name) {
                    Some(Some(i))
                } else if elements::bounds(o.role, role) {
                    Some(None)
                } else {
                    None
                }
            });
            match found.flatten() {
                Some(i) => self.pop_to(i, at..at),
                None => break,
            }
        }
    }

    /// Tells the cells of the row that is being read as paragraphs, and reads the open cell as a part of the page.
    fn unmake_row(&mut self, at: usize) {
        let Some(row) = self.row.last_mut() else { return };
        let cells = std::mem::take(&mut row.cells);
        row.told_cells = 0;
        let place =
            Place { of: self.of, quote: self.now.quote, lang: None, depth: self.now.depth, gap: true, note: false, knows_bullets: false };
        let last = self.ink.take();
        for flow in cells.into_iter().chain([last]) {
            let start = flow.lines.first().map_or(at, |l| l.start);
            paragraph::paragraph(flow, start.min(at)..at, &place, &mut self.page.blocks);
        }
        self.now.holds = Holds::Text;
        self.tell_places();
        for open in self.stack.iter_mut().rev() {
            if matches!(open.role, Role::Cell { .. }) {
                open.role = Role::Block;
                break;
            }
            open.before.holds = Holds::Text;
        }
        self.begin = at;
    }

    /// An end tag.
    pub fn close(&mut self, name: &str, range: Range<usize>) {
        match name {
            "br" => return self.line_break(range),
            "p" if self.count.get("p").is_none_or(|n| *n == 0) => {
                if !self.now.mute {
                    self.flush(range.end);
                    self.begin = range.end;
                }
                return;
            }
            "body" | "html" => return,
            _ => {}
        }
        if self.count.get(name).is_none_or(|n| *n == 0) {
            return;
        }
        let role = elements::role(name);
        let inline = role == Role::Inline;
        let found = self.stack.iter().enumerate().rev().take(FAR).find_map(|(i, o)| {
            if o.name == name {
                Some(Some(i))
            } else if (inline && elements::parts(o.role)) || (!matches!(role, Role::Table) && o.role == Role::Table) {
                Some(None)
            } else {
                None
            }
        });
        match found {
            Some(Some(i)) => self.pop_to(i, range),
            _ if inline => {
                if let Some(mark) = elements::mark(name, None) {
                    self.ink.close(&mark);
                }
            }
            _ => {}
        }
    }

    fn pop_to(&mut self, index: usize, range: Range<usize>) {
        while self.stack.len() > index + 1 {
            self.pop(range.start..range.start);
        }
        self.pop(range);
    }

    /// Ends the innermost element; `range` is its end tag, empty where it has none.
    fn pop(&mut self, range: Range<usize>) {
        let Some(open) = self.stack.pop() else { return };
        if let Some(n) = self.count.get_mut(&open.name) {
            *n = n.saturating_sub(1);
        }
        if let Some(mark) = &open.mark {
            self.ink.close(mark);
        }
        if elements::parts(open.role) && !self.now.mute {
            if matches!(open.role, Role::Cell { .. }) && self.now.holds == Holds::Cell {
                self.end_cell(open.role == Role::Cell { head: true });
            } else {
                self.flush(range.end);
            }
            self.begin = range.end;
        }
        match open.role {
            Role::Title => {
                self.in_title = false;
                self.page.title.get_or_insert(self.title.take().text);
            }
            Role::Item => {
                self.items.pop();
            }
            Role::Row => self.end_row(range.end),
            Role::Table => {
                self.table.pop();
            }
            Role::Mute if self.ink.is_empty() => self.begin = range.end,
            _ => {}
        }
        self.now = open.before;
    }

    fn end_cell(&mut self, head: bool) {
        let flow = self.ink.take();
        let spans = std::mem::replace(&mut self.spans, (1, 1));
        if let (Some(table), Some(row)) = (self.table.last_mut(), self.row.last_mut()) {
            table.add(row, flow.from(0), spans, head);
        }
    }

    fn end_row(&mut self, end: usize) {
        let Some(mut row) = self.row.pop() else { return };
        let Some(table) = self.table.last_mut() else { return };
        table.fill(&mut row);
        if row.told_cells == 0 || row.cells.iter().all(|c| c.text.is_empty()) {
            return;
        }
        let (header, number) = (row.is_header(), table.number);
        let lang = self.langs.get(self.now.lang).cloned().flatten();
        let place = Place { of: self.of, quote: self.now.quote, lang, depth: 0, gap: true, note: false, knows_bullets: true };
        let (flow, cells) = table::row(row.cells, self.of);
        self.page.blocks.push(place.block(Kind::Row { table: number, header, cells }, flow, row.start..end, true));
        self.tell_places();
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
