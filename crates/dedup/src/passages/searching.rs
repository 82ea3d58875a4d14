//! Windows whose anchors repeat, to runs of copies and to passages: at once where all stretches of an anchor have the same
//! windows, and where they differ, by the second reading.

use crate::error::Error;
use crate::memory::shares;
use crate::memory::spill::Entry;
use crate::memory::spilled_sort::{Job, Room, sorted_of};
use crate::passages::batched::Batched;
use crate::passages::census::Census;
use crate::passages::column::{Column, ColumnWriter};
use crate::passages::corpus::{Corpus, Planned, Worker};
use crate::passages::groups::{Copied, First, Groups, Window};
use crate::passages::hashing::Hashing;
use crate::passages::origins::Origins;
use crate::passages::place::{document_of, halves, place, unit_of};
use crate::passages::runs::{Joining, Repeated, Run};
use crate::passages::stretches::Stretch;
use crate::progress::Stage;
use serde::{Deserialize, Serialize};

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
    /// Windows whose anchors stand elsewhere too.
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
        let dir = corpus.dir;
        let search = Search { corpus, census, hashing, room };
        let origins = &census.origins;
        let record = |rank| origins.record(rank);
        let mut repeated = (Joining::<Repeated>::default(), ColumnWriter::new(dir));
        let mut runs = ColumnWriter::new(dir);
        let mut figures = Searched::default();
        let mut spilled = 0;
        let [of_copies, of_runs, of_firsts] = [shares::COPIES, shares::RUNS, shares::FIRSTS]
            .map(|share| Room::within(share.of(room)));
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
                        let mut ended = |run: Run| {
                            found.push(run.by_record(record).entry());
                            Ok::<_, Error>(())
                        };
                        spilled += sorted_of::<Copied>(
                            of_copies,
                            dir,
                            &mut |emit_copied| {
                                let emitted = Emitted { copied: emit_copied, first: emit_first };
                                figures = search.groups(&emitted)?;
                                Ok(())
                            },
                            &mut |copies| {
                                corpus.progress.check()?;
                                copies.iter().try_for_each(|copy| joining.push(*copy, &mut ended))
                            },
                        )?;
                        joining.end().map_or(Ok(()), &mut ended)?;
                        found.flush();
                        Ok(())
                    },
                    &mut |found| found.iter().try_for_each(|run| runs.push(*run)),
                )?;
                Ok(())
            },
            &mut |firsts| {
                let (joining, column) = &mut repeated;
                let mut ended = |passage: Repeated| column.push(passage.entry());
                firsts.iter().try_for_each(|first| joining.push(*first, &mut ended))
            },
        )?;
        let (joining, mut column) = repeated;
        joining.end().map_or(Ok(()), |passage| column.push(passage.entry()))?;
        figures.spilled += spilled + firsts;
        Ok(Self { runs: runs.finish()?, repeated: column.finish()?, figures })
    }
}

/// The search for groups of equal windows.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) corpus: &'a Corpus<'a>,
    pub(crate) census: &'a Census,
    pub(crate) hashing: &'a Hashing,
    pub(crate) room: usize,
}

/// Where the copies and the firsts of groups go.
pub(crate) struct Emitted<'a> {
    pub(crate) copied: &'a (dyn Fn(&[Copied]) + Sync),
    pub(crate) first: &'a (dyn Fn(&[First]) + Sync),
}

