//! Runs of a document that may be of the items: those that a bitmap lets through.

use crate::contamination::index::pairs::Pairs;
use crate::contamination::index::runs::Runs;
use crate::contamination::rule::RUN;
use crate::passages::rolling::enter;
use nearprint_fingerprint::mix64;

/// Tokens at which runs begin that are looked at together, so that none waits for the one before it: a bit each.
const BLOCK: usize = 256;
/// Words of 64 bits of a block.
const MASKS: usize = BLOCK / 64;

/// A run of a document that may be of the items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    /// Its first token.
    pub(crate) at: u32,
    /// The number of its length.
    pub(crate) length: u8,
    pub(crate) hash: u64,
}

/// Replaces `into` by the runs of tokens with these hashes that may be of the items, by their first tokens, then by
/// lengths: those of which all pairs of tokens are in the items, and that have their bit.
///
/// # Complexity
/// Linear in the tokens.
pub(super) fn find(lengths: &[Runs], pairs: &Pairs, tokens: &[u64], into: &mut Vec<Candidate>) {
    into.clear();
    let mut follows = [0; MASKS + 1];
    let mut passed = [Candidate::default(); BLOCK];
    for start in (0..tokens.len()).step_by(BLOCK) {
        let (before, rest) = (into.len(), &tokens[start..]);
        pairs.follow(&rest[..rest.len().min(BLOCK + RUN - 1)], &mut follows);
        let mut whole = [u64::MAX; MASKS];
        for run in 1..=RUN.min(rest.len()) {
            if run > 1 {
                for (at, whole) in whole.iter_mut().enumerate() {
                    *whole &= shifted(&follows, at, run - 2);
                }
            }
            let starts = (rest.len() + 1 - run).min(BLOCK);
            for (length, runs) in (0..).zip(lengths).filter(|(_, runs)| runs.tokens() == run) {
                let mut found = 0;
                for (word, bits) in whole.iter().enumerate() {
                    let mut bits = *bits;
                    while bits != 0 {
                        let at = 64 * word + bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        if at >= starts {
                            break;
                        }
                        let run = &rest[at..at + run];
                        let hash = mix64(run.iter().fold(0, |sum, hash| enter(sum, *hash)));
                        let at = crate::numbers::narrow((start + at) as u64);
                        // Without a branch, so that many places of the bitmap are on their way at once.
                        passed[found] = Candidate { at, length, hash };
                        found += usize::from(runs.may_have(hash));
                    }
                }
                into.extend_from_slice(&passed[..found]);
            }
        }
        into[before..].sort_unstable();
    }
}

/// A word of bits, so many of which behind.
const fn shifted(bits: &[u64], word: usize, by: usize) -> u64 {
    match by {
        0 => bits[word],
        _ => bits[word] >> by | bits[word + 1] << (64 - by),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passages::rolling::Rolling;
    use proptest::prelude::*;

    /// The same, each length by itself, of all runs of a document.
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

    /// The candidates that have all their pairs in some texts.
    fn paired(
        found: Vec<Candidate>,
        lengths: &[Runs],
        texts: &[Vec<u64>],
        tokens: &[u64],
    ) -> Vec<Candidate> {
        let is_in = |pair: &[u64]| texts.iter().any(|text| text.windows(2).any(|it| it == pair));
        let run = |it: &Candidate| {
            &tokens[it.at as usize..it.at as usize + lengths[usize::from(it.length)].tokens()]
        };
        found.into_iter().filter(|it| run(it).windows(2).all(is_in)).collect()
    }

    proptest! {
        #[test]
        fn runs_are_those_of_each_length_by_itself(
            tokens in prop::collection::vec(0_u64..9, 0..3 * BLOCK),
            listed in prop::collection::vec(prop::collection::vec(0_u64..9, 1..=RUN), 0..20),
        ) {
            let mixed = |text: &Vec<u64>| text.iter().map(|token| mix64(*token)).collect();
            let tokens: Vec<u64> = mixed(&tokens);
            let listed: Vec<Vec<u64>> = listed.iter().map(mixed).collect();
            let mut lengths = Vec::new();
            let mut pairs = Pairs::new(listed.len() * RUN);
            for pair in listed.iter().flat_map(|text| text.windows(2)) {
                pairs.add(pair[0], pair[1]);
            }
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
            let all = plain(&lengths, &tokens);
            let mut found = vec![Candidate::default()];
            find(&lengths, &Pairs::default(), &tokens, &mut found);
            prop_assert_eq!(&found, &all, "where pairs are not told apart");
            find(&lengths, &pairs, &tokens, &mut found);
            let least = paired(all.clone(), &lengths, &listed, &tokens);
            prop_assert!(least.iter().all(|it| found.contains(it)), "{found:?} lacks some of {least:?}");
            prop_assert!(found.iter().all(|it| all.contains(it)), "{found:?} has more than {all:?}");
            prop_assert!(found.is_sorted());
        }
    }
}
