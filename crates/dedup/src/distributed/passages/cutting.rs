//! The stages that cut: lend, cut, write.

use crate::distributed::lists::{List, ListWriter, each_entry};
use crate::distributed::part::part;
use crate::distributed::passages::job::{CutUnitCounts, Known, PassagesJob};
use crate::distributed::step::Step;
use crate::distributed::unit_file::UnitWriter;
use crate::error::Error;
use crate::memory::shares;
use crate::memory::spilled_sort::{Room, sorted_of};
use crate::passages::batched::Batched;
use crate::passages::column::{Column, ColumnWriter};
use crate::passages::cutting::{CutOf, Cuts, Cutting};
use crate::passages::groups::First;
use crate::passages::lending::{Lender, LentBatch, LentRun, Loans, Passages, read};
use crate::passages::lent::{Lending, Lent};
use crate::passages::note::PassagesNote;
use crate::passages::place::document_of;
use crate::passages::runs::{Joining, Repeated};
use crate::passages::writing::{Writing, WrittenCounts};
use crate::write::destination::Destination;
use nearprint_corpus::{OutputOptions, Outputs, publish};
use std::slice;

/// Reads the firsts of a file, for the runs that are compared with them, and the passages that stand there first.
///
/// Memory: the room of sorts, and 8 bytes a file.
pub(crate) fn lend(of: &PassagesJob<'_>, unit: usize) -> Result<(), Error> {
    let (round, file) = of.round_of(Step::Lend, unit);
    of.write(Step::Lend, unit, |writer| {
        let known = of.known()?;
        let (room, dir) = (of.room(0)?, &of.job.dir);
        let runs_room = Room::within(shares::LENT_RUNS.of(room) / 2);
        let runs = of.sorted(&[Step::Runs], round, List::Runs, file, runs_room)?;
        let repeated = repeated(of, round, file, Room::within(shares::PASSAGES.of(room)))?;
        let count = repeated.len();
        let mut found = Some((runs, repeated));
        let mut lenders = ColumnWriter::new(dir);
        let (corpus, names) = (of.corpus(file, known.first(file)), of.names(&known)?);
        let mut lending = Lending::new(dir, shares::LENT.of(room));
        let mut rows = Lending::new(dir, shares::ROWS.of(room));
        // Text goes to files in the order in which it was lent: of each so many bytes.
        let mut lent_to = vec![0; of.files()];
        let mut by_place = ColumnWriter::new(dir);
        let (mut pieces, mut order) = (ColumnWriter::new(dir), ColumnWriter::new(dir));
        sorted_of::<[u64; 4]>(
            Room::within(shares::PASSAGES.of(room)),
            dir,
            &mut |emit_passages| {
                sorted_of::<[u64; 7]>(
                    runs_room,
                    dir,
                    &mut |emit| {
                        sorted_of::<[u64; 3]>(
                            runs_room,
                            dir,
                            &mut |emit_piece| {
                                let Some(found) = found.take() else { return Ok(()) };
                                let to_files =
                                    |lender: &Lender<'_>,
                                     runs: &[[u64; 4]],
                                     batch: &mut LentBatch| {
                                        by_file(&known, lender, runs, batch)
                                    };
                                let checksums = known.checksums(file);
                                read(&corpus, checksums, found, &names, to_files, |batch| {
                                    let LentBatch { bytes, runs, rows: of_batch, passages, .. } =
                                        &batch;
                                    batch.lenders.iter().try_for_each(|one| lenders.push(*one))?;
                                    let base = lending.push(bytes)?;
                                    let mut end = bytes.len() as u64;
                                    let of_pieces = runs.chunk_by(|a, b| a.name == b.name);
                                    for piece in of_pieces.collect::<Vec<_>>().into_iter().rev() {
                                        let Some(first) = piece.first() else { continue };
                                        let to = known.file_of(document_of(first.run.at));
                                        let (start, length) = (first.name, end - first.name);
                                        end = start;
                                        let Some(lent) = lent_to.get_mut(to) else { continue };
                                        let moved = piece.iter().map(|run| {
                                            let (text, name) = (run.text - start, run.name - start);
                                            LentRun { text, name, ..*run }.moved(*lent).entry()
                                        });
                                        emit(&moved.collect::<Vec<_>>());
                                        emit_piece(&[[to as u64, *lent, base + start]]);
                                        *lent += length;
                                    }
                                    let base = rows.push(of_batch)?;
                                    let moved = passages.iter().map(|[key, at, start, length]| {
                                        [*key, *at, base + start, *length]
                                    });
                                    emit_passages(&moved.collect::<Vec<_>>());
                                    Ok(())
                                })
                            },
                            &mut |found| found.iter().try_for_each(|piece| pieces.push(*piece)),
                        )?;
                        Ok(())
                    },
                    &mut |runs| runs.iter().try_for_each(|run| by_place.push(*run)),
                )?;
                Ok(())
            },
            &mut |passages| passages.iter().try_for_each(|one| order.push(*one)),
        )?;
        let (lent, rows) = (lending.finish()?, rows.finish()?);
        put_pieces(writer, &pieces.finish()?, &lent, &lent_to)?;
        let mut list = ListWriter::new(writer, List::LentRuns);
        by_place
            .finish()?
            .for_each(|run: [u64; 7]| list.push(known.file_of(document_of(run[0])), &run))?;
        list.finish()?;
        let mut list = ListWriter::new(writer, List::Lenders);
        lenders.finish()?.for_each(|lender: u64| list.push(0, &lender))?;
        list.finish()?;
        put_passages(writer, &Passages { rows, order: order.finish()?, count })?;
        Ok(count)
    })
}

