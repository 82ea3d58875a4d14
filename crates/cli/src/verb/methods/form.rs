//! The two forms of what a paper takes, and what is cited.

use clap::ValueEnum;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text with a table of Markdown
    Markdown,
    /// Text with a tabular of LaTeX (booktabs)
    Latex,
}

/// What is cited: nearprint as CITATION.cff has it, and the paper that it names.
pub(super) const ENTRIES: [&str; 2] = [
    "@software{nearprint,
  author = {{the nearprint developers}},
  title = {nearprint},
  version = {VERSION},
  url = {https://github.com/nearprint/nearprint}
}
",
    "@inproceedings{manku2007detecting,
  author = {Manku, Gurmeet Singh and Jain, Arvind and Das Sarma, Anish},
  title = {Detecting near-duplicates for web crawling},
  booktitle = {Proceedings of the 16th International Conference on World Wide Web (WWW 2007)},
  publisher = {ACM},
  year = {2007},
  pages = {141--150},
  doi = {10.1145/1242572.1242592}
}
",
];

/// Text without what LaTeX takes for more than text.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' | '&' | '#' | '_' | '$' | '{' | '}' => out.extend(['\\', character]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            other => out.push(other),
        }
    }
    out
}

/// A recipe by its name, where it has one.
pub(super) fn recipe_said(name: &str) -> String {
    match name {
        "unnamed" => "a recipe without a name".to_owned(),
        name => format!("recipe {name}"),
    }
}
