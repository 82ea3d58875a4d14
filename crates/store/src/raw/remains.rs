//! The rows of a keyspace, out of all its tables, as far as they can be read.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use crate::raw::blocks::{Blocks, Next, Row};
use crate::raw::listed::Listed;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

/// The folder of the keyspaces of a database.
const KEYSPACES: &str = "keyspaces";
/// The keyspace of the names of the others.
const NAMES: u64 = 0;
/// How the name of a journal ends.
const JOURNAL: &str = "jnl";

/// The numbers of keyspaces, by their names.
#[derive(Debug)]
pub(crate) struct Keyspaces(BTreeMap<String, u64>);

impl Keyspaces {
    /// The keyspaces of the database in a folder: those that it names, and `order`, as they are made in a new one, where it
    /// does not tell.
    pub(crate) fn of(database: &Path, order: &[&str]) -> Self {
        let usual = order.iter().zip(1..).map(|(name, number)| ((*name).to_owned(), number));
        let mut numbers: BTreeMap<_, _> = usual.collect();
        let tables = Tables::of(database, NAMES);
        for Row { key, value, .. } in tables.rows() {
            let number = key.strip_prefix(b"n").and_then(|key| key.try_into().ok());
            if let (Some(number), Some(Ok(name))) = (number, value.map(String::from_utf8)) {
                numbers.insert(name, u64::from_be_bytes(number));
            }
        }
        Self(numbers)
    }

    /// The number of a keyspace.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or(u64::MAX)
    }
}

/// The tables of a keyspace that are there.
#[derive(Debug)]
pub(crate) struct Tables {
    listed: Vec<Listed>,
    /// Whether a table is missing altogether.
    missing: bool,
    /// Whether a row may be one of the keyspace.
    is_row: fn(&Row) -> bool,
}

/// Keys between which rows may be missing, without the two; `None` where there is none before or behind.
pub(crate) type Gap = (Option<Vec<u8>>, Option<Vec<u8>>);

impl Tables {
    /// The tables of the keyspace with this number: those of its list, or all that are in its folder.
    pub(crate) fn of(database: &Path, number: u64) -> Self {
        let folder = folder(database, number);
        let listed = Listed::all(&folder).or_else(|_| Listed::unlisted(&folder));
        let (count, listed) = (listed.as_ref().map(Vec::len), listed.iter().flatten().cloned());
        let listed: Vec<_> = listed.filter_map(|table| table.found(database)).collect();
        Self { missing: count.ok() != Some(listed.len()), listed, is_row: |_| true }
    }

    /// The same, where a block with any other row is damage: it is of another keyspace.
    pub(crate) fn of_rows(self, is_row: fn(&Row) -> bool) -> Self {
        Self { is_row, ..self }
    }

    /// The rows in the order of their keys: of each key the one with the latest place, also if that removed it.
    pub(crate) fn rows(&self) -> Rows {
        Rows::of(self)
    }

    /// The place of the latest row, and where rows are missing.
    pub(crate) fn survey(&self) -> (Option<u64>, Vec<Gap>) {
        let mut rows = self.rows();
        let latest = rows.by_ref().map(|row| row.place).max();
        let mut gaps = rows.gaps;
        if self.missing {
            gaps.push((None, None));
        }
        (latest, gaps)
    }
}

/// See [`Tables::rows`].
pub(crate) struct Rows {
    sources: Vec<Source>,
    gaps: Vec<Gap>,
}

/// A table, and its row that comes next.
struct Source {
    blocks: Option<Blocks>,
    rows: IntoIter<Row>,
    behind: u64,
    is_row: fn(&Row) -> bool,
    head: Option<Row>,
}

impl Source {
    /// Takes the head, and goes on to the next row.
    fn advance(&mut self, gaps: &mut Vec<Gap>) -> Option<Row> {
        let mut hurt = false;
        let next = loop {
            if let Some(mut row) = self.rows.next() {
                row.place = row.place.saturating_add(self.behind);
                break Some(row);
            }
            match self.blocks.as_mut().map(Blocks::next) {
                Some(Ok(Some(Next::Rows(rows)))) if rows.iter().all(self.is_row) => {
                    self.rows = rows.into_iter();
                }
                Some(Ok(Some(_))) => hurt = true,
                None | Some(Ok(None)) => break None,
                Some(Err(_)) => {
                    (self.blocks, hurt) = (None, true);
                    break None;
                }
            }
        };
        if hurt {
            let key = |row: &Option<Row>| row.as_ref().map(|row| row.key.clone());
            gaps.push((key(&self.head), key(&next)));
        }
        std::mem::replace(&mut self.head, next)
    }
}

impl Rows {
    fn of(tables: &Tables) -> Self {
        let mut gaps = Vec::new();
        let mut sources = Vec::new();
        for table in &tables.listed {
            let blocks = Blocks::open(&table.path).ok();
            if blocks.is_none() {
                gaps.push((None, None));
            }
            let rows = Vec::new().into_iter();
            let (behind, is_row) = (table.behind, tables.is_row);
            let mut source = Source { blocks, rows, behind, is_row, head: None };
            source.advance(&mut gaps);
            sources.push(source);
        }
        Self { sources, gaps }
    }
}

impl Iterator for Rows {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let heads = self.sources.iter().filter_map(|source| source.head.as_ref());
        let key = heads.map(|row| &row.key).min()?.clone();
        let mut latest: Option<Row> = None;
        for source in &mut self.sources {
            while source.head.as_ref().is_some_and(|row| row.key == key) {
                let row = source.advance(&mut self.gaps);
                if row.as_ref().map(|row| row.place) > latest.as_ref().map(|row| row.place) {
                    latest = row;
                }
            }
        }
        latest
    }
}

/// The folder of a keyspace.
pub(crate) fn folder(database: &Path, number: u64) -> PathBuf {
    database.join(KEYSPACES).join(number.to_string())
}

/// The numbers of the keyspaces that have a folder, and the names of folders that are none.
pub(crate) fn numbered(database: &Path) -> io::Result<Vec<Result<u64, String>>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(database.join(KEYSPACES))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            let name = entry.file_name().to_string_lossy().into_owned();
            found.push(name.parse().map_err(|_| format!("{KEYSPACES}/{name}")));
        }
    }
    found.sort();
    Ok(found)
}

/// The journals of a database with their numbers, the oldest first.
pub(crate) fn journals(database: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let mut journals = Vec::new();
    for entry in fs::read_dir(database)? {
        let path = entry?.path();
        let number = path.file_stem().and_then(|name| name.to_str()?.parse().ok());
        if let Some(number) = number
            && path.extension().is_some_and(|extension| extension == JOURNAL)
        {
            journals.push((number, path));
        }
    }
    journals.sort();
    Ok(journals)
}

/// Numbers between two keys that are numbers.
pub(crate) fn between(gap: &Gap, end: u64) -> Range<u64> {
    let number = |key: &Vec<u8>| key.as_slice().try_into().ok().map(u64::from_be_bytes);
    let first = gap.0.as_ref().and_then(number).map_or(0, |number| number.saturating_add(1));
    first..gap.1.as_ref().and_then(number).unwrap_or(end)
}
