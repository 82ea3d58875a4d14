//! What is written of one input file: what stays of it, and its part of the reports.

use crate::distributed::cells::Values;
use crate::distributed::columns::{
    COUNTED, DISTANCE, HEAD, ID, MEASURE, NEAR_FILE, NEAR_ID, NEAR_RECORD, NUMBER, RECORD, REMOVED,
    REPRESENTATIVE_FILE, REPRESENTATIVE_ID, REPRESENTATIVE_RECORD, SIMILARITY,
};
use crate::distributed::label_columns::LabelColumns;
use crate::distributed::label_shares::LabelShares;
use crate::distributed::measure;
use crate::distributed::part::{part, segment};
use crate::distributed::revisit_rows;
use crate::distributed::schema::{ClusterCounts, FileCounts, WrittenCounts};
use crate::distributed::segment_part;
use crate::distributed::shard_job::ShardJob;
use crate::distributed::sketch_rows::{SketchRecord, each, each_record};
use crate::distributed::step::Step;
use crate::distributed::unit_file::UnitFile;
use crate::error::Error;
use crate::job::resolved::Job;
use crate::job::spec::OutputSpec;
use crate::numbers::{DocumentNumber, narrow};
use crate::read::input::{FirstReading, Input, Reference};
use crate::read::labels::Labels;
use crate::read::left_out::LeftOut;
use crate::read::names::Name;
use crate::search::places::Places;
use crate::write::annotation::Annotation;
use crate::write::by_source::Share;
use crate::write::copies::{Copies, with_copies};
use crate::write::counted::Counted;
use crate::write::destination::Destination;
use crate::write::note::{Note, Place};
use crate::write::note_columns::NoteColumns;
use crate::write::note_names::Taken;
use crate::write::revisits::Revisits;
use crate::write::rows::{self, Cause};
use crate::write::survivors::{self, Noting, Times, Watching, Writing, Written};
use crate::write::urls::Urls;
use nearprint_corpus::{Finished, OutputOptions, Outputs, Record, publish};
use nearprint_rules::{Evidence, KeepRule};
use std::ops::Range;

/// What becomes of a document of a cluster.
struct Fate<'a> {
    number: u64,
    goes: bool,
    /// What it stands for, where that is counted; of a document that goes nothing.
    counted: Counted,
    /// What reports and notes say of it; `None` where no document is named.
    told: Option<Told<'a>>,
}

/// What reports and notes say of a document of a cluster.
struct Told<'a> {
    cluster: u32,
    name: Name<'a>,
    representative: Name<'a>,
    /// The document because of which it goes.
    near: Name<'a>,
    evidence: Evidence,
}

impl<'a> Fate<'a> {
    fn note(&self) -> Option<Note<'a>> {
        let told = self.told.as_ref()?;
        let other = if self.goes { &told.near } else { &told.representative };
        let place = Place { cluster: Some(told.cluster), name: other.clone() };
        Some(Note { place: Some(place), removed: self.goes.then_some(told.evidence) })
    }
}

