//! What the name of an output states of its content. What an input's name tells is `formats`'.

use crate::compression::Compression;
use crate::error::Error;
use crate::format::InputFormat;
use crate::records::source::Source;
use std::path::Path;

/// Endings of packages, compressions and formats that are not written, with what they state.
const OTHERS: [(&str, &str); 32] = [
    ("7z", "7-Zip"),
    ("avro", "Avro"),
    ("br", "brotli"),
    ("cdx", "CDX"),
    ("cdxj", "CDXJ"),
    ("db", "SQLite"),
    ("docx", "Word"),
    ("duckdb", "DuckDB"),
    ("epub", "EPUB"),
    ("lz", "lzip"),
    ("lz4", "LZ4"),
    ("lzma", "LZMA"),
    ("lzo", "LZO"),
    ("mdb", "LMDB"),
    ("npy", "NumPy"),
    ("orc", "ORC"),
    ("pdf", "PDF"),
    ("png", "PNG"),
    ("rar", "RAR"),
    ("snappy", "Snappy"),
    ("sz", "Snappy"),
    ("sqlite", "SQLite"),
    ("svg", "SVG"),
    ("tar", "tar"),
    ("tgz", "tar"),
    ("wacz", "WACZ"),
    ("xls", "Excel"),
    ("xlsx", "Excel"),
    ("xml", "XML"),
    ("yaml", "YAML"),
    ("z", "compress"),
    ("zip", "ZIP"),
];

/// Whether the name of an output states nothing else than records of a format; standard output has none.
pub(crate) fn fits(path: &Path, format: InputFormat) -> bool {
    if path == Path::new("-") {
        return true;
    }
    let compression = Compression::of_name(path);
    // Brotli has no checksum: only a folder that mirrors such files gets it.
    if compression == Compression::Brotli {
        return false;
    }
    let is_compressed = compression != Compression::None;
    match InputFormat::of_name(path) {
        // Lines of a text are a text. Columns are compressed inside their file.
        Some(told) => {
            (told == format || told == InputFormat::TEXT && format.is_lines())
                && !(is_compressed && format.is_columns())
        }
        None => other_format(path).is_none(),
    }
}

/// The refusal of an output whose name states something else than what is kept of a source, which is of a format.
pub(crate) fn refused(path: &Path, source: &Source, format: InputFormat) -> Error {
    let packed = match Compression::of_name(path) {
        Compression::None => None,
        compression => Some(compression.name()).filter(|_| format.is_columns()),
    };
    let told =
        packed.or_else(|| other_format(path)).or_else(|| Some(InputFormat::of_name(path)?.title()));
    // Rows of columns may stay such.
    let own = source.format().filter(|own| own.is_columns() && *own != format);
    let each = |name: fn(InputFormat) -> &'static str, between: &str| {
        own.into_iter().chain([format]).map(name).collect::<Vec<_>>().join(between)
    };
    Error::OutputFormat {
        path: path.display().to_string(),
        told: told.unwrap_or("something else"),
        input: source.name().to_owned(),
        format: each(InputFormat::title, " or "),
        ending: each(InputFormat::ending, " or .").into(),
        is_text: [source.format(), InputFormat::of_name(path)] == [Some(InputFormat::TEXT); 2],
    }
}

/// What the name of an output states that is no format of records, such as ZIP or PDF.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::other_format;
/// use std::path::Path;
///
/// assert_eq!(other_format(Path::new("kept.tar.gz")), Some("tar"));
/// assert_eq!(other_format(Path::new("kept.jsonl.gz")), None);
/// ```
#[must_use]
pub fn other_format(path: &Path) -> Option<&'static str> {
    let name = match Compression::of_name(path) {
        Compression::None | Compression::Brotli => path,
        _ => Path::new(path.file_stem()?),
    };
    let ending = name.extension()?.to_ascii_lowercase();
    OTHERS.iter().find(|(other, _)| ending == *other).map(|(_, what)| *what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_states_something_else_does_not_fit() {
        let lines: InputFormat = "lines".parse().unwrap();
        for (name, format, does_fit) in [
            ("kept.jsonl.zst", InputFormat::JSONL, true),
            ("kept", InputFormat::JSONL, true),
            ("kept.bak", InputFormat::JSONL, true),
            ("-", InputFormat::WARC, true),
            ("kept.txt.gz", lines, true),
            ("kept.txt", InputFormat::JSONL, false),
            ("kept.HTML", InputFormat::JSONL, false),
            ("kept.zip", InputFormat::JSONL, false),
            ("kept.tar.gz", InputFormat::JSONL, false),
            ("kept.wacz", InputFormat::WARC, false),
            ("kept.warc.gz", InputFormat::WARC, true),
            ("kept.parquet", InputFormat::PARQUET, true),
            ("kept.parquet.gz", InputFormat::PARQUET, false),
            ("kept.jsonl.br", InputFormat::JSONL, false),
        ] {
            assert_eq!(fits(Path::new(name), format), does_fit, "{name}");
        }
    }
}
