//! Pairs for a person to decide about. Showing them is handled by the command line.

pub(crate) mod question;
