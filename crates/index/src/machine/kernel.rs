//! Comparing many fingerprints at once: one body, compiled for each instruction set that pays.
//!
//! The unsafe code here calls functions compiled for features that this machine has, by detection.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "functions with target features are entered here, after detection"
    )
)]

use nearprint_bits::Fingerprint;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_mm512_cmple_epu64_mask, _mm512_loadu_epi64, _mm512_set1_epi64};

/// The most codes that one comparison takes: one bit of its answer each.
pub(crate) const LANES: usize = 64;
/// Codes that are compared at once: words in the widest register.
const STEP: usize = 8;

/// The instruction set to compare with; made by detection only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel(Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// The widest instruction set of this machine.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            let avx512 =
                is_x86_feature_detected!("avx512vpopcntdq") && is_x86_feature_detected!("avx512f");
            match (avx2, avx512) {
                (true, true) => return Self(Level::Avx512),
                (true, false) => return Self(Level::Avx2),
                (false, _) => {}
            }
        }
        Self(Level::Portable)
    }

    /// Bit `j` tells whether `codes[j]` is within `k` bits of `query`; codes beyond the first 64
    /// are left out.
    #[inline]
    pub(crate) fn row<const WORDS: usize>(
        self,
        query: &Fingerprint<WORDS>,
        codes: &[Fingerprint<WORDS>],
        k: u32,
    ) -> u64 {
        match self.0 {
            Level::Portable => row(query, codes, |distances| within(distances, k)),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `detect` makes this level only where the machine has the features.
            Level::Avx2 => unsafe { row_avx2(query, codes, k) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `detect` makes this level only where the machine has the features.
            Level::Avx512 => unsafe { row_avx512(query, codes, k) },
        }
    }

    /// Bit `j` tells whether `a[j]` and `b[j]` are within `k` bits of each other; what lies beyond
    /// the shorter of the two, or beyond the first 64, is left out.
    #[inline]
    pub(crate) fn zip<const WORDS: usize>(
        self,
        a: &[Fingerprint<WORDS>],
        b: &[Fingerprint<WORDS>],
        k: u32,
    ) -> u64 {
        match self.0 {
            Level::Portable => zip(a, b, |distances| within(distances, k)),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `detect` makes this level only where the machine has the features.
            Level::Avx2 => unsafe { zip_avx2(a, b, k) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `detect` makes this level only where the machine has the features.
            Level::Avx512 => unsafe { zip_avx512(a, b, k) },
        }
    }

    /// Runs `work` compiled for this kernel's instructions. `work` and all hot code in it must be
    /// `#[inline(always)]`: a function called out of line has the instructions of every machine.
    #[inline]
    pub(crate) fn run<R>(self, work: impl FnOnce() -> R) -> R {
        match self.0 {
            Level::Portable => work(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `detect` makes these levels only where the machine has the features.
            Level::Avx2 | Level::Avx512 => unsafe { run_avx2(work) },
        }
    }
}

/// As [`Kernel::run`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn run_avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// The positions of the bits set in `mask`, ascending.
#[inline]
pub(crate) fn positions(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let position = (mask != 0).then_some(mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        position
    })
}

/// As [`Kernel::row`], where `within` tells which distances are at most `k`.
#[inline(always)]
fn row<const WORDS: usize>(
    query: &Fingerprint<WORDS>,
    codes: &[Fingerprint<WORDS>],
    within: impl Fn(&[u64; STEP]) -> u64,
) -> u64 {
    let (steps, rest) = codes[..codes.len().min(LANES)].as_chunks::<STEP>();
    let mut mask = 0;
    for (at, step) in steps.iter().enumerate() {
        mask |= within(&distances(step.iter().map(|code| (query, code)))) << (STEP * at);
    }
    if !rest.is_empty() {
        let rest = rest.iter().map(|code| (query, code));
        mask |= within(&distances_of_rest(rest)) << (STEP * steps.len());
    }
    mask
}

/// As [`Kernel::zip`], where `within` tells which distances are at most `k`.
#[inline(always)]
fn zip<const WORDS: usize>(
    a: &[Fingerprint<WORDS>],
    b: &[Fingerprint<WORDS>],
    within: impl Fn(&[u64; STEP]) -> u64,
) -> u64 {
    let count = a.len().min(b.len()).min(LANES);
    let ((a, a_rest), (b, b_rest)) =
        (a[..count].as_chunks::<STEP>(), b[..count].as_chunks::<STEP>());
    let mut mask = 0;
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        mask |= within(&distances(a.iter().zip(b))) << (STEP * at);
    }
    if !a_rest.is_empty() {
        mask |= within(&distances_of_rest(a_rest.iter().zip(b_rest))) << (STEP * a.len());
    }
    mask
}

