//! Where an output goes, and the file or object that waits for its name there. What is written to it is
//! `output`'s and `parquet_output`'s.

use crate::error::Error;
use crate::remote::object::{self, Upload};
use crate::remote::object_url::ObjectUrl;
use crate::write::encoder::Disk;
use crate::write::finished::{Data, Finished, FinishedFile};
use crate::write::stdout::Stdout;
use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// How the names of files that have no final name yet end.
const PARTIAL: &str = ".partial";

/// Where an output goes.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// Standard output.
    Stdout,
    /// A pipe or a device.
    Device,
    /// A regular file, links resolved, which is there already or not.
    File { path: PathBuf, replace: bool },
    /// An object.
    Object { url: ObjectUrl, replace: bool },
}

/// What has no final name yet.
pub(crate) struct Temp {
    data: Written,
    target: PathBuf,
    replace: bool,
}

/// Where the bytes go until then.
enum Written {
    File(NamedTempFile),
    Object(Upload),
}

impl Target {
    /// The same under another name in the same place.
    pub(crate) fn beside(&self, name: &str) -> Self {
        let mut target = self.clone();
        match &mut target {
            Self::Stdout | Self::Device => {}
            Self::File { path, .. } => path.set_file_name(name),
            Self::Object { url, .. } => {
                let folder = url.key.rfind('/').map_or(0, |slash| slash + 1);
                url.key.replace_range(folder.., name);
            }
        }
        target
    }

    /// Opens the output that the user calls `path`; a regular file under a name of its own.
    pub(crate) fn begin(self, path: &Path) -> Result<(Disk, Option<Temp>), Error> {
        let failed = |source| Error::Write { path: name(path), source };
        Ok(match self {
            Self::Stdout => (Box::new(Stdout), None),
            Self::Device => {
                (Box::new(OpenOptions::new().write(true).open(path).map_err(failed)?), None)
            }
            Self::File { path: target, replace } => {
                let file = create_partial(&target).map_err(failed)?;
                let disk = file.as_file().try_clone().map_err(failed)?;
                #[cfg(target_os = "linux")]
                let disk = crate::write::behind::Behind::new(disk);
                (Box::new(disk), Some(Temp { data: Written::File(file), target, replace }))
            }
            Self::Object { url, replace } => {
                let upload = object::upload(&url).map_err(failed)?;
                let (disk, data) = (Box::new(upload.clone()), Written::Object(upload));
                (disk, Some(Temp { data, target: path.to_owned(), replace }))
            }
        })
    }
}

impl Temp {
    /// The file, where it is one.
    pub(crate) fn file(&mut self) -> Option<&mut File> {
        match &mut self.data {
            Written::File(file) => Some(file.as_file_mut()),
            Written::Object(_) => None,
        }
    }

    /// Makes what was written safe on disk.
    pub(crate) fn finish(self) -> io::Result<Finished> {
        let Self { data, target, replace } = self;
        let data = match data {
            Written::File(file) => {
                file.as_file().sync_all()?;
                Data::File(file.into_temp_path())
            }
            Written::Object(upload) => {
                upload.finish()?;
                Data::Object(upload)
            }
        };
        let files = vec![FinishedFile { data, target, replace }];
        Ok(Finished { files, ..Finished::default() })
    }
}

/// An output as messages name it.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard output".to_owned() } else { path.display().to_string() }
}

/// Removes the files in a folder that were to get one of `names` and that no run goes on with.
pub(crate) fn sweep(folder: &Path, names: impl Fn(&str) -> bool) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let left = entry.file_name();
        let left = left.to_string_lossy();
        let of_whom = || left.strip_prefix('.')?.strip_suffix(PARTIAL)?.rsplit_once('.');
        if of_whom().is_some_and(|(name, _)| names(name)) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// What the name of a file without its final name is made of: that, or the start of one so long that
/// nothing could be added to it.
pub(crate) fn partial_stem(name: &str) -> Cow<'_, str> {
    /// Bytes of a name that file systems take, without those that are added.
    const LONGEST: usize = 255 - 16;
    /// Bytes of a longer one that stay.
    const KEPT: usize = 200;
    if name.len() <= LONGEST {
        return Cow::Borrowed(name);
    }
    let end = (0..=KEPT).rfind(|at| name.is_char_boundary(*at)).unwrap_or(0);
    Cow::Owned(format!("{}~{}", name.get(..end).unwrap_or_default(), name.len()))
}

/// The same error without the name of a file that nobody asked for.
fn without_name(error: io::Error) -> io::Error {
    let told = error.to_string();
    let (told, _) = told.split_once(" at path ").unwrap_or((told.as_str(), ""));
    io::Error::new(error.kind(), told)
}

/// Creates the file that will become `target`, beside it and with the permissions that `target` has
/// or a new file would get.
fn create_partial(target: &Path) -> io::Result<NamedTempFile<File>> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{}.", partial_stem(&name));
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(PARTIAL);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file =
        builder.tempfile_in(target.parent().unwrap_or(Path::new(""))).map_err(without_name)?;
    if let Ok(metadata) = fs::metadata(target) {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    Ok(file)
}
