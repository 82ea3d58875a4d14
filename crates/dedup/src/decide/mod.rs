//! From pairs to what becomes of each document.
//!
//! | file | what it is |
//! |---|---|
//! | `search` | candidates, verification and clusters in a row: what every scheduler calls |
//! | `clustering`, `leaders`, `following`, `representative_order`, `degrees` | stars and connected clusters, crowded documents included |
//! | `again`, `heads` | the same from pairs that an earlier search kept, without a text |
//! | `across` | the same across labels, from all pairs of a search |
//! | `matches`, `clusters`, `fates`, `removals` | what was found, the clusters, who goes because of whom |
//! | `groups`, `neighborhood`, `packing`, `spilled_pairs` | clusters of given fingerprints, components put into shards |
//! | `audit`, `draw`, `pair_histograms` | what was looked at to say how much is missed |

mod across;
pub(crate) mod again;
pub(crate) mod audit;
pub(crate) mod clustering;
pub(crate) mod clusters;
mod degrees;
pub(crate) mod draw;
pub(crate) mod fates;
pub(crate) mod following;
pub(crate) mod groups;
pub(crate) mod heads;
pub(crate) mod leaders;
pub(crate) mod matches;
pub(crate) mod neighborhood;
pub(crate) mod packing;
pub(crate) mod pair_histograms;
pub(crate) mod removals;
pub(crate) mod representative_order;
pub(crate) mod search;
pub(crate) mod spilled_pairs;
