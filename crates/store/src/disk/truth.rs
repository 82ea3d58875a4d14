//! The truth: a database (fjall) of every document on disk. Everything else derives from it.
//!
//! | keyspace | key | value |
//! |---|---|---|
//! | `documents` | number, big-endian | row of [`Document`] |
//! | `ids` | id | number |
//! | `contents` | content of a degenerate document, number | - |
//! | `dead` | number of a deleted document that is still in a segment | - |
//! | `history` | number of a group of writes, big-endian | [`Logged`] |
//! | `meta` | `progress`, `segments` | [`Progress`], [`Manifest`] as JSON |

use crate::disk::document::{Document, MAX_ID, sketch_of};
use crate::disk::logged::{Logged, LoggedHead};
use crate::disk::manifest::Manifest;
use crate::disk::parts;
use crate::disk::position::{Chain, Position};
use crate::disk::sketch::Sketch;
use crate::error::Error;
use crate::options::{Durability, Options};
use crate::precedence::behind;
use fjall::config::{CompressionPolicy, FilterPolicy, PinningPolicy};
use fjall::{
    AbstractTree, CompressionType, Database, Guard, Iter, Keyspace, KeyspaceCreateOptions,
    OwnedWriteBatch, PersistMode, Readable, Slice, Snapshot,
};
use nearprint_fingerprint::Width;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::ops::{Bound, Range, RangeBounds};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of the database in a store.
pub(crate) const FOLDER: &str = "truth";
/// The keyspaces, in the order in which they are made.
pub(crate) const KEYSPACES: [&str; 6] = [DOCUMENTS, IDS, "contents", DEAD, HISTORY, META];
/// The keyspace of the documents.
pub(crate) const DOCUMENTS: &str = "documents";
/// The keyspace of the numbers of ids.
pub(crate) const IDS: &str = "ids";
/// The keyspace of deleted documents.
pub(crate) const DEAD: &str = "dead";
/// The keyspace of what groups of writes changed.
pub(crate) const HISTORY: &str = "history";
/// The keyspace of how far the writes are.
pub(crate) const META: &str = "meta";
/// The key of [`Progress`].
pub(crate) const PROGRESS: &str = "progress";
/// The key of [`Manifest`].
pub(crate) const SEGMENTS: &str = "segments";
/// Bytes of the journal: the least that the database allows. Opening a store may read them again.
const JOURNAL: u64 = 64 << 20;
/// Threads of the database. The first one only flushes; it spins while a compaction is due and every other
/// thread is busy with one. With two threads it would spin as long as any compaction takes.
const WORKERS: usize = 3;
/// Rows after which a copy asks whether to go on.
const LOOKED: usize = 4096;
/// Entries of the history that are removed together.
const FORGOTTEN: usize = 100_000;

/// A group of writes that the history keeps: its number, its chain and place, and what it changed.
pub(crate) type Kept = (u64, LoggedHead, Logged);

/// How far the writes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Groups of writes that were committed.
    pub(crate) commits: u64,
    /// The number for the next document. No number is ever used twice.
    pub(crate) next: u64,
    /// Documents stored.
    pub(crate) documents: u64,
    /// The history of the groups; `None` after an earlier release, which keeps none, has written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) history: Option<History>,
}

/// What is known of the groups of writes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct History {
    /// The chain with the last group.
    pub(crate) chain: Chain,
    /// The number of the first group that is kept. All later ones are.
    pub(crate) first: u64,
    /// Bytes of all groups since the history began.
    pub(crate) bytes: u64,
    /// Whether the store is a copy that has some changes of later groups, so that it is not as its leader was at any
    /// moment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) between: bool,
}

impl Progress {
    /// The position; `None` without a history.
    pub(crate) fn position(&self) -> Option<Position> {
        self.history.map(|history| Position { commits: self.commits, chain: history.chain })
    }
}

/// The database.
pub(crate) struct Truth {
    database: Database,
    documents: Keyspace,
    ids: Keyspace,
    contents: Keyspace,
    dead: Keyspace,
    history: Keyspace,
    meta: Keyspace,
    path: PathBuf,
    durability: Durability,
    /// Bits of the fingerprints in it.
    width: Width,
}

/// Writes that are committed together.
pub(crate) struct Changes<'a> {
    truth: &'a Truth,
    batch: OwnedWriteBatch,
}

