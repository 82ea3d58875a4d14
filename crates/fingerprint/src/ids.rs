//! The ids of recipes, statistics files, dictionaries and files of words: 128 bits, written as 32 hexadecimal digits.
//! The code that computes an id says what it hashes.

use crate::error::IdError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Reads the 32 hexadecimal digits of the id of a `what`.
fn read(what: &'static str, text: &str) -> Result<u128, IdError> {
    let wrong = || IdError { what, found: text.to_owned() };
    if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    u128::from_str_radix(text, 16).map_err(|_| wrong())
}

/// Defines a type for each kind of id, so that one kind cannot pass for another.
macro_rules! ids {
    ($($(#[$docs:meta])* $name:ident: $what:literal;)*) => {$(
        $(#[$docs])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(u128);

        impl From<u128> for $name {
            fn from(id: u128) -> Self {
                Self(id)
            }
        }

        impl From<$name> for u128 {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:032x}", self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                read($what, text).map(Self)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }
    )*};
}

ids! {
    /// The id of a recipe, stored wherever fingerprints are. Equal ids mean equal bits.
    ///
    /// [`Recipe::id`](crate::recipes::recipe::Recipe::id) computes it.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, RecipeId};
    ///
    /// let id = Recipe::named("text")?.id();
    /// assert_eq!(id.to_string(), "1aea35f0ab4827d8a1f7cc2321db3450");
    /// assert_eq!("1aea35f0ab4827d8a1f7cc2321db3450".parse::<RecipeId>()?, id);
    /// assert!("1aea35f0".parse::<RecipeId>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    RecipeId: "recipe";

    /// The id of a statistics file: XXH3-128 of its contents.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::StatisticsId;
    ///
    /// let id: StatisticsId = "00112233445566778899aabbccddeeff".parse()?;
    /// assert_eq!(u128::from(id) >> 120, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    StatisticsId: "statistics file";

    /// The id of a dictionary of words: XXH3-128 of all its files.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{DictionaryId, WordDictionary};
    ///
    /// let id: DictionaryId = "00112233445566778899aabbccddeeff".parse()?;
    /// assert_eq!(WordDictionary::named(id).id(), id);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    DictionaryId: "dictionary";

    /// The id of a file of words, such as a user dictionary: XXH3-128 of its contents.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{FileId, StopFile};
    ///
    /// let id: FileId = "00112233445566778899aabbccddeeff".parse()?;
    /// assert_eq!(StopFile::named(id).id(), id);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    FileId: "file of words";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        let id = RecipeId::from(0xab);
        assert_eq!(id.to_string(), "000000000000000000000000000000ab");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("AB".repeat(16).parse(), Ok(StatisticsId::from(u128::MAX / 0xff * 0xab)));
        let json = serde_json::to_string(&DictionaryId::from(7)).unwrap();
        assert_eq!(json, "\"00000000000000000000000000000007\"");
        assert_eq!(serde_json::from_str::<DictionaryId>(&json).unwrap(), DictionaryId::from(7));
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for text in
            ["", "12", "+0000000000000000000000000000012", "é000000000000000000000000000000"]
        {
            let error = text.parse::<StatisticsId>().unwrap_err();
            let expected = format!(
                "\"{text}\" is not the id of a statistics file: expected 32 hexadecimal digits"
            );
            assert_eq!(error.to_string(), expected);
        }
        assert!(serde_json::from_str::<RecipeId>("\"x\"").is_err());
    }
}
