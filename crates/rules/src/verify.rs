//! What makes two documents near-duplicates besides the radius: exact similarity of their features.
//! Which pairs are looked at, a search decides.

use nearprint_fingerprint::{FeatureList, Measure, Overlap, Weighting};
use std::fmt;
use std::str::FromStr;

/// The check that a pair of candidates has to pass, over the distinct features of the recipe.
///
/// Cosine and weighted Jaccard similarity go by the weights of the features. They are sums in `f64` in the order of
/// the keys, so that threads and orders change nothing. One that is less than 10^-12 below what is asked for
/// passes: so what equals it passes, whatever is lost in rounding.
///
/// # Examples
/// ```
/// use nearprint_rules::Verify;
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
    /// The cosine of the angle between the weights is at least so much: what fingerprints estimate.
    Cosine(f64),
    /// The smaller weights of all features over the greater ones are at least so many.
    WeightedJaccard(f64),
}

impl Verify {
    /// Whether the features of a pair are compared.
    #[must_use]
    pub fn is_checked(self) -> bool {
        self != Self::None
    }

    /// The check that suits features of such weights: their cosine where the weights are real numbers, which is
    /// what fingerprints estimate. Where weights follow from counts in the document it is the Jaccard similarity
    /// of the sets of features: sketches find it in a time that grows with the documents, not with their square.
    #[must_use]
    pub const fn suiting(weights: Weighting, least: f64) -> Self {
        if weights.is_integer() { Self::Jaccard(least) } else { Self::Cosine(least) }
    }

    /// Whether features count by their weights.
    #[must_use]
    pub const fn is_weighted(self) -> bool {
        matches!(self, Self::Cosine(_) | Self::WeightedJaccard(_))
    }

    /// The similarity of two documents that pass, in the measure of the check, the Jaccard similarity where there is
    /// none; `None` for documents that do not pass.
    ///
    /// # Complexity
    /// Linear in the features.
    ///
    /// # Examples
    /// ```
    /// use nearprint_rules::Verify;
    /// use nearprint_fingerprint::FeatureList;
    ///
    /// let a = FeatureList::weighted(vec![(1, 3.0), (2, 4.0)]);
    /// let b = FeatureList::weighted(vec![(2, 7.0)]);
    /// assert_eq!(Verify::Cosine(0.8).similarity_of(&a, &b), Some(0.8));
    /// assert_eq!(Verify::Cosine(0.81).similarity_of(&a, &b), None);
    /// assert_eq!(Verify::Jaccard(0.5).similarity_of(&a, &b), Some(0.5));
    /// ```
    #[must_use]
    pub fn similarity_of(self, a: &FeatureList, b: &FeatureList) -> Option<f64> {
        if !self.is_weighted() || (a.weights().is_empty() && b.weights().is_empty()) {
            return self.similarity(a.keys(), b.keys());
        }
        let found = self.measured(a, b);
        match self {
            Self::Cosine(_) | Self::WeightedJaccard(_) => self.reaches(found).then_some(found),
            _ => Some(found),
        }
    }

    /// How alike two documents are, in the [measure](Self::measure) of the check, whether they pass or not.
    ///
    /// # Examples
    /// ```
    /// use nearprint_rules::Verify;
    /// use nearprint_fingerprint::FeatureList;
    ///
    /// let (a, b) = (FeatureList::of_set(vec![1, 2, 3, 4]), FeatureList::of_set(vec![1, 2]));
    /// assert_eq!(Verify::Containment(0.8).measured(&a, &b), 1.0);
    /// assert_eq!(Verify::Jaccard(0.8).measured(&a, &b), 0.5);
    /// ```
    #[must_use]
    pub fn measured(self, a: &FeatureList, b: &FeatureList) -> f64 {
        let is_set = a.weights().is_empty() && b.weights().is_empty();
        match self {
            Self::Cosine(_) if !is_set => a.cosine(b),
            Self::WeightedJaccard(_) if !is_set => a.weighted_jaccard(b),
            _ => self.of_sets(&Overlap::of(a.keys(), b.keys())),
        }
    }

