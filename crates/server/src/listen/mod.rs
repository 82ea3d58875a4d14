//! Connections: sockets, TLS, and the end of idle ones.

pub(crate) mod connections;
pub(crate) mod control;
pub(crate) mod idle;
pub(crate) mod reload;
pub(crate) mod tls;
