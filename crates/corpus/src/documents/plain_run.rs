//! How many bytes of a JSON string stand for themselves: up to the next quote, backslash or control character. What
//! these mean is handled by `row_pass`.

/// Instructions by which such bytes are found: each kind finds the same.
pub(crate) trait PlainRun: Copy {
    /// How many bytes there are before the first that is a quote, a backslash or below a space: all where there is none.
    fn plain_run(self, bytes: &[u8]) -> usize;
}

/// What every machine has: eight bytes at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl PlainRun for Portable {
    #[inline(always)]
    fn plain_run(self, bytes: &[u8]) -> usize {
        let (words, rest) = bytes.as_chunks::<8>();
        for (at, word) in words.iter().enumerate() {
            let special = specials(u64::from_le_bytes(*word));
            if special != 0 {
                return 8 * at + special.trailing_zeros() as usize / 8;
            }
        }
        let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..b' ');
        8 * words.len() + rest.iter().position(is_special).unwrap_or(rest.len())
    }
}

/// The highest bit of each byte that ends a run; of those behind the first it may be wrong.
#[inline(always)]
const fn specials(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    const fn zeros(word: u64) -> u64 {
        word.wrapping_sub(ONES) & !word
    }
    let quotes = zeros(word ^ (ONES * b'"' as u64));
    let backslashes = zeros(word ^ (ONES * b'\\' as u64));
    let controls = word.wrapping_sub(ONES * b' ' as u64) & !word;
    (quotes | backslashes | controls) & HIGH
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "instructions that the machine was found to have, over bytes that are there"
)]
mod avx {
    use super::{PlainRun, Portable};
    use std::arch::is_x86_feature_detected;
    use std::arch::x86_64::{
        _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set1_epi8, _mm512_cmpeq_epi8_mask, _mm512_cmplt_epu8_mask,
        _mm512_maskz_loadu_epi8, _mm512_set1_epi8,
    };

    /// AVX2: 32 bytes at a time. One that the machine lacks cannot be made.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(());

    impl Avx2 {
        /// It, where the machine has it.
        pub(crate) fn detect() -> Option<Self> {
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1"))
                .then_some(Self(()))
        }

        /// Does a job, compiled for it.
        pub(crate) fn run<T>(self, job: impl FnOnce(Self) -> T) -> T {
            #[target_feature(enable = "avx2,bmi1")]
            fn compiled<T>(of: Avx2, job: impl FnOnce(Avx2) -> T) -> T {
                job(of)
            }
            // SAFETY: `detect` found the features.
            unsafe { compiled(self, job) }
        }
    }

    impl PlainRun for Avx2 {
        #[inline(always)]
        fn plain_run(self, bytes: &[u8]) -> usize {
            let (blocks, rest) = bytes.as_chunks::<32>();
            for (at, block) in blocks.iter().enumerate() {
                // SAFETY: `detect` found the features.
                let special = unsafe { specials_of_32(block) };
                if special != 0 {
                    return 32 * at + special.trailing_zeros() as usize;
                }
            }
            32 * blocks.len() + Portable.plain_run(rest)
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1")]
    fn specials_of_32(block: &[u8; 32]) -> u32 {
        // SAFETY: 32 bytes are read from an array of 32, whatever its alignment.
        let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().cast()) };
        let equal = |byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()));
        let controls = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
        let marks = _mm256_or_si256(_mm256_or_si256(equal(b'"'), equal(b'\\')), controls);
        _mm256_movemask_epi8(marks).cast_unsigned()
    }

    /// AVX-512 with its masks over bytes: 64 at a time.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512(());

    impl Avx512 {
        /// It, where the machine has it.
        pub(crate) fn detect() -> Option<Self> {
            let has = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            has.then_some(Self(()))
        }

        /// Does a job, compiled for it.
        pub(crate) fn run<T>(self, job: impl FnOnce(Self) -> T) -> T {
            #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
            fn compiled<T>(of: Avx512, job: impl FnOnce(Avx512) -> T) -> T {
                job(of)
            }
            // SAFETY: `detect` found the features.
            unsafe { compiled(self, job) }
        }
    }

    impl PlainRun for Avx512 {
        #[inline(always)]
        fn plain_run(self, bytes: &[u8]) -> usize {
            let mut blocks = bytes.chunks(64).enumerate();
            let found = blocks.find_map(|(at, block)| {
                // SAFETY: `detect` found the features.
                let special = unsafe { specials_of_64(block) };
                (special != 0).then(|| 64 * at + special.trailing_zeros() as usize)
            });
            found.unwrap_or(bytes.len())
        }
    }

    /// Of a block of at most 64 bytes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
    fn specials_of_64(block: &[u8]) -> u64 {
        let there = u64::MAX >> (64 - block.len().clamp(1, 64));
        // SAFETY: bytes behind the block are not read, and chunks are not empty.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(there, block.as_ptr().cast()) };
        let set = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
        let marks = _mm512_cmpeq_epi8_mask(bytes, set(b'"'))
            | _mm512_cmpeq_epi8_mask(bytes, set(b'\\'))
            | _mm512_cmplt_epu8_mask(bytes, set(b' '));
        marks & there
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All kinds that the machine has find what a look at each byte finds.
    fn check(bytes: &[u8]) -> Result<(), TestCaseError> {
        let expected = bytes.iter().position(|byte| b"\"\\".contains(byte) || *byte < 0x20);
        let expected = expected.unwrap_or(bytes.len());
        prop_assert_eq!(Portable.plain_run(bytes), expected);
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(avx2) = Avx2::detect() {
                prop_assert_eq!(avx2.run(|avx2| avx2.plain_run(bytes)), expected);
            }
            if let Some(avx512) = Avx512::detect() {
                prop_assert_eq!(avx512.run(|avx512| avx512.plain_run(bytes)), expected);
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn every_kind_finds_the_end_of_a_run(
            bytes in prop::collection::vec(prop_oneof![60 => 0x20_u8..=0xff, 1 => any::<u8>()], 0..200),
            from in 0_usize..9,
        ) {
            check(bytes.get(from..).unwrap_or_default())?;
        }
    }

    #[test]
    fn every_byte_is_told_at_every_place() {
        for byte in 0..=u8::MAX {
            for at in 0..70 {
                let mut bytes = [b'a'; 70];
                bytes[at] = byte;
                check(&bytes).unwrap();
            }
        }
    }
}
