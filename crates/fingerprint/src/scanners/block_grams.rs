//! XXH3 of 64 bits, seed 0, of the runs of characters that begin in blocks of text, eight at a time with
//! AVX-512: bytes are picked from two registers, so that nothing is read at a place that is computed.
//! [`crate::scanners::gram_scanner`] and [`crate::scanners::ascii_grams`] take other runs.

use crate::kernel::Kernel;
#[cfg(any(test, target_arch = "x86_64"))]
use crate::scanners::byte_masks::BLOCK;
use std::mem::MaybeUninit;

/// Bytes that must be there before the first block.
#[cfg(any(test, target_arch = "x86_64"))]
const BEFORE: usize = 8;

/// Writes the hashes of the runs of `length` characters that begin from `at` to `end`, block by block,
/// and returns where it came to, and how many there are.
///
/// It stops where the kernel or the length is not one for this, or the buffer ends, or a run of a block
/// is too long: four to eight characters, sixteen bytes at most. The last block may reach beyond `end`.
#[inline(always)]
pub(crate) fn hashes(
    kernel: Kernel,
    buffer: &[u8],
    at: usize,
    end: usize,
    length: usize,
    out: &mut [MaybeUninit<u64>],
) -> (usize, usize) {
    if kernel.has_avx512() && (4..=8).contains(&length) {
        avx512::hashes(buffer, at, end, length, out)
    } else {
        (at, 0)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod avx512 {
    use std::mem::MaybeUninit;

    pub(super) fn hashes(
        _: &[u8],
        at: usize,
        _: usize,
        _: usize,
        _: &mut [MaybeUninit<u64>],
    ) -> (usize, usize) {
        (at, 0)
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "AVX-512 instructions, chosen where the machine has them")]
mod avx512 {
    use super::{BEFORE, BLOCK};
    use crate::hashing::xxh3_lanes::{LANES, each, load, of_4_to_8, of_4_to_16, spread, store};
    use crate::hashing::xxh3_short::LONGEST;
    use std::arch::x86_64::{
        __m128i, __m512i, _mm_loadu_si128, _mm512_add_epi8, _mm512_broadcast_i32x4,
        _mm512_cmpge_epu8_mask, _mm512_cmpgt_epi8_mask, _mm512_mask_add_epi8,
        _mm512_mask_cmpgt_epu8_mask, _mm512_maskz_compress_epi8, _mm512_maskz_permutexvar_epi8,
        _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_shuffle_epi8,
        _mm512_sub_epi8,
    };
    use std::mem::MaybeUninit;

    /// Bytes that are looked at together: those before the block, it, and the next one.
    const WINDOW: usize = BEFORE + 2 * BLOCK;
    /// The lowest byte of each hash of a register.
    const LOWEST: u64 = 0x0101_0101_0101_0101;

    #[inline(always)]
    pub(super) fn hashes(
        buffer: &[u8],
        at: usize,
        end: usize,
        length: usize,
        out: &mut [MaybeUninit<u64>],
    ) -> (usize, usize) {
        // SAFETY: only `Kernel::detect` makes a kernel that has AVX-512, where it found it.
        unsafe { compiled(buffer, at, end, length, out) }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "small numbers"
    )]
    fn spread_byte(byte: usize) -> __m512i {
        _mm512_set1_epi8(byte as u8 as i8)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    #[target_feature(enable = "popcnt")]
    fn compiled(
        buffer: &[u8],
        mut at: usize,
        end: usize,
        length: usize,
        mut out: &mut [MaybeUninit<u64>],
    ) -> (usize, usize) {
        let room = out.len();
        while at < end {
            let window = at.checked_sub(BEFORE).and_then(|from| buffer.get(from..)?.first_chunk());
            let (Some(window), Some(hashes)) = (window, out.first_chunk_mut()) else { break };
            let Some(number) = block(window, length, hashes) else { break };
            at += BLOCK;
            out = out.get_mut(number..).unwrap_or_default();
        }
        (at, room - out.len())
    }

    /// Writes the hashes of the runs that begin in the block of a window, and returns how many there
    /// are, if none of them is too long.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    #[target_feature(enable = "popcnt")]
    #[inline]
    fn block(
        window: &[u8; WINDOW],
        length: usize,
        out: &mut [MaybeUninit<u64>; BLOCK],
    ) -> Option<usize> {
        let part = |from: usize| window[from..].first_chunk().map(|bytes| load(bytes));
        let (own, next) = (part(BEFORE)?, part(BEFORE + BLOCK)?);
        let out = out.as_chunks_mut().0;
        // Bytes that go on are the signed ones from -128 to -65.
        let goes_on = _mm512_set1_epi8(-65);
        let begins = _mm512_cmpgt_epi8_mask(own, goes_on);
        let begins_next = _mm512_cmpgt_epi8_mask(next, goes_on);
        if begins == u64::MAX && begins_next & 0xff == 0xff {
            of_ascii(window, length, out);
            return Some(BLOCK);
        }
        let number = begins.count_ones() as usize;
        // Where the characters begin, and where those that come `length` later.
        let places = each(|i| i);
        let starts = _mm512_maskz_compress_epi8(begins, places);
        let after = _mm512_maskz_compress_epi8(begins_next, each(|i| BLOCK + i));
        let later = _mm512_add_epi8(places, spread_byte(length));
        let beyond = _mm512_cmpge_epu8_mask(later, spread_byte(number));
        let later = _mm512_mask_add_epi8(later, beyond, later, spread_byte(BLOCK - number));
        let ends = _mm512_permutex2var_epi8(starts, later, after);
        let lengths = _mm512_sub_epi8(ends, starts);
        let there = u64::MAX.checked_shr(u64::BITS - begins.count_ones()).unwrap_or(0);
        if _mm512_mask_cmpgt_epu8_mask(there, lengths, spread_byte(LONGEST as usize)) != 0 {
            return None;
        }
        let runs = Runs { bytes: [part(0)?, part(BLOCK)?], starts, ends, lengths };
        let out = out.iter_mut().take(number.div_ceil(LANES));
        if _mm512_mask_cmpgt_epu8_mask(there, lengths, spread_byte(8)) == 0 {
            runs.of_4_to_8(out);
        } else {
            runs.of_4_to_16(out);
        }
        Some(number)
    }

    /// The runs that begin in a block. A place is a byte, and counts from the block on.
    struct Runs {
        /// The first bytes of the window.
        bytes: [__m512i; 2],
        starts: __m512i,
        ends: __m512i,
        lengths: __m512i,
    }

    impl Runs {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2")]
        #[inline]
        fn of_4_to_8<'a>(&self, out: impl Iterator<Item = &'a mut [MaybeUninit<u64>; LANES]>) {
            let [low, high] = self.bytes;
            // The last four bytes, below the first four: both are numbered from four below a place.
            let bytes = each(|i| BEFORE - 4 + i % 8);
            let mut lanes = each(|i| if i % 8 < 4 { BLOCK + i / 8 } else { i / 8 });
            for out in out {
                let places = _mm512_permutex2var_epi8(self.starts, lanes, self.ends);
                let places = _mm512_add_epi8(places, bytes);
                let lengths = _mm512_maskz_permutexvar_epi8(LOWEST, lanes, self.lengths);
                store(of_4_to_8(_mm512_permutex2var_epi8(low, places, high), lengths), out);
                lanes = _mm512_add_epi8(lanes, spread_byte(LANES));
            }
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2")]
        #[inline]
        fn of_4_to_16<'a>(&self, out: impl Iterator<Item = &'a mut [MaybeUninit<u64>; LANES]>) {
            let [low, high] = self.bytes;
            // The first eight bytes and the last, which begin as far into the window as they end into
            // the block.
            let (first_bytes, last_bytes) = (each(|i| BEFORE + i % 8), each(|i| i % 8));
            let mut lanes = each(|i| i / 8);
            for out in out {
                let first =
                    _mm512_add_epi8(_mm512_permutexvar_epi8(lanes, self.starts), first_bytes);
                let last = _mm512_add_epi8(_mm512_permutexvar_epi8(lanes, self.ends), last_bytes);
                let first = _mm512_permutex2var_epi8(low, first, high);
                let last = _mm512_permutex2var_epi8(low, last, high);
                let lengths = _mm512_maskz_permutexvar_epi8(LOWEST, lanes, self.lengths);
                store(of_4_to_16(first, last, lengths), out);
                lanes = _mm512_add_epi8(lanes, spread_byte(LANES));
            }
        }
    }

    /// The hashes of a block where every byte of a run is a character.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq")]
    #[inline]
    fn of_ascii(window: &[u8; WINDOW], length: usize, out: &mut [[MaybeUninit<u64>; LANES]]) {
        // Of each hash the last four bytes of its run, then the first four.
        let places = each(|i| i / 8 + if i % 8 < 4 { length - 4 + i % 8 } else { i % 8 - 4 });
        let lengths = spread(length as u64);
        for (bytes, out) in window[BEFORE..].windows(16).step_by(LANES).zip(out) {
            // SAFETY: 16 bytes are read from 16, whatever their alignment.
            let bytes: __m128i = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
            let bytes = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(bytes), places);
            store(of_4_to_8(bytes, lengths), out);
        }
    }
}

