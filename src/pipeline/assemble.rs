//! Puts the facts of one document into the serialised shape: texts, lines, anchors, concepts.

use super::ids::{Anchors, folded, id_of_path, slug};
use super::{Knowledge, Moments, hex, metrics, stated};
use crate::book::view::{self, Bytes};
use crate::book::{Case, Passage, PassageKind};
use crate::diag::Diagnostic;
use crate::document::{Document, Kind, Mark, STATING};
use crate::facts::{self, Reading, Unit};
use crate::lang::{Hit, Language, Tag};
use crate::text::{Source, Span, sentences};
use sha2::{Digest, Sha256};

/// Prose for language detection: no code, no addresses, headings last.
pub(super) fn prose(document: &Document) -> String {
    let mut out = String::new();
    for block in document.blocks.iter().filter(|b| !matches!(b.kind, Kind::Code | Kind::Rule | Kind::Filler | Kind::Heading { .. })) {
        let text = block.text.as_str();
        let mut at = 0;
        let mut skip: Vec<_> = block.marks.iter().filter(|(_, m)| *m == Mark::Code).map(|(r, _)| r.clone()).collect();
        skip.sort_by_key(|r| r.start);
        for r in skip {
            if r.start >= at {
                out.push_str(&text[at..r.start]);
                at = r.end;
            }
        }
        out.push_str(&text[at..]);
        out.push('\n');
        if out.len() > 200_000 {
            break;
        }
    }
    let links = |w: &str| w.bytes().any(|b| matches!(b, b'/' | b'@')) && (w.contains("://") || w.contains('@'));
    let no_links: Vec<&str> = out.split_whitespace().filter(|w| !links(w)).collect();
    let mut out = no_links.join(" ");
    if out.chars().filter(|c| c.is_alphabetic()).take(60).count() < 60 {
        for block in &document.blocks {
            out.push(' ');
            out.push_str(block.text.as_str());
        }
    }
    out
}

/// Byte ranges as the view writes them.
fn bytes(spans: &[Span]) -> Vec<Bytes> {
    spans.iter().map(|s| [s.start, s.end]).collect()
}

/// Names of the concepts in a unit, in order, each once.
fn concepts(unit: &Unit) -> Vec<String> {
    named(unit.hits())
}

fn named(hits: &[Hit]) -> Vec<String> {
    let mut out: Vec<&str> = Vec::new();
    for h in hits {
        if let Tag::Concept(c) = h.tag
            && !out.contains(&c.name())
        {
            out.push(c.name());
        }
    }
    out.into_iter().map(str::to_string).collect()
}

struct Maker<'a> {
    source: &'a Source,
    reading: &'a Reading<'a>,
    anchors: Anchors,
}

