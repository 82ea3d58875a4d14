//! The store: a durable set of documents, with the recipe that makes fingerprints of texts. Here are its settings, its
//! texts and its writes; [`crate::opening`] makes and opens it, [`crate::asking`] finds what is near.

use crate::content::Content;
use crate::disk::document::Document;
use crate::disk::sketch::Sketch;
use crate::error::Error;
use crate::options::Options;
use crate::repair::Repair;
use crate::settings::Settings;
use crate::sketcher::Sketcher;
use crate::stats::Stats;
use crate::views::captured::Captured;
use crate::writing::inbox::{Inbox, NotLeft};
use crate::writing::message::{Answer, Message};
use crate::writing::shared::Shared;
use crate::writing::write::{Outcome, Refused, Write};
use crossbeam_channel::{Sender, bounded};
use nearprint_fingerprint::{Recipe, Statistics, Weighting, WordDictionary};
use std::fs::File;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

/// The first threads of a store, which write.
const WRITING: usize = 2;

/// A durable set of documents, in a folder of its own: which were seen, and which are near.
///
/// The store fingerprints texts by its recipe, or takes ready fingerprints. Any thread may call any
/// method at any time. Reads take no lock and wait for no write. One thread decides writes one after
/// another and makes all that wait durable together. So of two near-duplicates that arrive at the same
/// time exactly one is new, and a write that was answered survives the end of the process. It survives a
/// loss of power too, unless [`Options`] say otherwise. The store never calls a document a duplicate of one
/// that could still be lost. Methods block; most take microseconds, writes as
/// long as the disk takes to sync. Dropping the store closes it.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Recipe;
/// use nearprint_store::{Outcome, Settings, Store};
/// # let room = tempfile::tempdir().unwrap();
/// # let path = room.path().join("pages");
///
/// let recipe = Recipe::named("text").unwrap();
/// let store = Store::create(&path, &Settings::of(recipe))?;
/// let text = "The city council approved the new budget on Monday after a long debate.";
/// assert_eq!(store.check_and_add("a", text)?, Outcome::New);
/// drop(store);
///
/// let store = Store::open(&path)?;
/// let again = "the city council approved the new budget on Monday, after a long debate";
/// let Outcome::Duplicate(near) = store.check_and_add("b", again)? else { panic!("it is one") };
/// assert_eq!((near.id.as_str(), near.distance), ("a", 0));
/// assert_eq!(store.len(), 1);
/// # Ok::<(), nearprint_store::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, sections 3 and 4: the crawler's question, and permuted tables.
pub struct Store {
    pub(crate) shared: Arc<Shared>,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) inbox: Inbox<Message>,
    pub(crate) threads: Vec<JoinHandle<()>>,
    /// Until it goes, segments are read in the background.
    pub(crate) open: Option<Sender<()>>,
    /// The file of the lock, which lasts until the file is closed.
    pub(crate) _lock: File,
    /// The store's recipe, with the statistics and the dictionary that were given.
    pub(crate) recipe: Option<Recipe>,
    pub(crate) statistics: Option<Statistics>,
    /// Made when the first text comes.
    pub(crate) sketcher: OnceLock<Sketcher>,
}

impl Store {
    /// The store with the statistics that its recipe names. Without them it takes no texts.
    ///
    /// # Errors
    /// [`Error::Recipe`] for statistics that the recipe does not name. [`Error::OtherRecipe`] where the
    /// recipe names none: other statistics could give other fingerprints the next time.
    pub fn with_statistics(mut self, statistics: Statistics) -> Result<Self, Error> {
        let recipe = self.recipe.as_ref().ok_or_else(ready_made)?;
        let bound = recipe.bound_to_statistics(&statistics)?;
        self.settings().accepts(&bound)?;
        self.recipe = Some(bound);
        self.statistics = Some(statistics);
        Ok(self)
    }

    /// The store with the dictionary that its recipe names. Without it the store takes no texts.
    ///
    /// # Errors
    /// [`Error::Recipe`] for a dictionary that the recipe does not name; [`Error::OtherRecipe`] where the
    /// recipe names none.
    pub fn with_dictionary(mut self, dictionary: &WordDictionary) -> Result<Self, Error> {
        let recipe = self.recipe.as_ref().ok_or_else(ready_made)?;
        let bound = recipe.bound_to_dictionary(dictionary)?;
        self.settings().accepts(&bound)?;
        self.recipe = Some(bound);
        Ok(self)
    }

