//! A durable store behind HTTP: check, add, query and compare, for any language.
//!
//! | room | what it holds |
//! |---|---|
//! | `listen` | connections, TLS, idle clients |
//! | `request` | reading a request: tokens, bodies, decompression, lines, problems |
//! | `work` | what endpoints share: sketches, the search for clusters, figures |
//! | `follow` | a copy takes over the changes of another service |
//! | `platform` | what Unix and Windows do in different ways |
//! | `api` | one file an endpoint; `endpoints` is the table of them, `routes` leads to them, `shared` is their state |
//!
//! - **A request**: `listen` accepts the connection, `observe` notes the request, `request::guard` checks its
//!   token, and a file of `api` answers. Routes, the OpenAPI description and the names in figures come of one table,
//!   `endpoints`: a new endpoint is a file of `api`, an entry there, and a test. Long work runs on `request::threads`.
//! - **A batch**: `request::lines` cuts the body into portions of lines. A thread apart fingerprints each
//!   portion, the store's writer writes it, and `api::batch` answers in order before it reads more.

mod api;
mod config;
mod endpoints;
mod error;
mod follow;
mod listen;
mod observe;
mod openapi;
mod platform;
mod request;
mod routes;
mod schema;
mod server;
mod shared;
mod work;

pub use config::Config;
pub use error::Error;
pub use follow::fetch::fetch;
pub use follow::leader::Leader;
pub use request::token::{NewToken, Scope};
pub use server::{Server, Stop, service};
pub use work::sketcher::Analysis;
