//! The rule by which a pair that several tables could see is reported by one of them.

use crate::tables::prefix::agree;
use nearprint_bits::Fingerprint;

/// Which pairs a table reports: they agree in its own prefix, and differ in the prefix of every earlier
/// table.
#[derive(Clone, Debug)]
pub(crate) struct Rule<const WORDS: usize> {
    /// Bits in which the two codes of a pair agree.
    pub(crate) own: Fingerprint<WORDS>,
    /// Sets of bits. In each set the two codes differ somewhere.
    pub(crate) earlier: Vec<Fingerprint<WORDS>>,
}

impl<const WORDS: usize> Default for Rule<WORDS> {
    fn default() -> Self {
        Self { own: Fingerprint::ZERO, earlier: Vec::new() }
    }
}

impl<const WORDS: usize> Rule<WORDS> {
    /// Whether this table reports the pair of `a` and `b`.
    #[inline]
    pub(crate) fn reports(&self, a: &Fingerprint<WORDS>, b: &Fingerprint<WORDS>) -> bool {
        let agree = |mask: &_| agree(a, b, mask);
        agree(&self.own) && !self.earlier.iter().any(agree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_all_tables_that_see_a_pair_the_first_reports_it() {
        let masks = [0xff_u64, 0xff00, 0xff_0000].map(Fingerprint::from);
        let rules = [0, 1, 2].map(|i| Rule { own: masks[i], earlier: masks[..i].to_vec() });
        let by = |differ: u64| {
            let (a, b) = (Fingerprint::from(7_u64), Fingerprint::from(7 ^ differ));
            rules.iter().map(|rule| u32::from(rule.reports(&a, &b))).collect::<Vec<_>>()
        };
        assert_eq!(by(1 << 40), [1, 0, 0]);
        assert_eq!(by(1), [0, 1, 0]);
        assert_eq!(by(0x101), [0, 0, 1]);
        assert_eq!(by(0x1_0101), [0, 0, 0]);
    }
}
