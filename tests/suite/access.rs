//! What hinders a reader: pages looked at in a headless Chromium in narrow and wide windows, light and dark, from left to right and from right to left.
//!
//! axe-core is no part of this project; `tests/run.sh` fetches it and runs the test that needs it. Without it that test is left out, and says so.

use crate::browser::{address, dom_with};
use crate::program::Place;
use crate::support::root;
use serde_json::json;

#[derive(serde::Deserialize)]
struct Told {
    looked: std::collections::BTreeMap<String, usize>,
    faults: Vec<String>,
}

/// Every kind of page, of both editions.
fn pages() -> Vec<String> {
    let kinds = [
        "index.html",
        "incidents/index.html",
        "incidents/2017-01-31-gitlab-database-deletion/index.html",
        "incidents/2024-01-30-ru-zone-dnssec/index.html",
        "incidents/incidents-2018-10-21-github-split-clusters/index.html",
        "incidents/2017-01-01-cloudflare-leap-second/index.html",
        "patterns/index.html",
        "patterns/certificate-expiry/index.html",
        "patterns/retry-storm/index.html",
        "services/index.html",
        "services/docs-rs/index.html",
        "languages/index.html",
        "languages/zh/index.html",
        "open/index.html",
        "durations/index.html",
        "runbooks/index.html",
        "search/index.html?q=retry%20storm",
        "search/index.html",
        "404.html",
    ];
    ["", "ar/"].iter().flat_map(|edition| kinds.iter().map(move |k| format!("site/{edition}{k}"))).collect()
}

/// A site of the sample corpus in English and Arabic.
fn built() -> Place {
    let place = Place::new();
    for file in crate::support::files(&root().join("corpus"), &["md", "txt", "html"]) {
        let below = file.strip_prefix(root().join("corpus")).unwrap().to_string_lossy().into_owned();
        place.put(&below, std::fs::read(&file).unwrap());
    }
    place.put("twiceshy.yaml", "title: Incidents worth remembering\nlanguages: [en, ar]\ntimezone: Asia/Riyadh\n");
    place.build(&[]).ends(0);
    place
}

#[track_caller]
fn check(place: &Place, widths: &[u32], themes: &[&str], axe: Option<String>) -> Told {
    let mut pages = pages();
    let runbook = place.site().into_iter().map(|f| f.0).find(|p| p.starts_with("runbooks/") && p.matches('/').count() == 2);
    pages.extend(runbook.iter().flat_map(|r| [format!("site/{r}"), format!("site/ar/{r}")]));
    for p in &pages {
        let file = p.split('?').next().unwrap();
        assert!(place.path(file).is_file(), "{file} is not there");
    }
    // two browsers at a time
    let (first, second) = pages.split_at(pages.len() / 2);
    let part = |name: &str, pages: &[String]| {
        std::fs::copy(root().join("tests/vectors/access.js"), place.path("access.js")).unwrap();
        let checks = json!({"pages": pages, "widths": widths, "themes": themes, "axe": axe});
        let page = format!(
            "<!doctype html><meta charset=utf-8><body><pre id=out></pre><script>var CHECKS = {checks};</script><script src=access.js></script>"
        );
        std::fs::write(place.path(name), page).unwrap();
        let dom = dom_with(
            &address(&place.path(name)),
            &["--allow-file-access-from-files", "--window-size=1600,1000", "--virtual-time-budget=600000"],
        );
        let told = dom
            .split_once("&lt;&lt;&lt;")
            .and_then(|(_, r)| r.split_once("&gt;&gt;&gt;"))
            .unwrap_or_else(|| panic!("the page told nothing: {dom}"))
            .0;
        serde_json::from_str::<Told>(&told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).unwrap()
    };
    std::thread::scope(|s| {
        let other = s.spawn(|| part("second.html", second));
        let mut all = part("first.html", first);
        let other = other.join().unwrap();
        all.faults.extend(other.faults);
        other.looked.iter().for_each(|(k, n)| *all.looked.get_mut(k).unwrap() += n);
        all
    })
}

#[test]
fn nothing_is_too_wide_cut_off_or_without_focus() {
    let place = built();
    // 320 px is a window of 1280 px at 400 %
    let told = check(&place, &[320, 360, 768, 1440], &["light"], None);
    assert!(told.faults.is_empty(), "{} faults:\n{}", told.faults.len(), told.faults.join("\n"));
    assert!(told.looked["pages"] >= 150 && told.looked["labels"] > 500 && told.looked["focused"] > 2000, "{:?}", told.looked);
}

#[test]
#[ignore = "needs axe-core, which tests/run.sh fetches and names in AXE"]
fn axe_finds_nothing() {
    let axe = std::env::var("AXE").expect("AXE names axe.min.js");
    let place = built();
    std::fs::copy(&axe, place.path("axe.min.js")).unwrap();
    let told = check(&place, &[360, 1440], &["light", "dark"], Some(address(&place.path("axe.min.js"))));
    assert!(told.faults.is_empty(), "{} faults:\n{}", told.faults.len(), told.faults.join("\n"));
    assert!(told.looked["rules"] > 1000, "{:?}", told.looked);
}
