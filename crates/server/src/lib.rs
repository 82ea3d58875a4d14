//! A durable store of fingerprints behind HTTP: check, add, query and compare for any language.
//!
//! - [`server`] is what a program starts; [`config`] says how it runs, [`sketcher`] what makes
//!   fingerprints of texts.
//! - `service` is what all requests share, and where each goes: to a file of `api`, which reads it by
//!   `body` and `json` into a `content` and answers; what goes wrong is a `problem`.
//! - `connections` takes them in (`tls`, `idle`), `observe` notes each (`metrics`), `guard` lets those
//!   through whose [`token`] allows it, `inflater` undoes compression, `lines` cuts batches.
//! - `clustering` looks for clusters in the background, `duplicates` counts what was answered; the page
//!   that shows them is `api::page` with the files in `page/`, and asks what every client may ask.
//!
//! The store is blocking and quick: what takes microseconds is done where the request is, what takes
//! longer on threads apart, and writes are handed to the store's own writer, which answers.

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
