//! Labels that the path of a file tells, of records that say nothing: folders named after a value, the folder of the
//! input, and the file.

use crate::documents::fields::Fields;
use crate::printed::{printed, text_of};
use crate::records::source::Source;
use std::path::{Component, Path};

/// The label of a file: its path below the folder of the input.
const FILE: &str = "@file";
/// What stands for no value in a folder's name.
const NONE: &str = "__HIVE_DEFAULT_PARTITION__";

/// Gives a document without a label the one that the path of its file tells.
pub(crate) fn fill(labels: &mut Vec<Option<String>>, fields: &Fields, source: &Source) {
    labels.resize(fields.labels.len(), None);
    for (label, field) in labels.iter_mut().zip(&fields.labels) {
        if label.is_none() {
            *label = match field.as_str() {
                FILE => Some(slashed(source.relative())),
                Fields::FOLDER => folder(source.relative()),
                field => partition(source.name(), field),
            };
        }
    }
}

/// A path with slashes, as on every system.
fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| printed(Path::new(part))).collect();
    parts.join("/")
}

/// The first folder of a path below the input; none of a file that lies in the input itself.
fn folder(path: &Path) -> Option<String> {
    let mut parts = path.components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(folder)), Some(_)) => Some(printed(Path::new(folder))),
        _ => None,
    }
}

/// The value of a field in the name of the last folder that names it, such as `dump=a`: as
/// [Hive](https://duckdb.org/docs/stable/data/partitioning/hive_partitioning), Spark and pyarrow lay out tables, with what
/// a name cannot hold as `%20`.
fn partition(path: &str, field: &str) -> Option<String> {
    let (folders, _) = path.rsplit_once(['/', '\\'])?;
    let value = |part: &str| Some(unescaped(part.strip_prefix(field)?.strip_prefix('=')?));
    folders.rsplit(['/', '\\']).find_map(value).filter(|value| value != NONE)
}

/// A text with the bytes that `%20` and so on stand for.
fn unescaped(text: &str) -> String {
    let (mut bytes, mut left) = (Vec::new(), text.as_bytes());
    while let Some((first, rest)) = left.split_first() {
        let digits = rest.first_chunk::<2>().filter(|_| *first == b'%');
        let byte = digits.and_then(|digits| {
            u8::from_str_radix(str::from_utf8(digits).ok().filter(|it| !it.starts_with('+'))?, 16)
                .ok()
        });
        bytes.push(byte.unwrap_or(*first));
        left = if byte.is_some() { rest.get(2..).unwrap_or_default() } else { rest };
    }
    text_of(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_named_after_a_value_tell_it() {
        for (path, label) in [
            ("dump=a/lang=en/p.parquet", Some("a")),
            ("s3://bucket/t/dump=2024-10/p.parquet", Some("2024-10")),
            ("dump=a/dump=b/p.parquet", Some("b")),
            ("dump=a%2Fb%20c%zz/p.parquet", Some("a/b c%zz")),
            ("dump=%C3%A9%E9/p.parquet", Some("é\u{fffd}e9")),
            (r"t\dump=a\p.parquet", Some("a")),
            ("dump=/p.parquet", Some("")),
            ("dump=__HIVE_DEFAULT_PARTITION__/p.parquet", None),
            ("dump=a.parquet", None),
            ("my-dump=a/p.parquet", None),
            ("dump/p.parquet", None),
        ] {
            assert_eq!(partition(path, "dump").as_deref(), label, "{path}");
        }
    }

    #[test]
    fn a_file_is_in_the_first_folder_below_the_input() {
        let of = |path: &str| (folder(Path::new(path)), slashed(Path::new(path)));
        assert_eq!(
            of("CC-1/segments/x.warc"),
            (Some("CC-1".to_owned()), "CC-1/segments/x.warc".to_owned())
        );
        assert_eq!(of("x.warc"), (None, "x.warc".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn folders_and_files_whose_names_are_no_characters_stay_distinct() {
        use std::os::unix::ffi::OsStrExt;
        let of = |bytes| {
            let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
            (folder(path), slashed(path))
        };
        let told = |name: &str, path: &str| (Some(name.to_owned()), path.to_owned());
        assert_eq!(of(b"d\xe9/x"), told("d\u{fffd}e9", "d\u{fffd}e9/x"));
        assert_eq!(of(b"d\xe8/x"), told("d\u{fffd}e8", "d\u{fffd}e8/x"));
    }
}
