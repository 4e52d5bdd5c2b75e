//! Several incidents in one file: a log that has a section for each, told by evidence and never by guess.
//!
//! What makes a log: headings of one level, each with a day or a number of its own, and below several of them the same kinds of sections (cause, impact,
//! what was done). Updates of one incident bear clocks, its days have no causes of their own, its translations share their date: none of them is parted.

use super::Moments;
use super::ids::slug;
use crate::document::{Block, Certainty, Document, Field, FrontMatter, Kind};
use crate::facts::{Because, Reading};
use crate::lang::{Cue, Fit, Phase, Role, Tag};
use std::collections::BTreeSet;

/// Fields of the front matter that hold for every incident of a file.
const SHARED: [&str; 8] = ["language", "lang", "timezone", "audience", "tags", "owners", "source_url", "extra.audience"];

/// One incident of several.
pub(super) struct Part {
    /// Its blocks, as a document of their own.
    pub document: Document,
    /// What its id ends in: the day, else the number, of its heading.
    pub suffix: String,
}

/// The incidents of a document; none where it tells of one only.
pub(super) fn of(reading: &Reading, moments: &Moments) -> Vec<Part> {
    (1..=4)
        .find_map(|level| at_level(reading, moments, level))
        .or_else(|| history(reading, moments))
        .unwrap_or_else(|| super::rows::of(reading, moments))
}

fn at_level(reading: &Reading, moments: &Moments, level: u8) -> Option<Vec<Part>> {
    let blocks = &reading.document.blocks;
    let heads: Vec<usize> = (0..blocks.len()).filter(|&n| heading(&blocks[n]) == Some(level)).collect();
    // what stands above the first of them may introduce the log
    let first = heads.iter().position(|&n| key(reading, moments, n).is_some())?;
    let heads = &heads[first..];
    let keys: Vec<String> = heads.iter().map(|&n| key(reading, moments, n)).collect::<Option<_>>()?;
    if keys.len() < 2 || keys.iter().collect::<BTreeSet<_>>().len() < keys.len() {
        return None;
    }
    // a heading with a day or number of its own names what failed, in words that may be a section's
    let exact = |n: usize| reading.lexicon.role(blocks[n].text.as_str()).is_some_and(|f| f.fit == Fit::Exact);
    let own = |n: usize| {
        let named = reading.places[n].because == Because::Heading && reading.places[n].role.is_some_and(|r| r != Role::Summary);
        named && (exact(n) || !heads.contains(&n))
    };
    // sections outside are shared: then the headings part one incident
    let outside = (0..blocks.len()).any(|n| heading(&blocks[n]).is_some_and(|l| l <= level) && own(n));
    if outside || (0..heads[0]).any(|n| heading(&blocks[n]).is_some() && own(n)) {
        return None;
    }
    let ends = |i: usize| {
        let next = heads.get(i + 1).copied().unwrap_or(blocks.len());
        (heads[i] + 1..next).find(|&n| heading(&blocks[n]).is_some_and(|l| l < level)).unwrap_or(next)
    };
    let full = (0..heads.len()).filter(|&i| tells_all(reading, heads[i] + 1..ends(i))).count();
    if (full < 2 || full * 5 < heads.len() * 3) && !is_history(reading, moments, &keys, heads, ends) {
        return None;
    }
    let mut suffixes = BTreeSet::new();
    let parts = (0..heads.len()).map(|i| {
        let mut suffix = slug(&keys[i]);
        if suffix.is_empty() || !suffixes.insert(suffix.clone()) {
            suffix = format!("{suffix}-{}", i + 1);
            suffixes.insert(suffix.clone());
        }
        Part { document: document(reading.document, blocks[heads[i]..ends(i)].to_vec()), suffix }
    });
    Some(parts.collect())
}

/// Days that lie between the incidents of a log that is told in prose.
const APART: i64 = 4;

