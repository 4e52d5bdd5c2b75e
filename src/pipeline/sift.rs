//! Is a document a postmortem at all? Wikis hold other pages: how-tos, meeting notes, designs, templates.
//!
//! What speaks for it: headings of postmortems, a dated account, causes told in the past, failures in title and prose. What speaks against it:
//! placeholders left unfilled, instructions without any account.

use crate::document::{Kind, Mark};
use crate::facts::{Reading, Score, Shape, Unit};
use crate::lang::{ConceptSet, Cue, Fit, Role};

/// Points a document needs.
pub const NEEDED: f32 = 3.6;
/// What a sentence scores at least that tells a cause on a page of any kind.
pub const CAUSE: f32 = 2.25;

/// Concepts that tell of failure.
static FAILURE: ConceptSet = ConceptSet::new(&[
    "outage", "fail", "error", "crash", "degraded", "lost", "corrupt", "overload", "hang", "timeout", "5xx", "slow", "attack", "exposure",
    "kill", "delete",
]);
/// Concepts that tell of an incident being handled.
static HANDLING: ConceptSet = ConceptSet::new(&["root-cause", "detect", "restore", "rollback", "workaround", "alert"]);

/// The cause itself, in a title.
static ROOT: ConceptSet = ConceptSet::new(&["root-cause"]);
/// What a title of a guide or template speaks of.
static GUIDE: ConceptSet = ConceptSet::new(&["documentation", "template", "drill", "train-staff"]);

/// What was found in a document, counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// Events.
    pub events: usize,
    /// Events with a clock, not only a day.
    pub clocks: usize,
    /// Events with a clock whose phase is told.
    pub phases: usize,
    /// Causes.
    pub causes: usize,
    /// Actions that are done.
    pub done: usize,
}

