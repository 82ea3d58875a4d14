//! All pairs within a radius, by the exact join of fingerprints.

use crate::error::Error;
use crate::found::closest::{Closest, Nearest};
use nearprint_bits::{CodeList, at_width};
use nearprint_dedup::State;
use nearprint_fingerprint::{AnyFingerprint, Fingerprinted, Matching, Recipe, Width};
use nearprint_index::{Pair, for_each_pair};

/// The fingerprints of documents, and which of them a radius joins.
#[derive(Clone, Debug)]
pub struct Codes {
    width: Width,
    /// Fingerprints of all documents.
    all: Vec<AnyFingerprint>,
    /// The documents that are near whatever is within the radius.
    joined: Vec<u32>,
    /// Groups of documents that have too little in them to be near others, and are equal.
    equal: Vec<Vec<u32>>,
}

impl Codes {
    /// Fingerprints of a width with what each document turned out to be.
    #[must_use]
    pub fn new(width: Width, documents: impl IntoIterator<Item = (AnyFingerprint, State)>) -> Self {
        let (mut all, mut joined, mut contents) = (Vec::new(), Vec::new(), Vec::new());
        for ((fingerprint, state), document) in documents.into_iter().zip(0_u32..) {
            all.push(fingerprint);
            match state {
                State::Full => joined.push(document),
                State::Exact(content) => contents.push((content, document)),
                State::Apart | State::Empty | State::Skipped => {}
            }
        }
        contents.sort_unstable();
        let equal = contents.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
        let equal = equal.map(|group| group.iter().map(|(_, document)| *document).collect());
        let equal = equal.collect();
        Self { width, all, joined, equal }
    }

    /// Fingerprints of texts, by the rule of their recipe.
    pub(crate) fn of(all: &[Fingerprinted], recipe: &Recipe) -> Self {
        let rule = recipe.degenerate;
        Self::new(
            recipe.width,
            all.iter().map(|one| {
                let state = match rule.matching(one.flags) {
                    Matching::Distance => State::Full,
                    Matching::Equality => one.short_hash.map_or(State::Apart, State::Exact),
                    Matching::Apart => State::Apart,
                };
                (one.fingerprint, state)
            }),
        )
    }

    /// Bits of each fingerprint.
    pub(crate) const fn width(&self) -> Width {
        self.width
    }

    /// Documents that no radius joins.
    pub(crate) fn too_short(&self) -> u64 {
        (self.all.len() - self.joined.len()) as u64
    }

    /// Whether no two documents can be near each other.
    pub(crate) fn none_is_near(&self) -> bool {
        self.joined.is_empty() && self.equal.is_empty()
    }

    /// Bits in which the fingerprints of two documents differ.
    pub(crate) fn distance(&self, a: u32, b: u32) -> u32 {
        let of = |one: u32| self.all.get(one as usize);
        let distance = of(a).zip(of(b)).and_then(|(a, b)| a.distance(b));
        distance.unwrap_or(self.width.bits())
    }

    /// All pairs within `k` bits, or within fewer where they are more than `most`.
    ///
    /// # Errors
    /// A radius over the width; too many pairs at distance 0.
    pub(crate) fn within(&self, k: u32, most: usize) -> Result<Nearest, Error> {
        let steps = u16::try_from(k).unwrap_or(u16::MAX).saturating_add(1);
        let closest = Closest::new(steps, most);
        let document = |at: u64| {
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            self.joined.get(at).copied().unwrap_or_default()
        };
        let emit = |pair: Pair| {
            let level = u16::try_from(pair.distance).unwrap_or(u16::MAX);
            closest.push(level, document(pair.a), document(pair.b));
        };
        at_width!(self.joined_codes().codes() => codes, for_each_pair(codes, k, emit))?;
        for group in &self.equal {
            for (at, a) in group.iter().enumerate() {
                group.iter().skip(at + 1).for_each(|b| closest.push(0, *a, *b));
            }
        }
        closest.finish()
    }

    /// The fingerprints that a radius joins.
    fn joined_codes(&self) -> CodeList {
        let of = |one: &u32| self.all.get(*one as usize).map_or(&[][..], AnyFingerprint::words);
        let words: Vec<u64> = self.joined.iter().flat_map(of).copied().collect();
        CodeList::from_words(self.width, &words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::found::closest::NearPair;
    use nearprint_fingerprint::Fingerprint;

    #[test]
    fn short_documents_are_near_their_equals_alone() {
        let code = |bits: u64| AnyFingerprint::from(Fingerprint::from_words([bits]));
        let documents = [
            (code(0), State::Full),
            (code(1), State::Exact(7)),
            (code(3), State::Full),
            (code(9), State::Exact(7)),
            (code(9), State::Exact(8)),
            (code(0), State::Apart),
        ];
        let codes = Codes::new(Width::W64, documents);
        assert_eq!((codes.too_short(), codes.none_is_near()), (4, false));
        let Nearest { pairs, end } = codes.within(2, 100).unwrap();
        let equal = NearPair { level: 0, a: 1, b: 3 };
        assert_eq!((pairs, end), (vec![equal, NearPair { level: 2, a: 0, b: 2 }], 3));
        let Nearest { pairs, end } = codes.within(2, 1).unwrap();
        assert_eq!((pairs, end), (vec![equal], 2));
        assert!(
            Codes::new(Width::W64, [(code(1), State::Empty), (code(1), State::Skipped)])
                .none_is_near()
        );
    }
}
