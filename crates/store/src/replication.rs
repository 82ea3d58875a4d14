//! A store and its copies: what changed since a position, all documents of a moment with theirs, and the taking over of
//! both. Transport is handled elsewhere (`server/follow`).

use crate::change::{Change, Cursor, Group, Portion, Reached};
use crate::disk::document::Document;
use crate::disk::position::{Chain, Position};
use crate::disk::truth::{Kept, Progress, Truth};
use crate::error::Error;
use crate::invariant::invariant;
use crate::store::Store;
use crate::writing::message::Message;
use crossbeam_channel::bounded;
use fjall::Snapshot;
use std::sync::Arc;

/// What a change counts beside the bytes of its row.
const ROW: usize = 32;

/// The documents of a store at one moment with their numbers, ascending, and how far its writes were.
/// [`Store::moment`](crate::Store::moment) has an example.
pub struct Moment {
    truth: Arc<Truth>,
    rows: fjall::Iter,
    reached: Reached,
    whole: bool,
}

impl Store {
    /// The position of the store: it names the documents that are stored.
    #[must_use]
    pub fn position(&self) -> Position {
        reached(&self.shared().progress.load()).position
    }

    /// Whether the store is as a store was at a moment. Only a copy that is far behind is not: some of its documents
    /// are those of later moments.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.shared().progress.load().history.is_some_and(|history| !history.between)
    }

    /// The changes of the store after `from`, of some `bytes`: a portion of them, which holds at least one if there is
    /// one. Nothing of the store is held when this returns.
    ///
    /// # Errors
    /// [`Error::PositionGone`] where the changes are not kept any more; [`Error::OtherHistory`] where the position is
    /// none that this store ever had; [`Error::Damaged`]; an error of the disk.
    ///
    /// # Complexity
    /// Reads what changed: a look-up for each document. Memory: some `bytes`, and one document.
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Width;
    /// # use nearprint_store::{AnyFingerprint, Change, Settings, Store};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("codes");
    /// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
    /// let empty = store.position();
    /// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
    /// let portion = store.changes(&empty.into(), 1 << 20)?;
    /// assert!(matches!(portion.changes[..], [Change::Stored { number: 0, .. }, Change::Group(_)]));
    /// assert!(portion.whole && portion.now.position == store.position());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn changes(&self, from: &Cursor, bytes: usize) -> Result<Portion, Error> {
        let truth = self.shared().truth()?;
        let at = truth.snapshot();
        let progress = truth.progress_at(&at)?;
        let history = progress.history.ok_or_else(|| truth.damaged("the history"))?;
        let (asked, now) = (from.position.commits, reached(&progress));
        let other = || Error::OtherHistory { asked, reached: progress.commits };
        if asked > progress.commits {
            return Err(other());
        }
        if asked < history.first {
            return Err(Error::PositionGone { asked, first: history.first });
        }
        let mut rows = truth.logged(&at, asked).peekable();
        let missing = || truth.damaged("the history");
        let (number, head, _) = rows.next().ok_or_else(missing)??;
        if number != asked {
            return Err(missing());
        }
        if head.chain != from.position.chain {
            return Err(other());
        }
        let reading = Reading { truth: &truth, at: &at, left: bytes, changes: Vec::new() };
        let (changes, cursor) = reading.read(*from, rows)?;
        let whole = cursor == now.position.into() && !history.between;
        Ok(Portion { changes, cursor, now, whole })
    }

    /// All documents of this moment, with their numbers. While it lives, the space of deleted documents is not freed.
    ///
    /// # Errors
    /// [`Error::Closed`]; an error of the disk.
    ///
    /// # Examples
    /// A copy is made of all documents of a moment, and follows from there.
    /// ```
    /// # use nearprint_fingerprint::Width;
    /// # use nearprint_store::{AnyFingerprint, Copying, Options, Settings, Store};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let (path, other) = (room.path().join("codes"), room.path().join("copy"));
    /// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
    /// let code: AnyFingerprint = "00000000000000ff".parse()?;
    /// store.add("a", code)?;
    ///
    /// let mut copying = Copying::begin(&other, store.settings(), &Options::default())?;
    /// let mut moment = store.moment()?;
    /// for row in moment.by_ref() {
    ///     let (number, document) = row?;
    ///     copying.take(number, document)?;
    /// }
    /// copying.finish(moment.reached(), moment.is_whole())?;
    ///
    /// let copy = Store::open(&other)?;
    /// store.delete("a")?;
    /// let portion = store.changes(&copy.position().into(), 1 << 20)?;
    /// copy.follow(portion.changes, portion.whole.then_some(portion.now))?;
    /// assert_eq!((copy.len(), copy.position()), (0, store.position()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moment(&self) -> Result<Moment, Error> {
        let truth = self.shared().truth()?;
        let at = truth.snapshot();
        let (progress, rows) = (truth.progress_at(&at)?, truth.all_documents(&at));
        let whole = progress.history.is_some_and(|history| !history.between);
        Ok(Moment { truth, rows, reached: reached(&progress), whole })
    }

    /// Takes over changes of the store that this one is a copy of, as they are: all of them, or none after an error.
    /// The copy is at the position of the last [`Change::Group`] then. `whole`: what the other store was, if these are
    /// all its changes up to that. Changes that the copy has already change nothing, so after a crash they are taken
    /// over from [`Self::position`] on.
    ///
    /// # Errors
    /// [`Error::Diverged`] where the copy is not as the other store was; [`Error::OtherWidth`]; [`Error::ReadOnly`]
    /// while the disk fails.
    pub fn follow(&self, changes: Vec<Change>, whole: Option<Reached>) -> Result<(), Error> {
        let width = self.settings().width;
        changes.iter().try_for_each(|change| change.check_width(width))?;
        let (answer, done) = bounded(1);
        let message = Message::Follow(changes, whole, answer);
        self.inbox().send(message).map_err(|_| Error::Closed)?;
        done.recv().map_err(|_| Error::Closed)?
    }
}

