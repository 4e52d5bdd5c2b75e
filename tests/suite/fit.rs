//! Fits the weights of `src/facts/belief.rs` on the sample corpus and on the documents of `tests/patterns`, a command, not a check:
//! `cargo test --test suite fit -- --ignored --nocapture`.

use crate::corpus::expected;
use crate::support::{files, knowledge, root};
use serde::Deserialize;
use twiceshy::facts::{FEATURES, Reading, TAG, weighed};
use twiceshy::text::Source;

/// Strength of the pull of each weight to zero.
const RIDGE: f64 = 20.0;
/// What a document of the sample corpus counts, beside one of the short documents: it is a whole postmortem.
const WHOLE: f64 = 4.0;

/// A short document made up for the fitting: what took part, and what may be said to have.
#[derive(Deserialize)]
pub struct Note {
    pub lang: String,
    pub must: Vec<String>,
    pub may: Vec<String>,
    pub text: String,
}

/// The documents of `tests/patterns`, each with a name.
pub fn notes() -> Vec<(String, Note)> {
    notes_of("tests/patterns")
}

fn notes_of(folder: &str) -> Vec<(String, Note)> {
    let mut out = Vec::new();
    for file in files(&root().join(folder), &["yaml"]) {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let all: Vec<Note> =
            serde_yaml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        out.extend(all.into_iter().enumerate().map(|(i, n)| (format!("{stem}{i:02}.md"), n)));
    }
    out
}

/// One pattern with evidence in one document.
struct Row {
    document: usize,
    id: String,
    features: Vec<f64>,
    /// How far its evidence carries, whatever the weights.
    carries: f64,
    right: bool,
    must: bool,
    counts: f64,
}

/// A document, its language, what took part in it, what may have, and how much it counts.
type Case = (Source, String, Vec<String>, Vec<String>, f64);

fn rows() -> Vec<Row> {
    let mut documents: Vec<Case> = Vec::new();
    for e in expected() {
        let bytes = std::fs::read(root().join("corpus").join(&e.doc)).unwrap();
        documents.push((Source::new(e.doc.clone(), bytes), e.language, e.patterns.must, e.patterns.may, WHOLE));
    }
    for (name, n) in notes() {
        documents.push((Source::new(name, n.text.into_bytes()), n.lang, n.must, n.may, 1.0));
    }
    let k = knowledge();
    let mut out = Vec::new();
    for (d, (source, language, must, may, counts)) in documents.iter().enumerate() {
        let document = twiceshy::document::parse(source);
        let lexicon = k.languages.lexicon(language);
        let reading = Reading::new(&document, &lexicon, &k.catalogue);
        for (t, f) in weighed(&reading) {
            let (asked, allowed) = (must.contains(&t.id), may.contains(&t.id));
            let carries = f64::from(t.finding.carries() * twiceshy::facts::trusted(f[1]));
            out.push(Row {
                carries,
                document: d,
                id: t.id,
                features: f.iter().map(|x| f64::from(*x)).collect(),
                right: asked || allowed,
                must: asked,
                counts: if allowed { 0.5 * counts } else { *counts },
            });
        }
    }
    out
}