/// The passages that stand first in a file.
fn repeated(
    of: &PassagesJob<'_>,
    round: usize,
    file: usize,
    room: Room,
) -> Result<Column<[u64; 3]>, Error> {
    let stages = [Step::Repeats, Step::Firsts];
    let firsts = of.sorted::<First>(&stages, round, List::Firsts, file, room)?;
    let (mut joining, mut column) =
        (Joining::<Repeated>::default(), ColumnWriter::new(&of.job.dir));
    let mut ended = |passage: Repeated| column.push(passage.entry());
    firsts.for_each(|first| joining.push(first, &mut ended))?;
    joining.end().map_or(Ok(()), &mut ended)?;
    column.finish()
}

/// Has a document lend to its runs, to those of each file apart: what is lent to one is there without what others take.
fn by_file(
    known: &Known,
    lender: &Lender<'_>,
    runs: &[[u64; 4]],
    batch: &mut LentBatch,
) -> Result<(), Error> {
    let file_of = |run: &[u64; 4]| known.file_of(document_of(run[1]));
    let mut runs = runs.to_vec();
    runs.sort_by_key(file_of);
    runs.chunk_by(|a, b| file_of(a) == file_of(b))
        .try_for_each(|of_file| lender.runs(of_file, batch))
}

/// Writes the text that was lent to each file.
fn put_pieces(
    writer: &mut UnitWriter<'_>,
    pieces: &Column<[u64; 3]>,
    lent: &Lent,
    lent_to: &[u64],
) -> Result<(), Error> {
    let (mut list, mut bytes) = (ListWriter::new(writer, List::Lent), Vec::new());
    let mut put = |[to, start, at]: [u64; 3], end: u64| {
        bytes.resize(crate::numbers::index(end - start), 0);
        if !lent.read(at, &mut bytes)? {
            return Err(Error::Bug { problem: "what was lent is gone".to_owned() });
        }
        list.push_block(crate::numbers::index(to), &bytes)
    };
    let whole = |to: u64| lent_to.get(crate::numbers::index(to)).copied().unwrap_or(0);
    let mut last: Option<[u64; 3]> = None;
    pieces.for_each(|piece| match last.replace(piece) {
        Some(before) if before[0] == piece[0] => put(before, piece[1]),
        Some(before) => put(before, whole(before[0])),
        None => Ok(()),
    })?;
    last.map_or(Ok(()), |last| put(last, whole(last[0])))?;
    list.finish()
}

/// Writes passages in their order, each behind what sorts it.
fn put_passages(writer: &mut UnitWriter<'_>, passages: &Passages) -> Result<(), Error> {
    let (mut list, mut row) = (ListWriter::new(writer, List::Passages), Vec::new());
    passages.order.for_each(|[key, first, at, length]| {
        row.clear();
        row.extend_from_slice(&key.to_be_bytes());
        row.extend_from_slice(&first.to_be_bytes());
        let start = row.len();
        row.resize(start + crate::numbers::index(length), 0);
        match passages.rows.read(at, row.get_mut(start..).unwrap_or_default())? {
            true => list.push_block(0, &row),
            false => Err(Error::Bug { problem: "a passage has no row".to_owned() }),
        }
    })?;
    list.finish()
}

