//! Pairs of documents of which equal ones are folded: one stands for all, on disk and in memory. They are
//! unfolded while they are read.

use crate::error::Error;
use crate::memory::sorted_list::{SortedList, SortedListWriter};
use crate::memory::spill::Entry;
use crate::memory::spilled_sort::{Job, Room, sorted, sorted_of};
use crate::numbers::DocumentNumber;
use crate::read::documents::Documents;
use nearprint_fingerprint::Measure;
use nearprint_rules::{Alike, Evidence, Match};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

/// How many pairs a list has.
///
/// # Examples
/// ```
/// use nearprint_dedup::Dedup;
///
/// let texts = ["one two three four", "One, two, three, four!", "one two three... four"];
/// let mut rows = 0;
/// let found = Dedup::new().fold_equal(true).texts_and_pairs_by(3, |at| texts[at], |_| rows += 1)?;
/// assert_eq!(rows, 2);
/// assert_eq!((found.summary().pairs_listed, found.summary().pairs), (Some(2), Some(3)));
/// # Ok::<(), nearprint_dedup::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Listed {
    /// Rows of the list.
    pub rows: u64,
    /// Pairs that these stand for: more where equal documents are folded.
    pub pairs: u64,
}

/// A pair of two documents, each the first of those that equal it; or of such a first one and one that equals it.
/// The pairs of equals come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FoldedPair {
    a: u64,
    is_near: bool,
    b: u64,
    distance: u32,
    /// The bits of the similarity.
    similarity: u64,
}

/// All pairs of a job, with equal documents folded.
///
/// Memory: some blocks. While rows are told, 40 bytes for each group of equals that is near the document whose rows
/// are told.
#[derive(Debug)]
pub(crate) struct FoldedPairs {
    /// Each document of a group of equals, under the first of the group.
    members: SortedList<[u64; 2]>,
    /// The first document of each group, how many there are, how many of them are in the reference, and the last.
    groups: SortedList<[u64; 4]>,
    /// Each document of a group but for the first, with the first.
    others: SortedList<[u64; 2]>,
    /// Pairs of documents that are the first of their groups, or alone.
    near: SortedList<FoldedPair>,
    /// Those of which the first is of a group that goes on behind the second, the other way round.
    back: SortedList<FoldedPair>,
    /// The first documents, of which no two make a pair.
    reference: u64,
    /// What similarities are one of, where pairs are verified.
    measure: Option<Measure>,
}

/// A group of equals that is near a document: the next of its documents to be told, the group, the distance, the
/// similarity, and whether those behind it are told too.
type Turn = Reverse<(u64, u64, u32, u64, bool)>;

impl FoldedPair {
    /// Of two documents of equal content, or of equal fingerprint where that decides.
    pub(crate) const fn equal(first: DocumentNumber, other: DocumentNumber) -> Self {
        let similarity = 1.0_f64.to_bits();
        Self { a: first.0, b: other.0, is_near: false, distance: 0, similarity }
    }

    /// Of two documents that are near each other.
    pub(crate) fn near(
        one: DocumentNumber,
        other: DocumentNumber,
        distance: u32,
        similarity: f64,
    ) -> Self {
        let similarity = similarity.to_bits();
        let (a, b) = (one.min(other).0, one.max(other).0);
        Self { a, b, is_near: true, distance, similarity }
    }

    /// What comes before all near ones of `a`.
    const fn before(a: u64) -> Self {
        Self { a, is_near: true, b: 0, distance: 0, similarity: 0 }
    }
}

impl Entry for FoldedPair {
    const BYTES: usize = 28;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.a.to_le_bytes());
        bytes.extend(self.b.to_le_bytes());
        bytes.extend((self.distance << 1 | u32::from(self.is_near)).to_le_bytes());
        bytes.extend(self.similarity.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (halves, _) = bytes.as_chunks::<4>();
        let half = |at: usize| u32::from_le_bytes(halves[at]);
        let whole = |at| u64::from(half(at + 1)) << 32 | u64::from(half(at));
        let ([a, b, similarity], distance) = ([0, 2, 5].map(whole), half(4));
        Self { a, b, is_near: distance & 1 == 1, distance: distance >> 1, similarity }
    }
}

