//! Objects of a bucket or a web server as inputs and outputs. What waits for the network waits here:
//! all other code reads and writes them as it does files.

mod bucket;
mod folder;
mod reader;
mod runtime;
mod upload;

use crate::error::Error;
use crate::remote::object_url::ObjectUrl;
use bucket::{Bucket, path_of};
pub use folder::ObjectFolder;
use glob::{MatchOptions, Pattern};
use object_store::ObjectMeta;
pub(crate) use reader::ObjectError;
use reader::{ObjectReader, Version};
use std::io::{self, Read};
use std::sync::Arc;
pub(crate) use upload::Upload;

/// An object as it was found. What is read later is this version, or an error.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) url: ObjectUrl,
    version: Version,
}

impl Object {
    pub(crate) fn bytes(&self) -> u64 {
        self.version.bytes
    }

    /// What tells it from other versions.
    pub(crate) fn version(&self) -> String {
        format!("{} bytes, {}", self.version.bytes, self.version.tag)
    }

    /// Its bytes from the first on.
    pub(crate) fn open(&self) -> Box<dyn Read + Send> {
        Box::new(ObjectReader::new(self.version.clone()))
    }
}

/// Objects that an input names, and the folder they are in where it names one.
pub(crate) struct Listing {
    pub(crate) objects: Vec<Object>,
    pub(crate) folder: Option<ObjectUrl>,
}

/// Finds what an address names: an object; all below a key, which is a folder then; or a pattern's
/// objects and folders. None where there is nothing.
///
/// # Errors
///
/// A pattern that is none, and what the store answers.
pub(crate) fn find(url: &ObjectUrl) -> Result<Vec<Listing>, Error> {
    let bucket = Bucket::open(url)?;
    let store = bucket.store();
    let object = |meta: &ObjectMeta, url| -> Object {
        Object { url, version: Version::new(Arc::clone(&store), meta.location.clone(), meta) }
    };
    if !(url.key.is_empty() || url.key.ends_with('/'))
        && let Some(meta) = bucket.head(url)?
    {
        return Ok(vec![Listing { objects: vec![object(&meta, url.clone())], folder: None }]);
    }
    if !url.scheme.is_storage() {
        return Ok(Vec::new());
    }
    let listed = |folder: &ObjectUrl| -> Result<Vec<Object>, Error> {
        let all = bucket.list(folder)?;
        let files =
            (0_usize..).zip(&all).filter(|(at, meta)| is_visible(folder, meta, all.get(at + 1)));
        Ok(files.map(|(_, meta)| object(meta, keyed(url, meta.location.as_ref()))).collect())
    };
    if !url.key.contains(['*', '?', '[']) {
        let objects = listed(url)?;
        let folder = Some(url.clone());
        return Ok(if objects.is_empty() { Vec::new() } else { vec![Listing { objects, folder }] });
    }
    let pattern = Pattern::new(&url.key).map_err(|error| Error::BadPattern {
        pattern: url.to_string(),
        detail: error.to_string(),
    })?;
    // What comes before the first folder that is a pattern is the same in all that match.
    let fixed = url.key.split_inclusive('/').take_while(|part| !part.contains(['*', '?', '[']));
    let above = keyed(url, &fixed.collect::<String>());
    let mut found: Vec<Listing> = Vec::new();
    for object in listed(&above)? {
        let Some(end) = matched(&pattern, &object.url.key) else { continue };
        let folder = object.url.key.get(..end).filter(|key| key.len() < object.url.key.len());
        let folder = folder.map(|key| keyed(url, key));
        match found.last_mut().filter(|last| folder.is_some() && last.folder == folder) {
            Some(last) => last.objects.push(object),
            None => found.push(Listing { objects: vec![object], folder }),
        }
    }
    Ok(found)
}

/// Whether an object has that name already.
///
/// # Errors
///
/// What the store answers.
pub(crate) fn exists(url: &ObjectUrl) -> Result<bool, Error> {
    Ok(Bucket::open(url)?.head(url)?.is_some())
}

/// Begins an object.
///
/// # Errors
///
/// What may not be written.
pub(crate) fn upload(url: &ObjectUrl) -> io::Result<Upload> {
    let path = path_of(url).map_err(io::Error::other)?;
    Upload::begin(Bucket::open(url).map_err(io::Error::other)?.store(), path)
}

/// Another address in the same bucket.
fn keyed(url: &ObjectUrl, key: &str) -> ObjectUrl {
    ObjectUrl { key: key.to_owned(), ..url.clone() }
}

/// Whether a listed object is a file to read: hidden ones are left out, and those without bytes that
/// stand for a folder, as the one behind them shows.
fn is_visible(folder: &ObjectUrl, meta: &ObjectMeta, next: Option<&ObjectMeta>) -> bool {
    let key = meta.location.as_ref();
    let below = key.strip_prefix(folder.key.trim_end_matches('/')).unwrap_or(key);
    let holds = |next: &ObjectMeta| {
        next.location.as_ref().strip_prefix(key).is_some_and(|rest| rest.starts_with('/'))
    };
    let stands_for_a_folder = meta.size == 0 && (below.is_empty() || next.is_some_and(holds));
    !stands_for_a_folder && !below.split('/').any(|part| part.starts_with('.'))
}

/// How much of a key a pattern matches: all of it, or the folder that it is in.
fn matched(pattern: &Pattern, key: &str) -> Option<usize> {
    let options = MatchOptions {
        require_literal_separator: true,
        require_literal_leading_dot: true,
        ..MatchOptions::new()
    };
    let folders = key.match_indices('/').map(|(at, _)| at);
    let mut ends = folders.filter(|_| !pattern.as_str().contains("**")).chain([key.len()]);
    ends.find(|end| key.get(..*end).is_some_and(|part| pattern.matches_with(part, options)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_files_and_folders() {
        let end = |pattern: &str, key: &str| matched(&Pattern::new(pattern).unwrap(), key);
        assert_eq!(end("a/*.jsonl", "a/b.jsonl"), Some(9));
        assert_eq!(end("a/*.jsonl", "a/b/c.jsonl"), None);
        assert_eq!(end("a/**/*.jsonl", "a/b/c.jsonl"), Some(11));
        assert_eq!(end("a/crawl-*", "a/crawl-1/x/y.txt"), Some(9));
        assert_eq!(end("a/*", "a/.hidden"), None);
    }
}
