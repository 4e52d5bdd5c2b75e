//! How fast documents are read, stage by stage, and how long a command takes beside a process that does nothing.
//!
//! `cargo bench --bench speed` measures the sample corpus; `cargo bench --bench speed -- FOLDER` the files of another folder. Reading is timed on one
//! core; processes are started in turn, so that what else the machine does falls on all of them alike.

use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use twiceshy::document::Document;
use twiceshy::facts::Reading;
use twiceshy::lang::Lexicon;
use twiceshy::pattern::{Look, Sentence};
use twiceshy::pipeline::{Knowledge, Moments};
use twiceshy::text::Source;

/// How long reading is measured at least.
const LEAST: Duration = Duration::from_secs(12);
/// How often each process is started.
const STARTS: usize = 41;
/// Tells this program to end at once: the process that does nothing.
const NOTHING: &str = "--nothing";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if args.iter().any(|a| a == NOTHING) {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = args.first().map_or_else(|| root.join("corpus/incidents"), PathBuf::from);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.is_file())
        .collect();
    files.sort();
    let documents: Vec<(String, Vec<u8>)> = files.iter().filter_map(|p| Some((p.display().to_string(), std::fs::read(p).ok()?))).collect();
    let out = &mut std::io::stdout().lock();
    reading(&documents, out).and_then(|()| starting(root, &files, out)).expect("standard output can be written to");
}

/// Seconds that each of some stages takes for all documents, in the best of its rounds. The stages take turns, so that what else the machine does
/// falls on all of them alike.
fn best<const N: usize>(mut stages: [&mut dyn FnMut(); N]) -> [f64; N] {
    let (began, mut best) = (Instant::now(), [f64::MAX; N]);
    while began.elapsed() < LEAST {
        for (stage, best) in stages.iter_mut().zip(&mut best) {
            let start = Instant::now();
            stage();
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best
}

fn reading(documents: &[(String, Vec<u8>)], out: &mut impl Write) -> std::io::Result<()> {
    let bytes: usize = documents.iter().map(|(_, b)| b.len()).sum();
    let knowledge = Knowledge::builtin();
    let source = |(name, bytes): &(String, Vec<u8>)| Source::new(name.clone(), bytes.clone());
    // lexicons are read once in the life of a process: not measured here but with the start
    let sources: Vec<Source> = documents.iter().map(source).collect();
    sources.iter().for_each(|s| drop(twiceshy::pipeline::read(s, &knowledge)));
    let parsed: Vec<Document> = sources.iter().map(twiceshy::document::parse).collect();
    let lexicons: Vec<_> =
        parsed.iter().map(|d| knowledge.languages.lexicon(&twiceshy::pipeline::language(d, &knowledge.languages).tag)).collect();
    let english = knowledge.languages.lexicon("en");
    let readings: Vec<Reading> = parsed.iter().zip(&lexicons).map(|(d, l)| Reading::new(d, l, &knowledge.catalogue)).collect();
    let sentences: Vec<_> = readings.iter().map(twiceshy::facts::sentences_of).collect();

    let read = |s: &Source| drop(black_box(twiceshy::pipeline::read(s, &knowledge)));
    let scanned = |d: &Document, lexicon: &Lexicon| d.blocks.iter().for_each(|b| drop(black_box(lexicon.scan(b.text.as_str()))));
    let judged = |reading: &Reading, sentences: &[Sentence]| {
        black_box(twiceshy::facts::sentences_of(reading));
        let look = Look::new(sentences);
        knowledge.catalogue.all().iter().for_each(|p| drop(black_box(p.judge(&look))));
    };
    let [all, decode, blocks, language, scan, patterns, units, time] = best([
        &mut || sources.iter().for_each(read),
        &mut || documents.iter().for_each(|d| drop(black_box(source(d)))),
        &mut || sources.iter().for_each(|s| drop(black_box(twiceshy::document::parse(s)))),
        &mut || parsed.iter().for_each(|d| drop(black_box(twiceshy::pipeline::language(d, &knowledge.languages)))),
        &mut || parsed.iter().zip(&lexicons).for_each(|(d, l)| scanned(d, l)),
        &mut || readings.iter().zip(&sentences).for_each(|(r, s)| judged(r, s)),
        &mut || parsed.iter().zip(&lexicons).for_each(|(d, l)| drop(black_box(Reading::new(d, l, &knowledge.catalogue)))),
        &mut || readings.iter().for_each(|r| drop(black_box(Moments::new(r, &english, None)))),
    ]);
    let known = blocks + language + units + time;
    let stages = [
        ("decode", decode),
        ("blocks", blocks),
        ("language", language),
        ("scan", scan),
        ("patterns", patterns),
        ("sections, units", (units - scan - patterns).max(0.0)),
        ("time", time),
        ("facts", (all - known).max(0.0)),
    ];
    let total = all + decode;
    let megabytes = bytes as f64 / 1e6;
    writeln!(out, "reading {} documents, {megabytes:.2} MB, one core\n", documents.len())?;
    writeln!(out, "{:<18}{:>8}{:>12}", "stage", "share", "MB/s alone")?;
    for (name, seconds) in stages {
        // what is told by subtraction may be less than can be measured
        let alone = if seconds > 0.0 { format!("{:.1}", megabytes / seconds) } else { "–".into() };
        writeln!(out, "{name:<18}{:>7.1}%{alone:>12}", 100.0 * seconds / total)?;
    }
    writeln!(out, "{:<18}{:>7.1}%{:>12.2}\n", "all", 100.0, megabytes / total)
}

fn starting(root: &Path, files: &[PathBuf], out: &mut impl Write) -> std::io::Result<()> {
    let program = env!("CARGO_BIN_EXE_twiceshy");
    let cache = tempfile::tempdir()?;
    let mut commands: Vec<(&str, PathBuf, Vec<String>)> = vec![
        ("a process that does nothing", std::env::current_exe()?, vec![NOTHING.into()]),
        ("--version", program.into(), vec!["--version".into()]),
    ];
    let search = |query: &str| ["--corpus", "corpus", "search", query].map(String::from).to_vec();
    commands.push(("search retry storm", program.into(), search("retry storm")));
    commands.push(("search 证书过期", program.into(), search("证书过期")));
    commands.push(("search certifcate expierd", program.into(), search("certifcate expierd")));
    if let Some(file) = files.first() {
        commands.push(("extract (one file)", program.into(), vec!["extract".into(), file.display().to_string()]));
    }
    let run = |(_, program, args): &(&str, PathBuf, Vec<String>)| {
        let start = Instant::now();
        let ended = Command::new(program)
            .args(args)
            .current_dir(root)
            .env("XDG_CACHE_HOME", cache.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        ended.map(|_| start.elapsed().as_secs_f64() * 1e3)
    };
    let first = run(&commands[2])?;
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); commands.len()];
    for _ in 0..STARTS {
        for (n, command) in commands.iter().enumerate() {
            times[n].push(run(command)?);
        }
    }
    let median = |t: &[f64]| {
        let mut t = t.to_vec();
        t.sort_by(f64::total_cmp);
        t[t.len() / 2]
    };
    let nothing = median(&times[0]);
    writeln!(out, "{:<30}{:>10}{:>16}{:>8}", "process, median of 41", "ms", "beyond nothing", "ratio")?;
    for ((name, ..), t) in commands.iter().zip(&times) {
        let ms = median(t);
        writeln!(out, "{name:<30}{ms:>10.2}{:>16.2}{:>8.1}", ms - nothing, ms / nothing)?;
    }
    writeln!(out, "{:<30}{first:>10.0}", "the first search (no index yet)")
}
