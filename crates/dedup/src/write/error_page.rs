//! Pages that say no more than that a page could not be shown: a warning and the report of a job mark them.

use crate::write::excerpts::Excerpt;

/// Bytes of the longest error page: a page about errors says more.
const LONGEST: u64 = 2000;
/// What error pages say, in lower case.
const SIGNS: [&str; 31] = [
    "403 forbidden",
    "access denied",
    "access to this page has been denied",
    "are you a human",
    "are you a robot",
    "bad gateway",
    "captcha",
    "checking your browser",
    "cookies are disabled",
    "enable cookies",
    "enable javascript",
    "gateway timeout",
    "http error",
    "internal server error",
    "javascript is disabled",
    "just a moment",
    "link is broken",
    "no longer available",
    "not be found",
    "not found",
    "page cannot be displayed",
    "page does not exist",
    "page doesn't exist",
    "page doesn\u{2019}t exist",
    "permission denied",
    "service unavailable",
    "session has expired",
    "something went wrong",
    "too many requests",
    "verify you are human",
    "you are being redirected",
];

impl Excerpt {
    /// Whether the text is short and has words of an error page, in English.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::Excerpt;
    ///
    /// let text = "404 Not Found - nginx".to_owned();
    /// assert!(Excerpt { bytes: 21, text, ..Excerpt::default() }.is_error_page());
    /// ```
    #[must_use]
    pub fn is_error_page(&self) -> bool {
        let text = if self.bytes <= LONGEST { self.text.to_lowercase() } else { String::new() };
        SIGNS.iter().any(|sign| text.contains(sign))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_page_is_short_and_says_so() {
        let page =
            |text: &str, bytes| Excerpt { text: text.to_owned(), bytes, ..Excerpt::default() };
        assert!(page("404 Not Found - nginx", 21).is_error_page());
        assert!(page("Sorry! The page you asked for could not be found.", 49).is_error_page());
        assert!(!page("404 Not Found - nginx", LONGEST + 1).is_error_page());
        assert!(!page("A plain text", 12).is_error_page());
    }
}
