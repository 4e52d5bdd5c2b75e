//! Why an incident was found, its cause and what fixed it, each with its place.

use super::counts::Counts;
use super::hits::{Fix, Hit, Piece, Why};
use super::plan::{Plan, Unit};
use super::record::{Body, Card, Told, line, spans};
use super::search::round;
use crate::error::Result;
use crate::terms::score::{Scored, WINDOW};
use crate::terms::{Kind, Scanned, Token, fold, tokens};

/// At most so many reasons of one kind.
const EACH: usize = 8;

/// A hit with its reasons.
pub(super) fn hit(counts: &Counts, plan: &Plan, scanned: &Scanned, query: &str, scored: &Scored, card: Card) -> Result<Hit> {
    let body = counts.body(scored.doc)?;
    // of a document with one of the concepts alone nobody asked where it stands: first, as good as anywhere
    let first = || body.marks.iter().find(|m| plan.concepts.iter().any(|c| c.0 == m.4)).map(|m| m.0);
    let scored = &Scored { passage: scored.passage.or_else(first), ..scored.clone() };
    let mut why = patterns(plan, &card);
    let concepts = concepts(plan, scanned, query, scored, &body);
    let mut words = words(plan, scored, &body, &concepts);
    words.extend(called(plan, &card, &words));
    let read_on = read_on(scored, &body, &words, &card);
    why.extend(concepts);
    why.extend(words);
    Ok(shown(card, scored, why, read_on))
}

/// A hit out of its parts.
pub(super) fn shown(card: Card, scored: &Scored, why: Vec<Why>, read_on: usize) -> Hit {
    let (cause, fix) = (cause(&card), fixes(&card));
    Hit {
        id: card.id,
        path: card.path,
        title: card.title,
        date: card.date,
        language: card.language,
        duration: card.duration,
        severity: card.severity,
        services: card.services,
        score: round(scored.score),
        why,
        cause,
        fix,
        read_on,
        same_incident: Vec::new(),
    }
}

/// The incident's own name, where it was asked for and is not in its text.
fn called(plan: &Plan, card: &Card, words: &[Why]) -> Option<Why> {
    let whole = |id: &str| format!("={}", fold(id));
    let id = card.sign.ids().find(|id| plan.units.iter().any(|u| u.kind == Kind::Whole && u.text == whole(id)))?;
    let told = words.iter().any(|w| w.text.as_deref().is_some_and(|t| fold(t) == fold(id)));
    (!told).then(|| Why { kind: "word", id: None, asked: Some(id.to_string()), text: Some(id.to_string()), spans: Vec::new(), line: None })
}

fn patterns(plan: &Plan, card: &Card) -> Vec<Why> {
    let asked = plan.patterns.iter().map(|(id, _)| id).chain(plan.wanted.iter().filter(|w| !plan.patterns.iter().any(|(id, _)| id == *w)));
    let tagged = asked.filter_map(|id| card.patterns.iter().find(|t| t.id == *id));
    let made = tagged.map(|t| Why {
        kind: "pattern",
        id: Some(t.id.clone()),
        asked: None,
        text: t.text.clone(),
        spans: t.spans.clone(),
        line: t.line,
    });
    made.take(EACH).collect()
}

/// The query's concepts, each where it stands in the best passage, else where it stands first.
fn concepts(plan: &Plan, scanned: &Scanned, query: &str, scored: &Scored, body: &Body) -> Vec<Why> {
    let best = scored.passage.map(|p| p..p + WINDOW);
    let mut out: Vec<Why> = Vec::new();
    for concept in &plan.concepts {
        let mut marks = body.marks.iter().filter(|m| m.4 == concept.0);
        let near = marks.clone().find(|m| best.as_ref().is_some_and(|b| b.contains(&m.0)));
        let Some(&(_, passage, from, to, _)) = near.or_else(|| marks.next()) else { continue };
        let Some(p) = body.passages.get(passage as usize) else { continue };
        let (from, to) = (from as usize, to as usize);
        let asked = scanned.found.iter().find(|f| f.concept == *concept).map(|f| query[f.range.clone()].to_string());
        out.push(Why {
            kind: "concept",
            id: Some(concept.name().to_string()),
            asked,
            text: p.text.get(from..to).map(str::to_string),
            spans: spans(p, from, to),
            line: Some(line(p, from)),
        });
    }
    out.truncate(EACH);
    out
}

