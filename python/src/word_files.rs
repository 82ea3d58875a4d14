//! The files that a recipe takes words from: a user dictionary, stop words and an idf file, as jieba has them.

use crate::error;
use nearprint_fingerprint::{
    ByContent, IdfFile, IdfTable, Recipe, RecipeError, StopFile, StopWordList, UserDictionary,
    UserWords, WordFileError,
};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Where the files are that are given.
pub(crate) struct WordPaths {
    pub(crate) dictionary: Option<PathBuf>,
    pub(crate) stop_words: Option<PathBuf>,
    pub(crate) idf: Option<PathBuf>,
}

/// The bytes of the files that a recipe has: pickles hold them, and are read where there are no such files.
#[derive(Default)]
pub(crate) struct WordFiles {
    dictionary: Option<Vec<u8>>,
    stop_words: Option<Vec<u8>>,
    idf: Option<Vec<u8>>,
}

/// [`WordFiles`] as Python has them.
pub(crate) type Bytes<'a> = (Option<Cow<'a, [u8]>>, Option<Cow<'a, [u8]>>, Option<Cow<'a, [u8]>>);

impl WordPaths {
    pub(crate) fn is_none(&self) -> bool {
        self.dictionary.is_none() && self.stop_words.is_none() && self.idf.is_none()
    }

    /// `recipe` with the files as parts of it, and their bytes.
    pub(crate) fn bind(&self, py: Python<'_>, recipe: Recipe) -> PyResult<(Recipe, WordFiles)> {
        let (recipe, dictionary) = USER.of_path(py, recipe, self.dictionary.as_deref())?;
        let (recipe, stop_words) = STOP.of_path(py, recipe, self.stop_words.as_deref())?;
        let (recipe, idf) = IDF.of_path(py, recipe, self.idf.as_deref())?;
        let words = recipe.user_dictionary.as_ref().and_then(ByContent::content);
        if let (Some(path), Some(remark)) = (&self.dictionary, words.and_then(UserWords::remark)) {
            let log = py.import("logging")?.call_method1("getLogger", ("nearprint",))?;
            log.call_method1("warning", (format!("{}: {remark}", path.display()),))?;
        }
        Ok((recipe, WordFiles { dictionary, stop_words, idf }))
    }
}

impl WordFiles {
    /// `recipe`, which names the files of these bytes, with what is in them.
    pub(crate) fn restore(
        py: Python<'_>,
        recipe: Recipe,
        (dictionary, stop_words, idf): Bytes<'_>,
    ) -> PyResult<(Recipe, Self)> {
        let (recipe, dictionary) = USER.of_bytes(py, recipe, dictionary)?;
        let (recipe, stop_words) = STOP.of_bytes(py, recipe, stop_words)?;
        let (recipe, idf) = IDF.of_bytes(py, recipe, idf)?;
        Ok((recipe, Self { dictionary, stop_words, idf }))
    }

    pub(crate) fn bytes(&self) -> Bytes<'_> {
        let Self { dictionary, stop_words, idf } = self;
        (
            dictionary.as_deref().map(Cow::Borrowed),
            stop_words.as_deref().map(Cow::Borrowed),
            idf.as_deref().map(Cow::Borrowed),
        )
    }
}

/// How one kind of file is read, and becomes part of a recipe.
struct Kind<T> {
    most_bytes: usize,
    read: fn(&[u8]) -> Result<ByContent<T>, WordFileError>,
    bind: fn(&Recipe, &ByContent<T>) -> Result<Recipe, RecipeError>,
}

const USER: Kind<UserWords> = Kind {
    most_bytes: UserDictionary::MOST_BYTES,
    read: UserDictionary::read,
    bind: Recipe::bound_to_user_dictionary,
};
const STOP: Kind<StopWordList> = Kind {
    most_bytes: StopFile::MOST_BYTES,
    read: StopFile::read,
    bind: Recipe::bound_to_stop_file,
};
const IDF: Kind<IdfTable> =
    Kind { most_bytes: IdfFile::MOST_BYTES, read: IdfFile::read, bind: Recipe::bound_to_idf_file };

/// What is in a file, and its bytes.
type Opened<T> = Result<(ByContent<T>, Vec<u8>), WordFileError>;

impl<T: Send + Sync> Kind<T> {
    fn of_path(
        &self,
        py: Python<'_>,
        recipe: Recipe,
        path: Option<&Path>,
    ) -> PyResult<(Recipe, Option<Vec<u8>>)> {
        let Some(path) = path else { return Ok((recipe, None)) };
        let (file, bytes) = py
            .detach(|| self.open(path))
            .map_err(|error| error::of_file(py, "IoError", said(path, &error), path))?
            .map_err(|error| error::word_file(py, &error, said(path, &error), path))?;
        let bound = (self.bind)(&recipe, &file)
            .map_err(|error| error::of_file(py, "RecipeError", said(path, &error), path))?;
        Ok((bound, Some(bytes)))
    }

    fn of_bytes(
        &self,
        py: Python<'_>,
        recipe: Recipe,
        bytes: Option<Cow<'_, [u8]>>,
    ) -> PyResult<(Recipe, Option<Vec<u8>>)> {
        let Some(bytes) = bytes else { return Ok((recipe, None)) };
        let file = py.detach(|| (self.read)(&bytes));
        let file = file.map_err(|error| error::raised(py, "RecipeError", error.to_string()))?;
        let bound = (self.bind)(&recipe, &file).map_err(|error| error::recipe(py, &error))?;
        Ok((bound, Some(bytes.into_owned())))
    }

    fn open(&self, path: &Path) -> io::Result<Opened<T>> {
        let (file, most) = (File::open(path)?, self.most_bytes as u64);
        let length = file.metadata()?.len();
        if length > most {
            return Ok(Err(WordFileError::TooLarge { bytes: length, most }));
        }
        let mut bytes = Vec::new();
        // A pipe has no length: one byte more than is taken shows that it is too long.
        file.take(most + 1).read_to_end(&mut bytes)?;
        Ok((self.read)(&bytes).map(|file| (file, bytes)))
    }
}

fn said(path: &Path, error: &dyn std::error::Error) -> String {
    format!("{}: {error}", path.display())
}
