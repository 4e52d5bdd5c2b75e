//! A small corpus made by hand for the tests of the site: several languages and directions, contradictory readings, hostile text.

use super::{Input, RunbookLink, RunbookPage, Settings, Target};
use crate::book::view::*;
use crate::book::{Book, Case, Passage, PassageKind};
use crate::lang::Languages;
use crate::pattern::Catalogue;

pub fn event(at: &str, text: &str) -> Event {
    Event {
        anchor: format!("t-{}", text.len()),
        at: at.into(),
        written: at.into(),
        text: text.into(),
        line: 1,
        column: 1,
        ..Event::default()
    }
}

/// Builds a case from lines; facts are found in it by their words.
pub struct Maker {
    case: Case,
    at: usize,
    line: usize,
}

impl Maker {
    pub fn new(id: &str, lang: &str, title: &str) -> Maker {
        let mut m = Maker { case: Case::default(), at: 0, line: 1 };
        let i = &mut m.case.incident;
        i.schema = SCHEMA.into();
        i.id = id.into();
        i.audience = "public".into();
        i.language = LanguageInfo { tag: lang.into(), confidence: 0.99 };
        i.source = SourceInfo {
            path: format!("incidents/{id}.md"),
            sha256: "00".into(),
            format: "markdown".into(),
            encoding: "utf-8".into(),
            ..SourceInfo::default()
        };
        i.generator = Generator { version: "0.1.0".into(), knowledge: "7c1e90".into() };
        m.add(PassageKind::Heading, 1, title);
        let spans = vec![[0, title.len()]];
        m.case.incident.title = Some(Text { text: title.into(), spans, line: 1, rule: "heading".into(), ..Text::default() });
        m
    }

    fn add(&mut self, kind: PassageKind, level: u8, text: &str) {
        let mut sentences = Vec::new();
        let mut from = 0;
        for (i, c) in text.char_indices() {
            let end = i + c.len_utf8();
            if matches!(c, '.' | '。' | '؟') && text[end..].chars().next().is_none_or(|n| c == '。' || n == ' ') {
                sentences.push((from, end));
                from = end + usize::from(text[end..].starts_with(' '));
            }
        }
        if from < text.len() {
            sentences.push((from, text.len()));
        }
        let map = vec![(0, text.len(), [self.at, self.at + text.len()])];
        self.case.body.push(Passage { kind, level, line: self.line, text: text.into(), map, sentences, ..Passage::default() });
        self.at += text.len() + 2;
        self.line += 1 + text.matches('\n').count() + 1;
    }

    pub fn block(mut self, kind: PassageKind, level: u8, text: &str) -> Maker {
        self.add(kind, level, text);
        self
    }

    pub fn para(self, text: &str) -> Maker {
        self.block(PassageKind::Paragraph, 0, text)
    }

    pub fn row(mut self, cells: &[&str]) -> Maker {
        self.add(PassageKind::Row, 0, &cells.join(" "));
        if let Some(p) = self.case.body.last_mut() {
            p.cells = cells.iter().map(|c| (*c).to_string()).collect();
            p.sentences.clear();
        }
        self
    }

    /// Where some words stand: bytes and line.
    pub fn find(&self, words: &str) -> (Vec<Bytes>, usize) {
        let hit =
            self.case.body.iter().find_map(|p| p.text.find(words).map(|i| ([p.map[0].2[0] + i, p.map[0].2[0] + i + words.len()], p.line)));
        let (b, line) = hit.unwrap_or_else(|| panic!("no `{words}`"));
        (vec![b], line)
    }

    pub fn event(mut self, at: &str, phase: &str, words: &str, concepts: &[&str]) -> Maker {
        let (spans, line) = self.find(words);
        let n = self.case.incident.timeline.len();
        let concepts = concepts.iter().map(|c| (*c).to_string()).collect();
        let phase = Some(phase.to_string()).filter(|p| !p.is_empty());
        let anchor = format!("t-{n:04x}");
        self.case.incident.timeline.push(Event { anchor, phase, text: words.into(), spans, line, concepts, ..event(at, "") });
        self
    }

