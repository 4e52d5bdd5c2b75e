//! What a reader comes for, done in a headless Chromium on the built site, from disk, in at most so many actions (a click, a key or a typed word is one).

use crate::browser::{address, dom_with};
use crate::program::Place;
use crate::support::root;
use serde_json::{Value, json};

#[derive(serde::Deserialize)]
struct Done {
    name: String,
    actions: usize,
    fault: Option<String>,
    at: String,
}

/// Does the tasks on a site (name, start, most actions, steps) and tells where each ended.
#[track_caller]
fn does(place: &Place, tasks: &[(&str, &str, usize, Value)]) -> Vec<String> {
    let list: Vec<Value> =
        tasks.iter().map(|(name, start, _, steps)| json!({"name": name, "start": format!("site/{start}"), "steps": steps})).collect();
    std::fs::copy(root().join("tests/vectors/tasks.js"), place.path("tasks.js")).unwrap();
    let page = format!(
        "<!doctype html><meta charset=utf-8><body><pre id=out></pre><script>var TASKS = {};</script><script src=tasks.js></script>",
        json!(list)
    );
    std::fs::write(place.path("tasks.html"), page).unwrap();
    let dom = dom_with(&address(&place.path("tasks.html")), &["--allow-file-access-from-files"]);
    let told = dom
        .split_once("&lt;&lt;&lt;")
        .and_then(|(_, r)| r.split_once("&gt;&gt;&gt;"))
        .unwrap_or_else(|| panic!("the page told nothing: {dom}"))
        .0;
    let done: Vec<Done> = serde_json::from_str(&told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).unwrap();
    assert_eq!(done.len(), tasks.len());
    for (d, (_, _, most, _)) in done.iter().zip(tasks) {
        assert!(d.fault.is_none() && d.actions <= *most, "{}: {} actions, {:?}, at {}", d.name, d.actions, d.fault, d.at);
    }
    done.into_iter().map(|d| d.at).collect()
}

#[test]
fn what_readers_come_for_is_a_few_actions_away() {
    let place = Place::new();
    let corpus = root().join("corpus").display().to_string();
    place.build(&["--corpus", &corpus]).ends(0);
    let alert = "x509: certificate has expired or is not yet valid";
    let ends = does(
        &place,
        &[
            // results stand there as the text is typed, each with its fix and its date; one click leads to where the fix is told
            (
                "from an alert to the last fix for such a thing",
                "search/index.html",
                3,
                json!([{"type": alert, "into": "#q", "sees": ".hit .fix .doc"}, {"sees": ".hit .stamp"}, {"click": ".hit .fix .cite", "sees": ".source :target, .source span:target + .sn"}]),
            ),
            (
                "from a pattern to all its proof in any language",
                "index.html",
                2,
                json!([{"click": "#patterns th a", "text": "Certificate expiry", "sees": "#proof .proof mark"}, {"sees": "#proof .ev [lang=zh]"}, {"sees": "#proof .ev [lang=nl]"}]),
            ),
            (
                "from a service to what keeps hitting it",
                "index.html",
                2,
                json!([{"click": "nav a", "text": "Services", "sees": ".checks.wide"}, {"click": ".checks.wide a.t", "text": "docs.rs", "sees": "#patterns .checks a"}]),
            ),
            (
                "from a sentence to its place in the source",
                "incidents/2017-01-31-gitlab-database-deletion/index.html",
                1,
                json!([{"click": "#causes li .cite", "sees": ".source .sn:target mark, .source .ln:target mark, .source span:target + .sn mark"}]),
            ),
            (
                "and back",
                "incidents/2017-01-31-gitlab-database-deletion/index.html",
                1,
                json!([{"click": ".source a.back", "text": "cause 1", "sees": "#causes li:target"}]),
            ),
            (
                "with the keyboard alone",
                "index.html",
                5,
                json!([{"key": "/", "sees": ".find input:focus"}, {"type": "retry storm", "into": ".find input"}, {"key": "Enter", "sees": "#hits .hit.now"}, {"key": "ArrowDown", "sees": ".hit.now h2 a:focus"}, {"key": "Enter", "sees": ".answers"}]),
            ),
            (
                "narrowing down",
                "search/index.html?q=retry%20storm",
                1,
                json!([{"sees": "#facets input[name=lang][value=zh]"}, {"click": "#facets input[name=lang][value=zh]", "sees": "#status", "holds": "1 of 24"}, {"sees": "#hits .hit:only-child [lang=zh]"}]),
            ),
        ],
    );
    assert!(ends[0].contains("#L") && ends[0].contains("/incidents/"), "{}", ends[0]);
    assert!(ends[6].contains("search/index.html?q=retry%20storm"), "{}", ends[6]);
}

#[test]
fn a_runbooks_link_still_leads_to_the_page_after_two_moves() {
    let text = "# Checkout was slow\n\nOn 2024-03-05 10:00 UTC the retry storm hit checkout until 10:30 UTC.\n\n## Root cause\n\nRetries overloaded the gateway.\n\n## Resolution\n\nWe restarted the gateway.\n";
    let place = Place::with(&[
        ("twiceshy.yaml", "languages: [en, ar]\n"),
        ("kept.md", &format!("---\nid: third-name\naliases: [first-name, second-name]\n---\n{text}")),
    ]);
    place.build(&[]).ends(0);
    let there = json!([{"sees": "#causes li:target"}]);
    let page = std::fs::read_to_string(place.path("site/incidents/third-name/index.html")).unwrap();
    let anchor = page.split("id=\"c-").nth(1).and_then(|r| r.split('"').next()).unwrap();
    let old = |name: &str| format!("incidents/{name}/index.html#c-{anchor}");
    let (first, second) = (old("first-name"), old("second-name"));
    let arabic = format!("ar/{first}");
    let ends = does(
        &place,
        &[("first", &first, 1, there.clone()), ("second", &second, 1, there.clone()), ("in another edition", &arabic, 1, there)],
    );
    for at in &ends {
        assert!(at.contains("incidents/third-name/index.html#c-"), "{at}");
    }
    assert!(ends[2].contains("/ar/"), "{}", ends[2]);
}
