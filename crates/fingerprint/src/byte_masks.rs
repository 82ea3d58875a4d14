//! Which of 64 bytes are white space or begin a character, as bits of a word. What bytes are in words
//! is in [`crate::word_masks`].

use crate::kernel::Kernel;

/// Bytes that are looked at together.
pub(crate) const BLOCK: usize = 64;

/// The bytes that are white space of ASCII.
#[inline]
pub(crate) fn blanks(kernel: Kernel, block: &[u8; BLOCK]) -> u64 {
    if kernel.has_avx2() { avx2::blanks(block) } else { mask(block, is_blank) }
}

/// The bytes that are the first of their characters in UTF-8.
#[inline]
pub(crate) fn begins(kernel: Kernel, block: &[u8; BLOCK]) -> u64 {
    if kernel.has_avx2() { avx2::begins(block) } else { mask(block, is_begin) }
}

/// White space of ASCII.
#[inline(always)]
pub(crate) fn is_blank(byte: u8) -> bool {
    (byte == b' ') | (byte.wrapping_sub(b'\t') < 5)
}

/// Whether a byte of UTF-8 is the first of its character.
#[inline(always)]
pub(crate) fn is_begin(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

fn mask(block: &[u8; BLOCK], is: fn(u8) -> bool) -> u64 {
    block.iter().rev().fold(0, |mask, &byte| mask << 1 | u64::from(is(byte)))
}

#[cfg(not(target_arch = "x86_64"))]
mod avx2 {
    use super::{BLOCK, is_begin, is_blank, mask};

    pub(super) fn blanks(block: &[u8; BLOCK]) -> u64 {
        mask(block, is_blank)
    }

    pub(super) fn begins(block: &[u8; BLOCK]) -> u64 {
        mask(block, is_begin)
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "AVX2 instructions, chosen where the machine has them")]
mod avx2 {
    use super::BLOCK;
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set1_epi8, _mm256_sub_epi8,
    };

    #[inline]
    pub(super) fn blanks(block: &[u8; BLOCK]) -> u64 {
        // SAFETY: only `Kernel::detect` makes a kernel that has AVX2, where it found it.
        unsafe { compiled_blanks(block) }
    }

    #[inline]
    pub(super) fn begins(block: &[u8; BLOCK]) -> u64 {
        // SAFETY: only `Kernel::detect` makes a kernel that has AVX2, where it found it.
        unsafe { compiled_begins(block) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn halves(block: &[u8; BLOCK]) -> [__m256i; 2] {
        // SAFETY: 32 bytes are read from each half of 64, whatever its alignment.
        unsafe {
            let start = block.as_ptr().cast::<__m256i>();
            [_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))]
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    #[expect(clippy::cast_sign_loss, reason = "32 bits, none of which is a sign")]
    fn bits(halves: [__m256i; 2]) -> u64 {
        let [low, high] = halves.map(|half| u64::from(_mm256_movemask_epi8(half) as u32));
        high << 32 | low
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn compiled_blanks(block: &[u8; BLOCK]) -> u64 {
        bits(halves(block).map(|bytes| {
            // From 9 to 13, moved to the least signed bytes: what is below 9 wraps to above.
            let moved = _mm256_sub_epi8(bytes, _mm256_set1_epi8(-128 + 9));
            let control = _mm256_cmpgt_epi8(_mm256_set1_epi8(-128 + 5), moved);
            _mm256_or_si256(control, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(32)))
        }))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn compiled_begins(block: &[u8; BLOCK]) -> u64 {
        // Bytes that go on are the signed ones from -128 to -65.
        bits(halves(block).map(|bytes| _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(-65))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_bits_in_every_place() {
        for byte in 0..=255_u8 {
            for place in 0..BLOCK {
                let mut block = [if is_blank(byte) { b'x' } else { b' ' }; BLOCK];
                block[place] = byte;
                let blank = char::from(byte).is_whitespace() && byte.is_ascii();
                let first = !(0x80..0xc0).contains(&byte);
                for kernel in [Kernel::PORTABLE, Kernel::detect()] {
                    assert_eq!(blanks(kernel, &block) >> place & 1 == 1, blank, "{byte}");
                    assert_eq!(begins(kernel, &block) >> place & 1 == 1, first, "{byte}");
                    let others = if blank { 0 } else { !(1 << place) };
                    assert_eq!(blanks(kernel, &block) & !(1 << place), others);
                }
            }
        }
    }

    #[test]
    fn characters_begin_where_text_says() {
        let text = "aé上👨\u{7ff}\u{800}\u{ffff}\u{10000}".repeat(4);
        for (at, block) in text.as_bytes().windows(BLOCK).enumerate() {
            let block = block.try_into().unwrap();
            for kernel in [Kernel::PORTABLE, Kernel::detect()] {
                let expected = (0..BLOCK)
                    .fold(0, |mask, i| mask | u64::from(text.is_char_boundary(at + i)) << i);
                assert_eq!(begins(kernel, block), expected);
            }
        }
    }
}
