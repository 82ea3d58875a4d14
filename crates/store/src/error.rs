//! Why a store did not do what was asked.

use crate::repair::Repair;
use nearprint_bits::ErrorKind;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a store did not do what was asked.
///
/// # Examples
/// ```
/// use nearprint_store::{Error, Store};
///
/// assert!(matches!(Store::open("no/such/folder"), Err(Error::NoStore { .. })));
/// assert!(matches!(Store::open("Cargo.toml"), Err(Error::NoStore { .. })));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The disk failed the database that holds the documents.
    #[error("{}: {}", path.display(), Said(failure))]
    Database {
        /// Its folder.
        path: PathBuf,
        /// What it says.
        failure: fjall::Error,
    },
    /// The database that holds the documents is not as it was written. A
    /// [snapshot](crate::Store::snapshot) in the place of the store restores it;
    /// [`Store::salvage`](crate::Store::salvage) brings over what can be read.
    #[error(
        "{}: the database of the store is damaged; restore a snapshot, or salvage what can be read. The \
         database says: {said}",
        path.display()
    )]
    Damaged {
        /// Its folder.
        path: PathBuf,
        /// What is wrong, in the words of the database.
        said: String,
    },
    /// The folder holds no store. [`Store::create`](crate::Store::create) makes one.
    #[error("{}: no store here", path.display())]
    NoStore {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds the documents of a store and not what it was made for, nor a copy of that which can be read.
    #[error(
        "{}: store.toml, which holds the settings of this store, is gone, and no copy of it can be read; the documents \
         are in {}: restore the file from a snapshot, or from a store with the same settings",
        path.display(), path.join("truth").display()
    )]
    LostSettings {
        /// The folder.
        path: PathBuf,
    },
    /// The file of the settings and its copy say that the store was made for different things: one came from elsewhere.
    #[error(
        "{}: this differs from {}: {differences}. One of the two came from elsewhere: delete that one, and it is \
         rewritten from the other when the store is next opened", path.display(), copy.display()
    )]
    OtherSettings {
        /// The file of the settings.
        path: PathBuf,
        /// Its copy, in the folder of the database.
        copy: PathBuf,
        /// How they differ.
        differences: String,
    },
    /// The folder for a new store is not empty.
    #[error("{}: {what}; name a folder that is new or empty", path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
        /// What is there.
        what: &'static str,
    },
    /// The folder for a copy is not there.
    #[error("{}: there is no such folder; make it, or check that its disk is mounted", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The place for a new store is among the files of another one.
    #[error("{}: this is among the files of the store {}; name a folder outside of it", path.display(), store.display())]
    Inside {
        /// The place.
        path: PathBuf,
        /// The store.
        store: PathBuf,
    },
    /// Another process has the store open, or this one has.
    #[error(
        "{}: this program or another process already has this store open; close it there, or ask the process \
         that serves it, over HTTP", path.display()
    )]
    InUse {
        /// The store.
        path: PathBuf,
    },
    /// A release with another format made the store.
    #[error("{}: a store of version {found}; this release reads versions 1 to {known}", path.display())]
    Version {
        /// The store.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The latest version that this release reads.
        known: u32,
    },
    /// A file of the store does not hold what the store wrote.
    #[error("{}: {what}", path.display())]
    Corrupt {
        /// The file or folder.
        path: PathBuf,
        /// What was found and what to do.
        what: String,
    },
    /// Somebody changed the radius in the file of the settings.
    /// [`Store::rebuild_within`](crate::Store::rebuild_within) changes it.
    #[error(
        "{}: k = {found} here, but the store was made for k = {made}: restore that value, or rebuild the \
         store for the other radius", path.display()
    )]
    EditedRadius {
        /// The file of the settings.
        path: PathBuf,
        /// The radius in it.
        found: u32,
        /// The radius that the store was made for.
        made: u32,
    },
    /// The radius is over a quarter of the width.
    #[error(
        "k = {k} is more than a quarter of {width} bits: fingerprints of documents that have nothing in \
         common differ in half of the bits on average, and some of them in so few; use at most {most}"
    )]
    WideRadius {
        /// The radius.
        k: u32,
        /// Bits of a fingerprint.
        width: u32,
        /// The most that a store may have.
        most: u32,
    },
    /// The segments do not hold the documents that are stored. [`Store::rebuild`](crate::Store::rebuild)
    /// makes the segments again.
    #[error(
        "{}: the segments do not match the database: {searched} documents are searched, {stored} are \
         stored, or they are not the same", path.display()
    )]
    Mismatch {
        /// The store.
        path: PathBuf,
        /// Documents that searches look through.
        searched: u64,
        /// Documents in the database that are compared by distance.
        stored: u64,
    },
    /// The database lost writes that were acknowledged.
    #[error(
        "{}: writes that were acknowledged are missing: the last one was number {acknowledged}, the \
         database ends with {found}. Its journal is damaged: restore a snapshot, or salvage what can be read",
        path.display()
    )]
    LostTail {
        /// The store.
        path: PathBuf,
        /// Number of the last group of writes that was acknowledged.
        acknowledged: u64,
        /// Number of the last group that the database has.
        found: u64,
    },
    /// The end of the database cannot be read, and the file that records the last acknowledged write is gone.
    #[error(
        "{}: writes that were acknowledged may be missing: {bytes} bytes at the end of the journal fail their checksum, \
         and {}, which holds the number of the last write, is gone or damaged: restore a snapshot, or \
         salvage what can be read", path.display(), acknowledged_file.display()
    )]
    UnknownTail {
        /// The folder of the database.
        path: PathBuf,
        /// Bytes that do not check.
        bytes: u64,
        /// The file that holds the number.
        acknowledged_file: PathBuf,
    },
    /// The fingerprints are of another recipe.
    #[error(
        "the store (here) holds fingerprints of another recipe than what it was given (there): {differences}"
    )]
    OtherRecipe {
        /// How the two recipes differ; "here" is the store's.
        differences: String,
    },
    /// The store takes fingerprints or features, not texts.
    #[error("this store takes no texts: {reason}")]
    NoTexts {
        /// What the store takes instead.
        reason: String,
    },
    /// The store compares sketches, and a document came without one.
    #[error(
        "this store finds documents by similarity: it needs the text, or a sketch that was made of it, \
         not only a fingerprint"
    )]
    NoSketch,
    /// The store compares the features of documents, and got the sketch of one without them.
    #[error(
        "this store compares the features of documents, and this one comes without them, as from a store that keeps \
         only sketches: give the text, or use another store that keeps only sketches"
    )]
    NoFeatures,
    /// The store finds documents by similarity, and the request names a radius.
    #[error("this store finds documents by similarity, not within a radius")]
    NoRadius,
    /// The similarity is not that of the features of the recipe: weights that are real numbers have a cosine, and
    /// all others a Jaccard similarity.
    #[error("documents of the recipe {recipe} are found by their {suits}")]
    Weights {
        /// The name of the recipe.
        recipe: String,
        /// The similarity that suits it.
        suits: &'static str,
    },
    /// A threshold by which nothing can be found.
    #[error(transparent)]
    Rules(#[from] nearprint_rules::Error),
    /// The fingerprints are of another width.
    #[error("the store holds fingerprints of {store} bits, not of {asked}")]
    OtherWidth {
        /// Bits in the store.
        store: u32,
        /// Bits asked for.
        asked: u32,
    },
    /// A row is not one of an export, or is of an export for another store.
    #[error("{what}")]
    Row {
        /// What was found, what was expected, and what to do.
        what: String,
    },
    /// The id belongs to a document with another fingerprint.
    #[error(
        "id {id:?} is stored with another fingerprint: update it to replace the document, or use \
         another id"
    )]
    IdTaken {
        /// The id.
        id: String,
    },
    /// The id is empty or too long.
    #[error("an id of {found} bytes; ids have 1 to {most} bytes")]
    IdLength {
        /// Its bytes.
        found: usize,
        /// The most that are allowed.
        most: usize,
    },
    /// The metadata is not JSON.
    #[error("the metadata of {id:?} is not JSON: {message}")]
    Metadata {
        /// The document.
        id: String,
        /// What is wrong.
        message: String,
    },
    /// The time is after the year 10889, the last one that a row can hold.
    #[error(
        "{id:?} has the time {found} ms, which is after the year 10889; times are milliseconds since 1970"
    )]
    Time {
        /// The document.
        id: String,
        /// Its time.
        found: u64,
    },
    /// Documents that are older than a time that is yet to come were to be deleted: these would be all.
    #[error(
        "the time {found} is in the future, and every document is older: a time before {now} is expected, in milliseconds \
         since 1970{hint}"
    )]
    Ahead {
        /// The time.
        found: u64,
        /// The time now.
        now: u64,
        /// Which other unit the time seems to have, if it does.
        hint: &'static str,
    },
    /// A write failed. The store takes no writes until the disk works again; reads go on.
    #[error(
        "the store is read-only: {reason}; nothing that was acknowledged is lost, and the store takes \
         writes again when this is over"
    )]
    ReadOnly {
        /// What failed.
        reason: String,
    },
    /// The store no longer keeps changes that old. A copy that is so far behind is created again.
    #[error(
        "the changes after group {asked} are no longer kept; the first one that is kept is after group \
         {first}: create the copy again, and let the store keep more changes"
    )]
    PositionGone {
        /// The group asked for.
        asked: u64,
        /// The first group that is kept.
        first: u64,
    },
    /// The store has another history than the one that the position is of.
    #[error(
        "the position after group {asked} belongs to another history than the store, which is after \
         group {reached}: the store was restored to an older state, or one of the two was written to separately, or the position is from another store; create the copy again"
    )]
    OtherHistory {
        /// The group asked for.
        asked: u64,
        /// The last group of the store.
        reached: u64,
    },
    /// Two stores that should be the same find near-duplicates by other rules.
    #[error("the store finds documents {ours}, and the other one {theirs}")]
    OtherThreshold {
        /// How the store does.
        ours: String,
        /// How the other one does.
        theirs: String,
    },
    /// A copy does not hold what the store that it follows says that it should.
    #[error("this copy differs from the store that it follows: {what}; create the copy again")]
    Diverged {
        /// What is otherwise.
        what: String,
    },
    /// Too many writes wait.
    #[error("the store is busy: too many writes wait; try again in a moment")]
    Busy,
    /// The store is being closed, or its writer has ended.
    #[error("the store is closed")]
    Closed,
    /// The store has more documents than [`Limits`](crate::Limits) allow to be clustered.
    #[error("the store has {found} documents, which is more than the {most} that may be clustered")]
    TooMany {
        /// Documents stored.
        found: u64,
        /// The most that are allowed.
        most: u64,
    },
    /// The index cannot answer what was asked.
    #[error(transparent)]
    Index(#[from] nearprint_index::Error),
    /// A segment does not hold what the store wrote.
    #[error("{}: {source}", path.display())]
    Segment {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        source: nearprint_index::Error,
    },
    /// A feature cannot be fingerprinted.
    #[error(transparent)]
    Feature(#[from] nearprint_fingerprint::FeatureError),
    /// The recipe cannot be used.
    #[error(transparent)]
    Recipe(#[from] nearprint_fingerprint::RecipeError),
}

impl Error {
    /// What sort of failure this is.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::ErrorKind;
    /// use nearprint_store::Store;
    ///
    /// assert_eq!(Store::open("no/such/folder").unwrap_err().kind(), ErrorKind::Input);
    /// ```
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Index(error) => error.kind(),
            Self::Rules(error) => error.kind(),
            Self::Recipe(error) => error.kind(),
            Self::Feature(error) => error.kind(),
            Self::Taken { .. }
            | Self::Inside { .. }
            | Self::WideRadius { .. }
            | Self::NoTexts { .. }
            | Self::NoRadius
            | Self::Weights { .. }
            | Self::Ahead { .. } => ErrorKind::Usage,
            Self::NoStore { .. }
            | Self::NoFolder { .. }
            | Self::Version { .. }
            | Self::EditedRadius { .. }
            | Self::OtherRecipe { .. }
            | Self::OtherWidth { .. }
            | Self::OtherThreshold { .. }
            | Self::OtherHistory { .. }
            | Self::PositionGone { .. }
            | Self::NoSketch
            | Self::NoFeatures
            | Self::Row { .. }
            | Self::IdTaken { .. }
            | Self::IdLength { .. }
            | Self::Metadata { .. }
            | Self::Time { .. } => ErrorKind::Input,
            Self::Damaged { .. }
            | Self::LostSettings { .. }
            | Self::OtherSettings { .. }
            | Self::Corrupt { .. }
            | Self::Mismatch { .. }
            | Self::LostTail { .. }
            | Self::UnknownTail { .. }
            | Self::Diverged { .. }
            | Self::Segment { .. } => ErrorKind::Corrupt,
            Self::Io { .. } | Self::Database { .. } | Self::ReadOnly { .. } => ErrorKind::Io,
            Self::TooMany { .. } => ErrorKind::Memory,
            Self::InUse { .. } | Self::Busy => ErrorKind::Busy,
            Self::Closed => ErrorKind::NotReady,
        }
    }

    /// Whether this is the damage of a segment: a store that is open drops that, and makes it anew.
    #[must_use]
    pub fn is_mended(&self) -> bool {
        self.damage().is_some()
    }

    /// The segment whose damage this is, if it is of one.
    pub(crate) fn damage(&self) -> Option<Repair> {
        match self {
            Self::Segment { path, .. } | Self::Corrupt { path, .. }
                if path.extension().is_some_and(|it| it == "seg") =>
            {
                Some(Repair { path: path.clone(), reason: self.to_string() })
            }
            _ => None,
        }
    }

    /// A folder for a new store in which there is something.
    pub(crate) fn taken(path: PathBuf) -> Self {
        Self::Taken { path, what: "the folder is not empty" }
    }

    /// For `map_err`: a failure at `path`.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Io { path: path.to_owned(), source }
    }

    /// For `map_err`: a failure of the database at `path`.
    pub(crate) fn database(path: &Path) -> impl FnOnce(fjall::Error) -> Self + '_ {
        move |source| {
            let path = path.to_owned();
            if is_damage(&source) {
                Self::Damaged { path, said: Said(&source).to_string() }
            } else {
                Self::Database { path, failure: source }
            }
        }
    }
}

