//! Pointers of Git LFS: what a clone has in the place of each file that was not fetched.

#![deny(clippy::indexing_slicing)]

use crate::error::Error;
use crate::records::source::Source;
use std::io::Read;

/// Bytes of the longest.
///
/// # References
///
/// Git LFS Specification, "The Pointer": less than 1,024.
const LONGEST: usize = 1024;

/// The line that one begins with, and what the keys of the next are.
///
/// # References
///
/// Git LFS Specification, "The Pointer": `version` comes first, and the other keys in their order.
const VERSION: &[u8] = b"version https://git-lfs.github.com/spec/v1";
const KEYS: [&[u8]; 2] = [b"ext-", b"oid "];

impl Source {
    /// Fails where a file is a pointer that begins with `head` and goes on with `bytes`. Of these some are read into the
    /// head where that may begin one.
    ///
    /// # Errors
    ///
    /// [`Error::Pointer`], and [`Error::Read`].
    pub(crate) fn refuse_pointer(
        &self,
        head: &mut Vec<u8>,
        bytes: &mut impl Read,
    ) -> Result<(), Error> {
        if head.is_empty() || !VERSION.starts_with(head) {
            return Ok(());
        }
        // One more tells a text that begins so and is longer.
        let read = bytes.take(LONGEST as u64 + 1).read_to_end(head);
        read.map_err(|source| Error::Read { path: self.name().to_owned(), source })?;
        let next = head.strip_prefix(VERSION).map(<[u8]>::trim_ascii_start).unwrap_or_default();
        match head.len() <= LONGEST && KEYS.iter().any(|key| next.starts_with(key)) {
            true => Err(Error::Pointer { path: self.name().to_owned() }),
            false => Ok(()),
        }
    }
}
