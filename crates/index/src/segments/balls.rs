//! The buckets that a query looks at, worked out once for each radius and syndrome that occurs.

use crate::segments::bucket_code::{BucketCode, MAX_BALL_RADIUS};
use std::sync::OnceLock;

/// Lists of buckets around a word, kept as they are asked for.
#[derive(Debug)]
pub(crate) struct Balls {
    lists: Vec<OnceLock<Box<[u32]>>>,
    syndromes: usize,
}

impl Balls {
    pub(crate) fn new(code: &BucketCode) -> Self {
        let syndromes = code.syndromes();
        let lists = (0..=MAX_BALL_RADIUS as usize * syndromes + syndromes).map(|_| OnceLock::new());
        Self { lists: lists.collect(), syndromes }
    }

    /// What the numbers of the buckets within `radius` differ from the centre's own in; the own
    /// one, 0, is first.
    #[inline]
    pub(crate) fn get(&self, code: &BucketCode, radius: u32, syndrome: u32) -> &[u32] {
        if radius == 0 {
            return &[0];
        }
        let at = radius as usize * self.syndromes + syndrome as usize;
        assert!(at < self.lists.len(), "no buckets for radius {radius}, syndrome {syndrome}");
        self.lists
            .get(at)
            .map_or(&[], |list| list.get_or_init(|| code.ball(radius, syndrome).into_boxed_slice()))
    }
}
