//! How sources are read. Reading them is `reader`'s.

/// How sources are read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Decoded bytes a batch aims at; a longer record still comes whole. 256 KiB by default.
    pub batch_bytes: usize,
    /// Decoded bytes that a record may have, its line end included. A longer one is a record
    /// without bytes, whose parsing fails. 256 MB by default.
    pub max_record_bytes: usize,
    /// Whether whoever reads would take longer records, had they the memory. False by default.
    pub short_of_memory: bool,
    /// Whether records are handed over as soon as they are there, in batches of any size: for a
    /// stream whose writer waits for what becomes of them (of the first once ten bytes are there, which
    /// tell the compression). False by default.
    pub prompt: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            batch_bytes: 1 << 18,
            max_record_bytes: 256_000_000,
            short_of_memory: false,
            prompt: false,
        }
    }
}

impl ReadOptions {
    /// The same where there is memory for a record of so many bytes.
    #[must_use]
    pub fn with_memory_for(self, longest: usize) -> Self {
        match longest < self.max_record_bytes {
            true => Self { max_record_bytes: longest, short_of_memory: true, ..self },
            false => self,
        }
    }
}
