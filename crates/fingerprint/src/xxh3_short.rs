//! XXH3 of 64 bits, seed 0, for many short inputs that lie in one buffer: four at a time and without
//! a branch on the length up to 16 bytes. Equal to the library, which takes the longer ones.

#![expect(unsafe_code, reason = "the bounds of all inputs are checked at once")]

use crate::hash::fold_multiply;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes that must be there before the first input and behind the last.
pub(crate) const MARGIN: usize = 16;
/// Inputs that are hashed at a time: one 256-bit register of hashes.
const LANES: usize = 4;
/// Longest input that is hashed here.
pub(crate) const LONGEST: u32 = 16;
/// Bytes that are read at a time.
const WORD: u32 = 8;

/// The first 64 bytes of the secret of XXH3 as words.
const SECRET: [u64; 8] = [
    0xbe4b_a423_396c_feb8,
    0x1cad_21f7_2c81_017c,
    0xdb97_9083_e96d_d4de,
    0x1f67_b3b7_a4a4_4072,
    0x78e5_c0cc_4ee6_79cb,
    0x2172_ffcc_7dd0_5a82,
    0x8e24_43f7_7446_08b8,
    0x4c26_3a81_e690_35e0,
];
const PRIME_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const PRIME_3: u64 = 0x1656_67b1_9e37_79f9;
pub(crate) const PRIME_MX_1: u64 = 0x1656_6791_9e37_79f9;
pub(crate) const PRIME_MX_2: u64 = 0x9fb2_1c65_1e98_df25;
/// What inputs of 4 to 8 bytes are mixed with.
pub(crate) const FLIP_4_TO_8: u64 = SECRET[1] ^ SECRET[2];
/// What the first and the last eight bytes of inputs of 9 to 16 are mixed with.
pub(crate) const FLIP_FIRST: u64 = SECRET[3] ^ SECRET[4];
pub(crate) const FLIP_LAST: u64 = SECRET[5] ^ SECRET[6];

/// Writes the hash of `buffer[starts[i]..ends[i]]`, which is not empty, to `out[i]`, for as many as there
/// are of all three. Where one of them reaches out of the buffer or into a margin, nothing is written.
///
/// # Complexity
/// Some 40 instructions an input up to 16 bytes with AVX2: the hashes of all three classes of length,
/// one of which is taken. Words of text come in lengths that no branch foresees.
#[inline(always)]
pub(crate) fn hash_words(buffer: &[u8], starts: &[u32], ends: &[u32], out: &mut [u64]) {
    let number = starts.len().min(ends.len()).min(out.len());
    let (starts, ends, out) = (&starts[..number], &ends[..number], &mut out[..number]);
    let least = ends.iter().fold(u32::MAX, |least, &at| least.min(at));
    let most = starts.iter().chain(ends).fold(0, |most, &at| most.max(at));
    if number == 0 || least < WORD || most as usize + WORD as usize > buffer.len() {
        return;
    }
    let (whole_starts, last_starts) = starts.as_chunks();
    let (whole_ends, last_ends) = ends.as_chunks();
    let (whole, last) = out.as_chunks_mut();
    for ((out, starts), ends) in whole.iter_mut().zip(whole_starts).zip(whole_ends) {
        // SAFETY: no end is below `least`, no place above `most`.
        *out = unsafe { four(buffer, starts, ends) };
    }
    // The lanes that are left over hash the first word again.
    let (mut four_starts, mut four_ends) = ([starts[0]; LANES], [ends[0]; LANES]);
    four_starts[..last_starts.len()].copy_from_slice(last_starts);
    four_ends[..last_ends.len()].copy_from_slice(last_ends);
    // SAFETY: as above.
    let hashes = unsafe { four(buffer, &four_starts, &four_ends) };
    last.copy_from_slice(&hashes[..last.len()]);
}

/// The hash of `buffer[start..end]`, with branches on the length: for inputs of which many in a row are
/// of one class, as runs of so many characters are. Of no meaning where the input is empty or reaches
/// out of the buffer or into a margin.
#[inline(always)]
pub(crate) fn hash_run(buffer: &[u8], start: usize, end: usize) -> u64 {
    let word = |at: usize| {
        let bytes = buffer.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
    };
    let (first, last) = (word(start), word(end.wrapping_sub(WORD as usize)));
    let length = end.wrapping_sub(start);
    match length {
        0..=3 => of_1_to_3(first, last, length as u64),
        4..=8 => of_4_to_8(first, last, length as u64),
        9..=16 => {
            let product = fold_multiply(first ^ FLIP_FIRST, last ^ FLIP_LAST);
            of_9_to_16(first, last, length as u64, product)
        }
        _ => xxh3_64(buffer.get(start..end).unwrap_or_default()),
    }
}

/// The hashes of four inputs.
///
/// # Safety
/// The eight bytes from each start on and those before each end must be in the buffer.
#[inline(always)]
unsafe fn four(buffer: &[u8], starts: &[u32; LANES], ends: &[u32; LANES]) -> [u64; LANES] {
    // SAFETY: as the caller promises.
    let (first, last) = unsafe {
        (starts.map(|at| word::<0>(buffer, at)), ends.map(|at| word::<WORD>(buffer, at)))
    };
    let mut hashes = [0; LANES];
    for i in 0..LANES {
        let length = u64::from(ends[i].wrapping_sub(starts[i]));
        hashes[i] = of_1_to_16(first[i], last[i], length);
    }
    let lengths = starts.iter().zip(ends).map(|(start, end)| end.wrapping_sub(*start));
    if lengths.fold(0, u32::max) > LONGEST {
        return with_long(buffer, starts, ends, hashes);
    }
    hashes
}