impl Search<'_> {
    /// Emits the copies and the firsts of all groups: copies by ranks, firsts by records.
    fn groups(self, emitted: &Emitted<'_>) -> Result<Searched, Error> {
        let mut figures = self.same(emitted)?;
        let mut asked = Some(self.asked()?);
        let other = self.equal(emitted, &mut |emit| {
            asked.take().map_or(Ok(()), |asked| self.read(asked, emit))?;
            self.corpus.progress.enter(Stage::Join);
            Ok(())
        })?;
        figures.add(other);
        Ok(figures)
    }

    /// Of stretches of one anchor that all have the same windows; counts the windows of all.
    pub(crate) fn same(self, emitted: &Emitted<'_>) -> Result<Searched, Error> {
        let Self { census, hashing, .. } = self;
        let mut windows = 0;
        let mut figures = self.grouped::<Stretch>(
            emitted,
            &mut |emit| {
                let mut same = Batched::new(emit);
                census.repeated.for_each(|(number, anchor), place, count| {
                    windows += count;
                    if hashing.trusts(anchor) {
                        same.push([number, by_rank(&census.origins, place), count]);
                    }
                    Ok(())
                })?;
                same.flush();
                Ok(())
            },
            |stretch| stretch,
        )?;
        figures.windows = windows;
        Ok(figures)
    }

    /// Of windows of equal hashes, which `job` emits.
    pub(crate) fn equal(
        self,
        emitted: &Emitted<'_>,
        job: &mut Job<'_, Window>,
    ) -> Result<Searched, Error> {
        self.grouped::<Window>(emitted, job, |[hash, place]| [hash, place, 1])
    }

    /// Of what `job` emits, sorted.
    fn grouped<E: Entry>(
        self,
        emitted: &Emitted<'_>,
        job: &mut Job<'_, E>,
        stretch: impl Fn(E) -> Stretch + Sync,
    ) -> Result<Searched, Error> {
        let Self { corpus, census, room, .. } = self;
        let (dir, origins) = (corpus.dir, &census.origins);
        let reference = crate::numbers::narrow(census.reference);
        let mut groups = Groups::new(corpus.rule, reference, origins, dir);
        let (mut to_copied, mut to_first) =
            (Batched::new(emitted.copied), Batched::new(emitted.first));
        let mut figures = Searched::default();
        let Searched { copies, most, .. } = &mut figures;
        let mut copied = |copied: Copied| {
            *copies += copied[3];
            *most = (*most).max(copied[2] >> 32);
            to_copied.push(copied);
            Ok(())
        };
        let mut first = |[at, count, from, windows]: First| {
            let (rank, unit) = halves(at);
            to_first.push([place(origins.record(rank), unit), count, from, windows]);
            Ok(())
        };
        let spilled =
            sorted_of::<E>(Room::within(shares::WINDOWS.of(room)), dir, job, &mut |entries| {
                corpus.progress.check()?;
                entries.iter().try_for_each(|entry| {
                    let [hash, place, count] = stretch(*entry);
                    groups.push(hash, place, count, &mut copied, &mut first)
                })
            })?;
        groups.end(&mut copied, &mut first)?;
        to_copied.flush();
        to_first.flush();
        Ok(Searched { spilled, ..figures })
    }

    /// The stretches that are not known to have the same windows as others of their anchors, by their places.
    pub(crate) fn asked(self) -> Result<Column<[u64; 2]>, Error> {
        let Self { corpus, census, hashing, room } = self;
        let mut asked = ColumnWriter::new(corpus.dir);
        sorted_of::<[u64; 2]>(
            Room::within(shares::ASKED.of(room)),
            corpus.dir,
            &mut |emit| {
                let mut differ = Batched::new(emit);
                census.repeated.for_each(|(_, anchor), place, count| {
                    if !hashing.trusts(anchor) {
                        differ.push([place, count]);
                    }
                    Ok(())
                })?;
                differ.flush();
                Ok(())
            },
            &mut |stretches| stretches.iter().try_for_each(|stretch| asked.push(*stretch)),
        )?;
        asked.finish()
    }

    /// Emits the windows of such stretches, by the second reading.
    pub(crate) fn read(
        self,
        asked: Column<[u64; 2]>,
        emit: &(dyn Fn(&[Window]) + Sync),
    ) -> Result<(), Error> {
        let Self { corpus, census, hashing, .. } = self;
        let origins = &census.origins;
        if asked.len() == 0 {
            return Ok(());
        }
        let mut asked = asked.walk();
        corpus.reread(
            Stage::Windows,
            census.checksums,
            |batch| {
                let end = corpus.end_of(batch);
                asked.take_while(|stretch| u64::from(document_of(stretch[0])) < end)
            },
            |worker, planned| windows(corpus, origins, hashing, worker, &planned, emit),
            |()| Ok(()),
        )
    }
}

impl Searched {
    /// Adds what another part of the search took.
    pub(crate) fn add(&mut self, other: Self) {
        self.windows += other.windows;
        self.copies += other.copies;
        self.most = self.most.max(other.most);
        self.spilled += other.spilled;
    }
}

/// A place by the rank of its document.
fn by_rank(origins: &Origins, at: u64) -> u64 {
    let (record, unit) = halves(at);
    place(origins.rank(u64::from(record)), unit)
}

/// Emits the windows of stretches, which ascend.
fn windows(
    corpus: &Corpus<'_>,
    origins: &Origins,
    hashing: &Hashing,
    worker: &mut Worker,
    planned: &Planned<Vec<[u64; 2]>>,
    emit: &(dyn Fn(&[Window]) + Sync),
) -> Result<(), Error> {
    let mut found = Batched::new(emit);
    let Worker { units, windows, texts: [scratch, _], .. } = worker;
    for stretches in planned.plan.chunk_by(|a, b| document_of(a[0]) == document_of(b[0])) {
        let number = stretches.first().map_or(0, |stretch| document_of(stretch[0]));
        let record = planned.record(number)?;
        let document = corpus.document(&record).map_err(|_| Error::InputChanged)?;
        if hashing.is_shared() {
            let units = units.read(&document.text);
            hashing.windows(units.hashes(), windows);
            hashing.tell_apart(&units, windows, scratch);
        } else {
            let (hashes, _) = units.hashes(&document.text);
            hashing.windows(hashes, windows);
        }
        for [place, count] in stretches {
            let first = unit_of(*place) as usize;
            let of_stretch = first..first + crate::numbers::index(*count);
            let hashes = windows.get(of_stretch).ok_or(Error::InputChanged)?;
            for (hash, place) in hashes.iter().zip(by_rank(origins, *place)..) {
                found.push([*hash, place]);
            }
        }
    }
    found.flush();
    Ok(())
}
