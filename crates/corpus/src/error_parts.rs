//! Parts of the messages of errors.

use std::fmt;
use std::io;
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
        Some("decisions") => "; name the corpus that it was made of",
        Some("file" | "database") => "; write its rows as Parquet or JSONL",
        _ if kind.starts_with("compressed") => "; decompress it first",
        Some("data") => "; if it is text, name its character set",
        _ => "",
    }
}

/// Why an output cannot be written: the file on its way, where a folder is needed there.
pub(crate) struct Unwritten<'a>(pub(crate) &'a str, pub(crate) &'a io::Error);

impl fmt::Display for Unwritten<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(path, source) = self;
        let needs_folder =
            matches!(source.kind(), io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists);
        // Without a slash at its end, behind which no file is.
        let mut above = Path::new(path).components().as_path().ancestors();
        match above.find(|above| needs_folder && above.is_file()) {
            Some(file) => write!(f, "{} is a file, and a folder is expected", file.display()),
            None if source.kind() == io::ErrorKind::FileTooLarge => {
                write!(
                    f,
                    "{source}; raise the limit for files (ulimit -f) or write to another file system"
                )
            }
            None => source.fmt(f),
        }
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
