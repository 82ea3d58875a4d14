//! Near-duplicates across labels: decided from all pairs, of which those of two documents with one label are none.

use crate::decide::again::{Again, Decided};
use crate::decide::heads::Heads;
use crate::decide::matches::Matches;
use crate::decide::pair_histograms::PairHistograms;
use crate::decide::search::Search;
use crate::error::Error;
use crate::numbers::{Rank, narrow};
use crate::read::documents::Documents;
use crate::search::exact::Exact;
use crate::search::folded_pairs::FoldedPairs;
use crate::search::order::Order;
use crate::search::ranking::Ranking;

impl Search<'_> {
    /// Decides anew about what was found, by all `pairs` of different labels.
    ///
    /// # Errors
    /// Memory that is too small; those of temporary files.
    pub(super) fn decide_across(
        &self,
        documents: &Documents,
        matches: &mut Matches,
        pairs: &FoldedPairs,
    ) -> Result<(), Error> {
        let mut equal = Vec::new();
        pairs.equal(&mut |[first, other]| equal.push((Rank::of(other.0), Rank::of(first.0))))?;
        equal.sort_unstable();
        let by_number = Exact::of(equal);
        let order = std::mem::replace(&mut matches.order, Order::Input);
        let heads = Heads::of(&by_number, documents, &order);
        let ranking = Ranking {
            exact: Heads::twins(&by_number, documents, &order),
            order,
            count: narrow(documents.len() as u64),
            reference: Rank::of(documents.reference.documents),
        };
        drop(by_number);
        let again = Again {
            criteria: self.criteria,
            documents,
            ranking: &ranking,
            heads: &heads,
            pairs,
            least: None,
            memory: self.memory,
            work_dir: self.work_dir,
            progress: self.progress,
        };
        let Decided { roots, .. } = again.decide()?;
        let verified = self.check.is_checked();
        let mut accepted = PairHistograms::default();
        // A page asks for fingerprints, and nothing else for these.
        if documents.are_signed() {
            again.each(None, &mut |a, b, similarity| {
                let [a, b] = [a, b].map(|rank| ranking.order.document(rank));
                accepted.add(documents.distance(a, b), verified.then_some(similarity));
                Ok(())
            })?;
        }
        (matches.roots, matches.accepted, matches.order) = (roots, accepted, ranking.order);
        // Pairs are all there, of crowded documents too.
        matches.cut_short = 0;
        Ok(())
    }
}