    pub fn cause(mut self, kind: &str, words: &str, concepts: &[&str]) -> Maker {
        let (spans, line) = self.find(words);
        let anchor = format!("c-{:04x}", self.case.incident.causes.len());
        let concepts = concepts.iter().map(|c| (*c).to_string()).collect();
        let hedged = kind == "contributing";
        self.case.incident.causes.push(Cause {
            anchor,
            kind: kind.into(),
            hedged,
            text: words.into(),
            spans,
            line,
            column: 1,
            concepts,
            rule: "r".into(),
        });
        self
    }

    pub fn action(mut self, status: &str, kind: &str, words: &str) -> Maker {
        let (spans, line) = self.find(words);
        let anchor = format!("r-{:04x}", self.case.incident.remediation.len());
        let kind = Some(kind.to_string());
        self.case.incident.remediation.push(Action {
            anchor,
            status: status.into(),
            kind,
            text: words.into(),
            spans,
            line,
            column: 1,
            ..Action::default()
        });
        self
    }

    pub fn pattern(mut self, id: &str, words: &str, marks: &[&str]) -> Maker {
        let (spans, line) = self.find(words);
        let hits = marks.iter().map(|m| self.find(m).0[0]).collect();
        let proof = Proof { text: words.into(), spans, line, words: hits, concepts: vec!["overload".into(), "retry".into()] };
        self.case.incident.patterns.push(Pattern { id: id.into(), score: 0.9, evidence: vec![proof], rule: "r".into() });
        self
    }

    pub fn edit(mut self, f: impl FnOnce(&mut Incident)) -> Maker {
        f(&mut self.case.incident);
        self
    }

    pub fn done(self) -> Case {
        self.case
    }
}

fn english() -> Case {
    Maker::new("2024-03-02-ledger-retries", "en", "Ledger unreachable after a timeout change")
        .para("On 2 March the ledger refused half of all payments for 1 h 48 min. Customers saw errors at checkout.")
        .block(PassageKind::Heading, 2, "Timeline (UTC)")
        .row(&["09:12", "A timeout of 200 ms was rolled out to the gateway."])
        .row(&["09:14", "Payments began to fail and the error rate rose to 52 %."])
        .row(&["09:31", "An engineer was paged by the error-rate alert."])
        .row(&["09:40", "The rollback was started but the value was hard-coded."])
        .row(&["10:20", "Retries without backoff were found to multiply the load."])
        .row(&["10:45", "Retries were switched off at the gateway."])
        .row(&["11:02", "All payments succeeded again."])
        .block(PassageKind::Heading, 2, "Root cause")
        .para("Three layers retried each timed-out call, so the retries multiplied the load on the ledger until it was saturated. Nothing alerted us before customers wrote in.")
        .block(PassageKind::Heading, 2, "Action items")
        .block(PassageKind::Item, 0, "Add a retry budget to the gateway, Ada, by 2024-04-01 (LEDGER-88).")
        .block(PassageKind::Item, 0, "Move the timeout to runtime configuration. Done.")
        .block(PassageKind::Code, 0, "gatewayctl set retries=0\ngatewayctl apply")
        .event("2024-03-02T09:12:00Z", "trigger", "A timeout of 200 ms was rolled out to the gateway.", &["timeout", "deploy"])
        .event("2024-03-02T09:14:00Z", "impact", "Payments began to fail and the error rate rose to 52 %.", &["fail", "error"])
        .event("2024-03-02T09:31:00Z", "detected", "An engineer was paged by the error-rate alert.", &["alert"])
        .event("2024-03-02T09:40:00Z", "response", "The rollback was started but the value was hard-coded.", &["rollback"])
        .event("2024-03-02T10:20:00Z", "identified", "Retries without backoff were found to multiply the load.", &["retry", "load"])
        .event("2024-03-02T10:45:00Z", "mitigated", "Retries were switched off at the gateway.", &["retry", "gateway"])
        .event("2024-03-02T11:02:00Z", "resolved", "All payments succeeded again.", &["recover"])
        .cause("root", "Three layers retried each timed-out call, so the retries multiplied the load on the ledger until it was saturated.", &["retry", "load", "overload"])
        .cause("trigger", "A timeout of 200 ms was rolled out to the gateway.", &["timeout", "deploy"])
        .cause("contributing", "Nothing alerted us before customers wrote in.", &["alert", "missing"])
        .action("planned", "prevent", "Add a retry budget to the gateway")
        .action("done", "repair", "Move the timeout to runtime configuration.")
        .action("done", "mitigate", "Retries were switched off at the gateway.")
        .pattern("retry-storm", "Three layers retried each timed-out call, so the retries multiplied the load on the ledger until it was saturated.", &["retried", "multiplied the load"])
        .pattern("monitoring-gap", "Nothing alerted us before customers wrote in.", &["Nothing alerted us"])
        .edit(|i| {
            i.period = Some(Period { start: Some("2024-03-02T09:14:00Z".into()), end: Some("2024-03-02T11:02:00Z".into()), ..Period::default() });
            i.severity = Some(SeverityInfo { written: "SEV2".into(), rank: Some(2), scale: "sev1-4".into(), ..SeverityInfo::default() });
            i.services = vec![Service { name: "Ledger".into(), ..Service::default() }];
            let metric = |v: &str| Some(Metric { value: v.into(), from: vec!["t-0001".into(), "t-0006".into()] });
            i.metrics = Some(Metrics { duration: metric("PT1H48M"), time_to_detect: metric("PT17M"), ..Metrics::default() });
            i.remediation[0].owner = Some("Ada".into());
            i.remediation[0].due = Some("2024-04-01".into());
            i.remediation[0].ticket = Some("LEDGER-88".into());
            i.remediation[2].command = Some("gatewayctl set retries=0".into());
            i.aliases = vec!["ledger-2024".into()];
            i.source_url = Some("https://status.example/ledger".into());
            i.patterns_perhaps = vec![Pattern { id: "cold-start".into(), ..i.patterns[1].clone() }];
        })
        .done()
}

