//! What decides whose duplicate a document is: the fingerprint, the keys of its bands and its features where a
//! similarity decides, and flags of degenerate documents.

use crate::error::Error;
use crate::invariant::invariant;
use crate::rules::Rules;
use nearprint_bits::AnyFingerprint;
use nearprint_fingerprint::{
    DegenerateRule, FeatureList, Fingerprint, Fingerprinted, Flags, Matching, Measure, Width,
    angle_code,
};

/// A document as the store compares it: its fingerprint, and in a store by similarity the sketch of its features. [`Sketcher`](crate::Sketcher) makes it of a text.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Fingerprint;
/// use nearprint_store::Sketch;
///
/// let sketch: Sketch = Fingerprint::from(0x2a_u64).into();
/// assert!(!sketch.flags.any());
/// let nothing: Sketch = Fingerprint::<1>::ZERO.into();
/// assert!(nothing.flags.empty);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// The fingerprint.
    pub fingerprint: AnyFingerprint,
    /// Why the document is degenerate: its fingerprint says little about it. Usually no flag is set.
    pub flags: Flags,
    /// A hash of the content of a flagged document; 0 for all others.
    pub content: u64,
    /// The keys of the bands of its features, as
    /// [`BandSketcher`](nearprint_fingerprint::BandSketcher) makes them. Empty if the store does not
    /// compare them.
    pub bands: Vec<u8>,
    /// The keys of its features, ascending. Empty if the store does not compare them.
    pub keys: Vec<u64>,
    /// The weight of each of these features, a finite number. Empty if the store does not compare them.
    pub weights: Vec<f64>,
    /// The [code](nearprint_fingerprint::angle_code) of the angle of these weights, by which a store by a cosine finds
    /// what to compare; none without weights.
    pub code: Option<AnyFingerprint>,
}

/// No weight is `NaN`.
impl Eq for Sketch {}

impl Sketch {
    /// The sketch of a fingerprint with these flags, without bands and keys.
    pub(crate) fn plain(fingerprint: AnyFingerprint, flags: Flags, content: u64) -> Self {
        let (bands, keys, weights) = (Vec::new(), Vec::new(), Vec::new());
        Self { fingerprint, flags, content, bands, keys, weights, code: None }
    }

    /// Leaves in the sketch exactly what a store of these rules compares.
    pub(crate) fn fit(&mut self, rules: &Rules) -> Result<(), Error> {
        let compared = self.matching(rules.degenerate) == Matching::Distance;
        let min_similarity = rules.min_similarity.filter(|_| compared);
        if min_similarity.is_none() || rules.bands.is_none() {
            self.bands.clear();
        }
        if !min_similarity.is_some_and(|min_similarity| min_similarity.verifies()) {
            self.keys.clear();
        }
        if !min_similarity.is_some_and(|min_similarity| min_similarity.measure == Measure::Cosine) {
            self.weights.clear();
            self.code = None;
        }
        self.check(rules)
    }

    /// Checks that all is there that a store of these rules compares.
    pub(crate) fn check(&self, rules: &Rules) -> Result<(), Error> {
        let compared = self.matching(rules.degenerate) == Matching::Distance;
        let Some(min_similarity) = rules.min_similarity.filter(|_| compared) else { return Ok(()) };
        let features = !min_similarity.verifies() || !self.keys.is_empty();
        match rules.bands {
            Some(shape) if self.bands.len() != shape.bytes() => Err(Error::NoSketch),
            Some(_) if !features => Err(Error::NoFeatures),
            None if !features || !self.is_weighed() => Err(Error::NoSketch),
            _ => Ok(()),
        }
    }

    /// Its features, with their weights where it has some.
    pub(crate) fn features(self) -> FeatureList {
        FeatureList::of(self.keys, self.weights)
    }

    /// Whether each feature has a weight.
    fn is_weighed(&self) -> bool {
        self.weights.len() == self.keys.len()
            && self.weights.iter().all(|weight| weight.is_finite())
            && self.code.is_some() != self.weights.is_empty()
    }

