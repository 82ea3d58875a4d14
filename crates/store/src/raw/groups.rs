//! The numbers of the groups of writes in records of a journal, by which missing ones show.

use crate::disk::truth::{HISTORY, META, PROGRESS, Progress};
use crate::raw::journal::Record;
use crate::raw::remains::{Keyspaces, Tables};
use std::ops::Range;
use std::path::Path;

/// How far the groups of writes are, and where that stands.
#[derive(Debug)]
pub(crate) struct Groups {
    /// The number of the last group.
    pub(crate) commits: u64,
    /// The number for the next document.
    pub(crate) next: u64,
    /// Documents stored behind the last group; `None` if nothing tells of any group.
    pub(crate) documents: Option<u64>,
    meta: u64,
    history: u64,
}

impl Groups {
    /// The groups in the tables of a database.
    pub(crate) fn in_tables(database: &Path, keyspaces: &Keyspaces) -> Self {
        let (meta, history) = (keyspaces.number(META), keyspaces.number(HISTORY));
        let mut groups = Self { commits: 0, next: 0, documents: None, meta, history };
        for row in Tables::of(database, meta).rows().filter(|row| row.key == PROGRESS.as_bytes()) {
            groups.reach(row.value.as_deref());
        }
        groups
    }

    /// Counts a record. Returns the groups that are missing before it.
    pub(crate) fn take(&mut self, record: &Record<'_>) -> Range<u64> {
        let (before, mut first, mut begun) = (self.commits, None, 0);
        for change in &record.changes {
            if change.keyspace == self.meta && change.key == PROGRESS.as_bytes() {
                let progress = self.reach(change.value().as_deref());
                begun = progress.and_then(|it| it.history).map_or(0, |history| history.first);
            } else if change.keyspace == self.history && !change.is_removal() {
                let number = change.key.try_into().map(u64::from_be_bytes);
                first = first.into_iter().chain(number).min();
            }
        }
        // A copy of another store commits several groups in one record, and begins with a later one.
        let first = first.unwrap_or(self.commits);
        let goes_on = self.commits > before && begun <= before;
        if goes_on { before + 1..first } else { 0..0 }
    }

    fn reach(&mut self, value: Option<&[u8]>) -> Option<Progress> {
        let progress = value.and_then(|value| serde_json::from_slice::<Progress>(value).ok());
        if let Some(progress) = progress {
            if progress.commits >= self.commits {
                self.documents = Some(progress.documents);
            }
            self.commits = self.commits.max(progress.commits);
            self.next = self.next.max(progress.next);
        }
        progress
    }
}
