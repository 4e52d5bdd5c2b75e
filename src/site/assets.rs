//! Style sheet and scripts, named by their content: a page of yesterday never meets a style of today.

use super::{Input, Output};
use crate::error::Result;
use sha2::{Digest, Sha256};

/// The assets of a site.
pub struct Assets {
    /// The files.
    pub files: Vec<Output>,
    /// Path of the style sheet.
    pub style: String,
    /// Path of the script.
    pub script: String,
    /// Path of the search's script.
    pub search: String,
    /// Path of the mark that stands in a tab.
    pub icon: String,
}

/// The first twelve hexadecimal digits of a hash.
pub fn short_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(6).map(|b| format!("{b:02x}")).collect()
}

impl Assets {
    /// Takes the built-in assets, or the user's of the same name; the user's `extra.css` is appended to the style sheet.
    pub fn new(input: &Input<'_>) -> Result<Assets> {
        let own = |name: &str| input.overrides.iter().find(|(n, _)| n == name).map(|(_, t)| t.clone());
        let text = |name: &str| {
            own(name).or_else(|| crate::data::TEMPLATES.iter().find(|(n, _)| *n == name).map(|(_, t)| (*t).to_string())).unwrap_or_default()
        };
        let mut style = text("style.css");
        if let Some(extra) = own("extra.css") {
            style.push('\n');
            style.push_str(&extra);
        }
        let mut made =
            Assets { files: Vec::new(), style: String::new(), script: String::new(), search: String::new(), icon: String::new() };
        made.style = made.add("style", "css", style);
        made.script = made.add("site", "js", text("site.js"));
        let parts = ["search.js", "search-engine.js", "search-page.js"].map(text);
        made.search = made.add("search", "js", parts.join("\n"));
        made.icon = made.add("icon", "svg", text("icon.svg"));
        Ok(made)
    }

    fn add(&mut self, name: &str, ext: &str, text: String) -> String {
        let path = format!("assets/{name}-{}.{ext}", short_hash(text.as_bytes()));
        self.files.push(Output::new(path.clone(), text.into_bytes()));
        path
    }
}
