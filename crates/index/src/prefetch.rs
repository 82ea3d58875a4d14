//! Telling the processor which line comes next.
//!
//! The only unsafe code here is the instruction itself, which reads nothing that a program sees.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the prefetch instruction takes a pointer")
)]

/// Asks for the cache line that holds byte `at` of `bytes`; nothing beyond its end.
#[inline]
pub(crate) fn prefetch(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(byte) = bytes.get(at) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of every x86_64, and the address is that of a byte that exists.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _unused = (bytes, at);
}
