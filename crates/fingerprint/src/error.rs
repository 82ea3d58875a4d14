//! What can go wrong while recipes, statistics and dictionaries are read. Imports no sibling.

use nearprint_bits::ErrorKind;
use std::fmt;
use thiserror::Error;

/// Text that is not an id.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::RecipeId;
///
/// let error = "words".parse::<RecipeId>().unwrap_err();
/// assert_eq!(error.found, "words");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{found}\" is not the id of a {what}: expected 32 hexadecimal digits")]
pub struct IdError {
    /// What the id should name.
    pub what: &'static str,
    /// The text.
    pub found: String,
}

impl IdError {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Usage
    }
}

/// A language that is not known.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::LanguageRule;
///
/// let error = "klingon".parse::<LanguageRule>().unwrap_err();
/// assert_eq!(error.found, "klingon");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("language \"{found}\" is not known: use auto, none, or a code of ISO 639-1 such as en")]
pub struct LanguageError {
    /// The code that was asked for.
    pub found: String,
}

impl LanguageError {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Usage
    }
}

/// A similarity or a recall for which there are no bands.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BandError {
    /// The similarity is too low, or none.
    #[error("similarity {similarity}: a similarity is from {least} to 1")]
    Similarity {
        /// The similarity asked for.
        similarity: f64,
        /// The least that bands find.
        least: f64,
    },
    /// The recall is not a probability below 1.
    #[error("recall {recall}: it must be above 0 and below 1")]
    Recall {
        /// The recall asked for.
        recall: f64,
    },
}

impl BandError {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Similarity { .. } | Self::Recall { .. } => ErrorKind::Usage,
        }
    }
}

/// A recipe that cannot be used.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Recipe, RecipeError};
///
/// let error = Recipe::named("texts").unwrap_err();
/// assert!(matches!(error, RecipeError::Unknown { .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// No built-in recipe has the name.
    #[error("no built-in recipe is called \"{found}\"; there are {known}")]
    Unknown {
        /// The name that was asked for.
        found: String,
        /// The names of the built-in recipes.
        known: String,
    },
    /// The text is not TOML, or a key is unknown, missing or has a value that is not offered.
    #[error("{message}")]
    Toml {
        /// Line, column and what was expected there.
        message: String,
    },
    /// The recipe needs rules of another version.
    #[error("the recipe has version {found}; this release knows versions 1 to {known}")]
    Version {
        /// Version in the recipe.
        found: u32,
        /// The newest version that this library knows.
        known: u32,
    },
    /// The shingle length is out of range.
    #[error("shingle = {found}: use a length of 1 to {most}")]
    Shingle {
        /// Length in the recipe.
        found: usize,
        /// Longest one offered.
        most: usize,
    },
    /// The number of characters in a token is out of range.
    #[error("gram = {found}: use a length of 1 to {most}")]
    Gram {
        /// Length in the recipe.
        found: usize,
        /// Longest one offered.
        most: usize,
    },
    /// The Python hash has no way to join tokens.
    #[error("hash = \"python\" hashes single tokens only: use shingle = 1 with it")]
    PythonShingle,
    /// Two keys of the recipe contradict each other.
    #[error("{keys}: {remedy}")]
    Contradiction {
        /// The keys and their values.
        keys: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The language has no list of stop words or no stemming algorithm.
    #[error("language = \"{language}\" has no {what}; leave {key} out")]
    LanguageLacks {
        /// The language asked for.
        language: &'static str,
        /// What it lacks.
        what: &'static str,
        /// The key that needs it.
        key: &'static str,
    },
    /// The program was built without a part that the recipe needs.
    #[error("{what} needs a part that this build lacks: build with the feature {feature}")]
    NotBuilt {
        /// What asks for it.
        what: &'static str,
        /// The cargo feature that brings it.
        feature: &'static str,
    },
    /// The recipe's words come from a dictionary, and none is given.
    #[error(
        "split = \"lindera\" needs a dictionary that lindera built{}",
        named.as_deref().map(|id| format!("; the recipe was made for the one with identity {id}"))
            .unwrap_or_default()
    )]
    DictionaryMissing {
        /// Identity in the recipe.
        named: Option<String>,
    },
    /// A dictionary is given to a recipe that has no use for one.
    #[error("the recipe uses no dictionary; split = \"lindera\" does")]
    DictionaryUnused,
    /// The recipe names another dictionary than the one given.
    #[error(
        "the recipe was made for the dictionary with identity {recipe}; the one given has {given}"
    )]
    DictionaryOther {
        /// Identity in the recipe.
        recipe: String,
        /// Identity of the one given.
        given: String,
    },
    /// The recipe names or needs a file of words, and it is not given.
    #[error(
        "{}",
        match named {
            Some(id) => format!("the recipe was made for the {file} with identity {id}, which is not given"),
            None => format!("the recipe needs {} {file}", file.article()),
        }
    )]
    WordFileMissing {
        /// What kind of file it is.
        file: WordFileKind,
        /// Identity in the recipe.
        named: Option<String>,
    },
    /// A file of words is given to a recipe that has no use for one.
    #[error("the recipe does not use {} {file}; {} does", file.article(), file.users())]
    WordFileUnused {
        /// What kind of file it is.
        file: WordFileKind,
    },
    /// The recipe names another file of words than the one given.
    #[error("the recipe was made for the {file} with identity {recipe}; the one given has {given}")]
    WordFileOther {
        /// What kind of file it is.
        file: WordFileKind,
        /// Identity in the recipe.
        recipe: String,
        /// Identity of the one given.
        given: String,
    },
    /// The recipe's weights or phrases come from a statistics file, and none is given.
    #[error("{what} needs a statistics file")]
    StatisticsMissing {
        /// The key that needs it.
        what: &'static str,
    },
    /// Features were to be counted before the phrases among them are known.
    #[error(
        "phrases = {threshold}: learn the phrases of the corpus first (TokenCounts), and give them to \
         StatisticsBuilder::with_phrases"
    )]
    PhrasesUnlearned {
        /// The score in the recipe.
        threshold: u32,
    },
    /// A statistics file is given to a recipe that has no use for one.
    #[error(
        "the recipe uses no statistics file; weights = \"idf\" or \"bm25\", or phrases, \
         do"
    )]
    StatisticsUnused,
    /// The recipe names another statistics file than the one given.
    #[error("the recipe was made for the statistics file {recipe}; the one given is {given}")]
    StatisticsOther {
        /// Identity in the recipe.
        recipe: String,
        /// Identity of the file.
        given: String,
    },
    /// The statistics file counts features of another kind.
    #[error(
        "the statistics file counts features of another recipe: {differences}; build one with this \
         recipe"
    )]
    StatisticsRecipe {
        /// How the two differ.
        differences: String,
    },
    /// Tokens with places are needed, and the recipe has none.
    #[error(
        "recipe \"{recipe}\" has no tokens with places: {because}; use a recipe of words, such as text"
    )]
    NoPlaces {
        /// The name of the recipe.
        recipe: String,
        /// Why it has none.
        because: &'static str,
    },
    /// A fingerprinter of one width was requested for a recipe of another.
    #[error("the recipe makes fingerprints of {recipe} bits, not of {asked}")]
    Width {
        /// Width in the recipe.
        recipe: u32,
        /// Width that was asked for.
        asked: u32,
    },
}