impl Maker<'_> {
    fn place(&self, spans: &[Span]) -> (usize, usize) {
        spans.first().map_or((0, 0), |s| self.source.position(s.start))
    }

    fn text(&self, fact: &facts::Fact<facts::Passage>) -> view::Text {
        let unit = fact.value().unit.map(|n| &self.reading.units[n]);
        view::Text {
            text: folded(&fact.value().text),
            spans: bytes(fact.spans()),
            line: self.place(fact.spans()).0,
            concepts: unit.map(concepts).unwrap_or_default(),
            rule: fact.rule().into(),
        }
    }

    fn texts(&self, facts: Vec<facts::Fact<facts::Passage>>) -> Vec<view::Text> {
        facts.iter().map(|f| self.text(f)).collect()
    }

    fn timeline(&mut self, moments: &Moments) -> Vec<view::Event> {
        let lexicon = self.reading.lexicon;
        let made = moments.events.iter().map(|e| {
            let (line, column) = self.place(&e.spans);
            let text = folded(&e.text);
            let concepts = if text == e.text { named(e.words(lexicon)) } else { named(&lexicon.scan(&text)) };
            let readings = e.readings.iter().map(|r| view::ReadingOf {
                at: r.at.to_string(),
                written: folded(&r.written),
                spans: bytes(&self.reading.document.blocks[e.block].text.spans(r.range.clone())),
                rule: r.rule.into(),
            });
            view::Event {
                anchor: self.anchors.of('t', &format!("{}\0{text}", e.written)),
                at: e.at.to_string(),
                until: e.until.as_ref().map(ToString::to_string),
                written: folded(&e.written),
                readings: readings.collect(),
                phase: e.phase.map(|p| p.name().into()),
                spans: bytes(&e.spans),
                line,
                column,
                concepts,
                rule: e.rule.into(),
                text,
            }
        });
        made.collect()
    }

    fn causes(&mut self) -> Vec<view::Cause> {
        let found = facts::causes(self.reading);
        let made = found.iter().map(|f| {
            let (line, column) = self.place(f.spans());
            view::Cause {
                anchor: self.anchors.of('c', &f.value().text),
                kind: f.value().kind.name().into(),
                hedged: f.value().hedged,
                text: folded(&f.value().text),
                spans: bytes(f.spans()),
                line,
                column,
                concepts: concepts(&self.reading.units[f.value().unit]),
                rule: f.rule().into(),
            }
        });
        made.collect()
    }

    fn remediation(&mut self, found: &[facts::Fact<facts::Action>]) -> Vec<view::Action> {
        let made = found.iter().map(|f| {
            let v = f.value();
            let (line, column) = self.place(f.spans());
            view::Action {
                anchor: self.anchors.of('r', &v.text),
                status: v.status.name().into(),
                kind: v.kind.map(|k| k.name().into()),
                text: folded(&v.text),
                owner: v.owner.clone(),
                due: v.due.clone(),
                ticket: v.ticket.clone(),
                command: v.command.clone(),
                spans: bytes(f.spans()),
                line,
                column,
                concepts: concepts(&self.reading.units[v.unit]),
                rule: f.rule().into(),
            }
        });
        made.collect()
    }

    /// What stopped it, as the action or entry that tells it, else as its own sentence.
    fn stopped(&self, moments: &Moments, incident: &view::Incident) -> Vec<view::Stop> {
        let made = moments.stops.iter().map(|s| {
            if let Some(a) = s.action.and_then(|n| incident.remediation.get(n)) {
                let (text, concepts) = (a.text.clone(), a.concepts.clone());
                let (anchor, command) = (Some(a.anchor.clone()), a.command.clone());
                return view::Stop { text, spans: a.spans.clone(), line: a.line, concepts, anchor, command };
            }
            let unit = &self.reading.units[s.unit];
            let (range, block) = (unit.point(self.reading.document), self.reading.block(unit));
            let command = facts::command(self.reading, unit);
            let event = s.event.and_then(|n| incident.timeline.get(n)).filter(|e| e.rule != "sentence");
            if let Some(e) = event.filter(|e| e.rule != "stamp-line" && e.rule != "stamp-below") {
                // a row with a cell for what was done is told by that cell
                let cells = (e.rule == "row").then(|| facts::own_words(self.reading, unit).0).filter(|t| !t.contains(" | "));
                let (text, concepts) = (cells.map_or_else(|| e.text.clone(), |t| folded(&t)), e.concepts.clone());
                return view::Stop { text, spans: e.spans.clone(), line: e.line, concepts, anchor: Some(e.anchor.clone()), command };
            }
            let spans = block.text.spans(range.clone());
            view::Stop {
                text: folded(&block.text.as_str()[range]),
                line: self.place(&spans).0,
                spans: bytes(&spans),
                concepts: concepts(unit),
                anchor: s.event.and_then(|n| incident.timeline.get(n)).map(|e| e.anchor.clone()),
                command,
            }
        });
        made.collect()
    }

    fn patterns(&self) -> (Vec<view::Pattern>, Vec<view::Pattern>) {
        let (mut tags, mut perhaps) = (Vec::new(), Vec::new());
        for tagged in facts::judge_all(self.reading) {
            if tagged.finding.score < facts::PERHAPS {
                continue;
            }
            let holds = tagged.holds();
            let score = (f64::from(tagged.finding.score) * 100.0).round() / 100.0;
            let evidence = tagged.finding.evidence.iter().map(|e| self.proof(e)).collect();
            let pattern = view::Pattern { id: tagged.id, score, evidence, rule: "formula".into() };
            if holds { tags.push(pattern) } else { perhaps.push(pattern) }
        }
        perhaps.truncate(8);
        (tags, perhaps)
    }

    fn proof(&self, evidence: &crate::pattern::Evidence) -> view::Proof {
        let unit = &self.reading.units[evidence.sentence];
        let spans = unit.spans(self.reading.document);
        let block = self.reading.block(unit);
        // a stem's hit is shown as the whole word
        let whole = |r: &std::ops::Range<usize>| {
            unit.hits().iter().find(|h| h.range.start == r.start && h.stem == r.end).map_or(r.clone(), |h| h.range.clone())
        };
        let words = evidence.words.iter().flat_map(|(_, r)| block.text.spans(whole(r))).collect();
        view::Proof {
            text: folded(unit.text(self.reading.document)),
            line: self.place(&spans).0,
            spans: bytes(&spans),
            words: bytes(&crate::text::join(words)),
            concepts: evidence.words.iter().map(|(c, _)| c.name().to_string()).collect(),
        }
    }

    fn diagnostics(&self, found: &[Diagnostic]) -> Vec<view::Diagnostic> {
        let made = found.iter().map(|d| {
            let (line, column) = self.place(&d.spans);
            view::Diagnostic {
                code: d.code.into(),
                severity: format!("{:?}", d.severity).to_lowercase(),
                message: d.message.clone(),
                hint: d.hint.clone(),
                spans: bytes(&d.spans),
                line,
                column,
            }
        });
        made.collect()
    }
}

