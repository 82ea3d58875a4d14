//! A pair in which labels and a setting differ, and why.

use crate::found::by_radius::Codes;
use nearprint_dedup::{Finding, Likeness, Verify};
use nearprint_fingerprint::{AnyFingerprinter, FeatureDifference, Similarity, differences};
use serde::Serialize;
use std::borrow::Cow;

/// Features that a row shows.
const FEATURES: usize = 10;

/// A pair that was missed, or that is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Case {
    /// The id of the one document.
    pub a: String,
    /// The id of the other.
    pub b: String,
    /// Bits in which their fingerprints differ.
    pub distance: u32,
    /// Their Jaccard similarity: shared features over all features of either.
    pub similarity: f64,
    /// Shared features over those of the document that has fewer.
    pub containment: f64,
    /// The cosine of the angle between the weights of their features.
    pub cosine: f64,
    /// The smaller weights of all features over the greater ones.
    pub weighted_jaccard: f64,
    /// Features that the two have, and that only one of them has.
    pub features: Features,
    /// The features of the greatest difference of weight: by name, with the weights in `a` and `b`.
    pub differ: Vec<Differing>,
    /// Why the setting says what it says.
    pub reason: String,
}

/// How many features two documents have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Features {
    /// Features of the first document.
    pub a: usize,
    /// Features of the second.
    pub b: usize,
    /// Features whose weights differ.
    pub differ: usize,
}

/// A feature that tells two documents apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Differing {
    /// The feature.
    pub feature: String,
    /// Its weight in the first document.
    pub a: f64,
    /// Its weight in the second.
    pub b: f64,
}

/// Compares documents by a recipe.
pub(crate) struct Cases<'a> {
    pub(crate) ids: &'a [String],
    /// What is fingerprinted of each document.
    pub(crate) parts: &'a [Cow<'a, str>],
    pub(crate) codes: &'a Codes,
    pub(crate) fingerprinter: AnyFingerprinter,
    pub(crate) likeness: Likeness,
}

/// What tells why a pair is found or is not.
struct Facts<'a> {
    distance: u32,
    exact: &'a Similarity,
    /// Whether both documents have enough in them to be near others.
    comparable: bool,
    /// Whether their features pass the check.
    passes: bool,
}

impl Cases<'_> {
    /// The case of two documents that were `found` or missed.
    pub(crate) fn of(&mut self, a: u32, b: u32, found: bool) -> Case {
        let id = |at: u32| self.ids.get(at as usize).cloned().unwrap_or_default();
        let ids = [id(a), id(b)];
        let [of_a, of_b] = [a, b].map(|one| {
            let text = self.parts.get(one as usize).map_or("", AsRef::as_ref);
            let fingerprinter = &mut self.fingerprinter;
            let list = fingerprinter.list_in(text, None);
            (fingerprinter.features(text), fingerprinter.fingerprint_in(text, None), list)
        });
        let exact = Similarity::of(&of_a.0, &of_b.0);
        let all = differences(&of_a.0, &of_b.0);
        let differ = all.iter().take(FEATURES).map(|FeatureDifference { feature, a, b }| {
            Differing { feature: (*feature).to_owned(), a: *a, b: *b }
        });
        let differ = differ.collect();
        let features = Features { a: of_a.0.len(), b: of_b.0.len(), differ: all.len() };
        let distance = self.codes.distance(a, b);
        let rule = self.fingerprinter.recipe().degenerate;
        let comparable = match self.likeness.verify() {
            Verify::None => of_a.1.is_near(&of_b.1, u32::MAX, rule),
            _ => of_a.1.is_comparable(&of_b.1, rule),
        };
        let passes = self.likeness.verify().similarity_of(&of_a.2, &of_b.2).is_some();
        let reason = self.reason(&Facts { distance, exact: &exact, comparable, passes }, found);
        let [a, b] = ids;
        Case {
            a,
            b,
            distance,
            similarity: exact.jaccard,
            containment: exact.containment,
            cosine: exact.cosine,
            weighted_jaccard: exact.weighted_jaccard,
            features,
            differ,
            reason,
        }
    }

    fn reason(&self, facts: &Facts<'_>, found: bool) -> String {
        let &Facts { distance, exact, comparable, passes } = facts;
        if !comparable {
            return "one of the two is too short to compare".to_owned();
        }
        let (name, value, least) = match self.likeness.verify() {
            Verify::None => return self.within(distance),
            Verify::Jaccard(least) => ("similarity", exact.jaccard, least),
            Verify::Containment(least) => ("containment", exact.containment, least),
            Verify::Cosine(least) => ("cosine", exact.cosine, least),
            Verify::WeightedJaccard(least) => {
                ("weighted Jaccard similarity", exact.weighted_jaccard, least)
            }
        };
        let value = self.likeness.verify().shown(value);
        let (reaches, below) =
            (format!("{name} {value} reaches {least}"), format!("{name} {value} is below {least}"));
        match (found, passes) {
            (true, true) => reaches,
            (_, false) => below,
            (false, true) => match self.likeness.finding() {
                Finding::Bands(bands) => {
                    format!(
                        "{reaches}, but none of {} bands of their sketches is equal",
                        bands.bands()
                    )
                }
                Finding::Radius if distance > self.likeness.k() => {
                    format!("{reaches}, but {}", self.within(distance))
                }
                Finding::Radius | Finding::Prefixes | Finding::Bytes => {
                    format!("{reaches}, but the search did not compare the two")
                }
            },
        }
    }

    /// Whether so many bits are within the radius.
    fn within(&self, distance: u32) -> String {
        let k = self.likeness.k();
        let within = if distance <= k { "within" } else { "over" };
        format!("distance {distance} is {within} k = {k}")
    }
}
