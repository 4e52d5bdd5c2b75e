//! Is a document a postmortem at all? Wikis hold other pages: how-tos, meeting notes, designs, templates.
//!
//! What speaks for it: headings of postmortems, a dated account, causes told in the past, failures in title and prose. What speaks against it:
//! placeholders left unfilled, instructions without any account.

use crate::document::Kind;
use crate::facts::{Reading, Score, Shape};
use crate::lang::{Cue, Fit, Role, Tag};

/// Points a document needs.
pub const NEEDED: f32 = 3.0;

/// Concepts that tell of failure.
const FAILURE: [&str; 16] = [
    "outage", "fail", "error", "crash", "degraded", "lost", "corrupt", "overload", "hang", "timeout", "5xx", "slow", "attack", "exposure", "kill", "delete",
];
/// Concepts that tell of an incident being handled.
const HANDLING: [&str; 6] = ["root-cause", "detect", "restore", "rollback", "workaround", "alert"];

/// The score of a document as a postmortem, or the reason why it is none whatever its score.
pub fn judge(reading: &Reading, stamps: usize) -> (Score, Option<&'static str>) {
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
                Role::Impact | Role::Timeline | Role::RootCause | Role::Trigger | Role::Contributing | Role::Detection | Role::Resolution | Role::Remediation
                    | Role::Prevention | Role::Lessons | Role::LessonsWell | Role::LessonsWrong | Role::LessonsLucky
            )
            && !roles.contains(&role)
            && (place.label.is_some() || reading.lexicon.role(reading.document.blocks[n].text.as_str()).is_some_and(|f| f.fit >= Fit::Opens))
        {
            roles.push(role);
        }
    }
    let causal = roles.iter().any(|r| matches!(r, Role::RootCause | Role::Trigger | Role::Contributing));
    s.add("headings of a postmortem", 0.7, (roles.len() as f32).min(5.0));
    s.when("a section about the cause", 1.0, causal);

    let prose: Vec<&crate::facts::Unit> =
        reading.units.iter().filter(|u| matches!(u.shape, Shape::Sentence | Shape::Item | Shape::Row) && !matches!(u.role, Some(Role::Appendix))).collect();
    let count = prose.len().max(1) as f32;
    let concept = |u: &crate::facts::Unit, names: &[&str]| u.hits.iter().any(|h| matches!(h.tag, Tag::Concept(c) if names.contains(&c.name())));
    let share = |f: &dyn Fn(&crate::facts::Unit) -> bool| prose.iter().filter(|u| f(u)).count() as f32 / count;
    let failing = share(&|u| concept(u, &FAILURE));
    let told = share(&|u| u.has(Cue::Past).max(u.has(Cue::Done)) >= 0.5 && u.has(Cue::Future) < 0.5);
    let handled = share(&|u| concept(u, &HANDLING));
    s.add("failures are told", 4.0, failing.min(0.5));
    s.add("it is told as past", 2.0, told.min(0.6));
    s.add("handling is told", 2.0, handled.min(0.4));
    s.add("causes are told", 2.5, share(&|u| u.has(Cue::CauseRight).max(u.has(Cue::CauseLeft)) >= 0.5 && concept(u, &FAILURE)).min(0.3));
    s.add("stamps", 0.25, stamps.min(8) as f32);
    let title = crate::facts::title(reading).map(|t| t.value().text.clone()).unwrap_or_default();
    let hits = reading.lexicon.scan(&title);
    let in_title = |names: &[&str]| hits.iter().any(|h| matches!(h.tag, Tag::Concept(c) if names.contains(&c.name())));
    s.when("the title tells of a failure", 1.2, in_title(&FAILURE) || in_title(&["root-cause"]));

    let code = reading.document.blocks.iter().filter(|b| matches!(b.kind, Kind::Code)).map(|b| b.text.len()).sum::<usize>() as f32;
    let all = reading.document.blocks.iter().map(|b| b.text.len()).sum::<usize>().max(1) as f32;
    s.add("mostly code", -2.0, (code / all - 0.3).max(0.0));
    s.add("instructions", -2.0, share(&|u| u.has(Cue::Done).max(u.has(Cue::Past)) < 0.5 && u.has(Cue::Repair).max(u.has(Cue::Planned)) >= 0.5));
    s.when("too short to tell anything", -3.0, all < 120.0);
    let reason = if all < 2.0 { Some("empty") } else if is_template(reading) { Some("a template") } else { None };
    (s, reason)
}

/// Placeholders instead of an account: most headings stand over nothing but prompts in brackets.
fn is_template(reading: &Reading) -> bool {
    let mut prompts = 0usize;
    let mut blocks = 0usize;
    for block in reading.document.blocks.iter().filter(|b| !matches!(b.kind, Kind::Heading { .. } | Kind::Rule | Kind::Code)) {
        let text = block.text.as_str().trim();
        blocks += 1;
        let bracketed = [("<", ">"), ("[", "]"), ("{", "}"), ("(", ")"), ("_", "_"), ("＜", "＞"), ("【", "】")].iter().any(|(a, b)| text.starts_with(a) && text.ends_with(b) && text.len() > 6);
        let filler = ["YYYY", "HH:MM", "hh:mm", "TODO", "TBD", "{{", "XX:XX", "<!--", "DD/MM", "____"].iter().any(|f| text.contains(f));
        let open = text.ends_with([':', '：']) && text.chars().count() < 40;
        if bracketed || filler || open || text.is_empty() || text.chars().all(|c| !c.is_alphanumeric()) {
            prompts += 1;
        }
    }
    blocks >= 4 && prompts * 10 >= blocks * 6
}
