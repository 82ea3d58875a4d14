//! The stages that find what repeats: anchors, repeats, windows, firsts, runs.

use crate::distributed::lists::{List, ListWriter};
use crate::distributed::passages::job::{AnchorCounts, Known, PassagesJob, RangeCounts};
use crate::distributed::step::Step;
use crate::distributed::unit_file::UnitWriter;
use crate::error::Error;
use crate::memory::shares;
use crate::memory::spill::Entry;
use crate::memory::spilled_sort::{Room, sorted_of};
use crate::passages::batched::Batched;
use crate::passages::census::{Census, read};
use crate::passages::column::{Column, ColumnWriter};
use crate::passages::corpus::Checksums;
use crate::passages::groups::{Copied, First, Window};
use crate::passages::place::{document_of, place, unit_of};
use crate::passages::runs::{Joining, Run};
use crate::passages::searching::{Emitted, Search, Searched};
use crate::passages::stretches::{Repeating, Stretch};
use crate::passages::tally::Tally;
use crate::read::repeated_ids::RepeatedIds;
use nearprint_fingerprint::mix64;

/// The range of a hash.
fn range_of(hash: u64, ranges: usize) -> usize {
    let range = (u128::from(hash) * ranges as u128) >> 64;
    usize::try_from(range).unwrap_or(0)
}

/// Reads the file of a number for the first time.
///
/// Memory: the room of a sort.
pub(crate) fn anchors(of: &PassagesJob<'_>, file: usize) -> Result<(), Error> {
    of.write(Step::Anchors, file, |unit| {
        let (corpus, hashing, ranges) = (of.corpus(file, 0), of.hashing(0)?, of.plan.ranges);
        let mut tally = Tally::new(&corpus);
        let mut checksums = Checksums::default();
        let dir = corpus.dir;
        let mut kept = (ColumnWriter::<[u64; 2]>::new(dir), ColumnWriter::<u64>::new(dir));
        let mut failed = Ok(());
        let mut list = ListWriter::new(unit, List::Stretches);
        sorted_of::<Stretch>(
            Room::within(of.room(0)?),
            dir,
            &mut |emit| {
                // Anchors are least hashes: their first bits are mostly zeros.
                let mixed = |stretches: &[Stretch]| {
                    let mix =
                        |[anchor, windows, place]: &Stretch| [mix64(*anchor), *windows, *place];
                    emit(&stretches.iter().map(mix).collect::<Vec<_>>());
                };
                let mut keep = |worths: Vec<u128>, origins: Vec<u64>| {
                    let half = |bits: u128| u64::try_from(bits & u128::from(u64::MAX)).unwrap_or(0);
                    let halves = |worth: u128| [half(worth >> 64), half(worth)];
                    let (of_worths, of_origins) = &mut kept;
                    let put = worths.into_iter().try_for_each(|it| of_worths.push(halves(it)));
                    let put = put
                        .and_then(|()| origins.into_iter().try_for_each(|it| of_origins.push(it)));
                    if failed.is_ok() {
                        failed = put;
                    }
                };
                checksums = read(&corpus, &hashing, of.asked(), &mixed, &mut tally, &mut keep)?;
                Ok(())
            },
            &mut |stretches| {
                stretches
                    .iter()
                    .try_for_each(|stretch| list.push(range_of(stretch[0], ranges), stretch))
            },
        )?;
        failed?;
        list.finish()?;
        let (tallied, ids, fields) = tally.of_part()?;
        let mut list = ListWriter::new(unit, List::Ids);
        ids.for_each(|id| list.push(0, &id))?;
        list.finish()?;
        let (worths, origins) = kept;
        put(unit, List::Worths, &worths.finish()?, |_| 0)?;
        put(unit, List::Origins, &origins.finish()?, |_| 0)?;
        Ok(AnchorCounts { tallied, fields, checksums })
    })
}

