//! One document by its place: a file, or of a file of rows one of them, FILE:LINE, as ids and messages have it.

use crate::usage::wrong;
use nearprint_corpus::{ReadOptions, Reader, Record, Source};
use nearprint_dedup::no_such_row;
use std::ffi::OsStr;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A file, and where a row of it is named, the line in which that begins; of archives the number of the record. Both
/// count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place<'a> {
    pub(crate) path: &'a OsStr,
    pub(crate) row: Option<u64>,
}

impl<'a> Place<'a> {
    /// What `given` names. A file whose own name ends in a colon and digits is that file.
    pub(crate) fn of(given: &'a OsStr) -> Self {
        let named = numbered(given).filter(|_| !Path::new(given).exists());
        let named = named.filter(|(path, _)| Path::new(path).is_file());
        let (path, row) = named.map_or((given, None), |(path, row)| (path, Some(row)));
        Self { path, row }
    }

    /// The row that `given` names, if it names one.
    pub(crate) fn of_row(given: &'a OsStr) -> Option<Self> {
        Some(Self::of(given)).filter(|place| place.row.is_some())
    }

    /// Whether a record is the row that is named; `number` is its own among the records.
    pub(crate) fn is_at(self, record: &Record<'_>, number: u64) -> bool {
        self.row == Some(record.number(number))
    }

    /// Says that the file has no such row, but so many, the first of them by that number.
    pub(crate) fn missing<T>(self, rows: u64, first: u64) -> anyhow::Result<T> {
        let row = self.row.unwrap_or(1);
        wrong(no_such_row(&format!("{}:{row}", self.path.display()), row, rows, first))
    }

    /// What `take` makes of the one document that is named in `sources`, which hold the file: of its row, or where
    /// none is named of the only one. `None` of a file without any.
    pub(crate) fn document<T>(
        self,
        sources: &[Source],
        options: ReadOptions,
        mut take: impl FnMut(&Record<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<Option<T>> {
        let Self { path, row } = self;
        let (mut rows, mut first, mut only) = (0, 1, None);
        for batch in Reader::new(sources, options) {
            for record in batch?.records() {
                rows += 1;
                if rows == 1 {
                    first = record.number(rows);
                }
                match row {
                    Some(_) if self.is_at(&record, rows) => return take(&record).map(Some),
                    None if rows == 1 => {
                        only = Some(take(&record)?);
                    }
                    None => {
                        let path = path.display();
                        return wrong(format!(
                            "{path}: more than one row; name one of them, such as {path}:{first}"
                        ));
                    }
                    Some(_) => {}
                }
            }
        }
        if row.is_some() { self.missing(rows, first) } else { Ok(only) }
    }
}

/// What stands before a colon and a number at the end, with the number.
fn numbered(given: &OsStr) -> Option<(&OsStr, u64)> {
    #[cfg(unix)]
    {
        let bytes = given.as_bytes();
        let colon = bytes.iter().rposition(|byte| *byte == b':')?;
        let row = str::from_utf8(bytes.get(colon + 1..)?).ok()?.parse().ok()?;
        Some((OsStr::from_bytes(bytes.get(..colon)?), row))
    }
    #[cfg(not(unix))]
    {
        let (path, row) = given.to_str()?.rsplit_once(':')?;
        Some((path.as_ref(), row.parse().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_named_behind_a_file_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl").display().to_string();
        std::fs::write(&path, "").unwrap();
        std::fs::write(format!("{path}:7"), "").unwrap();
        let (third, seventh, none) =
            (format!("{path}:3"), format!("{path}:7"), format!("{path}:x"));
        let place = |given: &str, path: &str, row| {
            assert_eq!(Place::of(given.as_ref()), Place { path: path.as_ref(), row });
        };
        place(&third, &path, Some(3));
        for whole in [&path, &seventh, &none, "no:3", "https://example.org:80"] {
            place(whole, whole, None);
        }
    }
}
