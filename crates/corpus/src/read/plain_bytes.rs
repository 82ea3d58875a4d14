//! How many bytes a file has whose records are read as they stand in it.

use crate::format::InputFormat;
use crate::records::decoder::Decoder;
use crate::records::source::Source;
use std::path::Path;
use std::sync::Arc;

impl Source {
    /// Bytes of a file whose records are in it as they are read; none where they may be longer than it: of what is compressed,
    /// in another character set, or in columns, and of archives, whose records may be packed each by itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::Source;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("a.jsonl").display().to_string();
    /// std::fs::write(&path, "{\"text\":\"one\"}\n")?;
    /// assert_eq!(Source::named(&path, None).plain_bytes(), Some(15));
    /// std::fs::write(&path, "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n")?;
    /// assert_eq!(Source::named(&path, None).plain_bytes(), None);
    /// std::fs::write(&path, b"\xff\xfea\0")?;
    /// assert_eq!(Source::named(&path, None).plain_bytes(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn plain_bytes(&self) -> Option<u64> {
        let file = self.plain_file()?;
        let is_plain = Decoder::open(self, Arc::default()).ok()?.plain_head().is_some();
        let is_columns = InputFormat::of_columns(&self.magic().ok()?).is_some();
        let told = [
            InputFormat::of_name(Path::new(self.name())),
            InputFormat::of_content(&self.decoded_head().ok()?),
        ];
        let is_archive = told.into_iter().flatten().any(InputFormat::is_archive);
        let bytes = file.metadata().ok()?.len();
        (is_plain && !is_columns && !is_archive).then_some(bytes)
    }
}
