//! What can be typed.

use clap::{ArgAction, Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Once bitten, twice shy: postmortems as knowledge for 3 a.m.
#[derive(Parser, Debug)]
#[command(name = "twiceshy", version, about, max_term_width = 100, disable_help_subcommand = true, propagate_version = false)]
pub(super) struct Args {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(ClapArgs, Debug, Clone)]
pub(super) struct Global {
    /// Folder of postmortems [default: the nearest folder upwards with a twiceshy.yaml, else the one in ~/.config/twiceshy/config.yaml, else ./corpus]
    #[arg(long, global = true, value_name = "DIR", env = "TWICESHY_CORPUS")]
    pub corpus: Option<PathBuf>,
    /// Use this prepared index and change nothing
    #[arg(long, global = true, value_name = "DIR")]
    pub index: Option<PathBuf>,
    /// Language of labels [default: the corpus's first interface language]
    #[arg(long, global = true, value_name = "TAG")]
    pub ui: Option<String>,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,
    /// Say nothing but errors on standard error
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Stands in for today's date (2026-01-31): what is older than two years is shown quietly
    #[arg(long, global = true, value_name = "DATE")]
    pub today: Option<jiff::civil::Date>,
}

/// When to use colour.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Find incidents: why each matched, its cause, and what fixed it
    Search(Search),
    /// Find incidents like a text: an alert, log lines, a stack trace, notes of a running incident
    Similar(Similar),
    /// Show one incident: facts, timeline, causes, remediation, patterns with their evidence
    Show(Show),
    /// Print the facts of documents
    Extract(Extract),
    /// Show how something was read, and why
    Explain(Explain),
    /// Build the static site
    Build(Build),
    /// Serve the site on this machine, and build it anew when a file changes
    Serve(Serve),
    /// Runbooks and their links
    Runbooks(Runbooks),
}

/// Form of output for people or programs.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Format {
    #[default]
    Human,
    Json,
    Jsonl,
}

/// Form of a report.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum ReportFormat {
    #[default]
    Human,
    Markdown,
    Html,
    Json,
}

#[derive(ClapArgs, Debug)]
pub(super) struct Search {
    /// Words, "phrases", -word, cause: fix: service: pattern: lang: severity: since: until:
    #[arg(required = true, value_name = "QUERY")]
    pub query: Vec<String>,
    /// At most this many hits
    #[arg(short = 'n', long, default_value_t = 10, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub limit: usize,
    /// Form of output
    #[arg(long, default_value = "human")]
    pub format: Format,
    /// Open the first hit's page, in the program named by BROWSER or the system's own
    #[arg(long)]
    pub open: bool,
    /// Do not look for changed files first
    #[arg(long)]
    pub no_refresh: bool,
}

#[derive(ClapArgs, Debug)]
pub(super) struct Similar {
    /// The text; standard input if absent or `-`
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Form of output
    #[arg(long, default_value = "human")]
    pub format: Format,
    /// Do not look for changed files first
    #[arg(long)]
    pub no_refresh: bool,
}

#[derive(ClapArgs, Debug)]
pub(super) struct Show {
    /// The incident's id
    pub id: String,
    /// Form of output; Markdown and HTML are self-contained
    #[arg(long, default_value = "human")]
    pub format: ReportFormat,
}

#[derive(ClapArgs, Debug)]
pub(super) struct Extract {
    /// Documents; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Form of output
    #[arg(long, default_value = "human")]
    pub format: Format,
}

#[derive(ClapArgs, Debug)]
pub(super) struct Explain {
    #[command(subcommand)]
    pub what: What,
}

#[derive(Subcommand, Debug)]
pub(super) enum What {
    /// A pattern's rule, its words, and which sentences of FILE fire it or nearly do
    Pattern {
        /// The pattern's id
        id: String,
        /// Documents
        files: Vec<PathBuf>,
        /// Form of output
        #[arg(long, default_value = "human")]
        format: Format,
    },
    /// Every concept found
    Concepts(Files),
    /// Every date and clock, with its value, as written, and what was implied
    Times(Files),
    /// The role of each section, and why; the score of each cause and action
    Sections(Files),
}

#[derive(ClapArgs, Debug)]
pub(super) struct Files {
    /// Documents; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Form of output
    #[arg(long, default_value = "human")]
    pub format: Format,
}

#[derive(ClapArgs, Debug)]
pub(super) struct Build {
    /// Folder of the site
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Documents of which audience are shown
    #[arg(long, default_value = "public", value_parser = ["public"])]
    pub audience: String,
    /// Any file left out for a fault, and any warning about links, is an error
    #[arg(long)]
    pub strict: bool,
}

