//! How freed memory is used again.
#![expect(unsafe_code, reason = "a setting of the C library")]

/// Lets all threads share what any of them freed. The threads of a store hand each other all that
/// they allocate; with an arena for each, as glibc has it, twice the memory is held in the end.
pub(crate) fn share() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call takes two numbers and no memory, and glibc allows it at any time.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}
