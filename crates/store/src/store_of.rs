//! The store of one width, which its type names: for programs that hold fingerprints of that width. The
//! store for all other programs is in [`crate::store`].

use crate::disk::acknowledged::Acknowledged;
use crate::disk::document::Document;
use crate::disk::lock::own;
use crate::disk::new_folder::NewFolder;
use crate::disk::sketch::Sketch;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::options::Options;
use crate::precedence::{ahead, step_back};
use crate::repair::Repair;
use crate::settings::Settings;
use crate::stats::Stats;
use crate::views::captured::Captured;
use crate::views::found::Found;
use crate::writing::activity::Activity;
use crate::writing::buffers::{Buffer, Buffers};
use crate::writing::crew::Crew;
use crate::writing::inbox::{Inbox, NotLeft, inbox};
use crate::writing::loaded::{Loaded, Segments};
use crate::writing::maker::Maker;
use crate::writing::making::{Compactions, Making};
use crate::writing::message::{Answer, Message};
use crate::writing::scrub::Scrub;
use crate::writing::shared::Shared;
use crate::writing::threads::spawn;
use crate::writing::write::{Near, Outcome, Refused, Write};
use crate::writing::writer::{Pace, Writer};
use arc_swap::{ArcSwap, ArcSwapOption};
use crossbeam_channel::{Sender, bounded, unbounded};
use nearprint_fingerprint::{Fingerprint, Matching};
use nearprint_index::check_radius;
use nearprint_rules::{Alike, Threshold};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// The first threads of a store, which write.
const WRITING: usize = 2;
/// Damaged segments that one search may drop.
const HEALED: usize = 8;
/// Requests that may wait for the writer. A further request waits for a place.
const WAITING: usize = 1024;

/// A durable set of documents by their fingerprints of `WORDS` x 64 bits, in a folder of its own.
/// [`crate::Store`] is the same without a width in its type, and makes fingerprints of texts itself.
///
/// Any thread may call any method at any time. Reads take no lock and wait for no write. One thread decides
/// writes one after another and makes all that wait durable together. So of two near-duplicates that arrive
/// at the same time exactly one is new, and a write that was answered survives the end of the process. It
/// survives a loss of power too, unless [`Options`] say otherwise. The store never calls a document a
/// duplicate of one that could still be lost.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Fingerprinter, Recipe};
/// use nearprint_store::{Document, Options, Outcome, Settings, StoreOf};
/// # let room = tempfile::tempdir().unwrap();
/// # let path = room.path().join("pages");
///
/// let recipe = Recipe::named("text").unwrap();
/// let settings = Settings::of(recipe.clone());
/// let store = StoreOf::<1>::create(&path, &settings, &Options::default())?;
///
/// let mut fingerprinter = Fingerprinter::<1>::new(&recipe)?;
/// let mut page = |id: &str, text: &str| Document::new(id, fingerprinter.fingerprint(text));
/// let first = page("a", "The city council approved the new budget on Monday after a long debate.");
/// let again = page("b", "the city council approved the new budget on Monday, after a long debate");
/// assert_eq!(store.check_and_add(first)?, Outcome::New);
/// let Outcome::Duplicate(near) = store.check_and_add(again)? else { panic!("it is") };
/// assert_eq!((near.id.as_str(), near.distance), ("a", 0));
/// # Ok::<(), nearprint_store::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, sections 3 and 4: the crawler's question, and permuted tables.
pub struct StoreOf<const WORDS: usize> {
    shared: Arc<Shared<WORDS>>,
    repairs: Vec<Repair>,
    inbox: Inbox<Message<WORDS>>,
    threads: Vec<JoinHandle<()>>,
    /// Until it goes, segments are read in the background.
    open: Option<Sender<()>>,
    /// The file of the lock, which lasts until the file is closed.
    _lock: File,
}

impl<const WORDS: usize> StoreOf<WORDS> {
    /// The folder of the store.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Makes an empty store in the folder `path`, which must be new or empty, and opens it.
    ///
    /// # Errors
    /// [`Error::Taken`]; [`Error::OtherWidth`]; those of [`Settings::check`]; an error of the disk.
    pub fn create(path: &Path, settings: &Settings, options: &Options) -> Result<Self, Error> {
        check_width::<WORDS>(settings)?;
        settings.check()?;
        let folder = NewFolder::make(path).map_err(|error| match error {
            Error::Taken { path } => Settings::taken(path),
            other => other,
        })?;
        // The settings make the folder a store, so they come last.
        drop(Truth::open(folder.path(), options)?);
        Acknowledged::create(folder.path(), 0)?;
        settings.write(folder.path())?;
        folder.finish()?;
        Self::open(path, options)
    }

