//! The durable store, from outside.
#![expect(clippy::unwrap_used, reason = "tests may fail loudly")]

mod alike;
mod any_width;
mod clusters;
mod concurrent;
mod crash;
mod damage;
mod derived;
mod faults;
mod follow;
mod forget;
mod heal;
mod life;
mod model;
mod model_alike;
mod power;
mod room;
mod salvage;
mod verdicts;
mod versions;
