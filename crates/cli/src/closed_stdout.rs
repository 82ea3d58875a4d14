//! Standard output that is closed when the command begins. The runtime puts a device in its place that takes all
//! bytes and keeps none; what is written would be lost, and nobody told.
#![expect(unsafe_code, reason = "what runs before the runtime speaks to the system itself")]

/// Runs before the runtime looks at standard output.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_START: extern "C" fn() = occupy;

/// Puts what cannot be written in the place of standard output where that is closed.
extern "C" fn occupy() {
    // SAFETY: the calls take numbers and the address of a literal that ends in a zero. Nothing else runs yet.
    unsafe {
        if libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) != -1 {
            return;
        }
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY);
        if null >= 0 && null != libc::STDOUT_FILENO {
            libc::dup2(null, libc::STDOUT_FILENO);
            libc::close(null);
        }
    }
}
