//! How well near-duplicates are found: what labels say beside what a setting says.
//!
//! # Rooms
//!
//! | room | what it does | imports |
//! |---|---|---|
//! | `statistics` | shares and other figures with their 95 % intervals | - |
//! | `labels` | which documents people call the same: rows of a file, and what they say of documents | - |
//! | `found` | pairs that a recipe finds, by how near they are | `labels` |
//! | `measures` | precision and recall of pairs, the adjusted Rand index and B-cubed of clusters | `found` |
//! | `judge` | a setting beside labels: curves, a `dedup`, the pairs in which the two differ | all of these |
//! | `sampling` | documents drawn uniformly, each compared exactly with the whole corpus | - |
//! | `choosing` | what each setting would do, and the one to take | `sampling`, `statistics` |
//! | `page` | pairs for a person to decide about | `sampling`, `choosing` |
//!
//! # Memory
//! The texts that are judged, and 12 bytes a pair of a curve, of at most [`Evaluation::PAIRS`].
//!
//! # Examples
//! ```
//! use nearprint_evaluation::{Evaluation, Gold, Label, Labels, PairLabel, Texts};
//! use nearprint_fingerprint::{Recipe, Width};
//!
//! let texts = Texts::new([
//!     ("a", "The city council approved the new budget on Monday after a long debate about schools."),
//!     ("b", "A storm is expected to reach the northern coast by the end of the week."),
//!     ("c", "the city council approved the new budget on Monday, after a long debate about schools"),
//! ].map(|(id, text)| (id.to_owned(), text.to_owned())));
//! let labels = Labels::of_pairs([PairLabel::new("a", "c", Label::Same)])?;
//! let gold = Gold::of(&labels, texts.ids(), labels.unlisted())?;
//! let recipe = Recipe::default().with_width(Width::W128);
//! let judged = Evaluation::new(recipe).run(&texts, &gold)?;
//! let by_similarity = judged.by_similarity.unwrap();
//! assert_eq!(by_similarity.points[0].pairs.score.f1.value, 1.0);
//! # Ok::<(), nearprint_evaluation::Error>(())
//! ```

mod choosing;
mod error;
mod found;
mod judge;
mod labels;
mod measures;
mod page;
mod sampling;
mod statistics;

pub use choosing::prediction::Prediction;
pub use choosing::setting::Setting;
pub use choosing::similarities::{Similarities, Valley};
pub use choosing::tuning::Tuning;
pub use error::Error;
pub use found::by_radius::Codes;
pub use judge::case::{Case, Differing, Features};
pub use judge::curve::{Curve, Limit, Point};
pub use judge::evaluation::{DedupScore, Evaluation, Judged};
pub use judge::texts::{Asked, Texts};
pub use labels::gold::Gold;
pub use labels::label::{Label, PairLabel};
pub use labels::labels::{Labels, Unlisted, id_text};
pub use measures::cluster_score::ClusterScore;
pub use measures::pair_score::PairScore;
pub use measures::score::Score;
pub use page::question::Question;
pub use sampling::pairs::SeenPair;
pub use sampling::survey::{Sampling, Survey};
pub use statistics::estimate::{Estimate, three_digits};
pub use statistics::interval::{Interval, wilson};
pub use statistics::resampling::Resampling;