    /// Opens the store in the folder `path`. If a segment cannot be used, the store makes it again from
    /// the documents: [`Self::repairs`] names those segments.
    ///
    /// # Complexity
    /// Reads again what the last process wrote to no segment, at most some hundred thousand documents,
    /// whatever the size of the store; repairs aside.
    ///
    /// # Errors
    /// [`Error::NoStore`], [`Error::InUse`], [`Error::OtherWidth`], [`Error::LostTail`]; an error of the
    /// disk.
    pub fn open(path: &Path, options: &Options) -> Result<Self, Error> {
        let (lock, settings) = own(path, Settings::read)?;
        Self::start(path, settings, options, Segments::Open, lock)
    }

    /// As [`Self::open`], after making all segments again from the documents.
    ///
    /// # Errors
    /// As [`Self::open`].
    ///
    /// # Complexity
    /// Reads all documents several times. Memory: that of [`Options`].
    pub fn rebuild(path: &Path, options: &Options) -> Result<Self, Error> {
        let (lock, settings) = own(path, Settings::read)?;
        Self::start(path, settings, options, Segments::Rebuild, lock)
    }

    /// As [`Self::rebuild`], for another radius, which the store has from then on. If it ends early, the store
    /// has the radius that it had.
    ///
    /// # Errors
    /// [`Error::WideRadius`]; [`Error::NoRadius`] in a store by similarity; as [`Self::open`].
    ///
    /// # Complexity
    /// As [`Self::rebuild`].
    pub fn rebuild_within(path: &Path, k: u32, options: &Options) -> Result<Self, Error> {
        let (lock, before) = own(path, Settings::read_to_change_radius)?;
        if before.threshold.radius().is_none() {
            return Err(Error::NoRadius);
        }
        let settings = Settings { threshold: Threshold::Radius(k), ..before };
        settings.check()?;
        // Answers are exact whatever radius the segments are made for: so the settings come last.
        Self::start(path, settings.clone(), options, Segments::Rebuild, lock).and_then(|store| {
            settings.write(path)?;
            Ok(store)
        })
    }

    fn start(
        path: &Path,
        settings: Settings,
        options: &Options,
        segments: Segments,
        lock: File,
    ) -> Result<Self, Error> {
        check_width::<WORDS>(&settings)?;
        let crew = Crew::new(path)?;
        let Loaded { truth, manifest, progress, view, acknowledged, mut repairs } =
            Loaded::read(path, &settings, options, segments, &crew)?;
        repairs.extend(settings.mend(path)?);
        let (open, closed) = bounded(0);
        let stop = Arc::new(AtomicBool::new(false));
        let rules = settings.rules()?;
        let maker = Maker::new(path, &settings, options, Arc::clone(&stop))?;
        let shared = Arc::new(Shared {
            path: path.to_owned(),
            settings,
            rules,
            options: *options,
            truth: ArcSwapOption::new(Some(truth)),
            view: ArcSwap::from_pointee(view),
            progress: ArcSwap::from_pointee(progress),
            read_only: ArcSwapOption::empty(),
            activity: Activity::default(),
            stop,
        });
        let (inbox, requests) = inbox(WAITING);
        let (orders, ordered) = unbounded();
        let (finished, made) = unbounded();
        let (free, unused) = unbounded();
        let (pace, compactions) = (Pace::default(), Compactions::default());
        let writer = Writer {
            shared: Arc::clone(&shared),
            inbox: requests,
            crew,
            orders,
            made,
            acknowledged,
            manifest,
            progress,
            making: Making::default(),
            compactions,
            buffers: Buffers::new(free),
            pace,
        };
        let wake = inbox.clone();
        let make = move || {
            for order in ordered {
                if finished.send(maker.make(&order)).is_err() {
                    return;
                }
                // If the inbox is full, the writer is awake.
                let _full = wake.try_send(Message::Made);
            }
        };
        let scrub = Scrub { shared: Arc::clone(&shared), inbox: inbox.clone(), closed };
        let threads = vec![
            spawn(path, "store-writer", ahead, move || writer.run())?,
            spawn(path, "store-segments", step_back, make)?,
            spawn(path, "store-scrub", step_back, move || scrub.run())?,
            spawn(path, "store-free", step_back, move || unused.iter().for_each(drop::<Buffer>))?,
        ];
        Ok(Self { shared, repairs, inbox, threads, open: Some(open), _lock: lock })
    }

