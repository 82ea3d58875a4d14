//! XXH3 of 64 bits, seed 0, for many short inputs that lie in one buffer, in lanes of registers and
//! without a branch on the length up to 16 bytes: four at a time, or eight with AVX-512. Equal to the
//! library, which takes the longer ones.

#![expect(unsafe_code, reason = "the bounds of all inputs are checked at once")]

use crate::hashing::xxh3_short::{LONGEST, WORD, of_1_to_16};
use crate::kernel::Kernel;
use xxhash_rust::xxh3::xxh3_64;

/// Writes the hash of `buffer[starts[i]..ends[i]]`, which is not empty, to `out[i]`, for as many as there
/// are of all three. Where one of them reaches out of the buffer or into a margin, nothing is written.
///
/// # Complexity
/// Some 40 instructions an input up to 16 bytes with AVX2, fewer with AVX-512: the hashes of all three
/// classes of length, one of which is taken. Words of text come in lengths that no branch foresees.
#[inline(always)]
pub(crate) fn hash_words(
    kernel: Kernel,
    buffer: &[u8],
    starts: &[u32],
    ends: &[u32],
    out: &mut [u64],
) {
    let number = starts.len().min(ends.len()).min(out.len());
    let (starts, ends, out) = (&starts[..number], &ends[..number], &mut out[..number]);
    let least = ends.iter().fold(u32::MAX, |least, &at| least.min(at));
    let most = starts.iter().chain(ends).fold(0, |most, &at| most.max(at));
    if number == 0 || least < WORD || most as usize + WORD as usize > buffer.len() {
        return;
    }
    // SAFETY: no end is below `least`, no place above `most`.
    unsafe {
        if kernel.has_avx512() {
            in_lanes(&Eight(buffer), starts, ends, out);
        } else {
            in_lanes(&Four(buffer), starts, ends, out);
        }
    }
}

/// Hashes `N` inputs in lanes.
trait Lanes<const N: usize> {
    /// Their hashes. To be marked `#[inline(always)]`, as a job is.
    ///
    /// # Safety
    /// The machine must have what the lanes are made of; the eight bytes from each start on and those
    /// before each end must be in the buffer.
    unsafe fn hash(&self, starts: &[u32; N], ends: &[u32; N]) -> [u64; N];
}

/// Hashes as many inputs as there are, one at least.
///
/// # Safety
/// As [`Lanes::hash`].
#[inline(always)]
unsafe fn in_lanes<const N: usize>(
    lanes: &impl Lanes<N>,
    starts: &[u32],
    ends: &[u32],
    out: &mut [u64],
) {
    let (whole_starts, last_starts) = starts.as_chunks();
    let (whole_ends, last_ends) = ends.as_chunks();
    let (whole, last) = out.as_chunks_mut();
    for ((out, starts), ends) in whole.iter_mut().zip(whole_starts).zip(whole_ends) {
        // SAFETY: as the caller promises.
        *out = unsafe { lanes.hash(starts, ends) };
    }
    // The lanes that are left over hash the first input again.
    let (mut some_starts, mut some_ends) = ([starts[0]; N], [ends[0]; N]);
    some_starts[..last_starts.len()].copy_from_slice(last_starts);
    some_ends[..last_ends.len()].copy_from_slice(last_ends);
    // SAFETY: as the caller promises.
    let hashes = unsafe { lanes.hash(&some_starts, &some_ends) };
    last.copy_from_slice(&hashes[..last.len()]);
}

/// Four inputs of a buffer: the compiler makes of them what it can.
struct Four<'a>(&'a [u8]);

impl Lanes<4> for Four<'_> {
    #[inline(always)]
    unsafe fn hash(&self, starts: &[u32; 4], ends: &[u32; 4]) -> [u64; 4] {
        let Self(buffer) = self;
        // SAFETY: as the caller promises.
        let (first, last) = unsafe {
            (starts.map(|at| word::<0>(buffer, at)), ends.map(|at| word::<WORD>(buffer, at)))
        };
        let mut hashes = [0; 4];
        for i in 0..4 {
            let length = u64::from(ends[i].wrapping_sub(starts[i]));
            hashes[i] = of_1_to_16(first[i], last[i], length);
        }
        let lengths = starts.iter().zip(ends).map(|(start, end)| end.wrapping_sub(*start));
        if lengths.fold(0, u32::max) > LONGEST {
            return with_long(buffer, starts, ends, hashes);
        }
        hashes
    }
}

/// Eight inputs of a buffer: one in each lane of a register of AVX-512.
struct Eight<'a>(&'a [u8]);

impl Lanes<8> for Eight<'_> {
    #[inline(always)]
    unsafe fn hash(&self, starts: &[u32; 8], ends: &[u32; 8]) -> [u64; 8] {
        // SAFETY: as the caller promises.
        unsafe { avx512::eight(self.0, starts, ends) }
    }
}

/// The hashes where some inputs are longer than those that `hashes` are right for.
#[cold]
fn with_long<const N: usize>(
    buffer: &[u8],
    starts: &[u32; N],
    ends: &[u32; N],
    mut hashes: [u64; N],
) -> [u64; N] {
    for (hash, (&start, &end)) in hashes.iter_mut().zip(starts.iter().zip(ends)) {
        if end.wrapping_sub(start) > LONGEST {
            *hash = xxh3_64(buffer.get(start as usize..end as usize).unwrap_or_default());
        }
    }
    hashes
}

