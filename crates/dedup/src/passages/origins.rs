//! Where documents come from, where passages are counted by that: a file, or what a field says.

use crate::memory::state::{StateReader, StateWriter};
use crate::numbers::{DocumentNumber, Rank};
use crate::search::order::Order;
use std::io;

/// The origin of each document, by its rank.
///
/// Memory: none where nobody counts them; 16 bytes a file, or 4 bytes a document where a field says it.
pub(crate) struct Origins {
    order: Order,
    each: Each,
}

enum Each {
    Uncounted,
    /// The first record of each source that has one, ascending.
    Files(Vec<u64>),
    /// The number of what the field says, for each record.
    Said(Vec<u32>),
}

impl Origins {
    /// Nobody counts them.
    pub(crate) fn uncounted(order: Order) -> Self {
        Self { order, each: Each::Uncounted }
    }

    /// Files, whose first records ascend.
    pub(crate) fn files(order: Order, starts: Vec<u64>) -> Self {
        Self { order, each: Each::Files(starts) }
    }

    /// What a field says, of each record.
    pub(crate) fn said(order: Order, each: Vec<u32>) -> Self {
        Self { order, each: Each::Said(each) }
    }

    /// Puts in all of it.
    pub(crate) fn save(&self, state: &mut StateWriter) -> io::Result<()> {
        let wide = |list: &[u32]| list.iter().map(|number| u64::from(*number)).collect::<Vec<_>>();
        let (kind, count, documents) = match &self.order {
            Order::Input => (0, 0, Vec::new()),
            Order::Reversed(count) => (1, *count, Vec::new()),
            Order::Listed { documents, .. } => (2, 0, wide(documents)),
        };
        state.value(&(kind, count))?;
        state.numbers(documents.into_iter())?;
        let (kind, each) = match &self.each {
            Each::Uncounted => (0, Vec::new()),
            Each::Files(starts) => (1, starts.clone()),
            Each::Said(each) => (2, wide(each)),
        };
        state.value(&kind)?;
        state.numbers(each.into_iter())
    }

    /// What [`Self::save`] put in.
    pub(crate) fn restore(state: &mut StateReader) -> io::Result<Self> {
        let narrow = |list: Vec<u64>| list.into_iter().map(crate::numbers::narrow).collect();
        let (kind, count): (u32, u32) = state.value()?;
        let documents: Vec<u32> = narrow(state.numbers()?);
        let order = match kind {
            0 => Order::Input,
            1 => Order::Reversed(count),
            _ => Order::listed(documents),
        };
        let (kind, each): (u32, Vec<u64>) = (state.value()?, state.numbers()?);
        let each = match kind {
            0 => Each::Uncounted,
            1 => Each::Files(each),
            _ => Each::Said(narrow(each)),
        };
        Ok(Self { order, each })
    }

    /// Bytes that stay in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        let order = match &self.order {
            Order::Listed { documents, ranks } => size_of_val(&**documents) + size_of_val(&**ranks),
            Order::Input | Order::Reversed(_) => 0,
        };
        order
            + match &self.each {
                Each::Uncounted => 0,
                Each::Files(starts) => size_of_val(&**starts),
                Each::Said(each) => size_of_val(&**each),
            }
    }

    pub(crate) fn are_counted(&self) -> bool {
        !matches!(self.each, Each::Uncounted)
    }

    /// The record of a rank.
    pub(crate) fn record(&self, rank: u32) -> u32 {
        crate::numbers::narrow(self.order.document(Rank(rank)).0)
    }

    /// The rank of a record.
    pub(crate) fn rank(&self, record: u64) -> u32 {
        self.order.rank(DocumentNumber(record)).0
    }

    /// Where the document of a rank comes from; `None` where nobody counts that.
    pub(crate) fn of(&self, rank: u32) -> Option<u32> {
        match &self.each {
            Each::Uncounted => None,
            Each::Files(starts) => {
                let record = u64::from(self.record(rank));
                Some(
                    crate::numbers::narrow(starts.partition_point(|start| *start <= record) as u64),
                )
            }
            Each::Said(each) => Some(crate::numbers::entry(each, self.record(rank) as usize)),
        }
    }
}
