//! The codes to test on: sorted, distinct, and made to break what is careless.

use nearprint_bits::Fingerprint;

/// A stream of even words (SplitMix64), the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    pub(crate) fn code<const W: usize>(&mut self) -> Fingerprint<W> {
        Fingerprint::from_words(std::array::from_fn(|_| self.word()))
    }

    /// `code` with exactly `flips` bits turned over, all of them among `bits`.
    pub(crate) fn flip<const W: usize>(
        &mut self,
        code: Fingerprint<W>,
        bits: std::ops::Range<usize>,
        flips: usize,
    ) -> Fingerprint<W> {
        let mut words = *code.words();
        let mut bits: Vec<_> = bits.collect();
        for _ in 0..flips {
            let bit = bits.swap_remove(self.below(bits.len()));
            words[bit / 64] ^= 1 << (bit % 64);
        }
        Fingerprint::from_words(words)
    }
}

/// `codes` as joins and searches take them.
pub(crate) fn sorted<const W: usize>(mut codes: Vec<Fingerprint<W>>) -> Vec<Fingerprint<W>> {
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Even codes; a quarter of them have a twin at exactly `k` bits, a quarter at exactly `k + 1`.
pub(crate) fn planted<const W: usize>(n: usize, k: u32) -> Vec<Fingerprint<W>> {
    let mut random = Random(n as u64 + u64::from(k));
    let mut codes = Vec::new();
    for i in 0..n / 2 {
        let code = random.code();
        let flips = (k as usize + i % 2).min(64 * W);
        codes.extend([code, random.flip(code, 0..64 * W, flips)]);
    }
    sorted(codes)
}

/// A few centres, each with many codes a few flips away: nearly everything in a cluster is near.
pub(crate) fn clustered<const W: usize>(
    n: usize,
    centres: usize,
    flips: usize,
) -> Vec<Fingerprint<W>> {
    let mut random = Random(3);
    let centres: Vec<_> = (0..centres).map(|_| random.code()).collect();
    let codes = (0..n).map(|i| {
        let some = random.below(flips + 1);
        random.flip(centres[i % centres.len()], 0..64 * W, some)
    });
    sorted(codes.collect())
}

/// Codes that differ in `bits` only, so that most tables see one bucket.
pub(crate) fn crowded<const W: usize>(
    n: usize,
    bits: std::ops::Range<usize>,
) -> Vec<Fingerprint<W>> {
    let mut random = Random(4);
    let base: Fingerprint<W> = random.code();
    let codes = (0..n).map(|_| {
        let flips = random.below(bits.len() + 1);
        random.flip(base, bits.clone(), flips)
    });
    sorted(codes.collect())
}

/// No bit, every bit, and each of both with one bit turned over.
pub(crate) fn extremes<const W: usize>() -> Vec<Fingerprint<W>> {
    let ends = [[0; W], [u64::MAX; W]].map(Fingerprint::from_words);
    let mut random = Random(5);
    let near = (0..64 * W).flat_map(|bit| ends.map(|end| Random(0).flip(end, bit..bit + 1, 1)));
    let near: Vec<_> = near.chain((0..600).map(|_| random.code())).collect();
    sorted(near.into_iter().chain(ends).collect())
}
