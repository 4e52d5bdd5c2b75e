//! Front matter: the YAML fields above a document's text, each with the bytes it stands on.

use crate::text::Span;

/// One field of the front matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The key as written, in lower case.
    pub key: String,
    /// The value or values as written, without quotes.
    pub values: Vec<String>,
    /// The bytes of the value (the whole field where it is a list or a map).
    pub span: Span,
}

/// All fields, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct FrontMatter {
    /// The fields.
    pub fields: Vec<Field>,
    /// The bytes of the whole front matter with its fences; `None` where there is none.
    pub span: Option<Span>,
}

impl FrontMatter {
    /// The first value of a field.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.field(key).and_then(|f| f.values.first()).map(String::as_str)
    }

    /// A field.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.key == key)
    }

    /// All values of a field.
    pub fn all(&self, key: &str) -> &[String] {
        self.field(key).map_or(&[], |f| &f.values)
    }
}
