//! Which tokens two texts share, in order. The work is bounded by numbers of tokens and of edits, never
//! by time, so that the same texts give the same answer on every machine.

use similar::DiffTag;
use similar::algorithms::{Capture, Compact, Replace, myers};
use std::collections::HashMap;
use std::ops::Range;

/// Tokens of each text, beside what both begin with, that are compared whatever differs in them.
const WINDOW: usize = 10_000;
/// Edits among more tokens than that, up to which all of them are compared.
const EDITS: usize = 2_000;
/// Tokens that are compared at most to find out whether there are so few edits.
const STEPS: usize = 50_000_000;

/// A run of tokens that both texts have, or that is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    /// Whether both have it.
    pub(crate) alike: bool,
    /// Where it is in the first text.
    pub(crate) old: Range<usize>,
    /// Where it is in the second.
    pub(crate) new: Range<usize>,
}

/// How `old` becomes `new`, from the first token to the last.
///
/// # Complexity
/// Linear in the tokens where they differ in few places. For long texts that differ in many places
/// only a window is compared, and what stands behind it is one change.
///
/// # References
/// Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1, 1986.
pub(crate) fn edits<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Edit> {
    let (old_end, new_end) = compared(old, new);
    let (Some(olds), Some(news)) = (old.get(..old_end), new.get(..new_end)) else {
        return Vec::new();
    };
    // Numbers in place of tokens: the search is compiled for them alone, and compares them faster.
    let mut numbers = HashMap::new();
    let mut numbered = |tokens: &[&'a str]| -> Vec<usize> {
        let number = |token| {
            let next = numbers.len();
            *numbers.entry(token).or_insert(next)
        };
        tokens.iter().copied().map(number).collect()
    };
    let (olds, news) = (numbered(olds), numbered(news));
    let mut found = Compact::new(Replace::new(Capture::new()), &olds, &news);
    let Ok(()) = myers::diff(&mut found, &olds, 0..olds.len(), &news, 0..news.len());
    let ops = found.into_inner().into_inner().into_ops();
    let edits = ops.iter().map(|op| {
        let (tag, old, new) = op.as_tag_tuple();
        Edit { alike: tag == DiffTag::Equal, old, new }
    });
    let mut edits: Vec<Edit> = edits.collect();
    if old_end < old.len() || new_end < new.len() {
        let (old_rest, new_rest) = (&old[old_end..], &new[new_end..]);
        let alike = common_end(old_rest, new_rest);
        let (old_alike, new_alike) = (old.len() - alike, new.len() - alike);
        edits.push(Edit { alike: false, old: old_end..old_alike, new: new_end..new_alike });
        if alike > 0 {
            let (old, new) = (old_alike..old.len(), new_alike..new.len());
            edits.push(Edit { alike: true, old, new });
        }
    }
    edits
}

/// Where the part that is compared ends in each text.
fn compared(old: &[&str], new: &[&str]) -> (usize, usize) {
    let start = common_start(old, new);
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = common_end(old_rest, new_rest);
    let (olds, news) = (old_rest.len() - end, new_rest.len() - end);
    let small = olds <= WINDOW && news <= WINDOW;
    if small || are_near(&old_rest[..olds], &new_rest[..news], EDITS, STEPS) {
        return (old.len(), new.len());
    }
    (start + olds.min(WINDOW), start + news.min(WINDOW))
}

fn common_start(old: &[&str], new: &[&str]) -> usize {
    old.iter().zip(new).take_while(|(old, new)| old == new).count()
}

fn common_end(old: &[&str], new: &[&str]) -> usize {
    old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count()
}

