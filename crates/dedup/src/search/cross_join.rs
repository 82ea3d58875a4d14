//! The join of queries with a stream of codes within a memory budget, the answers in the order of
//! the queries.
//!
//! The tables on the queries and the join of a chunk are in [`nearprint_index::stream_join`];
//! here is how many queries are held at a time, and where their answers wait.

use crate::error::Error;
use crate::memory::shares;
use crate::memory::spill::Entry;
use crate::memory::spilled_sort::{Job, Room, Sink, sorted_of};
use crate::numbers::{entry, index};
use crate::progress::Progress;
use nearprint_fingerprint::{AnyFingerprint, Codes, Fingerprint, Width};
use nearprint_index::{CrossPair, Distinct, JoinTables, StreamJoin};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The smallest budget: a few thousand queries and their tables.
const LEAST: usize = 1_000_000;
/// The most codes of the stream that are in memory at a time.
const CHUNK: usize = 1 << 20;

/// What goes through all codes of a stream, handing over as many at a time as it is told, or fewer.
pub type Stream<'a> =
    dyn FnMut(usize, &mut dyn FnMut(Codes<'_>) -> Result<(), Error>) -> Result<(), Error> + 'a;

/// A join of queries with a stream that is read once for as many queries as the memory holds.
///
/// Empty documents, of fingerprint 0, are never duplicates, on either side.
///
/// Memory: the budget. Half goes to queries and their tables, a sixteenth to what is read of the
/// stream, the rest to answers, which wait sorted in temporary files where they do not fit; those
/// have no names and are gone when the join ends, in whatever way.
///
/// # Examples
/// ```
/// use nearprint_dedup::CrossJoin;
/// use nearprint_fingerprint::{Codes, Fingerprint, Width};
///
/// let queries = [(0b111_u64, 0), (0b001, 1)].map(|(code, n)| (Fingerprint::from(code).into(), n));
/// let stream = [0b011_u64, 0xff, 0b111].map(Fingerprint::from);
/// let join = CrossJoin::new(1, None, std::env::temp_dir())?;
/// let mut found = Vec::new();
/// join.run(
///     Width::W64,
///     &mut queries.into_iter(),
///     &mut |_, each| each(Codes::of(&stream)),
///     &mut |query, doc, distance| {
///         found.push((query, doc, distance));
///         Ok(())
///     },
/// )?;
/// assert_eq!(found, [(0, 2, 0), (0, 0, 1), (1, 0, 1)]);
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, section 3.3: batch queries, the big file scanned sequentially.
#[derive(Clone, Debug)]
pub struct CrossJoin {
    k: u32,
    budget: Option<usize>,
    dir: PathBuf,
    stop: Arc<AtomicBool>,
}

impl CrossJoin {
    /// A join within `k` bits that keeps to `budget` bytes of memory and spills to files in `dir`;
    /// without a budget everything is held.
    ///
    /// # Errors
    /// [`Error::Budget`] where the budget is below 1 MB.
    pub fn new(k: u32, budget: Option<usize>, dir: impl Into<PathBuf>) -> Result<Self, Error> {
        if let Some(given) = budget.filter(|given| *given < LEAST) {
            return Err(Error::Budget { given: given as u64, least: LEAST as u64 });
        }
        Ok(Self { k, budget, dir: dir.into(), stop: Arc::default() })
    }

    /// Lets whoever watches `progress` end the join: [`Self::run`] returns [`Error::Interrupted`]
    /// soon after [`Progress::cancel`].
    #[must_use]
    pub fn stopped_by(self, progress: &Progress) -> Self {
        Self { stop: Arc::clone(progress.stop()), ..self }
    }

    /// Hands to `sink` every query, the ordinal of each code of the stream that is near it, and
    /// their distance: queries in the order in which they come, the nearest code first, those at
    /// one distance by ordinal. Runs on rayon's current pool.
    ///
    /// `queries` are fingerprints of a width with numbers that ascend. `stream` goes through all its codes
    /// from the first, handing over as many at a time as it is told, or fewer; it is called once
    /// for as many queries as are held. Returns how often that was.
    ///
    /// # Errors
    /// `k` over the width; those of `queries`, `stream`, `sink` and of temporary files.
    ///
    /// # Complexity
    /// For each going through of the stream that of [`StreamJoin::chunk`].
    pub fn run(
        &self,
        width: Width,
        queries: &mut dyn Iterator<Item = (AnyFingerprint, u64)>,
        stream: &mut Stream<'_>,
        sink: &mut (dyn FnMut(u64, u64, u32) -> Result<(), Error> + Send),
    ) -> Result<u64, Error> {
        match width {
            Width::W64 => self.run_at::<1>(queries, stream, sink),
            Width::W128 => self.run_at::<2>(queries, stream, sink),
            Width::W256 => self.run_at::<4>(queries, stream, sink),
        }
    }

    fn run_at<const WORDS: usize>(
        &self,
        queries: &mut dyn Iterator<Item = (AnyFingerprint, u64)>,
        stream: &mut Stream<'_>,
        sink: &mut (dyn FnMut(u64, u64, u32) -> Result<(), Error> + Send),
    ) -> Result<u64, Error> {
        let most = self.queries_at_a_time::<WORDS>()?;
        let queries = queries.map(|(code, number)| (code.narrow().unwrap_or_default(), number));
        let mut queries = queries.filter(|(code, _)| *code != Fingerprint::<WORDS>::ZERO);
        let mut passes = 0;
        loop {
            let (codes, numbers): (Vec<_>, Vec<_>) = queries.by_ref().take(most).unzip();
            if codes.is_empty() {
                return Ok(passes);
            }
            passes += 1;
            let distinct = Distinct::stopped_by(&codes, &self.stop)?;
            drop(codes);
            let join = StreamJoin::stopped_by(distinct.codes(), self.k, &self.stop)?;
            let number = |at| entry(&numbers, index(at));
            let mut joining = |keep: &(dyn Fn(&[Answer]) + Sync)| {
                let mut first = 0;
                stream(self.chunk::<WORDS>(), &mut |codes| {
                    let codes = codes.of_width::<WORDS>().unwrap_or_default();
                    join.chunk(codes, first, |CrossPair { query, doc, distance }| {
                        let code = usize::try_from(doc - first).ok().and_then(|at| codes.get(at));
                        if code.is_none_or(|code| *code == Fingerprint::ZERO) {
                            return;
                        }
                        for query in distinct.docs(query).map(number) {
                            keep(&[Answer { query, distance, doc }]);
                        }
                    })?;
                    first += codes.len() as u64;
                    Ok(())
                })
            };
            sorted_answers(self.room(), &self.dir, &mut joining, &mut |answers| {
                answers
                    .iter()
                    .try_for_each(|Answer { query, distance, doc }| sink(*query, *doc, *distance))
            })?;
        }
    }

    /// As many queries as half of the budget holds with their tables.
    fn queries_at_a_time<const WORDS: usize>(&self) -> Result<usize, Error> {
        let Some(budget) = self.budget else { return Ok(usize::MAX) };
        let code = Fingerprint::<WORDS>::BYTES;
        // The queries as they come, their numbers, the distinct ones, and what brings those back.
        let mut fit = shares::QUERIES.of(budget) / (2 * code + 24);
        loop {
            let tables = JoinTables::stream(Fingerprint::<WORDS>::BITS, self.k, fit)?.tables();
            let fewer = shares::QUERIES.of(budget) / (2 * code + 24 + tables * (code + 10));
            if fit <= fewer.max(1) {
                return Ok(fit);
            }
            // Fewer queries may be joined by more tables, so that this goes down step by step.
            fit = fewer.min(fit * 15 / 16).max(1);
        }
    }

    /// Codes of the stream at a time.
    fn chunk<const WORDS: usize>(&self) -> usize {
        let fit = self
            .budget
            .map_or(CHUNK, |budget| shares::STREAMED.of(budget) / Fingerprint::<WORDS>::BYTES);
        fit.clamp(1, CHUNK)
    }

    /// Where answers wait.
    fn room(&self) -> Room {
        match self.budget {
            Some(budget) => Room::within(shares::ANSWERS.of(budget)),
            None => Room { bytes: usize::MAX, ..Room::within(usize::MAX) },
        }
    }
}

/// [`sorted_of`], compiled here for all that join.
fn sorted_answers(
    room: Room,
    dir: &Path,
    job: &mut Job<'_, Answer>,
    each: &mut Sink<'_, Answer>,
) -> Result<u64, Error> {
    sorted_of(room, dir, job, each)
}

/// A code of the stream that is near a query: the nearest first, then by ordinal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Answer {
    query: u64,
    distance: u32,
    doc: u64,
}

impl Entry for Answer {
    const BYTES: usize = 20;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.query.to_le_bytes());
        bytes.extend(self.doc.to_le_bytes());
        bytes.extend(self.distance.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (ends, _) = bytes.as_chunks::<8>();
        let (halves, _) = bytes.as_chunks::<4>();
        let [query, doc] = [ends[0], ends[1]].map(u64::from_le_bytes);
        Self { query, distance: u32::from_le_bytes(halves[4]), doc }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn answers(join: &CrossJoin, queries: &[u64], stream: &[u64]) -> (u64, Vec<(u64, u64, u32)>) {
        let codes: Vec<_> = stream.iter().copied().map(Fingerprint::from).collect();
        let mut found = Vec::new();
        let passes = join.run(
            Width::W64,
            &mut queries.iter().map(|code| Fingerprint::from(*code).into()).zip(100..),
            &mut |most, each| codes.chunks(most).try_for_each(|codes| each(Codes::of(codes))),
            &mut |query, doc, distance| {
                found.push((query, doc, distance));
                Ok(())
            },
        );
        (passes.unwrap(), found)
    }

    proptest! {
        #[test]
        fn answers_are_those_of_the_scan_with_any_budget(
            queries in prop::collection::vec(0_u64..300, 0..200),
            stream in prop::collection::vec(0_u64..300, 0..200),
            k in 0_u32..4,
            budget in prop::option::of(2000_usize..40_000),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let join = CrossJoin { k, budget, dir: dir.path().to_owned(), stop: Arc::default() };
            let mut expected = Vec::new();
            for (query, number) in queries.iter().zip(100..).filter(|(code, _)| **code != 0) {
                let near = stream.iter().zip(0..).filter(|(code, _)| **code != 0);
                let near = near.map(|(code, doc)| ((code ^ query).count_ones(), doc));
                let mut near: Vec<_> = near.filter(|(distance, _)| *distance <= k).collect();
                near.sort_unstable();
                expected.extend(near.into_iter().map(|(distance, doc)| (number, doc, distance)));
            }
            let (passes, found) = answers(&join, &queries, &stream);
            prop_assert_eq!(found, expected);
            let some = queries.iter().any(|code| *code != 0);
            prop_assert!(budget.is_some() || passes == u64::from(some));
        }
    }

    #[test]
    fn a_small_budget_goes_through_the_stream_again() {
        let dir = tempfile::tempdir().unwrap();
        let (budget, stop) = (Some(64 << 10), Arc::default());
        let join = CrossJoin { k: 3, budget, dir: dir.path().to_owned(), stop };
        let queries: Vec<u64> = (1..=5000).map(|at| at << 20).collect();
        let (passes, found) = answers(&join, &queries, &[7 << 20, 1, 4096 << 20]);
        assert!(passes > 1, "{passes}");
        assert!(found.is_sorted_by_key(|(query, doc, distance)| (*query, *distance, *doc)));
        assert!(found.contains(&(106, 0, 0)) && found.contains(&(4195, 2, 0)));
    }

    #[test]
    fn what_fails_ends_it() {
        let dir = tempfile::tempdir().unwrap();
        let small = CrossJoin::new(3, Some(1000), dir.path()).unwrap_err();
        assert!(matches!(small, Error::Budget { given: 1000, .. }), "{small}");
        let join = CrossJoin::new(1, None, dir.path()).unwrap();
        let codes = [Fingerprint::from(1_u64)];
        let run = |join: &CrossJoin, stream: &mut Stream<'_>, sunk: fn() -> Result<(), Error>| {
            let mut query = std::iter::once((codes[0].into(), 0));
            join.run(Width::W64, &mut query, stream, &mut |_, _, _| sunk())
        };
        let of_stream = run(&join, &mut |_, _| Err(Error::NoText), || Ok(()));
        assert!(matches!(of_stream.unwrap_err(), Error::NoText));
        let each: &mut Stream<'_> = &mut |_, each| each(Codes::of(&codes));
        let of_sink = run(&join, each, || Err(Error::Interrupted));
        assert!(matches!(of_sink.unwrap_err(), Error::Interrupted));
        let wide = CrossJoin::new(65, None, dir.path()).unwrap();
        assert!(run(&wide, &mut |_, _| Ok(()), || Ok(())).is_err());
    }
}
