//! Files that wait for their names, to be read before they have them.

use crate::error::Error;
use crate::format::InputFormat;
use crate::printed::printed;
use crate::read::sniff::tell_format;
use crate::records::dialect::Dialect;
use crate::records::source::{Origin, Source};
use crate::write::finished::{Data, Finished};
use std::fs;
use std::path::Path;

impl Finished {
    /// The files as sources in a dialect, called by the names that they will have: that of the output at `path`, or below
    /// it. `None` where a store has some, which shows none before it is [published](crate::publish).
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{Dialect, OutputOptions, Outputs, ReadOptions, Reader};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("out.jsonl");
    /// let mut output = Outputs::new(&[], OutputOptions::default()).create(&path)?;
    /// output.write_record(b"{\"text\":\"one\"}\n")?;
    /// let finished = output.finish()?;
    /// let sources = finished.sources(&path, Dialect::default())?.unwrap();
    /// assert_eq!(sources[0].name(), path.display().to_string());
    /// assert_eq!(Reader::new(&sources, ReadOptions::default()).next().unwrap()?.len(), 1);
    /// assert!(!path.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or is no text.
    pub fn sources(&self, path: &Path, dialect: Dialect) -> Result<Option<Vec<Source>>, Error> {
        let root = fs::canonicalize(path).ok();
        let mut sources = Vec::with_capacity(self.files.len());
        for file in &self.files {
            let temp = match &file.data {
                Data::File(temp) => temp,
                Data::Object(_) => return Ok(None),
                Data::Stale => continue,
            };
            let below = root.as_ref().and_then(|root| file.target.strip_prefix(root).ok());
            let name = match below.filter(|below| !below.as_os_str().is_empty()) {
                Some(below) => path.join(below),
                None => path.to_owned(),
            };
            let mut source = Source {
                origin: Origin::File(temp.to_path_buf()),
                bytes: Source::measure(temp),
                dialect,
                ..Source::named(printed(&name), InputFormat::of_name(&name))
            };
            tell_format(&mut source)?;
            sources.push(source);
        }
        Ok(Some(sources))
    }
}
