//! A job over passages in shards: the stages of `passages` apart, as units over files of a work folder.
//!
//! | stage | a unit is | what it does |
//! |---|---|---|
//! | anchors | a file | reads it for the first time: stretches by ranges of anchors |
//! | repeats | a range | stretches that repeat: copies where all have the same windows, else what is asked of files |
//! | windows | a file | reads it again: the windows that are asked for, by ranges of hashes |
//! | firsts | a range | equal windows: copies, with the first of each |
//! | runs | a file | copies in it to runs, for the files of their firsts |
//! | lend | a file | reads it again: the text of firsts, for the files of the runs; passages |
//! | cut | a file | reads it again: compares its runs with what they were lent |
//! | write | a file | reads it for the last time, and writes it |
//!
//! A unit depends on nothing but the input and the files of units before it, so that it may run anywhere and again. Ranges
//! and files sort what they take from others, so that the order in which these ran decides nothing. Each stage calls the
//! functions of the job on one machine: `Census`, `Search`, `lending`, `Cutting`, `Writing`.
//!
//! Where windows share a hash that are not equal, `cut` says so, and the stages from `repeats` on have as many units more:
//! another round, which tells these windows apart. No hash decides.
//!
//! The files of `distributed`'s own stages have a schema of columns for each stage. Here every stage hands lists on, each for
//! one unit of another stage, so all have one schema (`lists`). A job over near-duplicate units is one over documents: it is
//! not divided.

pub(crate) mod cutting;
pub(crate) mod finding;
pub(crate) mod job;
pub(crate) mod shards;
pub(crate) mod summary;
