//! Test codes that need no memory: each is a function of its number, and so of nothing else.
//!
//! Without a base, codes are uniform; every hundredth is a copy of an earlier-drawn one with 0 to
//! `flips` bits changed, in turn. With a base, code `i` is a copy of base code `i mod b` with random
//! bits changed: none in 2 % of the copies, 1 to 3 in 8 %, 4 to 16 in the rest; the first copy of
//! each is left as it is. Bits to change are drawn one by one and may fall on each other.
//!
//! Queries: the even ones are copies of a code with 0 to `flips` bits changed in turn; the odd ones
//! are uniform, or with a base 16 bits from a code of it.

use crate::args::{Args, Failure};
use crate::codes;
use nearprint_fingerprint::Fingerprint;

/// Every so many-th uniform code is a copy of another.
const PLANTED: u64 = 100;

/// A stream of random words, the same for the same seed (SplitMix64).
struct Random(u64);

impl Random {
    /// The stream of item `number` of kind `kind`.
    fn of(seed: u64, kind: u64, number: u64) -> Self {
        let mut mixed =
            Self(seed ^ kind.rotate_left(48) ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed.next();
        Self(mixed.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    fn code<const WORDS: usize>(&mut self) -> Fingerprint<WORDS> {
        Fingerprint::from_words(std::array::from_fn(|_| self.next()))
    }

    /// `code` with `flips` random bits changed.
    fn flip<const WORDS: usize>(
        &mut self,
        code: &Fingerprint<WORDS>,
        flips: u64,
    ) -> Fingerprint<WORDS> {
        let mut words = *code.words();
        for _ in 0..flips {
            let bit = self.below(64 * WORDS as u64);
            words[bit as usize / 64] ^= 1 << (bit % 64);
        }
        Fingerprint::from_words(words)
    }
}

/// A set of test codes.
struct Set<const WORDS: usize> {
    seed: u64,
    n: u64,
    flips: u64,
    base: Vec<Fingerprint<WORDS>>,
}

impl<const WORDS: usize> Set<WORDS> {
    fn code(&self, i: u64) -> Fingerprint<WORDS> {
        let mut random = Random::of(self.seed, 1, i);
        if !self.base.is_empty() {
            let copied = &self.base[(i % self.base.len() as u64) as usize];
            let edits = match random.below(50) {
                _ if i < self.base.len() as u64 => 0,
                0 => 0,
                1..5 => 1 + random.below(3),
                _ => 4 + random.below(13),
            };
            return random.flip(copied, edits);
        }
        if i % PLANTED == PLANTED - 1 {
            // Never a copy of a copy.
            let source = random.below(self.n / PLANTED) * PLANTED + random.below(PLANTED - 1);
            let source = self.code(source);
            return random.flip(&source, i / PLANTED % (self.flips + 1));
        }
        random.code()
    }

    fn query(&self, i: u64) -> Fingerprint<WORDS> {
        let mut random = Random::of(self.seed, 2, i);
        if i.is_multiple_of(2) {
            let near = self.code(random.below(self.n));
            random.flip(&near, i / 2 % (self.flips + 1))
        } else if self.base.is_empty() {
            random.code()
        } else {
            let near = self.base[random.below(self.base.len() as u64) as usize];
            random.flip(&near, 16)
        }
    }
}

pub fn run<const WORDS: usize>(args: &mut Args) -> Result<(), Failure> {
    let base = args.text("base").map(|path| codes::read(path.as_ref())).transpose()?;
    let set = Set::<WORDS> {
        seed: args.number("seed", 1)?,
        n: args.number("n", 0)?,
        flips: args.number("flips", 3)?,
        base: base.unwrap_or_default(),
    };
    if set.n < PLANTED {
        return Err("--n is less than 100".into());
    }
    let asked: u64 = args.number("asked", 1_000_000)?;
    codes::write(&args.file, (0..set.n).map(|i| set.code(i)))?;
    codes::write(&args.path("queries")?, (0..asked).map(|i| set.query(i)))
}
