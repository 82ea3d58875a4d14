//! Matches that mean nothing: how many fingerprints of unrelated documents are near by chance.
//!
//! For uniform fingerprints only. The index cannot know what real fingerprints add.

/// If a query meets more chance matches than this, a wider fingerprint is better.
const MANY: f64 = 0.01;

/// Chance matches of uniform fingerprints of a width within a radius.
///
/// # Examples
/// ```
/// use nearprint_index::Chance;
///
/// let chance = Chance::new(64, 3);
/// assert!((chance.of_query(1 << 33) - 2.0e-5).abs() < 1e-6);
/// assert!(!chance.is_many(1 << 33) && Chance::new(64, 8).is_many(1 << 33));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    width: u32,
    k: u32,
    share: f64,
}

/// What to do about many chance matches.
///
/// # Examples
/// ```
/// use nearprint_index::Chance;
///
/// let remedy = Chance::new(64, 8).remedy(1 << 33);
/// assert!(remedy.closer.is_some_and(|k| !Chance::new(64, k).is_many(1 << 33)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The narrowest wider fingerprint with few chance matches at the same angle, and its radius.
    pub wider: Option<(u32, u32)>,
    /// The largest radius with few chance matches at the same width.
    pub closer: Option<u32>,
}

impl Chance {
    /// The chance that two uniform fingerprints of `width` bits are within `k`:
    /// the sum of `C(width, i)` for `i` up to `k`, over `2^width`.
    ///
    /// # Complexity
    /// `O(k)`.
    #[must_use]
    pub fn new(width: u32, k: u32) -> Self {
        let mut term = (-f64::from(width)).exp2();
        let mut share = term;
        for i in 0..k.min(width) {
            term *= f64::from(width - i) / f64::from(i + 1);
            share += term;
        }
        Self { width, k, share: share.min(1.0) }
    }

    /// Expected chance matches of a query among `documents`.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an expectation")]
    pub fn of_query(&self, documents: u64) -> f64 {
        documents as f64 * self.share
    }

    /// Expected chance pairs in a self join of `documents`.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an expectation")]
    pub fn of_join(&self, documents: u64) -> f64 {
        self.of_query(documents.saturating_sub(1)) / 2.0 * documents as f64
    }

    /// Whether more than one query of a hundred is expected to meet a chance match.
    #[must_use]
    pub fn is_many(&self, documents: u64) -> bool {
        self.of_query(documents) > MANY
    }

    /// What would make chance matches few among `documents`.
    #[must_use]
    pub fn remedy(&self, documents: u64) -> Remedy {
        let few = |width, k| !Self::new(width, k).is_many(documents);
        let wider = [128, 256].into_iter().filter(|width| *width > self.width);
        let mut wider = wider.map(|width| (width, self.k * (width / self.width)));
        Remedy {
            wider: wider.find(|(width, k)| few(*width, *k)),
            closer: (0..self.k).rev().find(|k| few(self.width, *k)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_as_many_as_the_binomials_say() {
        for (k, expected) in [(3, 2.04e-5), (6, 0.0387), (7, 0.328), (8, 2.39), (10, 86.0)] {
            let found = Chance::new(64, k).of_query(1 << 33);
            assert!((found / expected - 1.0).abs() < 0.02, "k = {k}: {found}");
        }
        assert!((Chance::new(64, 3).share * 64_f64.exp2() - 43_745.0).abs() < 1e-6);
        assert!((Chance::new(64, 64).share - 1.0).abs() < 1e-12);
        assert!((Chance::new(256, 256).share - 1.0).abs() < 1e-9);
        let join = Chance::new(64, 10).of_join(1 << 33);
        assert!((join / (86.0 * 8.59e9 / 2.0) - 1.0).abs() < 0.02, "{join}");
    }

    #[test]
    fn the_remedy_is_the_narrowest_width_that_helps() {
        let remedy = |width, k| Chance::new(width, k).remedy(1 << 33);
        assert_eq!(remedy(64, 8), Remedy { wider: Some((128, 16)), closer: Some(5) });
        assert_eq!(remedy(128, 24), Remedy { wider: Some((256, 48)), closer: Some(23) });
        assert_eq!(remedy(256, 120), Remedy { wider: None, closer: Some(72) });
    }
}