/// Writes a column as a list; entries for a unit come together.
fn put<E: Entry>(
    unit: &mut UnitWriter<'_>,
    list: List,
    column: &Column<E>,
    to: impl Fn(&E) -> usize,
) -> Result<(), Error> {
    let mut list = ListWriter::new(unit, list);
    column.for_each(|entry| list.push(to(&entry), &entry))?;
    list.finish()
}

/// Finds which stretches of a range of anchors repeat.
pub(crate) fn repeats(of: &PassagesJob<'_>, unit: usize) -> Result<(), Error> {
    let (round, range) = of.round_of(Step::Repeats, unit);
    of.write(Step::Repeats, unit, |file| {
        let known = of.known()?;
        known.fields.check(&of.job.reading.fields, [None, None])?;
        let dir = &of.job.dir;
        let mut repeated = Repeating::new(dir);
        sorted_of::<Stretch>(
            Room::within(of.room(0)?),
            dir,
            &mut |emit| {
                let mut out = Batched::new(emit);
                let stage = (Step::Anchors, 0);
                of.each(stage, List::Stretches, range, |file, [anchor, windows, at]: Stretch| {
                    let record = known.first(file) + u64::from(document_of(at));
                    // More records than have numbers are refused behind this.
                    if let Ok(record) = u32::try_from(record) {
                        out.push([anchor, windows, place(record, unit_of(at))]);
                    }
                    Ok(())
                })?;
                out.flush();
                Ok(())
            },
            &mut |stretches| stretches.iter().try_for_each(|stretch| repeated.push(*stretch)),
        )?;
        let census = of.census(&known, repeated.finish()?, Checksums::default())?;
        let (corpus, hashing) = (of.corpus(0, 0), of.hashing(round)?);
        let room = of.room(census.held_bytes())?;
        let search = Search { corpus: &corpus, census: &census, hashing: &hashing, room };
        put(file, List::Asked, &search.asked()?, |[at, _]| known.file_of(document_of(*at)))?;
        let searched = grouped(file, &known, search, |emitted| search.same(emitted))?;
        let repeated_ids = if unit == 0 { repeated_ids(of)? } else { 0 };
        Ok(RangeCounts { searched, repeated_ids })
    })
}

/// Documents with an id that one before them has.
fn repeated_ids(of: &PassagesJob<'_>) -> Result<u64, Error> {
    let mut ids = RepeatedIds::new(Some(&of.job.dir));
    of.each((Step::Anchors, 0), List::Ids, 0, |_, id| ids.push(id))?;
    ids.count()
}

