//! What can be typed.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
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
    /// Stands in for today's date
    #[arg(long, global = true, value_name = "DATE")]
    pub today: Option<String>,
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
    #[arg(required = true, value_name = "QUERY", allow_hyphen_values = true, trailing_var_arg = true)]
    pub query: Vec<String>,
    /// At most this many hits
    #[arg(short = 'n', long, default_value_t = 10, value_name = "N")]
    pub limit: usize,
    /// Form of output
    #[arg(long, default_value = "human")]
    pub format: Format,
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
    Args::try_parse().map_err(|e| {
        let code = if e.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        // a closed pipe while printing help is no fault
        let _ = e.print();
        code
    })
}
