//! The one thread that writes. It takes all writes that wait, decides them in their order, commits them
//! together, shows them to readers, and only then answers.

use crate::change::{Change, Reached};
use crate::disk::acknowledged::Acknowledged;
use crate::disk::manifest::{self, Entry, Manifest};
use crate::disk::truth::{Progress, Truth};
use crate::error::Error;
use crate::invariant::invariant;
use crate::repair::Repair;
use crate::views::captured::Captured;
use crate::views::codes::NumberedCodes;
use crate::views::lost::Lost;
use crate::views::view::View;
use crate::writing::buffers::Buffers;
use crate::writing::crew::Crew;
use crate::writing::follow::Follow;
use crate::writing::group::{Committed, Group};
use crate::writing::inbox::Requests;
use crate::writing::loaded::{Loaded, Segments};
use crate::writing::maker::{Made, Order};
use crate::writing::making::{Compactions, Making};
use crate::writing::message::{Answer, Message, Outcomes};
use crate::writing::shared::Shared;
use crate::writing::stored::Stored;
use crate::writing::write::Write;
use crossbeam_channel::{Receiver, Sender};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Most writes of a group.
const GROUP: usize = 16_384;
/// Documents that searches compare one by one before a memtable takes them.
const RECENT: u64 = 4096;
/// A group waits for more writes, for the time of the last commit divided by this.
const COMPANY: u32 = 2;
/// Bytes that must fit on the disk before a store that failed takes writes again.
const ROOM: usize = 1 << 20;
/// The pause between two trials of the disk.
const TRIAL: Duration = Duration::from_millis(500);
/// How often a store that takes no writes tries by itself to take them again.
pub(super) const AGAIN: Duration = Duration::from_secs(5);

/// The state that only the writer changes.
pub(crate) struct Writer {
    pub(crate) shared: Arc<Shared>,
    pub(crate) inbox: Requests<Message>,
    pub(crate) crew: Crew,
    pub(crate) orders: Sender<Order>,
    pub(crate) made: Receiver<Result<Made, Error>>,
    pub(crate) acknowledged: Acknowledged,
    pub(crate) manifest: Manifest,
    pub(crate) progress: Progress,
    /// The segment that is being made.
    pub(crate) making: Making,
    pub(crate) compactions: Compactions,
    pub(crate) buffers: Buffers,
    pub(crate) pace: Pace,
}

/// How fast commits are, and how many writers there seem to be.
#[derive(Default)]
pub(crate) struct Pace {
    /// How long the last commit took.
    commit: Duration,
    /// Requests that were answered after the last commit.
    answered: usize,
    /// When the disk was last tried after a failure.
    tried: Option<Instant>,
    /// When a damaged segment could last not be made anew.
    pub(super) unmade: Option<Instant>,
}

impl Writer {
    /// Works until the store is closed.
    pub(crate) fn run(mut self) {
        self.order();
        while let Some(first) = self.next() {
            let mut next = Some(first);
            while let Some(message) = next.take() {
                match message {
                    Message::Write(writes, answer) => next = self.serve(writes, answer),
                    Message::Follow(changes, whole, answer) => {
                        let _gone = answer.send(self.follow(changes, whole));
                    }
                    Message::Compact(answer) => self.compact(answer),
                    Message::Capture(folder, answer) => {
                        let _gone = answer.send(self.capture(folder.as_deref()));
                    }
                    Message::Made => {}
                    Message::Damaged(damage, done) => {
                        self.lose(damage);
                        self.order();
                        drop(done);
                    }
                    Message::Stop => return,
                }
                self.install_made();
            }
        }
    }

    /// The next message; `None` once nobody can send one. While the store takes no writes, or could not make a
    /// damaged segment anew, tries from time to time to end that.
    fn next(&mut self) -> Option<Message> {
        loop {
            let failed = self.shared.read_only.load().is_some() || self.pace.unmade.is_some();
            self.inbox.wait(1, failed.then(|| Instant::now() + AGAIN));
            match self.inbox.take() {
                Some(message) => return Some(message),
                None if self.inbox.is_abandoned() => return None,
                None if self.recover().is_ok() => self.order(),
                None => {}
            }
        }
    }

    /// Drops a damaged segment: searches read its documents from the database from now on. Returns whether
    /// there was such a segment.
    pub(super) fn lose(&mut self, damage: Repair) -> bool {
        let Some(truth) = self.shared.truth.load_full() else { return false };
        let view = self.shared.view.load().without(&damage.path, &truth, &self.shared.rules);
        let Some(view) = view else { return false };
        if self.making != Making::Nothing {
            self.making = Making::Spoiled;
        }
        self.show(view);
        // If the store is opened again before the segment is made anew, it is missing and not damaged.
        let _left = std::fs::remove_file(&damage.path);
        let (file, reason) = (damage.path.display(), &damage.reason);
        tracing::warn!(%file, reason, "a segment is damaged: searches do without it, and it is rebuilt");
        self.shared.activity.note_damage(damage);
        true
    }

