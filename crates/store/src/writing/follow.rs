//! The changes of another store, taken over by a copy of it as they are: nothing is decided here.

use crate::change::{Change, Reached};
use crate::disk::document::Document;
use crate::disk::logged::Logged;
use crate::disk::position::Chain;
use crate::disk::truth::Progress;
use crate::error::Error;
use crate::writing::group::{Committed, Group};
use crate::writing::log;
use crate::writing::stored::Stored;

/// Changes that are taken over together.
pub(crate) struct Follow<'a> {
    group: Group<'a>,
    before: Progress,
    /// The groups of the other store that end here.
    ended: Vec<(u64, Chain, Logged)>,
    any: bool,
}

impl<'a> Follow<'a> {
    pub(crate) fn new(stored: Stored<'a>, before: Progress) -> Self {
        Self { group: Group::begin(stored, before), before, ended: Vec::new(), any: false }
    }

    /// Takes a change. What the copy has already changes nothing.
    pub(crate) fn take(&mut self, change: Change) -> Result<(), Error> {
        self.any = true;
        match change {
            Change::Stored { number, document } => self.store(number, document),
            Change::Deleted { number, id } => match self.group.document_if_there(number)? {
                Some(document) if document.id == id => self.group.remove_named(number, &document),
                Some(document) => other(format!(
                    "the document number {number} is {:?} here, and {id:?} was deleted",
                    document.id
                )),
                None => Ok(()),
            },
            Change::Group(ended) => {
                let (expected, found) = (self.group.progress.commits + 1, ended.position.commits);
                if found != expected {
                    return other(format!(
                        "the group of writes {expected} is missing; {found} came"
                    ));
                }
                self.group.progress.commits = found;
                self.ended.push((found, ended.position.chain, ended.logged));
                Ok(())
            }
        }
    }

    fn store(&mut self, number: u64, mut document: Document) -> Result<(), Error> {
        document.check()?;
        document.sketch.fit(&self.group.rules)?;
        match self.group.document_if_there(number)? {
            Some(own) if own.id == document.id && own.sketch == document.sketch => {
                self.group.documents.insert(number, document);
                return Ok(());
            }
            Some(own) => {
                return other(format!(
                    "the document number {number} is {:?} here, with another id or fingerprint than that of {:?}",
                    own.id, document.id
                ));
            }
            None => {}
        }
        if number < self.group.progress.next {
            let next = self.group.progress.next;
            return other(format!("the document number {number} came after number {next}"));
        }
        if let Some(own) = self.group.number(&document.id)? {
            return other(format!(
                "{:?} is number {own} here, and number {number} came",
                document.id
            ));
        }
        self.group.progress.next = number;
        self.group.insert(document);
        Ok(())
    }

    /// Commits the changes; `None` if there are none. `whole`: what the other store is, if these are all of its
    /// changes.
    pub(crate) fn commit(
        mut self,
        whole: Option<Reached>,
        keep: u64,
    ) -> Result<Option<Committed>, Error> {
        let truth = self.group.stored.truth;
        let mut history = self.before.history.ok_or_else(|| truth.damaged("the history"))?;
        let progress = &mut self.group.progress;
        if let Some(Reached { position, documents, end }) = whole {
            if progress.documents != documents || position.commits != progress.commits {
                let (here, groups) = (progress.documents, progress.commits);
                return other(format!(
                    "after group {groups} there are {here} documents here, and after group {} there {documents}",
                    position.commits
                ));
            }
            progress.next = progress.next.max(end);
        }
        let between = if self.any { whole.is_none() } else { history.between && whole.is_none() };
        if !self.any && between == history.between && progress.next == self.before.next {
            return Ok(None);
        }
        history.between = between;
        let mut changes = truth.changes();
        for (commit, chain, logged) in &self.ended {
            log::add(&mut changes, &mut history, *commit, *chain, logged);
        }
        let groups = (self.before.commits, progress.commits);
        log::trim(truth, &mut changes, &mut history, groups, keep)?;
        progress.history = Some(history);
        self.group.write(&mut changes, &mut |_, _| (), &mut |_, _| ());
        changes.progress(&self.group.progress)?;
        changes.commit()?;
        Ok(Some(self.group.committed()))
    }
}

fn other<T>(what: String) -> Result<T, Error> {
    Err(Error::Diverged { what })
}
