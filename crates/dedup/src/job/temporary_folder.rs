//! The folder of temporary files, and what is wrong where there can be none.

use crate::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folder of temporary files: the one that is named, which is made where it is not there, or the system's. A file
/// without a name is made in the one that is named: what cannot be written is told before a job reads its input.
///
/// # Errors
/// [`Error::TemporaryFolder`] where the folder that is named cannot be made, is none, or takes no file.
///
/// # Examples
/// ```
/// use nearprint_dedup::temporary_folder;
///
/// let room = tempfile::tempdir()?;
/// let folder = temporary_folder(Some(&room.path().join("work/here")))?;
/// assert!(folder.is_dir());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn temporary_folder(named: Option<&Path>) -> Result<PathBuf, Error> {
    let Some(folder) = named else { return Ok(env::temp_dir()) };
    let made = fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
    made.map(|_| folder.to_owned()).map_err(|source| unusable(folder, &source))
}

/// What the system's answer says of a folder for temporary files.
pub(crate) fn unusable(folder: &Path, source: &io::Error) -> Error {
    let file = folder.ancestors().find(|path| path.is_file());
    let problem =
        file.map_or_else(|| source.to_string(), |file| format!("{} is a file", file.display()));
    Error::TemporaryFolder { folder: folder.to_owned(), problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_named_is_made_and_what_is_none_is_told() {
        let room = tempfile::tempdir().unwrap();
        let of = |name: &str| temporary_folder(Some(&room.path().join(name)));
        assert!(of("work").unwrap().is_dir() && of("a/b").unwrap().is_dir());
        assert_eq!(fs::read_dir(room.path().join("work")).unwrap().count(), 0);
        fs::write(room.path().join("file"), "").unwrap();
        for name in ["file", "file/work"] {
            let told = of(name).unwrap_err().to_string();
            let [folder, file] =
                [name, "file"].map(|name| room.path().join(name).display().to_string());
            let expected = format!("no folder for temporary files: {file} is a file; name another");
            assert_eq!(told, format!("{folder}: {expected} folder"));
        }
    }
}