/// Makes the case of a document.
pub(super) fn case(source: &Source, reading: &Reading, moments: &Moments, language: &Language, knowledge: &Knowledge) -> Case {
    let mut m = Maker { source, reading, anchors: Anchors::default() };
    let front = &reading.document.front_matter;
    let mut incident = view::Incident {
        schema: view::SCHEMA.into(),
        generator: view::Generator { version: env!("CARGO_PKG_VERSION").into(), knowledge: knowledge.hash.clone() },
        id: front.get("id").map(slug).filter(|s| !s.is_empty()).unwrap_or_else(|| id_of_path(source.path())),
        source: view::SourceInfo {
            path: source.path().into(),
            sha256: hex(&Sha256::digest(source.bytes())),
            bytes: source.bytes().len(),
            format: reading.document.format.name().into(),
            encoding: source.encoding().name(),
            part: view::Part::default(),
        },
        language: view::LanguageInfo { tag: language.tag.clone(), confidence: (language.confidence * 100.0).round() / 100.0 },
        title: facts::title(reading).map(|f| m.text(&f)),
        audience: stated::audience(front).unwrap_or_default(),
        tags: front.all("tags").to_vec(),
        aliases: front.all("aliases").iter().map(|a| slug(a)).collect(),
        source_url: front.get("source_url").map(str::to_string),
        ..view::Incident::default()
    };
    incident.summary = match front.field("summary").and_then(|f| f.values.first().map(|v| (f, v))) {
        Some((f, v)) => vec![view::Text {
            text: folded(v),
            spans: bytes(&[f.span]),
            line: m.place(&[f.span]).0,
            concepts: vec![],
            rule: "front-matter".into(),
        }],
        None => m.texts(facts::summary(reading)),
    };
    incident.impact = m.texts(facts::impact(reading));
    incident.detection = m.texts(facts::detection(reading));
    incident.lessons = m.texts(facts::lessons(reading));
    incident.severity = facts::severity(reading).map(|f| view::SeverityInfo {
        written: f.value().written.clone(),
        rank: f.value().rank,
        scale: f.value().scale.into(),
        spans: bytes(f.spans()),
        rule: f.rule().into(),
    });
    incident.services = facts::services(reading)
        .iter()
        .map(|f| view::Service { name: f.value().clone(), spans: bytes(f.spans()), rule: f.rule().into() })
        .collect();
    incident.timeline = m.timeline(moments);
    incident.period = moments.period.as_ref().map(|p| view::Period {
        start: p.start.as_ref().map(ToString::to_string),
        end: p.end.as_ref().map(ToString::to_string),
        spans: bytes(&p.spans),
        rule: p.rule.into(),
    });
    incident.metrics = metrics::of(moments, &incident.timeline);
    incident.causes = m.causes();
    incident.remediation = m.remediation(&moments.actions);
    incident.stopped = m.stopped(moments, &incident);
    (incident.patterns, incident.patterns_perhaps) = m.patterns();
    stated::patterns(&mut incident, front.field("patterns"), knowledge);
    incident.other_fields = front.fields.iter().filter(|f| !is_known(&f.key)).map(|f| (f.key.clone(), f.values.join(", "))).collect();
    let mut found = reading.document.diagnostics.clone();
    found.extend(moments.times.diagnostics.iter().cloned());
    found.extend(stated::unknown(front, knowledge));
    found.extend(remarks(source, &incident));
    incident.diagnostics = m.diagnostics(&found);
    let body = body(source, reading, language);
    Case { incident, body }
}

