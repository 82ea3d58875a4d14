//! What the tables of a join cost, in nanoseconds: measured figures, for uniform codes on one thread.
//!
//! Choosing tables by their cost is the work of [`crate::tables::join_tables`].

/// Nanoseconds to group one code of one word with those equal to it. Measured.
const GROUP: f64 = 32.0;
/// Nanoseconds a further word of a code adds to [`GROUP`]. Measured.
const GROUP_WORD: f64 = 8.0;
/// Nanoseconds to bring one code of one word into its bucket of one table. Measured.
const MOVE: f64 = 9.0;
/// Nanoseconds a further word of a code adds to [`MOVE`]. Measured.
const MOVE_WORD: f64 = 3.0;
/// Nanoseconds to compare one word with another in a row of codes. Measured.
const COMPARE: f64 = 0.2;
/// Nanoseconds to compare a code of a short bucket alone. Measured.
const COMPARE_ONE: f64 = 1.5;
/// Nanoseconds to enter one bucket of one table by a query, out of cache. Measured.
const PROBE: f64 = 60.0;
/// Comparisons that take as long as starting a row of them. Measured.
const ROW: f64 = 40.0;
/// Codes of the largest bucket that is compared side by side with others.
const SIDE_BY_SIDE: f64 = 24.0;
/// Nanoseconds to make the key of a streamed code and ask a filter that stays in cache. Measured.
const FILTER: f64 = 2.0;
/// Nanoseconds that each doubling of the filter beyond [`CACHED`] adds. Measured.
const FILTER_FAR: f64 = 2.3;
/// Bits of a key whose filter stays in cache beside the stream, as a power of two.
const CACHED: f64 = 20.0;
/// Nanoseconds to enter a bucket after the filter let the streamed code pass. Measured.
const PASS: f64 = 50.0;

/// Nanoseconds to group `n` documents by fingerprints of `words` words.
pub(crate) fn group(words: f64, n: f64) -> f64 {
    n * (GROUP + GROUP_WORD * (words - 1.0))
}

/// Nanoseconds to join `n` codes of `words` words in the table of a prefix of `bits` bits.
pub(crate) fn join_table(words: f64, n: f64, bits: u32) -> f64 {
    let bucket = bucket(n, bits);
    // Small buckets are compared side by side as far as the largest of them reaches, others each by
    // itself, with some effort for every row.
    let compared = if bucket < SIDE_BY_SIDE {
        (bucket + 3.0 * bucket.sqrt() + 2.0).min(SIDE_BY_SIDE)
    } else {
        bucket / 2.0 + ROW
    };
    n * (MOVE + MOVE_WORD * (words - 1.0) + compared * COMPARE * words)
}

/// Nanoseconds to join `n` codes of `words` words by comparing each with all.
pub(crate) fn join_everything(words: f64, n: f64) -> f64 {
    n * n / 2.0 * COMPARE * words
}

/// Nanoseconds that a query takes among `n` codes of `words` words in the table of a prefix of `bits`
/// bits.
pub(crate) fn search_table(words: f64, n: f64, bits: u32) -> f64 {
    PROBE + bucket(n, bits) * COMPARE * words
}

/// Nanoseconds that a streamed code takes among `n` queries of `words` words in the table of a prefix
/// of `bits` bits.
pub(crate) fn stream_table(words: f64, n: f64, bits: u32) -> f64 {
    let (bucket, bits) = (bucket(n, bits), f64::from(bits));
    let passing = 1.0 - (-n / bits.exp2()).exp();
    let compare = (bucket * COMPARE_ONE).min(12.0 * COMPARE_ONE + bucket * COMPARE) * words;
    FILTER + FILTER_FAR * (bits - CACHED).max(0.0) + passing * (PASS + compare)
}

/// Nanoseconds to compare one code with `n` codes of `words` words.
pub(crate) fn compare_all(words: f64, n: f64) -> f64 {
    n * COMPARE * words
}

/// The mean number of codes in a bucket, of `n` codes in the table of a prefix of `bits` bits. A table
/// has no more buckets than codes.
fn bucket(n: f64, bits: u32) -> f64 {
    let enough = n.max(1.0).log2().floor();
    n / f64::from(bits).min(enough).exp2()
}
