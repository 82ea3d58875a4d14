//! `--ids`: the ids of raw words, in a file beside them.

use crate::flags::heading::INPUT;
use crate::usage::wrong;
use clap::Args;
use nearprint_corpus::{InputFormat, Source, discover};
use nearprint_dedup::{Ids, RecordNumber};
use std::path::PathBuf;

/// Where the ids of raw words are.
#[derive(Args)]
pub(crate) struct IdsFlags {
    /// File with the ids of raw words, one a line
    ///
    /// `nearprint fingerprint --ids` writes it. A line is an id as JSON: a string in quotes or a number.
    /// Without the flag, raw words are named by their number, from 0. Ids are held in memory.
    #[arg(long, value_name = "FILE", help_heading = INPUT, hide_short_help = true)]
    ids: Option<PathBuf>,
}

impl IdsFlags {
    /// The file, none if the flag is absent; `raw` tells whether the input is raw words.
    pub(crate) fn file(&self, raw: bool) -> anyhow::Result<Option<Source>> {
        let Some(path) = &self.ids else { return Ok(None) };
        if !raw {
            return wrong(
                "--ids is for raw words (--input-format u64): texts and rows have ids of their own; \
                 leave --ids out",
            );
        }
        Ok(discover(&[path], Some(InputFormat::JSONL))?.into_iter().next())
    }

    /// The ids of `words` raw fingerprints, without those of the records left out; `None` if the flag is
    /// absent.
    pub(crate) fn read(
        &self,
        raw: bool,
        words: u64,
        left_out: &[RecordNumber],
    ) -> anyhow::Result<Option<Ids>> {
        let file = self.file(raw)?;
        Ok(file.map(|file| Ids::beside(&file, words, left_out)).transpose()?)
    }
}