/// Whether inserting or leaving out at most `most` tokens makes `new` of `old`, as far as so many
/// `steps` tell.
fn are_near(old: &[&str], new: &[&str], most: usize, mut steps: usize) -> bool {
    if old.len().abs_diff(new.len()) > most {
        return false;
    }
    // How far each diagonal was followed in `old`. The diagonal in the middle is that of equal
    // positions; each place beyond it is one position further in `old`.
    let middle = most + 1;
    let mut reached = vec![0_usize; 2 * most + 3];
    for edits in 0..=most {
        for place in (middle - edits..=middle + edits).step_by(2) {
            let (below, above) = (reached[place - 1], reached[place + 1]);
            let inserts = place == middle - edits || place != middle + edits && below < above;
            let mut at = if inserts { above } else { below + 1 };
            let Some(mut other) = (at + middle).checked_sub(place) else { continue };
            while at < old.len() && other < new.len() && old[at] == new[other] {
                (at, other) = (at + 1, other + 1);
                steps = steps.saturating_sub(1);
            }
            steps = steps.saturating_sub(1);
            if at >= old.len() && other >= new.len() {
                return true;
            }
            if steps == 0 {
                return false;
            }
            reached[place] = at;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<&str> {
        text.split_inclusive(' ').collect()
    }

    /// What both sides of the edits come to must be the texts, and what is alike must be equal.
    fn hold_together(old: &[&str], new: &[&str], edits: &[Edit]) {
        let (mut old_end, mut new_end) = (0, 0);
        for edit in edits {
            assert_eq!((edit.old.start, edit.new.start), (old_end, new_end));
            (old_end, new_end) = (edit.old.end, edit.new.end);
            assert!(!edit.alike || old[edit.old.clone()] == new[edit.new.clone()]);
        }
        assert_eq!((old_end, new_end), (old.len(), new.len()));
    }

    #[test]
    fn long_texts_with_few_edits_are_compared_whole() {
        let words: Vec<String> = (0_u64..60_000).map(|i| format!("w{} ", i * i % 977)).collect();
        let old: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut new = old.clone();
        (0..500).for_each(|i| new[i * 119] = "other ");
        new.remove(30_001);
        assert_eq!(compared(&old, &new), (old.len(), new.len()));
        let found = edits(&old, &new);
        hold_together(&old, &new, &found);
        assert!(found.len() > 900, "{}", found.len());
    }

    /// Megabytes of the same few words in another order: the most that an attacker can ask for.
    #[test]
    fn hostile_texts_are_cut_to_a_window_and_give_the_same_answer_twice() {
        let mut seed = 1_u64;
        let mut text = || -> String {
            (0..1_000_000)
                .map(|_| {
                    seed = nearprint_bits::mix64(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
                    ["a ", "b ", "cc ", "d "][(seed % 4) as usize]
                })
                .collect()
        };
        let (old, new) = (format!("{}the end", text()), format!("{}the end", text()));
        let (old, new) = (tokens(&old), tokens(&new));
        let (old_end, new_end) = compared(&old, &new);
        let start = common_start(&old, &new);
        assert_eq!((old_end, new_end), (start + WINDOW, start + WINDOW));
        let found = edits(&old, &new);
        hold_together(&old, &new, &found);
        assert!(found.last().unwrap().alike);
        assert_eq!(edits(&old, &new), found);
    }

    /// Without a common word, and with a long text against a short one.
    #[test]
    fn what_shares_nothing_is_one_change() {
        let (old, new) = ("a ".repeat(300_000), "b ".repeat(300_000));
        let (old, new) = (tokens(&old), tokens(&new));
        hold_together(&old, &new, &edits(&old, &new));
        assert!(edits(&old, &new).iter().all(|edit| !edit.alike));
        hold_together(&old, &[], &edits(&old, &[]));
        assert_eq!(edits(&[], &[]), []);
    }

    proptest! {
        /// Against the definition: the edit distance by the table of all prefixes.
        #[test]
        fn texts_are_near_when_their_edit_distance_says_so(
            old in prop::collection::vec("[ab]", 0..30),
            new in prop::collection::vec("[ab]", 0..30),
        ) {
            let (old, new): (Vec<&str>, Vec<&str>) =
                (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
            let mut row: Vec<usize> = (0..=new.len()).collect();
            for (i, word) in old.iter().enumerate() {
                let mut above = std::mem::replace(&mut row[0], i + 1);
                for j in 0..new.len() {
                    let here = if *word == new[j] { above } else { 1 + row[j].min(row[j + 1]) };
                    above = std::mem::replace(&mut row[j + 1], here);
                }
            }
            let distance = row[new.len()];
            prop_assert!(are_near(&old, &new, distance, STEPS));
            prop_assert!(distance == 0 || !are_near(&old, &new, distance - 1, STEPS));
            prop_assert!(distance == 0 || !are_near(&old, &new, distance, distance / 2));
            hold_together(&old, &new, &edits(&old, &new));
            let diff = similar::TextDiff::configure().diff_slices(&old, &new);
            let ops = diff.ops().iter().map(|op| {
                let (tag, old, new) = op.as_tag_tuple();
                Edit { alike: tag == DiffTag::Equal, old, new }
            });
            prop_assert_eq!(ops.collect::<Vec<_>>(), edits(&old, &new));
        }
    }
}
