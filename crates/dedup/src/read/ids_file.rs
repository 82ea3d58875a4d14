//! The ids of raw words, in a file beside them: one a line, as JSON.

use crate::error::Error;
use crate::numbers::RecordNumber;
use crate::read::ids::Ids;
use nearprint_corpus::{ReadOptions, Reader, Source};
use serde_json::value::RawValue;
use std::path::PathBuf;

impl Ids {
    /// Reads the ids of `words` raw fingerprints, in their order, without those of the records
    /// `left_out`, which ascend. A line is a string in quotes or a number, as `jq -c .id` prints it.
    ///
    /// # Complexity
    /// Linear; holds the ids and 8 bytes each.
    ///
    /// # Errors
    /// [`Error::IdLine`]; [`Error::IdsCount`] if there are more or fewer ids than fingerprints; a file
    /// that cannot be read.
    ///
    /// # Examples
    /// ```
    /// use nearprint_corpus::{InputFormat, discover};
    /// use nearprint_dedup::{DocumentNumber, Error, Ids, RecordNumber};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("ids.jsonl");
    /// std::fs::write(&path, "\"a\"\n\"b\"\n17\n")?;
    /// let file = discover(&[&path], Some(InputFormat::JSONL))?.remove(0);
    /// let ids = Ids::beside(&file, 3, &[RecordNumber(1)])?;
    /// assert_eq!(ids.json(DocumentNumber(1)), "17");
    /// assert!(matches!(Ids::beside(&file, 4, &[]), Err(Error::IdsCount { ids: 3, words: 4, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn beside(file: &Source, words: u64, left_out: &[RecordNumber]) -> Result<Self, Error> {
        let (mut ids, mut read) = (Self::listed(), 0);
        let mut left_out = left_out.iter().peekable();
        for batch in Reader::new(std::slice::from_ref(file), ReadOptions::default()) {
            for record in batch?.records() {
                let raw = record.raw();
                let Some(id) = id(&raw) else {
                    let shown = String::from_utf8_lossy(raw.get(..SHOWN).unwrap_or(&raw));
                    let (place, found) = (record.place(), shown.trim_end().to_owned());
                    return Err(Error::IdLine { place, found });
                };
                if left_out.next_if(|record| record.0 == read).is_none() && read < words {
                    ids.push(id);
                }
                read += 1;
            }
        }
        if read != words {
            let path = PathBuf::from(file.name());
            return Err(Error::IdsCount { path, ids: read, words });
        }
        Ok(ids)
    }
}

/// Bytes of a wrong line that a message shows.
const SHOWN: usize = 60;

/// The id of a line, as it stands there.
fn id(line: &[u8]) -> Option<&str> {
    let id = serde_json::from_slice::<&RawValue>(line).ok()?.get();
    id.starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit())
        .then_some(id)
}
