//! Brings over what can be read of a damaged database into a new store.
//!
//! A block of the database that cannot be read takes its neighbours along: the documents in the same block, some
//! dozens to hundreds. Every other document is read. A journal that is damaged is cut before the damage.

use crate::disk::acknowledged::Acknowledged;
use crate::disk::document::Document;
use crate::disk::files;
use crate::disk::lock::own;
use crate::disk::truth::{self, Truth};
use crate::error::Error;
use crate::options::Options;
use crate::settings::Settings;
use crate::store_of::StoreOf;
use crate::writing::write::Write;
use nearprint_fingerprint::Fingerprint;
use std::fs::{self, OpenOptions};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Documents that are brought over together.
const TOGETHER: usize = 4096;
/// Most ids of lost documents that are told.
const IDS: usize = 10_000;

/// What was brought over, and what was not. [`Store::salvage`](crate::Store::salvage) has an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Salvaged {
    /// Documents in the new store.
    pub documents: u64,
    /// Numbers of documents that could not be read, ascending. Some of them may have been deleted before.
    pub lost: Vec<Range<u64>>,
    /// The ids of documents that could not be read, as far as the list of ids tells them; at most 10,000.
    pub ids: Vec<String>,
    /// Bytes at the end of the journal that could not be used: the latest writes are missing. 0 if it is whole.
    pub journal_cut: u64,
    /// Groups of writes that the damaged store answered and that its database does not have any more, the latest
    /// ones, as far as the file of acknowledged writes tells: one request to write, or several at a time.
    pub groups_missing: u64,
}

/// Takes documents on their way to the new store.
struct Target<'a, const WORDS: usize> {
    store: &'a StoreOf<WORDS>,
    waiting: Vec<Write<Fingerprint<WORDS>>>,
    stored: u64,
}

impl<const WORDS: usize> Target<'_, WORDS> {
    fn take(&mut self, document: Document<Fingerprint<WORDS>>) -> Result<(), Error> {
        self.waiting.push(Write::Add(document));
        if self.waiting.len() == TOGETHER { self.store() } else { Ok(()) }
    }

    fn store(&mut self) -> Result<(), Error> {
        for outcome in self.store.write_all(std::mem::take(&mut self.waiting))? {
            outcome?;
            self.stored += 1;
        }
        Ok(())
    }
}

impl<const WORDS: usize> StoreOf<WORDS> {
    /// Makes a store in the folder `to`, new or empty, of what can be read of the store in `from`, which nobody
    /// may have open. Documents keep their order, times and metadata.
    ///
    /// # Errors
    /// [`Error::Damaged`] where the database cannot be opened, even without its journal; [`Error::Taken`];
    /// [`Error::InUse`]; an error of the disk. After an error nothing is left of the new store.
    ///
    /// # Complexity
    /// Reads and writes all documents; where a block cannot be read, looks up each document in it.
    pub fn salvage(from: &Path, to: &Path, options: &Options) -> Result<Salvaged, Error> {
        let (_lock, settings) = own(from, Settings::read)?;
        let target = Self::create(to, &settings, options)?;
        let scratch = Scratch(files::unfinished(to));
        let salvaged = scratch.open(from, options).and_then(|(truth, journal_cut)| {
            let answered = Acknowledged::open(from)?.last()?.unwrap_or(0);
            let groups_missing = answered.saturating_sub(truth.progress()?.commits);
            Ok(Salvaged { journal_cut, groups_missing, ..bring_over(&truth, &target)? })
        });
        drop(target);
        if salvaged.is_err() {
            let _removed = fs::remove_dir_all(to);
        }
        salvaged
    }
}

fn bring_over<const WORDS: usize>(
    truth: &Truth,
    target: &StoreOf<WORDS>,
) -> Result<Salvaged, Error> {
    let end = truth.end()?;
    let mut target = Target { store: target, waiting: Vec::new(), stored: 0 };
    let mut lost: Vec<Range<u64>> = Vec::new();
    let mut next = 0;
    while next < end {
        for row in truth.documents_from(&truth.snapshot(), next) {
            let Ok((number, document)) = truth.decode_document::<WORDS>(row) else { break };
            target.take(document)?;
            next = number + 1;
        }
        // Here a block begins that cannot be read, or nothing comes any more.
        while next < end {
            let found = truth.document::<WORDS>(next);
            next += 1;
            match found {
                Ok(Some(document)) => {
                    target.take(document)?;
                    break;
                }
                Ok(None) => {}
                Err(_) => match lost.last_mut() {
                    Some(last) if last.end == next - 1 => last.end = next,
                    _ => lost.push(next - 1..next),
                },
            }
        }
    }
    target.store()?;
    let ids = if lost.is_empty() { Vec::new() } else { ids(truth, &lost) };
    Ok(Salvaged { documents: target.stored, lost, ids, ..Salvaged::default() })
}

