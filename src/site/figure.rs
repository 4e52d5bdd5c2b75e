//! The timeline drawn to scale: lanes are phases, so the label is the legend; the zone as written on top, UTC below; gaps folded and said so.
//!
//! No label covers a mark or another label: where two would meet, the lane gets another row, and where rows run out, the label is cut.

use super::listing::told;
use super::scale::{Moment, Moments, Scale, moments};
use super::svg::{Label, Pen, Side, cut, escape, px, width};
use super::words::Words;
use crate::book::view::Event;
use std::collections::BTreeMap;

/// Phases in the order of the lanes; entries of no phase come last.
pub const PHASES: [&str; 9] = ["trigger", "impact", "detected", "response", "identified", "mitigated", "resolved", "followup", ""];
pub(super) const WIDTH: f64 = 1280.0;
pub(super) const FOLD: f64 = 48.0;
const ROW: f64 = 24.0;
const MOST_ROWS: usize = 5;
const TOP: f64 = 66.0;

/// What a figure is drawn from.
pub struct Drawing<'d> {
    /// The timeline.
    pub events: &'d [Event],
    /// Start and end of the incident in EDTF, with its duration in words.
    pub period: Option<(&'d str, &'d str, String)>,
    /// The interface's words.
    pub words: &'d Words,
    /// Language of the entries, and whether it runs from right to left.
    pub lang: (&'d str, bool),
    /// The house's time zone.
    pub zone: Option<&'d str>,
}

/// The figure, wide and tall, and what is to be said about it.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// For wide screens and paper.
    pub wide: String,
    /// For narrow screens; empty where there are too many entries to gain anything by it.
    pub tall: String,
    /// How many gaps are folded.
    pub folds: usize,
    /// There is a second reading in it.
    pub ghosts: bool,
}

/// The lane a phase belongs to.
pub fn lane_of(phase: Option<&str>) -> usize {
    PHASES.iter().position(|p| Some(*p) == phase).unwrap_or(PHASES.len() - 1)
}

/// The name of a lane.
pub fn lane_name(words: &Words, lane: usize) -> String {
    let phase = PHASES.get(lane).copied().unwrap_or("");
    let key = if phase.is_empty() { "phase_none".to_string() } else { format!("phase_{phase}") };
    words.get(&key).to_string()
}

/// Draws a timeline; absent where there are not two moments to draw.
pub fn draw(d: &Drawing<'_>) -> Option<Figure> {
    let found = moments(d.events);
    let band = band(d, &found);
    let mut times: Vec<i64> =
        found.list.iter().flat_map(|m| [Some(m.at), m.until].into_iter().flatten().chain(m.others.iter().copied())).collect();
    times.extend(band.iter().flat_map(|b| [b.0, b.1]));
    let names = found.list.iter().map(|m| width(&lane_name(d.words, lane_of(d.events[m.index].phase.as_deref()))));
    let left = names.fold(90.0, f64::max).min(230.0) + 40.0;
    let scale = Scale::new(times.clone(), left + 14.0, WIDTH - 120.0, FOLD)?;
    let plan = Plan { d, found: &found, scale: &scale, band, left };
    let (wide, folds) = (plan.wide(), scale.folds().count());
    let tall = super::figure_tall::draw(d, &found, times).unwrap_or_default();
    Some(Figure { wide, tall, folds, ghosts: found.list.iter().any(|m| !m.others.is_empty()) })
}

/// The incident from start to end, in seconds.
fn band(d: &Drawing<'_>, found: &Moments) -> Option<(i64, i64)> {
    let (start, end, _) = d.period.as_ref()?;
    let read = |edtf: &str| {
        let s = super::stamp::Stamp::read(edtf);
        Some(s.day_number()? * 86_400 + s.seconds()? - s.offset.or(found.offset).unwrap_or(0) * 60)
    };
    let (a, b) = (read(start)?, read(end)?);
    (a < b).then_some((a, b))
}

/// A figure being laid out.
pub(super) struct Plan<'p> {
    pub(super) d: &'p Drawing<'p>,
    pub(super) found: &'p Moments,
    pub(super) scale: &'p Scale,
    pub(super) band: Option<(i64, i64)>,
    pub(super) left: f64,
}

/// Where a mark and its label stand in a lane.
struct Place<'m> {
    moment: &'m Moment,
    row: usize,
    side: Side,
    label: String,
}

/// What a mark says beside its label.
pub fn remark(words: &Words, m: &Moment) -> String {
    if m.sure && m.stamp.clock.contains('?') {
        return m.stamp.clock.clone();
    }
    match (m.sure, m.stamp.about) {
        (false, _) => words.get("no_clock").to_string(),
        (_, true) => words.get("about").to_string(),
        _ => String::new(),
    }
}

