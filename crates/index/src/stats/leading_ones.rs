//! Where sorted fingerprints begin to differ from their neighbours: the left plot of the paper's
//! section 4.2. `bit_statistics` looks at the bits one by one.

use nearprint_bits::Fingerprint;

/// For each bit, how many sorted codes begin to differ there from the code before: the most
/// significant 1 of their XOR.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::LeadingOnes;
///
/// let codes = [0b0000_u64, 0b0001, 0b1000, 0b1010].map(Fingerprint::from);
/// let leading = LeadingOnes::of(&codes);
/// assert_eq!([0, 1, 2, 3].map(|bit| leading.count(bit)), [1, 1, 0, 1]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadingOnes {
    /// By bit, the least significant first.
    counts: Vec<u64>,
    codes: u64,
}

impl LeadingOnes {
    /// Compares each of `codes`, which ascend and are distinct, with the one before.
    ///
    /// # Complexity
    /// Linear.
    #[must_use]
    pub fn of<const WORDS: usize>(codes: &[Fingerprint<WORDS>]) -> Self {
        let mut counts = vec![0; 64 * WORDS];
        for pair in codes.windows(2) {
            let [a, b] = pair else { continue };
            let words = a.words().iter().zip(b.words()).map(|(a, b)| a ^ b).enumerate();
            let leading = words.rev().find(|(_, word)| *word != 0);
            let bit = leading.map(|(at, word)| 64 * at + word.ilog2() as usize);
            assert!(bit.is_some(), "codes are distinct");
            if let Some(bit) = bit {
                counts[bit] += 1;
            }
        }
        Self { counts, codes: codes.len() as u64 }
    }

    /// Codes that begin to differ at `bit`, 0 being the least significant.
    #[must_use]
    pub fn count(&self, bit: u32) -> u64 {
        self.counts.get(bit as usize).copied().unwrap_or_default()
    }

    /// As many as uniform codes would have: with `c` more significant bits, each of `2^c` prefixes
    /// has codes on both of its sides with probability `1 - 2 (1 - 2^-(c+1))^n + (1 - 2^-c)^n`.
    ///
    /// Most of `n` codes differ at about bit `B - log2 n`; each bit less is half as many.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "far from 2^53 codes")]
    pub fn expected(&self, bit: u32) -> f64 {
        let higher = self.counts.len() as f64 - 1.0 - f64::from(bit);
        let n = self.codes as f64;
        if self.codes < 2 {
            return 0.0;
        }
        let whole = (-higher).exp2();
        // The logarithm of (1 - 2^-(c+1))^n, and of (1 - 2^-c)^n over the square of that: no
        // difference of near equals, which a small probability would drown in.
        let side = n * (-whole / 2.0).ln_1p();
        let quarter = whole * whole / 4.0;
        let rest = n * (-quarter / (1.0 - whole + quarter)).ln_1p();
        let both = side.exp_m1().powi(2) + (2.0 * side).exp() * rest.exp_m1();
        higher.exp2() * both.max(0.0)
    }

    /// Codes, each but the first compared with the one before.
    #[must_use]
    pub fn codes(&self) -> u64 {
        self.codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_bits::mix64;

    #[test]
    fn uniform_codes_halve_from_bit_to_bit_as_expected() {
        let mut codes: Vec<Fingerprint<1>> =
            (0..1_u64 << 16).map(|i| Fingerprint::from(mix64(i))).collect();
        codes.sort_unstable();
        let leading = LeadingOnes::of(&codes);
        let total: u64 = (0..64).map(|bit| leading.count(bit)).sum();
        assert_eq!(total, (1 << 16) - 1);
        let expected: f64 = (0..64).map(|bit| leading.expected(bit)).sum();
        assert!((expected - 65_535.0).abs() < 1e-3, "{expected}");
        for bit in 0..64 {
            let (found, expected) = (leading.count(bit) as f64, leading.expected(bit));
            assert!((found - expected).abs() <= 6.0 * expected.sqrt().max(1.0), "bit {bit}");
        }
        let ratio = leading.expected(40) / leading.expected(39);
        assert!((ratio - 2.0).abs() < 0.01, "{ratio}");
    }

    #[test]
    fn clusters_stand_out_at_the_low_bits() {
        let mut codes: Vec<Fingerprint<2>> = (0..1000_u64)
            .flat_map(|i| [0, 1, 5].map(|near| Fingerprint::from_words([near, mix64(i)])))
            .collect();
        codes.sort_unstable();
        let leading = LeadingOnes::of(&codes);
        assert_eq!((leading.count(0), leading.count(2)), (1000, 1000));
        assert!(leading.expected(2) < 1e-20);
        assert_eq!((64..128).map(|bit| leading.count(bit)).sum::<u64>(), 999);
    }

    /// By its definition, over all choices of codes of few bits.
    #[test]
    fn the_expectation_is_that_of_all_choices() {
        let higher = 2_i32;
        for n in [2, 3, 5] {
            let p = |c: i32| (1.0 - 0.5_f64.powi(c)).powi(n);
            let direct = 2_f64.powi(higher) * (1.0 - 2.0 * p(higher + 1) + p(higher));
            let leading = LeadingOnes { counts: vec![0; 64], codes: n.unsigned_abs().into() };
            assert!((leading.expected(61) - direct).abs() < 1e-12);
        }
    }

    #[test]
    fn few_codes_have_few_differences() {
        assert_eq!(LeadingOnes::of::<1>(&[]).codes(), 0);
        let one = LeadingOnes::of(&[Fingerprint::from(7_u64)]);
        assert!((0..64).all(|bit| one.count(bit) == 0 && one.expected(bit) < 1e-9));
    }
}
