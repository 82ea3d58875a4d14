//! Whether compressed data are damaged: what their checksums tell at the end, and records only by chance.

use crate::error::Error;
use crate::records::decoder::Decoder;
use crate::records::source::Source;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Decoded bytes that are looked at between two questions whether to go on.
const STEP: usize = 1 << 20;

impl Source {
    /// Reads compressed data to their end, and returns what is wrong with them: [`Error::Corrupt`],
    /// [`Error::Truncated`]. None where all is well, for plain bytes and streams, and where `go_on`
    /// breaks off.
    ///
    /// # Complexity
    ///
    /// One reading; a megabyte of memory beside the decoder's.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("a.jsonl.gz");
    /// // A whole member, and half of a second.
    /// std::fs::write(&path, b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0\x1f\x8b\x08")?;
    /// let source = nearprint_corpus::discover(&[path], None)?.remove(0);
    /// let damage = source.damage(|| ControlFlow::Continue(())).unwrap();
    /// assert_eq!(damage.reason(), "truncated");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn damage(&self, mut go_on: impl FnMut() -> ControlFlow<()>) -> Option<Error> {
        if self.is_stream() {
            return None;
        }
        let mut decoder = Decoder::open(self, Arc::default()).ok()?;
        if !decoder.is_compressed() {
            return None;
        }
        let mut bytes = Vec::with_capacity(STEP);
        while go_on().is_continue() {
            bytes.clear();
            match decoder.fill(&mut bytes, STEP) {
                Ok(false) => {}
                Ok(true) => return None,
                Err(error) => return Some(error),
            }
        }
        None
    }
}
