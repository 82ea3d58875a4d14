//! XXH3 of 64 bits, seed 0, of every run of four to eight bytes that begins in a row: windows that overlap
//! need no positions. [`crate::scanners::gram_scanner`] takes other runs.

use crate::hashing::xxh3_short::of_4_to_8;
use crate::kernel::Kernel;
use std::mem::MaybeUninit;

/// Runs that are hashed at a time. Few, so that a character beyond ASCII is in the way of few others.
pub(crate) const RUNS: usize = 16;
/// Bytes that must be there: those of the runs, and what a register takes in of the last.
pub(crate) const REACH: usize = RUNS + 16;

/// The hashes of the runs of `length` bytes, 4 to 8, that begin at each of the first [`RUNS`].
#[inline]
pub(crate) fn hashes(
    kernel: Kernel,
    bytes: &[u8; REACH],
    length: usize,
    out: &mut [MaybeUninit<u64>; RUNS],
) {
    if kernel.has_avx2() {
        avx2::hashes(bytes, length, out);
    } else {
        portable(bytes, length, out);
    }
}

fn portable(bytes: &[u8; REACH], length: usize, out: &mut [MaybeUninit<u64>; RUNS]) {
    for (hash, window) in out.iter_mut().zip(bytes.windows(8)) {
        let word = window.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
        hash.write(of_4_to_8(word, word << (64 - 8 * length), length as u64));
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod avx2 {
    pub(super) use super::portable as hashes;
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "AVX2 instructions, chosen where the machine has them")]
mod avx2 {
    use super::{REACH, RUNS};
    use crate::hashing::xxh3_short::{FLIP_4_TO_8, PRIME_MX_2};
    use std::arch::x86_64::{
        __m256i, _mm_loadu_si128, _mm256_add_epi64, _mm256_broadcastsi128_si256,
        _mm256_loadu_si256, _mm256_mul_epu32, _mm256_set1_epi64x, _mm256_shuffle_epi8,
        _mm256_slli_epi64, _mm256_srli_epi64, _mm256_storeu_si256, _mm256_xor_si256,
    };
    use std::mem::MaybeUninit;

    pub(super) fn hashes(bytes: &[u8; REACH], length: usize, out: &mut [MaybeUninit<u64>; RUNS]) {
        // SAFETY: only `Kernel::detect` makes a kernel that has AVX2, where it found it.
        unsafe { compiled(bytes, length, out) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(bytes: &[u8; 32]) -> __m256i {
        // SAFETY: 32 bytes are read from an array of 32, whatever its alignment.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    /// The low halves of the products with an odd constant.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn multiply(h: __m256i, by: u64) -> __m256i {
        let (low, high) = (by & 0xffff_ffff, by >> 32);
        let (low, high) = (spread(low), spread(high));
        let cross = _mm256_add_epi64(
            _mm256_mul_epu32(_mm256_srli_epi64(h, 32), low),
            _mm256_mul_epu32(h, high),
        );
        _mm256_add_epi64(_mm256_mul_epu32(h, low), _mm256_slli_epi64(cross, 32))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn spread(word: u64) -> __m256i {
        _mm256_set1_epi64x(word.cast_signed())
    }

    /// As [`crate::hashing::xxh3_short::of_4_to_8`], four at a time.
    #[target_feature(enable = "avx2")]
    fn compiled(bytes: &[u8; REACH], length: usize, out: &mut [MaybeUninit<u64>; RUNS]) {
        // Of each lane the last four bytes of its run, then the first four.
        let places = std::array::from_fn(|i| {
            let (lane, byte) = (i / 8, i % 8);
            let place = if byte < 4 { lane + length - 4 + byte } else { lane + byte - 4 };
            u8::try_from(place).unwrap_or(0)
        });
        let places = load(&places);
        // A rotation to the left by three bytes; indices count in each half of the register.
        let turned = load(&std::array::from_fn(|i| {
            u8::try_from(i % 16 / 8 * 8 + (i % 8 + 5) % 8).unwrap_or(0)
        }));
        let (flip, length) = (spread(FLIP_4_TO_8), spread(length as u64));
        for (i, four) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let Some(window) = bytes.get(4 * i..).and_then(<[u8]>::first_chunk::<16>) else {
                return;
            };
            // SAFETY: 16 bytes are read from an array of 16, whatever its alignment.
            let window = unsafe { _mm_loadu_si128(window.as_ptr().cast()) };
            let mut h = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(window), places);
            h = _mm256_xor_si256(h, flip);
            let by_49 = _mm256_xor_si256(_mm256_slli_epi64(h, 49), _mm256_srli_epi64(h, 15));
            let by_24 = _mm256_shuffle_epi8(h, turned);
            h = _mm256_xor_si256(h, _mm256_xor_si256(by_49, by_24));
            h = multiply(h, PRIME_MX_2);
            h = _mm256_xor_si256(h, _mm256_add_epi64(_mm256_srli_epi64(h, 35), length));
            h = multiply(h, PRIME_MX_2);
            h = _mm256_xor_si256(h, _mm256_srli_epi64(h, 28));
            // SAFETY: 32 bytes are written to an array of 32, whatever its alignment.
            unsafe { _mm256_storeu_si256(four.as_mut_ptr().cast(), h) };
        }
    }
}

#[cfg(test)]
#[expect(unsafe_code, reason = "hashes are written behind the end of a vector, and then counted")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    proptest! {
        #[test]
        fn every_run_is_hashed_as_the_library_does(
            bytes in prop::collection::vec(any::<u8>(), REACH),
        ) {
            let bytes: [u8; REACH] = bytes.try_into().unwrap();
            for length in 4..=8 {
                let expected: Vec<_> = bytes.windows(length).take(RUNS).map(xxh3_64).collect();
                for kernel in Kernel::all() {
                    let mut found = Vec::with_capacity(RUNS);
                    let out = found.spare_capacity_mut().first_chunk_mut().unwrap();
                    hashes(kernel, &bytes, length, out);
                    // SAFETY: as many were written.
                    unsafe { found.set_len(RUNS) };
                    prop_assert_eq!(&found, &expected);
                }
            }
        }
    }
}
