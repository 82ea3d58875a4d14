//! XXH3 of 64 bits, seed 0, for many short inputs that lie in one buffer: four at a time and without
//! a branch on the length up to 16 bytes. Equal to the library, which takes the longer ones.

use xxhash_rust::xxh3::xxh3_64;

/// Bytes that must be there before the first input and behind the last.
pub(crate) const MARGIN: usize = 16;
/// Inputs that are hashed at a time: one 256-bit register of hashes.
pub(crate) const LANES: usize = 4;
/// Longest input that is hashed here.
const SHORT: u32 = 16;

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
const PRIME_MX_1: u64 = 0x1656_6791_9e37_79f9;
const PRIME_MX_2: u64 = 0x9fb2_1c65_1e98_df25;

/// The hashes of `buffer[starts[i]..ends[i]]`, none of which is empty; of no meaning where the buffer
/// lacks one of them, or a margin.
///
/// # Complexity
/// Some 40 instructions an input up to 16 bytes with AVX2: the hashes of all three classes of length,
/// one of which is taken. Words of text come in lengths that no branch foresees.
#[inline(always)]
pub(crate) fn hashes(buffer: &[u8], starts: &[u32; LANES], ends: &[u32; LANES]) -> [u64; LANES] {
    let (first, last) = (words::<0>(buffer, starts), words::<8>(buffer, ends));
    let mut hashes = [0; LANES];
    for i in 0..LANES {
        let length = u64::from(ends[i].wrapping_sub(starts[i]));
        hashes[i] = short(first[i], last[i], length);
    }
    let lengths = starts.iter().zip(ends).map(|(start, end)| end.wrapping_sub(*start));
    if lengths.fold(0, u32::max) > SHORT {
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
        if end.wrapping_sub(start) > SHORT {
            *hash = xxh3_64(buffer.get(start as usize..end as usize).unwrap_or_default());
        }
    }
    hashes
}

/// The eight bytes of `buffer` that begin `BACK` bytes before each place; zeros where it lacks some.
#[inline(always)]
#[expect(unsafe_code, reason = "the bounds of four words are checked at once")]
fn words<const BACK: u32>(buffer: &[u8], places: &[u32; LANES]) -> [u64; LANES] {
    let (least, most) =
        places.iter().fold((u32::MAX, 0), |(least, most), &at| (least.min(at), most.max(at)));
    if least < BACK || (most - BACK) as usize + 8 > buffer.len() {
        return [0; LANES];
    }
    places.map(|at| {
        // SAFETY: `BACK <= at <= most`, and eight bytes from `most - BACK` on are in the buffer.
        let bytes =
            unsafe { buffer.as_ptr().add((at - BACK) as usize).cast::<u64>().read_unaligned() };
        u64::from_le(bytes)
    })
}

/// The hash of an input of 1 to 16 bytes: its first eight bytes, some of which may lie behind it, and
/// its last eight, some of which may lie before it.
#[inline(always)]
const fn short(first: u64, last: u64, length: u64) -> u64 {
    let middle = first >> ((8 * (length >> 1)) & 63) & 0xff;
    let tiny = avalanche_64((first & 0xff) << 16 | middle << 24 | last >> 56 | length << 8);
    let small = rrmxmx(last >> 32 | first << 32, length);
    let medium = fold(first, last, length);
    select(length > 8, medium, select(length > 3, small, tiny))
}

/// `one` if it `holds`, else `other`, by masks: in each lane of a register.
#[inline(always)]
const fn select(holds: bool, one: u64, other: u64) -> u64 {
    let mask = (holds as u64).wrapping_neg();
    one & mask | other & !mask
}

/// 1 to 3 bytes.
#[inline(always)]
const fn avalanche_64(input: u64) -> u64 {
    let flip = (SECRET[0] & 0xffff_ffff) ^ (SECRET[0] >> 32);
    let mut h = input ^ flip;
    h ^= h >> 33;
    h = h.wrapping_mul(PRIME_2);
    h ^= h >> 29;
    h = h.wrapping_mul(PRIME_3);
    h ^ h >> 32
}

/// 4 to 8 bytes: the last four below the first four.
#[inline(always)]
const fn rrmxmx(input: u64, length: u64) -> u64 {
    let mut h = input ^ (SECRET[1] ^ SECRET[2]);
    h ^= h.rotate_left(49) ^ h.rotate_left(24);
    h = h.wrapping_mul(PRIME_MX_2);
    h ^= (h >> 35).wrapping_add(length);
    h = h.wrapping_mul(PRIME_MX_2);
    h ^ h >> 28
}

/// 9 to 16 bytes: the first eight and the last eight.
#[inline(always)]
const fn fold(first: u64, last: u64, length: u64) -> u64 {
    let low = first ^ (SECRET[3] ^ SECRET[4]);
    let high = last ^ (SECRET[5] ^ SECRET[6]);
    let mut h = length
        .wrapping_add(low.swap_bytes())
        .wrapping_add(high)
        .wrapping_add(fold_multiply(low, high));
    h ^= h >> 37;
    h = h.wrapping_mul(PRIME_MX_1);
    h ^ h >> 32
}

/// As [`crate::hash::fold_multiply`], of products of 32 bits: those that registers have lanes for.
#[inline(always)]
const fn fold_multiply(a: u64, b: u64) -> u64 {
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
    struct All<'a>(&'a [u8], &'a [u32; LANES], &'a [u32; LANES]);

    impl Job for All<'_> {
        type Output = [u64; LANES];

        #[inline(always)]
        fn run(self) -> Self::Output {
            hashes(self.0, self.1, self.2)
        }
    }

    proptest! {
        #[test]
        fn inputs_of_every_length_are_hashed_as_the_library_does(
            buffer in prop::collection::vec(any::<u8>(), 120),
            start in 0_u32..20,
        ) {
            let start = start + 16;
            for length in 1..=84 - start {
                // Neighbours of other lengths: each in each lane.
                let lengths = [length, length.div_ceil(4), (length % 17).max(1), 1 + length % 3];
                for turn in 0..LANES {
                    let starts = [start; LANES];
                    let mut ends = lengths.map(|length| start + length);
                    ends.rotate_left(turn);
                    let expected =
                        ends.map(|end| xxh3_64(&buffer[start as usize..end as usize]));
                    for kernel in [Kernel::PORTABLE, Kernel::detect()] {
                        let found = kernel.run(All(&buffer, &starts, &ends));
                        prop_assert_eq!(found, expected, "{}", length);
                    }
                }
            }
        }
    }

    #[test]
    fn products_of_halves_make_the_whole() {
        let words =
            [0, 1, 2, u64::MAX, u64::MAX - 1, 1 << 63, 0xffff_ffff, 0x1_0000_0001, SECRET[0]];
        for a in words {
            for b in words {
                assert_eq!(fold_multiply(a, b), crate::hash::fold_multiply(a, b));
            }
        }
    }
}
