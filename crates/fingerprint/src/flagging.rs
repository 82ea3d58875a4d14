//! What is wrong with a document that was fingerprinted: too little text, or one feature that decides every bit.

use crate::degenerate::Flags;
use crate::features::feature_list::FeatureList;
use crate::fingerprinter::Fingerprinter;
use crate::hashing::hash::{TokenHash, widen};
use crate::recipes::recipe::Recipe;
use crate::vote::counts::FEW;
use crate::vote::dominant::{alike, has_dominant};
use crate::vote::weight::Weighting;
use nearprint_bits::Fingerprint;

impl<const WORDS: usize> Fingerprinter<WORDS> {
    /// Whether one of these features has more than half of all weight, so that it alone decides every bit of the
    /// fingerprint, which they have: by their weights, where the list has some, else by the bits. Of features without
    /// weights that are hashed at full width it is not known.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Fingerprinter, Recipe};
    ///
    /// let mut fingerprinter = Fingerprinter::<1>::new(&Recipe::named("vectors")?)?;
    /// for (weight, is_dominated) in [(10.0, true), (-10.0, true), (2.5, false)] {
    ///     let features = [("x", weight), ("y", 1.0), ("z", 2.0)];
    ///     let fingerprint = fingerprinter.fingerprint_features(features)?.fingerprint;
    ///     let list = fingerprinter.list_of_features(features)?;
    ///     assert_eq!(fingerprinter.is_dominated(fingerprint, &list), is_dominated);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_dominated(&self, fingerprint: Fingerprint<WORDS>, list: &FeatureList) -> bool {
        if !list.weights().is_empty() {
            return has_dominant(list.weights().iter().copied());
        }
        let own = *self.ordered(fingerprint).words();
        list.keys().iter().any(|key| widen(*key) == own)
    }

    /// What is wrong with the document just tallied, which has features.
    pub(crate) fn plain_flags(&self, features: usize, fingerprint: Fingerprint<WORDS>) -> Flags {
        let Recipe { hash, shingle, weights, min_features, .. } = self.recipe;
        let python = hash == TokenHash::Python;
        let tokens = if python { self.wide.len() } else { self.tokens.len() };
        let keys = self.tallied();
        let weight = |count: usize| weights.weight(u32::try_from(count).unwrap_or(u32::MAX));
        let counted = !python && weights != Weighting::Count;
        let distinct = if counted {
            self.counts.distinct()
        } else if python {
            self.wide.chunk_by(|a, b| a == b).count()
        } else if min_features > 1 {
            let mut keys = keys.to_vec();
            keys.sort_unstable();
            keys.chunk_by(|a, b| a == b).count()
        } else {
            1
        };
        let dominant = if counted {
            // No weight is above 32: among more than 64 features none has half of all.
            let weights = self.counts.iter().map(|(_, count)| f64::from(weights.weight(count)));
            distinct <= FEW && has_dominant(weights)
        } else if python {
            let runs = self.wide.chunk_by(|a, b| a == b).map(<[_]>::len);
            has_dominant(runs.map(|count| f64::from(weight(count))))
        } else {
            // The bits of a feature that has more than half of all weight are those of the whole.
            2 * alike(self.kernel, keys, fingerprint.words()) > features
        };
        Flags { empty: false, short: tokens < shingle || distinct < min_features, dominant }
    }
}
