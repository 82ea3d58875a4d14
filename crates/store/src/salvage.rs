//! Brings over what can be read of a damaged database into a new store. The damaged one is only read, and not by the
//! database.
//!
//! Each block of a table has a checksum, and so has each record of a journal: every document in one that checks is brought
//! over, unless it was deleted or replaced later.

use crate::disk::acknowledged::Acknowledged;
use crate::disk::document::Document;
use crate::disk::lock::own;
use crate::disk::logged::Logged;
use crate::disk::truth::{self, DEAD, DOCUMENTS, HISTORY, IDS, KEYSPACES};
use crate::error::Error;
use crate::options::Options;
use crate::raw::blocks::Row;
use crate::raw::groups::Groups;
use crate::raw::journal::{Part, parts};
use crate::raw::order::ordered;
use crate::raw::remains::{Gap, Keyspaces, Tables, between, journals};
use crate::settings::Settings;
use crate::store::Store;
use crate::writing::write::Write;
use nearprint_fingerprint::Width;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Documents that are brought over together.
const TOGETHER: usize = 4096;
/// Most ids of lost documents that are told.
const IDS_TOLD: usize = 10_000;

/// What was brought over, and what was not. [`Store::salvage`](crate::Store::salvage) has an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Salvaged {
    /// Documents in the new store.
    pub documents: u64,
    /// Numbers of documents that could not be read, ascending. Some of them may have been deleted before.
    pub lost: Vec<Range<u64>>,
    /// The ids of documents that could not be read, as far as the list of ids tells them; at most 10,000.
    pub ids: Vec<String>,
    /// Bytes of the journal that do not check and that no table has: writes are missing. 0 if it is whole.
    pub journal_cut: u64,
    /// Groups of writes that the damaged store answered and that its database does not have any more, as far as their
    /// numbers and the file of acknowledged writes tell: one request to write, or several at a time.
    pub groups_missing: u64,
    /// Documents that the damaged store had, by its own count behind the last group of writes that can be read; `None`
    /// where that cannot be read.
    pub counted: Option<u64>,
}

impl Salvaged {
    /// Whether nothing is missing: all was read, and it is as many documents as the damaged store counted.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let Self { documents, lost, journal_cut, groups_missing, counted, .. } = self;
        lost.is_empty() && (*journal_cut, *groups_missing) == (0, 0) && *counted == Some(*documents)
    }
}

/// Takes documents on their way to the new store.
struct Target<'a> {
    store: &'a Store,
    waiting: Vec<Write>,
}

impl Target<'_> {
    fn take(&mut self, document: Document) -> Result<(), Error> {
        // Where it is not known that a document was deleted, a later one may have its id.
        self.waiting.push(Write::Update(document));
        if self.waiting.len() == TOGETHER { self.store() } else { Ok(()) }
    }

    fn store(&mut self) -> Result<(), Error> {
        let outcomes = self.store.write_all(std::mem::take(&mut self.waiting))?;
        outcomes.into_iter().try_for_each(|outcome| outcome.map(drop))
    }
}

