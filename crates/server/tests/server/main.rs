//! The service, from outside: real connections to a real store.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests may fail loudly")]

mod answers;
mod batch;
mod bodies;
mod client;
mod life;
mod load;
mod room;
mod security;
