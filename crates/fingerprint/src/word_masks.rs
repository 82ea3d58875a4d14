//! Which bytes of 64 are letters, digits and so on, as bit masks, and the block in lower case. ASCII
//! and Han; what other characters are is in [`crate::char_table`], what words are in
//! [`crate::word_scanner`].

use crate::kernel::Kernel;

/// Bytes that are classified at a time: one bit each in a word.
pub(crate) const BLOCK: usize = 64;

/// The parts that the bytes of a block play in words; bit `i` is byte `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordMasks {
    pub(crate) letters: u64,
    pub(crate) digits: u64,
    /// Underscores.
    pub(crate) joiners: u64,
    /// Inside a word between letters.
    pub(crate) mid_letters: u64,
    /// Inside a word between digits.
    pub(crate) mid_numbers: u64,
    /// First bytes of characters beyond ASCII, but those of `han`.
    pub(crate) leads: u64,
    /// First bytes of U+5000 to U+8FFF, all of which are Han, three bytes each.
    pub(crate) han: u64,
}

impl WordMasks {
    /// Classifies a block and writes it to `mapped`, ASCII letters in lower case where `lower`.
    #[inline]
    pub(crate) fn of(
        kernel: Kernel,
        block: &[u8; BLOCK],
        mapped: &mut [u8; BLOCK],
        lower: bool,
    ) -> Self {
        if kernel.has_avx2() {
            avx2::of(block, mapped, lower)
        } else {
            portable(block, mapped, lower)
        }
    }
}

fn portable(block: &[u8; BLOCK], mapped: &mut [u8; BLOCK], lower: bool) -> WordMasks {
    *mapped = *block;
    if lower {
        mapped.make_ascii_lowercase();
    }
    let mask = |is: fn(u8) -> bool| {
        block.iter().rev().fold(0, |mask, &byte| mask << 1 | u64::from(is(byte)))
    };
    let mid = mask(|byte| matches!(byte, b'.' | b'\''));
    WordMasks {
        letters: mask(|byte| byte.is_ascii_alphabetic()),
        digits: mask(|byte| byte.is_ascii_digit()),
        joiners: mask(|byte| byte == b'_'),
        mid_letters: mid | mask(|byte| byte == b':'),
        mid_numbers: mid | mask(|byte| matches!(byte, b',' | b';')),
        leads: mask(|byte| byte >= 0xc0 && !matches!(byte, 0xe5..=0xe8)),
        han: mask(|byte| matches!(byte, 0xe5..=0xe8)),
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod avx2 {
    pub(super) use super::portable as of;
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "AVX2 instructions, chosen where the machine has them")]
mod avx2 {
    use super::{BLOCK, WordMasks};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8,
        _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
        _mm256_storeu_si256,
    };

    pub(super) fn of(block: &[u8; BLOCK], mapped: &mut [u8; BLOCK], lower: bool) -> WordMasks {
        // SAFETY: only `Kernel::detect` makes a kernel that has AVX2, where it found it.
        unsafe { compiled(block, mapped, lower) }
    }

    /// All ones in each byte of `bytes` that is from `least` to `most`.
    #[target_feature(enable = "avx2")]
    #[inline]
    #[expect(clippy::cast_possible_wrap, reason = "bytes as the instructions take them")]
    fn between(bytes: __m256i, least: u8, most: u8) -> __m256i {
        // Shifted so that `most` is the greatest signed byte: what is above wraps to below.
        let shifted = _mm256_add_epi8(bytes, _mm256_set1_epi8(127_u8.wrapping_sub(most) as i8));
        _mm256_cmpgt_epi8(shifted, _mm256_set1_epi8((126 - (most - least)) as i8))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    #[expect(clippy::cast_possible_wrap, reason = "bytes as the instructions take them")]
    fn equal(bytes: __m256i, byte: u8) -> __m256i {
        _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    #[expect(clippy::cast_sign_loss, reason = "32 bits, none of which is a sign")]
    fn bits(bytes: __m256i) -> u64 {
        u64::from(_mm256_movemask_epi8(bytes) as u32)
    }

    #[target_feature(enable = "avx2")]
    fn compiled(block: &[u8; BLOCK], mapped: &mut [u8; BLOCK], lower: bool) -> WordMasks {
        let blank = _mm256_set1_epi8(0x20);
        let (halves, targets) = (block.as_chunks::<32>().0, mapped.as_chunks_mut::<32>().0);
        let mut masks = WordMasks::default();
        for (i, (half, target)) in halves.iter().zip(targets).enumerate() {
            // SAFETY: 32 bytes are read from an array of 32, whatever its alignment.
            let bytes = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
            let mid = _mm256_or_si256(equal(bytes, b'.'), equal(bytes, b'\''));
            let separator = _mm256_or_si256(equal(bytes, b','), equal(bytes, b';'));
            let han = between(bytes, 0xe5, 0xe8);
            let shift = 32 * i;
            let mids = bits(mid);
            let han = bits(han);
            masks.letters |= bits(between(_mm256_or_si256(bytes, blank), b'a', b'z')) << shift;
            masks.digits |= bits(between(bytes, b'0', b'9')) << shift;
            masks.joiners |= bits(equal(bytes, b'_')) << shift;
            masks.mid_letters |= (mids | bits(equal(bytes, b':'))) << shift;
            masks.mid_numbers |= (mids | bits(separator)) << shift;
            masks.leads |= (bits(between(bytes, 0xc0, 0xff)) & !han) << shift;
            masks.han |= han << shift;
            let upper = if lower { between(bytes, b'A', b'Z') } else { _mm256_set1_epi8(0) };
            let written = _mm256_or_si256(bytes, _mm256_and_si256(upper, blank));
            // SAFETY: 32 bytes are written to an array of 32, whatever its alignment.
            unsafe { _mm256_storeu_si256(target.as_mut_ptr().cast(), written) };
        }
        masks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_byte_has_its_class() {
        let mut masks = Vec::new();
        for first in (0..=255_u8).step_by(BLOCK) {
            let block = std::array::from_fn(|i| first + u8::try_from(i).unwrap());
            masks.push(portable(&block, &mut [0; BLOCK], false));
        }
        let bytes = |of: fn(&WordMasks) -> u64| {
            (0..=255_u8)
                .filter(|&byte| of(&masks[usize::from(byte) / 64]) >> (byte % 64) & 1 == 1)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            bytes(|m| m.letters),
            [(b'A'..=b'Z'), (b'a'..=b'z')].into_iter().flatten().collect::<Vec<_>>()
        );
        assert_eq!(bytes(|m| m.digits), (b'0'..=b'9').collect::<Vec<_>>());
        assert_eq!(bytes(|m| m.joiners), b"_");
        assert_eq!(bytes(|m| m.mid_letters), b"'.:");
        assert_eq!(bytes(|m| m.mid_numbers), b"',.;");
        assert_eq!(bytes(|m| m.han), [0xe5, 0xe6, 0xe7, 0xe8]);
        assert_eq!(bytes(|m| m.leads | m.han), (0xc0..=0xff).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn the_kernels_agree(bytes in prop::collection::vec(any::<u8>(), BLOCK), lower: bool) {
            let block = bytes.try_into().unwrap();
            let (mut one, mut other) = ([0; BLOCK], [0; BLOCK]);
            let portable = WordMasks::of(Kernel::PORTABLE, &block, &mut one, lower);
            prop_assert_eq!(WordMasks::of(Kernel::detect(), &block, &mut other, lower), portable);
            prop_assert_eq!(one, other);
        }
    }
}
