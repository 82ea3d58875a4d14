//! The store that most programs open: of the width that its settings name, with the recipe that makes
//! fingerprints of texts. It wraps a [`crate::store_of::StoreOf`], the store of one width.

use crate::change::{Change, Cursor, Portion, Reached};
use crate::clusters::{Cluster, Clusters, Limits};
use crate::content::Content;
use crate::disk::document::Document;
use crate::disk::position::Position;
use crate::disk::sketch::Sketch;
use crate::error::Error;
use crate::options::Options;
use crate::repair::Repair;
use crate::salvage::Salvaged;
use crate::settings::Settings;
use crate::sketcher::Sketcher;
use crate::stats::Stats;
use crate::store_of::StoreOf;
use crate::verify::Verified;
use crate::writing::message::Answer;
use crate::writing::write::{Near, Outcome, Refused, Write};
use nearprint_bits::AnyFingerprint;
use nearprint_fingerprint::{Fingerprint, Recipe, Statistics, Weighting, Width, WordDictionary};
use std::path::Path;
use std::sync::OnceLock;

/// A durable set of documents, in a folder of its own: which were seen, and which are near.
///
/// The store fingerprints texts by its recipe, or takes ready fingerprints. Any thread may call any
/// method at any time. Reads take no lock and wait for no write. One thread decides writes one after
/// another and makes all that wait durable together. So of two near-duplicates that arrive at the same
/// time exactly one is new, and a write that was answered survives the end of the process. It survives a
/// loss of power too, unless [`Options`] say otherwise. Methods block; most take microseconds, writes as
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
    typed: Typed,
    /// The store's recipe, with the statistics and the dictionary that were given.
    recipe: Option<Recipe>,
    statistics: Option<Statistics>,
    /// Made when the first text comes.
    sketcher: OnceLock<Sketcher>,
}

/// A store of each width.
enum Typed {
    W64(StoreOf<1>),
    W128(StoreOf<2>),
    W256(StoreOf<4>),
}

/// Calls the same method on the store of any width.
macro_rules! of {
    ($store:expr, $one:ident => $call:expr) => {
        match &$store.typed {
            Typed::W64($one) => $call,
            Typed::W128($one) => $call,
            Typed::W256($one) => $call,
        }
    };
}

/// Opens the store of the width that the settings name.
macro_rules! typed {
    ($width:expr, $open:ident($($argument:expr),*)) => {
        match $width {
            Width::W64 => Typed::W64(StoreOf::$open($($argument),*)?),
            Width::W128 => Typed::W128(StoreOf::$open($($argument),*)?),
            Width::W256 => Typed::W256(StoreOf::$open($($argument),*)?),
        }
    };
}

/// Documents with their numbers.
pub type Numbered<'a> = Box<dyn Iterator<Item = Result<(u64, Document), Error>> + Send + 'a>;

impl Store {
    /// Makes an empty store in the folder `path`, which must be new or empty, and opens it.
    ///
    /// # Errors
    /// [`Error::Taken`]; those of [`Settings::check`]; an error of the disk.
    pub fn create(path: impl AsRef<Path>, settings: &Settings) -> Result<Self, Error> {
        Self::create_with(path, settings, &Options::default())
    }

    /// As [`Self::create`], with [`Options`].
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_with(
        path: impl AsRef<Path>,
        settings: &Settings,
        options: &Options,
    ) -> Result<Self, Error> {
        Self::create_at(path.as_ref(), settings, options)
    }