/// What a mark shows when pointed at: the stamp in its zone and in UTC, then the sentence.
pub fn title(m: &Moment, e: &Event) -> String {
    let zone = m.stamp.zone().map(|z| format!(" {z}")).unwrap_or_default();
    let clock = if m.stamp.clock.is_empty() { String::new() } else { format!(" {}{zone}", m.stamp.clock) };
    let utc = m.stamp.utc().map(|u| format!(" · {u} UTC")).unwrap_or_default();
    format!("{}{clock}{utc} · {}", m.stamp.date, e.text).trim_start_matches([' ', '·']).to_string()
}

impl Plan<'_> {
    /// Places the marks of a lane in rows.
    fn lane<'m>(&self, list: &[&'m Moment]) -> (Vec<Place<'m>>, usize) {
        let mut rows: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut out = Vec::new();
        for m in list {
            let e = &self.d.events[m.index];
            let (from, to) = self.extent(m);
            let at = self.scale.at(m.until.unwrap_or(m.at));
            let note = remark(self.d.words, m);
            let extra = if note.is_empty() { 0.0 } else { width(&note) + 8.0 };
            let mut best = None;
            'find: for most in [460.0, 300.0, 180.0, 90.0, 0.0] {
                let label = if most == 0.0 { String::new() } else { cut(told(e), most) };
                let w = if most == 0.0 { 0.0 } else { width(&label) + extra + 14.0 };
                for row in 0..MOST_ROWS {
                    for side in [Side::After, Side::Before] {
                        let start = self.scale.at(m.at);
                        let (a, b) =
                            if side == Side::After { (from - 9.0, to.max(at + 9.0 + w)) } else { (from.min(start - 9.0 - w), to + 9.0) };
                        let inside = a >= self.left - 4.0 && b <= WIDTH;
                        let free = rows.get(row).is_none_or(|r| r.iter().all(|(x, y)| b < *x || a > *y));
                        if (inside || most == 0.0) && free {
                            best = Some((row, side, label, (a, b)));
                            break 'find;
                        }
                    }
                }
            }
            // a lane that is full: the mark stands in the last row, its words in the list below
            let (row, side, label, taken) = best.unwrap_or((MOST_ROWS - 1, Side::After, String::new(), (from - 9.0, to + 9.0)));
            while rows.len() <= row {
                rows.push(Vec::new());
            }
            rows[row].push(taken);
            out.push(Place { moment: m, row, side, label });
        }
        (out, rows.len().max(1))
    }

    fn extent(&self, m: &Moment) -> (f64, f64) {
        let all = [Some(m.at), m.until].into_iter().flatten().chain(m.others.iter().copied()).map(|t| self.scale.at(t));
        all.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)))
    }

    pub(super) fn wide(&self) -> String {
        let mut lanes: BTreeMap<usize, Vec<&Moment>> = BTreeMap::new();
        for m in &self.found.list {
            lanes.entry(lane_of(self.d.events[m.index].phase.as_deref())).or_default().push(m);
        }
        let placed: Vec<(usize, Vec<Place<'_>>, usize)> = lanes
            .into_iter()
            .map(|(l, list)| {
                let (p, n) = self.lane(&list);
                (l, p, n)
            })
            .collect();
        let begin = if self.band.is_some() { TOP + 34.0 } else { TOP - 8.0 };
        let bottom = begin + placed.iter().map(|(_, _, n)| *n as f64 * ROW + 10.0).sum::<f64>();
        let mut pen = Pen::new(WIDTH, self.d.words.dir == "rtl");
        self.axes(&mut pen, bottom);
        self.strip(&mut pen, bottom);
        let mut y = begin;
        for (lane, places, rows) in &placed {
            let base = y + *rows as f64 * ROW + 8.0;
            pen.mark(PHASES[*lane], false, (7.0, y + ROW / 2.0 + 1.0));
            let name = lane_name(self.d.words, *lane);
            pen.text(
                "",
                (22.0, y + ROW / 2.0 + 5.5),
                Side::After,
                &Label { text: &name, rtl: self.d.words.dir == "rtl", ..Label::default() },
            );
            pen.line("hair", (0.0, base), (WIDTH - 4.0, base));
            for p in places {
                self.place(&mut pen, *lane, p, y + p.row as f64 * ROW + ROW / 2.0 + 1.0);
            }
            y = base + 2.0;
        }
        let mut height = bottom + 22.0 + self.below();
        let rows = self.fold_labels().1;
        if rows > 0 {
            height += 22.0 + (rows - 1) as f64 * super::figure_axes::FOLD_ROW;
            self.unfolded(&mut pen, height + 14.0);
            height += 44.0;
        }
        let label = self.d.words.count("timeline_svg", self.d.events.len());
        format!(r#"<svg class="wide" viewBox="0 0 1280 {}" role="group" aria-label="{}">{}</svg>"#, px(height), escape(&label), pen.out)
    }

    /// The incident as one bar, with its duration in it.
    fn strip(&self, pen: &mut Pen, _bottom: f64) {
        let (Some((from, to)), Some((_, _, duration))) = (self.band, self.d.period.as_ref()) else { return };
        let (x0, x1) = (self.scale.at(from), self.scale.at(to));
        let rtl = self.d.words.dir == "rtl";
        let y = 44.0;
        pen.text("b", (0.0, y + 17.0), Side::After, &Label { text: self.d.words.get("duration"), rtl, ..Label::default() });
        pen.rect("down", x0, y, x1 - x0, 24.0);
        for f in self.scale.folds().filter(|f| f.x0 >= x0 - 0.5 && f.x1 <= x1 + 0.5) {
            pen.rect("gap", f.x0 + 1.0, y - 1.0, f.x1 - f.x0 - 2.0, 26.0);
            pen.torn(f.x0, y - 1.0, 26.0);
            pen.torn(f.x1, y - 1.0, 26.0);
        }
        let label = Label { text: duration, rtl, ..Label::default() };
        let need = width(duration) + 24.0;
        // inside the first unfolded piece that is long enough, else behind the bar
        let pieces = self.scale.stretches.iter().filter(|s| s.x0 >= x0 - 0.5 && s.x1 <= x1 + 0.5);
        let mut runs: Vec<(f64, f64)> = Vec::new();
        for s in pieces.filter(|s| !s.folded) {
            match runs.last_mut() {
                Some(r) if (r.1 - s.x0).abs() < 0.5 => r.1 = s.x1,
                _ => runs.push((s.x0, s.x1)),
            }
        }
        match runs.iter().find(|r| r.1 - r.0 >= need) {
            Some(r) => pen.text("ondown", (r.0 + 12.0, y + 17.0), Side::After, &label),
            None => pen.text("b", (x1 + 8.0, y + 17.0), Side::After, &label),
        }
    }

    fn place(&self, pen: &mut Pen, lane: usize, p: &Place<'_>, y: f64) {
        let (m, e) = (p.moment, &self.d.events[p.moment.index]);
        let at = self.scale.at(m.at);
        for other in &m.others {
            // the line that joins two readings runs below the row, where no label stands
            let x = self.scale.at(*other);
            pen.line("conn", (x, y + 8.0), (x, y + 11.0));
            pen.line("conn", (x.min(at), y + 11.0), (x.max(at), y + 11.0));
            pen.line("conn", (at, y + 8.0), (at, y + 11.0));
            pen.mark(PHASES[lane], true, (x, y));
        }
        pen.open(&format!("#{}", e.anchor), &title(m, e));
        let mut end = at;
        if let Some(until) = m.until {
            end = self.scale.at(until);
            pen.rect(&format!("{} hollow", colour(PHASES[lane])), at, y - 5.0, (end - at).max(3.0), 10.0);
        } else {
            if m.stamp.about {
                pen.line("ink", (at - 16.0, y), (at + 16.0, y));
            }
            pen.mark(PHASES[lane], !m.sure, (at, y));
        }
        if !p.label.is_empty() {
            let note = remark(self.d.words, m);
            let label = Label { text: &p.label, lang: self.d.lang.0, rtl: self.d.lang.1, note: &note };
            let x = if p.side == Side::After { end + 13.0 } else { at - 13.0 };
            pen.text("halo", (x, y + 4.5), p.side, &label);
        }
        pen.close();
    }
}

/// The colour of a phase.
pub fn colour(phase: &str) -> &'static str {
    match phase {
        "trigger" | "impact" => "harm",
        "detected" | "identified" => "know",
        "resolved" => "calm",
        _ => "act",
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use super::*;

    #[test]
    fn a_second_reading_is_drawn_beside_the_first() {
        let s = Sample::new(&["en"]);
        let case = s.book.get("2023-11-24-بطء").unwrap();
        let words = Words::new("ar", super::super::sample::known());
        let drawing = |events| Drawing { events, period: None, words: &words, lang: ("ar", true), zone: None };
        let f = draw(&drawing(&case.incident.timeline)).unwrap();
        assert!(f.ghosts && f.wide.contains("ghost") && f.wide.contains(r#"class="conn""#), "{}", f.wide);
        assert!(f.tall.contains("<svg"));
        assert!(draw(&drawing(&case.incident.timeline[..1])).is_none());
    }
}