impl RecipeError {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unknown { .. }
            | Self::Shingle { .. }
            | Self::Gram { .. }
            | Self::PythonShingle
            | Self::Contradiction { .. }
            | Self::LanguageLacks { .. }
            | Self::NotBuilt { .. }
            | Self::DictionaryMissing { .. }
            | Self::DictionaryUnused
            | Self::DictionaryOther { .. }
            | Self::WordFileMissing { .. }
            | Self::WordFileUnused { .. }
            | Self::WordFileOther { .. }
            | Self::StatisticsMissing { .. }
            | Self::PhrasesUnlearned { .. }
            | Self::StatisticsUnused
            | Self::StatisticsOther { .. }
            | Self::StatisticsRecipe { .. }
            | Self::NoPlaces { .. }
            | Self::Width { .. } => ErrorKind::Usage,
            Self::Toml { .. } | Self::Version { .. } => ErrorKind::Input,
        }
    }
}

/// A dictionary of words that cannot be used.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::WordDictionary;
///
/// let missing = WordDictionary::open(|_| Err(std::io::ErrorKind::NotFound.into()));
/// assert!(missing.is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DictionaryError {
    /// The program was built without the reader of dictionaries.
    #[error("this build reads no dictionary: build with the feature lindera")]
    NotBuilt,
    /// One of its files could not be read.
    #[error(
        "{file}: {problem}; expected a folder that `lindera build` made, with metadata.json, \
         char_def.bin, unk.bin, matrix.mtx and dict.*"
    )]
    Unreadable {
        /// The file.
        file: &'static str,
        /// Why it could not be read.
        problem: String,
    },
    /// It is of another version.
    #[error(
        "the dictionary has format version {found}; this release reads version {known}, which \
         `lindera build` of lindera 6 writes"
    )]
    Version {
        /// Version in the dictionary.
        found: u32,
        /// The one that this library reads.
        known: u32,
    },
    /// A file is not as it was written.
    #[error("{file} is corrupt: {problem}; build the dictionary again")]
    Corrupt {
        /// The file.
        file: &'static str,
        /// What is wrong.
        problem: String,
    },
}

