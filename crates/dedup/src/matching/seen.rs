//! What earlier runs have seen, as segments of fingerprints: which documents are near one of those. Making
//! a segment of what stays is the affair of [`crate::report::index_out`].

use crate::error::Error;
use crate::numbers::{DocumentNumber, set};
use crate::read::documents::Documents;
use nearprint_fingerprint::{Fingerprint, Recipe, RecipeId};
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
    pub(crate) document: DocumentNumber,
    /// The place of the segment among those of the job.
    segment: usize,
    /// The nearest document there, the first of them.
    number: u64,
    /// Bits that differ.
    pub(crate) distance: u32,
    /// Its id, as JSON text.
    pub(crate) id: String,
}

/// Segments of what earlier runs have seen, and how near to them a document goes.
#[derive(Clone, Copy)]
pub(crate) struct Segments<'a> {
    pub(crate) all: &'a [Seen],
    /// The recipe of the job.
    pub(crate) recipe: &'a Recipe,
    pub(crate) k: u32,
}

impl Segments<'_> {
    /// Of each of `documents`, but for those left apart, the nearest within the radius in the first of
    /// the segments that has one; ascending. Runs on rayon's current pool.
    ///
    /// # Errors
    /// A segment of another width or recipe, one with tables for a smaller radius, or a damaged one; a
    /// file of ids that cannot be read or is too short.
    ///
    /// # Complexity
    /// A batch of queries to each segment, and a reading of the ids of those in which something is
    /// found. Memory: a byte a document, and what is found.
    pub(crate) fn sightings<const WORDS: usize>(
        self,
        documents: &Documents<WORDS>,
    ) -> Result<Vec<Sighting>, Error> {
        let mut found: Vec<Sighting> = Vec::new();
        if self.all.is_empty() {
            return Ok(found);
        }
        // Those that are not asked for, or not any more.
        let mut done = vec![true; documents.len()];
        documents.joined().for_each(|(document, _)| set(&mut done, document.index(), false));
        for (at, seen) in self.all.iter().enumerate() {
            let new = self.sightings_of(at, seen, &documents.fingerprints, &done)?;
            new.iter().for_each(|one| set(&mut done, one.document.index(), true));
            found.extend(new);
        }
        found.sort_unstable_by_key(|one| one.document);
        for (at, seen) in self.all.iter().enumerate() {
            seen.name_documents(found.iter_mut().filter(|one| one.segment == at).collect())?;
        }
        Ok(found)
    }

    /// Of each document that is not `done` the nearest in the segment `seen`, which is number `at`.
    fn sightings_of<const WORDS: usize>(
        self,
        at: usize,
        seen: &Seen,
        codes: &[Fingerprint<WORDS>],
        done: &[bool],
    ) -> Result<Vec<Sighting>, Error> {
        let failed = |source| Error::Segment { name: seen.name.clone(), source };
        let segment = Segment::<_, WORDS>::open((*seen.bytes).as_ref()).map_err(failed)?;
        if let Some(theirs) = segment.recipe().map(RecipeId::from)
            && theirs != self.recipe.id()
        {
            return Err(self.other_recipe(seen.name.clone(), theirs));
        }
        let shares = codes.par_chunks(TOGETHER).zip(done.par_chunks(TOGETHER)).enumerate();
        let found = shares.map(|(share, (codes, done))| {
            let nearest = segment.batch(codes, self.k, Some(1), Means::Tables)?;
            let documents = ((share * TOGETHER) as u64..).map(DocumentNumber);
            let asked = documents.zip(done.iter().zip(nearest)).filter(|(_, (done, _))| !**done);
            let sightings = asked.filter_map(|(document, (_, nearest))| {
                let Neighbor { doc: number, distance } = *nearest.first()?;
                Some(Sighting { document, segment: at, number, distance, id: number.to_string() })
            });
            Ok(sightings.collect::<Vec<_>>())
        });
        let found = found.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        Ok(found.into_iter().flatten().collect())
    }
}

impl Segments<'_> {
    /// What is wrong with a segment of that name and recipe.
    fn other_recipe(self, name: String, theirs: RecipeId) -> Error {
        let differences = match Recipe::with_id(theirs) {
            Some(theirs) => theirs.differences(self.recipe).join(", "),
            None => "theirs is none of the built-in ones".to_owned(),
        };
        Error::OtherRecipe {
            name,
            theirs: named(theirs),
            ours: named(self.recipe.id()),
            differences,
        }
    }
}

/// A recipe as a user knows it.
fn named(id: RecipeId) -> String {
    match Recipe::with_id(id) {
        Some(recipe) => format!("{} at {} bits", recipe.name, recipe.width),
        None => id.to_string(),
    }
}

impl Seen {
    /// Puts the ids of the segment's documents into sightings there; their numbers stay where there
    /// are no ids.
    fn name_documents(&self, sightings: Vec<&mut Sighting>) -> Result<(), Error> {
        let Some(path) = self.ids.as_ref().filter(|_| !sightings.is_empty()) else {
            return Ok(());
        };
        let asked: BTreeSet<u64> = sightings.iter().map(|one| one.number).collect();
        let failed = |source| Error::Io { path: path.clone(), source };
        let lines = BufReader::new(File::open(path).map_err(failed)?).lines();
        let (mut names, mut count) = (BTreeMap::new(), 0);
        for (number, line) in (0..).zip(lines) {
            let line = line.map_err(failed)?;
            count = number + 1;
            if asked.contains(&number) {
                names.insert(number, line);
            }
        }
        for one in sightings {
            let short =
                || Error::IdsTooShort { path: path.clone(), lines: count, number: one.number };
            one.id = names.get(&one.number).cloned().ok_or_else(short)?;
        }
        Ok(())
    }
}