fn arabic() -> Case {
    Maker::new("2023-11-24-بطء", "ar", "بطء في خدمة الدفع بعد ترقية قاعدة البيانات")
        .para("في 24 نوفمبر 2023 تباطأت خدمة الدفع لمدة ساعتين. امتلأت المهلة وأعاد العملاء المحاولة مرات كثيرة.")
        .para("أعاد كل عميل المحاولة دون انتظار فتضاعف الحمل على الخادم.")
        .para("الساعة 14:23 بتوقيت مكة (10:23 UTC) عادت الخدمة.")
        .block(PassageKind::Item, 0, "سنضيف مهلة عشوائية بين المحاولات.")
        .block(PassageKind::Item, 0, "رفعنا سعة الخادم يدويًا.")
        .event("2023-11-24T12:10:00+03:00", "impact", "تباطأت خدمة الدفع لمدة ساعتين.", &["slow", "payment"])
        .event("2023-11-24T13:05:00+03:00", "response", "رفعنا سعة الخادم يدويًا.", &["capacity", "manual"])
        .event("2023-11-24T14:23:00+03:00", "resolved", "الساعة 14:23 بتوقيت مكة (10:23 UTC) عادت الخدمة.", &["recover"])
        .cause("root", "أعاد كل عميل المحاولة دون انتظار فتضاعف الحمل على الخادم.", &["retry", "load", "overload"])
        .action("planned", "prevent", "سنضيف مهلة عشوائية بين المحاولات.")
        .action("done", "mitigate", "رفعنا سعة الخادم يدويًا.")
        .pattern("retry-storm", "أعاد كل عميل المحاولة دون انتظار فتضاعف الحمل على الخادم.", &["المحاولة", "فتضاعف الحمل"])
        .edit(|i| {
            let spans = i.timeline[2].spans.clone();
            let reading = |at: &str, w: &str| ReadingOf { at: at.into(), written: w.into(), spans: spans.clone(), rule: "r".into() };
            i.timeline[2].written = "14:23 بتوقيت مكة".into();
            i.timeline[2].readings =
                vec![reading("2023-11-24T14:23:00+03:00", "14:23 بتوقيت مكة"), reading("2023-11-24T10:23:00Z", "10:23 UTC")];
            let notes = "one clock in two zones that disagree";
            let d = Diagnostic {
                code: "zone-mismatch".into(),
                severity: "warning".into(),
                message: notes.into(),
                hint: Some("write one zone".into()),
                spans,
                line: 7,
                column: 1,
            };
            i.diagnostics.push(d);
            i.metrics = Some(Metrics { duration: Some(Metric { value: "PT2H".into(), from: vec![] }), ..Metrics::default() });
            i.services = vec![Service { name: "ledger".into(), ..Service::default() }];
        })
        .done()
}

