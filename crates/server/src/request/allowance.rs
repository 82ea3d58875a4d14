//! The memory that the bodies of requests may take, all together. A body takes its share before it grows.

use crate::request::problem::{Kind, Problem};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes that every body may have. Most bodies have fewer.
pub(crate) const FREE: usize = 16 << 10;
/// Bytes of a place.
const PLACE: usize = 4 << 10;
/// A body is held, and what is read of it.
const COPIES: usize = 2;
/// Of the memory that the store may hold, the part that is for bodies.
const PART: usize = 4;
/// Bodies of the largest size that find room in any case.
const LARGEST: usize = 2;

/// The memory of all bodies.
#[derive(Clone)]
pub(crate) struct Allowance(Arc<Semaphore>);

/// The memory of one body, which is given back when this is dropped.
pub(crate) struct Share {
    of: Arc<Semaphore>,
    taken: Option<OwnedSemaphorePermit>,
}

impl Allowance {
    /// A part of the memory that the store may hold; at least what some bodies of at most so many bytes take.
    pub(crate) fn new(memory: usize, max_body: usize) -> Self {
        let least = max_body.saturating_mul(COPIES * LARGEST);
        let places = (memory / PART).max(least).div_ceil(PLACE).min(Semaphore::MAX_PERMITS);
        Self(Arc::new(Semaphore::new(places)))
    }

    /// The share of a body that has no bytes yet.
    pub(crate) fn share(&self) -> Share {
        Share { of: Arc::clone(&self.0), taken: None }
    }
}

impl Share {
    /// Takes what a body of so many bytes needs beyond what it took before.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), Problem> {
        let needed = bytes.saturating_sub(FREE).saturating_mul(COPIES).div_ceil(PLACE);
        let taken = self.taken.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let Some(more) = needed.checked_sub(taken).filter(|more| *more > 0) else { return Ok(()) };
        let more = u32::try_from(more).ok();
        let more = more.and_then(|more| Arc::clone(&self.of).try_acquire_many_owned(more).ok());
        let more = more.ok_or_else(|| {
            Problem::new(
                Kind::Busy,
                "too many large bodies are under way: send this one again later",
            )
        })?;
        match &mut self.taken {
            Some(taken) => taken.merge(more),
            None => self.taken = Some(more),
        }
        Ok(())
    }
}

/// Bytes with the share of the body that they are.
pub(crate) struct Held {
    pub(crate) bytes: Vec<u8>,
    pub(crate) _share: Share,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_bodies_take_is_bounded_and_is_given_back() {
        let allowance = Allowance::new(64 << 20, 1 << 20);
        let mut shares: Vec<_> = (0..20).map(|_| allowance.share()).collect();
        let taken = shares.iter_mut().filter_map(|share| share.grow((1 << 20) + FREE).ok()).count();
        assert_eq!(taken, 8);
        let mut small = allowance.share();
        assert!(small.grow(FREE).is_ok() && small.grow(FREE + 1).is_err());
        drop(shares);
        // It grows step by step, and takes no more than it has in the end.
        (0..=7).for_each(|size| small.grow(FREE + (size << 20)).unwrap());
        assert!(small.grow(FREE + (9 << 20)).is_err());
        assert_eq!(allowance.0.available_permits(), (2 << 20) / PLACE);
    }

    #[test]
    fn the_largest_body_finds_room_in_the_least_memory() {
        let mut share = Allowance::new(0, 8 << 20).share();
        assert!(share.grow(8 << 20).is_ok());
    }
}
