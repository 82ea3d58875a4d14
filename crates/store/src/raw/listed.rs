//! The tables of a keyspace, as its list names them: the file `current` names the list and holds its checksum, the list
//! holds those of the tables.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use crate::raw::blocks::Blocks;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

/// The folder of the tables of a keyspace.
pub(crate) const TABLES: &str = "tables";
/// The file that names the list.
const CURRENT: &str = "current";
/// Bytes at the end of a list or table that say where its sections are.
const TRAILER: usize = 38;
/// Bytes that are read at once.
const CHUNK: usize = 1 << 18;

/// A table that the list of a keyspace names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) path: PathBuf,
    /// What all places in it are behind.
    pub(crate) behind: u64,
    /// `None` where there is no list.
    checksum: Option<u128>,
}

impl Listed {
    /// The tables of the keyspace in a folder.
    ///
    /// # Errors
    /// What is damaged, in words.
    pub(crate) fn all(keyspace: &Path) -> Result<Vec<Self>, String> {
        let told = |name: &str, said: &str| {
            let folder = keyspace.file_name().unwrap_or_default().display();
            format!("keyspaces/{folder}/{name} {said}")
        };
        let read = |name: &str| {
            fs::read(keyspace.join(name))
                .map_err(|error| told(name, &format!("is unreadable: {error}")))
        };
        let current = read(CURRENT)?;
        let is_odd = || told(CURRENT, "does not name a list of tables");
        let (version, rest) = current.split_first_chunk().ok_or_else(is_odd)?;
        let (checksum, rest) = rest.split_first_chunk().ok_or_else(is_odd)?;
        if rest != [0] {
            return Err(is_odd());
        }
        let name = format!("v{}", u64::from_le_bytes(*version));
        let list = read(&name)?;
        if xxh3_128(&list) != u128::from_le_bytes(*checksum) {
            return Err(told(&name, "does not match its checksum"));
        }
        listed(&list, keyspace).ok_or_else(|| told(&name, "is not a list of tables"))
    }

    /// Every table in the folder of a keyspace, where there is no list.
    pub(crate) fn unlisted(keyspace: &Path) -> io::Result<Vec<Self>> {
        let mut tables = Vec::new();
        for entry in fs::read_dir(keyspace.join(TABLES))? {
            let entry = entry?;
            if entry.file_name().to_str().is_some_and(|name| name.parse::<u64>().is_ok()) {
                tables.push(Self { path: entry.path(), behind: 0, checksum: None });
            }
        }
        tables.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(tables)
    }

    /// Whether the file holds what was written.
    pub(crate) fn is_whole(&self) -> io::Result<bool> {
        Ok(Some(sum(&self.path)?) == self.checksum)
    }

    /// The table where its bytes are: in its file or, where that holds another table, in any file of the database.
    /// What is damaged is taken for what was written. `None` where the table is gone: a table in which all checks, and
    /// which is not the listed one, is of another keyspace, store or time.
    pub(crate) fn found(self, database: &Path) -> Option<Self> {
        if self.checksum.is_none() || self.is_whole().is_ok_and(|whole| whole) {
            return self.path.is_file().then_some(self);
        }
        let mut folders = vec![database.to_owned()];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if sum(&path).is_ok_and(|sum| Some(sum) == self.checksum) {
                    return Some(Self { path, ..self });
                }
            }
        }
        let is_other = is_sound(&self.path).unwrap_or(false);
        (self.path.is_file() && !is_other).then_some(self)
    }
}

/// The checksum of a file.
fn sum(path: &Path) -> io::Result<u128> {
    let mut file = File::open(path)?;
    let (mut hash, mut chunk) = (Xxh3Default::new(), vec![0; CHUNK]);
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            return Ok(hash.digest128());
        }
        hash.update(chunk.get(..read).unwrap_or_default());
    }
}

/// Whether all bytes of a table check, so that they are as some database wrote them.
fn is_sound(table: &Path) -> io::Result<bool> {
    let end = Blocks::behind_all(table)?;
    let contents = end.as_ref().and_then(|(at, end)| Some((contents(end, *at)?, end)));
    Ok(contents.is_some_and(|(contents, end)| contents.len() + TRAILER == end.len()))
}

/// The tables in a list.
fn listed(list: &[u8], keyspace: &Path) -> Option<Vec<Listed>> {
    let mut rest = section(list, b"tables")?;
    let mut tables = Vec::new();
    for _level in 0..byte(&mut rest)? {
        for _run in 0..byte(&mut rest)? {
            for _table in 0..u32::from_le_bytes(chunk(&mut rest)?) {
                let number = u64::from_le_bytes(chunk(&mut rest)?);
                if byte(&mut rest)? != 0 {
                    return None;
                }
                let checksum = Some(u128::from_le_bytes(chunk(&mut rest)?));
                let behind = u64::from_le_bytes(chunk(&mut rest)?);
                let path = keyspace.join(TABLES).join(number.to_string());
                tables.push(Listed { path, behind, checksum });
            }
        }
    }
    Some(tables)
}

/// The bytes of a section of a file of sections.
fn section<'a>(file: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut contents = contents(file, 0)?.strip_prefix(b"TOC!")?;
    for _section in 0..u32::from_le_bytes(chunk(&mut contents)?) {
        let at = usize::try_from(u64::from_le_bytes(chunk(&mut contents)?)).ok()?;
        let length = usize::try_from(u64::from_le_bytes(chunk(&mut contents)?)).ok()?;
        let name_length = u16::from_le_bytes(chunk(&mut contents)?).into();
        let (found, after) = contents.split_at_checked(name_length)?;
        contents = after;
        if found == name {
            return file.get(at..at.checked_add(length)?);
        }
    }
    None
}

/// The table of contents of a file of sections, of which `end` is what comes behind so many bytes.
fn contents(end: &[u8], before: u64) -> Option<&[u8]> {
    let mut trailer = end.get(end.len().checked_sub(TRAILER)?..)?;
    if chunk(&mut trailer)? != *b"SFA!\x01\x00" {
        return None;
    }
    let checksum = u128::from_le_bytes(chunk(&mut trailer)?);
    let at = u64::from_le_bytes(chunk(&mut trailer)?).checked_sub(before)?;
    let at = usize::try_from(at).ok()?;
    let length = usize::try_from(u64::from_le_bytes(chunk(&mut trailer)?)).ok()?;
    let contents = end.get(at..at.checked_add(length)?)?;
    (xxh3_128(contents) == checksum).then_some(contents)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    chunk::<1>(rest).map(|[byte]| byte)
}

fn chunk<const LENGTH: usize>(rest: &mut &[u8]) -> Option<[u8; LENGTH]> {
    let (chunk, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*chunk)
}
