//! What becomes of memory that was freed, in a run that may take so much of it.
#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "the allocator of the system is set by a call to it")
)]

/// Buffers of so many bytes go back to the system at once.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 256 << 10;

/// From now on large buffers go back to the system when they are freed.
///
/// glibc takes such buffers from the system one by one at first. With each that is freed it keeps larger ones for later,
/// up to 32 MiB, in a heap for each thread (mallopt(3), `M_MMAP_THRESHOLD`): so a process takes up to twice of what it
/// holds. Runs that free much take some 10 % more time for it.
pub(crate) fn return_large_buffers() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes two numbers, and may be called at any time.
    unsafe {
        // Where it is refused, memory is kept as by default.
        let _set = libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
