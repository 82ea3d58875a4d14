//! Makes sketches of texts by a recipe, at the recipe's width, for all threads.

use crate::disk::sketch::Sketch;
use crate::error::Error;
use nearprint_fingerprint::{
    AnyFingerprinter, BandShape, BandSketcher, DegenerateRule, FeatureError, FeatureList,
    FeatureSet, Language, Matching, Outcome, Recipe, RecipeError, Statistics,
};
use nearprint_rules::Threshold;
use std::sync::{Mutex, PoisonError};

/// After a text of this many bytes its fingerprinter is dropped, to free its memory.
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
    compared: Compared,
    /// Fingerprinters that are not in use, with their working memory.
    idle: Mutex<Vec<Maker>>,
}

/// What is compared of a document beside its fingerprint.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    /// Whether a similarity decides, and not the radius.
    similarity: bool,
    /// The bands of its sketch.
    bands: Option<BandShape>,
    /// Whether the keys of its features.
    keys: bool,
    /// Whether their weights too.
    weights: bool,
}

/// What makes sketches on one thread.
#[derive(Debug)]
struct Maker {
    fingerprinter: AnyFingerprinter,
    extra: Extra,
}

impl Sketcher {
    /// A sketcher by `recipe`, with the statistics that it names.
    ///
    /// # Errors
    /// [`Error::Recipe`] where the recipe contradicts itself, or its statistics or its dictionary are
    /// missing.
    pub fn new(recipe: Recipe, statistics: Option<Statistics>) -> Result<Self, Error> {
        let (compared, idle) = (Compared::default(), Mutex::default());
        let sketcher = Self { recipe, statistics, compared, idle };
        let first = sketcher.maker()?;
        sketcher.put_back(first);
        Ok(sketcher)
    }

    /// The same sketcher for stores that find near-duplicates so. Of itself it makes sketches for stores
    /// within a radius.
    ///
    /// # Errors
    /// A similarity that no bands find.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    /// use nearprint_store::{Threshold, Sketcher};
    ///
    /// let sketcher = Sketcher::new(Recipe::named("words").unwrap(), None)?;
    /// let sketcher = sketcher.for_threshold(&Threshold::similarity(0.8))?;
    /// assert_eq!(sketcher.sketch("The document of many words.", None)?.bands.len(), 90);
    /// # Ok::<(), nearprint_store::Error>(())
    /// ```
    pub fn for_threshold(self, threshold: &Threshold) -> Result<Self, Error> {
        let similarity = threshold.radius().is_none();
        let (keys, weights) = (threshold.verifies(), threshold.weighs());
        let compared = Compared { similarity, bands: threshold.bands()?, keys, weights };
        Ok(Self { compared, idle: Mutex::default(), ..self })
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
        self.using(text.len(), |maker| {
            let Maker { fingerprinter, extra } = maker;
            extra.sketch(&fingerprinter.read_in(text, language))
        })
    }

    /// The sketch of features with their weights, for recipes that take features.
    ///
    /// # Errors
    /// [`Error::Feature`] for a weight that is not finite; as [`Self::new`].
    pub fn sketch_features(&self, features: &[(String, f64)]) -> Result<Sketch, Error> {
        let mut named = features.iter().map(|(name, weight)| (name.as_str(), *weight));
        let made = self.using(features.len() << 5, |maker| {
            let Maker { fingerprinter, extra } = maker;
            Ok(extra.sketch(&fingerprinter.read_features(&mut named)?))
        })?;
        Ok(made.map_err(|error: FeatureError| error)?)
    }

    /// The features of a text with their weights.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn features(&self, text: &str) -> Result<FeatureSet, Error> {
        self.using(text.len(), |maker| maker.fingerprinter.features(text))
    }

    /// The features of a text by their keys, with their weights: what documents are compared by.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn list(&self, text: &str, language: Option<Language>) -> Result<FeatureList, Error> {
        self.using(text.len(), |maker| maker.fingerprinter.list_in(text, language))
    }

    /// The same of features that come with their weights.
    ///
    /// # Errors
    /// As [`Self::sketch_features`].
    pub fn list_of_features(&self, features: &[(String, f64)]) -> Result<FeatureList, Error> {
        let mut named = features.iter().map(|(name, weight)| (name.as_str(), *weight));
        let list = |maker: &mut Maker| maker.fingerprinter.list_of_features(&mut named);
        let made = self.using(features.len() << 5, list)?;
        Ok(made?)
    }

    /// Calls `work` with a fingerprinter, which later calls use again. `bytes` tells how much memory
    /// `work` makes it hold.
    fn using<T>(&self, bytes: usize, work: impl FnOnce(&mut Maker) -> T) -> Result<T, Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut maker = match idle {
            Some(maker) => maker,
            None => self.maker()?,
        };
        let done = work(&mut maker);
        if bytes < LARGE {
            self.put_back(maker);
        }
        Ok(done)
    }

    fn maker(&self) -> Result<Maker, RecipeError> {
        let fingerprinter = AnyFingerprinter::new(&self.recipe, self.statistics.as_ref())?;
        let Compared { similarity, bands, keys, weights } = self.compared;
        let (bands, rule) = (bands.map(BandSketcher::new), self.recipe.degenerate);
        Ok(Maker { fingerprinter, extra: Extra { similarity, bands, keys, weights, rule } })
    }

    fn put_back(&self, maker: Maker) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(maker);
    }
}

/// What is made of a document beside its fingerprint.
#[derive(Debug)]
struct Extra {
    similarity: bool,
    bands: Option<BandSketcher>,
    keys: bool,
    weights: bool,
    rule: DegenerateRule,
}

impl Extra {
    /// The sketch of a document that was read.
    fn sketch(&mut self, seen: &Outcome<'_>) -> Sketch {
        let mut sketch = Sketch::from(seen.fingerprinted());
        if self.similarity {
            sketch.flags = sketch.flags.of_features();
            sketch.content = if sketch.flags.any() { sketch.content } else { 0 };
        }
        if sketch.matching(self.rule) != Matching::Distance {
            return sketch;
        }
        if self.weights {
            return sketch.weighed(&seen.list());
        }
        if let Some(bands) = &mut self.bands {
            seen.sketch(bands, &mut sketch.bands);
            if self.keys {
                sketch.keys = seen.keys();
            }
        }
        sketch
    }
}
