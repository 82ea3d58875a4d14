//! What the hardware decides: kernels, prefetching, large pages, partitioning by leading bits.

pub(crate) mod directory;
pub(crate) mod huge_pages;
pub(crate) mod kernel;
pub(crate) mod ordinals;
pub(crate) mod partition;
pub(crate) mod prefetch;
pub(crate) mod stop;
