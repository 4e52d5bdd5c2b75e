//! Boxes of site generators (`!!! note "Title"`, `??? tip`, `=== "Tab"`) whose text is indented below their first line: the line and the indent are no
//! text, else Markdown would take what the box holds for code.

use std::ops::Range;

/// The ranges of `text` from `from` on that only draw boxes, ascending.
pub(super) fn drawn(text: &str, from: usize) -> Vec<Range<usize>> {
    if !["!!!", "???", "==="].iter().any(|s| text[from..].contains(s)) {
        return Vec::new();
    }
    let mut out = Vec::new();
    // columns at which the texts of the open boxes begin
    let mut open: Vec<usize> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let said = line.trim();
        if said.is_empty() {
            continue;
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        while open.last().is_some_and(|column| indent < *column) {
            open.pop();
        }
        let depth = open.last().copied().unwrap_or(0);
        if let Some(sign) = ["```", "~~~"].into_iter().find(|s| said.starts_with(s)) {
            match fence {
                Some(open) if open == sign => fence = None,
                None => fence = Some(sign),
                _ => {}
            }
        }
        let title = (fence.is_none() && indent - depth < 4).then(|| opens(said)).flatten();
        match title {
            Some(_) => {
                out.push(start..start + line.trim_end().len());
                open.push(indent + 4);
            }
            None if depth > 0 => out.push(start..start + depth),
            None => {}
        }
    }
    out
}

/// True for the first line of a box.
fn opens(said: &str) -> Option<()> {
    let rest = said
        .strip_prefix("!!!")
        .or_else(|| said.strip_prefix("???+"))
        .or_else(|| said.strip_prefix("???"))
        .or_else(|| said.strip_prefix("===").filter(|r| r.trim_start().starts_with('"')))?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim();
    let (name, title) = rest.find('"').map_or((rest, ""), |n| rest.split_at(n));
    let named = name.split_whitespace().all(|w| w.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')));
    (named && name.split_whitespace().count() <= 4 && (title.is_empty() || (title.len() > 1 && title.ends_with('"')))).then_some(())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::expect;

    #[test]
    fn what_a_box_holds_is_text() {
        let (d, s) = expect(
            "a.md",
            "# Outage\n\n!!! warning \"Mind this\"\n    It fell at 14:03.\n\n    - hard\n\n??? note\n\n    Hidden.\n\n        code\n\nOut of it.\n",
            &["h1 Outage", "p It fell at 14:03.", "i0 hard", "p Hidden.", "code code", "p Out of it."],
        );
        assert_eq!(s.slice(d.blocks[1].span), "It fell at 14:03.");
        expect("a.md", "It fell!!!\n\n!!! Nobody knew it, really.\n", &["p It fell!!!", "p !!! Nobody knew it, really."]);
    }
}