/// True for a log told in prose: headings with a day and a title, days apart, and below most of them clocks, what failed and how it ended. What is
/// told day by day of one incident has days that follow each other, and one end.
fn is_history(reading: &Reading, moments: &Moments, keys: &[String], heads: &[usize], ends: impl Fn(usize) -> usize) -> bool {
    let mut days: Vec<i64> = keys.iter().filter_map(|k| day_number(k)).collect();
    if days.len() < keys.len() {
        return false;
    }
    days.sort_unstable();
    let titled = |n: usize| {
        let text = reading.document.blocks[n].text.as_str();
        text.chars().filter(|c| c.is_alphabetic()).map(|c| if c as u32 >= 0x2E80 { 3 } else { 1 }).sum::<usize>() >= 8
    };
    let told = |i: usize| {
        let range = heads[i]..ends(i);
        let hits = || range.clone().flat_map(|n| &reading.hits[n]);
        let failed = hits().any(|h| matches!(h.tag, Tag::Cue(Cue::Fault | Cue::CauseRight) | Tag::Phase(Phase::Impact)));
        let over = hits().any(|h| matches!(h.tag, Tag::Cue(Cue::Done | Cue::FixedBy) | Tag::Phase(Phase::Resolved | Phase::Mitigated)));
        let clocks = moments.times.mentions.iter().filter(|m| range.contains(&m.block) && m.at.clock.is_some());
        let clocks: usize = clocks.map(|m| 1 + usize::from(m.until.is_some())).sum();
        (failed && over && clocks >= 2, failed || over || clocks >= 2)
    };
    let full = (0..heads.len()).filter(|i| told(*i).0).count();
    let apart = days.windows(2).all(|d| d[1] - d[0] >= APART);
    apart && heads.iter().all(|n| titled(*n)) && full >= 2 && full * 2 >= heads.len() && (0..heads.len()).all(|i| told(i).1)
}

/// The days of a key that is a date, counted.
fn day_number(key: &str) -> Option<i64> {
    let mut parts = key.splitn(3, '-').map(|p| p.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    Some(year * 372 + month * 31 + day)
}

/// The incidents of a status page's history: headings that name what failed, and below each of them its updates with their stamps, of which one tells
/// of the end; the updates of one do not reach into those of another.
fn history(reading: &Reading, moments: &Moments) -> Option<Vec<Part>> {
    let blocks = &reading.document.blocks;
    let spans = |level: u8| -> Vec<(usize, usize)> {
        let heads: Vec<usize> = (0..blocks.len()).filter(|&n| heading(&blocks[n]) == Some(level)).collect();
        let end = |from: usize| (from + 1..blocks.len()).find(|&n| heading(&blocks[n]).is_some_and(|l| l <= level)).unwrap_or(blocks.len());
        heads.into_iter().map(|n| (n, end(n))).collect()
    };
    let update = |e: &&crate::facts::timeline::Event| matches!(e.rule, "stamp-line" | "stamp-below" | "entry") && e.at.is_full();
    (2..=4u8).find_map(|level| {
        let all = spans(level);
        if all.len() < 2 || all.iter().any(|(n, _)| reading.places[*n].because == Because::Heading) {
            return None;
        }
        let mut times: Vec<(i64, i64)> = Vec::new();
        let mut days = Vec::new();
        for (from, to) in &all {
            let own: Vec<_> = moments.events.iter().filter(update).filter(|e| (*from..*to).contains(&e.block)).collect();
            let dated = own.iter().filter(|e| !moments.times.mentions[e.mention].implied.contains(&"date")).count();
            let over = own.iter().any(|e| e.phase == Some(Phase::Resolved));
            let seconds = || own.iter().filter_map(|e| e.at.seconds());
            if own.len() < 2 || dated < 2 || !over {
                return None;
            }
            let first = own.iter().min_by_key(|e| e.at.seconds())?;
            days.push(first.at.to_string().get(..10)?.to_string());
            times.push((seconds().min()?, seconds().max()?));
        }
        let mut sorted = times.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|w| w[1].0 <= w[0].1) {
            return None;
        }
        let mut seen = BTreeSet::new();
        let parts = all.iter().zip(days).enumerate().map(|(i, ((from, to), day))| {
            let suffix = if seen.insert(day.clone()) { day } else { format!("{day}-{}", i + 1) };
            let mut part = document(reading.document, blocks[*from..*to].to_vec());
            // the year may stand in a heading above
            if !part.front_matter.fields.iter().any(|f| f.key == "date") {
                let day = suffix.get(..10).unwrap_or("").to_owned();
                part.front_matter.fields.push(Field { key: "date".into(), values: vec![day], span: blocks[*from].span });
            }
            Part { document: part, suffix }
        });
        Some(parts.collect())
    })
}

/// The level of a heading that markup tells, outside of quotes.
fn heading(block: &Block) -> Option<u8> {
    match block.kind {
        Kind::Heading { level, certainty: Certainty::Certain } if block.quote == 0 => Some(level),
        _ => None,
    }
}

/// What tells an incident's heading from the others: its day (without a clock), else a number it is filed under.
fn key(reading: &Reading, moments: &Moments, n: usize) -> Option<String> {
    let mut stated = moments.times.mentions.iter().filter(|m| m.block == n).map(|m| m.at.to_string()).peekable();
    if stated.peek().is_some() {
        let all: Vec<String> = stated.collect();
        let day = all.iter().find(|d| d.len() == 10 && !d.contains(['X', 'T']))?;
        return all.iter().all(|d| !d.contains('T')).then(|| day.clone());
    }
    number(reading.document.blocks[n].text.as_str())
}

