//! A copy of a local folder in object storage.

use crate::error::Error;
use crate::remote::object::ObjectFolder;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use walkdir::WalkDir;
use xxhash_rust::xxh3::Xxh3Default;

/// The list of what is in a copy. It is written last: without it there is no copy.
const LIST: &str = "copy.json";
/// A folder on its way to object storage.
const LEAVING: &str = "leaving";
/// The version of that list.
const VERSION: u32 = 1;
/// Bytes that are moved at a time.
const TOGETHER: u64 = 8 << 20;

/// A copy of a local folder in object storage: whole or not at all.
///
/// Each file is an object. The object `copy.json` lists their names, lengths and checksums, and appears when all of
/// them are there.
///
/// # Examples
/// ```
/// use nearprint_corpus::FolderCopy;
///
/// assert!(FolderCopy::of_path("/backup/monday".as_ref())?.is_none(), "a path of files");
/// # Ok::<(), nearprint_corpus::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FolderCopy {
    /// Its address, for messages.
    path: String,
    objects: ObjectFolder,
}

/// What `copy.json` says.
#[derive(Debug, Serialize, Deserialize)]
struct List {
    version: u32,
    /// Folders, each behind the one that it is in.
    folders: Vec<String>,
    files: Vec<Listed>,
}

/// A file of a copy.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Listed {
    name: String,
    bytes: u64,
    /// XXH3 of 128 bits, in hexadecimal digits.
    xxh3: String,
}

impl FolderCopy {
    /// The copy at an address; none for a path of files.
    ///
    /// # Errors
    /// An address of no bucket or of one that can only be read.
    pub fn of_path(path: &Path) -> Result<Option<Self>, Error> {
        let objects = ObjectFolder::of_path(path)?;
        let path = path.to_string_lossy().trim_end_matches('/').to_owned();
        Ok(objects.map(|objects| Self { path, objects }))
    }

    /// Copies a folder to the address, which must hold nothing, and says how many bytes it has. When `stopped` says
    /// so it ends early with an error; then there is no copy, and what was moved is in the way of another one there.
    ///
    /// # Errors
    /// [`Error::CopyTaken`]; those of the folder and what the store answers.
    ///
    /// # Complexity
    /// Reads each file once, 8 MiB at a time.
    pub fn upload(&self, from: &Path, stopped: &dyn Fn() -> bool) -> Result<u64, Error> {
        if !self.objects.names("")?.is_empty() {
            return Err(Error::CopyTaken { path: self.path.clone() });
        }
        let (mut folders, mut files, mut all) = (Vec::new(), Vec::new(), 0);
        for entry in WalkDir::new(from).sort_by_file_name() {
            let unread = |source| Error::Read { path: from.display().to_string(), source };
            let entry = entry.map_err(|error| unread(error.into()))?;
            let Ok(name) = entry.path().strip_prefix(from) else { continue };
            // A copy is read on any system: its names have slashes.
            let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
            let name = parts.join("/");
            if entry.file_type().is_dir() {
                folders.extend(Some(name).filter(|name| !name.is_empty()));
                continue;
            }
            let mut file = File::open(entry.path()).map_err(unread)?;
            let mut sum = Xxh3Default::new();
            let mut bytes = 0;
            self.objects.write(&name, |object| {
                moved(&mut file, stopped, |part| {
                    sum.update(part);
                    bytes += part.len() as u64;
                    object.write_all(part)
                })
            })?;
            all += bytes;
            files.push(Listed { name, bytes, xxh3: format!("{:032x}", sum.digest128()) });
        }
        let list = List { version: VERSION, folders, files };
        self.objects.write(LIST, |object| Ok(serde_json::to_writer(object, &list)?))?;
        Ok(all)
    }

