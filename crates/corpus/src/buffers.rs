//! Memory of batches that are done with, for those to come.

use std::mem;
use std::sync::{Mutex, PoisonError};

/// Most buffers that wait: more than are ever under way on a large machine.
const MOST: usize = 256;

/// Buffers that go from the reader to the batches and back, so that the system is not asked for
/// each. One that grew for a long record does not come back.
#[derive(Debug)]
pub(crate) struct Buffers {
    free: Mutex<Vec<Vec<u8>>>,
    /// Bytes that most of them have room for.
    bytes: usize,
}

impl Buffers {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { free: Mutex::default(), bytes }
    }

    /// An empty buffer with room for so many bytes.
    pub(crate) fn take(&self, bytes: usize) -> Vec<u8> {
        let mut buffer = self.take_used(bytes).unwrap_or_else(|| Vec::with_capacity(bytes));
        buffer.clear();
        buffer
    }

    /// A buffer of so many bytes, whatever these are.
    pub(crate) fn take_long(&self, bytes: usize) -> Vec<u8> {
        let new = || Vec::with_capacity(bytes.max(self.bytes));
        let mut buffer = self.take_used(bytes).unwrap_or_else(new);
        buffer.resize(bytes, 0);
        buffer
    }

    /// One that waits, whatever is in it, where it has room for so many bytes.
    fn take_used(&self, bytes: usize) -> Option<Vec<u8>> {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if bytes <= self.bytes { free() } else { None }
    }

    /// Takes back what nobody reads any more.
    pub(crate) fn give(&self, buffer: &mut Vec<u8>) {
        let buffer = mem::take(buffer);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if buffer.capacity() == self.bytes && free.len() < MOST {
            free.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_of_the_usual_size_comes_back_empty() {
        let buffers = Buffers::new(64);
        let mut buffer = buffers.take(64);
        let place = buffer.as_ptr();
        buffer.extend([1; 64]);
        buffers.give(&mut buffer);
        let again = buffers.take(64);
        assert_eq!((again.as_ptr(), again.len()), (place, 0));
        buffers.give(&mut vec![0; 65]);
        assert!(buffers.free.lock().unwrap().is_empty());
        assert!(buffers.take(200).capacity() >= 200);
        // A part of a file fills most of one, and comes back all the same.
        let mut part = buffers.take_long(60);
        let place = part.as_ptr();
        assert_eq!(part, [0; 60]);
        buffers.give(&mut part);
        let again = buffers.take_long(64);
        assert_eq!((again.as_ptr(), again.len()), (place, 64));
    }
}