/// The Hamming distances of as many pairs as are compared at once. Word by word, so that lanes of words stay lanes.
#[inline(always)]
fn distances<'a, const WORDS: usize>(
    pairs: impl Iterator<Item = (&'a Fingerprint<WORDS>, &'a Fingerprint<WORDS>)> + Clone,
) -> [u64; STEP] {
    let mut distances = [0; STEP];
    for word in 0..WORDS {
        for (distance, (a, b)) in distances.iter_mut().zip(pairs.clone()) {
            *distance += u64::from((a.words()[word] ^ b.words()[word]).count_ones());
        }
    }
    distances
}

/// The Hamming distances of fewer pairs; the greatest number beyond them.
#[inline(always)]
fn distances_of_rest<'a, const WORDS: usize>(
    pairs: impl Iterator<Item = (&'a Fingerprint<WORDS>, &'a Fingerprint<WORDS>)>,
) -> [u64; STEP] {
    let mut distances = [u64::MAX; STEP];
    for (distance, (a, b)) in distances.iter_mut().zip(pairs) {
        *distance = u64::from(a.distance(b));
    }
    distances
}

/// Bit `j` tells whether `distances[j]` is at most `k`.
#[inline(always)]
fn within(distances: &[u64; STEP], k: u32) -> u64 {
    let mut mask = 0;
    for (j, distance) in distances.iter().enumerate() {
        mask |= u64::from(*distance <= u64::from(k)) << j;
    }
    mask
}

/// As [`within`]. The compiler would make that masked loads of constants: where no distance is small, such a load reads
/// nothing, so it never has the page of the constants mapped, and takes 300 ns each time as long as nobody else does.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
#[inline]
fn within_avx512(distances: &[u64; STEP], k: u32) -> u64 {
    // SAFETY: the distances are as many bytes as a register has.
    let distances = unsafe { _mm512_loadu_epi64(distances.as_ptr().cast()) };
    u64::from(_mm512_cmple_epu64_mask(distances, _mm512_set1_epi64(i64::from(k))))
}

/// Compiles `row` and `zip` once more, for a set of features.
#[cfg(target_arch = "x86_64")]
macro_rules! compile {
    ($features:literal, $within:ident, $row:ident, $zip:ident) => {
        #[target_feature(enable = $features)]
        fn $row<const WORDS: usize>(
            query: &Fingerprint<WORDS>,
            codes: &[Fingerprint<WORDS>],
            k: u32,
        ) -> u64 {
            row(query, codes, |distances| $within(distances, k))
        }

        #[target_feature(enable = $features)]
        fn $zip<const WORDS: usize>(
            a: &[Fingerprint<WORDS>],
            b: &[Fingerprint<WORDS>],
            k: u32,
        ) -> u64 {
            zip(a, b, |distances| $within(distances, k))
        }
    };
}

#[cfg(target_arch = "x86_64")]
compile!("avx2,popcnt", within, row_avx2, zip_avx2);
#[cfg(target_arch = "x86_64")]
compile!("avx512f,avx512vpopcntdq,popcnt", within_avx512, row_avx512, zip_avx512);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every kernel that this machine can run.
    fn kernels() -> Vec<Kernel> {
        let mut kernels = vec![Kernel(Level::Portable), Kernel::detect()];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            kernels.push(Kernel(Level::Avx2));
        }
        kernels
    }

    fn agree<const WORDS: usize>(words: &[u64], k: u32) -> Result<(), TestCaseError> {
        let (chunks, _) = words.as_chunks::<WORDS>();
        let codes: Vec<_> = chunks.iter().map(|words| Fingerprint::from_words(*words)).collect();
        let Some((query, rest)) = codes.split_first() else { return Ok(()) };
        let expected = |pairs: &mut dyn Iterator<Item = u32>| {
            pairs.take(64).enumerate().map(|(j, d)| u64::from(d <= k) << j).sum::<u64>()
        };
        let row = expected(&mut rest.iter().map(|code| query.distance(code)));
        let zip = expected(&mut rest.iter().zip(&codes).map(|(a, b)| a.distance(b)));
        for kernel in kernels() {
            prop_assert_eq!(kernel.row(query, rest, k), row, "{:?}", kernel);
            prop_assert_eq!(kernel.zip(rest, &codes, k), zip, "{:?}", kernel);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn every_kernel_answers_alike(words in prop::collection::vec(any::<u64>(), 0..300), k in 20_u32..140) {
            agree::<1>(&words, k / 2)?;
            agree::<2>(&words, k)?;
            agree::<4>(&words, k)?;
        }

        #[test]
        fn positions_are_the_bits_set(mask: u64) {
            prop_assert_eq!(positions(mask).map(|j| 1 << j).sum::<u64>(), mask);
            prop_assert!(positions(mask).is_sorted());
        }
    }
}
