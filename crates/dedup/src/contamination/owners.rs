//! Whose the runs of a question are: what many different items say is a template and weighs little, what several rows
//! of one item say does not.
//!
//! Rows of one set with an equal question are of one owner, however many they are: copies, permuted choices, a row for
//! each choice, another answer. They are of several owners, as an instruction is that is all of the question, where
//! they ask about different contexts, or where each has choices of its own. Equal questions of different sets are the
//! same items once more: they have the owners of the set with most of them.

use crate::contamination::items::NONE;
use foldhash::{HashMap, HashMapExt};

/// Owners with an answer that are looked at: an answer of more of them, such as "none of these", joins nothing.
const LOOKED_AT: usize = 32;

/// A row by what tells it from others of the same question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asked {
    /// Its question and its context among the texts, [`NONE`] where it has none.
    pub(crate) question: u32,
    pub(crate) set: u32,
    pub(crate) context: u32,
    /// Its number among the items.
    pub(crate) item: u32,
}

/// The owner of each item, numbered from 0; `answers` are those of an item.
///
/// # Complexity
/// `O(n log n)` for `n` items, and a step for each answer and each owner that has it, of which few are looked at.
pub(crate) fn owners<'a>(mut asked: Vec<Asked>, answers: impl Fn(u32) -> &'a [u32]) -> Vec<u32> {
    let mut owners = vec![0; asked.len()];
    asked.sort_unstable();
    let mut next = 0;
    for of_question in asked.chunk_by(|a, b| a.question == b.question) {
        if of_question[0].question == NONE {
            for of in of_question {
                owners[of.item as usize] = next;
                next += 1;
            }
            continue;
        }
        let mut most = 1;
        for of_set in of_question.chunk_by(|a, b| a.set == b.set) {
            let mut of_contexts = 0;
            for of_context in of_set.chunk_by(|a, b| a.context == b.context) {
                // A row without a context may be that of any.
                let first = if of_context[0].context == NONE { 0 } else { of_contexts };
                let several = by_choices(of_context, &answers, |item, ordinal| {
                    owners[item as usize] = next + first + ordinal;
                });
                of_contexts = of_contexts.max(first + several);
            }
            most = most.max(of_contexts);
        }
        next += most;
    }
    owners
}

/// Tells the owners of rows of one question and one context, and how many there are: a row of several choices is of the
/// first that has half of them, one of fewer is of any.
fn by_choices<'a>(
    rows: &[Asked],
    answers: &impl Fn(u32) -> &'a [u32],
    mut tell: impl FnMut(u32, u32),
) -> u32 {
    let (mut known, mut next): (HashMap<u32, Vec<u32>>, _) = (HashMap::new(), 0);
    let mut shared: Vec<u32> = Vec::new();
    for row in rows {
        let answers = answers(row.item);
        if answers.len() < 2 || rows.len() == 1 {
            tell(row.item, 0);
            continue;
        }
        shared.clear();
        shared.extend(answers.iter().filter_map(|answer| known.get(answer)).flatten());
        shared.sort_unstable();
        let half = shared.chunk_by(|a, b| a == b).find(|same| same.len() * 2 >= answers.len());
        let owner = half.map_or(next, |same| same[0]);
        next = next.max(owner + 1);
        for answer in answers {
            let of = known.entry(*answer).or_default();
            if of.len() < LOOKED_AT && !of.contains(&owner) {
                of.push(owner);
            }
        }
        tell(row.item, owner);
    }
    next.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The owners of rows of question, set, context and answers, as far as they are the same.
    fn owned(rows: &[(u32, u32, u32, &[u32])]) -> Vec<usize> {
        let asked = (0..).zip(rows).map(|(item, (question, set, context, _))| Asked {
            question: *question,
            set: *set,
            context: *context,
            item,
        });
        let owners = owners(asked.collect(), |item| rows[item as usize].3);
        owners.iter().map(|owner| owners.iter().position(|other| other == owner).unwrap()).collect()
    }

    #[test]
    fn rows_of_one_question_are_one_owner() {
        let permuted = [(1, 0, NONE, &[1, 2, 3, 4][..]), (1, 0, NONE, &[4, 3, 2, 1])];
        assert_eq!(owned(&permuted), [0, 0]);
        let each_choice =
            [(1, 0, NONE, &[1][..]), (1, 0, NONE, &[2]), (1, 0, NONE, &[]), (2, 0, NONE, &[1])];
        assert_eq!(owned(&each_choice), [0, 0, 0, 3]);
        let other_answer = [(1, 0, 9, &[1, 2, 3][..]), (1, 0, 9, &[1, 2, 4]), (1, 0, 9, &[5])];
        assert_eq!(owned(&other_answer), [0, 0, 0]);
    }

    #[test]
    fn an_instruction_has_many_owners() {
        let own_choices =
            [(1, 0, NONE, &[1, 2, 9][..]), (1, 0, NONE, &[3, 4, 9]), (1, 0, NONE, &[2, 1, 9])];
        assert_eq!(owned(&own_choices), [0, 1, 0]);
        let contexts = [(1, 0, 5, &[1, 2][..]), (1, 0, 6, &[1, 2]), (1, 0, NONE, &[1, 2])];
        assert_eq!(owned(&contexts), [0, 1, 0]);
        let nothing = [(NONE, 0, 5, &[][..]), (NONE, 0, 6, &[])];
        assert_eq!(owned(&nothing), [0, 1]);
    }

    #[test]
    fn what_other_sets_have_too_adds_no_owner() {
        let sets = [
            (1, 0, NONE, &[1, 2][..]),
            (1, 0, NONE, &[3, 4]),
            (1, 1, NONE, &[5, 6]),
            (1, 2, NONE, &[]),
        ];
        assert_eq!(owned(&sets), [0, 1, 0, 0]);
    }
}