    /// Serves a request together with all that wait. Returns a message of another kind, if one came.
    fn serve(&mut self, writes: Vec<Write>, answer: Answer) -> Option<Message> {
        let mut requests = vec![(writes.len(), answer)];
        let mut writes = writes;
        let other = self.gather(&mut writes, &mut requests);
        let mut writes = writes.into_iter().peekable();
        let mut outcomes = Vec::with_capacity(writes.len());
        while writes.peek().is_some() {
            self.commit(&mut writes, &mut outcomes);
        }
        self.pace.answered = requests.len();
        let mut outcomes = outcomes.into_iter();
        for (count, answer) in requests {
            answer(outcomes.by_ref().take(count).collect());
        }
        other
    }

    /// Takes the writes that wait. Waits a little for the clients that were answered last: one sync serves
    /// all of them.
    fn gather(
        &self,
        writes: &mut Vec<Write>,
        requests: &mut Vec<(usize, Answer)>,
    ) -> Option<Message> {
        if writes.len() >= GROUP {
            return None;
        }
        let company = (self.pace.answered + self.inbox.len()).saturating_sub(requests.len());
        self.inbox.wait(company, Some(Instant::now() + self.pace.commit / COMPANY));
        while writes.len() < GROUP {
            match self.inbox.take()? {
                Message::Write(more, answer) => {
                    requests.push((more.len(), answer));
                    writes.extend(more);
                }
                other => return Some(other),
            }
        }
        None
    }

    /// Decides as many of `writes` as make a group, and commits it.
    fn commit(&mut self, writes: &mut impl Iterator<Item = Write>, outcomes: &mut Outcomes) {
        let ready = self.recover().and_then(|()| self.shared.truth());
        let shared = Arc::clone(&self.shared);
        let mut view = shared.view.load_full();
        let writes: Vec<_> = writes.take(GROUP).collect();
        let (first, count) = (outcomes.len(), writes.len());
        let committed = ready.and_then(|truth| {
            let Shared { rules, activity, .. } = &*shared;
            let progress = self.progress;
            let mut group = loop {
                let stored = Stored { truth: &truth, view: &view, rules: *rules, activity };
                let group = Group::new(stored, progress, &writes, &self.crew)?;
                let Some(damage) = group.damage().and_then(Error::damage) else { break group };
                drop(group);
                if !self.lose(damage) {
                    return Err(Error::Closed);
                }
                view = shared.view.load_full();
            };
            outcomes.extend(group.decide(writes));
            let begun = Instant::now();
            let committed = group.commit(shared.options.keep_changes)?;
            self.pace.commit = begun.elapsed();
            if committed.is_some() {
                self.shared.activity.committed(self.pace.commit);
            }
            Ok(committed)
        });
        match committed {
            Ok(None) => {}
            Ok(Some(committed)) => self.publish(&shared.view.load_full(), committed),
            Err(error) => {
                let reason = self.fail(&error);
                outcomes.truncate(first);
                let refused = || Err(Error::ReadOnly { reason: reason.clone() });
                outcomes.extend(std::iter::repeat_with(refused).take(count));
            }
        }
        let errors = outcomes.iter().skip(first).filter_map(|outcome| outcome.as_ref().err());
        for damage in errors.filter_map(Error::damage).collect::<Vec<_>>() {
            self.lose(damage);
        }
        if !self.shared.view.load().lost_parts().is_empty() {
            self.order();
        }
    }

    /// Takes over changes of another store, all or none.
    fn follow(&mut self, changes: Vec<Change>, whole: Option<Reached>) -> Result<(), Error> {
        let ready = self.recover().and_then(|()| self.shared.truth());
        let shared = Arc::clone(&self.shared);
        let view = shared.view.load_full();
        let begun = Instant::now();
        let committed = ready.and_then(|truth| {
            let Shared { rules, activity, options, .. } = &*shared;
            let stored = Stored { truth: &truth, view: &view, rules: *rules, activity };
            let mut follow = Follow::new(stored, self.progress);
            changes.into_iter().try_for_each(|change| follow.take(change))?;
            follow.commit(whole, options.keep_changes)
        });
        match committed {
            Ok(None) => Ok(()),
            Ok(Some(committed)) => {
                self.shared.activity.committed(begun.elapsed());
                self.publish(&view, committed);
                Ok(())
            }
            // What came is at fault, not the disk.
            Err(
                error @ (Error::Diverged { .. }
                | Error::NoSketch
                | Error::NoFeatures
                | Error::IdLength { .. }
                | Error::Metadata { .. }
                | Error::Time { .. }),
            ) => Err(error),
            Err(error) => Err(Error::ReadOnly { reason: self.fail(&error) }),
        }
    }

    /// Makes the store read-only for the time being; returns why.
    pub(super) fn fail(&mut self, error: &Error) -> String {
        let reason = match error {
            Error::ReadOnly { reason } => reason.clone(),
            // The database does not tell the cause of a failure in its background threads.
            error => self.trial().err().unwrap_or_else(|| error.to_string()),
        };
        if self.shared.read_only.swap(Some(Arc::new(reason.clone()))).is_none() {
            tracing::error!(reason, "writes fail: the store is read-only until this is over");
        }
        reason
    }

