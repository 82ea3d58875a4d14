//! What is looked at before the database opens its files, which changes them: it cuts a journal at the first record that
//! does not check, and removes what its lists do not name. Nothing is written here before all of it was looked at.

use crate::disk::acknowledged::{self, Acknowledged};
use crate::disk::manifest::Manifest;
use crate::disk::parts;
use crate::disk::truth::{self, KEYSPACES, META, SEGMENTS};
use crate::error::Error;
use crate::raw::groups::Groups;
use crate::raw::journal::{Part, Record, parts as parts_of};
use crate::raw::listed::{Listed, TABLES};
use crate::raw::remains::{Keyspaces, Tables, folder, journals, numbered};
use std::fs::{self, OpenOptions};
use std::path::Path;

/// Bytes of tables that are read whole, the latest tables first. Of the others their lists are read, and `verify` reads
/// the rest.
const READ: u64 = 64 << 20;

/// What the database of a store holds, as far as is known before it is opened.
#[derive(Debug)]
struct Found {
    groups: Groups,
    /// The place of the last record of a journal.
    place: Option<u64>,
    /// The keyspace of the list of segments, and the latest one.
    meta: u64,
    segments: Option<Vec<u8>>,
}

/// Looks at the database of the store at `store`. When this returns `Ok`, its last journal ends with a whole record: a
/// record that was never acknowledged, because its writing ended midway, is cut off.
///
/// # Errors
/// [`Error::Damaged`], [`Error::LostTail`] and [`Error::UnknownTail`]. Then nothing was written.
///
/// # Complexity
/// Reads the journals, the lists of tables, and tables up to 64 MiB.
pub(crate) fn examine(store: &Path) -> Result<(), Error> {
    let database = store.join(truth::FOLDER);
    let damaged = |said: String| Error::Damaged { path: database.clone(), said };
    if let Some(part) = parts::missing(&database).map_err(Error::io(&database))? {
        return Err(damaged(format!("{part} is missing")));
    }
    let numbers = keyspaces(&database)?;
    tables(&database, &numbers)?;
    let keyspaces = Keyspaces::of(&database, &KEYSPACES);
    let meta = keyspaces.number(META);
    let segments = Tables::of(&database, meta).rows().find(|row| row.key == SEGMENTS.as_bytes());
    let segments = segments.and_then(|row| row.value);
    let groups = Groups::in_tables(&database, &keyspaces);
    let mut found = Found { groups, place: None, meta, segments };
    let mut cut = None;
    let journals = journals(&database).map_err(Error::io(&database))?;
    for (at, (number, path)) in journals.iter().enumerate() {
        if let Some((before, _)) = at.checked_sub(1).and_then(|before| journals.get(before))
            && before + 1 != *number
        {
            return Err(damaged(format!("{}.jnl is missing", before + 1)));
        }
        let bytes = fs::read(path).map_err(Error::io(path))?;
        let name = path.file_name().unwrap_or_default().display();
        let whole = found.journal(&bytes).map_err(|said| damaged(format!("{name}: {said}")))?;
        if whole < bytes.len() {
            if at + 1 < journals.len() {
                return Err(damaged(format!("{name}: the record at byte {whole} is not whole")));
            }
            let written = bytes.len() - bytes.iter().rev().take_while(|byte| **byte == 0).count();
            cut = Some((path, whole, written.saturating_sub(whole) as u64));
        }
    }
    match Acknowledged::last_of(store)? {
        Some(answered) if found.groups.commits < answered => {
            return Err(Error::LostTail {
                path: store.to_owned(),
                acknowledged: answered,
                found: found.groups.commits,
            });
        }
        Some(_) => {}
        None => {
            let acknowledged_file = store.join(acknowledged::FILE);
            if let Some((.., bytes)) = cut {
                return Err(Error::UnknownTail { path: database, bytes, acknowledged_file });
            }
            // The first opening of a store writes how far it is.
            if found.groups.documents.is_none() {
                let gone = acknowledged_file.display();
                return Err(damaged(format!(
                    "nothing in it records its last write, and neither does {gone}, which is gone or damaged"
                )));
            }
        }
    }
    if let Some(segments) = &found.segments {
        let manifest: Option<Manifest> = serde_json::from_slice(segments).ok();
        if !manifest.is_some_and(|manifest| manifest.is_whole()) {
            return Err(damaged("the list of segments is invalid".to_owned()));
        }
    }
    if let Some((path, whole, _)) = cut {
        let file = OpenOptions::new().write(true).open(path);
        let cut = file.and_then(|file| file.set_len(whole as u64).and_then(|()| file.sync_all()));
        cut.map_err(Error::io(path))?;
    }
    Ok(())
}

