//! The format of a source by its content, where its name does not tell it, or may tell another one.

use crate::error::Error;
use crate::format::{InputFormat, Shape};
use crate::records::binary;
use crate::records::decoder::Decoder;
use crate::records::source::{Origin, Source};
use std::io::{self, BufRead, Cursor};
use std::path::Path;
use std::sync::Arc;

/// Sets the format of a source, once and for all, by its first bytes: where it has none, and where it is a file that
/// rows of JSON are expected in, which may be one of columns under that name. What cannot be read here fails again,
/// and is reported, when the records are read. Of a stream nothing is read.
///
/// # Errors
///
/// [`Error::Binary`] or [`Error::Misnamed`] if it is no text; the format is then that of a text.
pub(crate) fn tell_format(source: &mut Source) -> Result<(), Error> {
    if source.is_stream() {
        return Ok(());
    }
    if let Some(format) = source.format {
        let is_here = matches!(source.origin, Origin::File(_) | Origin::Spooled(..));
        if format.shape() == Shape::Objects && is_here {
            let head = source.magic().unwrap_or_default();
            source.format = InputFormat::of_columns(&head).or(source.format);
        }
        return Ok(());
    }
    let (head, misnamed) = match source.decoded_head() {
        Ok(head) => (head, None),
        Err(error) => {
            (Vec::new(), Some(error).filter(|error| matches!(error, Error::Misnamed { .. })))
        }
    };
    let told = InputFormat::of_content(&head).unwrap_or(InputFormat::TEXT);
    source.format = Some(source.taken_as(told));
    if let Some(misnamed) = misnamed {
        return Err(misnamed);
    }
    match binary::kind(&head) {
        Some(kind) if !told.is_columns() => Err(Error::Binary { path: source.name.clone(), kind }),
        _ => Ok(()),
    }
}

impl Source {
    /// The same source; standard input in the format that its first bytes tell, which are waited for and stay unread.
    #[must_use]
    pub fn awaited(self) -> Self {
        let Self { origin: Origin::Stdin, format: None, .. } = self else { return self };
        let format = self.waiting_format();
        Self { format, ..self }
    }

    fn waiting_format(&self) -> Option<InputFormat> {
        let head = io::stdin().lock().fill_buf().ok()?.to_vec();
        let mut decoder = Decoder::over(self, Box::new(Cursor::new(head)), Arc::default()).ok()?;
        let mut decoded = Vec::new();
        // More than these is not there yet, so that compressed bytes end early.
        let _cut = decoder.fill(&mut decoded, InputFormat::HEAD_BYTES);
        InputFormat::of_content(&decoded).map(|told| self.taken_as(told))
    }
}

/// Whether a source is a segment of an earlier run, by its name or by its first bytes.
pub(crate) fn is_seen(source: &Source) -> bool {
    let by_name = InputFormat::of_name(Path::new(source.name()));
    if source.is_stream() || by_name.is_some_and(InputFormat::is_seen) {
        return !source.is_stream();
    }
    let head = source.decoded_head().unwrap_or_default();
    InputFormat::of_content(&head).is_some_and(InputFormat::is_seen)
}
