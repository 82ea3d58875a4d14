//! How answers look: numbers, tables or JSON, charts, the progress bar.

pub(crate) mod bar;
pub(crate) mod chart;
pub(crate) mod explanation;
pub(crate) mod figures;
pub(crate) mod format;
pub(crate) mod kept;
pub(crate) mod plans;
pub(crate) mod remarks;
pub(crate) mod warnings;
pub(crate) mod weight;
