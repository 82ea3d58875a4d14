//! Makes sketches of texts by a recipe, at the recipe's width, for all threads.

use crate::disk::sketch::Sketch;
use crate::error::Error;
use nearprint_fingerprint::{
    FeatureSet, Fingerprinter, Language, Recipe, RecipeError, Statistics, Width,
};
use std::sync::{Mutex, PoisonError};

/// Bytes of a text from which on its fingerprinter is dropped, to free its memory.
const LARGE: usize = 1 << 20;

/// Makes sketches of texts by a recipe, from any thread. Threads that call it at the same time use a
/// fingerprinter each; later calls use them again.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Recipe;
/// use nearprint_store::Sketcher;
///
/// let sketcher = Sketcher::new(Recipe::named("text").unwrap(), None)?;
/// let a = sketcher.sketch("One document.", None)?;
/// assert_eq!(a, sketcher.sketch("one document", None)?);
/// # Ok::<(), nearprint_store::Error>(())
/// ```
#[derive(Debug)]
pub struct Sketcher {
    recipe: Recipe,
    statistics: Option<Statistics>,
    /// Fingerprinters that are not in use, with their working memory.
    idle: Mutex<Vec<AnyFingerprinter>>,
}

/// A fingerprinter of the recipe's width.
enum AnyFingerprinter {
    W64(Box<Fingerprinter<1>>),
    W128(Box<Fingerprinter<2>>),
    W256(Box<Fingerprinter<4>>),
}

/// Calls the same method on the fingerprinter of any width.
macro_rules! of {
    ($any:expr, $one:ident => $call:expr) => {
        match $any {
            AnyFingerprinter::W64($one) => $call,
            AnyFingerprinter::W128($one) => $call,
            AnyFingerprinter::W256($one) => $call,
        }
    };
}

impl Sketcher {
    /// A sketcher by `recipe`, with the statistics that it names.
    ///
    /// # Errors
    /// [`Error::Recipe`] where the recipe contradicts itself, or its statistics or its dictionary are
    /// missing.
    pub fn new(recipe: Recipe, statistics: Option<Statistics>) -> Result<Self, Error> {
        let sketcher = Self { recipe, statistics, idle: Mutex::default() };
        let first = sketcher.fingerprinter()?;
        sketcher.put_back(first);
        Ok(sketcher)
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The sketch of a text. `language` is its language, if the recipe uses one and it is known.
    ///
    /// # Errors
    /// As [`Self::new`].
    ///
    /// # Complexity
    /// Linear in the length of the text.
    pub fn sketch(&self, text: &str, language: Option<Language>) -> Result<Sketch, Error> {
        self.using(text.len(), |any| of!(any, one => one.fingerprint_in(text, language).into()))
    }

    /// The sketch of features with their weights, for recipes that take features.
    ///
    /// # Errors
    /// [`Error::Feature`] for a weight that is not finite; as [`Self::new`].
    pub fn sketch_features(&self, features: &[(String, f64)]) -> Result<Sketch, Error> {
        let features = features.iter().map(|(name, weight)| (name.as_str(), *weight));
        let made = self.using(
            features.len() << 5,
            |any| of!(any, one => one.fingerprint_features(features).map(Sketch::from)),
        )?;
        Ok(made?)
    }

    /// The features of a text with their weights.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn features(&self, text: &str) -> Result<FeatureSet, Error> {
        self.using(text.len(), |any| of!(any, one => one.features(text)))
    }

    /// Calls `work` with a fingerprinter, which later calls use again. `bytes` tells how much memory
    /// `work` makes it hold.
    fn using<T>(
        &self,
        bytes: usize,
        work: impl FnOnce(&mut AnyFingerprinter) -> T,
    ) -> Result<T, Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut fingerprinter = match idle {
            Some(fingerprinter) => fingerprinter,
            None => self.fingerprinter()?,
        };
        let done = work(&mut fingerprinter);
        if bytes < LARGE {
            self.put_back(fingerprinter);
        }
        Ok(done)
    }

    fn fingerprinter(&self) -> Result<AnyFingerprinter, RecipeError> {
        Ok(match self.recipe.width {
            Width::W64 => AnyFingerprinter::W64(self.fingerprinter_of()?),
            Width::W128 => AnyFingerprinter::W128(self.fingerprinter_of()?),
            Width::W256 => AnyFingerprinter::W256(self.fingerprinter_of()?),
        })
    }

    fn fingerprinter_of<const WORDS: usize>(
        &self,
    ) -> Result<Box<Fingerprinter<WORDS>>, RecipeError> {
        Ok(Box::new(match &self.statistics {
            Some(statistics) => Fingerprinter::with_statistics(&self.recipe, statistics)?,
            None => Fingerprinter::new(&self.recipe)?,
        }))
    }

    fn put_back(&self, fingerprinter: AnyFingerprinter) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(fingerprinter);
    }
}

impl std::fmt::Debug for AnyFingerprinter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AnyFingerprinter")
    }
}
