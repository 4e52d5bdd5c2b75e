//! What each HTML element means to a reader. Names here are those of the markup language, not words of a text.

use super::super::Mark;

/// What an element does to the text in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Its content is no text for readers.
    Mute,
    /// Parts of the page around the article.
    Chrome,
    /// The article, or what holds it.
    Article,
    Main,
    /// Parts text, nothing else.
    Block,
    Heading(u8),
    List {
        ordered: bool,
    },
    Item,
    Table,
    /// `thead`: rows in it are heads.
    Head,
    Row,
    Cell {
        head: bool,
    },
    Pre,
    Quote,
    Term,
    Note,
    Summary,
    Break,
    Rule,
    Image,
    Input,
    /// Has neither content nor end.
    Void,
    Title,
    Html,
    Body,
    PageHead,
    Inline,
    /// Says whether the item around it is ticked off, in words of the format.
    Ticked,
}

/// The role of an element; unknown ones are inline.
pub(super) fn role(name: &str) -> Role {
    match name {
        "script" | "style" | "noscript" | "template" | "iframe" | "svg" | "canvas" | "object" | "embed" | "select" | "button"
        | "textarea" | "audio" | "video" | "dialog" | "rt" | "rp" | "math" | "applet" | "noframes" | "datalist" | "map" => Role::Mute,
        "nav" | "header" | "footer" | "aside" | "form" | "menu" => Role::Chrome,
        "article" => Role::Article,
        "main" => Role::Main,
        "p" | "div" | "section" | "address" | "center" | "dd" | "dl" | "fieldset" | "figure" | "hgroup" | "details" | "tbody" | "tfoot"
        | "colgroup" | "search" | "legend" | "frameset" => Role::Block,
        "h1" => Role::Heading(1),
        "h2" => Role::Heading(2),
        "h3" => Role::Heading(3),
        "h4" => Role::Heading(4),
        "h5" => Role::Heading(5),
        "h6" => Role::Heading(6),
        "ul" | "dir" => Role::List { ordered: false },
        "ol" => Role::List { ordered: true },
        "li" => Role::Item,
        "table" => Role::Table,
        "thead" => Role::Head,
        "tr" => Role::Row,
        "td" => Role::Cell { head: false },
        "th" => Role::Cell { head: true },
        "pre" | "xmp" | "listing" | "plaintext" => Role::Pre,
        "blockquote" => Role::Quote,
        "dt" => Role::Term,
        "figcaption" | "caption" => Role::Note,
        "summary" => Role::Summary,
        "br" => Role::Break,
        "hr" => Role::Rule,
        "img" => Role::Image,
        "input" => Role::Input,
        "area" | "base" | "basefont" | "bgsound" | "col" | "frame" | "keygen" | "link" | "meta" | "param" | "source" | "track" | "wbr" => {
            Role::Void
        }
        "title" => Role::Title,
        "html" => Role::Html,
        "body" => Role::Body,
        "head" => Role::PageHead,
        // what Confluence stores
        "ac:task-list" => Role::List { ordered: false },
        "ac:task" => Role::Item,
        "ac:task-status" => Role::Ticked,
        "ac:task-body" | "ac:rich-text-body" | "ac:layout" | "ac:layout-section" | "ac:layout-cell" => Role::Block,
        "ac:plain-text-body" => Role::Pre,
        "ac:task-id" | "ac:parameter" | "ac:placeholder" => Role::Mute,
        _ => Role::Inline,
    }
}

/// True for names that the language has.
pub(in super::super) fn is_element(name: &str) -> bool {
    role(name) != Role::Inline
        || matches!(
            name,
            "a" | "abbr"
                | "acronym"
                | "b"
                | "bdi"
                | "bdo"
                | "big"
                | "blink"
                | "cite"
                | "code"
                | "data"
                | "del"
                | "dfn"
                | "em"
                | "font"
                | "i"
                | "ins"
                | "kbd"
                | "label"
                | "mark"
                | "marquee"
                | "meter"
                | "nobr"
                | "optgroup"
                | "option"
                | "output"
                | "picture"
                | "progress"
                | "q"
                | "ruby"
                | "rb"
                | "rtc"
                | "s"
                | "samp"
                | "slot"
                | "small"
                | "span"
                | "strike"
                | "strong"
                | "sub"
                | "sup"
                | "time"
                | "tt"
                | "u"
                | "var"
        )
}