/// Writes what stays of the input file of a number.
///
/// Memory: the fates of the documents of the file, with their names where one is asked for; then 8 bytes a cluster
/// of the corpus, too. With segments, also the fingerprint, the content and the id of each document of the file that
/// stays. Where documents are counted by a field, 4 bytes a document of the file.
pub(crate) fn run(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    of.write(Step::Write, unit, |file| {
        let sketch = of.sketch(unit)?;
        let counts: FileCounts = sketch.counts()?;
        let (left_out, labels) = records(of, &sketch)?;
        let of_all: ClusterCounts = of.open(Step::Cluster, 0)?.counts()?;
        let ours = of.documents_of(unit, &of_all);
        let first = ours.start;
        let fates = fates(of, unit, &of_all, ours)?;
        let removed = || fates.iter().filter(|fate| fate.goes);
        let goes = Places::of(removed().map(|fate| DocumentNumber(fate.number - first)));
        let mut outputs = Outputs::new(of.source(unit), OutputOptions { force: true });
        let mut finished = Vec::new();
        if let Some(folder) = of.outputs.removed {
            let mut output = part(&mut outputs, folder, unit)?;
            let stays = of.job.criteria.keep != KeepRule::Nothing;
            let told = removed().filter_map(|fate| fate.told.as_ref());
            for Told { name, near, evidence, cluster, .. } in told {
                let row = rows::removed(name, Cause::new(near, stays), *evidence, Some(*cluster));
                output.write_record(row.as_bytes())?;
            }
            finished.push(output.finish()?);
        }
        if let Some(folder) = of.outputs.clusters {
            let mut output = part(&mut outputs, folder, unit)?;
            let told = fates.iter().filter_map(|fate| fate.told.as_ref());
            for Told { name, cluster, representative, .. } in told {
                output.write_record(rows::cluster(name, *cluster, representative).as_bytes())?;
            }
            finished.push(output.finish()?);
        }
        let mut written = WrittenCounts::default();
        if unit >= of.job.reference {
            let last = LastReading { of, unit, counts: &counts, left_out: &left_out, goes: &goes };
            let known = Known { fates: &fates, first, labels: &labels, taken: of_all.taken };
            let (mut shares, mut revisits) = (LabelShares::default(), Revisits::default());
            let told = (&mut shares, &mut revisits);
            let survivors = last.survivors(&mut outputs, &known, told, &mut written)?;
            finished.insert(0, survivors);
            shares.write(file)?;
            revisit_rows::write(&revisits, file)?;
            if let Some(folder) = of.outputs.segments {
                let output = segment(&mut outputs, folder, unit)?;
                let stay = segment_part::Stay { sketch: &sketch, left_out: &left_out, goes: &goes };
                finished.push(segment_part::write(output, of, unit, stay)?);
            }
            let told = removed().filter_map(|fate| fate.told.as_ref());
            written.of_urls = Urls::of(told.map(|told| (&told.name, &told.near)));
            written.removed = removed().count() as u64;
        }
        publish(finished)?;
        Ok(written)
    })
}

/// The records of a file that are no numbered documents, and the labels of its documents, where these are counted by some.
fn records(of: &ShardJob<'_>, sketch: &UnitFile) -> Result<(Vec<LeftOut>, Vec<Labels>), Error> {
    let Job { count_by, group_by, .. } = of.job;
    if count_by.is_none() && group_by.is_none() {
        return Ok((each(of, sketch, |_| Ok(()), |_, ()| Ok(()))?, Vec::new()));
    }
    let mut all = vec![Labels::default(); of.schema.labels];
    let columns = |group| LabelColumns::of(sketch, group, of.schema);
    let mut left_out = Vec::new();
    each_record(of, sketch, columns, |record, labels| {
        let mut add = |at, push: fn(&mut Labels, Option<&str>)| {
            all.iter_mut().zip(labels.at(at)).for_each(|(all, label)| push(all, label));
        };
        match record {
            SketchRecord::Document(row) => add(row.at, Labels::push),
            SketchRecord::LeftOut(one, at) => {
                if one.empty {
                    add(at, Labels::push_featureless);
                }
                left_out.push(one);
            }
        }
        Ok(())
    })?;
    Ok((left_out, all))
}

/// What is known of the documents of a file.
struct Known<'a> {
    /// The fates of those that are in clusters.
    fates: &'a [Fate<'a>],
    /// The number of the first document.
    first: u64,
    /// Their labels of each field, where they are counted by one.
    labels: &'a [Labels],
    /// Names of notes that something else has, in all files.
    taken: Taken,
}

impl<'a> Known<'a> {
    /// What becomes of a document; `None` of one that is alone.
    fn fate(&self, document: DocumentNumber) -> Option<&'a Fate<'a>> {
        let number = document.0 + self.first;
        let at = self.fates.binary_search_by_key(&number, |fate| fate.number).ok()?;
        self.fates.get(at)
    }

    /// How many documents a survivor stands for.
    fn copies(&self, document: Option<DocumentNumber>) -> u64 {
        let fate = document.and_then(|document| self.fate(document));
        fate.map_or(1, |fate| fate.counted.copies)
    }

    /// The documents that a survivor stands for, by the labels of a field, if there is one.
    fn counted(&self, document: DocumentNumber, by: Option<usize>) -> Counted {
        match self.fate(document) {
            Some(fate) => fate.counted.clone(),
            None => {
                let labels = by.and_then(|at| self.labels.get(at));
                Counted::alone(labels.map(|labels| labels.name(labels.of(document))))
            }
        }
    }
}

/// The last reading of an input file.
struct LastReading<'a> {
    of: &'a ShardJob<'a>,
    unit: usize,
    counts: &'a FileCounts,
    left_out: &'a [LeftOut],
    /// Documents that go.
    goes: &'a Places,
}

