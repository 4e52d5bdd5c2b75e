//! A pen for inline figures. It draws in reading direction: 0 is where a line of the page begins, and a right-to-left page gets the mirror image
//! with its words unmirrored.

use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// Escapes text for HTML and SVG.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// About how wide a text is at 13 px; no figure depends on more than that.
pub fn width(text: &str) -> f64 {
    let (cells, signs) = (text.width() as f64, text.chars().count().min(text.width()) as f64);
    // a wide sign takes two cells of which each is a little narrower than a Latin letter
    (cells - signs) * 13.4 + (2.0 * signs - cells) * 6.9
}

/// A text cut to a width, at a word's end where that loses little.
pub fn cut(text: &str, most: f64) -> String {
    let text = text.trim();
    if width(text) <= most {
        return text.to_string();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if width(&kept) > most - 10.0 {
            kept.pop();
            break;
        }
    }
    if let Some(space) = kept.rfind(' ').filter(|s| *s > kept.len() * 2 / 3) {
        kept.truncate(space);
    }
    format!("{}…", kept.trim_end_matches([' ', ',', '、', '，', ';', ':']))
}

/// A number as short as it can be written, to a tenth of a pixel.
pub fn px(x: f64) -> String {
    let r = (x * 10.0).round() / 10.0;
    let s = format!("{r}");
    if s == "-0" { "0".into() } else { s }
}

/// Which side of its place a text stands on, in reading direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It begins there.
    After,
    /// It is centred there.
    Middle,
    /// It ends there.
    Before,
}

/// A figure being drawn.
pub struct Pen {
    /// What was drawn.
    pub out: String,
    width: f64,
    rtl: bool,
}

impl Pen {
    /// A pen for a figure of a width; `rtl` mirrors it.
    pub fn new(width: f64, rtl: bool) -> Pen {
        Pen { out: String::new(), width, rtl }
    }

