//! Incidents that nobody had: made by number from a seed, for questions of scale. Each has a theme (one failure mechanism), a language, a date, a house
//! style, services and codes of its own; its sentences are those that patterns and lexicons are proved by, so that it reads as an incident in its
//! language and lies near others of its mechanism. The same seed and number give the same document.

use std::collections::BTreeMap;
use twiceshy::pipeline::Knowledge;

/// A language is used where so many sentences are known in it.
const ENOUGH: usize = 15;

/// A small generator of numbers.
pub struct Numbers(u64);

impl Numbers {
    /// Begins at a seed.
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x2545_F491_4F6C_DD1D)
    }

    fn next(&mut self) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// True so often of a hundred times.
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

/// What is known in a language.
#[derive(Default)]
struct Tongue {
    tag: String,
    /// Sentences of each mechanism.
    themes: Vec<Vec<String>>,
    /// Sentences about what was or will be done.
    cures: Vec<String>,
    /// Sentences of incidents that tell no mechanism.
    others: Vec<String>,
    /// Words, one or several, that concepts are told by.
    words: Vec<String>,
    /// Function words.
    small: Vec<String>,
    headings: BTreeMap<&'static str, Vec<String>>,
    spaced: bool,
}

/// Makes incidents.
pub struct Maker {
    seed: u64,
    tongues: Vec<Tongue>,
    /// Tongues by how often they are used.
    weighted: Vec<usize>,
}

const ROLES: [&str; 5] = ["summary", "impact", "timeline", "root_cause", "remediation"];

impl Maker {
    /// Gathers what the built-in knowledge tells.
    pub fn new(knowledge: &Knowledge, seed: u64) -> Maker {
        let patterns = knowledge.catalogue.all();
        let mut tongues = Vec::new();
        for tag in knowledge.languages.tags() {
            let mut t = Tongue { tag: tag.to_string(), themes: vec![Vec::new(); patterns.len()], ..Tongue::default() };
            for (n, p) in patterns.iter().enumerate() {
                let own = |s: &&twiceshy::pattern::Sample| s.lang == tag;
                t.themes[n].extend(p.file.takes.iter().filter(own).map(|s| s.text.clone()));
                for s in p.file.leaves.iter().filter(own) {
                    if s.role.is_some() { t.cures.push(s.text.clone()) } else { t.others.push(s.text.clone()) }
                }
                if tag == "en" {
                    t.cures.extend(p.file.stopped.iter().cloned());
                }
            }
            if t.others.len() + t.themes.iter().map(Vec::len).sum::<usize>() < ENOUGH {
                continue;
            }
            let file = knowledge.languages.file(tag);
            let plain = |f: &&String| !f.contains(['*', '…', '~']) && f.chars().count() > 1;
            t.words = file.concepts.values().flatten().filter(plain).cloned().collect();
            t.small = file.stop.iter().filter(plain).cloned().collect();
            t.spaced = file.matching != "substring";
            for role in ROLES {
                t.headings.insert(role, file.roles.get(role).into_iter().flatten().filter(plain).take(6).cloned().collect());
            }
            tongues.push(t);
        }
        let weight = |t: &Tongue| if t.tag == "en" { 4 } else { 1 };
        let weighted = (0..tongues.len()).flat_map(|n| (0..weight(&tongues[n])).map(move |_| n).collect::<Vec<_>>()).collect();
        Maker { seed, tongues, weighted }
    }

    /// The path and text of a document.
    pub fn document(&self, number: usize) -> (String, String) {
        let mut n = Numbers::new(self.seed ^ ((number as u64) << 20));
        let t = &self.tongues[self.weighted[n.below(self.weighted.len())]];
        let date = (2012 + n.below(14), 1 + n.below(12), 1 + n.below(28));
        let service = name(&mut n);
        let themes = [n.below(t.themes.len()), n.below(t.themes.len())];
        let front = n.chance(40);
        let title = if n.chance(60) { format!("{service}: {}", t.fragment(&mut n)) } else { t.fragment(&mut n) };
        let mut out = String::new();
        let day = format!("{}-{:02}-{:02}", date.0, date.1, date.2);
        if front {
            out.push_str(&format!("---\ntitle: \"{}\"\ndate: {day}\nlanguage: {}\nservices: [{service}]\n", title.replace('"', ""), t.tag));
            out.push_str(&format!("severity: SEV{}\n---\n\n", 1 + n.below(4)));
        } else {
            out.push_str(&format!("# {title}\n\n{day}\n\n"));
        }
        // most are short, some are long
        let scale = 1 + n.below(3) * n.below(4);
        t.section("summary", &mut out, &mut n, 1 + scale / 2, themes, &service);
        if n.chance(60) {
            t.section("impact", &mut out, &mut n, 1 + scale / 3, themes, &service);
        }
        if n.chance(60) {
            t.heading("timeline", &mut out, &mut n);
            let (mut hour, mut minute) = (n.below(24), n.below(60));
            for _ in 0..2 + scale {
                out.push_str(&format!("- {hour:02}:{minute:02} {}\n", t.sentence(&mut n, themes, &service)));
                minute += 1 + n.below(25);
                hour = (hour + minute / 60) % 24;
                minute %= 60;
            }
            out.push('\n');
        }
        t.heading("root_cause", &mut out, &mut n);
        out.push_str(&format!("{}\n\n", t.theme(&mut n, themes[0]).unwrap_or_else(|| t.fragment(&mut n))));
        for _ in 0..scale {
            t.paragraph(&mut out, &mut n, themes, &service);
        }
        t.heading("remediation", &mut out, &mut n);
        for _ in 0..1 + n.below(4) {
            let cure = n.of(&t.cures).cloned().unwrap_or_else(|| t.fragment(&mut n));
            let box_ = ["- ", "- [x] ", "- [ ] "][n.below(3)];
            out.push_str(&format!("{box_}{cure}\n"));
        }
        if n.chance(30) {
            out.push_str(&format!("\n```\n{}\n```\n", code(&mut n)));
        }
        (format!("made/{:03}/{day}-{service}-{number}.md", number / 100), out)
    }
}