#[derive(ClapArgs, Debug)]
pub(super) struct Serve {
    /// Port on 127.0.0.1; 0 takes any that is free
    #[arg(long, default_value_t = 8737, value_name = "PORT")]
    pub port: u16,
    /// Folder of the site [default: one in the cache]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Documents of which audience are shown
    #[arg(long, default_value = "public", value_parser = ["public"])]
    pub audience: String,
    /// Show it, in the program named by BROWSER or the system's own
    #[arg(long)]
    pub open: bool,
}

#[derive(ClapArgs, Debug)]
pub(super) struct Runbooks {
    #[command(subcommand)]
    pub what: RunbookCommand,
}

#[derive(Subcommand, Debug)]
pub(super) enum RunbookCommand {
    /// Verify the links from runbooks to incidents and patterns
    Check {
        /// Folders or files of runbooks [default: the corpus's]
        dirs: Vec<PathBuf>,
        /// Form of output
        #[arg(long, default_value = "human")]
        format: Format,
    },
}

/// Parses the command line; `Err` where clap has said all there is to say.
pub(super) fn parse() -> Result<Args, ExitCode> {
    Args::try_parse_from(arranged(std::env::args_os().collect())).map_err(|e| {
        let code = if e.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        // a closed pipe while printing help is no fault
        let _ = e.print();
        code
    })
}

/// Puts the options of a search before its query, wherever they were typed, and the query behind `--`: so `-consul` is an unwanted word and
/// `retry storm --format json` asks for JSON. A long option that does not exist stays where it is, for clap to name it.
fn arranged(args: Vec<OsString>) -> Vec<OsString> {
    let root = Args::command();
    let Some(search) = root.find_subcommand("search") else { return args };
    let known: Vec<_> = search.get_arguments().chain(root.get_arguments()).filter(|a| !a.is_positional()).collect();
    let takes_value = |a: &clap::Arg| matches!(a.get_action(), ArgAction::Set | ArgAction::Append);
    let find = |word: &str| match (word.strip_prefix("--"), word.strip_prefix('-')) {
        (Some(long), _) => known.iter().find(|a| a.get_long() == Some(long)),
        (None, Some(short)) => known.iter().find(|a| a.get_short().is_some_and(|c| short.chars().eq([c]))),
        _ => None,
    };
    let mut at = 1;
    while let Some(word) = args.get(at).and_then(|a| a.to_str()) {
        if !word.starts_with('-') {
            break;
        }
        at += 1 + usize::from(find(word).is_some_and(|a| takes_value(a)));
    }
    if args.get(at).is_none_or(|a| a != "search") {
        return args;
    }
    let mut options = args[..=at].to_vec();
    let mut query = Vec::new();
    let mut rest = args[at + 1..].iter().peekable();
    while let Some(arg) = rest.next() {
        let word = arg.to_string_lossy();
        if word == "--" {
            query.extend(rest.by_ref().cloned());
        } else if let Some(option) = find(&word) {
            options.push(arg.clone());
            options.extend(rest.next_if(|_| takes_value(option)).cloned());
        } else if word.starts_with("--") && word.len() > 2 || is_short_with_value(&word) || matches!(&*word, "-h" | "-V") {
            options.push(arg.clone());
        } else {
            query.push(arg.clone());
        }
    }
    if !query.is_empty() {
        options.push("--".into());
        options.extend(query);
    }
    options
}

/// `-n5`, `-vv`; but `-nginx` is a word.
fn is_short_with_value(word: &str) -> bool {
    word.strip_prefix("-n").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) || word == "-vv" || word == "-vvv"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Search, String> {
        let words = line.split_whitespace().map(OsString::from).collect();
        match Args::try_parse_from(arranged(words)).map_err(|e| e.to_string())?.command {
            Command::Search(s) => Ok(s),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn options_may_stand_before_and_after_the_query() {
        for line in [
            "twiceshy search --format json -n 3 retry -consul storm",
            "twiceshy search retry -consul storm --format json -n3",
            "twiceshy --corpus c -q search retry --format=json -consul -n 3 storm",
            "twiceshy search -n 3 --format json -- retry -consul storm",
        ] {
            let s = read(line).unwrap();
            assert_eq!((s.query.join(" ").as_str(), s.limit, s.format), ("retry -consul storm", 3, Format::Json), "{line}");
        }
        assert_eq!(read("twiceshy search -nginx dns").unwrap().query, ["-nginx", "dns"]);
        assert_eq!(read("twiceshy search a -- --format json").unwrap().query, ["a", "--format", "json"]);
        assert!(read("twiceshy search a --fromat json").unwrap_err().contains("--format"));
        assert!(read("twiceshy search").is_err() && read("twiceshy search --format json").is_err());
        assert!(read("twiceshy show search").unwrap_err().contains("Show"));
    }
}
