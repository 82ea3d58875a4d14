//! Parts of the messages of errors.

use std::fmt;
use std::path::Path;

/// What to do with a file of some kinds that are no text. Documents of office programs are ZIP archives, too.
pub(crate) fn remedy(kind: &str, path: &str) -> &'static str {
    let ending = Path::new(path).extension().unwrap_or_default().to_ascii_lowercase();
    let ending = ending.to_str().filter(|_| kind == "a ZIP archive");
    match kind.rsplit(' ').next() {
        _ if matches!(ending, Some("docx" | "pptx" | "odt" | "odp" | "epub")) => {
            "; save its text as HTML or plain text first"
        }
        _ if matches!(ending, Some("xlsx" | "ods")) => "; save its table as CSV first",
        _ if kind == "a ZIP archive" => "; unpack it first, or give it as a file if it is WACZ",
        Some("archive") => "; unpack it first",
        Some("file" | "database") => "; write its rows as Parquet or JSONL",
        _ if kind.starts_with("compressed") => "; decompress it first",
        Some("data") => "; if it is text, name its character set",
        _ => "",
    }
}

/// What a head says of a length.
pub(crate) struct Stated(pub(crate) Option<u64>);

impl fmt::Display for Stated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(bytes) => write!(f, ", whose Content-Length says {bytes} bytes"),
            None => Ok(()),
        }
    }
}

/// What helps where a row has more or fewer fields than its header, in a table that has quotes or none.
pub(crate) struct Quoted(pub(crate) bool);

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            true => ", and put quotes around fields with line ends, quotes or delimiters",
            false => {
                "; without quotes no field holds a delimiter or a line end that is not escaped"
            }
        })
    }
}

/// The fields of a row, if it is one.
pub(crate) struct Present<'a>(pub(crate) &'a Option<String>);

impl fmt::Display for Present<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(fields) => write!(f, "; the row has {fields}"),
            None => Ok(()),
        }
    }
}