/// The query's words as the document has them, first in the best passage; neighbouring pairs of characters as one.
fn words(plan: &Plan, scored: &Scored, body: &Body, concepts: &[Why]) -> Vec<Why> {
    let has = |list: &[(u32, f64)]| list.binary_search_by_key(&scored.doc, |p| p.0).is_ok();
    let (wanted, with): (Vec<&Unit>, Vec<usize>) = plan.postings().filter(|(_, p)| has(p)).map(|(u, p)| (u, p.len())).unzip();
    let mut out: Vec<Why> = Vec::new();
    let mut missing: Vec<&Unit> = wanted.iter().copied().filter(|u| u.kind != Kind::Gram).collect();
    let grams: Vec<&Unit> = wanted.iter().copied().filter(|u| u.kind == Kind::Gram).collect();
    let mut runs: Vec<(usize, usize, usize, usize)> = Vec::new();
    let first = scored.passage.and_then(|p| body.marks.iter().find(|m| m.0 == p)).map_or(0, |m| m.1 as usize);
    let order = (first..body.passages.len()).chain(0..first.min(body.passages.len()));
    for n in order {
        if missing.is_empty() && grams.is_empty() {
            break;
        }
        let p = &body.passages[n];
        for t in tokens(&p.text) {
            if let Some(i) = missing.iter().position(|u| u.accepts(&t)) {
                let u = missing.remove(i);
                out.push(word(p, &t, Some(u.text.trim_start_matches('=').to_string())));
            }
            if t.kind == Kind::Gram && grams.iter().any(|u| u.accepts(&t)) {
                match runs.last_mut() {
                    Some((_, at, _, to)) if *at == n && t.range.start < *to => *to = t.range.end,
                    _ => runs.push((0, n, t.range.start, t.range.end)),
                }
            }
        }
    }
    for r in &mut runs {
        r.0 = body.passages[r.1].text[r.2..r.3].chars().count();
    }
    // the longest runs say most; what is in a longer one need not be said again
    runs.sort_by_key(|r| std::cmp::Reverse(r.0));
    let mut said: Vec<&str> = Vec::new();
    for &(_, n, from, to) in &runs {
        let p = &body.passages[n];
        let text = &p.text[from..to];
        if said.len() < 3 && !said.iter().any(|s| s.contains(text)) {
            said.push(text);
            out.push(Why {
                kind: "word",
                id: None,
                asked: None,
                text: Some(text.to_string()),
                spans: spans(p, from, to),
                line: Some(line(p, from)),
            });
        }
    }
    out.retain(|w| {
        !concepts.iter().any(|c| !w.spans.is_empty() && w.spans.iter().all(|s| c.spans.iter().any(|x| x[0] <= s[0] && s[1] <= x[1])))
    });
    // what lies within a longer match is told by it
    let within = |a: &Why, b: &Why| {
        let size = |w: &Why| w.spans.iter().map(|s| s[1] - s[0]).sum::<usize>();
        size(a) < size(b) && !a.spans.is_empty() && a.spans.iter().all(|s| b.spans.iter().any(|x| x[0] <= s[0] && s[1] <= x[1]))
    };
    let inner: Vec<bool> = out.iter().map(|w| out.iter().any(|o| within(w, o))).collect();
    let mut keep = inner.iter().map(|i| !i);
    out.retain(|_| keep.next().unwrap_or(true));
    // rare words first: they tell more
    let rarity = |w: &Why| wanted.iter().position(|u| w.asked.as_deref() == Some(u.text.trim_start_matches('='))).map_or(0, |n| with[n]);
    out.sort_by_key(rarity);
    out.truncate(EACH);
    out
}

fn word(p: &crate::book::Passage, t: &Token, asked: Option<String>) -> Why {
    let text = p.text[t.range.clone()].to_string();
    Why { kind: "word", id: None, asked, text: Some(text), spans: spans(p, t.range.start, t.range.end), line: Some(line(p, t.range.start)) }
}

/// The line to read on at: the best passage, else the first word, else the cause.
pub(super) fn read_on(scored: &Scored, body: &Body, words: &[Why], card: &Card) -> usize {
    let passage = scored.passage.and_then(|s| body.marks.iter().find(|m| m.0 == s));
    let place = passage.and_then(|m| body.passages.get(m.1 as usize).map(|p| line(p, m.2 as usize)));
    let word = || words.iter().filter_map(|w| w.line).min();
    let cause = || card.cause.as_ref().map(|c| c.line).filter(|&l| l > 0);
    place.or_else(word).or_else(cause).unwrap_or(1)
}

/// The cause that the incident's own page tells first. The one nearest to the query would often be a symptom: it is what queries are made of.
fn cause(card: &Card) -> Option<Piece> {
    let found = card.cause.as_ref()?;
    Some(Piece { text: found.text.clone(), spans: found.spans.clone(), line: found.line, concepts: found.concepts.clone() })
}

/// What was done about it: what ended it first, then what repaired or prevents it, then what is planned.
pub(super) fn fixes(card: &Card) -> Vec<Fix> {
    let rank = |f: &Told| {
        let status = match f.kind.as_str() {
            "done" => 0,
            "planned" => 4,
            _ => 8,
        };
        let purpose = match f.purpose.as_deref() {
            Some("stopped") => -1,
            Some("mitigate") => 0,
            Some("repair") => 1,
            Some("prevent") => 2,
            _ => 3,
        };
        status + purpose
    };
    let mut order: Vec<&Told> = card.fixes.iter().filter(|f| f.kind != "declined").collect();
    order.sort_by_key(|f| rank(f));
    let made = order.into_iter().take(2).map(|f| Fix {
        text: f.text.clone(),
        spans: f.spans.clone(),
        line: f.line,
        status: f.kind.clone(),
        command: f.command.clone(),
        concepts: f.concepts.clone(),
    });
    made.collect()
}