impl Truth {
    /// Opens the database of a store that is there.
    ///
    /// # Errors
    /// [`Error::Damaged`] also where a file or a folder of it is gone.
    pub(crate) fn open_there(store: &Path, width: Width, options: &Options) -> Result<Self, Error> {
        let path = store.join(FOLDER);
        match parts::missing(&path).map_err(Error::io(&path))? {
            Some(part) => Err(Error::Damaged { said: format!("{part} is missing"), path }),
            None => Self::open(store, width, options),
        }
    }

    /// Opens the database of the store at `store`, whose fingerprints have this width, or makes it.
    pub(crate) fn open(store: &Path, width: Width, options: &Options) -> Result<Self, Error> {
        let path = store.join(FOLDER);
        let told = || Error::database(&path);
        let builder = Database::builder(&path)
            .worker_threads(WORKERS)
            .max_journaling_size(JOURNAL)
            .cache_size(options.cache() as u64)
            .manual_journal_persist(true);
        // The threads that it starts write tables while others answer.
        let opened = catch_unwind(AssertUnwindSafe(|| behind(|| builder.open())));
        let database = opened.unwrap_or(Err(fjall::Error::Unrecoverable)).map_err(told())?;
        let keyspace = |name, filter: Option<FilterPolicy>| {
            database
                .keyspace(name, || {
                    let made = KeyspaceCreateOptions::default()
                        .max_memtable_size(options.buffer() as u64)
                        .manual_journal_persist(true)
                        .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4))
                        .index_block_pinning_policy(PinningPolicy::all(true))
                        .filter_block_pinning_policy(PinningPolicy::all(true));
                    match filter {
                        Some(filter) => made.filter_policy(filter),
                        None => made,
                    }
                })
                .map_err(told())
        };
        // Only ids are looked up that may be missing.
        let none = || Some(FilterPolicy::disabled());
        Ok(Self {
            documents: keyspace(DOCUMENTS, none())?,
            ids: keyspace(IDS, None)?,
            contents: keyspace("contents", none())?,
            dead: keyspace(DEAD, none())?,
            history: keyspace(HISTORY, none())?,
            meta: keyspace(META, none())?,
            database,
            path,
            durability: options.durability,
            width,
        })
    }

    /// Begins a group of writes.
    pub(crate) fn changes(&self) -> Changes<'_> {
        let mode = match self.durability {
            Durability::Synced => PersistMode::SyncData,
            Durability::Buffered => PersistMode::Buffer,
        };
        Changes { truth: self, batch: self.database.batch().durability(Some(mode)) }
    }

    /// Begins a group of writes that [`Self::sync`] makes durable.
    pub(crate) fn loose_changes(&self) -> Changes<'_> {
        Changes { truth: self, batch: self.database.batch() }
    }

    /// The number of the document with this id.
    pub(crate) fn number(&self, id: &str) -> Result<Option<u64>, Error> {
        // The store takes no such id, and the database no key of such a length.
        if !(1..=MAX_ID).contains(&id.len()) {
            return Ok(None);
        }
        let value = self.ids.get(id).map_err(self.told())?;
        value.map(|value| self.decode_short(&value)).transpose()
    }

    /// The document with this number.
    pub(crate) fn document(&self, number: u64) -> Result<Option<Document>, Error> {
        let row = self.documents.get(number.to_be_bytes()).map_err(self.told())?;
        let decode = |row: &[u8]| {
            Document::from_row(row, self.width).ok_or_else(|| self.damaged("a document"))
        };
        row.map(|row| decode(&row)).transpose()
    }

    /// The first document with this content for which `counts` holds.
    pub(crate) fn with_content(
        &self,
        content: u64,
        counts: &dyn Fn(u64) -> bool,
    ) -> Result<Option<u64>, Error> {
        for row in self.contents.prefix(content.to_be_bytes()) {
            let (number, _) = self.decode_content(row)?;
            if counts(number) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The sketches of the documents with these numbers, in their order.
    pub(crate) fn sketches(
        &self,
        at: &Snapshot,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = Result<(u64, Sketch), Error>> + use<'_> {
        at.range::<[u8; 8], _>(&self.documents, keys(numbers)).map(|guard| {
            let (key, row) = guard.into_inner().map_err(self.told())?;
            let sketch = sketch_of(&row, self.width).ok_or_else(|| self.damaged("a document"))?;
            Ok((self.decode_number(&key)?, sketch))
        })
    }

    /// Rows of the ids from `from` on, in their order.
    pub(crate) fn ids_from(&self, at: &Snapshot, from: &str) -> Iter {
        at.range(&self.ids, from..)
    }

    /// The number and the id of a row.
    pub(crate) fn decode_id(&self, row: Guard) -> Result<(u64, Slice), Error> {
        let (id, number) = row.into_inner().map_err(self.told())?;
        Ok((self.decode_short(&number)?, id))
    }

    /// The document that a row of an id names.
    pub(crate) fn document_of_id(&self, at: &Snapshot, row: Guard) -> Result<Document, Error> {
        let (number, _) = self.decode_id(row)?;
        let row = at.get(&self.documents, number.to_be_bytes()).map_err(self.told())?;
        let document = row.and_then(|row| Document::from_row(&row, self.width));
        document.ok_or_else(|| self.damaged("an id"))
    }

    /// Rows of the documents from a number on, the oldest first.
    pub(crate) fn documents_from(&self, at: &Snapshot, number: u64) -> Iter {
        at.range::<[u8; 8], _>(&self.documents, keys(number..))
    }

    /// Rows of all documents, the oldest first.
    pub(crate) fn all_documents(&self, at: &Snapshot) -> Iter {
        at.iter(&self.documents)
    }

    /// The number and the document of a row.
    pub(crate) fn decode_document(&self, row: Guard) -> Result<(u64, Document), Error> {
        let (number, row) = row.into_inner().map_err(self.told())?;
        let document =
            Document::from_row(&row, self.width).ok_or_else(|| self.damaged("a document"))?;
        Ok((self.decode_number(&number)?, document))
    }

    /// Rows of all contents of degenerate documents.
    pub(crate) fn all_contents(&self, at: &Snapshot) -> Iter {
        at.iter(&self.contents)
    }

    /// The number and the content of a row.
    pub(crate) fn decode_content(&self, row: Guard) -> Result<(u64, u64), Error> {
        let key = row.key().map_err(self.told())?;
        let halves = key.split_at_checked(8).ok_or_else(|| self.damaged("a content"))?;
        Ok((self.decode_number(halves.1)?, self.decode_number(halves.0)?))
    }

    /// Copies everything as it was at a moment into a new database, and syncs that. Ends with [`Error::Closed`] once
    /// `stopped` returns true.
    pub(crate) fn copy(
        &self,
        at: &Snapshot,
        to: &Self,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        for (from, into) in self.keyspaces().into_iter().zip(to.keyspaces()) {
            let mut rows = at.iter(from).peekable();
            if rows.peek().is_none() {
                continue;
            }
            let mut table = into.start_ingestion().map_err(to.told())?;
            for (at, row) in rows.enumerate() {
                if at % LOOKED == 0 && stopped() {
                    return Err(Error::Closed);
                }
                let (key, value) = row.into_inner().map_err(self.told())?;
                table.write(key, value).map_err(to.told())?;
            }
            table.finish().map_err(to.told())?;
        }
        to.sync()
    }

    /// The buffers that take writes now: the memtables of the database.
    pub(crate) fn buffers(&self) -> impl Iterator<Item = Arc<dyn Any + Send + Sync>> {
        // The database hides the tree from its documentation, not from its users.
        self.keyspaces().into_iter().map(|keyspace| keyspace.tree.active_memtable() as _)
    }

    fn keyspaces(&self) -> [&Keyspace; 6] {
        let Self { documents, ids, contents, dead, history, meta, .. } = self;
        [documents, ids, contents, dead, history, meta]
    }

    /// Makes everything durable that was written.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        self.database.persist(PersistMode::SyncAll).map_err(self.told())
    }

    /// The document with this number at a moment, and the bytes of its row.
    pub(crate) fn document_at(
        &self,
        at: &Snapshot,
        number: u64,
    ) -> Result<Option<(Document, usize)>, Error> {
        let row = at.get(&self.documents, number.to_be_bytes()).map_err(self.told())?;
        let decode = |row: Slice| {
            let document =
                Document::from_row(&row, self.width).ok_or_else(|| self.damaged("a document"))?;
            Ok((document, row.len()))
        };
        row.map(decode).transpose()
    }

    /// How far the writes were at a moment.
    pub(crate) fn progress_at(&self, at: &Snapshot) -> Result<Progress, Error> {
        let value = at.get(&self.meta, PROGRESS).map_err(self.told())?;
        let decode = |value: Slice| serde_json::from_slice(&value).ok();
        value.map_or(Ok(Progress::default()), |value| {
            decode(value).ok_or_else(|| self.damaged(PROGRESS))
        })
    }

    /// The groups of writes from a number on, with what each changed.
    pub(crate) fn logged(
        &self,
        at: &Snapshot,
        from: u64,
    ) -> impl Iterator<Item = Result<Kept, Error>> + use<'_> {
        at.range::<[u8; 8], _>(&self.history, keys(from..)).map(|guard| {
            let (key, value) = guard.into_inner().map_err(self.told())?;
            let read = Logged::from_value(&value);
            let (head, logged) = read.ok_or_else(|| self.damaged("a group of the history"))?;
            Ok((self.decode_number(&key)?, head, logged))
        })
    }

    /// The groups of writes from a number on, at most so many: each with its chain and its place.
    pub(crate) fn logged_heads(
        &self,
        from: u64,
        most: usize,
    ) -> impl Iterator<Item = Result<(u64, LoggedHead), Error>> + '_ {
        self.history.range::<[u8; 8], _>(keys(from..)).take(most).map(|guard| {
            let (key, value) = guard.into_inner().map_err(self.told())?;
            let head = LoggedHead::from_value(&value);
            Ok((self.decode_number(&key)?, head.ok_or_else(|| self.damaged("the history"))?))
        })
    }

    /// Removes all groups of the history. A crash may leave some of them.
    pub(crate) fn forget_history(&self) -> Result<(), Error> {
        loop {
            let mut batch = self.database.batch();
            for row in self.history.iter().take(FORGOTTEN) {
                batch.remove(&self.history, row.key().map_err(self.told())?);
            }
            if batch.is_empty() {
                return Ok(());
            }
            batch.commit().map_err(self.told())?;
        }
    }

    /// The numbers, within this range, of deleted documents that are still in a segment.
    pub(crate) fn dead(
        &self,
        numbers: impl RangeBounds<u64>,
    ) -> impl Iterator<Item = Result<u64, Error>> + '_ {
        let rows = self.dead.range::<[u8; 8], _>(keys(numbers));
        rows.map(|guard| self.decode_number(&guard.key().map_err(self.told())?))
    }

    /// How far the writes are.
    pub(crate) fn progress(&self) -> Result<Progress, Error> {
        self.meta(PROGRESS)
    }

    /// The live segments.
    pub(crate) fn manifest(&self) -> Result<Manifest, Error> {
        self.meta(SEGMENTS)
    }

    fn meta<T: DeserializeOwned + Default>(&self, key: &'static str) -> Result<T, Error> {
        let value = self.meta.get(key).map_err(self.told())?;
        let decode = |value: &[u8]| serde_json::from_slice(value).ok();
        match value {
            None => Ok(T::default()),
            Some(value) => decode(&value).ok_or_else(|| self.damaged(key)),
        }
    }

    /// A view of the database that no later write changes.
    pub(crate) fn snapshot(&self) -> Snapshot {
        self.database.snapshot()
    }

    /// Writes the tables again, without what was overwritten or removed.
    pub(crate) fn compact(&self) -> Result<(), Error> {
        let each = |keyspace: &Keyspace| {
            keyspace.rotate_memtable_and_wait()?;
            keyspace.major_compact()
        };
        self.keyspaces().into_iter().try_for_each(each).map_err(self.told())
    }

    /// Bytes on disk, the journal included.
    pub(crate) fn disk_bytes(&self) -> Result<u64, Error> {
        self.database.disk_space().map_err(self.told())
    }

    fn decode_number(&self, bytes: &[u8]) -> Result<u64, Error> {
        let number = bytes.try_into().map(u64::from_be_bytes);
        number.map_err(|_| self.damaged("a number"))
    }

    /// A number without its leading zeros.
    fn decode_short(&self, bytes: &[u8]) -> Result<u64, Error> {
        let mut whole = [0; 8];
        let zeros = whole.len().checked_sub(bytes.len());
        let Some(rest) = zeros.and_then(|zeros| whole.get_mut(zeros..)) else {
            return Err(self.damaged("a number"));
        };
        rest.copy_from_slice(bytes);
        Ok(u64::from_be_bytes(whole))
    }

    fn told(&self) -> impl FnOnce(fjall::Error) -> Error + '_ {
        Error::database(&self.path)
    }

    pub(crate) fn damaged(&self, what: &str) -> Error {
        Error::Damaged { path: self.path.clone(), said: format!("{what} is invalid") }
    }
}

