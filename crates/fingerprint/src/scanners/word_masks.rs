//! Which bytes of 64 are letters, digits and so on, as bit masks, and the block in lower case. ASCII,
//! Han and, with AVX2 or AVX-512, Kana and small letters that are two bytes long; what other characters are is in
//! [`crate::scanners::char_table`], what words are in [`crate::scanners::word_scanner`].

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
    /// First bytes of characters beyond ASCII that neither `letters` nor `solos` holds, and controls that are not
    /// displayed.
    pub(crate) leads: u64,
    /// First bytes of characters of three bytes that are tokens by themselves: U+5000 to U+9FFF, all
    /// of which are Han, and more with AVX2.
    pub(crate) solos: u64,
}

/// Letters of two bytes that no form and no case changes: their first byte, and the least and the
/// most that their second may be. Latin, Greek, Cyrillic, Arabic.
#[cfg(any(test, target_arch = "x86_64"))]
const LETTERS: [(u8, u8, u8); 8] = [
    (0xc3, 0xa0, 0xb6),
    (0xc3, 0xb8, 0xbf),
    (0xce, 0xb1, 0xbf),
    (0xcf, 0x83, 0x8e),
    (0xd0, 0xb0, 0xbf),
    (0xd1, 0x80, 0x9f),
    (0xd8, 0xa0, 0xbf),
    (0xd9, 0x81, 0x8a),
];

