//! Tokens to features: every run of `n` tokens is one. How often a feature counts is decided in
//! [`crate::vote::weight`].

use crate::hashing::hash::fold_multiply;
use crate::kernel::{Compiled, Kernel};

/// Keys of the shingle step: fractional digits of pi, as Blowfish takes them.
const LEFT: u64 = 0x243f_6a88_85a3_08d3;
const RIGHT: u64 = 0x1319_8a2e_0370_7344;

/// Longest shingle offered.
pub(crate) const MAX_SHINGLE: usize = 16;

/// The key of the features `left` followed by the token `right`; not symmetric.
///
/// `fold_multiply(left ^ LEFT, right ^ RIGHT)`, where the constants are the first 128 fractional
/// bits of pi.
#[inline]
#[must_use]
pub(crate) const fn append(left: u64, right: u64) -> u64 {
    fold_multiply(left ^ LEFT, right ^ RIGHT)
}

/// Calls `emit` with the key of every run of `n` tokens; fewer than `n` tokens are features by
/// themselves.
///
/// The key of a shingle is its first token's hash, each further one taken in by `append`; with
/// `n = 1` it is the hash itself.
///
/// # Complexity
/// `O(n)` multiplications a token, no memory.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::shingles;
///
/// let mut keys = Vec::new();
/// shingles(&[7, 8, 9], 2, |key| keys.push(key));
/// assert_eq!(keys.len(), 2);
/// ```
pub fn shingles(tokens: &[u64], n: usize, emit: impl FnMut(u64)) {
    if tokens.len() < n {
        tokens.iter().copied().for_each(emit);
    } else {
        tokens.windows(n).filter_map(|run| run.iter().copied().reduce(append)).for_each(emit);
    }
}

/// As [`shingles`], into `keys`, compiled for `kernel`.
pub(crate) fn keys_of(kernel: Kernel, tokens: &[u64], n: usize, keys: &mut Vec<u64>) {
    kernel.run(Shingles { tokens, n, keys });
}

/// Runs of one token more than are named, which stay in registers from run to run.
macro_rules! runs {
    ($tokens:ident, $keys:ident, $first:ident $($next:ident)*) => {
        let [$first, $($next,)* rest @ ..] = $tokens else { return };
        let [mut $first, $(mut $next),*] = [*$first, $(*$next),*];
        $keys.resize(rest.len(), 0);
        for (key, &last) in $keys.iter_mut().zip(rest) {
            *key = $first;
            $(*key = append(*key, $next);)*
            *key = append(*key, last);
            [$first, $($next),*] = [$($next,)* last];
        }
    };
}

struct Shingles<'a> {
    tokens: &'a [u64],
    n: usize,
    keys: &'a mut Vec<u64>,
}

impl Compiled for Shingles<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tokens, n, keys } = self;
        keys.clear();
        match n {
            _ if tokens.len() < n => keys.extend_from_slice(tokens),
            1 => keys.extend_from_slice(tokens),
            2 => {
                runs!(tokens, keys, a);
            }
            3 => {
                runs!(tokens, keys, a b);
            }
            4 => {
                runs!(tokens, keys, a b c);
            }
            5 => {
                runs!(tokens, keys, a b c d);
            }
            _ => shingles(tokens, n, |key| keys.push(key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(tokens: &[u64], n: usize) -> Vec<u64> {
        let mut out = Vec::new();
        shingles(tokens, n, |key| out.push(key));
        for kernel in Kernel::all() {
            let mut compiled = vec![7];
            keys_of(kernel, tokens, n, &mut compiled);
            assert_eq!(compiled, out);
        }
        out
    }

    #[test]
    fn every_run_is_a_feature() {
        assert_eq!(keys(&[1, 2, 3], 1), [1, 2, 3]);
        assert_eq!(keys(&[1, 2, 3], 2), [append(1, 2), append(2, 3)]);
        assert_eq!(keys(&[1, 2, 3], 3), [append(append(1, 2), 3)]);
        assert_ne!(append(1, 2), append(2, 1));
    }

    #[test]
    fn runs_of_every_length_are_joined_alike() {
        let tokens: Vec<_> = (0..40).collect();
        for n in 1..=MAX_SHINGLE {
            assert_eq!(keys(&tokens, n).len(), tokens.len() - n + 1);
        }
    }

    #[test]
    fn a_text_shorter_than_a_shingle_keeps_its_tokens() {
        assert_eq!(keys(&[1, 2], 3), [1, 2]);
        assert!(keys(&[], 3).is_empty());
    }
}
