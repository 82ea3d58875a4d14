//! The fingerprint of features that come with their weights, such as sparse vectors. [`crate::fingerprinter`]
//! takes text.

use crate::degenerate::Flags;
use crate::error::FeatureError;
use crate::features::feature_list::FeatureList;
use crate::fingerprinted::Fingerprinted;
use crate::fingerprinter::{Fingerprinter, short_hash};
use crate::outcome::{Outcome, key_of};
use crate::vote::dominant::has_dominant;
use nearprint_bits::Fingerprint;

impl<const WORDS: usize> Fingerprinter<WORDS> {
    /// The fingerprint of features that come with their weights, which may be negative. A feature
    /// given twice counts the sum of its weights. The order does not matter. Where all weights are 0 there is no
    /// feature.
    ///
    /// Of the recipe only the hash, `top`, `min-features`, the width and the rules of the bits
    /// matter. No vector is kept: each name is hashed to the signs of its own random vector.
    ///
    /// # Errors
    /// A weight that is no finite number.
    ///
    /// # Complexity
    /// Linear in the features; `O(n log n)` where `top` chooses among them.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe};
    ///
    /// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("vectors").unwrap())?;
    /// let a = fingerprinter.fingerprint_features([("x", 3.0), ("y", -2.0)])?;
    /// let b = fingerprinter.fingerprint_features([("y", -4.0), ("x", 6.0)])?;
    /// assert_eq!(a.fingerprint, b.fingerprint);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fingerprint_features<S: AsRef<str>>(
        &mut self,
        features: impl IntoIterator<Item = (S, f64)>,
    ) -> Result<Fingerprinted<Fingerprint<WORDS>>, FeatureError> {
        self.take_features(features)
    }

    /// As [`Self::fingerprint_features`], with the keys of the features and a hash of the content for
    /// whoever asks for them.
    ///
    /// # Errors
    /// A weight that is no finite number.
    pub fn read_features<S: AsRef<str>>(
        &mut self,
        features: impl IntoIterator<Item = (S, f64)>,
    ) -> Result<Outcome<'_, Fingerprint<WORDS>>, FeatureError> {
        let fingerprinted = self.take_features(features)?;
        Ok(self.outcome(fingerprinted))
    }

    /// The features that count by their keys, with their weights: what documents are compared by.
    ///
    /// # Errors
    /// Those of [`Self::fingerprint_features`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe};
    ///
    /// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("vectors")?)?;
    /// let a = fingerprinter.list_of_features([("x", 3.0), ("y", 4.0)])?;
    /// let b = fingerprinter.list_of_features([("y", 1.0)])?;
    /// assert_eq!(a.cosine(&b), 0.8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list_of_features<S: AsRef<str>>(
        &mut self,
        features: impl IntoIterator<Item = (S, f64)>,
    ) -> Result<FeatureList, FeatureError> {
        Ok(self.read_features(features)?.list())
    }

    fn take_features<S: AsRef<str>>(
        &mut self,
        features: impl IntoIterator<Item = (S, f64)>,
    ) -> Result<Fingerprinted<Fingerprint<WORDS>>, FeatureError> {
        let hash = self.recipe.hash;
        self.tokens.clear();
        self.wide.clear();
        self.keys.clear();
        self.weights.clear();
        self.tokens_are_keys = false;
        let mut all = Vec::new();
        for (name, weight) in features {
            let name = name.as_ref();
            if !weight.is_finite() {
                return Err(FeatureError::NotFinite { feature: name.to_owned(), weight });
            }
            all.push((hash.hash_wide::<WORDS>(name), weight));
        }
        let occurrences = all.len();
        if occurrences == 0 {
            return Ok(Fingerprinted::empty());
        }
        let (distinct, number) = distinct(all, self.recipe.top);
        if distinct.iter().all(|(_, weight)| *weight == 0.0) {
            return Ok(Fingerprinted::empty());
        }
        let flags = Flags {
            short: number < self.recipe.min_features,
            dominant: has_dominant(distinct.iter().map(|feature| feature.1)),
            ..Flags::default()
        };
        self.keys.extend(distinct.iter().map(|(hash, _)| key_of(hash)));
        self.weights.extend(distinct.iter().map(|(_, weight)| weight));
        let words = distinct.iter().flat_map(|(hash, w)| hash.iter().copied().chain([w.to_bits()]));
        self.tokens.extend(words);
        let short_hash = flags.any().then(|| short_hash(self.tokens.iter().copied()));
        distinct.into_iter().for_each(|(hash, weight)| self.weighted.add(hash, weight));
        let fingerprint = self.weighted.finish(self.recipe.sign);
        let fingerprint = self.ordered(fingerprint);
        Ok(Fingerprinted { fingerprint, features: occurrences, flags, short_hash })
    }
}

