//! Incidents like a text: an alert, a trace, a log excerpt, notes of what is going on.

use super::counts::Counts;
use super::evidence::{Evidence, only_endings, telling};
use super::explain::{self, fixes};
use super::hits::{About, Hit, Hits, SCHEMA, Stopped, Suggested, Why};
use super::plan::{self, Plan, asked_tokens};
use super::record::{Body, analysis, line, spans};
use super::search::{distinct, languages, ranked, round};
use super::{Index, Options};
use crate::book::Case;
use crate::error::Result;
use crate::lang::{Concept, Languages};
use crate::terms::payload::Payload;
use crate::terms::score::{Scored, idf, score};
use crate::terms::{Kind, Scanned, Token, fold, plain, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// At most so many incidents are like a text.
const MOST: usize = 5;
/// Words that are looked up.
const LOOKED: usize = 600;
/// Words that are compared by.
const WORDS: usize = 40;
/// Concepts that are compared by.
const CONCEPTS: usize = 24;
/// A hit that scores less than this part of the best one is not like the text.
const TAIL: f64 = 0.3;
/// One whose fix is known comes before one that is up to this part more like the text: whoever asks wants to know what to do.
const NEAR: f64 = 0.5;
/// How much a pattern that falls short of a tag counts.
const PERHAPS: f64 = 0.5;

impl Index {
    /// Finds incidents like a payload. `case` is what the pipeline reads in the payload's text; its patterns are what the text itself suggests.
    pub fn similar(&self, payload: &Payload, case: &Case, languages_known: &Languages, options: &Options) -> Result<Hits> {
        let mut out = Hits { schema: SCHEMA, query: payload.alerts.join(", "), ..Hits::default() };
        out.index.refreshed = options.refreshed;
        let Some(open) = &self.open else { return Ok(out) };
        let counts = Counts::new(open)?;
        out.index = About { documents: counts.corpus.docs.len(), refreshed: options.refreshed, languages: languages(&counts) };
        let plan = plan_of(&counts, payload, case, languages_known)?;
        out.understood.words = plan.units.iter().map(|u| u.text.trim_start_matches('=').to_string()).collect();
        out.understood.concepts = plan.concepts.iter().map(|c| c.name().to_string()).collect();
        out.understood.patterns = plan.patterns.iter().map(|(id, _)| id.clone()).collect();
        out.understood.language = plan.asked.language.clone();
        let mut services: Vec<String> = payload.services.clone();
        services.extend(case.incident.services.iter().map(|s| s.name.clone()));
        let text = tokens(&payload.text);
        let named = format!(" {} ", plain(&payload.text).join(" "));
        let all = score(&counts.corpus, &plan.asked);
        let best = all.iter().map(|s| s.score).fold(0.0, f64::max);
        let evidence = Evidence::new(&counts, &plan, case);
        let found: Vec<Scored> = all.iter().filter(|s| s.score > 0.0 && s.score >= TAIL * best).cloned().collect();
        for (s, card, same) in distinct(&counts, &found, options.limit.min(MOST) * 4)? {
            let mut hit = explain::hit(&counts, &plan, &Scanned::default(), "", &s, card)?;
            let mut why = same_services(&services, &named, &hit);
            why.extend(phrase(&text, &counts.body(s.doc)?, &plan));
            if why.is_empty() && !evidence.enough(&s) {
                continue;
            }
            hit.why.splice(0..0, why);
            hit.same_incident = same;
            if !hit.why.is_empty() && out.hits.len() < options.limit.min(MOST) * 2 {
                out.hits.push(hit);
            }
        }
        known_fix_first(&mut out.hits);
        out.hits.truncate(options.limit.min(MOST));
        for (id, sure) in plan.patterns.iter().take(MOST) {
            let stopped = stopped(&counts, &plan, id, &all)?;
            out.suggested_patterns.push(Suggested {
                id: id.clone(),
                title: open.patterns.title(id, options.language.as_deref()),
                score: round(*sure),
                stopped,
            });
        }
        if out.hits.is_empty() {
            out.tried = vec!["words", "codes", "concepts", "patterns", "services"];
        }
        Ok(out)
    }
}

/// What the text is compared by: its rarest words, its most telling concepts, its patterns.
fn plan_of(counts: &Counts, payload: &Payload, case: &Case, known: &Languages) -> Result<Plan> {
    let n = counts.corpus.docs.len();
    let mut units = Vec::new();
    let names = payload.services.join("\n");
    // what holds sentences together says nothing of what they are about
    let stops = stops(case, known);
    for token in asked_tokens(&format!("{}\n{names}", payload.text)).into_iter().take(LOOKED) {
        if token.kind == Kind::Word && stops.contains(&token.text) {
            continue;
        }
        let unit = plan::unit(counts, &token)?;
        // what stands in more than half of all documents tells nothing, and no more does what only begins alike: most words of most texts do
        let told = unit.kind != Kind::Word || (unit.exact && telling(&unit.text));
        if told
            && !(unit.kind == Kind::Gram && only_endings(&unit.text))
            && !unit.postings.is_empty()
            && (unit.postings.len() * 2 <= n || n < 4)
        {
            units.push(unit);
        }
    }
    units.sort_by(|a, b| a.postings.len().cmp(&b.postings.len()).then(a.text.cmp(&b.text)));
    units.truncate(WORDS);
    let mut found: BTreeMap<u16, usize> = BTreeMap::new();
    for m in analysis(case, known).marks {
        *found.entry(m.concept.0).or_default() += 1;
    }
    let mut weighted: Vec<(f64, Concept)> = Vec::new();
    for (c, times) in found {
        let concept = Concept(c);
        let mut with = 0;
        counts.each_doc(counts.open.fields.concept, concept.name(), |_| with += 1)?;
        if with > 0 {
            weighted.push((idf(n, with) * (1.0 + times.min(4) as f64 / 4.0), concept));
        }
    }
    weighted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    weighted.truncate(CONCEPTS);
    let tags = case.incident.patterns.iter().map(|p| (p.id.clone(), p.score));
    let perhaps = case.incident.patterns_perhaps.iter().map(|p| (p.id.clone(), p.score * PERHAPS));
    let mut patterns: Vec<(String, f64)> = tags.chain(perhaps).collect();
    patterns.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut plan = Plan { units, concepts: weighted.into_iter().map(|(_, c)| c).collect(), patterns, ..Plan::default() };
    let language = Some(case.incident.language.tag.clone()).filter(|l| l != "und" && !l.is_empty());
    plan.complete(counts, language, false)?;
    Ok(plan)
}

/// Function words of the payload's language, and of English, in which logs are written everywhere.
fn stops(case: &Case, known: &Languages) -> BTreeSet<String> {
    let tags = [case.incident.language.tag.as_str(), "en"];
    let words = |t: &&str| known.lexicon(t).file.stop.iter().map(|w| fold(w)).collect::<Vec<_>>();
    tags.iter().flat_map(words).collect()
}

/// Services of an incident that the text names: as such, or among its words (`words`, each between spaces).
fn same_services(services: &[String], words: &str, hit: &Hit) -> Vec<Why> {
    let among = |s: &str| s.chars().count() > 3 && words.contains(&format!(" {} ", plain(s).join(" ")));
    let same = hit.services.iter().filter(|s| services.iter().any(|a| fold(a) == fold(s)) || among(s));
    same.map(|s| Why { kind: "service", id: None, asked: None, text: Some(s.clone()), spans: Vec::new(), line: None }).collect()
}

/// The longest run of words that text and document share, where it is three words or more and one of them is rare.
fn phrase(text: &[Token], body: &Body, plan: &Plan) -> Option<Why> {
    let plain = |all: &[Token]| all.iter().filter(|t| t.kind == Kind::Word).cloned().collect::<Vec<Token>>();
    let asked = plain(text);
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, t) in asked.iter().enumerate() {
        places.entry(t.text.as_str()).or_default().push(i);
    }
    let mut best: Option<(usize, usize, usize, usize)> = None;
    for (n, p) in body.passages.iter().enumerate() {
        let here = plain(&tokens(&p.text));
        // how long a shared run ends at each place of the text, for the word before
        let mut before: BTreeMap<usize, usize> = BTreeMap::new();
        for (j, t) in here.iter().enumerate() {
            let mut now = BTreeMap::new();
            for &i in places.get(t.text.as_str()).into_iter().flatten() {
                let length = i.checked_sub(1).and_then(|b| before.get(&b)).copied().unwrap_or(0) + 1;
                now.insert(i, length);
                let run = &here[j + 1 - length..=j];
                let rare = || run.iter().any(|t| plan.units.iter().any(|u| u.accepts(t)));
                if length >= 3 && best.is_none_or(|b| length > b.0) && rare() {
                    best = Some((length, n, run[0].range.start, t.range.end));
                }
            }
            before = now;
        }
    }
    let (_, n, from, to) = best?;
    let p = &body.passages[n];
    let text = p.text[from..to].split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Why { kind: "phrase", id: None, asked: None, text: Some(text), spans: spans(p, from, to), line: Some(line(p, from)) })
}

