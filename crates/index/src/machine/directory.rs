//! From a code to its rank: a directory on the leading bits of sorted codes.
//!
//! Exact look-up only; the tables find what is near a code.

use crate::error::Error;
use crate::machine::ordinals::Ordinals;
use crate::top::top;
use nearprint_bits::Fingerprint;

/// Where the codes with each value of the leading bits start: about a byte a code.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    starts: Ordinals,
    bits: u32,
}

impl Directory {
    /// The directory of `codes`, which ascend.
    pub(crate) fn new<const WORDS: usize>(codes: &[Fingerprint<WORDS>]) -> Self {
        let bits = codes.len().max(1).ilog2().saturating_sub(2);
        let mut at = 0;
        let starts = (0..=1_usize << bits).map(|lead| {
            at += codes[at..].iter().take_while(|code| self::lead(code, bits) < lead).count();
            at
        });
        Self { starts: Ordinals::new(codes.len(), starts), bits }
    }

    /// The position of `code` among `codes`, from which the directory was made. If `code` is not among
    /// them, the position at which it would stand.
    #[inline]
    pub(crate) fn rank<const WORDS: usize>(
        &self,
        codes: &[Fingerprint<WORDS>],
        code: &Fingerprint<WORDS>,
    ) -> usize {
        let lead = lead(code, self.bits);
        let start = self.starts.get(lead);
        start + codes[start..self.starts.get(lead + 1)].partition_point(|other| other < code)
    }
}

/// Refuses codes that do not ascend or that repeat.
pub(crate) fn check_ascending<const WORDS: usize>(
    codes: &[Fingerprint<WORDS>],
) -> Result<(), Error> {
    match codes.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(before) => Err(Error::NotAscending { position: before + 1 }),
        None => Ok(()),
    }
}

/// The leading `bits` bits of `code`.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "no more bits than codes in memory need")]
fn lead<const WORDS: usize>(code: &Fingerprint<WORDS>, bits: u32) -> usize {
    top(code.words()).checked_shr(64 - bits).unwrap_or(0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rank_is_the_position_in_order(values in prop::collection::btree_set(any::<u128>(), 0..300), low: bool) {
            let shift = if low { 90 } else { 0 };
            let mut codes: Vec<_> = values.iter().map(|v| Fingerprint::from(v >> shift)).collect();
            codes.dedup();
            let directory = Directory::new(&codes);
            for (rank, code) in codes.iter().enumerate() {
                prop_assert_eq!(directory.rank(&codes, code), rank);
            }
        }
    }
}
