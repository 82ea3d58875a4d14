//! What a fingerprinter found in the document that it read last: the fingerprint, and what can be
//! computed from the tokens while they are still there.

use crate::features::feature_list::FeatureList;
use crate::fingerprinted::Fingerprinted;
use crate::in_bounds::list_in;
use crate::sketching::band_sketcher::BandSketcher;
use crate::vote::weight::Weighting;
use nearprint_bits::{AnyFingerprint, Fingerprint};
use std::borrow::Cow;
use xxhash_rust::xxh3::Xxh3Default;

/// The key of a feature whose hash is computed at full width.
pub(crate) fn key_of(hash: &[u64]) -> u64 {
    hash.iter().fold(0, |key, word| key ^ word)
}

/// A document as a [`Fingerprinter`](crate::fingerprinter::Fingerprinter) read it.
///
/// It borrows the fingerprinter's memory and copies nothing. It computes keys and hashes only when they
/// are asked for.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{Fingerprinter, Recipe};
///
/// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("words")?)?;
/// let seen = fingerprinter.read("to be or not to be");
/// assert_eq!(seen.fingerprinted().features, 6);
/// assert_eq!(seen.keys().len(), 4);
/// let (fingerprint, content_hash) = (seen.fingerprint(), seen.content_hash());
/// let again = fingerprinter.read("To be, or not to be?");
/// assert_eq!((again.fingerprint(), again.content_hash()), (fingerprint, content_hash));
/// # Ok::<(), nearprint_fingerprint::RecipeError>(())
/// ```
///
/// `F` is the fingerprint: one of a known width, or by [`AnyFingerprinter`](crate::AnyFingerprinter) one of any.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a, F = AnyFingerprint> {
    pub(crate) fingerprinted: Fingerprinted<F>,
    pub(crate) seen: Seen<'a>,
}

/// What is left of the document in the fingerprinter's memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// Hashes of the tokens in order; of features that came with weights, their hashes and weights.
    pub(crate) tokens: &'a [u64],
    /// Hashes of the tokens at full width, one behind the other, where they are not widened from 64 bits.
    pub(crate) wide: &'a [u64],
    /// Words of each of these.
    pub(crate) words: usize,
    /// Keys of the features that were tallied, with repetitions where they count.
    pub(crate) keys: &'a [u64],
    /// The weight of each of these keys; none where each counts for 1.
    pub(crate) weights: &'a [f64],
    pub(crate) weighting: Weighting,
}

impl<'a, const WORDS: usize> Outcome<'a, Fingerprint<WORDS>>
where
    AnyFingerprint: From<Fingerprint<WORDS>>,
{
    /// The same for code that does not know the width.
    pub(crate) fn widened(self) -> Outcome<'a> {
        Outcome { fingerprinted: self.fingerprinted.widened(), seen: self.seen }
    }
}

