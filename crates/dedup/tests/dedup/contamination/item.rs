//! Items of the plain twin, and which of them have one owner.

use std::collections::BTreeSet;

/// An item: its set, its question, its choices, its context.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) set: usize,
    pub(super) question: Vec<String>,
    pub(super) answers: Vec<Vec<String>>,
    pub(super) context: Vec<String>,
}

/// What tells the owner of an item: its question, and which of those of a set it is.
pub(super) type Owner = (Vec<String>, usize);

/// The owners of items: rows of one question are one, unless their contexts or their choices are others.
pub(super) fn owners(items: &[Item]) -> Vec<Owner> {
    let mut owners: Vec<Owner> = vec![(Vec::new(), 0); items.len()];
    let questions: BTreeSet<&Vec<String>> = items.iter().map(|item| &item.question).collect();
    for question in questions {
        for set in 0..2 {
            let rows: Vec<usize> = (0..items.len())
                .filter(|at| items[*at].question == *question && items[*at].set == set)
                .collect();
            let mut contexts: Vec<&Vec<String>> = Vec::new();
            for row in &rows {
                let context = &items[*row].context;
                if !context.is_empty() && !contexts.contains(&context) {
                    contexts.push(context);
                }
            }
            let mut next = 0;
            for context in contexts.into_iter().chain([&Vec::new()]) {
                let first = if context.is_empty() { 0 } else { next };
                let mut known: Vec<Vec<&Vec<String>>> = Vec::new();
                for row in rows.iter().filter(|row| items[**row].context == *context) {
                    let answers = &items[*row].answers;
                    let mut owner = 0;
                    if answers.len() >= 2 {
                        let half = |has: &Vec<&Vec<String>>| {
                            let shared = answers.iter().filter(|it| has.contains(it)).count();
                            shared * 2 >= answers.len()
                        };
                        owner = known.iter().position(half).unwrap_or(known.len());
                        if owner == known.len() {
                            known.push(Vec::new());
                        }
                        known[owner].extend(answers);
                    }
                    next = next.max(first + owner + 1);
                    owners[*row] = match question.is_empty() {
                        true => (vec!["none".to_owned()], *row),
                        false => (question.clone(), first + owner),
                    };
                }
            }
        }
    }
    owners
}
