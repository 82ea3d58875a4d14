//! Which elements are frames of a page: menus, sidebars, footers, notices. By what they are, or by their names.

/// Roles of frames.
const ROLES: [&str; 13] = [
    "alert",
    "alertdialog",
    "banner",
    "complementary",
    "contentinfo",
    "dialog",
    "menu",
    "menubar",
    "navigation",
    "search",
    "tablist",
    "toolbar",
    "tree",
];

/// Parts of names of frames.
const PARTS: [&str; 27] = [
    "advert",
    "banner",
    "breadcrumb",
    "comment",
    "consent",
    "cookie",
    "copyright",
    "disclaimer",
    "disqus",
    "footer",
    "gdpr",
    "header",
    "masthead",
    "navbar",
    "navigation",
    "newsletter",
    "pagination",
    "popup",
    "promo",
    "recommend",
    "related",
    "sidebar",
    "skyscraper",
    "sponsor",
    "subscri",
    "teaser",
    "toolbar",
];

/// Whole words of names of frames.
const WORDS: [&str; 15] = [
    "ad", "ads", "bottom", "foot", "menu", "menus", "modal", "nav", "notice", "share", "side",
    "social", "toc", "topbar", "widget",
];

/// Words that say that an element holds more than a frame.
const MORE: [&str; 15] = [
    "and", "article", "body", "column", "columns", "content", "entry", "has", "layout", "main",
    "no", "post", "story", "with", "without",
];

/// Whether an element of this name and role is a frame; a header is one where it is none of an article.
pub(crate) fn is_frame(name: &str, role: &str, is_declared: bool) -> bool {
    matches!(name, "nav" | "footer" | "aside" | "dialog" | "menu")
        || name == "header" && !is_declared
        || ROLES.contains(&role)
}

/// Whether the names that a page gives an element say that it is a frame.
pub(crate) fn is_named_as_frame(class: &str, id: &str) -> bool {
    let mut says = false;
    for name in class.split_ascii_whitespace().chain([id]) {
        let name = name.to_ascii_lowercase();
        let mut words = name.split(|c: char| !c.is_alphanumeric());
        if words.clone().any(|word| MORE.contains(&word)) {
            return false;
        }
        says |=
            words.any(|word| WORDS.contains(&word)) || PARTS.iter().any(|part| name.contains(part));
    }
    says
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_frames() {
        for class in
            ["nav menu", "site-footer", "sphinxsidebar", "cookieNotice", "a ads", "side_bar"]
        {
            assert!(is_named_as_frame(class, ""), "{class}");
        }
        assert!(is_named_as_frame("", "footer"));
        for class in
            ["", "story", "has-sidebar", "page no-footer", "main-and-menu", "shadow", "adapter"]
        {
            assert!(!is_named_as_frame(class, ""), "{class}");
        }
    }
}