impl FoldedPairs {
    /// The pairs that `find` emits, from any thread, in any order and as often as it likes. Of two of the first
    /// `reference` documents there is none.
    ///
    /// Memory: the room, and some blocks.
    ///
    /// # Errors
    /// Those of `find` and of temporary files.
    pub(crate) fn found(
        (room, dir): (Room, &Path),
        (reference, measure): (u64, Option<Measure>),
        find: &mut Job<'_, FoldedPair>,
    ) -> Result<Self, Error> {
        let mut members = SortedListWriter::new(room, dir);
        let mut groups = SortedListWriter::new(room, dir);
        let mut near = SortedListWriter::new(room, dir);
        let mut group: Option<[u64; 4]> = None;
        let is_reference = |document: u64| u64::from(document < reference);
        let mut take = |pair: FoldedPair| {
            if pair.is_near {
                return near.push(pair);
            }
            let [first, size, inside, last] = match group {
                Some(group) if group[0] == pair.a => group,
                other => {
                    other.map_or(Ok(()), |group| groups.push(group))?;
                    members.push([pair.a; 2])?;
                    [pair.a, 1, is_reference(pair.a), pair.a]
                }
            };
            group = Some([first, size + 1, inside + is_reference(pair.b), last.max(pair.b)]);
            members.push([pair.a, pair.b])
        };
        sorted_of(room, dir, find, &mut |pairs| pairs.iter().copied().try_for_each(&mut take))?;
        group.map_or(Ok(()), |group| groups.push(group))?;
        let (members, groups, near) = (members.finish()?, groups.finish()?, near.finish()?);
        let mut others = SortedListWriter::new(room, dir);
        let mut copies = members.ahead()?.filter_map(|entry| match entry {
            Ok([first, other]) => (first < other).then_some(Ok([other, first])),
            Err(error) => Some(Err(error)),
        });
        sorted(&mut copies, room, dir, &mut |entries| {
            entries.iter().try_for_each(|entry| others.push(*entry))
        })?;
        let mut back = SortedListWriter::new(room, dir);
        if !groups.is_empty() {
            let mut of_a = groups.ahead()?;
            let mut turned = near.ahead()?.filter_map(|pair| {
                let turned = pair.and_then(|pair| {
                    while of_a.next_if(|[first, ..]| *first < pair.a)?.is_some() {}
                    let goes_on = of_a
                        .peek()
                        .is_some_and(|[first, .., last]| *first == pair.a && *last > pair.b);
                    Ok(goes_on.then_some(FoldedPair { a: pair.b, b: pair.a, ..pair }))
                });
                turned.transpose()
            });
            sorted(&mut turned, room, dir, &mut |pairs| {
                pairs.iter().try_for_each(|pair| back.push(*pair))
            })?;
        }
        let (others, back) = (others.finish()?, back.finish()?);
        Ok(Self { members, groups, others, near, back, reference, measure })
    }

    /// Hands every folded pair to `each`: what [`Self::found`] makes them of.
    pub(crate) fn folded(
        &self,
        each: &mut dyn FnMut(FoldedPair) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for entry in self.members.ahead()? {
            let [first, other] = entry?.map(DocumentNumber);
            if first < other {
                each(FoldedPair::equal(first, other))?;
            }
        }
        self.near.ahead()?.try_for_each(|pair| each(pair?))
    }

    /// Hands every document that equals an earlier one to `each`, with the first of them: by the first one.
    pub(crate) fn equal(&self, each: &mut dyn FnMut([DocumentNumber; 2])) -> Result<(), Error> {
        for entry in self.members.ahead()? {
            let [first, other] = entry?.map(DocumentNumber);
            if first < other {
                each([first, other]);
            }
        }
        Ok(())
    }

