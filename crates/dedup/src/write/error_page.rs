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
    "does not exist",
    "doesn't exist",
    "doesn\u{2019}t exist",
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
    "permission denied",
    "service unavailable",
    "session has expired",
    "something went wrong",
    "too many requests",
    "verify you are human",
    "you are being redirected",
];

impl Excerpt {
    /// Whether the text is short, and it, the title or a heading has words of an error page, in English.
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
        if self.bytes > LONGEST {
            return false;
        }
        let said = [&self.text, &self.headings].map(|said| said.to_lowercase());
        SIGNS.iter().any(|sign| said.iter().any(|said| said.contains(sign)))
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
        assert!(page("The page /item/3 that you asked for does not exist.", 51).is_error_page());
        assert!(!page("A plain text", 12).is_error_page());
        let headings = "404 - Page not found".to_owned();
        let of_headings =
            |bytes| Excerpt { headings: headings.clone(), ..page("A plain text", bytes) };
        assert!(of_headings(12).is_error_page() && !of_headings(LONGEST + 1).is_error_page());
    }
}
