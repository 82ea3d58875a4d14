//! Which drawn documents another one is near: an index of the rarest features of the drawn ones.

use foldhash::fast::FixedState;
use nearprint_dedup::Verify;
use std::collections::HashMap;

/// How many of the features that are listed a near document has, at least.
const HITS: usize = 4;
/// Below a product by more than it may be rounded.
const BELOW: f64 = 1.0 - 1e-9;

/// Finds all drawn documents within a Jaccard similarity of another document, for certain.
///
/// Of a drawn document with `n` features, a document of similarity `s` and more has at least `s n`. So it has at
/// least `h` of any `n - s n + h`: these are listed, the rarest of the sample, and what has fewer of them is not
/// compared.
///
/// # References
/// Chaudhuri, Ganti, Kaushik, "A Primitive Operator for Similarity Joins in Data Cleaning", ICDE 2006, for prefixes.
pub(crate) struct NearIndex<'a> {
    documents: &'a [Vec<u64>],
    rule: Verify,
    /// Of each listed feature where its documents are in `lists`.
    places: HashMap<u64, (u32, u32), FixedState>,
    lists: Vec<u32>,
    /// Listed features that a near document has at least.
    hits: Vec<u16>,
}

/// Working memory of a search: keep one a thread.
#[derive(Default)]
pub(crate) struct Hits {
    counts: Vec<u16>,
    touched: Vec<u32>,
}

impl<'a> NearIndex<'a> {
    /// An index of documents by the keys of their features, which ascend.
    pub(crate) fn new(documents: &'a [Vec<u64>], least: f64) -> Self {
        let mut frequencies: HashMap<u64, u32, FixedState> = HashMap::default();
        documents.iter().flatten().for_each(|key| *frequencies.entry(*key).or_default() += 1);
        let (mut entries, mut hits) = (Vec::new(), Vec::with_capacity(documents.len()));
        for (document, keys) in (0..).zip(documents) {
            let needed = share(least * BELOW, keys.len()).max(1);
            let wanted = needed.min(HITS);
            let mut rarest: Vec<(u32, u64)> =
                keys.iter().map(|key| (frequencies.get(key).copied().unwrap_or(0), *key)).collect();
            rarest.sort_unstable();
            let listed = (keys.len() + wanted).saturating_sub(needed);
            entries.extend(rarest.into_iter().take(listed).map(|(_, key)| (key, document)));
            hits.push(u16::try_from(wanted).unwrap_or(1));
        }
        entries.sort_unstable();
        let (mut places, mut lists): (HashMap<_, _, FixedState>, Vec<u32>) = Default::default();
        for list in entries.chunk_by(|a: &(u64, u32), b| a.0 == b.0) {
            let start = place(lists.len());
            lists.extend(list.iter().map(|(_, document)| *document));
            if let Some((key, _)) = list.first() {
                places.insert(*key, (start, place(lists.len())));
            }
        }
        Self { documents, rule: Verify::Jaccard(least), places, lists, hits }
    }

    /// Hands each drawn document that the features of another are near, with the similarity, to `found`.
    ///
    /// # Complexity
    /// A look a feature, and a comparison of each document that shares enough of its rarest ones.
    pub(crate) fn near(&self, keys: &[u64], hits: &mut Hits, mut found: impl FnMut(u32, f64)) {
        hits.counts.resize(self.documents.len(), 0);
        for key in keys {
            let Some((start, end)) = self.places.get(key) else { continue };
            for document in self.lists.get(*start as usize..*end as usize).unwrap_or_default() {
                if let Some(count) = hits.counts.get_mut(*document as usize) {
                    if *count == 0 {
                        hits.touched.push(*document);
                    }
                    *count = count.saturating_add(1);
                }
            }
        }
        for document in hits.touched.drain(..) {
            let at = document as usize;
            let count = hits.counts.get_mut(at).map_or(0, std::mem::take);
            if count < self.hits.get(at).copied().unwrap_or(1) {
                continue;
            }
            let own = self.documents.get(at).map(Vec::as_slice).unwrap_or_default();
            if let Some(similarity) = self.rule.similarity(own, keys) {
                found(document, similarity);
            }
        }
    }
}

fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A share of a count, rounded up.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "features of one document"
)]
fn share(share: f64, count: usize) -> usize {
    (share * count as f64).ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::{Overlap, mix64};

    /// What is found is what comparing with every document finds, at similarities far and near.
    #[test]
    fn all_near_documents_are_found_and_no_others() {
        let random = |seed: u64| mix64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let document = |at: u64| {
            let family = random(at) % 12;
            let size = 1 + random(at ^ 77) % 40;
            let mut keys: Vec<u64> = (0..size)
                .map(|i| {
                    if random(at << 20 | i) % 4 == 0 {
                        random(at << 9 | i)
                    } else {
                        family << 32 | i
                    }
                })
                .collect();
            keys.sort_unstable();
            keys.dedup();
            keys
        };
        let drawn: Vec<Vec<u64>> = (0..80).map(document).collect();
        for least in [0.3, 0.5, 0.8, 1.0] {
            let index = NearIndex::new(&drawn, least);
            let mut hits = Hits::default();
            let mut some = 0;
            for other in (0..400).map(document) {
                let mut found = Vec::new();
                index.near(&other, &mut hits, |at, similarity| found.push((at, similarity)));
                found.sort_by_key(|(at, _)| *at);
                let similarity = |own: &Vec<u64>| Overlap::of(own, &other).jaccard();
                let expected: Vec<_> = (0_u32..)
                    .zip(&drawn)
                    .map(|(at, own)| (at, similarity(own)))
                    .filter(|(_, similarity)| *similarity >= least)
                    .collect();
                assert_eq!(found, expected, "{least}");
                some += found.len();
            }
            assert!(some > 20, "{least}: {some}");
        }
    }
}
