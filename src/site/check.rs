//! The checker of a rendered site: what must hold of every page, whatever the documents said.
//!
//! It reads the finished bytes, not the templates, so that a user's own templates are held to the same rules.

use super::Output;
use super::links::decoded;
use std::collections::{BTreeMap, BTreeSet};

/// A start tag: its name and attributes.
type Tag = (String, Vec<(String, String)>);

/// What is wrong with a rendered site, a line each: links and anchors that lead nowhere, anchors that stand twice, `style=` and event attributes, scripts
/// and styles in the page, anything fetched from elsewhere, and pages without a Content-Security-Policy. `base` is the address the site will stand at.
pub fn problems(outputs: &[Output], base: Option<&str>) -> Vec<String> {
    let mut pages: BTreeMap<&str, Vec<Tag>> = BTreeMap::new();
    for o in outputs.iter().filter(|o| o.path.ends_with(".html")) {
        pages.insert(&o.path, tags(&String::from_utf8_lossy(&o.bytes)));
    }
    let files: BTreeSet<&str> = outputs.iter().map(|o| o.path.as_str()).collect();
    let mut found = Vec::new();
    let mut anchors: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (path, list) in &pages {
        let own = anchors.entry(path).or_default();
        for (_, attributes) in list {
            for (_, id) in attributes.iter().filter(|(n, _)| n == "id") {
                if !own.insert(id.clone()) {
                    found.push(format!("{path}: the anchor `{id}` stands twice"));
                }
            }
        }
    }
    let host =
        base.and_then(|b| b.split_once("://")).map(|(_, r)| format!("/{}", r.split_once('/').map_or("", |x| x.1).trim_end_matches('/')));
    for (path, list) in &pages {
        let mut say = |what: String| found.push(format!("{path}: {what}"));
        for (tag, attributes) in list {
            if let Some(what) = forbidden(tag, attributes) {
                say(what);
            }
            for (_, href) in attributes.iter().filter(|(n, _)| matches!(n.as_str(), "href" | "src" | "action")) {
                match target(path, href, host.as_deref()) {
                    Some((file, anchor)) => {
                        if !files.contains(file.as_str()) {
                            say(format!("`{href}` leads nowhere"));
                        } else if !anchor.is_empty()
                            && pages.contains_key(file.as_str())
                            && !anchors.get(file.as_str()).is_some_and(|a| a.contains(&anchor))
                        {
                            say(format!("`{href}`: no such anchor"));
                        }
                    }
                    None if !super::links::allowed(href) => say(format!("`{href}` is no address to follow")),
                    None => {}
                }
            }
        }
        let policy = list
            .iter()
            .find(|(t, a)| t == "meta" && attribute(a, "http-equiv").is_some_and(|v| v.eq_ignore_ascii_case("content-security-policy")));
        if !policy.and_then(|(_, a)| attribute(a, "content")).is_some_and(|c| c.contains("default-src 'none'") && !c.contains("unsafe")) {
            say("no strict Content-Security-Policy".into());
        }
        if !list.iter().any(|(t, a)| t == "html" && attribute(a, "lang").is_some() && attribute(a, "dir").is_some()) {
            say("no language or direction".into());
        }
    }
    found
}

fn attribute<'a>(list: &'a [(String, String)], name: &str) -> Option<&'a str> {
    list.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
}

fn forbidden(tag: &str, attributes: &[(String, String)]) -> Option<String> {
    if let Some((n, _)) = attributes.iter().find(|(n, _)| n == "style" || n.starts_with("on")) {
        return Some(format!("<{tag}> carries `{n}`"));
    }
    if matches!(tag, "iframe" | "object" | "embed" | "base" | "style") || (tag == "script" && attribute(attributes, "src").is_none()) {
        return Some(format!("<{tag}> in the page"));
    }
    let outside = |v: &str| v.contains("://") || v.starts_with("//") || v.starts_with("data:");
    let loads = match tag {
        "script" | "img" | "source" | "audio" | "video" | "input" => attribute(attributes, "src"),
        "link" if attribute(attributes, "rel").is_none_or(|r| r != "canonical" && r != "alternate") => attribute(attributes, "href"),
        "use" | "image" => attribute(attributes, "href"),
        _ => None,
    };
    loads.filter(|v| outside(v)).map(|v| format!("<{tag}> fetches `{v}`"))
}

