//! Candidates by bands: documents whose sketches agree in a whole band, and whose fingerprints are not too
//! far apart.

use crate::disk::columns::Columns;
use crate::error::Error;
use crate::matching::crowds::Crowds;
use crate::matching::near::Near;
use crate::matching::order::Order;
use crate::matching::places::Places;
use crate::numbers::{DocumentNumber, entry, narrow};
use crate::progress::Progress;
use nearprint_fingerprint::Fingerprint;
use rayon::prelude::*;

/// Documents of a bucket, at most, of which every pair is a candidate. The documents of larger buckets
/// are crowded.
pub(crate) const BUCKET: usize = 256;
/// Values of the first byte of a key: parts of a band.
const PARTS: usize = 256;
/// Bytes of a document in memory while its band is joined.
const RECORD: usize = 8;

/// A join by bands.
///
/// One band is in memory at a time, or as many of its 256 parts as there is room for: then its column is
/// read several times. A part is sorted, and each run of equal keys is a bucket.
///
/// # Complexity
/// For `n` documents and `b` bands `O(b n log n)`, and at most `BUCKET / 2` pairs a document and band.
pub(crate) struct BandJoin<'a, const WORDS: usize> {
    /// The fingerprint of each document.
    pub(crate) codes: &'a [Fingerprint<WORDS>],
    /// The documents that take part.
    pub(crate) joined: &'a Places,
    pub(crate) order: &'a Order,
    /// The first documents, of which no two make a pair.
    pub(crate) reference: DocumentNumber,
    /// Those of them that stand for others outside of the reference in pairs that are listed.
    pub(crate) copied: &'a Places,
    /// Pairs farther apart are none.
    pub(crate) radius: u32,
    /// Bytes of memory.
    pub(crate) room: usize,
    pub(crate) progress: &'a Progress,
}

