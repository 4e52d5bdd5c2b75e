//! The small charts: incidents a year, and durations on a logarithmic strip. The numbers always stand beside them.

use super::stamp::duration;
use super::svg::{Label, Pen, Side, escape, px, width};
use super::words::Words;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The years a corpus spans, at most the last fifteen.
pub fn span(years: impl Iterator<Item = i64>) -> Option<(i64, i64)> {
    let (a, b) = years.fold((i64::MAX, i64::MIN), |(a, b), y| (a.min(y), b.max(y)));
    (a <= b).then(|| (a.max(b - 14), b))
}

/// One bar a year, the last year darkest. `counts` may hold years outside the span; they are left out. `most` is the count of a full bar, the same for
/// all charts that stand beside each other.
pub fn sparkline(counts: &BTreeMap<i64, usize>, span: (i64, i64), most: usize, rtl: bool) -> String {
    let n = (span.1 - span.0 + 1) as f64;
    let step = 176.0 / n.max(8.0);
    let most = most.max(3) as f64;
    let told: Vec<String> = counts.iter().filter(|c| *c.1 > 0).map(|(y, c)| format!("{y}: {c}")).collect();
    let mut pen = Pen::new(176.0, rtl);
    pen.line("axis", (0.0, 25.5), (176.0, 25.5));
    for (i, year) in (span.0..=span.1).enumerate() {
        let c = counts.get(&year).copied().unwrap_or(0);
        if c > 0 {
            let h = (24.0 * c as f64 / most).clamp(3.0, 24.0);
            let class = if year == span.1 { "bar3" } else { "bar1" };
            pen.rect(class, i as f64 * step + 1.5, 25.0 - h, (step - 3.0).min(12.0), h);
        }
    }
    format!(r#"<svg viewBox="0 0 176 28" role="img" aria-label="{}">{}</svg>"#, escape(&told.join(", ")), pen.out)
}

/// How often two things come together: filled boxes of all, scaled down where there are many.
pub fn share(n: usize, of: usize, rtl: bool) -> String {
    let mut pen = Pen::new(176.0, rtl);
    let boxes = of.clamp(1, 16);
    let filled = if of <= 16 { n } else { ((n * 16) as f64 / of as f64).ceil() as usize };
    let step = (176.0 / boxes as f64).min(24.0);
    for i in 0..boxes {
        pen.rect(if i < filled { "bar1 co" } else { "bar0" }, i as f64 * step, 3.0, step - 3.0, 14.0);
    }
    format!(r#"<svg viewBox="0 0 176 20" aria-hidden="true">{}</svg>"#, pen.out)
}

/// Incidents a year: tagged filled, near ones hatched, those without a year at the end.
pub fn years(tagged: &BTreeMap<i64, usize>, near: &BTreeMap<i64, usize>, undated: usize, span: (i64, i64), words: &Words) -> String {
    let columns: Vec<i64> = (span.0..=span.1).collect();
    let step = 40.0;
    let wide = (columns.len() + usize::from(undated > 0)) as f64 * step;
    let count = |y: &i64| (tagged.get(y).copied().unwrap_or(0), near.get(y).copied().unwrap_or(0));
    let most = columns.iter().map(|y| count(y).0 + count(y).1).chain([undated]).max().unwrap_or(1).max(1);
    let unit = (90.0 / most as f64).min(18.0);
    let mut pen = Pen::new(wide, words.dir == "rtl");
    let mut told = String::new();
    let base = 110.5;
    let mut column = |pen: &mut Pen, i: usize, name: &str, t: usize, n: usize| {
        let x = i as f64 * step + 8.0;
        pen.text("s", (x + 12.0, base + 17.0), Side::Middle, &Label { text: name, rtl: false, ..Label::default() });
        if t > 0 {
            pen.rect("bar1", x, base - t as f64 * unit, 24.0, t as f64 * unit - 0.5);
        }
        if n > 0 {
            pen.rect("near", x + 0.5, base - (t + n) as f64 * unit, 23.0, n as f64 * unit - 1.0);
        }
        if t + n > 0 {
            pen.text(
                "",
                (x + 12.0, base - (t + n) as f64 * unit - 5.0),
                Side::Middle,
                &Label { text: &(t + n).to_string(), rtl: false, ..Label::default() },
            );
            let _ = write!(told, "{}{name}: {t}", if told.is_empty() { "" } else { ", " });
            if n > 0 {
                let _ = write!(told, " + {n}");
            }
        }
    };
    for (i, y) in columns.iter().enumerate() {
        let (t, n) = count(y);
        column(&mut pen, i, &y.to_string(), t, n);
    }
    if undated > 0 {
        column(&mut pen, columns.len(), words.get("no_year"), undated, 0);
    }
    pen.line("axis", (0.0, base), (wide, base));
    format!(
        r#"<svg class="years" viewBox="0 0 {} 132" width="{}" height="132" role="img" aria-label="{}">{}</svg>"#,
        px(wide),
        px(wide),
        escape(&told),
        pen.out
    )
}

/// Median and quartiles of some durations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quartiles {
    /// How many there are.
    pub n: usize,
    /// Lower quartile, median, upper quartile, in seconds.
    pub values: [i64; 3],
}

impl Quartiles {
    /// Of ISO 8601 durations; what cannot be read is left out.
    pub fn of<'d>(durations: impl Iterator<Item = &'d str>) -> (Quartiles, Vec<i64>) {
        let mut all: Vec<i64> = durations.filter_map(duration).collect();
        all.sort_unstable();
        let at = |p: f64| {
            let k = p * (all.len().saturating_sub(1)) as f64;
            let (lo, hi) = (k.floor() as usize, k.ceil() as usize);
            match (all.get(lo), all.get(hi)) {
                (Some(a), Some(b)) => a + ((*b - *a) as f64 * (k - k.floor())).round() as i64,
                _ => 0,
            }
        };
        let values = [at(0.25), at(0.5), at(0.75)];
        (Quartiles { n: all.len(), values }, all)
    }
}

