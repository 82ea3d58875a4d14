//! How common features are in a corpus: a file read in place, over any bytes. Written by
//! [`crate::learn::statistics_builder`]; its layout is drawn in `docs/format.md`.

use crate::error::StatisticsError;
use crate::ids::StatisticsId;
use crate::weighing::phrases::Phrases;
use crate::weighing::sorted_keys::{SharedBytes, SortedKeys, u64_at};
use crate::weighing::weigher::Frequency;
use std::fmt;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// The first bytes of every statistics file.
pub(crate) const MAGIC: [u8; 8] = *b"NPSTATIS";
/// The version of files without phrases.
pub(crate) const WITHOUT_PHRASES: u32 = 1;
/// The version of files with phrases, the latest.
pub(crate) const WITH_PHRASES: u32 = 2;
/// Bytes before the recipe.
pub(crate) const HEADER: usize = 64;
/// Bytes of the checksum at the end.
const TAIL: usize = 16;
/// Longest recipe accepted: a corrupt length must not be believed.
const LONGEST_RECIPE: usize = 1 << 20;

/// The statistics of a corpus: how many documents have each feature, and which tokens are phrases.
///
/// Cheap to clone: copies share the bytes.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Fingerprinter, Recipe, Statistics, StatisticsBuilder, Weighting};
///
/// let recipe = Recipe { weights: Weighting::Idf, ..Recipe::named("words").unwrap() };
/// let mut builder = StatisticsBuilder::new(&recipe)?;
/// for text in ["the council met", "the storm came", "the council voted"] {
///     builder.add_text(text, None);
/// }
/// let statistics = Statistics::open(builder.finish())?;
/// let recipe = recipe.bound_to_statistics(&statistics)?;
/// let mut fingerprinter = Fingerprinter::<1>::with_statistics(&recipe, &statistics)?;
/// assert_ne!(fingerprinter.fingerprint("the council").fingerprint, Default::default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Statistics {
    bytes: SharedBytes,
    id: StatisticsId,
    recipe: String,
    documents: u64,
    occurrences: u64,
    least: u32,
    keys: SortedKeys,
    /// Where the counts start.
    counts_at: usize,
    phrases: Phrases,
}

impl Statistics {
    /// Opens the bytes of a statistics file, mapped or read.
    ///
    /// # Complexity
    /// One pass over the bytes, for the checksum.
    ///
    /// # Errors
    /// Bytes that are no statistics file, of another version, cut short or changed.
    pub fn open(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, StatisticsError> {
        let data = bytes.as_ref();
        if data.get(..8) != Some(&MAGIC) {
            return Err(StatisticsError::NoStatistics);
        }
        let version = u32_at(data, 8);
        if !(WITHOUT_PHRASES..=WITH_PHRASES).contains(&version) {
            return Err(StatisticsError::Version { found: version, known: WITH_PHRASES });
        }
        let corrupt = |what| StatisticsError::Corrupt { what };
        let (body, tail) = data
            .len()
            .checked_sub(TAIL)
            .filter(|&length| length >= HEADER)
            .and_then(|length| data.split_at_checked(length))
            .ok_or(corrupt("it is cut short"))?;
        let checksum = xxh3_128(body);
        if checksum.to_le_bytes() != tail {
            return Err(corrupt("its checksum does not match its contents"));
        }
        let size = |at| usize::try_from(u64_at(data, at)).unwrap_or(usize::MAX);
        let length = usize::try_from(u32_at(data, 12)).unwrap_or(usize::MAX);
        let (terms, phrases) = (size(32), size(48));
        let keys_at = HEADER + length.min(LONGEST_RECIPE).next_multiple_of(8);
        let counts_at = terms.checked_mul(8).and_then(|keys| keys.checked_add(keys_at));
        let phrases_at = counts_at
            .and_then(|at| terms.checked_mul(4)?.checked_add(at)?.checked_next_multiple_of(8));
        let end = phrases_at.and_then(|at| phrases.checked_mul(8)?.checked_add(at));
        let sizes = corrupt("its sizes do not add up");
        let (Some(counts_at), Some(phrases_at)) = (counts_at, phrases_at) else {
            return Err(sizes);
        };
        let known = phrases == 0 || version == WITH_PHRASES;
        if end != Some(body.len()) || length > LONGEST_RECIPE || !known {
            return Err(sizes);
        }
        let recipe = data.get(HEADER..HEADER + length).map(<[u8]>::to_vec).unwrap_or_default();
        let recipe = String::from_utf8(recipe).map_err(|_| corrupt("its recipe is not text"))?;
        let (documents, occurrences) = (u64_at(data, 16), u64_at(data, 24));
        let least = u32_at(data, 40);
        let bytes: SharedBytes = Arc::new(bytes);
        Ok(Self {
            id: checksum.into(),
            recipe,
            documents,
            occurrences,
            least,
            keys: SortedKeys::new(Arc::clone(&bytes), keys_at, terms),
            counts_at,
            phrases: Phrases::in_bytes(Arc::clone(&bytes), phrases_at, phrases),
            bytes,
        })
    }

    /// The identity, which becomes part of the recipe of every fingerprint made with it.
    #[must_use]
    pub fn id(&self) -> StatisticsId {
        self.id
    }

    /// Documents that were counted.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Features that are listed.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.keys.len()
    }

    /// The phrases that were learned; none where the recipe has none.
    #[must_use]
    pub fn phrases(&self) -> Phrases {
        self.phrases.clone()
    }

