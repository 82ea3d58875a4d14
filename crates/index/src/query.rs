//! Searching a segment: who is near one query, or each of many. How the tables are gone through is
//! `walk`'s affair.

use crate::error::Error;
use crate::kernel::Kernel;
use crate::segment::Segment;
use crate::walk::Walk;
use nearprint_fingerprint::fingerprint::Fingerprint;
use std::ops::ControlFlow;

/// Queries that are looked for together, in one table after the other.
const GROUP: usize = 256;

/// A fingerprint of a segment that is near a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match<const WORDS: usize> {
    /// The number of the query in its batch.
    pub query: usize,
    /// The fingerprint found.
    pub fingerprint: Fingerprint<WORDS>,
    /// Its distance from the query, in bits.
    pub distance: u32,
    /// Its position in the first table, where that is known.
    pub(crate) position: Option<u64>,
}

impl<D: AsRef<[u8]>, const WORDS: usize> Segment<D, WORDS> {
    /// Whether any fingerprint is within `k` bits of `query`: one that is, not always the nearest.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn any(&self, query: &Fingerprint<WORDS>, k: u32) -> Result<Option<Match<WORDS>>, Error> {
        let mut first = None;
        self.search(std::slice::from_ref(query), k, |found| {
            first = Some(found);
            ControlFlow::Break(())
        })?;
        Ok(first)
    }

    /// Hands every fingerprint within `k` bits of each of `queries` to `visit`, each once for each
    /// query, in no particular order, until `visit` breaks.
    ///
    /// Searching a batch on several threads is calling this with parts of it.
    ///
    /// # Errors
    /// [`Error::RadiusOverTables`] where `k` is more than the segment was built for;
    /// [`Error::Corrupt`] on damage.
    ///
    /// # Complexity
    /// One directory entry and one or two cache lines for each bucket that the radius meets: 2 x 14
    /// for `k = 3` of 64 bits in two parts at ten million fingerprints.
    pub fn search(
        &self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        mut visit: impl FnMut(Match<WORDS>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let built = self.layout().k();
        if k > built {
            return Err(Error::RadiusOverTables { k, built });
        }
        let mut walk = Walk::new(self, k)?;
        let kernel = Kernel::detect();
        for (number, group) in queries.chunks(GROUP).enumerate() {
            let step = kernel.run(
                #[inline(always)]
                || walk.group(group, number * GROUP, &mut visit),
            );
            if step?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
