//! A dictionary of words that the user points to, in the form that lindera builds: of Japanese, Korean
//! or Chinese. It decides bits, so that its identity is part of the recipe that uses it. How words are
//! found is the lexicon's.

use crate::error::{DictionaryError, ParseError, RecipeError};
use crate::recipes::recipe::Recipe;
use crate::text::lexicon::{Lexicon, Memory};
use crate::text::token::Split;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3Default;

/// A dictionary of words: its identity, and its words where it was opened rather than only named.
///
/// The identity is XXH3-128 of all its files: two dictionaries are equal where it is. Cheap to clone:
/// copies share the words.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WordDictionary {
    id: u128,
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
    /// let mut fingerprinter = Fingerprinter::<2>::new(&dictionary.bind(&recipe)?)?;
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
        Ok(Self { id: hash.digest128(), lexicon: Some(Arc::new(lexicon)) })
    }

    /// `recipe` with this dictionary as part of it.
    ///
    /// # Errors
    /// A recipe that has no use for a dictionary, or that names another one.
    pub fn bind(&self, recipe: &Recipe) -> Result<Recipe, RecipeError> {
        if recipe.split != Split::Lindera {
            return Err(RecipeError::DictionaryUnused);
        }
        if let Some(named) = recipe.dictionary.as_ref().filter(|&named| named != self) {
            let (recipe, given) = (named.to_string(), self.to_string());
            return Err(RecipeError::DictionaryOther { recipe, given });
        }
        Ok(Recipe { dictionary: Some(self.clone()), ..recipe.clone() })
    }

    /// Whether its words are there: it was opened, not only named.
    pub(crate) fn is_open(&self) -> bool {
        self.lexicon.is_some()
    }

    /// Calls `emit` with every word of `text` that holds a letter or a digit.
    pub(crate) fn words(&self, text: &str, memory: &mut Memory, mut emit: impl FnMut(&str)) {
        let Some(lexicon) = &self.lexicon else { return };
        lexicon.words(text, memory, |word| {
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
        write!(f, "{:032x}", self.id)
    }
}

impl fmt::Debug for WordDictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WordDictionary({self})")
    }
}

impl FromStr for WordDictionary {
    type Err = ParseError;

    /// The dictionary of that identity, without its words.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let digits = Some(text).filter(|text| text.len() == 32 && !text.starts_with('+'));
        let id = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok());
        id.map(|id| Self { id, lexicon: None })
            .ok_or_else(|| ParseError::DictionaryId { found: text.to_owned() })
    }
}

impl TryFrom<String> for WordDictionary {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Self, ParseError> {
        text.parse()
    }
}

impl From<WordDictionary> for String {
    fn from(dictionary: WordDictionary) -> Self {
        dictionary.to_string()
    }
}
