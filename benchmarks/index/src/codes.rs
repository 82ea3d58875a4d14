//! Files of codes: raw little-endian words.

use crate::args::Failure;
use nearprint_fingerprint::Fingerprint;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

/// The codes of a file, one after the other, without holding them. A file that cannot be read gives
/// none.
pub fn stream<const WORDS: usize>(path: &Path) -> impl Iterator<Item = Fingerprint<WORDS>> {
    let mut file = File::open(path).ok().map(|file| BufReader::with_capacity(1 << 20, file));
    std::iter::from_fn(move || {
        let mut words = [0; WORDS];
        let mut bytes = [0; 8];
        for word in &mut words {
            file.as_mut()?.read_exact(&mut bytes).ok()?;
            *word = u64::from_le_bytes(bytes);
        }
        Some(Fingerprint::from_words(words))
    })
}

/// All codes of a file.
pub fn read<const WORDS: usize>(path: &Path) -> Result<Vec<Fingerprint<WORDS>>, Failure> {
    let bytes = std::fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut codes = Vec::with_capacity(bytes.len() as usize / (8 * WORDS));
    codes.extend(stream::<WORDS>(path));
    Ok(codes)
}

/// Writes codes to a file, which appears when it is whole.
pub fn write<const WORDS: usize>(
    path: &Path,
    codes: impl Iterator<Item = Fingerprint<WORDS>>,
) -> Result<(), Failure> {
    let partial = path.with_extension("partial");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
    for code in codes {
        for word in code.words() {
            out.write_all(&word.to_le_bytes())?;
        }
    }
    out.into_inner()?.sync_all()?;
    Ok(std::fs::rename(partial, path)?)
}