impl Store {
    /// Makes a store in the folder `to`, new or empty, of what can be read of the store in `from`, which nobody
    /// may have open. Documents keep their order, times and metadata.
    ///
    /// # Errors
    /// [`Error::Damaged`] where nothing can be read; [`Error::Taken`]; [`Error::InUse`]; an error of the disk. After an
    /// error nothing is left of the new store, and the damaged one is as it was in any case.
    ///
    /// # Complexity
    /// Reads the tables of the documents twice and all else once, and writes all documents. Memory: that of [`Options`], the
    /// documents in the journals, and 16 bytes for each document that was deleted.
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Width;
    /// # use nearprint_store::{AnyFingerprint, Options, Settings, Store};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let (damaged, new) = (room.path().join("damaged"), room.path().join("new"));
    /// let store = Store::create(&damaged, &Settings::ready_made(Width::W64))?;
    /// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
    /// drop(store);
    /// let salvaged = Store::salvage(&damaged, &new, &Options::default())?;
    /// assert_eq!((salvaged.documents, salvaged.lost.len()), (1, 0));
    /// assert_eq!(Store::open(&new)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn salvage(
        from: impl AsRef<Path>,
        to: impl AsRef<Path>,
        options: &Options,
    ) -> Result<Salvaged, Error> {
        Self::salvage_at(from.as_ref(), to.as_ref(), options)
    }

    fn salvage_at(from: &Path, to: &Path, options: &Options) -> Result<Salvaged, Error> {
        let (_lock, settings) = own(from, Settings::read)?;
        let database = from.join(truth::FOLDER);
        if !database.is_dir() {
            let said = format!("{} is missing", truth::FOLDER);
            return Err(Error::Damaged { path: database, said });
        }
        let remains = Remains::read(from, &database, settings.width)?;
        let target = Self::create_with(to, &settings, options)?;
        let salvaged = remains.bring_over(&target).and_then(|salvaged| {
            let all_lost = salvaged.documents == 0 && !salvaged.is_whole();
            let said = || "nothing of it can be read".to_owned();
            if all_lost {
                Err(Error::Damaged { path: database, said: said() })
            } else {
                Ok(salvaged)
            }
        });
        drop(target);
        if salvaged.is_err() {
            let _removed = fs::remove_dir_all(to);
        }
        salvaged
    }
}

/// What is known of a database besides the documents in its tables.
struct Remains {
    keyspaces: Keyspaces,
    database: PathBuf,
    documents: Tables,
    /// Where rows of documents are missing in the tables.
    gaps: Vec<Range<u64>>,
    /// Documents that the journals tell of and the tables do not: with their places, and their rows unless they were removed.
    journaled: BTreeMap<u64, (u64, Option<Vec<u8>>)>,
    deleted: BTreeSet<u64>,
    journal_cut: u64,
    groups_missing: u64,
    counted: Option<u64>,
}

impl Remains {
    fn read(store: &Path, database: &Path, width: Width) -> Result<Self, Error> {
        let keyspaces = Keyspaces::of(database, &KEYSPACES);
        let tables = |name| Tables::of(database, keyspaces.number(name));
        let documents = tables(DOCUMENTS).of_rows(match width {
            Width::W64 => |row| is_document(row, Width::W64),
            Width::W128 => |row| is_document(row, Width::W128),
            Width::W256 => |row| is_document(row, Width::W256),
        });
        let dead = tables(DEAD).of_rows(|row| {
            number(&row.key).is_some() && row.value.as_deref().is_none_or(<[u8]>::is_empty)
        });
        let history = tables(HISTORY).of_rows(|row| {
            let logged = |value| Logged::from_value(value).is_some();
            number(&row.key).is_some() && row.value.as_deref().is_none_or(logged)
        });
        let (latest, gaps) = documents.survey();
        let groups = Groups::in_tables(database, &keyspaces);
        let mut remains = Self {
            documents,
            gaps: Vec::new(),
            journaled: BTreeMap::new(),
            deleted: BTreeSet::new(),
            journal_cut: 0,
            groups_missing: 0,
            counted: None,
            database: database.to_owned(),
            keyspaces,
        };
        for row in dead.rows() {
            remains.deleted.extend(number(&row.key));
        }
        for row in history.rows() {
            remains.note(row.value.as_deref());
        }
        let end = remains.journals(store, groups, latest)?;
        let last = remains.documents.rows().filter_map(|row| number(&row.key)).max();
        let end = end.max(last.map_or(0, |last| last + 1));
        remains.close(&gaps, end, latest);
        Ok(remains)
    }

