//! The members of an object of JSON, whatever characters their names have.

#![deny(clippy::indexing_slicing)]

use crate::unescaped::string;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde_json::value::RawValue;
use std::borrow::{Borrow, Cow};
use std::collections::BTreeMap;
use std::fmt;

/// Members by their names.
pub(crate) type Members<'a> = BTreeMap<Name<'a>, &'a RawValue>;

/// The members of an object; of a name that comes twice the last.
pub(crate) fn members(json: &str) -> Option<Members<'_>> {
    serde_json::from_str(json).ok()
}

/// The string that an object has under this name.
pub(crate) fn word_in(json: &str, name: &str) -> Option<String> {
    let members = members(json)?;
    let (word, _) = string(members.get(name.as_bytes())?.get()).ok()?;
    Some(word)
}

/// Whether an object tells its type.
pub(crate) fn is_typed(json: &str) -> bool {
    let is_told = |value: &&RawValue| value.get() != "null";
    members(json).is_some_and(|it| it.get(b"type".as_slice()).is_some_and(is_told))
}

/// The name of a member, of any characters: half of a surrogate pair, which is none, may be in one that nobody asks for.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name<'a>(Cow<'a, [u8]>);

impl Name<'_> {
    pub(crate) fn is(&self, name: &str) -> bool {
        *self.0 == *name.as_bytes()
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl Borrow<[u8]> for Name<'_> {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl<'de> Visitor<'de> for Bytes {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_bytes<E>(self, name: &'de [u8]) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(name)))
            }

            fn visit_bytes<E>(self, name: &[u8]) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(name.to_vec())))
            }
        }

        deserializer.deserialize_bytes(Bytes)
    }
}
