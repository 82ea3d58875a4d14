//! In the place of `object` where the crate is built without the feature `objects`: there is none.

use crate::error::Error;
use crate::remote::object_url::ObjectUrl;
use std::convert::Infallible;
use std::io::{self, Read, Write};
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
