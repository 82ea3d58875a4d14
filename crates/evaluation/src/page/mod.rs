//! Pairs for a person to decide about. Showing them is the affair of the command line.

pub(crate) mod question;
