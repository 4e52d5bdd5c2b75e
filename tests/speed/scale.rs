//! What the search costs on many documents: indexing beside bare tantivy, a search beside ripgrep, the look for changes beside a list of the files, the
//! slowest of many searches, and memory.
//!
//! `cargo bench --bench scale` makes 2,000 documents; `-- 20000` as many as are asked for. What is compared runs in turn in one run, so that what else the
//! machine does falls on all alike. ripgrep is `rg` on the path; without it its rows are left out.

mod made;
mod written;

use rayon::prelude::*;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use tantivy::schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{PreTokenizedString, Token};
use twiceshy::book::Case;
use twiceshy::index::{Change, Index, Knowledge, Options};
use twiceshy::pipeline;
use twiceshy::terms::{Region, Text, analyse};
use twiceshy::text::Source;

/// How often each process is started.
const STARTS: usize = 11;
/// Documents that are indexed at once where indexing is measured.
const PART: usize = 2000;
const QUERIES: [&str; 12] = [
    "retry storm",
    "certificate expired",
    "証明書 期限切れ",
    "betelt a lemez",
    "replica promoted by mistake after failover",
    "HTTP 502",
    "la base de données était pleine",
    "сертификат истек",
    "kubectl rollout undo",
    "\"connection pool\" -cache",
    "cause:retry since:2018",
    "certifcate exipred",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(2000);
    let knowledge = pipeline::Knowledge::builtin();
    let maker = made::Maker::new(&knowledge, 1);
    let (place, cache) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let bytes = written::write(&maker, place.path(), count)?;
    let out = &mut std::io::stdout().lock();
    writeln!(out, "{count} documents, {:.1} MB\n", bytes as f64 / 1e6)?;
    indexing(&knowledge, &maker, count.min(PART), out)?;
    processes(place.path(), cache.path(), out)
}

/// Indexing of documents that have been read, beside tantivy alone with the same words.
fn indexing(
    knowledge: &pipeline::Knowledge,
    maker: &made::Maker,
    count: usize,
    out: &mut impl Write,
) -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let read = |n: usize| {
        let (path, text) = maker.document(n);
        (path.clone(), pipeline::read(&Source::new(path, text.into_bytes()), knowledge))
    };
    let cases: Vec<(String, Case)> = (0..count).into_par_iter().map(read).collect();
    let reading = start.elapsed().as_secs_f64();
    let with = Knowledge { languages: &knowledge.languages, catalogue: &knowledge.catalogue, hash: &knowledge.hash };
    let (mut ours, mut bare) = (f64::MAX, f64::MAX);
    for _ in 0..3 {
        let folder = tempfile::tempdir()?;
        let mut index = Index::open(Some(folder.path()), &knowledge.hash)?;
        // what is made once for each version of the program is not counted
        index.update(&with, Vec::new())?;
        let changes: Vec<Change> =
            cases.iter().map(|(p, c)| Change { path: p.clone(), fingerprint: "x".into(), cases: vec![c.clone()] }).collect();
        let start = Instant::now();
        index.update(&with, changes)?;
        ours = ours.min(start.elapsed().as_secs_f64());
        let folder = tempfile::tempdir()?;
        let start = Instant::now();
        alone(folder.path(), &cases, knowledge)?;
        bare = bare.min(start.elapsed().as_secs_f64());
    }
    let rate = |seconds: f64| count as f64 / seconds;
    writeln!(out, "indexing {count} documents (read in {reading:.1} s)")?;
    writeln!(out, "  this index         {:>8.0} documents a second", rate(ours))?;
    writeln!(out, "  tantivy alone      {:>8.0} documents a second; {:.0} % of it\n", rate(bare), 100.0 * bare / ours)?;
    Ok(())
}

