//! Fits the weights of `src/facts/belief.rs` on the sample corpus; a command, not a check: `cargo test --test suite fit -- --ignored --nocapture`.

use crate::corpus::expected;
use crate::support::{knowledge, root};
use twiceshy::facts::{FEATURES, Reading, weighed};
use twiceshy::text::Source;

/// Strength of the pull of each weight to zero.
const RIDGE: f64 = 5.0;

#[test]
#[ignore = "prints a table, checks nothing"]
fn weights_of_belief() {
    let k = knowledge();
    let (mut rows, mut labels): (Vec<Vec<f64>>, Vec<f64>) = (Vec::new(), Vec::new());
    for e in expected() {
        let source = Source::new(e.doc.clone(), std::fs::read(root().join("corpus").join(&e.doc)).unwrap());
        let document = twiceshy::document::parse(&source);
        let lexicon = k.languages.lexicon(&e.language);
        let reading = Reading::new(&document, &lexicon, &k.catalogue);
        for (t, f) in weighed(&reading) {
            rows.push(f.iter().map(|x| f64::from(*x)).collect());
            labels.push(if e.patterns.must.contains(&t.id) {
                1.0
            } else if e.patterns.may.contains(&t.id) {
                0.5
            } else {
                0.0
            });
        }
    }
    let (n, m) = (rows.len() as f64, FEATURES.len());
    // features are brought to one scale, so that the pull is fair
    let (mut mean, mut spread) = (vec![0.0; m], vec![1.0; m]);
    for j in 1..m {
        mean[j] = rows.iter().map(|r| r[j]).sum::<f64>() / n;
        let variance = rows.iter().map(|r| (r[j] - mean[j]).powi(2)).sum::<f64>() / n;
        spread[j] = if variance > 0.0 { variance.sqrt() } else { 1.0 };
    }
    let scaled: Vec<Vec<f64>> = rows.iter().map(|r| (0..m).map(|j| (r[j] - mean[j]) / spread[j]).collect()).collect();
    let mut w = vec![0.0; m];
    for _ in 0..6000 {
        let mut slope = vec![0.0; m];
        for (z, y) in scaled.iter().zip(&labels) {
            let p = 1.0 / (1.0 + (-z.iter().zip(&w).map(|(a, b)| a * b).sum::<f64>()).exp());
            (0..m).for_each(|j| slope[j] += z[j] * (p - y));
        }
        (0..m).for_each(|j| w[j] -= 0.5 * (slope[j] + if j > 0 { RIDGE * w[j] } else { 0.0 }) / n);
    }
    let bias = w[0] - (1..m).map(|j| w[j] * mean[j] / spread[j]).sum::<f64>();
    println!("{} rows", rows.len());
    for j in 0..m {
        println!("{:<20} {:.2}", FEATURES[j], if j == 0 { bias } else { w[j] / spread[j] });
    }
}
