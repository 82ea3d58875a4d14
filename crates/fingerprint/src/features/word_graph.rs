//! TextRank as jieba computes it: how central each word is among those that stand close to it. What words
//! take part, the recipe says; ranks of other tokens are in [`crate::features::text_rank`].

use crate::in_bounds::{entry_at, list_in};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Words within a window of this many are linked.
const SPAN: usize = 5;
/// How much of a rank comes from neighbours.
const DAMPING: f64 = 0.85;
/// Rounds of the iteration.
const ROUNDS: usize = 10;

/// The words of one document that take part, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordGraph {
    /// The distinct words, one behind the other, and where each ends.
    texts: String,
    ends: Vec<usize>,
    /// The number of each word by the hash of its text.
    numbers: HashMap<u64, u32, RandomState>,
    /// For each occurrence its place among all words of the text, and the number of the word.
    occurrences: Vec<(usize, u32)>,
}

impl WordGraph {
    /// Forgets the last document.
    pub(crate) fn clear(&mut self) {
        self.texts.clear();
        self.ends.clear();
        self.numbers.clear();
        self.occurrences.clear();
    }

    /// Adds a word of that hash at a place behind the last one. Words are numbered as they come first.
    pub(crate) fn add(&mut self, place: usize, hash: u64, word: &str) {
        let next = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(hash).or_insert(next);
        if number == next {
            self.texts.push_str(word);
            self.ends.push(self.texts.len());
        }
        self.occurrences.push((place, number));
    }

    fn word(&self, number: u32) -> &str {
        let at = number as usize;
        let start = if at == 0 { 0 } else { entry_at(&self.ends, at - 1) };
        self.texts.get(start..entry_at(&self.ends, at)).unwrap_or_default()
    }

    /// The numbers of the words that stand close to another, or to themselves, and their ranks.
    ///
    /// Words come, links are summed and ranks are updated in the order in which jieba 0.42.1 does it,
    /// by `+`, `*` and `/` of `f64` alone: the ranks are jieba's to the last bit, on every machine.
    ///
    /// # Complexity
    /// `O(n)` for `n` occurrences and `O(m log m)` for `m` distinct words; 100 bytes for each pair of words
    /// that are linked.
    ///
    /// # References
    /// Mihalcea, Tarau, "TextRank: Bringing Order into Texts", EMNLP 2004; `jieba/analyse/textrank.py`.
    pub(crate) fn ranks(&self) -> Vec<(u32, f64)> {
        let links = self.links();
        // Nodes are numbered in the order in which the links name them.
        let mut node_of = vec![u32::MAX; self.ends.len()];
        let mut words = Vec::new();
        let mut ends = Vec::with_capacity(links.len());
        for &(a, b, times) in &links {
            let mut node = |word: u32| {
                let Some(node) = node_of.get_mut(word as usize) else { return 0 };
                if *node == u32::MAX {
                    *node = u32::try_from(words.len()).unwrap_or(u32::MAX);
                    words.push(word);
                }
                *node as usize
            };
            ends.push((node(a), node(b), times));
        }
        let (starts, mut neighbours) = neighbours(words.len(), &ends);
        let of = |node: usize| entry_at(&starts, node)..entry_at(&starts, node + 1);
        let out: Vec<f64> = (0..words.len())
            .map(|node| {
                list_in(&neighbours, of(node)).iter().fold(0.0, |sum, &(_, times)| sum + times)
            })
            .collect();
        for (neighbour, share) in &mut neighbours {
            *share /= entry_at(&out, *neighbour);
        }
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_unstable_by_key(|&node| self.word(entry_at(&words, node)));
        #[expect(clippy::cast_precision_loss, reason = "counts of one document stay below 2^53")]
        let mut ranks = vec![1.0 / words.len().max(1) as f64; words.len()];
        for _ in 0..ROUNDS {
            for &node in &order {
                let near = list_in(&neighbours, of(node)).iter();
                let sum =
                    near.fold(0.0, |sum, &(near, share)| sum + share * entry_at(&ranks, near));
                if let Some(rank) = ranks.get_mut(node) {
                    *rank = (1.0 - DAMPING) + DAMPING * sum;
                }
            }
        }
        let least = ranks.iter().fold(f64::MAX, |least, &rank| least.min(rank)) / 10.0;
        let most = ranks.iter().fold(f64::MIN_POSITIVE, |most, &rank| most.max(rank));
        words.into_iter().zip(ranks.iter().map(|rank| (rank - least) / (most - least))).collect()
    }

    /// The pairs of words within the window, the one that stands before the other first, with how often
    /// that is; in the order in which they come first.
    fn links(&self) -> Vec<(u32, u32, f64)> {
        let mut links: Vec<(u32, u32, f64)> = Vec::new();
        let mut places: HashMap<(u32, u32), usize, RandomState> = HashMap::default();
        for (at, &(place, a)) in self.occurrences.iter().enumerate() {
            let behind = list_in(&self.occurrences, at + 1..).iter();
            for &(_, b) in behind.take_while(|(other, _)| *other < place + SPAN) {
                let link = *places.entry((a, b)).or_insert(links.len());
                match links.get_mut(link) {
                    Some((_, _, times)) => *times += 1.0,
                    None => links.push((a, b, 1.0)),
                }
            }
        }
        links
    }
}

/// For each of `count` nodes where its neighbours start in a list, and that list: each link is in those of
/// both ends, in the order of the links.
fn neighbours(count: usize, links: &[(usize, usize, f64)]) -> (Vec<usize>, Vec<(usize, f64)>) {
    let mut starts = vec![0; count + 1];
    for node in links.iter().flat_map(|&(a, b, _)| [a, b]) {
        if let Some(start) = starts.get_mut(node + 1) {
            *start += 1;
        }
    }
    for node in 1..=count {
        let before = entry_at(&starts, node - 1);
        if let Some(start) = starts.get_mut(node) {
            *start += before;
        }
    }
    let mut next = starts.clone();
    let mut list = vec![(0, 0.0); 2 * links.len()];
    for &(a, b, times) in links {
        for (from, to) in [(a, b), (b, a)] {
            let Some(next) = next.get_mut(from) else { continue };
            if let Some(slot) = list.get_mut(*next) {
                *slot = (to, times);
            }
            *next += 1;
        }
    }
    (starts, list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(words: &[(usize, &str)]) -> Vec<(String, f64)> {
        let mut graph = WordGraph::default();
        words
            .iter()
            .for_each(|&(place, word)| graph.add(place, u64::from(word.as_bytes()[0]), word));
        graph.ranks().into_iter().map(|(n, rank)| (graph.word(n).to_owned(), rank)).collect()
    }

    /// Of the class `UndirectWeightedGraph` of jieba 0.42.1, with `"c"` at places 0, 1 and 6, and so on.
    #[test]
    fn ranks_are_those_of_the_class_of_jieba() {
        let found = ranks(&[(0, "c"), (1, "a"), (3, "b"), (6, "c"), (7, "a"), (9, "d"), (20, "e")]);
        let expected = [
            ("c", 1.0),
            ("a", 0.993_470_473_384_112),
            ("b", 0.790_378_663_555_988_2),
            ("d", 0.439_075_931_858_510_35),
        ];
        assert_eq!(found, expected.map(|(word, rank)| (word.to_owned(), rank)));
        // A word that repeats itself is its own neighbour; one that stands alone has no rank.
        assert_eq!(ranks(&[(0, "a"), (1, "a")]), [("a".to_owned(), 1.0)]);
        assert!(ranks(&[(0, "a"), (5, "b")]).is_empty());
    }
}
