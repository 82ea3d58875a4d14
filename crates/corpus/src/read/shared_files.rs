//! Files that are read as documents and are among those to compare with.

use crate::error::Error;
use crate::identity::FileIdentity;
use crate::records::source::{Origin, Source};
use crate::remote::object_url::ObjectUrl;
use std::collections::HashMap;

/// Refuses a file or an object that is among the documents to compare with, too, whatever links lead there.
///
/// # Errors
///
/// [`Error::SameReference`], with both names.
pub fn refuse_shared(sources: &[Source], against: &[Source]) -> Result<(), Error> {
    if against.is_empty() {
        return Ok(());
    }
    let known: HashMap<_, _> =
        against.iter().filter_map(|source| Some((Place::of(source)?, source.name()))).collect();
    let shared = sources.iter().find_map(|source| {
        let against = known.get(&Place::of(source)?)?;
        Some((source.name().to_owned(), (*against).to_owned()))
    });
    shared.map_or(Ok(()), |(input, against)| Err(Error::SameReference { input, against }))
}

/// Where the bytes of a source are.
#[derive(PartialEq, Eq, Hash)]
enum Place<'a> {
    File(FileIdentity),
    Object(&'a ObjectUrl),
}

impl<'a> Place<'a> {
    /// None of a stream, which is read once.
    fn of(source: &'a Source) -> Option<Self> {
        match &source.origin {
            Origin::Object(object) => Some(Self::Object(&object.url)),
            _ if source.is_stream() => None,
            _ => FileIdentity::of(source.path()?).ok().map(Self::File),
        }
    }
}