/// The distinct features by their hashes, each with the sum of its weights: the `top` heaviest, or all
/// where that is 0; and how many there were.
pub(crate) fn distinct<const WORDS: usize>(
    mut all: Vec<([u64; WORDS], f64)>,
    top: usize,
) -> (Vec<([u64; WORDS], f64)>, usize) {
    // By hash, then weight: repeated features are summed in an order of their own.
    all.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let sum = |run: &[([u64; WORDS], f64)]| {
        let &(hash, _) = run.first()?;
        let sum = run.iter().fold(0.0, |sum, (_, weight)| sum + weight);
        // Finite weights may have an infinite sum.
        Some((hash, sum.clamp(f64::MIN, f64::MAX)))
    };
    let mut distinct: Vec<_> = all.chunk_by(|a, b| a.0 == b.0).filter_map(sum).collect();
    let number = distinct.len();
    if (1..number).contains(&top) {
        distinct.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        distinct.truncate(top);
    }
    (distinct, number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashing::hash::TokenHash;
    use crate::recipes::recipe::Recipe;
    use nearprint_bits::Width;

    #[test]
    fn sparse_vectors_have_the_bits_of_the_definition() {
        let recipe = Recipe::named("vectors").unwrap();
        let recipe = Recipe { hash: TokenHash::Fnv1a, ..recipe };
        let mut fingerprinter = Fingerprinter::<1>::new(&recipe).unwrap();
        let words =
            |last| [("共识", 3.0), ("算法", 2.5), ("区块", 2.0), ("激励", 1.5), (last, 1.0)];
        let a = fingerprinter.fingerprint_features(words("机制")).unwrap();
        let b = fingerprinter.fingerprint_features(words("博弈")).unwrap();
        assert_eq!(a.fingerprint, Fingerprint::from(0xb02e_0687_a0d1_91f5));
        assert_eq!(b.fingerprint, Fingerprint::from(0xb42e_0286_a0d1_91d1));
        let two = fingerprinter.fingerprint_features([("上海", 45.11), ("北京", 32.09)]).unwrap();
        assert_eq!(two.fingerprint, Fingerprint::from(0x4ef4_ef9e_e82a_f0c5));
        assert!(two.flags.dominant && !a.flags.any());
        let negative = fingerprinter.fingerprint_features([("上海", -45.11)]).unwrap();
        assert_eq!(negative.fingerprint, Fingerprint::from(!0x4ef4_ef9e_e82a_f0c5));
    }

    #[test]
    fn the_list_holds_the_features_that_count() {
        let recipe = Recipe { top: 2, ..Recipe::named("vectors").unwrap() };
        let mut fingerprinter = Fingerprinter::<4>::new(&recipe.with_width(Width::W256)).unwrap();
        let given = [("a", 0.5), ("b", -3.0), ("c", 1.0), ("c", 1.0)];
        let keys = fingerprinter.read_features(given).unwrap().keys();
        let list = fingerprinter.list_of_features(given).unwrap();
        assert_eq!(list.keys(), keys);
        let mut weights = list.weights().to_vec();
        weights.sort_by(f64::total_cmp);
        assert_eq!(weights, [-3.0, 2.0]);
    }

    #[test]
    fn features_that_come_twice_count_their_sum_in_any_order() {
        let mut fingerprinter =
            Fingerprinter::<2>::new(&Recipe::named("vectors").unwrap().with_width(Width::W128))
                .unwrap();
        let once = [("a", 0.3), ("b", -1.5), ("c", 2.0)];
        let twice = [("c", 1.5), ("b", -1.5), ("a", 0.1), ("c", 0.5), ("a", 0.2)];
        let a = fingerprinter.fingerprint_features(once).unwrap();
        let b = fingerprinter.fingerprint_features(twice).unwrap();
        let c = fingerprinter.fingerprint_features(twice.into_iter().rev()).unwrap();
        assert_eq!((a.fingerprint, b.fingerprint), (b.fingerprint, c.fingerprint));
        assert_eq!((b.features, c), (5, b));
        for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let error = fingerprinter.fingerprint_features([("a", 1.0), ("bad", weight)]);
            assert!(error.unwrap_err().to_string().contains("\"bad\""));
        }
        for zero in [vec![("a", 0.0), ("b", -0.0)], vec![("a", 1.5), ("a", -1.5)]] {
            assert!(fingerprinter.fingerprint_features(zero.clone()).unwrap().flags.empty);
            assert!(fingerprinter.list_of_features(zero).unwrap().keys().is_empty());
        }
        let none: [(&str, f64); 0] = [];
        assert!(fingerprinter.fingerprint_features(none).unwrap().flags.empty);
    }
}