/// Fields of the front matter that are kept as facts or are the site generator's own; all others are shown as they are.
fn is_known(key: &str) -> bool {
    STATING.contains(&key) || matches!(key, "service" | "layout")
}

/// What the author of a document might want to mend.
fn remarks(source: &Source, incident: &view::Incident) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    if !source.damaged().is_empty() {
        let spans = source.damaged().iter().take(20).copied().collect();
        out.push(
            Diagnostic::warning("encoding", format!("bytes that are no text in {}", source.encoding().name()), spans)
                .hint("they are shown as \u{FFFD}"),
        );
    }
    if incident.causes.is_empty() {
        out.push(
            Diagnostic::note("no-cause", "no cause was found in the text", vec![]).hint("a heading such as `Root cause` makes it certain"),
        );
    }
    if incident.remediation.is_empty() {
        out.push(Diagnostic::note("no-remediation", "the text tells nothing that was or will be done about it", vec![]));
    }
    for a in incident.remediation.iter().filter(|a| a.status == "planned" && a.owner.is_none() && a.rule == "action-section") {
        let spans = a.spans.iter().map(|s| Span::new(s[0], s[1])).collect();
        out.push(Diagnostic::note("no-owner", "a planned action without an owner", spans));
    }
    out
}

/// The source text as the site and the search see it.
fn body(source: &Source, reading: &Reading, language: &Language) -> Vec<Passage> {
    let mut out = Vec::with_capacity(reading.document.blocks.len());
    for (n, block) in reading.document.blocks.iter().enumerate() {
        let place = &reading.places[n];
        let (kind, level) = match &block.kind {
            Kind::Heading { level, .. } if place.is_heading => (PassageKind::Heading, *level),
            Kind::Heading { .. } | Kind::Paragraph => (PassageKind::Paragraph, 0),
            Kind::Item { depth, .. } => (PassageKind::Item, *depth),
            Kind::Row { header, .. } => (PassageKind::Row, u8::from(*header)),
            Kind::Code => (PassageKind::Code, 0),
            Kind::Note | Kind::Filler => (PassageKind::Note, 0),
            Kind::Rule => (PassageKind::Rule, 0),
        };
        let cells = match &block.kind {
            Kind::Row { cells, .. } => cells.iter().map(|c| c.as_str().to_string()).collect(),
            _ => Vec::new(),
        };
        out.push(Passage {
            kind,
            level,
            line: source.position(block.span.start).0,
            text: block.text.as_str().to_string(),
            cells,
            map: block.text.pieces().map(|(at, len, span)| (at, len, [span.start, span.end])).collect(),
            role: place.role.map(|r| r.name().to_string()),
            lang: block.lang.clone().filter(|l| *l != language.tag),
            sentences: sentences(block.text.as_str()).into_iter().map(|r| (r.start, r.end)).collect(),
        });
    }
    out
}
