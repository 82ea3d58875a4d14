//! The service, from outside: real connections to a real store.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests may fail loudly")]

mod alike;
mod answers;
mod batch;
mod bodies;
mod client;
mod deploy;
mod flood;
mod follow;
mod life;
mod load;
mod page;
mod room;
mod security;
mod tasks;