/// Writes the copies and the firsts that `find` emits, to the files that they are in.
fn grouped(
    file: &mut UnitWriter<'_>,
    known: &Known,
    search: Search<'_>,
    find: impl FnOnce(&Emitted<'_>) -> Result<Searched, Error>,
) -> Result<Searched, Error> {
    let Search { corpus, census, room, .. } = search;
    let (dir, origins) = (corpus.dir, &census.origins);
    let by_record = |at: u64| place(origins.record(document_of(at)), unit_of(at));
    let (mut copies, mut firsts) = (ColumnWriter::new(dir), ColumnWriter::new(dir));
    let (mut searched, mut find) = (Searched::default(), Some(find));
    let [of_copies, of_firsts] =
        [shares::COPIES, shares::FIRSTS].map(|share| Room::within(share.of(room)));
    sorted_of::<First>(
        of_firsts,
        dir,
        &mut |emit_first| {
            sorted_of::<Copied>(
                of_copies,
                dir,
                &mut |emit_copied| {
                    let copied = |copies: &[Copied]| {
                        let moved = |[at, first, count, windows]: &Copied| {
                            [by_record(*at), by_record(*first), *count, *windows]
                        };
                        emit_copied(&copies.iter().map(moved).collect::<Vec<_>>());
                    };
                    let emitted = Emitted { copied: &copied, first: emit_first };
                    if let Some(find) = find.take() {
                        searched = find(&emitted)?;
                    }
                    Ok(())
                },
                &mut |entries| entries.iter().try_for_each(|entry| copies.push(*entry)),
            )?;
            Ok(())
        },
        &mut |entries| entries.iter().try_for_each(|entry| firsts.push(*entry)),
    )?;
    put(file, List::Copied, &copies.finish()?, |copied| known.file_of(document_of(copied[0])))?;
    put(file, List::Firsts, &firsts.finish()?, |first| known.file_of(document_of(first[0])))?;
    Ok(searched)
}

/// Reads the windows of a file that are asked for.
pub(crate) fn windows(of: &PassagesJob<'_>, unit: usize) -> Result<(), Error> {
    let (round, file) = of.round_of(Step::Windows, unit);
    of.write(Step::Windows, unit, |writer| {
        let known = of.known()?;
        let census = of.census(&known, of.no_stretches()?, known.checksums(file))?;
        let room = of.room(census.held_bytes())?;
        let asked_room = Room::within(shares::ASKED.of(room));
        let asked = of.sorted(&[Step::Repeats], round, List::Asked, file, asked_room)?;
        let (corpus, hashing) = (of.corpus(file, known.first(file)), of.hashing(round)?);
        let search = Search { corpus: &corpus, census: &census, hashing: &hashing, room };
        let mut asked = Some(asked);
        let mut list = ListWriter::new(writer, List::Windows);
        sorted_of::<Window>(
            Room::within(shares::WINDOWS.of(room)),
            corpus.dir,
            &mut |emit| asked.take().map_or(Ok(()), |asked| search.read(asked, emit)),
            &mut |windows| {
                windows
                    .iter()
                    .try_for_each(|window| list.push(range_of(window[0], of.plan.ranges), window))
            },
        )?;
        list.finish()
    })
}

/// Groups the windows of a range of hashes.
pub(crate) fn firsts(of: &PassagesJob<'_>, unit: usize) -> Result<(), Error> {
    let (round, range) = of.round_of(Step::Firsts, unit);
    of.write(Step::Firsts, unit, |file| {
        let known = of.known()?;
        let census: Census = of.census(&known, of.no_stretches()?, Checksums::default())?;
        let (corpus, hashing) = (of.corpus(0, 0), of.hashing(round)?);
        let room = of.room(census.held_bytes())?;
        let search = Search { corpus: &corpus, census: &census, hashing: &hashing, room };
        let searched = grouped(file, &known, search, |emitted| {
            search.equal(emitted, &mut |emit| {
                let mut out = Batched::new(emit);
                of.each((Step::Windows, round), List::Windows, range, |_, window| {
                    out.push(window);
                    Ok(())
                })?;
                out.flush();
                Ok(())
            })
        })?;
        Ok(RangeCounts { searched, repeated_ids: 0 })
    })
}

/// Joins the copies in a file to runs.
pub(crate) fn runs(of: &PassagesJob<'_>, unit: usize) -> Result<(), Error> {
    let (round, file) = of.round_of(Step::Runs, unit);
    of.write(Step::Runs, unit, |writer| {
        let known = of.known()?;
        let room = of.room(0)?;
        let copies_room = Room::within(shares::COPIES.of(room));
        let stages = [Step::Repeats, Step::Firsts];
        let copies = of.sorted::<Copied>(&stages, round, List::Copied, file, copies_room)?;
        let mut list = ListWriter::new(writer, List::Runs);
        sorted_of::<[u64; 4]>(
            Room::within(shares::RUNS.of(room)),
            &of.job.dir,
            &mut |emit| {
                let mut joining = Joining::<Run>::default();
                let mut found = Batched::new(emit);
                let mut ended = |run: Run| {
                    found.push(run.entry());
                    Ok::<_, Error>(())
                };
                copies.for_each(|copied| joining.push(copied, &mut ended))?;
                joining.end().map_or(Ok(()), &mut ended)?;
                found.flush();
                Ok(())
            },
            &mut |runs| {
                runs.iter().try_for_each(|run| list.push(known.file_of(document_of(run[0])), run))
            },
        )?;
        list.finish()
    })
}