    /// The keys of the recipe that decided the features, one `key = value` a line.
    #[must_use]
    pub fn recipe(&self) -> &str {
        &self.recipe
    }

    /// Documents that have the feature `key`. One that is not listed is taken to be in as many as
    /// could be without being listed.
    ///
    /// # Complexity
    /// Keys are hashes, so that a guess by value is near: `O(log log n)` expected.
    #[must_use]
    pub fn documents_with(&self, key: u64) -> u32 {
        self.keys.find(key).map_or(self.least.saturating_sub(1), |at| {
            u32_at((*self.bytes).as_ref(), self.counts_at + 4 * at)
        })
    }

    /// How common the feature `key` is.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of documents stay below 2^53")]
    pub(crate) fn frequency(&self, key: u64) -> Frequency {
        let of = self.documents as f64;
        let mean_length = if self.documents == 0 { 0.0 } else { self.occurrences as f64 / of };
        Frequency { documents: f64::from(self.documents_with(key)), of, mean_length }
    }
}

impl fmt::Debug for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Statistics")
            .field("id", &self.id)
            .field("documents", &self.documents)
            .field("terms", &self.terms())
            .field("phrases", &self.phrases)
            .finish_non_exhaustive()
    }
}

fn u32_at(data: &[u8], at: usize) -> u32 {
    data.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::statistics_builder::StatisticsBuilder;
    use crate::recipes::recipe::Recipe;
    use crate::vote::shingle::append;
    use crate::vote::weight::Weighting;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn recipe() -> Recipe {
        Recipe { weights: Weighting::Idf, ..Recipe::named("words").unwrap() }
    }

    fn file() -> Vec<u8> {
        let mut builder = StatisticsBuilder::new(&recipe()).unwrap();
        builder.add_text("one two two", None);
        builder.add_text("two three", None);
        builder.finish()
    }

    /// A file with the phrase "two two".
    fn file_with_phrases() -> Vec<u8> {
        let recipe = Recipe { phrases: 9, ..recipe() };
        let two = recipe.hash.hash("two");
        let phrases = Phrases::of_keys(vec![append(two, two)]);
        let mut builder = StatisticsBuilder::with_phrases(&recipe, &phrases).unwrap();
        builder.add_text("one two two", None);
        builder.finish()
    }

    #[test]
    fn documents_are_counted_once_for_each_feature() {
        let statistics = Statistics::open(file()).unwrap();
        let hash = |word| recipe().hash.hash(word);
        let found = ["one", "two", "three", "four"].map(|w| statistics.documents_with(hash(w)));
        assert_eq!(found, [1, 2, 1, 0]);
        assert_eq!((statistics.documents(), statistics.terms()), (2, 3));
        assert_eq!(statistics.frequency(0).mean_length, 2.5);
        assert!(statistics.recipe().contains("split = \"words\""));
    }

    #[test]
    fn every_damage_is_found() {
        [file(), file_with_phrases()].iter().for_each(|bytes| find_every_damage(bytes));
    }

    fn find_every_damage(bytes: &[u8]) {
        for at in 0..bytes.len() {
            let mut damaged = bytes.to_vec();
            damaged[at] ^= 1;
            let error = Statistics::open(damaged).unwrap_err();
            match at {
                0..8 => assert_eq!(error, StatisticsError::NoStatistics),
                8..12 => assert!(matches!(error, StatisticsError::Version { .. })),
                _ => assert!(matches!(error, StatisticsError::Corrupt { .. })),
            }
        }
        for length in 0..bytes.len() {
            assert!(Statistics::open(bytes[..length].to_vec()).is_err());
        }
    }

    /// Files with a right checksum and wrong sizes.
    #[test]
    fn sizes_that_lie_are_found() {
        let lies = [
            (32, u64::MAX),
            (32, 4),
            (32, 2),
            (32, u64::MAX / 8),
            (12, 1 << 30),
            (48, 1),
            (48, u64::MAX / 8),
            (48, u64::MAX),
        ];
        for (mut bytes, (at, value)) in [
            lies.map(|lie| (file(), lie)).to_vec(),
            // Version 1 has no phrases.
            vec![(file_with_phrases(), (8, 1)), (file_with_phrases(), (48, 0))],
        ]
        .concat()
        {
            let length = bytes.len() - TAIL;
            if at < 16 {
                let value = u32::try_from(value).unwrap();
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            } else {
                bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
            }
            let checksum = xxh3_128(&bytes[..length]);
            bytes[length..].copy_from_slice(&checksum.to_le_bytes());
            let error = Statistics::open(bytes).unwrap_err();
            assert_eq!(error, StatisticsError::Corrupt { what: "its sizes do not add up" });
        }
    }

    proptest! {
        #[test]
        fn counts_are_those_of_a_map(documents in prop::collection::vec(
            prop::collection::btree_set(prop_oneof![0_u64..9, any::<u64>()], 0..20), 0..20)
        ) {
            let mut builder = StatisticsBuilder::new(&recipe()).unwrap();
            let mut expected = BTreeMap::new();
            for keys in documents {
                let keys: Vec<_> = keys.into_iter().collect();
                keys.iter().for_each(|key| *expected.entry(*key).or_insert(0_u32) += 1);
                builder.add_keys(&keys, keys.len() as u64);
            }
            let statistics = Statistics::open(builder.finish()).unwrap();
            for key in expected.keys().copied().chain([3, u64::MAX, 1 << 40]) {
                let expected = expected.get(&key).copied().unwrap_or(0);
                prop_assert_eq!(statistics.documents_with(key), expected);
            }
        }
    }
}