    /// Opens the store in the folder `path`. If a segment cannot be used, the store makes it again from
    /// the documents: [`Self::repairs`] names those segments.
    ///
    /// # Errors
    /// [`Error::NoStore`] where the folder holds no store; [`Error::InUse`] where another process, or
    /// this one, has it open; [`Error::LostTail`], [`Error::Damaged`] and [`Error::Corrupt`] on damage; an error of the disk.
    ///
    /// # Complexity
    /// Reads again what the last process wrote to no segment, at most some hundred thousand documents,
    /// whatever the size of the store; repairs aside.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &Options::default())
    }

    /// As [`Self::open`], with [`Options`].
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(path: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        Self::open_at(path.as_ref(), options)
    }

    /// As [`Self::open_with`], after making all segments again from the documents.
    ///
    /// # Errors
    /// As [`Self::open`].
    ///
    /// # Complexity
    /// Reads all documents several times. Memory: that of [`Options`].
    pub fn rebuild(path: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        Self::rebuild_at(path.as_ref(), options)
    }

    /// As [`Self::rebuild`], for another radius, which the store has from then on. If it ends early, the store
    /// has the radius that it had.
    ///
    /// # Errors
    /// [`Error::WideRadius`]; [`Error::NoRadius`] in a store by similarity; as [`Self::open`].
    ///
    /// # Complexity
    /// As [`Self::rebuild`].
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Width;
    /// # use nearprint_store::{AnyFingerprint, Options, Settings, Store};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("codes");
    /// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
    /// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
    /// let far: AnyFingerprint = "00000000000000f0".parse()?;
    /// assert_eq!(store.check(far)?, None);
    /// drop(store);
    /// let store = Store::rebuild_within(&path, 4, &Options::default())?;
    /// assert_eq!(store.check(far)?.unwrap().distance, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rebuild_within(
        path: impl AsRef<Path>,
        k: u32,
        options: &Options,
    ) -> Result<Self, Error> {
        Self::rebuild_within_at(path.as_ref(), k, options)
    }

    fn create_at(path: &Path, settings: &Settings, options: &Options) -> Result<Self, Error> {
        Ok(Self::new(typed!(settings.width, create(path, settings, options))))
    }

    fn open_at(path: &Path, options: &Options) -> Result<Self, Error> {
        let width = Settings::read(path)?.width;
        Ok(Self::new(typed!(width, open(path, options))))
    }

    fn rebuild_at(path: &Path, options: &Options) -> Result<Self, Error> {
        let width = Settings::read(path)?.width;
        Ok(Self::new(typed!(width, rebuild(path, options))))
    }

    fn rebuild_within_at(path: &Path, k: u32, options: &Options) -> Result<Self, Error> {
        let width = Settings::read_to_change_radius(path)?.width;
        Ok(Self::new(typed!(width, rebuild_within(path, k, options))))
    }

    fn new(typed: Typed) -> Self {
        let store = Self { typed, recipe: None, statistics: None, sketcher: OnceLock::new() };
        Self { recipe: store.settings().recipe.clone(), ..store }
    }

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
        of!(self, store => store.settings())
    }

    /// How it was opened.
    #[must_use]
    pub fn options(&self) -> &Options {
        of!(self, store => store.options())
    }

    /// The number of documents stored.
    #[must_use]
    pub fn len(&self) -> u64 {
        of!(self, store => store.documents())
    }

    /// Whether no document is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes a store in the folder `to`, new or empty, of what can be read of the damaged store in `from`, which
    /// nobody may have open. Documents keep their order, times and metadata.
    ///
    /// # Errors
    /// [`Error::Damaged`] where the database cannot be opened, even without its journal; [`Error::Taken`];
    /// [`Error::InUse`]; an error of the disk. After an error nothing is left of the new store.
    ///
    /// # Complexity
    /// Reads and writes all documents; where a block cannot be read, looks up each document in it.
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
        match Settings::read(from)?.width {
            Width::W64 => StoreOf::<1>::salvage(from, to, options),
            Width::W128 => StoreOf::<2>::salvage(from, to, options),
            Width::W256 => StoreOf::<4>::salvage(from, to, options),
        }
    }

    /// The segments that were made again when the store was opened.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        of!(self, store => store.repairs())
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

    /// The nearest stored document that is a near-duplicate, by the store's radius or similarity; of several
    /// equally near the oldest. `None` where none is that near.
    ///
    /// # Errors
    /// Those of [`Self::sketch`]; [`Error::OtherWidth`]; [`Error::NoSketch`] for a fingerprint alone in a
    /// store by similarity; [`Error::Segment`] on damage; an error of the
    /// disk.
    ///
    /// # Complexity
    /// Searches each segment, and reads the document that it finds: some ten microseconds at a million
    /// documents. There are about as many segments as the number of documents has digits.
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Width;
    /// # use nearprint_store::{AnyFingerprint, Settings, Store};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("codes");
    /// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
    /// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
    /// let near = store.check("00000000000000fd".parse::<AnyFingerprint>()?)?.unwrap();
    /// assert_eq!((near.id.as_str(), near.distance), ("a", 1));
    /// assert!(store.check("One document.").is_err(), "this store has no recipe for texts");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check<'a>(&self, content: impl Into<Content<'a>>) -> Result<Option<Near>, Error> {
        self.nearest(content.into())
    }

    fn nearest(&self, content: Content<'_>) -> Result<Option<Near>, Error> {
        let sketch = self.sketch_of(content)?;
        of!(self, store => store.check(&sketch.narrow()?))
    }

    /// The stored documents that are near-duplicates, by the store's radius or similarity: the nearest first,
    /// then the oldest; at most `limit`. Empty documents, and those too short to compare, are not among them.
    ///
    /// # Errors
    /// As [`Self::check`].
    ///
    /// # Complexity
    /// As [`Self::check`], and reads all that it finds.
    pub fn near_duplicates<'a>(
        &self,
        content: impl Into<Content<'a>>,
        limit: usize,
    ) -> Result<Vec<Near>, Error> {
        self.all_near(content.into(), limit)
    }

    fn all_near(&self, content: Content<'_>, limit: usize) -> Result<Vec<Near>, Error> {
        let sketch = self.sketch_of(content)?;
        of!(self, store => store.near_duplicates(&sketch.narrow()?, limit))
    }

    /// The stored documents within `k` bits, the nearest first, then the oldest; at most `limit`. Empty
    /// documents, and those too short to compare, are not among them.
    ///
    /// # Errors
    /// A radius over the width; [`Error::NoRadius`] in a store by similarity; as [`Self::check`].
    ///
    /// # Complexity
    /// As [`Self::check`] up to the store's radius. Beyond it every fingerprint is compared: some 24 ns
    /// each.
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Recipe;
    /// # use nearprint_store::{Settings, Store};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("pages");
    /// let store = Store::create(&path, &Settings::of(Recipe::named("text").unwrap()))?;
    /// store.add("a", "A storm is expected to reach the northern coast tonight.")?;
    /// store.add("b", "a storm is expected to reach the northern coast tonight")?;
    /// let near = store.query("A storm is expected to reach the northern coast tonight!", 3, 10)?;
    /// assert_eq!(near.iter().map(|near| near.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    /// # Ok::<(), nearprint_store::Error>(())
    /// ```
    pub fn query<'a>(
        &self,
        content: impl Into<Content<'a>>,
        k: u32,
        limit: usize,
    ) -> Result<Vec<Near>, Error> {
        self.within(content.into(), k, limit)
    }

    fn within(&self, content: Content<'_>, k: u32, limit: usize) -> Result<Vec<Near>, Error> {
        let sketch = self.sketch_of(content)?;
        of!(self, store => store.query(&sketch.narrow()?.fingerprint, k, limit))
    }

    /// The stored document with this id.
    ///
    /// # Errors
    /// An error of the disk.
    ///
    /// # Complexity
    /// Two look-ups in the database.
    pub fn get(&self, id: &str) -> Result<Option<Document>, Error> {
        of!(self, store => Ok(store.get(id)?.map(Document::widen)))
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

    /// Deletes the documents whose ids begin with `prefix`: see [`StoreOf::delete_prefix`].
    ///
    /// # Errors
    /// Those of [`StoreOf::delete_prefix`].
    pub fn delete_prefix(&self, prefix: &str, stopped: &dyn Fn() -> bool) -> Result<u64, Error> {
        of!(self, store => store.delete_prefix(prefix, stopped))
    }

    /// Deletes the documents whose time is before `time`, in milliseconds since 1970: see
    /// [`StoreOf::forget_before`].
    ///
    /// # Errors
    /// Those of [`StoreOf::forget_before`].
    ///
    /// # Examples
    /// ```
    /// # use nearprint_fingerprint::Width;
    /// # use nearprint_store::{AnyFingerprint, Document, Settings, Store, Write};
    /// # let room = tempfile::tempdir().unwrap();
    /// # let path = room.path().join("codes");
    /// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
    /// for (id, time) in [("site/old", 1_000), ("site/new", 2_000), ("other", 3_000)] {
    ///     let code: AnyFingerprint = "00000000000000ff".parse()?;
    ///     store.write(Write::Add(Document { time, ..Document::new(id, code) }))?;
    /// }
    /// assert_eq!(store.forget_before(2_000, &|| false)?, 1);
    /// assert_eq!(store.delete_prefix("site/", &|| false)?, 1);
    /// assert_eq!(store.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget_before(&self, time: u64, stopped: &dyn Fn() -> bool) -> Result<u64, Error> {
        of!(self, store => store.forget_before(time, stopped))
    }

    /// How many documents have a time before `time`, in milliseconds since 1970, and how many there are: see
    /// [`StoreOf::count_before`].
    ///
    /// # Errors
    /// Those of [`StoreOf::count_before`].
    pub fn count_before(&self, time: u64, stopped: &dyn Fn() -> bool) -> Result<(u64, u64), Error> {
        of!(self, store => store.count_before(time, stopped))
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
        of!(self, store => store.write_all(narrow(writes)?))
    }

    /// Asks for many writes, as [`Self::write_all`] does, and does not wait. The thread that writes calls
    /// `answer` with the outcomes when all are durable; `answer` must not hold it up. If the store is
    /// closed before that, `answer` is dropped.
    ///
    /// # Errors
    /// [`Refused`] gives the writes back where too many requests wait already ([`Error::Busy`]) or the
    /// store is closed; where a width is wrong ([`Error::OtherWidth`]), it has none.
    pub fn submit(
        &self,
        writes: Vec<Write>,
        answer: impl FnOnce(Vec<Result<Outcome, Error>>) + Send + 'static,
    ) -> Result<(), Box<Refused>> {
        self.ask(writes, Box::new(answer))
    }

    fn ask(&self, writes: Vec<Write>, answer: Answer) -> Result<(), Box<Refused>> {
        fn refused(error: Error) -> Box<Refused> {
            Box::new(Refused { error, writes: Vec::new() })
        }
        of!(self, store => {
            store.submit(narrow(writes).map_err(refused)?, answer).map_err(|refused| {
                let Refused { error, writes } = *refused;
                Box::new(Refused { error, writes: writes.into_iter().map(Write::widen).collect() })
            })
        })
    }

    /// Every document, the oldest first. While the iterator lives, the space of deleted documents is not
    /// freed.
    ///
    /// # Errors
    /// [`Error::Closed`]; for single documents [`Error::Damaged`] and errors of the disk.
    pub fn scan(&self) -> Result<Box<dyn Iterator<Item = Result<Document, Error>> + '_>, Error> {
        of!(self, store => Ok(Box::new(store.scan()?.map(|row| row.map(Document::widen)))))
    }

    /// The documents from the id `from` on, in the order of the bytes of ids.
    ///
    /// # Errors
    /// As [`Self::scan`].
    ///
    /// # Complexity
    /// Some microseconds a document: each is looked up.
    pub fn scan_ids(
        &self,
        from: &str,
    ) -> Result<Box<dyn Iterator<Item = Result<Document, Error>> + '_>, Error> {
        of!(self, store => Ok(Box::new(store.scan_ids(from)?.map(|row| row.map(Document::widen)))))
    }

    /// The clusters of the documents that are stored now: see [`StoreOf::clusters`].
    ///
    /// # Errors
    /// Those of [`StoreOf::clusters`].
    pub fn clusters(
        &self,
        k: Option<u32>,
        limits: Limits,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Clusters, Error> {
        of!(self, store => store.clusters(k, limits, stopped))
    }

    /// The members of a cluster from the place `from` on, at most `limit`: see [`StoreOf::members`].
    ///
    /// # Errors
    /// An error of the disk.
    pub fn members(
        &self,
        cluster: &Cluster,
        from: usize,
        limit: usize,
    ) -> Result<Vec<Near>, Error> {
        of!(self, store => store.members(cluster, from, limit))
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
        of!(self, store => store.compact())
    }

    /// Copies the store as it is at this moment into the folder `path`, which must be new or empty. To
    /// restore the copy, open it.
    ///
    /// # Errors
    /// [`Error::Taken`]; an error of the disk. After an error nothing is left of the copy.
    ///
    /// # Complexity
    /// Reads and writes all documents; segments are linked where the file system allows it.
    pub fn snapshot(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.snapshot_unless(path, &|| false)
    }

    /// As [`Self::snapshot`]. Ends early once `stopped` returns true.
    ///
    /// # Errors
    /// As [`Self::snapshot`]; [`Error::Closed`] once `stopped` returned true.
    pub fn snapshot_unless(
        &self,
        path: impl AsRef<Path>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        self.snapshot_at(path.as_ref(), stopped)
    }

    fn snapshot_at(&self, path: &Path, stopped: &dyn Fn() -> bool) -> Result<(), Error> {
        of!(self, store => store.snapshot_unless(path, stopped))
    }

    /// Reads everything and compares it: checksums of segments, and what is derived from the documents
    /// with the documents. Reads and writes go on.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Mismatch`] and [`Error::Segment`], which name the damaged part.
    ///
    /// # Complexity
    /// Reads the whole store, in constant memory.
    pub fn verify(&self) -> Result<Verified, Error> {
        of!(self, store => store.verify())
    }

    /// As [`Self::verify`]. Ends early once `stopped` returns true.
    ///
    /// # Errors
    /// As [`Self::verify`]; [`Error::Closed`] once `stopped` returned true.
    pub fn verify_unless(&self, stopped: &dyn Fn() -> bool) -> Result<Verified, Error> {
        of!(self, store => store.verify_unless(stopped))
    }

    /// The position of the store: it names the documents that are stored.
    #[must_use]
    pub fn position(&self) -> Position {
        of!(self, store => store.position())
    }

    /// Whether the store is as a store was at a moment: see [`StoreOf::is_whole`].
    #[must_use]
    pub fn is_whole(&self) -> bool {
        of!(self, store => store.is_whole())
    }

    /// The changes of the store after `from`, of some `bytes`: see [`StoreOf::changes`].
    ///
    /// # Errors
    /// Those of [`StoreOf::changes`].
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
        of!(self, store => Ok(store.changes(from, bytes)?.widen()))
    }

    /// How far the writes are at this moment, and whether the store is [whole](Self::is_whole); and all documents of
    /// the moment with their numbers. While these live, the space of deleted documents is not freed.
    ///
    /// # Errors
    /// Those of [`StoreOf::moment`].
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
    /// let (reached, whole, documents) = store.moment()?;
    /// for row in documents {
    ///     let (number, document) = row?;
    ///     copying.take(number, document)?;
    /// }
    /// copying.finish(reached, whole)?;
    ///
    /// let copy = Store::open(&other)?;
    /// store.delete("a")?;
    /// let portion = store.changes(&copy.position().into(), 1 << 20)?;
    /// copy.follow(portion.changes, portion.whole.then_some(portion.now))?;
    /// assert_eq!((copy.len(), copy.position()), (0, store.position()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moment(&self) -> Result<(Reached, bool, Numbered<'_>), Error> {
        of!(self, store => {
            let moment = store.moment()?;
            let (reached, whole) = (moment.reached(), moment.is_whole());
            let widen = |row: Result<_, _>| row.map(|(number, document): (u64, Document<_>)| (number, document.widen()));
            Ok((reached, whole, Box::new(moment.map(widen))))
        })
    }

    /// Takes over changes of the store that this one is a copy of: see [`StoreOf::follow`].
    ///
    /// # Errors
    /// Those of [`StoreOf::follow`]; [`Error::OtherWidth`].
    pub fn follow(&self, changes: Vec<Change>, whole: Option<Reached>) -> Result<(), Error> {
        of!(self, store => {
            let changes = changes.into_iter().map(Change::narrow).collect::<Result<_, _>>()?;
            store.follow(changes, whole)
        })
    }

    /// The folder of the store.
    #[must_use]
    pub fn path(&self) -> &Path {
        of!(self, store => store.path())
    }

    /// The figures of the store, as they are now.
    ///
    /// # Errors
    /// An error of the disk.
    pub fn stats(&self) -> Result<Stats, Error> {
        of!(self, store => store.stats())
    }

    /// Whether the store takes writes at the moment: none failed, and the writer still runs.
    #[must_use]
    pub fn takes_writes(&self) -> bool {
        of!(self, store => store.takes_writes())
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

impl From<StoreOf<1>> for Store {
    fn from(store: StoreOf<1>) -> Self {
        Self::new(Typed::W64(store))
    }
}

impl From<StoreOf<2>> for Store {
    fn from(store: StoreOf<2>) -> Self {
        Self::new(Typed::W128(store))
    }
}

impl From<StoreOf<4>> for Store {
    fn from(store: StoreOf<4>) -> Self {
        Self::new(Typed::W256(store))
    }
}

fn narrow<const WORDS: usize>(
    writes: Vec<Write<AnyFingerprint>>,
) -> Result<Vec<Write<Fingerprint<WORDS>>>, Error> {
    writes.into_iter().map(Write::narrow).collect()
}

fn ready_made() -> Error {
    Error::NoTexts { reason: "it has no recipe, and takes ready fingerprints".to_owned() }
}
