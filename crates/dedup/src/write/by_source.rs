//! How much of each source stays: of each file, of each folder of files that are one document, or of each value of a field.

use crate::decide::fates::{Fate, Fates};
use crate::numbers::{DocumentNumber, entry};
use crate::read::documents::Documents;
use crate::read::labels::Labels;
use nearprint_corpus::{InputFormat, Source};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Sources that are told one by one, at most; the others are summed.
const TOLD: usize = 100;

/// How much of each source stays. Documents that are only compared with are in none.
///
/// Where sources are the values of a field, documents without any feature are in none either.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BySource {
    /// The field whose values are the sources; `file` where sources are files, and folders of files that are one
    /// document each.
    pub by: String,
    /// The sources in the order of the input: of many the hundred with the most documents.
    pub sources: Vec<SourceShare>,
    /// All other sources together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<OtherSources>,
}

/// How much of one source stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SourceShare {
    /// The source: a path, or a value of the field. `None` of documents without a value.
    pub source: Option<String>,
    /// How much of it stays.
    #[serde(flatten)]
    pub share: Share,
}

/// How much of several sources stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OtherSources {
    /// How many sources.
    pub sources: u64,
    /// How much of them stays.
    #[serde(flatten)]
    pub share: Share,
}

/// How much of something stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Its documents.
    pub documents: u64,
    /// Those that stay.
    pub kept: u64,
    /// Bytes of the records of its documents, decompressed; `None` where no survivors are written, as nothing reads
    /// them again then.
    pub bytes: Option<u64>,
    /// Bytes of the records that stay.
    pub kept_bytes: Option<u64>,
}

impl Share {
    pub(crate) fn add(&mut self, other: Self) {
        let sum = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a + b);
        *self = Self {
            documents: self.documents + other.documents,
            kept: self.kept + other.kept,
            bytes: sum(self.bytes, other.bytes),
            kept_bytes: sum(self.kept_bytes, other.kept_bytes),
        };
    }

    /// Those that do not stay.
    pub(crate) const fn removed(self) -> u64 {
        self.documents - self.kept
    }
}

impl BySource {
    /// Whether there is nothing to tell: texts in memory have no source.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// That of sources by `by`, in the order of the input; of one without documents nothing is told.
    pub(crate) fn of(by: &str, mut all: Vec<SourceShare>) -> Self {
        all.retain(|source| source.share.documents > 0);
        let mut largest: Vec<usize> = (0..all.len()).collect();
        largest.sort_by_key(|at| Reverse(all.get(*at).map(|source| source.share.documents)));
        let is_told = |at: &usize| largest.iter().take(TOLD).any(|told| told == at);
        let (told, others): (Vec<_>, Vec<_>) =
            (0..).zip(all).partition(|(at, _)| largest.len() <= TOLD || is_told(at));
        let others = others.into_iter().map(|(_, source)| source.share).reduce(|mut sum, share| {
            sum.add(share);
            sum
        });
        let number = largest.len().saturating_sub(TOLD) as u64;
        Self {
            by: by.to_owned(),
            sources: told.into_iter().map(|(_, source)| source).collect(),
            others: others.map(|share| OtherSources { sources: number, share }),
        }
    }
}

/// What a source of that name is called: a file that is one document is one of its folder.
pub(crate) fn called(source: &Source) -> &str {
    let (name, is_document) = (source.name(), source.format().is_some_and(InputFormat::is_whole));
    let folder = name.rsplit_once('/').map(|(folder, _)| folder);
    folder.filter(|folder| is_document && !folder.is_empty()).unwrap_or(name)
}

/// Sums what is known of files by what they are called, in their order.
pub(crate) fn by_file<'a>(files: impl Iterator<Item = (&'a Source, Share)>) -> BySource {
    let (mut all, mut places): (Vec<SourceShare>, _) = (Vec::new(), HashMap::new());
    for (source, share) in files {
        let at = *places.entry(called(source)).or_insert(all.len());
        match all.get_mut(at) {
            Some(known) => known.share.add(share),
            None => all.push(SourceShare { source: Some(called(source).to_owned()), share }),
        }
    }
    BySource::of(FILE, all)
}

/// What sources are by where no field is named.
const FILE: &str = "file";

/// The sources of the documents of a job, with what is counted of each.
pub(crate) struct Sources<'a> {
    by: &'a str,
    /// The labels that are the sources, where a field is named.
    labels: Option<&'a Labels>,
    /// The place among `all` of each file behind the reference, or of the label of each number.
    places: Vec<usize>,
    all: Vec<Tally>,
}

/// What is counted of a source.
pub(crate) struct Tally {
    pub(crate) told: SourceShare,
    /// Its first document that goes.
    pub(crate) first_gone: Option<DocumentNumber>,
}