/// One line an incident on a logarithmic scale from a minute to a month, the middle half shaded. A logarithm knows no zero: where something took less
/// than a minute, a piece before the first minute runs evenly from nothing on. Lines that fall together are counted.
///
/// Drawn twice: wide, and narrow for small windows, in which the wide one's words could not be read.
pub fn strip(all: &[i64], q: &Quartiles, words: &Words) -> String {
    format!("{}{}", strip_in("wide", 980.0, all, q, words), strip_in("tall", 344.0, all, q, words))
}

fn strip_in(kind: &str, wide: f64, all: &[i64], q: &Quartiles, words: &Words) -> String {
    let (from, to) = (8.0, wide - 8.0);
    let (low, high) = (60f64.ln(), (32.0 * 86_400.0f64).ln());
    let first = if all.first().is_some_and(|s| *s < 60) { from + wide * (84.0 / 980.0) } else { from };
    let at = |s: i64| match s {
        ..60 => from + (first - from) * s.max(0) as f64 / 60.0,
        _ => first + (to - first) * ((s as f64).ln() - low).clamp(0.0, high - low) / (high - low),
    };
    let rtl = words.dir == "rtl";
    let mut pen = Pen::new(wide, rtl);
    fn label(text: &str, rtl: bool) -> Label<'_> {
        Label { text, rtl, ..Label::default() }
    }
    if q.n > 3 {
        pen.rect("fold", at(q.values[0]), 34.0, (at(q.values[2]) - at(q.values[0])).max(2.0), 46.0);
    }
    let mut places: BTreeMap<i64, usize> = BTreeMap::new();
    for s in all {
        pen.line("ink", (at(*s), 42.0), (at(*s), 72.0));
        *places.entry(at(*s).round() as i64).or_default() += 1;
    }
    let mut free = f64::MIN;
    for (x, n) in places.into_iter().filter(|p| p.1 > 1) {
        let (x, text) = (x as f64, format!("×{n}"));
        if x - 12.0 > free {
            let side = if x < from + 12.0 { Side::After } else { Side::Middle };
            pen.text("s", (x, 94.0), side, &label(&text, false));
            free = x + 12.0;
        }
    }
    if q.n > 0 {
        let x = at(q.values[1]);
        pen.line("med", (x, 30.0), (x, 80.0));
        let side = if x > to - 140.0 {
            Side::Before
        } else if x < from + 140.0 {
            Side::After
        } else {
            Side::Middle
        };
        pen.text("b", (x, 22.0), side, &label(&format!("{} {}", words.get("median"), words.duration(q.values[1])), rtl));
    }
    pen.line("axis", (from, 102.5), (to, 102.5));
    let begin = (first > from).then_some((0, Side::After));
    // a mark whose words have no room keeps its stroke; the last one has its words always
    let last = words.duration(30 * 86_400);
    let most = at(30 * 86_400) - width(&last) - 6.0;
    let mut free = f64::MIN;
    for (s, side) in begin.into_iter().chain([
        (60, if first > from { Side::Middle } else { Side::After }),
        (600, Side::Middle),
        (3600, Side::Middle),
        (6 * 3600, Side::Middle),
        (86_400, Side::Middle),
        (7 * 86_400, Side::Middle),
        (30 * 86_400, Side::Before),
    ]) {
        pen.line("axis", (at(s), 102.0), (at(s), 108.0));
        let text = words.duration(s);
        let (begins, ends) = match side {
            Side::After => (at(s), at(s) + width(&text)),
            Side::Middle => (at(s) - width(&text) / 2.0, at(s) + width(&text) / 2.0),
            Side::Before => (at(s) - width(&text), at(s)),
        };
        if begins > free && (ends < most || side == Side::Before) {
            pen.text("s", (at(s), 124.0), side, &label(&text, rtl));
            free = ends + 6.0;
        }
    }
    let told = format!("n = {}; {}", q.n, q.values.iter().map(|v| words.duration(*v)).collect::<Vec<_>>().join(", "));
    format!(r#"<svg class="strip {kind}" viewBox="0 0 {} 130" role="img" aria-label="{}">{}</svg>"#, px(wide), escape(&told), pen.out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_of_known_numbers() {
        let (q, all) = Quartiles::of(["PT1M", "PT2M", "PT3M", "PT4M", "PT5M", "rubbish"].into_iter());
        assert_eq!((q.n, q.values, all.len()), (5, [120, 180, 240], 5));
        assert_eq!(Quartiles::of(std::iter::empty()).0, Quartiles::default());
    }

    #[test]
    fn the_last_fifteen_years() {
        assert_eq!(span([2003, 2026, 2010].into_iter()), Some((2012, 2026)));
        assert_eq!(span(std::iter::empty()), None);
        let s = sparkline(&BTreeMap::from([(2026, 3), (2001, 1)]), (2012, 2026), 3, false);
        assert_eq!(s.matches("<rect").count(), 1);
    }

    #[test]
    fn nothing_has_a_place_before_the_first_minute() {
        let words = Words::new("en", super::super::sample::known());
        let (q, all) = Quartiles::of(["PT0S", "PT0S", "PT0S", "PT30S", "PT10M"].into_iter());
        let s = strip(&all, &q, &words).replace('\u{a0}', " ");
        assert!(s.contains(">0 min</text>") && s.contains(">×3</text>") && s.contains("M50 42V72"), "{s}");
        let (q, all) = Quartiles::of(["PT1M", "PT10M"].into_iter());
        let s = strip(&all, &q, &words).replace('\u{a0}', " ");
        assert!(!s.contains(">0 min<") && s.contains("M8 42V72"), "{s}");
    }
}
