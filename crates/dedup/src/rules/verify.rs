//! What makes two documents near-duplicates besides the radius: exact similarity of their features.
//! Which pairs are looked at is the affair of `verification`.

use nearprint_fingerprint::Overlap;
use std::fmt;
use std::str::FromStr;

/// The check that a pair within the radius has to pass, over the distinct features of the recipe.
///
/// # Examples
/// ```
/// use nearprint_dedup::Verify;
///
/// assert_eq!(Verify::default(), Verify::None);
/// assert!(Verify::Jaccard(0.8).is_checked() && !Verify::None.is_checked());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Verify {
    /// None: the radius decides.
    #[default]
    None,
    /// Shared features over all features of either are at least so many.
    Jaccard(f64),
    /// Shared features over those of the document with fewer are at least so many: finds excerpts.
    Containment(f64),
}

impl Verify {
    /// Whether the features of a pair are compared.
    #[must_use]
    pub fn is_checked(self) -> bool {
        self != Self::None
    }

    /// The Jaccard similarity of two documents that pass, from the keys of their features, which ascend;
    /// `None` for those that do not.
    ///
    /// # Complexity
    /// Linear in the features, less where too few are shared.
    ///
    /// # Examples
    /// ```
    /// use nearprint_dedup::Verify;
    ///
    /// assert_eq!(Verify::Jaccard(0.5).similarity(&[1, 2, 3], &[2, 3, 4]), Some(0.5));
    /// assert_eq!(Verify::Jaccard(0.6).similarity(&[1, 2, 3], &[2, 3, 4]), None);
    /// ```
    #[must_use]
    pub fn similarity(self, a: &[u64], b: &[u64]) -> Option<f64> {
        let overlap = Overlap::at_least(a, b, self.least_shared(a.len(), b.len()))?;
        let passes = match self {
            Self::None => true,
            Self::Jaccard(least) => overlap.jaccard() >= least,
            Self::Containment(least) => overlap.containment() >= least,
        };
        passes.then(|| overlap.jaccard())
    }

    /// Features that a pair which passes shares at least, or a few less, by the numbers of their
    /// features.
    pub(crate) fn least_shared(self, a: usize, b: usize) -> usize {
        match self {
            Self::None => 0,
            Self::Jaccard(least) => shared_of_jaccard(least, a + b),
            Self::Containment(least) => share(least, a.min(b)),
        }
    }

    /// How many of its `n` features, the first in any one order of all features, hold one that is also
    /// among as many first ones of any document that passes with it: `n - ceil(s n) + 1` for a Jaccard
    /// similarity of `s`.
    pub(crate) fn prefix(self, n: usize) -> usize {
        match self {
            Self::Jaccard(least) => behind(least, n),
            Self::None | Self::Containment(_) => n,
        }
    }

    /// The same beside documents that have no fewer features, whose [`prefix`](Self::prefix) holds it:
    /// `n - ceil(2 s / (1 + s) n) + 1` for a Jaccard similarity of `s`.
    pub(crate) fn prefix_of_smaller(self, n: usize) -> usize {
        match self {
            Self::Jaccard(least) => behind(2.0 * least / (1.0 + least), n),
            Self::Containment(least) => behind(least, n),
            Self::None => n,
        }
    }

    /// The fewest features that a document has which passes with one that has `n` and no fewer; or a few
    /// less.
    pub(crate) fn least_size(self, n: usize) -> usize {
        match self {
            Self::Jaccard(least) => share(least * BELOW, n),
            Self::None | Self::Containment(_) => 0,
        }
    }
}

/// Below a product by more than it may be rounded.
const BELOW: f64 = 1.0 - 1e-9;

/// The features behind a share of `n` and one more, or two: `n - ceil(share n) + 1`.
fn behind(least: f64, n: usize) -> usize {
    n - share(least * BELOW, n).min(n.saturating_sub(1))
}

/// Keys that two sets of `sum` keys together share where they have this similarity, or one fewer:
/// `J = s / (sum - s)`.
fn shared_of_jaccard(jaccard: f64, sum: usize) -> usize {
    share(jaccard / (1.0 + jaccard), sum)
}

/// A share of a count, or one less, whatever is lost in rounding.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "counts of two documents stay below 2^53"
)]
fn share(share: f64, count: usize) -> usize {
    (share * count as f64).floor() as usize
}

impl fmt::Display for Verify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Jaccard(least) => write!(f, "jaccard={least}"),
            Self::Containment(least) => write!(f, "containment={least}"),
        }
    }
}

impl FromStr for Verify {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = "use none, jaccard=X or containment=X with X from 0 to 1";
        let (name, least) = match text.split_once('=') {
            None if text == "none" => return Ok(Self::None),
            None => return Err(known.to_owned()),
            Some((name, least)) => (name, least.parse::<f64>()),
        };
        let least = least.ok().filter(|least| (0.0..=1.0).contains(least)).ok_or(known)?;
        match name {
            "jaccard" => Ok(Self::Jaccard(least)),
            "containment" => Ok(Self::Containment(least)),
            _ => Err(known.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_rule_is_named_as_it_prints() {
        for rule in [Verify::None, Verify::Jaccard(0.8), Verify::Containment(1.0)] {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        for wrong in ["", "jaccard", "none=1", "jaccard=2", "jaccard=-1", "jaccard=NaN", "cosine=1"]
        {
            assert!(wrong.parse::<Verify>().unwrap_err().contains("containment=X"), "{wrong}");
        }
    }

    #[test]
    fn the_threshold_itself_passes() {
        let (a, b) = ([1, 2, 3, 4], [2, 3, 4, 5]);
        assert_eq!(Verify::Jaccard(0.6).similarity(&a, &b), Some(0.6));
        assert_eq!(Verify::Jaccard(0.61).similarity(&a, &b), None);
        assert_eq!(Verify::Containment(0.75).similarity(&a, &b), Some(0.6));
        assert_eq!(Verify::Containment(0.76).similarity(&a, &b), None);
        assert_eq!(Verify::None.similarity(&a, &[]), Some(0.0));
    }

    proptest! {
        #[test]
        fn pairs_pass_as_all_they_share_says(
            a in prop::collection::btree_set(0_u64..40, 0..40),
            b in prop::collection::btree_set(0_u64..40, 0..40),
            least in prop::sample::select(vec![0.0, 0.1, 1.0 / 3.0, 0.5, 0.6, 0.8, 1.0]),
        ) {
            let [a, b] = [a, b].map(|set| set.into_iter().collect::<Vec<_>>());
            let all = Overlap::of(&a, &b);
            let jaccard = (all.jaccard() >= least).then(|| all.jaccard());
            prop_assert_eq!(Verify::Jaccard(least).similarity(&a, &b), jaccard);
            let contained = (all.containment() >= least).then(|| all.jaccard());
            prop_assert_eq!(Verify::Containment(least).similarity(&a, &b), contained);
        }
    }
}
