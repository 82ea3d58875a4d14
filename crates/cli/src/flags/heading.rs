//! The headings under which `--help` groups flags.

/// What is read.
pub(crate) const INPUT: &str = "Input";
/// How fingerprints are made, and which documents are near-duplicates.
pub(crate) const DUPLICATE: &str = "What counts as a duplicate";
/// What is written and printed.
pub(crate) const OUTPUT: &str = "Output";
/// What the run may take.
pub(crate) const RESOURCES: &str = "Resources";
/// Who may ask a service.
#[cfg(feature = "serve")]
pub(crate) const SECURITY: &str = "Security";
/// What a service accepts.
#[cfg(feature = "serve")]
pub(crate) const LIMITS: &str = "Limits";
/// What a service tells of itself.
#[cfg(feature = "serve")]
pub(crate) const LOG: &str = "Log";