/// The ids of lost documents, as far as they can be read.
fn ids(truth: &Truth, lost: &[Range<u64>]) -> Vec<String> {
    let is_lost = |number: u64| {
        let at = lost.partition_point(|range| range.end <= number);
        lost.get(at).is_some_and(|range| range.contains(&number))
    };
    let rows = truth.ids_from(&truth.snapshot(), "").map_while(|row| truth.decode_id(row).ok());
    let ids = rows.filter(|(number, _)| is_lost(*number));
    ids.filter_map(|(_, id)| String::from_utf8(id.to_vec()).ok()).take(IDS).collect()
}

/// A folder for a copy of the database with a shorter journal, which goes when it is no longer needed.
struct Scratch(PathBuf);

impl Scratch {
    /// Opens the database of the store at `from`, or a copy of it with as much of the journal as can be read.
    /// Returns how many bytes of the journal were left out.
    fn open(&self, from: &Path, options: &Options) -> Result<(Truth, u64), Error> {
        let damage = match Truth::open_there(from, options) {
            Ok(truth) => return Ok((truth, 0)),
            Err(damage @ Error::Damaged { .. }) => damage,
            Err(error) => return Err(error),
        };
        let Ok(journals) = journals(&from.join(truth::FOLDER)) else { return Err(damage) };
        let bytes: u64 = journals.iter().map(|(_, bytes)| bytes).sum();
        let opens = |kept| {
            self.copy(from, &journals, kept)?;
            Truth::open_there(&self.0, options)
        };
        if opens(0).is_err() {
            return Err(damage);
        }
        // Of a group of writes that is cut the database takes nothing. So all up to the damaged one is kept.
        let (mut whole, mut damaged) = (0, bytes);
        while whole + 1 < damaged {
            let kept = whole + (damaged - whole) / 2;
            match opens(kept) {
                Ok(_) => whole = kept,
                Err(_) => damaged = kept,
            }
        }
        Ok((opens(whole)?, bytes - whole))
    }

    /// Copies the database of a store, and so many bytes of its journals. Tables are linked where the file
    /// system allows it.
    fn copy(&self, from: &Path, journals: &[(PathBuf, u64)], kept: u64) -> Result<(), Error> {
        self.remove()?;
        let into = self.0.join(truth::FOLDER);
        link_all(&from.join(truth::FOLDER), &into)?;
        let mut left = kept;
        for (journal, bytes) in journals {
            let to = into.join(journal.file_name().unwrap_or_default());
            let kept = left.min(*bytes);
            left -= kept;
            if kept > 0 {
                fs::copy(journal, &to).map_err(Error::io(&to))?;
                let file = OpenOptions::new().write(true).open(&to).map_err(Error::io(&to))?;
                file.set_len(kept).map_err(Error::io(&to))?;
            }
        }
        Ok(())
    }

    fn remove(&self) -> Result<(), Error> {
        match fs::remove_dir_all(&self.0) {
            Err(error) if self.0.exists() => Err(Error::io(&self.0)(error)),
            _ => Ok(()),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The salvage has ended: what cannot be removed is nobody's loss.
        let _removed = self.remove();
    }
}

/// The journals of a database, the oldest first, with their bytes.
fn journals(folder: &Path) -> Result<Vec<(PathBuf, u64)>, Error> {
    let mut journals = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        if !is_journal(&path) {
            continue;
        }
        let number = path.file_stem().and_then(|name| name.to_str()?.parse::<u64>().ok());
        let bytes = fs::metadata(&path).map_err(Error::io(&path))?.len();
        journals.push((number, path, bytes));
    }
    journals.sort();
    Ok(journals.into_iter().map(|(_, path, bytes)| (path, bytes)).collect())
}

fn is_journal(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jnl")
}

/// Copies what is in a folder into another one, without the journals. Tables never change, and are linked.
fn link_all(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(Error::io(to))?;
    for entry in fs::read_dir(from).map_err(Error::io(from))? {
        let entry = entry.map_err(Error::io(from))?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            link_all(&path, &to)?;
        } else if !is_journal(&path) {
            let table = from.file_name().is_some_and(|name| name == "tables");
            let linked = table && fs::hard_link(&path, &to).is_ok();
            if !linked {
                fs::copy(&path, &to).map_err(Error::io(&to))?;
            }
        }
    }
    Ok(())
}