fn chinese() -> Case {
    Maker::new("2021-06-gateway", "zh", "网关过载导致丢包")
        .para("6 月的一天，一个中转网关过载并丢包。仪表盘和告警服务也打不开了。")
        .para("我们手动增加了网关容量。")
        .cause("root", "6 月的一天，一个中转网关过载并丢包。", &["gateway", "overload", "packet-loss"])
        .action("done", "mitigate", "我们手动增加了网关容量。")
        .pattern("observability-loss", "仪表盘和告警服务也打不开了。", &["仪表盘和告警"])
        .pattern("traffic-surge", "6 月的一天，一个中转网关过载并丢包。", &["过载"])
        .edit(|i| i.period = Some(Period { start: Some("2021-06".into()), ..Period::default() }))
        .done()
}

/// Every field carries markup that must come out as text.
fn hostile() -> Case {
    const X: &str = "<script>alert(1)</script>\"' onmouseover=x & {{ 7*7 }}";
    let mut case = Maker::new("hostile & \u{202e}id #1", "xx", X)
        .para(X)
        .event("not a date\"<b>", X, X, &[X])
        .cause("root", X, &[X])
        .action("planned", X, X)
        .pattern("retry-storm", X, &[X])
        .done();
    let i = &mut case.incident;
    i.severity = Some(SeverityInfo { written: X.into(), rank: Some(1), ..SeverityInfo::default() });
    i.services = vec![Service { name: X.into(), ..Service::default() }];
    i.tags = vec![X.into()];
    i.source_url = Some("javascript:alert(1)".into());
    i.other_fields = vec![(X.into(), X.into())];
    i.summary = vec![Text { text: X.into(), ..Text::default() }];
    i.diagnostics =
        vec![Diagnostic { code: X.into(), severity: X.into(), message: X.into(), hint: Some(X.into()), ..Diagnostic::default() }];
    i.same_incident_as = vec!["internal-only".into(), "2021-06-gateway".into()];
    i.patterns.push(Pattern { id: "../../etc".into(), ..i.patterns[0].clone() });
    for a in &mut i.remediation {
        (a.owner, a.due, a.ticket, a.command) = (Some(X.into()), Some(X.into()), Some("javascript:alert(2)".into()), Some(X.into()));
    }
    i.metrics = Some(Metrics { duration: Some(Metric { value: X.into(), from: vec![X.into()] }), ..Metrics::default() });
    case
}

/// The lexicons, read once for all tests.
pub fn known() -> &'static Languages {
    static KNOWN: std::sync::OnceLock<Languages> = std::sync::OnceLock::new();
    KNOWN.get_or_init(Languages::builtin)
}

/// What the tests render.
pub struct Sample {
    pub book: Book,
    pub catalogue: Catalogue,
    pub languages: &'static Languages,
    pub settings: Settings,
    pub runbooks: Vec<RunbookPage>,
    pub overrides: Vec<(String, String)>,
}

impl Sample {
    pub fn new(interface: &[&str]) -> Sample {
        let settings = Settings {
            title: "Sample <corpus>".into(),
            base: Some("https://incidents.example/kb/".into()),
            languages: interface.iter().map(|l| (*l).to_string()).collect(),
            zone: Some("Europe/Berlin".into()),
        };
        let link = |line, target| RunbookLink { line, target };
        let links = vec![
            link(12, Target::Incident("2024-03-02-ledger-retries".into())),
            link(14, Target::Pattern("retry-storm".into())),
            link(15, Target::Incident("gone".into())),
        ];
        let runbooks = vec![RunbookPage { path: "runbooks/ledger.md".into(), title: "Ledger <slow>".into(), links }];
        let book = Book::new(vec![english(), arabic(), chinese(), hostile()]);
        Sample { book, catalogue: Catalogue::builtin(), languages: known(), settings, runbooks, overrides: Vec::new() }
    }

    pub fn input(&self) -> Input<'_> {
        Input {
            book: &self.book,
            catalogue: &self.catalogue,
            languages: self.languages,
            settings: &self.settings,
            runbooks: &self.runbooks,
            knowledge: "sample",
            overrides: &self.overrides,
        }
    }
}
