//! The files that a recipe takes words from, as `--dictionary`, `--stop-words` and `--idf` name them.

use crate::usage::{refuse_missing, say, wrong};
use anyhow::Context;
use nearprint_fingerprint::{
    DictionaryError, IdfFile, Recipe, RecipeError, Split, StopFile, UserDictionary, UserWords,
    Weighting, WordDictionary, WordFileError,
};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Files that are given; what they are, the recipe says.
#[derive(Clone, Copy, Default)]
pub(crate) struct RecipeFiles<'a> {
    /// Statistics, or for keywords an idf file.
    pub(crate) idf: Option<&'a Path>,
    /// A folder that lindera built, or for Chinese a user dictionary.
    pub(crate) dictionary: Option<&'a Path>,
    /// Stop words.
    pub(crate) stop_words: Option<&'a Path>,
}

impl<'a> RecipeFiles<'a> {
    /// The statistics among the files, where `recipe` takes none of them for words.
    pub(crate) fn statistics(&self, recipe: &Recipe) -> Option<&'a Path> {
        self.idf.filter(|_| recipe.weights != Weighting::Keywords)
    }

    /// `recipe` with the files of words as parts of it.
    pub(crate) fn bind_words(&self, recipe: &Recipe) -> anyhow::Result<Recipe> {
        let mut bound = recipe.clone();
        if let Some(path) = self.dictionary {
            bound = match bound.split {
                Split::Zh => with_user_dictionary(&bound, path)?,
                _ => with_dictionary(&bound, path)?,
            };
        }
        if let Some(path) = self.stop_words {
            let file = open(path, StopFile::MOST_BYTES, StopFile::read)?;
            bound = fits(bound.bound_to_stop_file(&file), "--stop-words", path)?;
        }
        if let Some(path) = self.idf.filter(|_| bound.weights == Weighting::Keywords) {
            let file = open(path, IdfFile::MOST_BYTES, IdfFile::read)?;
            bound = fits(bound.bound_to_idf_file(&file), "--idf", path)?;
        }
        Ok(bound)
    }
}

/// `bound`, or why the file of `flag` is none for the recipe.
fn fits(bound: Result<Recipe, RecipeError>, flag: &str, path: &Path) -> anyhow::Result<Recipe> {
    bound.or_else(|error| wrong(format!("{flag} {}: {error}", path.display())))
}

/// What `read` makes of the bytes of a file, of which it takes `most`.
fn open<T>(
    path: &Path,
    most: usize,
    read: impl Fn(&[u8]) -> Result<T, WordFileError>,
) -> anyhow::Result<T> {
    refuse_missing(path)?;
    let named = || path.display().to_string();
    let file = File::open(path).with_context(named)?;
    let (length, most) = (file.metadata().with_context(named)?.len(), most as u64);
    if length > most {
        return Err(WordFileError::TooLarge { bytes: length, most }).with_context(named);
    }
    let mut bytes = Vec::new();
    // A pipe has no length: one byte more than is taken shows that it is too long.
    file.take(most + 1).read_to_end(&mut bytes).with_context(named)?;
    read(&bytes).with_context(named)
}

fn with_user_dictionary(recipe: &Recipe, path: &Path) -> anyhow::Result<Recipe> {
    let file = open(path, UserDictionary::MOST_BYTES, UserDictionary::read)?;
    let bound = fits(recipe.bound_to_user_dictionary(&file), "--dictionary", path)?;
    if let Some(remark) = file.content().and_then(UserWords::remark) {
        say(&format!("{}: {remark}", path.display()));
    }
    Ok(bound)
}

/// `recipe` with the dictionary in `folder` as part of it.
fn with_dictionary(recipe: &Recipe, folder: &Path) -> anyhow::Result<Recipe> {
    let flag = format!("--dictionary {}", folder.display());
    if recipe.split != Split::Lindera {
        return wrong(format!(
            "{flag}: the recipe uses no dictionary; split = \"lindera\" or \"zh\" does"
        ));
    }
    if !folder.is_dir() {
        return wrong(format!("{flag}: no such folder; give one that `lindera build` wrote"));
    }
    let dictionary = match WordDictionary::open(|file| std::fs::read(folder.join(file))) {
        Err(error @ DictionaryError::NotBuilt) => return wrong(format!("{flag}: {error}")),
        opened => opened.with_context(|| folder.display().to_string())?,
    };
    fits(recipe.bound_to_dictionary(&dictionary), "--dictionary", folder)
}
