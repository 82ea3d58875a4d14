//! Sketches of feature sets, from which sets alike in Jaccard similarity are found without comparing
//! all of them. What is done with sketches belongs to those who search.

pub(crate) mod angle_code;
pub(crate) mod band_shape;
pub(crate) mod band_sketcher;
pub(crate) mod sketch_code;
