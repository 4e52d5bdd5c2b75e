//! Shows a page in the reader's browser. The page is a file of its own, so that it opens while the network and the wiki are down.

use crate::error::{Error, Result};
use std::path::Path;
use std::process::{Command, Stdio};

/// Opens a file in the program that `BROWSER` names (the first, where it names several), else in the system's own. Does not wait for it.
pub(super) fn open(file: &Path) -> Result<()> {
    let named = std::env::var("BROWSER").unwrap_or_default();
    let named = named.split(':').find(|b| !b.trim().is_empty());
    let own = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut words = named.unwrap_or(own).split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(own));
    let mut told = false;
    for word in words {
        told |= word.contains("%s");
        command.arg(word.replace("%s", &file.display().to_string()));
    }
    if !told {
        command.arg(file);
    }
    let begun = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match begun {
        Ok(_) => Ok(()),
        Err(e) => Err(Error::because(format!("{} cannot be opened in a browser", file.display()), e).hint("name a program in BROWSER")),
    }
}
