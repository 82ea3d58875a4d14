//! White space of a text as single blanks, and ASCII in lower case.

use crate::kernel::{Compiled, Kernel};
use crate::scanners::byte_masks::{BLOCK, blanks, is_blank, wide_blanks};

/// Bytes that the output needs beyond the length of the text: whole blocks are written.
pub(crate) const SLACK: usize = BLOCK;

/// Copies `text` to `out`, every run of white space as one blank, none where one is before.
/// Gives the bytes written, and whether the last is a blank.
pub(crate) struct Squeeze<'a> {
    pub(crate) kernel: Kernel,
    pub(crate) text: &'a [u8],
    /// Whether ASCII letters become small.
    pub(crate) lower: bool,
    /// Whether a blank stands before the text, or nothing.
    pub(crate) after_blank: bool,
    pub(crate) out: &'a mut [u8],
}

impl Compiled for Squeeze<'_> {
    type Output = (usize, bool);

    #[inline(always)]
    fn run(self) -> (usize, bool) {
        let Self { kernel, text, lower, after_blank, out } = self;
        let mut before = u64::from(after_blank);
        let mut written = 0;
        // What white space beyond ASCII the last block began.
        let mut spilled = 0;
        for base in (0..text.len()).step_by(BLOCK) {
            let own = BLOCK.min(text.len() - base);
            let mut last = [0; 2 * BLOCK];
            let window = text.get(base..).and_then(<[u8]>::first_chunk).unwrap_or_else(|| {
                let rest = &text[base..];
                last[..rest.len()].copy_from_slice(rest);
                &last
            });
            let [two, three] = window.first_chunk().map_or([0; 2], |w| wide_blanks(kernel, w));
            let wide = two | three;
            let narrow = window.first_chunk().map_or(0, |block| blanks(kernel, block));
            let blanks = narrow | wide | wide << 1 | three << 2 | spilled;
            spilled = wide >> 63 | three >> 62;
            let mut kept = u64::MAX >> (BLOCK - own) & !(blanks & (blanks << 1 | before));
            before = blanks >> (own - 1) & 1;
            while kept != 0 {
                let start = kept.trailing_zeros();
                let run = (kept >> start).trailing_ones();
                // The lowest run is carried out of the mask, or away.
                kept &= kept.wrapping_add(1 << start);
                let ends_wide = wide >> (start + run - 1) & 1 == 1;
                // Whole blocks: what is too much is written over.
                let start = start as usize;
                out[written..written + BLOCK].copy_from_slice(&window[start..start + BLOCK]);
                written += run as usize;
                if ends_wide {
                    out[written - 1] = b' ';
                }
            }
        }
        for byte in &mut out[..written] {
            let capital = lower & (byte.wrapping_sub(b'A') < 26);
            *byte = if is_blank(*byte) { b' ' } else { *byte | u8::from(capital) << 5 };
        }
        (written, before == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_of_white_space_become_blanks(
            text in "([ \t\n\r\u{b}\u{c}\u{1c}aZ@\\[é]|[\u{85}\u{a0}\u{1680}\u{2003}\u{3000}〃上]|[a-z]{1,90}){0,60}",
            after_blank: bool,
            lower: bool,
        ) {
            let mut expected = String::new();
            let mut before = after_blank;
            for c in text.chars() {
                let blank = c.is_whitespace();
                if !(blank && before) {
                    expected.push(if blank { ' ' } else if lower { c.to_ascii_lowercase() } else { c });
                }
                before = blank;
            }
            for kernel in Kernel::all() {
                let mut out = vec![7; text.len() + SLACK];
                let squeeze = Squeeze { kernel, text: text.as_bytes(), lower, after_blank, out: &mut out };
                let (written, blank) = kernel.run(squeeze);
                prop_assert_eq!(&out[..written], expected.as_bytes());
                prop_assert_eq!(blank, before);
            }
        }
    }
}