    /// How the store finds duplicates of it, by the rule of the recipe for degenerate documents.
    pub(crate) fn matching(&self, rule: DegenerateRule) -> Matching {
        rule.matching(self.flags)
    }
}

impl Sketch {
    /// Whether two documents are near-duplicates within `k` bits, by the rule of their recipe for
    /// degenerate documents. Documents of different widths are not.
    #[must_use]
    pub fn is_near(&self, other: &Self, k: u32, rule: DegenerateRule) -> bool {
        let [own, other] = [self, other].map(|sketch| {
            let Self { fingerprint, flags, content, .. } = sketch;
            let short_hash = flags.any().then_some(*content);
            Fingerprinted { fingerprint: *fingerprint, features: 0, flags: *flags, short_hash }
        });
        own.is_near(&other, k, rule)
    }

    /// Checks that a store of this width may compare it.
    pub(crate) fn check_width(&self, store: Width) -> Result<(), Error> {
        let mut codes = std::iter::once(&self.fingerprint).chain(&self.code);
        match codes.find(|code| code.width() != store) {
            Some(other) => {
                Err(Error::OtherWidth { store: store.bits(), asked: other.width().bits() })
            }
            None => Ok(()),
        }
    }

    /// Bits in which the fingerprint differs from that of another document of the store.
    pub(crate) fn distance(&self, other: &Self) -> u32 {
        distance(&self.fingerprint, &other.fingerprint)
    }

    /// The same of what the store searches by.
    pub(crate) fn searched_distance(&self, other: &Self) -> u32 {
        distance(self.searched(), other.searched())
    }

    /// What a store searches by.
    pub(crate) fn searched(&self) -> &AnyFingerprint {
        self.code.as_ref().unwrap_or(&self.fingerprint)
    }
}

impl<const WORDS: usize> From<Fingerprint<WORDS>> for Sketch {
    fn from(fingerprint: Fingerprint<WORDS>) -> Self {
        AnyFingerprint::from(fingerprint).into()
    }
}

impl Sketch {
    /// The same sketch with these features, their weights and the code of their angle, as a store by a cosine compares
    /// them. A feature of a list of a set weighs 1.
    ///
    /// # Complexity
    /// Linear in the features.
    ///
    /// # Examples
    /// ```
    /// use nearprint_fingerprint::{FeatureList, Fingerprint64};
    /// use nearprint_store::Sketch;
    ///
    /// let sketch: Sketch = Fingerprint64::from(0x2a).into();
    /// let sketch = sketch.weighed(&FeatureList::of_set(vec![3, 5]));
    /// assert_eq!((sketch.keys, sketch.weights), (vec![3, 5], vec![1.0, 1.0]));
    /// assert!(sketch.code.is_some());
    /// ```
    #[must_use]
    pub fn weighed(self, list: &FeatureList) -> Self {
        let mut weights = list.weights().to_vec();
        weights.resize(list.keys().len(), 1.0);
        let code = Some(angle_code(list, self.fingerprint.width()));
        Self { keys: list.keys().to_vec(), weights, code, ..self }
    }
}

impl From<AnyFingerprint> for Sketch {
    /// The sketch of a ready-made fingerprint. The fingerprint 0 is that of an empty document.
    fn from(fingerprint: AnyFingerprint) -> Self {
        let flags = Flags { empty: fingerprint.is_zero(), ..Flags::default() };
        Self::plain(fingerprint, flags, 0)
    }
}

impl<F: Into<AnyFingerprint>> From<Fingerprinted<F>> for Sketch {
    fn from(made: Fingerprinted<F>) -> Self {
        let Fingerprinted { fingerprint, flags, short_hash, .. } = made;
        Self::plain(fingerprint.into(), flags, short_hash.unwrap_or(0))
    }
}

/// Bits in which two fingerprints of one store differ: they have one width.
pub(crate) fn distance(a: &AnyFingerprint, b: &AnyFingerprint) -> u32 {
    invariant(a.distance(b), b).unwrap_or(u32::MAX)
}
