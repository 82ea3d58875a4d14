//! Names of outputs: an ending that says another format than the file has is refused.

use clap::builder::{PathBufValueParser, TypedValueParser};
use nearprint_corpus::InputFormat;
use std::path::{Path, PathBuf};

/// Endings of pictures and documents, of which no reader of rows knows.
const OTHERS: [&str; 4] = ["pdf", "png", "svg", "xlsx"];

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Rows,
    Figures,
    Page,
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

fn named(path: PathBuf, content: Content) -> Result<PathBuf, String> {
    let Some(told) = told(&path) else { return Ok(path) };
    let (fits, held, ending) = match content {
        Content::Rows => (["jsonl", "text", "lines"], "JSON lines", ".jsonl"),
        Content::Figures => (["jsonl", "text", "lines"], "JSON", ".json"),
        Content::Page => (["html", "", ""], "HTML", ".html"),
    };
    if fits.contains(&told.as_str()) {
        return Ok(path);
    }
    Err(format!("the file holds {held}, and its name says {told}: let the name end in {ending}"))
}

/// The format that a name says.
fn told(path: &Path) -> Option<String> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match InputFormat::of_name(path) {
        Some(format) => Some(format.to_string()),
        None => ending.filter(|ending| OTHERS.contains(&ending.as_str())),
    }
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
        for name in ["a.csv", "a.PARQUET", "a.tsv.gz", "a.html", "a.pdf", "a.arrow", "a.warc"] {
            let refused = of(name, Content::Rows).unwrap_err();
            assert!(refused.ends_with("let the name end in .jsonl"), "{refused}");
        }
        for name in ["-", "page", "a.html", "a.htm"] {
            assert_eq!(of(name, Content::Page), Ok(()), "{name}");
        }
        assert_eq!(
            of("a.pdf", Content::Page).unwrap_err(),
            "the file holds HTML, and its name says pdf: let the name end in .html"
        );
        assert!(of("a.csv", Content::Page).is_err() && of("a.jsonl", Content::Page).is_err());
    }
}