impl<const WORDS: usize> BandJoin<'_, WORDS> {
    /// Hands every candidate to `emit`, once for each band in which it is found, and notes the documents
    /// of larger buckets in `crowds`. Runs on rayon's current pool.
    ///
    /// # Errors
    /// Those of the columns; [`Error::Interrupted`].
    pub(crate) fn run(
        &self,
        columns: &mut Columns,
        crowds: &Crowds,
        emit: &(dyn Fn(Near) + Sync),
    ) -> Result<(), Error> {
        let mut records = Vec::new();
        let (bands, work) = (columns.shape().bands(), self.progress.work());
        work.begin(u64::from(bands) * PARTS as u64);
        for band in 0..bands {
            let mut counts = [0_usize; PARTS];
            self.each(columns, band, |_, part, _| {
                if let Some(count) = counts.get_mut(part) {
                    *count += 1;
                }
            })?;
            let mut first = 0;
            while first < PARTS {
                let end = self.fitting(&counts, first);
                self.scatter(columns, band, &counts, first..end, &mut records)?;
                let mut parts: Vec<&mut [u64]> = Vec::with_capacity(end - first);
                let mut rest = records.as_mut_slice();
                for count in counts.iter().take(end).skip(first) {
                    let (part, behind) = rest.split_at_mut(*count);
                    parts.push(part);
                    rest = behind;
                }
                parts.into_par_iter().for_each(|part| {
                    self.part(part, crowds, emit);
                    work.add(1);
                });
                first = end;
            }
        }
        Ok(())
    }

    /// The part behind those that fit into the room from `first` on: at least one.
    fn fitting(&self, counts: &[usize; PARTS], first: usize) -> usize {
        let most = self.room / RECORD;
        let mut sum = 0;
        let fits = counts.iter().skip(first).take_while(|count| {
            sum += **count;
            sum <= most
        });
        first + fits.count().max(1)
    }

    /// Puts the records of some parts of a band side by side, each with the rest of its key before its
    /// document.
    fn scatter(
        &self,
        columns: &mut Columns,
        band: u32,
        counts: &[usize; PARTS],
        parts: std::ops::Range<usize>,
        records: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let mut ends = [0; PARTS];
        let mut total = 0;
        for part in parts.clone() {
            if let (Some(end), Some(count)) = (ends.get_mut(part), counts.get(part)) {
                *end = total;
                total += count;
            }
        }
        records.clear();
        records.resize(total, 0);
        self.each(columns, band, |document, part, rest| {
            if !parts.contains(&part) {
                return;
            }
            if let Some(end) = ends.get_mut(part) {
                if let Some(record) = records.get_mut(*end) {
                    *record = u64::from(rest) << 32 | u64::from(document);
                }
                *end += 1;
            }
        })
    }

    /// Hands each document that takes part to `each`, with the first byte of its key in a band and the
    /// other four.
    fn each(
        &self,
        columns: &mut Columns,
        band: u32,
        mut each: impl FnMut(u32, usize, u32),
    ) -> Result<(), Error> {
        let mut first = 0;
        columns.band(band, &mut |keys| {
            self.progress.check()?;
            for (document, key) in (narrow(first as u64)..).zip(keys) {
                let [a, b, c, d, part] = *key;
                if self.joined.contain(DocumentNumber(document.into())) {
                    each(document, part.into(), u32::from_le_bytes([a, b, c, d]));
                }
            }
            first += keys.len();
            Ok(())
        })
    }

    /// The buckets of a part.
    fn part(&self, part: &mut [u64], crowds: &Crowds, emit: &(dyn Fn(Near) + Sync)) {
        if self.progress.is_cancelled() {
            return;
        }
        part.sort_unstable();
        for bucket in part.chunk_by(|a, b| a >> 32 == b >> 32).filter(|bucket| bucket.len() > 1) {
            let document = |record: &u64| DocumentNumber(record & 0xffff_ffff);
            let documents = bucket.iter().map(document);
            if let [first, ..] = bucket
                && bucket.len() > BUCKET
            {
                for one in documents {
                    crowds.add(one, bucket.len());
                    crowds.join(document(first), one);
                }
                continue;
            }
            // Ascending: those of the reference come first.
            for (at, a) in documents.clone().enumerate() {
                let code = entry(self.codes, a.index());
                let is_pair = |b: &DocumentNumber| {
                    *b >= self.reference || self.copied.contain(a) || self.copied.contain(*b)
                };
                for b in documents.clone().skip(at + 1).filter(is_pair) {
                    let distance = code.distance(&entry(self.codes, b.index()));
                    if distance <= self.radius {
                        let (a, b) = (self.order.rank(a), self.order.rank(b));
                        emit(Near { a: a.min(b), b: a.max(b), distance });
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::BandShape;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Mutex;

    /// Documents of keys that often meet, in more than one part, with their fingerprints.
    #[derive(Clone, Debug)]
    struct Corpus {
        shape: BandShape,
        sketches: Vec<Vec<u8>>,
        codes: Vec<Fingerprint<1>>,
        joined: Vec<bool>,
    }

    fn corpus(most: usize, kinds: u64) -> impl Strategy<Value = Corpus> {
        let shape = BandShape::for_similarity(0.8, 0.9).unwrap();
        let key =
            (0..kinds).prop_map(|kind| ((kind << 32) | (kind % 3)).to_le_bytes()[..5].to_vec());
        let sketch =
            prop::collection::vec(key, shape.bands() as usize).prop_map(|keys| keys.concat());
        let document = (sketch, 0_u64..64, prop::bool::weighted(0.9));
        prop::collection::vec(document, 0..most).prop_map(move |documents| Corpus {
            shape,
            sketches: documents.iter().map(|(sketch, ..)| sketch.clone()).collect(),
            codes: documents.iter().map(|(_, code, _)| Fingerprint::from(*code)).collect(),
            joined: documents.iter().map(|(.., joined)| *joined).collect(),
        })
    }

    /// Pairs, the sums of crowded documents, and the component of each document.
    type Found = (BTreeSet<(u32, u32, u32)>, BTreeMap<u64, u32>, Vec<u32>);

    impl Corpus {
        /// Of the reference every third document stands for others.
        fn found(&self, order: &Order, reference: u64, radius: u32, room: usize) -> Found {
            let dir = tempfile::tempdir().unwrap();
            let mut columns = Columns::new(self.shape, dir.path());
            self.sketches.iter().for_each(|sketch| columns.push(sketch).unwrap());
            let (crowds, pairs) = (Crowds::new(self.codes.len()), Mutex::new(BTreeSet::new()));
            let join = BandJoin {
                codes: &self.codes,
                joined: &Places::of(
                    (0..)
                        .map(DocumentNumber)
                        .zip(&self.joined)
                        .filter_map(|(document, joined)| joined.then_some(document)),
                ),
                order,
                reference: DocumentNumber(reference),
                copied: &Places::of((0..reference).filter(|one| one % 3 == 0).map(DocumentNumber)),
                radius,
                room,
                progress: &Progress::default(),
            };
            let emit = |near: Near| {
                pairs.lock().unwrap().insert((near.a.0, near.b.0, near.distance));
            };
            join.run(&mut columns, &crowds, &emit).unwrap();
            let sums = crowds.documents().map(|document| (document.0, crowds.sum(document)));
            let sums = sums.collect();
            let all = (0..self.codes.len() as u64).map(DocumentNumber);
            let components = all.map(|document| crowds.component(document)).collect();
            (pairs.into_inner().unwrap(), sums, components)
        }

        /// The definition: all documents with an equal key, band by band.
        fn expected(&self, order: &Order, reference: u64, radius: u32) -> Found {
            let (mut pairs, mut sums) = (BTreeSet::new(), BTreeMap::new());
            let mut components: Vec<u32> = (0..narrow(self.codes.len() as u64)).collect();
            for band in 0..self.shape.bands() as usize {
                let mut buckets = BTreeMap::<&[u8], Vec<u64>>::new();
                for (document, sketch) in (0..).zip(&self.sketches) {
                    if self.joined[usize::try_from(document).unwrap()] {
                        buckets.entry(&sketch[5 * band..5 * band + 5]).or_default().push(document);
                    }
                }
                for bucket in buckets.into_values() {
                    if bucket.len() > BUCKET {
                        for document in &bucket {
                            let [of_first, of_one] = [bucket[0], *document]
                                .map(|one| components[DocumentNumber(one).index()]);
                            let least = of_first.min(of_one);
                            let joined = |one: &&mut u32| **one == of_first || **one == of_one;
                            components.iter_mut().filter(joined).for_each(|one| *one = least);
                            *sums.entry(*document).or_default() += narrow(bucket.len() as u64);
                        }
                        continue;
                    }
                    for (a, b) in bucket.iter().flat_map(|a| bucket.iter().map(move |b| (a, b))) {
                        let code = |one: &u64| self.codes[usize::try_from(*one).unwrap()];
                        let distance = code(a).distance(&code(b));
                        let is_listed = *b >= reference || a % 3 == 0 || b % 3 == 0;
                        if a < b && is_listed && distance <= radius {
                            let [a, b] = [a, b].map(|one| order.rank(DocumentNumber(*one)).0);
                            pairs.insert((a.min(b), a.max(b), distance));
                        }
                    }
                }
            }
            if sums.is_empty() {
                components.fill(0);
            }
            (pairs, sums, components)
        }
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_equal_bands_in_any_memory(
            corpus in corpus(60, 20),
            reference in 0_u64..20,
            radius in 0_u32..7,
            room in prop::sample::select(vec![0_usize, 8, 100, 1 << 20]),
            reversed in any::<bool>(),
        ) {
            let count = narrow(corpus.codes.len() as u64);
            let (reference, order) = match reversed {
                true => (0, Order::Reversed(count)),
                false => (reference, Order::Input),
            };
            let found = corpus.found(&order, reference, radius, room);
            prop_assert_eq!(found, corpus.expected(&order, reference, radius));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(8)))]
        #[test]
        fn documents_of_large_buckets_are_crowded(corpus in corpus(900, 3), room in 1_usize..9000) {
            let found = corpus.found(&Order::Input, 0, 64, room);
            prop_assert_eq!(found, corpus.expected(&Order::Input, 0, 64));
        }
    }
}