/// A number something is filed under: `INC-123`, `OPS-42`, `#123`.
fn number(text: &str) -> Option<String> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | '(' | ')' | '[' | ']' | '：' | '（' | '）')).find_map(|word| {
        let (letters, figures) = match word.strip_prefix('#') {
            Some(figures) => ("", figures),
            None => word.split_once('-').or_else(|| word.find(|c: char| c.is_ascii_digit()).map(|at| word.split_at(at)))?,
        };
        let filed = (letters.is_empty() && word.starts_with('#'))
            || ((2..=10).contains(&letters.len()) && letters.bytes().all(|b| b.is_ascii_uppercase()));
        (filed && (2..=8).contains(&figures.len()) && figures.bytes().all(|b| b.is_ascii_digit())).then(|| word.to_owned())
    })
}

/// True where blocks have sections or labels of at least two kinds that only an incident as a whole has.
fn tells_all(reading: &Reading, range: std::ops::Range<usize>) -> bool {
    let mut roles: Vec<Role> = Vec::new();
    for n in range {
        let place = &reading.places[n];
        let named = place.label.is_some() || (place.is_heading && place.because == Because::Heading);
        if let (true, Some(role)) = (named, place.role)
            && !roles.contains(&role)
        {
            roles.push(role);
        }
    }
    let kinds = roles
        .iter()
        .filter(|r| {
            matches!(
                r,
                Role::RootCause
                    | Role::Trigger
                    | Role::Contributing
                    | Role::Impact
                    | Role::Detection
                    | Role::Resolution
                    | Role::Remediation
                    | Role::Prevention
                    | Role::Timeline
            )
        })
        .count();
    kinds >= 2
        && roles.iter().any(|r| {
            matches!(r, Role::RootCause | Role::Trigger | Role::Contributing | Role::Resolution | Role::Remediation | Role::Prevention)
        })
}