    /// Reads the journals. Returns the number after the last document that they or the tables tell of. `latest`: the place of the
    /// latest row in a table of documents.
    fn journals(
        &mut self,
        store: &Path,
        mut groups: Groups,
        latest: Option<u64>,
    ) -> Result<u64, Error> {
        let [documents, dead, history] =
            [DOCUMENTS, DEAD, HISTORY].map(|name| self.keyspaces.number(name));
        // Damage since the last group of writes, and the place of the last record.
        let (mut hurt, mut place) = (0, 0);
        let journals = journals(&self.database).map_err(Error::io(&self.database))?;
        for (_, path) in journals {
            let Ok(bytes) = fs::read(&path) else { continue };
            for part in ordered(parts(&bytes).collect(), place) {
                let record = match part {
                    Part::Damage(at) => {
                        hurt += at.len() as u64;
                        continue;
                    }
                    Part::Record(record) => record,
                };
                place = record.place.unwrap_or(place);
                let before = groups.commits;
                let missing = groups.take(&record);
                // What came before this record may be in no table.
                let may_lack = latest < place.checked_sub(1);
                if may_lack {
                    self.groups_missing += missing.end.saturating_sub(missing.start);
                }
                if groups.commits > before || !may_lack {
                    self.journal_cut += if may_lack { hurt } else { 0 };
                    hurt = 0;
                }
                for change in &record.changes {
                    let number = number(change.key);
                    if change.keyspace == documents
                        && let Some(number) = number
                    {
                        let row = change.value().map(|row| row.into_owned());
                        self.journaled.insert(number, (place, row));
                    } else if change.keyspace == dead && !change.is_removal() {
                        self.deleted.extend(number);
                    } else if change.keyspace == history {
                        self.note(change.value().as_deref());
                    }
                }
            }
        }
        let answered = Acknowledged::last_of(store)?;
        self.counted = groups.documents;
        let unread = answered.map_or(0, |answered| answered.saturating_sub(groups.commits));
        // Where nothing tells how far the writes are, that is told in place of a number.
        self.groups_missing += if groups.documents.is_some() { unread } else { 0 };
        // What was not answered may be cut.
        self.journal_cut += if unread > 0 || answered.is_none() { hurt } else { 0 };
        let last = self.journaled.last_key_value();
        Ok(groups.next.max(last.map_or(0, |(number, _)| number + 1)))
    }

    /// Leaves of the documents in the journals those that the tables may not have.
    fn close(&mut self, gaps: &[Gap], end: u64, latest: Option<u64>) {
        self.gaps = gaps.iter().map(|gap| between(gap, end)).collect();
        let gaps = &self.gaps;
        self.journaled.retain(|number, (place, _)| {
            Some(*place) > latest || gaps.iter().any(|gap| gap.contains(number))
        });
    }

    /// Notes the deletions of a group of the history.
    fn note(&mut self, value: Option<&[u8]>) {
        if let Some((_, logged)) = value.and_then(Logged::from_value) {
            self.deleted.extend(logged.deleted.iter().map(|(number, _)| *number));
        }
    }

    fn bring_over(mut self, store: &Store) -> Result<Salvaged, Error> {
        let width = store.settings().width;
        let mut target = Target { store, waiting: Vec::new() };
        let (mut found, mut odd) = (Vec::new(), Vec::new());
        let mut take = |number: u64, row: Option<Vec<u8>>| {
            if self.deleted.contains(&number) {
                return Ok(());
            }
            match row.map(|row| Document::from_row(&row, width)) {
                None => return Ok(()),
                Some(None) => odd.push(number..number + 1),
                Some(Some(document)) => {
                    add(&mut found, number);
                    target.take(document)?;
                }
            }
            Ok::<_, Error>(())
        };
        let rows = self.documents.rows().filter_map(|row| Some((number(&row.key)?, row)));
        for (number, row) in rows {
            while let Some(entry) = self.journaled.first_entry()
                && *entry.key() < number
            {
                let (number, (_, row)) = entry.remove_entry();
                take(number, row)?;
            }
            let later = self.journaled.remove(&number).filter(|(place, _)| *place >= row.place);
            take(number, later.map_or(row.value, |(_, row)| row))?;
        }
        for (number, (_, row)) in std::mem::take(&mut self.journaled) {
            take(number, row)?;
        }
        target.store()?;
        let mut lost: Vec<_> = self.gaps.iter().cloned().chain(odd).collect();
        lost.sort_by_key(|range| range.start);
        let lost = minus(lost, found.into_iter());
        let lost = minus(lost, self.deleted.iter().map(|number| *number..number + 1));
        let ids = if lost.is_empty() { Vec::new() } else { self.ids(&lost) };
        let Self { journal_cut, groups_missing, counted, .. } = self;
        let documents = store.len();
        Ok(Salvaged { documents, lost, ids, journal_cut, groups_missing, counted })
    }

