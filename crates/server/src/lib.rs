//! A durable store behind HTTP: check, add, query and compare, for any language.
//!
//! | room | what it holds |
//! |---|---|
//! | `listen` | connections, TLS, idle clients |
//! | `request` | from a request to what it asks: tokens, bodies, decompression, lines, problems |
//! | `work` | what answers share: sketches, the search for clusters, figures |
//! | `api` | one file an endpoint; `routes` leads to them, `shared` is their state |
//!
//! - **A request** is taken in by `listen`, noted by `observe`, let through by `request::guard`, and
//!   answered by a file of `api`. What takes long runs on `request::threads`.
//! - **A batch** is cut into portions of lines (`request::lines`). Each is fingerprinted on a thread apart,
//!   written by the store's writer, and answered in order before more of the body is read.

mod api;
mod config;
mod error;
mod listen;
mod observe;
mod openapi;
mod paths;
mod request;
mod routes;
mod server;
mod shared;
mod work;

pub use config::Config;
pub use error::Error;
pub use request::token::{NewToken, Scope};
pub use server::{Server, Stop, service};
pub use work::sketcher::Analysis;