/// The hashes where some inputs are longer than those that `hashes` are right for.
#[cold]
fn with_long(
    buffer: &[u8],
    starts: &[u32; LANES],
    ends: &[u32; LANES],
    mut hashes: [u64; LANES],
) -> [u64; LANES] {
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

/// The hash of an input of 1 to 16 bytes: its first eight, some of which may lie behind it, and its
/// last eight, some of which may lie before it.
#[inline(always)]
const fn of_1_to_16(first: u64, last: u64, length: u64) -> u64 {
    let tiny = of_1_to_3(first, last, length);
    let small = of_4_to_8(first, last, length);
    let product = fold_halves(first ^ FLIP_FIRST, last ^ FLIP_LAST);
    let medium = of_9_to_16(first, last, length, product);
    select(length > 8, medium, select(length > 3, small, tiny))
}

/// `one` if it `holds`, else `other`, by masks: in each lane of a register.
#[inline(always)]
const fn select(holds: bool, one: u64, other: u64) -> u64 {
    let mask = (holds as u64).wrapping_neg();
    one & mask | other & !mask
}

/// 1 to 3 bytes: the first, the middle and the last one.
#[inline(always)]
const fn of_1_to_3(first: u64, last: u64, length: u64) -> u64 {
    let flip = (SECRET[0] & 0xffff_ffff) ^ (SECRET[0] >> 32);
    let middle = first >> ((8 * (length >> 1)) & 63) & 0xff;
    let mut h = ((first & 0xff) << 16 | middle << 24 | last >> 56 | length << 8) ^ flip;
    h ^= h >> 33;
    h = h.wrapping_mul(PRIME_2);
    h ^= h >> 29;
    h = h.wrapping_mul(PRIME_3);
    h ^ h >> 32
}

/// 4 to 8 bytes: the last four, which end `last`, below the first four, which begin `first`.
#[inline(always)]
pub(crate) const fn of_4_to_8(first: u64, last: u64, length: u64) -> u64 {
    let mut h = (last >> 32 | first << 32) ^ FLIP_4_TO_8;
    // Rotations by 49 and 24, as the shifts that registers have.
    h = h ^ h << 49 ^ h >> 15 ^ h << 24 ^ h >> 40;
    h = h.wrapping_mul(PRIME_MX_2);
    h ^= (h >> 35).wrapping_add(length);
    h = h.wrapping_mul(PRIME_MX_2);
    h ^ h >> 28
}

/// 9 to 16 bytes: the first eight and the last eight, and the folded product of the two flipped.
#[inline(always)]
pub(crate) const fn of_9_to_16(first: u64, last: u64, length: u64, product: u64) -> u64 {
    let mut h = length
        .wrapping_add((first ^ FLIP_FIRST).swap_bytes())
        .wrapping_add(last ^ FLIP_LAST)
        .wrapping_add(product);
    h ^= h >> 37;
    h = h.wrapping_mul(PRIME_MX_1);
    h ^ h >> 32
}

/// As [`fold_multiply`], of products of 32 bits: those that registers have lanes for.
#[inline(always)]
const fn fold_halves(a: u64, b: u64) -> u64 {
    const LOW: u64 = u32::MAX as u64;
    let (a_low, a_high, b_low, b_high) = (a & LOW, a >> 32, b & LOW, b >> 32);
    let lowest = a_low * b_low;
    let middle = a_low * b_high + (lowest >> 32);
    let other = a_high * b_low + (middle & LOW);
    let high = a_high * b_high + (middle >> 32) + (other >> 32);
    high ^ (other << 32 | lowest & LOW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Job, Kernel};
    use proptest::prelude::*;

    /// Compiled for each kernel.
    struct All<'a>(&'a [u8], &'a [u32], &'a [u32]);

    impl Job for All<'_> {
        type Output = [Vec<u64>; 2];

        #[inline(always)]
        fn run(self) -> Self::Output {
            let (mut words, mut runs) = (vec![0; self.1.len()], vec![0; self.1.len()]);
            hash_words(self.0, self.1, self.2, &mut words);
            for ((run, &start), &end) in runs.iter_mut().zip(self.1).zip(self.2) {
                *run = hash_run(self.0, start as usize, end as usize);
            }
            [words, runs]
        }
    }

    fn agrees(buffer: &[u8], inputs: &[(u32, u32)]) -> Result<(), TestCaseError> {
        let (starts, ends): (Vec<_>, Vec<_>) =
            inputs.iter().map(|&(start, length)| (start, start + length)).unzip();
        let ranges = starts.iter().zip(&ends);
        let expected: Vec<_> =
            ranges.map(|(&start, &end)| xxh3_64(&buffer[start as usize..end as usize])).collect();
        for kernel in Kernel::all() {
            for found in kernel.run(All(buffer, &starts, &ends)) {
                prop_assert_eq!(&found, &expected);
            }
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
                let [found, _] = Kernel::detect().run(All(&buffer, &starts, &ends));
                assert!(found.iter().all(|&hash| hash == 0), "{start} {end}");
            }
        }
    }

    #[test]
    fn products_of_halves_make_the_whole() {
        let words =
            [0, 1, 2, u64::MAX, u64::MAX - 1, 1 << 63, 0xffff_ffff, 0x1_0000_0001, SECRET[0]];
        for a in words {
            for b in words {
                assert_eq!(fold_halves(a, b), fold_multiply(a, b));
            }
        }
    }
}
