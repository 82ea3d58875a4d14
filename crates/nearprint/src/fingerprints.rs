//! Texts to fingerprints by the default recipe, two texts side by side, and one fingerprint step by step, in one
//! call each.

use nearprint_bits::Fingerprint64;
use nearprint_fingerprint::{Comparison, Explanation, Fingerprinter, Recipe, RecipeError};
use std::cell::RefCell;

thread_local! {
    static DEFAULT: RefCell<Fingerprinter<1>> = RefCell::new(fingerprinter());
}

#[expect(clippy::expect_used, reason = "the default recipe needs nothing that could be missing")]
fn fingerprinter() -> Fingerprinter<1> {
    Recipe::default().fingerprinter().expect("the default recipe makes 64 bits")
}

/// The fingerprint of a text by the default recipe, [`Recipe::DEFAULT`], at 64 bits: that of
/// `nearprint fingerprint`. A text without any word has [`Fingerprint64::ZERO`].
///
/// # Complexity
/// Linear in the text.
///
/// # Examples
/// ```
/// let a = nearprint::fingerprint("The quick brown fox jumps over the lazy dog.");
/// let b = nearprint::fingerprint("the quick  brown fox jumps over the LAZY dog");
/// assert_eq!(a.distance(&b), 0);
/// ```
#[must_use]
pub fn fingerprint(text: &str) -> Fingerprint64 {
    DEFAULT.with_borrow_mut(|fingerprinter| fingerprinter.fingerprint(text).fingerprint)
}

/// What [`fingerprint`] gives for each of `texts`, in their order, on all threads of rayon's pool.
///
/// Another recipe or width: [Recipes and widths](crate#recipes-and-widths).
///
/// # Examples
/// ```
/// let codes = nearprint::fingerprint_all(&["one two three four", "One, two, three, four!"]);
/// assert_eq!(codes[0], codes[1]);
/// ```
#[must_use]
pub fn fingerprint_all<S: AsRef<str> + Sync>(texts: &[S]) -> Vec<Fingerprint64> {
    fingerprinter().fingerprint_all(texts)
}

/// How alike two texts are by `recipe`, and which features differ. Of HTML pages give what the recipe reads of them, as
/// `dedup::text_of` says it: this takes texts as they stand.
///
/// # Errors
/// A recipe that cannot be used, or that needs a dictionary or statistics; see [`Comparison::by`].
///
/// # Examples
/// ```
/// use nearprint::Recipe;
///
/// let why = nearprint::compare(&Recipe::named("words")?, "one two three", "one two four")?;
/// assert_eq!(why.similarity.jaccard, 0.5);
/// assert_eq!(why.differences()[0].feature, "four");
/// # Ok::<(), nearprint::RecipeError>(())
/// ```
pub fn compare(recipe: &Recipe, a: &str, b: &str) -> Result<Comparison, RecipeError> {
    Comparison::of(recipe, a, b)
}

/// How the fingerprint of a text by `recipe`, at its width, comes about: tokens, features with their weights and
/// hashes, the vector V, and bits. Of an HTML page give `dedup::text_of` of it: this takes a text as it stands.
///
/// Features with bits given by hand: [`Explanation::by_hand`]. Features that come with their weights:
/// [`Fingerprinter::explain_features`].
///
/// # Errors
/// A recipe that cannot be used, or that needs a dictionary or statistics; see [`Fingerprinter::explain`].
///
/// # Examples
/// ```
/// use nearprint::Recipe;
///
/// let why = nearprint::explain(&Recipe::named("words")?, "to be or not to be")?;
/// assert_eq!(why.tokens[..2], ["to", "be"]);
/// assert_eq!((why.features[0].feature.as_str(), why.features[0].weight), ("to", 2.0));
/// assert_eq!((why.sums.len(), why.bits.width()), (64, 64));
/// # Ok::<(), nearprint::RecipeError>(())
/// ```
pub fn explain(recipe: &Recipe, text: &str) -> Result<Explanation, RecipeError> {
    Explanation::of(recipe, text)
}