impl Moment {
    /// How far the writes were.
    #[must_use]
    pub fn reached(&self) -> Reached {
        self.reached
    }

    /// As [`Store::is_whole`].
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }
}

impl Iterator for Moment {
    type Item = Result<(u64, Document), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next().map(|row| self.truth.decode_document(row))
    }
}

/// Reads changes.
struct Reading<'a> {
    truth: &'a Truth,
    at: &'a Snapshot,
    /// Bytes that may still be read.
    left: usize,
    changes: Vec<Change>,
}

impl Reading<'_> {
    fn read(
        mut self,
        mut cursor: Cursor,
        groups: impl Iterator<Item = Result<Kept, Error>>,
    ) -> Result<(Vec<Change>, Cursor), Error> {
        for group in groups {
            if self.left == 0 {
                break;
            }
            let (commit, head, logged) = group?;
            let deleted = logged.deleted.len();
            let stored = logged.stored.iter().cloned().flatten();
            for (number, id) in logged.deleted.iter().skip(cursor.sent) {
                if self.left == 0 {
                    return Ok((self.changes, cursor));
                }
                self.left = self.left.saturating_sub(ROW + id.len());
                self.changes.push(Change::Deleted { number: *number, id: id.clone() });
                cursor.sent += 1;
            }
            for number in stored.skip(cursor.sent - deleted) {
                if self.left == 0 {
                    return Ok((self.changes, cursor));
                }
                if let Some((document, bytes)) = self.truth.document_at(self.at, number)? {
                    self.left = self.left.saturating_sub(ROW + bytes);
                    self.changes.push(Change::Stored { number, document });
                }
                cursor.sent += 1;
            }
            let position = Position { commits: commit, chain: head.chain };
            self.left = self.left.saturating_sub(ROW);
            self.changes.push(Change::Group(Group { position, logged }));
            cursor = position.into();
        }
        Ok((self.changes, cursor))
    }
}

/// How far the writes are. A store that is open has a history.
fn reached(progress: &Progress) -> Reached {
    let position = invariant(progress.position(), progress).unwrap_or(Position {
        commits: progress.commits,
        chain: Chain::from_bytes([0; Chain::BYTES]),
    });
    Reached { position, documents: progress.documents, end: progress.next }
}