/// Among near equals, those that tell what was done come first.
fn known_fix_first(hits: &mut [Hit]) {
    let done = |h: &Hit| h.fix.iter().any(|f| f.status == "done");
    for _ in 0..hits.len() {
        for i in 1..hits.len() {
            if done(&hits[i]) && !done(&hits[i - 1]) && hits[i].score >= hits[i - 1].score * (1.0 - NEAR) {
                hits.swap(i - 1, i);
            }
        }
    }
}

/// What has stopped a pattern before: of the incidents tagged with it that tell what was done, the one most like the text.
fn stopped(counts: &Counts, plan: &Plan, id: &str, all: &[Scored]) -> Result<Option<Stopped>> {
    let Some(at) = plan.patterns.iter().position(|(p, _)| p == id) else { return Ok(None) };
    let tagged = &plan.asked.patterns[at].1;
    let chosen: Vec<Scored> = all.iter().filter(|s| tagged.binary_search_by_key(&s.doc, |t| t.0).is_ok()).cloned().collect();
    for (_, card) in ranked(counts, chosen, 8)? {
        if let Some(fix) = fixes(&card).into_iter().find(|f| f.status == "done") {
            return Ok(Some(Stopped { id: card.id, date: card.date, fix }));
        }
    }
    Ok(None)
}
