//! Many texts to fingerprints at once. [`crate::fingerprinter`] takes one text at a time.

use crate::any_fingerprinter::AnyFingerprinter;
use crate::error::RecipeError;
use crate::fingerprinter::Fingerprinter;
use crate::recipes::recipe::Recipe;
use nearprint_bits::{AnyFingerprint, Fingerprint};

/// Texts that one copy of a fingerprinter takes at least: a copy costs as much as some short texts.
#[cfg(feature = "parallel")]
const TEXTS: usize = 16;

impl Recipe {
    /// A fingerprinter for this recipe, of `WORDS` x 64 bits.
    ///
    /// # Errors
    /// As [`Fingerprinter::new`].
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{Recipe, Width};
    ///
    /// let recipe = Recipe::named("text")?.with_width(Width::W128);
    /// let texts = ["The storm reached the coast on Monday.", "No trains ran on Tuesday at all."];
    /// let codes = recipe.fingerprinter::<2>()?.fingerprint_all(&texts);
    /// assert_eq!(codes.len(), 2);
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    pub fn fingerprinter<const WORDS: usize>(&self) -> Result<Fingerprinter<WORDS>, RecipeError> {
        Fingerprinter::new(self)
    }
}

impl<const WORDS: usize> Fingerprinter<WORDS> {
    /// The fingerprints of many texts, in their order. A text without features has fingerprint 0.
    ///
    /// With the feature `parallel` the work is shared among the threads of the rayon pool that the
    /// caller is in.
    ///
    /// # Complexity
    /// Linear in the length of the texts; a copy of the working memory for each thread.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::Recipe;
    ///
    /// let texts = vec!["One text that is long enough.", "one text, that is long enough", ""];
    /// let codes = Recipe::default().fingerprinter::<1>()?.fingerprint_all(&texts);
    /// assert_eq!(codes[0], codes[1]);
    /// assert_eq!(codes[2].words(), &[0]);
    /// # Ok::<(), nearprint_fingerprint::RecipeError>(())
    /// ```
    #[must_use]
    pub fn fingerprint_all<S: AsRef<str> + Sync>(&self, texts: &[S]) -> Vec<Fingerprint<WORDS>> {
        all(self, texts, |own, text| own.fingerprint(text.as_ref()).fingerprint)
    }
}

impl AnyFingerprinter {
    /// See [`Fingerprinter::fingerprint_all`].
    #[must_use]
    pub fn fingerprint_all(&self, texts: &[&str]) -> Vec<AnyFingerprint> {
        all(self, texts, |own, text| own.fingerprint_in(text, None).fingerprint)
    }
}

/// What `of` makes of each text, by fingerprinters like `own`.
fn all<T: Clone + Send + Sync, S: Sync, F: Send>(
    own: &T,
    texts: &[S],
    of: impl Fn(&mut T, &S) -> F + Sync + Send,
) -> Vec<F> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        texts.par_iter().with_min_len(TEXTS).map_init(|| own.clone(), of).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut own = own.clone();
        texts.iter().map(|text| of(&mut own, text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_what_each_is_in_order() {
        let texts: Vec<String> = (0..500).map(|i| format!("the {i} th of {}", i * i)).collect();
        let mut one = Recipe::default().fingerprinter::<1>().unwrap();
        let all = one.fingerprint_all(&texts);
        let each: Vec<_> = texts.iter().map(|text| one.fingerprint(text).fingerprint).collect();
        assert_eq!(all, each);
        assert_eq!(one.fingerprint_all::<&str>(&[]), []);
    }
}
