//! Telling the processor which line comes next.
//!
//! The only unsafe code here is the instruction itself, which reads nothing that a program sees.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the prefetch instruction takes a pointer")
)]

/// Asks for the cache line in which item `at` of `items` begins; nothing beyond their end.
#[inline]
pub(crate) fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = items.get(at) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of every x86_64, and the address is that of an item that exists.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _unused = (items, at);
}
