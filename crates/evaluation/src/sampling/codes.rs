//! Fingerprints of a document at every width that its recipe can make of the same features.

use nearprint_bits::{CodeList, at_width};
use nearprint_dedup::{SeenRecord, State};
use nearprint_fingerprint::{
    AnyFingerprint, AnyFingerprinter, Fingerprint, Recipe, RecipeError, Width,
};
use nearprint_index::{Pair, for_each_pair};
use std::sync::Mutex;

/// Fingerprints of one document; zeros where they are not made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Codes {
    pub(crate) narrow: Fingerprint<1>,
    pub(crate) usual: Fingerprint<2>,
    pub(crate) wide: Fingerprint<4>,
}

impl Codes {
    /// Sets the fingerprint of its width.
    fn set(&mut self, fingerprint: Option<AnyFingerprint>) {
        match fingerprint {
            Some(AnyFingerprint::W64(code)) => self.narrow = code,
            Some(AnyFingerprint::W128(code)) => self.usual = code,
            Some(AnyFingerprint::W256(code)) => self.wide = code,
            None => {}
        }
    }

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

/// The places of all documents whose fingerprints of a width differ in at most `k` bits, two by two, the lesser first;
/// none where there are more than `most`. One without codes is near nothing.
pub(crate) fn within(
    codes: &[Option<Codes>],
    width: Width,
    k: u32,
    most: usize,
) -> Option<Vec<(u32, u32)>> {
    let known = (0..).zip(codes).filter_map(|(at, codes)| Some((at, codes.as_ref()?)));
    let (places, known): (Vec<u32>, Vec<&Codes>) = known.unzip();
    let known = known.into_iter();
    let codes = match width {
        Width::W64 => CodeList::W64(known.map(|one| one.narrow).collect()),
        Width::W128 => CodeList::W128(known.map(|one| one.usual).collect()),
        Width::W256 => CodeList::W256(known.map(|one| one.wide).collect()),
    };
    let pairs = Mutex::new(Vec::new());
    let keep = |pair: Pair| {
        if let Ok(mut pairs) = pairs.lock()
            && pairs.len() <= most
        {
            pairs.push((pair.a.min(pair.b), pair.a.max(pair.b)));
        }
    };
    at_width!(codes.codes() => codes, for_each_pair(codes, k, keep)).ok()?;
    let pairs = pairs.into_inner().ok().filter(|pairs| pairs.len() <= most)?;
    let place = |at: u64| places.get(usize::try_from(at).ok()?).copied();
    pairs.into_iter().map(|(a, b)| Some((place(a)?, place(b)?))).collect()
}

/// Makes them. Keep one a thread.
pub(crate) struct Coder {
    /// Where the features alone make the fingerprint.
    by_features: Option<[AnyFingerprinter; 3]>,
}

impl Coder {
    /// The widths of the fingerprints that it makes.
    pub(crate) fn widths(recipe: &Recipe) -> Vec<Width> {
        let made = AnyFingerprinter::new(&recipe.clone().with_width(Width::W64), None);
        let all = made.ok().and_then(|mut made| made.of_keys(&[])).is_some();
        if all { Width::ALL.to_vec() } else { vec![recipe.width] }
    }

    /// A coder for a recipe of any width.
    ///
    /// # Errors
    /// A recipe that cannot be used.
    pub(crate) fn new(recipe: &Recipe) -> Result<Self, RecipeError> {
        let by_features = if Self::widths(recipe).len() == 1 {
            None
        } else {
            let of = |width| AnyFingerprinter::new(&recipe.clone().with_width(width), None);
            Some([of(Width::W64)?, of(Width::W128)?, of(Width::W256)?])
        };
        Ok(Self { by_features })
    }

    /// The fingerprints of a document that may be near others.
    pub(crate) fn codes(&mut self, seen: &SeenRecord<'_>) -> Codes {
        let mut codes = Codes::default();
        if seen.sketched.state != State::Full {
            return codes;
        }
        match &mut self.by_features {
            Some(each) => each.iter_mut().for_each(|one| codes.set(one.of_keys(seen.keys))),
            None => codes.set(Some(seen.sketched.fingerprint)),
        }
        codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_within_a_radius_are_those_of_a_double_loop_unless_they_are_too_many() {
        let code = |at: u64| Codes {
            narrow: Fingerprint::from_words([at * 0x11]),
            usual: Fingerprint::from_words([at, at * at]),
            wide: Fingerprint::from_words([at, 7, at << 9, at]),
        };
        let codes: Vec<_> = (0..40).map(|at| (at % 7 != 3).then(|| code(at))).collect();
        for (width, at) in Width::ALL.into_iter().zip(0..) {
            for k in 0..12 {
                let mut expected = Vec::new();
                for (a, first) in (0..).zip(&codes) {
                    for (b, other) in (0..).zip(&codes).skip(a as usize + 1) {
                        let (Some(first), Some(other)) = (first, other) else { continue };
                        let distances: [u16; 3] = first.distances(other);
                        if distances.get(at).is_some_and(|one| u32::from(*one) <= k) {
                            expected.push((a, b));
                        }
                    }
                }
                let mut found = within(&codes, width, k, expected.len()).unwrap();
                found.sort_unstable();
                assert_eq!(found, expected, "{width:?} {k}");
                let fewer = expected.len().checked_sub(1);
                assert!(fewer.is_none_or(|most| within(&codes, width, k, most).is_none()));
            }
        }
    }
}
