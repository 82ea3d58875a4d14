//! The lines of files of words: what all three kinds have in common. What a line says, each kind reads itself.

use crate::error::WordFileError;

/// The lines of `bytes` with their numbers from 1, without a byte order mark; the ends of lines stay.
///
/// Refuses more than `most` bytes, so that what a file takes in memory is bounded, and bytes that are not
/// UTF-8.
pub(crate) fn lines(
    bytes: &[u8],
    most: usize,
) -> Result<impl Iterator<Item = (usize, &str)>, WordFileError> {
    if bytes.len() > most {
        return Err(WordFileError::TooLarge { bytes: bytes.len() as u64, most: most as u64 });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        WordFileError::NotUtf8 { line, byte: error.valid_up_to() as u64 }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(text.split_inclusive('\n').enumerate().map(|(at, line)| (at + 1, line)))
}

/// A line as an error shows it: its start.
pub(crate) fn shown(line: &str) -> String {
    const MOST: usize = 60;
    let line = line.trim_end();
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}...", line.get(..at).unwrap_or_default()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_and_broken_bytes_are_placed() {
        let found: Vec<_> = lines("\u{feff}的\r\n\nb".as_bytes(), 99).unwrap().collect();
        assert_eq!(found, [(1, "的\r\n"), (2, "\n"), (3, "b")]);
        let error = lines(b"a\nbc\xff\n", 99).err().unwrap();
        assert_eq!(error, WordFileError::NotUtf8 { line: 2, byte: 4 });
        let error = lines(b"abc", 2).err().unwrap();
        assert_eq!(error, WordFileError::TooLarge { bytes: 3, most: 2 });
        assert_eq!(shown(&"字".repeat(99)), format!("{}...", "字".repeat(60)));
    }
}