impl LastReading<'_> {
    /// Writes survivors, and adds what is counted of them to `shares`, `revisits` and `written`.
    fn survivors(
        &self,
        outputs: &mut Outputs,
        known: &Known<'_>,
        (shares, revisits): (&mut LabelShares, &mut Revisits),
        written: &mut WrittenCounts,
    ) -> Result<Finished, Error> {
        let Job { count_by, group_by, outputs: asked, .. } = self.of.job;
        let OutputSpec { annotate, rehydrate, keep_requests, .. } = *asked;
        let by = group_by.and_then(|at| known.labels.get(at));
        let (mut bytes, mut kept_bytes) = (0, 0);
        let mut watch =
            |_, document: Option<DocumentNumber>, stays, (record, _): (&Record<'_>, _)| {
                let own = record.held().len() as u64;
                let kept = if stays { own } else { 0 };
                (bytes, kept_bytes) = (bytes + own, kept_bytes + kept);
                // A document without any feature is in no source by a field.
                if let Some((labels, document)) = by.zip(document) {
                    let (number, bytes, kept_bytes) = (labels.of(document), Some(own), Some(kept));
                    let share = Share { documents: 1, kept: u64::from(stays), bytes, kept_bytes };
                    shares.add(number, labels.name(number), share);
                }
            };
        let watch = Some(&mut watch as Watching<'_>);
        let whole_captures = !annotate && !keep_requests;
        let (finished, done) = if annotate {
            let mut note = |document: Option<DocumentNumber>| {
                let fate = document.and_then(|document| known.fate(document));
                Ok(fate.and_then(Fate::note).unwrap_or_default())
            };
            let note = Some(&mut note as Noting<'_, Note<'_>>);
            let columns = &self.columns::<Note<'_>>()?.beside(known.taken);
            let writing = Writing {
                note,
                columns,
                all: true,
                times: None,
                whole_captures,
                alone: None,
                watch,
                revisits,
            };
            self.write(outputs, writing)?
        } else {
            let labels = count_by.and_then(|at| known.labels.get(at));
            let mut featureless = labels.into_iter().flat_map(Labels::featureless);
            let times = rehydrate.map(|rule| move |document| rule.times(known.copies(document)));
            with_copies!(asked, count_by.is_some() => BY, WEIGHS, {
                let mut note = |document: Option<DocumentNumber>| {
                    let counted = match document {
                        Some(document) => known.counted(document, *count_by),
                        None => Counted::alone(featureless.next()),
                    };
                    Ok(Copies::<BY, WEIGHS>::new(counted, rehydrate))
                };
                let noted = asked.notes_copies();
                let note = noted.then_some(&mut note as Noting<'_, Copies<BY, WEIGHS>>);
                let columns = match noted {
                    true => &self.columns::<Copies<BY, WEIGHS>>()?.beside(known.taken),
                    false => &NoteColumns::default(),
                };
                let times = times.as_ref().map(|times| times as Times<'_>);
                let writing =
                    Writing { note, columns, all: false, times, whole_captures, alone: None, watch, revisits };
                self.write(outputs, writing)?
            })
        };
        let Written { kept, rows, others_removed, renamed, replaced, .. } = done;
        *written = WrittenCounts {
            kept,
            rows,
            others_removed,
            renamed,
            replaced,
            bytes,
            kept_bytes,
            ..*written
        };
        Ok(finished)
    }

    /// Where notes go in the file.
    fn columns<N: Annotation>(&self) -> Result<NoteColumns, Error> {
        NoteColumns::find::<N>(self.of.source(self.unit), &self.of.job.reading)
    }

    fn write<N: Annotation>(
        &self,
        outputs: &mut Outputs,
        writing: Writing<'_, N>,
    ) -> Result<(Finished, Written), Error> {
        let Self { of, counts, left_out, goes, .. } = self;
        let source = of.source(self.unit);
        let input = Input { reading: &of.job.reading, sources: source, reference: 0 };
        let (reference, checksum) = (Reference::default(), counts.checksum);
        let reading = FirstReading { left_out, reference, checksum };
        outputs.add_columns(writing.columns.of_files());
        let mut destination = Destination::Folder(outputs.mirror(of.outputs.survivors, source)?);
        let stays = |document: DocumentNumber| {
            (document.0 < counts.documents).then(|| !goes.contain(document))
        };
        let done =
            survivors::write(input, reading, &stays, &mut destination, writing, of.progress)?;
        Ok((destination.finish()?, done))
    }
}

/// The fates of the documents of these numbers that are in clusters, in their order.
fn fates<'a>(
    of: &'a ShardJob<'_>,
    unit: usize,
    counts: &ClusterCounts,
    ours: Range<u64>,
) -> Result<Vec<Fate<'a>>, Error> {
    let mut groups = Vec::new();
    let mut heads: Vec<u64> = Vec::new();
    for shard in 0..of.plan.shards {
        let file = of.open(Step::Solve, shard)?;
        groups.extend(file.groups_of(ours.clone()).into_iter().map(|group| (shard, group)));
        // A cluster has its number where it is named alone.
        for group in file.groups().filter(|_| of.named) {
            let column = file.column(group, &HEAD)?;
            let mut of_group: Vec<u64> = (0..column.len()).map(|row| column.at(row)).collect();
            of_group.sort_unstable();
            of_group.dedup();
            heads.append(&mut of_group);
        }
    }
    heads.sort_unstable();
    heads.dedup();
    let cluster_of = |head: u64| narrow(heads.partition_point(|other| *other < head) as u64);
    let mut fates = Vec::new();
    for (shard, group) in groups {
        let file = of.open(Step::Solve, shard)?;
        let (numbers, goes) = (file.column(group, &NUMBER)?, file.column(group, &REMOVED)?);
        let counted = of.schema.counted.then(|| file.column(group, &COUNTED)).transpose()?;
        let counted = |row| match counted.as_ref().map_or("", |counted| counted.at(row)) {
            "" => Ok(Counted::default()),
            json => serde_json::from_str(json).map_err(|error| file.damaged(error.to_string())),
        };
        let columns = of.named.then(|| Columns::read(&file, group)).transpose()?;
        for row in (0..numbers.len()).filter(|row| ours.contains(&numbers.at(*row))) {
            let name = |id: &str, file: u64, record: u64| {
                let place = (counts.repeated_ids > 0).then(|| (of.name(file), record + 1));
                let of_reference = file < of.job.reference as u64;
                Name { of_reference, ..Name::of_packed(id.to_owned().into(), place) }
            };
            let told = columns.as_ref().map(|columns| Told {
                cluster: cluster_of(columns.head.at(row)),
                name: name(columns.id.at(row), unit as u64, columns.record.at(row)),
                representative: columns.representative.name(row, name),
                near: columns.near.name(row, name),
                evidence: Evidence::measured(
                    narrow(columns.distance.at(row)),
                    f64::from_bits(columns.similarity.at(row)),
                    measure::of_number(columns.measure.at(row)),
                ),
            });
            let (number, goes) = (numbers.at(row), goes.at(row) == 1);
            fates.push(Fate { number, goes, counted: counted(row)?, told });
        }
    }
    fates.sort_unstable_by_key(|fate| fate.number);
    Ok(fates)
}

