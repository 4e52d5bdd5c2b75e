//! What an engineer asks for and how it is found: beginnings of words, names of incidents, one place for one incident, nothing where there is nothing alike;
//! and answers that come though the disk is full.

use crate::program::{Place, Ran};
use std::process::Command;

const RELAY: &str = "---\nid: INC-2041\naliases: [mail-0815]\ndate: 2024-05-06\nservices: [relay]\n---\n# Mail relay stopped\n\n## Root cause\n\n\
The spool disk of the relay was full of rotated logs, because logrotate kept ninety days and the reconciliation job wrote a dump each night.\n\n\
## Timeline\n\n- 10:02 UTC postfix logs error 0x80045001, no space left on device\n- 10:40 UTC we removed the dumps and mail flowed again\n\n\
## Resolution\n\nWe removed the dumps with `find /var/spool/dump -mtime +2 -delete` and mail flowed again after 30000ms.\n";

const RELAY_DE: &str = "---\nid: relais-steht\ndate: 2024-05-06\nservices: [relay]\n---\n# Mailrelais stand still\n\n## Ursache\n\n\
Die Platte des Relais war voll mit alten Protokollen.\n\n## Zeitleiste\n\n- 12:02 MESZ Postfix meldet Fehler\n- 12:40 MESZ Speicherauszüge gelöscht, Mail läuft wieder\n";

const CERT: &str = "---\nid: cert-night\ndate: 2024-11-02\nseverity: SEV1\n---\n# Zertifikat abgelaufen\n\n## Ursache\n\n\
Das TLS-Zertifikat des Gateways lief ab, weil niemand es erneuert hatte. Kunden konnten sich nicht anmelden.\n\n## Behebung\n\nWir haben das Zertifikat erneuert.\n";

fn place() -> Place {
    Place::with(&[("relay.md", RELAY), ("relais.md", RELAY_DE), ("cert.md", CERT)])
}

fn ids(place: &Place, query: &str) -> Vec<String> {
    place.run(&["search", "--format", "json", "--", query]).ids()
}

#[test]
fn beginnings_parts_of_codes_and_filters_of_several_names() {
    let place = place();
    for query in ["reconc", "recon*", "postf*", "80045001", "30000", "0x80045001"] {
        let told = place.run(&["search", "--format", "json", "--", query]).told();
        assert!(told.iter().any(|i| i.to_lowercase() == "inc-2041"), "{query}: {told:?}");
    }
    assert_eq!(ids(&place, "gatew*"), ["cert-night"]);
    assert!(ids(&place, "qqq*").is_empty());
    assert_eq!(ids(&place, "lang:de,fr Zertifikat"), ["cert-night"]);
    assert_eq!(ids(&place, "lang:ja lang:de Zertifikat"), ["cert-night"]);
    let strange = place.run(&["search", "date:2024 disk"]);
    assert_eq!(strange.said("no filter `date:`"), 1, "{}", strange.err);
    assert_eq!(place.run(&["search", "since:2025 until:2024 disk"]).said("no day is left"), 1);
    for empty in [vec!["search", " "], vec!["search", "-n", "0", "disk"], vec!["similar", "corpus/none.txt"]] {
        place.put("none.txt", "\n\n");
        place.run(&empty).ends(2);
    }
}

#[test]
fn an_incident_answers_to_its_names() {
    let place = place();
    for name in ["INC-2041", "inc-2041", "mail-0815", "MAIL-0815"] {
        assert_eq!(ids(&place, name).first().map(|i| i.to_lowercase()), Some("inc-2041".into()), "{name}");
        let shown = place.run(&["show", name]).ends(0);
        assert!(shown.out.contains("Mail relay stopped"), "{name}");
    }
    assert!(place.run(&["search", "INC-2041"]).out.to_lowercase().contains("inc-2041"), "and says why it was found");
    place.run(&["show", "relay.md:9"]).ends(0);
    place.run(&["show", "INC-9999"]).ends(2);
}

