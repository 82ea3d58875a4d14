//! How much of each label is kept: of one input file, and of all, in the order in which the labels come.

use crate::distributed::columns::{BYTES, DOCUMENTS, KEPT, KEPT_BYTES, LABEL, NAME};
use crate::distributed::label_columns::LabelColumns;
use crate::distributed::unit_file::{GROUP, UnitFile, UnitWriter};
use crate::error::Error;
use crate::read::labels::Labels;
use crate::write::by_source::{BySource, Share, SourceShare};

/// What rows are of.
const OF: u64 = 0;

/// How much of each label is kept.
#[derive(Default)]
pub(crate) struct LabelShares {
    /// The place among `all` of the label of each number.
    places: Vec<Option<usize>>,
    all: Vec<SourceShare>,
}

impl LabelShares {
    /// Adds what is known of some documents of a label.
    pub(crate) fn add(&mut self, number: u32, label: Option<&str>, share: Share) {
        let number = number as usize;
        if number >= self.places.len() {
            self.places.resize(number + 1, None);
        }
        let Some(place) = self.places.get_mut(number) else { return };
        match place.and_then(|at| self.all.get_mut(at)) {
            Some(known) => known.share.add(share),
            None => {
                *place = Some(self.all.len());
                self.all.push(SourceShare { source: label.map(str::to_owned), share });
            }
        }
    }

    /// Writes a row for each label.
    pub(crate) fn write(&self, file: &mut UnitWriter<'_>) -> Result<(), Error> {
        let mut rows = file.rows();
        for SourceShare { source, share } in &self.all {
            let Share { documents, kept, bytes, kept_bytes } = share;
            LabelColumns::push(std::iter::once(source.as_deref()), &[LABEL], &mut rows)?;
            rows.push(&DOCUMENTS, *documents)?;
            rows.push(&KEPT, *kept)?;
            rows.push(&BYTES, bytes.unwrap_or(0))?;
            rows.push(&KEPT_BYTES, kept_bytes.unwrap_or(0))?;
            rows.push(&NAME, 0)?;
            rows.note(OF);
            if rows.held_bytes() >= GROUP {
                file.put(&mut rows)?;
            }
        }
        file.put(&mut rows)
    }

    /// Adds what [`Self::write`] wrote of a file; `labels` are those of all files so far.
    pub(crate) fn read(&mut self, file: &UnitFile, labels: &mut Labels) -> Result<(), Error> {
        for group in file.groups_of(OF..OF + 1) {
            let names = LabelColumns::one(file, group, &LABEL)?;
            let (documents, kept) = (file.column(group, &DOCUMENTS)?, file.column(group, &KEPT)?);
            let (bytes, kept_bytes) =
                (file.column(group, &BYTES)?, file.column(group, &KEPT_BYTES)?);
            for row in 0..documents.len() {
                let label = names.at(row).next().flatten();
                let share = Share {
                    documents: documents.at(row),
                    kept: kept.at(row),
                    bytes: Some(bytes.at(row)),
                    kept_bytes: Some(kept_bytes.at(row)),
                };
                self.add(labels.number_of(label), label, share);
            }
        }
        Ok(())
    }

    /// What a summary tells of them.
    pub(crate) fn told(self, by: &str) -> BySource {
        BySource::of(by, self.all)
    }
}