/// Whether the files of the database are at fault, not the disk that should take or give them, and not their
/// version.
fn is_damage(source: &fjall::Error) -> bool {
    use std::io::ErrorKind::{AlreadyExists, InvalidData, NotFound, UnexpectedEof};
    // Where a file is gone the database takes its folder for none, and makes what is there.
    let of_system = |source: &std::io::Error| {
        matches!(source.kind(), AlreadyExists | InvalidData | NotFound | UnexpectedEof)
    };
    match source {
        fjall::Error::Io(source) => of_system(source),
        fjall::Error::Storage(source) => match source {
            fjall::LsmError::Io(source) => of_system(source),
            fjall::LsmError::InvalidVersion(_) => false,
            _ => true,
        },
        fjall::Error::JournalRecovery(_)
        | fjall::Error::InvalidVersion(None)
        | fjall::Error::Decompress(_)
        | fjall::Error::InvalidTrailer
        | fjall::Error::InvalidTag(_)
        | fjall::Error::Unrecoverable => true,
        _ => false,
    }
}

/// What the database says; for an error of the system, in the words of the system.
struct Said<'a>(&'a fjall::Error);

impl std::fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            fjall::Error::Io(source) => source.fmt(f),
            fjall::Error::Storage(fjall::LsmError::Io(source)) => source.fmt(f),
            fjall::Error::Poisoned => f.write_str("an earlier write failed"),
            other => other.fmt(f),
        }
    }
}