/// The numbers of the keyspaces.
fn keyspaces(database: &Path) -> Result<Vec<u64>, Error> {
    let numbers = numbered(database).map_err(Error::io(database))?;
    let numbers: Result<Vec<u64>, String> = numbers.into_iter().collect();
    numbers.map_err(|name| {
        let said = format!("{name} is not part of it");
        Error::Damaged { path: database.to_owned(), said }
    })
}

/// Looks at the tables of all keyspaces.
fn tables(database: &Path, keyspaces: &[u64]) -> Result<(), Error> {
    let damaged = |said| Error::Damaged { path: database.to_owned(), said };
    let mut all: Vec<(Listed, u64)> = Vec::new();
    for number in keyspaces {
        let folder = folder(database, *number);
        for table in Listed::all(&folder).map_err(damaged)? {
            let said = || format!("{} is missing", below(&table.path, database));
            let bytes = fs::metadata(&table.path).map_err(|_| damaged(said()))?.len();
            all.push((table, bytes));
        }
        let tables = folder.join(TABLES);
        for entry in fs::read_dir(&tables).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.parse::<u64>().is_err() && name != ".DS_Store" && !name.starts_with("._") {
                return Err(damaged(format!("{} is not a table", below(&entry.path(), database))));
            }
        }
    }
    // Small ones first: those of most keyspaces, and the latest ones.
    all.sort_by_key(|(_, bytes)| *bytes);
    let mut read = 0;
    for (table, bytes) in all {
        read += bytes;
        if read > READ {
            break;
        }
        if !table.is_whole().map_err(Error::io(&table.path))? {
            let said = "does not match its checksum";
            return Err(damaged(format!("{} {said}", below(&table.path, database))));
        }
    }
    Ok(())
}

/// A file of the database, as a message names it.
fn below(path: &Path, database: &Path) -> String {
    path.strip_prefix(database).unwrap_or(path).display().to_string()
}

impl Found {
    /// Looks at a journal. Returns where its last whole record ends, or its length where only zeros follow.
    fn journal(&mut self, bytes: &[u8]) -> Result<usize, String> {
        let (mut damage, mut end) = (None, 0);
        for part in parts_of(bytes) {
            let record = match part {
                Part::Record(record) => record,
                Part::Damage(at) => {
                    damage = damage.or(Some(at.start));
                    continue;
                }
            };
            let (at, before) = (record.at.start, self.groups.commits);
            let missing = self.groups.take(&record);
            if let Some(damage) = damage {
                // What was written after the last group that was answered may be lost, whatever of it is whole.
                if self.groups.commits > before {
                    return Err(format!(
                        "the record at byte {damage} fails its checksum, and whole ones follow it at byte {at}"
                    ));
                }
                continue;
            }
            if !missing.is_empty() {
                let (first, last) = (missing.start, missing.end - 1);
                return Err(format!("groups {first} to {last} are missing before byte {at}"));
            }
            if record.place.is_none_or(|place| self.place >= Some(place)) {
                return Err(format!("the start of the record at byte {at} is invalid"));
            }
            self.place = record.place;
            self.note(&record);
            end = record.at.end;
        }
        Ok(if damage.is_some() { end } else { bytes.len() })
    }

    /// Notes the list of segments, if a record has one.
    fn note(&mut self, record: &Record<'_>) {
        let is_list = |key: &[u8]| key == SEGMENTS.as_bytes();
        let mut of_meta = record.changes.iter().filter(|change| change.keyspace == self.meta);
        if let Some(change) = of_meta.rfind(|change| is_list(change.key)) {
            self.segments = change.value().map(|value| value.into_owned());
        }
    }
}
