//! What near-duplicates are, how they are found, and which of them stays. The batch job and the store decide by the
//! same rules. Nothing here reads, writes or runs on threads.
//!
//! | type | what it says |
//! |---|---|
//! | [`Threshold`] | what is asked for: a radius, a Jaccard similarity or a cosine |
//! | [`Likeness`], [`Finding`] | the measure that decides, and how its candidates are found with which recall |
//! | [`Verify`], [`Check`] | the exact comparison that a candidate has to pass |
//! | [`Match`], [`Evidence`], [`Alike`] | two documents that were found, how far apart and how alike, by which measure |
//! | [`Criteria`] | all that decides which documents of a corpus stay |

mod alike;
mod check;
mod cluster_rule;
mod criteria;
mod error;
mod featureless;
mod finding;
mod keep;
mod likeness;
mod matched;
mod recall;
mod threshold;
mod verify;

pub use alike::Alike;
pub use check::Check;
pub use cluster_rule::ClusterRule;
pub use criteria::Criteria;
pub use error::Error;
pub use featureless::Featureless;
pub use finding::Finding;
pub use keep::KeepRule;
pub use likeness::Likeness;
pub use matched::{Evidence, Match};
pub use recall::Recall;
pub use threshold::Threshold;
pub use verify::Verify;