    /// The store with `recipe`, which is its own with the files of words that it names: a user dictionary,
    /// stop words, frequencies. Without them it takes no texts.
    ///
    /// # Errors
    /// [`Error::OtherRecipe`] for any other recipe; [`Error::Recipe`] where files are missing.
    pub fn with_recipe(mut self, recipe: Recipe) -> Result<Self, Error> {
        self.settings().accepts(&recipe)?;
        recipe.ready()?;
        self.recipe = Some(recipe);
        Ok(self)
    }

    /// What the store is made for: recipe, width, and how it finds near-duplicates.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// How it was opened.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.shared.options
    }

    /// The folder of the store.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// The number of documents stored.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.shared.progress.load().documents
    }

    /// Whether no document is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The segments that were made again when the store was opened.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// What the store compares of a content: the fingerprint of a text by the store's recipe, and in a store
    /// by similarity the sketch of its features.
    ///
    /// # Errors
    /// [`Error::NoTexts`] for a text where the store takes fingerprints or features; [`Error::Recipe`]
    /// where the recipe needs statistics or a dictionary that were not given.
    ///
    /// # Complexity
    /// Linear in the length of the text.
    pub fn sketch<'a>(&self, content: impl Into<Content<'a>>) -> Result<Sketch, Error> {
        self.sketch_of(content.into())
    }

    fn sketch_of(&self, content: Content<'_>) -> Result<Sketch, Error> {
        match content {
            Content::Text(text) => self.sketcher()?.sketch(text, None),
            Content::Sketch(sketch) => Ok(sketch),
        }
    }

    /// The stored document with this id.
    ///
    /// # Errors
    /// An error of the disk.
    ///
    /// # Complexity
    /// Two look-ups in the database.
    pub fn get(&self, id: &str) -> Result<Option<Document>, Error> {
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
    /// [`Error::IdTaken`] where the id has another fingerprint; [`Error::IdLength`];
    /// [`Error::ReadOnly`] while the disk fails; those of [`Self::sketch`].
    pub fn add<'a>(&self, id: &str, content: impl Into<Content<'a>>) -> Result<Outcome, Error> {
        self.write_one(Write::Add, id, content.into())
    }

    /// Stores a document unless a near-duplicate is stored, in one step. Returns [`Outcome::New`],
    /// [`Outcome::Exists`], or [`Outcome::Duplicate`] with the nearest stored document.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn check_and_add<'a>(
        &self,
        id: &str,
        content: impl Into<Content<'a>>,
    ) -> Result<Outcome, Error> {
        self.write_one(Write::CheckAndAdd, id, content.into())
    }

    /// Stores a document in place of the one with its id. Returns [`Outcome::Updated`],
    /// [`Outcome::New`] where the id was not stored, or [`Outcome::Exists`] where nothing but the time changes. With
    /// another fingerprint the document counts as the youngest.
    ///
    /// # Errors
    /// As [`Self::add`], without [`Error::IdTaken`].
    pub fn update<'a>(&self, id: &str, content: impl Into<Content<'a>>) -> Result<Outcome, Error> {
        self.write_one(Write::Update, id, content.into())
    }

    /// Stores a document in place of the one with its id, unless a near-duplicate is stored under another
    /// id, in one step. Returns [`Outcome::Duplicate`] with the nearest of those, and the document that has
    /// the id stays as it was. Else returns [`Outcome::Updated`], [`Outcome::New`] where the id was not
    /// stored, or [`Outcome::Exists`] where nothing but the time changes.
    ///
    /// # Errors
    /// As [`Self::update`].
    ///
    /// # Examples
    /// A page is visited again: its own earlier text does not make it a duplicate, that of another page does.
    /// ```
    /// # use nearprint_fingerprint::Recipe;
    /// # use nearprint_store::{Outcome, Settings, Store};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("pages");
    /// let store = Store::create(&path, &Settings::of(Recipe::named("text").unwrap()))?;
    /// let text = "A storm is expected to reach the northern coast tonight.";
    /// assert_eq!(store.check_and_update("a", text)?, Outcome::New);
    /// assert_eq!(store.check_and_update("a", text)?, Outcome::Exists);
    /// let other = "The storm has gone, and nobody on the northern coast was hurt last night.";
    /// assert_eq!(store.check_and_update("a", other)?, Outcome::Updated);
    /// let Outcome::Duplicate(near) = store.check_and_update("b", other)? else { panic!("it is") };
    /// assert_eq!(near.id, "a");
    /// # Ok::<(), nearprint_store::Error>(())
    /// ```
    pub fn check_and_update<'a>(
        &self,
        id: &str,
        content: impl Into<Content<'a>>,
    ) -> Result<Outcome, Error> {
        self.write_one(Write::CheckAndUpdate, id, content.into())
    }

    /// Removes the document with this id. Returns [`Outcome::Deleted`] or [`Outcome::Absent`].
    ///
    /// # Errors
    /// [`Error::ReadOnly`] while the disk fails.
    pub fn delete(&self, id: &str) -> Result<Outcome, Error> {
        self.write(Write::Delete(id.to_owned()))
    }

    fn write_one(
        &self,
        write: fn(Document) -> Write,
        id: &str,
        content: Content<'_>,
    ) -> Result<Outcome, Error> {
        self.write(write(Document::new(id, self.sketch_of(content)?)))
    }

    /// Does one write: for documents with metadata or a time of their own.
    ///
    /// # Errors
    /// As [`Self::add`]; [`Error::Metadata`] and [`Error::Time`].
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Recipe;
    /// # use nearprint_store::{Document, Settings, Store, Write};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("pages");
    /// let store = Store::create(&path, &Settings::of(Recipe::named("text").unwrap()))?;
    /// let metadata = Some(r#"{"lang":"en"}"#.to_owned());
    /// let document = Document { metadata, ..Document::new("a", store.sketch("One document.")?) };
    /// store.write(Write::Add(document))?;
    /// assert_eq!(store.get("a")?.unwrap().metadata.unwrap(), r#"{"lang":"en"}"#);
    /// # Ok::<(), nearprint_store::Error>(())
    /// ```
    pub fn write(&self, write: Write) -> Result<Outcome, Error> {
        Outcome::only(self.write_all(vec![write])?)
    }

    /// Does many writes in their order, and returns one outcome each when all are durable. Some thousand
    /// at a time go fastest. They are not one step: other writes may come in between.
    ///
    /// # Errors
    /// [`Error::Closed`]; [`Error::OtherWidth`], and nothing is written then. Errors of single writes
    /// are in the outcomes.
    pub fn write_all(&self, writes: Vec<Write>) -> Result<Vec<Result<Outcome, Error>>, Error> {
        self.check_widths(&writes)?;
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
    /// [`Refused`] gives the writes back where too many requests wait already ([`Error::Busy`]), the store is
    /// closed, or a width is wrong ([`Error::OtherWidth`]).
    pub fn submit(
        &self,
        writes: Vec<Write>,
        answer: impl FnOnce(Vec<Result<Outcome, Error>>) + Send + 'static,
    ) -> Result<(), Box<Refused>> {
        self.leave(writes, Box::new(answer))
    }

    fn leave(&self, writes: Vec<Write>, answer: Answer) -> Result<(), Box<Refused>> {
        if let Err(error) = self.check_widths(&writes) {
            return Err(Box::new(Refused { error, writes }));
        }
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

    fn check_widths(&self, writes: &[Write]) -> Result<(), Error> {
        let width = self.shared.settings.width;
        writes.iter().try_for_each(|write| write.check_width(width))
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

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    pub(crate) fn inbox(&self) -> &Inbox<Message> {
        &self.inbox
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

    /// The store as it is between two groups of writes. Links its segments into the store in `folder`.
    pub(crate) fn capture(&self, folder: Option<&Path>) -> Result<Captured, Error> {
        let (answer, captured) = bounded(1);
        let folder = folder.map(Path::to_owned);
        self.inbox.send(Message::Capture(folder, answer)).map_err(|_| Error::Closed)?;
        captured.recv().map_err(|_| Error::Closed)?
    }

    fn sketcher(&self) -> Result<&Sketcher, Error> {
        if let Some(sketcher) = self.sketcher.get() {
            return Ok(sketcher);
        }
        let recipe = self.recipe.clone().ok_or_else(ready_made)?;
        if recipe.weights == Weighting::Given {
            let reason = format!("its recipe {} takes features", recipe.name);
            return Err(Error::NoTexts { reason });
        }
        let made = Sketcher::new(recipe, self.statistics.clone())?;
        let made = made.for_threshold(&self.settings().threshold)?;
        Ok(self.sketcher.get_or_init(|| made))
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Store");
        shown.field("settings", self.settings()).field("documents", &self.len());
        shown.finish_non_exhaustive()
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.open = None;
        let _ended = self.inbox.send(Message::Stop);
        for thread in self.threads.drain(..) {
            let _panicked = thread.join();
        }
    }
}

fn ready_made() -> Error {
    Error::NoTexts { reason: "it has no recipe, and takes ready fingerprints".to_owned() }
}