    /// The same as [`each`](Self::each), without documents that are similar and [no pair](Documents::are_pair).
    pub(crate) fn listed(
        &self,
        folded: bool,
        documents: &Documents,
        sink: &mut dyn FnMut(Match<DocumentNumber>) -> Result<(), Error>,
    ) -> Result<Listed, Error> {
        if documents.sides().is_none() {
            return self.each(folded, sink);
        }
        let mut listed = Listed::default();
        self.each(folded, &mut |pair| {
            if !documents.are_pair(pair.a, pair.b) {
                return Ok(());
            }
            listed = Listed { rows: listed.rows + 1, pairs: listed.pairs + 1 };
            sink(pair)
        })?;
        Ok(listed)
    }

    /// The number of pairs of documents that are the first of their content, or alone.
    pub(crate) fn near_len(&self) -> u64 {
        self.near.len()
    }

    /// Hands each of these pairs with its similarity to `each`, by the first document, then the second.
    pub(crate) fn near(
        &self,
        each: &mut dyn FnMut([DocumentNumber; 2], f64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.near.ahead()?.try_for_each(|pair| {
            let FoldedPair { a, b, similarity, .. } = pair?;
            each([a, b].map(DocumentNumber), f64::from_bits(similarity))
        })
    }

    /// Hands every pair of documents to `sink`, by the first, then the second. Where they stay `folded`, the first
    /// document of each group of equals has a pair with each of the others, and it alone has pairs with documents
    /// outside of the group.
    ///
    /// # Errors
    /// The first error of `sink`; those of temporary files.
    pub(crate) fn each(
        &self,
        folded: bool,
        sink: &mut dyn FnMut(Match<DocumentNumber>) -> Result<(), Error>,
    ) -> Result<Listed, Error> {
        let mut rows = 0;
        let mut tell = |a, b, distance, similarity| {
            rows += 1;
            let similarity = f64::from_bits(similarity);
            let alike = self.measure.map(|measure| Alike { similarity, measure });
            let evidence = Evidence { distance, alike };
            sink(Match { a: DocumentNumber(a), b: DocumentNumber(b), evidence })
        };
        let (mut near, mut back) = (self.near.ahead()?, self.back.ahead()?);
        let (mut groups, mut others) = (self.groups.ahead()?, self.others.ahead()?);
        let mut turns: BinaryHeap<Turn> = BinaryHeap::new();
        loop {
            let next = [
                near.peek().map(|pair| pair.a),
                back.peek().map(|pair| pair.a),
                groups.peek().map(|[first, ..]| *first),
                others.peek().map(|[other, _]| *other),
            ];
            let Some(a) = next.into_iter().flatten().min() else { break };
            let of_first = others.next_if(|[other, _]| *other == a)?;
            let first = of_first.map_or(a, |[_, first]| first);
            let is_group = groups.next_if(|[first, ..]| *first == a)?.is_some();
            if folded && first != a {
                continue;
            }
            // The first document that may be the second of a pair.
            let from = if a < self.reference { self.reference } else { a + 1 };
            if (is_group || first != a)
                && let Some(b) = self.member(first, from)?
            {
                turns.push(Reverse((b, first, 0, 1.0_f64.to_bits(), true)));
            }
            // Those of a first document are next, those of another one were read before.
            let (mut again, mut back_again) = (None, None);
            if first != a {
                again = Some(self.near.from(&FoldedPair::before(first))?);
                back_again = Some(self.back.from(&FoldedPair::before(first))?);
            }
            let back = back_again.as_mut().unwrap_or(&mut back);
            while let Some(pair) = back.next_if(|pair| pair.a == first)? {
                // Folded, it was told with the first of both, unless both of these are in the reference.
                let was_told =
                    folded && (a >= self.reference || self.member(a, self.reference)?.is_some());
                if !was_told && let Some(b) = self.member(pair.b, from)? {
                    turns.push(Reverse((b, pair.b, pair.distance, pair.similarity, !folded)));
                }
            }
            let near = again.as_mut().unwrap_or(&mut near);
            while let Some(pair) = near.next_if(|pair| pair.a == first)? {
                let FoldedPair { b, distance, similarity, .. } = pair;
                let is_alone = folded && b >= from || !self.is_group(b)?;
                if !is_alone {
                    if let Some(next) = self.member(b, from)? {
                        turns.push(Reverse((next, b, distance, similarity, !folded)));
                    }
                } else if b >= from {
                    self.take_turns(&mut turns, b, &mut |b, distance, similarity| {
                        tell(a, b, distance, similarity)
                    })?;
                    tell(a, b, distance, similarity)?;
                }
            }
            self.take_turns(&mut turns, u64::MAX, &mut |b, distance, similarity| {
                tell(a, b, distance, similarity)
            })?;
        }
        let pairs = if folded { self.count()? } else { rows };
        Ok(Listed { rows, pairs })
    }

    /// Tells the documents of groups that are before `end`, ascending.
    fn take_turns(
        &self,
        turns: &mut BinaryHeap<Turn>,
        end: u64,
        tell: &mut dyn FnMut(u64, u32, u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while let Some(mut turn) = turns.peek_mut() {
            let Reverse((b, group, distance, similarity, goes_on)) = *turn;
            if b >= end {
                break;
            }
            let next = if goes_on { self.member(group, b + 1)? } else { None };
            match next {
                Some(next) => turn.0.0 = next,
                None => drop(std::collections::binary_heap::PeekMut::pop(turn)),
            }
            tell(b, distance, similarity)?;
        }
        Ok(())
    }

    /// The first document of a group that is not before `from`.
    fn member(&self, group: u64, from: u64) -> Result<Option<u64>, Error> {
        let found = self.members.at_or_after(&[group, from])?;
        Ok(found.filter(|[first, _]| *first == group).map(|[_, document]| document))
    }

    /// Whether a document is the first of several equal ones.
    fn is_group(&self, document: u64) -> Result<bool, Error> {
        let found = self.groups.at_or_after(&[document, 0, 0, 0])?;
        Ok(found.is_some_and(|[first, ..]| first == document))
    }

    /// How many pairs of documents there are, without telling one.
    fn count(&self) -> Result<u64, Error> {
        let of = |size: u64| u128::from(size) * u128::from(size.saturating_sub(1)) / 2;
        let mut pairs = 0;
        for group in self.groups.ahead()? {
            let [_, size, inside, _] = group?;
            pairs += of(size) - of(inside);
        }
        let alone = |document: u64| [document, 1, u64::from(document < self.reference), document];
        let mut of_a = self.groups.ahead()?;
        for pair in self.near.ahead()? {
            let pair = pair?;
            while of_a.next_if(|[first, ..]| *first < pair.a)?.is_some() {}
            let is_a = of_a.peek().copied().filter(|[first, ..]| *first == pair.a);
            let is_b = self.groups.at_or_after(&[pair.b, 0, 0, 0])?;
            let is_b = is_b.filter(|[first, ..]| *first == pair.b);
            let [[_, m, m_inside, _], [_, n, n_inside, _]] =
                [is_a.unwrap_or(alone(pair.a)), is_b.unwrap_or(alone(pair.b))];
            let [all, inside] =
                [(m, n), (m_inside, n_inside)].map(|(m, n)| u128::from(m) * u128::from(n));
            pairs += all - inside;
        }
        Ok(u64::try_from(pairs).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// What group each document is of, which groups are near each other, and how many documents are there to be
    /// compared with.
    fn corpus() -> impl Strategy<Value = (Vec<usize>, BTreeSet<(usize, usize)>, u64)> {
        let of = prop::collection::vec(0_usize..12, 0..40);
        let near = prop::collection::btree_set((0_usize..12, 0_usize..12), 0..30);
        let near = near.prop_map(|near| near.into_iter().filter(|(a, b)| a < b).collect());
        (of, near, prop_oneof![2 => Just(0_u64), 1 => 0_u64..45])
    }

    type Row = (u64, u64, u32, u32);

    fn row(pair: Match<DocumentNumber>) -> Row {
        let similarity = pair.evidence.similarity().unwrap_or(0.0);
        let hundredths = (0..=100).find(|one| f64::from(*one) >= 100.0 * similarity - 0.5);
        (pair.a.0, pair.b.0, pair.evidence.distance, hundredths.unwrap())
    }

    proptest! {
        #[test]
        fn rows_are_those_of_a_double_loop(
            (of, near, reference) in corpus(), budget in prop::sample::select(vec![1_usize, 5000, 1 << 20]),
        ) {
            let near_of = |x: usize, y: usize| {
                let key = (x.min(y), x.max(y));
                near.contains(&key).then(|| u32::try_from(key.0 + 2 * key.1).unwrap())
            };
            let mut expected: Vec<Row> = Vec::new();
            for (a, of_a) in of.iter().enumerate() {
                for (b, of_b) in of.iter().enumerate().skip(a + 1) {
                    let found = if of_a == of_b { Some((0, 100)) } else { near_of(*of_a, *of_b).map(|far| (far, 50)) };
                    if let Some((distance, similarity)) = found && b as u64 >= reference {
                        expected.push((a as u64, b as u64, distance, similarity));
                    }
                }
            }
            let mut firsts: BTreeMap<usize, u64> = BTreeMap::new();
            for (document, group) in (0..).zip(&of) {
                firsts.entry(*group).or_insert(document);
            }
            let dir = tempfile::tempdir().unwrap();
            let place = (Room::within(budget), dir.path());
            let found = FoldedPairs::found(place, (reference, Some(Measure::Jaccard)), &mut |emit| {
                for (document, group) in of.iter().enumerate() {
                    let document = DocumentNumber(document as u64);
                    let first = DocumentNumber(firsts[group]);
                    if first < document {
                        emit(&[FoldedPair::equal(first, document)]);
                    }
                }
                for (x, a) in &firsts {
                    for (y, b) in &firsts {
                        if let Some(distance) = near_of(*x, *y).filter(|_| x < y) {
                            emit(&[FoldedPair::near(DocumentNumber(*b), DocumentNumber(*a), distance, 0.5)]);
                        }
                    }
                }
                Ok(())
            }).unwrap();
            let mut rows = Vec::new();
            let listed = found.each(false, &mut |pair| { rows.push(row(pair)); Ok(()) }).unwrap();
            prop_assert_eq!(&rows, &expected);
            let all = expected.len() as u64;
            prop_assert_eq!(listed, Listed { rows: all, pairs: all });
            // Folded: of the pairs of two groups, or of one, those of the first that has any.
            let mut short: Vec<Row> = Vec::new();
            let mut told = BTreeSet::new();
            for row in &expected {
                let [x, y] = [row.0, row.1].map(|one| of[usize::try_from(one).unwrap()]);
                let is_star = x == y && expected.iter().find(|one| {
                    of[usize::try_from(one.0).unwrap()] == x && of[usize::try_from(one.1).unwrap()] == x
                }).is_some_and(|one| one.0 == row.0);
                if is_star || x != y && told.insert((x.min(y), x.max(y))) {
                    short.push(*row);
                }
            }
            let mut rows = Vec::new();
            let listed = found.each(true, &mut |pair| { rows.push(row(pair)); Ok(()) }).unwrap();
            prop_assert_eq!(&rows, &short);
            prop_assert_eq!(listed, Listed { rows: short.len() as u64, pairs: all });
            // What is kept of them makes the same.
            let mut kept = Vec::new();
            found.folded(&mut |pair| { kept.push(pair); Ok(()) }).unwrap();
            let again = FoldedPairs::found(place, (reference, Some(Measure::Jaccard)), &mut |emit| {
                kept.chunks(3).rev().for_each(emit);
                Ok(())
            }).unwrap();
            let mut rows = Vec::new();
            again.each(false, &mut |pair| { rows.push(row(pair)); Ok(()) }).unwrap();
            prop_assert_eq!(rows, expected);
        }
    }
}
