//! Dates that stand outside of the text: in front matter, in the title, in the file's name.

use super::dates::Known;
use super::place::Places;
use super::value::Date;
use super::words::Words;
use crate::document::{Document, Kind};
use crate::lang::{Column, Fit, Lexicon};

/// Dates that stand outside of the text: front matter, title, file name.
pub(super) fn known(document: &Document, places: &Places, words: &Words, lexicon: &Lexicon, file: Option<&str>) -> Known {
    let full = |text: &str| {
        let found = super::scan::scan(text, &[], words);
        found.mentions.into_iter().filter_map(|m| m.first.day).map(|d| d.date).find(|d| d.civil().is_some())
    };
    let field = |keys: &[&str]| keys.iter().find_map(|key| document.front_matter.get(key).and_then(full));
    let heading = document.blocks.iter().position(|b| matches!(b.kind, Kind::Heading { level: 1, .. }));
    let in_title = heading.and_then(|h| {
        let dates = places.items.iter().filter(|i| i.block == h).filter_map(|i| i.raw.first.day.as_ref());
        dates.map(|d| d.date).find(|d| d.civil().is_some())
    });
    let title = in_title.or_else(|| document.title.as_ref().and_then(|t| full(t.as_str())));
    // a key in the document's language
    let named = |column: Column| {
        let fields = document
            .front_matter
            .fields
            .iter()
            .filter(|f| lexicon.column(&f.key).is_some_and(|c| c.value == column && c.fit == Fit::Exact));
        fields.filter_map(|f| f.values.first()).find_map(|v| full(v))
    };
    let stated = field(super::front::START).or_else(|| field(super::front::DETECTED));
    let stated = stated.or_else(|| named(Column::Start)).or_else(|| named(Column::Detected));
    Known { stated, posted: field(super::front::POSTED).or_else(|| named(Column::Date)), title, file: file.and_then(file_date) }
}

/// The date at the head of a file's name or folder: `2022-05-03-name.md`, `20220503_name`.
fn file_date(path: &str) -> Option<Date> {
    path.rsplit('/').take(2).find_map(|part| {
        let digits: Vec<(usize, char)> = part.char_indices().filter(|(_, c)| c.is_ascii_digit()).take(8).collect();
        let (first, last) = (digits.first()?.0, digits.get(7)?.0);
        let run = part.get(first..=last)?;
        let shape: String = run.chars().map(|c| if c.is_ascii_digit() { 'd' } else { c }).collect();
        let shaped = matches!(shape.as_str(), "dddddddd" | "dddd-dd-dd" | "dddd_dd_dd" | "dddd.dd.dd");
        let n: u32 = digits.iter().map(|d| d.1).collect::<String>().parse().ok()?;
        let date = Date::new((n / 10_000) as i16, (n / 100 % 100) as u8, (n % 100) as u8);
        (shaped && (1990..2100).contains(&(n / 10_000)) && date.civil().is_some()).then_some(date)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_files() {
        assert_eq!(file_date("a/2022-05-03-outage.md"), Some(Date::new(2022, 5, 3)));
        assert_eq!(file_date("20220503/index.md"), Some(Date::new(2022, 5, 3)));
        assert_eq!(file_date("a/release-1.2.3-20.md"), None);
        assert_eq!(file_date("a/99999999.md"), None);
    }
}
