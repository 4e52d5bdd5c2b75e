//! What stands around the lanes of the drawn timeline: clocks on top in the zone as written, below in UTC and in the house's zone, the lengths of the
//! folds, and the same hours once more without folds.

use super::figure::{FOLD, Plan, WIDTH};
use super::scale::Scale;
use super::stamp::{clock_of, date_of, in_zone, zone_name};
use super::svg::{Label, Pen, Side, width};

/// Height of a row of fold lengths, and of one of clocks.
pub const FOLD_ROW: f64 = 15.0;
const ZONE_ROW: f64 = 16.0;

impl Plan<'_> {
    /// The lengths of the folds and the rows they stand in, so that none covers another; with the number of rows.
    pub(super) fn fold_labels(&self) -> (Vec<(f64, usize, String)>, usize) {
        let mut ends: Vec<f64> = Vec::new();
        let mut out = Vec::new();
        for f in self.scale.folds() {
            let text = self.d.words.duration(f.to - f.from);
            let half = width(&text) / 2.0 + 4.0;
            let x = ((f.x0 + f.x1) / 2.0).min(WIDTH - half);
            let row = ends.iter().position(|end| x - half >= *end).unwrap_or(ends.len());
            if row == ends.len() {
                ends.push(0.0);
            }
            ends[row] = x + half;
            out.push((x, row, text));
        }
        (out, ends.len())
    }

    /// The zones whose clocks stand below: UTC and the house's, each where it is not the one on top.
    fn zones_below(&self) -> Vec<&str> {
        let Some(offset) = self.found.offset.filter(|_| self.found.clocks) else { return Vec::new() };
        let mut out = if offset == 0 { Vec::new() } else { vec!["UTC"] };
        // a house's clock needs the day, since its offset may change with it
        let known = self.found.days && self.found.list.iter().all(|m| !m.sure || m.stamp.instant().is_some());
        let same = |zone: &str| self.found.list.iter().all(|m| in_zone(m.at, zone) == in_zone(m.at + offset * 60, "UTC"));
        out.extend(self.d.zone.filter(|z| *z != "UTC" && known && in_zone(0, z).is_some() && !same(z)));
        out
    }

    /// The height that further rows of clocks need.
    pub(super) fn below(&self) -> f64 {
        self.zones_below().len().saturating_sub(1) as f64 * ZONE_ROW
    }

    /// Clocks on top in the zone as written, UTC below, a date wherever the day changes, and the folds.
    pub(super) fn axes(&self, pen: &mut Pen, bottom: f64) {
        let (w, rtl) = (self.d.words, self.d.words.dir == "rtl");
        fn ltr(text: &str) -> Label<'_> {
            Label { text, ..Label::default() }
        }
        fn word(text: &str, rtl: bool) -> Label<'_> {
            Label { text, rtl, ..Label::default() }
        }
        for f in self.scale.folds() {
            pen.rect("fold", f.x0, 38.0, f.x1 - f.x0, bottom - 38.0);
        }
        let (labels, _) = self.fold_labels();
        let under = bottom + 34.0 + self.below();
        for (i, (x, row, text)) in labels.iter().enumerate() {
            let y = under + *row as f64 * FOLD_ROW;
            if i == 0 {
                pen.text("s", (0.0, under), Side::After, &word(w.get("folded"), rtl));
            }
            pen.text("s", (*x, y), Side::Middle, &word(text, rtl));
        }
        let zone = match (self.found.offset, self.found.clocks) {
            (_, false) => String::new(),
            (Some(o), _) => zone_name(o),
            (None, _) => w.get("zone_not_stated").to_string(),
        };
        pen.text("s", (0.0, 32.0), Side::After, &if self.found.offset.is_some() { ltr(zone.as_str()) } else { word(zone.as_str(), rtl) });
        let shift = self.found.offset.unwrap_or(0) * 60;
        let below = self.zones_below();
        for (i, zone) in below.iter().enumerate() {
            pen.text("s", (0.0, bottom + 16.0 + i as f64 * ZONE_ROW), Side::After, &ltr(zone));
        }
        let mut ticks: Vec<i64> =
            self.found.list.iter().filter(|m| m.sure).flat_map(|m| [Some(m.at), m.until].into_iter().flatten()).collect();
        ticks.sort_unstable();
        ticks.dedup();
        let (mut free, mut free_date, mut day) = (f64::MIN, f64::MIN, None);
        for t in ticks {
            let x = self.scale.at(t);
            pen.line("hair", (x, 38.0), (x, bottom));
            let local = t + shift;
            let today = date_of(local);
            if self.found.days && day.as_ref() != Some(&today) && x - 4.0 > free_date {
                pen.text("s", (x, 14.0), Side::Middle, &ltr(&today));
                free_date = x + 80.0;
                day = Some(today);
            }
            if self.found.clocks && x > free {
                pen.text("", (x, 32.0), Side::Middle, &ltr(&clock_of(local, false)));
                for (i, zone) in below.iter().enumerate() {
                    let there = in_zone(t, zone).and_then(|c| c.get(11..).map(str::to_string)).unwrap_or_else(|| clock_of(t, false));
                    pen.text("s", (x, bottom + 16.0 + i as f64 * ZONE_ROW), Side::Middle, &ltr(&there));
                }
                free = x + 42.0;
            }
        }
    }

    /// The same hours without folds.
    pub(super) fn unfolded(&self, pen: &mut Pen, y: f64) {
        let (from, to) = self.scale.ends();
        let Some(flat) = Scale::new(vec![from, to], self.left + 14.0, WIDTH - 20.0, FOLD) else { return };
        let rtl = self.d.words.dir == "rtl";
        pen.text("s", (0.0, y + 4.0), Side::After, &Label { text: self.d.words.get("without_folds"), rtl, ..Label::default() });
        pen.line("axis", (self.left, y + 5.5), (WIDTH - 4.0, y + 5.5));
        if let Some((a, b)) = self.band {
            pen.rect("down", flat.at(a), y - 5.0, flat.at(b) - flat.at(a), 9.0);
        }
        for m in self.found.list.iter().filter(|m| m.sure) {
            pen.line("ink", (flat.at(m.at), y - 6.0), (flat.at(m.at), y + 5.0));
        }
        let shift = self.found.offset.unwrap_or(0) * 60;
        let far = to - from > 86_400 || !self.found.clocks;
        for (t, side) in [(from, Side::After), (to, Side::Before)] {
            let text = if far { date_of(t + shift) } else { clock_of(t + shift, false) };
            pen.text("s", (flat.at(t), y + 22.0), side, &Label { text: &text, rtl, ..Label::default() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::figure::Drawing;
    use super::super::sample::event;
    use super::super::scale::moments;
    use super::super::words::Words;
    use super::*;
    use crate::book::view::Event;

    #[test]
    fn lengths_of_folds_never_cover_each_other() {
        let days = [("01", "00:00"), ("01", "00:10"), ("01", "00:30"), ("03", "01:32"), ("05", "04:51"), ("07", "06:33")];
        let events: Vec<Event> = days.iter().map(|(d, c)| event(&format!("2021-01-{d}T{c}:00+09:00"), "x")).collect();
        let words = Words::new("en", super::super::sample::known());
        let d = Drawing { events: &events, period: None, words: &words, lang: ("en", false), zone: Some("Europe/Paris") };
        let found = moments(&events);
        let times: Vec<i64> = found.list.iter().map(|m| m.at).collect();
        let scale = Scale::new(times, 200.0, 1160.0, FOLD).unwrap();
        let plan = Plan { d: &d, found: &found, scale: &scale, band: None, left: 190.0 };
        let (labels, rows) = plan.fold_labels();
        assert!(labels.len() > 1 && rows > 1, "{labels:?}");
        for (i, a) in labels.iter().enumerate() {
            for b in &labels[i + 1..] {
                assert!(a.1 != b.1 || (a.0 - b.0).abs() >= (width(&a.2) + width(&b.2)) / 2.0, "{labels:?}");
            }
        }
        assert_eq!(plan.zones_below(), ["UTC", "Europe/Paris"]);
        assert!(plan.wide().contains(">Europe/Paris<"));
        let at_home = Drawing { events: &events, period: None, words: &words, lang: ("en", false), zone: Some("Asia/Tokyo") };
        assert_eq!(Plan { d: &at_home, ..plan }.zones_below(), ["UTC"]);
    }
}
