//! Which documents are near-duplicates: candidates, verification, clustering.

pub(crate) mod alike;
pub(crate) mod audit;
pub(crate) mod band_join;
pub(crate) mod block;
pub(crate) mod bucket;
pub(crate) mod candidates;
pub(crate) mod clustering;
pub(crate) mod crowds;
pub(crate) mod draw;
pub(crate) mod exact;
pub(crate) mod features;
pub(crate) mod following;
pub(crate) mod leaders;
pub(crate) mod lengths;
pub(crate) mod matches;
pub(crate) mod near;
pub(crate) mod order;
pub(crate) mod outlines;
pub(crate) mod pair_histograms;
pub(crate) mod places;
pub(crate) mod prefix_join;
pub(crate) mod ranking;
pub(crate) mod reread;
pub(crate) mod search;
pub(crate) mod turns;
pub(crate) mod verification;