    /// The ids of lost documents, as far as they can be read.
    fn ids(&self, lost: &[Range<u64>]) -> Vec<String> {
        let keyspace = self.keyspaces.number(IDS);
        let mut numbers: BTreeMap<Vec<u8>, Option<Vec<u8>>> = BTreeMap::new();
        let is_lost = |value: &[u8]| short(value).is_some_and(|number| has(lost, number));
        for row in Tables::of(&self.database, keyspace).rows() {
            if numbers.len() < IDS_TOLD && row.value.as_deref().is_some_and(is_lost) {
                numbers.insert(row.key, row.value);
            }
        }
        for (_, path) in journals(&self.database).unwrap_or_default() {
            let Ok(bytes) = fs::read(&path) else { continue };
            for part in parts(&bytes) {
                let Part::Record(record) = part else { continue };
                for change in record.changes.iter().filter(|change| change.keyspace == keyspace) {
                    let value = change.value().map(|value| value.into_owned());
                    if value.as_deref().is_some_and(is_lost) {
                        numbers.insert(change.key.to_vec(), value);
                    } else {
                        numbers.remove(change.key);
                    }
                }
            }
        }
        let ids = numbers.into_keys().filter_map(|id| String::from_utf8(id).ok());
        ids.take(IDS_TOLD).collect()
    }
}

/// Whether a row may be one of a document of a store of this width.
fn is_document(row: &Row, width: Width) -> bool {
    let document = |value| Document::from_row(value, width).is_some();
    number(&row.key).is_some() && row.value.as_deref().is_none_or(document)
}

/// Adds a number behind the others, or the last one again.
fn add(ranges: &mut Vec<Range<u64>>, number: u64) {
    match ranges.last_mut() {
        Some(last) if last.end == number => last.end = number + 1,
        _ => ranges.push(number..number + 1),
    }
}

/// What is in `ranges`, which begin one after the other, and not in `others`, which ascend.
fn minus(ranges: Vec<Range<u64>>, others: impl Iterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let mut others = others.peekable();
    let (mut left, mut from) = (Vec::new(), 0);
    for Range { start, end } in ranges {
        from = from.max(start);
        while from < end {
            while others.next_if(|other| other.end <= from).is_some() {}
            let until = others.peek().map_or(end, |other| other.start.clamp(from, end));
            if from < until {
                left.push(from..until);
            }
            from = match others.peek() {
                Some(other) if other.start < end => other.end,
                _ => end,
            };
        }
    }
    left
}

/// Whether a number is in one of these ranges, which ascend.
fn has(ranges: &[Range<u64>], number: u64) -> bool {
    let at = ranges.partition_point(|range| range.end <= number);
    ranges.get(at).is_some_and(|range| range.contains(&number))
}

/// A number that is a key.
fn number(key: &[u8]) -> Option<u64> {
    key.try_into().ok().map(u64::from_be_bytes)
}

/// A number without its leading zeros.
fn short(value: &[u8]) -> Option<u64> {
    (1..=8)
        .contains(&value.len())
        .then(|| value.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_not_lost() {
        let ranges = |ends: &[(u64, u64)]| ends.iter().map(|(a, b)| *a..*b).collect::<Vec<_>>();
        let left = |whole: &[(u64, u64)], others: &[(u64, u64)], expected: &[(u64, u64)]| {
            assert_eq!(minus(ranges(whole), ranges(others).into_iter()), ranges(expected));
        };
        left(&[(0, 10)], &[], &[(0, 10)]);
        left(&[(0, 10)], &[(2, 3), (5, 7)], &[(0, 2), (3, 5), (7, 10)]);
        left(&[(0, 10), (4, 12), (20, 30)], &[(0, 1), (11, 22)], &[(1, 10), (10, 11), (22, 30)]);
        left(&[(5, 6)], &[(0, 9)], &[]);
        left(&[(5, 9)], &[(0, 6), (8, 20)], &[(6, 8)]);
        assert_eq!((short(&[1, 2]), short(&[]), short(&[0; 9])), (Some(258), None, None));
    }
}