impl Tongue {
    fn heading(&self, role: &str, out: &mut String, n: &mut Numbers) {
        let known = self.headings.get(role).map(Vec::as_slice).unwrap_or_default();
        out.push_str(&format!("## {}\n\n", n.of(known).map_or(role, String::as_str)));
    }

    fn section(&self, role: &str, out: &mut String, n: &mut Numbers, paragraphs: usize, themes: [usize; 2], service: &str) {
        self.heading(role, out, n);
        for _ in 0..paragraphs {
            self.paragraph(out, n, themes, service);
        }
    }

    fn paragraph(&self, out: &mut String, n: &mut Numbers, themes: [usize; 2], service: &str) {
        let sentences: Vec<String> = (0..1 + n.below(4)).map(|_| self.sentence(n, themes, service)).collect();
        out.push_str(&sentences.join(if self.spaced { " " } else { "" }));
        out.push_str("\n\n");
    }

    fn theme(&self, n: &mut Numbers, theme: usize) -> Option<String> {
        n.of(&self.themes[theme]).cloned()
    }

    fn sentence(&self, n: &mut Numbers, themes: [usize; 2], service: &str) -> String {
        let said = match n.below(10) {
            0 | 1 => self.theme(n, themes[0]),
            2 => self.theme(n, themes[1]),
            3 | 4 => n.of(&self.others).cloned(),
            _ => None,
        };
        let said = said.unwrap_or_else(|| self.fragment(n));
        match n.below(6) {
            0 => format!("{service}: {said}"),
            1 => format!("`{}`: {said}", code(n)),
            _ => said,
        }
    }

    /// Words that concepts are told by, held together by function words.
    fn fragment(&self, n: &mut Numbers) -> String {
        let mut words: Vec<String> = Vec::new();
        for _ in 0..2 + n.below(5) {
            words.extend(n.of(&self.words).cloned());
            if n.chance(50) {
                words.extend(n.of(&self.small).cloned());
            }
            if n.chance(15) {
                words.push(name(n));
            }
            if n.chance(10) {
                words.push(n.below(5000).to_string());
            }
        }
        words.join(if self.spaced { " " } else { "" }) + if self.spaced { "." } else { "。" }
    }
}

/// A name that a service or a host might have.
fn name(n: &mut Numbers) -> String {
    const SOUNDS: [&str; 24] = [
        "ba", "cor", "del", "fin", "gri", "ho", "ju", "kel", "lum", "mar", "nex", "or", "pel", "qui", "ros", "sta", "tor", "ul", "ver",
        "wen", "xa", "yor", "zen", "blu",
    ];
    const ENDS: [&str; 8] = ["api", "db", "edge", "worker", "proxy", "cache", "web", "sync"];
    let mut out: String = (0..2 + n.below(2)).filter_map(|_| n.of(&SOUNDS).copied()).collect();
    if n.chance(50) {
        out = format!("{out}-{}", ENDS[n.below(ENDS.len())]);
    }
    out
}

/// What a log or a metric might say.
fn code(n: &mut Numbers) -> String {
    match n.below(6) {
        0 => format!("E{:05}", n.below(100_000)),
        1 => format!("0x8007{:04x}", n.below(65_536)),
        2 => format!("{}_{}_total", name(n).replace('-', "_"), ["requests", "errors", "retries"][n.below(3)]),
        3 => format!("/var/lib/{}/{}.log", name(n), n.below(100)),
        4 => format!("HTTP {}", 400 + n.below(120)),
        _ => format!("kubectl rollout undo deploy/{}", name(n)),
    }
}
