//! Candidates by bands: documents whose sketches agree in a whole band, and whose codes are not too far apart.

use crate::error::Error;
use crate::memory::columns::{Columns, Groups, Key};
use crate::numbers::{DocumentNumber, narrow};
use crate::progress::Progress;
use crate::search::bucket::{self, BUCKET, BandKeys, BandScan, CHUNKS, PARTS, Parts};
use crate::search::candidate_pair::{CandidatePair, TOGETHER};
use crate::search::candidate_search::Emit;
use crate::search::crowds::Crowds;
use crate::search::order::Order;
use crate::search::places::Places;
use nearprint_fingerprint::Fingerprint128;
use rayon::prelude::*;
use std::convert::Infallible;

/// A join by bands.
///
/// One band is in memory at a time, or as many of its 256 parts as there is room for: then its column is
/// read several times. A part is sorted, and each run of equal keys is a bucket.
///
/// # Complexity
/// For `n` documents and `b` bands `O(b n log n)`, and at most 128 pairs a document and band.
pub(crate) struct BandJoin<'a> {
    /// The code of the sketch of each document.
    pub(crate) codes: &'a [Fingerprint128],
    /// The documents that take part.
    pub(crate) joined: &'a Places,
    pub(crate) order: &'a Order,
    /// The first documents, of which no two make a pair.
    pub(crate) reference: DocumentNumber,
    /// Those of them that stand for others outside of the reference in pairs that are listed.
    pub(crate) copied: &'a Places,
    /// The group of each document: two of different ones make no pair. Empty where all are of one.
    pub(crate) groups: &'a [u32],
    /// Pairs farther apart are none.
    pub(crate) radius: u32,
    /// Bytes of memory.
    pub(crate) room: usize,
    pub(crate) progress: &'a Progress,
}

impl BandJoin<'_> {
    /// Hands every candidate to `emit`, once for each band in which it is found, and notes the documents
    /// of larger buckets in `crowds`. Runs on rayon's current pool.
    ///
    /// # Errors
    /// Those of the columns; [`Error::Interrupted`].
    pub(crate) fn run(
        &self,
        columns: &mut Columns,
        crowds: &Crowds,
        emit: &Emit<'_>,
    ) -> Result<(), Error> {
        let scan = BandScan { codes: self.codes, radius: self.radius };
        let (mut parts, work) = (Parts::default(), self.progress.work());
        let (bands, groups) = (columns.shape().bands(), columns.groups()?);
        work.begin(u64::from(bands) * PARTS as u64);
        for band in 0..bands {
            let keys = Column { join: self, groups, band };
            parts.count(&keys)?;
            let mut first = 0;
            while first < PARTS {
                first = parts.hold(&keys, first, self.room)?;
                parts.parts().into_par_iter().for_each(|part| {
                    self.part(&scan, part, crowds, emit);
                    work.add(1);
                });
            }
        }
        Ok(())
    }

    /// The buckets of a part.
    fn part(&self, scan: &BandScan<'_>, part: &mut [u64], crowds: &Crowds, emit: &Emit<'_>) {
        if self.progress.is_cancelled() {
            return;
        }
        let mut found = Vec::with_capacity(TOGETHER);
        let mut by_group: Vec<(u32, u32)> = Vec::new();
        bucket::scan(part, |bucket| {
            if self.groups.is_empty() {
                self.bucket(scan, bucket.places(), crowds, &mut found, emit);
                return;
            }
            for group in bucket.by_group(self.groups, &mut by_group) {
                self.bucket(scan, group.iter().map(|(_, at)| *at), crowds, &mut found, emit);
            }
        });
        emit(&found);
    }

    /// The documents at these places, ascending, which have an equal key.
    fn bucket(
        &self,
        scan: &BandScan<'_>,
        places: impl ExactSizeIterator<Item = u32> + Clone,
        crowds: &Crowds,
        found: &mut Vec<CandidatePair>,
        emit: &Emit<'_>,
    ) {
        let document = |place: u32| DocumentNumber(place.into());
        if places.len() > BUCKET {
            let (count, documents) = (places.len(), places.map(document));
            let first = documents.clone().next().unwrap_or_default();
            documents.for_each(|one| {
                crowds.add(one, count);
                crowds.join(first, one);
            });
            return;
        }
        // Those of the reference come first.
        let is_asked = |a, b| {
            let [a, b] = [a, b].map(document);
            b >= self.reference || self.copied.contain(a) || self.copied.contain(b)
        };
        let Ok(()) = scan.pairs(places, is_asked, |a, b, distance| {
            let [a, b] = [a, b].map(|one| self.order.rank(document(one)));
            found.push(CandidatePair { a: a.min(b), b: a.max(b), distance });
            if found.len() == TOGETHER {
                emit(found);
                found.clear();
            }
            Ok::<(), Infallible>(())
        });
    }
}

