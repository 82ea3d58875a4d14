//! What is kept of the steps that ended, for a run that goes on.

use crate::verb::clean::figures::Figures;
use anyhow::{Context as _, bail};
use nearprint_corpus::{Source, replace};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// What is kept of the steps that ended.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    /// The arguments of all steps.
    asked: Vec<String>,
    /// The files of the input, each with what tells whether it is still the same.
    input: Vec<(String, Option<String>)>,
    /// Of the input, and of each step that ended.
    pub(super) figures: Vec<Figures>,
}

impl Kept {
    /// What an earlier run kept that this one goes on from; `None` where this one begins anew, for which that is removed.
    ///
    /// # Errors
    /// A folder that is no such one; steps of another command, or of an input that has changed.
    pub(super) fn read(
        folder: &Path,
        resumes: bool,
        asked: &[String],
        sources: &[Source],
    ) -> anyhow::Result<Option<Self>> {
        if !folder.exists() {
            return Ok(None);
        }
        let file = folder.join("steps.json");
        let Ok(kept) = fs::read(&file) else {
            bail!(
                "{}: the folder exists, but holds no steps of an earlier run; remove it, or name another --work-dir",
                folder.display()
            );
        };
        if !resumes {
            fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
            return Ok(None);
        }
        let kept: Self =
            serde_json::from_slice(&kept).with_context(|| file.display().to_string())?;
        if kept.asked != asked {
            bail!(
                "--resume: the saved steps belong to another command; start again without --resume"
            );
        }
        if kept.input != versions(sources) {
            bail!(
                "--resume: the input has changed since the run started; start again without --resume"
            );
        }
        Ok(Some(kept))
    }

    /// Begins anew with the figures of the input.
    pub(super) fn begin(
        folder: &Path,
        asked: Vec<String>,
        sources: &[Source],
        first: Figures,
    ) -> anyhow::Result<Self> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let kept = Self { asked, input: versions(sources), figures: vec![first] };
        kept.save(folder)?;
        Ok(kept)
    }

    /// Keeps what is known.
    pub(super) fn save(&self, folder: &Path) -> anyhow::Result<()> {
        let file = folder.join("steps.json");
        let text = serde_json::to_vec(self)?;
        replace(&file, |out| out.write_all(&text)).with_context(|| file.display().to_string())
    }
}

/// The files of the input, each with what tells whether it is still the same.
fn versions(sources: &[Source]) -> Vec<(String, Option<String>)> {
    sources.iter().map(|source| (source.name().to_owned(), source.version())).collect()
}
