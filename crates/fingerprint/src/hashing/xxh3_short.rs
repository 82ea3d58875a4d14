//! XXH3 of 64 bits, seed 0, for inputs of up to 16 bytes that lie in a buffer. Equal to the library, which
//! takes the longer ones.

use crate::hashing::hash::fold_multiply;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes that must be there before the first input and behind the last.
pub(crate) const MARGIN: usize = 16;
/// Longest input that is hashed here.
pub(crate) const LONGEST: u32 = 16;
/// Bytes that are read at a time.
pub(crate) const WORD: u32 = 8;

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
pub(crate) const PRIME_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
pub(crate) const PRIME_3: u64 = 0x1656_67b1_9e37_79f9;
pub(crate) const PRIME_MX_1: u64 = 0x1656_6791_9e37_79f9;
pub(crate) const PRIME_MX_2: u64 = 0x9fb2_1c65_1e98_df25;
/// What inputs of 1 to 3 bytes are mixed with.
pub(crate) const FLIP_1_TO_3: u64 = (SECRET[0] & 0xffff_ffff) ^ (SECRET[0] >> 32);
/// What inputs of 4 to 8 bytes are mixed with.
pub(crate) const FLIP_4_TO_8: u64 = SECRET[1] ^ SECRET[2];
/// What the first and the last eight bytes of inputs of 9 to 16 are mixed with.
pub(crate) const FLIP_FIRST: u64 = SECRET[3] ^ SECRET[4];
pub(crate) const FLIP_LAST: u64 = SECRET[5] ^ SECRET[6];

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

/// The hash of an input of 1 to 16 bytes: its first eight, some of which may lie behind it, and its
/// last eight, some of which may lie before it.
#[inline(always)]
pub(crate) const fn of_1_to_16(first: u64, last: u64, length: u64) -> u64 {
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
    let middle = first >> ((8 * (length >> 1)) & 63) & 0xff;
    let mut h = ((first & 0xff) << 16 | middle << 24 | last >> 56 | length << 8) ^ FLIP_1_TO_3;
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
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn inputs_of_every_length_are_hashed_as_the_library_does(
            buffer in prop::collection::vec(any::<u8>(), 132),
        ) {
            for end in MARGIN + 1..buffer.len() - MARGIN {
                let found = hash_run(&buffer, MARGIN, end);
                prop_assert_eq!(found, xxh3_64(&buffer[MARGIN..end]));
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
