//! A fingerprinter of any width, for code that learns the width only when it runs.

use crate::error::{FeatureError, RecipeError};
use crate::explain::explanation::Explanation;
use crate::features::feature_list::FeatureList;
use crate::features::feature_set::FeatureSet;
use crate::fingerprinted::Fingerprinted;
use crate::fingerprinter::Fingerprinter;
use crate::outcome::Outcome;
use crate::recipes::recipe::Recipe;
use crate::text::language::Language;
use crate::weighing::statistics::Statistics;
use nearprint_bits::{AnyFingerprint, Width};

/// A fingerprinter of the width that its recipe names: [`Fingerprinter`] for code that learns the width only when it
/// runs. Its methods are those of [`Fingerprinter`].
///
/// # Examples
/// ```
/// use nearprint_fingerprint::{AnyFingerprinter, Recipe, Width};
///
/// let recipe = Recipe::named("text")?.with_width(Width::W128);
/// let mut fingerprinter = AnyFingerprinter::new(&recipe, None)?;
/// let seen = fingerprinter.read_in("One text after the other.", None);
/// assert_eq!(seen.fingerprint().width(), Width::W128);
/// # Ok::<(), nearprint_fingerprint::RecipeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyFingerprinter(Typed);

#[derive(Clone, Debug)]
enum Typed {
    W64(Box<Fingerprinter<1>>),
    W128(Box<Fingerprinter<2>>),
    W256(Box<Fingerprinter<4>>),
}

/// Calls the same method on the fingerprinter of any width.
macro_rules! of {
    ($any:expr, $one:ident => $call:expr) => {
        match $any {
            Typed::W64($one) => $call,
            Typed::W128($one) => $call,
            Typed::W256($one) => $call,
        }
    };
}

/// Features by name, with their weights.
type Named<'a, 'b> = &'a mut dyn Iterator<Item = (&'b str, f64)>;

impl AnyFingerprinter {
    /// A fingerprinter for `recipe`, with the statistics that it names, if it names some.
    ///
    /// # Errors
    /// Those of [`Fingerprinter::new`] and of [`Fingerprinter::with_statistics`].
    pub fn new(recipe: &Recipe, statistics: Option<&Statistics>) -> Result<Self, RecipeError> {
        fn of<const WORDS: usize>(
            recipe: &Recipe,
            statistics: Option<&Statistics>,
        ) -> Result<Box<Fingerprinter<WORDS>>, RecipeError> {
            Ok(Box::new(match statistics {
                Some(statistics) => Fingerprinter::with_statistics(recipe, statistics)?,
                None => Fingerprinter::new(recipe)?,
            }))
        }
        Ok(Self(match recipe.width {
            Width::W64 => Typed::W64(of(recipe, statistics)?),
            Width::W128 => Typed::W128(of(recipe, statistics)?),
            Width::W256 => Typed::W256(of(recipe, statistics)?),
        }))
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        of!(&self.0, one => one.recipe())
    }

    /// See [`Fingerprinter::fingerprint_in`].
    pub fn fingerprint_in(&mut self, text: &str, language: Option<Language>) -> Fingerprinted {
        of!(&mut self.0, one => one.fingerprint_in(text, language).widened())
    }

    /// See [`Fingerprinter::fingerprint_features`].
    ///
    /// # Errors
    /// A weight that is not finite.
    pub fn fingerprint_features(
        &mut self,
        features: Named<'_, '_>,
    ) -> Result<Fingerprinted, FeatureError> {
        of!(&mut self.0, one => Ok(one.fingerprint_features(features)?.widened()))
    }

    /// See [`Fingerprinter::read_in`].
    pub fn read_in(&mut self, text: &str, language: Option<Language>) -> Outcome<'_> {
        of!(&mut self.0, one => one.read_in(text, language).widened())
    }

    /// See [`Fingerprinter::read_unsigned`].
    pub fn read_unsigned(&mut self, text: &str, language: Option<Language>) -> Outcome<'_> {
        of!(&mut self.0, one => one.read_unsigned(text, language).widened())
    }

    /// See [`Fingerprinter::read_features`].
    ///
    /// # Errors
    /// A weight that is not finite.
    pub fn read_features(&mut self, features: Named<'_, '_>) -> Result<Outcome<'_>, FeatureError> {
        of!(&mut self.0, one => Ok(one.read_features(features)?.widened()))
    }

    /// See [`Fingerprinter::keys_in`].
    pub fn keys_in(&mut self, text: &str, language: Option<Language>) -> Vec<u64> {
        of!(&mut self.0, one => one.keys_in(text, language))
    }

    /// See [`Fingerprinter::list_in`].
    pub fn list_in(&mut self, text: &str, language: Option<Language>) -> FeatureList {
        of!(&mut self.0, one => one.list_in(text, language))
    }

    /// See [`Fingerprinter::list_of_features`].
    ///
    /// # Errors
    /// A weight that is not finite.
    pub fn list_of_features(
        &mut self,
        features: Named<'_, '_>,
    ) -> Result<FeatureList, FeatureError> {
        of!(&mut self.0, one => one.list_of_features(features))
    }

    /// See [`Fingerprinter::features`].
    #[must_use]
    pub fn features(&mut self, text: &str) -> FeatureSet {
        of!(&mut self.0, one => one.features(text))
    }

    /// See [`Fingerprinter::of_keys`].
    pub fn of_keys(&mut self, keys: &[u64]) -> Option<AnyFingerprint> {
        of!(&mut self.0, one => one.of_keys(keys).map(AnyFingerprint::from))
    }

    /// See [`Fingerprinter::is_dominated`]; of a fingerprint of another width it is not.
    #[must_use]
    pub fn is_dominated(&self, fingerprint: &AnyFingerprint, list: &FeatureList) -> bool {
        of!(&self.0, one => {
            fingerprint.narrow().is_some_and(|fingerprint| one.is_dominated(fingerprint, list))
        })
    }

    /// See [`Fingerprinter::explain_in`].
    #[must_use]
    pub fn explain_in(&mut self, text: &str, language: Option<Language>) -> Explanation {
        of!(&mut self.0, one => one.explain_in(text, language))
    }

    /// See [`Fingerprinter::explain_features`].
    ///
    /// # Errors
    /// A weight that is not finite.
    pub fn explain_features(
        &mut self,
        features: Named<'_, '_>,
    ) -> Result<Explanation, FeatureError> {
        of!(&mut self.0, one => one.explain_features(features))
    }
}
