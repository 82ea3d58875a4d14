//! Standard output. The library's own takes a closed one for one that takes everything.

use std::io::{self, Write};

/// Standard output as it is: what cannot be written is an error.
pub(crate) struct Stdout;

/// Writes all of these bytes to standard output, and tells where that is closed.
///
/// # Errors
///
/// The system's.
///
/// # Examples
///
/// ```
/// nearprint_corpus::write_stdout(b"a row\n")?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    Stdout.write_all(bytes)
}

impl Write for Stdout {
    #[cfg(unix)]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        use std::fs::File;
        use std::os::fd::AsFd;
        // What waits in the library's own comes first.
        let mut stdout = io::stdout().lock();
        stdout.flush()?;
        File::from(stdout.as_fd().try_clone_to_owned()?).write(bytes)
    }

    #[cfg(not(unix))]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut stdout = io::stdout().lock();
        let count = stdout.write(bytes)?;
        stdout.flush()?;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
