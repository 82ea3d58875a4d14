//! From documents that stand for a content in the file of an earlier run to those that stand for it now: by another order,
//! within other groups, and across labels.

use crate::numbers::{DocumentNumber, Rank, entry, narrow, set};
use crate::read::documents::Documents;
use crate::search::exact::Exact;
use crate::search::order::Order;

/// A document that shares its content with none.
const ALONE: u32 = u32::MAX;

/// The document that stands for each content in each group, and where documents are compared across labels, for each label
/// there.
///
/// Memory: 4 bytes a document where contents are shared, and 16 for each content, group and label of those.
#[derive(Debug, Default)]
pub(crate) struct Heads {
    /// Where the heads of the content begin whose first document this is; [`ALONE`] for others.
    starts: Vec<u32>,
    heads: Vec<Head>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    /// The first document of the content in the input.
    content: u32,
    kin: Kin,
    /// The first document of the content that is of this kin.
    rank: Rank,
}

/// What documents of one content have in common that are compared with the same others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kin {
    group: u32,
    /// The number of the label, where documents are compared across labels.
    side: u32,
    /// Whether they are only compared with, where documents are compared across labels: these stay whatever they are near.
    is_reference: bool,
}

impl Kin {
    fn of(documents: &Documents, document: u32) -> Self {
        let (number, groups) = (DocumentNumber(document.into()), documents.groups());
        let group = if groups.is_empty() { 0 } else { entry(groups, document as usize) };
        let Some(sides) = documents.sides() else {
            return Self { group, side: 0, is_reference: false };
        };
        let is_reference = number.0 < documents.reference.documents;
        Self { group, side: sides.of(number), is_reference }
    }
}

impl Heads {
    /// Those of documents of which equal ones are in `exact`, by their numbers: in the groups that documents are
    /// compared within, and of the labels that they are compared across, by `order`.
    pub(crate) fn of(exact: &Exact, documents: &Documents, order: &Order) -> Self {
        let mut heads = Vec::new();
        for (first, others) in exact.copies().groups() {
            let members = std::iter::once(first).chain(others);
            heads.extend(members.map(|member| Head {
                content: first.0,
                kin: Kin::of(documents, member.0),
                rank: order.rank(DocumentNumber(member.0.into())),
            }));
        }
        heads.sort_unstable();
        heads.dedup_by_key(|head| (head.content, head.kin));
        let mut starts = if heads.is_empty() { Vec::new() } else { vec![ALONE; documents.len()] };
        let mut at = 0;
        for own in heads.chunk_by(|a, b| a.content == b.content) {
            own.first().into_iter().for_each(|head| set(&mut starts, head.content as usize, at));
            at += narrow(own.len() as u64);
        }
        Self { starts, heads }
    }

    /// Documents of one content that are compared with the same others, each with the first of them: by their ranks in
    /// `order`. Of equal documents are those in `exact`, by their numbers.
    pub(crate) fn twins(exact: &Exact, documents: &Documents, order: &Order) -> Exact {
        let (mut twins, mut own) = (Vec::new(), Vec::new());
        for (first, others) in exact.copies().groups() {
            own.clear();
            own.extend(std::iter::once(first).chain(others).map(|member| {
                (Kin::of(documents, member.0), order.rank(DocumentNumber(member.0.into())))
            }));
            own.sort_unstable();
            for same in own.chunk_by(|a, b| a.0 == b.0) {
                let Some(((_, head), others)) = same.split_first() else { continue };
                twins.extend(others.iter().map(|(_, other)| (*other, *head)));
            }
        }
        twins.sort_unstable();
        Exact::of(twins)
    }

    /// Bytes in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.heads)
    }

    /// Hands each pair of documents that stand for two contents and are compared to `each`, the first one first.
    pub(crate) fn pairs(
        &self,
        [a, b]: [u32; 2],
        documents: &Documents,
        order: &Order,
        each: &mut dyn FnMut(Rank, Rank),
    ) {
        let (mut of_a, mut of_b) = ([None], [None]);
        let (of_a, of_b) = (
            self.of_content(a, &mut of_a, documents, order),
            self.of_content(b, &mut of_b, documents, order),
        );
        if documents.sides().is_some() {
            let of_b: Vec<_> = of_b.collect();
            for (kin, x) in of_a {
                let group = of_b.partition_point(|(other, _)| other.group < kin.group);
                let others = of_b.get(group..).unwrap_or_default().iter();
                let others = others.take_while(|(other, _)| other.group == kin.group);
                for (_, y) in others.filter(|(other, _)| other.side != kin.side) {
                    each(x.min(*y), x.max(*y));
                }
            }
            return;
        }
        let (mut left, mut right) = (of_a.peekable(), of_b.peekable());
        while let (Some((kin, x)), Some((other, y))) = (left.peek(), right.peek()) {
            if kin == other {
                each(*x.min(y), *x.max(y));
            }
            let (kin, other) = (*kin, *other);
            left.next_if(|_| kin <= other);
            right.next_if(|_| other <= kin);
        }
    }

    /// Hands each pair of documents of one content that are compared across labels to `each`, the first one first.
    pub(crate) fn equal(&self, each: &mut dyn FnMut(Rank, Rank)) {
        let compared = |a: &Head, b: &Head| a.content == b.content && a.kin.group == b.kin.group;
        for heads in self.heads.chunk_by(compared) {
            for (at, one) in heads.iter().enumerate() {
                for other in heads.iter().take(at).filter(|other| other.kin.side != one.kin.side) {
                    each(one.rank.min(other.rank), one.rank.max(other.rank));
                }
            }
        }
    }

    /// The heads of a content with what those that they stand for have in common, which ascends.
    fn of_content<'a>(
        &'a self,
        content: u32,
        alone: &'a mut [Option<Head>; 1],
        documents: &Documents,
        order: &Order,
    ) -> impl Iterator<Item = (Kin, Rank)> + 'a {
        let start = self.starts.get(content as usize).copied().filter(|start| *start != ALONE);
        let own = start.and_then(|start| self.heads.get(start as usize..)).unwrap_or_default();
        if start.is_none() {
            let rank = order.rank(DocumentNumber(content.into()));
            *alone = [Some(Head { content, kin: Kin::of(documents, content), rank })];
        }
        let own = own.iter().take_while(move |head| head.content == content).copied();
        own.chain(alone.iter().copied().flatten()).map(|head| (head.kin, head.rank))
    }
}