    /// The least that passes; 0 where nothing is checked.
    pub const fn least(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Jaccard(least)
            | Self::Containment(least)
            | Self::Cosine(least)
            | Self::WeightedJaccard(least) => least,
        }
    }

    /// The same check for another least share.
    pub const fn at(self, least: f64) -> Self {
        match self {
            Self::None => Self::None,
            Self::Jaccard(_) => Self::Jaccard(least),
            Self::Containment(_) => Self::Containment(least),
            Self::Cosine(_) => Self::Cosine(least),
            Self::WeightedJaccard(_) => Self::WeightedJaccard(least),
        }
    }

    /// Whether a similarity, in the measure of the check, passes.
    pub fn reaches(self, similarity: f64) -> bool {
        self.measure().reaches(similarity, self.least())
    }

    /// What the check goes by, rounded to four digits as in rows; to more where four would say something else than
    /// whether it passes.
    ///
    /// # Examples
    /// ```
    /// use nearprint_rules::Verify;
    ///
    /// let rule = Verify::Jaccard(0.81);
    /// let shown = [0.8571428, 0.81, 0.80997, 0.6315789].map(|similarity| rule.shown(similarity));
    /// assert_eq!(shown, ["0.8571", "0.8100", "0.80997", "0.6316"]);
    /// ```
    #[must_use]
    pub fn shown(self, similarity: f64) -> String {
        /// Digits that tell any two numbers apart.
        const ALL: usize = 17;
        let rounded = |digits: usize| format!("{similarity:.digits$}");
        let passes = self.reaches(similarity);
        let tells =
            |text: &String| text.parse::<f64>().is_ok_and(|told| self.reaches(told) == passes);
        (4..ALL).map(rounded).find(tells).unwrap_or_else(|| rounded(4))
    }

    /// What its similarity is.
    #[must_use]
    pub const fn measure(self) -> Measure {
        match self {
            Self::None | Self::Jaccard(_) => Measure::Jaccard,
            Self::Containment(_) => Measure::Containment,
            Self::Cosine(_) => Measure::Cosine,
            Self::WeightedJaccard(_) => Measure::WeightedJaccard,
        }
    }

    /// What the similarity of a pair is that passed; `None` where nothing is checked.
    #[must_use]
    pub fn reported(self) -> Option<Measure> {
        self.is_checked().then(|| self.measure())
    }

    /// The similarity of two documents that pass, in the measure of the check, from the keys of their features,
    /// which ascend and weigh the same; `None` for those that do not. It is the Jaccard similarity but for a cosine
    /// and a containment.
    ///
    /// # Complexity
    /// Linear in the features, less where too few are shared.
    ///
    /// # Examples
    /// ```
    /// use nearprint_rules::Verify;
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
            Self::Cosine(_) => self.reaches(overlap.cosine()),
            Self::WeightedJaccard(_) => self.reaches(overlap.jaccard()),
        };
        passes.then(|| self.of_sets(&overlap))
    }

    fn of_sets(self, overlap: &Overlap) -> f64 {
        match self {
            Self::Cosine(_) => overlap.cosine(),
            Self::Containment(_) => overlap.containment(),
            _ => overlap.jaccard(),
        }
    }

    /// Features that a pair which passes shares at least, or a few less, by the numbers of their
    /// features, which weigh the same.
    pub fn least_shared(self, a: usize, b: usize) -> usize {
        match self {
            Self::None => 0,
            Self::Jaccard(least) => shared_of_jaccard(least, a + b),
            Self::WeightedJaccard(least) => shared_of_jaccard(least * BELOW, a + b),
            Self::Containment(least) => share(least, a.min(b)),
            Self::Cosine(least) => shared_of_cosine(least * BELOW, a, b),
        }
    }

    /// How many of its `n` features, the first in any one order of all features, hold one that is also
    /// among as many first ones of any document that passes with it: `n - ceil(s n) + 1` for a Jaccard
    /// similarity of `s`, `n - ceil(s^2 n) + 1` for a cosine.
    pub fn prefix(self, n: usize) -> usize {
        match self {
            Self::Jaccard(least) | Self::WeightedJaccard(least) => behind(least, n),
            Self::Cosine(least) => behind(least * least, n),
            Self::None | Self::Containment(_) => n,
        }
    }

    /// The same beside documents that have no fewer features, whose [`prefix`](Self::prefix) holds it:
    /// `n - ceil(2 s / (1 + s) n) + 1` for a Jaccard similarity of `s`, `n - ceil(s n) + 1` for a cosine.
    pub fn prefix_of_smaller(self, n: usize) -> usize {
        match self {
            Self::Jaccard(least) | Self::WeightedJaccard(least) => {
                behind(2.0 * least / (1.0 + least), n)
            }
            Self::Containment(least) | Self::Cosine(least) => behind(least, n),
            Self::None => n,
        }
    }

    /// The fewest features that a document has which passes with one that has `n` and no fewer; or a few
    /// less.
    pub fn least_size(self, n: usize) -> usize {
        match self {
            Self::Jaccard(least) | Self::WeightedJaccard(least) => share(least * BELOW, n),
            Self::Cosine(least) => share(least * least * BELOW, n),
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

/// Keys that two sets share where they have this cosine, or a few less: `s / sqrt(a b)`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "counts of two documents stay below 2^53"
)]
fn shared_of_cosine(cosine: f64, a: usize, b: usize) -> usize {
    (cosine * (a as f64 * b as f64).sqrt()).floor() as usize
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
            Self::Cosine(least) => write!(f, "cosine={least}"),
            Self::WeightedJaccard(least) => write!(f, "weighted-jaccard={least}"),
        }
    }
}