/// The eight bytes of `buffer` that begin `BACK` bytes before a place.
///
/// # Safety
/// They must be there.
#[inline(always)]
unsafe fn word<const BACK: u32>(buffer: &[u8], at: u32) -> u64 {
    // SAFETY: as the caller promises.
    let word =
        unsafe { buffer.as_ptr().add(at as usize - BACK as usize).cast::<u64>().read_unaligned() };
    u64::from_le(word)
}

#[cfg(not(target_arch = "x86_64"))]
mod avx512 {
    use super::{Four, Lanes};

    /// # Safety
    /// As [`Lanes::hash`].
    pub(super) unsafe fn eight(buffer: &[u8], starts: &[u32; 8], ends: &[u32; 8]) -> [u64; 8] {
        let mut hashes = [0; 8];
        let inputs = starts.as_chunks().0.iter().zip(ends.as_chunks().0);
        for (out, (starts, ends)) in hashes.as_chunks_mut().0.iter_mut().zip(inputs) {
            // SAFETY: as the caller promises.
            *out = unsafe { Four(buffer).hash(starts, ends) };
        }
        hashes
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::with_long;
    use crate::hashing::xxh3_lanes::{LANES, of_1_to_16, spread};
    use crate::hashing::xxh3_short::{LONGEST, WORD};
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_loadu_si256, _mm256_sub_epi32, _mm512_cmpgt_epi64_mask,
        _mm512_cvtepu32_epi64, _mm512_i64gather_epi64, _mm512_storeu_si512,
    };

    /// The hashes of eight inputs.
    ///
    /// # Safety
    /// The eight bytes from each start on and those before each end must be in the buffer.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2")]
    #[inline]
    pub(super) unsafe fn eight(
        buffer: &[u8],
        starts: &[u32; LANES],
        ends: &[u32; LANES],
    ) -> [u64; LANES] {
        // SAFETY: 32 bytes are read from arrays of 32, whatever their alignment; then words that
        // are there, as the caller promises.
        let (first, last, lengths) = unsafe {
            let starts: __m256i = _mm256_loadu_si256(starts.as_ptr().cast());
            let ends: __m256i = _mm256_loadu_si256(ends.as_ptr().cast());
            let bytes = buffer.as_ptr().cast();
            let before = buffer.as_ptr().wrapping_sub(WORD as usize).cast();
            (
                _mm512_i64gather_epi64::<1>(_mm512_cvtepu32_epi64(starts), bytes),
                _mm512_i64gather_epi64::<1>(_mm512_cvtepu32_epi64(ends), before),
                _mm512_cvtepu32_epi64(_mm256_sub_epi32(ends, starts)),
            )
        };
        let mut hashes = [0; LANES];
        // SAFETY: 64 bytes are written to an array of 64, whatever its alignment.
        unsafe {
            let all: __m512i = of_1_to_16(first, last, lengths);
            _mm512_storeu_si512(hashes.as_mut_ptr().cast(), all);
        }
        if _mm512_cmpgt_epi64_mask(lengths, spread(LONGEST.into())) != 0 {
            return with_long(buffer, starts, ends, hashes);
        }
        hashes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Compiled;
    use proptest::prelude::*;

    /// Compiled for each kernel.
    struct All<'a>(Kernel, &'a [u8], &'a [u32], &'a [u32]);

    impl Compiled for All<'_> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run(self) -> Self::Output {
            let mut hashes = vec![0; self.2.len()];
            hash_words(self.0, self.1, self.2, self.3, &mut hashes);
            hashes
        }
    }

    fn agrees(buffer: &[u8], inputs: &[(u32, u32)]) -> Result<(), TestCaseError> {
        let (starts, ends): (Vec<_>, Vec<_>) =
            inputs.iter().map(|&(start, length)| (start, start + length)).unzip();
        let ranges = starts.iter().zip(&ends);
        let expected: Vec<_> =
            ranges.map(|(&start, &end)| xxh3_64(&buffer[start as usize..end as usize])).collect();
        for kernel in Kernel::all() {
            prop_assert_eq!(&kernel.run(All(kernel, buffer, &starts, &ends)), &expected);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn inputs_of_every_length_are_hashed_as_the_library_does(
            buffer in prop::collection::vec(any::<u8>(), 200),
            inputs in prop::collection::vec((16_u32..80, 1_u32..25), 0..20),
        ) {
            agrees(&buffer, &inputs)?;
            for length in 1..100 {
                agrees(&buffer, &[(16, length)])?;
            }
        }
    }

    #[test]
    fn nothing_is_read_outside_of_the_buffer() {
        let buffer = [7; 40];
        for (start, end) in [(0, 7), (16, 33), (33, 34), (50, 20), (16, u32::MAX), (u32::MAX, 20)] {
            for inputs in
                [vec![(start, end)], vec![(16, 20), (16, 20), (start, end), (16, 20), (16, 20)]]
            {
                let (starts, ends): (Vec<_>, Vec<_>) = inputs.into_iter().unzip();
                for kernel in Kernel::all() {
                    let found = kernel.run(All(kernel, &buffer, &starts, &ends));
                    assert!(found.iter().all(|&hash| hash == 0), "{start} {end}");
                }
            }
        }
    }
}
