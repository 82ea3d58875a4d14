//! How the C library's heap keeps memory that was given back. Rust's own allocations go there.

/// Lets memory that is free go back to the system soon, so that one long document or a stage that is
/// over does not count as memory of the program until it ends.
///
/// By default the GNU library raises both thresholds to twice the largest block that was ever freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "a call of the C library")]
pub(crate) fn keep_little() {
    /// Blocks from this size on are mapped by themselves: twice what a batch has.
    const MAPPED: libc::c_int = 256 << 10;
    /// Free bytes at the end of a heap that are kept for what comes next.
    const KEPT: libc::c_int = 256 << 10;
    // SAFETY: called before any other thread is there, with parameters that the library knows; what
    // it does not know it ignores.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
}

/// Other libraries are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn keep_little() {}
