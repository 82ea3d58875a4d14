//! What survivors are written as.

use crate::job::spec::OutputSpec;
use nearprint_corpus::{InputFormat, Source};
use std::path::Path;

/// What survivors are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Nothing: the reports are all that is asked for.
    Nothing,
    /// One file; a text or HTML file becomes a row of JSON.
    File,
    /// One file of columns, of rows of such files.
    Rows,
    /// A folder with a file for each of the input.
    Folder,
}

impl Form {
    /// Whether several files, or a text that is one, are a folder where they are written to no file.
    pub(crate) fn is_folder(sources: &[Source]) -> bool {
        sources.len() > 1 || sources.iter().any(is_whole)
    }

    /// What survivors of these sources are written as.
    pub(crate) fn of(outputs: &OutputSpec, sources: &[Source]) -> Self {
        let Some(output) = &outputs.survivors else { return Self::Nothing };
        let is_folder = output != Path::new("-")
            && (output.is_dir()
                || output.to_string_lossy().ends_with('/')
                || output.extension().is_none() && !output.exists() && Self::is_folder(sources));
        match InputFormat::of_name(output) {
            _ if is_folder => Self::Folder,
            Some(format) if format.is_columns() => Self::Rows,
            _ => Self::File,
        }
    }
}

/// Whether a file is one document.
pub(crate) fn is_whole(source: &Source) -> bool {
    source.format().is_some_and(InputFormat::is_whole)
}
