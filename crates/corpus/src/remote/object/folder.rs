//! A folder of objects in which a job keeps files of its own. Finding inputs is `object`'s.

use crate::error::Error;
use crate::remote::object::bucket::{Bucket, path_of};
use crate::remote::object::runtime::wait;
use crate::remote::object_url::ObjectUrl;
use object_store::{Error as StoreError, ObjectStoreExt};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

/// A folder of objects: what is below a key of a bucket. What the store does not answer is asked for again, some
/// times.
///
/// # Examples
/// ```
/// use nearprint_corpus::ObjectFolder;
///
/// assert!(ObjectFolder::of_path("work/".as_ref())?.is_none());
/// # Ok::<(), nearprint_corpus::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ObjectFolder {
    /// Its key ends in a slash, or is empty.
    url: ObjectUrl,
    bucket: Bucket,
}

impl ObjectFolder {
    /// The folder that a path is the address of; none of a path of files.
    ///
    /// # Errors
    /// An address of no bucket or of one that can only be read.
    pub fn of_path(path: &Path) -> Result<Option<Self>, Error> {
        let Some(mut url) = ObjectUrl::of_path(path)? else { return Ok(None) };
        if !url.scheme.is_storage() {
            let detail = "http and https are read-only; expected s3://, gs:// or az://".to_owned();
            return Err(Error::BadUrl { url: url.to_string(), detail });
        }
        if !(url.key.is_empty() || url.key.ends_with('/')) {
            url.key.push('/');
        }
        let bucket = Bucket::open(&url)?;
        Ok(Some(Self { url, bucket }))
    }

    /// The names of what is below a name in it, without that, in their order.
    ///
    /// # Errors
    /// What the store answers.
    pub fn names(&self, below: &str) -> Result<Vec<String>, Error> {
        let url = self.at(below);
        let folder = format!("{}/", url.key.trim_end_matches('/'));
        let found = self.bucket.list(&url)?;
        let keys = found.iter().filter_map(|meta| meta.location.as_ref().strip_prefix(&folder));
        Ok(keys.map(str::to_owned).collect())
    }

    /// The bytes of an object, where there is one.
    ///
    /// # Errors
    /// What the store answers.
    pub fn bytes(&self, name: &str) -> Result<Option<u64>, Error> {
        Ok(self.bucket.head(&self.at(name))?.map(|meta| meta.size))
    }

    /// A part of an object.
    ///
    /// # Errors
    /// What the store answers, as where there is no such object or no such part.
    pub fn read(&self, name: &str, range: Range<u64>) -> Result<Vec<u8>, Error> {
        let url = self.at(name);
        let path = path_of(&url)?;
        let failed = |source| Error::Read { path: url.to_string(), source };
        let read = wait(self.bucket.store().get_range(&path, range)).map_err(failed)?;
        read.map(Vec::from).map_err(|error: StoreError| failed(io::Error::other(error)))
    }

    /// Writes an object, which appears whole or not at all, in the place of one that is there.
    ///
    /// # Errors
    /// Those of `write`, and what the store answers.
    pub fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), Error> {
        let url = self.at(name);
        let failed = |source| Error::Write { path: url.to_string(), source };
        let mut upload = super::upload(&url).map_err(failed)?;
        let written = write(&mut upload).and_then(|()| upload.finish());
        written.and_then(|()| upload.publish(true)).map_err(failed)
    }

    fn at(&self, name: &str) -> ObjectUrl {
        ObjectUrl { key: format!("{}{name}", self.url.key), ..self.url.clone() }
    }
}
