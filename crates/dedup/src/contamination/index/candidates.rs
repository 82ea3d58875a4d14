//! Runs of a document that may be of the items: those that a bitmap lets through.

use crate::contamination::index::runs::Runs;
use crate::contamination::rule::RUN;
use crate::passages::rolling::enter;
use nearprint_fingerprint::mix64;

/// Tokens at which runs begin that are hashed together, so that no hash waits for the one before it.
const BLOCK: usize = 256;

/// A run of a document that may be of the items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    /// Its first token.
    pub(crate) at: u32,
    /// The number of its length.
    pub(crate) length: u8,
    pub(crate) hash: u64,
}

/// Replaces `into` by the runs of tokens with these hashes that may be of the items, by their first tokens, then by lengths.
///
/// # Complexity
/// Linear in the tokens. A run of `n` tokens is hashed from those of `n - 1`, which are hashed anyway.
pub(super) fn find(lengths: &[Runs], tokens: &[u64], into: &mut Vec<Candidate>) {
    into.clear();
    let mut passed = [Candidate::default(); BLOCK];
    for start in (0..tokens.len()).step_by(BLOCK) {
        let (before, first) = (into.len(), crate::numbers::narrow(start as u64));
        let mut sums = [0; BLOCK];
        for run in 1..=RUN {
            let last = tokens.get(start + run - 1..).unwrap_or_default();
            for (sum, token) in sums.iter_mut().zip(last) {
                *sum = enter(*sum, *token);
            }
            let sums = &sums[..last.len().min(BLOCK)];
            for (length, runs) in (0..).zip(lengths).filter(|(_, runs)| runs.tokens() == run) {
                // Without a branch, so that many places of the bitmap are on their way at once.
                let mut count = 0;
                for (at, sum) in (first..).zip(sums) {
                    let hash = mix64(*sum);
                    passed[count] = Candidate { at, length, hash };
                    count += usize::from(runs.may_have(hash));
                }
                into.extend_from_slice(&passed[..count]);
            }
        }
        into[before..].sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passages::rolling::Rolling;
    use proptest::prelude::*;

    /// The same, each length by itself.
    fn plain(lengths: &[Runs], tokens: &[u64]) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (length, runs) in (0..).zip(lengths) {
            let mut hashes = Vec::new();
            Rolling::new(runs.tokens()).hash(tokens, &mut hashes);
            let all = (0..).zip(hashes).map(|(at, hash)| Candidate { at, length, hash });
            found.extend(all.filter(|it| runs.may_have(it.hash)));
        }
        found.sort_unstable();
        found
    }

    proptest! {
        #[test]
        fn runs_are_those_of_each_length_by_itself(
            tokens in prop::collection::vec(0_u64..9, 0..3 * BLOCK),
            listed in prop::collection::vec(prop::collection::vec(0_u64..9, 1..=RUN), 0..20),
        ) {
            let mut lengths = Vec::new();
            for run in [4, 1, 3, 2] {
                let mut runs = Runs::new(run, listed.len());
                runs.bitmap = Runs::bitmap_of(listed.len());
                for of_item in listed.iter().filter(|it| it.len() == run) {
                    let mut hashes = Vec::new();
                    runs.rolling.hash(of_item, &mut hashes);
                    let bit = hashes[0] >> runs.to_bit;
                    runs.bitmap[crate::numbers::index(bit / 64)] |= 1 << (bit % 64);
                }
                lengths.push(runs);
            }
            let mut found = vec![Candidate::default()];
            find(&lengths, &tokens, &mut found);
            prop_assert_eq!(found, plain(&lengths, &tokens));
        }
    }
}