impl DictionaryError {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotBuilt => ErrorKind::Usage,
            Self::Unreadable { .. } | Self::Version { .. } => ErrorKind::Input,
            Self::Corrupt { .. } => ErrorKind::Corrupt,
        }
    }
}

/// A kind of file of words that a recipe may name.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::WordFileKind;
///
/// assert_eq!(WordFileKind::Stop.to_string(), "stop-word file");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WordFileKind {
    /// Words that are cut as a whole.
    User,
    /// Words that are left out.
    Stop,
    /// Inverse document frequencies.
    Idf,
}

impl WordFileKind {
    const fn article(self) -> &'static str {
        match self {
            Self::User | Self::Stop => "a",
            Self::Idf => "an",
        }
    }

    /// The recipes that use one.
    const fn users(self) -> &'static str {
        match self {
            Self::User | Self::Stop => "split = \"zh\" with version = 3",
            Self::Idf => "weights = \"keywords\" with version = 3",
        }
    }
}

impl fmt::Display for WordFileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::User => "user dictionary",
            Self::Stop => "stop-word file",
            Self::Idf => "idf file",
        })
    }
}

/// A file of words that cannot be used.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{IdfFile, WordFileError};
///
/// let error = IdfFile::read(b"word 1.5\nanother\n").unwrap_err();
/// assert!(matches!(error, WordFileError::Line { line: 2, .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WordFileError {
    /// A line is not in the form of such a file.
    #[error("line {line}: \"{found}\": expected {expected}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// How it begins.
        found: String,
        /// What such a line holds.
        expected: &'static str,
    },
    /// The bytes are not text.
    #[error("line {line}: byte {byte} of the file is not UTF-8: save the file as UTF-8")]
    NotUtf8 {
        /// The line, from 1.
        line: usize,
        /// The first byte that is not, from 0.
        byte: u64,
    },
    /// The file is larger than what is kept in memory.
    #[error("{bytes} bytes; such a file has at most {most}: remove what is not needed")]
    TooLarge {
        /// Its bytes.
        bytes: u64,
        /// Bytes of the largest that is read.
        most: u64,
    },
    /// It holds no word.
    #[error("no line holds a word")]
    Empty,
    /// The program was built without jieba.
    #[error("this build does not segment Chinese: build with the feature zh")]
    NotBuilt,
}

impl WordFileError {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotBuilt => ErrorKind::Usage,
            Self::Line { .. } | Self::NotUtf8 { .. } | Self::TooLarge { .. } | Self::Empty => {
                ErrorKind::Input
            }
        }
    }
}

/// A statistics file that cannot be used.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Statistics, StatisticsError};
///
/// assert_eq!(Statistics::open(*b"{}").unwrap_err(), StatisticsError::NoStatistics);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// The bytes are not a statistics file.
    #[error("this is not a statistics file")]
    NoStatistics,
    /// The file is of another version.
    #[error("the statistics file has version {found}; this release reads versions 1 to {known}")]
    Version {
        /// Version in the file.
        found: u32,
        /// The latest that this library reads.
        known: u32,
    },
    /// The file is not as it was written.
    #[error("the statistics file is corrupt: {what}; build it again")]
    Corrupt {
        /// What is wrong.
        what: &'static str,
    },
}

impl StatisticsError {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NoStatistics | Self::Version { .. } => ErrorKind::Input,
            Self::Corrupt { .. } => ErrorKind::Corrupt,
        }
    }
}

/// A feature that cannot be counted.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Recipe;
///
/// let mut fingerprinter = Recipe::named("vectors")?.fingerprinter::<1>()?;
/// let error = fingerprinter.fingerprint_features([("x", f64::NAN)]).unwrap_err();
/// assert!(error.to_string().contains("feature \"x\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FeatureError {
    /// Its weight is infinite or not a number.
    #[error("feature \"{feature}\" has weight {weight}; weights are finite numbers")]
    NotFinite {
        /// The feature.
        feature: String,
        /// Its weight.
        weight: f64,
    },
    /// Its bits, given by hand, are not as many as those of the features before it.
    #[error(
        "feature \"{feature}\" has {found} bits, and those before it have {expected}; give each \
         feature as many bits"
    )]
    OtherWidth {
        /// The feature.
        feature: String,
        /// Bits that it has.
        found: u32,
        /// Bits of the first feature.
        expected: u32,
    },
    /// There is no feature, so that the number of bits is not known.
    #[error("no feature: give at least one with its bits")]
    NoFeature,
}

impl FeatureError {
    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFinite { .. } | Self::OtherWidth { .. } | Self::NoFeature => ErrorKind::Input,
        }
    }
}
