//! Whether a single feature decides every bit: it has more than half of all weight.

use crate::hashing::hash::widen;
use crate::kernel::{Compiled, Kernel};

/// Whether one of `weights` is more than half of their sum, signs aside.
#[must_use]
pub(crate) fn has_dominant(weights: impl Iterator<Item = f64>) -> bool {
    let (mut total, mut most) = (0.0, 0.0_f64);
    for weight in weights {
        total += weight.abs();
        most = most.max(weight.abs());
    }
    most > total - most
}

/// How many keys have exactly these bits; 0 where they cannot be the majority.
pub(crate) fn alike<const WORDS: usize>(
    kernel: Kernel,
    keys: &[u64],
    bits: &[u64; WORDS],
) -> usize {
    let first = bits[0];
    if widen(first) != *bits {
        return 0;
    }
    let (mut found, mut left) = (0, keys.len());
    for keys_here in keys.chunks(1024) {
        found += kernel.run(Equal { keys: keys_here, to: first });
        left -= keys_here.len();
        if 2 * (found + left) <= keys.len() {
            return 0;
        }
    }
    found
}

/// How many keys are equal to one.
struct Equal<'a> {
    keys: &'a [u64],
    to: u64,
}

impl Compiled for Equal<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        self.keys.iter().map(|&key| usize::from(key == self.to)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_half_dominates() {
        assert!(has_dominant([3.0, -1.0, 1.0].into_iter()));
        assert!(has_dominant([-3.0, 1.0].into_iter()));
        assert!(!has_dominant([2.0, 1.0, 1.0].into_iter()));
        assert!(has_dominant([0.5].into_iter()));
        assert!(!has_dominant(std::iter::empty()) && !has_dominant([0.0].into_iter()));
    }
}
