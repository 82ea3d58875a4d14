//! How equal documents are listed in pairs.

use crate::flags::heading::OUTPUT;
use crate::show::figures::{count, count_of};
use clap::Args;

/// Whether equal documents are folded.
#[derive(Args, Clone, Copy)]
pub(crate) struct FoldingFlags {
    /// List equal documents once: a shorter list of pairs
    ///
    /// The first document of each group of equal ones is paired with each of the others. Only it is paired with
    /// documents outside the group. Documents are equal if their normalised content is; with only -k, if their
    /// fingerprints are. The last line says how many pairs the list represents.
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) fold_equal: bool,
}

/// So many pairs, `done` with them: what the rows of a list stand for where these are fewer.
pub(crate) fn pairs_said(rows: u64, pairs: u64, done: &str) -> String {
    let done = if done.is_empty() { String::new() } else { format!(" {done}") };
    if rows == pairs {
        format!("{}{done}", count_of(pairs, "pair"))
    } else {
        let listed = if done.is_empty() { " listed" } else { &done };
        format!("{}{listed}, which represent {}", count_of(rows, "pair"), count(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_list_says_what_it_stands_for() {
        assert_eq!(pairs_said(22, 22, ""), "22 pairs");
        assert_eq!(pairs_said(1, 1, "written"), "1 pair written");
        assert_eq!(pairs_said(19, 22, ""), "19 pairs listed, which represent 22");
        assert_eq!(pairs_said(19, 2200, "written"), "19 pairs written, which represent 2,200");
    }
}
