//! Incidents that nobody had, made by number: for questions of scale.

use std::path::{Path, PathBuf};
use twiceshy::pipeline::Knowledge;

const SERVICES: [&str; 10] = ["billing", "search", "edge", "auth", "cart", "mail", "feed", "media", "graph", "queue"];
const PARTS: [&str; 7] = ["api", "store", "worker", "proxy", "gateway", "cache", "db"];

/// Numbers from a seed (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }

    fn of<'a>(&mut self, list: &'a [String]) -> &'a str {
        let n = self.below(list.len());
        list.get(n).map_or("", String::as_str)
    }
}

/// What is known in a language: sentences of each mechanism, sentences of none, words, headings.
struct Tongue {
    tag: String,
    themes: Vec<Vec<String>>,
    others: Vec<String>,
    words: Vec<String>,
    headings: [Vec<String>; 4],
    space: &'static str,
}

impl Tongue {
    fn new(tag: &str, knowledge: &Knowledge) -> Tongue {
        let file = knowledge.languages.file(tag);
        let plain = |f: &&String| !f.contains(['*', '…', '~', '|']) && f.chars().count() > 1;
        let patterns = knowledge.catalogue.all();
        let headings = ["summary", "timeline", "root_cause", "remediation"]
            .map(|role| file.roles.get(role).into_iter().flatten().filter(plain).take(6).cloned().collect());
        Tongue {
            tag: tag.to_string(),
            themes: patterns.iter().map(|p| p.file.takes.iter().filter(|s| s.lang == tag).map(|s| s.text.clone()).collect()).collect(),
            others: patterns.iter().flat_map(|p| p.file.leaves.iter().filter(|s| s.lang == tag).map(|s| s.text.clone())).collect(),
            words: file.concepts.values().flatten().filter(plain).cloned().collect(),
            headings,
            space: if file.matching == "substring" { "" } else { " " },
        }
    }

    fn fragment(&self, n: &mut Numbers) -> String {
        let words: Vec<&str> = (0..3 + n.below(5)).map(|_| n.of(&self.words)).collect();
        words.join(self.space)
    }

    fn sentence(&self, n: &mut Numbers, themes: [usize; 2]) -> String {
        let known = match n.below(20) {
            0..5 => &self.themes[themes[0]],
            5..7 => &self.themes[themes[1]],
            7..10 => &self.others,
            _ => return format!("{}.", self.fragment(n)),
        };
        if known.is_empty() { format!("{}.", self.fragment(n)) } else { n.of(known).to_string() }
    }

    fn paragraphs(&self, n: &mut Numbers, themes: [usize; 2], count: usize) -> String {
        let one = |n: &mut Numbers| (0..1 + n.below(4)).map(|_| self.sentence(n, themes)).collect::<Vec<_>>().join(self.space);
        (0..count).map(|_| one(n) + "\n\n").collect()
    }

    fn document(&self, n: &mut Numbers) -> String {
        let themes = [n.below(self.themes.len()), n.below(self.themes.len())];
        let service = format!("{}-{}", SERVICES[n.below(SERVICES.len())], PARTS[n.below(PARTS.len())]);
        let title = self.fragment(n).replace('"', "");
        let day = format!("{}-{:02}-{:02}", 2012 + n.below(14), 1 + n.below(12), 1 + n.below(28));
        let scale = 1 + n.below(3) * n.below(4);
        let mut out = format!(
            "---\ntitle: \"{service}: {title}\"\ndate: {day}\nservices: [{service}]\nlanguage: {}\nseverity: SEV{}\n---\n\n",
            self.tag,
            1 + n.below(4)
        );
        let heading = |role: usize, n: &mut Numbers| format!("## {}\n\n", n.of(&self.headings[role]));
        out.push_str(&(heading(0, n) + &self.paragraphs(n, themes, 1 + scale / 2) + &heading(1, n)));
        let mut minute = n.below(600);
        for _ in 0..2 + scale {
            out.push_str(&format!("- {:02}:{:02} {}\n", minute / 60, minute % 60, self.sentence(n, themes)));
            minute += 1 + n.below(25);
        }
        out.push_str(&format!("\n{}{}{}", heading(2, n), self.paragraphs(n, themes, 1 + scale), heading(3, n)));
        for _ in 0..1 + n.below(4) {
            out.push_str(&format!("{}{}\n", ["- ", "- [x] ", "- [ ] "][n.below(3)], self.sentence(n, themes)));
        }
        out
    }
}

/// The path of an incident below its corpus.
pub fn path(number: usize) -> PathBuf {
    PathBuf::from(format!("incidents/{:03}/made-{number:05}.md", number / 100))
}

/// Writes a corpus of some incidents, and tells how many bytes they have.
pub fn write(corpus: &Path, count: usize) -> usize {
    let knowledge = Knowledge::builtin();
    let tongues: Vec<Tongue> = knowledge.languages.tags().map(|t| Tongue::new(t, &knowledge)).filter(|t| t.others.len() > 5).collect();
    let mut bytes = 0;
    for number in 0..count {
        let mut n = Numbers(number as u64);
        // every third is in the first language that has much
        let most = (0..tongues.len()).max_by_key(|t| (tongues[*t].others.len(), tongues.len() - t)).unwrap_or(0);
        let at = if n.below(3) == 0 { most } else { n.below(tongues.len()) };
        let text = tongues[at].document(&mut n);
        let place = corpus.join(path(number));
        std::fs::create_dir_all(place.parent().expect("it has a folder")).expect("a folder can be made");
        bytes += text.len();
        std::fs::write(place, text).expect("it can be written");
    }
    std::fs::write(corpus.join("twiceshy.yaml"), "title: Made\n").expect("it can be written");
    bytes
}
