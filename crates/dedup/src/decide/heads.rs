//! From documents that stand for a content in the file of an earlier run to those that stand for it now: by another order,
//! and within other groups.

use crate::numbers::{DocumentNumber, Rank, entry, narrow, set};
use crate::read::documents::Documents;
use crate::search::exact::Exact;
use crate::search::order::Order;

/// A document that shares its content with none.
const ALONE: u32 = u32::MAX;

/// The document that stands for each content in each group.
///
/// Memory: 4 bytes a document where contents are shared, and 12 for each content and group of those.
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
    group: u32,
    /// The first document of the content in the group.
    rank: Rank,
}

impl Heads {
    /// Those of documents of which equal ones are in `exact`, by their numbers: in the groups that documents are
    /// compared within, by `order`.
    pub(crate) fn of(exact: &Exact, documents: &Documents, order: &Order) -> Self {
        let (mut heads, groups) = (Vec::new(), documents.groups());
        for (first, others) in exact.copies().groups() {
            let members = std::iter::once(first).chain(others);
            heads.extend(members.map(|member| Head {
                content: first.0,
                group: group_of(groups, member.0),
                rank: order.rank(DocumentNumber(member.0.into())),
            }));
        }
        heads.sort_unstable();
        heads.dedup_by_key(|head| (head.content, head.group));
        let mut starts = if heads.is_empty() { Vec::new() } else { vec![ALONE; documents.len()] };
        let mut at = 0;
        for own in heads.chunk_by(|a, b| a.content == b.content) {
            own.first().into_iter().for_each(|head| set(&mut starts, head.content as usize, at));
            at += narrow(own.len() as u64);
        }
        Self { starts, heads }
    }

    /// Bytes in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.heads)
    }

    /// Hands each pair of documents that stand for two contents in one group to `each`, the first one first.
    pub(crate) fn pairs(
        &self,
        [a, b]: [u32; 2],
        documents: &Documents,
        order: &Order,
        each: &mut dyn FnMut(Rank, Rank),
    ) {
        let groups = documents.groups();
        let (mut of_a, mut of_b) = ([None], [None]);
        let (of_a, of_b) = (
            self.of_content(a, &mut of_a, groups, order),
            self.of_content(b, &mut of_b, groups, order),
        );
        let (mut left, mut right) = (of_a.peekable(), of_b.peekable());
        while let (Some((group, x)), Some((other, y))) = (left.peek(), right.peek()) {
            if group == other {
                each(*x.min(y), *x.max(y));
            }
            let (group, other) = (*group, *other);
            left.next_if(|_| group <= other);
            right.next_if(|_| other <= group);
        }
    }

    /// The heads of a content with their groups, which ascend.
    fn of_content<'a>(
        &'a self,
        content: u32,
        alone: &'a mut [Option<Head>; 1],
        groups: &[u32],
        order: &Order,
    ) -> impl Iterator<Item = (u32, Rank)> + 'a {
        let start = self.starts.get(content as usize).copied().filter(|start| *start != ALONE);
        let own = start.and_then(|start| self.heads.get(start as usize..)).unwrap_or_default();
        if start.is_none() {
            let rank = order.rank(DocumentNumber(content.into()));
            *alone = [Some(Head { content, group: group_of(groups, content), rank })];
        }
        let own = own.iter().take_while(move |head| head.content == content).copied();
        own.chain(alone.iter().copied().flatten()).map(|head| (head.group, head.rank))
    }
}

/// The group of a document; one for all where there are none.
fn group_of(groups: &[u32], document: u32) -> u32 {
    if groups.is_empty() { 0 } else { entry(groups, document as usize) }
}