    /// What the store is made for.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// How it was opened.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.shared.options
    }

    /// The number of documents stored.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.shared.progress.load().documents
    }

    /// The segments that were made again when the store was opened.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// The nearest stored document that is a near-duplicate, by the store's radius or similarity; of several
    /// equally near the oldest.
    ///
    /// # Errors
    /// [`Error::NoSketch`] in a store by similarity; [`Error::Segment`] and [`Error::Damaged`] on damage; an
    /// error of the disk.
    ///
    /// # Complexity
    /// Searches each segment, and reads the document that it finds. There are about as many segments as
    /// the number of documents has digits.
    pub fn check(&self, sketch: &Sketch<Fingerprint<WORDS>>) -> Result<Option<Near>, Error> {
        self.healing(|| self.nearest(sketch))
    }

    fn nearest(&self, sketch: &Sketch<Fingerprint<WORDS>>) -> Result<Option<Near>, Error> {
        let rules = &self.shared.rules;
        sketch.check(rules)?;
        match (sketch.matching(rules.degenerate), rules.min_similarity) {
            (Matching::Apart, _) => Ok(None),
            (Matching::Equality, min_similarity) => {
                let truth = self.shared.truth()?;
                let Some(doc) = truth.with_content(sketch.content, &|_| true)? else {
                    return Ok(None);
                };
                let alike =
                    min_similarity.map(|min_similarity| Alike::equal(min_similarity.measure));
                let document = truth.document(doc)?;
                Ok(document.map(|document| near(&document, &sketch.fingerprint, alike)))
            }
            (Matching::Distance, min_similarity) => {
                let found = match min_similarity {
                    Some(_) => self.alike(sketch, 1)?.pop(),
                    None => {
                        let query = std::slice::from_ref(sketch.searched());
                        let found = self.shared.view.load().nearest(query, rules.k)?;
                        found.into_iter().flatten().next().map(Found::from)
                    }
                };
                let Some(found) = found else { return Ok(None) };
                match self.told(&found, [&sketch.fingerprint, sketch.searched()])? {
                    Some(near) => Ok(Some(near)),
                    // The nearest document was deleted meanwhile: search again.
                    None => Ok(self.all_near(sketch, 1)?.pop()),
                }
            }
        }
    }

    /// The stored documents that are near-duplicates, by the store's radius or similarity: the nearest
    /// first, then the oldest; at most `limit`. Empty documents, and those too short to compare, are not
    /// among them.
    ///
    /// # Errors
    /// As [`Self::check`].
    ///
    /// # Complexity
    /// As [`Self::check`], and reads all that it finds.
    pub fn near_duplicates(
        &self,
        sketch: &Sketch<Fingerprint<WORDS>>,
        limit: usize,
    ) -> Result<Vec<Near>, Error> {
        self.healing(|| self.all_near(sketch, limit))
    }

    fn all_near(
        &self,
        sketch: &Sketch<Fingerprint<WORDS>>,
        limit: usize,
    ) -> Result<Vec<Near>, Error> {
        let rules = &self.shared.rules;
        if rules.min_similarity.is_none() {
            return self.all_within(&sketch.fingerprint, rules.k, limit);
        }
        if sketch.matching(rules.degenerate) != Matching::Distance {
            return Ok(Vec::new());
        }
        sketch.check(rules)?;
        let found = self.alike(sketch, limit)?;
        let queries = [&sketch.fingerprint, sketch.searched()];
        let near = found.iter().map(|found| self.told(found, queries));
        near.filter_map(Result::transpose).take(limit).collect()
    }

    /// The documents that are alike, in the order of answers, at most `most`.
    fn alike(&self, sketch: &Sketch<Fingerprint<WORDS>>, most: usize) -> Result<Vec<Found>, Error> {
        let (view, truth) = (self.shared.view.load(), self.shared.truth()?);
        let document = |number| truth.document(number);
        let (near, crowded) =
            view.near_duplicates(sketch, &self.shared.rules, most, &|_| true, &document)?;
        self.shared.activity.crowded(crowded);
        Ok(near)
    }

    /// What is said of a document that was found; `None` if it was deleted meanwhile.
    fn told(
        &self,
        found: &Found,
        [fingerprint, searched]: [&Fingerprint<WORDS>; 2],
    ) -> Result<Option<Near>, Error> {
        let document = self.shared.truth()?.document(found.doc)?;
        let Some(document) = document else { return Ok(None) };
        let distance = document.sketch.searched().distance(searched);
        self.shared.view.load().trust(found, distance)?;
        Ok(Some(near(&document, fingerprint, found.alike)))
    }

    /// Answers by `ask`. A segment that it meets damaged is dropped first, so that the answer comes without it.
    fn healing<T>(&self, ask: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
        for _ in 0..HEALED {
            match ask() {
                Err(error) if error.damage().is_some() => self.report(&error)?,
                // The writer opens the database again.
                Err(Error::Closed) => drop(self.shared.truth()?),
                answered => return answered,
            }
        }
        ask()
    }

    /// Returns when no search uses the segment any more whose damage this is.
    pub(crate) fn report(&self, error: &Error) -> Result<(), Error> {
        let Some(damage) = error.damage() else { return Ok(()) };
        let (done, dropped) = bounded(1);
        let message = Message::Damaged(damage, Some(done));
        self.inbox.send(message).map_err(|_| Error::Closed)?;
        // The other end goes when that is done.
        let _done = dropped.recv();
        Ok(())
    }

    /// The stored documents within `k` bits of a fingerprint, the nearest first, then the oldest; at most
    /// `limit`. Empty documents, and those too short to compare, are not among them.
    ///
    /// # Errors
    /// A radius over the width; [`Error::NoRadius`] in a store by similarity; as [`Self::check`].
    ///
    /// # Complexity
    /// As [`Self::check`] up to the store's radius. Beyond it every fingerprint is compared.
    pub fn query(
        &self,
        fingerprint: &Fingerprint<WORDS>,
        k: u32,
        limit: usize,
    ) -> Result<Vec<Near>, Error> {
        if self.shared.rules.min_similarity.is_some() {
            return Err(Error::NoRadius);
        }
        check_radius(k, Fingerprint::<WORDS>::BITS)?;
        self.healing(|| self.all_within(fingerprint, k, limit))
    }

    fn all_within(
        &self,
        fingerprint: &Fingerprint<WORDS>,
        k: u32,
        limit: usize,
    ) -> Result<Vec<Near>, Error> {
        let found = self.shared.view.load().within(fingerprint, k)?;
        let near = found.into_iter().map(|near| self.told(&near.into(), [fingerprint; 2]));
        near.filter_map(Result::transpose).take(limit).collect()
    }

    /// The stored document with this id.
    ///
    /// # Errors
    /// An error of the disk.
    pub fn get(&self, id: &str) -> Result<Option<Document<Fingerprint<WORDS>>>, Error> {
        let truth = self.shared.truth()?;
        match truth.number(id)? {
            Some(number) => truth.document(number),
            None => Ok(None),
        }
    }

    /// Stores a document, near-duplicate or not. Returns [`Outcome::New`], or [`Outcome::Exists`] where
    /// the same fingerprint is stored under this id.
    ///
    /// # Errors
    /// [`Error::IdTaken`] where the id has another fingerprint; [`Error::IdLength`], [`Error::Metadata`]
    /// and [`Error::Time`] for documents that no store takes; [`Error::ReadOnly`] while the disk fails.
    pub fn add(&self, document: Document<Fingerprint<WORDS>>) -> Result<Outcome, Error> {
        self.write(Write::Add(document))
    }

    /// Stores a document unless a near-duplicate is stored, in one step. Returns [`Outcome::New`],
    /// [`Outcome::Exists`], or [`Outcome::Duplicate`] with the nearest stored document.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn check_and_add(&self, document: Document<Fingerprint<WORDS>>) -> Result<Outcome, Error> {
        self.write(Write::CheckAndAdd(document))
    }

    /// Stores a document in place of the one with its id. Returns [`Outcome::Updated`],
    /// [`Outcome::New`] where the id was not stored, or [`Outcome::Exists`] where nothing but the time changes. With
    /// another fingerprint the document counts as the youngest.
    ///
    /// # Errors
    /// As [`Self::add`], without [`Error::IdTaken`].
    pub fn update(&self, document: Document<Fingerprint<WORDS>>) -> Result<Outcome, Error> {
        self.write(Write::Update(document))
    }

    /// Stores a document in place of the one with its id, unless a near-duplicate is stored under another
    /// id, in one step. Returns [`Outcome::Duplicate`] with the nearest of those, and the document that has
    /// the id stays as it was; else as [`Self::update`].
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn check_and_update(
        &self,
        document: Document<Fingerprint<WORDS>>,
    ) -> Result<Outcome, Error> {
        self.write(Write::CheckAndUpdate(document))
    }

    /// Removes the document with this id. Returns [`Outcome::Deleted`] or [`Outcome::Absent`].
    ///
    /// # Errors
    /// [`Error::ReadOnly`] while the disk fails.
    pub fn delete(&self, id: &str) -> Result<Outcome, Error> {
        self.write(Write::Delete(id.to_owned()))
    }

    fn write(&self, write: Write<Fingerprint<WORDS>>) -> Result<Outcome, Error> {
        Outcome::only(self.write_all(vec![write])?)
    }

    /// Does many writes in their order, and returns one outcome each when all are durable. Some
    /// thousand at a time go fastest. They are not one step: other writes may come in between.
    ///
    /// # Errors
    /// [`Error::Closed`]; errors of single writes are in the outcomes.
    pub fn write_all(
        &self,
        writes: Vec<Write<Fingerprint<WORDS>>>,
    ) -> Result<Vec<Result<Outcome, Error>>, Error> {
        let (answer, outcomes) = bounded(1);
        // This call waits at the other end.
        let answer = move |all| drop(answer.send(all));
        self.inbox.send(Message::Write(writes, Box::new(answer))).map_err(|_| Error::Closed)?;
        outcomes.recv().map_err(|_| Error::Closed)
    }

    /// Asks for many writes, as [`Self::write_all`] does, and does not wait. The thread that writes calls
    /// `answer` with the outcomes when all are durable; `answer` must not hold it up. If the store is
    /// closed before that, `answer` is dropped.
    ///
    /// # Errors
    /// [`Refused`] gives the writes back where too many requests wait already ([`Error::Busy`]) or the
    /// store is closed.
    pub fn submit(
        &self,
        writes: Vec<Write<Fingerprint<WORDS>>>,
        answer: Answer,
    ) -> Result<(), Box<Refused<Fingerprint<WORDS>>>> {
        let Err(refused) = self.inbox.try_send(Message::Write(writes, answer)) else {
            return Ok(());
        };
        let (error, message) = match refused {
            NotLeft::Full(message) => (Error::Busy, message),
            NotLeft::Closed(message) => (Error::Closed, message),
        };
        let writes = match message {
            Message::Write(writes, _) => writes,
            _ => Vec::new(),
        };
        Err(Box::new(Refused { error, writes }))
    }

    /// Makes one segment of all documents, without the deleted ones. Answers stay the same, and take less
    /// time and space.
    ///
    /// # Errors
    /// An error of the disk.
    ///
    /// # Complexity
    /// Sorts everything; other reads and writes go on.
    pub fn compact(&self) -> Result<(), Error> {
        let (answer, done) = bounded(1);
        self.inbox.send(Message::Compact(answer)).map_err(|_| Error::Closed)?;
        done.recv().map_err(|_| Error::Closed)??;
        self.shared.truth()?.compact()
    }

    /// The figures of the store, as they are now.
    ///
    /// # Errors
    /// An error of the disk.
    pub fn stats(&self) -> Result<Stats, Error> {
        Stats::of(&self.shared, self.inbox.len())
    }

    /// Whether the store takes writes at the moment: none failed, and the writer still runs.
    #[must_use]
    pub fn takes_writes(&self) -> bool {
        let failed = self.shared.read_only.load().is_some();
        let ended = self.threads.iter().take(WRITING).any(JoinHandle::is_finished);
        !failed && !ended
    }

    pub(crate) fn shared(&self) -> &Shared<WORDS> {
        &self.shared
    }

    pub(crate) fn inbox(&self) -> &Inbox<Message<WORDS>> {
        &self.inbox
    }

    /// The store as it is between two groups of writes. Links its segments into the store in `folder`.
    pub(crate) fn capture(&self, folder: Option<&Path>) -> Result<Captured<WORDS>, Error> {
        let (answer, captured) = bounded(1);
        let folder = folder.map(Path::to_owned);
        self.inbox.send(Message::Capture(folder, answer)).map_err(|_| Error::Closed)?;
        captured.recv().map_err(|_| Error::Closed)?
    }
}

impl<const WORDS: usize> Drop for StoreOf<WORDS> {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.open = None;
        let _ended = self.inbox.send(Message::Stop);
        for thread in self.threads.drain(..) {
            let _panicked = thread.join();
        }
    }
}

fn near<const WORDS: usize>(
    document: &Document<Fingerprint<WORDS>>,
    query: &Fingerprint<WORDS>,
    alike: Option<Alike>,
) -> Near {
    let distance = document.sketch.fingerprint.distance(query);
    Near { id: document.id.clone(), distance, alike }
}

fn check_width<const WORDS: usize>(settings: &Settings) -> Result<(), Error> {
    let (store, asked) = (settings.width.bits(), Fingerprint::<WORDS>::BITS);
    if store == asked { Ok(()) } else { Err(Error::OtherWidth { store, asked }) }
}