/// The keys of a band, of the documents that take part.
struct Column<'a> {
    join: &'a BandJoin<'a>,
    groups: Groups<'a>,
    band: u32,
}

impl BandKeys for Column<'_> {
    fn chunks(&self) -> usize {
        self.groups.len().min(CHUNKS * rayon::current_num_threads())
    }

    fn each(&self, chunk: usize, mut take: impl FnMut(u32, Key)) -> Result<(), Error> {
        let [start, end] =
            [chunk, chunk + 1].map(|chunk| chunk * self.groups.len() / self.chunks());
        let mut buffer = Vec::new();
        for group in start..end {
            self.join.progress.check()?;
            let (first, keys) = self.groups.keys(group, self.band, &mut buffer)?;
            for (document, key) in (narrow(first)..).zip(keys) {
                if self.join.joined.contain(DocumentNumber(document.into())) {
                    take(document, *key);
                }
            }
        }
        Ok(())
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
        codes: Vec<Fingerprint128>,
        joined: Vec<bool>,
        /// Empty where all are of one group.
        groups: Vec<u32>,
    }

    fn corpus(most: usize, kinds: u64, groups: u32) -> impl Strategy<Value = Corpus> {
        let shape = BandShape::for_similarity(0.8, 0.9).unwrap();
        let key =
            (0..kinds).prop_map(|kind| ((kind << 32) | (kind % 3)).to_le_bytes()[..5].to_vec());
        let sketch =
            prop::collection::vec(key, shape.bands() as usize).prop_map(|keys| keys.concat());
        let document = (sketch, 0_u64..64, prop::bool::weighted(0.9), 0..groups.max(1));
        prop::collection::vec(document, 0..most).prop_map(move |documents| Corpus {
            shape,
            sketches: documents.iter().map(|(sketch, ..)| sketch.clone()).collect(),
            codes: documents
                .iter()
                .map(|(_, code, ..)| Fingerprint128::from_words([*code, !0]))
                .collect(),
            joined: documents.iter().map(|(_, _, joined, _)| *joined).collect(),
            groups: match groups {
                0 => Vec::new(),
                _ => documents.iter().map(|(.., group)| *group).collect(),
            },
        })
    }

    /// Pairs, the sums of crowded documents, and the component of each document.
    type Found = (BTreeSet<(u32, u32, u32)>, BTreeMap<u64, u32>, Vec<u32>);

    impl Corpus {
        /// Of the reference every third document stands for others.
        fn found(&self, order: &Order, reference: u64, radius: u32, room: usize) -> Found {
            let dir = tempfile::tempdir().unwrap();
            let mut columns = Columns::new(self.shape, dir.path());
            for sketches in self.sketches.chunks(7) {
                let all = vec![true; sketches.len()];
                let packer = columns.packer();
                let packed: Vec<_> = packer.all(&sketches.concat(), &all).collect();
                packed.into_iter().for_each(|packed| columns.push(packed).unwrap());
                // A group of each.
                columns.groups().unwrap();
            }
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
                groups: &self.groups,
                radius,
                room,
                progress: &Progress::default(),
            };
            let emit = |found: &[CandidatePair]| {
                let found = found.iter().map(|near| (near.a.0, near.b.0, near.distance));
                pairs.lock().unwrap().extend(found);
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
                let mut buckets = BTreeMap::<(&[u8], Option<u32>), Vec<u64>>::new();
                for (document, sketch) in (0..).zip(&self.sketches) {
                    let at = usize::try_from(document).unwrap();
                    if self.joined[at] {
                        let key = (&sketch[5 * band..5 * band + 5], self.groups.get(at).copied());
                        buckets.entry(key).or_default().push(document);
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
            corpus in prop_oneof![corpus(60, 20, 0), corpus(60, 8, 3)],
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
        fn documents_of_large_buckets_are_crowded(
            corpus in prop_oneof![corpus(900, 3, 0), corpus(1200, 2, 2)],
            room in 1_usize..9000,
        ) {
            let found = corpus.found(&Order::Input, 0, 64, room);
            prop_assert_eq!(found, corpus.expected(&Order::Input, 0, 64));
        }
    }
}