impl Changes<'_> {
    /// Stores a document under a number, as `row`. `content`: its content, if it is found by that.
    pub(crate) fn put(&mut self, number: u64, row: Vec<u8>, content: Option<u64>) {
        let truth = self.truth;
        self.batch.insert(&truth.documents, number.to_be_bytes(), row);
        if let Some(content) = content {
            self.batch.insert(&truth.contents, content_key(content, number), []);
        }
    }

    /// Gives an id its number, or removes the id.
    pub(crate) fn name(&mut self, id: &str, number: Option<u64>) {
        match number {
            Some(number) => self.batch.insert(&self.truth.ids, id, short(&number.to_be_bytes())),
            None => self.batch.remove(&self.truth.ids, id),
        }
    }

    /// Removes the document with this number. `content`: its content, if it is found by that.
    pub(crate) fn remove(&mut self, number: u64, content: Option<u64>) {
        let truth = self.truth;
        self.batch.remove(&truth.documents, number.to_be_bytes());
        self.batch.insert(&truth.dead, number.to_be_bytes(), []);
        if let Some(content) = content {
            self.batch.remove(&truth.contents, content_key(content, number));
        }
    }

    /// Forgets a deleted document: no segment has it any more.
    pub(crate) fn bury(&mut self, number: u64) {
        self.batch.remove(&self.truth.dead, number.to_be_bytes());
    }

    /// Keeps what a group of writes changed. `before`: the bytes of the history before. Returns the bytes with it.
    pub(crate) fn log(&mut self, commit: u64, logged: &Logged, chain: Chain, before: u64) -> u64 {
        let (value, end) = logged.to_value(chain, before);
        self.batch.insert(&self.truth.history, commit.to_be_bytes(), value);
        end
    }

    /// Forgets what a group of writes changed.
    pub(crate) fn forget(&mut self, commit: u64) {
        self.batch.remove(&self.truth.history, commit.to_be_bytes());
    }

    /// How far the writes are.
    pub(crate) fn progress(&mut self, progress: &Progress) -> Result<(), Error> {
        self.meta(PROGRESS, progress)
    }

    /// The live segments.
    pub(crate) fn manifest(&mut self, manifest: &Manifest) -> Result<(), Error> {
        self.meta(SEGMENTS, manifest)
    }

    fn meta(&mut self, key: &'static str, value: &impl Serialize) -> Result<(), Error> {
        let json = serde_json::to_vec(value).map_err(|_| self.truth.damaged(key))?;
        self.batch.insert(&self.truth.meta, key, json);
        Ok(())
    }

    /// Commits all changes at once. When this returns, they are as durable as [`Options`] ask.
    pub(crate) fn commit(self) -> Result<(), Error> {
        self.batch.commit().map_err(self.truth.told())
    }
}

