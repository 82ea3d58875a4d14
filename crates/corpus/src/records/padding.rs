//! What stands behind the members of gzip, and the streams of bzip2 and xz.

use std::io::{self, BufRead};

/// Passes over zeros, with which tapes are padded; returns whether more data follow, which begin with `first`. `data` is
/// what they are.
///
/// # Errors
///
/// [`io::ErrorKind::InvalidData`] where something else follows.
pub(crate) fn goes_on(disk: &mut impl BufRead, first: u8, data: &str) -> io::Result<bool> {
    loop {
        let bytes = disk.fill_buf()?;
        let zeros = bytes.iter().position(|byte| *byte != 0);
        let (is_end, next) = (bytes.is_empty(), zeros.and_then(|at| bytes.get(at)).copied());
        let passed = zeros.unwrap_or(bytes.len());
        disk.consume(passed);
        match next {
            None if is_end => return Ok(false),
            None => {}
            Some(byte) if byte == first => return Ok(true),
            Some(_) => {
                let told =
                    format!("the data are complete, but followed by bytes that are not {data}");
                return Err(io::Error::new(io::ErrorKind::InvalidData, told));
            }
        }
    }
}
