//! Figures with their 95 % intervals. What is counted is handled by other rooms.

pub(crate) mod estimate;
pub(crate) mod interval;
pub(crate) mod resampling;