/// True for elements whose content is no text.
pub(in super::super) fn is_mute(name: &str) -> bool {
    role(name) == Role::Mute
}

/// The mark an inline element makes.
pub(in super::super) fn mark(name: &str, href: Option<String>) -> Option<Mark> {
    match name {
        "b" | "strong" => Some(Mark::Strong),
        "i" | "em" | "cite" | "dfn" => Some(Mark::Emphasis),
        "code" | "kbd" | "samp" | "tt" | "var" => Some(Mark::Code),
        "del" | "s" | "strike" => Some(Mark::Struck),
        "a" => Some(Mark::Link(href.unwrap_or_default())),
        _ => None,
    }
}

/// True for roles that part text and may hold blocks.
pub(super) fn parts(role: Role) -> bool {
    !matches!(role, Role::Mute | Role::Ticked | Role::Break | Role::Image | Role::Input | Role::Void | Role::Inline | Role::Title)
}

/// True where an id or class says that an element is part of the page, not of the article: one of its tokens is a known name.
pub(super) fn names_chrome(names: &str) -> bool {
    const CHROME: [&str; 38] = [
        "nav",
        "navbar",
        "navigation",
        "menu",
        "sidebar",
        "sidenav",
        "breadcrumb",
        "breadcrumbs",
        "cookie",
        "cookies",
        "consent",
        "gdpr",
        "banner",
        "share",
        "sharing",
        "social",
        "related",
        "recommended",
        "comments",
        "comment",
        "disqus",
        "newsletter",
        "subscribe",
        "signup",
        "pagination",
        "pager",
        "advert",
        "ads",
        "promo",
        "sponsor",
        "masthead",
        "footer",
        "skip",
        "popup",
        "modal",
        "toc",
        "backlinks",
        "tooltip",
    ];
    if names.len() > 1000 {
        return false;
    }
    let lower = names.to_ascii_lowercase();
    lower.split_ascii_whitespace().any(|name| {
        let tokens: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
        // `has-sidebar`, `no-footer`, `modal-open` tell of the page's state
        let state = tokens
            .iter()
            .any(|t| matches!(*t, "has" | "with" | "no" | "without" | "not" | "is" | "open" | "content" | "main" | "article" | "layout"));
        !state && tokens.iter().any(|t| CHROME.contains(t))
    })
}

/// Elements that end where another one begins: does an open `open` end when `new` begins?
pub(super) fn implies_end(open: Role, open_name: &str, new: Role, new_name: &str) -> bool {
    match new {
        Role::Item => open == Role::Item,
        Role::Row => matches!(open, Role::Row | Role::Cell { .. }),
        Role::Cell { .. } => matches!(open, Role::Cell { .. }),
        Role::Term => open == Role::Term || open_name == "dd",
        _ if new_name == "dd" => open == Role::Term || open_name == "dd",
        _ if new_name == "option" => open_name == "option",
        _ if matches!(new_name, "tbody" | "thead" | "tfoot") => {
            matches!(open, Role::Row | Role::Cell { .. } | Role::Head) || matches!(open_name, "tbody" | "tfoot")
        }
        _ => false,
    }
}

/// True where a search for an element to end stops: what began outside is not ended from inside.
pub(super) fn bounds(role: Role, sought: Role) -> bool {
    match sought {
        Role::Item => matches!(role, Role::List { .. }),
        Role::Row | Role::Cell { .. } | Role::Head => role == Role::Table,
        _ => matches!(role, Role::Table | Role::Cell { .. }),
    }
}

#[cfg(test)]
mod tests {
    use super::names_chrome;

    #[test]
    fn names_of_the_page() {
        assert!(names_chrome("cookie-banner") && names_chrome("post site-nav") && names_chrome("Related_Posts"));
        assert!(!names_chrome("has-sidebar") && !names_chrome("content") && !names_chrome("incident-body") && !names_chrome("shareholder"));
    }
}