/// Some blocks as a document of their own, with what the whole one says of all.
pub(super) fn document(whole: &Document, blocks: Vec<Block>) -> Document {
    let fields = whole.front_matter.fields.iter().filter(|f| SHARED.contains(&f.key.as_str())).cloned().collect();
    let (start, end) = (blocks.first().map_or(0, |b| b.span.start), blocks.last().map_or(0, |b| b.span.end));
    let within = |d: &&crate::diag::Diagnostic| d.spans.iter().any(|s| s.start >= start && s.end <= end);
    Document {
        format: whole.format,
        front_matter: FrontMatter { fields, span: whole.front_matter.span },
        lang: whole.lang.clone(),
        title: None,
        diagnostics: whole.diagnostics.iter().filter(within).cloned().collect(),
        blocks,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Knowledge, read_all};
    use super::*;
    use crate::text::Source;

    fn ids(name: &str, text: &str) -> Vec<String> {
        let cases = read_all(&Source::new(name, text.as_bytes().to_vec()), &Knowledge::builtin());
        for (n, c) in cases.iter().enumerate() {
            assert_eq!((c.incident.source.part.index, c.incident.source.part.of), (n, cases.len()));
        }
        cases.into_iter().map(|c| c.incident.id).collect()
    }

    const LOG: &str = "# Outages of the year\n\nAll that went wrong.\n\n## 2024-03-05: Search was down\n\n### Root cause\n\nA disk was full.\n\n### Resolution\n\nWe grew the disk.\n\n\
        ## 2024-06-11: Mail was late\n\n### Root cause\n\nA queue was stuck.\n\n### Resolution\n\nWe restarted the queue.\n";

    #[test]
    fn a_log_of_incidents_is_parted() {
        assert_eq!(ids("ops/outages.md", LOG), ["ops-outages-2024-03-05", "ops-outages-2024-06-11"]);
        let cases = read_all(&Source::new("a.md", LOG.as_bytes().to_vec()), &Knowledge::builtin());
        assert_eq!(cases[0].incident.title.as_ref().map(|t| t.text.as_str()), Some("2024-03-05: Search was down"));
        assert!(cases[0].incident.causes.iter().all(|c| c.text.contains("disk")) && !cases[0].incident.causes.is_empty());
        assert!(cases[1].incident.causes.iter().all(|c| c.text.contains("queue")) && !cases[1].incident.causes.is_empty());
        let numbered = LOG.replace("2024-03-05: ", "INC-1041 ").replace("2024-06-11: ", "INC-1077 ");
        assert_eq!(ids("a.md", &numbered), ["a-inc-1041", "a-inc-1077"]);
        let wiki = "== 5. März 2024 – Suche ==\n'''Ursache:''' Die Platte war voll.\n\n'''Behebung:''' Platte vergrößert.\n\n\
            == 11. Juni 2024 – Mail ==\n'''Ursache:''' Die Warteschlange hing.\n\n'''Behebung:''' Neu gestartet.\n";
        assert_eq!(ids("a.mediawiki", wiki), ["a-2024-03-05", "a-2024-06-11"]);
    }

    #[test]
    fn a_table_of_incidents_is_parted_by_its_rows() {
        let log = "# Outages of the year\n\n| Date | Service | Severity | What happened | Root cause | Fix |\n|---|---|---|---|---|---|\n\
            | 2024-03-05 10:02–10:40 UTC | search | SEV2 | Search answered nothing | A disk was full | The disk was grown |\n\
            | 2024-06-11 03:10–04:00 UTC | mail | SEV1 | Mail was late | A consumer held a lock | The consumer was restarted |\n";
        assert_eq!(ids("ops/log.md", log), ["ops-log-2024-03-05", "ops-log-2024-06-11"]);
        let cases = read_all(&Source::new("a.md", log.as_bytes().to_vec()), &Knowledge::builtin());
        let first = &cases[0].incident;
        assert_eq!(first.title.as_ref().map(|t| t.text.as_str()), Some("Search answered nothing"));
        assert_eq!(first.causes.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), ["A disk was full"]);
        assert_eq!(
            first.remediation.iter().map(|a| (a.text.as_str(), a.status.as_str())).collect::<Vec<_>>(),
            [("The disk was grown", "done")]
        );
        assert_eq!(first.severity.as_ref().and_then(|s| s.rank), Some(2));
        let period = first.period.as_ref().expect("it has one");
        assert_eq!((period.start.as_deref(), period.end.as_deref()), (Some("2024-03-05T10:02:00Z"), Some("2024-03-05T10:40:00Z")));
        // in another language
        let log = "# Störungen\n\n| Datum | Dienst | Ursache | Maßnahme |\n|---|---|---|---|\n| 05.03.2024 | Suche | Die Platte war voll. | Platte vergrößert. |\n\
            | 11.06.2024 | Mail | Die Warteschlange hing. | Dienst neu gestartet. |\n";
        assert_eq!(ids("a.md", log), ["a-2024-03-05", "a-2024-06-11"]);
        // a timeline, and a plan
        let timeline = "# Search was down\n\n| Time | Event | Action |\n|---|---|---|\n| 2024-03-05 10:02 | Alert | Paged |\n| 2024-03-05 10:40 | Recovery | Restarted |\n";
        assert_eq!(ids("a.md", timeline).len(), 1);
        let plan = "# Search was down\n\n| Action | Owner | Due | Severity |\n|---|---|---|---|\n| Grow the disk | Ann | 2024-03-05 | high |\n| Add an alert | Bo | 2024-04-05 | low |\n";
        assert_eq!(ids("a.md", plan).len(), 1);
    }

    #[test]
    fn one_incident_stays_one() {
        // updates of a status page
        assert_eq!(
            ids("a.md", "# Search is down\n\n## 2024-03-05 14:03 UTC\n\nWe look into it.\n\n## 2024-03-05 15:10 UTC\n\n**Root cause:** a disk.\n\n**Resolution:** grown.\n").len(),
            1
        );
        // days of one incident, with sections that all of them share
        assert_eq!(
            ids("a.md", "# Search is down\n\n## 2024-03-05\n\nIt fell.\n\n## 2024-03-06\n\nIt rose.\n\n## Root cause\n\nA disk.\n\n## Resolution\n\nGrown.\n").len(),
            1
        );
        // one report in two languages
        let twice = "## 2024-03-05: Search was down\n\n### Root cause\n\nA disk was full.\n\n### Resolution\n\nWe grew it.\n\n\
            ## 2024-03-05: 検索の障害\n\n### 原因\n\nディスクが満杯だった。\n\n### 対応\n\nディスクを拡張した。\n";
        assert_eq!(ids("a.md", twice).len(), 1);
        // sections of a report, one of them dated
        assert_eq!(ids("a.md", &LOG.replace("2024-03-05: ", "")).len(), 1);
    }

    #[test]
    fn numbers_under_which_things_are_filed() {
        assert_eq!(number("INC-1041 Search"), Some("INC-1041".into()));
        assert_eq!(number("Incident #42: Search"), Some("#42".into()));
        assert_eq!(number("HTTP-5 or v2.10 and UTF-8"), None);
        assert_eq!(number("Search in 2024"), None);
    }
}
