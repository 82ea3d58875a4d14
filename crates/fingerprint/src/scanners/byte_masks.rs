//! Which of 64 bytes are white space or begin a character, as bits of a word. What bytes are in words
//! is in [`crate::scanners::word_masks`].

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

/// The bytes that begin white space beyond ASCII: of two bytes, and of three. Two bytes more than the
/// block say so.
#[inline]
pub(crate) fn wide_blanks(kernel: Kernel, window: &[u8; BLOCK + 2]) -> [u64; 2] {
    if kernel.has_avx2() {
        avx2::wide_blanks(window)
    } else {
        wide_blanks_by(|shift, least, most| between(window, shift, least, most))
    }
}

/// As [`wide_blanks`], where `are` finds the bytes so many behind each that are from the least to the
/// most given.
#[inline(always)]
fn wide_blanks_by(are: impl Fn(usize, u8, u8) -> u64) -> [u64; 2] {
    let (mut two, mut three) = (are(0, 0xc2, 0xc2), 0);
    if two != 0 {
        two &= are(1, 0x85, 0x85) | are(1, 0xa0, 0xa0);
    }
    if are(0, 0xe1, 0xe3) == 0 {
        return [two, three];
    }
    let [e1, e2, e3] = [0xe1, 0xe2, 0xe3].map(|first| are(0, first, first));
    if e1 != 0 {
        three |= e1 & are(1, 0x9a, 0x9a) & are(2, 0x80, 0x80);
    }
    if e2 != 0 {
        let spaces = are(2, 0x80, 0x8a) | are(2, 0xa8, 0xa9) | are(2, 0xaf, 0xaf);
        three |= e2 & (are(1, 0x80, 0x80) & spaces | are(1, 0x81, 0x81) & are(2, 0x9f, 0x9f));
    }
    if e3 != 0 {
        three |= e3 & are(1, 0x80, 0x80) & are(2, 0x80, 0x80);
    }
    [two, three]
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

/// The bytes, so many behind each of a block, that are from the least to the most given.
fn between(window: &[u8; BLOCK + 2], shift: usize, least: u8, most: u8) -> u64 {
    let bytes = window.iter().skip(shift).take(BLOCK).rev();
    bytes.fold(0, |mask, byte| mask << 1 | u64::from((least..=most).contains(byte)))
}

#[cfg(not(target_arch = "x86_64"))]
mod avx2 {
    use super::{BLOCK, between, is_begin, is_blank, mask, wide_blanks_by};

    pub(super) fn wide_blanks(window: &[u8; BLOCK + 2]) -> [u64; 2] {
        wide_blanks_by(|shift, least, most| between(window, shift, least, most))
    }

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
    use super::{BLOCK, wide_blanks_by};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi8, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_sub_epi8,
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

    #[inline]
    pub(super) fn wide_blanks(window: &[u8; BLOCK + 2]) -> [u64; 2] {
        // SAFETY: as above.
        unsafe { compiled_wide_blanks(window) }
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

    #[target_feature(enable = "avx2")]
    #[inline]
    #[expect(clippy::cast_possible_wrap, reason = "bytes as the instructions take them")]
    fn compiled_wide_blanks(window: &[u8; BLOCK + 2]) -> [u64; 2] {
        wide_blanks_by(|shift, least, most| {
            // Shifted so that `most` is the greatest signed byte: what is above wraps to below.
            let by = _mm256_set1_epi8(127_u8.wrapping_sub(most) as i8);
            let below = _mm256_set1_epi8((126 - (most - least)) as i8);
            let is = |bytes| _mm256_cmpgt_epi8(_mm256_add_epi8(bytes, by), below);
            window[shift..].first_chunk().map_or(0, |block| bits(halves(block).map(is)))
        })
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
                for kernel in Kernel::all() {
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
            for kernel in Kernel::all() {
                let expected = (0..BLOCK)
                    .fold(0, |mask, i| mask | u64::from(text.is_char_boundary(at + i)) << i);
                assert_eq!(begins(kernel, block), expected);
            }
        }
    }

    #[test]
    fn white_space_beyond_ascii_is_all_that_unicode_has() {
        for c in '\u{80}'..=char::MAX {
            for place in [0, 31, BLOCK - 1] {
                let mut window = [b' '; BLOCK + 4];
                c.encode_utf8(&mut window[place..]);
                let window = window.first_chunk().unwrap();
                let expected = [2, 3]
                    .map(|length| u64::from(c.is_whitespace() && c.len_utf8() == length) << place);
                for kernel in Kernel::all() {
                    assert_eq!(wide_blanks(kernel, window), expected, "{c:?}");
                }
            }
        }
    }
}
