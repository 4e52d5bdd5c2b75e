//! What an element's beginning changes for the text in it.

use super::super::super::Certainty;
use super::super::attribute;
use super::super::elements::{self, Role};
use super::super::rows::{Row, Table};
use super::{Holds, Item, Tree};
use html5gum::StartTag;
use std::ops::Range;

impl Tree<'_> {
    /// What an element changes for the text in it.
    pub(super) fn enter(&mut self, tag: &StartTag<usize>, name: &str, role: Role, range: &Range<usize>) {
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
                self.items.push(Item { check: ticked(tag), told: false });
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
}

/// Whether the class of an item says that it is ticked off, as exports of task lists write it.
fn ticked(tag: &StartTag<usize>) -> Option<bool> {
    let class = attribute(tag, "class")?;
    class.split_ascii_whitespace().find_map(|name| match name {
        "checked" => Some(true),
        "unchecked" => Some(false),
        _ => None,
    })
}
