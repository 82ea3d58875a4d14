//! Features with their weights, as JSON has them.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Features in their order: `{"name": weight, ...}` or `[[name or dimension, weight], ...]`. A dimension is named by its
/// digits. `W` says how a weight is read.
///
/// # Examples
/// ```
/// use nearprint_corpus::FeatureEntries;
///
/// let FeatureEntries(pairs) = serde_json::from_str::<FeatureEntries<f64>>("[[\"red\", 2.0], [7, 0.5]]")?;
/// assert_eq!(pairs, [("red".to_owned(), 2.0), ("7".to_owned(), 0.5)]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureEntries<W>(pub Vec<(String, W)>);

impl<'de, W: Deserialize<'de>> Deserialize<'de> for FeatureEntries<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor<W>(PhantomData<W>);

        impl<'de, W: Deserialize<'de>> Visitor<'de> for EntriesVisitor<W> {
            type Value = FeatureEntries<W>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("{name: weight, ...} or [[name or dimension, weight], ...]")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(FeatureEntries(entries))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((Name(name), weight)) = seq.next_element()? {
                    entries.push((name, weight));
                }
                Ok(FeatureEntries(entries))
            }
        }

        deserializer.deserialize_any(EntriesVisitor(PhantomData))
    }
}

/// A feature's name: a string, or the digits of a dimension.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;

        impl Visitor<'_> for NameVisitor {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name or a whole number")
            }

            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name(name.to_owned()))
            }

            fn visit_u64<E>(self, dimension: u64) -> Result<Name, E> {
                Ok(Name(dimension.to_string()))
            }

            fn visit_i64<E>(self, dimension: i64) -> Result<Name, E> {
                Ok(Name(dimension.to_string()))
            }
        }

        deserializer.deserialize_any(NameVisitor)
    }
}