/// Compares the runs of a file with what they were lent.
pub(crate) fn cut(of: &PassagesJob<'_>, unit: usize) -> Result<(), Error> {
    let (round, file) = of.round_of(Step::Cut, unit);
    of.write(Step::Cut, unit, |writer| {
        let known = of.known()?;
        let room = of.room(0)?;
        let loans = borrowed(of, round, file, room)?;
        let (corpus, hashing) = (of.corpus(file, known.first(file)), of.hashing(round)?);
        let (names, spec) = (of.names(&known)?, &of.job.spec);
        let cutting = Cutting {
            corpus: &corpus,
            hashing: &hashing,
            whole: spec.cut.whole,
            min_left: spec.cut.min_left,
            lists_removed: spec.outputs.removed.is_some(),
            shows_documents: false,
            names: &names,
            measure: None,
        };
        let lent = loans.lent.len();
        Ok(match cutting.compare(known.checksums(file), loans, room)? {
            Err(shared) => CutUnitCounts { shared, lent, ..CutUnitCounts::default() },
            Ok(Cuts { cuts, removed, counts, .. }) => {
                let mut list = ListWriter::new(writer, List::Cuts);
                cuts.for_each(|cut| list.push(0, &cut))?;
                list.finish()?;
                let mut list = ListWriter::new(writer, List::Removed);
                removed.each(&mut |rows| list.push_block(0, rows))?;
                list.finish()?;
                CutUnitCounts { counts, lent, shared: Vec::new() }
            }
        })
    })
}

/// What was lent to the runs of a file.
fn borrowed(of: &PassagesJob<'_>, round: usize, file: usize, room: usize) -> Result<Loans, Error> {
    let dir = &of.job.dir;
    let mut lending = Lending::new(dir, shares::LENT.of(room));
    let (mut runs, mut lenders) = (ColumnWriter::new(dir), ColumnWriter::new(dir));
    let own = of.open(Step::Lend, round * of.files() + file)?;
    each_entry(&own, List::Lenders, 0, |lender| lenders.push(lender))?;
    let spilled = sorted_of::<[u64; 7]>(
        Room::within(shares::LENT_RUNS.of(room)),
        dir,
        &mut |emit| {
            let (mut out, mut bases) = (Batched::new(emit), Vec::with_capacity(of.files()));
            for lender in 0..of.files() {
                of.progress.check()?;
                bases.push(lending.len());
                of.each_block((Step::Lend, round), lender, List::Lent, file, |bytes| {
                    lending.push(bytes).map(|_| ())
                })?;
            }
            of.each((Step::Lend, round), List::LentRuns, file, |lender, run| {
                let base = bases.get(lender).copied().unwrap_or(0);
                out.push(LentRun::of_entry(run).moved(base).entry());
                Ok(())
            })?;
            out.flush();
            Ok(())
        },
        &mut |found| found.iter().try_for_each(|run| runs.push(*run)),
    )?;
    Ok(Loans {
        lent: lending.finish()?,
        runs: runs.finish()?,
        lenders: lenders.finish()?,
        passages: Passages::none(dir)?,
        spilled,
    })
}

/// Writes a file without what goes of it, and the rows about that.
pub(crate) fn write(of: &PassagesJob<'_>, file: usize) -> Result<(), Error> {
    of.write(Step::Write, file, |_| {
        let known = of.known()?;
        if file < of.job.reference {
            return Ok(WrittenCounts::default());
        }
        let spec = &of.job.spec;
        let source = of.job.sources.get(file).map(slice::from_ref).unwrap_or_default();
        let round = of.round_count() - 1;
        let unit = round * of.files() + file;
        let mut cuts = ColumnWriter::new(&of.job.dir);
        let cut = of.open(Step::Cut, unit)?;
        each_entry(&cut, List::Cuts, 0, |entry| cuts.push(entry))?;
        let mut outputs = Outputs::new(source, OutputOptions { force: true });
        let mut finished = Vec::new();
        let written = match &spec.outputs.corpus {
            None => {
                let CutUnitCounts { counts, .. } = cut.counts()?;
                let documents = of.counted(file)?.tallied.counts.documents;
                WrittenCounts { kept: documents - counts.whole, ..WrittenCounts::default() }
            }
            Some(folder) => {
                let columns = &spec.fit_columns(&mut outputs, (&of.job.reading, source))?;
                let mut destination = Destination::Folder(outputs.mirror(folder, source)?);
                let writing = Writing {
                    written: source,
                    first: known.first(file),
                    record: CutOf::record_of,
                    part: CutOf::part_of,
                    note: spec.outputs.annotate.then_some(&PassagesNote::of_entries),
                    columns,
                    joint: spec.cut.joint.as_deref(),
                    columns_alone: false,
                    counts_emptied: false,
                };
                let corpus = of.corpus(file, known.first(file));
                let checksums = known.checksums(file);
                let written =
                    writing.write(&corpus, checksums, cuts.finish()?, &mut destination)?;
                finished.push(destination.finish()?);
                written
            }
        };
        if let Some(folder) = &spec.outputs.removed {
            let mut output = part(&mut outputs, folder, file)?;
            of.each_block((Step::Cut, round), file, List::Removed, 0, |rows| {
                Ok(output.write_bytes(rows)?)
            })?;
            finished.push(output.finish()?);
        }
        publish(finished)?;
        Ok(written)
    })
}
