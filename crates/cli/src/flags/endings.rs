//! Names of outputs: an ending that says another format than the file has is refused.

use clap::builder::{PathBufValueParser, TypedValueParser};
use nearprint_corpus::{InputFormat, other_format};
use std::path::{Path, PathBuf};

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Rows,
    Figures,
    Page,
    Texts,
}

/// The name of a file of JSON lines.
pub(crate) fn rows() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| named(path, Content::Rows))
}

/// The name of a file of one JSON object.
pub(crate) fn figures() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| named(path, Content::Figures))
}

/// The name of a page of HTML.
pub(crate) fn page() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| named(path, Content::Page))
}

/// Any name, of a file whose content another flag decides.
pub(crate) fn any() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new()
}

/// Refuses the name of a file of texts, or of their rows.
pub(crate) fn check_texts(path: &Path, are_rows: bool) -> Result<(), String> {
    check(path, if are_rows { Content::Rows } else { Content::Texts })
}

fn named(path: PathBuf, content: Content) -> Result<PathBuf, String> {
    check(&path, content).map(|()| path)
}

fn check(path: &Path, content: Content) -> Result<(), String> {
    let other = other_format(path);
    let format = InputFormat::of_name(path).filter(|_| other.is_none());
    let Some(told) = format.map(InputFormat::title).or(other) else {
        return Ok(());
    };
    let is_lines = [Some(InputFormat::JSONL), Some(InputFormat::TEXT)].contains(&format);
    let (fits, held, ending) = match content {
        Content::Rows => (is_lines, "JSON lines", ".jsonl"),
        Content::Figures => (is_lines, "JSON", ".json"),
        Content::Page => (format == Some(InputFormat::HTML), "HTML", ".html"),
        Content::Texts => (
            format == Some(InputFormat::TEXT),
            "plain text",
            ".txt, or in .jsonl with --format json",
        ),
    };
    if fits {
        return Ok(());
    }
    Err(format!("the file holds {held}, and its name says {told}: let the name end in {ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_of_another_format_is_refused() {
        let of = |name: &str, content| named(PathBuf::from(name), content).map(drop);
        for name in ["-", "out", "a.jsonl", "a.json.gz", "a.ndjson", "a.txt", "a.decided"] {
            assert_eq!(
                (of(name, Content::Rows), of(name, Content::Figures)),
                (Ok(()), Ok(())),
                "{name}"
            );
        }
        for name in
            ["a.csv", "a.PARQUET", "a.tsv.gz", "a.html", "a.pdf", "a.arrow", "a.warc", "a.tar.gz"]
        {
            let refused = of(name, Content::Rows).unwrap_err();
            assert!(refused.ends_with("let the name end in .jsonl"), "{refused}");
        }
        for name in ["-", "page", "a.html", "a.htm"] {
            assert_eq!(of(name, Content::Page), Ok(()), "{name}");
        }
        assert_eq!(
            of("a.pdf", Content::Page).unwrap_err(),
            "the file holds HTML, and its name says PDF: let the name end in .html"
        );
        assert!(of("a.csv", Content::Page).is_err() && of("a.jsonl", Content::Page).is_err());
        for name in ["-", "texts", "a.txt", "a.txt.gz"] {
            assert_eq!(of(name, Content::Texts), Ok(()), "{name}");
        }
        for name in ["a.csv", "a.jsonl", "a.json.zst", "a.html", "a.parquet", "a.pdf"] {
            let refused = of(name, Content::Texts).unwrap_err();
            let advice = "let the name end in .txt, or in .jsonl with --format json";
            assert!(refused.starts_with("the file holds plain text, "), "{refused}");
            assert!(refused.ends_with(advice), "{refused}");
        }
    }
}