/// The file and anchor that an internal address leads to; absent for addresses outside.
fn target(page: &str, href: &str, host: Option<&str>) -> Option<(String, String)> {
    let (address, anchor) = href.split_once('#').unwrap_or((href, ""));
    let address = address.split('?').next().unwrap_or("");
    if href.contains("://") || href.starts_with("mailto:") {
        return None;
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    let rest = if let Some(h) = host.filter(|_| address.starts_with('/')) {
        parts.clear();
        address.strip_prefix(h).unwrap_or(address).trim_start_matches('/')
    } else if address.starts_with('/') {
        return Some((address.to_string(), anchor.to_string()));
    } else {
        address
    };
    if address.is_empty() {
        return Some((page.to_string(), decoded(anchor)));
    }
    for p in rest.split('/') {
        match p {
            "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(p),
        }
    }
    Some((decoded(&parts.join("/")), decoded(anchor)))
}

/// All start tags of a page; comments and text are passed over.
fn tags(html: &str) -> Vec<Tag> {
    let mut out = Vec::new();
    let mut rest = html;
    while let Some(i) = rest.find('<') {
        rest = &rest[i + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |c| c.1);
            continue;
        }
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        rest = &rest[end..];
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
            if rest.is_empty() || rest.starts_with('>') {
                break;
            }
            let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/')).unwrap_or(rest.len()).max(1);
            let name = rest.get(..end).unwrap_or("").to_ascii_lowercase();
            rest = rest.get(end..).unwrap_or("").trim_start();
            let mut value = "";
            if let Some(v) = rest.strip_prefix('=') {
                let v = v.trim_start();
                let quoted = v.chars().next().filter(|c| matches!(c, '"' | '\''));
                (value, rest) = match quoted {
                    Some(q) => v[1..].split_once(q).unwrap_or((&v[1..], "")),
                    None => v.split_at(v.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(v.len())),
                };
            }
            attributes.push((name, unescape(value)));
        }
        out.push((name, attributes));
    }
    out
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&#x27;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, body: &str) -> Output {
        let head = r#"<!doctype html><html lang="en" dir="ltr"><meta http-equiv="Content-Security-Policy" content="default-src 'none'">"#;
        Output::new(path, format!("{head}{body}").into_bytes())
    }

    #[test]
    fn what_must_not_be_is_found() {
        let ok = page("a/b.html", r##"<a id="x" href="../c.html#y%20z">1</a><a href="#x">2</a><a href="https://e.example">3</a>"##);
        let c = page("c.html", r#"<p id="y z">"#);
        assert_eq!(problems(&[ok, c], None), Vec::<String>::new());
        for bad in [
            r#"<a href="d.html">"#,
            r##"<a href="#no">"##,
            r#"<p style="x">"#,
            r#"<p onclick=x>"#,
            r#"<script>1</script>"#,
            r#"<img src="https://e.example/x.png">"#,
            r#"<link rel=stylesheet href=//e.example/x>"#,
            r#"<a href="javascript:x">"#,
            r#"<i id=a></i><i id=a></i>"#,
            r#"<iframe>"#,
        ] {
            assert!(!problems(&[page("p.html", bad)], None).is_empty(), "{bad}");
        }
        assert_eq!(problems(&[Output::new("x.html", b"<p>".to_vec())], None).len(), 2);
        let lost = page("404.html", r#"<a href="/kb/c.html">"#);
        assert!(problems(&[lost, page("c.html", "")], Some("https://h.example/kb/")).is_empty());
    }
}
