//! A setting beside labels: curves over radii and similarities, what `dedup` makes of it, and the pairs in which
//! the two differ.

pub(crate) mod case;
pub(crate) mod curve;
pub(crate) mod evaluation;
pub(crate) mod texts;
