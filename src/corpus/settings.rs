//! `twiceshy.yaml`: the settings of a corpus; and how the corpus is found.

use crate::error::{Error, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Name of the settings file in the corpus folder.
pub const FILE: &str = "twiceshy.yaml";

/// The settings of a corpus. All are optional.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Title of the site.
    pub title: String,
    /// Address the site will have, for feeds and the site map.
    pub base: String,
    /// Languages of the interface, the first is the default.
    pub languages: Vec<String>,
    /// Zone in which the site shows times whose zone the text does not state (IANA name). Nothing is converted without it.
    pub timezone: String,
    /// Globs of files that are postmortems; all text files unless given. A file that matches is taken whatever it looks like.
    pub include: Vec<String>,
    /// Globs of files that are none.
    pub exclude: Vec<String>,
    /// Audience of documents that name none: `public` (default), `internal` or `restricted`.
    pub audience: String,
    /// Folder of the runbooks, `runbooks` unless given.
    pub runbooks: String,
}

impl Settings {
    /// Reads the settings of a corpus folder; defaults where there is no such file.
    pub fn read(corpus: &Path) -> Result<Settings> {
        let path = corpus.join(FILE);
        let mut settings: Settings = match std::fs::read_to_string(&path) {
            Ok(text) if text.trim().is_empty() => Settings::default(),
            Ok(text) => crate::data::yaml(&path.display().to_string(), &text)?,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Settings::default(),
            Err(e) => return Err(Error::because(format!("cannot read {}", path.display()), e)),
        };
        if settings.title.is_empty() {
            settings.title = "Incidents".into();
        }
        if settings.languages.is_empty() {
            settings.languages.push("en".into());
        }
        if settings.audience.is_empty() {
            settings.audience = "public".into();
        }
        if !matches!(settings.audience.as_str(), "public" | "internal" | "restricted") {
            return Err(Error::new(format!(
                "{}: `audience` must be public, internal or restricted, not `{}`",
                path.display(),
                settings.audience
            )));
        }
        if settings.runbooks.is_empty() {
            settings.runbooks = "runbooks".into();
        }
        Ok(settings)
    }
}

/// The user's own configuration, `~/.config/twiceshy/config.yaml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UserConfig {
    /// The corpus that is used from any folder.
    pub corpus: Option<PathBuf>,
}

/// Finds the corpus: the one named, else the nearest folder upwards from `here` with a `twiceshy.yaml`, else the one of the user's configuration,
/// else `./corpus`. In the user's configuration `~/` stands for `home`, and a relative path counts from the configuration's folder.
pub fn locate(named: Option<&Path>, here: &Path, config: Option<&Path>, home: Option<&Path>) -> Result<PathBuf> {
    let missing = |path: &Path, why: &str| {
        Err(Error::new(format!("no corpus: {} {why}", path.display()))
            .hint("name one with --corpus DIR or TWICESHY_CORPUS; any folder of postmortems will do"))
    };
    if let Some(named) = named {
        return match std::fs::metadata(named) {
            Ok(m) if m.is_dir() => Ok(named.to_path_buf()),
            Ok(_) => missing(named, "is not a folder"),
            Err(e) => missing(named, &format!("cannot be opened ({e})")),
        };
    }
    if let Some(found) = here.ancestors().find(|d| d.join(FILE).is_file()) {
        return Ok(found.to_path_buf());
    }
    if let Some(config) = config
        && let Ok(text) = std::fs::read_to_string(config)
        && let Some(corpus) = crate::data::yaml::<UserConfig>(&config.display().to_string(), &text)?.corpus
    {
        let corpus = match (corpus.strip_prefix("~"), home, config.parent()) {
            (Ok(below), Some(home), _) => home.join(below),
            (_, _, Some(folder)) => folder.join(corpus),
            _ => corpus,
        };
        return if corpus.is_dir() { Ok(corpus) } else { missing(&corpus, &format!("(from {}) is not a folder", config.display())) };
    }
    let usual = here.join("corpus");
    if usual.is_dir() { Ok(usual) } else { missing(&usual, "does not exist, and no folder upwards has a twiceshy.yaml") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_is_found_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::create_dir_all(root.join("other")).unwrap();
        assert!(locate(None, &root.join("a/b"), None, None).unwrap_err().to_string().contains("no corpus"));
        std::fs::write(root.join("config.yaml"), format!("corpus: {}\n", root.join("other").display())).unwrap();
        assert_eq!(locate(None, &root.join("a/b"), Some(&root.join("config.yaml")), None).unwrap(), root.join("other"));
        for (written, home) in [("~/other", Some(root)), ("other", None), ("./other", Some(root))] {
            std::fs::write(root.join("config.yaml"), format!("corpus: {written}\n")).unwrap();
            assert_eq!(locate(None, &root.join("a/b"), Some(&root.join("config.yaml")), home).unwrap(), root.join("other"), "{written}");
        }
        std::fs::write(root.join("a").join(FILE), "title: T\n").unwrap();
        assert_eq!(locate(None, &root.join("a/b"), Some(&root.join("config.yaml")), None).unwrap(), root.join("a"));
        assert_eq!(locate(Some(&root.join("other")), &root.join("a/b"), None, None).unwrap(), root.join("other"));
        assert!(locate(Some(&root.join("nowhere")), root, None, None).is_err());
    }

    #[test]
    fn unknown_settings_are_named_with_their_place() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(FILE), "title: T\ncolour: red\n").unwrap();
        let e = Settings::read(dir.path()).unwrap_err().to_string();
        assert!(e.contains("twiceshy.yaml:2:1") && e.contains("colour"), "{e}");
    }
}
