//! Precision and recall of pairs, step by step from the nearest pairs on.

use crate::found::closest::Nearest;
use crate::labels::gold::Gold;
use crate::measures::score::{Score, estimate, figures};
use crate::measures::tally::{Tally, distinct};
use crate::statistics::interval::Interval;
use crate::statistics::resampling::Resampling;
use foldhash::HashSet;
use serde::Serialize;

/// How well pairs were found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairScore {
    /// Pairs that were found and are the same.
    pub right: u64,
    /// Pairs that were found and are not the same.
    pub wrong: u64,
    /// Pairs that are the same and were not found.
    pub missed: u64,
    /// Precision, recall and F1.
    #[serde(flatten)]
    pub score: Score,
}

/// The score of all pairs up to each step.
pub(crate) fn by_step(nearest: &Nearest, gold: &Gold) -> Vec<PairScore> {
    let mut tallies = vec![Tally::default(); usize::from(nearest.end)];
    for pair in &nearest.pairs {
        if let Some(tally) = tallies.get_mut(usize::from(pair.level)) {
            tally.add(pair.a, pair.b, gold);
        }
    }
    let listed: Vec<_> = tallies.iter().map(Tally::listed).collect();
    let same = same(gold);
    let drawn = Resampling::new(gold.sizes().len()).intervals(|weights| {
        let same: f64 = same.iter().zip(weights).map(|(same, weight)| same * weight).sum();
        let (mut right, mut found) = (0.0, 0.0);
        let steps = listed.iter().flat_map(|step| {
            let (more, wrong) = step.weighed(weights);
            right += more;
            found += more + wrong;
            figures(right, found, same)
        });
        steps.collect()
    });
    let with_same = gold.same().iter().filter(|same| **same > 0).count() as u64;
    let (mut right, mut wrong, mut groups) = (0, 0, HashSet::default());
    let steps = tallies.iter().zip(drawn.chunks_exact(3)).map(|(tally, drawn)| {
        right += tally.right();
        wrong += tally.wrong();
        groups.extend(tally.groups());
        score([right, wrong], gold.same_pairs(), drawn, [groups.len() as u64, with_same])
    });
    steps.collect()
}

/// The score of one step alone.
pub(crate) fn of_tally(tally: &Tally, gold: &Gold) -> PairScore {
    let (listed, same) = (tally.listed(), same(gold));
    let drawn = Resampling::new(gold.sizes().len()).intervals(|weights| {
        let same: f64 = same.iter().zip(weights).map(|(same, weight)| same * weight).sum();
        let (right, wrong) = listed.weighed(weights);
        figures(right, right + wrong, same).to_vec()
    });
    let with_same = gold.same().iter().filter(|same| **same > 0).count() as u64;
    let groups = [distinct(tally.groups()), with_same];
    score([tally.right(), tally.wrong()], gold.same_pairs(), &drawn, groups)
}

#[expect(clippy::cast_precision_loss, reason = "far from 2^53 pairs")]
fn same(gold: &Gold) -> Vec<f64> {
    gold.same().iter().map(|same| *same as f64).collect()
}

/// The score of counts, with the intervals that were drawn, and how many groups have pairs that were found and
/// pairs that are the same.
#[expect(clippy::cast_precision_loss, reason = "far from 2^53 pairs")]
pub(crate) fn score(
    [right, wrong]: [u64; 2],
    same: u64,
    drawn: &[Interval],
    [found_in, same_in]: [u64; 2],
) -> PairScore {
    let values = figures(right as f64, (right + wrong) as f64, same as f64);
    let groups = [found_in, same_in, found_in.min(same_in)];
    let whole = Interval { low: 0.0, high: 1.0 };
    let mut drawn = drawn.iter().copied().chain(std::iter::repeat(whole));
    let mut one = |at: usize| {
        let value = values.get(at).copied().unwrap_or(f64::NAN);
        let groups = groups.get(at).copied().unwrap_or_default();
        estimate(value, drawn.next().unwrap_or(whole), groups)
    };
    let (precision, recall, f1) = (one(0), one(1), one(2));
    let missed = same.saturating_sub(right);
    PairScore { right, wrong, missed, score: Score { precision, recall, f1 } }
}