#[test]
fn one_incident_takes_one_place() {
    let place = place();
    let hits = place.run(&["search", "disk full mail", "--format", "json"]).ends(0);
    let told: Vec<String> = hits.told().iter().map(|i| i.to_lowercase()).collect();
    assert_eq!(told[..2].iter().filter(|i| *i == "inc-2041" || *i == "relais-steht").count(), 2, "{told:?}");
    let first = &hits.json()["hits"][0];
    assert_eq!(first["same_incident"].as_array().map(Vec::len), Some(1), "{first}");
    let shown = place.run(&["show", "relais-steht"]).ends(0);
    assert!(shown.out.to_lowercase().contains("inc-2041"), "{}", shown.out);
    place.build(&[]).ends(0);
    let page = std::fs::read_to_string(place.path("site/incidents/relais-steht/index.html")).unwrap();
    assert!(page.contains("id=\"same\""), "the site knows it too");
}

#[test]
fn nothing_is_like_a_recipe() {
    let place = place();
    place.put("../recipe.txt", "Peel the potatoes, cut them into cubes and boil them for 20 minutes in salted water. Add butter and milk, stir well and serve them hot with parsley.");
    place.put("../lease.txt", "The tenant shall pay the rent in advance on the first day of each month. This lease is made for a term of two years and may be ended by either party in writing.");
    place.put("../alert.txt", "FIRING: DiskFull host=relay-2 /var/spool: No space left on device");
    for (name, like) in [("recipe.txt", false), ("lease.txt", false), ("alert.txt", true)] {
        let ran = place.run(&["similar", name, "--format", "json"]);
        assert_eq!(!ran.ids().is_empty(), like, "{name}: {}", ran.out);
        assert_eq!(ran.code, i32::from(!like), "{name}");
    }
}

#[test]
fn what_documents_say_does_not_steer_the_terminal() {
    let place = Place::with(&[("evil.md", &RELAY.replace("Mail relay stopped", "Mail \u{1b}[31mrelay\u{1b}]0;x\u{7} stopped"))]);
    for args in [vec!["search", "disk"], vec!["show", "INC-2041"], vec!["extract", "corpus/evil.md"]] {
        let ran = place.run(&args).ends(0);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}') && !ran.out.contains('\u{7}'), "{args:?}: {:?}", ran.out);
    }
}

/// Runs the program where no file can grow.
#[cfg(unix)]
fn on_a_full_disk(place: &Place, args: &str) -> Ran {
    let program = env!("CARGO_BIN_EXE_twiceshy");
    let whole = place.command();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -f 0; exec '{program}' {args}")]);
    shell.current_dir(place.path("")).stdin(std::process::Stdio::null());
    for (name, value) in whole.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    Ran::of(shell.output().unwrap())
}

#[cfg(unix)]
#[test]
fn a_full_disk_hinders_no_answer() {
    let place = place();
    let first = on_a_full_disk(&place, "search --format json 'disk full'").ends(0);
    assert!(first.told().iter().any(|i| i.to_lowercase() == "inc-2041") && first.said("in memory") == 1, "{}", first.err);
    place.run(&["search", "disk full"]).ends(0);
    place.put("late.md", CERT.replace("cert-night", "late").replace("2024-11-02", "2025-11-02"));
    let later = on_a_full_disk(&place, "search --format json 'disk full'").ends(0);
    assert!(later.told().iter().any(|i| i.to_lowercase() == "inc-2041"), "{}", later.out);
    assert!(later.said("last good index") == 1 && later.said("1 newer") == 1, "{}", later.err);
    // and with room again nothing is lost
    assert!(ids(&place, "Zertifikat").iter().any(|i| i == "late"));
}

#[cfg(unix)]
#[test]
fn a_prepared_index_can_be_another_users() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    place.run(&["search", "disk"]).ends(0);
    for (path, _) in crate::program::tree(&place.path("cache")) {
        let mode = std::fs::metadata(place.path("cache").join(&path)).unwrap().permissions().mode();
        assert!(mode & 0o044 == 0o044 || path.ends_with("lock"), "{path}: {mode:o}");
    }
}
