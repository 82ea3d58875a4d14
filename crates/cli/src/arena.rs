//! How freed memory is used again.
#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "a setting of the C library")
)]

/// Lets threads share what any of them freed. The threads of a store hand each other all that they
/// allocate: with eight arenas a core, as glibc has it, or with two, twice the memory is held in the end,
/// and with a single one they wait for each other.
pub(crate) fn share() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let arenas = libc::c_int::try_from(cores).unwrap_or(libc::c_int::MAX);
        // SAFETY: the call takes two numbers and no memory, and glibc allows it at any time.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, arenas) };
    }
}
