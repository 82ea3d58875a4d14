//! How the inputs of a run are found: what is asked for. They are found by `inputs`.

use crate::error::Error;
use crate::format::InputFormat;
use crate::read::filter::Filter;
use crate::records::dialect::Dialect;

/// How inputs are found.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{Discovery, Obstacle};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// std::fs::write(folder.join("a.txt"), "text")?;
/// std::fs::write(folder.join("b.bak"), "text")?;
/// std::fs::write(folder.join("logo.png"), b"\x89PNG\r\n\x1a\n")?;
/// let discovery = Discovery::new().exclude(&["*.bak".to_owned()])?;
/// let (sources, passed_over) = discovery.find(&[folder])?;
/// assert_eq!(sources.len(), 1);
/// assert_eq!((passed_over[0].obstacle, passed_over[0].count), (Obstacle::Binary, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Discovery {
    pub(crate) format: Option<InputFormat>,
    pub(crate) filter: Filter,
    pub(crate) room: Option<u64>,
    pub(crate) seen: bool,
    pub(crate) rows: bool,
    pub(crate) dialect: Dialect,
}

impl Discovery {
    /// Every file, whose name and content tell its format.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The format of all sources; none where each tells its own.
    #[must_use]
    pub fn format(self, format: Option<InputFormat>) -> Self {
        Self { format, ..self }
    }

    /// Of folders and patterns only files that match one of `patterns`, where there are some. A
    /// pattern without a slash is about a name, one with a slash about the path below the folder.
    ///
    /// # Errors
    ///
    /// [`Error::BadPattern`].
    pub fn include(mut self, patterns: &[String]) -> Result<Self, Error> {
        self.filter.include(patterns)?;
        Ok(self)
    }

    /// Of folders and patterns no file or folder that matches one of `patterns`.
    ///
    /// # Errors
    ///
    /// [`Error::BadPattern`].
    pub fn exclude(mut self, patterns: &[String]) -> Result<Self, Error> {
        self.filter.exclude(patterns)?;
        Ok(self)
    }

    /// How texts and tables are written.
    #[must_use]
    pub fn dialect(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }

    /// Takes for a segment of an earlier run what begins as one, whatever it is called and whatever
    /// [`format`](Self::format) was asked for. Segments come behind all other files then.
    #[must_use]
    pub fn with_segments(self) -> Self {
        Self { seen: true, ..self }
    }

    /// Passes over the files of folders and patterns that have no rows: texts, pages, archives, and empty files of rows. Files
    /// of at most 64 KiB are read for that.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_corpus::{Discovery, Obstacle};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// std::fs::write(folder.join("README.md"), "What is in here")?;
    /// std::fs::write(folder.join("test.jsonl"), "{}")?;
    /// let (sources, passed_over) = Discovery::new().of_rows().find(&[folder])?;
    /// assert_eq!((sources.len(), passed_over[0].obstacle), (1, Obstacle::NoRows));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_rows(self) -> Self {
        Self { rows: true, ..self }
    }

    /// Lists no more files than so many bytes of memory hold, in [all lists](crate::listing_bytes) of a job;
    /// more are counted.
    #[must_use]
    pub fn room(self, room: Option<u64>) -> Self {
        Self { room, ..self }
    }
}