/// The bytes of a number without its leading zeros; the last one stays.
fn short(bytes: &[u8; 8]) -> &[u8] {
    let zeros = bytes.iter().take(7).take_while(|byte| **byte == 0).count();
    bytes.get(zeros..).unwrap_or(bytes)
}

/// The keys of a range of numbers.
fn keys(numbers: impl RangeBounds<u64>) -> (Bound<[u8; 8]>, Bound<[u8; 8]>) {
    let key = |bound: Bound<&u64>| bound.map(|number| number.to_be_bytes());
    (key(numbers.start_bound()), key(numbers.end_bound()))
}

fn content_key(content: u64, number: u64) -> [u8; 16] {
    (u128::from(content) << 64 | u128::from(number)).to_be_bytes()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::precedence::BEHIND;

    #[test]
    fn the_database_stands_behind() {
        let folder = tempfile::tempdir().unwrap();
        let _truth = Truth::open(folder.path(), Width::W64, &Options::default()).unwrap();
        let workers = || {
            let mut workers = 0;
            for thread in std::fs::read_dir("/proc/self/task").unwrap() {
                let stat = std::fs::read_to_string(thread.unwrap().path().join("stat"));
                let Ok(stat) = stat else { continue };
                let (named, fields) = stat.rsplit_once(") ").unwrap();
                if named.contains("(fjall:") {
                    // The 19th field of proc_pid_stat(5); the second ends here.
                    let nice: i32 = fields.split(' ').nth(16).unwrap().parse().unwrap();
                    assert!(nice >= BEHIND, "{stat}");
                    workers += 1;
                }
            }
            workers
        };
        // A thread has its name once it runs.
        let begun = std::time::Instant::now();
        while workers() == 0 {
            assert!(begun.elapsed().as_secs() < 60, "no worker of the database was seen");
            std::thread::yield_now();
        }
    }
}
