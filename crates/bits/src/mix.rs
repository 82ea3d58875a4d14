//! The mixer of 64 bits that features, buckets and checksums share.

/// The finaliser of MurmurHash3: a bijection in which every input bit moves every output bit.
///
/// # Examples
/// ```
/// assert_eq!(nearprint_bits::mix64(0), 0);
/// assert_eq!(nearprint_bits::mix64(1), 0xb456_bcfc_34c2_cb2c);
/// ```
#[inline]
#[must_use]
pub const fn mix64(mut h: u64) -> u64 {
    h ^= h >> 33;
    h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
    h ^= h >> 33;
    h = h.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ h >> 33
}
