//! The batch job.
