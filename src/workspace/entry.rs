//! One file of a corpus: read, and judged whether it is a postmortem, or a log of several.

use super::refresh::REASONS;
use crate::book::Case;
use crate::corpus::{Entry, Settings, sidecar_audience};
use crate::pipeline::{Knowledge, Verdict, examine_all};
use crate::text::Source;

/// Why a file without text is not read.
pub(super) const NO_TEXT: &str = "no text (it holds NUL bytes)";

/// What became of one file.
pub(super) enum Outcome {
    /// One incident, or the several of a log.
    Cases(Vec<Case>),
    /// It tells too little to be sure; with its score.
    Doubtful(Vec<Case>, f32),
    LeftOut(&'static str),
}

/// What a doubtful document scores at least.
pub(super) const DOUBTFUL: f32 = -0.5;
/// What one scores at least that only a folder of nothing but postmortems vouches for.
const HARDLY: f32 = -3.0;

/// Reads the incidents of one file; an error says why it cannot be read.
pub(super) fn read_entry(
    entry: &Entry,
    sidecar: Option<&Entry>,
    knowledge: &Knowledge,
    settings: &Settings,
) -> std::result::Result<Outcome, String> {
    let bytes = std::fs::read(&entry.full).map_err(|e| e.to_string())?;
    let source = Source::new(entry.path.clone(), bytes);
    if source.is_binary() {
        return Err(NO_TEXT.into());
    }
    let stated = sidecar.map(sidecar_audience).transpose().map_err(|e| e.to_string())?.flatten();
    let mut found = examine_all(&source, knowledge);
    for (case, _) in &mut found {
        if let Some(audience) = &stated {
            case.incident.audience.clone_from(audience);
        }
        if case.incident.audience.is_empty() {
            case.incident.audience.clone_from(&settings.audience);
        }
    }
    let several = found.len() > 1;
    let kept = |v: &Verdict| match v.reason {
        // of a log, what its neighbours vouch for
        Some(reason) if reason == REASONS[0] && several => v.score >= DOUBTFUL,
        Some(reason) => entry.included && reason != "empty",
        None => true,
    };
    if !several
        && !entry.included
        && let [(_, Verdict { reason: Some(reason), score })] = found.as_slice()
        && *reason == REASONS[0]
        && *score >= HARDLY
    {
        let score = *score;
        return Ok(Outcome::Doubtful(found.into_iter().map(|(case, _)| case).collect(), score));
    }
    let reason = found.iter().find_map(|(_, v)| v.reason).unwrap_or(REASONS[0]);
    let cases: Vec<Case> = found.into_iter().filter(|(_, v)| kept(v)).map(|(case, _)| case).collect();
    Ok(if cases.is_empty() { Outcome::LeftOut(reason) } else { Outcome::Cases(cases) })
}
