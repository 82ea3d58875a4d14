//! What an HTML page says of itself in large letters: its title and its first headings.

use htmlize::unescape;
use lol_html::{HtmlRewriter, Settings, text};
use std::cell::RefCell;
use std::rc::Rc;

/// The title and the headings of the two highest ranks, a line each, white space collapsed.
///
/// # Complexity
///
/// Linear in time whatever the page does; memory for the open elements.
pub(crate) fn headings(markup: &str) -> String {
    let lines = Rc::new(RefCell::new(String::new()));
    let on_text = Rc::clone(&lines);
    let settings = Settings::new().with_strict(false).append_element_content_handler(text!(
        "title, h1, h2",
        move |chunk| {
            let mut lines = on_text.borrow_mut();
            lines.push_str(chunk.as_str());
            if chunk.last_in_text_node() {
                lines.push('\n');
            }
            Ok(())
        }
    ));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // As of all text: what was read before an error is what there is.
    let _complete = rewriter.write(markup.as_bytes()).and_then(|()| rewriter.end());
    let lines = lines.take();
    let line = |line: &str| unescape(line).split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = lines.lines().map(line).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_and_headings_are_lines_without_their_tags() {
        let page = "<title>Not&nbsp;found</title><h1>404  &ndash;\n<b>Page</b></h1><p>Text</p><h3>No</h3><h2>Two";
        assert_eq!(headings(page), "Not found\n404 \u{2013}\nPage\nTwo");
        assert_eq!(headings("<p>Text"), "");
    }
}
