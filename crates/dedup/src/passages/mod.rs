//! What repeats inside documents, and the corpus without it.
//!
//! A window is some units one after the other. Equal windows have equal anchors, so each reading looks at less:
//!
//! | stage | what happens | memory |
//! |---|---|---|
//! | `census` | The first reading takes stretches: windows one after the other that have one anchor. Sorted by anchors, those are known that repeat (`stretches`). | a sort |
//! | `searching` | Where all stretches of an anchor have the same windows, these are copies with the first of each (`groups`). Where not, the second reading hashes the windows, and equal hashes make the groups. Sorted by their places, copies are runs (`runs`). | sorts |
//! | `lending` | Documents with first occurrences lend their text (`lent`). | a sort |
//! | `cutting` | Each run is compared with its firsts, unit by unit, and what is equal becomes cuts (`cut`). Where different windows share a hash (`hashing`), the search is made again for these. | |
//! | `writing` | Documents are written without their cuts. | |
//!
//! Units that are near-duplicates are found by the search for documents (`near`) in place of `searching` and `lending`.
//!
//! Every stage takes columns of entries and gives such (`column`): what there is no memory for is on disk. A million
//! equal windows are a million entries, and nothing is compared pair by pair.
//!
//! Documents go by their rank in the order of preference until runs are known, and by their record behind that.

pub(crate) mod batched;
pub(crate) mod census;
pub(crate) mod column;
pub(crate) mod corpus;
pub(crate) mod counting;
pub(crate) mod cut;
pub(crate) mod cutting;
pub(crate) mod figures;
pub(crate) mod forecast;
pub(crate) mod groups;
pub(crate) mod hashing;
pub(crate) mod job;
pub(crate) mod kept;
pub(crate) mod lending;
pub(crate) mod lent;
pub(crate) mod line_breaks;
pub(crate) mod near;
pub(crate) mod note;
pub(crate) mod offsets;
pub(crate) mod origins;
pub(crate) mod overview;
pub(crate) mod place;
pub(crate) mod rolling;
pub(crate) mod rows;
pub(crate) mod rule;
pub(crate) mod runs;
pub(crate) mod searching;
pub(crate) mod spec;
pub(crate) mod stretches;
pub(crate) mod summary;
pub(crate) mod tally;
pub(crate) mod unit;
pub(crate) mod units;
pub(crate) mod writing;
