//! Candidates by prefixes: documents that share one of their rarest features. All documents are read again.

use crate::error::Error;
use crate::memory::prefixes::{Prefixes, packed};
use crate::numbers::{DocumentNumber, narrow};
use crate::progress::{Progress, Stage};
use crate::read::rarity::Rarity;
use crate::search::candidate_search::{CandidateSearch, Emit, Searched};
use crate::search::crowds::Crowds;
use crate::search::features::{Features, PackedPrefix};
use crate::search::prefix_join::{PATIENCE, PrefixJoin};
use nearprint_fingerprint::FeatureList;
use nearprint_rules::Check;
use std::path::Path;
use std::sync::Arc;

/// A search by the rarest features of documents.
pub(crate) struct PrefixSearch;

impl CandidateSearch for PrefixSearch {
    /// How rare features are.
    type Input = Arc<Rarity>;
    const FOLDS_EQUAL: bool = false;

    fn find(
        &self,
        rarity: Arc<Rarity>,
        of: &Searched<'_>,
        crowds: &Crowds,
        emit: &Emit<'_>,
    ) -> Result<(), Error> {
        let mut prefixes = prefixes(&rarity, of)?;
        drop(rarity);
        let room = of.memory.of_exact_join(of.room);
        PrefixJoin::of(of, PATIENCE, room).run(&mut prefixes, crowds, emit)
    }

    fn share_found(&self, _: f64) -> f64 {
        1.0
    }
}

/// The rarest features of those documents that share one with another document.
fn prefixes(rarity: &Rarity, of: &Searched<'_>) -> Result<Prefixes, Error> {
    let (check, progress) = (of.check, of.progress);
    let joined = of.ranking.joined(of.documents);
    let documents: Vec<_> = joined.map(|(document, _)| document).collect();
    let (mut prefixes, mut next) = (Prefixes::new(of.work_dir), documents.iter());
    progress.enter(Stage::Prefixes);
    of.features.prefixes(
        &documents,
        check.weighs(),
        progress,
        &|lists| {
            let mut rarest = Vec::new();
            lists.map(|list| prefix(rarity, check, &list, &mut rarest)).collect()
        },
        &mut |some| {
            for (size, before, shared) in some {
                let document = next.next().map_or(0, |document| narrow(document.0));
                if !shared.is_empty() {
                    prefixes.push(document, size, before, &shared)?;
                }
            }
            Ok(())
        },
    )?;
    progress.enter(Stage::Join);
    Ok(prefixes)
}

/// The rarest features of the crowded documents of a component, by how rare they are among these: counts take at most
/// `room` bytes, and what is kept goes to `dir`. Runs on rayon's current pool.
///
/// # Errors
/// Those of features and of the disk; [`Error::Interrupted`].
pub(crate) fn of_crowd(
    crowd: &[DocumentNumber],
    features: &mut Features,
    check: Check,
    (dir, room): (&Path, usize),
    progress: &Progress,
) -> Result<Prefixes, Error> {
    let all = crowd.iter().map(|document| features.count(*document)).sum();
    let rarity = Rarity::new(all, room);
    features.each(crowd, |list| rarity.add(list.keys()), |_, ()| progress.check())?;
    let mut prefixes = Prefixes::new(dir);
    let make = |list: &FeatureList| prefix(&rarity, check, list, &mut Vec::new());
    features.each(crowd, make, |document, (size, before, shared)| {
        progress.check()?;
        match shared.is_empty() {
            true => Ok(()),
            false => prefixes.push(narrow(document.0), size, before, &shared),
        }
    })?;
    Ok(prefixes)
}

/// The prefix of a document.
fn prefix(
    rarity: &Rarity,
    check: Check,
    list: &FeatureList,
    rarest: &mut Vec<u64>,
) -> PackedPrefix {
    rarity.prefix(list, check, rarest);
    let before = rarest.partition_point(|place| Rarity::level(*place) <= 1);
    let shared = packed(rarest.get(before..).unwrap_or_default());
    (narrow(list.len() as u64), narrow(before as u64), shared)
}
