//! What survivors are written as, and what has no place in it.

use crate::error::{Error, Unannotated};
use crate::job::spec::OutputSpec;
use nearprint_corpus::{Compression, InputFormat, Source};
use serde::Serialize;
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

/// What the bytes of an output are that a forecast tells, if all documents stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputSize {
    /// The most that are written.
    #[default]
    Most,
    /// About what is written, if it is packed as the input is.
    Packed,
    /// About what is written, before compression.
    Unpacked,
}

impl OutputSize {
    /// What is known of the bytes that are written of these sources.
    pub(crate) fn of(outputs: &OutputSpec, form: Form, written: &[Source]) -> Self {
        let any = |is: fn(InputFormat) -> bool| written.iter().filter_map(Source::format).any(is);
        let is_packed = any(InputFormat::is_columns)
            || written.iter().any(|it| Compression::of_name(it.relative()) != Compression::None);
        let format = outputs.survivors.as_deref().and_then(InputFormat::of_name);
        let is_same =
            || format.is_none_or(|format| written.iter().all(|it| it.format() == Some(format)));
        let is_plain = match form {
            Form::Nothing | Form::Folder => !is_packed,
            Form::File => !is_packed && !any(InputFormat::is_whole) && is_same(),
            Form::Rows => false,
        };
        // Each part of a table has a header.
        let is_divided = outputs.shard_size.is_some() && any(InputFormat::is_table);
        if is_plain && !is_divided && !Self::is_noted(outputs) {
            Self::Most
        } else if is_plain || form == Form::File && !any(InputFormat::is_columns) {
            Self::Unpacked
        } else {
            Self::Packed
        }
    }

    /// Whether notes or copies come on top.
    pub(crate) fn is_noted(outputs: &OutputSpec) -> bool {
        outputs.annotate || outputs.counts_copies()
    }
}

/// Whether a file is one document.
fn is_whole(source: &Source) -> bool {
    source.format().is_some_and(InputFormat::is_whole)
}

/// Refuses notes on the documents of sources that have no place for them: `stay_files` where a text that is a file
/// stays one.
pub(crate) fn refuse_notes(written: &[Source], stay_files: bool) -> Result<(), Error> {
    let bare = |format: InputFormat| {
        format.is_lines() || format.is_archive() && format != InputFormat::WARC
    };
    let is_bare = |source: &&Source| source.format().is_some_and(bare);
    if let Some(source) = written.iter().find(is_bare) {
        let (name, problem) = (source.name().to_owned(), Unannotated::NoFields);
        return Err(Error::Unannotated { name, problem });
    }
    if stay_files { refuse_files(written) } else { Ok(()) }
}

/// Refuses files that are one document each.
pub(crate) fn refuse_files(written: &[Source]) -> Result<(), Error> {
    match written.iter().find(|source| is_whole(source)) {
        Some(source) => Err(Error::Unannotated {
            name: source.name().to_owned(),
            problem: Unannotated::WholeFile,
        }),
        None => Ok(()),
    }
}