    /// The same for a folder that `make` makes, within the folder `beside`, and that goes again.
    ///
    /// # Errors
    /// Those of `make` and of [`Self::upload`], in words.
    pub fn upload_made(
        &self,
        beside: &Path,
        make: impl FnOnce(&Path) -> Result<(), String>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), String> {
        let folder = beside.join(LEAVING);
        // What a kill left there goes first.
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(format!("{}: {error}", folder.display()));
            }
            _ => {}
        }
        let made = make(&folder)
            .and_then(|()| self.upload(&folder, stopped).map_err(|error| error.to_string()));
        let _left = fs::remove_dir_all(&folder);
        made.map(|_| ())
    }

    /// Brings the copy to a local folder, which must be new, and says how many bytes it has. The folder appears when
    /// all files are there and have the checksums of the list.
    ///
    /// # Errors
    /// [`Error::NoCopy`] and [`Error::CopyDamaged`]; a folder that exists; those of the disk and what the store
    /// answers.
    pub fn download(&self, to: &Path) -> Result<u64, Error> {
        let unwritten = |source| Error::Write { path: to.display().to_string(), source };
        if to.exists() {
            return Err(unwritten(io::ErrorKind::AlreadyExists.into()));
        }
        let List { folders, files, .. } = self.list()?;
        let above = to.parent().filter(|above| !above.as_os_str().is_empty());
        let above = above.unwrap_or(Path::new("."));
        let partial = tempfile::Builder::new().prefix(".restoring-").tempdir_in(above);
        let partial = partial.map_err(unwritten)?;
        // A list is input from elsewhere: its names lead nowhere else.
        let leads_away = |name: &str| {
            name.split('/').any(|part| matches!(part, "" | "." | "..")) || name.contains('\\')
        };
        let mut names = folders.iter().chain(files.iter().map(|file| &file.name));
        if let Some(name) = names.find(|name| leads_away(name)) {
            return Err(self.damaged(format!("it lists the name {name:?}")));
        }
        for folder in &folders {
            fs::create_dir(partial.path().join(folder)).map_err(unwritten)?;
        }
        let mut all = 0;
        for Listed { name, bytes, xxh3 } in &files {
            let mut file = File::create(partial.path().join(name)).map_err(unwritten)?;
            let mut sum = Xxh3Default::new();
            if self.objects.bytes(name)? != Some(*bytes) {
                return Err(self.damaged(format!("{name} is missing or has another length")));
            }
            let mut from = 0;
            while from < *bytes {
                let end = (from + TOGETHER).min(*bytes);
                let part = self.objects.read(name, from..end)?;
                sum.update(&part);
                file.write_all(&part).map_err(unwritten)?;
                from = end;
            }
            if format!("{:032x}", sum.digest128()) != *xxh3 {
                return Err(self.damaged(format!("{name} has another checksum")));
            }
            file.sync_all().map_err(unwritten)?;
            all += bytes;
        }
        fs::rename(partial.path(), to).map_err(unwritten)?;
        Ok(all)
    }

    fn list(&self) -> Result<List, Error> {
        let Some(bytes) = self.objects.bytes(LIST)? else {
            return Err(Error::NoCopy { path: self.path.clone() });
        };
        let list: List = serde_json::from_slice(&self.objects.read(LIST, 0..bytes)?)
            .map_err(|error| self.damaged(format!("{LIST}: {error}")))?;
        match list.version {
            VERSION => Ok(list),
            other => Err(self.damaged(format!("{LIST} is of version {other}, not {VERSION}"))),
        }
    }

    fn damaged(&self, what: String) -> Error {
        Error::CopyDamaged { path: self.path.clone(), what }
    }
}

/// Hands all of a file to `take`, some at a time.
fn moved(
    file: &mut File,
    stopped: &dyn Fn() -> bool,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut part = Vec::new();
    loop {
        if stopped() {
            return Err(io::Error::other("it was stopped"));
        }
        part.clear();
        file.take(TOGETHER).read_to_end(&mut part)?;
        if part.is_empty() {
            return Ok(());
        }
        take(&part)?;
    }
}
