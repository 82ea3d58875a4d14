//! Items that repeat the id of another one of their eval set, so that reports tell several by one name.

use super::Items;
use crate::error::Error;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Items with the id of an earlier one of their eval set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepeatedItems {
    /// How many there are.
    pub count: u64,
    /// The set of the first of them, and its id as JSON text.
    pub first: Option<(String, String)>,
}

impl Items {
    /// The items whose id an earlier one of their set has.
    ///
    /// Memory: 16 bytes an item.
    ///
    /// # Errors
    /// Those of the file that names are in.
    pub(crate) fn repeated_ids(&self) -> Result<RepeatedItems, Error> {
        let mut hashes = Vec::with_capacity(self.names.len());
        for (at, name) in self.names.iter().enumerate() {
            hashes.push((xxh3_64_with_seed(self.id(name)?.as_bytes(), name.set.into()), at));
        }
        hashes.sort_unstable();
        let equal = || hashes.chunk_by(|(a, _), (b, _)| a == b);
        let count = equal().map(|equal| equal.len() as u64 - 1).sum();
        let first = equal().filter_map(|equal| equal.get(1)).map(|(_, at)| *at).min();
        let name = first.and_then(|at| self.names.get(at));
        let told = |name| Ok::<_, Error>((self.set(name).to_owned(), self.id(name)?));
        Ok(RepeatedItems { count, first: name.map(told).transpose()? })
    }
}
