//! TextRank: how central each token is among those that stand close to each other.

use crate::in_bounds::entry_at;

/// Tokens that stand within a window of this many are linked.
const SPAN: usize = 5;
/// How much of a rank comes from neighbours.
const DAMPING: f64 = 0.85;
/// Rounds of the iteration.
const ROUNDS: usize = 10;

/// The rank of each of `distinct` tokens, numbered from 0; `tokens` are their numbers in the order
/// of the text.
///
/// Only `+`, `*` and `/` of `f64` in one fixed order: the result is the same on every machine.
///
/// # Complexity
/// `O(n log n)` for `n` tokens; 24 bytes for each pair of tokens that are linked.
///
/// # References
/// Mihalcea, Tarau, "TextRank: Bringing Order into Texts", EMNLP 2004; span, damping and number of
/// rounds are jieba's. Unlike jieba, every token takes part, whatever its part of speech: stop words
/// are left out by the recipe.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of one document stay below 2^53")]
pub(crate) fn text_rank(tokens: &[u32], distinct: usize) -> Vec<f64> {
    let mut links = Vec::new();
    for (at, &a) in tokens.iter().enumerate() {
        for &b in tokens.iter().skip(at + 1).take(SPAN - 1) {
            links.extend([(a, b), (b, a)]);
        }
    }
    links.sort_unstable();
    // (from, to, times), by from, then to.
    let links: Vec<(u32, u32, f64)> = links
        .chunk_by(|a, b| a == b)
        .filter_map(|run| run.first().map(|&(from, to)| (from, to, run.len() as f64)))
        .collect();
    let mut out_sums = vec![0.0; distinct];
    for &(from, _, times) in &links {
        if let Some(sum) = out_sums.get_mut(from as usize) {
            *sum += times;
        }
    }
    let mut ranks = vec![1.0 / distinct.max(1) as f64; distinct];
    for _ in 0..ROUNDS {
        for node in links.chunk_by(|a, b| a.0 == b.0) {
            let share = |&(_, to, times): &(u32, u32, f64)| {
                let at = to as usize;
                times / entry_at(&out_sums, at) * entry_at(&ranks, at)
            };
            let sum: f64 = node.iter().map(share).fold(0.0, |sum, share| sum + share);
            let rank = node.first().and_then(|&(from, ..)| ranks.get_mut(from as usize));
            if let Some(rank) = rank {
                *rank = (1.0 - DAMPING) + DAMPING * sum;
            }
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_among_many_others_ranks_highest() {
        let tokens = [0, 1, 2, 0, 3, 4, 0, 5, 6];
        let ranks = text_rank(&tokens, 7);
        assert!(ranks.iter().skip(1).all(|&rank| rank < ranks[0]), "{ranks:?}");
    }

    #[test]
    fn tokens_alike_in_their_links_rank_alike_and_few_tokens_rank() {
        let ranks = text_rank(&[0, 1], 2);
        assert!((ranks[0] - ranks[1]).abs() < 0.2 && ranks[0] > 0.0);
        assert_eq!(text_rank(&[0], 1), [1.0]);
        assert!(text_rank(&[], 0).is_empty());
    }
}