/// What a row group of a solved shard says of documents, for reports and notes.
struct Columns {
    record: Values<u64>,
    head: Values<u64>,
    id: Values<str>,
    representative: Named,
    near: Named,
    distance: Values<u64>,
    similarity: Values<u64>,
    measure: Values<u64>,
}

/// Another document of the cluster of each.
struct Named {
    id: Values<str>,
    file: Values<u64>,
    record: Values<u64>,
}

impl Columns {
    fn read(file: &UnitFile, group: usize) -> Result<Self, Error> {
        Ok(Self {
            record: file.column(group, &RECORD)?,
            head: file.column(group, &HEAD)?,
            id: file.column(group, &ID)?,
            representative: Named {
                id: file.column(group, &REPRESENTATIVE_ID)?,
                file: file.column(group, &REPRESENTATIVE_FILE)?,
                record: file.column(group, &REPRESENTATIVE_RECORD)?,
            },
            near: Named {
                id: file.column(group, &NEAR_ID)?,
                file: file.column(group, &NEAR_FILE)?,
                record: file.column(group, &NEAR_RECORD)?,
            },
            distance: file.column(group, &DISTANCE)?,
            similarity: file.column(group, &SIMILARITY)?,
            measure: file.column(group, &MEASURE)?,
        })
    }
}

impl Named {
    /// The name of the document in a row.
    fn name<'a>(&self, row: usize, name: impl Fn(&str, u64, u64) -> Name<'a>) -> Name<'a> {
        name(self.id.at(row), self.file.at(row), self.record.at(row))
    }
}
