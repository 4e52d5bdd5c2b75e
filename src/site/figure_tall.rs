//! The timeline for narrow screens: time runs downwards, marks stand to scale at the side, and each label keeps a line of its own, led to its mark.

use super::figure::{Drawing, PHASES, colour, lane_name, lane_of, remark, title};
use super::listing::told;
use super::scale::{Moments, Scale};
use super::stamp::{clock_of, date_of};
use super::svg::{Label, Pen, Side, cut, escape, px};

const WIDTH: f64 = 358.0;
/// Height of an entry: two lines of text.
const ENTRY: f64 = 42.0;
/// With more entries than this the list below is the better figure.
const MOST: usize = 30;
const AXIS: f64 = 16.0;
const TEXT: f64 = 46.0;

/// Draws it; absent where there are too many entries or not two moments.
pub fn draw(d: &Drawing<'_>, found: &Moments, times: Vec<i64>) -> Option<String> {
    if found.list.len() > MOST {
        return None;
    }
    let rtl = d.words.dir == "rtl";
    let room = (found.list.len() as f64 * ENTRY).max(240.0);
    let scale = Scale::new(times, 20.0, 20.0 + room, 34.0)?;
    let mut pen = Pen::new(WIDTH, rtl);
    for f in scale.folds() {
        pen.rect("fold", 0.0, f.x0, AXIS * 2.0, f.x1 - f.x0);
    }
    let (first, last) = scale.ends();
    pen.line("axis", (AXIS, scale.at(first)), (AXIS, scale.at(last)));
    let shift = found.offset.unwrap_or(0) * 60;
    // entries keep their order and their own line; where the scale leaves too little room they are pushed down, and up again from the end
    let mut lines: Vec<f64> = Vec::new();
    for m in &found.list {
        let wanted = scale.at(m.at);
        lines.push(lines.last().map_or(wanted, |y| wanted.max(y + ENTRY)));
    }
    let mut limit = 20.0 + room + ENTRY * 0.5;
    for y in lines.iter_mut().rev() {
        *y = y.min(limit);
        limit = *y - ENTRY;
    }
    let mut day = None;
    for (m, y) in found.list.iter().zip(&lines) {
        let e = &d.events[m.index];
        let lane = lane_of(e.phase.as_deref());
        let at = scale.at(m.at);
        for other in &m.others {
            let there = scale.at(*other);
            pen.line("conn", (AXIS, at.min(there) + 9.0), (AXIS, at.max(there) - 9.0));
            pen.mark(PHASES[lane], true, (AXIS, there));
        }
        pen.open(&format!("#{}", e.anchor), &title(m, e));
        pen.line("leader", (AXIS + 9.0, at), (TEXT - 5.0, *y));
        if let Some(until) = m.until {
            pen.rect(&format!("{} hollow", colour(PHASES[lane])), AXIS - 4.0, at, 8.0, (scale.at(until) - at).max(4.0));
        } else {
            pen.mark(PHASES[lane], !m.sure, (AXIS, at));
        }
        let local = m.at + shift;
        let today = date_of(local);
        let mut clock = if m.sure && found.clocks { clock_of(local, false) } else { String::new() };
        if found.days && (day.as_deref() != Some(today.as_str()) || !found.clocks) {
            clock = format!("{today} {clock}").trim_end().to_string();
            day = Some(today);
        }
        let name = lane_name(d.words, lane);
        let note = remark(d.words, m);
        let head = if note.is_empty() { name } else { format!("{name} · {note}") };
        let mut x = TEXT;
        if !clock.is_empty() {
            pen.text("b", (x, *y - 1.0), Side::After, &Label { text: &clock, ..Label::default() });
            x += super::svg::width(&clock) * 1.08 + 8.0;
        }
        pen.text("s", (x, *y - 1.0), Side::After, &Label { text: &head, rtl, ..Label::default() });
        let text = cut(told(e), WIDTH - TEXT - 4.0);
        pen.text("", (TEXT, *y + 16.0), Side::After, &Label { text: &text, lang: d.lang.0, rtl: d.lang.1, note: "" });
        pen.close();
    }
    let end = lines.last().copied().unwrap_or(0.0).max(20.0 + room) + 28.0;
    let label = d.words.count("timeline_svg", d.events.len());
    Some(format!(r#"<svg class="tall" viewBox="0 0 358 {}" role="group" aria-label="{}">{}</svg>"#, px(end), escape(&label), pen.out))
}