    /// Whether a file can be written in the store; if not, why.
    fn trial(&self) -> Result<(), String> {
        let path = self.shared.path.join("trial");
        let written = File::create(&path)
            .and_then(|mut file| file.write_all(&vec![0; ROOM]).and_then(|()| file.sync_all()));
        let removed = std::fs::remove_file(&path);
        written.and(removed).map_err(|error| Error::io(&path)(error).to_string())
    }

    /// Opens the database again after a write failed, if the disk takes writes again.
    fn recover(&mut self) -> Result<(), Error> {
        let Some(reason) = self.shared.read_only.load_full() else { return Ok(()) };
        let still = || Error::ReadOnly { reason: String::clone(&reason) };
        if self.making != Making::Nothing
            || self.pace.tried.is_some_and(|tried| tried.elapsed() < TRIAL)
        {
            return Err(still());
        }
        self.pace.tried = Some(Instant::now());
        let shared = Arc::clone(&self.shared);
        self.trial().map_err(|_| still())?;
        if let Some(truth) = shared.truth.swap(None) {
            // Readers under way finish first. A long scan keeps the store read-only.
            let until = Instant::now() + TRIAL;
            while Arc::strong_count(&truth) > 1 {
                if Instant::now() > until {
                    shared.truth.store(Some(truth));
                    return Err(still());
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let Shared { path, settings, options, .. } = &*shared;
        let loaded = match Loaded::read(path, settings, options, Segments::Open, &self.crew) {
            Ok(loaded) => loaded,
            Err(error) => {
                // Reads go on with what they see: the segments are as they were.
                shared
                    .truth
                    .store(Truth::open_there(path, settings.width, options).ok().map(Arc::new));
                self.show(View::clone(&shared.view.load()));
                return Err(error);
            }
        };
        self.pace.unmade = None;
        shared.view.store(Arc::new(loaded.view));
        shared.truth.store(Some(loaded.truth));
        shared.read_only.store(None);
        self.acknowledged = loaded.acknowledged;
        self.manifest = loaded.manifest;
        self.progress = loaded.progress;
        tracing::info!("the store takes writes again");
        Ok(())
    }

    /// Shows readers what was committed.
    fn publish(&mut self, view: &View, committed: Committed) {
        let Committed { progress, added, gone, .. } = committed;
        if let Err(error) = self.acknowledged.write(progress.commits) {
            self.fail(&error);
        }
        self.progress = progress;
        if let Some(truth) = &*self.shared.truth.load() {
            self.buffers.keep(truth);
        }
        let mut recent = match &*gone {
            [] => NumberedCodes::clone(&view.recent),
            _ => view.recent.retained(|number| gone.binary_search(&number).is_err()),
        };
        recent.append(added);
        let view = View { recent: Arc::new(recent), ..view.clone() };
        self.show(view);
        // Only after readers see the new documents: so a replaced document is never missing.
        let view = self.shared.view.load();
        gone.iter().for_each(|number| view.kill(*number));
        drop(view);
        if progress.next - self.frozen() >= RECENT {
            self.freeze(false);
        }
    }

    pub(super) fn show(&self, view: View) {
        let mut view = view;
        if let (Some(lost), Some(truth)) = (&view.lost, self.shared.truth.load_full()) {
            // Documents that are new in the view are not among these, and those that are gone neither.
            view.lost = Some(Lost::new(lost.parts().to_vec(), &truth, &self.shared.rules));
        }
        self.shared.view.store(Arc::new(view));
        self.shared.progress.store(Arc::new(self.progress));
    }

    /// The number after the last document in a memtable.
    fn frozen(&self) -> u64 {
        let view = self.shared.view.load();
        invariant(view.memtables.last(), "the last memtable")
            .map_or(0, |last| last.dead().numbers().end)
    }

    /// The store as it is at this moment. Links its segments into the store in `folder`.
    fn capture(&self, folder: Option<&Path>) -> Result<Captured, Error> {
        let view = View::clone(&self.shared.view.load());
        let lost = |entry: &&Entry| view.lost_parts().iter().any(|part| part.entry == **entry);
        let segments = self.manifest.segments.iter().filter(|entry| !lost(entry));
        // A copy makes anew what is not there.
        for (Entry { file, .. }, folder) in segments.zip(folder.iter().cycle()) {
            let from = manifest::path(&self.shared.path, *file);
            let to = manifest::path(folder, *file);
            // Some file systems have no hard links.
            let linked = std::fs::hard_link(&from, &to);
            let copied = linked.or_else(|_| std::fs::copy(&from, &to).map(|_| ()));
            copied.map_err(Error::io(if from.exists() { &to } else { &from }))?;
        }
        // The store is made with 0 there, which a loss of power leaves.
        let end_known =
            self.progress.commits == 0 || self.acknowledged.last()?.is_some_and(|last| last > 0);
        Ok(Captured::now(self.shared.truth()?, view, end_known))
    }
}
