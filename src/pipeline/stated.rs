//! What the author of a document states about it in front matter: it overrules what was found, and what cannot be made out is told.

use super::Knowledge;
use super::ids::slug;
use crate::book::view;
use crate::diag::Diagnostic;
use crate::document::{Field, FrontMatter};

/// The audiences there are.
const AUDIENCES: [&str; 3] = ["public", "internal", "restricted"];

/// Whom a document says it is for, in lower case: of several statements (a list, a field of a table such as `extra.audience`) the first that is not
/// `public`, because what is shown by mistake cannot be taken back.
pub fn audience(front: &crate::document::FrontMatter) -> Option<String> {
    let fields = front.fields.iter().filter(|f| f.key == "audience" || f.key.ends_with(".audience"));
    let stated: Vec<String> = fields.flat_map(|f| &f.values).map(|v| v.trim().to_lowercase()).filter(|v| !v.is_empty()).collect();
    stated.iter().find(|a| *a != "public").or(stated.first()).cloned()
}

/// What the author states overrules what was found.
pub(super) fn patterns(incident: &mut view::Incident, field: Option<&Field>, knowledge: &Knowledge) {
    let Some(field) = field else { return };
    let stated: Vec<String> = field.values.iter().map(|v| slug(v)).filter(|id| knowledge.catalogue.get(id).is_some()).collect();
    incident.patterns.retain(|p| stated.contains(&p.id));
    for id in stated {
        if let Some(p) = incident.patterns.iter_mut().find(|p| p.id == id) {
            p.score = 1.0;
            p.rule = "front-matter".into();
        } else {
            let near = incident.patterns_perhaps.iter().find(|p| p.id == id).map(|p| p.evidence.clone()).unwrap_or_default();
            incident.patterns_perhaps.retain(|p| p.id != id);
            incident.patterns.push(view::Pattern { id, score: 1.0, evidence: near, rule: "front-matter".into() });
        }
    }
}

/// Values of the front matter that name nothing known, and several where one is meant.
pub(super) fn unknown(front: &FrontMatter, knowledge: &Knowledge) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut tell = |code, field: &Field, message: String, hint: String| {
        out.push(Diagnostic::warning(code, message, vec![field.span]).hint(hint));
    };
    for field in front.fields.iter().filter(|f| f.key == "audience" || f.key.ends_with(".audience")) {
        for value in field.values.iter().map(|v| v.trim()).filter(|v| !v.is_empty() && !AUDIENCES.contains(&v.to_lowercase().as_str())) {
            tell("unknown-audience", field, format!("There is no audience `{value}`."), format!("There are: {}.", AUDIENCES.join(", ")));
        }
    }
    if let Some(field) = front.field("patterns") {
        for value in field.values.iter().filter(|v| !v.trim().is_empty() && knowledge.catalogue.get(&slug(v)).is_none()) {
            let hint = "It is left out; a file in the corpus's `patterns/` adds one.".to_string();
            tell("unknown-pattern", field, format!("There is no pattern `{}`.", value.trim()), hint);
        }
    }
    if let Some(field) = front.field("language").or_else(|| front.field("lang"))
        && let Some(value) = field.values.first().map(|v| v.trim()).filter(|v| !v.is_empty())
    {
        let tag = knowledge.languages.normal(value);
        if !knowledge.languages.tags().any(|t| t == tag) {
            tell(
                "unknown-language",
                field,
                format!("There is no lexicon for the language `{value}`."),
                "Its dates and shapes are read all the same.".into(),
            );
        }
    }
    if let Some(field) = front.field("severity").filter(|f| f.values.len() > 1) {
        tell(
            "several-severities",
            field,
            format!("Several severities are stated: {}.", field.values.join(", ")),
            "The first one is taken.".into(),
        );
    }
    out
}