impl<'a> Sources<'a> {
    /// Those of the documents behind the `reference`, the first ones of all `files`: by the labels of a field, or by file.
    ///
    /// # Complexity
    /// A look at every document; memory for every source.
    pub(crate) fn of(
        (files, reference): (&'a [Source], usize),
        field: Option<(&'a str, &'a Labels)>,
        documents: &Documents,
        fates: &Fates,
    ) -> Self {
        let (by, labels) = field.map_or((FILE, None), |(by, labels)| (by, Some(labels)));
        let mut sources = Self { by, labels, places: Vec::new(), all: Vec::new() };
        match labels {
            Some(labels) => sources.count_labels(labels, documents, fates),
            None => sources.count_files((files, reference), documents, fates),
        }
        sources
    }

    fn count_labels(&mut self, labels: &Labels, documents: &Documents, fates: &Fates) {
        /// A label that no document was seen of.
        const UNSEEN: usize = usize::MAX;
        for document in (documents.reference.documents..documents.len() as u64).map(DocumentNumber)
        {
            let number = labels.of(document);
            let at = number as usize;
            if at >= self.places.len() {
                self.places.resize(at + 1, UNSEEN);
            }
            if entry(&self.places, at) == UNSEEN {
                crate::numbers::set(&mut self.places, at, self.all.len());
                self.begin(labels.name(number).map(str::to_owned));
            }
            self.count(entry(&self.places, at), document, fates);
        }
    }

    fn count_files(
        &mut self,
        (files, reference): (&[Source], usize),
        documents: &Documents,
        fates: &Fates,
    ) {
        let mut known = HashMap::new();
        let mut first = 0;
        for (at, source) in files.iter().enumerate() {
            let counts = documents.sources.get(at).copied().unwrap_or_default();
            let ours = (first..first + counts.numbered).map(DocumentNumber);
            first += counts.numbered;
            if at < reference {
                continue;
            }
            let place = *known.entry(called(source)).or_insert(self.all.len());
            self.places.push(place);
            if place == self.all.len() {
                self.begin(Some(called(source).to_owned()));
            }
            // Those without any feature stay.
            let empty = counts.records - counts.skipped - counts.numbered;
            if let Some(tally) = self.all.get_mut(place) {
                tally.told.share.documents += empty;
                tally.told.share.kept += empty;
            }
            ours.for_each(|document| self.count(place, document, fates));
        }
    }

    fn begin(&mut self, source: Option<String>) {
        let told = SourceShare { source, share: Share::default() };
        self.all.push(Tally { told, first_gone: None });
    }

    fn count(&mut self, place: usize, document: DocumentNumber, fates: &Fates) {
        let Some(tally) = self.all.get_mut(place) else { return };
        let goes = matches!(fates.of(document), Fate::Goes { .. });
        tally.told.share.documents += 1;
        tally.told.share.kept += u64::from(!goes);
        if goes {
            tally.first_gone.get_or_insert(document);
        }
    }

    /// Every source with what was counted.
    pub(crate) fn all(&self) -> &[Tally] {
        &self.all
    }

    /// Says that bytes are counted from now on.
    pub(crate) fn count_bytes(&mut self) {
        for Tally { told, .. } in &mut self.all {
            (told.share.bytes, told.share.kept_bytes) = (Some(0), Some(0));
        }
    }

    /// Counts the bytes of a record of a file behind the reference; none of a document that is in no source.
    pub(crate) fn pass(
        &mut self,
        file: usize,
        document: Option<DocumentNumber>,
        (bytes, stays): (u64, bool),
    ) {
        let at = match self.labels {
            Some(labels) => document.map(|document| labels.of(document) as usize),
            None => Some(file),
        };
        let place = at.and_then(|at| self.places.get(at));
        let Some(tally) = place.and_then(|place| self.all.get_mut(*place)) else { return };
        let Share { bytes: all, kept_bytes: kept, .. } = &mut tally.told.share;
        *all = all.map(|all| all + bytes);
        *kept = kept.map(|kept| if stays { kept + bytes } else { kept });
    }

    /// What a summary tells of them.
    pub(crate) fn told(self) -> BySource {
        BySource::of(self.by, self.all.into_iter().map(|tally| tally.told).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_sources_the_largest_are_told_and_the_others_summed() {
        let share = |documents: u64| Share {
            documents,
            kept: documents / 2,
            bytes: Some(10 * documents),
            kept_bytes: None,
        };
        let source = |at: u64| SourceShare { source: Some(at.to_string()), share: share(at) };
        let by = BySource::of("dump", (0..103).map(source).collect());
        let names: Vec<_> = by.sources.iter().filter_map(|told| told.source.as_deref()).collect();
        assert_eq!((names.len(), names[0], names[99]), (100, "3", "102"));
        // Source 0 has no document.
        let sum = Share { documents: 3, kept: 1, bytes: Some(30), kept_bytes: None };
        assert_eq!(by.others, Some(OtherSources { sources: 2, share: sum }));
        assert_eq!(BySource::of("dump", (0..100).map(source).collect()).others, None);
    }

    #[test]
    fn files_that_are_documents_are_told_by_their_folder() {
        let named = |name: &str, format| Source::named(name, format);
        let files = [
            named("pages/a.html", Some(InputFormat::HTML)),
            named("pages/b.html", Some(InputFormat::HTML)),
            named("rows/c.jsonl", Some(InputFormat::JSONL)),
            named("d.html", Some(InputFormat::HTML)),
        ];
        let share = Share { documents: 1, kept: 1, bytes: None, kept_bytes: None };
        let by = by_file(files.iter().map(|file| (file, share)));
        let told = |told: &SourceShare| (told.source.clone().unwrap(), told.share.documents);
        let expected = [("pages", 2), ("rows/c.jsonl", 1), ("d.html", 1)];
        let told: Vec<_> = by.sources.iter().map(told).collect();
        assert_eq!(told, expected.map(|(name, documents)| (name.to_owned(), documents)));
    }
}