/// Solves `a x = b` by elimination.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let m = b.len();
    for i in 0..m {
        let pivot = (i..m).max_by(|x, y| a[*x][i].abs().total_cmp(&a[*y][i].abs())).unwrap();
        a.swap(i, pivot);
        b.swap(i, pivot);
        for j in i + 1..m {
            let f = a[j][i] / a[i][i];
            let above = a[i].clone();
            a[j].iter_mut().zip(&above).skip(i).for_each(|(x, y)| *x -= f * y);
            b[j] -= f * b[i];
        }
    }
    for i in (0..m).rev() {
        let known: f64 = (i + 1..m).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Ridge logistic regression by Newton's steps; features are brought to one scale, so that the pull is fair.
fn fit(rows: &[&Row]) -> Vec<f64> {
    let m = FEATURES.len();
    let n: f64 = rows.iter().map(|r| r.counts).sum();
    let mean: Vec<f64> =
        (0..m).map(|j| if j == 0 { 0.0 } else { rows.iter().map(|r| r.counts * r.features[j]).sum::<f64>() / n }).collect();
    let spread: Vec<f64> = (0..m)
        .map(|j| {
            let v = rows.iter().map(|r| r.counts * (r.features[j] - mean[j]).powi(2)).sum::<f64>() / n;
            if j > 0 && v > 1e-9 { v.sqrt() } else { 1.0 }
        })
        .collect();
    let scaled: Vec<Vec<f64>> = rows.iter().map(|r| (0..m).map(|j| (r.features[j] - mean[j]) / spread[j]).collect()).collect();
    let mut w = vec![0.0; m];
    for _ in 0..12 {
        let mut slope = vec![0.0; m];
        let mut bend = vec![vec![0.0; m]; m];
        for (z, r) in scaled.iter().zip(rows) {
            let p = sigmoid(z.iter().zip(&w).map(|(a, b)| a * b).sum());
            let (gap, curve) = (r.counts * (p - f64::from(u8::from(r.right))), r.counts * p * (1.0 - p));
            for j in 0..m {
                slope[j] += z[j] * gap;
                for k in 0..m {
                    bend[j][k] += curve * z[j] * z[k];
                }
            }
        }
        for j in 1..m {
            slope[j] += RIDGE * w[j];
            bend[j][j] += RIDGE;
        }
        let step = solve(bend, slope);
        w.iter_mut().zip(&step).for_each(|(a, b)| *a -= b);
    }
    let bias = w[0] - (1..m).map(|j| w[j] * mean[j] / spread[j]).sum::<f64>();
    (0..m).map(|j| if j == 0 { bias } else { w[j] / spread[j] }).collect()
}

#[test]
#[ignore = "prints a table, checks nothing"]
fn weights_of_belief() {
    let rows = rows();
    let all: Vec<&Row> = rows.iter().collect();
    println!("{} rows, {} right", rows.len(), rows.iter().filter(|r| r.right).count());
    let w = fit(&all);
    for (name, x) in FEATURES.iter().zip(&w) {
        println!("{name:<24} {x:.2}");
    }
    println!("const WEIGHTS: [{}]", w.iter().map(|x| format!("{x:.2}")).collect::<Vec<_>>().join(", "));
    // what such weights are worth on documents they were not fitted on
    let (folds, documents) = (10, rows.iter().map(|r| r.document).max().unwrap_or(0) + 1);
    let mut scores: Vec<(f64, &Row)> = Vec::new();
    for fold in 0..folds {
        let (own, others): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|r| r.document % folds == fold);
        let w = fit(&others);
        scores.extend(own.into_iter().map(|r| (r.carries * sigmoid(r.features.iter().zip(&w).map(|(a, b)| a * b).sum()), r)));
    }
    let loss: f64 = scores.iter().map(|(s, r)| if r.right { -s.max(1e-4).ln() } else { -(1.0 - s).max(1e-4).ln() }).sum();
    println!("{documents} documents, loss {:.4}; TAG is {TAG}", loss / scores.len() as f64);
    let musts = scores.iter().filter(|(_, r)| r.must).count();
    for t in [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7] {
        let taken: Vec<&(f64, &Row)> = scores.iter().filter(|(s, _)| *s >= t).collect();
        let precision = taken.iter().filter(|(_, r)| r.right).count() as f64 / taken.len().max(1) as f64;
        let recall = taken.iter().filter(|(_, r)| r.must).count() as f64 / musts.max(1) as f64;
        println!("from {t}: {} tags, precision {precision:.3}, recall of what has evidence {recall:.3}", taken.len());
    }
    for tenth in 2..10 {
        let band: Vec<bool> = scores.iter().filter(|(s, _)| (s * 10.0) as usize == tenth).map(|(_, r)| r.right).collect();
        println!(
            "scored 0.{tenth}: {} tags, {:.2} right",
            band.len(),
            band.iter().filter(|r| **r).count() as f64 / band.len().max(1) as f64
        );
    }
    if let Ok(path) = std::env::var("TWICESHY_ROWS") {
        let line = |r: &Row| {
            let f: Vec<String> = r.features.iter().map(|x| format!("{x:.4}")).collect();
            format!("{}\t{}\t{}\t{}\t{}\t{}", r.document, r.id, u8::from(r.right), u8::from(r.must), r.counts, f.join("\t"))
        };
        std::fs::write(path, rows.iter().map(line).collect::<Vec<_>>().join("\n")).unwrap();
    }
}

#[test]
#[ignore = "measures time: cargo test --test suite cost_of_tagging -- --ignored --nocapture"]
fn cost_of_tagging() {
    let k = knowledge();
    let none = twiceshy::pattern::Catalogue::default();
    let sources: Vec<Source> = expected()
        .into_iter()
        .map(|e| Source::new(e.doc.clone(), std::fs::read(root().join("corpus").join(&e.doc)).unwrap()))
        .chain(notes().into_iter().map(|(name, n)| Source::new(name, n.text.into_bytes())))
        .collect();
    let time = |work: &dyn Fn(&Source)| {
        (0..5).fold(f64::MAX, |least, _| {
            let start = std::time::Instant::now();
            sources.iter().for_each(work);
            least.min(start.elapsed().as_secs_f64())
        })
    };
    let with = |catalogue: &twiceshy::pattern::Catalogue, source: &Source| {
        let document = twiceshy::document::parse(source);
        let lexicon = k.languages.lexicon("en");
        let reading = Reading::new(&document, &lexicon, catalogue);
        std::hint::black_box(weighed(&reading));
    };
    let tagging = time(&|s| with(&k.catalogue, s)) - time(&|s| with(&none, s));
    let whole = time(&|s| {
        std::hint::black_box(twiceshy::pipeline::read(s, k));
    });
    println!(
        "tagging takes {:.2} ms a document, reading {:.2} ms: {:.0}%",
        tagging * 1e3 / sources.len() as f64,
        whole * 1e3 / sources.len() as f64,
        100.0 * tagging / whole
    );
    assert!(tagging < 0.25 * whole, "tagging takes {tagging:.3} s of {whole:.3} s");
}

/// What words and rules were once mended on (`tests/mended`) stays found, and little else is.
#[test]
fn what_was_mended_stays() {
    let k = knowledge();
    let (mut right, mut tagged, mut hit, mut must) = (0, 0, 0, 0);
    for (name, n) in notes_of("tests/mended") {
        let source = Source::new(name, n.text.into_bytes());
        let document = twiceshy::document::parse(&source);
        let lexicon = k.languages.lexicon(&n.lang);
        let tags: Vec<String> = weighed(&Reading::new(&document, &lexicon, &k.catalogue))
            .into_iter()
            .filter(|(t, _)| t.finding.score >= TAG)
            .map(|(t, _)| t.id)
            .collect();
        tagged += tags.len();
        right += tags.iter().filter(|t| n.must.contains(t) || n.may.contains(t)).count();
        must += n.must.len();
        hit += n.must.iter().filter(|m| tags.contains(m)).count();
    }
    println!("{tagged} tags, {right} right; {hit} of {must} found");
    assert!(must > 120, "{must} wanted");
    assert!(right * 100 >= tagged * 88 && hit * 100 >= must * 70, "{tagged} tags, {right} right; {hit} of {must} found");
}
