//! Which pairs of documents are compared, and whether they are near-duplicates.
//!
//! | file | what it is |
//! |---|---|
//! | `candidate_search` | the trait of a way to find candidates, and what can be divided |
//! | `radius_search`, `band_search`, `prefix_search` | the ways: all within a radius, a shared band, a shared rare feature |
//! | `bucket`, `spilled_join`, `cross_join`, `prefix_join`, `band_join`, `block` | their loops |
//! | `candidate_pair`, `candidates`, `crowds` | what they find |
//! | `order`, `exact`, `equal_documents`, `ranking`, `places` | documents in the order of preference, equal ones folded |
//! | `features`, `outlines`, `lengths`, `reread` | the features that candidates are compared by, and where they come from |
//! | `verification` | the comparison |
//! | `folded_pairs` | pairs that are listed, equal documents folded |
//! | `kept_pairs` | pairs with their similarities in a file that an earlier run wrote |

pub(crate) mod band_join;
pub(crate) mod band_search;
pub(crate) mod block;
pub(crate) mod bucket;
pub(crate) mod bytes_search;
pub(crate) mod candidate_pair;
pub(crate) mod candidate_search;
pub(crate) mod candidates;
pub(crate) mod cross_join;
pub(crate) mod crowds;
pub(crate) mod equal_documents;
pub(crate) mod exact;
pub(crate) mod features;
pub(crate) mod folded_pairs;
pub(crate) mod kept_pairs;
pub(crate) mod lengths;
pub(crate) mod order;
pub(crate) mod outlines;
pub(crate) mod places;
pub(crate) mod prefix_join;
pub(crate) mod prefix_search;
pub(crate) mod radius_search;
pub(crate) mod ranking;
pub(crate) mod reread;
pub(crate) mod sample_join;
pub(crate) mod spilled_join;
pub(crate) mod verification;
