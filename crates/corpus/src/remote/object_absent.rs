//! In the place of `object` where the crate is built without the feature `objects`: there is none.

use crate::error::Error;
use crate::remote::object_url::ObjectUrl;
use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;
use thiserror::Error as ThisError;

#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) url: ObjectUrl,
    never: Infallible,
}

impl Object {
    pub(crate) fn bytes(&self) -> u64 {
        match self.never {}
    }

    pub(crate) fn version(&self) -> String {
        match self.never {}
    }

    pub(crate) fn open(&self) -> Box<dyn Read + Send> {
        match self.never {}
    }
}

pub(crate) struct Listing {
    pub(crate) objects: Vec<Object>,
    pub(crate) folder: Option<ObjectUrl>,
}

pub(crate) fn find(url: &ObjectUrl) -> Result<Vec<Listing>, Error> {
    Err(Error::WithoutObjects { url: url.to_string() })
}

pub(crate) fn exists(url: &ObjectUrl) -> Result<bool, Error> {
    Err(Error::WithoutObjects { url: url.to_string() })
}

pub(crate) fn upload(url: &ObjectUrl) -> io::Result<Upload> {
    Err(io::Error::other(Error::WithoutObjects { url: url.to_string() }))
}

#[derive(Debug, ThisError)]
pub(crate) enum ObjectError {}

#[derive(Clone, Debug)]
pub(crate) struct Upload(Infallible);

impl Upload {
    pub(crate) fn finish(&self) -> io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn publish(&self, _replace: bool) -> io::Result<()> {
        match self.0 {}
    }
}

impl Write for Upload {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}

/// A folder of objects: there is none.
#[derive(Clone, Debug)]
pub struct ObjectFolder(Infallible);

impl ObjectFolder {
    /// None of a path of files.
    ///
    /// # Errors
    /// An address.
    pub fn of_path(path: &Path) -> Result<Option<Self>, Error> {
        match ObjectUrl::of_path(path)? {
            Some(url) => Err(Error::WithoutObjects { url: url.to_string() }),
            None => Ok(None),
        }
    }

    /// The names of what is below a name in it.
    ///
    /// # Errors
    /// None.
    pub fn names(&self, _below: &str) -> Result<Vec<String>, Error> {
        match self.0 {}
    }

    /// The bytes of an object.
    ///
    /// # Errors
    /// None.
    pub fn bytes(&self, _name: &str) -> Result<Option<u64>, Error> {
        match self.0 {}
    }

    /// A part of an object.
    ///
    /// # Errors
    /// None.
    pub fn read(&self, _name: &str, _range: Range<u64>) -> Result<Vec<u8>, Error> {
        match self.0 {}
    }

    /// Writes an object.
    ///
    /// # Errors
    /// None.
    pub fn write(
        &self,
        _name: &str,
        _write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), Error> {
        match self.0 {}
    }
}
