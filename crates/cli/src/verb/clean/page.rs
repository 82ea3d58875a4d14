//! The page of `clean --report`: what each step is worth, and the commands that were run. It needs no network.

use crate::show::figures::{count_of, percent};
use crate::verb::clean::figures::{Figures, Row, rows};
use askama::Template;

#[derive(Template)]
#[template(path = "clean.html")]
struct Page<'a> {
    left: String,
    share: String,
    rows: Vec<Row>,
    /// What is said of the input, and of what each step read.
    remarks: Vec<&'a str>,
    commands: &'a [String],
}

/// The page.
pub(super) fn page(figures: &[Figures], commands: &[String]) -> Result<String, askama::Error> {
    let tokens = |of: Option<&Figures>| of.map_or(0, |of| of.size.tokens);
    let (before, left) = (tokens(figures.first()), tokens(figures.last()));
    let (share, left) = (percent(left, before), count_of(left, "token"));
    let remarks = figures.iter().flat_map(|of| &of.remarks).map(String::as_str).collect();
    Page { left, share, rows: rows(figures), remarks, commands }.render()
}
