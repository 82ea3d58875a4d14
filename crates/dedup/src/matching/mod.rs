//! Which documents are near-duplicates: candidates, verification, search.

pub(crate) mod candidates;
pub(crate) mod exact;
pub(crate) mod features;
pub(crate) mod matches;
pub(crate) mod search;
pub(crate) mod seen;
pub(crate) mod verification;
