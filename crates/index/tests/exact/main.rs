//! Join and search against the linear scan, at every width, on codes even, clustered and hostile.
#![expect(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests may fail loudly")]

mod codes;
mod front;
mod golden;
mod join;
mod oracle;
mod planner;
mod search;
mod segment;
mod stop;
mod stream;