/// The score of a document as a postmortem, or the reason why it is none whatever its score.
pub fn judge(reading: &Reading, found: &Found) -> (Score, Option<&'static str>) {
    let mut s = Score::default();
    let front = &reading.document.front_matter;
    let keys = ["start", "end", "detected", "mitigated", "resolved", "severity", "services"];
    s.add("fields of an incident", 1.2, keys.iter().filter(|k| front.field(k).is_some()).count().min(3) as f32);
    s.when("stated patterns", 2.0, front.field("patterns").is_some());

    let mut roles: Vec<Role> = Vec::new();
    for (n, place) in reading.places.iter().enumerate() {
        let named = place.is_heading || place.label.is_some();
        if let (true, Some(role)) = (named, place.role)
            && matches!(
                role,
                Role::Impact
                    | Role::Timeline
                    | Role::RootCause
                    | Role::Trigger
                    | Role::Contributing
                    | Role::Detection
                    | Role::Resolution
                    | Role::Remediation
                    | Role::Prevention
                    | Role::Lessons
                    | Role::LessonsWell
                    | Role::LessonsWrong
                    | Role::LessonsLucky
            )
            && !roles.contains(&role)
            && (place.label.is_some()
                || reading.lexicon.role(reading.document.blocks[n].text.as_str()).is_some_and(|f| f.fit >= Fit::Opens))
        {
            roles.push(role);
        }
    }
    let causal = roles.iter().any(|r| matches!(r, Role::RootCause | Role::Trigger | Role::Contributing));
    // one such heading stands in minutes and plans too
    s.add("headings of a postmortem", 0.75, (roles.len() as f32 - 1.0).clamp(0.0, 5.0));
    s.when("a section about the cause", 1.0, causal);

    let prose: Vec<&Unit> = reading
        .units
        .iter()
        .filter(|u| matches!(u.shape, Shape::Sentence | Shape::Item | Shape::Row) && u.role != Some(Role::Appendix))
        .collect();
    let count = prose.len().max(1) as f32;
    let concept = |u: &Unit, set: &ConceptSet| u.hits().iter().any(|h| set.tagged(h.tag));
    let share = |f: &dyn Fn(&Unit) -> f32| prose.iter().map(|u| f(u)).sum::<f32>() / count;
    let is = |b: bool| if b { 1.0 } else { 0.0 };
    // an account tells what was, when, and why
    s.add("it is told as past", 7.0, share(&|u| is(u.has(Cue::Past).max(u.has(Cue::Done)) >= 0.5 && u.has(Cue::Future) < 0.5)).min(0.6));
    s.add("causes are told", 6.0, (found.causes as f32 / count).min(0.3));
    s.add("clocks are told", 0.2, found.clocks.min(6) as f32);
    s.add("days are told", 0.08, (found.events - found.clocks.min(found.events)).min(6) as f32);
    s.add("moments of an incident", 0.3, found.phases.min(4) as f32);
    s.add("actions are told", 0.4, found.done.min(2) as f32);
    s.when("no moment is told", -1.3, found.events == 0);
    s.when("days without a clock", -0.6, found.events > 0 && found.clocks == 0);
    s.add("failures are told", 2.4, share(&|u| is(concept(u, &FAILURE))).min(0.5));
    s.add("handling is told", 2.0, share(&|u| is(concept(u, &HANDLING))).min(0.4));
    s.add("something was not so", 1.5, share(&|u| u.has(Cue::Negation)).min(0.3));
    // other pages tell what is, what may be, and what one should do
    s.add("hypothesis", -3.0, share(&|u| u.has(Cue::Hypothesis)));
    s.add("future", -2.0, share(&|u| u.has(Cue::Future)));
    s.add("advice", -3.0, share(&|u| u.has(Cue::Advice)));
    s.add(
        "instructions",
        -1.0,
        share(&|u| is(u.has(Cue::Done).max(u.has(Cue::Past)) < 0.5 && u.has(Cue::Repair).max(u.has(Cue::Planned)) >= 0.5)),
    );
    let headings: Vec<&str> =
        reading.places.iter().enumerate().filter(|(_, p)| p.is_heading).map(|(n, _)| reading.document.blocks[n].text.as_str()).collect();
    let asking = headings.iter().filter(|h| h.trim_end().ends_with(['?', '？', '؟'])).count() as f32;
    s.add("headings ask", -2.5, if headings.len() >= 3 { (asking / headings.len() as f32 - 0.34).max(0.0) } else { 0.0 });
    let lists = share(&|u| is(u.shape == Shape::Item));
    s.when("nothing but lists", -1.0, lists > 0.7 && !causal && found.clocks < 3);
    let title = crate::facts::title(reading).map(|t| t.value().text.clone()).unwrap_or_default();
    let hits = reading.lexicon.scan(&title);
    let in_title = |set: &ConceptSet| hits.iter().any(|h| set.tagged(h.tag));
    s.when("the title tells of a failure", 1.1, in_title(&FAILURE) || (in_title(&ROOT) && found.events > 0));
    s.when("the title is of a guide", -1.6, in_title(&GUIDE) && !in_title(&FAILURE));

    let code = reading.document.blocks.iter().filter(|b| matches!(b.kind, Kind::Code)).map(|b| b.text.len()).sum::<usize>() as f32;
    let all = reading.document.blocks.iter().map(|b| b.text.len()).sum::<usize>().max(1) as f32;
    s.add("mostly code", -2.0, (code / all - 0.3).max(0.0));
    s.when("too short to tell anything", -3.0, all < 120.0);
    let reason = if all < 2.0 {
        Some("empty")
    } else if is_template(reading) {
        Some("a template")
    } else {
        None
    };
    (s, reason)
}

/// Placeholders instead of an account: most headings stand over nothing but prompts in brackets.
fn is_template(reading: &Reading) -> bool {
    let mut prompts = 0usize;
    let mut blocks = 0usize;
    for block in reading.document.blocks.iter().filter(|b| !matches!(b.kind, Kind::Heading { .. } | Kind::Rule | Kind::Code)) {
        let text = block.text.as_str().trim();
        blocks += 1;
        let bracketed = [("<", ">"), ("[", "]"), ("{", "}"), ("(", ")"), ("_", "_"), ("＜", "＞"), ("【", "】")]
            .iter()
            .any(|(a, b)| text.starts_with(a) && text.ends_with(b) && text.len() > 6);
        let has = |sign: char| text.contains(sign);
        let filler = has('Y') && text.contains("YYYY")
            || has(':') && ["HH:MM", "hh:mm", "XX:XX"].iter().any(|f| text.contains(f))
            || has('T') && ["TODO", "TBD"].iter().any(|f| text.contains(f))
            || has('<') && text.contains("<!--")
            || has('/') && text.contains("DD/MM")
            || has('{') && text.contains("{{")
            || has('_') && text.contains("____");
        let open = text.ends_with([':', '：']) && text.chars().count() < 40;
        let slanted: usize = block.marks.iter().filter(|(_, m)| *m == Mark::Emphasis).map(|(r, _)| r.len()).sum();
        let prompt = slanted * 3 > text.len() * 2;
        if prompt
            || block.kind == Kind::Filler
            || bracketed
            || filler
            || open
            || text.is_empty()
            || text.chars().all(|c| !c.is_alphanumeric())
        {
            prompts += 1;
        }
    }
    blocks >= 4 && prompts * 10 >= blocks * 6
}
