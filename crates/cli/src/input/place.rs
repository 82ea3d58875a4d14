//! One document by its place: a file, or of a file of rows one of them, FILE:ROW.

use crate::usage::wrong;
use nearprint_corpus::{ReadOptions, Reader, Record, Source};
use std::path::Path;

/// A file, and the number of a row in it, from 1 on, where one is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place<'a> {
    pub(crate) path: &'a str,
    pub(crate) row: Option<u64>,
}

impl<'a> Place<'a> {
    /// What `given` names. A file whose own name ends in a colon and digits is that file.
    pub(crate) fn of(given: &'a str) -> Self {
        let named = given.rsplit_once(':').filter(|_| !Path::new(given).exists());
        let named = named.filter(|(path, _)| Path::new(path).is_file());
        let named = named.and_then(|(path, row)| Some((path, Some(row.parse().ok()?))));
        let (path, row) = named.unwrap_or((given, None));
        Self { path, row }
    }

    /// The row that `given` names, if it names one.
    pub(crate) fn of_row(given: &'a str) -> Option<Self> {
        Some(Self::of(given)).filter(|place| place.row.is_some())
    }

    /// Says that the file has no such row, but so many.
    pub(crate) fn missing<T>(self, rows: u64) -> anyhow::Result<T> {
        let row = self.row.unwrap_or(1);
        wrong(format!("{}:{row}: no such row; the file has {rows}", self.path))
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
        let (mut rows, mut only) = (0, None);
        for batch in Reader::new(sources, options) {
            for record in batch?.records() {
                rows += 1;
                match row {
                    Some(row) if rows == row => return take(&record).map(Some),
                    None if rows == 1 => only = Some(take(&record)?),
                    None => {
                        return wrong(format!(
                            "{path}: more than one row; name one of them, such as {path}:1"
                        ));
                    }
                    Some(_) => {}
                }
            }
        }
        if row.is_some() { self.missing(rows) } else { Ok(only) }
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
        assert_eq!(Place::of(&third), Place { path: &path, row: Some(3) });
        for whole in [&path, &seventh, &none, "no:3", "https://example.org:80"] {
            assert_eq!(Place::of(whole), Place { path: whole, row: None });
        }
    }
}