impl FromStr for Verify {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known =
            "use none, jaccard=X, containment=X, cosine=X or weighted-jaccard=X with X from 0 to 1";
        let (name, least) = match text.split_once('=') {
            None if text == "none" => return Ok(Self::None),
            None => return Err(known.to_owned()),
            Some((name, least)) => (name, least.parse::<f64>()),
        };
        let least = least.ok().filter(|least| (0.0..=1.0).contains(least)).ok_or(known)?;
        match name {
            "jaccard" => Ok(Self::Jaccard(least)),
            "containment" => Ok(Self::Containment(least)),
            "cosine" => Ok(Self::Cosine(least)),
            "weighted-jaccard" => Ok(Self::WeightedJaccard(least)),
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
        let rules = [
            Verify::None,
            Verify::Jaccard(0.8),
            Verify::Containment(1.0),
            Verify::Cosine(0.9),
            Verify::WeightedJaccard(0.5),
        ];
        for rule in rules {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        for wrong in ["", "jaccard", "none=1", "jaccard=2", "jaccard=-1", "cosine=NaN", "cosinus=1"]
        {
            assert!(wrong.parse::<Verify>().unwrap_err().contains("containment=X"), "{wrong}");
        }
    }

    #[test]
    fn the_threshold_itself_passes() {
        let (a, b) = ([1, 2, 3, 4], [2, 3, 4, 5]);
        let (c, d) = ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]);
        assert!(Verify::Cosine(0.8).similarity(&c, &d).is_some());
        assert_eq!(Verify::Cosine(0.8 + 1e-9).similarity(&c, &d), None);
        assert_eq!(Verify::Jaccard(0.6).similarity(&a, &b), Some(0.6));
        assert_eq!(Verify::Jaccard(0.61).similarity(&a, &b), None);
        assert_eq!(Verify::Containment(0.75).similarity(&a, &b), Some(0.75));
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
            let contained = (all.containment() >= least).then(|| all.containment());
            prop_assert_eq!(Verify::Containment(least).similarity(&a, &b), contained);
            let cosine = (all.cosine() >= least - 1e-12).then(|| all.cosine());
            prop_assert_eq!(Verify::Cosine(least).similarity(&a, &b), cosine);
            prop_assert_eq!(Verify::WeightedJaccard(least).similarity(&a, &b), jaccard);
        }

        /// Thresholds a little above and below what a double loop finds, and that itself.
        #[test]
        fn weighted_pairs_pass_as_a_double_loop_says(
            a in prop::collection::btree_map(0_u64..20, 1_i32..12, 1..20),
            b in prop::collection::btree_map(0_u64..20, -2_i32..12, 1..20),
            parts in prop::sample::select(vec![1.0, 3.0, 7.0, 1e9]),
        ) {
            let [of_a, of_b] = [&a, &b].map(|features| {
                let weight = |(key, weight): (&u64, &i32)| (*key, f64::from(*weight) / parts);
                FeatureList::weighted(features.iter().map(weight).collect())
            });
            let (mut dot, mut common, mut all) = (0, 0, 0);
            for (x, of_x) in &a {
                for (y, of_y) in &b {
                    dot += if x == y { of_x * of_y } else { 0 };
                    common += if x == y { (*of_x.min(of_y)).max(0) } else { 0 };
                }
            }
            let sum = |of: &std::collections::BTreeMap<u64, i32>, power: u32| -> i32 {
                of.values().map(|weight| weight.abs().pow(power)).sum()
            };
            all += sum(&a, 1) + sum(&b, 1) - common;
            prop_assume!(sum(&b, 1) > 0);
            let cosine = f64::from(dot) / (f64::from(sum(&a, 2)) * f64::from(sum(&b, 2))).sqrt();
            let weighted = f64::from(common) / f64::from(all);
            for (exact, rule) in [
                (cosine, Verify::Cosine as fn(f64) -> Verify),
                (weighted, Verify::WeightedJaccard),
            ] {
                let passes = |least: f64| rule(least).similarity_of(&of_a, &of_b).is_some();
                prop_assert!(passes(exact) && passes(exact - 1e-9), "{exact}");
                prop_assert!(!passes(exact + 1e-9), "{exact}");
                prop_assert_eq!(
                    rule(exact).similarity_of(&of_a, &of_b),
                    rule(exact).similarity_of(&of_b, &of_a)
                );
            }
        }
    }

    #[test]
    fn a_rule_keeps_its_kind_for_another_share() {
        let rules = [
            Verify::Jaccard(0.5),
            Verify::Containment(0.5),
            Verify::Cosine(0.5),
            Verify::WeightedJaccard(0.5),
        ];
        for rule in rules {
            assert_eq!((rule.least(), rule.at(0.75).least()), (0.5, 0.75));
            assert_eq!(rule.at(0.75).at(0.5), rule);
            assert!(rule.is_checked());
        }
        assert_eq!((Verify::None.at(0.75), Verify::None.least()), (Verify::None, 0.0));
        assert!(!Verify::None.is_checked() && Verify::default() == Verify::None);
    }

    #[test]
    fn what_is_reported_is_the_measure_of_the_rule() {
        let reported = [
            (Verify::None, None),
            (Verify::Jaccard(0.5), Some(Measure::Jaccard)),
            (Verify::Containment(0.5), Some(Measure::Containment)),
            (Verify::Cosine(0.5), Some(Measure::Cosine)),
            (Verify::WeightedJaccard(0.5), Some(Measure::WeightedJaccard)),
        ];
        for (rule, expected) in reported {
            assert_eq!(rule.reported(), expected, "{rule}");
            let weighted = [Some(Measure::Cosine), Some(Measure::WeightedJaccard)];
            assert_eq!(rule.is_weighted(), weighted.contains(&expected), "{rule}");
        }
        assert!(Verify::Jaccard(0.5).reaches(0.5) && !Verify::Jaccard(0.5).reaches(0.49));
    }

    #[test]
    fn a_similarity_is_measured_whether_it_passes_or_not() {
        let list = |features: &[(u64, f64)]| FeatureList::weighted(features.to_vec());
        let (a, b) = (list(&[(1, 3.0), (2, 4.0)]), list(&[(2, 8.0)]));
        assert_eq!(Verify::Cosine(1.0).measured(&a, &b), 0.8);
        // The smaller weights are 0 and 4, the greater ones 3 and 8.
        assert_eq!(Verify::WeightedJaccard(1.0).measured(&a, &b), 4.0 / 11.0);
        for rule in [Verify::None, Verify::Jaccard(1.0)] {
            assert_eq!(rule.measured(&a, &b), 0.5, "{rule}");
        }
        assert_eq!(Verify::Containment(1.0).measured(&a, &b), 1.0);
        // Where all features weigh the same, of the sets.
        let set = |keys: &[u64]| FeatureList::of_set(keys.to_vec());
        let (a, b) = (set(&[1, 2, 3, 4]), set(&[3, 4, 5, 6]));
        assert_eq!(Verify::Cosine(1.0).measured(&a, &b), 0.5);
        assert_eq!(Verify::WeightedJaccard(1.0).measured(&a, &b), 1.0 / 3.0);
        assert_eq!(Verify::Cosine(0.6).similarity_of(&a, &b), None);
        assert_eq!(Verify::Cosine(0.5).similarity_of(&a, &b), Some(0.5));
    }

    #[test]
    fn bounds_by_numbers_of_features() {
        // Of 10 and 10 features at least so many are shared, to the feature or one fewer.
        let shared = [
            (Verify::None, 0),
            (Verify::Jaccard(0.5), 6),
            (Verify::WeightedJaccard(0.5), 6),
            (Verify::Containment(0.5), 5),
            (Verify::Cosine(0.55), 5),
        ];
        for (rule, least) in shared {
            assert_eq!(rule.least_shared(10, 10), least, "{rule}");
        }
        assert_eq!(Verify::Containment(0.5).least_shared(4, 10), 2);
        assert_eq!(Verify::Cosine(0.55).least_shared(4, 9), 3);
        let sizes = [
            (Verify::None, 0),
            (Verify::Jaccard(0.55), 5),
            (Verify::WeightedJaccard(0.55), 5),
            (Verify::Containment(0.5), 0),
            (Verify::Cosine(0.55), 3),
        ];
        for (rule, least) in sizes {
            assert_eq!(rule.least_size(10), least, "{rule}");
        }
        let prefixes = [
            (Verify::None, 10, 10),
            (Verify::Jaccard(0.55), 5, 3),
            (Verify::WeightedJaccard(0.55), 5, 3),
            (Verify::Containment(0.55), 10, 5),
            (Verify::Cosine(0.55), 7, 5),
        ];
        for (rule, prefix, of_smaller) in prefixes {
            assert_eq!(
                (rule.prefix(10), rule.prefix_of_smaller(10)),
                (prefix, of_smaller),
                "{rule}"
            );
        }
        // Of all that is shared a prefix holds one.
        assert_eq!((Verify::Jaccard(1.0).prefix(1), Verify::Jaccard(1.0).prefix(5)), (1, 1));
    }
}
