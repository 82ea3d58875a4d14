//! Fingerprints of a document at every width that its recipe can make of the same features.

use nearprint_dedup::{Looked, State};
use nearprint_fingerprint::{Fingerprint, Fingerprinter, Recipe, RecipeError, Width};

/// Fingerprints of one document; zeros where they are not made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Codes {
    narrow: Fingerprint<1>,
    usual: Fingerprint<2>,
    wide: Fingerprint<4>,
}

impl Codes {
    /// Bits that differ at each width of [`Width::ALL`].
    pub(crate) fn distances(&self, other: &Self) -> [u16; 3] {
        [
            self.narrow.distance(&other.narrow),
            self.usual.distance(&other.usual),
            self.wide.distance(&other.wide),
        ]
        .map(|distance| u16::try_from(distance).unwrap_or(u16::MAX))
    }
}

/// Makes them. Keep one a thread.
pub(crate) struct Coder {
    /// Where the features alone make the fingerprint.
    by_features: Option<(Fingerprinter<1>, Fingerprinter<2>, Fingerprinter<4>)>,
}

impl Coder {
    /// The widths of the fingerprints that it makes.
    pub(crate) fn widths(recipe: &Recipe) -> Vec<Width> {
        let made = Fingerprinter::<1>::new(&recipe.clone().with_width(Width::W64));
        let all = made.ok().and_then(|mut made| made.of_keys(&[])).is_some();
        if all { Width::ALL.to_vec() } else { vec![recipe.width] }
    }

    /// A coder for a recipe of any width.
    ///
    /// # Errors
    /// A recipe that cannot be used.
    pub(crate) fn new(recipe: &Recipe) -> Result<Self, RecipeError> {
        let at = |width| recipe.clone().with_width(width);
        let by_features = if Self::widths(recipe).len() == 1 {
            None
        } else {
            let narrow = Fingerprinter::new(&at(Width::W64))?;
            let usual = Fingerprinter::new(&at(Width::W128))?;
            Some((narrow, usual, Fingerprinter::new(&at(Width::W256))?))
        };
        Ok(Self { by_features })
    }

    /// The fingerprints of a document that may be near others.
    pub(crate) fn codes<const WORDS: usize>(&mut self, seen: &Looked<'_, WORDS>) -> Codes {
        let mut codes = Codes::default();
        if seen.sketched.state != State::Full {
            return codes;
        }
        match &mut self.by_features {
            Some((narrow, usual, wide)) => {
                codes.narrow = narrow.of_keys(seen.keys).unwrap_or_default();
                codes.usual = usual.of_keys(seen.keys).unwrap_or_default();
                codes.wide = wide.of_keys(seen.keys).unwrap_or_default();
            }
            None => {
                let own = seen.sketched.fingerprint;
                match own.words().as_slice() {
                    [word] => codes.narrow = Fingerprint::from_words([*word]),
                    [a, b] => codes.usual = Fingerprint::from_words([*a, *b]),
                    [a, b, c, d] => codes.wide = Fingerprint::from_words([*a, *b, *c, *d]),
                    _ => {}
                }
            }
        }
        codes
    }
}
