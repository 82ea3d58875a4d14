//! The second reading: windows whose anchors repeat, to runs of copies and to passages.

use crate::error::Error;
use crate::memory::shares;
use crate::memory::spilled_sort::{Room, sorted_of};
use crate::passages::batched::Batched;
use crate::passages::census::Census;
use crate::passages::column::{Column, ColumnWriter};
use crate::passages::corpus::{Corpus, Planned, Worker};
use crate::passages::filter::Filter;
use crate::passages::groups::{Copied, First, Groups, Window};
use crate::passages::hashing::Hashing;
use crate::passages::origins::Origins;
use crate::passages::place::{halves, place};
use crate::passages::runs::{Joining, Repeated, Run};
use crate::progress::Stage;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

/// What repeats.
pub(crate) struct Repeats {
    /// Runs by the records of their firsts.
    pub(crate) runs: Column<[u64; 4]>,
    /// Passages by their places; none where origins are not counted.
    pub(crate) repeated: Column<[u64; 3]>,
    pub(crate) figures: Searched,
}

/// What the search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Searched {
    /// Windows that were looked at.
    pub(crate) windows: u64,
    /// Of these, copies that go.
    pub(crate) copies: u64,
    /// The most equal windows.
    pub(crate) most: u64,
    /// Bytes that were sorted on disk.
    pub(crate) spilled: u64,
}

impl Repeats {
    /// Finds what repeats, within so many bytes.
    ///
    /// # Errors
    /// Input that changed or cannot be read; temporary files.
    pub(crate) fn find(
        corpus: &Corpus<'_>,
        census: &Census,
        hashing: &Hashing,
        room: usize,
    ) -> Result<Self, Error> {
        let reference = crate::numbers::narrow(census.reference);
        let origins = &census.origins;
        let record = |rank| origins.record(rank);
        let mut repeated = (Joining::<Repeated>::default(), ColumnWriter::new(corpus.dir));
        let mut runs = ColumnWriter::new(corpus.dir);
        let (mut windows, mut copies, mut most) = (0, 0, 0);
        let [of_windows, of_copies, of_runs, of_firsts] =
            [shares::WINDOWS, shares::COPIES, shares::RUNS, shares::FIRSTS]
                .map(|share| Room::within(share.of(room)));
        let dir = corpus.dir;
        let mut spilled = 0;
        let firsts = sorted_of::<First>(
            of_firsts,
            dir,
            &mut |emit_first| {
                spilled += sorted_of::<[u64; 4]>(
                    of_runs,
                    dir,
                    &mut |emit_run| {
                        let mut joining = Joining::<Run>::default();
                        let mut found = Batched::new(emit_run);
                        spilled += sorted_of::<Copied>(
                            of_copies,
                            dir,
                            &mut |emit_copied| {
                                let mut groups = Groups::new(corpus.rule, reference, origins, dir);
                                let (mut to_copied, mut to_first) =
                                    (Batched::new(emit_copied), Batched::new(emit_first));
                                let mut copied = |copied: Copied| {
                                    copies += 1;
                                    most = most.max(copied[2] >> 32);
                                    to_copied.push(copied);
                                    Ok(())
                                };
                                let mut first = |[at, count, from]: First| {
                                    let (rank, unit) = halves(at);
                                    let at = place(record(rank), unit);
                                    to_first.push([at, count, from]);
                                    Ok(())
                                };
                                spilled += sorted_of::<Window>(
                                    of_windows,
                                    dir,
                                    &mut |emit| {
                                        windows = read(corpus, census, hashing, room, emit)?;
                                        corpus.progress.enter(Stage::Join);
                                        Ok(())
                                    },
                                    &mut |windows| {
                                        corpus.progress.check()?;
                                        groups.take(windows, &mut copied, &mut first)
                                    },
                                )?;
                                groups.end(&mut copied, &mut first)?;
                                to_copied.flush();
                                to_first.flush();
                                Ok(())
                            },
                            &mut |copies| {
                                corpus.progress.check()?;
                                for copied in copies {
                                    if let Some(run) = joining.push(*copied) {
                                        found.push(run.by_record(record).entry());
                                    }
                                }
                                Ok(())
                            },
                        )?;
                        if let Some(run) = joining.end() {
                            found.push(run.by_record(record).entry());
                        }
                        found.flush();
                        Ok(())
                    },
                    &mut |found| found.iter().try_for_each(|run| runs.push(*run)),
                )?;
                Ok(())
            },
            &mut |firsts| {
                let (joining, column) = &mut repeated;
                let mut ended = firsts.iter().filter_map(|first| joining.push(*first));
                ended.try_for_each(|passage| column.push(passage.entry()))
            },
        )?;
        let (joining, mut column) = repeated;
        joining.end().map_or(Ok(()), |passage| column.push(passage.entry()))?;
        spilled += firsts;
        let figures = Searched { windows, copies, most, spilled };
        Ok(Self { runs: runs.finish()?, repeated: column.finish()?, figures })
    }
}

/// Emits the windows of all documents whose anchors repeat; returns how many.
fn read(
    corpus: &Corpus<'_>,
    census: &Census,
    hashing: &Hashing,
    room: usize,
    emit: &(dyn Fn(&[Window]) + Sync),
) -> Result<u64, Error> {
    if census.repeated.len() == 0 {
        return Ok(0);
    }
    let mut filter = Filter::new(census.repeated.len(), shares::FILTER.of(room));
    census.repeated.for_each(|anchor| {
        filter.insert(anchor);
        Ok(())
    })?;
    let (filter, count) = (&filter, AtomicU64::new(0));
    let origins = &census.origins;
    corpus.reread(
        Stage::Windows,
        census.checksums,
        |_| Ok(()),
        |worker, planned| {
            let windows = windows(corpus, origins, hashing, filter, worker, &planned, emit);
            count.fetch_add(windows, Ordering::Relaxed);
            Ok(())
        },
        |()| Ok(()),
    )?;
    Ok(count.into_inner())
}

/// Emits the windows of a batch whose anchors seem to repeat; returns how many.
fn windows(
    corpus: &Corpus<'_>,
    origins: &Origins,
    hashing: &Hashing,
    filter: &Filter,
    worker: &mut Worker,
    planned: &Planned<()>,
    emit: &(dyn Fn(&[Window]) + Sync),
) -> u64 {
    let (mut found, mut count) = (Batched::new(emit), 0);
    let Worker { units, windows, runs, texts: [scratch, _] } = worker;
    for (number, record) in (planned.first()..).zip(planned.batch.records()) {
        let Ok(document) = corpus.document(&record) else { continue };
        let units = units.read(&document.text);
        hashing.anchors.rolling.hash(units.hashes(), runs);
        let rank = origins.rank(number);
        let (mut last, mut repeats, mut hashed) = (usize::MAX, false, false);
        hashing.anchors.each(runs, |at, anchor| {
            if anchor != last {
                last = anchor;
                repeats = filter.has(runs[anchor]);
                if repeats && !hashed {
                    hashed = true;
                    hashing.windows(&units, windows);
                }
            }
            if repeats {
                let hash = hashing.of_window(windows[at], at, &units, scratch);
                found.push([hash, place(rank, crate::numbers::narrow(at as u64))]);
                count += 1;
            }
        });
    }
    found.flush();
    count
}
