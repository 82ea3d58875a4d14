//! A dictionary of words that the user points to, in the form that lindera builds: of Japanese, Korean
//! or Chinese. It decides bits, so its identity is part of the recipe that uses it. The lexicon finds
//! the words.

use crate::error::{DictionaryError, IdError};
use crate::ids::DictionaryId;
use crate::text::lexicon::{Lexicon, Memory};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3Default;

/// A dictionary of words: its identity, and its words where it was opened rather than only named.
///
/// The identity is XXH3-128 of all its files: two dictionaries with the same identity are equal. Cheap to clone:
/// copies share the words.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WordDictionary {
    id: DictionaryId,
    lexicon: Option<Arc<Lexicon>>,
}

impl WordDictionary {
    /// Opens a dictionary as `lindera build` makes it; `read` gives the bytes of each of its files by
    /// name, all of which are kept in memory.
    ///
    /// # Errors
    /// A file that cannot be read, is cut short or does not fit the others; a dictionary of another
    /// version of the format; a build without the feature `lindera`.
    ///
    /// # Complexity
    /// One pass over the bytes.
    ///
    /// # Examples
    /// ```no_run
    /// use nearprint_fingerprint::{Fingerprinter, Recipe, Split, WordDictionary};
    ///
    /// let dictionary = WordDictionary::open(|file| std::fs::read(format!("ipadic/{file}")))?;
    /// let recipe = Recipe { split: Split::Lindera, ..Recipe::named("ja").unwrap() };
    /// let mut fingerprinter = Fingerprinter::<2>::new(&recipe.bound_to_dictionary(&dictionary)?)?;
    /// fingerprinter.fingerprint("市議会は新しい予算を承認した。");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(
        mut read: impl FnMut(&str) -> io::Result<Vec<u8>>,
    ) -> Result<Self, DictionaryError> {
        let mut hash = Xxh3Default::new();
        let lexicon = Lexicon::read(|file| {
            let bytes = read(file).map_err(|error| DictionaryError::Unreadable {
                file,
                problem: error.to_string(),
            })?;
            // Lengths too: no byte may pass from one file to the next unseen.
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(&bytes);
            Ok(bytes)
        })?;
        Ok(Self { id: hash.digest128().into(), lexicon: Some(Arc::new(lexicon)) })
    }

    /// The dictionary of that id, without its words: enough to name it in a recipe.
    #[must_use]
    pub fn named(id: DictionaryId) -> Self {
        Self { id, lexicon: None }
    }

    /// The id, which is part of every recipe that uses the dictionary.
    #[must_use]
    pub fn id(&self) -> DictionaryId {
        self.id
    }

    /// Whether its words are there: it was opened, not only named.
    pub(crate) fn is_open(&self) -> bool {
        self.lexicon.is_some()
    }

    /// Calls `emit` with every word of `text` that holds a letter or a digit.
    pub(crate) fn words(&self, text: &str, memory: &mut Memory, emit: &mut dyn FnMut(&str)) {
        let Some(lexicon) = &self.lexicon else { return };
        lexicon.words(text, memory, &mut |word| {
            if word.contains(char::is_alphanumeric) {
                emit(word);
            }
        });
    }
}

impl PartialEq for WordDictionary {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for WordDictionary {}

impl fmt::Display for WordDictionary {
    /// The identity.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)
    }
}

impl fmt::Debug for WordDictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WordDictionary({self})")
    }
}

impl FromStr for WordDictionary {
    type Err = IdError;

    /// As [`Self::named`].
    fn from_str(text: &str) -> Result<Self, IdError> {
        text.parse().map(Self::named)
    }
}

impl TryFrom<String> for WordDictionary {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<WordDictionary> for String {
    fn from(dictionary: WordDictionary) -> Self {
        dictionary.to_string()
    }
}
