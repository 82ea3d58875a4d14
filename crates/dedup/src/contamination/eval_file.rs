//! A file of an eval set with its version: what it is called, its bytes and their checksum.

use crate::error::Error;
use crate::progress::Progress;
use nearprint_corpus::Source;
use serde::{Deserialize, Serialize};
use std::io::Read;
use xxhash_rust::xxh3::Xxh3;

/// Bytes that are read at a time.
const TOGETHER: usize = 1 << 18;

/// A file of an eval set, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvalFile {
    /// The eval set that it is of.
    pub eval: String,
    /// What it is called.
    pub file: String,
    /// Its bytes, as they lie on disk.
    pub bytes: u64,
    /// XXH3 of these, of 128 bits, as `xxhsum -H128` prints it.
    pub xxh3: String,
    /// [How](nearprint_corpus::Dialect::name) it was read, where that is not the usual: the same bytes are other items then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
}

impl EvalFile {
    /// A file of a set of that name.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(crate) fn of(source: &Source, eval: &str, progress: &Progress) -> Result<Self, Error> {
        let failed =
            |error| nearprint_corpus::Error::Read { path: source.name().to_owned(), source: error };
        let (mut file, mut sum, mut bytes) = (source.open()?, Xxh3::new(), 0);
        let mut buffer = vec![0; TOGETHER];
        loop {
            let count = file.read(&mut buffer).map_err(failed)?;
            if count == 0 {
                break;
            }
            sum.update(&buffer[..count]);
            bytes += count as u64;
            progress.check()?;
        }
        let xxh3 = format!("{:032x}", sum.digest128());
        let dialect = source.dialect().name();
        Ok(Self { eval: eval.to_owned(), file: source.name().to_owned(), bytes, xxh3, dialect })
    }

    /// Whether both have the same bytes.
    pub(crate) fn has_bytes_of(&self, other: &Self) -> bool {
        (self.bytes, &self.xxh3) == (other.bytes, &other.xxh3)
    }
}

/// Of each source, whether it has the bytes of a file of the eval sets.
pub(crate) fn eval_files(
    sources: &[Source],
    evals: &[EvalFile],
    progress: &Progress,
) -> Result<Vec<bool>, Error> {
    let is_eval = |source: &Source| -> Result<bool, Error> {
        // Few files have as many bytes.
        if !evals.iter().any(|eval| Some(eval.bytes) == source.bytes()) {
            return Ok(false);
        }
        let own = EvalFile::of(source, "", progress)?;
        Ok(evals.iter().any(|eval| eval.has_bytes_of(&own)))
    };
    sources.iter().map(is_eval).collect()
}

/// The names of those that have.
pub(crate) fn names_of(sources: &[Source], eval_files: &[bool]) -> Vec<String> {
    let named = sources.iter().zip(eval_files).filter(|(_, is_eval)| **is_eval);
    named.map(|(source, _)| source.name().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_corpus::discover;
    use xxhash_rust::xxh3::xxh3_128;

    #[test]
    fn a_file_is_known_by_its_bytes_and_not_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let source = |name: &str, bytes: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            discover(&[path.display().to_string()], None).unwrap().remove(0)
        };
        let progress = Progress::default();
        let eval = EvalFile::of(&source("eval.jsonl", "one\n"), "set", &progress).unwrap();
        let expected = format!("{:032x}", xxh3_128(b"one\n"));
        assert_eq!((eval.eval.as_str(), eval.bytes, &eval.xxh3), ("set", 4, &expected));
        let corpus = [source("a", "one\n"), source("b", "two\n"), source("c", "one\none\n")];
        let are = eval_files(&corpus, &[eval], &progress).unwrap();
        assert_eq!(are, [true, false, false]);
        assert_eq!(names_of(&corpus, &are), [corpus[0].name()]);
    }
}