    /// The place on the page of a place in reading direction.
    pub fn x(&self, x: f64) -> f64 {
        if self.rtl { self.width - x } else { x }
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (a, b) = (px(self.x(from.0)), px(self.x(to.0)));
        if from.1 == to.1 {
            let _ = write!(self.out, r#"<path class="{class}" d="M{a} {}H{b}"/>"#, px(from.1));
        } else if from.0 == to.0 {
            let _ = write!(self.out, r#"<path class="{class}" d="M{a} {}V{}"/>"#, px(from.1), px(to.1));
        } else {
            let _ = write!(self.out, r#"<path class="{class}" d="M{a} {}L{b} {}"/>"#, px(from.1), px(to.1));
        }
    }

    /// A box from `x` on, `w` wide.
    pub fn rect(&mut self, class: &str, x: f64, y: f64, w: f64, h: f64) {
        let left = if self.rtl { self.width - x - w } else { x };
        let _ = write!(self.out, r#"<rect class="{class}" x="{}" y="{}" width="{}" height="{}"/>"#, px(left), px(y), px(w.max(0.0)), px(h));
    }

    /// A torn edge from top to bottom.
    pub fn torn(&mut self, x: f64, y: f64, h: f64) {
        let x = self.x(x);
        let steps = (h / 7.0).ceil().max(1.0) as usize;
        let mut d = String::new();
        for k in 0..=steps {
            let (dx, y) = (if k % 2 == 0 { -3.0 } else { 3.0 }, y + h * k as f64 / steps as f64);
            let _ = write!(d, "{}{} {}", if k == 0 { 'M' } else { 'L' }, px(x + dx), px(y));
        }
        let _ = write!(self.out, r#"<path class="zig" d="{d}"/>"#);
    }

    /// A text in a direction of its own. `more` is appended as it is inside the element.
    pub fn text(&mut self, class: &str, at: (f64, f64), side: Side, label: &Label<'_>) {
        let anchor = match side {
            Side::Middle => "middle",
            // the anchor counts from where the text itself begins, which is the far side where the two directions differ
            Side::After => {
                if label.rtl == self.rtl {
                    "start"
                } else {
                    "end"
                }
            }
            Side::Before => {
                if label.rtl == self.rtl {
                    "end"
                } else {
                    "start"
                }
            }
        };
        let dir = if label.rtl == self.rtl {
            ""
        } else if label.rtl {
            r#" direction="rtl""#
        } else {
            r#" direction="ltr""#
        };
        let lang = if label.lang.is_empty() { String::new() } else { format!(r#" lang="{}""#, escape(label.lang)) };
        let class = if class.is_empty() { String::new() } else { format!(r#" class="{class}""#) };
        let (x, y) = (px(self.x(at.0)), px(at.1));
        let after = if label.note.is_empty() { String::new() } else { format!(r#" <tspan class="s">{}</tspan>"#, escape(label.note)) };
        let _ = write!(self.out, r#"<text{class} x="{x}" y="{y}" text-anchor="{anchor}"{dir}{lang}>{}{after}</text>"#, escape(label.text));
    }

    /// The mark of a phase, centred at a place.
    pub fn mark(&mut self, phase: &str, ghost: bool, at: (f64, f64)) {
        let _ = write!(self.out, r#"<g transform="translate({} {})">{}</g>"#, px(self.x(at.0) - 7.0), px(at.1 - 7.0), mark(phase, ghost));
    }

    /// Opens a link around what follows.
    pub fn open(&mut self, href: &str, title: &str) {
        let _ = write!(self.out, r#"<a href="{}"><title>{}</title>"#, escape(href), escape(title));
    }

    /// Closes it.
    pub fn close(&mut self) {
        self.out.push_str("</a>");
    }
}

/// A text in a figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Label<'t> {
    /// What it says.
    pub text: &'t str,
    /// Its language, where that is not the page's.
    pub lang: &'t str,
    /// Whether it runs from right to left.
    pub rtl: bool,
    /// A remark in the page's language after it.
    pub note: &'t str,
}

/// The shape of a phase in a box of 14 by 14: shape and colour both tell it, so that neither is needed.
pub fn mark(phase: &str, ghost: bool) -> String {
    let (colour, fill, shape) = match phase {
        "trigger" => ("harm", "hollow", r#"path d="M7 1.5 12.5 12h-11z""#),
        "impact" => ("harm", "solid", r#"path d="M2 2h10v10H2z""#),
        "detected" => ("know", "hollow", r#"circle cx="7" cy="7" r="5""#),
        "response" => ("act", "hollow", r#"path d="M7 1.2 12.8 7 7 12.8 1.2 7z""#),
        "identified" => ("know", "solid", r#"circle cx="7" cy="7" r="5""#),
        "mitigated" => ("act", "solid", r#"path d="M7 1.2 12.8 7 7 12.8 1.2 7z""#),
        "resolved" => ("calm", "solid", r#"path d="M1.5 7 5.6 11.2 12.6 3 10.8 1.6 5.4 7.9 3.2 5.6z""#),
        "followup" => ("act", "hollow", r#"path d="M2 2h10v10H2z""#),
        // dashes need a line long enough to be seen as such
        _ if ghost => ("act", "solid", r#"circle cx="7" cy="7" r="4.5""#),
        _ => ("act", "solid", r#"circle cx="7" cy="7" r="2.5""#),
    };
    let (tag, rest) = shape.split_once(' ').unwrap_or((shape, ""));
    format!(r#"<{tag} class="{colour} {}" {rest}/>"#, if ghost { "ghost" } else { fill })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirrored_figure_keeps_its_words() {
        let mut pen = Pen::new(100.0, true);
        pen.rect("a", 10.0, 0.0, 20.0, 5.0);
        pen.text("", (10.0, 5.0), Side::After, &Label { text: "<x>", lang: "fr", rtl: false, note: "" });
        assert!(pen.out.contains(r#"x="70" y="0" width="20""#), "{}", pen.out);
        assert!(pen.out.contains(r#"text-anchor="end" direction="ltr" lang="fr">&lt;x&gt;<"#), "{}", pen.out);
    }

    #[test]
    fn labels_are_cut_between_words() {
        assert_eq!(cut("short", 100.0), "short");
        assert_eq!(cut("the quick brown fox jumps over", 140.0), "the quick brown…");
        assert!(width(&cut("障害の原因は設定変更でした", 80.0)) <= 90.0);
        assert_eq!(px(1.0 / 3.0), "0.3");
        assert_eq!(px(-0.01), "0");
    }
}
