//! How well near-duplicates are found: what labels say beside what a setting says.
//!
//! # Rooms
//!
//! | room | what it does | imports |
//! |---|---|---|
//! | `statistics` | shares and other figures with their 95 % intervals | - |
//! | `sampling` | documents drawn uniformly, each compared exactly with the whole corpus | - |
//! | `choosing` | what each setting would do, and the one to take | `sampling`, `statistics` |
//! | `page` | pairs for a person to decide about | `sampling`, `choosing` |
//! | `labels` | which documents people call the same: rows of a file, and what they say of a pair | - |

mod choosing;
mod error;
mod labels;
mod page;
mod sampling;
mod statistics;

pub use choosing::prediction::Prediction;
pub use choosing::setting::Setting;
pub use choosing::similarities::{Similarities, Valley};
pub use choosing::tuning::Tuning;
pub use error::Error;
pub use labels::label::{Label, PairLabel};
pub use labels::labels::{Labels, Unlisted, id_text};
pub use page::question::Question;
pub use sampling::pairs::SeenPair;
pub use sampling::survey::{Sampling, Survey};
pub use statistics::estimate::Estimate;
pub use statistics::interval::{Interval, wilson};
pub use statistics::resampling::Resampling;