#[cfg(test)]
#[expect(unsafe_code, reason = "hashes are written behind the end of a vector, and then counted")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    /// Begins in the middle of a block; behind the text every byte is a character.
    fn agrees(text: &str) -> Result<(), TestCaseError> {
        let end = BEFORE + text.len();
        let mut buffer = vec![7; BEFORE];
        buffer.extend_from_slice(text.as_bytes());
        buffer.resize(end + 2 * BLOCK, 0);
        let begins = |at: &usize| buffer[*at] & 0xc0 != 0x80;
        let places: Vec<_> = (BEFORE..buffer.len()).filter(begins).collect();
        for kernel in Kernel::all() {
            for length in 2..10 {
                let mut found = Vec::with_capacity(buffer.len());
                let out = found.spare_capacity_mut();
                let (to, number) = hashes(kernel, &buffer, BEFORE, end, length, out);
                // SAFETY: as many were written.
                unsafe { found.set_len(number) };
                let runs = places.windows(length + 1).map(|run| &buffer[run[0]..run[length]]);
                let mut own = runs.zip(&places).filter(|(_, at)| **at < to).map(|(run, _)| run);
                let expected: Vec<_> = own.by_ref().map(xxh3_64).collect();
                prop_assert_eq!(&found, &expected, "{} {:?}", length, kernel);
                let fits = kernel.has_avx512() && (4..=8).contains(&length);
                let mut blocks = (BEFORE..end).step_by(BLOCK);
                let stop = blocks.find(|&block| {
                    let own = places.windows(length + 1).skip_while(|run| run[0] < block);
                    let mut own = own.take_while(|run| run[0] < block + BLOCK);
                    !fits || own.any(|run| run[length] - run[0] > 16)
                });
                let all = BEFORE + text.len().next_multiple_of(BLOCK);
                prop_assert_eq!(to, stop.unwrap_or(all), "{} {:?}", length, kernel);
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn runs_are_hashed_as_the_library_does(
            text in "([a-z ]{1,70}|[éя]{1,30}|[上指]{1,20}|[👨𝐀]{1,4}|.){0,8}",
        ) {
            agrees(&text)?;
        }
    }

    #[test]
    fn runs_of_every_length_are_hashed_in_every_place() {
        for part in ["a", "é", "上", "👨", "aé上", "👨a", "aaaaaaa上"] {
            for length in 0..200 {
                agrees(&format!("{}{}", "x".repeat(length % 67), part.repeat(length))).unwrap();
            }
        }
    }

    #[test]
    fn nothing_is_read_or_written_beyond_what_is_there() {
        let kernel = Kernel::detect();
        for length in 0..3 * BLOCK {
            let buffer = vec![b'a'; length];
            for room in [0, BLOCK - 1, BLOCK, 2 * BLOCK] {
                for at in [0, BEFORE - 1, BEFORE, length, usize::MAX] {
                    let mut out = vec![MaybeUninit::uninit(); room];
                    let (to, number) = hashes(kernel, &buffer, at, length, 4, &mut out);
                    let fits = kernel.has_avx512() && at >= BEFORE && room >= BLOCK;
                    let moved = fits && at < length && at + 2 * BLOCK <= length;
                    assert_eq!((to - at, number), if moved { (BLOCK, BLOCK) } else { (0, 0) });
                }
            }
        }
    }
}