/// tantivy with the words of the same analysis, their places, and the text to show.
fn alone(folder: &Path, cases: &[(String, Case)], knowledge: &pipeline::Knowledge) -> Result<(), Box<dyn std::error::Error>> {
    let mut schema = Schema::builder();
    let indexed = TextFieldIndexing::default().set_tokenizer("raw").set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let words = schema.add_text_field("words", TextOptions::default().set_indexing_options(indexed.clone()));
    let concepts = schema.add_text_field("concepts", TextOptions::default().set_indexing_options(indexed));
    let text = schema.add_text_field("text", TextOptions::default().set_stored());
    let index = tantivy::Index::create_in_dir(folder, schema.build())?;
    let threads = if cases.len() > 500 { std::thread::available_parallelism().map_or(1, |n| n.get().min(4)) } else { 1 };
    let mut writer: tantivy::IndexWriter = index.writer_with_num_threads(threads, (64 << 20) * threads)?;
    let token = |position: usize, text: String| Token { position, text, position_length: 1, ..Token::default() };
    for part in cases.chunks(256) {
        let analysed: Vec<_> = part.par_iter().map(|(_, c)| analysis(c, knowledge)).collect();
        for ((_, case), a) in part.iter().zip(analysed) {
            let mut d = tantivy::TantivyDocument::default();
            let tokens = a.words.iter().map(|(at, w)| token(*at, w.clone())).collect();
            d.add_pre_tokenized_text(words, PreTokenizedString { text: String::new(), tokens });
            let tokens = a.marks.iter().map(|m| token(m.sentence as usize, m.concept.name().to_string())).collect();
            d.add_pre_tokenized_text(concepts, PreTokenizedString { text: String::new(), tokens });
            d.add_text(text, case.body.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join("\n"));
            writer.add_document(d)?;
        }
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(())
}

fn analysis(case: &Case, knowledge: &pipeline::Knowledge) -> twiceshy::terms::Analysis {
    let i = &case.incident;
    let passages: Vec<Text> = case
        .body
        .iter()
        .map(|p| Text { text: &p.text, sentences: &p.sentences, stress: &[], lang: p.lang.as_deref().unwrap_or(&i.language.tag) })
        .collect();
    let mut regions: Vec<(Region, &str)> = i.title.iter().map(|t| (Region::Title, t.text.as_str())).collect();
    regions.extend(i.causes.iter().map(|c| (Region::Cause, c.text.as_str())));
    regions.extend(i.remediation.iter().map(|r| (Region::Fix, r.text.as_str())));
    analyse(&passages, &regions, &knowledge.languages, &i.language.tag)
}

/// Runs a command to its end: seconds, and the most memory it had, in MB, where the system tells it.
fn run(command: &mut Command) -> std::io::Result<(f64, f64)> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    child.wait()?;
    Ok((start.elapsed().as_secs_f64(), 0.0))
}

/// The most memory that a command has, in MB: looked at while it runs.
fn memory(command: &mut Command) -> std::io::Result<(f64, f64)> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0.0f64;
    while child.try_wait()?.is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|l| l.trim().split(' ').next()?.parse::<f64>().ok());
        most = most.max(kilobytes.unwrap_or(0.0) / 1024.0);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Ok((start.elapsed().as_secs_f64(), most))
}

fn processes(corpus: &Path, cache: &Path, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let search = |query: &str, more: &[&str]| {
        let mut c = Command::new(env!("CARGO_BIN_EXE_twiceshy"));
        c.arg("--corpus").arg(corpus).arg("search").args(more).arg(query).env("XDG_CACHE_HOME", cache);
        c
    };
    let (seconds, most) = memory(&mut search("retry storm", &[]))?;
    writeln!(out, "the first search reads and indexes all: {seconds:.1} s, {most:.0} MB at most")?;
    let (_, most) = memory(&mut search("retry storm", &["--no-refresh"]))?;
    writeln!(out, "a search of the index: {most:.0} MB at most\n")?;
    let ripgrep = |args: &[&str]| {
        let mut c = Command::new("rg");
        c.args(args).arg(corpus);
        c
    };
    let has = Command::new("rg").arg("--version").stdout(Stdio::null()).status().is_ok();
    let mut rows: Vec<(&str, Command)> =
        vec![("search --no-refresh", search("retry storm", &["--no-refresh"])), ("search", search("retry storm", &[]))];
    if has {
        rows.push(("rg -i -e retry -e storm", ripgrep(&["-i", "-e", "retry", "-e", "storm"])));
        rows.push(("rg --files", ripgrep(&["--files"])));
    }
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); rows.len()];
    for _ in 0..STARTS {
        for (t, (_, command)) in times.iter_mut().zip(&mut rows) {
            t.push(run(command)?.0 * 1e3);
        }
    }
    let median = |t: &[f64]| {
        let mut t = t.to_vec();
        t.sort_by(f64::total_cmp);
        t[t.len() / 2]
    };
    writeln!(out, "{:<28}{:>10}", "process, median of 11", "ms")?;
    for ((name, _), t) in rows.iter().zip(&times) {
        writeln!(out, "{name:<28}{:>10.1}", median(t))?;
    }
    if has {
        let (cold, whole, literal, files) = (median(&times[0]), median(&times[1]), median(&times[2]), median(&times[3]));
        writeln!(out, "  ripgrep takes {:.1} times as long as the search", literal / cold)?;
        writeln!(out, "  the look for changes takes {:.2} times as long as rg --files\n", (whole - cold) / files)?;
    }
    let folder = std::fs::read_dir(cache.join("twiceshy"))?.flatten().map(|e| e.path()).find(|p| p.is_dir());
    let Some(folder) = folder else { return Ok(()) };
    let index = Index::open_read_only(&folder)?;
    let mut took: Vec<f64> = Vec::new();
    for n in 0..600 {
        let start = Instant::now();
        index.search(QUERIES[n % QUERIES.len()], &Options::default())?;
        took.push(start.elapsed().as_secs_f64() * 1e3);
    }
    took.sort_by(f64::total_cmp);
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize];
    writeln!(
        out,
        "600 searches in one process, ms: median {:.2}, p90 {:.2}, p99 {:.2}, slowest {:.2}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    )?;
    Ok(())
}