impl WordMasks {
    /// Classifies a block and writes it to `mapped`, ASCII letters in lower case where `lower`.
    #[inline]
    pub(crate) fn of(
        kernel: Kernel,
        block: &[u8; BLOCK],
        mapped: &mut [u8; BLOCK],
        lower: bool,
    ) -> Self {
        if kernel.has_avx512() {
            avx512::of(block, mapped, lower)
        } else if kernel.has_avx2() {
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
        leads: mask(|byte| matches!(byte, 0..=8 | 0x0e..=0x1b | 0x7f | 0xc0..=0xe4 | 0xea..)),
        solos: mask(|byte| matches!(byte, 0xe5..=0xe9)),
    }
}

/// Moves from `leads` to `letters` and `solos` what two and three bytes of the block tell, where `are`
/// finds the bytes from the least to the most given. What the block cuts stays.
#[cfg(any(test, target_arch = "x86_64"))]
#[inline(always)]
fn know_more(masks: &mut WordMasks, are: impl Fn(u8, u8) -> u64) {
    if masks.leads & are(0xc3, 0xd9) != 0 {
        let mut starts = 0;
        for (first, least, most) in LETTERS {
            let firsts = are(first, first);
            if firsts != 0 {
                starts |= firsts & are(least, most) >> 1;
            }
        }
        masks.letters |= starts | starts << 1;
        masks.leads &= !starts;
    }
    let (e3, e4) = (are(0xe3, 0xe3), are(0xe4, 0xe4));
    if e3 != 0 {
        let hiragana = are(0x81, 0x81) >> 1 & are(0x81, 0xbf) >> 2;
        let both = are(0x82, 0x82) >> 1 & (are(0x80, 0x96) | are(0xa1, 0xbf)) >> 2;
        let katakana = are(0x83, 0x83) >> 1 & are(0x80, 0xba) >> 2;
        let starts = e3 & (hiragana | both | katakana);
        masks.solos |= starts;
        masks.leads &= !starts;
    }
    if e4 != 0 {
        // All but the hexagrams and the last rows of an extension of Han.
        let starts = e4 & (are(0x80, 0xb6) | are(0xb8, 0xbf)) >> 1;
        masks.solos |= starts;
        masks.leads &= !starts;
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod avx2 {
    pub(super) use super::portable as of;
}

#[cfg(not(target_arch = "x86_64"))]
mod avx512 {
    pub(super) use super::portable as of;
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "AVX-512 instructions, chosen where the machine has them")]
mod avx512 {
    use super::{BLOCK, WordMasks, know_more};
    use std::arch::x86_64::{
        _mm512_cmple_epu8_mask, _mm512_loadu_si512, _mm512_mask_add_epi8,
        _mm512_mask_test_epi8_mask, _mm512_movepi8_mask, _mm512_permutex2var_epi8,
        _mm512_set1_epi8, _mm512_storeu_si512, _mm512_sub_epi8,
    };

    /// Bits of the table.
    const LETTER: i8 = 1;
    const DIGIT: i8 = 2;
    const JOINER: i8 = 4;
    const MID_LETTER: i8 = 8;
    const MID_NUMBER: i8 = 16;
    const UNSEEN: i8 = 32;
    const CAPITAL: i8 = 64;

    /// The parts of each character of ASCII, in two registers.
    const PARTS: [[i8; BLOCK]; 2] = {
        let mut parts = [[0; BLOCK]; 2];
        let mut byte = 0;
        while byte < 2 * BLOCK {
            parts[byte / BLOCK][byte % BLOCK] = match byte.to_le_bytes()[0] {
                b'A'..=b'Z' => LETTER | CAPITAL,
                b'a'..=b'z' => LETTER,
                b'0'..=b'9' => DIGIT,
                b'_' => JOINER,
                b'.' | b'\'' => MID_LETTER | MID_NUMBER,
                b':' => MID_LETTER,
                b',' | b';' => MID_NUMBER,
                0..=8 | 0x0e..=0x1b | 0x7f => UNSEEN,
                _ => 0,
            };
            byte += 1;
        }
        parts
    };

    pub(super) fn of(block: &[u8; BLOCK], mapped: &mut [u8; BLOCK], lower: bool) -> WordMasks {
        // SAFETY: only `Kernel::detect` makes a kernel that has AVX-512, where it found it.
        unsafe { compiled(block, mapped, lower) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn compiled(block: &[u8; BLOCK], mapped: &mut [u8; BLOCK], lower: bool) -> WordMasks {
        // SAFETY: 64 bytes are read from arrays of 64, whatever their alignment.
        let [bytes, first, second] = unsafe {
            [block.as_ptr().cast(), PARTS[0].as_ptr().cast(), PARTS[1].as_ptr().cast()]
                .map(|start| _mm512_loadu_si512(start))
        };
        let ascii = !_mm512_movepi8_mask(bytes);
        // Seven bits of each byte are looked up.
        let parts = _mm512_permutex2var_epi8(first, bytes, second);
        let are = |part| _mm512_mask_test_epi8_mask(ascii, parts, _mm512_set1_epi8(part));
        let between = |least: u8, most: u8| {
            let above = _mm512_sub_epi8(bytes, _mm512_set1_epi8(least.cast_signed()));
            _mm512_cmple_epu8_mask(above, _mm512_set1_epi8((most - least).cast_signed()))
        };
        let capitals = if lower { are(CAPITAL) } else { 0 };
        let written = _mm512_mask_add_epi8(bytes, capitals, bytes, _mm512_set1_epi8(0x20));
        // SAFETY: 64 bytes are written to an array of 64, whatever its alignment.
        unsafe { _mm512_storeu_si512(mapped.as_mut_ptr().cast(), written) };
        let solos = between(0xe5, 0xe9);
        let mut masks = WordMasks {
            letters: are(LETTER),
            digits: are(DIGIT),
            joiners: are(JOINER),
            mid_letters: are(MID_LETTER),
            mid_numbers: are(MID_NUMBER),
            leads: (are(UNSEEN) | between(0xc0, 0xff)) & !solos,
            solos,
        };
        if masks.leads != 0 {
            know_more(&mut masks, between);
        }
        masks
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "AVX2 instructions, chosen where the machine has them")]
mod avx2 {
    use super::{BLOCK, WordMasks, know_more};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8,
        _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
        _mm256_storeu_si256,
    };

    pub(super) fn of(block: &[u8; BLOCK], mapped: &mut [u8; BLOCK], lower: bool) -> WordMasks {
        // SAFETY: only `Kernel::detect` makes a kernel that has AVX2, where it found it.
        unsafe { compiled(block, mapped, lower) }
    }

    /// All ones in each byte of `bytes` that is from `least` on to `most`, which may be behind 0xff.
    #[target_feature(enable = "avx2")]
    #[inline]
    #[expect(clippy::cast_possible_wrap, reason = "bytes as the instructions take them")]
    fn between(bytes: __m256i, least: u8, most: u8) -> __m256i {
        // Shifted so that `most` is the greatest signed byte: what is above wraps to below.
        let shifted = _mm256_add_epi8(bytes, _mm256_set1_epi8(127_u8.wrapping_sub(most) as i8));
        _mm256_cmpgt_epi8(
            shifted,
            _mm256_set1_epi8(126_u8.wrapping_sub(most.wrapping_sub(least)) as i8),
        )
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
            let shift = 32 * i;
            let mids = bits(mid);
            let solos = bits(between(bytes, 0xe5, 0xe9));
            masks.letters |= bits(between(_mm256_or_si256(bytes, blank), b'a', b'z')) << shift;
            masks.digits |= bits(between(bytes, b'0', b'9')) << shift;
            masks.joiners |= bits(equal(bytes, b'_')) << shift;
            masks.mid_letters |= (mids | bits(equal(bytes, b':'))) << shift;
            masks.mid_numbers |= (mids | bits(separator)) << shift;
            // Bytes from 0xc0 on, and on from 0xff those from 0 to 8.
            let leads = _mm256_or_si256(between(bytes, 0xc0, 0x08), between(bytes, 0x0e, 0x1b));
            let leads = _mm256_or_si256(leads, equal(bytes, 0x7f));
            masks.leads |= (bits(leads) & !solos) << shift;
            masks.solos |= solos << shift;
            let upper = if lower { between(bytes, b'A', b'Z') } else { _mm256_set1_epi8(0) };
            let written = _mm256_or_si256(bytes, _mm256_and_si256(upper, blank));
            // SAFETY: 32 bytes are written to an array of 32, whatever its alignment.
            unsafe { _mm256_storeu_si256(target.as_mut_ptr().cast(), written) };
        }
        if masks.leads != 0 {
            // SAFETY: as above.
            let [low, high] =
                [0, 1].map(|i| unsafe { _mm256_loadu_si256(halves[i].as_ptr().cast()) });
            know_more(&mut masks, |least, most| {
                bits(between(low, least, most)) | bits(between(high, least, most)) << 32
            });
        }
        masks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scanners::char_table::CharTable;
    use crate::text::case::Case;
    use crate::text::char_class::CharClass;
    use crate::text::form::TextForm;
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
        assert_eq!(bytes(|m| m.solos), [0xe5, 0xe6, 0xe7, 0xe8, 0xe9]);
        assert_eq!(
            bytes(|m| m.leads | m.solos),
            (0..=8).chain(0x0e..=0x1b).chain(0x7f..=0x7f).chain(0xc0..=0xff).collect::<Vec<_>>()
        );
    }

    /// Each byte by itself.
    fn slowly(block: &[u8; BLOCK], mapped: &mut [u8; BLOCK], lower: bool) -> WordMasks {
        let mut masks = portable(block, mapped, lower);
        know_more(&mut masks, |least, most| {
            let bytes = block.iter().rev();
            bytes.fold(0, |mask, byte| mask << 1 | u64::from((least..=most).contains(byte)))
        });
        masks
    }

    proptest! {
        #[test]
        fn a_kernel_knows_what_each_byte_tells(
            bytes in prop::collection::vec(
                prop_oneof![
                    any::<u8>(),
                    prop::sample::select(vec![0xc3, 0xce, 0xcf, 0xd0, 0xd1, 0xd8, 0xd9]),
                    prop::sample::select(vec![0xe3, 0xe4, 0x80, 0x81, 0x82, 0x83]),
                ],
                BLOCK,
            ),
            lower: bool,
        ) {
            let block = bytes.try_into().unwrap();
            for kernel in Kernel::all() {
                let (mut one, mut other) = ([0; BLOCK], [0; BLOCK]);
                let expected = if kernel.has_avx2() { slowly } else { portable };
                prop_assert_eq!(
                    WordMasks::of(kernel, &block, &mut one, lower),
                    expected(&block, &mut other, lower)
                );
                prop_assert_eq!(one, other);
            }
        }
    }

    #[test]
    fn characters_that_masks_know_are_what_they_are_under_every_form_and_case() {
        let mut tables = Vec::new();
        for form in TextForm::ALL {
            tables.extend([Case::Keep, Case::Lower, Case::Fold].map(|c| CharTable::new(form, c)));
        }
        let mut known = 0;
        for c in '\u{80}'..=char::MAX {
            let length = c.len_utf8();
            for at in [0, BLOCK - length] {
                let mut block = [b' '; BLOCK];
                c.encode_utf8(&mut block[at..]);
                let masks = slowly(&block, &mut [0; BLOCK], false);
                let all = u64::MAX >> (BLOCK - length) << at;
                let class = match masks {
                    WordMasks { leads: 0, solos: 0, letters, .. } if letters == all => {
                        CharClass::Letter
                    }
                    WordMasks { leads: 0, solos, letters: 0, .. } if solos == 1 << at => {
                        CharClass::Solo
                    }
                    WordMasks { leads, solos: 0, letters: 0, .. } if leads == 1 << at => continue,
                    _ => panic!("{c:?} {masks:?}"),
                };
                known += 1;
                assert!(class == CharClass::Letter || length == 3, "{c:?}");
                for table in &mut tables {
                    let facts = table.get(c);
                    assert_eq!(
                        (facts.class, facts.raw_class, facts.mapped),
                        (class, Some(class), None),
                        "{c:?}"
                    );
                }
            }
        }
        assert!(known > 2 * 0x5000, "{known}");
    }
}