impl<F: Copy> Outcome<'_, F> {
    /// The fingerprint; 0 if the document has no feature.
    #[must_use]
    pub fn fingerprint(&self) -> F {
        self.fingerprinted.fingerprint
    }

    /// The fingerprint with its flags and counts, free of the fingerprinter's memory.
    #[must_use]
    pub fn fingerprinted(&self) -> Fingerprinted<F> {
        self.fingerprinted
    }

    /// A hash of the tokens in order: documents that are equal once they are normalised have the same.
    ///
    /// Of features that come with weights it is a hash of both, whatever their order. For the hash
    /// `python` the order of the tokens does not matter either.
    ///
    /// # Complexity
    /// Linear in the tokens, at the speed of XXH3.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe};
    ///
    /// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("words")?)?;
    /// let mut hash = |text| fingerprinter.read(text).content_hash();
    /// assert_eq!(hash("One, two."), hash("one  TWO"));
    /// assert_ne!(hash("one two"), hash("two one"));
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn content_hash(&self) -> u128 {
        self.seen.content_hash()
    }

    /// Appends the sketch of the features to `bytes`: see [`BandSketcher::sketch`].
    ///
    /// # Complexity
    /// That of the sketch: no sort.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{BandShape, BandSketcher, Fingerprinter, Recipe};
    ///
    /// let shape = BandShape::for_similarity(0.8, 0.999)?;
    /// let mut sketcher = BandSketcher::new(shape);
    /// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("words")?)?;
    /// let (mut sketch, mut of_keys) = (Vec::new(), Vec::new());
    /// let seen = fingerprinter.read("to be or not to be");
    /// seen.sketch(&mut sketcher, &mut sketch);
    /// sketcher.sketch(&seen.keys(), &mut of_keys);
    /// assert_eq!(sketch, of_keys);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sketch(&self, sketcher: &mut BandSketcher, bytes: &mut Vec<u8>) {
        sketcher.sketch(&self.seen.unsorted_keys(), bytes);
    }

    /// The keys of the features in no order, some more than once where repetitions count: those of
    /// [`keys`](Self::keys), without a sort.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe};
    ///
    /// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("words")?)?;
    /// let seen = fingerprinter.read("one two three");
    /// let mut keys = seen.unsorted_keys().into_owned();
    /// keys.sort_unstable();
    /// assert_eq!(keys, seen.keys());
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn unsorted_keys(&self) -> Cow<'_, [u64]> {
        self.seen.unsorted_keys()
    }

    /// The features by their keys, with their weights: those of [`list_in`](crate::Fingerprinter::list_in), without
    /// reading the text again.
    ///
    /// # Complexity
    /// One sort.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe, Weighting};
    ///
    /// let recipe = Recipe { weights: Weighting::Count, ..Recipe::named("words")? };
    /// let mut fingerprinter = Fingerprinter::<1>::new(&recipe)?;
    /// let list = fingerprinter.read("to be or not to be").list();
    /// assert_eq!(list, fingerprinter.list_in("to be or not to be", None));
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn list(&self) -> FeatureList {
        self.seen.list()
    }

    /// The keys of the distinct features, ascending: exact similarity is computed from them without
    /// the features' texts.
    ///
    /// # Complexity
    /// One sort.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Overlap, Recipe};
    ///
    /// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("words")?)?;
    /// let a = fingerprinter.read("one two three").keys();
    /// let b = fingerprinter.read("two three four").keys();
    /// assert_eq!(Overlap::of(&a, &b).jaccard(), 0.5);
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn keys(&self) -> Vec<u64> {
        self.seen.keys()
    }
}

impl<'a> Seen<'a> {
    fn content_hash(&self) -> u128 {
        let mut hash = Xxh3Default::new();
        for words in [self.tokens, self.wide] {
            for chunk in words.chunks(64) {
                let mut bytes = [[0; 8]; 64];
                bytes.iter_mut().zip(chunk).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
                hash.update(list_in(bytes.as_flattened(), ..8 * chunk.len()));
            }
        }
        hash.digest128()
    }

    fn unsorted_keys(&self) -> Cow<'a, [u64]> {
        if self.wide.is_empty() { Cow::Borrowed(self.keys) } else { Cow::Owned(self.keys()) }
    }

    fn list(&self) -> FeatureList {
        if self.weighting == Weighting::Set && self.weights.iter().all(|weight| *weight == 1.0) {
            return FeatureList::of_set(self.keys());
        }
        if !self.weights.is_empty() {
            let weights = self.weights.iter().copied();
            return FeatureList::weighted(self.keys.iter().copied().zip(weights).collect());
        }
        let mut keys = self.unsorted_keys_with_repeats();
        keys.sort_unstable();
        let runs = keys.chunk_by(|a, b| a == b);
        let weighted = runs.filter_map(|run| {
            let count = u32::try_from(run.len()).unwrap_or(u32::MAX);
            // Keys were tallied as often as they weigh, and hashes at full width as often as they occur.
            let weight = if self.wide.is_empty() { count } else { self.weighting.weight(count) };
            Some((*run.first()?, f64::from(weight)))
        });
        FeatureList::weighted(weighted.collect())
    }

    fn keys(&self) -> Vec<u64> {
        let mut keys = self.unsorted_keys_with_repeats();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn unsorted_keys_with_repeats(&self) -> Vec<u64> {
        let mut keys = self.keys.to_vec();
        keys.extend(self.wide.chunks(self.words).map(key_of));
        keys
    }
}
