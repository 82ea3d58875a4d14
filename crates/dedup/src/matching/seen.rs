//! What earlier runs have seen, as segments of fingerprints: which documents are near one of those. Making
//! a segment of what stays is the affair of [`crate::report::index_out`].

use crate::error::Error;
use crate::read::documents::Documents;
use nearprint_fingerprint::RecipeId;
use nearprint_index::{Means, Neighbor, Segment};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::sync::Arc;

/// Queries that one thread asks at a time.
const TOGETHER: usize = 1024;

/// Bytes that outlive whoever reads them.
pub(crate) type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A segment, with the ids of its documents.
#[derive(Clone)]
pub struct Seen {
    /// What messages call it.
    pub name: String,
    /// The segment.
    pub bytes: SharedBytes,
    /// A file with a line for each document: its id as JSON text. None where documents go by their
    /// numbers.
    pub ids: Option<PathBuf>,
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seen").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A document that is near one of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sighting {
    /// The document.
    pub(crate) document: u64,
    /// The place of the segment among those of the job.
    segment: usize,
    /// The nearest document there, the first of them.
    number: u64,
    /// Bits that differ.
    pub(crate) distance: u32,
    /// Its id, as JSON text.
    pub(crate) id: String,
}

/// Of each of `documents`, but for degenerate ones, the nearest within `k` in the first of the
/// segments that has one; ascending. Runs on rayon's current pool.
///
/// # Errors
/// A segment of another width or recipe, one with tables for a smaller radius, or a damaged one; a file
/// of ids that cannot be read or is too short.
///
/// # Complexity
/// A batch of queries to each segment, and a reading of the ids of those in which something is found.
/// Memory: a byte a document, and what is found.
pub(crate) fn sightings<const WORDS: usize>(
    all: &[Seen],
    documents: &Documents<WORDS>,
    (recipe, k): (RecipeId, u32),
) -> Result<Vec<Sighting>, Error> {
    let mut found: Vec<Sighting> = Vec::new();
    if all.is_empty() {
        return Ok(found);
    }
    let mut degenerate = documents.degenerate.iter().map(|one| one.document).peekable();
    // Those that are not asked for, or not any more.
    let mut done: Vec<bool> = (0..documents.fingerprints.len() as u64)
        .map(|document| degenerate.next_if_eq(&document).is_some())
        .collect();
    for (at, seen) in all.iter().enumerate() {
        let told = |source| Error::Segment { name: seen.name.clone(), source };
        let segment = Segment::<_, WORDS>::open((*seen.bytes).as_ref()).map_err(told)?;
        let theirs = segment.recipe();
        if theirs != 0 && theirs != u128::from(recipe) {
            let (name, theirs) = (seen.name.clone(), RecipeId::from(theirs).to_string());
            return Err(Error::OtherRecipe { name, theirs, ours: recipe.to_string() });
        }
        let shares = documents.fingerprints.par_chunks(TOGETHER).zip(done.par_chunks(TOGETHER));
        let shares = shares.enumerate().map(|(share, (codes, done))| {
            let near = segment.batch(codes, k, Some(1), Means::Tables)?;
            let documents = ((share * TOGETHER) as u64..).zip(done.iter().zip(near));
            let sightings =
                documents.filter(|(_, (done, _))| !**done).filter_map(|(document, (_, near))| {
                    let Neighbor { doc: number, distance } = *near.first()?;
                    Some(Sighting {
                        document,
                        segment: at,
                        number,
                        distance,
                        id: number.to_string(),
                    })
                });
            Ok(sightings.collect::<Vec<_>>())
        });
        let new = shares.collect::<Result<Vec<_>, _>>().map_err(told)?;
        for one in new.into_iter().flatten() {
            if let Some(done) = usize::try_from(one.document).ok().and_then(|at| done.get_mut(at)) {
                *done = true;
            }
            found.push(one);
        }
    }
    found.sort_unstable_by_key(|one| one.document);
    for (at, seen) in all.iter().enumerate() {
        let ours: BTreeSet<u64> =
            found.iter().filter(|one| one.segment == at).map(|one| one.number).collect();
        let Some(path) = seen.ids.as_ref().filter(|_| !ours.is_empty()) else { continue };
        let told = |source| Error::Io { path: path.clone(), source };
        let lines = BufReader::new(File::open(path).map_err(told)?).lines();
        let mut names = BTreeMap::new();
        for (number, line) in (0..).zip(lines) {
            let line = line.map_err(told)?;
            if ours.contains(&number) {
                names.insert(number, line);
            }
        }
        for one in found.iter_mut().filter(|one| one.segment == at) {
            let short = || Error::IdsTooShort { path: path.clone(), number: one.number };
            one.id = names.get(&one.number).cloned().ok_or_else(short)?;
        }
    }
    Ok(found)
}
