//! Captures that say no more than that a page could not be shown: errors that were sent with status 200.

use nearprint_corpus::CaptureId;
use nearprint_dedup::Excerpt;

/// Bytes of the longest text that is looked at: a page about errors says more.
const LONGEST: u64 = 1500;

/// What such pages say, in lower case.
const SIGNS: [&str; 16] = [
    "404",
    "page not found",
    "not be found",
    "page does not exist",
    "page doesn\u{2019}t exist",
    "page doesn't exist",
    "no longer available",
    "access denied",
    "access to this page has been denied",
    "403 forbidden",
    "bad gateway",
    "service unavailable",
    "internal server error",
    "just a moment",
    "enable javascript",
    "are you a human",
];

/// Whether this is a capture of such a page.
pub(super) fn is_error_page(excerpt: &Excerpt) -> bool {
    let id = serde_json::from_str::<String>(&excerpt.id).unwrap_or_default();
    if excerpt.bytes > LONGEST || CaptureId::parse(&id).is_none() {
        return false;
    }
    let text = excerpt.text.to_lowercase();
    SIGNS.iter().any(|sign| text.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_captures_that_excuse_themselves_are_error_pages() {
        let excerpt = |id: &str, text: &str| Excerpt {
            id: serde_json::Value::from(id).to_string(),
            text: text.to_owned(),
            bytes: text.len() as u64,
        };
        let capture = "http://a.example/ 2026-01-31T00:00:00Z";
        let said = "Sorry! The page you asked for could not be found.";
        assert!(is_error_page(&excerpt(capture, said)));
        assert!(is_error_page(&excerpt(capture, "Just a moment... checking your browser")));
        assert!(!is_error_page(&excerpt("news-7", said)));
        assert!(!is_error_page(&excerpt(capture, "The quick brown fox.")));
        assert!(!is_error_page(&excerpt(capture, &said.repeat(40))));
    }
}
