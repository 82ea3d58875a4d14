//! XXH3 of 64 bits, seed 0, of eight short inputs at a time, one in each lane of a register of AVX-512.
//! What is computed is in [`crate::hashing::xxh3_short`].

#![expect(unsafe_code, reason = "registers are read from and written to arrays of their size")]

use crate::hashing::xxh3_short::{
    FLIP_1_TO_3, FLIP_4_TO_8, FLIP_FIRST, FLIP_LAST, PRIME_2, PRIME_3, PRIME_MX_1, PRIME_MX_2,
};
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpgt_epi64_mask, _mm512_cmplt_epi64_mask,
    _mm512_loadu_si512, _mm512_mask_blend_epi64, _mm512_mul_epu32, _mm512_mullo_epi64,
    _mm512_rol_epi64, _mm512_set1_epi64, _mm512_shrdi_epi64, _mm512_shuffle_epi8,
    _mm512_slli_epi64, _mm512_srli_epi64, _mm512_srlv_epi64, _mm512_storeu_si512,
    _mm512_ternarylogic_epi64, _mm512_xor_si512,
};
use std::mem::MaybeUninit;

/// Hashes of a register, and bytes of a hash.
pub(crate) const LANES: usize = 8;

/// A register made byte by byte.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn each(byte: impl Fn(usize) -> usize) -> __m512i {
    load(&std::array::from_fn(|i| u8::try_from(byte(i)).unwrap_or(0)))
}

/// The bytes in a register.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 bytes are read from an array of 64, whatever its alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Writes the hashes of a register.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn store(hashes: __m512i, out: &mut [MaybeUninit<u64>; LANES]) {
    // SAFETY: 64 bytes are written to an array of 64, whatever its alignment.
    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), hashes) }
}

/// The word in every lane.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn spread(word: u64) -> __m512i {
    _mm512_set1_epi64(word.cast_signed())
}

/// The exclusive or of all three.
#[target_feature(enable = "avx512f")]
#[inline]
fn odd(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// Inputs of 1 to 16 bytes: their first eight, some of which may lie behind them, and their last eight,
/// some of which may lie before them.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi2")]
#[inline]
pub(crate) fn of_1_to_16(first: __m512i, last: __m512i, lengths: __m512i) -> __m512i {
    let is_tiny = _mm512_cmplt_epi64_mask(lengths, spread(4));
    let others = of_4_to_16(first, last, lengths);
    _mm512_mask_blend_epi64(is_tiny, others, of_1_to_3(first, last, lengths))
}

/// Inputs of 4 to 16 bytes, as above.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi2")]
#[inline]
pub(crate) fn of_4_to_16(first: __m512i, last: __m512i, lengths: __m512i) -> __m512i {
    let small = of_4_to_8(_mm512_shrdi_epi64::<32>(last, first), lengths);
    let is_medium = _mm512_cmpgt_epi64_mask(lengths, spread(8));
    _mm512_mask_blend_epi64(is_medium, small, of_9_to_16(first, last, lengths))
}

/// As [`crate::hashing::xxh3_short::of_1_to_3`].
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn of_1_to_3(first: __m512i, last: __m512i, lengths: __m512i) -> __m512i {
    let byte = spread(0xff);
    let to_middle = _mm512_slli_epi64::<3>(_mm512_srli_epi64::<1>(lengths));
    let middle = _mm512_and_si512(_mm512_srlv_epi64(first, to_middle), byte);
    let h = odd(
        _mm512_slli_epi64::<16>(_mm512_and_si512(first, byte)),
        _mm512_slli_epi64::<24>(middle),
        _mm512_srli_epi64::<56>(last),
    );
    let h = odd(h, _mm512_slli_epi64::<8>(lengths), spread(FLIP_1_TO_3));
    let h = _mm512_xor_si512(h, _mm512_srli_epi64::<33>(h));
    let h = _mm512_mullo_epi64(h, spread(PRIME_2));
    let h = _mm512_xor_si512(h, _mm512_srli_epi64::<29>(h));
    let h = _mm512_mullo_epi64(h, spread(PRIME_3));
    _mm512_xor_si512(h, _mm512_srli_epi64::<32>(h))
}

/// As [`crate::hashing::xxh3_short::of_4_to_8`], of the last four bytes below the first four.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn of_4_to_8(h: __m512i, lengths: __m512i) -> __m512i {
    let h = _mm512_xor_si512(h, spread(FLIP_4_TO_8));
    let h = odd(h, _mm512_rol_epi64::<49>(h), _mm512_rol_epi64::<24>(h));
    let h = _mm512_mullo_epi64(h, spread(PRIME_MX_2));
    let h = _mm512_xor_si512(h, _mm512_add_epi64(_mm512_srli_epi64::<35>(h), lengths));
    let h = _mm512_mullo_epi64(h, spread(PRIME_MX_2));
    _mm512_xor_si512(h, _mm512_srli_epi64::<28>(h))
}

/// As [`crate::hashing::xxh3_short::of_9_to_16`], the product included.
#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
#[inline]
fn of_9_to_16(first: __m512i, last: __m512i, lengths: __m512i) -> __m512i {
    let swapped = each(|i| i / 8 % 2 * 8 + 7 - i % 8);
    let (a, b) =
        (_mm512_xor_si512(first, spread(FLIP_FIRST)), _mm512_xor_si512(last, spread(FLIP_LAST)));
    let sum = _mm512_add_epi64(_mm512_add_epi64(_mm512_shuffle_epi8(a, swapped), lengths), b);
    let h = _mm512_add_epi64(sum, fold(a, b));
    let h = _mm512_xor_si512(h, _mm512_srli_epi64::<37>(h));
    let h = _mm512_mullo_epi64(h, spread(PRIME_MX_1));
    _mm512_xor_si512(h, _mm512_srli_epi64::<32>(h))
}

/// The halves of the products of 128 bits, one upon the other: [`crate::hashing::hash::fold_multiply`].
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn fold(a: __m512i, b: __m512i) -> __m512i {
    let low = spread(0xffff_ffff);
    let (a_high, b_high) = (_mm512_srli_epi64::<32>(a), _mm512_srli_epi64::<32>(b));
    let lowest = _mm512_mul_epu32(a, b);
    let middle = _mm512_add_epi64(_mm512_mul_epu32(a, b_high), _mm512_srli_epi64::<32>(lowest));
    let other = _mm512_add_epi64(_mm512_mul_epu32(a_high, b), _mm512_and_si512(middle, low));
    let high = _mm512_add_epi64(
        _mm512_add_epi64(_mm512_mul_epu32(a_high, b_high), _mm512_srli_epi64::<32>(middle)),
        _mm512_srli_epi64::<32>(other),
    );
    // The low half of the product: what `other` is worth above the low half of `lowest`.
    let lower = _mm512_ternarylogic_epi64::<0xf8>(_mm512_slli_epi64::<32>(other), lowest, low);
    _mm512_xor_si512(high, lower)
}
