//! The template engine: the built-in templates and a user's that replace them, escaping, and the few filters they use.

use super::words::{Words, group};
use crate::error::{Error, Result};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Serde, Value};
use minijinja::{AutoEscape, Environment, Output, State, UndefinedBehavior};
use serde::Serialize;
use std::sync::Arc;

/// The templates of one edition.
pub struct Templates {
    env: Environment<'static>,
}

/// Escapes what is printed. Unlike the engine's own it leaves `/` alone, which no attribute or text needs escaped.
fn print(out: &mut Output, state: &mut State, value: &Value) -> std::result::Result<(), minijinja::Error> {
    let text = value.as_str().filter(|_| !value.is_safe() && matches!(state.auto_escape(), AutoEscape::Html));
    match text {
        Some(t) => out.write_str(&super::svg::escape(t)).map_err(minijinja::Error::from),
        None => minijinja::escape_formatter(out, state, value),
    }
}

impl Templates {
    /// Compiles all templates; one of the user's replaces the built-in one of the same name.
    pub fn new(words: Arc<Words>, overrides: &[(String, String)]) -> Result<Templates> {
        let mut env = Environment::new();
        env.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        env.set_syntax(syntax.map_err(|e| fault("", &e))?);
        env.set_auto_escape_callback(
            |name| if name.ends_with(".html") || name.ends_with(".xml") { AutoEscape::Html } else { AutoEscape::None },
        );
        env.set_formatter(print);
        env.add_global("t", Value::from(Serde(words.all())));
        env.add_global("lang", words.tag.clone());
        env.add_global("dir", words.dir.clone());
        env.add_filter("fill", fill);
        env.add_filter("ticks", ticks);
        env.add_filter("number", |n: usize| group(n));
        let w = words.clone();
        env.add_function("count", move |key: &str, n: usize, more: Kwargs| -> std::result::Result<String, minijinja::Error> {
            let names: Vec<String> = more.args().map(str::to_string).collect();
            let mut numbers = vec![("n", n)];
            for name in &names {
                numbers.push((name, more.get(name)?));
            }
            Ok(w.counted(key, &numbers))
        });
        let w = words.clone();
        env.add_function("forms", move |key: &str| serde_json::json!(w.forms(key)).to_string());
        let w = words;
        // a name of the facts' own (a status, a kind) in the reader's words; as it stands where there is none
        env.add_filter("word", move |key: &str| w.find(key).unwrap_or(key).to_string());
        let is_page = |n: &str| n.ends_with(".html") || n.ends_with(".xml");
        for (name, text) in crate::data::TEMPLATES.iter().filter(|(n, _)| is_page(n)) {
            env.add_template(name, text).map_err(|e| fault(name, &e))?;
        }
        for (name, text) in overrides.iter().filter(|(n, _)| is_page(n)) {
            env.add_template_owned(name.clone(), text.clone()).map_err(|e| fault(name, &e))?;
        }
        Ok(Templates { env })
    }

    /// Fills a template.
    pub fn render<C: Serialize>(&self, name: &str, context: &C) -> Result<Vec<u8>> {
        let page = self.env.get_template(name).and_then(|t| t.render(Serde(context)));
        page.map(String::into_bytes).map_err(|e| fault(name, &e))
    }
}

fn fault(name: &str, e: &minijinja::Error) -> Error {
    let place = e.name().unwrap_or(name);
    let line = e.line().map(|l| format!(":{l}")).unwrap_or_default();
    let what = e.detail().map_or_else(|| e.kind().to_string(), |d| format!("{}: {d}", e.kind()));
    Error::new(format!("template {place}{line}: {what}"))
}

/// `"{n} of {total}"|fill(n=1, total=2)`.
fn fill(text: &str, values: Kwargs) -> std::result::Result<String, minijinja::Error> {
    let mut out = text.to_string();
    let names: Vec<String> = values.args().map(str::to_string).collect();
    for name in names {
        let value: Value = values.get(&name)?;
        out = out.replace(&format!("{{{name}}}"), &value.to_string());
    }
    Ok(out)
}

/// What the catalogue writes between backticks is code.
fn ticks(text: &str) -> Value {
    let mut out = String::new();
    for (n, part) in text.split('`').enumerate() {
        let part = super::svg::escape(part);
        if n % 2 == 1 { out.push_str(&format!("<code>{part}</code>")) } else { out.push_str(&part) }
    }
    // one that is not closed is a backtick
    if text.matches('`').count() % 2 == 1 { Value::from(text) } else { Value::from_safe_string(out) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_printed_is_escaped() {
        let words = Arc::new(Words::new("en", super::super::sample::known()));
        let own = [("x.html".to_string(), "<p title='{{ v }}'>{{ v|fill(n=v) }} {{ 'done'|word }}</p>".to_string())];
        let t = Templates::new(words.clone(), &own).unwrap();
        assert_eq!(ticks("a `<b>` c").to_string(), "a <code>&lt;b&gt;</code> c");
        assert!(!ticks("a `<b> c").is_safe());
        let out = String::from_utf8(t.render("x.html", &minijinja::context! { v => "<a/>&'{n}" }).unwrap()).unwrap();
        assert!(!out.contains("<a/>") && out.contains("&lt;a/&gt;&amp;&#39;") && out.contains("Done"), "{out}");
        let bad = [("home.html".to_string(), "{% if %}".to_string())];
        assert!(Templates::new(words.clone(), &bad).err().unwrap().to_string().contains("template home.html:1"));
        let bad = [("x.html".to_string(), "\n{{ nothing }}".to_string())];
        let e = Templates::new(words, &bad).unwrap().render("x.html", &()).err().unwrap();
        assert!(e.to_string().contains("template x.html:2"), "{e}");
    }
}
