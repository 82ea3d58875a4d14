//! Where the ones of a mask are, as numbers in a row.

use crate::kernel::Kernel;

/// Numbers that must fit behind the last one: so many are written, whether they are there or not.
pub(crate) const SLACK: usize = 16;

/// Writes the positions of the ones of `mask`, counted from `base` on, to `out` from `count` on, and
/// returns where they end. Where `out` has no room for [`SLACK`] more, some are left out.
#[inline(always)]
pub(crate) fn positions(
    kernel: Kernel,
    mask: u64,
    base: u32,
    out: &mut [u32],
    count: usize,
) -> usize {
    if kernel.has_avx512() {
        avx512::positions(mask, base, out, count)
    } else {
        portable(mask, base, out, count)
    }
}

#[inline(always)]
fn portable(mask: u64, base: u32, out: &mut [u32], count: usize) -> usize {
    let mut rest = mask;
    let end = count + mask.count_ones() as usize;
    let mut at = count;
    while at < end {
        // Eight at a time, whether they are there or not, so that the loop is foreseen.
        if let Some(eight) = out.get_mut(at..at + 8) {
            for position in eight {
                *position = base + rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
            }
        }
        at += 8;
    }
    end
}

#[cfg(not(target_arch = "x86_64"))]
mod avx512 {
    pub(super) use super::portable as positions;
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "AVX-512 instructions, chosen where the machine has them")]
mod avx512 {
    use super::SLACK;
    use crate::hashing::xxh3_lanes::each;
    use std::arch::x86_64::{
        _mm512_add_epi32, _mm512_castsi512_si128, _mm512_cvtepu8_epi32, _mm512_maskz_compress_epi8,
        _mm512_set1_epi32, _mm512_shuffle_i64x2, _mm512_storeu_si512,
    };

    #[inline(always)]
    pub(super) fn positions(mask: u64, base: u32, out: &mut [u32], count: usize) -> usize {
        // SAFETY: only `Kernel::detect` makes a kernel that has AVX-512, where it found it.
        unsafe { compiled(mask, base, out, count) }
    }

    #[target_feature(enable = "avx512f,avx512vbmi2,popcnt")]
    #[inline]
    fn compiled(mask: u64, base: u32, out: &mut [u32], count: usize) -> usize {
        let end = count + mask.count_ones() as usize;
        let mut bytes = _mm512_maskz_compress_epi8(mask, each(|i| i));
        let base = _mm512_set1_epi32(base.cast_signed());
        for at in (count..end).step_by(SLACK) {
            let sixteen = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(bytes));
            if let Some(out) = out.get_mut(at..).and_then(<[u32]>::first_chunk_mut::<SLACK>) {
                // SAFETY: 64 bytes are written to an array of 64, whatever its alignment.
                unsafe {
                    _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_add_epi32(sixteen, base));
                }
            }
            // The next quarter of the register.
            bytes = _mm512_shuffle_i64x2::<0b00_11_10_01>(bytes, bytes);
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ones_are_found_in_their_order(
            mask in prop_oneof![
                any::<u64>(),
                any::<[u64; 3]>().prop_map(|[a, b, c]| a & b & c),
                Just(0),
                Just(u64::MAX),
            ],
            base in 0..u32::MAX - 64,
            count in 0..5_usize,
        ) {
            let ones = (0..64).filter(|bit| mask >> bit & 1 == 1).map(|bit| base + bit);
            let expected: Vec<_> = std::iter::repeat_n(7, count).chain(ones).collect();
            for kernel in Kernel::all() {
                let mut out = vec![7; expected.len() + SLACK];
                prop_assert_eq!(positions(kernel, mask, base, &mut out, count), expected.len());
                prop_assert_eq!(&out[..expected.len()], &expected);
            }
        }
    }
}
