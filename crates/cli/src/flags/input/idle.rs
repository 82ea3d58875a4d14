//! Flags that say how the input is read, and have no effect on what is there.

use crate::flags::input::{InputFlags, WhatOnNull};
use crate::usage::wrong;
use nearprint_corpus::{InputFormat, Source};
use nearprint_fingerprint::Recipe;
use std::ffi::OsStr;
use std::path::Path;

/// A flag, whether it is given, what it is for, and which formats have that.
type Flag = (&'static str, bool, &'static str, fn(InputFormat) -> bool);

/// Refuses flags that are given for what no file has. What a stream holds is not known before it is read.
fn refuse_idle(sources: &[Source], flags: &[Flag]) -> anyhow::Result<()> {
    let is_idle = |(_, is_given, _, has): &&Flag| {
        let lacks = |source: &Source| source.format().is_some_and(|format| !has(format));
        *is_given && !sources.is_empty() && sources.iter().all(lacks)
    };
    match flags.iter().find(is_idle) {
        Some((flag, _, what, _)) => wrong(format!(
            "{flag} is for {what}, and no input has any; leave it out, or name the format with --input-format"
        )),
        None => Ok(()),
    }
}

/// Whether an input is an address of the web, which is that of one file.
fn is_of_web(input: &OsStr) -> bool {
    let scheme = input.to_str().and_then(|text| text.split_once("://")).map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
    })
}

/// Whether nothing in a file need name its characters.
fn is_encoded(format: InputFormat) -> bool {
    !format.is_archive() && !format.is_columns()
}

impl InputFlags {
    /// Refuses fields of rows, and how files are written, where no file has any.
    pub(crate) fn refuse_idle_fields(
        &self,
        sources: &[Source],
        beside: bool,
    ) -> anyhow::Result<()> {
        refuse_idle(sources, &self.fields())?;
        self.refuse_idle_marks(sources, beside)
    }

    /// Refuses how files are written where none is so, and no others may be read or have been read beside. A verb that
    /// writes documents may write them as rows, whose fields flags name.
    pub(crate) fn refuse_idle_marks(&self, sources: &[Source], beside: bool) -> anyhow::Result<()> {
        if beside { Ok(()) } else { refuse_idle(sources, &self.marks()) }
    }

    /// Refuses what is said of files where fingerprints are given in their place.
    pub(crate) fn refuse_for_fingerprints(&self) -> anyhow::Result<()> {
        let given =
            self.fields().into_iter().chain(self.marks()).find(|(_, is_given, ..)| *is_given);
        match given {
            Some((flag, _, what, _)) => wrong(format!(
                "{flag} is for {what}, and fingerprints are given; leave it out, or name files"
            )),
            None => Ok(()),
        }
    }

    /// The names of fields.
    fn fields(&self) -> [Flag; 2] {
        // Of records of archives an id names a header.
        let has_ids = |format: InputFormat| format.is_rows() || format.is_archive();
        [
            ("--text-field", self.text_field != "text", "rows", InputFormat::is_rows),
            ("--id-field", self.id_field != "id", "rows and archives", has_ids),
        ]
    }

    /// How files are written.
    fn marks(&self) -> [Flag; 5] {
        let (table, rows) = (InputFormat::is_table, InputFormat::is_rows);
        let names_null = !matches!(self.null_text, WhatOnNull::Keep);
        let names_encoding = self.names_encoding() && !self.is_own;
        let encoded = "texts, JSONL, tables and HTML files";
        [
            ("--delimiter", self.delimiter.is_some(), "tables", table),
            ("--quote", self.quote.is_some(), "tables", table),
            ("--escape", self.escape.is_some(), "tables", table),
            ("--null-text", names_null, "rows", rows),
            ("--encoding", names_encoding, encoded, is_encoded),
        ]
    }

    /// Refuses a field of features for a recipe that makes its own.
    pub(super) fn refuse_idle_features(&self, recipe: &Recipe) -> anyhow::Result<()> {
        match self.names_features() {
            true => wrong(format!(
                "--features-field is for recipes of weights = \"given\", and {} makes features of texts; leave it out, or take a \
                 recipe such as vectors",
                recipe.name
            )),
            false => Ok(()),
        }
    }

    /// Refuses requests of captures that are kept, where no file is a web archive.
    pub(crate) fn refuse_idle_requests(
        &self,
        sources: &[Source],
        kept: bool,
    ) -> anyhow::Result<()> {
        let flag: Flag = ("--keep-requests", kept, "web archives", InputFormat::is_archive);
        refuse_idle(sources, &[flag])
    }

    /// Refuses patterns of names where only files and standard input are named: these are read whatever the patterns say.
    pub(super) fn refuse_idle_patterns<S: AsRef<OsStr>>(
        &self,
        inputs: &[S],
        against: &[String],
    ) -> anyhow::Result<()> {
        let flags = [("--include", &self.include), ("--exclude", &self.exclude)];
        let given = flags.into_iter().find(|(_, patterns)| !patterns.is_empty());
        let is_one = |input: &OsStr| input == "-" || Path::new(input).is_file() || is_of_web(input);
        let are_files = || {
            inputs.iter().all(|input| is_one(OsStr::new(input)))
                && against.iter().all(|other| is_one(OsStr::new(other)))
        };
        match given.filter(|_| !self.is_own && are_files()) {
            Some((flag, _)) => wrong(format!(
                "{flag} is for folders and patterns, and neither is named; quote the pattern, such as '*.jsonl', so that \
                 nearprint finds the files"
            )),
            None => Ok(()),
        }
    }
}
