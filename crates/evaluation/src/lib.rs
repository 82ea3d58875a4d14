//! How well near-duplicates are found: what labels say beside what a setting says.
//!
//! # Rooms
//!
//! | room | what it does | imports |
//! |---|---|---|
//! | `statistics` | shares and other figures with their 95 % intervals | - |
//! | `labels` | which documents people call the same: rows of a file, and what they say of a pair | - |

mod error;
mod labels;
mod statistics;

pub use error::Error;
pub use labels::label::{Label, PairLabel};
pub use labels::labels::{Labels, Unlisted, id_text};
pub use statistics::estimate::Estimate;
pub use statistics::interval::{Interval, wilson};
pub use statistics::resampling::Resampling;
