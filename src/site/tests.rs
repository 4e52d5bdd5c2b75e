//! What must hold of the rendered site as a whole.

use super::sample::Sample;
use super::*;

fn text(outputs: &[Output], path: &str) -> String {
    let o = outputs.iter().find(|o| o.path == path).unwrap_or_else(|| panic!("no {path}"));
    String::from_utf8(o.bytes.clone()).unwrap()
}

/// The sample in English, rendered once for all tests.
fn english() -> &'static [Output] {
    static MADE: std::sync::OnceLock<Vec<Output>> = std::sync::OnceLock::new();
    MADE.get_or_init(|| render(&Sample::new(&["en"]).input()).unwrap())
}

#[test]
fn every_page_keeps_the_rules() {
    let base = Sample::new(&[]).settings.base;
    assert_eq!(problems(english(), base.as_deref()), Vec::<String>::new());
    for interface in [&["ar"][..], &["en", "ar", "zh"]] {
        let s = Sample::new(interface);
        let outputs = render(&s.input()).unwrap();
        assert_eq!(problems(&outputs, s.settings.base.as_deref()), Vec::<String>::new(), "{interface:?}");
    }
}

#[test]
fn a_corpus_without_anything_still_makes_a_site() {
    let mut s = Sample::new(&[]);
    s.book = Book::default();
    s.settings = Settings::default();
    s.runbooks.clear();
    let outputs = render(&s.input()).unwrap();
    assert_eq!(problems(&outputs, None), Vec::<String>::new());
    assert!(outputs.iter().all(|o| o.path != "sitemap.xml" && o.path != "feed.xml"));
}

#[test]
fn what_documents_say_is_text() {
    let outputs = english();
    for o in outputs.iter().filter(|o| o.path.ends_with(".html") || o.path.ends_with(".xml")) {
        let t = String::from_utf8_lossy(&o.bytes);
        assert!(!t.contains("<script>"), "{}", o.path);
        assert!(!t.contains("href=\"javascript:"), "{}", o.path);
        assert!(!t.contains("49 ") || !t.contains("& 49"), "{}", o.path);
    }
    let all: String = outputs.iter().map(|o| String::from_utf8_lossy(&o.bytes).into_owned()).collect();
    assert!(!all.contains("internal-only"), "a document that is not shown is named");
}

#[test]
fn the_same_corpus_makes_the_same_bytes() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert!(one.install(|| render(&Sample::new(&["en"]).input()).unwrap()) == english());
}

#[test]
fn facts_and_their_text_lead_to_each_other() {
    let outputs = english();
    let page = text(outputs, "incidents/2024-03-02-ledger-retries/index.html");
    assert!(page.contains(r##"href="#c-0000""##) && page.contains(r#"id="c-0000""#));
    assert!(page.contains("<mark>retried</mark>") && page.contains("<mark>multiplied the load</mark>"));
    assert!(page.contains("<svg class=\"wide\"") && page.contains("gatewayctl set retries=0"));
    assert!(page.contains("Ledger &lt;slow&gt;"));
    let moved = text(outputs, "incidents/ledger-2024/index.html");
    assert!(moved.contains(r#"content="0; url=../2024-03-02-ledger-retries/index.html""#));
    let feed = text(outputs, "feed.xml");
    assert!(feed.contains("<updated>2024-03-02T11:02:00Z</updated>") && !feed.contains("hostile"));
    let json = text(outputs, "incidents/2021-06-gateway.json");
    assert!(serde_json::from_str::<crate::book::view::Incident>(&json).is_ok());
}

#[test]
fn every_service_and_pattern_has_a_feed_and_one_file_lists_all() {
    let outputs = english();
    let whole: serde_json::Value = serde_json::from_str(&text(outputs, "incidents.json")).unwrap();
    assert_eq!(whole["schema"], "twiceshy-incidents/1");
    let rows = whole["incidents"].as_array().unwrap();
    assert_eq!(rows.len(), Sample::new(&["en"]).book.cases().len());
    let mut feeds = 0;
    for row in rows {
        for place in ["page", "facts"] {
            let path = links::decoded(row[place].as_str().unwrap());
            assert!(outputs.iter().any(|o| o.path == path), "{path}");
        }
        for id in row["patterns"].as_array().unwrap().iter().map(|p| p.as_str().unwrap()).filter(|_| !row["start"].is_null()) {
            let feed = text(outputs, &format!("patterns/{id}/feed.xml"));
            assert!(feed.contains(&format!("/incidents/{}/</id>", row["id"].as_str().unwrap())), "{id}: {feed}");
            assert!(text(outputs, &format!("patterns/{id}/index.html")).matches("href=\"feed.xml\"").count() == 2);
            feeds += 1;
        }
    }
    assert!(feeds > 1);
    let services: Vec<&Output> = outputs.iter().filter(|o| o.path.starts_with("services/") && o.path.ends_with("/feed.xml")).collect();
    assert!(!services.is_empty());
    // a feed tells of its own incidents alone
    assert!(services.iter().all(|o| String::from_utf8_lossy(&o.bytes).matches("<entry").count() < rows.len()));
}

#[test]
fn ids_that_cannot_be_folders_are_refused() {
    let mut s = Sample::new(&["en"]);
    let mut case = s.book.cases()[0].clone();
    case.incident.id = "../x".into();
    s.book = Book::new(vec![case.clone()]);
    assert!(render(&s.input()).is_err());
    case.incident.id = "same".into();
    s.book = Book::new(vec![case.clone(), case.clone()]);
    assert!(render(&s.input()).unwrap_err().to_string().contains("more than one"));
    let mut other = case.clone();
    other.incident.id = "Same".into();
    s.book = Book::new(vec![case, other]);
    assert!(render(&s.input()).is_err());
}

#[test]
fn a_users_template_replaces_the_built_in_one() {
    let mut s = Sample::new(&["en"]);
    s.overrides = vec![
        ("404.html".into(), "{% extends 'base.html' %}{% block main %}<h1>own {{ site }}</h1>{% endblock %}".into()),
        ("extra.css".into(), ".own{}".into()),
    ];
    let outputs = render(&s.input()).unwrap();
    assert!(text(&outputs, "404.html").contains("<h1>own Sample &lt;corpus&gt;</h1>"));
    assert!(outputs.iter().any(|o| o.path.ends_with(".css") && String::from_utf8_lossy(&o.bytes).ends_with(".own{}")));
}
