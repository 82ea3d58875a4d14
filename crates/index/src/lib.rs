//! Exact Hamming search.
