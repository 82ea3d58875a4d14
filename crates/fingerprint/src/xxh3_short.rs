//! XXH3 of 64 bits, seed 0, for many short inputs that lie in one buffer: without a branch on the
//! length up to 16 bytes. Equal to the library, which takes the longer ones.

use std::hint::select_unpredictable;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes that must be there before the first input and behind the last.
pub(crate) const MARGIN: usize = 16;
/// Longest input that is hashed here.
const SHORT: usize = 16;

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

/// The hash of `buffer[start..end]`, which is not empty; 0 where the buffer lacks that, or a margin.
///
/// # Complexity
/// Some 60 instructions up to 16 bytes: the hashes of all three classes of length, one of which is
/// taken. Words of text come in lengths that no branch foresees.
#[inline(always)]
pub(crate) fn hash(buffer: &[u8], start: usize, end: usize) -> u64 {
    let length = end.wrapping_sub(start);
    if length > SHORT {
        return xxh3_64(buffer.get(start..end).unwrap_or_default());
    }
    let (Some(first), Some(last)) = (word(buffer, start), word(buffer, end.wrapping_sub(8))) else {
        return 0;
    };
    let bits = length as u64;
    let middle = first >> ((8 * (length >> 1)) & 63) & 0xff;
    let tiny = avalanche_64((first & 0xff) << 16 | middle << 24 | last >> 56 | bits << 8);
    let small = rrmxmx(last >> 32 | first << 32, bits);
    let medium = fold(first, last, bits);
    let hash = select_unpredictable(length > 3, small, tiny);
    select_unpredictable(length > 8, medium, hash)
}

#[inline(always)]
fn word(buffer: &[u8], at: usize) -> Option<u64> {
    buffer.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
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
#[expect(clippy::cast_possible_truncation, reason = "the two halves of the product")]
const fn fold(first: u64, last: u64, length: u64) -> u64 {
    let low = first ^ (SECRET[3] ^ SECRET[4]);
    let high = last ^ (SECRET[5] ^ SECRET[6]);
    let product = low as u128 * high as u128;
    let mut h = length
        .wrapping_add(low.swap_bytes())
        .wrapping_add(high)
        .wrapping_add(product as u64 ^ (product >> 64) as u64);
    h ^= h >> 37;
    h = h.wrapping_mul(PRIME_MX_1);
    h ^ h >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_length_is_hashed_as_the_library_does(
            buffer in prop::collection::vec(any::<u8>(), 100),
        ) {
            for length in 1..=100 - 2 * MARGIN {
                let end = MARGIN + length;
                prop_assert_eq!(hash(&buffer, MARGIN, end), xxh3_64(&buffer[MARGIN..end]), "{}", length);
            }
        }
    }
}
